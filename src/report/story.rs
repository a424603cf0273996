//! The story of one call as text: who sent what to whom, when, and how it ended.

use super::number::plain;
use super::table::columns;
use crate::era::Design;
use crate::metrics::Record;
use crate::scenario::Scenario;
use crate::sim::{Party, Step};

/// The story of one call under one design.
pub fn story(scenario: &Scenario, design: Design, steps: &[Step], record: &Record) -> String {
    let why = record.end.cause.map_or_else(String::new, |cause| format!(", because {}", cause.in_words()));
    let rows: Vec<[String; 3]> = steps
        .iter()
        .map(|step| {
            let way = match (step.from == step.to, name(scenario, step.from), name(scenario, step.to)) {
                (true, at, _) => at,
                (false, from, to) => format!("{from} -> {to}"),
            };
            [format!("{:.6}", step.at.as_secs_f64()), way, step.what.clone()]
        })
        .collect();
    format!(
        "call {} under {}: {}{why}, after {} s, with {} {}\n{}\n",
        record.call,
        design.name(),
        record.end.outcome.name().replace('_', " "),
        plain(record.ended.since(record.arrived).as_secs_f64()),
        record.entries,
        if record.entries == 1 { "entry" } else { "entries" },
        columns(&["time, s", "who", "what"].map(str::to_owned), &rows, None)
    )
}

pub(super) fn name(scenario: &Scenario, party: Party) -> String {
    match party {
        Party::Person => "person".to_owned(),
        Party::Client => "client".to_owned(),
        Party::Balancer => "balancer".to_owned(),
        Party::Instance(id) => scenario.fleet.name(id).into_owned(),
        Party::Browser => "browser".to_owned(),
        Party::Ledger => "ledger".to_owned(),
    }
}
