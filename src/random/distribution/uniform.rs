//! Uniform between two bounds, for amounts and jitter. Must never leave its bounds, not even by one rounding.

use serde::Serialize;

use super::error::{InvalidDistribution, non_negative};
use crate::random::unit;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Uniform {
    from: f64,
    to: f64,
}

impl Uniform {
    pub(super) fn new(from: f64, to: f64) -> Result<Uniform, InvalidDistribution> {
        let (from, to) = (non_negative("from", from)?, non_negative("to", to)?);
        if from > to { Err(InvalidDistribution::FromAboveTo { from, to }) } else { Ok(Uniform { from, to }) }
    }

    /// Stays below `to`: as `unit` is at most 1 - 2^-53, the product rounds to less than the exact width.
    #[inline]
    pub(super) fn value(&self, word: u64) -> f64 {
        self.from + (self.to - self.from) * unit(word)
    }

    pub(super) fn mean(&self) -> f64 {
        self.from + (self.to - self.from) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_and_the_largest_word_stay_within_the_bounds() {
        for (from, to) in [(0.0, 1.0), (10.0, 500.0), (0.1, 0.3), (0.7, 1.9), (1e15, 1e15 + 1.0)] {
            let uniform = Uniform::new(from, to).unwrap();
            assert!(uniform.value(0) >= from && uniform.value(u64::MAX) <= to, "{from} to {to}");
            assert!(uniform.value(u64::MAX) - uniform.value(0) >= 0.99 * (to - from), "{from} to {to}");
        }
    }

    #[test]
    fn bounds_in_the_wrong_order_are_refused_and_equal_ones_are_not() {
        assert_eq!(Uniform::new(2.0, 1.0), Err(InvalidDistribution::FromAboveTo { from: 2.0, to: 1.0 }));
        assert_eq!(Uniform::new(2.0, 2.0).unwrap().value(7), 2.0);
    }

    #[test]
    fn a_negative_or_infinite_bound_is_refused() {
        let negative = InvalidDistribution::Negative { parameter: "from", value: -1.0 };
        assert_eq!(Uniform::new(-1.0, 1.0), Err(negative));
        let infinite = InvalidDistribution::NotFinite { parameter: "to", value: f64::INFINITY };
        assert_eq!(Uniform::new(1.0, f64::INFINITY), Err(infinite));
    }
}
