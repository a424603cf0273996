//! All figures of one design. A measure that did not occur stands as nought, so that files of different scenarios have
//! the same figures; only outcomes, parties and kinds of clients are listed as they occur.

use std::collections::BTreeMap;

use serde::Serialize;

use super::bill::BillSummary;
use super::clients::{ClientSummary, clients};
use super::figure::{
    Count, LevelEstimate, Measure, Proportion, Quantiles, WaitsEstimate, latency, level, measure, outcomes, proportion,
    waits,
};
use crate::metrics::{Ends, Incident, Outcome, Tally};
use crate::scenario::Scenario;
use crate::world::{Cause, SeenBy};

/// One design at one point.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DesignSummary {
    /// Calls that started.
    pub started: Measure,
    /// How they ended; only ends that occurred.
    pub outcomes: BTreeMap<Outcome, Count>,
    /// Bodies parked.
    pub parked: LevelEstimate,
    /// Worker threads in use.
    pub threads_held: LevelEstimate,
    /// Calls in the waiting lines.
    pub queue: LevelEstimate,
    /// Requests open at the balancer.
    pub open: LevelEstimate,
    /// Bodies parked at the instance that keeps most.
    pub fullest: LevelEstimate,
    /// Sessions that processes keep.
    pub sessions: LevelEstimate,
    /// Processes that run.
    pub processes: LevelEstimate,
    /// Answers that wait for an owner that says nothing.
    pub passing: LevelEstimate,
    /// Those who came to an instance for a thread.
    pub line: Option<WaitsEstimate>,
    /// Those who came to a pool for a connection.
    pub pool: Option<WaitsEstimate>,
    /// Processes that were killed for what they took; only causes that occurred.
    pub killed: BTreeMap<Cause, Measure>,
    /// Ledger entries.
    pub entries: Measure,
    /// Entries made again because a body ran again from the top.
    pub entries_again: Measure,
    /// Entries made though nobody had been asked.
    pub entries_unconfirmed: Measure,
    /// Entries of calls that did not complete.
    pub entries_orphaned: Measure,
    /// Requests that servers sent to clients.
    pub asks: Measure,
    /// Questions shown to people.
    pub prompts: Measure,
    /// Answers that did not fit their form and that a host held back.
    pub invalid_at_client: Measure,
    /// Answers that did not fit their form and that reached a server.
    pub invalid_at_server: Measure,
    /// Calls whose secret a party saw; only parties that saw one.
    pub exposed: BTreeMap<SeenBy, Measure>,
    /// What else happened to calls; only what did.
    pub incidents: BTreeMap<Incident, Measure>,
    /// What happened to pages whose calls had ended; only what did.
    pub incidents_late: BTreeMap<Incident, Measure>,
    /// Messages routed.
    pub messages: Measure,
    /// Messages that brought answers.
    pub answers: Measure,
    /// Those that reached the instance that had asked.
    pub answers_home: Measure,
    /// Their share of all that brought answers; none where none did.
    pub home_share: Option<Proportion>,
    /// Bytes of state that clients carried.
    pub state_bytes: Measure,
    /// Thread time spent again, seconds.
    pub repeated_s: Measure,
    /// Latency of completed calls; none where no replication has one (see [`Tally::latency_s`]).
    pub latency_s: Option<Quantiles>,
    /// By name of the kind of client; empty when all clients are of one kind.
    pub clients: BTreeMap<String, ClientSummary>,
    /// What it costs, where the scenario has prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bill: Option<BillSummary>,
}

impl DesignSummary {
    /// Sums up the replications of one design.
    pub(super) fn of(scenario: &Scenario, tallies: &[&Tally]) -> DesignSummary {
        let ends: Vec<&Ends> = tallies.iter().map(|tally| &tally.ends).collect();
        let total = |value: fn(&Tally) -> u64| measure(tallies, |tally| value(tally) as f64);
        DesignSummary {
            started: total(|tally| tally.started),
            outcomes: outcomes(&ends),
            parked: level(tallies, |tally| tally.parked),
            threads_held: level(tallies, |tally| tally.threads_held),
            queue: level(tallies, |tally| tally.queue),
            open: level(tallies, |tally| tally.open),
            fullest: level(tallies, |tally| tally.fullest),
            sessions: level(tallies, |tally| tally.sessions),
            processes: level(tallies, |tally| tally.processes),
            passing: level(tallies, |tally| tally.passing),
            line: waits(tallies, |tally| tally.line),
            pool: waits(tallies, |tally| tally.pool),
            killed: listed(tallies, Cause::ALL, |tally| &tally.killed),
            entries: total(|tally| tally.entries),
            entries_again: total(|tally| tally.entries_again),
            entries_unconfirmed: total(|tally| tally.entries_unconfirmed),
            entries_orphaned: total(|tally| tally.entries_orphaned),
            asks: total(|tally| tally.asks),
            prompts: total(|tally| tally.prompts),
            invalid_at_client: total(|tally| tally.invalid_at_client),
            invalid_at_server: total(|tally| tally.invalid_at_server),
            exposed: listed(tallies, SeenBy::ALL, |tally| &tally.exposed),
            incidents: listed(tallies, Incident::ALL, |tally| &tally.incidents),
            incidents_late: listed(tallies, Incident::ALL, |tally| &tally.incidents_late),
            messages: total(|tally| tally.messages),
            answers: total(|tally| tally.answers),
            answers_home: total(|tally| tally.answers_home),
            home_share: proportion(tallies, |tally| tally.answers_home, |tally| tally.answers),
            state_bytes: total(|tally| tally.state_bytes),
            repeated_s: measure(tallies, |tally| tally.repeated_s),
            latency_s: latency(tallies),
            clients: clients(tallies, &scenario.clients.kinds),
            bill: BillSummary::of(scenario, tallies),
        }
    }
}

/// A measure for each of these that occurred.
fn listed<K: Ord + Copy, const N: usize>(
    tallies: &[&Tally],
    all: [K; N],
    of: fn(&Tally) -> &BTreeMap<K, u64>,
) -> BTreeMap<K, Measure> {
    let counted = |key| measure(tallies, |tally| of(tally).get(&key).map_or(0.0, |&count| count as f64));
    all.into_iter().map(|key| (key, counted(key))).filter(|(_, count)| count.total > 0.0).collect()
}
