//! Checks of where answers go, and of what clients do about it.

use libm::{expm1, pow};

use super::checks::{
    CARRYING, Check, EXPONENTIAL, PATIENT, Read, UNLIMITED, WAITING, share_by_replication, share_of_calls,
};
use crate::metrics::{Incident, Outcome, Tally};
use crate::stats::Observed;
use crate::stats::theory::{outlives, over_rounds, random_hit, round_robin_hit};

const MISROUTING: &str = "misrouting";
/// A miss ends the call, so that nothing lingers.
const A_MISS_ENDS_THE_CALL: &str = "clients.on_not_found = \"fail\"\nfleet.misroute = \"not-found\"\n";
const MANY_CALLS: &str = "run.horizon = \"500s\"\narrivals.poisson.rate = \"100/s\"\n";
const AT_RANDOM: &str = "balancer = { policy = \"random\", stickiness = \"none\" }\n";
const COMPLETED: Read = Read::Tallies(|tallies| share_of_calls(tallies, Outcome::Completed));
const COMPLETED_BY_REPLICATION: Read = Read::Tallies(|tallies| share_by_replication(tallies, Outcome::Completed));

const RETRIES: &str = "retries";
const POLLING: &str = "links and polling";
/// Each call needs one link.
const LINKED: &str = "arrivals.poisson.rate = \"100/s\"\npeople.think.constant = \"1s\"\n\
                      tool.body = \"connect_calendar\"\nclients.capabilities = { elicitation = { url = {} } }\n";
/// The first of a client's hundred rounds is the one in which the person agrees.
const MOST_POLLS: i32 = 99;
const STILL_OPEN_AFTER_A_POLL: f64 = -5.0 / 60.0;

/// Messages of each call beyond the call itself and the answer that gives the consent.
fn polls(tally: &Tally) -> f64 {
    tally.messages as f64 / tally.started as f64 - 2.0
}

fn granted(tallies: &[Tally]) -> Observed {
    let granted = |tally: &Tally| {
        let both = [&tally.incidents, &tally.incidents_late];
        both.iter().filter_map(|counts| counts.get(&Incident::Granted)).sum::<u64>()
    };
    Observed::Share { hits: tallies.iter().map(granted).sum(), of: tallies.iter().map(|tally| tally.started).sum() }
}

pub(super) const CHECKS: &[Check] = &[
    Check {
        subject: MISROUTING,
        measured: "home, random routing",
        form: "1/N",
        setting: "10 instances, no stickiness",
        lines: &[
            WAITING,
            UNLIMITED,
            PATIENT,
            MANY_CALLS,
            A_MISS_ENDS_THE_CALL,
            EXPONENTIAL,
            AT_RANDOM,
            "fleet.instances = 10\n",
        ],
        replications: 32,
        exact: || random_hit(10),
        read: COMPLETED,
    },
    Check {
        subject: MISROUTING,
        measured: "home, round robin",
        form: "Poisson messages modulo N",
        setting: "3 instances, 3 calls/min, exponential 60 s",
        lines: &[
            WAITING,
            UNLIMITED,
            PATIENT,
            A_MISS_ENDS_THE_CALL,
            EXPONENTIAL,
            "run = { warm_up = \"20m\", horizon = \"1620m\" }\narrivals.poisson.rate = \"3/m\"\nfleet.instances = 3\n\
             balancer = { policy = \"round-robin\", stickiness = \"none\" }\n",
        ],
        replications: 128,
        exact: || round_robin_hit(0.05, 60.0, 3),
        read: COMPLETED_BY_REPLICATION,
    },
    Check {
        subject: MISROUTING,
        measured: "home, least connections",
        form: "Markov chain of both loads",
        setting: "2 instances, 5 calls/min, exponential 60 s",
        lines: &[
            WAITING,
            UNLIMITED,
            PATIENT,
            A_MISS_ENDS_THE_CALL,
            EXPONENTIAL,
            "run = { warm_up = \"20m\", horizon = \"820m\" }\narrivals.poisson.rate = \"5/m\"\nfleet.instances = 2\n\
             balancer = { policy = \"least-connections\", stickiness = \"none\" }\n",
        ],
        replications: 128,
        // Its stationary solution by other means: row O12b of tests/suite/data/oracles.csv.
        exact: || 0.422_705,
        read: COMPLETED_BY_REPLICATION,
    },
    Check {
        subject: RETRIES,
        measured: "home within four tries",
        form: "1 - (1 - 1/N)^k",
        setting: "4 instances, random routing, sent again on a miss",
        lines: &[
            WAITING,
            UNLIMITED,
            PATIENT,
            MANY_CALLS,
            EXPONENTIAL,
            AT_RANDOM,
            "clients.on_not_found = \"resend\"\nclients.max_resends = 3\nfleet.misroute = \"not-found\"\n\
             fleet.instances = 4\n",
        ],
        replications: 8,
        exact: || over_rounds(random_hit(4), 4),
        read: COMPLETED,
    },
    Check {
        subject: RETRIES,
        measured: "tries outlive an outage",
        form: "sum of uniforms",
        setting: "up to 0.5, 1, 2, 4, 8 s against 8 s",
        lines: &[
            WAITING,
            UNLIMITED,
            PATIENT,
            // Nobody is asked about so little. All calls come within 10 us of the beginning of the outage.
            "run.horizon = \"10us\"\nfleet.instances = 1\ntool.amount.constant = 100\n\
             arrivals.constant.rate = \"1000000000/s\"\n\
             clients.retry = { times = 5, pause = \"500ms\", factor = 2, cap = \"8s\", jitter = \"full\" }\n\
             fault = [{ kill = { at = \"0s\", select = \"all\", restart_after = \"8s\" } }]\n",
        ],
        replications: 32,
        exact: || outlives(&[0.5, 1.0, 2.0, 4.0, 8.0], 8.0),
        read: COMPLETED,
    },
    Check {
        subject: POLLING,
        measured: "polls of an unfinished page",
        form: "geometric law",
        setting: "a poll every 5 s, page done after exponential 60 s",
        lines: &[
            WAITING,
            UNLIMITED,
            PATIENT,
            LINKED,
            "run.horizon = \"25s\"\nlinks.unfinished.poll = \"5s\"\nlinks.page.exponential.mean = \"60s\"\n\
             clients.max_rounds = 100\nfleet.instances = 1\n",
        ],
        replications: 64,
        exact: || expm1(f64::from(MOST_POLLS) * STILL_OPEN_AFTER_A_POLL) / expm1(STILL_OPEN_AFTER_A_POLL),
        read: Read::Tallies(|tallies| Observed::Means(tallies.iter().map(polls).collect())),
    },
    Check {
        subject: POLLING,
        measured: "sign-ins found by browser",
        form: "N^-h over h hops",
        setting: "2 random hops over 3 instances, kept in memory",
        lines: &[
            CARRYING,
            UNLIMITED,
            PATIENT,
            LINKED,
            "run.horizon = \"400s\"\nlinks.unfinished.block = true\nlinks.page.exponential.mean = \"10s\"\nlinks.pending = \"memory\"\n\
             links.hops = 2\nfleet.instances = 3\nbalancer = { policy = \"random\", stickiness = \"learned\" }\n",
        ],
        replications: 8,
        exact: || pow(3.0, -2.0),
        read: Read::Tallies(granted),
    },
];
