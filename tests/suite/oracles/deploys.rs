//! Processes that are replaced, taken away and taken back on purpose, in the waiting design: what outlasts the drain is
//! lost. Carrying has nothing to lose.

use parked::era::Design;
use parked::metrics::Outcome;
use parked::scenario::Scenario;
use parked::stats::theory::{Think, lost_in_kill, lost_in_rolling, periodic_loss_share, reclaimed_share};

use super::{DET60, EXP60, LN60, ideal, in_words, shares, tallies, total, within_five_sd, within_t};

/// Ten instances to which every answer finds back as long as they live.
const HOME: &str = "arrivals.poisson.rate = \"5/s\"\nfleet.instances = 10\n\
                    balancer = { policy = \"random\", stickiness = \"learned\" }\n";
const RATE: f64 = 5.0;

/// Deploys every `period` seconds for ten periods, after each of which all old calls are killed within `drain`.
fn deploys(replications: u32, think: Think, strategy: &str, period: u32, drain: u32) -> Scenario {
    // A roll takes time, in which calls go on to arrive.
    let (boot, roll) = if strategy == "rolling" { ("10s", 400) } else { ("0s", 0) };
    let lines = format!(
        "{HOME}run.horizon = \"{}s\"\nfleet.boot = \"{boot}\"\nfleet.termination.grace = \"{drain}s\"\n\
         fault = [{{ deploy = {{ at = \"{period}s\", every = \"{period}s\", strategy = \"{strategy}\" }} }}]\n{}",
        10 * period + roll,
        in_words(think)
    );
    ideal(replications, &lines)
}

/// The number lost is Poisson with this mean for each of `changes`; carrying loses nothing.
fn loses(what: &str, scenario: &Scenario, changes: u32, each: f64, sees: f64) {
    let lost = total(&tallies(scenario, Design::Waiting), Outcome::Lost);
    let expected = f64::from(changes) * each;
    if expected == 0.0 {
        assert_eq!(lost, 0.0, "{what}");
    } else {
        within_five_sd(what, lost, expected, expected.sqrt(), sees);
    }
    assert_eq!(total(&tallies(scenario, Design::Carrying), Outcome::Lost), 0.0, "{what}: carrying has nothing to lose");
}

/// O9 and A16: beside a fleet that stays as large, a deploy loses rate * E[(W-D)+], all at once or one by one.
fn a_deploy_beside_the_fleet_loses_the_calls_that_outlast_the_drain(size: u32) {
    for strategy in ["blue-green", "surge"] {
        for (drain, sees) in [(0, 0.07), (30, 0.09)] {
            // Of a call 20 mean think times old nothing is left.
            let scenario = deploys(2 * size, EXP60, strategy, 1200, drain);
            let each = lost_in_kill(RATE, EXP60, f64::from(drain));
            loses(&format!("{strategy}, drain {drain} s"), &scenario, 20 * size, each, sees);
        }
    }
}
lanes!(a_deploy_beside_the_fleet_loses_the_calls_that_outlast_the_drain);

/// O9 and A17: deploys in steady repetition, each call under the next one only, whatever the tail.
fn regular_deploys_lose_a_share_that_the_tail_decides(size: u32) {
    for (think, drain, sees) in
        [(EXP60, 0, 0.09), (DET60, 30, 0.1), (DET60, 60, 0.0), (LN60, 30, 0.1), (LN60, 120, 0.18)]
    {
        let scenario = deploys(size, think, "blue-green", 600, drain);
        let each = RATE * 600.0 * periodic_loss_share(think, 600.0, f64::from(drain));
        loses(&format!("{think:?}, drain {drain} s"), &scenario, 10 * size, each, sees);
    }
}
lanes!(regular_deploys_lose_a_share_that_the_tail_decides, 2, 32);

/// O9 and A16: one at a time, the others collect the load of the one that is down, and lose it later.
fn a_rolling_deploy_loses_more_since_the_others_take_the_load(size: u32) {
    for (think, sees) in [(EXP60, 0.09), (DET60, 0.1)] {
        // No instance is empty before its drain ends.
        let scenario = deploys(2 * size, think, "rolling", 1600, 30);
        loses(&format!("{think:?}"), &scenario, 20 * size, lost_in_rolling(RATE, think, 10, 30.0, 10.0), sees);
    }
}
lanes!(a_rolling_deploy_loses_more_since_the_others_take_the_load);

/// O9b: an instance that goes for good loses its share of what outlasts the drain.
fn an_instance_that_is_scaled_in_loses_its_share(size: u32) {
    for (think, drain, sees) in [(EXP60, 0, 0.12), (EXP60, 30, 0.15), (LN60, 30, 0.15)] {
        // Long tails need patience to be in their steady state.
        let lines = format!(
            "{HOME}run.horizon = \"1200s\"\nclients.patience = \"1200s\"\nfleet.termination.grace = \"{drain}s\"\n\
             fault = [{{ scale = {{ at = \"1200s\", to = 9 }} }}]\n{}",
            in_words(think)
        );
        let each = RATE / 10.0 * (think.mean_min(1200.0) - think.mean_min(f64::from(drain)));
        loses(&format!("{think:?}, drain {drain} s"), &ideal(64 * size, &lines), 64 * size, each, sees);
    }
}
lanes!(an_instance_that_is_scaled_in_loses_its_share);

/// O22: an address that is taken back after a notice loses the calls that outlast it.
fn reclaimed_addresses_lose_the_calls_that_outlast_the_notice(size: u32) {
    for (think, sees) in [(EXP60, 0.15), (DET60, 0.17), (LN60, 0.15)] {
        let lines = format!(
            "run.horizon = \"5h\"\narrivals.poisson.rate = \"2/s\"\nfleet.instances = 200\n\
             balancer = {{ policy = \"random\", stickiness = \"learned\" }}\n\
             fault = [{{ reclaim = {{ every.exponential.mean = \"1h\", notice = \"30s\" }} }}]\n{}",
            in_words(think)
        );
        let lost = shares(&tallies(&ideal(32 * size, &lines), Design::Waiting), Outcome::Lost);
        within_t(&format!("{think:?}"), &lost, reclaimed_share(think, 30.0, 3600.0), sees);
    }
}
lanes!(reclaimed_addresses_lose_the_calls_that_outlast_the_notice);

/// O9 = O10: an overlap of keys is to carried state what a drain is to parked calls. In one scenario, with a deploy and a
/// new key at the same instants and for the same grace, the two designs lose the very same calls.
#[test]
fn a_new_key_costs_carrying_the_very_calls_that_a_deploy_costs_waiting() {
    for (grace, think) in [(0, EXP60), (30, LN60), (120, LN60)] {
        let both = deploys(1, think, "blue-green", 600, grace);
        let rotation = format!("state.rotation = {{ every = \"600s\", overlap = \"{grace}s\" }}\n");
        let lines = format!(
            "{HOME}{rotation}run.horizon = \"6000s\"\nfleet.termination.grace = \"{grace}s\"\n\
             fault = [{{ deploy = {{ at = \"600s\", every = \"600s\", strategy = \"blue-green\" }} }}]\n{}",
            in_words(think)
        );
        let with_keys = ideal(1, &lines);
        assert_eq!(tallies(&both, Design::Waiting), tallies(&with_keys, Design::Waiting), "waiting has no keys");
        let [waiting, carrying] =
            [Design::Waiting, Design::Carrying].map(|design| super::cells(&with_keys, design, true));
        let (mut lost, mut all) = (0, 0);
        for (waits, carries) in waiting[0].records.iter().zip(&carrying[0].records) {
            let ends = (waits.end.outcome, carries.end.outcome);
            assert!(
                [(Outcome::Lost, Outcome::Refused), (Outcome::Completed, Outcome::Completed)].contains(&ends),
                "{waits:?}\n{carries:?}"
            );
            lost += u32::from(ends.0 == Outcome::Lost);
            all += 1;
        }
        assert!(lost > 500 && all > 25_000, "{lost} of {all}");
    }
}
