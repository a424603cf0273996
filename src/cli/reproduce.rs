//! `parked reproduce`: the known measurements, each from a shipped scenario run by the ordinary simulator, held against
//! what they must give.

use clap::ValueEnum;
use serde::Serialize;

use super::shipped::Shipped;
use super::{Exit, Failure, Screen};
use crate::era::Design;
use crate::experiment::{self, Cell, Execution};
use crate::metrics::Record;
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

/// One measurement: what is read off the run of a scenario under a design, and what it must be.
struct Measurement {
    situation: &'static str,
    scenario: &'static str,
    read: fn(&Cell) -> String,
    expected: &'static [(Design, &'static str)],
}

use Design::{Carrying, Waiting};

static MEASUREMENTS: &[Measurement] = &[
    Measurement {
        situation: "threads parked while the person thinks",
        scenario: "seed/parked.toml",
        read: threads_parked,
        expected: &[(Waiting, "1"), (Carrying, "0")],
    },
    Measurement {
        situation: "the answer reaches another instance under round robin",
        scenario: "seed/other-instance.toml",
        read: fate,
        expected: &[(Waiting, "timed out, 0 entries"), (Carrying, "completed on another instance, 1 entry")],
    },
    Measurement {
        situation: "the instance dies while the person thinks",
        scenario: "seed/instance-dies.toml",
        read: fate,
        expected: &[(Waiting, "lost, 0 entries"), (Carrying, "completed on another instance, 1 entry")],
    },
    Measurement {
        situation: "the instance dies, and the new one has another key",
        scenario: "seed/other-key.toml",
        read: fate,
        expected: &[(Carrying, "refused, bad signature, 0 entries")],
    },
];

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
    /// The scenario that was run.
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
        let scenario = shipped.scenario(&[]).expect("a shipped scenario is legal");
        let execution = Execution { threads: Some(1), keep_records: true };
        let cells = experiment::run(&scenario, execution, &()).map_err(|error| Failure::Io(error.to_string()))?;
        let rows = self.expected.iter().map(|&(design, expected)| {
            let cell = cells.iter().find(|cell| cell.design == design).expect("the scenario runs this design");
            let got = (self.read)(cell);
            let scenario = format!("scenarios/{}", self.scenario);
            Row { situation: self.situation, design, expected, ok: got == expected, got, scenario }
        });
        Ok(rows.collect())
    }
}

fn threads_parked(cell: &Cell) -> String {
    cell.tally.parked.peak.to_string()
}

fn fate(cell: &Cell) -> String {
    let [record] = &cell.records[..] else { return format!("{} calls instead of one", cell.records.len()) };
    let Record { end, entries, first_instance, last_instance, .. } = record;
    let mut words = end.outcome.name().replace('_', " ");
    if end.outcome == crate::metrics::Outcome::Completed && first_instance != last_instance {
        words += " on another instance";
    }
    if end.cause == Some(crate::world::Cause::WrongKey) {
        words += ", bad signature";
    }
    format!("{words}, {entries} {}", if *entries == 1 { "entry" } else { "entries" })
}

fn table(rows: &[Row], width: Option<usize>) -> String {
    let header = ["situation", "design", "expected", "got", ""].map(str::to_owned);
    let body = rows.iter().map(|row| {
        let ok = if row.ok { "ok" } else { "DIFFERS" };
        [
            row.situation.to_owned(),
            row.design.name().to_owned(),
            row.expected.to_owned(),
            row.got.clone(),
            ok.to_owned(),
        ]
    });
    report::columns(&header, &body.collect::<Vec<_>>(), width)
}
