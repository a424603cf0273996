//! Checks of messages that are lost, and of effects that are made twice because of it.

use super::checks::{CARRYING, Check, PATIENT, Read, UNLIMITED};
use crate::experiment::Cell;
use crate::metrics::{Outcome, Record};
use crate::scenario::Scenario;
use crate::stats::Observed;
use crate::stats::theory::at_least_once;

const LOSSES: &str = "lost messages";
const EACH_FIFTH: &str = "lost each way 0.2, 3 tries";
/// Nobody is asked about so little: one request, one effect.
const LOSSY: &str = "run.horizon = \"100s\"\narrivals.constant.rate = \"100/s\"\ntool.amount.constant = 100\n\
                     balancer.lost_requests = 0.2\nbalancer.lost_replies = 0.2\nclients.retry.times = 2\n";

/// The share of calls of which this holds, which have nothing to do with each other.
fn share(cells: &[Cell], is: fn(&Record) -> bool) -> Observed {
    let records = || cells.iter().flat_map(|cell| &cell.records);
    Observed::Share { hits: records().filter(|record| is(record)).count() as u64, of: records().count() as u64 }
}

fn twice(_: &Scenario, cells: &[Cell]) -> Observed {
    share(cells, |record| record.entries > 1)
}

fn unheard(_: &Scenario, cells: &[Cell]) -> Observed {
    share(cells, |record| record.entries > 0 && record.end.outcome == Outcome::Lost)
}

pub(super) const CHECKS: &[Check] = &[
    Check {
        subject: LOSSES,
        measured: "effects made twice",
        form: "1 - P(0) - P(1)",
        setting: EACH_FIFTH,
        lines: &[CARRYING, UNLIMITED, PATIENT, LOSSY],
        replications: 16,
        exact: || at_least_once(0.2, 0.2, 3).twice,
        read: Read::Cells(twice),
    },
    Check {
        subject: LOSSES,
        measured: "made, failure heard",
        form: "(e+q)^n - q^n",
        setting: EACH_FIFTH,
        lines: &[CARRYING, UNLIMITED, PATIENT, LOSSY, "tool.idempotency = \"operation\"\n"],
        replications: 16,
        exact: || at_least_once(0.2, 0.2, 3).unheard,
        read: Read::Cells(unheard),
    },
];
