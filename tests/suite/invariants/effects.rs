//! What holds wherever messages are lost and come again: what is known to have been made is made once, and nobody hears
//! of an effect that was not made.

use parked::era::Design;
use parked::experiment::Cell;
use parked::metrics::{Incident, Outcome, Record};
use parked::scenario::{Idempotency, IdempotencyScope, Scenario, SpentStates};
use parked::world::Cause;

use super::facts::*;
use super::swarm::{MANY, effects};
use super::{OfCall, OfCell, Place, asking, calls, levels, show};
use crate::common::run;

const OF_CELLS: &[OfCell] = &[
    levels::every_call_that_starts_ends_exactly_once,
    levels::a_tally_is_the_sum_of_the_records_of_its_window,
    levels::threads_and_waiting_lines_never_exceed_what_the_fleet_has,
    levels::a_carried_call_is_parked_only_by_a_server_that_holds_it_for_its_page,
    no_call_makes_an_effect_that_the_arguments_of_another_say_is_made,
];

const OF_CALLS: &[OfCall] = &[
    calls::nothing_ends_after_the_horizon_when_the_run_stops_there,
    asking::nothing_is_sent_to_a_client_that_did_not_declare_it,
    asking::a_client_that_shows_nothing_prompts_nobody,
    an_operation_that_the_fleet_knows_has_each_effect_once,
    what_stands_between_is_set_where_it_is_seen,
    nothing_is_lost_that_no_share_loses,
];

/// Whether every effect is known to the whole fleet as that of its operation.
fn knows_operations(s: &Scenario) -> bool {
    let open = loses_store(s) && s.state.outage_opens;
    s.tool.idempotency == Idempotency::Operation && s.tool.idempotency_scope == IdempotencyScope::Shared && !open
}

/// C5 and C7: with a key of the operation the entries are those of the path, once each, however often anything came again.
fn an_operation_that_the_fleet_knows_has_each_effect_once(
    scenario: &Scenario,
    _: Design,
    record: &Record,
    place: &Place<'_>,
) {
    if !knows_operations(scenario) {
        return;
    }
    let all = posts(&path(scenario, record.amount));
    assert!(record.entries <= all, "{place}: one key, two effects");
    if record.end.outcome == Outcome::Completed {
        assert_eq!(record.entries, all, "{place}: completed, and not done");
    }
    assert_eq!(record.incidents.count(Incident::EntryReplayed), 0, "{place}");
}

fn what_stands_between_is_set_where_it_is_seen(
    scenario: &Scenario,
    design: Design,
    record: &Record,
    place: &Place<'_>,
) {
    let Scenario { tool, state, people, .. } = scenario;
    let count = |incident| record.incidents.count(incident);
    let remembers = state.remembers && state.ledger != SpentStates::None && design == Design::Carrying;
    assert!(count(Incident::Deduplicated) == 0 || tool.idempotency != Idempotency::None || remembers, "{place}");
    assert!(count(Incident::FalseDuplicate) == 0 || tool.idempotency == Idempotency::Arguments, "{place}");
    assert!(count(Incident::FalseDuplicate) <= count(Incident::Deduplicated), "{place}");
    let stale = count(Incident::StaleAnswer);
    assert!(stale <= 1 && (stale == 0 || people.stale_tabs > 0.0), "{place}");
    assert!(stale == 0 || record.end.outcome == Outcome::Completed && record.prompts > 0, "{place}");
    let of_store = record.end.cause == Some(Cause::LedgerDown);
    assert!(!of_store || loses_store(scenario) && !state.outage_opens, "{place}");
}

fn nothing_is_lost_that_no_share_loses(scenario: &Scenario, _: Design, record: &Record, place: &Place<'_>) {
    let count = |incident| record.incidents.count(incident);
    let balancer = &scenario.balancer;
    for (share, incident, cause) in [
        (balancer.lost_requests, Incident::RequestLost, Cause::RequestLost),
        (balancer.lost_replies, Incident::ReplyLost, Cause::ReplyLost),
    ] {
        assert!(share > 0.0 || count(incident) == 0, "{place}");
        assert!(record.end.cause != Some(cause) || count(incident) > 0, "{place}");
    }
    assert!(count(Incident::RequestLost) + count(Incident::ReplyLost) <= record.messages, "{place}");
    if balancer.lost_requests == 1.0 {
        assert_eq!((record.entries, record.asks, record.parked_ns), (0, 0, 0), "{place}: a server heard of it");
    }
    if balancer.lost_replies == 1.0 {
        let silent = matches!(record.end.outcome, Outcome::Completed | Outcome::Declined);
        assert!(!silent || asks_beside(scenario), "{place}: somebody heard of it");
    }
}

fn no_call_makes_an_effect_that_the_arguments_of_another_say_is_made(
    scenario: &Scenario,
    cell: &Cell,
    place: &Place<'_>,
) {
    let open = loses_store(scenario) && scenario.state.outage_opens;
    let shared = scenario.tool.idempotency_scope == IdempotencyScope::Shared;
    if scenario.tool.idempotency != Idempotency::Arguments || !shared || open || asks_beside(scenario) {
        return;
    }
    let mut by_amount = std::collections::BTreeMap::<u32, u32>::new();
    for record in &cell.records {
        *by_amount.entry(record.amount).or_default() += record.entries;
    }
    for (amount, entries) in by_amount {
        assert!(entries <= posts(&path(scenario, amount)), "{place}: {entries} entries of {amount}");
    }
}

#[test]
fn whatever_is_lost_and_comes_again_breaks_no_invariant() {
    for scenario in (0..4 * MANY).map(effects::scenario) {
        show(&scenario, &run(&scenario), OF_CELLS, OF_CALLS);
    }
}

#[test]
#[ignore = "slow lane: 2,000 scenarios"]
fn slow_whatever_is_lost_and_comes_again_breaks_no_invariant_in_two_thousand_scenarios() {
    for scenario in (0..2000).map(effects::scenario) {
        show(&scenario, &run(&scenario), OF_CELLS, OF_CALLS);
    }
}

#[test]
fn the_integral_of_the_parked_level_is_the_sum_of_the_parked_times_whatever_is_lost() {
    let parked_at_all = levels::parked_times_are_the_integral((0..2 * MANY).map(effects::scenario));
    assert!(parked_at_all > 25, "the swarm hardly parks: {parked_at_all}");
}

#[test]
fn the_swarm_of_effects_meets_everything_that_can_be_met() {
    let mut missing = vec![
        Incident::RequestLost,
        Incident::ReplyLost,
        Incident::Deduplicated,
        Incident::FalseDuplicate,
        Incident::StaleAnswer,
    ];
    let mut causes = vec![Cause::RequestLost, Cause::ReplyLost, Cause::LedgerDown];
    let seen = |cell: &Cell, cause: &Cause| cell.tally.ends.keys().any(|end| end.cause == Some(*cause));
    for scenario in (0..2000).map(effects::scenario) {
        for cell in run(&scenario) {
            missing.retain(|incident| !cell.tally.incidents.contains_key(incident));
            causes.retain(|cause| !seen(&cell, cause));
        }
        if missing.is_empty() && causes.is_empty() {
            return;
        }
    }
    panic!("never seen: {missing:?} {causes:?}");
}
