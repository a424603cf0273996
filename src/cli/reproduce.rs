//! `parked reproduce`: the known measurements, each from a shipped scenario run by the ordinary simulator, held against
//! what they must give.

use clap::ValueEnum;
use serde::Serialize;

use super::measurements::{MEASUREMENTS, Measurement};
use super::readings::Run;
use super::shipped::Shipped;
use super::{Exit, Failure, Screen};
use crate::era::Design;
use crate::experiment::{self, Execution};
use crate::report;

#[derive(clap::Args)]
pub(super) struct Reproduce {
    /// What is written to the standard output.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// One line of the answer.
#[derive(Serialize)]
pub(crate) struct Row {
    /// What is measured.
    pub situation: &'static str,
    /// Under which design.
    pub design: Design,
    /// What it must give.
    pub expected: &'static str,
    /// What it gave.
    pub got: String,
    /// Whether they are the same.
    pub ok: bool,
    /// The scenario that was run, with what was set over it.
    pub scenario: String,
}

impl Reproduce {
    pub(super) fn execute(self, screen: &mut Screen) -> Result<Exit, Failure> {
        let mut rows = Vec::new();
        for measurement in MEASUREMENTS {
            rows.extend(measurement.rows()?);
        }
        let text = match self.format {
            Format::Text => table(&rows, screen.width),
            Format::Json => format!("{}\n", serde_json::to_string_pretty(&rows).expect("plain data")),
        };
        screen.print(&text)?;
        Ok(if rows.iter().all(|row| row.ok) { Exit::Done } else { Exit::NotReproduced })
    }
}

impl Measurement {
    fn rows(&self) -> Result<Vec<Row>, Failure> {
        let shipped = Shipped::at(self.scenario).expect("a measurement names a shipped scenario");
        let set: Vec<String> = self.set.iter().map(|&word| word.to_owned()).collect();
        let scenario = shipped.scenario(&set).expect("a shipped scenario is legal");
        let execution = Execution { threads: Some(1), keep_records: true };
        let cells = experiment::run(&scenario, execution, &()).map_err(|error| Failure::Io(error.to_string()))?;
        let rows = self.expected.iter().map(|&(design, expected)| {
            let cell = cells.iter().find(|cell| cell.design == design).expect("the scenario runs this design");
            let got = (self.read)(&Run { scenario: &scenario, cell });
            let overrides: String = self.set.iter().map(|word| format!(" --set {word}")).collect();
            let scenario = format!("scenarios/{}{overrides}", self.scenario);
            Row { situation: self.situation, design, expected, ok: got == expected, got, scenario }
        });
        Ok(rows.collect())
    }
}

fn table(rows: &[Row], width: Option<usize>) -> String {
    let header = ["situation", "design", "measured", ""].map(str::to_owned);
    let mut before = "";
    let body = rows.iter().map(|row| {
        let ok = if row.ok { "ok".to_owned() } else { format!("DIFFERS: expected {}", row.expected) };
        let situation = if row.situation == before { "" } else { row.situation };
        before = row.situation;
        [situation.to_owned(), row.design.name().to_owned(), row.got.clone(), ok]
    });
    report::columns(&header, &body.collect::<Vec<_>>(), width)
}
