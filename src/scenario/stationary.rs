//! When a run may start in its steady state. Must never let a start through that is only nearly stationary: its bias
//! would be taken for a result.

use super::model::{
    Arrivals, Balancer, Cancel, Forms, Handshake, HashBy, Misroute, OnAsk, OnNotFound, Policy, Scenario, Start,
    Stickiness,
};
use super::section::Section;
use super::values::Wrong;
use crate::random::Distribution;
use crate::tool::{Arguments, Ask};
use crate::world::Capability;
use crate::world::form::parse;

/// Whether the scenario starts empty, or has a steady state that can be drawn; else the reason is noted.
pub(super) fn judge(run: &Section<'_>, scenario: &Scenario) -> bool {
    if scenario.run.start == Start::Empty {
        return true;
    }
    let reasons = against(scenario);
    for (reason, help) in &reasons {
        let title = "`run.start = \"stationary\"` is not possible here";
        run.refuse("start", title, Wrong::new(*reason).help(*help));
    }
    reasons.is_empty()
}

fn against(scenario: &Scenario) -> Vec<(&'static str, &'static str)> {
    let mut reasons = Vec::new();
    let mut rule = |broken: bool, reason, help| {
        if broken {
            reasons.push((reason, help));
        }
    };
    rule(
        !matches!(scenario.arrivals, Arrivals::Poisson { .. }),
        "only Poisson arrivals of one rate have a known steady state",
        "write `arrivals.poisson = { rate = \"5/s\" }`",
    );
    rule(
        scenario.fleet.threads.is_some(),
        "finite threads have no steady state in closed form",
        "write `fleet.threads = \"unlimited\"`",
    );
    let balancer = &scenario.balancer;
    let bound = is_bound(balancer);
    let in_turns = matches!(balancer.policy, Policy::RoundRobin | Policy::Hash | Policy::Recorded);
    let (reason, help) = match balancer.stickiness {
        Stickiness::None => (
            "round robin without stickiness loses answers in a pattern that has no closed form",
            "write `balancer.stickiness = \"learned\"`, or another policy",
        ),
        Stickiness::Cookie | Stickiness::Learned { .. } => (
            "round robin loses answers in a pattern that has no closed form, and what binds does not bind them all",
            "take `balancer.learned.ttl` and `balancer.bypass` out, or write another policy",
        ),
    };
    rule(in_turns && !bound, reason, help);
    rule(
        scenario.fleet.misroute == Misroute::Swallowed,
        "a swallowed answer leaves its call parked, which has no closed form",
        "write `fleet.misroute = \"not-found\"`",
    );
    rule(
        scenario.fleet.instances.len() > 1
            && !(bound && scenario.fleet.workers == 1)
            && scenario.clients.on_not_found != OnNotFound::Fail,
        "an answer that is not found leaves its call parked or starts it again, which has no closed form",
        "write `clients.on_not_found = \"fail\"`, or `balancer.stickiness = \"learned\"` with `fleet.workers = 1`",
    );
    rule(
        scenario.clients.patience.is_none() && silent_share(scenario) > 0.0,
        "people who never answer pile up for ever where patience has no end",
        "give `clients.patience` a duration, or take the silent people out",
    );
    rule(
        scenario.people.think.length_biased().is_none(),
        "this think time has no closed form for a person who is met in mid-thought",
        "constant, exponential, lognormal, erlang, empirical and mixtures of them have one",
    );
    rule(
        scenario.fleet.scaling.is_some(),
        "a fleet that grows and shrinks by itself has no size that is known at the start",
        "take `fleet.scaling` out",
    );
    let clocks = [
        scenario.clients.request_timeout,
        scenario.fleet.answer_timeout,
        scenario.fleet.session_idle,
        scenario.tool.budget,
        scenario.tool.approval_ttl,
        balancer.idle.first().copied(),
    ];
    rule(
        clocks.iter().any(Option::is_some),
        "with a clock beside the client's patience the ages of those who stand are not known in closed form",
        "take the other clocks out",
    );
    rule(
        scenario.clients.cancel != Cancel::Reaches || !scenario.clients.serves_after.is_zero(),
        "a call that is held on after its end has no closed form",
        "write `clients.cancel = \"reaches\"` and `clients.serves_after = \"0s\"`",
    );
    rule(
        scenario.people.forms != Forms::Any || scenario.clients.keeps_form,
        "people with several forms have no closed form",
        "write `people.forms = \"any\"` and `clients.keeps_form = false`",
    );
    rule(
        balancer.connections.is_some(),
        "finite connections have no steady state in closed form",
        "write `balancer.connections = \"unlimited\"`",
    );
    rule(
        scenario.fleet.pool.is_some(),
        "with a pool the ages of those who stand are not known in closed form",
        "take `fleet.pool` out",
    );
    rule(
        scenario.designs.iter().any(|design| design.uses_store()),
        "what a shared store has of those who stand is not known",
        "take the designs that use it out",
    );
    rule(
        scenario.fleet.memory.limit.is_some() || scenario.fleet.descriptors.is_some(),
        "finite memory and finite descriptors have no steady state in closed form",
        "write `fleet.memory.limit = \"unlimited\"` and `fleet.descriptors = \"unlimited\"`",
    );
    rule(
        balancer.lost_requests > 0.0 || balancer.lost_replies > 0.0,
        "calls that are lost on their way and sent again stand in no closed form",
        "take `balancer.lost_requests` and `balancer.lost_replies` out",
    );
    rule(
        !scenario.fleet.start_spread.is_zero(),
        "nobody stands at a process that has yet to come up",
        "write `fleet.start_spread = \"0s\"`",
    );
    rule(
        scenario.clients.handshake != Handshake::None,
        "those who stand have no session",
        "write `clients.handshake = \"none\"`",
    );
    let asks = &scenario.tool.definition.asks;
    let kinds = &scenario.clients.kinds;
    rule(
        kinds.iter().any(|kind| kind.on_ask != OnAsk::Show),
        "clients that show nothing have no person who thinks",
        "write `on_ask = { show = true }` for every kind of client",
    );
    rule(
        asks.iter().any(|ask| kinds.iter().any(|kind| !kind.declares.has(ask.needs))),
        "a client that cannot be asked is never at its question",
        "let every kind of client declare what the tool asks for",
    );
    rule(
        scenario.people.wrong_tries != Distribution::constant(0.0).expect("nought is a number"),
        "a person who answers wrongly thinks again, which has no closed form",
        "write `people.wrong_tries = { constant = 0 }`",
    );
    rule(
        asks.len() > 1,
        "a call with several questions may stand at any of them, which has no closed form",
        "take a tool that asks once",
    );
    rule(
        asks.iter().any(|ask| ask.needs == Capability::Url),
        "a call whose page is open may stand anywhere between two looks at it, which has no closed form",
        "take a tool that asks with a form",
    );
    rule(
        asks.iter().any(|ask| !is_shown(scenario, ask)),
        "a question that reaches no person is nothing to stand at",
        "ask with a form that a server may send and a host shows",
    );
    reasons
}

/// Whether all messages of a call reach one address for as long as the rotation stays as it is.
fn is_bound(balancer: &Balancer) -> bool {
    let sticks = matches!(balancer.stickiness, Stickiness::Cookie | Stickiness::Learned { ttl: None, .. });
    // Whoever stands at the start has no session to hash.
    let hashes = balancer.policy == Policy::Hash && balancer.hash.by != HashBy::Session;
    (sticks || hashes) && balancer.bypass == 0.0
}

/// Whether an ask that is sent reaches the person of every client that shows asks.
fn is_shown(scenario: &Scenario, ask: &Ask) -> bool {
    let screened = scenario.clients.kinds.iter().any(|kind| kind.screens_forms);
    match ask.needs {
        Capability::Roots => false,
        Capability::Form => parse(&ask.params(&Arguments { amount: 0, confirmed: false }))
            .is_ok_and(|form| !screened || form.sensitive_words().is_empty()),
        _ => true,
    }
}

/// Share of people who never answer, by `silent` or by the think time.
fn silent_share(scenario: &Scenario) -> f64 {
    scenario.people.silent + (1.0 - scenario.people.silent) * scenario.people.think.never_share()
}
