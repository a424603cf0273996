//! `parked run`: every design of every scenario on the same people, a table on the screen, results in a folder.

use std::path::PathBuf;

use clap::ValueEnum;

use super::progress::{Signals, Style, Watch};
use super::{Exit, Failure, Overrides, Screen, add_word, load_all};
use crate::experiment::{self, Execution, Summary};
use crate::report::{self, Extras};
use crate::scenario::Scenario;

#[derive(clap::Args)]
pub(super) struct Run {
    /// Scenario files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    overrides: Overrides,
    /// Replications of each design; the same as `--set replications=N`.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    replications: Option<u32>,
    /// Worker threads; the result is the same on any number. Default: one per core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Folder below which each scenario gets a folder for its results.
    #[arg(long, value_name = "DIR", default_value = "results")]
    out: PathBuf,
    /// What is written to the standard output.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Also writes calls.csv, one row for each call.
    #[arg(long)]
    calls: bool,
    /// How progress is shown on the standard error, once a second has passed.
    #[arg(long, value_enum, default_value_t = Style::Auto)]
    progress: Style,
    /// Shows no table and no progress.
    #[arg(long)]
    quiet: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table.
    Text,
    /// One JSON document for each scenario, each on a line of its own when there are several.
    Json,
    /// The rows of summary.csv.
    Csv,
}

impl Run {
    pub(super) fn execute(self, screen: &mut Screen) -> Result<Exit, Failure> {
        let mut words = self.overrides.words()?;
        if let Some(replications) = self.replications {
            add_word(&mut words, "replications", replications)?;
        }
        let scenarios = load_all(&self.files, &words)?;
        refuse_shared_folders(&scenarios)?;
        let signals = Signals::listen().map_err(|error| Failure::Io(format!("cannot listen to signals: {error}")))?;
        let mut exit = Exit::Done;
        for (place, scenario) in scenarios.iter().enumerate() {
            // One that fails does not stop the others.
            if let Err(failure) = self.one(scenario, &words, place, &signals, screen) {
                screen.tell(&failure.render(screen.colour_errors));
                exit = failure.exit();
            }
            if let Some(signal) = signals.heard() {
                return Ok(Exit::Interrupted(signal));
            }
        }
        Ok(exit)
    }

    fn one(
        &self,
        scenario: &Scenario,
        overrides: &[String],
        place: usize,
        signals: &Signals,
        screen: &mut Screen,
    ) -> Result<(), Failure> {
        let style = if self.quiet { Style::None } else { self.progress };
        let cells = u64::from(scenario.replications) * scenario.designs.len() as u64;
        let watch = Watch::new(style, &scenario.name, cells, signals.clone());
        let execution = Execution { threads: self.threads.map(usize::from), keep_records: self.calls };
        let cells = experiment::run(scenario, execution, &watch).map_err(|error| Failure::Io(error.to_string()))?;
        watch.finish();
        if cells.is_empty() {
            screen.tell(&format!("{}: interrupted before the first replication was finished", scenario.name));
            return Ok(());
        }
        let summary = Summary::of(scenario, &cells);
        // Shown before it is written, so that a folder that cannot be written loses nothing.
        self.show(&summary, place, screen)?;
        let extras = Extras { overrides, calls: self.calls.then_some(&cells[..]) };
        let folder = report::folder(&self.out, &summary, &extras);
        report::write(&folder, scenario, &summary, &extras).map_err(|error| Failure::Io(error.to_string()))?;
        if !self.quiet {
            screen.tell(&format!("results: {}", folder.display()));
        }
        Ok(())
    }

    fn show(&self, summary: &Summary, place: usize, screen: &mut Screen) -> Result<(), Failure> {
        match self.format {
            Format::Text if self.quiet => Ok(()),
            Format::Text => {
                let gap = if place > 0 { "\n" } else { "" };
                screen.print(&format!("{gap}{}", report::text(summary, screen.width)))
            }
            Format::Json if self.files.len() == 1 => {
                screen.print(&format!("{}\n", serde_json::to_string_pretty(summary).expect("plain data")))
            }
            Format::Json => screen.print(&format!("{}\n", serde_json::to_string(summary).expect("plain data"))),
            Format::Csv => screen.print(&report::summary_csv(summary, place == 0)),
        }
    }
}

/// Two scenarios of one name would write over each other.
fn refuse_shared_folders(scenarios: &[Scenario]) -> Result<(), Failure> {
    let mut names: Vec<&str> = scenarios.iter().map(|scenario| scenario.name.as_str()).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Failure::Usage(format!(
            "two of the files have the name {:?}, and would write into the same folder: run them apart, with --out",
            pair[0]
        ))),
        None => Ok(()),
    }
}
