//! What holds for entries, answers and secrets: no effect without a yes, nothing sent that was not declared, nothing seen
//! that was not typed into a form.

use parked::era::Design;
use parked::metrics::{Incident, Outcome, Record};
use parked::scenario::{OnAsk, OnInvalid, Scenario, Unable};
use parked::world::{Action, Capability, Cause, Exposure, SeenBy};

use super::Place;
use super::facts::*;

/// Entries of a call without those that were made again.
pub fn first_entries(record: &Record) -> u32 {
    let again = record.entries_again + record.incidents.count(Incident::EntryReplayed);
    record.entries.checked_sub(again).expect("again is a part of all")
}

/// A completed call has every entry of its path, and one that ended by a no those before the question.
pub fn a_yes_stands_before_what_was_entered(record: &Record, path: &[Does], place: &Place<'_>) {
    let first = first_entries(record);
    match record.end.outcome {
        Outcome::Completed => assert_eq!(first, posts(path), "{place}"),
        // Host and model ask before the body runs, or before it has made anything.
        Outcome::Declined | Outcome::Cancelled if record.asks == 0 => assert_eq!(record.entries, 0, "{place}"),
        Outcome::Declined | Outcome::Cancelled => {
            assert!(posts_at(path, |does| matches!(does, Does::Ask(_))).contains(&first), "{place}");
        }
        _ => {}
    }
}

pub fn a_completed_call_has_the_entries_of_its_body_and_no_other_has_one_that_stands_after_its_last_stop(
    scenario: &Scenario,
    design: Design,
    record: &Record,
    place: &Place<'_>,
) {
    let path = path(scenario, record.amount);
    a_yes_stands_before_what_was_entered(record, &path, place);
    if !matches!(record.end.outcome, Outcome::Completed | Outcome::Declined | Outcome::Cancelled) {
        let most = posts_at(&path, |does| *does != Does::Post).into_iter().max().unwrap_or(0);
        assert!(first_entries(record) <= most, "{place}");
    }
    assert!(record.entries == 0 || record.first_instance.is_some(), "{place}: nobody made it");
    if record.entries_again > 0 {
        assert!(runs_again(scenario, design) && record.messages > 1, "{place}");
        assert!(design == Design::Waiting || !scenario.tool.effects_in_state, "{place}: it was recorded");
    }
}

pub fn only_a_server_that_fails_open_or_a_model_that_lies_makes_an_entry_that_nobody_was_asked_about(
    scenario: &Scenario,
    design: Design,
    record: &Record,
    place: &Place<'_>,
) {
    let (unable, kind) = (scenario.tool.unable, kind(scenario, record));
    let unconfirmed = record.entries_unconfirmed;
    assert!(unconfirmed <= record.entries, "{place}");
    if unconfirmed > 0 {
        let model = scenario.clients.model;
        let lies = unable == Unable::ToolErrorWithFallback && model.calls_again > 0.0 && model.truthful < 1.0;
        assert!(unable == Unable::FailOpen || lies && unconfirmed == record.entries, "{place}");
        let on_retry = |ask: &parked::tool::Ask| kind.declares_on_retry.has(ask.needs);
        let always = scenario.tool.definition.asks.iter().all(on_retry) && declares_all(scenario, kind);
        assert!(!always, "{place}: this client could have been asked");
    }
    // A client with nothing declared passes every ask, so all after the first is unconfirmed.
    let nothing = Capability::ALL.iter().all(|&capability| !kind.declares.has(capability));
    let asks = !is_skipped_once_granted(scenario);
    if unable == Unable::FailOpen && nothing && asks && record.end.outcome == Outcome::Completed {
        let path = path(scenario, record.amount);
        let before = posts_at(&path, |does| matches!(does, Does::Ask(_))).first().copied();
        assert_eq!(unconfirmed, before.map_or(0, |before| posts(&path) - before), "{place} {}", design.name());
    }
}

pub fn nothing_is_sent_to_a_client_that_did_not_declare_it(
    scenario: &Scenario,
    _: Design,
    record: &Record,
    place: &Place<'_>,
) {
    let kind = kind(scenario, record);
    if !can_be_sent_to(scenario, kind, record.amount) {
        assert_eq!(record.asks, 0, "{place}");
        assert!(record.prompts == 0 || asks_beside(scenario), "{place}");
    }
    if scenario.tool.unable == Unable::HideTool && !declares_all(scenario, kind) {
        assert_eq!((record.messages, record.end.cause), (0, Some(Cause::Capability)), "{place}");
    }
    if record.end.outcome == Outcome::Unsupported {
        assert!(lacks(scenario) && !passes(scenario), "{place}");
    }
}

pub fn a_client_that_shows_nothing_prompts_nobody(scenario: &Scenario, _: Design, record: &Record, place: &Place<'_>) {
    if kind(scenario, record).on_ask != OnAsk::Show {
        let beside = u32::from(asks_beside(scenario) && !declares_all(scenario, kind(scenario, record)));
        assert!(record.prompts <= beside, "{place}");
    }
}

pub fn a_host_that_checks_lets_no_misfit_through_and_one_that_does_not_holds_none_back(
    scenario: &Scenario,
    _: Design,
    record: &Record,
    place: &Place<'_>,
) {
    let (at_client, at_server) = (record.invalid_at_client, record.invalid_at_server);
    if !errs(scenario) {
        assert_eq!((at_client, at_server), (0, 0), "{place}");
    }
    match kind(scenario, record).checks_answers {
        true => assert_eq!(at_server, 0, "{place}"),
        false => assert_eq!(at_client, 0, "{place}"),
    }
    assert!(at_client + at_server <= record.prompts, "{place}: a misfit that nobody typed");
    if at_server > 0 && scenario.tool.on_invalid == OnInvalid::Refuse {
        assert_eq!((at_server, record.end.outcome), (1, Outcome::Refused), "{place}");
    }
}

pub fn a_machines_cause_stands_only_where_the_machine_ended_the_call(
    _: &Scenario,
    _: Design,
    record: &Record,
    place: &Place<'_>,
) {
    let outcomes: &[Outcome] = match record.end.cause {
        Some(Cause::MachineCancel | Cause::Screened) => &[Outcome::Cancelled],
        Some(Cause::InvalidAnswer) => &[Outcome::Cancelled, Outcome::Refused],
        Some(Cause::IllegalForm) => &[Outcome::Failed],
        Some(Cause::BlockedLink) => &[Outcome::Cancelled],
        _ => return,
    };
    assert!(outcomes.contains(&record.end.outcome), "{place}");
}

pub fn a_secret_is_seen_only_where_it_was_typed_into_a_form_and_by_those_on_its_way(
    scenario: &Scenario,
    _: Design,
    record: &Record,
    place: &Place<'_>,
) {
    let (exposed, seen_by, asks) = (record.exposed, scenario.tool.seen_by, &scenario.tool.definition.asks);
    let downgrades = scenario.tool.unable == Unable::DowngradeToForm;
    let as_form = |needs| needs == Capability::Form || downgrades && needs == Capability::Url;
    if exposed != Exposure::NONE {
        assert!(
            asks.iter().any(|ask| ask.sensitive && as_form(ask.needs)),
            "{place}: no secret was asked for by a form"
        );
        assert!(record.prompts > 0 && exposed.has(SeenBy::Client), "{place}");
        assert!(record.prompts > 1 || record.action == Some(Action::Accept), "{place}: nobody typed it");
        let at_client = Exposure::at_client().and(seen_by);
        assert_eq!(exposed.and(Exposure::at_client()), at_client, "{place}: a part of the client's side");
        let at_server = Exposure::at_server().and(seen_by);
        let seen_there = exposed.and(Exposure::at_server());
        assert!(seen_there == at_server || seen_there == Exposure::NONE, "{place}: a part of the server's side");
        assert_eq!(exposed.and(seen_by), exposed, "{place}: somebody saw it who does not look");
        let left = exposed.has(SeenBy::Proxy) || seen_there != Exposure::NONE;
        assert!(!left || record.messages > 1, "{place}: it left the client without a message");
        let passed_the_proxy = exposed.has(SeenBy::Proxy) || !seen_by.has(SeenBy::Proxy);
        assert!(passed_the_proxy || seen_there == Exposure::NONE, "{place}: it came by no proxy");
    }
    let all_secret = asks.iter().all(|ask| ask.sensitive && ask.needs == Capability::Form);
    if record.end.outcome == Outcome::Completed && all_secret && record.asks > 0 {
        assert_eq!(exposed, seen_by, "{place}: a secret that went all the way was seen by all");
    }
}
