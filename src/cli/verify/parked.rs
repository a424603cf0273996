//! Checks of how many calls are parked.

use super::checks::{
    CONSTANT, Check, DET60, EXP60, EXPONENTIAL, LN60, LOGNORMAL, PATIENT, Read, UNLIMITED, WAITING, means,
};
use crate::stats::theory::{
    Think, fullest, mean_parked, mean_parked_misrouted, mean_parked_with_silent, parked_from_empty,
};

const SUBJECT: &str = "parked load";
/// From five minutes on nobody is left who was there at the start, since nobody stays longer.
const RATE: f64 = 20.0;
const PATIENCE: f64 = 300.0;
const STEADY: &str = "run = { warm_up = \"300s\", horizon = \"1300s\" }\narrivals.poisson.rate = \"20/s\"\n\
                      clients.patience = \"300s\"\n";
const HOME: &str = "fleet.instances = 10\nbalancer.stickiness = \"learned\"\n";
const PARKED: Read = Read::Tallies(|tallies| means(tallies, |tally| tally.parked.mean));

pub(super) const CHECKS: &[Check] = &[
    Check {
        subject: SUBJECT,
        measured: "parked, exponential think",
        form: "Little's law",
        setting: "20 calls/s, mean think 60 s, patience 300 s",
        lines: &[WAITING, UNLIMITED, STEADY, HOME, EXPONENTIAL],
        replications: 64,
        exact: || mean_parked(RATE, EXP60, Some(PATIENCE)),
        read: PARKED,
    },
    Check {
        subject: SUBJECT,
        measured: "parked, constant think",
        form: "Little's law",
        setting: "20 calls/s, think 60 s, patience 300 s",
        lines: &[WAITING, UNLIMITED, STEADY, HOME, CONSTANT],
        replications: 64,
        exact: || mean_parked(RATE, DET60, Some(PATIENCE)),
        read: PARKED,
    },
    Check {
        subject: SUBJECT,
        measured: "parked, lognormal think",
        form: "Little's law",
        setting: "20 calls/s, mean think 60 s, sigma 1.2, patience 300 s",
        lines: &[WAITING, UNLIMITED, STEADY, HOME, LOGNORMAL],
        replications: 64,
        exact: || mean_parked(RATE, LN60, Some(PATIENCE)),
        read: PARKED,
    },
    Check {
        subject: SUBJECT,
        measured: "parked, 10 % never answer",
        form: "Little's law",
        setting: "20 calls/s, exponential think 60 s, patience 300 s",
        lines: &[WAITING, UNLIMITED, STEADY, HOME, EXPONENTIAL, "people.silent = 0.1\n"],
        replications: 64,
        exact: || mean_parked_with_silent(RATE, EXP60, PATIENCE, 0.1),
        read: PARKED,
    },
    Check {
        subject: SUBJECT,
        measured: "parked, stray answers lost",
        form: "Little's law",
        setting: "20 calls/s, 10 instances, random routing, patience 300 s",
        lines: &[
            WAITING,
            UNLIMITED,
            STEADY,
            EXPONENTIAL,
            "fleet.instances = 10\nfleet.misroute = \"swallowed\"\n\
             balancer = { policy = \"random\", stickiness = \"none\" }\n",
        ],
        replications: 64,
        exact: || mean_parked_misrouted(RATE, EXP60, PATIENCE, 10),
        read: PARKED,
    },
    Check {
        subject: SUBJECT,
        measured: "parked 2 min after start",
        form: "M/G/infinity",
        setting: "20 calls/s, empty start, lognormal think 60 s, sigma 1.2",
        lines: &[
            WAITING,
            UNLIMITED,
            PATIENT,
            LOGNORMAL,
            "run = { stop = \"horizon\", warm_up = \"119999ms\", horizon = \"120s\" }\n\
             arrivals.poisson.rate = \"20/s\"\nfleet.instances = 1\n",
        ],
        replications: 800,
        exact: || parked_from_empty(RATE, LN60, 119.9995),
        read: PARKED,
    },
    Check {
        subject: SUBJECT,
        measured: "fullest of ten",
        form: "largest of Poissons",
        setting: "20 calls/s, 10 instances, sticky answers",
        lines: &[
            WAITING,
            UNLIMITED,
            PATIENT,
            EXPONENTIAL,
            "run = { start = \"stationary\", stop = \"horizon\", horizon = \"60s\" }\narrivals.poisson.rate = \"20/s\"\n\
             fleet.instances = 10\nfleet.misroute = \"not-found\"\n\
             balancer = { policy = \"random\", stickiness = \"learned\" }\n",
        ],
        replications: 64,
        exact: || fullest(10, RATE * 6.0),
        read: Read::Tallies(|tallies| means(tallies, |tally| tally.fullest.mean)),
    },
    Check {
        subject: SUBJECT,
        measured: "parked, stationary start",
        form: "M/G/infinity",
        setting: "20 calls/s, lognormal 60 s, sigma 2, patience 3000 s",
        lines: &[
            WAITING,
            UNLIMITED,
            HOME,
            "run = { start = \"stationary\", horizon = \"200s\" }\narrivals.poisson.rate = \"20/s\"\n\
             clients.patience = \"3000s\"\nfleet.misroute = \"not-found\"\n\
             people.think.lognormal = { mean = \"60s\", sigma = 2.0 }\n",
        ],
        replications: 256,
        exact: || mean_parked(RATE, Think::Lognormal { mean: 60.0, sigma: 2.0 }, Some(3000.0)),
        read: PARKED,
    },
];
