//! Relations between runs that differ in the pages behind links.

use std::time::Duration;

use parked::era::Design;
use parked::metrics::{Incident, Record};
use parked::scenario::{Keys, Links, PageCheck, Pending, Policy, Scenario, State, Tool, Unable, Unfinished};
use parked::tool::Body;
use parked::world::{Capability, ClientKind};

use super::{
    each_for_itself, nowhere, of, with_ample_threads, with_balancer, with_instances, with_kinds, without_attacks,
    without_work,
};
use crate::common::run;
use crate::invariants::swarm;

/// The scenario with the body that connects a calendar, and clients that can be asked to.
fn connecting(scenario: &Scenario) -> Scenario {
    let body = Body::ConnectCalendar;
    let (definition, step_work) = (body.definition(), Vec::new());
    let tool = Tool { body, definition, step_work, unable: Unable::Reject, ..scenario.tool.clone() };
    let declares = Capability::ALL.into_iter().collect();
    let able = |kind: &ClientKind| ClientKind { declares, declares_on_retry: declares, ..kind.clone() };
    with_kinds(&Scenario { tool, ..scenario.clone() }, able)
}

fn with_links(scenario: &Scenario, change: impl FnOnce(Links) -> Links) -> Scenario {
    Scenario { links: change(scenario.links.clone()), ..scenario.clone() }
}

/// As many scenarios as elsewhere, of those that draw links.
fn scenarios() -> impl Iterator<Item = Scenario> {
    (3..4 * swarm::MANY).step_by(4).map(swarm::scenario)
}

#[test]
fn a_page_that_requires_a_session_never_gives_away_somebody_elses_account() {
    let (mut kept_out, mut given_away) = (0, 0);
    for scenario in scenarios() {
        let checked =
            |check| run(&with_links(&connecting(&scenario), |links| Links { check, forwarded: 0.5, ..links }));
        for cell in checked(PageCheck::SessionRequired) {
            let late = cell.tally.incidents_late.contains_key(&Incident::GrantedToOther);
            let seen = cell.records.iter().any(|record| record.incidents.count(Incident::GrantedToOther) > 0);
            assert!(!late && !seen, "{} {}", scenario.name, cell.design.name());
            let refused = |record: &Record| record.incidents.count(Incident::VisitorRefused);
            kept_out += cell.records.iter().map(refused).sum::<u32>();
        }
        let (unchecked, signed) = (checked(PageCheck::None), checked(PageCheck::SignedStateOnly));
        assert_eq!(unchecked, signed, "{}: a signature kept somebody out", scenario.name);
        let other = |record: &Record| record.incidents.count(Incident::GrantedToOther);
        given_away += unchecked.iter().flat_map(|cell| &cell.records).map(other).sum::<u32>();
    }
    assert!(kept_out > 0 && given_away > 0, "the check never mattered");
}

#[test]
fn stickiness_of_the_client_changes_nothing_for_the_browser_of_a_carried_call() {
    let mut unknown = 0;
    for scenario in scenarios() {
        // Routed at random, so that no message takes another's turn; one link, minted where the first message went.
        let state = State { keys: Keys::Shared, ..scenario.state.clone() };
        let scenario = without_attacks(&Scenario { state, faults: Vec::new(), ..connecting(&scenario) });
        let unfinished = Unfinished::Poll(Duration::from_secs(5));
        let scenario = with_links(&scenario, |links| Links { pending: Pending::Memory, unfinished, ..links });
        let scenario = with_ample_threads(without_work(with_instances(&scenario, 3)));
        let records = |sticky| -> Vec<Record> {
            let scenario = with_balancer(scenario.clone(), Policy::Random, sticky);
            of(&run(&scenario), Design::Carrying).iter().map(nowhere).collect()
        };
        let sticky = records(true);
        assert_eq!(sticky, records(false), "{}", scenario.name);
        unknown += sticky.iter().map(|record| record.incidents.count(Incident::CallbackUnknown)).sum::<u32>();
    }
    assert!(unknown > 0, "no browser ever went astray");
}

#[test]
fn no_sign_in_expires_only_because_sign_ins_live_longer() {
    let mut saved = 0;
    for scenario in scenarios() {
        let expired = |seconds| -> Vec<u32> {
            let life = Some(Duration::from_secs(seconds));
            let scenario = with_links(&connecting(&scenario), |links| Links { life, ..links });
            let cells = run(&each_for_itself(scenario));
            let expired = |record: &Record| record.incidents.count(Incident::CallbackExpired);
            cells.iter().flat_map(|cell| cell.records.iter().map(expired)).collect()
        };
        let (short, long) = (expired(10), expired(30));
        assert_eq!(short.len(), long.len(), "the same people call");
        for (call, (short, long)) in short.iter().zip(&long).enumerate() {
            assert!(long <= short, "{}: call {call} of all", scenario.name);
            saved += short - long;
        }
    }
    assert!(saved > 0, "the life of a sign-in never mattered");
}

#[test]
fn links_change_nothing_where_nothing_is_asked_by_a_link() {
    for scenario in scenarios().filter(|scenario| !crate::invariants::facts::asks_by_link(scenario)) {
        let other = Links {
            unfinished: Unfinished::Block,
            pending: Pending::Memory,
            check: PageCheck::None,
            forwarded: 1.0,
            life: Some(Duration::ZERO),
            address: "javascript:alert(1)".to_owned(),
            ..scenario.links.clone()
        };
        assert_eq!(run(&scenario), run(&with_links(&scenario, |_| other)), "{}", scenario.name);
    }
}
