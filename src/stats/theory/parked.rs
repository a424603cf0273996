//! How many calls are parked: Little's law and the infinite-server queue.
//!
//! Why it exists: the mean number parked is the price of waiting; its law sizes the threads and the warm-up.
//! What must never happen here: a formula that needs a steady state applied to a start from empty.

use libm::{exp, log};

use super::quadrature::integrate;
use super::routing::random_hit;
use super::think::Think;

/// O1, Little's law: rate·E\[min(W, T)\] calls parked on average, with patience T or without end.
///
/// Conditions: steady state, unlimited threads, every answer reaches its call. Any arrival process, any think time.
#[must_use]
pub fn mean_parked(rate: f64, think: Think, patience: Option<f64>) -> f64 {
    rate * think.mean_min(patience.unwrap_or(f64::INFINITY))
}

/// O1 with people who never answer: rate·((1−p)·E\[min(W, T)\] + p·T) for a share p = `silent`.
///
/// Conditions as for [`mean_parked`].
#[must_use]
pub fn mean_parked_with_silent(rate: f64, think: Think, patience: f64, silent: f64) -> f64 {
    rate * ((1.0 - silent) * think.mean_min(patience) + silent * patience)
}

/// O1b, Little's law when a misrouted answer leaves its call parked until T:
/// rate·(E\[W; W ≤ T\]/N + T·(1 − P(W ≤ T)/N)).
///
/// Conditions: steady state, unlimited threads, answers routed at random over `instances`, no answer sent again.
#[must_use]
pub fn mean_parked_misrouted(rate: f64, think: Think, patience: f64, instances: u32) -> f64 {
    let late = think.survival(patience);
    let in_time = think.mean_min(patience) - patience * late;
    let hit = random_hit(instances);
    rate * (in_time * hit + patience * (1.0 - (1.0 - late) * hit))
}

/// O2, M/G/∞ from empty: rate·E\[min(W, t)\] calls parked at time t, and their number is Poisson.
///
/// Conditions: Poisson arrivals from time 0, nobody parked at 0, unlimited threads, no timeout.
#[must_use]
pub fn parked_from_empty(rate: f64, think: Think, t: f64) -> f64 {
    rate * think.mean_min(t)
}

/// The smallest k with P(X ≤ k) ≥ `p` for X Poisson with this mean: O2's sizing quantile of the number parked.
///
/// # Panics
/// When `mean` is not positive or `p` is outside \[1e-12, 1 − 1e-12\], beyond which a sum in f64 says nothing.
#[must_use]
pub fn poisson_quantile(mean: f64, p: f64) -> u64 {
    assert!(mean > 0.0 && mean.is_finite(), "a positive mean was expected, got {mean}");
    assert!((1e-12..=1.0 - 1e-12).contains(&p), "a probability inside (0, 1) was expected, got {p}");
    // Beyond twelve standard deviations (and forty more for a small mean) there is less than 1e-31.
    let reach = 12.0 * mean.sqrt();
    let (first, last) = ((mean - reach).max(0.0).floor() as u64, (mean + reach + 40.0).ceil() as u64);
    // Only ratios of neighbours are used: exp(-mean) and factorials would leave the range of f64.
    let mut weight = 1.0;
    let weights: Vec<f64> = (first..=last)
        .map(|k| {
            weight *= if k == first { 1.0 } else { mean / k as f64 };
            weight
        })
        .collect();
    let goal = p * weights.iter().sum::<f64>();
    let mut below = 0.0;
    let reached = weights.iter().position(|weight| {
        below += weight;
        below >= goal
    });
    first + reached.unwrap_or(weights.len() - 1) as u64
}

/// O2: standard deviation of the time average of the number parked over a window of `horizon` seconds:
/// √(2·rate/H² · ∫ (H−u)·E\[(W−u)⁺\] du over \[0, H\]).
///
/// Conditions: M/G/∞ in steady state at the start of the window, no timeout.
#[must_use]
pub fn time_average_sd(rate: f64, think: Think, horizon: f64) -> f64 {
    let weighted = |y: f64| {
        let u = exp(y);
        u * (horizon - u) * think.excess(u)
    };
    // On the logarithmic scale of u, split where the excess of a constant think has its kink.
    let (from, to) = (log(horizon) - 40.0, log(horizon));
    let kink = log(think.mean()).clamp(from, to);
    let area = integrate(weighted, from, kink, 400) + integrate(weighted, kink, to, 400);
    (2.0 * rate * area).sqrt() / horizon
}

/// O2: the integrated autocorrelation time E\[W²\]/E\[W\] of the number parked, in seconds: batches of a long run
/// should hold at least twenty of them.
///
/// Conditions: M/G/∞ in steady state, no timeout.
#[must_use]
pub fn autocorrelation_time(think: Think) -> f64 {
    think.second_moment() / think.mean()
}

/// O2: the time after which a start from empty has the mean number parked within `share` (0 < share < 1) of its limit:
/// the t with E\[(W−t)⁺\] = share·E\[W\].
///
/// Conditions: M/G/∞ without timeout; with a timeout T it is an upper bound, and so is T.
///
/// # Panics
/// When `share` is outside (0, 1).
#[must_use]
pub fn start_up_time(think: Think, share: f64) -> f64 {
    assert!(share > 0.0 && share < 1.0, "a share between 0 and 1 was expected, got {share}");
    let left = share * think.mean();
    let mut high = think.mean();
    while think.excess(high) > left {
        high *= 2.0;
    }
    let mut low = 0.0;
    // A hundred halvings reach the last bit of f64.
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if think.excess(middle) > left {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::super::oracles;
    use super::*;

    #[test]
    fn mean_parked_agrees_with_the_oracle_for_every_patience() {
        oracles::agree("O1", "mean parked, rate 5, T=none/300/60", |row| {
            [None, Some(300.0), Some(60.0)].map(|patience| mean_parked(5.0, row.think(), patience)).to_vec()
        });
    }

    #[test]
    fn people_who_never_answer_agree_with_the_oracle() {
        oracles::agree("O1", "mean parked, 10% never answer, T=300, rate 5", |row| {
            vec![mean_parked_with_silent(5.0, row.think(), 300.0, 0.1)]
        });
    }

    #[test]
    fn misrouted_calls_left_parked_agree_with_the_oracle() {
        let quantity = "mean parked when a misrouted answer parks the call until T=300 (random routing)";
        oracles::agree("O1b", quantity, |row| {
            vec![mean_parked_misrouted(row.number("rate"), row.think(), 300.0, row.count("N"))]
        });
    }

    #[test]
    fn the_build_up_from_empty_agrees_with_the_oracle() {
        oracles::agree("O2", "mean parked t=30,60,120,300,600,3600 after empty start", |row| {
            [30.0, 60.0, 120.0, 300.0, 600.0, 3600.0]
                .map(|t| parked_from_empty(row.number("rate"), row.think(), t))
                .to_vec()
        });
    }

    #[test]
    fn sizing_quantiles_agree_with_the_oracle() {
        oracles::agree("O2", "Poisson quantiles 50/95/99/99.9/99.99 %", |row| {
            [0.5, 0.95, 0.99, 0.999, 0.9999].map(|p| poisson_quantile(row.number("rho"), p) as f64).to_vec()
        });
    }

    #[test]
    fn a_small_poisson_quantile_steps_where_its_sum_does() {
        assert_eq!(poisson_quantile(1.0, 0.367), 0);
        assert_eq!(poisson_quantile(1.0, 0.368), 1);
        assert_eq!(poisson_quantile(0.001, 0.9), 0);
    }

    #[test]
    fn a_large_poisson_quantile_follows_cornish_and_fisher() {
        let (mean, z) = (1e8_f64, 3.090_232_306_167_813);
        let expected = mean + z * mean.sqrt() + (z * z - 1.0) / 6.0;
        assert!((poisson_quantile(mean, 0.999) as f64 - expected).abs() < 1.5, "{expected}");
    }

    #[test]
    fn the_spread_of_a_time_average_agrees_with_the_oracle() {
        oracles::agree("O2", "exact sd of time average, H=200000", |row| {
            vec![time_average_sd(row.number("rate"), row.think(), 2e5)]
        });
    }

    #[test]
    fn moments_and_the_limiting_spread_agree_with_the_oracle() {
        oracles::agree("O2", "E[W^2]; limit sd of time average over H=200000", |row| {
            let moment = row.think().second_moment();
            vec![moment, (row.number("rate") * moment / 2e5).sqrt()]
        });
    }

    #[test]
    fn autocorrelation_and_start_up_agree_with_the_oracle() {
        let quantity = "integrated autocorrelation time E[W^2]/E[W] s; start-up time until the mean is within 0.1 % s";
        oracles::agree("O2w", quantity, |row| {
            vec![autocorrelation_time(row.think()), start_up_time(row.think(), 0.001)]
        });
    }

    #[test]
    fn the_start_up_of_an_exponential_think_is_its_logarithm() {
        let time = start_up_time(Think::Exponential { mean: 7.0 }, 0.01);
        assert!((time - 7.0 * log(100.0)).abs() < 1e-12, "{time}");
    }
}
