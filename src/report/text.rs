//! The table of a run: how calls ended and why, what was held, with intervals, and the paired difference.

use super::number::{percent, plain, with_interval};
use super::table::columns;
use crate::era::Design;
use crate::experiment::{DesignSummary, LevelEstimate, Measure, Point, Summary};
use crate::metrics::Outcome;
use crate::world::Cause;

/// One row: its label, its cell for one design, and the metric whose difference stands at the end.
struct Row<'a> {
    label: String,
    cell: Box<dyn Fn(&DesignSummary) -> String + 'a>,
    metric: &'a str,
}

/// The table of a run for a terminal of this width.
pub fn text(summary: &Summary, terminal: Option<usize>) -> String {
    let tables = summary.points.iter().map(|point| table(summary, point, terminal)).collect::<String>();
    let replications = match summary.replications {
        1 => "1 replication, so no intervals".to_owned(),
        several => format!("{several} replications: means with 95 % intervals"),
    };
    let unfinished = match summary.replications_wanted - summary.replications {
        0 => String::new(),
        missing => format!("; interrupted, {missing} are missing"),
    };
    let question = if summary.question.is_empty() { String::new() } else { format!(": {}", summary.question) };
    format!(
        "{}{question}\n{replications}, seed {}{unfinished}\n\n{tables}\n{}\ndigest {}\n",
        summary.scenario, summary.seed, summary.verdict, summary.digest
    )
}

fn table(summary: &Summary, point: &Point, terminal: Option<usize>) -> String {
    let rows = rows(point, f64::from(summary.replications));
    let designs: Vec<(&Design, &DesignSummary)> = point.designs.iter().collect();
    match designs[..] {
        [(only, design)] => {
            let body: Vec<_> = rows.into_iter().map(|row| [row.label, (row.cell)(design)]).collect();
            columns(&["per replication".to_owned(), only.name().to_owned()], &body, terminal)
        }
        _ => {
            let [(a, x), (b, y)] = designs[..] else { unreachable!("a scenario has one design or two") };
            let difference = format!("{} - {}", a.name(), b.name());
            let header = ["per replication".to_owned(), a.name().to_owned(), b.name().to_owned(), difference];
            let body = rows.into_iter().map(|row| [row.label, (row.cell)(x), (row.cell)(y), paired(point, row.metric)]);
            columns(&header, &body.collect::<Vec<_>>(), terminal)
        }
    }
}

fn paired(point: &Point, metric: &str) -> String {
    let found = point.differences.iter().find(|difference| difference.metric == metric);
    found.map_or_else(String::new, |d| with_interval(d.mean, d.half_width))
}

fn rows(point: &Point, replications: f64) -> Vec<Row<'_>> {
    let mut rows = vec![measure("calls started", "", |d| &d.started)];
    for outcome in Outcome::ALL {
        outcome_rows(&mut rows, point, outcome, replications);
    }
    rows.push(level("threads parked", "parked", |d| &d.parked));
    rows.push(level("threads held", "threads_held", |d| &d.threads_held));
    rows.push(level("waiting line", "queue", |d| &d.queue));
    rows.push(level("open requests", "open", |d| &d.open));
    rows.push(measure("entries", "entries", |d| &d.entries));
    rows.push(measure("prompts", "prompts", |d| &d.prompts));
    rows.push(measure("messages routed", "messages", |d| &d.messages));
    rows.push(measure("state carried, bytes", "state_bytes", |d| &d.state_bytes));
    rows.push(measure("work repeated, s", "repeated_s", |d| &d.repeated_s));
    rows.extend(latency_rows());
    rows
}

/// A row for the outcome, when it occurred, and one below it for each of its causes.
fn outcome_rows<'a>(rows: &mut Vec<Row<'a>>, point: &'a Point, outcome: Outcome, replications: f64) {
    let count = move |design: &DesignSummary| design.outcomes.get(&outcome).cloned();
    if point.designs.values().all(|design| count(design).is_none()) {
        return;
    }
    rows.push(Row {
        label: outcome.name().replace('_', " "),
        cell: Box::new(move |design| match count(design) {
            None => "0".to_owned(),
            Some(c) => format!("{} ({})", with_interval(c.mean, c.half_width), percent(c.share)),
        }),
        metric: outcome.name(),
    });
    let of_cause =
        move |design: &DesignSummary, cause| count(design).and_then(|c| c.causes.get(&cause).copied()).unwrap_or(0);
    for cause in Cause::ALL {
        if point.designs.values().any(|design| of_cause(design, cause) > 0) {
            rows.push(Row {
                label: format!("  {}", cause.in_words()),
                cell: Box::new(move |design| format!("  {}", plain(of_cause(design, cause) as f64 / replications))),
                metric: "",
            });
        }
    }
}

fn measure<'a>(label: &str, metric: &'a str, of: fn(&DesignSummary) -> &Measure) -> Row<'a> {
    let cell = move |design: &DesignSummary| with_interval(of(design).mean, of(design).half_width);
    Row { label: label.to_owned(), cell: Box::new(cell), metric }
}

fn level<'a>(label: &str, metric: &'a str, of: fn(&DesignSummary) -> &LevelEstimate) -> Row<'a> {
    let cell = move |design: &DesignSummary| {
        let LevelEstimate { mean, half_width, peak } = *of(design);
        format!("{} (peak {peak})", with_interval(mean, half_width))
    };
    Row { label: label.to_owned(), cell: Box::new(cell), metric }
}

fn latency_rows() -> [Row<'static>; 2] {
    let unknown = || "-".to_owned();
    [
        Row {
            label: "latency of completed, s".to_owned(),
            cell: Box::new(move |d| d.latency_s.map_or_else(unknown, |l| with_interval(l.mean, l.half_width))),
            metric: "latency_s",
        },
        Row {
            label: "  median, p95, p99".to_owned(),
            cell: Box::new(move |d| {
                let three = |l: crate::experiment::Quantiles| [l.p50, l.p95, l.p99].map(plain).join(", ");
                d.latency_s.map_or_else(unknown, |l| format!("  {}", three(l)))
            }),
            metric: "",
        },
    ]
}
