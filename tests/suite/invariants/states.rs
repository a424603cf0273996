//! What holds for what is done to states: a state that nothing protects is served, and one that something protects is not.

use parked::era::Design;
use parked::metrics::{Incident, Outcome, Record};
use parked::scenario::{OnNotFound, Scenario, SpentStates};
use parked::world::Cause;

use super::Place;
use super::facts::*;

pub fn a_state_is_sent_again_only_after_its_call_has_completed_and_as_often_as_it_is_said(
    scenario: &Scenario,
    _: Design,
    record: &Record,
    place: &Place<'_>,
) {
    let count = |incident| record.incidents.count(incident);
    let (replays, times) = (count(Incident::Replay), u32::from(scenario.attack.times));
    if replays > 0 {
        assert_eq!((replays, record.end.outcome), (times, Outcome::Completed), "{place}");
        assert!(scenario.attack.replayed > 0.0 && record.asks > 0, "{place}: there was no state");
    }
    // A call that began anew may have completed without a state.
    let anew = asks_beside(scenario) || scenario.clients.on_not_found == OnNotFound::Reinitialise;
    if scenario.attack.replayed == 1.0 && record.end.outcome == Outcome::Completed && !anew {
        assert_eq!(replays, if record.asks > 0 { times } else { 0 }, "{place}");
    }
    assert!(count(Incident::ReplayRefused) + count(Incident::ReplayRemembered) <= replays, "{place}");
}

pub fn an_entry_is_made_again_only_by_a_state_that_no_ledger_stands_before(
    scenario: &Scenario,
    design: Design,
    record: &Record,
    place: &Place<'_>,
) {
    let count = |incident| record.incidents.count(incident);
    let path = path(scenario, record.amount);
    let (again, all) = (count(Incident::EntryReplayed), posts(&path));
    // What was made before the state was sealed is recorded in it; where an ask may be passed, it is not the last one.
    let recorded = scenario.tool.effects_in_state && !passes(scenario);
    let before = posts_at(&path, |does| matches!(does, Does::Ask(_))).last().copied().unwrap_or(0);
    let posts = if recorded { all - before } else { all };
    let served = count(Incident::Replay) - count(Incident::ReplayRefused) - count(Incident::ReplayRemembered);
    assert!(again <= served * posts, "{place}");
    assert!(again <= record.entries, "{place}");
    match (design, scenario.state.ledger) {
        (Design::Waiting, _) => assert_eq!(again, 0, "{place}"),
        (_, SpentStates::None) => {}
        (_, SpentStates::PerInstance) => {
            let others = scenario.fleet.instances.len() as u32 - 1;
            assert!(again <= others * posts, "{place}: an instance served a state twice");
        }
        (_, SpentStates::Shared) => {
            assert!(again == 0 || loses_store(scenario) && scenario.state.outage_opens, "{place}");
        }
    }
}

pub fn a_state_is_hijacked_only_where_it_is_not_bound(
    scenario: &Scenario,
    design: Design,
    record: &Record,
    place: &Place<'_>,
) {
    let (attack, state) = (&scenario.attack, &scenario.state);
    if record.incidents.count(Incident::Hijacked) > 0 {
        let by_another = attack.stolen > 0.0 && !state.binds_principal;
        let with_another = attack.other_call > 0.0 && !state.binds_request;
        assert!(design == Design::Carrying && (by_another || with_another), "{place}");
    }
}

pub fn only_a_state_that_was_used_is_answered_as_before(
    scenario: &Scenario,
    design: Design,
    record: &Record,
    place: &Place<'_>,
) {
    if record.incidents.count(Incident::ReplayRemembered) > 0 {
        let kept = scenario.state.ledger != SpentStates::None;
        assert!(design == Design::Carrying && scenario.state.remembers && kept, "{place}: nobody kept what was used");
    }
}

pub fn a_server_tells_every_cause_apart_but_another_key_from_changed_bytes(
    scenario: &Scenario,
    _: Design,
    record: &Record,
    place: &Place<'_>,
) {
    let view = record.end.server_view(scenario.state.key_id);
    let seen = match (record.end.outcome, record.end.cause) {
        (Outcome::Refused, Some(Cause::WrongKey | Cause::Tampered)) if !scenario.state.key_id => "invalid_state",
        (Outcome::Refused, Some(cause)) if refuses_state(cause) => cause.name(),
        _ => "",
    };
    assert_eq!(view, seen, "{place}");
}

/// Whether a server refuses a state for this.
fn refuses_state(cause: Cause) -> bool {
    let of_state = [
        Cause::WrongKey,
        Cause::Tampered,
        Cause::Expired,
        Cause::OtherPrincipal,
        Cause::OtherRequest,
        Cause::LedgerDown,
    ];
    of_state.contains(&cause)
}
