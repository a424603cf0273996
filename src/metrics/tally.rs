//! What one replication of one design came to. Records and levels are folded into it as they come, so its size does not
//! grow with the number of calls.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::time::Duration;

use hdrhistogram::Histogram;
use serde::Serialize;

use super::waits::{Waits, WaitsSoFar};
use super::{End, Incident, Incidents, Level, Outcome, Record, Window};
use crate::engine::SimTime;
use crate::world::{Cause, SeenBy};

/// The levels of one replication.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    /// Bodies kept suspended while a person is asked.
    pub parked: Level,
    /// Worker threads in use: by parked and by running bodies.
    pub threads_held: Level,
    /// Calls in the waiting lines.
    pub queue: Level,
    /// Requests open at the balancer: waiting in line, running and parked.
    pub open: Level,
    /// Bodies kept by the instance that keeps most.
    pub fullest: Level,
    /// Sessions that processes keep.
    pub sessions: Level,
    /// Processes that run.
    pub processes: Level,
    /// Bodies that run.
    pub working: Level,
    /// Answers that wait for an owner that says nothing.
    pub passing: Level,
}

impl Levels {
    /// All at nought; with their quantiles where they are wanted.
    pub fn new(with_quantiles: bool) -> Levels {
        let level = || if with_quantiles { Level::with_quantiles() } else { Level::default() };
        Levels { parked: level(), threads_held: level(), open: level(), sessions: level(), ..Levels::default() }
    }

    /// The values that these levels did not exceed for this share of the window, if that is known.
    fn sized(&self, share: f64) -> Option<Sized> {
        Some(Sized {
            parked: self.parked.quantile(share)?,
            threads_held: self.threads_held.quantile(share)?,
            open: self.open.quantile(share)?,
            sessions: self.sessions.quantile(share)?,
        })
    }

    fn close(&mut self, window: &Window) {
        for level in [
            &mut self.parked,
            &mut self.threads_held,
            &mut self.queue,
            &mut self.open,
            &mut self.fullest,
            &mut self.sessions,
            &mut self.processes,
            &mut self.working,
            &mut self.passing,
        ] {
            level.close(window);
        }
    }
}

/// What a fleet has to hold most of the time: levels that were not exceeded for some share of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Sized {
    /// Bodies parked.
    pub parked: u32,
    /// Worker threads in use.
    pub threads_held: u32,
    /// Requests open.
    pub open: u32,
    /// Sessions kept.
    pub sessions: u32,
}

/// Time average and peak of one level over the window.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LevelSummary {
    /// Time average.
    pub mean: f64,
    /// Largest value.
    pub peak: u32,
}

impl LevelSummary {
    fn of(level: &Level, window: &Window) -> LevelSummary {
        let (area, peak) = level.finish();
        LevelSummary { mean: area as f64 / window.length_ns() as f64, peak }
    }
}

/// Time from arrival to end of the calls that completed, seconds. Quantiles are within 0.1 % of the exact ones.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Latency {
    /// Mean.
    pub mean: f64,
    /// Median.
    pub p50: f64,
    /// 95 % quantile.
    pub p95: f64,
    /// 99 % quantile.
    pub p99: f64,
}

/// How many calls ended in each way; only ends that occurred.
pub type Ends = BTreeMap<End, u64>;

/// The calls of one kind of client.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClientTally {
    /// Calls that arrived in the window.
    pub started: u64,
    /// How they ended.
    pub ends: Ends,
}

/// What one replication of one design came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tally {
    /// Calls that arrived in the window.
    pub started: u64,
    /// How they ended.
    pub ends: Ends,
    /// The same by kind of client, in the order of the scenario's list.
    pub clients: Vec<ClientTally>,
    /// Ledger entries they made.
    pub entries: u64,
    /// Entries among them that were made again because a body ran again from the top.
    pub entries_again: u64,
    /// Entries among them that were made though nobody had been asked.
    pub entries_unconfirmed: u64,
    /// Entries among them of calls that did not complete.
    pub entries_orphaned: u64,
    /// Requests that servers sent to clients.
    pub asks: u64,
    /// Questions shown to people.
    pub prompts: u64,
    /// Answers that did not fit their form and that a host held back.
    pub invalid_at_client: u64,
    /// Answers that did not fit their form and that reached a server.
    pub invalid_at_server: u64,
    /// Calls whose secret a party saw; only parties that saw one.
    pub exposed: BTreeMap<SeenBy, u64>,
    /// What else happened to them; only what did.
    pub incidents: BTreeMap<Incident, u64>,
    /// What happened to pages whose calls had ended; only what did. Also of calls outside the window.
    pub incidents_late: BTreeMap<Incident, u64>,
    /// Messages that the balancer routed.
    pub messages: u64,
    /// Messages among them that brought answers.
    pub answers: u64,
    /// Those of these that reached the instance that had asked.
    pub answers_home: u64,
    /// Bytes of state carried by clients.
    pub state_bytes: u64,
    /// Thread time spent again, seconds.
    pub repeated_s: f64,
    /// Latency of completed calls; `None` when none completed, or when calls were open at the end that might still have
    /// completed, because a mean over the finished ones alone is biased.
    pub latency_s: Option<Latency>,
    /// Bodies parked.
    pub parked: LevelSummary,
    /// Worker threads in use.
    pub threads_held: LevelSummary,
    /// Calls in the waiting lines.
    pub queue: LevelSummary,
    /// Requests open at the balancer.
    pub open: LevelSummary,
    /// Bodies parked at the instance that keeps most.
    pub fullest: LevelSummary,
    /// Sessions that processes keep.
    pub sessions: LevelSummary,
    /// Processes that run.
    pub processes: LevelSummary,
    /// Bodies that run.
    pub working: LevelSummary,
    /// Answers that wait for an owner that says nothing.
    pub passing: LevelSummary,
    /// What the fleet had to hold most of the time, where a bill is wanted.
    pub sized: Option<Sized>,
    /// Processes that were killed for what they took; only causes that occurred.
    pub killed: BTreeMap<Cause, u64>,
    /// Those who came to an instance for a thread, and how long they waited for it; in the window.
    pub line: Option<Waits>,
    /// The same for connections of the pools.
    pub pool: Option<Waits>,
    /// Running hash over the records of all calls, also of those outside the window.
    pub hash: u64,
    /// Logical events: arrivals, service ends, answers and ends of calls.
    pub events: u64,
}

impl Tally {
    /// How many calls ended so, whatever the cause.
    pub fn count(&self, outcome: Outcome) -> u64 {
        self.ends.iter().filter(|(end, _)| end.outcome == outcome).map(|(_, &count)| count).sum()
    }
}

/// Calls by outcome and cause, the first place for none: small and of fixed size, so that a record costs one addition.
type Grid = [[u64; Cause::ALL.len() + 1]; Outcome::ALL.len()];

fn ends_of(grid: &Grid) -> Ends {
    let mut ends = Ends::new();
    for outcome in Outcome::ALL {
        let causes = std::iter::once(None).chain(Cause::ALL.map(Some));
        for (cause, &count) in causes.zip(&grid[outcome as usize]) {
            if count > 0 {
                ends.insert(End { outcome, cause }, count);
            }
        }
    }
    ends
}

fn happened(counts: &[u64; Incident::ALL.len()]) -> BTreeMap<Incident, u64> {
    Incident::ALL.into_iter().zip(*counts).filter(|&(_, count)| count > 0).collect()
}

/// A tally in the making.
#[derive(Debug)]
pub(crate) struct Fold {
    window: Window,
    /// One grid for each kind of client.
    ends: Vec<Grid>,
    entries: u64,
    entries_again: u64,
    entries_unconfirmed: u64,
    entries_orphaned: u64,
    asks: u64,
    prompts: u64,
    invalid_at_client: u64,
    invalid_at_server: u64,
    exposed: [u64; SeenBy::ALL.len()],
    incidents: [u64; Incident::ALL.len()],
    incidents_late: [u64; Incident::ALL.len()],
    messages: u64,
    answers: u64,
    answers_home: u64,
    state_bytes: u64,
    repeated_ns: u128,
    latency_ns: u128,
    latency: Histogram<u64>,
    killed: BTreeMap<Cause, u64>,
    line: WaitsSoFar,
    pool: WaitsSoFar,
    hash: u64,
}

impl Fold {
    /// For calls of so many kinds of clients; a wait longer than `slow` is called so.
    pub(crate) fn new(window: Window, kinds: usize, slow: Duration) -> Fold {
        Fold {
            window,
            ends: vec![[[0; Cause::ALL.len() + 1]; Outcome::ALL.len()]; kinds],
            entries: 0,
            entries_again: 0,
            entries_unconfirmed: 0,
            entries_orphaned: 0,
            asks: 0,
            prompts: 0,
            invalid_at_client: 0,
            invalid_at_server: 0,
            exposed: [0; SeenBy::ALL.len()],
            incidents: [0; Incident::ALL.len()],
            incidents_late: [0; Incident::ALL.len()],
            messages: 0,
            answers: 0,
            answers_home: 0,
            state_bytes: 0,
            repeated_ns: 0,
            latency_ns: 0,
            latency: Histogram::new_with_bounds(1, SimTime::MAX.ns(), 3).expect("valid bounds"),
            killed: BTreeMap::new(),
            line: WaitsSoFar::new(slow),
            pool: WaitsSoFar::new(slow),
            hash: 0,
        }
    }

    pub(crate) fn record(&mut self, record: &Record) {
        self.hash = record.fold(self.hash);
        if !self.window.contains(record.arrived) {
            return;
        }
        let outcome = record.end.outcome;
        let cause = record.end.cause.map_or(0, |cause| cause as usize + 1);
        self.ends[usize::from(record.client)][outcome as usize][cause] += 1;
        self.entries += u64::from(record.entries);
        self.entries_again += u64::from(record.entries_again);
        self.entries_unconfirmed += u64::from(record.entries_unconfirmed);
        self.asks += u64::from(record.asks);
        self.prompts += u64::from(record.prompts);
        self.invalid_at_client += u64::from(record.invalid_at_client);
        self.invalid_at_server += u64::from(record.invalid_at_server);
        self.messages += u64::from(record.messages);
        self.answers += u64::from(record.answers);
        self.answers_home += u64::from(record.answers_home);
        self.state_bytes += u64::from(record.state_bytes);
        self.repeated_ns += u128::from(record.repeated_ns);
        for party in record.exposed.parties() {
            self.exposed[party as usize] += 1;
        }
        if record.incidents != Incidents::NONE {
            for (incident, count) in record.incidents.happened() {
                self.incidents[incident as usize] += u64::from(count);
            }
        }
        if outcome == Outcome::Completed {
            let ns = record.ended.ns() - record.arrived.ns();
            self.latency_ns += u128::from(ns);
            self.latency.saturating_record(ns.max(1));
        } else {
            self.entries_orphaned += u64::from(record.entries);
        }
    }

    /// Something happened to a page whose call has ended.
    pub(crate) fn late(&mut self, incident: Incident) {
        self.incidents_late[incident as usize] += 1;
    }

    /// A process was killed for what it took.
    pub(crate) fn killed(&mut self, why: Cause) {
        *self.killed.entry(why).or_default() += 1;
    }

    /// Somebody leaves the line for a thread now, having waited so long.
    #[inline]
    pub(crate) fn line(&mut self, now: SimTime, wait: Duration) {
        if self.window.contains(now) {
            self.line.note(wait);
        }
    }

    /// Somebody leaves the line for a connection now, having waited so long.
    pub(crate) fn pool(&mut self, now: SimTime, wait: Duration) {
        if self.window.contains(now) {
            self.pool.note(wait);
        }
    }

    fn clients(&self) -> Vec<ClientTally> {
        let tally = |ends: Ends| ClientTally { started: ends.values().sum(), ends };
        self.ends.iter().map(|grid| tally(ends_of(grid))).collect()
    }

    fn exposed(&self) -> BTreeMap<SeenBy, u64> {
        SeenBy::ALL.into_iter().zip(self.exposed).filter(|&(_, calls)| calls > 0).collect()
    }

    fn latency(&self) -> Option<Latency> {
        // Open calls to which nothing had happened: they might have completed, later than all others.
        let open: u64 = self.ends.iter().map(|grid| grid[Outcome::OpenAtEnd as usize][0]).sum();
        let count = self.latency.len();
        if open > 0 || count == 0 {
            return None;
        }
        let quantile = |q| self.latency.value_at_quantile(q) as f64 / 1e9;
        Some(Latency {
            mean: self.latency_ns as f64 / count as f64 / 1e9,
            p50: quantile(0.50),
            p95: quantile(0.95),
            p99: quantile(0.99),
        })
    }

    /// `quantile` is the share of the window for which what is `sized` must do.
    pub(crate) fn finish(self, mut levels: Levels, events: u64, quantile: Option<f64>) -> Tally {
        levels.close(&self.window);
        let clients = self.clients();
        let mut ends = Ends::new();
        for (&end, &count) in clients.iter().flat_map(|kind| &kind.ends) {
            *ends.entry(end).or_default() += count;
        }
        Tally {
            started: ends.values().sum(),
            latency_s: self.latency(),
            ends,
            clients,
            entries: self.entries,
            entries_again: self.entries_again,
            entries_unconfirmed: self.entries_unconfirmed,
            entries_orphaned: self.entries_orphaned,
            asks: self.asks,
            prompts: self.prompts,
            invalid_at_client: self.invalid_at_client,
            invalid_at_server: self.invalid_at_server,
            exposed: self.exposed(),
            incidents: happened(&self.incidents),
            incidents_late: happened(&self.incidents_late),
            messages: self.messages,
            answers: self.answers,
            answers_home: self.answers_home,
            state_bytes: self.state_bytes,
            repeated_s: self.repeated_ns as f64 / 1e9,
            parked: LevelSummary::of(&levels.parked, &self.window),
            threads_held: LevelSummary::of(&levels.threads_held, &self.window),
            queue: LevelSummary::of(&levels.queue, &self.window),
            open: LevelSummary::of(&levels.open, &self.window),
            fullest: LevelSummary::of(&levels.fullest, &self.window),
            sessions: LevelSummary::of(&levels.sessions, &self.window),
            processes: LevelSummary::of(&levels.processes, &self.window),
            working: LevelSummary::of(&levels.working, &self.window),
            passing: LevelSummary::of(&levels.passing, &self.window),
            sized: quantile.and_then(|share| levels.sized(share)),
            killed: self.killed,
            line: self.line.finish(),
            pool: self.pool.finish(),
            hash: self.hash,
            events,
        }
    }
}
