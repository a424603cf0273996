//! Finite threads: who is turned away and who waits.

use parked::era::Design;
use parked::metrics::Outcome;
use parked::stats::theory::{Think, erlang_b, erlang_c, queue_wait_mean, queue_wait_survival, round_robin_loss};

use super::{cells, ideal, in_words, shares, tallies, within_t};

const LOGNORMAL: Think = Think::Lognormal { mean: 1.0, sigma: 1.2 };
const EXPONENTIAL: Think = Think::Exponential { mean: 1.0 };

const LOSS: &str = "run = { warm_up = \"60s\", horizon = \"560s\" }\narrivals.poisson.rate = \"20/s\"\n\
                    fleet.queue = \"none\"\nfleet.instances = 4\nbalancer.stickiness = \"learned\"\n";

/// O3 and A8: least connections turns a call away only when every thread of every instance is held, so the fleet is one
/// pool, and the loss depends on the time held through its mean only, also when patience cuts it.
fn least_connections_loses_as_one_pool_by_erlang_b_whatever_the_shape(size: u32) {
    for (think, patience, threads) in [(LOGNORMAL, None, 5), (EXPONENTIAL, None, 5), (LOGNORMAL, Some(2.0), 4)] {
        let clock = patience.map_or("none".to_owned(), |seconds| format!("{seconds}s"));
        let lines = format!(
            "{LOSS}fleet.threads = {threads}\nbalancer.policy = \"least-connections\"\nclients.patience = \"{clock}\"\n{}",
            in_words(think)
        );
        let losses = shares(&tallies(&ideal(40 * size, &lines), Design::Waiting), Outcome::Rejected);
        let held = patience.map_or(1.0, |seconds| think.mean_min(seconds));
        within_t(&format!("{think:?} {patience:?}"), &losses, erlang_b(4 * threads, 20.0 * held), 0.08);
    }
}
lanes!(least_connections_loses_as_one_pool_by_erlang_b_whatever_the_shape);

/// O3 and A9: random routing splits a Poisson stream into Poisson streams, one for each instance of its own.
fn random_routing_loses_as_separate_pools_by_erlang_b(size: u32) {
    let lines = format!("{LOSS}fleet.threads = 7\nbalancer.policy = \"random\"\n{}", in_words(LOGNORMAL));
    let losses = shares(&tallies(&ideal(40 * size, &lines), Design::Waiting), Outcome::Rejected);
    within_t("random", &losses, erlang_b(7, 5.0), 0.08);
}
lanes!(random_routing_loses_as_separate_pools_by_erlang_b);

/// O3 and A9: with sticky answers round robin deals every fourth call to an instance: GI/M/c/c with Erlang-4 gaps.
fn round_robin_loses_as_separate_pools_with_erlang_gaps(size: u32) {
    let lines = format!("{LOSS}fleet.threads = 7\nbalancer.policy = \"round-robin\"\n{}", in_words(EXPONENTIAL));
    let losses = shares(&tallies(&ideal(40 * size, &lines), Design::Waiting), Outcome::Rejected);
    within_t("round robin", &losses, round_robin_loss(7, 20.0, 1.0, 4), 0.08);
}
lanes!(round_robin_loses_as_separate_pools_with_erlang_gaps);

/// O4 and A10: with a waiting line for everybody the fleet of one is M/M/c: share that waits, share that waits longer
/// than a time, mean wait, and by Little's law the mean length of the line.
fn a_waiting_line_is_erlang_c(size: u32) {
    const RATE: f64 = 8.0;
    let lines = format!(
        "run = {{ warm_up = \"60s\", horizon = \"810s\" }}\narrivals.poisson.rate = \"8/s\"\nfleet.instances = 1\n\
         fleet.threads = 10\n{}",
        in_words(EXPONENTIAL)
    );
    let scenario = ideal(40 * size, &lines);
    let cells = cells(&scenario, Design::Waiting, true);
    // With no work before the question a call is asked when it gets its thread.
    let waits: Vec<Vec<f64>> = cells
        .iter()
        .map(|cell| {
            let counted = cell.records.iter().filter(|record| record.arrived >= scenario.run.warm_up);
            counted.filter_map(|record| Some(record.asked?.since(record.arrived).as_secs_f64())).collect()
        })
        .collect();
    let of = |value: &dyn Fn(f64) -> f64| -> Vec<f64> {
        waits.iter().map(|waits| waits.iter().map(|&wait| value(wait)).sum::<f64>() / waits.len() as f64).collect()
    };
    within_t("P(wait)", &of(&|wait| f64::from(wait > 0.0)), erlang_c(10, 8.0), 0.1);
    within_t("P(wait > 0.3 s)", &of(&|wait| f64::from(wait > 0.3)), queue_wait_survival(10, RATE, 1.0, 0.3), 0.15);
    within_t("mean wait", &of(&|wait| wait), queue_wait_mean(10, RATE, 1.0), 0.2);
    let lengths: Vec<f64> = cells.iter().map(|cell| cell.tally.queue.mean).collect();
    within_t("mean length of the line", &lengths, RATE * queue_wait_mean(10, RATE, 1.0), 0.2);
}
lanes!(a_waiting_line_is_erlang_c);

/// O3: a balancer with room for n connections, of which a request takes k while it is open, is one pool of n/k without a
/// line, whatever the fleet and the shape; a carried call holds its connections for no time.
fn slots_of_the_balancer_lose_as_one_pool_by_erlang_b(size: u32) {
    for (connections, each, slots) in [(40, 2, 20), (20, 1, 20), (40, 3, 13)] {
        let lines = format!(
            "run = {{ warm_up = \"60s\", horizon = \"560s\" }}\narrivals.poisson.rate = \"20/s\"\n\
             balancer = {{ stickiness = \"cookie\", connections = {connections}, connections_per_call = {each} }}\n{}",
            in_words(LOGNORMAL)
        );
        let scenario = ideal(40 * size, &lines);
        let losses = shares(&tallies(&scenario, Design::Waiting), Outcome::Rejected);
        within_t(&format!("{connections} by {each}"), &losses, erlang_b(slots, 20.0), 0.08);
        let carrying = shares(&tallies(&scenario, Design::Carrying), Outcome::Rejected);
        assert!(carrying.iter().all(|&loss| loss == 0.0), "carrying holds nothing");
    }
}
lanes!(slots_of_the_balancer_lose_as_one_pool_by_erlang_b);
