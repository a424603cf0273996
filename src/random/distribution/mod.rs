//! Distributions of times and amounts, checked when they are made and sampled by inversion.
//!
//! A closed enum behind a struct: a `Distribution` that exists has a finite, non-negative value for every word. One
//! file per family. What must never happen here: rejection, or a value that depends on more than its own words.

mod empirical;
mod erlang;
mod error;
mod exponential;
mod length_biased;
mod lognormal;
mod mixture;
mod uniform;
mod weibull;

#[cfg(test)]
mod oracles;
#[cfg(test)]
mod stability;
#[cfg(test)]
mod tests;

use serde::Serialize;

use self::empirical::Empirical;
use self::erlang::Erlang;
pub use self::error::InvalidDistribution;
use self::exponential::Exponential;
use self::lognormal::Lognormal;
use self::mixture::Mixture;
use self::uniform::Uniform;
use self::weibull::Weibull;

/// Words that one variate may take at most.
pub(super) const MAX_WORDS: u32 = erlang::MAX_SHAPE;

/// A distribution on the non-negative numbers, or on "never". Times are in seconds.
///
/// Two ways to write the same distribution are equal and serialise alike: what is kept and written are its canonical
/// parameters, for example the median and sigma of a lognormal that was given by its 95th percentile.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Distribution(Law);

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum Law {
    One(Family),
    Mixture(Mixture),
}

/// Every family but the mixture, so that a mixture inside a mixture cannot be written down.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Family {
    Never,
    Constant(f64),
    Uniform(Uniform),
    Exponential(Exponential),
    Lognormal(Lognormal),
    Weibull(Weibull),
    Erlang(Erlang),
    Empirical(Empirical),
}

impl Distribution {
    /// It does not happen.
    #[must_use]
    pub fn never() -> Distribution {
        Distribution(Law::One(Family::Never))
    }

    /// Always `value`.
    ///
    /// # Errors
    /// If `value` is negative or not finite.
    pub fn constant(value: f64) -> Result<Distribution, InvalidDistribution> {
        let value = error::non_negative("value", value)?;
        Ok(Distribution(Law::One(Family::Constant(value))))
    }

    /// Uniform between `from` and `to`.
    ///
    /// # Errors
    /// If a bound is negative or not finite, or `from` is above `to`.
    pub fn uniform(from: f64, to: f64) -> Result<Distribution, InvalidDistribution> {
        checked(Family::Uniform(Uniform::new(from, to)?), "uniform")
    }

    /// Exponential with this mean.
    ///
    /// # Errors
    /// If the mean is negative, not finite, or so large that a value is not finite.
    pub fn exponential(mean: f64) -> Result<Distribution, InvalidDistribution> {
        checked(Family::Exponential(Exponential::new(mean)?), "exponential")
    }

    /// Lognormal with this median and 95th percentile: sigma = ln(p95 / median) / z(0.95).
    ///
    /// # Errors
    /// If a parameter is not finite, the median is not above 0, `p95` is not above the median, or a value or the mean
    /// is too large to be finite.
    pub fn lognormal_median_p95(median: f64, p95: f64) -> Result<Distribution, InvalidDistribution> {
        checked(Family::Lognormal(Lognormal::median_p95(median, p95)?), "lognormal")
    }

    /// Lognormal with this median; `sigma` is the standard deviation of the logarithm.
    ///
    /// # Errors
    /// If a parameter is negative or not finite, or a value or the mean is too large to be finite.
    pub fn lognormal_median_sigma(median: f64, sigma: f64) -> Result<Distribution, InvalidDistribution> {
        checked(Family::Lognormal(Lognormal::median_sigma(median, sigma)?), "lognormal")
    }

    /// Lognormal with this mean: median = mean * exp(-sigma^2 / 2); `sigma` is the standard deviation of the logarithm.
    ///
    /// # Errors
    /// If a parameter is negative or not finite, or a value or the mean is too large to be finite.
    pub fn lognormal_mean_sigma(mean: f64, sigma: f64) -> Result<Distribution, InvalidDistribution> {
        checked(Family::Lognormal(Lognormal::mean_sigma(mean, sigma)?), "lognormal")
    }

    /// Weibull with survival function exp(-(x / scale)^shape).
    ///
    /// # Errors
    /// If a parameter is not finite, the shape is not above 0, the scale is negative, or a value or the mean is too
    /// large to be finite.
    pub fn weibull(shape: f64, scale: f64) -> Result<Distribution, InvalidDistribution> {
        checked(Family::Weibull(Weibull::new(shape, scale)?), "weibull")
    }

    /// Erlang: the sum of `k` exponentials, with this mean of the sum. Takes `k` words.
    ///
    /// # Errors
    /// If `k` is 0 or above 1000, or the mean is negative, not finite or so large that a value is not finite.
    pub fn erlang(k: u32, mean: f64) -> Result<Distribution, InvalidDistribution> {
        checked(Family::Erlang(Erlang::new(k, mean)?), "erlang")
    }

    /// One of these values, each as likely as the others: the inverse of their step function, without interpolation.
    ///
    /// # Errors
    /// If there is no value, or a value is NaN, infinite or negative, or their mean is too large to be finite.
    pub fn empirical(values: Vec<f64>) -> Result<Distribution, InvalidDistribution> {
        checked(Family::Empirical(Empirical::new(values)?), "empirical")
    }

    /// One of these distributions, each with its weight. Parts of weight 0 are left out.
    ///
    /// # Errors
    /// If there is no part, a weight is negative or not finite, the weights do not add up to 1 within 1e-9, or a part
    /// is itself a mixture.
    pub fn mixture(parts: Vec<(f64, Distribution)>) -> Result<Distribution, InvalidDistribution> {
        Ok(Distribution(Law::Mixture(Mixture::new(parts)?)))
    }

    /// A value, or `None` for never.
    ///
    /// Takes one word from `words`, and the value never falls when the word rises. Exceptions: an Erlang takes `k` words,
    /// a constant and never take none, and a mixture, which picks its part with the first word and gives that part what
    /// is left of it, rises only within a part.
    #[inline]
    pub fn sample(&self, words: &mut impl FnMut() -> u64) -> Option<f64> {
        match &self.0 {
            Law::One(family) => family.sample(words),
            Law::Mixture(mixture) => mixture.sample(words),
        }
    }

    /// Expected value, infinite if it can be never.
    #[must_use]
    pub fn mean(&self) -> f64 {
        match &self.0 {
            Law::One(family) => family.mean(),
            Law::Mixture(mixture) => mixture.mean(),
        }
    }

    /// Expected value of those values that are not never; 0 if all are.
    #[must_use]
    pub fn mean_if_ever(&self) -> f64 {
        match &self.0 {
            Law::One(Family::Never) => 0.0,
            Law::One(family) => family.mean(),
            Law::Mixture(mixture) => {
                let ever = mixture.parts().filter(|(_, of)| of.mean().is_finite());
                let (weight, sum) = ever.fold((0.0, 0.0), |(w, s), (weight, of)| (w + weight, s + weight * of.mean()));
                if weight > 0.0 { sum / weight } else { 0.0 }
            }
        }
    }

    /// Probability of never.
    #[must_use]
    pub fn never_share(&self) -> f64 {
        match &self.0 {
            Law::One(family) => family.never_share(),
            Law::Mixture(mixture) => mixture.never_share(),
        }
    }
}

impl Family {
    #[inline]
    fn sample(&self, words: &mut impl FnMut() -> u64) -> Option<f64> {
        match self {
            Family::Never => None,
            Family::Constant(value) => Some(*value),
            Family::Uniform(uniform) => Some(uniform.value(words())),
            Family::Exponential(exponential) => Some(exponential.value(words())),
            Family::Lognormal(lognormal) => Some(lognormal.value(words())),
            Family::Weibull(weibull) => Some(weibull.value(words())),
            Family::Erlang(erlang) => Some(erlang.value(words)),
            Family::Empirical(empirical) => Some(empirical.value(words())),
        }
    }

    fn mean(&self) -> f64 {
        match self {
            Family::Never => f64::INFINITY,
            Family::Constant(value) => *value,
            Family::Uniform(uniform) => uniform.mean(),
            Family::Exponential(exponential) => exponential.mean(),
            Family::Lognormal(lognormal) => lognormal.mean(),
            Family::Weibull(weibull) => weibull.mean(),
            Family::Erlang(erlang) => erlang.mean(),
            Family::Empirical(empirical) => empirical.mean(),
        }
    }

    fn never_share(&self) -> f64 {
        match self {
            Family::Never => 1.0,
            _ => 0.0,
        }
    }
}

/// Refuses a family whose mean or largest value is not a finite number, so that no sample has to be checked.
fn checked(family: Family, name: &'static str) -> Result<Distribution, InvalidDistribution> {
    let mean = family.mean();
    let largest = family.sample(&mut || u64::MAX).unwrap_or_default();
    if mean.is_finite() && largest.is_finite() {
        Ok(Distribution(Law::One(family)))
    } else {
        Err(InvalidDistribution::TooLarge { family: name, mean, largest })
    }
}
