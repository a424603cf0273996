//! When a run may start in its steady state. Must never let a start through that is only nearly stationary: its bias
//! would be taken for a result.

use super::model::{Arrivals, Misroute, OnNotFound, Policy, Scenario, Start};
use super::section::Section;
use super::values::Wrong;

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
    rule(
        scenario.balancer.policy == Policy::RoundRobin && !scenario.balancer.sticky,
        "round robin without stickiness loses answers in a pattern that has no closed form",
        "write `balancer.stickiness = \"learned\"`, or another policy",
    );
    rule(
        scenario.fleet.misroute == Misroute::Swallowed,
        "a swallowed answer leaves its call parked, which has no closed form",
        "write `fleet.misroute = \"not-found\"`",
    );
    rule(
        scenario.fleet.instances.len() > 1
            && !scenario.balancer.sticky
            && scenario.clients.on_not_found != OnNotFound::Fail,
        "an answer that is not found leaves its call parked or starts it again, which has no closed form",
        "write `clients.on_not_found = \"fail\"` or `balancer.stickiness = \"learned\"`",
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
    reasons
}

/// Share of people who never answer, by `silent` or by the think time.
fn silent_share(scenario: &Scenario) -> f64 {
    scenario.people.silent + (1.0 - scenario.people.silent) * scenario.people.think.never_share()
}
