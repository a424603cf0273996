//! Checks of finite threads: who is turned away, and who waits in line.

use super::checks::{Check, PATIENT, Read, WAITING, means, share_by_replication};
use crate::experiment::Cell;
use crate::metrics::Outcome;
use crate::scenario::Scenario;
use crate::stats::Observed;
use crate::stats::theory::{Think, erlang_b, erlang_c, queue_wait_mean, queue_wait_survival, round_robin_loss};

const BLOCKING: &str = "blocking";
const LOSS: &str = "run = { warm_up = \"60s\", horizon = \"560s\" }\narrivals.poisson.rate = \"20/s\"\n\
                    state.ttl = \"none\"\n";
const FLEET: &str = "fleet = { instances = 4, threads = 7, queue = \"none\" }\n";
const SHORT_LOGNORMAL: &str = "people.think.lognormal = { mean = \"1s\", sigma = 1.2 }\n";
const SHORT_EXPONENTIAL: &str = "people.think.exponential.mean = \"1s\"\n";
const TURNED_AWAY: Read = Read::Tallies(|tallies| share_by_replication(tallies, Outcome::Rejected));

const WAITS: &str = "waiting in line";
const LINE: &str = "run = { warm_up = \"60s\", horizon = \"810s\" }\narrivals.poisson.rate = \"8/s\"\n\
                    state.ttl = \"none\"\nfleet = { instances = 1, threads = 10 }\n";
const LINE_IN_WORDS: &str = "8 calls/s, 10 threads, exponential think 1 s";

/// The mean over the calls of each replication of what their wait in line comes to. With no work before the question a
/// call is asked when it gets its thread.
fn by_wait(scenario: &Scenario, cells: &[Cell], value: impl Fn(f64) -> f64) -> Observed {
    let mean = |cell: &Cell| {
        let counted = cell.records.iter().filter(|record| record.arrived >= scenario.run.warm_up);
        let waits = counted.filter_map(|record| Some(record.asked?.since(record.arrived).as_secs_f64()));
        let values: Vec<f64> = waits.map(&value).collect();
        values.iter().sum::<f64>() / values.len() as f64
    };
    Observed::Means(cells.iter().map(mean).collect())
}

pub(super) const CHECKS: &[Check] = &[
    Check {
        subject: BLOCKING,
        measured: "rejected, least connections",
        form: "Erlang B, one pool",
        setting: "20 calls/s of lognormal 1 s, 4 x 5 threads",
        lines: &[
            WAITING,
            PATIENT,
            LOSS,
            SHORT_LOGNORMAL,
            "fleet = { instances = 4, threads = 5, queue = \"none\" }\n\
             balancer = { policy = \"least-connections\", stickiness = \"learned\" }\n",
        ],
        replications: 160,
        exact: || erlang_b(20, 20.0),
        read: TURNED_AWAY,
    },
    Check {
        subject: BLOCKING,
        measured: "rejected, patience 2 s",
        form: "Erlang B, one pool",
        setting: "20 calls/s of lognormal 1 s, 4 x 4 threads",
        lines: &[
            WAITING,
            LOSS,
            SHORT_LOGNORMAL,
            "clients.patience = \"2s\"\nfleet = { instances = 4, threads = 4, queue = \"none\" }\n\
             balancer = { policy = \"least-connections\", stickiness = \"learned\" }\n",
        ],
        replications: 160,
        exact: || erlang_b(16, 20.0 * Think::Lognormal { mean: 1.0, sigma: 1.2 }.mean_min(2.0)),
        read: TURNED_AWAY,
    },
    Check {
        subject: BLOCKING,
        measured: "rejected, random routing",
        form: "Erlang B, separate pools",
        setting: "20 calls/s of lognormal 1 s, 4 x 7 threads",
        lines: &[
            WAITING,
            PATIENT,
            LOSS,
            FLEET,
            SHORT_LOGNORMAL,
            "balancer = { policy = \"random\", stickiness = \"learned\" }\n",
        ],
        replications: 160,
        exact: || erlang_b(7, 5.0),
        read: TURNED_AWAY,
    },
    Check {
        subject: BLOCKING,
        measured: "rejected, round robin",
        form: "GI/M/c/c",
        setting: "20 calls/s of exponential 1 s, 4 x 7 threads",
        lines: &[
            WAITING,
            PATIENT,
            LOSS,
            FLEET,
            SHORT_EXPONENTIAL,
            "balancer = { policy = \"round-robin\", stickiness = \"learned\" }\n",
        ],
        replications: 160,
        exact: || round_robin_loss(7, 20.0, 1.0, 4),
        read: TURNED_AWAY,
    },
    Check {
        subject: WAITS,
        measured: "calls that wait in line",
        form: "Erlang C",
        setting: LINE_IN_WORDS,
        lines: &[WAITING, PATIENT, LINE, SHORT_EXPONENTIAL],
        replications: 480,
        exact: || erlang_c(10, 8.0),
        read: Read::Cells(|scenario, cells| by_wait(scenario, cells, |wait| f64::from(wait > 0.0))),
    },
    Check {
        subject: WAITS,
        measured: "calls that wait over 0.3 s",
        form: "Erlang C",
        setting: LINE_IN_WORDS,
        lines: &[WAITING, PATIENT, LINE, SHORT_EXPONENTIAL],
        replications: 480,
        exact: || queue_wait_survival(10, 8.0, 1.0, 0.3),
        read: Read::Cells(|scenario, cells| by_wait(scenario, cells, |wait| f64::from(wait > 0.3))),
    },
    Check {
        subject: WAITS,
        measured: "mean length of the line",
        form: "Erlang C, Little's law",
        setting: LINE_IN_WORDS,
        lines: &[WAITING, PATIENT, LINE, SHORT_EXPONENTIAL],
        replications: 480,
        exact: || 8.0 * queue_wait_mean(10, 8.0, 1.0),
        read: Read::Tallies(|tallies| means(tallies, |tally| tally.queue.mean)),
    },
];
