//! Where an answer lands when the balancer does not know who is waiting for it.
//!
//! Why it exists: a misrouted answer is the commonest way for a waiting call to die, and under round robin the chance is
//! not what most people guess.
//! What must never happen here: 1/N taken for round robin at low load.

use libm::{cos, exp, sin};

use super::think::{PANELS, Think};

/// O12: the chance 1/N that an answer routed at random over `instances` reaches the one that holds its call.
#[must_use]
pub fn random_hit(instances: u32) -> f64 {
    1.0 / f64::from(instances)
}

/// O12, one global round-robin counter: the chance that an answer reaches the instance that holds its call, for an
/// exponential think of this `mean` in seconds and `rate` new calls per second. [`round_robin_hit_for`] has the formula.
#[must_use]
pub fn round_robin_hit(rate: f64, mean: f64, instances: u32) -> f64 {
    round_robin_hit_for(rate, Think::Exponential { mean }, instances)
}

/// O12 for any think time. The answer hits when the number J of messages in between is N−1 modulo N. Given W = w,
/// J = A₁ + A₂ + 2·A₃ with A₁, A₂ ~ Poisson(rate·a), A₃ ~ Poisson(rate·(w−a)), a = E\[min(W, w)\], so
/// P(hit | w) = 1/N · Σᵣ z^−(N−1)·exp(2·rate·a·(z−1) + rate·(w−a)·(z²−1)) over z = exp(2πi·r/N).
///
/// Conditions: steady state, Poisson arrivals, one ask per call; every new call and every answer moves the counter, also
/// an answer that misses, and nothing else does; no timeout, no latency.
#[must_use]
pub fn round_robin_hit_for(rate: f64, think: Think, instances: u32) -> f64 {
    let given = |w: f64| {
        let alone = rate * think.mean_min(w);
        hit_given(2.0 * alone, (rate * w - alone).max(0.0), instances)
    };
    // With more instances the chance given w has more and narrower steps.
    think.expect(given, f64::INFINITY, PANELS + 10 * instances)
}

/// P(S + 2·D ≡ N−1 modulo N) for S ~ Poisson(`singles`), D ~ Poisson(`doubles`): a discrete Fourier sum, in which the
/// roots r and N−r are conjugate.
fn hit_given(singles: f64, doubles: f64, instances: u32) -> f64 {
    let term = |root: u32| {
        let angle = 2.0 * std::f64::consts::PI * f64::from(root) / f64::from(instances);
        let decay = singles * (cos(angle) - 1.0) + doubles * (cos(2.0 * angle) - 1.0);
        exp(decay) * cos(angle + singles * sin(angle) + doubles * sin(2.0 * angle))
    };
    let pairs: f64 = (1..instances.div_ceil(2)).map(|root| 2.0 * term(root)).sum();
    let middle = if instances.is_multiple_of(2) { term(instances / 2) } else { 0.0 };
    (1.0 + pairs + middle) / f64::from(instances)
}

/// The chance r + (1−r)/N that an answer reaches the instance that holds its call, when a share `reuse` = r of messages
/// goes over the connection of the message before.
///
/// Conditions: all other messages routed at random over `instances`, which stay up.
#[must_use]
pub fn reused_hit(reuse: f64, instances: u32) -> f64 {
    reuse + (1.0 - reuse) * random_hit(instances)
}

/// One round-robin counter with a lone client and `per_s` other requests per second through it: they are J, geometric
/// with q = b·m/(1 + b·m), while a person thinks for an exponential time of this `mean` in seconds, and the answer hits
/// when J is N−1 modulo N: (1−q)·q^(N−1)/(1−q^N).
///
/// Conditions: the other requests are Poisson; no two calls of clients overlap; every message moves the counter by one.
#[must_use]
pub fn background_hit(per_s: f64, mean: f64, instances: u32) -> f64 {
    let q = per_s * mean / (1.0 + per_s * mean);
    let count = f64::from(instances);
    (1.0 - q) * libm::pow(q, count - 1.0) / (1.0 - libm::pow(q, count))
}

/// The chance (1−1/R)/N that the answer of a lone client hits behind `replicas` = R balancers with a round-robin counter
/// each: it meets another counter than its call with 1−1/R, which then stands at any place alike.
///
/// Conditions: each message meets any replica alike; no two calls overlap; at least three replicas, since of two the
/// places are tied to one another by the number of messages so far; many messages before.
///
/// # Panics
/// Below three replicas.
#[must_use]
pub fn replicas_hit(replicas: u32, instances: u32) -> f64 {
    assert!(replicas >= 3, "the places of {replicas} counters are tied to one another");
    if instances == 1 { 1.0 } else { (1.0 - 1.0 / f64::from(replicas)) * random_hit(instances) }
}

#[cfg(test)]
mod tests {
    use super::super::oracles;
    use super::*;

    const MEAN: f64 = 60.0;

    #[test]
    fn random_routing_agrees_with_the_oracle() {
        oracles::agree("O12", "P(hit), random routing, N=2 3 4 10 20", |_| [2, 3, 4, 10, 20].map(random_hit).to_vec());
    }

    #[test]
    fn round_robin_with_exponential_think_agrees_with_the_oracle() {
        oracles::agree("O12", "P(hit), global RR counter, EXP60, rate 1e-5 .01 .05 .2 1 5", |row| {
            [1e-5, 0.01, 0.05, 0.2, 1.0, 5.0].map(|rate| round_robin_hit(rate, MEAN, row.count("N"))).to_vec()
        });
    }

    #[test]
    fn round_robin_with_other_think_times_agrees_with_the_oracle() {
        let constant = Think::Constant { value: MEAN };
        oracles::agree("O12", "P(hit), global RR counter, DET60, rate 1e-5 .01 .05 .2 1 5", |row| {
            [1e-5, 0.01, 0.05, 0.2, 1.0, 5.0].map(|rate| round_robin_hit_for(rate, constant, row.count("N"))).to_vec()
        });
        let lognormal = Think::Lognormal { mean: MEAN, sigma: 1.2 };
        oracles::agree("O12", "P(hit), global RR, LN60/1.2, rate .01 .05 .2 1 5", |row| {
            [0.01, 0.05, 0.2, 1.0, 5.0].map(|rate| round_robin_hit_for(rate, lognormal, row.count("N"))).to_vec()
        });
    }

    #[test]
    fn two_instances_and_exponential_think_have_the_short_form() {
        // 1 − exp(−W/m) is uniform, so E[exp(−4·rate·a)] = (1 − exp(−x))/x with x = 4·rate·m.
        for rate in [1e-5, 0.01, 1.0, 5.0, 100.0] {
            let x = 4.0 * rate * MEAN;
            let (hit, short) = (round_robin_hit(rate, MEAN, 2), 0.5 + 0.5 * libm::expm1(-x) / x);
            assert!((hit - short).abs() < 1e-13, "{rate}: {hit} is not {short}");
        }
    }

    #[test]
    fn two_instances_and_constant_think_have_the_short_form() {
        let hit = round_robin_hit_for(0.01, Think::Constant { value: MEAN }, 2);
        assert!((hit - 0.5 * (1.0 - exp(-4.0 * 0.01 * MEAN))).abs() < 1e-15, "{hit}");
    }

    #[test]
    fn a_lone_call_is_always_misrouted_and_a_lone_instance_always_hit() {
        for instances in [2, 3, 10] {
            assert!(round_robin_hit(0.0, MEAN, instances).abs() < 1e-14);
        }
        assert!((round_robin_hit(5.0, MEAN, 1) - 1.0).abs() < 1e-14);
    }

    #[test]
    fn the_fourier_sum_is_the_sum_over_the_law_of_the_messages() {
        let (singles, doubles, instances) = (1.3, 0.7, 5_usize);
        let poisson = |mean: f64, k: usize| (1..=k).fold(exp(-mean), |mass, j| mass * mean / j as f64);
        let mut direct = 0.0;
        for single in 0..60 {
            for double in 0..60 {
                if (single + 2 * double) % instances == instances - 1 {
                    direct += poisson(singles, single) * poisson(doubles, double);
                }
            }
        }
        assert!((hit_given(singles, doubles, 5) - direct).abs() < 1e-14, "{direct}");
    }

    #[test]
    fn the_quadrature_has_converged_for_a_hundred_instances() {
        let (rate, instances) = (1.0, 100);
        let exponential = Think::Exponential { mean: MEAN };
        let given = |w: f64| {
            let alone = rate * exponential.mean_min(w);
            hit_given(2.0 * alone, rate * w - alone, instances)
        };
        let finer = exponential.expect(given, f64::INFINITY, 8 * (PANELS + 10 * instances));
        assert!((round_robin_hit(rate, MEAN, instances) - finer).abs() < 1e-10);
    }

    #[test]
    fn connections_used_again_agree_with_the_oracle() {
        oracles::agree("F3", "P(hit), share r over the same connection, N=2 3 4 10", |row| {
            [2, 3, 4, 10].map(|instances| reused_hit(row.number("r"), instances)).to_vec()
        });
    }

    #[test]
    fn other_traffic_agrees_with_the_oracle() {
        oracles::agree("F2", "P(hit), lone client, one RR counter, EXP60, background .02 .1 1", |row| {
            [0.02, 0.1, 1.0].map(|per_s| background_hit(per_s, MEAN, row.count("N"))).to_vec()
        });
        assert_eq!((background_hit(0.0, MEAN, 2), background_hit(0.0, MEAN, 1)), (0.0, 1.0));
    }

    #[test]
    fn several_counters_agree_with_the_oracle() {
        oracles::agree("F2b", "P(hit), lone client, R RR counters, R=3 4 8", |row| {
            [3, 4, 8].map(|replicas| replicas_hit(replicas, row.count("N"))).to_vec()
        });
        assert_eq!(replicas_hit(3, 1), 1.0);
    }

    #[test]
    #[should_panic(expected = "tied to one another")]
    fn two_counters_have_no_such_formula() {
        let _ = replicas_hit(2, 4);
    }
}
