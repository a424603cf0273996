//! Exit codes, and the failures that lead to them.

use std::io::Write;
use std::process::ExitCode;

use crate::scenario::LoadError;

/// How the command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// All done.
    Done,
    /// Input or output failed, or this program is wrong.
    Io,
    /// The command line or a scenario is wrong.
    Usage,
    /// A known measurement or a closed form came out differently.
    NotReproduced,
    /// What was inspected must not be sent.
    Refused,
    /// A signal ended it; what was finished is kept.
    Interrupted(u8),
}

impl Exit {
    /// The number that the process ends with.
    pub(super) fn code(self) -> ExitCode {
        ExitCode::from(match self {
            Exit::Done => 0,
            Exit::Io => 1,
            Exit::Usage => 2,
            Exit::NotReproduced => 4,
            Exit::Refused => 99,
            Exit::Interrupted(signal) => 128 + signal,
        })
    }
}

/// Why the command could not do what it was asked.
#[derive(Debug)]
pub(super) enum Failure {
    /// Scenarios that could not be read or are wrong.
    Scenarios(Vec<LoadError>),
    /// The command line asks for what does not exist.
    Usage(String),
    /// Input or output failed.
    Io(String),
}

impl Failure {
    pub(super) fn exit(&self) -> Exit {
        match self {
            Failure::Scenarios(errors) if errors.iter().any(|e| matches!(e, LoadError::Io { .. })) => Exit::Io,
            Failure::Scenarios(_) | Failure::Usage(_) => Exit::Usage,
            Failure::Io(_) => Exit::Io,
        }
    }

    pub(super) fn render(&self, colour: bool) -> String {
        match self {
            Failure::Usage(text) | Failure::Io(text) => format!("error: {text}"),
            Failure::Scenarios(errors) => {
                let each = errors.iter().map(|error| match error {
                    LoadError::Invalid(invalid) => invalid.render(colour),
                    LoadError::Io { .. } => format!("error: {error}"),
                });
                each.collect::<Vec<_>>().join("\n\n")
            }
        }
    }
}

/// A panic is a bug of this program: it says so, and with which command it happens again.
pub(super) fn tell_how_to_replay_a_bug() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        usual(info);
        let words: Vec<String> = std::env::args().map(|word| quoted(&word)).collect();
        let replay = format!("this is a bug in parked; it happens again with:\n  {}", words.join(" "));
        let _ = writeln!(std::io::stderr(), "{replay}");
    }));
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
