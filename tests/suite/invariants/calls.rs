//! What holds for the times, messages and questions of every call.

use parked::era::Design;
use parked::experiment;
use parked::metrics::{Incident, Outcome, Record};
use parked::scenario::{OnAsk, OnNotFound, Scenario, Stop, Unable};
use parked::sim::Party;
use parked::tool::Body;
use parked::world::Action;

use super::facts::*;
use super::{Place, swarm};

/// Whether the person answered while the client still cared: a message is handled before anything else of its instant.
fn answered(record: &Record) -> bool {
    if record.incidents.count(Incident::PageOpened) > 0 {
        return true;
    }
    let think = record.think_ns.zip(record.asked);
    think.is_some_and(|(think, asked)| asked.ns() + think <= record.ended.ns())
}

/// Messages of the call itself: without those that brought its state again when it had completed.
fn messages(record: &Record) -> u32 {
    record.messages - record.incidents.count(Incident::Replay)
}

/// Most asks of one round.
fn asks_of_a_round(s: &Scenario) -> u32 {
    if s.tool.body == Body::BookTrip { 3 } else { 1 }
}

pub fn a_call_without_second_tries_sends_one_request_and_one_message_per_answer(
    scenario: &Scenario,
    design: Design,
    record: &Record,
    place: &Place<'_>,
) {
    let tries_again = matches!(scenario.clients.on_not_found, OnNotFound::Reinitialise | OnNotFound::Resend);
    let again = design == Design::Waiting && tries_again;
    let by_person_or_nobody = record.asks == record.prompts && record.asks <= 1;
    if by_person_or_nobody && !again && !asks_beside(scenario) {
        let hidden = scenario.tool.unable == Unable::HideTool && !declares_all(scenario, kind(scenario, record));
        let (sent, answer) = (u32::from(!hidden), u32::from(answered(record)));
        // An answer that somebody holds back may never be sent.
        let held = design == Design::Carrying && scenario.attack.late > 0.0 && scenario.state.ttl.is_some();
        let least = if held { sent } else { sent + answer };
        assert!((least..=sent + answer).contains(&messages(record)), "{place}");
    }
}

pub fn a_second_try_costs_one_message_and_no_client_tries_more_often_than_it_may(
    scenario: &Scenario,
    design: Design,
    record: &Record,
    place: &Place<'_>,
) {
    let clients = &scenario.clients;
    let (rounds, reasks) = (u32::from(clients.max_rounds), u32::from(clients.max_reasks));
    let (of_a_round, beside) = (asks_of_a_round(scenario), u32::from(asks_beside(scenario)));
    // After the last round one more meets the cap.
    assert!(record.asks <= (rounds + 1) * of_a_round, "{place}");
    assert!(record.prompts <= rounds * of_a_round * (1 + reasks) + beside, "{place}");
    assert!(record.prompts <= record.asks + record.invalid_at_client + beside, "{place}");
    let answers = record.asks.min(rounds * of_a_round);
    let most = match (design, clients.on_not_found) {
        (Design::Carrying, _) => record.asks.min(rounds),
        (_, OnNotFound::Resend) => answers * (1 + u32::from(clients.max_resends)),
        // Each answer that is not found may start the call again.
        (_, OnNotFound::Reinitialise) => 2 * answers,
        (_, OnNotFound::Wait | OnNotFound::Fail) => answers,
    };
    assert!(messages(record) <= 1 + beside + most, "{place}");
}

pub fn a_call_ends_by_what_its_person_said(scenario: &Scenario, design: Design, record: &Record, place: &Place<'_>) {
    let by = match (record.end.outcome, record.end.cause) {
        (Outcome::Completed, _) => Action::Accept,
        (Outcome::Declined, _) => Action::Decline,
        (Outcome::Cancelled, None) => Action::Cancel,
        _ => return,
    };
    let asks = path(scenario, record.amount).iter().any(|does| matches!(does, Does::Ask(_)));
    if by != Action::Accept {
        assert!(record.prompts > 0, "{place}: nobody was asked");
    }
    if !asks && !asks_beside(scenario) {
        assert_eq!((record.prompts, record.asks), (0, 0), "{place}: asked without a reason");
    }
    // A call that is started again has no answer, and none is asked for once another call has connected its user.
    let connected = design == Design::Waiting && starts_again(scenario) && is_skipped_once_granted(scenario);
    if record.prompts == 1 && !connected {
        assert_eq!(record.action, Some(by), "{place}");
        let later_asks_by_machine = record.asks > 1;
        assert!(later_asks_by_machine || answered(record), "{place}: it ended by an answer that nobody gave");
    }
}

pub fn a_call_that_waits_carries_no_state_and_does_no_work_twice_unless_it_is_started_again(
    scenario: &Scenario,
    design: Design,
    record: &Record,
    place: &Place<'_>,
) {
    if design == Design::Waiting {
        assert_eq!(record.state_bytes, 0, "{place}");
        let again = messages(record) > 2 || messages(record) == 2 && asks_beside(scenario);
        assert!(record.repeated_ns == 0 || again && (runs_again(scenario, design) || asks_beside(scenario)), "{place}");
    }
}

pub fn no_call_is_asked_before_it_arrived_or_ends_before_it_was_asked(
    _: &Scenario,
    _: Design,
    record: &Record,
    place: &Place<'_>,
) {
    let asked = record.asked.unwrap_or(record.arrived);
    assert!(record.arrived <= asked && asked <= record.ended, "{place}");
    assert_eq!(record.asked.is_some(), record.prompts > 0, "{place}");
    assert!(record.parked_ns <= record.ended.ns() - record.arrived.ns(), "{place}");
}

pub fn no_call_outlives_its_clients_patience_and_a_timeout_comes_at_its_very_end(
    scenario: &Scenario,
    _: Design,
    record: &Record,
    place: &Place<'_>,
) {
    let lasted = record.ended.since(record.arrived);
    let timed_out = record.end.outcome == Outcome::TimedOut;
    if let Some(patience) = scenario.clients.patience {
        assert!(lasted <= patience, "{place}");
    }
    if timed_out && Some(lasted) != scenario.clients.patience {
        // Only a client that shows nothing gives up before.
        let OnAsk::Hang(after) = kind(scenario, record).on_ask else { panic!("{place}: it gave up early") };
        assert!(lasted >= after && record.asks > 0, "{place}");
    }
}

pub fn nothing_ends_after_the_horizon_when_the_run_stops_there(
    scenario: &Scenario,
    _: Design,
    record: &Record,
    place: &Place<'_>,
) {
    assert!(record.arrived <= scenario.run.horizon, "{place}");
    if scenario.run.stop == Stop::Horizon {
        assert!(record.ended <= scenario.run.horizon, "{place}");
    }
}

#[test]
fn messages_prompts_entries_and_rounds_are_those_of_the_story() {
    for scenario in swarm::scenarios().chain(swarm::plain_scenarios()) {
        for design in Design::PURE {
            for call in (0..100).step_by(9) {
                let Some((steps, record)) = experiment::story(&scenario, design, 0, call) else { continue };
                let count = |from: Option<Party>, to| {
                    let steps = steps.iter().filter(|step| step.to == to && from.is_none_or(|from| step.from == from));
                    steps.count() as u32
                };
                let place = format!("{} {} call {call}: {steps:#?}", scenario.name, design.name());
                assert_eq!(record.messages, count(Some(Party::Client), Party::Balancer), "{place}");
                assert_eq!(record.prompts, count(None, Party::Person), "{place}");
                assert_eq!(record.entries, count(None, Party::Ledger), "{place}");
                let sends = |what: &str| what.contains("asks, and keeps") || what.contains("input_required");
                let rounds = steps.iter().filter(|step| sends(&step.what)).count() as u32;
                // What is missing of a round is asked for: all of it, unless a part has arrived before.
                let asks = if asks_of_a_round(&scenario) == 1 { rounds..=rounds } else { rounds..=3 * rounds };
                assert!(asks.contains(&record.asks), "{place}");
            }
        }
    }
}
