//! Relations between runs that differ in how keys are replaced, by what clocks states are judged.

use std::time::Duration;

use parked::engine::SimTime;
use parked::era::Design;
use parked::metrics::{End, Incidents, Outcome, Record};
use parked::scenario::{Keys, Order, Rotation, Scenario, State, Turns};
use parked::world::Cause;

use super::of;
use crate::common::run;
use crate::invariants::swarm;

/// A rotation every 37 s in rolls of 9 s.
fn rotation(order: Order, overlap: Duration) -> Rotation {
    let seconds = Duration::from_secs;
    Rotation { every: seconds(37), overlap, order, spread: seconds(9), turns: Turns::Random }
}

fn rotated(seed: u64, rotation: Option<Rotation>) -> Scenario {
    let scenario = swarm::fleet::scenario(seed);
    let ttl = Some(scenario.state.ttl.unwrap_or(Duration::from_secs(25)));
    let state = State { keys: Keys::Shared, rotation, ttl, ..scenario.state.clone() };
    Scenario { state, ..scenario }
}

fn carried(scenario: &Scenario) -> Vec<Record> {
    of(&run(scenario), Design::Carrying)
}

const WRONG_KEY: End = End { outcome: Outcome::Refused, cause: Some(Cause::WrongKey) };

#[test]
fn m11_no_key_is_wrong_where_an_old_one_opens_as_long_as_a_state_lives_by_any_clock() {
    let mut without_overlap = 0;
    for seed in 0..swarm::MANY {
        let plain = rotated(seed, None);
        let State { ttl, leeway, .. } = plain.state;
        let lives = ttl.expect("a life") + leeway + 2 * plain.fleet.clock_skew;
        let unharmed = carried(&plain);
        let records = carried(&rotated(seed, Some(rotation(Order::VerifyFirst, lives))));
        // Further keys may be tried, and the last key may be forgotten after all else; nothing else is different.
        let at_the_end = |end: End| matches!(end.outcome, Outcome::Abandoned | Outcome::OpenAtEnd);
        let same = |record: &Record| {
            let ended = if at_the_end(record.end) { SimTime::ZERO } else { record.ended };
            Record { incidents: Incidents::NONE, ended, ..*record }
        };
        for (one, other) in unharmed.iter().zip(&records) {
            assert_eq!(same(one), same(other), "{}", plain.name);
        }
        let records = carried(&rotated(seed, Some(rotation(Order::VerifyFirst, Duration::ZERO))));
        without_overlap += records.iter().filter(|record| record.end == WRONG_KEY).count();
    }
    assert!(without_overlap > 100, "{without_overlap}");
}

#[test]
fn a_key_id_spares_tries_and_changes_no_end() {
    for seed in 0..swarm::MANY {
        let with = |key_id| {
            let scenario = rotated(seed, Some(rotation(Order::SignFirst, Duration::from_secs(60))));
            carried(&Scenario { state: State { key_id, ..scenario.state.clone() }, ..scenario })
        };
        let end = |record: &Record| (record.end, record.ended, record.messages, record.entries);
        assert!(with(true).iter().map(end).eq(with(false).iter().map(end)), "seed {seed}");
    }
}

#[test]
fn keys_and_clocks_are_nothing_to_a_call_that_waits() {
    for seed in 0..swarm::MANY {
        let scenario = rotated(seed, Some(rotation(Order::NoRing, Duration::ZERO)));
        let mut plain = rotated(seed, None);
        plain.state = State { leeway: Duration::ZERO, checks_issued: false, ..plain.state };
        let waiting = |scenario: &Scenario| of(&run(scenario), Design::Waiting);
        assert_eq!(waiting(&scenario), waiting(&plain), "{}", scenario.name);
    }
}
