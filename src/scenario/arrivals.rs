//! When calls reach the fleet. Must never accept a schedule under which no call arrives, or more calls than a run can number.

use std::time::Duration;

use super::distribution::{file, refuse_rows};
use super::keys;
use super::model::{Arrivals, Piece};
use super::rows;
use super::section::Section;
use super::values::{self, Wrong};
use crate::engine::SimTime;

/// Most calls of one replication: calls are numbered in 31 bits, with a margin for chance.
const MOST_CALLS: f64 = 2e9;

/// Reads `[arrivals]`; `horizon` is `None` if it was not readable.
pub(super) fn read(root: &Section<'_>, horizon: Option<SimTime>, addresses: Option<&[String]>) -> Option<Arrivals> {
    let section = root.table("arrivals");
    if root.raw("arrivals").is_none() || section.is_empty() {
        // The default variant with its own default.
        return Some(Arrivals::Poisson { rate_per_s: rate(&section.table("poisson"), horizon)? });
    }
    match section.exactly_one(&[])? {
        "poisson" => Some(Arrivals::Poisson { rate_per_s: rate(&section.table("poisson"), horizon)? }),
        "constant" => {
            let rate = rate(&section.table("constant"), horizon)?;
            // At least one nanosecond, as no rate is above one call per nanosecond.
            Some(Arrivals::Constant { gap: Duration::from_nanos((1e9 / rate).round() as u64) })
        }
        "profile" => profile(&section, horizon),
        "at" => at(&section, horizon),
        _ => trace(&section.table("trace"), horizon, addresses),
    }
}

fn rate(table: &Section<'_>, horizon: Option<SimTime>) -> Option<f64> {
    let rate = table.get("rate", |value| values::rate(value, false))?;
    let calls = horizon.map_or(0.0, |horizon| rate * horizon.as_secs_f64());
    few_enough(table, "rate", calls).then_some(rate)
}

/// Notes a problem if more calls are expected than a replication can number.
fn few_enough(table: &Section<'_>, name: &str, calls: f64) -> bool {
    if calls > MOST_CALLS {
        let wrong = Wrong::new(format!("{calls:.0} calls per replication up to the horizon"));
        table.refuse(name, "too many calls", wrong.help("a replication can number 2000000000 calls"));
    }
    calls <= MOST_CALLS
}

fn profile(section: &Section<'_>, horizon: Option<SimTime>) -> Option<Arrivals> {
    let mut pieces: Vec<Piece> = Vec::new();
    let elements = section.elements("profile")?;
    let written = elements.len();
    for (place, element) in elements.into_iter().enumerate() {
        let piece = section.at(element, keys::keys(), "arrivals.profile", format!("arrivals.profile.{place}"));
        let until = piece.duration("until").map(sim_time);
        let rate = piece.get("rate", |value| values::rate(value, true));
        let (Some(until), Some(rate_per_s)) = (until, rate) else {
            continue;
        };
        if until <= pieces.last().map_or(SimTime::ZERO, |last| last.until) {
            piece.wrong("until", Wrong::new("not after the end of the piece before"));
            continue;
        }
        pieces.push(Piece { until, rate_per_s });
    }
    if written > pieces.len() {
        return None;
    }
    let Some(horizon) = horizon else {
        return Some(Arrivals::Profile(pieces));
    };
    if pieces.last().is_none_or(|last| last.until < horizon) {
        let wrong = Wrong::new("ends before the horizon").help("the last `until` must reach `run.horizon`");
        section.refuse("profile", "`arrivals.profile` does not cover the run", wrong);
        return None;
    }
    let calls = expected(&pieces, horizon);
    if calls == 0.0 {
        section.refuse("profile", "no call would ever arrive", Wrong::new("every rate up to the horizon is 0"));
        return None;
    }
    few_enough(section, "profile", calls).then_some(Arrivals::Profile(pieces))
}

/// Expected number of calls of a profile up to the horizon: sum of rate times length.
fn expected(pieces: &[Piece], horizon: SimTime) -> f64 {
    let mut from = SimTime::ZERO;
    let mut calls = 0.0;
    for piece in pieces {
        let until = piece.until.min(horizon);
        calls += piece.rate_per_s * (until.as_secs_f64() - from.as_secs_f64());
        from = until;
    }
    calls
}

fn at(section: &Section<'_>, horizon: Option<SimTime>) -> Option<Arrivals> {
    let listed = section.values("at", values::duration)??;
    if listed.is_empty() {
        section.refuse("at", "no call would ever arrive", Wrong::new("the list is empty"));
        return None;
    }
    let mut last = 0;
    let mut good = true;
    for (ns, span) in &listed {
        let reason = if *ns < last {
            "before the one in front of it; the list must ascend"
        } else if horizon.is_some_and(|horizon| *ns > horizon.ns()) {
            "after the horizon"
        } else {
            last = *ns;
            continue;
        };
        good = false;
        section.wrong_element("at", span.clone(), Wrong::new(reason));
    }
    good.then(|| Arrivals::At(listed.into_iter().map(|(ns, _)| SimTime::from_ns(ns)).collect()))
}

fn trace(table: &Section<'_>, horizon: Option<SimTime>, addresses: Option<&[String]>) -> Option<Arrivals> {
    let (name, bytes) = file(table, "file")?;
    rows::trace(&name, &bytes, horizon, addresses)
        .map(Arrivals::Trace)
        .map_err(|bad| refuse_rows(table, "file", bad))
        .ok()
}

/// The instant this long after the start.
pub(super) fn sim_time(after_start: Duration) -> SimTime {
    SimTime::ZERO.saturating_add(after_start)
}
