//! A run and its two halves: where calls share nothing, each call is what it is without the others.

use std::time::Duration;

use parked::experiment::Cell;
use parked::metrics::{Outcome, Record};
use parked::scenario::{Arrivals, Policy, Route, Run, Scenario, Start, TraceRow};
use parked::world::Action;

use super::{is_misfortune, with_a_person_each, with_ample_threads, with_balancer};
use crate::common::run;
use crate::invariants::swarm;

/// The people of the first replication, in the order of their calls.
fn recorded(cells: &[Cell]) -> Vec<TraceRow> {
    let row = |record: &Record| TraceRow {
        arrived: record.arrived,
        think: Duration::from_nanos(record.think_ns.unwrap_or(0)),
        action: record.action,
        route: Route::default(),
    };
    cells[0].records.iter().map(row).collect()
}

/// The same number of calls at the same instants, so that each keeps its number and all that is drawn by it; but only
/// every second one, from this one on, has a person that takes time. The others answer at once.
fn half_of(rows: &[TraceRow], first: usize) -> Vec<TraceRow> {
    let passer_by = |row: &TraceRow| TraceRow { think: Duration::ZERO, action: Some(Action::Accept), ..*row };
    let keep = |(place, row): (usize, &TraceRow)| if place % 2 == first { *row } else { passer_by(row) };
    rows.iter().enumerate().map(keep).collect()
}

/// The record without what only the end of the run decided: that is its last event, whosever that is.
fn whenever_the_run_ends(record: &Record) -> Record {
    match record.end.outcome {
        Outcome::OpenAtEnd | Outcome::Abandoned => Record { ended: record.arrived, parked_ns: 0, ..*record },
        _ => *record,
    }
}

#[test]
fn m16_a_run_of_people_that_share_nothing_is_its_two_halves() {
    let (mut misfortunes, mut others) = (0, 0);
    for (place, scenario) in swarm::scenarios().enumerate() {
        // Nobody waits for a thread or for another's form, and no message takes another's turn.
        let scenario = with_balancer(with_ample_threads(with_a_person_each(&scenario)), Policy::Random, place % 2 == 0);
        let scenario = Scenario { run: Run { start: Start::Empty, ..scenario.run.clone() }, ..scenario };
        let with_people =
            |rows: Vec<TraceRow>| run(&Scenario { arrivals: Arrivals::Trace(rows.into()), ..scenario.clone() });
        let rows = recorded(&run(&scenario));
        let halves = [0, 1].map(|first| with_people(half_of(&rows, first)));
        for (at, whole) in with_people(rows).iter().enumerate() {
            for (call, record) in whole.records.iter().enumerate() {
                let (own, other) = (&halves[call % 2][at].records[call], &halves[1 - call % 2][at].records[call]);
                let at_last = whenever_the_run_ends;
                assert_eq!(at_last(record), at_last(own), "{} {}", scenario.name, whole.design.name());
                misfortunes += u32::from(is_misfortune(&record.end));
                others += u32::from(record != other);
            }
        }
    }
    assert!(misfortunes > 0 && others > 0, "the halves hardly differ: {misfortunes} {others}");
}
