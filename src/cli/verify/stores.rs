//! Checks of calls whose continuation lies in a shared store.

use super::checks::{Check, EXP60, EXPONENTIAL, PATIENT, Read, UNLIMITED, means};
use crate::metrics::{Outcome, Tally};
use crate::stats::theory::store_losses;

const SUBJECT: &str = "a shared store";
const STORING: &str = "designs = [\"storing\"]\nrun = { warm_up = \"2000s\", horizon = \"8000s\" }\n\
                       arrivals.poisson.rate = \"0.5/s\"\nfleet.instances = 2\n";
const CRASHES: &str =
    "fault = [{ store-crash = { mtbf.exponential = { mean = \"10m\" }, repair.exponential = { mean = \"1m\" } } }]\n";
const MTBF: f64 = 600.0;
const REPAIR: f64 = 60.0;
const SETTING: &str = "up 10 min, down 1 min, exponential think 60 s";

fn lost(tally: &Tally) -> f64 {
    1.0 - tally.count(Outcome::Completed) as f64 / tally.started as f64
}

const LOST: Read = Read::Tallies(|tallies| means(tallies, lost));

pub(super) const CHECKS: &[Check] = &[
    Check {
        subject: SUBJECT,
        measured: "lost, durable",
        form: "availability, L(s)",
        setting: SETTING,
        lines: &[STORING, UNLIMITED, PATIENT, EXPONENTIAL, CRASHES],
        replications: 64,
        exact: || store_losses(MTBF, REPAIR, EXP60).durable,
        read: LOST,
    },
    Check {
        subject: SUBJECT,
        measured: "lost, volatile",
        form: "availability, L(s)",
        setting: SETTING,
        lines: &[STORING, UNLIMITED, PATIENT, EXPONENTIAL, "store.keeps = \"volatile\"\n", CRASHES],
        replications: 64,
        exact: || store_losses(MTBF, REPAIR, EXP60).volatile,
        read: LOST,
    },
    Check {
        subject: SUBJECT,
        measured: "lost, answers wait",
        form: "availability",
        setting: SETTING,
        lines: &[STORING, UNLIMITED, PATIENT, EXPONENTIAL, "store.retries = \"answers\"\n", CRASHES],
        replications: 64,
        exact: || store_losses(MTBF, REPAIR, EXP60).answers_wait,
        read: LOST,
    },
];
