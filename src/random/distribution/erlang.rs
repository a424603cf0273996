//! Erlang, the sum of k exponentials, for work that has stages. The only family that takes more than one word per
//! variate; must never take more than `MAX_SHAPE`.

use serde::Serialize;

use super::Distribution;
use super::error::{InvalidDistribution, non_negative};
use super::exponential::standard;

/// Stages allowed; at 1000 the standard deviation is already 3 % of the mean.
pub(super) const MAX_SHAPE: u32 = 1000;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Erlang {
    k: u32,
    /// Of the sum, not of a stage.
    mean: f64,
}

impl Erlang {
    pub(super) fn new(k: u32, mean: f64) -> Result<Erlang, InvalidDistribution> {
        match k {
            0 => Err(InvalidDistribution::NoStages),
            1..=MAX_SHAPE => Ok(Erlang { k, mean: non_negative("mean", mean)? }),
            _ => Err(InvalidDistribution::TooManyStages { k, limit: MAX_SHAPE }),
        }
    }

    pub(super) fn value(&self, words: &mut impl FnMut() -> u64) -> f64 {
        let sum: f64 = (0..self.k).map(|_| standard(words())).sum();
        self.mean / f64::from(self.k) * sum
    }

    /// One stage more.
    pub(super) fn length_biased(&self) -> Option<Distribution> {
        let stages = f64::from(self.k);
        (self.mean > 0.0).then(|| Distribution::erlang(self.k + 1, self.mean / stages * (stages + 1.0)).ok()).flatten()
    }

    pub(super) fn mean(&self) -> f64 {
        self.mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_is_taken_per_stage() {
        let mut taken = 0;
        let mut words = || {
            taken += 1;
            1 << 63
        };
        let value = Erlang::new(7, 70.0).unwrap().value(&mut words);
        assert_eq!(taken, 7);
        assert!((value - 70.0 * core::f64::consts::LN_2).abs() < 1e-12);
    }

    #[test]
    fn no_stage_and_too_many_stages_are_refused() {
        assert_eq!(Erlang::new(0, 1.0), Err(InvalidDistribution::NoStages));
        assert_eq!(Erlang::new(1001, 1.0), Err(InvalidDistribution::TooManyStages { k: 1001, limit: 1000 }));
        let mean = InvalidDistribution::Negative { parameter: "mean", value: -1.0 };
        assert_eq!(Erlang::new(1, -1.0), Err(mean));
    }
}
