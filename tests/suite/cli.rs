//! The built program as a user meets it: exit codes, what stands on which stream, what is written where. Nothing here
//! may look at how a number came about, only at whether it arrives.

mod results;
mod scenarios;
#[cfg(unix)]
mod signals;
mod streams;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A short scenario.
const SHORT: &str = r#"format = 1
name = "short"
question = "Does it run?"
replications = 3

[run]
horizon = "1m"

[arrivals]
poisson = { rate = "1/s" }
"#;

/// An empty folder in which the program runs.
struct Desk(TempDir);

/// What the program said.
struct Said {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Said {
    fn of(output: Output) -> Said {
        let text = |bytes| String::from_utf8(bytes).expect("the program writes text");
        Said { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// What stands on the standard output of a command that succeeded.
    fn done(self) -> String {
        assert_eq!(self.code, Some(0), "{}{}", self.out, self.err);
        self.out
    }
}

impl Desk {
    fn new() -> Desk {
        Desk(tempfile::tempdir().expect("a temporary folder"))
    }

    /// A desk with the short scenario on it, as `short.toml`.
    fn with_short() -> Desk {
        let desk = Desk::new();
        desk.put("short.toml", SHORT);
        desk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn put(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("a file that can be written");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn holds(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_parked"));
        command.current_dir(self.0.path()).args(words).env_remove("NO_COLOR");
        command
    }

    fn parked(&self, words: &[&str]) -> Said {
        Said::of(self.command(words).output().expect("the program can be started"))
    }

    /// Every file below a folder, relative to it, in order.
    fn files(&self, folder: &str) -> Vec<String> {
        fn walk(root: &Path, folder: &Path, found: &mut Vec<String>) {
            for entry in std::fs::read_dir(folder).expect("a folder that can be read") {
                let path = entry.expect("an entry that can be read").path();
                if path.is_dir() {
                    walk(root, &path, found);
                } else {
                    let below = path.strip_prefix(root).expect("below the root");
                    found.push(below.display().to_string().replace('\\', "/"));
                }
            }
        }
        let (root, mut found) = (self.path(folder), Vec::new());
        walk(&root, &root, &mut found);
        found.sort();
        found
    }
}

/// A file of the repository.
fn shipped(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios").join(name).display().to_string()
}
