//! From cells to what a reader sees: means with 95 % intervals over replications, the paired differences between the
//! designs, the digest. The unit of analysis is the replication, never the call.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use sha2::{Digest, Sha256};

use super::Cell;
use super::verdict::verdict;
use crate::era::Design;
use crate::metrics::{LevelSummary, Outcome, Tally};
use crate::scenario::{Scenario, effective_hash};
use crate::stats::{Estimate, Paired, ratio};
use crate::world::Cause;

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Name of the scenario.
    pub scenario: String,
    /// Its question.
    pub question: String,
    /// SHA-256 of the effective scenario.
    pub scenario_hash: String,
    /// Version of the program.
    pub version: &'static str,
    /// Seed of every random number.
    pub seed: u64,
    /// Replications that were finished, and that were asked for.
    pub replications: u32,
    /// Replications that the scenario asks for; larger than `replications` after an interruption.
    pub replications_wanted: u32,
    /// Replications that an interruption left out: first and last of each gap.
    pub missing: Vec<(u32, u32)>,
    /// SHA-256 over what happened in every replication: the same on any number of threads.
    pub digest: String,
    /// In one sentence, what decided it.
    pub verdict: String,
    /// One point for each combination of varied keys; a scenario without a sweep has one, with none varied.
    pub points: Vec<Point>,
}

/// All designs under one combination of varied keys.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Point {
    /// The varied keys and their values.
    pub point: BTreeMap<String, String>,
    /// By design, in the order of [`Design::ALL`].
    pub designs: BTreeMap<Design, DesignSummary>,
    /// First design minus second, on the same people.
    pub differences: Vec<Difference>,
}

/// A total per replication.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Measure {
    /// Mean over replications.
    pub mean: f64,
    /// Half width of its 95 % interval; none below two replications.
    pub half_width: Option<f64>,
    /// Sum over replications; whole numbers stand without a decimal point.
    #[serde(serialize_with = "whole_if_it_is")]
    pub total: f64,
}

fn whole_if_it_is<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    /// Up to here every whole number is exact.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() <= EXACT {
        serializer.serialize_i64(*value as i64)
    } else {
        serializer.serialize_f64(*value)
    }
}

/// A count of calls per replication.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Count {
    /// Mean over replications.
    pub mean: f64,
    /// Half width of its 95 % interval; none below two replications.
    pub half_width: Option<f64>,
    /// Sum over replications.
    pub total: u64,
    /// Share of all calls that started, sum over sum.
    pub share: f64,
    /// Half width of its 95 % interval, by the jackknife over replications; none below two replications.
    pub share_half_width: Option<f64>,
    /// The same count split by cause; empty for ends that need none.
    pub causes: Causes,
}

/// Totals by cause.
pub type Causes = BTreeMap<Cause, u64>;

/// A level: mean of its time averages over replications, largest value in any of them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LevelEstimate {
    /// Mean of the time averages.
    pub mean: f64,
    /// Half width of its 95 % interval; none below two replications.
    pub half_width: Option<f64>,
    /// Largest value seen.
    pub peak: u32,
}

/// Latency of completed calls, seconds: means over replications of the mean and of quantiles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Quantiles {
    /// Mean of the means.
    pub mean: f64,
    /// Half width of its 95 % interval; none below two replications.
    pub half_width: Option<f64>,
    /// Mean of the medians.
    pub p50: f64,
    /// Mean of the 95 % quantiles.
    pub p95: f64,
    /// Mean of the 99 % quantiles.
    pub p99: f64,
}

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
    /// Ledger entries.
    pub entries: Measure,
    /// Questions shown to people.
    pub prompts: Measure,
    /// Messages routed.
    pub messages: Measure,
    /// Bytes of state that clients carried.
    pub state_bytes: Measure,
    /// Thread time spent again, seconds.
    pub repeated_s: Measure,
    /// Latency of completed calls; none where no replication has one (see [`Tally::latency_s`]).
    pub latency_s: Option<Quantiles>,
}

/// A paired difference of one metric.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Name of the metric.
    pub metric: String,
    /// The design from whose value ...
    pub of: Design,
    /// ... this one's is subtracted, replication by replication.
    pub minus: Design,
    /// Mean of the differences.
    pub mean: f64,
    /// Half width of its 95 % interval; none below two replications.
    pub half_width: Option<f64>,
    /// Correlation of the two designs over replications; what pairing gained.
    pub correlation: Option<f64>,
}

impl Summary {
    /// Sums up the finished cells of a run (by replication, then design).
    pub fn of(scenario: &Scenario, cells: &[Cell]) -> Summary {
        let by_design: BTreeMap<Design, Vec<&Tally>> = scenario
            .designs
            .iter()
            .map(|&d| (d, cells.iter().filter(|c| c.design == d).map(|c| &c.tally).collect()))
            .collect();
        let finished = cells.len() / scenario.designs.len();
        let designs = by_design.iter().map(|(&design, tallies)| (design, DesignSummary::of(tallies))).collect();
        let differences = match scenario.designs[..] {
            [a, b] if finished > 0 => differences(a, &by_design[&a], b, &by_design[&b]),
            _ => Vec::new(),
        };
        let point = Point { point: BTreeMap::new(), designs, differences };
        Summary {
            scenario: scenario.name.clone(),
            question: scenario.question.clone(),
            scenario_hash: effective_hash(scenario),
            version: env!("CARGO_PKG_VERSION"),
            seed: scenario.seed,
            replications: finished as u32,
            replications_wanted: scenario.replications,
            missing: gaps(cells, scenario.replications),
            digest: digest(cells),
            verdict: verdict(&point, finished as u32),
            points: vec![point],
        }
    }
}

/// First and last of each gap in the replications of these cells, which ascend.
fn gaps(cells: &[Cell], wanted: u32) -> Vec<(u32, u32)> {
    let mut gaps = Vec::new();
    let mut next = 0;
    for replication in cells.iter().map(|cell| cell.replication).chain([wanted]) {
        if replication > next {
            gaps.push((next, replication - 1));
        }
        next = replication + 1;
    }
    gaps
}

/// Covers what happened, by name: every call's record, through the running hash, and the levels. So neither a new key
/// with a default nor a new measure moves it.
fn digest(cells: &[Cell]) -> String {
    let mut hash = Sha256::new();
    for Cell { design, replication, tally, .. } in cells {
        let Tally { started, hash: records, parked, threads_held, queue, open, .. } = tally;
        hash.update(format!("{} {replication} started {started} records {records:016x}", design.name()));
        for (name, level) in [("parked", parked), ("threads_held", threads_held), ("queue", queue), ("open", open)] {
            hash.update(format!(" {name} {} {}", level.mean, level.peak));
        }
        hash.update("\n");
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn measure(tallies: &[&Tally], value: impl Fn(&Tally) -> f64) -> Measure {
    let values: Vec<f64> = tallies.iter().map(|tally| value(tally)).collect();
    let estimate = Estimate::of(&values);
    Measure { mean: estimate.mean, half_width: estimate.half_width, total: values.iter().sum() }
}

fn level(tallies: &[&Tally], value: impl Fn(&Tally) -> LevelSummary) -> LevelEstimate {
    let means = measure(tallies, |tally| value(tally).mean);
    let peak = tallies.iter().map(|tally| value(tally).peak).max().unwrap_or(0);
    LevelEstimate { mean: means.mean, half_width: means.half_width, peak }
}

fn count(tallies: &[&Tally], outcome: Outcome) -> Option<Count> {
    let counts = measure(tallies, |tally| tally.count(outcome) as f64);
    if counts.total == 0.0 {
        return None;
    }
    let mut causes = Causes::new();
    let ends = tallies.iter().flat_map(|tally| &tally.ends);
    for (end, &count) in ends.filter(|(end, _)| end.outcome == outcome) {
        if let Some(cause) = end.cause {
            *causes.entry(cause).or_default() += count;
        }
    }
    let Measure { mean, half_width, total } = counts;
    let numerators: Vec<f64> = tallies.iter().map(|tally| tally.count(outcome) as f64).collect();
    let denominators: Vec<f64> = tallies.iter().map(|tally| tally.started as f64).collect();
    let share = ratio(&numerators, &denominators);
    let share_half_width = share.half_width;
    Some(Count { mean, half_width, total: total as u64, share: share.mean, share_half_width, causes })
}

fn latency(tallies: &[&Tally]) -> Option<Quantiles> {
    let known: Vec<_> = tallies.iter().filter_map(|tally| tally.latency_s).collect();
    if known.is_empty() {
        return None;
    }
    let estimate = |value: fn(&crate::metrics::Latency) -> f64| {
        let values: Vec<f64> = known.iter().map(value).collect();
        Estimate::of(&values)
    };
    let mean = estimate(|latency| latency.mean);
    Some(Quantiles {
        mean: mean.mean,
        half_width: mean.half_width,
        p50: estimate(|latency| latency.p50).mean,
        p95: estimate(|latency| latency.p95).mean,
        p99: estimate(|latency| latency.p99).mean,
    })
}

impl DesignSummary {
    fn of(tallies: &[&Tally]) -> DesignSummary {
        let started = measure(tallies, |tally| tally.started as f64);
        let outcomes = Outcome::ALL.into_iter();
        let outcomes = outcomes.filter_map(|o| count(tallies, o).map(|count| (o, count))).collect();
        DesignSummary {
            started,
            outcomes,
            parked: level(tallies, |tally| tally.parked),
            threads_held: level(tallies, |tally| tally.threads_held),
            queue: level(tallies, |tally| tally.queue),
            open: level(tallies, |tally| tally.open),
            entries: measure(tallies, |tally| tally.entries as f64),
            prompts: measure(tallies, |tally| tally.prompts as f64),
            messages: measure(tallies, |tally| tally.messages as f64),
            state_bytes: measure(tallies, |tally| tally.state_bytes as f64),
            repeated_s: measure(tallies, |tally| tally.repeated_s),
            latency_s: latency(tallies),
        }
    }
}

/// The paired difference of every metric that occurred.
fn differences(a: Design, of: &[&Tally], b: Design, minus: &[&Tally]) -> Vec<Difference> {
    let mut all = Vec::new();
    let mut pair = |metric: &str, value: &dyn Fn(&Tally) -> Option<f64>| {
        let both = of.iter().zip(minus).filter_map(|(x, y)| value(x).zip(value(y)));
        let (x, y): (Vec<f64>, Vec<f64>) = both.unzip();
        if !x.is_empty() && x.iter().chain(&y).any(|&value| value != 0.0) {
            let Paired { difference, correlation } = Paired::of(&x, &y);
            let Estimate { mean, half_width, .. } = difference;
            all.push(Difference { metric: metric.to_owned(), of: a, minus: b, mean, half_width, correlation });
        }
    };
    for outcome in Outcome::ALL {
        pair(outcome.name(), &|tally| Some(tally.count(outcome) as f64));
    }
    pair("parked", &|tally| Some(tally.parked.mean));
    pair("threads_held", &|tally| Some(tally.threads_held.mean));
    pair("queue", &|tally| Some(tally.queue.mean));
    pair("open", &|tally| Some(tally.open.mean));
    pair("entries", &|tally| Some(tally.entries as f64));
    pair("prompts", &|tally| Some(tally.prompts as f64));
    pair("messages", &|tally| Some(tally.messages as f64));
    pair("state_bytes", &|tally| Some(tally.state_bytes as f64));
    pair("repeated_s", &|tally| Some(tally.repeated_s));
    pair("latency_s", &|tally| tally.latency_s.map(|latency| latency.mean));
    all
}
