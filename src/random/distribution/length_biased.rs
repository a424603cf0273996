//! The distribution of a span that is under way when somebody looks: long spans are met more often, in proportion to
//! their length (renewal theory: inspection paradox). With an age that is uniform over the span it gives what is parked
//! in the steady state. Must never be approximate: a family without a closed form has none.

use super::{Distribution, Family, Law};

impl Distribution {
    /// The length-biased distribution, whose density is x f(x) / E\[X\]; spans that never end are left out. `None` for
    /// uniform and Weibull, for an Erlang of the most stages, and where every span is 0 or never ends.
    #[must_use]
    pub fn length_biased(&self) -> Option<Distribution> {
        match &self.0 {
            Law::One(family) => family.length_biased(),
            Law::Mixture(mixture) => {
                let parts: Vec<(f64, &Family)> =
                    mixture.parts().filter(|(_, of)| of.mean().is_finite() && of.mean() > 0.0).collect();
                let mean: f64 = parts.iter().map(|(weight, of)| weight * of.mean()).sum();
                let biased = |(weight, of): (f64, &Family)| Some((weight * of.mean() / mean, of.length_biased()?));
                flat(parts.into_iter().map(biased).collect::<Option<Vec<_>>>()?)
            }
        }
    }
}

impl Family {
    fn length_biased(&self) -> Option<Distribution> {
        match self {
            Family::Constant(value) if *value > 0.0 => Distribution::constant(*value).ok(),
            // The length-biased exponential is the sum of two of them.
            Family::Exponential(exponential) => Distribution::erlang(2, 2.0 * exponential.mean()).ok(),
            Family::Lognormal(lognormal) => lognormal.length_biased(),
            Family::Erlang(erlang) => erlang.length_biased(),
            Family::Empirical(empirical) => {
                let sum: f64 = empirical.values().iter().sum();
                let some = empirical.values().iter().filter(|value| **value > 0.0);
                let parts = some.map(|&value| Some((value / sum, Distribution::constant(value).ok()?)));
                flat(parts.collect::<Option<Vec<_>>>()?)
            }
            Family::Never | Family::Constant(_) | Family::Uniform(_) | Family::Weibull(_) => None,
        }
    }
}

/// A mixture in which parts that are mixtures themselves stand with their own parts.
fn flat(parts: Vec<(f64, Distribution)>) -> Option<Distribution> {
    let mut all = Vec::with_capacity(parts.len());
    for (weight, of) in parts {
        match of.0 {
            Law::One(family) => all.push((weight, Distribution(Law::One(family)))),
            Law::Mixture(mixture) => {
                let inner = mixture.parts().map(|(share, of)| (weight * share, Distribution(Law::One(of.clone()))));
                all.extend(inner);
            }
        }
    }
    Distribution::mixture(all).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean of a function of a distribution of one or two words, by the midpoint rule over its words.
    fn mean_of(distribution: &Distribution, f: impl Fn(f64) -> f64) -> f64 {
        let side = 1_u64 << 9;
        let word = |cell: u64| (2 * cell + 1) << 54;
        let cells = (0..side).flat_map(|a| (0..side).map(move |b| [word(a), word(b)]));
        let values = cells.map(|words| {
            let mut words = words.into_iter();
            distribution.sample(&mut || words.next().unwrap_or(1 << 63)).map_or(0.0, &f)
        });
        values.sum::<f64>() / (side * side) as f64
    }

    #[test]
    fn its_mean_is_the_second_moment_over_the_mean() {
        let part = Distribution::empirical(vec![1.0, 2.0, 9.0]).unwrap();
        let mixture =
            vec![(0.5, part.clone()), (0.3, Distribution::constant(4.0).unwrap()), (0.2, Distribution::never())];
        for distribution in [
            Distribution::constant(7.0).unwrap(),
            Distribution::exponential(60.0).unwrap(),
            Distribution::lognormal_mean_sigma(60.0, 0.3).unwrap(),
            part,
            Distribution::mixture(mixture).unwrap(),
        ] {
            let biased = distribution.length_biased().unwrap();
            let expected = mean_of(&distribution, |x| x * x) / mean_of(&distribution, |x| x);
            // The midpoint rule misses a little of the unbounded tails.
            assert!((mean_of(&biased, |x| x) / expected - 1.0).abs() < 0.01, "{distribution:?}");
        }
        let erlang = Distribution::erlang(3, 30.0).unwrap().length_biased().unwrap();
        assert_eq!(erlang, Distribution::erlang(4, 40.0).unwrap());
    }

    #[test]
    fn what_has_no_closed_form_has_none() {
        assert_eq!(Distribution::uniform(1.0, 2.0).unwrap().length_biased(), None);
        assert_eq!(Distribution::weibull(0.7, 2.0).unwrap().length_biased(), None);
        assert_eq!(Distribution::constant(0.0).unwrap().length_biased(), None);
        assert_eq!(Distribution::never().length_biased(), None);
    }
}
