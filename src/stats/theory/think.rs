//! The law of the think time W: from the ask arriving at the client to the answer leaving it.
//!
//! Why it exists: nearly every closed form is one functional of W (a survival, a truncated mean, a Laplace transform),
//! so each is written once for every shape.
//! What must never happen here: a random number, or a tail computed as a difference of two nearly equal numbers.

use libm::{erfc, exp, expm1, log};

use super::quadrature::integrate;

/// Panels of the quadrature for a think time on its logarithmic scale.
pub(super) const PANELS: u32 = 400;
/// ln(W/mean) of an exponential think lies between these but for 5e-18 of the cases.
const LOG_EXPONENTIAL: (f64, f64) = (-40.0, 4.1);
/// A standard normal lies within ± this but for 4e-33 of the cases.
const NORMAL_REACH: f64 = 12.0;

/// A think time by its shape, all times in seconds and positive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Think {
    /// Exponential.
    Exponential {
        /// E\[W\].
        mean: f64,
    },
    /// The same for everybody.
    Constant {
        /// W.
        value: f64,
    },
    /// Lognormal by its arithmetic mean; the median is mean·exp(−sigma²/2).
    Lognormal {
        /// E\[W\].
        mean: f64,
        /// Standard deviation of ln W, positive.
        sigma: f64,
    },
}

impl Think {
    /// E\[W\].
    #[must_use]
    pub fn mean(self) -> f64 {
        match self {
            Think::Exponential { mean } | Think::Lognormal { mean, .. } => mean,
            Think::Constant { value } => value,
        }
    }

    /// E\[W²\].
    #[must_use]
    pub fn second_moment(self) -> f64 {
        match self {
            Think::Exponential { mean } => 2.0 * mean * mean,
            Think::Constant { value } => value * value,
            Think::Lognormal { mean, sigma } => mean * mean * exp(sigma * sigma),
        }
    }

    /// P(W > t). A constant think of exactly t is not above it: exactly at a limit counts as in time.
    #[must_use]
    pub fn survival(self, t: f64) -> f64 {
        if t <= 0.0 {
            return 1.0;
        }
        match self {
            Think::Exponential { mean } => exp(-t / mean),
            Think::Constant { value } => f64::from(value > t),
            Think::Lognormal { mean, sigma } => normal_survival(standardised(mean, sigma, t)),
        }
    }

    /// E\[min(W, t)\] for t ≥ 0: how long a call with patience t stays parked. Equals ∫ P(W > u) du over \[0, t\].
    #[must_use]
    pub fn mean_min(self, t: f64) -> f64 {
        if t <= 0.0 {
            return 0.0;
        }
        if t == f64::INFINITY {
            return self.mean();
        }
        match self {
            Think::Exponential { mean } => -mean * expm1(-t / mean),
            Think::Constant { value } => value.min(t),
            Think::Lognormal { mean, sigma } => {
                let z = standardised(mean, sigma, t);
                mean * normal_survival(sigma - z) + t * normal_survival(z)
            }
        }
    }

    /// E\[(W − t)⁺\] for t ≥ 0: what is left of a think time after t. Equals ∫ P(W > u) du over \[t, ∞).
    #[must_use]
    pub fn excess(self, t: f64) -> f64 {
        if t <= 0.0 {
            return self.mean();
        }
        if t == f64::INFINITY {
            return 0.0;
        }
        match self {
            Think::Exponential { mean } => mean * exp(-t / mean),
            Think::Constant { value } => (value - t).max(0.0),
            Think::Lognormal { mean, sigma } => {
                let z = standardised(mean, sigma, t);
                mean * normal_survival(z - sigma) - t * normal_survival(z)
            }
        }
    }

    /// E\[exp(−sW)\] for s ≥ 0, the Laplace-Stieltjes transform.
    #[must_use]
    pub fn laplace(self, s: f64) -> f64 {
        match self {
            Think::Exponential { mean } => 1.0 / (1.0 + s * mean),
            Think::Constant { value } => exp(-s * value),
            Think::Lognormal { .. } => self.expect(|w| exp(-s * w), f64::INFINITY, PANELS),
        }
    }

    /// 1 − E\[exp(−sW)\] for s ≥ 0, without the cancellation: the probability that an event of rate s comes before the
    /// answer.
    #[must_use]
    pub fn overtaken(self, s: f64) -> f64 {
        self.overtaken_after(s, 0.0)
    }

    /// 1 − E\[exp(−s·(W−t)⁺)\] for s, t ≥ 0: the probability that an event of rate s comes more than t before the answer.
    #[must_use]
    pub fn overtaken_after(self, s: f64, t: f64) -> f64 {
        match self {
            Think::Exponential { mean } => self.survival(t) * (s * mean / (1.0 + s * mean)),
            Think::Constant { value } => -expm1(-s * (value - t).max(0.0)),
            Think::Lognormal { .. } => self.expect_between(|w| -expm1(-s * (w - t)), t, f64::INFINITY, PANELS),
        }
    }

    /// E\[g(W); W ≤ limit\] for a bounded g without kinks, integrated on the logarithmic scale of W so that a g that
    /// changes quickly next to 0 is resolved as well.
    pub(super) fn expect(self, g: impl Fn(f64) -> f64, limit: f64, panels: u32) -> f64 {
        self.expect_between(g, 0.0, limit, panels)
    }

    /// E\[g(W); above < W ≤ limit\], likewise.
    fn expect_between(self, g: impl Fn(f64) -> f64, above: f64, limit: f64, panels: u32) -> f64 {
        if limit <= above {
            return 0.0;
        }
        match self {
            Think::Constant { value } => {
                if above < value && value <= limit {
                    g(value)
                } else {
                    0.0
                }
            }
            Think::Exponential { mean } => {
                let (from, to) = LOG_EXPONENTIAL;
                let weighted = |y: f64| {
                    let multiple = exp(y);
                    multiple * exp(-multiple) * g(mean * multiple)
                };
                integrate(weighted, from.max(log(above / mean)), to.min(log(limit / mean)), panels)
            }
            Think::Lognormal { mean, sigma } => {
                let weighted = |z: f64| normal_density(z) * g(mean * exp(sigma * z - 0.5 * sigma * sigma));
                let (from, to) = (standardised(mean, sigma, above), standardised(mean, sigma, limit));
                integrate(weighted, from.max(-NORMAL_REACH), to.min(NORMAL_REACH), panels)
            }
        }
    }
}

/// (ln t − μ)/σ of a lognormal given by its arithmetic mean.
fn standardised(mean: f64, sigma: f64, t: f64) -> f64 {
    log(t / mean) / sigma + 0.5 * sigma
}

/// P(Z > z) of a standard normal.
fn normal_survival(z: f64) -> f64 {
    0.5 * erfc(z * std::f64::consts::FRAC_1_SQRT_2)
}

fn normal_density(z: f64) -> f64 {
    exp(-0.5 * z * z) / (2.0 * std::f64::consts::PI).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::oracles;
    use super::*;

    const SHAPES: [Think; 4] = [
        Think::Exponential { mean: 60.0 },
        Think::Constant { value: 60.0 },
        Think::Lognormal { mean: 60.0, sigma: 1.2 },
        Think::Lognormal { mean: 60.0, sigma: 2.0 },
    ];

    fn close(got: f64, expected: f64, tolerance: f64) {
        assert!((got - expected).abs() <= tolerance, "got {got}, expected {expected} ± {tolerance}");
    }

    #[test]
    fn the_mean_held_for_a_patience_agrees_with_the_oracle() {
        oracles::agree("O1", "E[min(W,T)] for T=30,60,300,3600", |row| {
            [30.0, 60.0, 300.0, 3600.0].map(|t| row.think().mean_min(t)).to_vec()
        });
    }

    #[test]
    fn the_standard_deviation_agrees_with_the_oracle() {
        oracles::agree_from("O26", "sampler: median p90 p95 p99, sd", 4, |row| {
            let think = row.think();
            vec![(think.second_moment() - think.mean() * think.mean()).sqrt()]
        });
    }

    #[test]
    fn minimum_and_excess_add_up_to_the_mean() {
        for think in SHAPES {
            for t in [0.0, 1e-9, 1.0, 60.0, 1e3, 1e6, f64::INFINITY] {
                close(think.mean_min(t) + think.excess(t), 60.0, 1e-12);
            }
        }
    }

    #[test]
    fn the_excess_is_the_area_under_the_survival() {
        for think in SHAPES {
            let area = integrate(|u| think.survival(u), 5.0, 60.0, 200);
            close(think.excess(5.0) - think.excess(60.0), area, 1e-10);
        }
    }

    #[test]
    fn a_far_tail_keeps_its_digits() {
        let think = Think::Lognormal { mean: 60.0, sigma: 1.2 };
        let t = 1e7;
        let area = integrate(|y| exp(y) * think.survival(exp(y)), log(t), log(t) + 12.0, 400);
        close(think.excess(t) / area, 1.0, 1e-9);
    }

    #[test]
    fn exactly_at_the_limit_is_in_time() {
        assert_eq!(Think::Constant { value: 60.0 }.survival(60.0), 0.0);
        assert_eq!(Think::Constant { value: 60.0 }.survival(59.999), 1.0);
        assert_eq!(Think::Constant { value: 60.0 }.expect(|_| 1.0, 60.0, PANELS), 1.0);
    }

    #[test]
    fn the_transform_starts_at_one_and_falls_by_the_mean() {
        for think in SHAPES {
            close(think.laplace(0.0), 1.0, 1e-14);
            close(think.laplace(0.01) + think.overtaken(0.01), 1.0, 1e-14);
            close(think.overtaken(1e-12) / 1e-12, 60.0, 1e-6);
        }
    }

    #[test]
    fn the_lognormal_transform_has_the_terms_of_its_moments() {
        let (mean, sigma, s) = (1.0, 0.1, 0.01);
        let moment = |k: f64| exp(0.5 * k * (k - 1.0) * sigma * sigma);
        let series =
            1.0 - s + s * s * moment(2.0) / 2.0 - s * s * s * moment(3.0) / 6.0 + s * s * s * s * moment(4.0) / 24.0;
        close(Think::Lognormal { mean, sigma }.laplace(s), series, 2e-12);
    }

    #[test]
    fn the_quadrature_agrees_with_the_closed_forms_of_the_exponential() {
        let think = Think::Exponential { mean: 60.0 };
        for s in [1e-6, 1e-2, 1.0, 100.0] {
            close(think.expect(|w| exp(-s * w), f64::INFINITY, PANELS) / think.laplace(s), 1.0, 1e-12);
        }
        close(think.expect(|_| 1.0, 30.0, PANELS), 1.0 - think.survival(30.0), 1e-14);
    }
}
