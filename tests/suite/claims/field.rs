//! Claims about the scenarios that came from the field: clients that say they can ask and cannot, and effects that
//! stand before a question.

use std::path::Path;

use parked::era::Design::{self, Carrying, Waiting};
use parked::experiment::{self, Cell, Execution};
use parked::metrics::{Outcome, Record};
use parked::scenario::{Scenario, load};
use parked::world::Cause;

use super::super::common::{because, plainly};
use super::{DESIGNS, assert_end, seen_by};

pub(super) fn shipped(name: &str, switches: &[&str]) -> Scenario {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/field").join(name);
    let words: Vec<String> = switches.iter().map(|&word| word.to_owned()).collect();
    load(&path, &words).unwrap_or_else(|error| panic!("{error}"))
}

pub(super) fn cells(name: &str, design: Design, switches: &[&str]) -> Vec<Cell> {
    let scenario = Scenario { designs: vec![design], ..shipped(name, switches) };
    experiment::run(&scenario, Execution { threads: Some(1), keep_records: true }, &()).expect("one thread starts")
}

/// A time before the question that is no round number, ns.
const BEFORE: u64 = 1_234_567;
const MS: u64 = 1_000_000;
const SECOND: u64 = 1_000_000_000;

/// The calls of each kind of client, in the order of the file.
fn by_kind(design: Design) -> [Vec<Record>; 4] {
    let before = format!("tool.work_before.constant={BEFORE}ns");
    let cells = cells("says-yes-and-cannot-ask.toml", design, &["replications=1", &before]);
    let of = |kind: u8| cells[0].records.iter().filter(|record| record.client == kind).copied().collect();
    let kinds: [Vec<Record>; 4] = [0, 1, 2, 3].map(of);
    assert!(kinds.iter().all(|calls| calls.len() > 500), "too few calls of a kind");
    kinds
}

#[test]
fn the_kinds_of_the_scenario_are_those_that_its_claims_are_about() {
    let scenario = shipped("says-yes-and-cannot-ask.toml", &[]);
    let names: Vec<&str> = scenario.clients.kinds.iter().map(|kind| kind.name.as_str()).collect();
    assert_eq!(names, ["shows", "hangs-60s", "hangs-180s", "cancels"]);
}

#[test]
fn a_client_that_hangs_prompts_nobody_and_holds_a_parked_call_exactly_as_long_as_it_hangs() {
    for design in DESIGNS {
        let [_, short, long, _] = by_kind(design);
        for (calls, hangs) in [(short, 60 * SECOND), (long, 180 * SECOND)] {
            for record in calls {
                assert_end(&record, because(Outcome::TimedOut, Cause::NeverShown));
                assert_eq!((record.asks, record.prompts, record.messages, record.entries), (1, 0, 1, 0));
                assert_eq!(record.ended.ns(), record.arrived.ns() + BEFORE + hangs);
                assert_eq!(record.parked_ns, if design == Waiting { hangs } else { 0 });
            }
        }
    }
}

#[test]
fn a_client_that_cancels_by_itself_prompts_nobody_and_answers_after_its_moment() {
    for design in DESIGNS {
        let [.., cancels] = by_kind(design);
        for record in cancels {
            assert_end(&record, because(Outcome::Cancelled, Cause::MachineCancel));
            assert_eq!((record.asks, record.prompts, record.messages, record.entries), (1, 0, 2, 0));
            let again = if design == Waiting { 0 } else { BEFORE };
            assert_eq!(record.ended.ns(), record.arrived.ns() + BEFORE + 50 * MS + again);
            assert_eq!(record.parked_ns, if design == Waiting { 50 * MS } else { 0 });
        }
    }
}

#[test]
fn a_client_that_shows_its_asks_knows_no_machines_end() {
    for design in DESIGNS {
        let [shows, ..] = by_kind(design);
        for record in &shows {
            assert_eq!((record.asks, record.prompts), (1, 1));
            let machines = [Cause::NeverShown, Cause::MachineCancel];
            assert!(record.end.cause.is_none_or(|cause| !machines.contains(&cause)), "{}", record.end);
        }
        for outcome in [Outcome::Completed, Outcome::Declined, Outcome::Cancelled] {
            assert!(shows.iter().any(|record| record.end == plainly(outcome)), "no call of this kind {outcome:?}");
        }
        assert!(shows.iter().all(|record| seen_by(record).is_empty()));
    }
}

const AGAIN: &str = "runs-again-from-the-top.toml";

#[test]
fn a_completed_call_makes_one_reservation_when_waiting_and_one_for_each_run_when_carrying() {
    for (design, switches, entries, again) in [
        (Waiting, &[][..], 2, 0),
        (Waiting, &["tool.effects_in_state=true"][..], 2, 0),
        (Carrying, &[], 4, 2),
        (Carrying, &["tool.effects_in_state=true"], 2, 0),
    ] {
        let mut completed = 0;
        for record in cells(AGAIN, design, switches).iter().flat_map(|cell| &cell.records) {
            if record.end == plainly(Outcome::Completed) {
                assert_eq!((record.entries, record.entries_again), (entries, again));
                assert_eq!((record.prompts, record.messages), (2, 3));
                completed += 1;
            }
        }
        assert!(completed > 10_000, "{completed} calls");
    }
}

#[test]
fn a_person_who_falls_silent_leaves_as_many_reservations_behind_as_the_body_had_runs() {
    for design in DESIGNS {
        for recorded in [false, true] {
            let switch = format!("tool.effects_in_state={recorded}");
            let mut met = [0; 2];
            for cell in cells(AGAIN, design, &["replications=1", &switch]) {
                let unfinished = cell.records.iter().filter(|record| record.end.outcome != Outcome::Completed);
                let mut orphaned = 0;
                for record in unfinished {
                    // Asked once, the body ran once; asked twice, it ran twice when nothing is kept.
                    let runs = if design == Waiting || recorded { 1 } else { record.prompts };
                    assert_eq!((record.entries, record.entries_again), (runs, runs - 1));
                    orphaned += u64::from(record.entries);
                    met[record.prompts as usize - 1] += 1;
                }
                assert!(orphaned > 0);
                assert_eq!(cell.tally.entries_orphaned, orphaned);
            }
            assert!(met.iter().all(|&calls| calls > 100), "{met:?}");
        }
    }
}

#[test]
fn the_share_of_calls_left_unfinished_is_that_of_people_silent_at_either_question() {
    // Nine in ten answer each time; of those who answer twice, the two thoughts of 30 s on average take more than the
    // patience of 300 s with the chance 11 exp(-10).
    let share = 1.0 - 0.9 * 0.9 * (1.0 - 11.0 * libm::exp(-10.0));
    for design in DESIGNS {
        let cells = cells(AGAIN, design, &[]);
        let total = |count: fn(&Cell) -> u64| cells.iter().map(count).sum::<u64>() as f64;
        let started = total(|cell| cell.tally.started);
        let unfinished = total(|cell| cell.tally.count(Outcome::Abandoned) + cell.tally.count(Outcome::TimedOut));
        assert_eq!(unfinished + total(|cell| cell.tally.count(Outcome::Completed)), started);
        let sd = (share * (1.0 - share) / started).sqrt();
        assert!(started > 17_000.0 && (unfinished / started - share).abs() <= 5.0 * sd, "{unfinished} of {started}");
    }
}
