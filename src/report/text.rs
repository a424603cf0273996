//! The table of a run: how calls ended and why, what was held, with intervals, and the paired difference; below it how
//! each kind of client fared. Must never show a row of what the scenario has nothing of.

#[cfg(test)]
mod tests;

use super::bill::bill;
use super::number::{percent, plain, with_interval};
use super::table::{GAP, columns};
use crate::experiment::{
    ClientSummary, DesignSummary, LevelEstimate, Measure, Point, Proportion, Summary, WaitsEstimate,
};
use crate::metrics::{End, Incident, Outcome};
use crate::world::{Cause, SeenBy};

/// One row: its label, its cell for one design, and the metric whose difference stands at the end.
struct Row<'a> {
    label: String,
    cell: Box<dyn Fn(&DesignSummary) -> String + 'a>,
    metric: String,
}

/// The table of a run for a terminal of this width.
pub fn text(summary: &Summary, terminal: Option<usize>) -> String {
    let all =
        |point| format!("{}{}{}", table(summary, point, terminal), by_client(point, terminal), bill(point, terminal));
    let tables = summary.points.iter().map(all).collect::<String>();
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
    let rows = rows(point, f64::from(summary.replications), &summary.routing);
    let names: Vec<&str> = point.designs.keys().map(|design| design.name()).collect();
    let header = ["per replication"].into_iter().chain(names.iter().copied()).map(str::to_owned);
    // The difference of two; of more there are several, and none is the one.
    let difference = <[&str; 2]>::try_from(names.as_slice()).ok().map(|[a, b]| format!("{a} - {b}"));
    let is_paired = difference.is_some();
    let header: Vec<String> = header.chain(difference).collect();
    let row = |row: Row<'_>| {
        let cells = point.designs.values().map(|design| (row.cell)(design));
        let difference = is_paired.then(|| paired(point, &row.metric));
        [row.label].into_iter().chain(cells).chain(difference).collect()
    };
    let body: Vec<Vec<String>> = rows.into_iter().map(row).collect();
    columns(&header, &body, terminal)
}

fn paired(point: &Point, metric: &str) -> String {
    let found = point.differences.iter().find(|difference| difference.metric == metric);
    found.map_or_else(String::new, |d| with_interval(d.mean, d.half_width))
}

fn rows<'a>(point: &'a Point, replications: f64, routing: &str) -> Vec<Row<'a>> {
    let mut rows = vec![measure("calls started", "", |d| &d.started)];
    for outcome in Outcome::ALL {
        outcome_rows(&mut rows, point, outcome, replications);
    }
    rows.push(level("threads parked", "parked", |d| &d.parked));
    rows.push(level("threads held", "threads_held", |d| &d.threads_held));
    rows.push(level("waiting line", "queue", |d| &d.queue));
    rows.push(level("open requests", "open", |d| &d.open));
    if point.designs.values().any(|design| design.sessions.peak > 0) {
        rows.push(level("sessions", "sessions", |d| &d.sessions));
    }
    if point.designs.values().any(|design| design.passing.peak > 0) {
        rows.push(level("answers that hang", "passing", |d| &d.passing));
    }
    wait_rows(&mut rows, point, "thread", |design| design.line);
    wait_rows(&mut rows, point, "connection", |design| design.pool);
    rows.extend(Cause::ALL.into_iter().filter_map(|cause| killed(point, cause)));
    rows.push(measure("entries", "entries", |d| &d.entries));
    rows.extend(rare(point, "entries made again", "entries_again", |d| &d.entries_again));
    rows.extend(rare(point, "entries unconfirmed", "entries_unconfirmed", |d| &d.entries_unconfirmed));
    rows.extend(rare(point, "entries of calls not completed", "entries_orphaned", |d| &d.entries_orphaned));
    rows.push(measure("requests to clients", "asks", |d| &d.asks));
    rows.push(measure("prompts", "prompts", |d| &d.prompts));
    rows.extend(rare(point, "invalid answers held back", "invalid_at_client", |d| &d.invalid_at_client));
    rows.extend(rare(point, "invalid answers at servers", "invalid_at_server", |d| &d.invalid_at_server));
    rows.extend(SeenBy::ALL.into_iter().filter_map(|party| exposed(point, party)));
    rows.extend(Incident::ALL.into_iter().filter_map(|incident| happened(point, incident)));
    rows.push(measure("messages routed", "messages", |d| &d.messages));
    rows.push(Row {
        label: format!("answers home ({routing})"),
        cell: Box::new(|design| design.home_share.map_or("-".to_owned(), home_share)),
        metric: String::new(),
    });
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
        metric: outcome.name().to_owned(),
    });
    let of_cause =
        move |design: &DesignSummary, cause| count(design).and_then(|c| c.causes.get(&cause).copied()).unwrap_or(0);
    for cause in Cause::ALL {
        if point.designs.values().any(|design| of_cause(design, cause) > 0) {
            rows.push(Row {
                label: format!("  {}", cause.in_words()),
                cell: Box::new(move |design| format!("  {}", plain(of_cause(design, cause) as f64 / replications))),
                metric: String::new(),
            });
        }
    }
}

/// Rows for those who waited, when anybody did.
fn wait_rows<'a>(
    rows: &mut Vec<Row<'a>>,
    point: &'a Point,
    what: &'static str,
    of: fn(&DesignSummary) -> Option<WaitsEstimate>,
) {
    let waited = |design: &DesignSummary| of(design).is_some_and(|waits| waits.waited.total > 0.0);
    if !point.designs.values().any(waited) {
        return;
    }
    let row = |label: String, cell: fn(&WaitsEstimate) -> &Measure| Row {
        label,
        cell: Box::new(move |design| {
            of(design).map_or("0".to_owned(), |waits| with_interval(cell(&waits).mean, cell(&waits).half_width))
        }),
        metric: String::new(),
    };
    rows.push(row(format!("waited for a {what}"), |waits| &waits.waited));
    rows.push(row("  slow".to_owned(), |waits| &waits.slow));
    rows.push(row("  mean wait of all, s".to_owned(), |waits| &waits.mean_s));
}

/// A row for processes that were killed for this, when any were.
fn killed(point: &Point, cause: Cause) -> Option<Row<'_>> {
    let of = move |design: &DesignSummary| design.killed.get(&cause).copied();
    point.designs.values().any(|design| of(design).is_some()).then(|| Row {
        label: format!("processes killed: {}", cause.in_words()),
        cell: Box::new(move |design| of(design).map_or("0".to_owned(), |m| with_interval(m.mean, m.half_width))),
        metric: String::new(),
    })
}

/// The share of answers that reached the instance that had asked, as a percentage with its interval.
fn home_share(Proportion { share, half_width }: Proportion) -> String {
    format!("{} %", with_interval(100.0 * share, half_width.map(|half| 100.0 * half)))
}

fn measure(label: &str, metric: &str, of: fn(&DesignSummary) -> &Measure) -> Row<'static> {
    let cell = move |design: &DesignSummary| with_interval(of(design).mean, of(design).half_width);
    Row { label: label.to_owned(), cell: Box::new(cell), metric: metric.to_owned() }
}

/// The row of a measure that most scenarios have nothing of.
fn rare(point: &Point, label: &str, metric: &str, of: fn(&DesignSummary) -> &Measure) -> Option<Row<'static>> {
    point.designs.values().any(|design| of(design).total > 0.0).then(|| measure(label, metric, of))
}

/// How often this happened, when it did under any design.
fn happened(point: &Point, incident: Incident) -> Option<Row<'static>> {
    let count = move |design: &DesignSummary| design.incidents.get(&incident).copied();
    let cell =
        move |design: &DesignSummary| count(design).map_or("0".to_owned(), |m| with_interval(m.mean, m.half_width));
    point.designs.values().any(|design| count(design).is_some()).then(|| Row {
        label: incident.in_words().to_owned(),
        cell: Box::new(cell),
        metric: format!("incidents.{}", incident.name()),
    })
}

/// The calls whose secret this party saw, when it saw one under any design.
fn exposed(point: &Point, party: SeenBy) -> Option<Row<'static>> {
    let calls = move |design: &DesignSummary| design.exposed.get(&party).copied();
    let cell =
        move |design: &DesignSummary| calls(design).map_or("0".to_owned(), |m| with_interval(m.mean, m.half_width));
    point.designs.values().any(|design| calls(design).is_some()).then(|| Row {
        label: format!("calls with a secret seen, {}", party.name()),
        cell: Box::new(cell),
        metric: format!("exposed.{}", party.name()),
    })
}

fn level(label: &str, metric: &str, of: fn(&DesignSummary) -> &LevelEstimate) -> Row<'static> {
    let cell = move |design: &DesignSummary| {
        let LevelEstimate { mean, half_width, peak } = *of(design);
        format!("{} (peak {peak})", with_interval(mean, half_width))
    };
    Row { label: label.to_owned(), cell: Box::new(cell), metric: metric.to_owned() }
}

fn latency_rows() -> [Row<'static>; 2] {
    let unknown = || "-".to_owned();
    [
        Row {
            label: "latency of completed, s".to_owned(),
            cell: Box::new(move |d| d.latency_s.map_or_else(unknown, |l| with_interval(l.mean, l.half_width))),
            metric: "latency_s".to_owned(),
        },
        Row {
            label: "  median, p95, p99".to_owned(),
            cell: Box::new(move |d| {
                let three = |l: crate::experiment::Quantiles| [l.p50, l.p95, l.p99].map(plain).join(", ");
                d.latency_s.map_or_else(unknown, |l| format!("  {}", three(l)))
            }),
            metric: String::new(),
        },
    ]
}

/// Columns that the tables by client are made to fit.
const TERMINAL: usize = 80;

/// A table for each design with one row for each kind of client; nothing where all clients are of one kind.
fn by_client(point: &Point, terminal: Option<usize>) -> String {
    let mixed = point.designs.iter().filter(|(_, design)| !design.clients.is_empty());
    mixed.map(|(design, of)| format!("\n{}", clients_of(design.name(), of, terminal))).collect()
}

fn clients_of(design: &str, of: &DesignSummary, terminal: Option<usize>) -> String {
    let header = [&format!("by client, {design}"), "share", "completed", "most other ends"].map(str::to_owned);
    let shown = |(name, client): (&String, &ClientSummary)| {
        let completed = client.outcomes.get(&Outcome::Completed).map_or(0.0, |count| count.share);
        [name.clone(), percent(client.share), percent(completed)]
    };
    let left: Vec<[String; 3]> = of.clients.iter().map(shown).collect();
    let widest = |i: usize| {
        let cells = left.iter().map(|row| row[i].chars().count());
        cells.chain([header[i].chars().count()]).max().unwrap_or(0)
    };
    let taken = (0..3).map(widest).sum::<usize>() + 3 * GAP.len();
    let room = TERMINAL.saturating_sub(taken);
    let row = |([name, share, completed], client): ([String; 3], &ClientSummary)| {
        [name, share, completed, other_ends(client, room)]
    };
    columns(&header, &left.into_iter().zip(of.clients.values()).map(row).collect::<Vec<_>>(), terminal)
}

/// The ends other than completed by their share of the kind's calls, largest first: at least one, and more as long as
/// there is room.
fn other_ends(client: &ClientSummary, room: usize) -> String {
    let mut ends: Vec<(End, u64)> = client
        .outcomes
        .iter()
        .flat_map(|(&outcome, count)| {
            let plain = count.total - count.causes.values().sum::<u64>();
            let causes = count.causes.iter().map(move |(&cause, &calls)| (End { outcome, cause: Some(cause) }, calls));
            causes.chain([(End { outcome, cause: None }, plain)])
        })
        .filter(|&(end, calls)| end.outcome != Outcome::Completed && calls > 0)
        .collect();
    ends.sort_by_key(|&(end, calls)| (std::cmp::Reverse(calls), end));
    let shares = ends.into_iter().map(|(end, calls)| format!("{end} {}", percent(calls as f64 / client.started.total)));
    let mut line = String::new();
    for share in shares {
        if line.is_empty() {
            line = share;
        } else if line.chars().count() + 2 + share.chars().count() <= room {
            line = format!("{line}, {share}");
        } else {
            break;
        }
    }
    line
}
