//! What stands between clients and instances. Must never let a setting through that the policy beside it would not look
//! at: whoever wrote it expects an effect.

use std::ops::Range;
use std::time::Duration;

use super::model::*;
use super::section::Section;
use super::values::{self, Wrong};

/// An address of weight w counts as w addresses, and no fleet has more than these.
const MOST_COUNTED: u64 = 65_535;

/// Requests beside the calls up to the horizon: as many as calls.
const MOST_REQUESTS: f64 = 2e9;

/// Points that a ring can have in all: it is sorted anew with every change of the rotation.
const MOST_POINTS: u64 = 1 << 24;

/// Reads `[balancer]`; `addresses` is how many there are, `None` if that was not readable.
pub(super) fn read(section: &Section<'_>, addresses: Option<usize>) -> Option<Balancer> {
    let policies = [
        Policy::RoundRobin,
        Policy::Random,
        Policy::LeastConnections,
        Policy::TwoChoices,
        Policy::Hash,
        Policy::Recorded,
    ];
    let policy = section.choice("policy", &policies);
    let ties = section.choice("ties", &[Ties::Random, Ties::First]);
    let hash = hashing(&section.table("hash"));
    let weights = weights(section, addresses);
    let replicas = section.whole("replicas").and_then(|replicas| u32::try_from(replicas).ok());
    let background_per_s = section.get("background", |value| values::rate(value, true));
    let stickiness = stickiness(section);
    let bypass = section.get("bypass", values::share);
    let [redispatch, resends_broken] = ["redispatch", "resends_broken"].map(|name| section.get(name, values::flag));
    let detection = section.with_table("detection", detection);
    let idle = idle(section);
    let connections = section.whole_or("connections").map(Result::ok);
    let connections_per_call = section.whole("connections_per_call").and_then(|n| u32::try_from(n).ok());
    Some(Balancer {
        policy: policy?,
        ties: ties?,
        hash: hash?,
        weights: weights?,
        replicas: replicas?,
        background_per_s: background_per_s?,
        stickiness: stickiness?,
        bypass: bypass?,
        redispatch: redispatch?,
        resends_broken: resends_broken?,
        detection: detection?,
        idle: idle?,
        connections: connections?,
        connections_per_call: connections_per_call?,
    })
}

fn hashing(section: &Section<'_>) -> Option<Hashing> {
    let by = section.choice("by", &[HashBy::Source, HashBy::Session, HashBy::User]);
    let scheme = section.choice("scheme", &[Scheme::Modulo, Scheme::Ring, Scheme::Rendezvous]);
    let points = section.whole("points").and_then(|points| u32::try_from(points).ok());
    if scheme.is_some_and(|scheme| scheme != Scheme::Ring) && section.raw("points").is_some() {
        let wrong = Wrong::new("only a ring has points").help("write `scheme = \"ring\"`, or take this out");
        section.refuse("points", "`balancer.hash.points` has no effect here", wrong);
    }
    Some(Hashing { by: by?, scheme: scheme?, points: points? })
}

fn weights(section: &Section<'_>, addresses: Option<usize>) -> Option<Vec<u32>> {
    let listed = section.values("weights", |value| match values::whole(value, 0, 1_000) {
        Ok(weight) => Ok(weight as u32),
        Err(wrong) => Err(wrong),
    });
    let (listed, addresses) = (listed?, addresses?);
    let Some(listed) = listed else { return Some(Vec::new()) };
    let weights: Vec<u32> = listed.into_iter().map(|(weight, _)| weight).collect();
    let sum: u64 = weights.iter().copied().map(u64::from).sum();
    if sum > MOST_COUNTED {
        let wrong =
            Wrong::new(format!("they add up to {sum}")).help("smaller weights of the same proportions do the same");
        section.refuse("weights", format!("`balancer.weights` add up to more than {MOST_COUNTED}"), wrong);
        return None;
    }
    let label = match &weights[..] {
        weights if weights.len() != addresses => format!("{} weights for {addresses} addresses", weights.len()),
        _ if sum == 0 => "no address would ever be picked".into(),
        _ => return Some(weights),
    };
    let wrong = Wrong::new(label).help("one weight for each address, at least one of them above 0");
    section.refuse("weights", "`balancer.weights` does not fit the fleet", wrong);
    None
}

fn stickiness(section: &Section<'_>) -> Option<Stickiness> {
    let table = section.table("learned");
    let (ttl, refresh) = (table.duration_or("ttl"), table.get("refresh", values::flag));
    let learned = Stickiness::Learned { ttl: ttl?, refresh: refresh? };
    section.choice("stickiness", &[Stickiness::None, Stickiness::Cookie, learned])
}

fn detection(table: &Section<'_>) -> Option<Detection> {
    if table.exactly_one(&[])? == "lag" {
        return table.duration("lag").map(Detection::Lag);
    }
    let checks = table.table("checks");
    let small = |name| checks.whole(name).and_then(|n| u32::try_from(n).ok());
    let (interval, phase) = (checks.duration("interval"), checks.duration("phase"));
    let (fall, rise) = (small("fall"), small("rise"));
    let (interval, phase) = (interval?, phase?);
    if phase >= interval {
        let wrong =
            Wrong::new("not below the interval").help("the phase is where in its interval the first check is made");
        checks.refuse("phase", "`phase` must be below `interval`", wrong);
        return None;
    }
    Some(Detection::Checks { interval, fall: fall?, rise: rise?, phase })
}

fn idle(section: &Section<'_>) -> Option<Vec<Duration>> {
    let listed = section.values("idle", |value| match values::duration(value)? {
        0 => Err(Wrong::new("no request would live")),
        ns => Ok(Duration::from_nanos(ns)),
    })?;
    Some(listed.unwrap_or_default().into_iter().map(|(limit, _)| limit).collect())
}

/// What contradicts across tables: a setting that asks for an effect which another one rules out. A setting that merely
/// waits for another to be switched on is none.
pub(super) fn judge(root: &Section<'_>, scenario: &Scenario) {
    let Scenario { balancer, fleet, clients, people, tool, .. } = scenario;
    let carries_only = !scenario.designs.iter().any(|design| design.has_sessions());
    let by_session = balancer.policy == Policy::Hash && balancer.hash.by == HashBy::Session;
    let binds = balancer.stickiness != Stickiness::None || balancer.policy == Policy::Hash;
    let has_rows = matches!(scenario.arrivals, Arrivals::Trace(_));
    let beats = fleet.heartbeat.is_some();
    let add_waiting = "add `waiting` to `designs`, or take this out";
    let no_sessions = "there are no sessions in the carrying design";
    let rules = [
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
            fleet.sessions == Sessions::Shared && clients.handshake == Handshake::None,
            "fleet.sessions",
            "no session is minted without a handshake",
            "write `clients.handshake = \"full\"`, or take this out",
        ),
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
            tool.budget_pauses && tool.budget.is_none(),
            "tool.budget_pauses",
            "there is no budget that could pause",
            "write `tool.budget`, or take this out",
        ),
    ];
    for (_, path, label, help) in rules.into_iter().filter(|(broken, ..)| *broken) {
        // Nobody asked for an effect of what a preset brings.
        let Some(span) = written_at(root, path) else { continue };
        root.context().push(span, format!("`{path}` contradicts the rest"), Wrong::new(label).help(help));
    }
    judge_sizes(root, scenario);
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
    let addresses = scenario.fleet.instances.len() as u64 / u64::from(scenario.fleet.workers);
    let counted = if weights.is_empty() { addresses } else { weights.iter().copied().map(u64::from).sum() };
    let points = counted * u64::from(hash.points);
    if *policy == Policy::Hash && hash.scheme == Scheme::Ring && points > MOST_POINTS {
        let label = format!("{points} points in all");
        let help = format!("at most {MOST_POINTS}; `scheme = \"rendezvous\"` needs none");
        refuse("balancer.hash.points", "too many points on the ring", label, help);
    }
}

/// Where the value of a key stands.
fn written_at(root: &Section<'_>, path: &str) -> Option<Range<usize>> {
    let (first, rest) = path.split_once('.')?;
    let value = rest.split('.').try_fold(root.raw(first)?, |table, name| table.get_ref().as_table()?.get(name))?;
    Some(value.span())
}

/// The keys of `[clients.retry]`.
pub(super) fn retry(section: &Section<'_>) -> Option<Retry> {
    let times = section.whole("times").and_then(|times| u8::try_from(times).ok());
    let on = section.choices("on", &[Failure::Unreachable, Failure::Broken, Failure::Full]);
    let [at_least, pause, cap] = ["at_least", "pause", "cap"].map(|name| section.duration(name));
    let factor = section.get("factor", |value| {
        let factor = values::positive(value)?;
        if factor >= 1.0 { Ok(factor) } else { Err(Wrong::new("below 1: the pauses would shrink")) }
    });
    let jitter = section.choice("jitter", &[Jitter::None, Jitter::Full]);
    let (pause, cap) = (pause?, cap?);
    if cap < pause {
        let name = if section.raw("cap").is_some() { "cap" } else { "pause" };
        let wrong =
            Wrong::new("the longest pause is below the first").help("give `cap` at least the length of `pause`");
        section.refuse(name, "`cap` contradicts `pause`", wrong);
        return None;
    }
    Some(Retry { times: times?, on: on?, at_least: at_least?, pause, factor: factor?, cap, jitter: jitter? })
}
