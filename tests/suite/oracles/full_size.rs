//! The oracles at the sizes and with the bounds that the plan of verification states, number for number: nothing here is
//! computed from the theory of the library, so a slip in that theory shows, too. Slow lane only; each has a smaller
//! sibling in the quick lane.

use parked::era::Design;
use parked::metrics::Outcome;
use parked::stats::theory::Think;

use super::{DET60, EXP60, LN60, ideal, in_words, shares, started, tallies, total, within_t};

/// Lognormal of mean 60 s with a very long tail.
pub(super) const LN60_2: Think = Think::Lognormal { mean: 60.0, sigma: 2.0 };

/// Replications where the variance is not known.
const MANY: u32 = 64;

/// The value lies in the stated interval, and that is around the stated value.
pub(super) fn accepted(what: &str, value: f64, expected: f64, [low, high]: [f64; 2]) {
    assert!(low < expected && expected < high, "{what}: {expected} is not in its own interval");
    assert!((low..=high).contains(&value), "{what}: {value} is not in [{low}, {high}]");
}

/// The mean number parked over 200,000 s at 5 calls a second.
fn parked(think: Think, run: &str) -> f64 {
    let lines = format!(
        "run = {{ {run} }}\narrivals.poisson.rate = \"5/s\"\nfleet.misroute = \"not-found\"\n\
         balancer.stickiness = \"learned\"\n{}",
        in_words(think)
    );
    tallies(&ideal(1, &lines), Design::Waiting)[0].parked.mean
}

#[test]
#[ignore = "slow lane"]
fn a1_a2_a3_mean_parked_is_300_for_exponential_constant_and_lognormal_think() {
    // A warm-up of two hours is beyond the start-up time of all three.
    let run = "warm_up = \"7200s\", horizon = \"207200s\"";
    accepted("A1", parked(EXP60, run), 300.0, [297.88, 302.12]);
    accepted("A2", parked(DET60, run), 300.0, [298.50, 301.50]);
    accepted("A3", parked(LN60, run), 300.0, [296.92, 303.08]);
}

#[test]
#[ignore = "slow lane"]
fn a4_mean_parked_is_300_for_a_heavy_tail_from_a_stationary_start() {
    let run = "start = \"stationary\", horizon = \"200000s\"";
    accepted("A4", parked(LN60_2, run), 300.0, [289.74, 310.26]);
}

#[test]
#[ignore = "slow lane"]
fn a6_parked_two_minutes_after_400_empty_starts() {
    for (think, expected, bounds) in
        [(EXP60, 103_759.8, [102_153.0, 105_374.0]), (LN60, 87_602.5, [86_127.0, 89_086.0])]
    {
        let lines = "run = { stop = \"horizon\", warm_up = \"119999ms\", horizon = \"120s\" }\n\
                     arrivals.poisson.rate = \"5/s\"\nfleet.instances = 1\n";
        let tallies = tallies(&ideal(400, &format!("{lines}{}", in_words(think))), Design::Waiting);
        accepted("A6", tallies.iter().map(|tally| tally.parked.mean).sum(), expected, bounds);
    }
}

/// A million calls, evenly spaced: for what happens to each call by itself.
const A_MILLION: &str = "run.horizon = \"1000s\"\narrivals.constant.rate = \"1000/s\"\nfleet.instances = 3\n\
                         balancer.stickiness = \"learned\"\n";

#[test]
#[ignore = "slow lane"]
fn a7_of_a_million_calls_those_of_the_people_who_take_a_minute_time_out() {
    let scenario = ideal(1, &format!("{A_MILLION}clients.patience = \"60s\"\n{}", in_words(EXP60)));
    for design in Design::PURE {
        let tallies = tallies(&scenario, design);
        assert_eq!(started(&tallies), 1e6);
        accepted("A7", total(&tallies, Outcome::TimedOut), 367_879.0, [365_469.0, 370_292.0]);
    }
}

#[test]
#[ignore = "slow lane"]
fn a19_of_a_million_states_those_of_the_people_who_take_five_minutes_expire() {
    for (think, expected, bounds) in [(EXP60, 6737.9, [6333.0, 7151.0]), (LN60, 26_117.0, [25_324.0, 26_918.0])] {
        let scenario = ideal(1, &format!("{A_MILLION}state.ttl = \"300s\"\n{}", in_words(think)));
        let tallies = tallies(&scenario, Design::Carrying);
        assert_eq!(started(&tallies), 1e6);
        accepted("A19", total(&tallies, Outcome::Refused), expected, bounds);
    }
}

/// The share of calls turned away in each of the replications of about 100,000 calls, on ten instances of 32 threads.
fn turned_away(policy: &str, think: Think) -> Vec<f64> {
    let lines = format!(
        "run = {{ warm_up = \"3080s\", horizon = \"23080s\" }}\narrivals.poisson.rate = \"5/s\"\n\
         fleet.instances = 10\nfleet.threads = 32\nfleet.queue = \"none\"\n\
         balancer = {{ policy = \"{policy}\", stickiness = \"learned\" }}\n{}",
        in_words(think)
    );
    shares(&tallies(&ideal(MANY, &lines), Design::Waiting), Outcome::Rejected)
}

#[test]
#[ignore = "slow lane"]
fn a8_least_connections_over_ten_instances_loses_as_one_pool_of_320_threads() {
    within_t("A8", &turned_away("least-connections", LN60), 0.013_180_9, 0.1);
}

#[test]
#[ignore = "slow lane"]
fn a9_random_and_round_robin_lose_as_ten_pools_of_32_threads() {
    within_t("A9 random", &turned_away("random", EXP60), 0.096_266_3, 0.02);
    within_t("A9 round robin", &turned_away("round-robin", EXP60), 0.063_418_9, 0.03);
}

/// A miss ends the call, so that nothing lingers.
const A_MISS_ENDS_THE_CALL: &str =
    "clients.on_not_found = \"fail\"\nfleet.misroute = \"not-found\"\nstate.keys = \"per-process\"\n";

#[test]
#[ignore = "slow lane"]
fn a20_of_100_000_answers_routed_at_random_over_ten_instances_a_tenth_comes_home() {
    let lines = format!(
        "run.horizon = \"1000s\"\narrivals.constant.rate = \"100/s\"\n{A_MISS_ENDS_THE_CALL}fleet.instances = 10\n\
         balancer.policy = \"random\"\n{}",
        in_words(EXP60)
    );
    for design in Design::PURE {
        let tallies = tallies(&ideal(1, &lines), design);
        assert_eq!(started(&tallies), 1e5);
        accepted("A20", total(&tallies, Outcome::Completed), 10_000.0, [9529.0, 10_478.0]);
    }
}

/// The share of answers that come home in each of the replications of about 40,000 calls.
fn hits(policy: &str, rate: f64, instances: u32) -> Vec<f64> {
    let horizon = 1200.0 + 40_000.0 / rate;
    let lines = format!(
        "run = {{ warm_up = \"20m\", horizon = \"{horizon:.0}s\" }}\narrivals.poisson.rate = \"{}/m\"\n\
         {A_MISS_ENDS_THE_CALL}fleet.instances = {instances}\nbalancer.policy = \"{policy}\"\n{}",
        60.0 * rate,
        in_words(EXP60)
    );
    shares(&tallies(&ideal(MANY, &lines), Design::Waiting), Outcome::Completed)
}

#[test]
#[ignore = "slow lane"]
fn a21_one_round_robin_counter_brings_answers_home_by_its_formula() {
    for (rate, instances, expected) in [(0.01, 2, 0.310_566), (0.05, 3, 0.279_941), (0.05, 10, 0.044_344)] {
        within_t("A21", &hits("round-robin", rate, instances), expected, 0.02);
    }
}

#[test]
#[ignore = "slow lane"]
fn a22_least_connections_drives_answers_away_from_home() {
    within_t("A22", &hits("least-connections", 5.0 / 60.0, 2), 0.422_705, 0.01);
}

#[test]
#[ignore = "slow lane"]
fn a26_a_hundred_thousand_clients_poll_a_page_twelve_and_a_half_times() {
    // Nobody reaches the most rounds that a client can be given but 26 in 100,000, which moves the mean by 0.003.
    let lines = "run.horizon = \"1000s\"\narrivals.constant.rate = \"100/s\"\npeople.think.constant = \"1s\"\n\
                 tool.body = \"connect_calendar\"\nclients.capabilities = { elicitation = { url = {} } }\n\
                 links.unfinished = { poll = \"5s\" }\nlinks.page.exponential = { mean = \"60s\" }\n\
                 clients.max_rounds = 100\nfleet.instances = 1\n";
    for design in Design::PURE {
        let tallies = tallies(&ideal(1, lines), design);
        assert_eq!(started(&tallies), 1e5);
        // The call itself and the answer that gives the consent are no polls.
        let messages: u64 = tallies.iter().map(|tally| tally.messages).sum();
        let polls = messages as f64 - 2e5;
        accepted("A26", polls / 1e5, 12.506_94, [12.317, 12.697]);
    }
}

#[test]
#[ignore = "slow lane"]
fn a34_answers_that_go_astray_unnoticed_park_1380_calls_instead_of_298() {
    let lines = format!(
        "run = {{ warm_up = \"300s\", horizon = \"20300s\" }}\narrivals.poisson.rate = \"5/s\"\n\
         clients.patience = \"300s\"\nfleet.instances = 10\nbalancer.policy = \"random\"\n{}",
        in_words(EXP60)
    );
    let parked: Vec<f64> =
        tallies(&ideal(MANY, &lines), Design::Waiting).iter().map(|tally| tally.parked.mean).collect();
    within_t("A34", &parked, 1379.8, 0.01);
}
