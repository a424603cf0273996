//! What one replication of one design came to. Records and levels are folded into it as they come, so its size does not
//! grow with the number of calls.

use std::collections::BTreeMap;

use hdrhistogram::Histogram;
use serde::Serialize;

use super::{End, Level, Outcome, Record, Window};
use crate::engine::SimTime;

/// The levels of one replication.
#[derive(Clone, Copy, Debug, Default)]
pub struct Levels {
    /// Bodies kept suspended while a person is asked.
    pub parked: Level,
    /// Worker threads in use: by parked and by running bodies.
    pub threads_held: Level,
    /// Calls in the waiting lines.
    pub queue: Level,
    /// Requests open at the balancer: waiting in line, running and parked.
    pub open: Level,
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
    fn of(level: Level, window: &Window) -> LevelSummary {
        let (area, peak) = level.finish(window);
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

/// What one replication of one design came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tally {
    /// Calls that arrived in the window.
    pub started: u64,
    /// How they ended.
    pub ends: BTreeMap<End, u64>,
    /// Ledger entries they made.
    pub entries: u64,
    /// Questions shown to people.
    pub prompts: u64,
    /// Messages that the balancer routed.
    pub messages: u64,
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

/// A tally in the making.
#[derive(Debug)]
pub(crate) struct Fold {
    window: Window,
    ends: [[u64; Self::CAUSES]; Outcome::ALL.len()],
    entries: u64,
    prompts: u64,
    messages: u64,
    state_bytes: u64,
    repeated_ns: u128,
    latency_ns: u128,
    latency: Histogram<u64>,
    hash: u64,
}

impl Fold {
    const CAUSES: usize = crate::world::Cause::ALL.len() + 1;

    pub(crate) fn new(window: Window) -> Fold {
        Fold {
            window,
            ends: [[0; Self::CAUSES]; Outcome::ALL.len()],
            entries: 0,
            prompts: 0,
            messages: 0,
            state_bytes: 0,
            repeated_ns: 0,
            latency_ns: 0,
            latency: Histogram::new_with_bounds(1, SimTime::MAX.ns(), 3).expect("valid bounds"),
            hash: 0,
        }
    }

    pub(crate) fn record(&mut self, record: &Record) {
        self.hash = record.fold(self.hash);
        if !self.window.contains(record.arrived) {
            return;
        }
        let cause = record.end.cause.map_or(0, |cause| cause as usize + 1);
        self.ends[record.end.outcome as usize][cause] += 1;
        self.entries += u64::from(record.entries);
        self.prompts += u64::from(record.prompts);
        self.messages += u64::from(record.messages);
        self.state_bytes += u64::from(record.state_bytes);
        self.repeated_ns += u128::from(record.repeated_ns);
        if record.end.outcome == Outcome::Completed {
            let ns = record.ended.ns() - record.arrived.ns();
            self.latency_ns += u128::from(ns);
            self.latency.saturating_record(ns.max(1));
        }
    }

    fn ends(&self) -> BTreeMap<End, u64> {
        let mut ends = BTreeMap::new();
        for outcome in Outcome::ALL {
            let causes = std::iter::once(None).chain(crate::world::Cause::ALL.map(Some));
            for (cause, &count) in causes.zip(&self.ends[outcome as usize]) {
                if count > 0 {
                    ends.insert(End { outcome, cause }, count);
                }
            }
        }
        ends
    }

    fn latency(&self) -> Option<Latency> {
        // Open calls to which nothing had happened: they might have completed, later than all others.
        let open = self.ends[Outcome::OpenAtEnd as usize][0];
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

    pub(crate) fn finish(self, levels: &Levels, events: u64) -> Tally {
        let ends = self.ends();
        Tally {
            started: ends.values().sum(),
            latency_s: self.latency(),
            ends,
            entries: self.entries,
            prompts: self.prompts,
            messages: self.messages,
            state_bytes: self.state_bytes,
            repeated_s: self.repeated_ns as f64 / 1e9,
            parked: LevelSummary::of(levels.parked, &self.window),
            threads_held: LevelSummary::of(levels.threads_held, &self.window),
            queue: LevelSummary::of(levels.queue, &self.window),
            open: LevelSummary::of(levels.open, &self.window),
            hash: self.hash,
            events,
        }
    }
}
