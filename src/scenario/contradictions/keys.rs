//! What contradicts among keys, clocks and lives of states.

use std::time::Duration;

use super::{Rule, written_at};
use crate::scenario::model::*;
use crate::scenario::section::Section;
use crate::scenario::values::Wrong;

/// Turns of processes in all rotations of one replication: each is an event.
const MOST_TURNS: u128 = 100_000_000;

/// Keys that a process may have at once: without a key id each is tried.
const MOST_KEYS: u128 = 256;

/// A clock that is further off has not been set.
const MOST_SKEW: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// The default of `people.stale_after`.
const ONE_HOUR: Duration = Duration::from_secs(3600);

/// Settings of keys and clocks that ask for an effect which another one rules out.
pub(super) fn rules(scenario: &Scenario) -> [Rule; 8] {
    let Scenario { state, fleet, tool, people, .. } = scenario;
    let nothing_carries = scenario.designs.iter().all(|design| !design.carries_states());
    [
        (
            state.rotation.is_some() && state.keys != Keys::Shared,
            "state.rotation",
            "only a key that the fleet shares is rotated",
            "write `state.keys = \"shared\"`, or take this out",
        ),
        (
            !state.key_lag.is_zero() && state.keys != Keys::FoundOrMinted,
            "state.key_lag",
            "no process looks for a key that another wrote",
            "write `state.keys = \"found-or-minted\"`, or take this out",
        ),
        (
            state.checks_issued && state.ttl.is_none(),
            "state.checks_issued",
            "a state that lives for ever holds no time",
            "give `state.ttl` a time, or take this out",
        ),
        (
            fleet.clock_skew > MOST_SKEW,
            "fleet.clock_skew",
            "a clock that is off by more than a year has not been set",
            "at most \"365d\"",
        ),
        (
            tool.idempotency == Idempotency::State && nothing_carries,
            "tool.idempotency",
            "no request of the waiting design brings a state",
            "write another value, or add `carrying` to `designs`",
        ),
        (
            tool.idempotency_scope != IdempotencyScope::Shared && tool.idempotency == Idempotency::None,
            "tool.idempotency_scope",
            "nothing makes an effect a repeat",
            "write `tool.idempotency`, or take this out",
        ),
        (
            state.spends_after && state.ledger == SpentStates::None,
            "state.spends",
            "no state is ever spent",
            "write `state.ledger`, or take this out",
        ),
        (
            people.stale_tabs == 0.0 && people.stale_after != ONE_HOUR,
            "people.stale_after",
            "nobody leaves a tab open",
            "write `people.stale_tabs`, or take this out",
        ),
    ]
}

/// Rotations that no machine would bear.
pub(super) fn judge_sizes(root: &Section<'_>, scenario: &Scenario) {
    let Some(rotation) = &scenario.state.rotation else { return };
    let rolls: u32 = if rotation.order == Order::VerifyFirst { 2 } else { 1 };
    let every = rotation.every.as_nanos();
    let rotations = u128::from(scenario.run.horizon.ns()) / every;
    let processes = scenario.fleet.instances.len() as u128 + u128::from(scenario.fleet.spare * scenario.fleet.workers);
    let turns = rotations * processes * u128::from(rolls);
    let keys = rotation.spread.saturating_mul(rolls).saturating_add(rotation.overlap).as_nanos() / every + 2;
    let refuse = |path: &str, title: &str, label: String, help: String| {
        let span = written_at(root, path).unwrap_or(root.span());
        root.context().push(span, title, Wrong::new(label).help(help));
    };
    if turns > MOST_TURNS {
        let label = format!("{turns} turns of processes per replication up to the horizon");
        refuse("state.rotation.every", "too many rotations", label, format!("at most {MOST_TURNS}"));
    } else if keys.min(rotations + 1) > MOST_KEYS {
        let label = format!("a process would have {} keys at once", keys.min(rotations + 1));
        refuse("state.rotation.overlap", "too many keys at once", label, format!("at most {MOST_KEYS}"));
    }
}
