//! Exponential, for gaps of a Poisson process and for times without memory. Must never be sampled by ziggurat: its
//! tables reject, and one word would no longer be one value.

use serde::Serialize;

use super::error::{InvalidDistribution, non_negative};
use crate::random::unit;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Exponential {
    mean: f64,
}

impl Exponential {
    pub(super) fn new(mean: f64) -> Result<Exponential, InvalidDistribution> {
        Ok(Exponential { mean: non_negative("mean", mean)? })
    }

    #[inline]
    pub(super) fn value(&self, word: u64) -> f64 {
        self.mean * standard(word)
    }

    pub(super) fn mean(&self) -> f64 {
        self.mean
    }
}

/// Exponential of mean 1 by inversion: -ln(1 - u), at most 36.8. The difference 1 - u is exact, see [`unit()`].
#[inline]
pub(super) fn standard(word: u64) -> f64 {
    -libm::log(1.0 - unit(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extreme_words_give_the_extreme_values_of_53_bits() {
        assert_eq!(standard(0), 1.0 / (1_u64 << 53) as f64);
        assert!((standard(u64::MAX) - 53.0 * core::f64::consts::LN_2).abs() < 1e-14);
    }

    #[test]
    fn a_mean_of_zero_is_always_zero_and_a_negative_one_is_refused() {
        assert_eq!(Exponential::new(0.0).unwrap().value(u64::MAX), 0.0);
        let negative = InvalidDistribution::Negative { parameter: "mean", value: -1.0 };
        assert_eq!(Exponential::new(-1.0), Err(negative));
    }

    #[test]
    fn a_mean_that_is_not_a_number_is_refused() {
        let refused = Exponential::new(f64::NAN);
        assert!(matches!(refused, Err(InvalidDistribution::NotFinite { parameter: "mean", .. })));
    }
}
