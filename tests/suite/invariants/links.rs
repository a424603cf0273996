//! What holds for links and the pages behind them: nothing is stored on a refusal, and nothing is entered without a grant.

use parked::era::Design;
use parked::experiment::Cell;
use parked::metrics::{Incident, Outcome, Record};
use parked::scenario::{Pending, Scenario, Start, Unable, Unfinished};
use parked::tool::Body;
use parked::world::{Action, Capability};

use super::Place;
use super::facts::*;

fn grants(record: &Record) -> u32 {
    record.incidents.count(Incident::Granted) + record.incidents.count(Incident::GrantedToOther)
}

pub fn a_page_opens_only_where_its_person_accepted_a_link_that_may_be_shown(
    scenario: &Scenario,
    _: Design,
    record: &Record,
    place: &Place<'_>,
) {
    let pages = record.incidents.count(Incident::PageOpened);
    assert!(pages <= record.prompts && pages <= record.asks, "{place}");
    if pages > 0 {
        let kind = kind(scenario, record);
        assert!(asks_by_link(scenario) && shows_links(scenario, kind), "{place}");
        assert!(record.prompts > 1 || record.action == Some(Action::Accept), "{place}: nobody agreed to open it");
    }
}

pub fn a_page_stores_a_grant_or_is_refused_and_never_both_unless_its_callback_comes_twice(
    scenario: &Scenario,
    _: Design,
    record: &Record,
    place: &Place<'_>,
) {
    let count = |incident| record.incidents.count(incident);
    let (pages, grants, spent) = (count(Incident::PageOpened), grants(record), count(Incident::CallbackSpent));
    let refused = [Incident::CallbackUnknown, Incident::CallbackExpired, Incident::VisitorRefused].map(count);
    let ends = grants + spent + refused.iter().sum::<u32>();
    if scenario.links.repeated == 0.0 {
        assert!(ends <= pages, "{place}");
    }
    // Whatever comes second comes behind a grant.
    assert!(ends <= pages + grants.min(pages) && (spent == 0 || grants > 0), "{place}");
    assert!(count(Incident::SignInFirst) <= pages, "{place}");
    if scenario.links.pending != Pending::Sealed {
        assert!(grants <= pages, "{place}: a sign-in that is kept was used twice");
        let one_link = scenario.tool.body == Body::ConnectCalendar && !starts_again(scenario);
        assert!(grants <= 1 || !one_link, "{place}: a sign-in that is kept was used twice");
    }
}

pub fn each_refusal_of_a_page_needs_what_it_is_refused_for(
    scenario: &Scenario,
    _: Design,
    record: &Record,
    place: &Place<'_>,
) {
    let links = &scenario.links;
    // A person who is asked again may open the same link again.
    let person_again = matches!(links.unfinished, Unfinished::Manual | Unfinished::Notify);
    let used_again = links.repeated > 0.0 || person_again;
    for (incident, may_happen) in [
        (Incident::SignInFirst, links.sessions < 1.0),
        (Incident::CallbackUnknown, forgets_sign_ins(scenario)),
        (Incident::CallbackExpired, links.life.is_some()),
        (Incident::CallbackSpent, used_again && links.pending != Pending::Sealed),
        (Incident::VisitorRefused, keeps_others_out(scenario)),
    ] {
        assert!(may_happen || record.incidents.count(incident) == 0, "{place}: {}", incident.name());
    }
}

pub fn a_grant_of_somebody_elses_account_needs_a_forwarded_link_and_a_check_that_lets_it_through(
    scenario: &Scenario,
    _: Design,
    record: &Record,
    place: &Place<'_>,
) {
    let (own, other) = (record.incidents.count(Incident::Granted), record.incidents.count(Incident::GrantedToOther));
    assert!(other == 0 || lets_others_in(scenario), "{place}");
    assert!(own == 0 || scenario.links.forwarded < 1.0, "{place}");
}

/// Whether a call's every link reached its client as one, whenever its server looked at what is declared.
fn by_page(scenario: &Scenario, record: &Record) -> bool {
    let kind = kind(scenario, record);
    [kind.declares, kind.declares_on_retry].iter().all(|declared| declared.has(Capability::Url))
}

pub fn every_look_at_an_unfinished_page_is_a_round_or_holds_the_call(
    scenario: &Scenario,
    design: Design,
    record: &Record,
    place: &Place<'_>,
) {
    let looks = record.incidents.count(Incident::NotFinished);
    if looks > 0 {
        assert!(asks_by_link(scenario) && record.asks > 0, "{place}");
    }
    match scenario.links.unfinished {
        // The first ask comes before the first look, and each look asks again.
        Unfinished::Poll(_) | Unfinished::Manual | Unfinished::Notify => {
            assert!(looks <= record.asks.saturating_sub(1), "{place}");
            assert!(looks <= u32::from(scenario.clients.max_rounds), "{place}");
            let once = !starts_again(scenario) || design == Design::Carrying;
            if scenario.tool.body == Body::ConnectCalendar && by_page(scenario, record) && once {
                assert_eq!(looks, record.asks.saturating_sub(1), "{place}: a round without a look");
            }
        }
        Unfinished::Block => assert!(looks <= record.asks, "{place}"),
    }
    if let (Unfinished::Poll(_), Body::ConnectCalendar, false) =
        (scenario.links.unfinished, scenario.tool.body, starts_again(scenario))
    {
        assert!(record.prompts <= 1 || !by_page(scenario, record), "{place}: a client that polls asks nobody again");
    }
}

pub fn a_call_whose_page_brought_nothing_does_not_complete(
    scenario: &Scenario,
    _: Design,
    record: &Record,
    place: &Place<'_>,
) {
    let alone = scenario.people.users.is_none() && by_page(scenario, record);
    let asks = path(scenario, record.amount).iter().any(|does| asks_link(scenario, does));
    if asks && alone && record.end.outcome == Outcome::Completed && !was_passed(scenario, record) {
        assert!(grants(record) > 0, "{place}");
    }
}

/// Whether a server that may pass over an ask can have done so for this call: then it looks for no page either.
fn was_passed(scenario: &Scenario, record: &Record) -> bool {
    let kind = kind(scenario, record);
    let declares = |ask: &parked::tool::Ask| kind.declares.has(ask.needs) && kind.declares_on_retry.has(ask.needs);
    passes(scenario) && !scenario.tool.definition.asks.iter().all(declares)
}

pub fn a_calendar_has_an_entry_only_once_its_user_has_a_grant(scenario: &Scenario, cell: &Cell, place: &Place<'_>) {
    if scenario.tool.body != Body::ConnectCalendar {
        return;
    }
    // What stands at the start and what comes late has no record, and serves those who come after.
    let unseen = scenario.run.start == Start::Stationary
        || [Incident::Granted, Incident::GrantedToOther]
            .iter()
            .any(|late| cell.tally.incidents_late.contains_key(late));
    let others: Vec<&Record> = cell.records.iter().filter(|record| grants(record) > 0).collect();
    for record in cell.records.iter().filter(|record| record.entries > 0) {
        let policy = scenario.tool.unable;
        if !by_page(scenario, record) && (passes(scenario) || policy == Unable::DowngradeToForm) {
            continue;
        }
        let by_another = others.iter().any(|other| other.arrived <= record.ended) || unseen;
        let granted = grants(record) > 0 || scenario.people.users.is_some() && by_another;
        assert!(granted, "{place}: {record:?}");
    }
}
