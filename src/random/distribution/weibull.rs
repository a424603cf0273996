//! Weibull, for times whose hazard rises (shape above 1) or falls (below 1). Must never be read in rates: it is given by
//! shape and scale.

use serde::Serialize;

use super::error::{InvalidDistribution, non_negative, positive};
use super::exponential::standard;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Weibull {
    shape: f64,
    scale: f64,
}

impl Weibull {
    pub(super) fn new(shape: f64, scale: f64) -> Result<Weibull, InvalidDistribution> {
        Ok(Weibull { shape: positive("shape", shape)?, scale: non_negative("scale", scale)? })
    }

    /// Inversion: scale * (-ln(1 - u))^(1 / shape).
    #[inline]
    pub(super) fn value(&self, word: u64) -> f64 {
        self.scale * libm::pow(standard(word), 1.0 / self.shape)
    }

    /// scale * Gamma(1 + 1 / shape).
    pub(super) fn mean(&self) -> f64 {
        self.scale * libm::tgamma(1.0 + 1.0 / self.shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_of_one_is_the_exponential() {
        let weibull = Weibull::new(1.0, 60.0).unwrap();
        for word in [0, 1 << 40, 1 << 60, u64::MAX] {
            assert_eq!(weibull.value(word), 60.0 * standard(word));
        }
        assert_eq!(weibull.mean(), 60.0);
    }

    #[test]
    fn a_shape_of_one_half_has_twice_its_scale_as_mean() {
        assert!((Weibull::new(0.5, 30.0).unwrap().mean() - 60.0).abs() < 1e-12);
    }

    #[test]
    fn a_shape_of_zero_and_a_negative_scale_are_refused() {
        let shape = InvalidDistribution::NotPositive { parameter: "shape", value: 0.0 };
        assert_eq!(Weibull::new(0.0, 1.0), Err(shape));
        let scale = InvalidDistribution::Negative { parameter: "scale", value: -1.0 };
        assert_eq!(Weibull::new(1.0, -1.0), Err(scale));
    }
}
