//! What a fleet has to hold: the fullest of its instances, what a quantile takes, how many instances that is, what is
//! left behind.
//!
//! Why it exists: a fleet is bought for its fullest instance and its busiest minute, not for its mean.
//! What must never happen here: a size that was rounded before the last step.

use libm::{ceil, exp, lgamma, log, pow};

/// Largest relative weight that is left out of a sum.
const NOTHING: f64 = 1e-18;

/// P(X = k) for X Poisson.
fn poisson(mean: f64, k: u32) -> f64 {
    exp(f64::from(k) * log(mean) - mean - lgamma(f64::from(k) + 1.0))
}

/// P(X ≤ k) for X Poisson, for k = 0, 1, ... up to where nothing is left.
fn poisson_distribution(mean: f64) -> Vec<f64> {
    let (mut sum, mut all) = (0.0, Vec::new());
    for k in 0.. {
        let weight = poisson(mean, k);
        sum += weight;
        all.push(sum);
        if f64::from(k) > mean && weight < NOTHING {
            break;
        }
    }
    all
}

/// O17, random routing: E\[max\] of the number parked over this many instances, each of which has `mean` on average:
/// the sum over k of 1 − P(X ≤ k)^N for X Poisson.
///
/// Conditions: steady state, Poisson arrivals, new calls at random, answers sticky, unlimited threads; any think time.
#[must_use]
pub fn fullest(instances: u32, mean: f64) -> f64 {
    poisson_distribution(mean).iter().map(|&below| 1.0 - pow(below.min(1.0), f64::from(instances))).sum()
}

/// The smallest k that this maximum does not exceed with probability `p`.
///
/// Conditions as for [`fullest`].
#[must_use]
pub fn fullest_quantile(instances: u32, mean: f64, p: f64) -> u32 {
    let distribution = poisson_distribution(mean);
    let place = distribution.iter().position(|&below| pow(below.min(1.0), f64::from(instances)) >= p);
    place.unwrap_or(distribution.len()) as u32
}

/// O17, static: E\[max\] when so many balls are thrown at random into so many bins. The numbers in the bins are Poisson
/// ones under the condition that they add up to the balls.
#[must_use]
pub fn fullest_thrown(bins: u32, balls: u32) -> f64 {
    let mean = f64::from(balls) / f64::from(bins);
    let all = poisson(f64::from(balls), balls);
    let at_most = |k: u32| -> f64 {
        let weights: Vec<f64> = (0..=k.min(balls)).map(|x| poisson(mean, x)).collect();
        let mut sums = vec![0.0; balls as usize + 1];
        sums[0] = 1.0;
        for _ in 0..bins {
            let mut next = vec![0.0; balls as usize + 1];
            for (so_far, weight) in sums.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
                for (x, more) in weights.iter().enumerate().take(balls as usize + 1 - so_far) {
                    next[so_far + x] += weight * more;
                }
            }
            sums = next;
        }
        sums[balls as usize] / all
    };
    (0..balls).map(|k| 1.0 - at_most(k)).sum()
}

/// O17, round robin over this many instances with sticky answers: the variance of the number parked at one of them,
/// from the binomial moments of GI/M/∞ with Erlang gaps; `mean` is parked at each on average.
///
/// Conditions: steady state, Poisson arrivals, exponential think, unlimited threads.
#[must_use]
pub fn round_robin_variance(instances: u32, mean: f64) -> f64 {
    let all = mean * f64::from(instances);
    let transform = pow(all / (all + 1.0), f64::from(instances));
    mean * transform / (1.0 - transform) + mean - mean * mean
}

/// O19: instances that hold `held` at `each` and have `busy` cores of work with `cores` each, `least` at least.
#[must_use]
pub fn instances_needed(held: f64, each: f64, busy: f64, cores: f64, least: u32) -> u32 {
    (ceil((held / each).max(busy / cores)) as u32).max(least)
}

/// Sessions that stand in the long run when nobody ends the others: rate·(1 − g)·TTL for a share g that says goodbye.
///
/// Conditions: sessions without time of their own; Little's law.
#[must_use]
pub fn sessions_left(rate: f64, goodbye: f64, ttl: f64) -> f64 {
    rate * (1.0 - goodbye) * ttl
}

#[cfg(test)]
mod tests {
    use super::super::{oracles, poisson_quantile};
    use super::*;

    #[test]
    fn the_fullest_instance_agrees_with_the_oracle() {
        oracles::agree("O17", "E max of 10 bins, 300 balls thrown at random (exact)", |_| {
            vec![fullest_thrown(10, 300)]
        });
        oracles::agree("O17", "random routing: E max parked of 10 instances, 99% quantile", |_| {
            vec![fullest(10, 30.0), f64::from(fullest_quantile(10, 30.0, 0.99))]
        });
    }

    #[test]
    fn the_variance_under_round_robin_agrees_with_the_oracle() {
        let quantity = "round-robin: variance of parked per instance (EXP think, mean 30)";
        oracles::agree("O17", quantity, |row| vec![round_robin_variance(row.count("N"), 30.0)]);
    }

    #[test]
    fn memory_is_a_quantile_times_what_each_takes() {
        let held = poisson_quantile(300.0, 0.999) as f64;
        for (quantity, kib) in [
            ("memory at 99.9% parked, MiB: bare Rust thread RSS 9.6 KiB", 9.6),
            ("memory at 99.9% parked, MiB: Rust thread after 64 KiB of stack use 72 KiB", 72.0),
            ("memory at 99.9% parked, MiB: Go SSE handler 70 KiB", 70.0),
            ("memory at 99.9% parked, MiB: async task 4 KiB", 4.0),
            ("memory at 99.9% parked, MiB: thread address space 2 MiB", 2048.0),
        ] {
            oracles::agree("O18", quantity, |_| vec![held * kib / 1024.0]);
        }
    }

    #[test]
    fn instances_agree_with_the_oracle_at_three_rates() {
        let needed = |rate: f64| {
            let held = poisson_quantile(rate * 60.0, 0.999) as f64;
            [instances_needed(held, 200.0, 0.0, 1.2, 2), instances_needed(0.0, 200.0, rate * 0.015, 1.2, 2)]
        };
        assert_eq!([5.0, 50.0, 500.0].map(needed), [[2, 2], [16, 2], [153, 7]]);
        let quantity = "instances waiting (200 threads each) / carrying (2 vCPU, 15 ms CPU per call, 60%)";
        oracles::agree("O19", quantity, |row| vec![f64::from(needed(row.number("rate"))[0])]);
    }

    #[test]
    fn one_bin_holds_all_balls_and_one_instance_its_mean() {
        assert!((fullest_thrown(1, 7) - 7.0).abs() < 1e-12 && (fullest(1, 7.0) - 7.0).abs() < 1e-12);
        assert!((round_robin_variance(1, 7.0) - 7.0).abs() < 1e-9);
        assert_eq!(sessions_left(2.0, 0.25, 100.0), 150.0);
    }
}
