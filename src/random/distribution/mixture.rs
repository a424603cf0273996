//! One of several distributions, each with its weight: people at the keyboard and people in a meeting. The same word
//! picks the part and draws from it; what picked must never be used again for the draw, or the two would be correlated.

use std::sync::Arc;

use serde::Serialize;

use super::error::{InvalidDistribution, finite};
use super::{Distribution, Family, Law};

const WEIGHT_TOLERANCE: f64 = 1e-9;

/// 2^64, the number of words.
const WORDS: f64 = 18_446_744_073_709_551_616.0;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Mixture {
    #[serde(rename = "mixture")]
    parts: Arc<[Part]>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Part {
    weight: f64,
    of: Family,
    /// First word that belongs to this part; the part ends where the next begins.
    #[serde(skip)]
    start: u64,
}

impl Mixture {
    pub(super) fn new(parts: Vec<(f64, Distribution)>) -> Result<Mixture, InvalidDistribution> {
        if parts.is_empty() {
            return Err(InvalidDistribution::NoParts);
        }
        let mut sum = 0.0;
        let mut kept = Vec::with_capacity(parts.len());
        for (index, (weight, of)) in parts.into_iter().enumerate() {
            if finite("every weight", weight)? < 0.0 {
                return Err(InvalidDistribution::NegativeWeight { index, weight });
            }
            let Law::One(of) = of.0 else {
                return Err(InvalidDistribution::NestedMixture { index });
            };
            if weight > 0.0 {
                kept.push(Part { weight, of, start: (sum * WORDS) as u64 });
            }
            sum += weight;
        }
        if (sum - 1.0).abs() > WEIGHT_TOLERANCE {
            return Err(InvalidDistribution::WeightSum { sum });
        }
        Ok(Mixture { parts: kept.into() })
    }

    pub(super) fn sample(&self, words: &mut impl FnMut() -> u64) -> Option<f64> {
        let (part, rest) = self.pick(words());
        let mut first = Some(rest);
        part.of.sample(&mut || first.take().unwrap_or_else(&mut *words))
    }

    /// The part that a word belongs to, and its place within that part stretched over all words.
    fn pick(&self, word: u64) -> (&Part, u64) {
        let after = self.parts.partition_point(|part| part.start <= word);
        let part = &self.parts[after - 1];
        let end = self.parts.get(after).map_or(1 << u64::BITS, |next| u128::from(next.start));
        let (place, size) = (u128::from(word - part.start), end - u128::from(part.start));
        (part, ((place << u64::BITS) / size) as u64)
    }

    pub(super) fn parts(&self) -> impl Iterator<Item = (f64, &Family)> {
        self.parts.iter().map(|part| (part.weight, &part.of))
    }

    pub(super) fn mean(&self) -> f64 {
        self.parts.iter().map(|part| part.weight * part.of.mean()).sum()
    }

    pub(super) fn never_share(&self) -> f64 {
        self.parts.iter().map(|part| part.weight * part.of.never_share()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constant(value: f64) -> Distribution {
        Distribution::constant(value).unwrap()
    }

    fn halves(first: Distribution, second: Distribution) -> Mixture {
        Mixture::new(vec![(0.5, first), (0.5, second)]).unwrap()
    }

    #[test]
    fn the_word_that_picks_a_part_is_stretched_over_it() {
        let mixture = halves(constant(1.0), constant(2.0));
        let half = 1 << 63;
        let picked = |word| {
            let (part, rest) = mixture.pick(word);
            (part.of.mean(), rest)
        };
        assert_eq!(picked(0), (1.0, 0));
        assert_eq!(picked(1 << 62), (1.0, half));
        assert_eq!(picked(half - 1), (1.0, u64::MAX - 1));
        assert_eq!(picked(half), (2.0, 0));
        assert_eq!(picked(u64::MAX), (2.0, u64::MAX - 1));
    }

    #[test]
    fn a_part_of_weight_zero_is_never_picked() {
        let mixture =
            Mixture::new(vec![(0.0, constant(1.0)), (1.0, constant(2.0)), (0.0, Distribution::never())]).unwrap();
        assert_eq!(mixture.sample(&mut || 0), Some(2.0));
        assert_eq!(mixture.sample(&mut || u64::MAX), Some(2.0));
        assert_eq!((mixture.mean(), mixture.never_share()), (2.0, 0.0));
    }

    #[test]
    fn an_erlang_part_takes_the_rest_of_the_first_word_and_then_fresh_words() {
        let erlang = Distribution::erlang(3, 3.0).unwrap();
        let mixture = halves(erlang.clone(), Distribution::never());
        let mut given = [1_u64 << 62, 11 << 50, 22 << 50].into_iter();
        let mut alone = [1_u64 << 63, 11 << 50, 22 << 50].into_iter();
        let value = mixture.sample(&mut || given.next().unwrap());
        assert_eq!(value, erlang.sample(&mut || alone.next().unwrap()));
        assert_eq!(given.next(), None);
    }

    #[test]
    fn a_mixture_with_never_has_its_share_and_an_infinite_mean() {
        let mixture = Mixture::new(vec![(0.96, constant(10.0)), (0.04, Distribution::never())]).unwrap();
        assert_eq!((mixture.never_share(), mixture.mean()), (0.04, f64::INFINITY));
        assert_eq!(halves(constant(10.0), constant(20.0)).mean(), 15.0);
    }

    #[test]
    fn weights_that_are_not_the_shares_of_a_whole_are_refused() {
        let sum = |first, second| Mixture::new(vec![(first, constant(1.0)), (second, constant(2.0))]);
        assert_eq!(sum(0.5, 0.25), Err(InvalidDistribution::WeightSum { sum: 0.75 }));
        assert!(matches!(sum(0.5, 0.500_000_002), Err(InvalidDistribution::WeightSum { .. })));
        assert!(sum(0.5, 0.500_000_000_5).is_ok());
        assert_eq!(sum(1.5, -0.5), Err(InvalidDistribution::NegativeWeight { index: 1, weight: -0.5 }));
        let not_finite = Err(InvalidDistribution::NotFinite { parameter: "every weight", value: f64::INFINITY });
        assert_eq!(sum(0.5, f64::INFINITY), not_finite);
    }

    #[test]
    fn a_mixture_without_parts_or_inside_a_mixture_is_refused() {
        assert_eq!(Mixture::new(vec![]), Err(InvalidDistribution::NoParts));
        let inner = Distribution(Law::Mixture(halves(constant(1.0), constant(2.0))));
        let nested = Mixture::new(vec![(0.5, constant(1.0)), (0.5, inner)]);
        assert_eq!(nested, Err(InvalidDistribution::NestedMixture { index: 1 }));
    }
}
