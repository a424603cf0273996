//! Where the answer goes: the chance that it comes home, by balancer.

use parked::era::Design;
use parked::metrics::Outcome;
use parked::stats::theory::{over_rounds, random_hit, round_robin_hit};

use super::{EXP60, cells, ideal, in_words, shares, started, tallies, total, within_binomial, within_t};

/// A miss ends the call, so that nothing lingers: waiting by "not found" and a cancel that reaches the owner, carrying
/// by a key that only the sealing process has.
const A_MISS_ENDS_THE_CALL: &str =
    "clients.on_not_found = \"fail\"\nfleet.misroute = \"not-found\"\nstate.keys = \"per-process\"\n";

const MANY_CALLS: &str = "run.horizon = \"1000s\"\narrivals.poisson.rate = \"100/s\"\n";

/// O12, O14 and A20: at random an answer hits with 1/N. Per-process keys refuse exactly the calls that waiting misroutes.
fn random_routing_brings_one_answer_in_n_home_and_own_keys_refuse_the_very_others(size: u32) {
    for (instances, sees) in [(2, 0.02), (10, 0.06)] {
        let lines = format!(
            "{MANY_CALLS}{A_MISS_ENDS_THE_CALL}fleet.instances = {instances}\nbalancer.policy = \"random\"\n{}",
            in_words(EXP60)
        );
        let scenario = ideal(size, &lines);
        let (waiting, carrying) = (cells(&scenario, Design::Waiting, true), cells(&scenario, Design::Carrying, true));
        let (mut hits, mut all) = (0.0, 0.0);
        for (waiting, carrying) in waiting.iter().zip(&carrying) {
            for (waits, carries) in waiting.records.iter().zip(&carrying.records) {
                let hit = waits.end.outcome == Outcome::Completed;
                assert_eq!(hit, carries.end.outcome == Outcome::Completed, "{waits:?}\n{carries:?}");
                hits += f64::from(hit);
                all += 1.0;
            }
        }
        within_binomial(&format!("N = {instances}"), hits, all, random_hit(instances), sees);
        let refused = over_rounds(1.0 - random_hit(instances), 1);
        within_binomial(&format!("refused, N = {instances}"), all - hits, all, refused, sees);
    }
}
lanes!(random_routing_brings_one_answer_in_n_home_and_own_keys_refuse_the_very_others);

/// O12c: an answer that is sent again k times reaches home within 1 + k tries with 1 - (1 - 1/N)^(1 + k).
fn an_answer_sent_again_comes_home_within_its_tries(size: u32) {
    let lines = format!(
        "{MANY_CALLS}clients.on_not_found = \"resend\"\nclients.max_resends = 3\nfleet.misroute = \"not-found\"\n\
         fleet.instances = 4\nbalancer.policy = \"random\"\n{}",
        in_words(EXP60)
    );
    let waiting = tallies(&ideal(size, &lines), Design::Waiting);
    let home = over_rounds(random_hit(4), 4);
    within_binomial("home", total(&waiting, Outcome::Completed), started(&waiting), home, 0.02);
}
lanes!(an_answer_sent_again_comes_home_within_its_tries);

/// O12 and A21: one round-robin counter over calls and answers. The answer hits when the number of messages in between
/// is N - 1 mod N, which at low load is far from 1/N. Both designs send the same messages, so both hit alike.
fn one_round_robin_counter_brings_answers_home_as_its_formula_says(size: u32) {
    for (rate, instances, minutes, sees) in [(0.01, 2, 3200, 0.06), (0.05, 3, 1600, 0.04), (0.05, 10, 1600, 0.12)] {
        let lines = format!(
            "run = {{ warm_up = \"20m\", horizon = \"{minutes}m\" }}\narrivals.poisson.rate = \"{rate}/s\"\n\
             {A_MISS_ENDS_THE_CALL}fleet.instances = {instances}\n{}",
            in_words(EXP60)
        );
        let scenario = ideal(40 * size, &lines);
        let waiting = shares(&tallies(&scenario, Design::Waiting), Outcome::Completed);
        let expected = round_robin_hit(rate, 60.0, instances);
        within_t(&format!("{rate}/s on {instances}"), &waiting, expected, sees);
        assert_eq!(waiting, shares(&tallies(&scenario, Design::Carrying), Outcome::Completed));
    }
}
lanes!(one_round_robin_counter_brings_answers_home_as_its_formula_says);

/// O12b and A22: least connections drives answers away from the instance that holds their call. The figures are the
/// stationary solution of the Markov chain of both queues (N = 2, exponential think, ties at random, a miss ends the call).
fn least_connections_drives_answers_away_from_home(size: u32) {
    for (rate, expected, minutes, sees) in [("1/m", 0.261_506, 3000, 0.025), ("5/m", 0.422_705, 800, 0.02)] {
        let lines = format!(
            "run = {{ warm_up = \"20m\", horizon = \"{minutes}m\" }}\narrivals.poisson.rate = \"{rate}\"\n\
             {A_MISS_ENDS_THE_CALL}fleet.instances = 2\nbalancer.policy = \"least-connections\"\n{}",
            in_words(EXP60)
        );
        let hits = shares(&tallies(&ideal(64 * size, &lines), Design::Waiting), Outcome::Completed);
        within_t(rate, &hits, expected, sees);
    }
}
lanes!(least_connections_drives_answers_away_from_home);
