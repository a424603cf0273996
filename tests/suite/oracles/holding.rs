//! What a fleet has to hold: its fullest instance, what it costs, what is left behind.

use parked::era::Design::{Carrying, Waiting};
use parked::experiment::{Resource, Summary};
use parked::stats::theory::{Think, fullest, instances_needed, poisson_quantile, round_robin_variance, sessions_left};

use super::super::common::{run, scenario};
use super::{cells, ideal, in_words, tallies, within_t};

const EXPONENTIAL: Think = Think::Exponential { mean: 1.0 };

/// O17: under random routing with sticky answers the instances are independent, each with a Poisson number parked.
fn the_fullest_of_ten_instances_is_the_largest_of_ten_poisson_numbers(size: u32) {
    let lines = format!(
        "run = {{ start = \"stationary\", stop = \"horizon\", horizon = \"20s\" }}\narrivals.poisson.rate = \"50/s\"\n\
         fleet.instances = 10\nfleet.misroute = \"not-found\"\nfleet.threads = \"unlimited\"\n\
         balancer = {{ policy = \"random\", stickiness = \"learned\" }}\n{}",
        in_words(EXPONENTIAL)
    );
    let peaks: Vec<f64> = tallies(&ideal(200 * size, &lines), Waiting).iter().map(|tally| tally.fullest.mean).collect();
    within_t("fullest", &peaks, fullest(10, 5.0), 0.02);
}
lanes!(the_fullest_of_ten_instances_is_the_largest_of_ten_poisson_numbers);

/// O17: round robin deals every N-th call to an instance, which is GI/M/∞ with Erlang gaps: counted at one instant.
fn round_robin_spreads_what_is_parked_more_evenly_than_chance(size: u32) {
    let lines = format!(
        "run = {{ stop = \"horizon\", horizon = \"15s\" }}\narrivals.poisson.rate = \"20/s\"\nfleet.instances = 4\n\
         fleet.threads = \"unlimited\"\nbalancer.stickiness = \"learned\"\n{}",
        in_words(EXPONENTIAL)
    );
    let scenario = ideal(1200 * size, &lines);
    let spreads: Vec<f64> = cells(&scenario, Waiting, true)
        .iter()
        .map(|cell| {
            let mut parked = [0_f64; 4];
            for record in cell.records.iter().filter(|record| record.ended >= scenario.run.horizon) {
                parked[record.first_instance.expect("it reached one") as usize] += 1.0;
            }
            parked.iter().map(|number| (number - 5.0) * (number - 5.0)).sum::<f64>() / 4.0
        })
        .collect();
    within_t("variance", &spreads, round_robin_variance(4, 5.0), 0.12);
}
lanes!(round_robin_spreads_what_is_parked_more_evenly_than_chance);

/// Sessions that nobody ends stand for their life after the call: Little's law.
fn sessions_left_behind_stand_at_rate_times_share_times_life(size: u32) {
    let lines = "run = { warm_up = \"50s\", horizon = \"250s\" }\narrivals.poisson.rate = \"10/s\"\ntool.amount.constant = 50\n\
                 fleet.instances = 1\nfleet.threads = \"unlimited\"\nfleet.session_idle = \"40s\"\n\
                 clients.handshake = \"full\"\nclients.goodbye = 0.3\n";
    let stood: Vec<f64> = tallies(&ideal(90 * size, lines), Waiting).iter().map(|tally| tally.sessions.mean).collect();
    within_t("sessions", &stood, sessions_left(10.0, 0.3, 40.0), 0.02);
}
lanes!(sessions_left_behind_stand_at_rate_times_share_times_life);

/// O19 at a tenth of the think time, so that a short run sees the quantile: what the bill of a run needs is what the
/// closed form needs, from the quantile of a Poisson number and the time of cores.
#[test]
fn the_bill_of_a_run_is_the_closed_form_of_its_size() {
    let lines = "designs = [\"waiting\", \"carrying\"]\nreplications = 20\n\
                 run = { start = \"stationary\", stop = \"horizon\", horizon = \"600s\" }\narrivals.poisson.rate = \"10/s\"\n\
                 people.think.exponential.mean = \"1s\"\npeople.decide = { accept = 1.0, decline = 0.0, cancel = 0.0 }\n\
                 clients = { patience = \"none\", on_not_found = \"fail\" }\nbalancer.stickiness = \"learned\"\n\
                 fleet = { threads = \"unlimited\", misroute = \"not-found\" }\nstate.ttl = \"none\"\n\
                 bill = { threads = 2, cores = 0.1, quantile = 0.99 }\n";
    let scenario = scenario(lines);
    let summary = Summary::of(&scenario, &run(&scenario));
    let bill = |design| summary.points[0].designs[&design].bill.as_ref().expect("there are prices");
    let held = poisson_quantile(10.0, 0.99) as f64;
    let [waiting, carrying] = [Waiting, Carrying].map(bill);
    // Beside those parked there are at most a few at work, a tenth of one on average.
    let needed = waiting.needed[&Resource::Threads];
    let (mean, half_width) = (needed.mean * 2.0, needed.half_width.expect("twenty replications") * 2.0);
    assert!((mean - held).abs() < 0.5 + 3.0 * half_width, "{mean} ± {half_width} is not {held}");
    let cores = carrying.needed[&Resource::Cpu];
    let expected = 10.0 * 0.015 / 0.06;
    assert!((cores.mean - expected).abs() < 5.0 * cores.half_width.expect("twenty replications"), "{}", cores.mean);
    assert_eq!(carrying.instances, u64::from(instances_needed(0.0, 2.0, 0.15, 0.06, 2)));
}
