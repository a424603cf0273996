//! Lognormal, for how long people think. The scenario gives it by median and 95th percentile, or by sigma; what is kept
//! is the median and sigma. The median must never be taken for the mean: their ratio is exp(sigma^2 / 2).

use serde::Serialize;

use super::Distribution;
use super::error::{InvalidDistribution, finite, non_negative, positive};
use crate::random::{normal_quantile, unit};

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Lognormal {
    median: f64,
    /// Standard deviation of the logarithm.
    sigma: f64,
}

impl Lognormal {
    pub(super) fn median_p95(median: f64, p95: f64) -> Result<Lognormal, InvalidDistribution> {
        let (median, p95) = (positive("median", median)?, finite("p95", p95)?);
        if p95 <= median {
            return Err(InvalidDistribution::P95NotAboveMedian { p95, median });
        }
        // The difference of logarithms cannot overflow, the logarithm of the ratio could.
        let sigma = (libm::log(p95) - libm::log(median)) / normal_quantile(0.95);
        Ok(Lognormal { median, sigma })
    }

    pub(super) fn median_sigma(median: f64, sigma: f64) -> Result<Lognormal, InvalidDistribution> {
        Ok(Lognormal { median: non_negative("median", median)?, sigma: deviation(sigma)? })
    }

    pub(super) fn mean_sigma(mean: f64, sigma: f64) -> Result<Lognormal, InvalidDistribution> {
        let (mean, sigma) = (non_negative("mean", mean)?, deviation(sigma)?);
        Ok(Lognormal { median: mean * libm::exp(-sigma * sigma / 2.0), sigma })
    }

    #[inline]
    pub(super) fn value(&self, word: u64) -> f64 {
        self.median * libm::exp(self.sigma * normal_quantile(unit(word)))
    }

    /// The same sigma about a median that is exp(sigma^2) times as large.
    pub(super) fn length_biased(&self) -> Option<Distribution> {
        let median = self.median * libm::exp(self.sigma * self.sigma);
        (median > 0.0).then(|| Distribution::lognormal_median_sigma(median, self.sigma).ok()).flatten()
    }

    pub(super) fn mean(&self) -> f64 {
        self.median * libm::exp(self.sigma * self.sigma / 2.0)
    }
}

fn deviation(sigma: f64) -> Result<f64, InvalidDistribution> {
    let sigma = finite("sigma", sigma)?;
    if sigma < 0.0 { Err(InvalidDistribution::NegativeSigma { sigma }) } else { Ok(sigma + 0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word_of(share: f64) -> u64 {
        (share * 18_446_744_073_709_551_616.0) as u64
    }

    fn close(a: f64, b: f64) -> bool {
        (a / b - 1.0).abs() < 1e-12
    }

    #[test]
    fn half_of_the_words_lie_below_the_median_and_95_percent_below_p95() {
        let lognormal = Lognormal::median_p95(45.0, 240.0).unwrap();
        assert!(close(lognormal.value(word_of(0.5)), 45.0));
        assert!(close(lognormal.value(word_of(0.95)), 240.0));
    }

    #[test]
    fn the_three_ways_to_write_a_lognormal_agree() {
        let sigma = 1.2;
        let by_mean = Lognormal::mean_sigma(60.0, sigma).unwrap();
        assert!(close(by_mean.median, 29.205_135_357_598_3), "{}", by_mean.median);
        assert!(close(by_mean.mean(), 60.0));
        assert_eq!(by_mean, Lognormal::median_sigma(by_mean.median, sigma).unwrap());
        let p95 = by_mean.value(word_of(0.95));
        assert!(close(Lognormal::median_p95(by_mean.median, p95).unwrap().sigma, sigma));
    }

    #[test]
    fn a_sigma_of_zero_is_a_constant() {
        let lognormal = Lognormal::median_sigma(8.0, 0.0).unwrap();
        assert_eq!((lognormal.value(0), lognormal.value(u64::MAX), lognormal.mean()), (8.0, 8.0, 8.0));
    }

    #[test]
    fn a_p95_that_is_not_above_the_median_is_refused() {
        let refused = InvalidDistribution::P95NotAboveMedian { p95: 45.0, median: 45.0 };
        assert_eq!(Lognormal::median_p95(45.0, 45.0), Err(refused));
    }

    #[test]
    fn a_median_of_zero_with_a_p95_is_refused() {
        let refused = InvalidDistribution::NotPositive { parameter: "median", value: 0.0 };
        assert_eq!(Lognormal::median_p95(0.0, 45.0), Err(refused));
    }

    #[test]
    fn a_negative_sigma_median_or_mean_is_refused() {
        let sigma = InvalidDistribution::NegativeSigma { sigma: -0.1 };
        assert_eq!(Lognormal::median_sigma(45.0, -0.1), Err(sigma.clone()));
        assert_eq!(Lognormal::mean_sigma(45.0, -0.1), Err(sigma));
        let median = InvalidDistribution::Negative { parameter: "median", value: -1.0 };
        assert_eq!(Lognormal::median_sigma(-1.0, 1.0), Err(median));
        let mean = InvalidDistribution::Negative { parameter: "mean", value: -1.0 };
        assert_eq!(Lognormal::mean_sigma(-1.0, 1.0), Err(mean));
    }
}
