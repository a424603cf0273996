//! The same scenario gives the same bytes: on any number of threads, run again, alone or among others, watched or not.
//! On failure the first record that differs is shown.

use std::collections::BTreeSet;
use std::path::Path;

use parked::era::Design;
use parked::experiment::{self, Cell, Execution, Summary};
use parked::metrics::Record;
use parked::scenario::{Arrivals, Scenario, load};
use parked::sim::{Observer, Step, Story};

use crate::common::files_below;
use crate::invariants::swarm;

/// Every shipped scenario, with few replications.
pub fn shipped() -> Vec<Scenario> {
    let files = files_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios"), "toml");
    assert!(files.len() >= 7, "shipped scenarios were not found: {files:?}");
    files.iter().map(|file| few(load(file, &[]).unwrap_or_else(|error| panic!("{error}")))).collect()
}

fn few(scenario: Scenario) -> Scenario {
    Scenario { replications: scenario.replications.min(3), ..scenario }
}

fn run_on(threads: usize, keep_records: bool, scenario: &Scenario) -> Vec<Cell> {
    let execution = Execution { threads: Some(threads), keep_records };
    experiment::run(scenario, execution, &()).expect("threads can be started")
}

fn json(scenario: &Scenario, cells: &[Cell]) -> String {
    serde_json::to_string(&Summary::of(scenario, cells)).expect("a summary is plain data")
}

/// Fails with the first record that differs, if any does.
fn assert_same(scenario: &Scenario, what: &str, a: &[Cell], b: &[Cell]) {
    for (a, b) in a.iter().zip(b) {
        let place = format!("{} {} replication {}, {what}", scenario.name, a.design.name(), a.replication);
        let differs = |(x, y): &(&Record, &Record)| x != y;
        if let Some((x, y)) = a.records.iter().zip(&b.records).filter(differs).min_by_key(|(x, _)| x.ended) {
            panic!("{place}: the runs part at {}\n{x:?}\n{y:?}", x.ended.min(y.ended));
        }
        assert_eq!(a.records.len(), b.records.len(), "{place}: one run has more calls");
        assert_eq!(a, b, "{place}: the same records, another tally");
    }
    assert_eq!(json(scenario, a), json(scenario, b), "{}, {what}", scenario.name);
}

#[test]
fn shipped_scenarios_give_the_same_bytes_on_one_two_and_eight_threads_and_when_run_again() {
    for scenario in shipped() {
        let one = run_on(1, true, &scenario);
        assert_same(&scenario, "run again", &one, &run_on(1, true, &scenario));
        for threads in [2, 8] {
            assert_same(&scenario, &format!("{threads} threads"), &one, &run_on(threads, true, &scenario));
        }
    }
}

#[test]
fn m6_random_scenarios_give_the_same_cells_on_one_two_and_eight_threads_and_when_run_again() {
    for scenario in swarm::scenarios() {
        let one = run_on(1, true, &scenario);
        assert_same(&scenario, "run again", &one, &run_on(1, true, &scenario));
        for threads in [2, 8] {
            assert_same(&scenario, &format!("{threads} threads"), &one, &run_on(threads, true, &scenario));
        }
    }
}

#[test]
fn m6_a_replication_is_the_same_alone_and_among_others() {
    for scenario in swarm::scenarios() {
        let among = run_on(2, true, &Scenario { replications: 5, ..scenario.clone() });
        for cell in &among {
            let alone = experiment::simulate(&scenario, cell.design, cell.replication, &mut ());
            assert_eq!(alone.as_ref(), Some(&cell.tally), "{} replication {}", scenario.name, cell.replication);
        }
        // Recorded calls at constant work may repeat themselves; Poisson arrivals never do.
        if matches!(scenario.arrivals, Arrivals::Poisson { .. }) {
            let first_arrivals: BTreeSet<u64> = among.iter().map(|cell| cell.records[0].arrived.ns()).collect();
            assert_eq!(first_arrivals.len(), 5, "{}: two replications are one", scenario.name);
        }
    }
}

#[test]
fn m6_a_design_is_the_same_alone_and_beside_the_other() {
    for scenario in swarm::scenarios() {
        let both = run_on(1, true, &scenario);
        for design in Design::PURE {
            let alone = run_on(1, true, &Scenario { designs: vec![design], ..scenario.clone() });
            let beside: Vec<&Cell> = both.iter().filter(|cell| cell.design == design).collect();
            assert!(alone.iter().eq(beside), "{} {}", scenario.name, design.name());
        }
    }
}

/// Asks to be interrupted never, and looks at everything.
struct Nosy(Vec<Record>, Vec<Step>);

impl Observer for Nosy {
    fn record(&mut self, record: &Record) {
        self.0.push(*record);
    }

    fn followed(&self) -> Option<u32> {
        Some(1)
    }

    fn step(&mut self, step: Step) {
        self.1.push(step);
    }
}

#[test]
fn m13_a_run_is_the_same_whether_records_are_kept_a_call_is_followed_or_nobody_looks() {
    for scenario in swarm::scenarios() {
        let kept = run_on(1, true, &scenario);
        let dropped = run_on(1, false, &scenario);
        assert!(dropped.iter().all(|cell| cell.records.is_empty()));
        for (kept, dropped) in kept.iter().zip(&dropped) {
            let place = format!("{} {}", scenario.name, kept.design.name());
            assert_eq!(kept.tally, dropped.tally, "{place}");
            let (mut story, mut nosy) = (Story::of(7), Nosy(Vec::new(), Vec::new()));
            for observed in [
                experiment::simulate(&scenario, kept.design, kept.replication, &mut story),
                experiment::simulate(&scenario, kept.design, kept.replication, &mut nosy),
            ] {
                assert_eq!(observed.as_ref(), Some(&kept.tally), "{place}");
            }
            assert_eq!(story.record, kept.records.get(7).copied(), "{place}");
            assert!(!nosy.1.is_empty(), "{place}: the followed call has no story");
            nosy.0.sort_unstable_by_key(|record| record.call);
            assert_eq!(nosy.0, kept.records, "{place}");
        }
    }
}
