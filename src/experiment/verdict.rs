//! One sentence that says what decided a run: how many calls more one design completed, and what stopped the others.

use super::{DesignSummary, Point};
use crate::era::Design;
use crate::metrics::Outcome;
use crate::world::Cause;

/// Says in words what decided it.
pub(super) fn verdict(designs: &[Design], point: &Point) -> String {
    match *designs {
        [a, b] => compare((a, &point.designs[&a]), (b, &point.designs[&b]), point),
        [only] => alone(only, &point.designs[&only]),
        _ => String::new(),
    }
}

fn completed(design: &DesignSummary) -> f64 {
    design.outcomes.get(&Outcome::Completed).map_or(0.0, |count| count.mean)
}

fn compare(a: (Design, &DesignSummary), b: (Design, &DesignSummary), point: &Point) -> String {
    let difference = point.differences.iter().find(|d| d.metric == Outcome::Completed.name());
    let (mean, half_width) = difference.map_or((0.0, None), |d| (d.mean, d.half_width));
    let parked = format!(
        "; while people think, {} parks {} threads and {} parks {}",
        a.0.name(),
        number(a.1.parked.mean),
        b.0.name(),
        number(b.1.parked.mean)
    );
    if mean == 0.0 && half_width.unwrap_or(0.0) == 0.0 {
        return format!("Both designs complete the same number of calls{parked}.");
    }
    if half_width.is_some_and(|half_width| half_width >= mean.abs()) {
        return format!("The designs do not differ in completed calls beyond chance{parked}.");
    }
    let (more, less) = if mean > 0.0 { (a, b) } else { (b, a) };
    let why = worst(less.1, Some(more.1)).map(|(cause, count)| {
        format!(", chiefly because under {} in {} of them {}", less.0.name(), number(count), cause.in_words())
    });
    format!(
        "{} completes {} more calls per replication than {}{}{parked}.",
        capital(more.0.name()),
        number(mean.abs()),
        less.0.name(),
        why.unwrap_or_default(),
    )
}

fn alone(design: Design, summary: &DesignSummary) -> String {
    let why = worst(summary, None)
        .map(|(cause, count)| format!("; most of the others end because {} ({})", cause.in_words(), number(count)));
    format!(
        "{} completes {} of {} calls per replication and parks {} threads{}.",
        capital(design.name()),
        number(completed(summary)),
        number(summary.started.mean),
        number(summary.parked.mean),
        why.unwrap_or_default(),
    )
}

/// The cause that stopped most calls more than it did in the other design, with that excess per replication.
fn worst(design: &DesignSummary, other: Option<&DesignSummary>) -> Option<(Cause, f64)> {
    let per_replication = |design: &DesignSummary, cause: Cause| -> f64 {
        let replications = design.started.total / design.started.mean;
        let counts = design.outcomes.values().filter_map(|count| count.causes.get(&cause));
        counts.sum::<u64>() as f64 / replications
    };
    let excess = |cause| per_replication(design, cause) - other.map_or(0.0, |other| per_replication(other, cause));
    let worst = Cause::ALL.into_iter().map(|cause| (cause, excess(cause)));
    worst.filter(|(_, excess)| *excess > 0.0).max_by(|x, y| x.1.total_cmp(&y.1))
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// A count for a sentence: whole when it is, else one decimal, else two digits that mean something.
fn number(value: f64) -> String {
    if value == value.round() {
        format!("{value:.0}")
    } else if value.abs() >= 10.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.2}")
    }
}
