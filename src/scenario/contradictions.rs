//! What contradicts across tables, and what no machine would bear. Must never refuse a setting that merely waits for
//! another to be switched on, nor what a preset brought and nobody wrote.

mod keys;
mod sessions;
mod stores;

use std::ops::Range;

use super::change::fault_at;
use super::model::*;
use super::section::Section;
use super::values::Wrong;

/// A rule: whether it is broken, the key that is refused, why, and the way out.
type Rule = (bool, &'static str, &'static str, &'static str);

/// Requests beside the calls up to the horizon: as many as calls.
const MOST_REQUESTS: f64 = 2e9;

/// Points that a ring can have in all: it is sorted anew with every change of the rotation.
const MOST_POINTS: u64 = 1 << 24;

/// Notes each setting that asks for an effect which another one rules out.
pub(super) fn judge(root: &Section<'_>, scenario: &Scenario) {
    let Scenario { balancer, fleet, people, tool, faults, .. } = scenario;
    let carries_only = !scenario.designs.iter().any(|design| design.has_sessions());
    let by_session = balancer.policy == Policy::Hash && balancer.hash.by == HashBy::Session;
    let binds = balancer.stickiness != Stickiness::None || balancer.policy == Policy::Hash;
    let has_rows = matches!(scenario.arrivals, Arrivals::Trace(_));
    let beats = fleet.heartbeat.is_some();
    let add_waiting = "add `waiting` to `designs`, or take this out";
    let no_sessions = "there are no sessions in the carrying design";
    let has_deploy = scenario.faults.iter().any(|fault| matches!(fault, Fault::Deploy { .. }));
    let rules = [
        (
            scenario.designs.iter().any(|design| design.needs_deploy()) && !has_deploy,
            "designs",
            "a fleet that no deploy changes does not migrate",
            "add `[[fault]]` with a `deploy`, or take `migrating` out",
        ),
        (beats && carries_only, "fleet.heartbeat", "no stream stays open in the carrying design", add_waiting),
        (
            beats && balancer.idle.is_empty(),
            "fleet.heartbeat",
            "nobody on the way minds silence on a stream",
            "write `balancer.idle`, or take this out",
        ),
        (
            fleet.heartbeat_jitter > 0.0 && !beats,
            "fleet.heartbeat_jitter",
            "there is no heartbeat that could vary",
            "write `fleet.heartbeat`, or take this out",
        ),
        (fleet.session_idle.is_some() && carries_only, "fleet.session_idle", no_sessions, add_waiting),
        (
            fleet.answers_need_thread && fleet.threads.is_none(),
            "fleet.answers_need_thread",
            "there are threads for all",
            "give `fleet.threads` a number, or take this out",
        ),
        (by_session && carries_only, "balancer.hash.by", no_sessions, "hash by `source` or `user`"),
        (
            balancer.bypass > 0.0 && !binds,
            "balancer.bypass",
            "nothing binds a call that could be gone round",
            "give `balancer.stickiness` a value, or hash",
        ),
        (
            !balancer.weights.is_empty() && fleet.spare > 0,
            "balancer.weights",
            "addresses that come up beside the fleet have no weight",
            "take this out, or let nothing come up beside: `strategy = \"rolling\"`, no scaling",
        ),
        (
            balancer.policy == Policy::Recorded && !has_rows,
            "balancer.policy",
            "there are no rows that say where messages went",
            "write `arrivals.trace`, or another policy",
        ),
        (
            people.forms != Forms::Any && people.users.is_none(),
            "people.forms",
            "each call has a person of its own, who never has two forms",
            "write `people.users`, or take this out",
        ),
        (
            tool.definition.next.is_some() && !faults.iter().any(|fault| matches!(fault, Fault::Deploy { .. })),
            "tool.next",
            "no deploy brings the next version",
            "write a `[[fault]]` with `deploy`, or take this out",
        ),
        (
            tool.budget_pauses && tool.budget.is_none(),
            "tool.budget_pauses",
            "there is no budget that could pause",
            "write `tool.budget`, or take this out",
        ),
    ];
    let rules = rules.into_iter().chain(keys::rules(scenario)).chain(sessions::rules(scenario));
    let rules = rules.chain(stores::rules(scenario));
    for (_, path, label, help) in rules.filter(|(broken, ..)| *broken) {
        // Nobody asked for an effect of what a preset brings.
        let Some(span) = written_at(root, path) else { continue };
        root.context().push(span, format!("`{path}` contradicts the rest"), Wrong::new(label).help(help));
    }
    judge_two_hands(root, scenario);
    judge_sizes(root, scenario);
    keys::judge_sizes(root, scenario);
}

/// A fleet that sizes itself would undo at its next look what is done to its size.
fn judge_two_hands(root: &Section<'_>, scenario: &Scenario) {
    if scenario.fleet.scaling.is_none() {
        return;
    }
    let scales = |fault: &Fault| matches!(fault, Fault::Scale { .. });
    for (place, _) in scenario.faults.iter().enumerate().filter(|(_, fault)| scales(fault)) {
        let wrong = Wrong::new("the fleet grows and shrinks by itself").help("take out one of the two");
        root.context().push(fault_at(root, place), "`fault.scale` contradicts `fleet.scaling`", wrong);
    }
}

/// What no machine would bear: a run would not come to its end, or not to its start.
fn judge_sizes(root: &Section<'_>, scenario: &Scenario) {
    let Balancer { policy, hash, weights, background_per_s, .. } = &scenario.balancer;
    let refuse = |path: &str, title: &str, label: String, help: String| {
        let span = written_at(root, path).unwrap_or(root.span());
        root.context().push(span, title, Wrong::new(label).help(help));
    };
    let requests = background_per_s * scenario.run.horizon.as_secs_f64();
    if requests > MOST_REQUESTS {
        let label = format!("{requests:.0} requests per replication up to the horizon");
        refuse("balancer.background", "too many requests", label, format!("at most {MOST_REQUESTS:.0} of them"));
    }
    let addresses = u64::from(scenario.fleet.addresses());
    let counted = if weights.is_empty() { addresses } else { weights.iter().copied().map(u64::from).sum() };
    let points = counted * u64::from(hash.points);
    if *policy == Policy::Hash && hash.scheme == Scheme::Ring && points > MOST_POINTS {
        let label = format!("{points} points in all");
        let help = format!("at most {MOST_POINTS}; `scheme = \"rendezvous\"` needs none");
        refuse("balancer.hash.points", "too many points on the ring", label, help);
    }
}

/// Where the value of a key stands.
pub(super) fn written_at(root: &Section<'_>, path: &str) -> Option<Range<usize>> {
    let Some((first, rest)) = path.split_once('.') else { return root.raw(path).map(|value| value.span()) };
    let value = rest.split('.').try_fold(root.raw(first)?, |table, name| table.get_ref().as_table()?.get(name))?;
    Some(value.span())
}
