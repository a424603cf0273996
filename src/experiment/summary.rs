//! From cells to what a reader sees: means with 95 % intervals over replications, the paired differences between the
//! designs, the digest. The unit of analysis is the replication, never the call.

mod bill;
mod clients;
mod design;
mod difference;
mod figure;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::Cell;
use super::verdict::verdict;
use crate::era::Design;
use crate::metrics::Tally;
use crate::scenario::{Scenario, effective_hash};

pub use bill::{BillSummary, Resource};
pub use clients::ClientSummary;
pub use design::DesignSummary;
pub use difference::Difference;
pub use figure::{Causes, Count, LevelEstimate, Measure, Proportion, Quantiles, WaitsEstimate};

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
    /// How the balancer is set to route, in the words of the scenario.
    pub routing: String,
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

impl Summary {
    /// Sums up the finished cells of a run (by replication, then design).
    pub fn of(scenario: &Scenario, cells: &[Cell]) -> Summary {
        let by_design: BTreeMap<Design, Vec<&Tally>> = scenario
            .designs
            .iter()
            .map(|&d| (d, cells.iter().filter(|c| c.design == d).map(|c| &c.tally).collect()))
            .collect();
        let finished = cells.len() / scenario.designs.len();
        let of = |(&design, tallies): (&Design, &Vec<&Tally>)| (design, DesignSummary::of(scenario, tallies));
        let designs = by_design.iter().map(of).collect();
        let differences = match scenario.designs[..] {
            [a, b] if finished > 0 => difference::all(a, &by_design[&a], b, &by_design[&b]),
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
            routing: scenario.balancer.in_words(),
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
