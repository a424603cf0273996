//! How the calls of each kind of client ended. Must never say anything of a scenario whose clients are all alike: there
//! it would only repeat the whole.

use std::collections::BTreeMap;

use serde::Serialize;

use super::figure::{Count, Measure, measure, outcomes, share};
use crate::metrics::{ClientTally, Ends, Outcome, Tally};
use crate::scenario::ClientKind;

/// The calls of one kind of client under one design.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClientSummary {
    /// Its share of all calls that started, sum over sum.
    pub share: f64,
    /// Half width of its 95 % interval, by the jackknife over replications; none below two replications.
    pub share_half_width: Option<f64>,
    /// Calls that it started.
    pub started: Measure,
    /// How they ended; only ends that occurred. Shares are of the calls of this kind.
    pub outcomes: BTreeMap<Outcome, Count>,
}

/// By name of the kind; nothing when there is one kind only, or no call.
pub(super) fn clients(tallies: &[&Tally], kinds: &[ClientKind]) -> BTreeMap<String, ClientSummary> {
    let all: Vec<f64> = tallies.iter().map(|tally| tally.started as f64).collect();
    if kinds.len() < 2 || all.iter().sum::<f64>() == 0.0 {
        return BTreeMap::new();
    }
    let summary = |(place, kind): (usize, &ClientKind)| {
        let own: Vec<&ClientTally> = tallies.iter().map(|tally| &tally.clients[place]).collect();
        (kind.name.clone(), client(&own, &all))
    };
    kinds.iter().enumerate().map(summary).collect()
}

fn client(own: &[&ClientTally], all: &[f64]) -> ClientSummary {
    let started: Vec<f64> = own.iter().map(|tally| tally.started as f64).collect();
    let ends: Vec<&Ends> = own.iter().map(|tally| &tally.ends).collect();
    let (share, share_half_width) = share(&started, all);
    let started = measure(own, |tally| tally.started as f64);
    ClientSummary { share, share_half_width, started, outcomes: outcomes(&ends) }
}
