//! One sentence that says what decided a run: how many calls more one design completed, and what stopped the others.

use super::{DesignSummary, Point};
use crate::era::Design;
use crate::metrics::Outcome;
use crate::world::Cause;

/// A design with its figures and the replications behind them.
#[derive(Clone, Copy)]
struct Side<'a> {
    design: Design,
    summary: &'a DesignSummary,
    replications: f64,
}

/// Says in words what decided it.
pub(super) fn verdict(point: &Point, replications: u32) -> String {
    let side = |(&design, summary)| Side { design, summary, replications: f64::from(replications) };
    let sides: Vec<Side<'_>> = point.designs.iter().map(side).collect();
    let parked: Vec<String> =
        sides.iter().map(|s| format!("{} {}", number(s.summary.parked.mean), s.design.name())).collect();
    let parked = format!("Threads parked while an answer is awaited: {}.", parked.join(", "));
    match sides[..] {
        [only] => format!("{} {parked}", alone(only)),
        [a, b] => format!("{} {parked}", compare(a, b, point)),
        _ => format!("{} {parked}", sides.iter().map(|&side| alone(side)).collect::<Vec<_>>().join(" ")),
    }
}

fn compare(a: Side<'_>, b: Side<'_>, point: &Point) -> String {
    let difference = point.differences.iter().find(|d| d.metric == Outcome::Completed.name());
    let (mean, half_width) = difference.map_or((0.0, None), |d| (d.mean, d.half_width));
    if mean == 0.0 && half_width.unwrap_or(0.0) == 0.0 {
        let both = match completed(a) {
            0.0 => "Neither design completes any call".to_owned(),
            calls => format!("Both designs complete {} calls per replication", number(calls)),
        };
        let why = why(a, Some(b)).or_else(|| in_both(a));
        return format!("{both}{}.", why.map_or_else(String::new, |why| format!("; {why}")));
    }
    if half_width.is_some_and(|half_width| half_width >= mean.abs()) {
        return "The designs do not differ in completed calls beyond chance.".to_owned();
    }
    let (more, less) = if mean > 0.0 { (a, b) } else { (b, a) };
    format!(
        "{} completes {} more of {} calls per replication than {}{}.",
        capital(more.design.name()),
        number(mean.abs()),
        number(more.summary.started.mean),
        less.design.name(),
        why(less, Some(more)).map_or_else(String::new, |why| format!(": {why}")),
    )
}

/// What stopped most calls, where both designs were stopped alike.
fn in_both(side: Side<'_>) -> Option<String> {
    let causes = Cause::ALL.into_iter().map(|cause| (cause, stopped(side, cause)));
    let (cause, calls) = causes.filter(|(_, calls)| *calls > 0.0).max_by(|x, y| x.1.total_cmp(&y.1))?;
    Some(format!("{} did not complete because {}", number(calls), cause.in_words()))
}

fn alone(side: Side<'_>) -> String {
    format!(
        "{} completes {} of {} calls per replication{}.",
        capital(side.design.name()),
        number(completed(side)),
        number(side.summary.started.mean),
        why(side, None).map_or_else(String::new, |why| format!("; {why}")),
    )
}

fn completed(side: Side<'_>) -> f64 {
    side.summary.outcomes.get(&Outcome::Completed).map_or(0.0, |count| count.mean)
}

/// The cause that stopped most calls of this side beyond what it stopped on the other, with what it stopped on each.
fn why(side: Side<'_>, other: Option<Side<'_>>) -> Option<String> {
    let on_other = |cause| other.map_or(0.0, |other| stopped(other, cause));
    let causes = Cause::ALL.into_iter().map(|cause| (cause, stopped(side, cause) - on_other(cause)));
    let (cause, _) = causes.filter(|(_, excess)| *excess > 0.0).max_by(|x, y| x.1.total_cmp(&y.1))?;
    let against = other
        .filter(|_| on_other(cause) > 0.0)
        .map_or_else(String::new, |other| format!(" ({} under {})", number(on_other(cause)), other.design.name()));
    let (design, calls) = (side.design.name(), number(stopped(side, cause)));
    Some(format!("under {design}, {calls}{against} did not complete because {}", cause.in_words()))
}

/// Calls per replication that this cause stopped.
fn stopped(side: Side<'_>, cause: Cause) -> f64 {
    let counts = side.summary.outcomes.values().filter_map(|count| count.causes.get(&cause));
    counts.sum::<u64>() as f64 / side.replications
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// A count for a sentence: whole when it is or when it is large, else with one or two decimals.
fn number(value: f64) -> String {
    match value.abs() {
        size if value == value.round() || size >= 1000.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}
