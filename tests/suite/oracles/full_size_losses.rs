//! What is lost to crashes, deploys and new keys, at the sizes and with the bounds that the plan of verification states.
//! Slow lane only; each has a smaller sibling in the quick lane.

use parked::era::Design;
use parked::metrics::Outcome;
use parked::stats::theory::Think;

use super::full_size::{LN60_2, accepted};
use super::{DET60, EXP60, LN60, ideal, in_words, started, tallies, total, within_t};

const HOME: &str = "arrivals.poisson.rate = \"5/s\"\nbalancer = { policy = \"random\", stickiness = \"learned\" }\n";
const CRASHES: &str = "fault = [{ crash = { mtbf.exponential = { mean = \"1h\" }, repair = \"0s\" } }]\n";

#[test]
#[ignore = "slow lane"]
fn a14_of_a_million_calls_crashes_take_16393_and_in_clumps_where_instances_are_few() {
    for (instances, bounds) in [(2000, [15_709.0, 17_078.0]), (10, [12_900.0, 19_887.0])] {
        let lines =
            format!("{HOME}{CRASHES}run.horizon = \"200000s\"\nfleet.instances = {instances}\n{}", in_words(EXP60));
        let lost = total(&tallies(&ideal(1, &lines), Design::Waiting), Outcome::Lost);
        accepted(&format!("A14 N = {instances}"), lost, 16_393.4, bounds);
    }
}

#[test]
#[ignore = "slow lane"]
fn a15_of_a_million_calls_alone_on_their_instance_the_shape_hardly_matters() {
    for (think, expected, bounds) in [
        (EXP60, 16_393.4, [15_762.0, 17_032.0]),
        (DET60, 16_528.6, [15_895.0, 17_170.0]),
        (LN60_2, 14_005.4, [13_422.0, 14_597.0]),
    ] {
        // Each instance gets a call every 6000 s.
        let lines = format!(
            "{CRASHES}run.horizon = \"300000s\"\narrivals.constant.rate = \"200/m\"\nfleet.instances = 20000\n\
             balancer.stickiness = \"cookie\"\n{}",
            in_words(think)
        );
        let tallies = tallies(&ideal(1, &lines), Design::Waiting);
        assert_eq!(started(&tallies), 1e6);
        accepted(&format!("A15 {think:?}"), total(&tallies, Outcome::Lost), expected, bounds);
    }
}

#[test]
#[ignore = "slow lane"]
fn a16_two_hundred_deploys_lose_what_outlasts_their_drain_and_rolling_ones_more() {
    for (strategy, drain, expected, bounds) in [
        ("surge", 0, 60_000.0, [58_779.0, 61_229.0]),
        ("surge", 30, 36_391.8, [35_442.0, 37_350.0]),
        ("rolling", 30, 39_605.4, [38_614.0, 40_604.0]),
    ] {
        let lines = format!(
            "{HOME}run.horizon = \"400400s\"\nfleet.instances = 10\nfleet.boot = \"10s\"\n\
             fleet.termination.grace = \"{drain}s\"\n\
             fault = [{{ deploy = {{ at = \"2000s\", every = \"2000s\", strategy = \"{strategy}\" }} }}]\n{}",
            in_words(EXP60)
        );
        let lost = total(&tallies(&ideal(1, &lines), Design::Waiting), Outcome::Lost);
        accepted(&format!("A16 {strategy} {drain}"), lost, expected, bounds);
    }
}

/// Think time, grace in seconds, expected losses over 55 hours, and the accepted range.
const HOURLY: [(Think, u32, f64, [f64; 2]); 3] = [
    (LN60, 30, 10_466.8, [9959.0, 10_982.0]),
    (EXP60, 0, 16_500.0, [15_862.0, 17_146.0]),
    (LN60_2, 300, 5392.4, [5029.0, 5763.0]),
];

#[test]
#[ignore = "slow lane"]
fn a17_fifty_five_hourly_deploys_lose_by_the_tail() {
    for (think, drain, expected, bounds) in HOURLY {
        let lines = format!(
            "{HOME}run.horizon = \"55h\"\nfleet.instances = 10\nfleet.termination.grace = \"{drain}s\"\n\
             fault = [{{ deploy = {{ at = \"1h\", every = \"1h\", strategy = \"blue-green\" }} }}]\n{}",
            in_words(think)
        );
        let lost = total(&tallies(&ideal(1, &lines), Design::Waiting), Outcome::Lost);
        accepted(&format!("A17 {think:?}"), lost, expected, bounds);
    }
}

#[test]
#[ignore = "slow lane"]
fn a18_fifty_five_hourly_keys_refuse_by_the_tail() {
    for (think, overlap, expected, bounds) in HOURLY {
        let lines = format!(
            "{HOME}run.horizon = \"55h\"\nfleet.instances = 10\n\
             state.rotation = {{ every = \"1h\", overlap = \"{overlap}s\" }}\n{}",
            in_words(think)
        );
        let refused = total(&tallies(&ideal(1, &lines), Design::Carrying), Outcome::Refused);
        accepted(&format!("A18 {think:?}"), refused, expected, bounds);
    }
}

#[test]
#[ignore = "slow lane"]
fn a33_two_hundred_switches_that_sign_first_refuse_nine_each_and_those_that_verify_first_none() {
    let refused = |order: &str| -> Vec<f64> {
        let lines = format!(
            "arrivals.poisson.rate = \"5/s\"\nrun.horizon = \"660s\"\nfleet.instances = 10\nbalancer.policy = \"random\"\n\
             state.rotation = {{ every = \"600s\", overlap = \"2h\", order = \"{order}\", spread = \"60s\" }}\n{}",
            in_words(EXP60)
        );
        let tallies = tallies(&ideal(200, &lines), Design::Carrying);
        tallies.iter().map(|tally| tally.count(Outcome::Refused) as f64).collect()
    };
    within_t("A33", &refused("sign-first"), 9.3274, 0.2);
    assert!(refused("verify-first").iter().all(|&refused| refused == 0.0));
}
