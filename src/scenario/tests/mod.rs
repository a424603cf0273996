//! Tests of the whole floor. They must never look at more of a message than a user would miss.

mod changes;
mod clients;
mod contradictions;
mod effects;
mod errors;
mod files;
mod legal;
mod overrides;
mod presets;
mod properties;
mod rotations;
mod rules;
mod schema;
mod sizes;
mod steps;
mod way;

use std::collections::BTreeMap;
use std::io;

use super::{Files, Invalid, NoFiles, Scenario, Source, parse};

/// The smallest scenario.
const SMALLEST: &str = "name = \"a\"\n";

fn source(text: &str) -> Source {
    Source { name: "x.toml".into(), text: text.into() }
}

fn read(text: &str) -> Result<Scenario, Invalid> {
    parse(source(text), &[], &NoFiles)
}

fn legal(text: &str) -> Scenario {
    read(text).unwrap_or_else(|invalid| panic!("{invalid}\n{text}"))
}

fn invalid(text: &str) -> Invalid {
    read(text).expect_err(text)
}

/// Files that stand in the test.
struct Given(BTreeMap<&'static str, Vec<u8>>);

impl Files for Given {
    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        self.0.get(name).cloned().ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }
}

fn read_with(text: &str, csv: &str) -> Result<Scenario, Invalid> {
    parse(source(text), &[], &Given(BTreeMap::from([("x.csv", csv.as_bytes().to_vec())])))
}

/// The one problem of a text: `line:column title | label | help | ..`.
fn only(text: &str) -> String {
    one_of(&invalid(text))
}

fn one_of(invalid: &Invalid) -> String {
    let [problem] = invalid.problems() else { panic!("not one problem:\n{invalid}") };
    let place = invalid.place(problem);
    let help: String = problem.help.iter().map(|help| format!(" | {help}")).collect();
    format!("{}:{} {} | {}{help}", place.line, place.column, problem.title, problem.label)
}
