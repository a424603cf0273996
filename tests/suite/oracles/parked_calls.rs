//! How many calls are parked: Little's law and M/G/infinity.

use parked::era::Design;
use parked::stats::theory::{Think, mean_parked_misrouted, mean_parked_with_silent, parked_from_empty};

use super::{DET60, EXP60, LN60, ideal, in_words, tallies, within_five_sd};

/// Standard deviation of the time average over `window` seconds of the number in a stationary M/G/infinity, for a time
/// held with this survival function and at most `longest` seconds long: sqrt(2 rate / H^2 * integral of
/// (H-u)+ E[(held-u)+] over [0, longest]), by the trapezoid rule on both integrals.
fn time_average_sd(rate: f64, window: f64, longest: f64, survival: impl Fn(f64) -> f64) -> f64 {
    const STEPS: u32 = 20_000;
    let step = longest / f64::from(STEPS);
    let (mut excess, mut sum) = (0.0, 0.0);
    for place in (0..STEPS).rev() {
        let (low, high) = (f64::from(place) * step, f64::from(place + 1) * step);
        let before = excess;
        excess += 0.5 * step * (survival(low) + survival(high));
        sum += 0.5 * step * ((window - high).max(0.0) * before + (window - low).max(0.0) * excess);
    }
    (2.0 * rate * sum).sqrt() / window
}

/// O1 and A1 to A3: rate * ((1-p) E[min(W, T)] + p T), whatever the shape. With patience T the system is exactly
/// stationary from T on, since no call stays longer, so the variance of the time average is exact.
fn mean_parked_is_littles_law_for_every_shape_and_with_silent_people(size: u32) {
    const RATE: f64 = 50.0;
    const PATIENCE: f64 = 300.0;
    const WINDOW: f64 = 2000.0;
    for think in [EXP60, DET60, LN60] {
        for silent in [0.0, 0.1] {
            let lines = "run = { warm_up = \"300s\", horizon = \"2300s\" }\narrivals.poisson.rate = \"50/s\"\n\
                         clients.patience = \"300s\"\nfleet.instances = 10\nbalancer.stickiness = \"learned\"\n";
            let scenario = ideal(2 * size, &format!("{lines}people.silent = {silent:?}\n{}", in_words(think)));
            let tallies = tallies(&scenario, Design::Waiting);
            let mean = tallies.iter().map(|tally| tally.parked.mean).sum::<f64>() / f64::from(2 * size);
            let held_longer = |u: f64| if u >= PATIENCE { 0.0 } else { silent + (1.0 - silent) * think.survival(u) };
            let sd = time_average_sd(RATE, WINDOW, PATIENCE, held_longer) / f64::from(2 * size).sqrt();
            let expected = mean_parked_with_silent(RATE, think, PATIENCE, silent);
            within_five_sd(&format!("{think:?}, {silent} silent"), mean, expected, sd, 0.02);
        }
    }
}
lanes!(mean_parked_is_littles_law_for_every_shape_and_with_silent_people);

/// A4: a run that starts in its steady state is at rate * E[min(W, T)] from its first instant, heavy tails included.
fn a_stationary_start_needs_no_warm_up(size: u32) {
    const RATE: f64 = 50.0;
    const WINDOW: f64 = 200.0;
    let heavy = Think::Lognormal { mean: 60.0, sigma: 2.0 };
    for (think, patience, silent) in
        [(EXP60, 3000.0, 0.0), (DET60, 300.0, 0.1), (heavy, 3000.0, 0.0), (heavy, 100.0, 0.1)]
    {
        let lines = format!(
            "run = {{ start = \"stationary\", horizon = \"200s\" }}\narrivals.poisson.rate = \"50/s\"\n\
             clients.patience = \"{patience}s\"\nfleet.misroute = \"not-found\"\nbalancer.stickiness = \"learned\"\n\
             people.silent = {silent:?}\n{}",
            in_words(think)
        );
        let tallies = tallies(&ideal(10 * size, &lines), Design::Waiting);
        let mean = tallies.iter().map(|tally| tally.parked.mean).sum::<f64>() / f64::from(10 * size);
        let held_longer = |u: f64| if u >= patience { 0.0 } else { silent + (1.0 - silent) * think.survival(u) };
        let sd = time_average_sd(RATE, WINDOW, patience, held_longer) / f64::from(10 * size).sqrt();
        let expected = mean_parked_with_silent(RATE, think, patience, silent);
        within_five_sd(&format!("{think:?}, patience {patience}"), mean, expected, sd, 0.04);
    }
}
lanes!(a_stationary_start_needs_no_warm_up);

/// A count that is one off, whatever the rate, shows only where few are parked: the number that stands at the start is
/// Poisson with mean rate * E[min(W, T)], people who never answer included, so its variance is its mean.
fn a_small_fleet_starts_with_as_many_as_a_large_one(size: u32) {
    const RATE: f64 = 0.1;
    const PATIENCE: f64 = 100.0;
    let lines = format!(
        "run = {{ start = \"stationary\", horizon = \"1ms\" }}\narrivals.poisson.rate = \"0.1/s\"\n\
         clients.patience = \"100s\"\nfleet.misroute = \"not-found\"\nbalancer.stickiness = \"learned\"\n\
         people.silent = 0.5\n{}",
        in_words(EXP60)
    );
    let replications = 1000 * size;
    let tallies = tallies(&ideal(replications, &lines), Design::Waiting);
    let mean = tallies.iter().map(|tally| tally.parked.mean).sum::<f64>() / f64::from(replications);
    let expected = mean_parked_with_silent(RATE, EXP60, PATIENCE, 0.5);
    within_five_sd("parked at the start", mean, expected, (expected / f64::from(replications)).sqrt(), 0.06);
}
lanes!(a_small_fleet_starts_with_as_many_as_a_large_one);

/// O1b and A34: a misrouted answer that is swallowed leaves its call parked until T, so the time held is longer than u
/// (below T) unless the answer came by then and hit: 1 - P(W <= u)/N. Calls are independent, so it is M/G/infinity again.
fn swallowed_answers_fill_the_fleet_as_littles_law_says(size: u32) {
    const RATE: f64 = 50.0;
    const PATIENCE: f64 = 300.0;
    for (think, instances) in [(EXP60, 2), (EXP60, 10), (LN60, 10)] {
        let lines = format!(
            "run = {{ warm_up = \"300s\", horizon = \"1500s\" }}\narrivals.poisson.rate = \"50/s\"\n\
             clients.patience = \"300s\"\nfleet.instances = {instances}\nbalancer.policy = \"random\"\n{}",
            in_words(think)
        );
        let tallies = tallies(&ideal(2 * size, &lines), Design::Waiting);
        let mean = tallies.iter().map(|tally| tally.parked.mean).sum::<f64>() / f64::from(2 * size);
        let missed = |u: f64| 1.0 - (1.0 - think.survival(u)) / f64::from(instances);
        let held_longer = |u: f64| if u >= PATIENCE { 0.0 } else { missed(u) };
        let sd = time_average_sd(RATE, 1200.0, PATIENCE, held_longer) / f64::from(2 * size).sqrt();
        let expected = mean_parked_misrouted(RATE, think, PATIENCE, instances);
        within_five_sd(&format!("{think:?} on {instances}"), mean, expected, sd, 0.02);
    }
}
lanes!(swallowed_answers_fill_the_fleet_as_littles_law_says);

/// O2 and A6: from empty, the number parked at time t is Poisson(rate E[min(W, t)]); the sum over empty starts is
/// Poisson too. It is read from a window of one millisecond that ends at t.
fn the_number_parked_grows_from_empty_as_in_m_g_infinity(size: u32) {
    const RATE: f64 = 5.0;
    for (think, starts, sees) in [(EXP60, 200 * size, 0.03), (DET60, 50 * size, 0.05), (LN60, 200 * size, 0.03)] {
        let lines = "run = { stop = \"horizon\", warm_up = \"119999ms\", horizon = \"120s\" }\n\
                     arrivals.poisson.rate = \"5/s\"\nfleet.instances = 1\n";
        let scenario = ideal(starts, &format!("{lines}{}", in_words(think)));
        let parked: f64 = tallies(&scenario, Design::Waiting).iter().map(|tally| tally.parked.mean).sum();
        let expected = f64::from(starts) * parked_from_empty(RATE, think, 119.9995);
        within_five_sd(&format!("{think:?}"), parked, expected, expected.sqrt(), sees);
    }
}
lanes!(the_number_parked_grows_from_empty_as_in_m_g_infinity);

#[test]
fn the_exact_variance_of_a_time_average_is_the_one_without_a_timeout_when_the_timeout_is_far() {
    // rate E[W^2] / H for a window of many autocorrelation times: 0.4242 for EXP60 at rate 5 over 2e5 s.
    let think = Think::Exponential { mean: 60.0 };
    let sd = time_average_sd(5.0, 2e5, 3000.0, |u| think.survival(u));
    assert!((sd - 0.4242).abs() < 2e-4, "{sd}");
}
