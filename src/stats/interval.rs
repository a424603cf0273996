//! How far a figure may be off, by how its error comes about: exact intervals for counts of independent events, Student's
//! t for everything else.
//!
//! Why it exists: a closed form is believed or not by whether it lies in such an interval, so each is exact or errs to
//! the wide side.
//! What must never happen here: events counted as independent that share a crash, a queue or a balancer's memory; an
//! interval by the normal law, which is too narrow for rare events.

use libm::{exp, lgamma, log};

use super::estimate::Estimate;
use super::student::{incomplete_beta, student_quantile};

/// What was seen of one figure.
#[derive(Debug, Clone, PartialEq)]
pub enum Observed {
    /// One value from each replication, at least two: the figure is their mean.
    Means(Vec<f64>),
    /// So many `hits` in `of` independent trials of one probability: the figure is the share.
    Share {
        /// Trials that came true.
        hits: u64,
        /// All trials, at least one.
        of: u64,
    },
    /// So many `events` of a Poisson process in `of` equal pieces: the figure is the number for each piece.
    Count {
        /// Events in all pieces.
        events: u64,
        /// Pieces, at least one.
        of: u64,
    },
}

/// From `low` to `high`, both included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// Whether the value lies in it.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

impl Observed {
    /// The figure.
    #[must_use]
    pub fn value(&self) -> f64 {
        match self {
            Observed::Means(values) => Estimate::of(values).mean,
            Observed::Share { hits, of } => *hits as f64 / *of as f64,
            Observed::Count { events, of } => *events as f64 / *of as f64,
        }
    }

    /// The interval that misses the true value with at most the probability `miss`, half of it on each side: Student's t
    /// (for means that are near enough to normal), Clopper and Pearson, Garwood.
    ///
    /// # Panics
    /// When there are fewer than two means, or no trial or piece, or when `miss` is outside [2e-100, 1).
    #[must_use]
    pub fn interval(&self, miss: f64) -> Interval {
        let tail = 0.5 * miss;
        match *self {
            Observed::Means(ref values) => student(values, tail),
            Observed::Share { hits, of } => clopper_pearson(hits, of, tail),
            Observed::Count { events, of } => {
                let Interval { low, high } = garwood(events, tail);
                Interval { low: low / of as f64, high: high / of as f64 }
            }
        }
    }

    /// What the interval is called.
    #[must_use]
    pub fn method(&self) -> &'static str {
        match self {
            Observed::Means(_) => "t",
            Observed::Share { .. } => "Clopper-Pearson",
            Observed::Count { .. } => "Poisson",
        }
    }
}

fn student(values: &[f64], tail: f64) -> Interval {
    let Estimate { mean, half_width, replications } = Estimate::of(values);
    let degrees = replications as f64 - 1.0;
    let half_width = half_width.expect("at least two replications");
    let reach = half_width * student_quantile(tail, degrees).abs() / student_quantile(0.975, degrees);
    Interval { low: mean - reach, high: mean + reach }
}

/// The shares at which as many hits or more, and as few or fewer, would come with the probability `tail`.
fn clopper_pearson(hits: u64, of: u64, tail: f64) -> Interval {
    assert!(hits <= of && of > 0, "{hits} of {of} is no share");
    let (k, n) = (hits as f64, of as f64);
    let low = if hits == 0 { 0.0 } else { turn(0.0, 1.0, |p| incomplete_beta(k, n - k + 1.0, p) < tail) };
    let high = if hits == of { 1.0 } else { turn(0.0, 1.0, |p| incomplete_beta(n - k, k + 1.0, 1.0 - p) >= tail) };
    Interval { low, high }
}

/// The means at which as many events or more, and as few or fewer, would come with the probability `tail`.
fn garwood(events: u64, tail: f64) -> Interval {
    let k = events as f64;
    let low = if events == 0 { 0.0 } else { turn(0.0, k, |mean| as_many_or_more(k, mean) < tail) };
    let mut beyond = k + 1.0;
    while as_few_or_fewer(k, beyond) >= tail {
        beyond += beyond;
    }
    Interval { low, high: turn(k, beyond, |mean| as_few_or_fewer(k, mean) >= tail) }
}

/// Where between `low` and `high` the answer turns from yes to no.
fn turn(mut low: f64, mut high: f64, yes: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..200 {
        let middle = low + 0.5 * (high - low);
        if middle <= low || middle >= high {
            break;
        }
        if yes(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// P(X ≥ k) for X Poisson with a mean of at most k: every further term is smaller than the one before.
fn as_many_or_more(k: f64, mean: f64) -> f64 {
    tail_sum(k, mean, |term, place| term * mean / (k + place))
}

/// P(X ≤ k) for X Poisson with a mean of at least k, likewise downwards.
fn as_few_or_fewer(k: f64, mean: f64) -> f64 {
    tail_sum(k, mean, |term, place| term * (k + 1.0 - place).max(0.0) / mean)
}

/// Poisson probabilities from that of k on, each made from the one before and its distance from k.
fn tail_sum(k: f64, mean: f64, next: impl Fn(f64, f64) -> f64) -> f64 {
    if mean <= 0.0 {
        return f64::from(k == 0.0);
    }
    let mut term = exp(k * log(mean) - mean - lgamma(k + 1.0));
    let (mut sum, mut place) = (0.0, 1.0);
    while term > sum * 1e-17 {
        sum += term;
        term = next(term, place);
        place += 1.0;
    }
    sum
}

#[cfg(test)]
mod tests {
    use statrs::distribution::{Binomial, DiscreteCDF, Poisson};

    use super::*;

    fn close(got: f64, expected: f64, tolerance: f64) {
        assert!((got - expected).abs() <= tolerance, "got {got}, expected {expected} ± {tolerance}");
    }

    #[test]
    fn a_share_is_bounded_where_the_binomial_law_leaves_the_tail() {
        for (hits, of, miss) in [(1, 10, 0.05), (3, 7, 0.001), (367_000, 1_000_000, 4e-5), (12, 100_000, 4e-5)] {
            let Interval { low, high } = Observed::Share { hits, of }.interval(miss);
            let below = |p: f64, k: u64| Binomial::new(p, of).unwrap().cdf(k);
            close((1.0 - below(low, hits - 1)) / (0.5 * miss), 1.0, 1e-6);
            close(below(high, hits) / (0.5 * miss), 1.0, 1e-6);
        }
    }

    #[test]
    fn none_and_all_are_bounded_on_one_side() {
        let none = Observed::Share { hits: 0, of: 1000 }.interval(0.1);
        assert_eq!(none.low, 0.0);
        close(none.high, 1.0 - libm::pow(0.05, 1e-3), 1e-12);
        let all = Observed::Share { hits: 1000, of: 1000 }.interval(0.1);
        close(all.low, libm::pow(0.05, 1e-3), 1e-12);
        assert_eq!(all.high, 1.0);
        let quiet = Observed::Count { events: 0, of: 2 }.interval(0.05);
        assert_eq!(quiet.low, 0.0);
        close(quiet.high, -log(0.025) / 2.0, 1e-12);
    }

    #[test]
    fn a_count_is_bounded_as_in_the_tables_and_where_the_poisson_law_leaves_the_tail() {
        for (events, low, high) in [(1, 0.0253, 5.5716), (3, 0.6187, 8.7673), (10, 4.7954, 18.3904)] {
            let interval = Observed::Count { events, of: 1 }.interval(0.05);
            close(interval.low, low, 5e-5);
            close(interval.high, high, 5e-5);
        }
        let Interval { low, high } = Observed::Count { events: 60_000, of: 200 }.interval(4e-5);
        let below = |mean: f64, k: u64| Poisson::new(200.0 * mean).unwrap().cdf(k);
        close((1.0 - below(low, 59_999)) / 2e-5, 1.0, 1e-6);
        close(below(high, 60_000) / 2e-5, 1.0, 1e-6);
    }

    #[test]
    fn means_have_the_interval_of_student_at_any_level() {
        let observed = Observed::Means(vec![1.0, 2.0, 3.0, 4.0]);
        let estimate = Estimate::of(&[1.0, 2.0, 3.0, 4.0]);
        let usual = observed.interval(0.05);
        close(usual.high, estimate.high().unwrap(), 1e-12);
        // t(0.9995) with three degrees of freedom.
        let strict = observed.interval(0.001);
        close(strict.high - 2.5, 12.924 * (5.0_f64 / 12.0).sqrt(), 1e-3);
        close(strict.low + strict.high, 5.0, 1e-12);
    }

    #[test]
    fn an_interval_holds_its_ends() {
        let interval = Interval { low: 1.0, high: 2.0 };
        assert!(interval.contains(1.0) && interval.contains(2.0));
        assert!(!interval.contains(0.999) && !interval.contains(2.001) && !interval.contains(f64::NAN));
    }

    #[test]
    fn a_figure_is_a_mean_a_share_or_a_number_for_each_piece() {
        let values =
            [Observed::Means(vec![1.0, 3.0]), Observed::Share { hits: 1, of: 4 }, Observed::Count { events: 9, of: 2 }];
        assert_eq!(values.each_ref().map(Observed::value), [2.0, 0.25, 4.5]);
        assert_eq!(values.each_ref().map(Observed::method), ["t", "Clopper-Pearson", "Poisson"]);
    }
}
