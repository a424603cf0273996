//! Every family against its exact distribution, over many words.
//!
//! Bounds are those that a correct sampler breaks once in a million seeds or less often; seeds are fixed. A test that
//! fails is a fault to find, never a bound to widen.

use super::*;
use crate::random::{Kind, Purpose, Streams};

const SEED: u64 = 20_260_728;

/// `count` values, each from the `think` word of a call of its own.
fn sample(distribution: &Distribution, count: u64) -> Vec<Option<f64>> {
    let mut streams = Streams::new(SEED, 28);
    (0..count)
        .map(|call| {
            let lane = streams.lane(Kind::Call, call);
            distribution.sample(&mut streams.words(&lane, call, Purpose::Think, 0))
        })
        .collect()
}

fn values(distribution: &Distribution, count: u64) -> Vec<f64> {
    sample(distribution, count).into_iter().flatten().collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Kolmogorov-Smirnov distance between 10^5 values and the exact distribution function.
fn distance(distribution: &Distribution, cdf: impl Fn(f64) -> f64) -> f64 {
    let mut values = values(distribution, 100_000);
    values.sort_by(f64::total_cmp);
    let n = values.len() as f64;
    let gap = |(index, value): (usize, &f64)| {
        let exact = cdf(*value);
        (exact - index as f64 / n).max((index + 1) as f64 / n - exact)
    };
    values.iter().enumerate().map(gap).fold(0.0, f64::max)
}

/// Kolmogorov's bound for 10^5 values at 1e-6, see method.md A28.
const KS_BOUND: f64 = 0.00852;

fn assert_distance(name: &str, distribution: Result<Distribution, InvalidDistribution>, cdf: impl Fn(f64) -> f64) {
    let d = distance(&distribution.unwrap(), cdf);
    assert!(d < KS_BOUND, "{name}: distance {d}");
}

#[test]
fn the_mean_of_a_million_exponentials_of_mean_60_is_between_59_70_and_60_30() {
    let found = mean(&values(&Distribution::exponential(60.0).unwrap(), 1_000_000));
    assert!((59.70..=60.30).contains(&found), "{found}");
}

#[test]
fn the_mean_of_a_million_lognormals_of_mean_60_is_between_59_46_and_60_54() {
    let found = mean(&values(&Distribution::lognormal_mean_sigma(60.0, 1.2).unwrap(), 1_000_000));
    assert!((59.46..=60.54).contains(&found), "{found}");
}

#[test]
fn the_exponential_is_exponential() {
    assert_distance("mean 60", Distribution::exponential(60.0), |x| -libm::expm1(-x / 60.0));
}

#[test]
fn the_lognormal_is_lognormal() {
    let cdf = |median: f64, sigma: f64| {
        move |x: f64| 0.5 * libm::erfc(-libm::log(x / median) / sigma / core::f64::consts::SQRT_2)
    };
    let median = 60.0 * libm::exp(-0.72);
    assert_distance("mean 60", Distribution::lognormal_mean_sigma(60.0, 1.2), cdf(median, 1.2));
    assert_distance("median 45", Distribution::lognormal_median_sigma(45.0, 2.0), cdf(45.0, 2.0));
    let sigma = libm::log(240.0 / 45.0) / 1.644_853_626_951_472_2;
    assert_distance("p95 240", Distribution::lognormal_median_p95(45.0, 240.0), cdf(45.0, sigma));
}

#[test]
fn the_weibull_is_weibull() {
    for (shape, scale) in [(0.5, 30.0), (1.0, 60.0), (3.5, 10.0)] {
        let cdf = |x: f64| -libm::expm1(-libm::pow(x / scale, shape));
        assert_distance("weibull", Distribution::weibull(shape, scale), cdf);
    }
}

#[test]
fn the_uniform_is_uniform() {
    assert_distance("uniform", Distribution::uniform(10.0, 500.0), |x| (x - 10.0) / 490.0);
}

#[test]
fn the_erlang_is_erlang() {
    for k in [1, 2, 5, 20] {
        let cdf = |x: f64| {
            let rate_x = f64::from(k) * x / 12.0;
            let (mut term, mut below) = (1.0, 0.0);
            for stage in 1..=k {
                below += term;
                term *= rate_x / f64::from(stage);
            }
            1.0 - libm::exp(-rate_x) * below
        };
        assert_distance("erlang", Distribution::erlang(k, 12.0), cdf);
    }
}

#[test]
fn the_stated_mean_is_the_mean_of_the_samples() {
    let known_deviation = [
        (Distribution::uniform(10.0, 500.0), 490.0 / 12.0_f64.sqrt()),
        (Distribution::lognormal_median_p95(8.0, 30.0), 11.0),
        (Distribution::weibull(2.0, 10.0), 4.633),
        (Distribution::erlang(4, 12.0), 6.0),
        (Distribution::empirical(vec![1.0, 2.0, 9.0]), 3.559_1),
    ];
    for (distribution, deviation) in known_deviation {
        let distribution = distribution.unwrap();
        let found = mean(&values(&distribution, 100_000));
        let bound = 5.0 * deviation / 100_000.0_f64.sqrt();
        assert!((found - distribution.mean()).abs() < bound, "{distribution:?}: {found}, not {}", distribution.mean());
    }
}

#[test]
fn a_mixture_gives_each_part_its_weight_and_its_own_distribution() {
    const COUNT: u64 = 100_000;
    let parts = vec![
        (0.5, Distribution::uniform(0.0, 1.0).unwrap()),
        (0.3, Distribution::exponential(60.0).unwrap()),
        (0.2, Distribution::never()),
    ];
    let mixture = Distribution::mixture(parts).unwrap();
    let found = sample(&mixture, COUNT);
    let share = |test: &dyn Fn(&Option<f64>) -> bool, expected: f64, name: &str| {
        let hits = found.iter().filter(|value| test(value)).count() as f64;
        let bound = 5.0 * (COUNT as f64 * expected * (1.0 - expected)).sqrt();
        assert!((hits - expected * COUNT as f64).abs() < bound, "{name}: {hits} of {COUNT}");
    };
    let above = |bound: f64| 0.3 * libm::exp(-bound / 60.0);
    share(&|value| value.is_none(), 0.2, "never");
    share(&|value| value.is_some_and(|x| x > 1.0), above(1.0), "above 1");
    share(&|value| value.is_some_and(|x| x > 60.0), above(60.0), "above 60");
    share(&|value| value.is_some_and(|x| x < 0.5), 0.25 + 0.3 - above(0.5), "below 0.5");
    assert_eq!(mixture.never_share(), 0.2);
    assert_eq!(mixture.mean(), f64::INFINITY);
}

#[test]
fn a_larger_word_never_gives_a_smaller_value() {
    let mut streams = Streams::new(SEED, 0);
    let mut words: Vec<u64> = (0..25_000).flat_map(|call| streams.lane(Kind::Call, call)).collect();
    words.extend([0, u64::MAX]);
    words.sort_unstable();
    for distribution in [
        Distribution::uniform(10.0, 500.0),
        Distribution::exponential(60.0),
        Distribution::lognormal_mean_sigma(60.0, 1.2),
        Distribution::weibull(0.5, 30.0),
        Distribution::weibull(3.5, 30.0),
        Distribution::erlang(1, 30.0),
        Distribution::empirical((0..1000).map(f64::from).collect()),
    ] {
        let distribution = distribution.unwrap();
        let mut last = 0.0;
        for word in &words {
            let value = distribution.sample(&mut || *word).unwrap();
            assert!(value >= last, "{distribution:?}: word {word} gives {value} after {last}");
            last = value;
        }
    }
}
