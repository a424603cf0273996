//! Values that were measured, each as likely as the others. Must never interpolate: only what was seen can come out.

use std::sync::Arc;

use serde::Serialize;

use super::error::{InvalidDistribution, non_negative};

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub(super) struct Empirical {
    /// Ascending, so that a larger word never gives a smaller value.
    values: Arc<[f64]>,
}

impl Empirical {
    pub(super) fn new(values: Vec<f64>) -> Result<Empirical, InvalidDistribution> {
        if values.is_empty() {
            return Err(InvalidDistribution::NoValues);
        }
        if let Some(index) = values.iter().position(|value| value.is_nan()) {
            return Err(InvalidDistribution::NanValue { index });
        }
        let mut values: Vec<f64> =
            values.into_iter().map(|value| non_negative("every empirical value", value)).collect::<Result<_, _>>()?;
        values.sort_by(f64::total_cmp);
        Ok(Empirical { values: values.into() })
    }

    /// Inverse of the step function: value number floor(word * n / 2^64), in whole numbers and so without rounding.
    #[inline]
    pub(super) fn value(&self, word: u64) -> f64 {
        let index = (u128::from(word) * self.values.len() as u128) >> u64::BITS;
        self.values[index as usize]
    }

    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    pub(super) fn mean(&self) -> f64 {
        self.values.iter().sum::<f64>() / self.values.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_gets_an_equal_share_of_the_words() {
        let empirical = Empirical::new(vec![5.0, 1.0, 3.0]).unwrap();
        let third = u64::MAX / 3;
        let seen = [0, third, third + 1, 2 * third, 2 * third + 1, u64::MAX].map(|word| empirical.value(word));
        assert_eq!(seen, [1.0, 1.0, 3.0, 3.0, 5.0, 5.0]);
        assert_eq!(empirical.mean(), 3.0);
    }

    #[test]
    fn the_order_in_which_values_are_given_does_not_matter() {
        assert_eq!(Empirical::new(vec![5.0, 1.0, 3.0]), Empirical::new(vec![3.0, 5.0, 1.0]));
    }

    #[test]
    fn no_value_and_values_that_are_no_times_are_refused() {
        assert_eq!(Empirical::new(vec![]), Err(InvalidDistribution::NoValues));
        assert_eq!(Empirical::new(vec![1.0, f64::NAN]), Err(InvalidDistribution::NanValue { index: 1 }));
        let parameter = "every empirical value";
        let negative = InvalidDistribution::Negative { parameter, value: -2.0 };
        assert_eq!(Empirical::new(vec![1.0, -2.0]), Err(negative));
        let infinite = InvalidDistribution::NotFinite { parameter, value: f64::INFINITY };
        assert_eq!(Empirical::new(vec![f64::INFINITY]), Err(infinite));
    }
}
