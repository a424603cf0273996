//! Lines that callers leave, requests that take time, pools that people hold.

use parked::era::Design::{Carrying, Waiting};
use parked::metrics::{Outcome, Waits};
use parked::stats::theory::{
    Think, erlang_c, pollaczek_khinchine, queue_abandon_share, queue_wait_mean, queue_wait_survival,
};

use super::{ideal, in_words, shares, tallies, within_t};

const EXPONENTIAL: Think = Think::Exponential { mean: 1.0 };

const POOLED: &str = "run = { warm_up = \"60s\", horizon = \"560s\" }\nfleet.instances = 1\n";

fn waits(tallies: &[parked::metrics::Tally], of: fn(&Waits) -> f64) -> Vec<f64> {
    tallies.iter().map(|tally| of(tally.line.as_ref().expect("somebody came"))).collect()
}

/// O4 and A10: what is counted at the line is Erlang C.
fn what_is_counted_at_the_line_is_erlang_c(size: u32) {
    let lines = format!("{POOLED}arrivals.poisson.rate = \"8/s\"\nfleet.threads = 10\n{}", in_words(EXPONENTIAL));
    let tallies = tallies(&ideal(60 * size, &lines), Waiting);
    let share = waits(&tallies, |waits| waits.waited as f64 / waits.visits as f64);
    within_t("P(wait)", &share, erlang_c(10, 8.0), 0.1);
    within_t("mean wait", &waits(&tallies, |waits| waits.mean_s), queue_wait_mean(10, 8.0, 1.0), 0.25);
}
lanes!(what_is_counted_at_the_line_is_erlang_c);

/// O5 and A11: callers who bear the line for a constant time, M/M/c+D.
fn callers_of_constant_patience_leave_the_line_as_m_m_c_d(size: u32) {
    let lines = format!(
        "{POOLED}arrivals.poisson.rate = \"10/s\"\nfleet.threads = 10\nfleet.queue_timeout = \"500ms\"\n{}",
        in_words(EXPONENTIAL)
    );
    let left = shares(&tallies(&ideal(60 * size, &lines), Waiting), Outcome::Rejected);
    within_t("M/M/c+D", &left, queue_abandon_share(10, 10.0, 1.0, 0.5), 0.1);
}
lanes!(callers_of_constant_patience_leave_the_line_as_m_m_c_d);

/// O6 and A12: one processor, three shapes of work.
fn one_processor_is_pollaczek_khinchine(size: u32) {
    // A squared coefficient of variation of 4: two exponentials of means 5.634 and 44.366 in equal loads.
    for (work, scv) in [
        ("exponential = { mean = \"10ms\" }", 1.0),
        ("constant = \"10ms\"", 0.0),
        ("lognormal = { mean = \"10ms\", sigma = 1.2686362411795196 }", 4.0),
    ] {
        let lines = format!(
            "run = {{ warm_up = \"20s\", horizon = \"220s\" }}\nfleet.instances = 1\nfleet.threads = 1\n\
             arrivals.poisson.rate = \"80/s\"\ntool.amount.constant = 50\nfleet.request_work.{work}\n"
        );
        let tallies = tallies(&ideal(60 * size, &lines), Waiting);
        within_t(work, &waits(&tallies, |waits| waits.mean_s), pollaczek_khinchine(80.0, 0.01, scv), 0.35);
    }
}
lanes!(one_processor_is_pollaczek_khinchine);

/// O6b and A13: two visits of an exponential 10 ms each with a think between them, 40 calls/s: a product form, 50 ms at
/// each visit.
fn a_carried_call_visits_twice_and_stays_as_long_as_the_product_form_says(size: u32) {
    let lines = "run = { warm_up = \"20s\", horizon = \"220s\" }\nfleet.instances = 1\nfleet.threads = 1\n\
                 arrivals.poisson.rate = \"40/s\"\nfleet.request_work.exponential = { mean = \"10ms\" }\n\
                 people.think.exponential = { mean = \"2s\" }\n";
    let stay = waits(&tallies(&ideal(60 * size, lines), Carrying), |waits| waits.mean_s + 0.01);
    within_t("sojourn", &stay, 0.01 / (1.0 - 0.8), 0.1);
}
lanes!(a_carried_call_visits_twice_and_stays_as_long_as_the_product_form_says);

/// O7 of pools, in a tenth of the time: fifteen connections at a load of twelve.
fn a_pool_held_by_people_is_erlang_c_and_with_a_timeout_m_m_c_d(size: u32) {
    let pool = |keys: &str| {
        let lines = format!(
            "run = {{ warm_up = \"120s\", horizon = \"1320s\" }}\nfleet.instances = 1\nfleet.threads = 1000\n\
             arrivals.poisson.rate = \"1/s\"\nfleet.slow = \"3s\"\nfleet.pool = {{ size = 15, {keys} }}\n{}",
            in_words(Think::Exponential { mean: 12.0 })
        );
        tallies(&ideal(60 * size, &lines), Waiting)
    };
    let slow: Vec<f64> = pool("timeout = \"none\"")
        .iter()
        .map(|tally| tally.pool.as_ref().map_or(0.0, |pool| pool.slow as f64 / pool.visits as f64))
        .collect();
    within_t("P(wait > 3 s)", &slow, queue_wait_survival(15, 1.0, 12.0, 3.0), 0.4);
    let failed = shares(&pool("timeout = \"3s\""), Outcome::Failed);
    within_t("fails", &failed, queue_abandon_share(15, 1.0, 12.0, 3.0), 0.4);
}
lanes!(a_pool_held_by_people_is_erlang_c_and_with_a_timeout_m_m_c_d);

/// A31 and O25: a mean over those who have finished is biased, the mean over a cohort is not.
fn a_mean_over_finished_calls_alone_is_biased_and_a_cohort_is_not(size: u32) {
    let lines = |stop: &str| {
        format!(
            "run = {{ stop = \"{stop}\", horizon = \"600s\" }}\narrivals.poisson.rate = \"5/s\"\nfleet.instances = 1\n\
             fleet.threads = \"unlimited\"\n{}",
            in_words(Think::Lognormal { mean: 60.0, sigma: 1.2 })
        )
    };
    let mean = |stop: &str| -> Vec<f64> {
        super::cells(&ideal(60 * size, &lines(stop)), Waiting, true)
            .iter()
            .map(|cell| {
                let done = cell.records.iter().filter(|record| record.end.outcome == Outcome::Completed);
                let thoughts: Vec<f64> = done.filter_map(|record| Some(record.think_ns? as f64 / 1e9)).collect();
                thoughts.iter().sum::<f64>() / thoughts.len() as f64
            })
            .collect()
    };
    within_t("cohort", &mean("cohort"), 60.0, 0.05);
    within_t("finished only", &mean("horizon"), 44.8529, 0.05);
}
lanes!(a_mean_over_finished_calls_alone_is_biased_and_a_cohort_is_not);
