//! What the tests share: scenarios from text, runs of them, one call's record.

use std::path::{Path, PathBuf};

use parked::era::Design;
use parked::experiment::{self, Cell, Execution};
use parked::metrics::{End, Outcome, Record};
use parked::scenario::{Files, NoFiles, Scenario, Source, parse};
use parked::world::Cause;

/// The scenario that this text means; panics with the rendered errors when it is not legal.
pub fn scenario(text: &str) -> Scenario {
    scenario_with(text, &NoFiles)
}

/// The same, with the files that it names.
pub fn scenario_with(text: &str, files: &dyn Files) -> Scenario {
    let source = Source { name: "test.toml".to_owned(), text: format!("format = 1\nname = \"test\"\n{text}") };
    parse(source, &[], files).unwrap_or_else(|invalid| panic!("{}", invalid.render(false)))
}

/// The files with this extension in a folder and in the folders in it, in order.
pub fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of the project can be read") {
            let path = entry.expect("an entry can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|of| of == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Every cell of the scenario, with the records of all calls.
pub fn run(scenario: &Scenario) -> Vec<Cell> {
    let execution = Execution { threads: Some(1), keep_records: true };
    experiment::run(scenario, execution, &()).expect("one thread can be started")
}

/// The first replication of one design.
pub fn cell(scenario: &Scenario, design: Design) -> Cell {
    let only = Scenario { designs: vec![design], replications: 1, ..scenario.clone() };
    run(&only).remove(0)
}

/// The record of the only call of a scenario under a design.
pub fn only_call(scenario: &Scenario, design: Design) -> Record {
    let cell = cell(scenario, design);
    assert_eq!(cell.records.len(), 1, "the scenario has one call");
    cell.records[0]
}

/// An end with a cause.
pub fn because(outcome: Outcome, cause: Cause) -> End {
    End { outcome, cause: Some(cause) }
}

/// An end without one.
pub fn plainly(outcome: Outcome) -> End {
    End { outcome, cause: None }
}
