//! Tables as CSV: one row per metric, or one row per call. Floats are in their shortest form that reads back the same.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;

use serde::Serialize;

use crate::experiment::{BillSummary, Cell, Count, DesignSummary, Measure, Summary};
use crate::metrics::{Outcome, Record};
use crate::scenario::Scenario;
use crate::world::SeenBy;

/// A row of summary.csv.
#[derive(Serialize)]
struct MetricRow<'a> {
    scenario: &'a str,
    /// One design, or two with a hyphen for the first less the second.
    design: String,
    metric: String,
    mean: Option<f64>,
    half_width: Option<f64>,
    /// Sum over replications, for counts; largest value, for levels.
    total_or_peak: Option<f64>,
    replications: u32,
}

/// The rows of summary.csv, with the header when asked for.
pub fn summary_csv(summary: &Summary, header: bool) -> String {
    let mut rows = Vec::new();
    let mut row = |design: String, metric: String, mean, half_width, total_or_peak| {
        let (scenario, replications) = (summary.scenario.as_str(), summary.replications);
        rows.push(MetricRow { scenario, design, metric, mean, half_width, total_or_peak, replications });
    };
    for point in &summary.points {
        for (design, of) in &point.designs {
            let mut row = |metric: &str, mean, half_width, total| {
                row(design.name().to_owned(), metric.to_owned(), mean, half_width, total);
            };
            let replications = f64::from(summary.replications);
            outcomes("", &of.outcomes, replications, &mut row);
            levels(of, &mut row);
            measures(of, &mut row);
            for (name, client) in &of.clients {
                let name = format!("client.{name}.");
                put(&format!("{name}started"), &client.started, &mut row);
                row(&format!("{name}share"), Some(client.share), client.share_half_width, None);
                outcomes(&name, &client.outcomes, replications, &mut row);
            }
        }
        for d in &point.differences {
            let designs = format!("{}-{}", d.of.name(), d.minus.name());
            row(designs, d.metric.clone(), Some(d.mean), d.half_width, None);
        }
    }
    written(&rows, header)
}

type Put<'a> = dyn FnMut(&str, Option<f64>, Option<f64>, Option<f64>) + 'a;

fn put(metric: &str, measure: &Measure, row: &mut Put<'_>) {
    row(metric, Some(measure.mean), measure.half_width, Some(measure.total));
}

/// How calls ended; `of` stands before each name and says whose calls.
fn outcomes(of: &str, outcomes: &BTreeMap<Outcome, Count>, replications: f64, row: &mut Put<'_>) {
    for (outcome, count) in outcomes {
        let name = format!("{of}{}", outcome.name());
        row(&format!("{name}.count"), Some(count.mean), count.half_width, Some(count.total as f64));
        row(&format!("{name}.share"), Some(count.share), count.share_half_width, None);
        for (cause, &total) in &count.causes {
            let mean = total as f64 / replications;
            row(&format!("{name}.{}.count", cause.name()), Some(mean), None, Some(total as f64));
        }
    }
}

fn levels(of: &DesignSummary, row: &mut Put<'_>) {
    for (name, level) in [
        ("parked", of.parked),
        ("threads_held", of.threads_held),
        ("queue", of.queue),
        ("open", of.open),
        ("fullest", of.fullest),
        ("sessions", of.sessions),
        ("processes", of.processes),
        ("passing", of.passing),
    ] {
        row(name, Some(level.mean), level.half_width, Some(f64::from(level.peak)));
    }
}

fn measures(of: &DesignSummary, row: &mut Put<'_>) {
    for (metric, measure) in [
        ("started", of.started),
        ("entries", of.entries),
        ("entries_again", of.entries_again),
        ("entries_unconfirmed", of.entries_unconfirmed),
        ("entries_orphaned", of.entries_orphaned),
        ("asks", of.asks),
        ("prompts", of.prompts),
        ("invalid_at_client", of.invalid_at_client),
        ("invalid_at_server", of.invalid_at_server),
        ("messages", of.messages),
        ("answers", of.answers),
        ("answers_home", of.answers_home),
        ("state_bytes", of.state_bytes),
        ("repeated_s", of.repeated_s),
    ] {
        put(metric, &measure, row);
    }
    for (party, calls) in &of.exposed {
        put(&format!("exposed.{}", party.name()), calls, row);
    }
    for (incident, count) in &of.incidents {
        put(&format!("incidents.{}", incident.name()), count, row);
    }
    for (incident, count) in &of.incidents_late {
        put(&format!("incidents_late.{}", incident.name()), count, row);
    }
    for (name, waits) in [("line", of.line), ("pool", of.pool)] {
        let Some(waits) = waits else { continue };
        put(&format!("{name}.visits"), &waits.visits, row);
        put(&format!("{name}.waited"), &waits.waited, row);
        put(&format!("{name}.slow"), &waits.slow, row);
        row(&format!("{name}.mean_s"), Some(waits.mean_s.mean), waits.mean_s.half_width, None);
        row(&format!("{name}.p99_s"), Some(waits.p99_s.mean), waits.p99_s.half_width, None);
    }
    for (cause, count) in &of.killed {
        put(&format!("killed.{}", cause.name()), count, row);
    }
    if let Some(bill) = &of.bill {
        bill_rows(bill, row);
    }
    let latency = of.latency_s;
    row("latency_s.mean", latency.map(|l| l.mean), latency.and_then(|l| l.half_width), None);
    row("latency_s.p50", latency.map(|l| l.p50), None, None);
    row("latency_s.p95", latency.map(|l| l.p95), None, None);
    row("latency_s.p99", latency.map(|l| l.p99), None, None);
}

fn bill_rows(bill: &BillSummary, row: &mut Put<'_>) {
    for (resource, needed) in &bill.needed {
        row(&format!("bill.needed.{}", resource.name()), Some(needed.mean), needed.half_width, None);
    }
    row("bill.instances", Some(bill.instances as f64), None, None);
    row("bill.instance_hours", Some(bill.instance_hours), None, None);
    row("bill.per_hour", Some(bill.per_hour), None, None);
    for (name, measure) in [
        ("ran_hours", bill.ran_hours),
        ("memory_bytes", bill.memory_bytes),
        ("connections", bill.connections),
        ("wire_bytes", bill.wire_bytes),
        ("cpu_s", bill.cpu_s),
    ] {
        row(&format!("bill.{name}"), Some(measure.mean), measure.half_width, None);
    }
    let each = bill.per_1000_completed;
    row("bill.per_1000_completed", each.map(|each| each.mean), each.and_then(|each| each.half_width), None);
}

/// A row of calls.csv. Its columns `arrived_s`, `think_s`, `action`, `asked_s`, `ended_s` are those of recorded runs.
#[derive(Serialize)]
struct CallRow<'a> {
    design: &'a str,
    replication: u32,
    call: u32,
    arrived_s: f64,
    think_s: Option<f64>,
    action: &'a str,
    amount: u32,
    client: &'a str,
    asked_s: Option<f64>,
    ended_s: f64,
    outcome: &'a str,
    cause: &'a str,
    /// What the server could tell of a refusal.
    server_view: &'a str,
    first_instance: Cow<'a, str>,
    last_instance: Cow<'a, str>,
    asks: u32,
    prompts: u32,
    invalid_at_client: u32,
    invalid_at_server: u32,
    messages: u32,
    answers: u32,
    answers_home: u32,
    entries: u32,
    entries_again: u32,
    entries_unconfirmed: u32,
    /// The words of the parties, with a space between two.
    exposed: String,
    /// Name and count of each, with a space between two.
    incidents: String,
    state_bytes: u32,
    parked_s: f64,
    repeated_s: f64,
}

/// Writes calls.csv row by row: by replication, design and call.
pub(super) fn write_calls(scenario: &Scenario, cells: &[Cell], to: impl io::Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(to);
    for cell in cells {
        for record in &cell.records {
            writer.serialize(call_row(scenario, cell, record))?;
        }
    }
    writer.flush()
}

fn call_row<'a>(scenario: &'a Scenario, cell: &Cell, record: &Record) -> CallRow<'a> {
    let seconds = |ns: u64| ns as f64 / 1e9;
    let name = |id: Option<u32>| id.map_or("".into(), |id| scenario.fleet.name(id));
    CallRow {
        design: cell.design.name(),
        replication: cell.replication,
        call: record.call,
        arrived_s: record.arrived.as_secs_f64(),
        think_s: record.think_ns.map(seconds),
        action: record.action.map_or("never", |action| action.name()),
        amount: record.amount,
        client: &scenario.clients.kinds[usize::from(record.client)].name,
        asked_s: record.asked.map(|at| at.as_secs_f64()),
        ended_s: record.ended.as_secs_f64(),
        outcome: record.end.outcome.name(),
        cause: record.end.cause.map_or("", |cause| cause.name()),
        server_view: record.end.server_view(scenario.state.key_id),
        first_instance: name(record.first_instance),
        last_instance: name(record.last_instance),
        asks: record.asks,
        prompts: record.prompts,
        invalid_at_client: record.invalid_at_client,
        invalid_at_server: record.invalid_at_server,
        messages: record.messages,
        answers: record.answers,
        answers_home: record.answers_home,
        entries: record.entries,
        entries_again: record.entries_again,
        entries_unconfirmed: record.entries_unconfirmed,
        exposed: record.exposed.parties().map(SeenBy::name).collect::<Vec<_>>().join(" "),
        incidents: incidents(record),
        state_bytes: record.state_bytes,
        parked_s: seconds(record.parked_ns),
        repeated_s: seconds(record.repeated_ns),
    }
}

fn incidents(record: &Record) -> String {
    let happened = record.incidents.happened().map(|(incident, count)| format!("{}={count}", incident.name()));
    happened.collect::<Vec<_>>().join(" ")
}

fn written<T: Serialize>(rows: impl IntoIterator<Item = T>, header: bool) -> String {
    let mut writer = csv::WriterBuilder::new().has_headers(header).from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).expect("rows of plain data go into memory");
    }
    let bytes = writer.into_inner().expect("memory can be flushed");
    String::from_utf8(bytes).expect("CSV of text is text")
}
