//! Why a distribution cannot be made: one variant per broken rule, with the rule and the offending value in its words.
//!
//! What must never happen here: a rule that is tested elsewhere under another name, or a message without the value.

use thiserror::Error;

/// A rule that the parameters of a distribution break.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum InvalidDistribution {
    /// A parameter is NaN or infinite.
    #[error("{parameter} must be a finite number, not {value}")]
    NotFinite {
        /// Which parameter.
        parameter: &'static str,
        /// Its value.
        value: f64,
    },
    /// A parameter is below 0.
    #[error("{parameter} must not be negative: {value}")]
    Negative {
        /// Which parameter.
        parameter: &'static str,
        /// Its value.
        value: f64,
    },
    /// A parameter that something is divided by is 0 or below.
    #[error("{parameter} must be above 0, not {value}")]
    NotPositive {
        /// Which parameter.
        parameter: &'static str,
        /// Its value.
        value: f64,
    },
    /// The bounds of a uniform distribution are in the wrong order.
    #[error("from must not be above to: {from} > {to}")]
    FromAboveTo {
        /// Lower bound.
        from: f64,
        /// Upper bound.
        to: f64,
    },
    /// The 95th percentile is not above the median, so there is no spread to compute.
    #[error("p95 must be above the median: {p95} <= {median}")]
    P95NotAboveMedian {
        /// 95th percentile.
        p95: f64,
        /// Median.
        median: f64,
    },
    /// The standard deviation of the logarithm is below 0.
    #[error("sigma is a standard deviation and must not be negative: {sigma}")]
    NegativeSigma {
        /// Standard deviation of the logarithm.
        sigma: f64,
    },
    /// An Erlang distribution of no stages.
    #[error("k is a number of stages and must be at least 1, not 0")]
    NoStages,
    /// An Erlang distribution of so many stages that a constant says the same.
    #[error("k must be at most {limit}, not {k}: so many stages are as good as a constant")]
    TooManyStages {
        /// Stages asked for.
        k: u32,
        /// Stages allowed.
        limit: u32,
    },
    /// The mean or the largest value overflows.
    #[error("the {family} distribution is too wide: its mean is {mean} and its largest value {largest}")]
    TooLarge {
        /// Which family.
        family: &'static str,
        /// Its mean.
        mean: f64,
        /// Its value for the largest word.
        largest: f64,
    },
    /// An empirical distribution without values.
    #[error("an empirical distribution needs at least one value")]
    NoValues,
    /// An empirical value is not a number.
    #[error("value {index} (counted from 0) of the empirical distribution is NaN")]
    NanValue {
        /// Place of the value as given.
        index: usize,
    },
    /// A mixture without parts.
    #[error("a mixture needs at least one part")]
    NoParts,
    /// A weight is below 0.
    #[error("weight {index} (counted from 0) of the mixture must not be negative: {weight}")]
    NegativeWeight {
        /// Place of the part.
        index: usize,
        /// Its weight.
        weight: f64,
    },
    /// The weights are not the shares of a whole.
    #[error("the weights of a mixture must add up to 1, not to {sum}")]
    WeightSum {
        /// What they add up to.
        sum: f64,
    },
    /// A part of a mixture is a mixture.
    #[error("part {index} (counted from 0) of the mixture is itself a mixture: write its parts out")]
    NestedMixture {
        /// Place of the part.
        index: usize,
    },
}

pub(super) fn finite(parameter: &'static str, value: f64) -> Result<f64, InvalidDistribution> {
    if value.is_finite() { Ok(value) } else { Err(InvalidDistribution::NotFinite { parameter, value }) }
}

/// The value itself, with 0 for -0 so that equal distributions have equal bytes.
pub(super) fn non_negative(parameter: &'static str, value: f64) -> Result<f64, InvalidDistribution> {
    let value = finite(parameter, value)?;
    if value < 0.0 { Err(InvalidDistribution::Negative { parameter, value }) } else { Ok(value + 0.0) }
}

pub(super) fn positive(parameter: &'static str, value: f64) -> Result<f64, InvalidDistribution> {
    let value = finite(parameter, value)?;
    if value > 0.0 { Ok(value) } else { Err(InvalidDistribution::NotPositive { parameter, value }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_say_the_rule_and_the_value() {
        let message = |error: InvalidDistribution| error.to_string();
        assert_eq!(message(non_negative("mean", -2.0).unwrap_err()), "mean must not be negative: -2");
        assert_eq!(message(finite("mean", f64::NAN).unwrap_err()), "mean must be a finite number, not NaN");
        assert_eq!(message(positive("shape", 0.0).unwrap_err()), "shape must be above 0, not 0");
        let order = InvalidDistribution::FromAboveTo { from: 3.0, to: 2.5 };
        assert_eq!(message(order), "from must not be above to: 3 > 2.5");
        let sum = InvalidDistribution::WeightSum { sum: 0.9 };
        assert_eq!(message(sum), "the weights of a mixture must add up to 1, not to 0.9");
    }

    #[test]
    fn minus_zero_becomes_zero() {
        assert_eq!(non_negative("value", -0.0).unwrap().to_bits(), 0.0_f64.to_bits());
    }
}
