//! Checks of what is replaced on purpose: keys and processes.

use super::checks::{
    CARRYING, Check, EXP60, EXPONENTIAL, LN60, LOGNORMAL, PATIENT, Read, UNLIMITED, WAITING, share_by_replication,
    share_of_calls, total,
};
use crate::metrics::{Outcome, Tally};
use crate::stats::Observed;
use crate::stats::theory::{
    keyed_states, lost_in_kill, lost_in_rolling, periodic_loss_share, reclaimed_share, ringless_refusals,
    sign_first_refusals,
};

const KEYS: &str = "keys that change";
const DEPLOYS: &str = "deploys and reclaims";
const RATE: f64 = 5.0;
/// A fleet in which every call finds its instance again, as long as that lives.
const HOME: &str = "arrivals.poisson.rate = \"5/s\"\nfleet.instances = 10\n\
                    balancer = { policy = \"random\", stickiness = \"learned\" }\n";
/// The same without: the key decides, not the instance.
const ANYWHERE: &str = "arrivals.poisson.rate = \"5/s\"\nbalancer = { policy = \"random\", stickiness = \"none\" }\n";

/// Changes in each replication, where they come again and again.
const CHANGES: u64 = 10;

/// Calls that ended so for each change. They are independent of each other, so their number is Poisson.
fn by_change(tallies: &[Tally], outcome: Outcome, changes: u64) -> Observed {
    Observed::Count { events: total(tallies, outcome), of: changes * tallies.len() as u64 }
}

/// The same where the turns of the instances are random and shared by all calls.
fn by_change_and_replication(tallies: &[Tally]) -> Observed {
    let refused = |tally: &Tally| tally.count(Outcome::Refused) as f64 / CHANGES as f64;
    Observed::Means(tallies.iter().map(refused).collect())
}

pub(super) const CHECKS: &[Check] = &[
    Check {
        subject: KEYS,
        measured: "refused for each new key",
        form: "P(W > U + w)",
        setting: "5 calls/s, lognormal, every 10 min, overlap 60 s",
        lines: &[
            CARRYING,
            UNLIMITED,
            PATIENT,
            LOGNORMAL,
            ANYWHERE,
            "run.horizon = \"6000s\"\nfleet.instances = 10\nstate.rotation = { every = \"600s\", overlap = \"60s\" }\n",
        ],
        replications: 32,
        exact: || RATE * 600.0 * periodic_loss_share(LN60, 600.0, 60.0),
        read: Read::Tallies(|tallies| by_change(tallies, Outcome::Refused, CHANGES)),
    },
    Check {
        subject: KEYS,
        measured: "neither late nor keyless",
        form: "competing limits",
        setting: "TTL 120 s, a new key every 600 s, 30 s overlap",
        lines: &[
            CARRYING,
            PATIENT,
            LOGNORMAL,
            ANYWHERE,
            "run.horizon = \"6000s\"\nfleet = { instances = 10, threads = \"unlimited\" }\nstate.ttl = \"120s\"\n\
             state.rotation = { every = \"600s\", overlap = \"30s\" }\n",
        ],
        replications: 16,
        exact: || keyed_states(LN60, 120.0, 600.0, 30.0).accepted,
        read: Read::Tallies(|tallies| share_of_calls(tallies, Outcome::Completed)),
    },
    Check {
        subject: KEYS,
        measured: "refused, signed too early",
        form: "two uniform turns",
        setting: "5 calls/s, 10 instances change within 60 s",
        lines: &[
            CARRYING,
            UNLIMITED,
            PATIENT,
            EXPONENTIAL,
            ANYWHERE,
            "run.horizon = \"2460s\"\nfleet.instances = 10\n\
             state.rotation = { every = \"240s\", overlap = \"2h\", order = \"sign-first\", spread = \"60s\" }\n",
        ],
        replications: 64,
        exact: || sign_first_refusals(RATE, EXP60, 10, 60.0),
        read: Read::Tallies(by_change_and_replication),
    },
    Check {
        subject: KEYS,
        measured: "refused, swapped in turn",
        form: "sum over pairs of keys",
        setting: "2 calls/s, 4 instances swap keys 30 s apart",
        lines: &[
            CARRYING,
            UNLIMITED,
            PATIENT,
            EXPONENTIAL,
            "balancer = { policy = \"random\", stickiness = \"none\" }\narrivals.poisson.rate = \"2/s\"\n",
            "run.horizon = \"12120s\"\nfleet.instances = 4\n\
             state.rotation = { every = \"1200s\", order = \"no-ring\", spread = \"120s\", turns = \"in-order\" }\n",
        ],
        replications: 64,
        exact: || ringless_refusals(2.0, EXP60, 4, 30.0),
        read: Read::Tallies(by_change_and_replication),
    },
    Check {
        subject: DEPLOYS,
        measured: "lost, blue-green deploy",
        form: "P(W > U + D)",
        setting: "5 calls/s, lognormal, every 10 min, drain 30 s",
        lines: &[
            WAITING,
            UNLIMITED,
            PATIENT,
            LOGNORMAL,
            HOME,
            "run.horizon = \"6000s\"\nfleet.termination.grace = \"30s\"\n\
             fault = [{ deploy = { at = \"600s\", every = \"600s\", strategy = \"blue-green\" } }]\n",
        ],
        replications: 40,
        exact: || RATE * 600.0 * periodic_loss_share(LN60, 600.0, 30.0),
        read: Read::Tallies(|tallies| by_change(tallies, Outcome::Lost, CHANGES)),
    },
    Check {
        subject: DEPLOYS,
        measured: "lost, rolling deploy",
        form: "M/G/infinity by steps",
        setting: "5 calls/s, 10 instances, drain 30 s, boot 10 s",
        lines: &[
            WAITING,
            UNLIMITED,
            PATIENT,
            EXPONENTIAL,
            HOME,
            // Nobody is left of the empty start after 20 mean think times, and no instance is empty before its drain ends.
            "run.horizon = \"1700s\"\nfleet.boot = \"10s\"\nfleet.termination.grace = \"30s\"\n\
             fault = [{ deploy = { at = \"1200s\", strategy = \"rolling\" } }]\n",
        ],
        replications: 128,
        exact: || lost_in_rolling(RATE, EXP60, 10, 30.0, 10.0),
        read: Read::Tallies(|tallies| by_change(tallies, Outcome::Lost, 1)),
    },
    Check {
        subject: DEPLOYS,
        measured: "lost, one of ten scaled in",
        form: "rate/N E(W-D)+",
        setting: "5 calls/s, exponential think 60 s, drain 30 s",
        lines: &[
            WAITING,
            UNLIMITED,
            PATIENT,
            EXPONENTIAL,
            HOME,
            "run.horizon = \"1200s\"\nfleet.termination.grace = \"30s\"\nfault = [{ scale = { at = \"1200s\", to = 9 } }]\n",
        ],
        replications: 256,
        exact: || lost_in_kill(RATE / 10.0, EXP60, 30.0),
        read: Read::Tallies(|tallies| by_change(tallies, Outcome::Lost, 1)),
    },
    Check {
        subject: DEPLOYS,
        measured: "lost, instances reclaimed",
        form: "1 - E exp(-(W-D)+/MTBF)",
        setting: "exponential think 60 s, hourly, 30 s notice",
        lines: &[
            WAITING,
            UNLIMITED,
            PATIENT,
            EXPONENTIAL,
            "run.horizon = \"5h\"\narrivals.poisson.rate = \"1/s\"\nfleet.instances = 100\n\
             balancer = { policy = \"random\", stickiness = \"learned\" }\n\
             fault = [{ reclaim = { every.exponential.mean = \"1h\", notice = \"30s\" } }]\n",
        ],
        replications: 64,
        exact: || reclaimed_share(EXP60, 30.0, 3600.0),
        read: Read::Tallies(|tallies| share_by_replication(tallies, Outcome::Lost)),
    },
];
