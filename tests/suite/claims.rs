//! The claims of the project in both designs: the seed's measurements, and for every key of a scenario what switching
//! that key alone does to a record. A key must never be built without a claim here that shows what it does.

mod answers_in_line;
mod arriving;
mod asking;
mod behaviours;
mod bills;
mod bodies;
mod capabilities;
mod client;
mod clocks;
mod crashes;
mod deaths;
mod deploys;
mod downgrades;
mod effects;
mod field;
mod field_effects;
mod field_holding;
mod field_keys;
mod field_states;
mod field_versions;
mod field_pools;
mod field_stores;
mod field_ways;
mod forms_typed;
mod giving_up;
mod going;
mod handshakes;
mod health;
mod holding;
mod identity;
mod kinds;
mod lines;
mod links;
mod losses;
mod policies;
mod replays;
mod retries;
mod rotations;
mod routing;
mod scaling;
mod screens;
mod secrets;
mod seed;
mod shown_by;
mod skews;
mod spreads;
mod state;
mod states;
mod stores;
mod threads;
mod versions;
mod ways;
mod when;

use std::collections::{BTreeMap, BTreeSet};

use parked::era::Design;
use parked::experiment::{Cell, story};
use parked::metrics::{End, Record};
use parked::scenario::{Files, Kind, NoFiles, Scenario, Source, keys, parse};
use parked::world::SeenBy;

use self::shown_by::SHOWN_BY;
use super::common;

/// One person who thinks for a minute and accepts, two instances, round robin: the seed's set-up.
const ONE_CALL: &str = r#"
format = 1
name = "claim"
replications = 1
run.horizon = "10m"
arrivals.at = ["0s"]
people.think.constant = "60s"
people.decide = { accept = 1.0, decline = 0.0, cancel = 0.0 }
fleet.instances = 2
"#;

/// What the bodies that are not described in steps spend on a thread.
const WORK: &str = "tool.work_before.constant = \"2ms\"\ntool.work_after.constant = \"1ms\"\n";

const DESIGNS: [Design; 2] = [Design::Waiting, Design::Carrying];

/// So that an answer comes home in both designs.
const ALONE: &str = "fleet.instances=1";

/// Time before the question, time to think, time after the answer: when the call of [`ONE_CALL`] ends when waiting.
/// Carrying does the 2 ms before the question twice.
const WHOLE_MS: u64 = 2 + 60_000 + 1;

/// The scenario of this text with these keys switched.
fn read(text: String, switches: &[&str], files: &dyn Files) -> Scenario {
    let source = Source { name: "claim.toml".to_owned(), text };
    let words: Vec<String> = switches.iter().map(|&word| word.to_owned()).collect();
    parse(source, &words, files).unwrap_or_else(|invalid| panic!("{}", invalid.render(false)))
}

/// The scenario of [`ONE_CALL`] with these keys switched.
fn with(switches: &[&str]) -> Scenario {
    read(format!("{ONE_CALL}{WORK}"), switches, &NoFiles)
}

/// A page behind a link that is finished at once, and a server that waits for it: no round more than a form takes.
const PAGE_AT_ONCE: &str = "links.page.constant = \"0s\"\nlinks.unfinished.block = true\n";

/// The same people and one instance, but a body of these steps; each file that they name holds this text.
fn in_steps(steps: &str, file: &'static str, switches: &[&str]) -> Scenario {
    let text = format!("{ONE_CALL}{PAGE_AT_ONCE}tool.body = \"steps\"\ntool.step = [{steps}]\n");
    read(text, &[&[ALONE], switches].concat(), &EveryFile(file))
}

/// Every file holds this text.
struct EveryFile(&'static str);

impl Files for EveryFile {
    fn read(&self, _: &str) -> std::io::Result<Vec<u8>> {
        Ok(self.0.as_bytes().to_vec())
    }
}

/// What the story of the first call says, step by step.
fn told(scenario: &Scenario, design: Design) -> Vec<String> {
    let (steps, _) = story(scenario, design, 0, 0).expect("the first call of the first replication ended");
    steps.into_iter().map(|step| step.what).collect()
}

/// The record of the only call, with these keys switched.
fn call(design: Design, switches: &[&str]) -> Record {
    common::only_call(&with(switches), design)
}

/// Every replication's cell, with these keys switched.
fn cells(design: Design, switches: &[&str]) -> Vec<Cell> {
    common::run(&Scenario { designs: vec![design], ..with(switches) })
}

/// The only replication's cell, with these keys switched.
fn cell(design: Design, switches: &[&str]) -> Cell {
    common::cell(&with(switches), design)
}

/// `outcome/cause`.
fn end(record: &Record) -> String {
    record.end.to_string()
}

/// How the calls of a cell ended, in the order of their arrival.
fn ends(cell: &Cell) -> Vec<String> {
    cell.records.iter().map(end).collect()
}

/// Who saw a secret of the call, in words.
fn seen_by(record: &Record) -> Vec<&'static str> {
    record.exposed.parties().map(SeenBy::name).collect()
}

/// When a call had its end, ms.
fn ended_ms(record: &Record) -> u64 {
    assert_eq!(record.ended.ns() % 1_000_000, 0, "{} is not a whole number of milliseconds", record.ended);
    record.ended.ns() / 1_000_000
}

#[test]
fn every_key_of_a_scenario_has_a_claim_that_switches_it_alone() {
    let built: BTreeSet<&str> = keys()
        .iter()
        .filter(|key| !matches!(key.kind, Kind::Variants | Kind::VariantsList | Kind::TableList))
        .filter(|key| key.kind != Kind::Table || key.path.starts_with("clients.capabilities"))
        .map(|key| key.path)
        .collect();
    let shown: BTreeMap<&str, usize> = SHOWN_BY.iter().map(|(key, claims)| (*key, claims.len())).collect();
    assert_eq!(shown.len(), SHOWN_BY.len(), "a key is listed twice");
    assert!(shown.values().all(|&claims| claims > 0));
    let shown: BTreeSet<&str> = shown.into_keys().collect();
    let unshown: Vec<_> = built.difference(&shown).collect();
    let gone: Vec<_> = shown.difference(&built).collect();
    assert!(unshown.is_empty() && gone.is_empty(), "without a claim: {unshown:?}; no longer a key: {gone:?}");
}

/// The end that the text `outcome` or `outcome/cause` stands for must be one that the program knows.
fn assert_end(record: &Record, expected: End) {
    assert_eq!(record.end, expected, "call {}: {}", record.call, record.end);
}
