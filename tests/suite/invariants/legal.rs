//! The ways in which a call can end: every pair of outcome and cause, under which designs, in which scenarios.

use parked::era::Design;
use parked::experiment::Cell;
use parked::metrics::{End, Outcome};
use parked::random::Distribution;
use parked::scenario::{Keys, OnNotFound, Scenario, SpentStates, Start, Unable};
use parked::tool::Body;
use parked::world::Cause;

use super::facts::*;
use super::{Place, swarm};
use crate::common::{because, run, scenario};

/// A way to end that can happen: how, why, under which designs, and in which scenarios.
type Legal = (Outcome, Option<Cause>, &'static [Design], fn(&Scenario) -> bool);

const BOTH: &[Design] = &Design::PURE;
const WAITING: &[Design] = &[Design::Waiting];
const CARRYING: &[Design] = &[Design::Carrying];

/// Every legal pair of outcome and cause.
const LEGAL: &[Legal] = &[
    (Outcome::Completed, None, BOTH, |_| true),
    (Outcome::Declined, None, BOTH, shows),
    (Outcome::Cancelled, None, BOTH, shows),
    (Outcome::Cancelled, Some(Cause::MachineCancel), BOTH, |s| any_kind(s, cancels_on_ask)),
    (Outcome::Cancelled, Some(Cause::Screened), BOTH, |s| any_kind(s, |kind| kind.screens_forms) && names_a_secret(s)),
    (Outcome::Cancelled, Some(Cause::InvalidAnswer), BOTH, |s| any_kind(s, |kind| kind.checks_answers) && errs(s)),
    (Outcome::Cancelled, Some(Cause::BlockedLink), BOTH, |s| {
        any_kind(s, |kind| kind.inspects_links) && is_dangerous(s) && asks_by_link(s)
    }),
    (Outcome::TimedOut, Some(Cause::ClientDeadline), BOTH, has_patience),
    (Outcome::TimedOut, Some(Cause::PersonSilent), BOTH, |s| has_patience(s) && shows(s)),
    (Outcome::TimedOut, Some(Cause::NeverShown), BOTH, |s| any_kind(s, hangs_on_ask)),
    (Outcome::TimedOut, Some(Cause::Misrouted), WAITING, |s| {
        strays(s) && (has_patience(s) || any_kind(s, hangs_on_ask))
    }),
    (Outcome::TimedOut, Some(Cause::Crash), BOTH, |s| hangs(s) && (has_patience(s) || any_kind(s, hangs_on_ask))),
    (Outcome::Lost, Some(Cause::Crash), BOTH, breaks),
    (Outcome::Lost, Some(Cause::Misrouted), WAITING, |s| breaks(s) && strays(s)),
    (Outcome::Lost, Some(Cause::NeverShown), WAITING, |s| breaks(s) && any_kind(s, hangs_on_ask)),
    (Outcome::Refused, Some(Cause::WrongKey), CARRYING, |s| strays(s) && s.state.keys == Keys::PerProcess),
    (Outcome::Refused, Some(Cause::Expired), CARRYING, |s| can_ask(s) && s.state.ttl.is_some()),
    (Outcome::Refused, Some(Cause::Tampered), CARRYING, |s| can_ask(s) && s.attack.tampered > 0.0),
    (Outcome::Refused, Some(Cause::OtherPrincipal), CARRYING, |s| {
        can_ask(s) && s.attack.stolen > 0.0 && s.state.binds_principal
    }),
    (Outcome::Refused, Some(Cause::OtherRequest), CARRYING, |s| {
        can_ask(s) && s.attack.other_call > 0.0 && s.state.binds_request
    }),
    (Outcome::Refused, Some(Cause::LedgerDown), CARRYING, |s| {
        can_ask(s) && loses_store(s) && s.state.ledger == SpentStates::Shared && !s.state.outage_opens
    }),
    (Outcome::Refused, Some(Cause::InvalidAnswer), BOTH, |s| any_kind(s, |kind| !kind.checks_answers) && errs(s)),
    (Outcome::Refused, Some(Cause::Misrouted), WAITING, |s| strays(s) && errs(s)),
    (Outcome::Unsupported, Some(Cause::Capability), BOTH, lacks),
    (Outcome::Rejected, Some(Cause::ThreadsFull), BOTH, |s| s.fleet.queue == Some(0)),
    (Outcome::Rejected, Some(Cause::QueueFull), BOTH, |s| s.fleet.queue.is_some_and(|places| places > 0)),
    (Outcome::Rejected, Some(Cause::Misrouted), WAITING, |s| starts_again(s) && s.fleet.queue.is_some()),
    (Outcome::Rejected, Some(Cause::Crash), WAITING, |s| starts_again(s) && hangs(s) && s.fleet.queue.is_some()),
    (Outcome::Failed, Some(Cause::Crash), BOTH, kills),
    (Outcome::Failed, Some(Cause::RoundsExceeded), BOTH, has_rounds),
    (Outcome::Failed, Some(Cause::IllegalForm), BOTH, has_illegal_form),
    (Outcome::Failed, Some(Cause::Misrouted), WAITING, |s| {
        strays(s) && (s.clients.on_not_found != OnNotFound::Wait || s.tool.definition.asks.len() > 1)
    }),
    (Outcome::Abandoned, Some(Cause::PersonSilent), CARRYING, shows),
    (Outcome::Abandoned, Some(Cause::PersonSilent), WAITING, |s| asks_beside(s) && lacks(s)),
    (Outcome::OpenAtEnd, None, BOTH, |_| true),
    (Outcome::OpenAtEnd, Some(Cause::PersonSilent), WAITING, shows),
    (Outcome::OpenAtEnd, Some(Cause::Misrouted), WAITING, strays),
    (Outcome::OpenAtEnd, Some(Cause::Crash), BOTH, hangs),
    (Outcome::OpenAtEnd, Some(Cause::NeverShown), BOTH, |s| any_kind(s, hangs_on_ask)),
    (Outcome::Failed, Some(Cause::PageUnfinished), BOTH, leaves_pages),
    (Outcome::TimedOut, Some(Cause::PageUnfinished), BOTH, |s| has_patience(s) && leaves_pages(s)),
    (Outcome::Lost, Some(Cause::PageUnfinished), BOTH, |s| breaks(s) && leaves_pages(s)),
    (Outcome::OpenAtEnd, Some(Cause::PageUnfinished), BOTH, leaves_pages),
    (Outcome::Failed, Some(Cause::LinkUnknown), BOTH, loses_pages),
    (Outcome::TimedOut, Some(Cause::LinkUnknown), BOTH, |s| has_patience(s) && loses_pages(s)),
    (Outcome::Lost, Some(Cause::LinkUnknown), BOTH, |s| breaks(s) && loses_pages(s)),
    (Outcome::OpenAtEnd, Some(Cause::LinkUnknown), BOTH, loses_pages),
    (Outcome::Failed, Some(Cause::LinkExpired), BOTH, outlives_links),
    (Outcome::TimedOut, Some(Cause::LinkExpired), BOTH, |s| has_patience(s) && outlives_links(s)),
    (Outcome::Lost, Some(Cause::LinkExpired), BOTH, |s| breaks(s) && outlives_links(s)),
    (Outcome::OpenAtEnd, Some(Cause::LinkExpired), BOTH, outlives_links),
    (Outcome::Failed, Some(Cause::LinkIdentity), BOTH, refuses_visitors),
    (Outcome::TimedOut, Some(Cause::LinkIdentity), BOTH, |s| has_patience(s) && refuses_visitors(s)),
    (Outcome::Lost, Some(Cause::LinkIdentity), BOTH, |s| breaks(s) && refuses_visitors(s)),
    (Outcome::OpenAtEnd, Some(Cause::LinkIdentity), BOTH, refuses_visitors),
];

/// Legal as well, but too rare to be met by chance: a call that was started again, whose second answer went astray or
/// whose page brought nothing, comes to an end that has a cause of its own elsewhere.
const RARE: &[Legal] = &[
    (Outcome::Refused, Some(Cause::Crash), WAITING, |s| starts_again(s) && hangs(s) && errs(s)),
    (Outcome::Unsupported, Some(Cause::Crash), WAITING, |s| starts_again(s) && hangs(s) && lacks(s)),
    (Outcome::Unsupported, Some(Cause::Misrouted), WAITING, |s| strays(s) && lacks(s)),
    (Outcome::Refused, Some(Cause::PageUnfinished), BOTH, leaves_pages),
    (Outcome::Rejected, Some(Cause::PageUnfinished), BOTH, |s| s.fleet.queue.is_some() && leaves_pages(s)),
    (Outcome::Unsupported, Some(Cause::PageUnfinished), BOTH, |s| lacks(s) && leaves_pages(s)),
    (Outcome::Refused, Some(Cause::LinkUnknown), BOTH, loses_pages),
    (Outcome::Rejected, Some(Cause::LinkUnknown), BOTH, |s| s.fleet.queue.is_some() && loses_pages(s)),
    (Outcome::Unsupported, Some(Cause::LinkUnknown), BOTH, |s| lacks(s) && loses_pages(s)),
    (Outcome::Refused, Some(Cause::LinkExpired), BOTH, outlives_links),
    (Outcome::Rejected, Some(Cause::LinkExpired), BOTH, |s| s.fleet.queue.is_some() && outlives_links(s)),
    (Outcome::Unsupported, Some(Cause::LinkExpired), BOTH, |s| lacks(s) && outlives_links(s)),
    (Outcome::Refused, Some(Cause::LinkIdentity), BOTH, refuses_visitors),
    (Outcome::Rejected, Some(Cause::LinkIdentity), BOTH, |s| s.fleet.queue.is_some() && refuses_visitors(s)),
    (Outcome::Unsupported, Some(Cause::LinkIdentity), BOTH, |s| lacks(s) && refuses_visitors(s)),
];

pub fn every_call_ends_in_a_legal_pair_of_outcome_and_cause(scenario: &Scenario, cell: &Cell, place: &Place<'_>) {
    for record in &cell.records {
        let legal = LEGAL.iter().chain(RARE).any(|&(outcome, cause, designs, when)| {
            record.end == End { outcome, cause } && designs.contains(&cell.design) && when(scenario)
        });
        assert!(legal, "{place}: {record:?}");
    }
}

/// Asks twice by forms, the second of which the client gets wrong or cannot be asked.
fn asked_twice(lines: &str, second: &str) -> Scenario {
    scenario(&format!(
        "replications = 1\ndesigns = [\"waiting\"]\narrivals.at = [\"0s\"]\npeople.think.constant = \"10s\"\n\
         people.decide = {{ accept = 1.0, decline = 0.0, cancel = 0.0 }}\nclients.on_not_found = \"reinitialise\"\n\
         fleet = {{ instances = 2, misroute = \"not-found\" }}\n{lines}\n\
         tool.body = \"steps\"\ntool.step = [{{ ask = {{ key = \"first\" }} }}, {second}]"
    ))
}

#[test]
fn a_call_that_was_started_again_keeps_its_first_cause_whatever_ends_it() {
    let dies = "clients.on_broken = \"hang\"\nbalancer.stickiness = \"learned\"\n\
                fault = [{ kill = { at = \"5s\", select = \"instance:i1\" } }]";
    // With some seed the first answer goes astray and that of the call that was started again comes home.
    let strays = "balancer.policy = \"random\"\nclients.max_rounds = 100\nclients.patience = \"none\"";
    let link = "{ ask = { key = \"second\", kind = \"url\" } }";
    let end = |scenario: &Scenario| run(scenario)[0].records[0].end;
    assert_eq!(end(&asked_twice(dies, link)), because(Outcome::Unsupported, Cause::Crash));
    let ends: Vec<End> = (0..20).map(|seed| end(&Scenario { seed, ..asked_twice(strays, link) })).collect();
    assert!(ends.contains(&because(Outcome::Unsupported, Cause::Misrouted)), "{ends:?}");
    let mut erring = asked_twice(&format!("{dies}\nclients.checks_answers = false"), "{ ask = { key = \"second\" } }");
    // Both forms take nothing but what a right answer says.
    for ask in &mut erring.tool.definition.asks {
        ask.fields = Body::ChooseSeat.definition().ask(0).fields.clone();
    }
    erring.people.wrong_tries = Distribution::constant(2.0).expect("2 is a constant");
    assert_eq!(end(&erring), because(Outcome::Refused, Cause::Crash));
}

#[test]
fn the_swarm_reaches_every_legal_end_under_every_design() {
    let mut missing: Vec<(End, Design)> = Vec::new();
    for &(outcome, cause, designs, _) in LEGAL {
        missing.extend(designs.iter().map(|&design| (End { outcome, cause }, design)));
    }
    let mut policies = Unable::ALL.to_vec();
    let mut stationary = 0;
    for seed in 0..5000 {
        let scenario = swarm::scenario(seed);
        stationary += u32::from(scenario.run.start == Start::Stationary);
        for cell in run(&scenario) {
            missing.retain(|(end, design)| *design != cell.design || !cell.tally.ends.contains_key(end));
            if cell.records.iter().any(|record| !declares_all(&scenario, kind(&scenario, record))) {
                policies.retain(|policy| *policy != scenario.tool.unable);
            }
        }
        if missing.is_empty() && policies.is_empty() && stationary > 0 {
            return;
        }
    }
    panic!("{stationary} stationary starts, and never seen: {missing:?} {policies:?}");
}
