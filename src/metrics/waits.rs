//! How long those waited who came to a line: for a thread, or for a connection. Must never count who is still waiting.

use std::time::Duration;

use hdrhistogram::Histogram;
use serde::Serialize;

use crate::engine::SimTime;

/// Those who came to a line and left it, served or not.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Waits {
    /// How many.
    pub visits: u64,
    /// Those among them who had to wait.
    pub waited: u64,
    /// Those among them who had to wait longer than what is called slow.
    pub slow: u64,
    /// Mean wait of all, seconds.
    pub mean_s: f64,
    /// 99 % quantile of the waits of all, seconds, within 0.1 %.
    pub p99_s: f64,
}

/// Waits in the making.
#[derive(Debug)]
pub(super) struct WaitsSoFar {
    slow: Duration,
    waited: u64,
    slow_ones: u64,
    total_ns: u128,
    all: Histogram<u64>,
}

impl WaitsSoFar {
    pub(super) fn new(slow: Duration) -> WaitsSoFar {
        let all = Histogram::new_with_bounds(1, SimTime::MAX.ns(), 3).expect("valid bounds");
        WaitsSoFar { slow, waited: 0, slow_ones: 0, total_ns: 0, all }
    }

    pub(super) fn note(&mut self, wait: Duration) {
        self.waited += u64::from(!wait.is_zero());
        self.slow_ones += u64::from(wait > self.slow);
        self.total_ns += wait.as_nanos();
        self.all.saturating_record((wait.as_nanos() as u64).max(1));
    }

    /// None where nobody came.
    pub(super) fn finish(&self) -> Option<Waits> {
        let visits = self.all.len();
        (visits > 0).then(|| Waits {
            visits,
            waited: self.waited,
            slow: self.slow_ones,
            mean_s: self.total_ns as f64 / visits as f64 / 1e9,
            p99_s: if self.waited == 0 { 0.0 } else { self.all.value_at_quantile(0.99) as f64 / 1e9 },
        })
    }
}
