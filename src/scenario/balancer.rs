//! What stands between clients and instances. Must never read a default from anywhere but the list of keys.

use std::time::Duration;

use super::model::*;
use super::section::Section;
use super::values::{self, Wrong};

/// An address of weight w counts as w addresses, and no fleet has more than these.
const MOST_COUNTED: u64 = 65_535;

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
    let [redispatch, resends_broken, drains] =
        ["redispatch", "resends_broken", "drains"].map(|name| section.get(name, values::flag));
    let [lost_requests, lost_replies] = ["lost_requests", "lost_replies"].map(|name| section.get(name, values::share));
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
        lost_requests: lost_requests?,
        lost_replies: lost_replies?,
        detection: detection?,
        idle: idle?,
        connections: connections?,
        connections_per_call: connections_per_call?,
        drains: drains?,
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
