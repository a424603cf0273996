//! Checks of what is lost: to crashes and kills, to patience and expiry, to keys that are not there.

use super::checks::{
    CARRYING, CONSTANT, Check, DET60, EXP60, EXPONENTIAL, LN60, LOGNORMAL, PATIENT, Read, UNLIMITED, WAITING,
    share_of_calls, total,
};
use crate::metrics::Outcome;
use crate::stats::Observed;
use crate::stats::theory::{competing_risks, crash_share, expired_share, mean_parked, over_rounds, random_hit};

const CRASHES: &str = "crashes";
/// Each call is alone on its instance while it lasts: a thousand instances take turns, and each gets a call every 303 s.
/// So no two calls share a crash.
const ALONE: &str = "run.horizon = \"12000s\"\narrivals.constant.rate = \"198/m\"\n\
                     fleet = { instances = 1000, threads = \"unlimited\" }\n\
                     balancer = { policy = \"round-robin\", stickiness = \"cookie\" }\n\
                     fault = [{ crash = { mtbf.exponential.mean = \"1h\", repair = \"0s\" } }]\nstate.ttl = \"none\"\n";
const FIVE_MINUTES: &str = "clients.patience = \"300s\"\n";
const LOST: Read = Read::Tallies(|tallies| share_of_calls(tallies, Outcome::Lost));

/// Deaths 301 s apart. No call lives longer than 300 s, so each meets a steady state that no other has thinned.
const DEATHS: u64 = 10;
const DIE: &str = "run.horizon = \"3010s\"\narrivals.poisson.rate = \"5/s\"\nfleet.instances = 10\n\
                   balancer = { policy = \"random\", stickiness = \"learned\" }\n";
macro_rules! killed {
    ($($at:literal),*) => {
        concat!("fault = [", $("{ kill = { at = \"", $at, "s\", select = \"count:1\", restart_after = \"0s\" } }, ",)* "]\n")
    };
}

const EXPIRY: &str = "patience and expiry";
const MANY_CALLS: &str = "run.horizon = \"500s\"\narrivals.poisson.rate = \"100/s\"\nfleet.instances = 3\n\
                          balancer.stickiness = \"learned\"\n";
const KEYS: &str = "keys";
const AT_RANDOM: &str = "balancer = { policy = \"random\", stickiness = \"none\" }\n";
const REFUSED: Read = Read::Tallies(|tallies| share_of_calls(tallies, Outcome::Refused));

pub(super) const CHECKS: &[Check] = &[
    Check {
        subject: CRASHES,
        measured: "lost, constant think",
        form: "1 - E exp(-W/MTBF)",
        setting: "constant think 60 s, a crash an hour",
        lines: &[WAITING, PATIENT, ALONE, CONSTANT],
        replications: 40,
        exact: || crash_share(DET60, 3600.0),
        read: LOST,
    },
    Check {
        subject: CRASHES,
        measured: "lost before their time-out",
        form: "competing risks",
        setting: "lognormal 60 s, patience 300 s, a crash an hour",
        lines: &[WAITING, FIVE_MINUTES, ALONE, LOGNORMAL],
        replications: 40,
        exact: || competing_risks(LN60, 300.0, 3600.0).crashed,
        read: LOST,
    },
    Check {
        subject: CRASHES,
        measured: "timed out before a crash",
        form: "competing risks",
        setting: "lognormal 60 s, patience 300 s, a crash an hour",
        lines: &[WAITING, FIVE_MINUTES, ALONE, LOGNORMAL],
        replications: 40,
        exact: || competing_risks(LN60, 300.0, 3600.0).timed_out,
        read: Read::Tallies(|tallies| share_of_calls(tallies, Outcome::TimedOut)),
    },
    Check {
        subject: CRASHES,
        measured: "lost when one instance dies",
        form: "M/G/infinity",
        setting: "5 calls/s over 10 instances, exponential think 60 s",
        lines: &[
            WAITING,
            UNLIMITED,
            FIVE_MINUTES,
            DIE,
            EXPONENTIAL,
            killed!(301, 602, 903, 1204, 1505, 1806, 2107, 2408, 2709, 3010),
        ],
        replications: 80,
        exact: || mean_parked(0.5, EXP60, Some(300.0)),
        read: Read::Tallies(|tallies| Observed::Count {
            events: total(tallies, Outcome::Lost),
            of: DEATHS * tallies.len() as u64,
        }),
    },
    Check {
        subject: EXPIRY,
        measured: "given up after a minute",
        form: "P(W > T)",
        setting: "exponential think 60 s",
        lines: &[WAITING, UNLIMITED, MANY_CALLS, EXPONENTIAL, "clients.patience = \"60s\"\n"],
        replications: 32,
        exact: || EXP60.survival(60.0),
        read: Read::Tallies(|tallies| share_of_calls(tallies, Outcome::TimedOut)),
    },
    Check {
        subject: EXPIRY,
        measured: "states expired after 5 min",
        form: "P(W > TTL)",
        setting: "lognormal think 60 s, sigma 1.2",
        lines: &[CARRYING, PATIENT, MANY_CALLS, LOGNORMAL, "fleet.threads = \"unlimited\"\nstate.ttl = \"300s\"\n"],
        replications: 32,
        exact: || expired_share(LN60, 300.0),
        read: REFUSED,
    },
    Check {
        subject: KEYS,
        measured: "refused, a key per process",
        form: "1 - 1/N",
        setting: "4 instances, random routing, one question",
        lines: &[
            CARRYING,
            UNLIMITED,
            PATIENT,
            EXPONENTIAL,
            AT_RANDOM,
            "run.horizon = \"500s\"\narrivals.poisson.rate = \"100/s\"\nfleet.instances = 4\n\
             state.keys = \"per-process\"\n",
        ],
        replications: 32,
        exact: || over_rounds(1.0 - random_hit(4), 1),
        read: REFUSED,
    },
    Check {
        subject: KEYS,
        measured: "refused over two questions",
        form: "1 - N^-r",
        setting: "4 instances, random routing, two questions",
        lines: &[
            CARRYING,
            UNLIMITED,
            PATIENT,
            EXPONENTIAL,
            AT_RANDOM,
            "run.horizon = \"500s\"\narrivals.poisson.rate = \"100/s\"\nfleet.instances = 4\n\
             state.keys = \"per-process\"\ntool.body = \"transfer_funds\"\n",
        ],
        replications: 32,
        exact: || over_rounds(1.0 - random_hit(4), 2),
        read: REFUSED,
    },
];
