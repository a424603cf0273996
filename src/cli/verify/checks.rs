//! What a check is, and all of them. Must never hold a check whose closed form does not hold exactly under its scenario.

use super::{changes, effects, losses, parked, routing, stores, threads};
use crate::experiment::Cell;
use crate::metrics::{Outcome, Tally};
use crate::scenario::Scenario;
use crate::stats::Observed;
use crate::stats::theory::Think;

/// One figure and its closed form.
#[derive(Clone, Copy)]
pub(super) struct Check {
    /// Heading under which it stands.
    pub subject: &'static str,
    /// What is measured, in words.
    pub measured: &'static str,
    /// Name of the closed form.
    pub form: &'static str,
    /// The scenario in words.
    pub setting: &'static str,
    /// The scenario, beside what all have in common.
    pub lines: &'static [&'static str],
    /// Replications, unless it has to be quick; a multiple of four.
    pub replications: u32,
    /// Value of the closed form.
    pub exact: fn() -> f64,
    /// The figure, read off the run.
    pub read: Read,
}

/// What a figure is read off.
#[derive(Clone, Copy)]
pub(super) enum Read {
    /// What each replication came to.
    Tallies(fn(&[Tally]) -> Observed),
    /// The records of all calls as well.
    Cells(fn(&Scenario, &[Cell]) -> Observed),
}

/// Nothing takes time but people, and everybody accepts.
const COMMON: &str = "format = 1\nname = \"verify\"\ntool.work_before.constant = \"0s\"\n\
                      tool.work_after.constant = \"0s\"\npeople.decide = { accept = 1.0, decline = 0.0, cancel = 0.0 }\n";

pub(super) const WAITING: &str = "designs = [\"waiting\"]\n";
pub(super) const CARRYING: &str = "designs = [\"carrying\"]\n";
/// No limit but those that a check sets.
pub(super) const UNLIMITED: &str = "fleet.threads = \"unlimited\"\nstate.ttl = \"none\"\n";
pub(super) const PATIENT: &str = "clients.patience = \"none\"\n";

pub(super) const EXPONENTIAL: &str = "people.think.exponential.mean = \"60s\"\n";
pub(super) const CONSTANT: &str = "people.think.constant = \"60s\"\n";
pub(super) const LOGNORMAL: &str = "people.think.lognormal = { mean = \"60s\", sigma = 1.2 }\n";

pub(super) const EXP60: Think = Think::Exponential { mean: 60.0 };
pub(super) const DET60: Think = Think::Constant { value: 60.0 };
pub(super) const LN60: Think = Think::Lognormal { mean: 60.0, sigma: 1.2 };

/// Every check, by subject.
pub(super) fn all() -> Vec<Check> {
    [parked::CHECKS, threads::CHECKS, routing::CHECKS, losses::CHECKS, effects::CHECKS, changes::CHECKS, stores::CHECKS]
        .into_iter()
        .flatten()
        .copied()
        .collect()
}

impl Check {
    /// Its scenario as a file.
    pub(super) fn text(&self, quick: bool) -> String {
        let replications = if quick { self.replications / 4 } else { self.replications };
        format!("{COMMON}replications = {replications}\n{}", self.lines.concat())
    }
}

/// One value from each replication.
pub(super) fn means(tallies: &[Tally], value: impl Fn(&Tally) -> f64) -> Observed {
    Observed::Means(tallies.iter().map(value).collect())
}

/// The share of calls that ended so, which depend on each other within a replication.
pub(super) fn share_by_replication(tallies: &[Tally], outcome: Outcome) -> Observed {
    means(tallies, |tally| tally.count(outcome) as f64 / tally.started as f64)
}

/// Calls that ended so in all replications.
pub(super) fn total(tallies: &[Tally], outcome: Outcome) -> u64 {
    tallies.iter().map(|tally| tally.count(outcome)).sum()
}

/// The share of calls that ended so, which have nothing to do with each other.
pub(super) fn share_of_calls(tallies: &[Tally], outcome: Outcome) -> Observed {
    Observed::Share { hits: total(tallies, outcome), of: tallies.iter().map(|tally| tally.started).sum() }
}
