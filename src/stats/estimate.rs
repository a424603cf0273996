//! From one value per replication to a mean with its 95 % interval, a paired difference, or a ratio of sums.
//!
//! Why it exists: the three ways in which this project compares anything, each with its interval, in one place.
//! What must never happen here: a mean of ratios; a difference of two intervals where a paired difference is possible;
//! an interval out of one replication; a sum whose order is not the order of the replications.

use serde::Serialize;

use super::student::student_quantile;

/// Upper probability of a two-sided 95 % interval.
const UPPER: f64 = 0.975;

/// A mean over replications with the half width of its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The point estimate, in the unit of the values. NaN when there was no value at all.
    pub mean: f64,
    /// Half width of the 95 % interval in the same unit; `None` below two replications.
    pub half_width: Option<f64>,
    /// How many replications stand behind it.
    pub replications: u64,
}

impl Estimate {
    /// Mean ± t(0.975, R−1)·s/√R over independent replications, one value each.
    #[must_use]
    pub fn of(values: &[f64]) -> Estimate {
        let centred = Centred::of(values);
        let replications = values.len() as f64;
        let half_width = (values.len() >= 2).then(|| {
            let variance = centred.squares() / (replications - 1.0);
            student_quantile(UPPER, replications - 1.0) * (variance / replications).sqrt()
        });
        Estimate { mean: centred.mean, half_width, replications: values.len() as u64 }
    }

    /// Lower end of the 95 % interval, `None` below two replications.
    #[must_use]
    pub fn low(&self) -> Option<f64> {
        self.half_width.map(|half_width| self.mean - half_width)
    }

    /// Upper end of the 95 % interval, `None` below two replications.
    #[must_use]
    pub fn high(&self) -> Option<f64> {
        self.half_width.map(|half_width| self.mean + half_width)
    }
}

/// The comparison of two designs that saw the same people.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Paired {
    /// a − b: first the difference in each replication, then Student's t on the differences.
    pub difference: Estimate,
    /// Pearson's correlation of the pairs: what the common random numbers gained. `None` when one side does not vary
    /// or there are fewer than two replications.
    pub correlation: Option<f64>,
}

impl Paired {
    /// Compares `a` with `b`, where the same index means the same replication.
    ///
    /// # Panics
    /// When the lengths differ: then the values are not pairs.
    #[must_use]
    pub fn of(a: &[f64], b: &[f64]) -> Paired {
        assert_eq!(a.len(), b.len(), "a paired comparison needs the same replications on both sides");
        let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
        Paired { difference: Estimate::of(&differences), correlation: correlation(a, b) }
    }
}

/// Sum over sum, with Tukey's jackknife over replications for the interval.
///
/// The point estimate is Σ numerators / Σ denominators. Its standard error is √((R−1)/R · Σ(θᵢ − θ̄)²), where θᵢ is the
/// same ratio without replication i, and the interval uses t(0.975, R−1). Without any denominator the mean is NaN; where
/// one replication holds all of it, there is no half width.
///
/// # Panics
/// When the lengths differ.
#[must_use]
pub fn ratio(numerators: &[f64], denominators: &[f64]) -> Estimate {
    assert_eq!(numerators.len(), denominators.len(), "a ratio needs both sums from the same replications");
    let numerator: f64 = numerators.iter().sum();
    let denominator: f64 = denominators.iter().sum();
    let without: Vec<f64> =
        numerators.iter().zip(denominators).map(|(n, d)| (numerator - n) / (denominator - d)).collect();
    let replications = without.len() as f64;
    let half_width = (without.len() >= 2 && without.iter().all(|theta| theta.is_finite())).then(|| {
        let variance = (replications - 1.0) / replications * Centred::of(&without).squares();
        student_quantile(UPPER, replications - 1.0) * variance.sqrt()
    });
    Estimate { mean: numerator / denominator, half_width, replications: without.len() as u64 }
}

/// Values with their mean taken off.
struct Centred {
    mean: f64,
    deviations: Vec<f64>,
}

impl Centred {
    /// The mean of the first pass is corrected by the mean deviation from it, so that equal values have the variance
    /// zero exactly and not the square of a rounding error.
    fn of(values: &[f64]) -> Centred {
        let count = values.len() as f64;
        let first = values.iter().sum::<f64>() / count;
        let mean = first + values.iter().map(|value| value - first).sum::<f64>() / count;
        Centred { mean, deviations: values.iter().map(|value| value - mean).collect() }
    }

    fn squares(&self) -> f64 {
        self.deviations.iter().map(|deviation| deviation * deviation).sum()
    }
}

fn correlation(a: &[f64], b: &[f64]) -> Option<f64> {
    let (a, b) = (Centred::of(a), Centred::of(b));
    let (a_squares, b_squares) = (a.squares(), b.squares());
    if a_squares == 0.0 || b_squares == 0.0 {
        return None;
    }
    let products: f64 = a.deviations.iter().zip(&b.deviations).map(|(a, b)| a * b).sum();
    Some((products / (a_squares.sqrt() * b_squares.sqrt())).clamp(-1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SplitMix64: the tests bring their own numbers, because this floor may not know the floor `random`.
    struct SplitMix(u64);

    impl SplitMix {
        fn uniform(&mut self) -> f64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut bits = self.0;
            bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((bits ^ (bits >> 31)) >> 11) as f64 / 9_007_199_254_740_992.0
        }

        /// Twelve uniforms minus six: mean 0, variance 1, nearly normal.
        fn normal(&mut self) -> f64 {
            (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
        }
    }

    fn close(got: f64, expected: f64, tolerance: f64) {
        assert!((got - expected).abs() <= tolerance, "got {got}, expected {expected} ± {tolerance}");
    }

    #[test]
    fn an_interval_is_the_mean_and_t_standard_errors() {
        let estimate = Estimate::of(&[1.0, 2.0, 3.0, 4.0]);
        let half_width = 3.182_446_305_284_263 * (5.0_f64 / 3.0 / 4.0).sqrt();
        assert_eq!((estimate.mean, estimate.replications), (2.5, 4));
        close(estimate.half_width.unwrap(), half_width, 1e-12);
        close(estimate.low().unwrap(), 2.5 - half_width, 1e-12);
        close(estimate.high().unwrap(), 2.5 + half_width, 1e-12);
    }

    #[test]
    fn one_replication_has_a_mean_and_no_interval() {
        let estimate = Estimate::of(&[7.0]);
        assert_eq!(estimate, Estimate { mean: 7.0, half_width: None, replications: 1 });
        assert_eq!((estimate.low(), estimate.high()), (None, None));
        assert_eq!(ratio(&[1.0], &[4.0]), Estimate { mean: 0.25, half_width: None, replications: 1 });
    }

    #[test]
    fn no_replication_has_no_mean() {
        let estimate = Estimate::of(&[]);
        assert!(estimate.mean.is_nan());
        assert_eq!((estimate.half_width, estimate.replications), (None, 0));
        assert!(ratio(&[], &[]).mean.is_nan());
    }

    #[test]
    fn equal_values_have_an_interval_of_width_zero() {
        for value in [0.1, 1.0 / 3.0, 1e-7, 123_456.789, 1e300] {
            let estimate = Estimate::of(&[value; 20]);
            assert_eq!((estimate.mean, estimate.half_width), (value, Some(0.0)));
        }
    }

    #[test]
    fn a_large_common_offset_does_not_hide_the_spread() {
        let values: Vec<f64> = [1.0, 2.0, 3.0, 4.0].iter().map(|value| value + 1e9).collect();
        close(
            Estimate::of(&values).half_width.unwrap(),
            Estimate::of(&[1.0, 2.0, 3.0, 4.0]).half_width.unwrap(),
            1e-12,
        );
    }

    #[test]
    fn ninety_five_percent_of_the_intervals_cover_the_truth() {
        let mut source = SplitMix(7);
        let samples = 20_000;
        let covered = (0..samples)
            .filter(|_| {
                let values: Vec<f64> = (0..20).map(|_| 3.0 + source.normal()).collect();
                let estimate = Estimate::of(&values);
                estimate.low().unwrap() <= 3.0 && 3.0 <= estimate.high().unwrap()
            })
            .count();
        let sigma = (0.95_f64 * 0.05 / f64::from(samples)).sqrt();
        close(covered as f64 / f64::from(samples), 0.95, 5.0 * sigma);
    }

    #[test]
    fn a_paired_difference_has_the_variance_of_what_is_not_shared() {
        let (mut source, replications, own) = (SplitMix(11), 20_000_usize, 0.5);
        let pairs: Vec<(f64, f64)> = (0..replications)
            .map(|_| {
                let shared = source.normal();
                (2.0 + shared + own * source.normal(), shared + own * source.normal())
            })
            .collect();
        let (a, b): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let paired = Paired::of(&a, &b);
        let count = replications as f64;
        let standard_error = paired.difference.half_width.unwrap() / student_quantile(UPPER, count - 1.0);
        let variance = standard_error * standard_error * count;
        let predicted = 2.0 * own * own;
        close(variance, predicted, 5.0 * predicted * (2.0 / (count - 1.0)).sqrt());
        close(paired.difference.mean, 2.0, 5.0 * (predicted / count).sqrt());
        let predicted = 1.0 / (1.0 + own * own);
        close(paired.correlation.unwrap(), predicted, 5.0 * (1.0 - predicted * predicted) / count.sqrt());
    }

    #[test]
    fn correlation_is_plus_or_minus_one_on_a_line_and_none_without_spread() {
        let line = [1.0, 2.0, 4.0, 8.0];
        let falling: Vec<f64> = line.iter().map(|value| 3.0 - 2.0 * value).collect();
        close(Paired::of(&line, &line).correlation.unwrap(), 1.0, 1e-15);
        close(Paired::of(&line, &falling).correlation.unwrap(), -1.0, 1e-15);
        assert_eq!(Paired::of(&line, &[0.1; 4]).correlation, None);
        assert_eq!(Paired::of(&[1.0], &[2.0]).correlation, None);
        assert_eq!(Paired::of(&line, &line).difference.half_width, Some(0.0));
    }

    #[test]
    #[should_panic(expected = "same replications")]
    fn a_pair_without_its_partner_is_refused() {
        let _ = Paired::of(&[1.0, 2.0], &[1.0]);
    }

    #[test]
    fn a_ratio_is_sum_over_sum_and_not_the_mean_of_ratios() {
        let estimate = ratio(&[1.0, 9.0], &[1.0, 99.0]);
        close(estimate.mean, 0.1, 1e-15);
        let (first, second) = (9.0 / 99.0, 1.0);
        let spread: f64 = (second - first) / 2.0;
        close(estimate.half_width.unwrap(), 12.706_204_736_174_698 * spread, 1e-10);
    }

    #[test]
    fn with_equal_denominators_a_ratio_has_the_interval_of_a_mean() {
        let values = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0];
        let (mean, jackknife) = (Estimate::of(&values), ratio(&values, &[1.0; 6]));
        close(jackknife.mean, mean.mean, 1e-14);
        close(jackknife.half_width.unwrap(), mean.half_width.unwrap(), 1e-12);
    }

    #[test]
    fn ninety_five_percent_of_the_jackknife_intervals_cover_the_ratio() {
        let mut source = SplitMix(13);
        let samples = 20_000;
        let covered = (0..samples)
            .filter(|_| {
                let denominators: Vec<f64> = (0..20).map(|_| 100.0 + 10.0 * source.normal()).collect();
                let numerators: Vec<f64> = denominators.iter().map(|d| 0.2 * d + 4.0 * source.normal()).collect();
                let estimate = ratio(&numerators, &denominators);
                estimate.low().unwrap() <= 0.2 && 0.2 <= estimate.high().unwrap()
            })
            .count();
        // Exact to first order only: half a percent is left for the curvature.
        close(covered as f64 / f64::from(samples), 0.95, 0.005 + 5.0 * (0.95_f64 * 0.05 / f64::from(samples)).sqrt());
    }

    #[test]
    fn a_ratio_that_hangs_on_one_replication_has_no_interval() {
        let estimate = ratio(&[0.0, 3.0], &[0.0, 4.0]);
        assert_eq!((estimate.mean, estimate.half_width), (0.75, None));
    }
}
