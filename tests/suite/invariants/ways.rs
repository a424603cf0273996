//! What holds whatever a message meets on its way: conservation, no effect without a yes, nothing without its cause.

use parked::era::Design;
use parked::experiment::{self, Cell};
use parked::metrics::{Incident, Outcome, Record};
use parked::report::frames;
use parked::scenario::{Cancel, Forms, Handshake, Scenario};
use parked::sim::Party;
use parked::world::Cause;

use super::facts::*;
use super::swarm::{MANY, ways};
use super::{OfCall, OfCell, Place, asking, calls, levels, show};
use crate::common::run;

const OF_CELLS: &[OfCell] = &[
    levels::every_call_that_starts_ends_exactly_once,
    levels::a_tally_is_the_sum_of_the_records_of_its_window,
    levels::threads_and_waiting_lines_never_exceed_what_the_fleet_has,
    levels::a_carried_call_is_parked_only_by_a_server_that_holds_it_for_its_page,
];

const OF_CALLS: &[OfCall] = &[
    calls::nothing_ends_after_the_horizon_when_the_run_stops_there,
    asking::nothing_is_sent_to_a_client_that_did_not_declare_it,
    asking::a_client_that_shows_nothing_prompts_nobody,
    no_effect_stands_after_a_no,
    every_clock_that_ends_a_call_is_set_and_patience_is_not_outlived,
    answers_are_a_part_of_messages,
    what_happens_after_the_end_needs_a_server_or_a_screen_that_holds_on,
];

fn no_effect_stands_after_a_no(scenario: &Scenario, _: Design, record: &Record, place: &Place<'_>) {
    let first = asking::first_entries(record);
    let path = path(scenario, record.amount);
    let asks = posts_at(&path, |does| matches!(does, Does::Ask(_)));
    asking::a_yes_stands_before_what_was_entered(record, &path, place);
    // An entry may come after its caller's end.
    assert!(first <= posts(&path), "{place}");
    // Nobody who has a say in it said yes to anything.
    let asked_by_tool = !asks_beside(scenario) && !passes(scenario) && !is_skipped_once_granted(scenario);
    let before = asks.first().copied().unwrap_or(u32::MAX);
    if record.prompts == 0 && record.asks == 0 && asked_by_tool {
        assert!(first <= before, "{place}: an entry behind a question that nobody was asked");
    }
}

fn every_clock_that_ends_a_call_is_set_and_patience_is_not_outlived(
    scenario: &Scenario,
    design: Design,
    record: &Record,
    place: &Place<'_>,
) {
    let Scenario { clients, fleet, tool, balancer, people, .. } = scenario;
    let lasted = record.ended.since(record.arrived);
    assert!(record.arrived <= record.ended && record.asked.unwrap_or(record.arrived) <= record.ended, "{place}");
    assert!(clients.patience.is_none_or(|patience| lasted <= patience), "{place}");
    let waiting = design == Design::Waiting;
    let is_set = match record.end.cause {
        Some(Cause::RequestDeadline) => clients.request_timeout.is_some(),
        Some(Cause::ServerDeadline) => fleet.answer_timeout.is_some() && waiting,
        Some(Cause::ToolBudget) => tool.budget.is_some(),
        Some(Cause::IdleCut) => !balancer.idle.is_empty(),
        Some(Cause::SessionIdle) => fleet.session_idle.is_some() && waiting,
        Some(Cause::ApprovalExpired) => tool.approval_ttl.is_some(),
        Some(Cause::SlotsFull) => balancer.connections.is_some(),
        Some(Cause::FormReplaced) => people.forms == Forms::Overwrite,
        Some(Cause::FormRefused) => people.forms == Forms::Refuse,
        _ => true,
    };
    assert!(is_set, "{place}");
    let needs_cause = !matches!(record.end.outcome, Outcome::Completed | Outcome::Declined);
    let has_one = record.end.cause.is_some() || matches!(record.end.outcome, Outcome::Cancelled | Outcome::OpenAtEnd);
    assert!(needs_cause && has_one || !needs_cause && record.end.cause.is_none(), "{place}");
}

fn answers_are_a_part_of_messages(scenario: &Scenario, _: Design, record: &Record, place: &Place<'_>) {
    assert!(record.answers_home <= record.answers && record.answers <= record.messages, "{place}");
    let greets = scenario.clients.handshake != Handshake::None;
    assert!(greets || record.messages == 0 || record.answers < record.messages, "{place}");
    let beside = asks_beside(scenario);
    assert!(record.answers == 0 || record.asks > 0 || beside, "{place}: an answer to no question");
}

fn what_happens_after_the_end_needs_a_server_or_a_screen_that_holds_on(
    scenario: &Scenario,
    design: Design,
    record: &Record,
    place: &Place<'_>,
) {
    let count = |incident| record.incidents.count(incident);
    let clients = &scenario.clients;
    let unheard = clients.cancel != Cancel::Reaches || !scenario.balancer.idle.is_empty();
    let lingers = unheard || !clients.serves_after.is_zero();
    if count(Incident::HeldOn) > 0 || count(Incident::LateEntry) > 0 || count(Incident::CancelAstray) > 0 {
        assert!(lingers && design == Design::Waiting, "{place}");
    }
    assert!(count(Incident::CancelAstray) == 0 || clients.cancel == Cancel::Routed, "{place}");
    assert!(count(Incident::AnswerWasted) == 0 || clients.keeps_form || lingers, "{place}");
    assert!(count(Incident::FormWaited) == 0 || scenario.people.forms == Forms::Queue, "{place}");
    assert!(count(Incident::Retried) == 0 || clients.retry.times > 0, "{place}");
    assert!(count(Incident::ProxyRetried) == 0 || scenario.balancer.resends_broken, "{place}");
    assert!(count(Incident::DoubleClick) <= 1, "{place}");
    let lasted = record.ended.ns() - record.arrived.ns();
    assert!(record.parked_ns <= lasted || lingers && design == Design::Waiting, "{place}: parked after its end");
}

#[test]
fn what_a_message_meets_on_its_way_breaks_no_invariant() {
    for scenario in (0..2 * MANY).map(ways::scenario) {
        show(&scenario, &run(&scenario), OF_CELLS, OF_CALLS);
    }
}

#[test]
#[ignore = "slow lane: 2,000 scenarios"]
fn slow_what_a_message_meets_on_its_way_breaks_no_invariant_in_two_thousand_scenarios() {
    for scenario in (0..2000).map(ways::scenario) {
        show(&scenario, &run(&scenario), OF_CELLS, OF_CALLS);
    }
}

/// Parked time is that of the level, to the nanosecond, whoever holds a call on and however long.
#[test]
fn the_integral_of_the_parked_level_is_the_sum_of_the_parked_times_whatever_is_held_on() {
    let parked_at_all = levels::parked_times_are_the_integral((0..2 * MANY).map(ways::scenario));
    assert!(parked_at_all > 50, "the swarm hardly parks: {parked_at_all}");
}

#[test]
fn every_message_on_its_way_is_a_step_of_the_story_and_can_be_written_down() {
    let mut seen = 0;
    for scenario in (0..MANY).map(ways::scenario) {
        for design in Design::PURE {
            for call in (0..100).step_by(13) {
                let Some((steps, record)) = experiment::story(&scenario, design, 0, call) else { continue };
                let sent = steps.iter().filter(|step| (step.from, step.to) == (Party::Client, Party::Balancer)).count();
                let by_proxy = record.incidents.count(Incident::ProxyRetried);
                let place = format!("{} {} call {call}: {steps:#?}", scenario.name, design.name());
                assert_eq!(record.messages, sent as u32 + by_proxy, "{place}");
                let (messages, _) = experiment::messages(&scenario, design, 0, call).expect("there is a call");
                assert!(record.messages == 0 || !frames(&scenario, design, &messages, &record).is_empty(), "{place}");
                seen += 1;
            }
        }
    }
    assert!(seen > 300, "{seen} stories");
}

#[test]
fn the_swarm_of_ways_meets_everything_that_can_be_met() {
    let mut missing: Vec<Incident> =
        Incident::ALL[Incident::AnswerWasted as usize..=Incident::DoubleClick as usize].to_vec();
    let mut causes: Vec<Cause> = Cause::ALL[Cause::RequestDeadline as usize..=Cause::FormRefused as usize].to_vec();
    let seen = |cell: &Cell, cause: &Cause| cell.tally.ends.keys().any(|end| end.cause == Some(*cause));
    for scenario in (0..2000).map(ways::scenario) {
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
