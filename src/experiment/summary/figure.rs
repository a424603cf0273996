//! One figure over replications: a total, a count of calls with its share, a level, a latency. Must never weigh a
//! replication by its calls, except in a share, which is a sum over a sum.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use crate::metrics::{Ends, LevelSummary, Outcome, Tally, Waits};
use crate::stats::{Estimate, ratio};
use crate::world::Cause;

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

/// A part of a whole over all replications, sum over sum.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Proportion {
    /// Its share of the whole.
    pub share: f64,
    /// Half width of its 95 % interval, by the jackknife over replications; none below two replications.
    pub half_width: Option<f64>,
}

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

/// Those who came to a line, over the replications in which anybody did.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WaitsEstimate {
    /// How many.
    pub visits: Measure,
    /// Those who had to wait.
    pub waited: Measure,
    /// Those who had to wait longer than what is called slow.
    pub slow: Measure,
    /// Mean of the mean waits, seconds.
    pub mean_s: Measure,
    /// Mean of their 99 % quantiles, seconds.
    pub p99_s: Measure,
}

/// Waits over replications; none where nobody came.
pub(super) fn waits(tallies: &[&Tally], of: fn(&Tally) -> Option<Waits>) -> Option<WaitsEstimate> {
    let known: Vec<Waits> = tallies.iter().filter_map(|tally| of(tally)).collect();
    let known: Vec<&Waits> = known.iter().collect();
    (!known.is_empty()).then(|| WaitsEstimate {
        visits: measure(&known, |waits| waits.visits as f64),
        waited: measure(&known, |waits| waits.waited as f64),
        slow: measure(&known, |waits| waits.slow as f64),
        mean_s: measure(&known, |waits| waits.mean_s),
        p99_s: measure(&known, |waits| waits.p99_s),
    })
}

/// A total per replication.
pub(super) fn measure<T>(cells: &[&T], value: impl Fn(&T) -> f64) -> Measure {
    let values: Vec<f64> = cells.iter().map(|cell| value(cell)).collect();
    let estimate = Estimate::of(&values);
    Measure { mean: estimate.mean, half_width: estimate.half_width, total: values.iter().sum() }
}

/// A level over replications.
pub(super) fn level(tallies: &[&Tally], value: impl Fn(&Tally) -> LevelSummary) -> LevelEstimate {
    let means = measure(tallies, |tally| value(tally).mean);
    let peak = tallies.iter().map(|tally| value(tally).peak).max().unwrap_or(0);
    LevelEstimate { mean: means.mean, half_width: means.half_width, peak }
}

/// A share of all that started, sum over sum: its value and the half width of its interval.
pub(super) fn share(of: &[f64], started: &[f64]) -> (f64, Option<f64>) {
    let share = ratio(of, started);
    (share.mean, share.half_width)
}

/// The proportion of a part in a whole; none where there is no whole.
pub(super) fn proportion(tallies: &[&Tally], part: fn(&Tally) -> u64, whole: fn(&Tally) -> u64) -> Option<Proportion> {
    let values = |of: fn(&Tally) -> u64| tallies.iter().map(|tally| of(tally) as f64).collect::<Vec<_>>();
    let (parts, wholes) = (values(part), values(whole));
    let (share, half_width) = (wholes.iter().sum::<f64>() > 0.0).then(|| share(&parts, &wholes))?;
    Some(Proportion { share, half_width })
}

/// How calls ended, from their ends in each replication; only outcomes that occurred.
pub(super) fn outcomes(ends: &[&Ends]) -> BTreeMap<Outcome, Count> {
    let started: Vec<f64> = ends.iter().map(|ends| ends.values().sum::<u64>() as f64).collect();
    Outcome::ALL.into_iter().filter_map(|outcome| Some((outcome, count(ends, &started, outcome)?))).collect()
}

fn count(ends: &[&Ends], started: &[f64], outcome: Outcome) -> Option<Count> {
    let mut causes = Causes::new();
    let mut counts = Vec::with_capacity(ends.len());
    for ends in ends {
        let mut calls = 0;
        for (end, &count) in ends.iter().filter(|(end, _)| end.outcome == outcome) {
            calls += count;
            if let Some(cause) = end.cause {
                *causes.entry(cause).or_default() += count;
            }
        }
        counts.push(calls as f64);
    }
    let Estimate { mean, half_width, .. } = Estimate::of(&counts);
    let total = counts.iter().sum::<f64>() as u64;
    let (share, share_half_width) = share(&counts, started);
    (total > 0).then_some(Count { mean, half_width, total, share, share_half_width, causes })
}

/// Latency over the replications that have one.
pub(super) fn latency(tallies: &[&Tally]) -> Option<Quantiles> {
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
