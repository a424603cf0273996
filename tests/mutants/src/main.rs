//! Shows that the suite finds errors: each mutant is put into a copy of the sources, the suite is built, and the tests
//! named for it must fail, where all of them pass without it.
//!
//! Why it exists: a test that cannot fail proves nothing. What must never happen here: a mutant that counts as found
//! because it does not compile, or because its test failed anyhow; a change to the sources themselves.
//!
//! `cargo run --release [WORD]...` in this folder; only mutants whose name has one of the words in it, if there are any.

mod list;

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};
use std::time::Instant;

use list::{MUTANTS, Mutant};

/// What is not copied.
const LEFT_OUT: [&str; 3] = ["target", ".git", "results"];

/// Quick to build rather than quick to run; the same numbers come out.
const PROFILE: [(&str, &str); 5] = [
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1"),
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
    ("CARGO_PROFILE_RELEASE_DEBUG", "0"),
    ("CARGO_PROFILE_RELEASE_INCREMENTAL", "true"),
];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let chosen = |mutant: &&Mutant| words.is_empty() || words.iter().any(|word| mutant.name.contains(word.as_str()));
    let mutants: Vec<&Mutant> = MUTANTS.iter().filter(chosen).collect();
    match try_all(&mutants) {
        Ok(found) if found == mutants.len() && found > 0 => ExitCode::SUCCESS,
        Ok(found) => {
            println!("{found} of {} mutants found", mutants.len());
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// How many of the mutants are found.
fn try_all(mutants: &[&Mutant]) -> io::Result<usize> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let copy = target.join("mutants/copy");
    copy_changed(&root, &copy)?;
    let suite = Suite { target: target.join("mutants/target"), copy };
    let killers: BTreeSet<&str> = mutants.iter().flat_map(|mutant| mutant.killers).copied().collect();
    let began = Instant::now();
    suite.build()?;
    for killer in killers {
        if !suite.passes(killer)? {
            return Err(io::Error::other(format!("{killer} fails without any mutant")));
        }
    }
    println!("every killer passes without a mutant ({} s)", began.elapsed().as_secs());
    let mut found = 0;
    for mutant in mutants {
        found += usize::from(suite.finds(mutant)?);
    }
    Ok(found)
}

/// The copy of the project, and where it is built.
struct Suite {
    copy: PathBuf,
    target: PathBuf,
}

impl Suite {
    fn cargo(&self, arguments: &[&str]) -> io::Result<Output> {
        let mut cargo = Command::new("cargo");
        cargo.current_dir(&self.copy).env("CARGO_TARGET_DIR", &self.target).envs(PROFILE);
        cargo.args(["test", "--release", "--offline", "--test", "suite"]).args(arguments).output()
    }

    fn build(&self) -> io::Result<()> {
        let built = self.cargo(&["--no-run"])?;
        if built.status.success() {
            return Ok(());
        }
        Err(io::Error::other(format!("it does not compile:\n{}", String::from_utf8_lossy(&built.stderr))))
    }

    /// Whether this test passes; it must be there.
    fn passes(&self, test: &str) -> io::Result<bool> {
        let run = self.cargo(&["--", "--exact", test, "--include-ignored"])?;
        let said = String::from_utf8_lossy(&run.stdout);
        let says = |end: &str| said.contains(&format!("test {test} ... {end}"));
        match (says("ok"), says("FAILED")) {
            (true, false) if run.status.success() => Ok(true),
            (false, true) if !run.status.success() => Ok(false),
            _ => Err(io::Error::other(format!("{test} was not run:\n{said}{}", String::from_utf8_lossy(&run.stderr)))),
        }
    }

    /// Whether every test named for this mutant fails with it.
    fn finds(&self, mutant: &Mutant) -> io::Result<bool> {
        let (began, path) = (Instant::now(), self.copy.join(mutant.file));
        let text = std::fs::read_to_string(&path)?;
        if text.matches(mutant.text).count() != 1 {
            let what = format!("{}: the text does not stand exactly once in {}", mutant.name, mutant.file);
            return Err(io::Error::other(what));
        }
        std::fs::write(&path, text.replace(mutant.text, mutant.becomes))?;
        let found = self.fails_all(mutant);
        std::fs::write(&path, text)?;
        let found = found?;
        let word = if found { "found" } else { "SURVIVES" };
        println!("{word:8}  {} ({} s)", mutant.name, began.elapsed().as_secs());
        Ok(found)
    }

    fn fails_all(&self, mutant: &Mutant) -> io::Result<bool> {
        self.build()?;
        for killer in mutant.killers {
            if self.passes(killer)? {
                println!("          {killer} passes");
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Copies what has changed, so that only that is built again.
fn copy_changed(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        if LEFT_OUT.iter().any(|left| name == *left) {
            continue;
        }
        let (from, to) = (entry.path(), to.join(&name));
        if entry.file_type()?.is_dir() {
            copy_changed(&from, &to)?;
        } else {
            let bytes = std::fs::read(&from)?;
            if std::fs::read(&to).ok().as_ref() != Some(&bytes) {
                std::fs::write(&to, bytes)?;
            }
        }
    }
    Ok(())
}
