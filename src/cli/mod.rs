//! Words in, words out: the only floor that prints, reads the environment, listens to signals or decides an exit code.

mod check;
mod exit;
mod inspect;
mod list;
mod measurements;
mod new;
mod progress;
mod readings;
mod reproduce;
mod run;
mod schema;
mod shipped;
mod trace;
mod verify;

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};

use crate::scenario::{self, LoadError, Scenario};
use exit::{Exit, Failure};
use shipped::Shipped;

/// Simulates servers that must ask a person in the middle of a call: waiting for the answer against carrying a signed
/// state, on the same people, call by call.
#[derive(Parser)]
#[command(name = "parked", version, max_term_width = 100)]
struct Args {
    /// When to colour what is written.
    #[arg(long, global = true, value_enum, default_value_t = When::Auto)]
    color: When,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs scenarios under every design they name and writes their results.
    Run(run::Run),
    /// Validates scenarios and runs nothing.
    Check(check::Check),
    /// Writes a commented scenario to start from.
    New(new::New),
    /// Shows the shipped scenarios with their questions.
    List,
    /// Runs the known measurements and holds them against what they must give.
    Reproduce(reproduce::Reproduce),
    /// Holds what is simulated against closed forms.
    Verify(verify::Verify),
    /// Tells the story of one call, message by message.
    Trace(trace::Trace),
    /// Holds addresses, or a form and an answer to it, against the rules of elicitation.
    Inspect(inspect::Inspect),
    /// Prints a JSON Schema, for editors.
    Schema(schema::Schema),
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum When {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Even into a file.
    Always,
    /// Nowhere.
    Never,
}

impl When {
    fn on(self, terminal: bool) -> bool {
        match self {
            When::Always => true,
            When::Never => false,
            When::Auto => terminal && no_colour_is_unset(),
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "NO_COLOR is a convention of terminals, not an input of a model")]
fn no_colour_is_unset() -> bool {
    std::env::var("NO_COLOR").map_or(true, |value| value.is_empty())
}

/// Which call, in which file: shared by commands that take one scenario.
#[derive(clap::Args)]
struct Overrides {
    /// Sets a key of the scenario, such as `people.think.lognormal.median=30s`. May be given several times.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Seed of every random number; the same as `--set seed=N`.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: Option<u64>,
}

impl Overrides {
    fn words(&self) -> Result<Vec<String>, Failure> {
        let mut words = self.set.clone();
        if let Some(seed) = self.seed {
            add_word(&mut words, "seed", seed)?;
        }
        Ok(words)
    }
}

/// Adds what a flag of its own says; the same key twice would leave it open which one counts.
fn add_word(words: &mut Vec<String>, key: &str, value: impl std::fmt::Display) -> Result<(), Failure> {
    if words.iter().any(|word| word.split('=').next().is_some_and(|other| other.trim() == key)) {
        return Err(Failure::Usage(format!("--{key} and --set {key}=.. say the same key twice: leave one out")));
    }
    words.push(format!("{key}={value}"));
    Ok(())
}

/// Where the command writes: data to `out`, everything else to the standard error.
struct Screen {
    out: Box<dyn Write>,
    colour_errors: bool,
    /// Columns of the terminal; `None` when the data does not go to one.
    width: Option<usize>,
}

impl Screen {
    fn new(color: When) -> Screen {
        let stdout = std::io::stdout();
        let width = stdout.is_terminal().then(terminal_size::terminal_size).flatten();
        Screen {
            width: width.map(|(columns, _)| usize::from(columns.0)),
            out: Box::new(stdout.lock()),
            colour_errors: color.on(std::io::stderr().is_terminal()),
        }
    }

    /// Writes data. A reader that went away is no failure.
    fn print(&mut self, text: &str) -> Result<(), Failure> {
        match self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush()) {
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                Err(Failure::Io(format!("cannot write to the standard output: {error}")))
            }
            _ => Ok(()),
        }
    }

    /// Writes a message to the standard error.
    fn tell(&self, text: &str) {
        // Nobody is left to be told of a failure here.
        let _ = writeln!(std::io::stderr(), "{text}");
    }
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let args = Args::parse();
    exit::tell_how_to_replay_a_bug();
    let done = std::panic::catch_unwind(|| {
        let mut screen = Screen::new(args.color);
        match execute(args.command, &mut screen) {
            Ok(exit) => exit,
            Err(failure) => {
                screen.tell(&failure.render(screen.colour_errors));
                failure.exit()
            }
        }
    });
    done.unwrap_or(Exit::Io).code()
}

fn execute(command: Command, screen: &mut Screen) -> Result<Exit, Failure> {
    match command {
        Command::Run(run) => run.execute(screen),
        Command::Check(check) => check.execute(screen),
        Command::New(new) => new.execute(screen),
        Command::List => list::execute(screen),
        Command::Reproduce(reproduce) => reproduce.execute(screen),
        Command::Verify(verify) => verify.execute(screen),
        Command::Trace(trace) => trace.execute(screen),
        Command::Inspect(inspect) => inspect.execute(screen),
        Command::Schema(schema) => schema.execute(screen),
    }
}

/// Loads a scenario file; a shipped one that is not on this disk is taken from the program.
fn load(file: &Path, overrides: &[String]) -> Result<Scenario, LoadError> {
    let shipped = file.strip_prefix("scenarios").ok().and_then(|path| path.to_str()).and_then(Shipped::at);
    match (scenario::load(file, overrides), shipped) {
        (Err(LoadError::Io { source, .. }), Some(shipped)) if source.kind() == std::io::ErrorKind::NotFound => {
            Ok(shipped.scenario(overrides)?)
        }
        (loaded, _) => loaded,
    }
}

/// Loads scenario files; every error of every file comes back at once.
fn load_all(files: &[PathBuf], overrides: &[String]) -> Result<Vec<Scenario>, Failure> {
    let loaded: Vec<_> = files.iter().map(|file| load(file, overrides)).collect();
    let mut scenarios = Vec::with_capacity(files.len());
    let mut errors = Vec::new();
    for scenario in loaded {
        match scenario {
            Ok(scenario) => scenarios.push(scenario),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(scenarios) } else { Err(Failure::Scenarios(errors)) }
}
