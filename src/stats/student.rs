//! Student's t quantile by the regularised incomplete beta function.
//!
//! Why it exists: every interval needs it, and it has to give the same bits on every platform.
//! What must never happen here: a transcendental function of the platform; a value outside the domain answered with a
//! plausible number instead of a panic.

use libm::{exp, lgamma, log, log1p};

/// From here on ln Γ is taken from Stirling's series, where a difference of two `lgamma` would cancel its digits.
const STIRLING_FROM: f64 = 10.0;
/// The continued fraction stops when a further term changes it by no more than this.
const FRACTION_PRECISION: f64 = 1e-15;
/// Terms of the continued fraction; about √max(a, b) are needed at worst.
const FRACTION_TERMS: u32 = 100_000;
/// Stands for a zero in Lentz's method.
const TINY: f64 = 1e-300;
/// ln t of every quantile that `student_quantile` accepts lies between these.
const LN_T_RANGE: (f64, f64) = (-45.0, 240.0);

/// The t with P(T ≤ t) = `p` for Student's distribution with `degrees` ≥ 1 degrees of freedom (any real number).
///
/// Relative error below 1e-10 for 1e-100 ≤ `p` < 1 and up to 1e7 degrees (a `p` next to 1 carries its own rounding); with
/// more degrees it grows in proportion.
///
/// # Panics
/// When `p` is outside [1e-100, 1) or `degrees` is below 1.
#[must_use]
pub fn student_quantile(p: f64, degrees: f64) -> f64 {
    assert!((1e-100..1.0).contains(&p), "a probability of at least 1e-100 and below 1 was expected, got {p}");
    assert!(degrees >= 1.0 && degrees.is_finite(), "at least one degree of freedom was expected, got {degrees}");
    let centre = 2.0 * p - 1.0;
    if centre == 0.0 {
        return 0.0;
    }
    // The smaller of the two probabilities keeps its digits.
    let size = if centre.abs() < 0.5 {
        solve(degrees, Side::Centre, centre.abs())
    } else {
        solve(degrees, Side::Tails, 2.0 * p.min(1.0 - p))
    };
    size.copysign(centre)
}

/// Which of the two complementary probabilities of ±t is looked at.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    /// P(|T| < t), rises with t.
    Centre,
    /// P(|T| > t), falls with t.
    Tails,
}

/// The t > 0 at which the probability of `side` is `target`: Newton on ln P against ln t (nearly a straight line at
/// both ends), with bisection wherever Newton leaves the bracket.
fn solve(degrees: f64, side: Side, target: f64) -> f64 {
    let (mut low, mut high) = LN_T_RANGE;
    let goal = log(target);
    let mut ln_t = 0.0;
    for _ in 0..400 {
        let (probability, slope) = probability(degrees, side, ln_t);
        let miss = log(probability) - goal;
        if (miss < 0.0) == (side == Side::Centre) {
            low = ln_t;
        } else {
            high = ln_t;
        }
        let newton = ln_t - miss / slope;
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        let step = (next - ln_t).abs();
        ln_t = next;
        if step <= 1e-14 * ln_t.abs().max(1.0) {
            break;
        }
    }
    exp(ln_t)
}

/// The probability of `side` at t = exp(`ln_t`), and d ln P / d ln t.
fn probability(degrees: f64, side: Side, ln_t: f64) -> (f64, f64) {
    let t = exp(ln_t);
    let square = t * t / degrees;
    let (outer, inner) = (1.0 / (1.0 + square), square / (1.0 + square));
    let half = 0.5 * degrees;
    let probability = match side {
        Side::Centre => regularised(0.5, half, inner, outer),
        Side::Tails => regularised(half, 0.5, outer, inner),
    };
    // 2 t f(t), f the density.
    let density = 2.0 * exp(0.5 * log(square) - (half + 0.5) * log1p(square) - ln_beta(half, 0.5));
    let slope = density / probability;
    (probability, if side == Side::Centre { slope } else { -slope })
}

/// The regularised incomplete beta function I_x(a, b): the probability that a Beta(a, b) variable is at most `x`.
///
/// By the continued fraction (modified Lentz). Relative error about 1e-13, growing with max(a, b) when both are large.
///
/// # Panics
/// When `a` or `b` is not positive or `x` is outside [0, 1].
#[must_use]
pub fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    assert!(a > 0.0 && b > 0.0, "positive shapes were expected, got {a} and {b}");
    assert!((0.0..=1.0).contains(&x), "a number from 0 to 1 was expected, got {x}");
    regularised(a, b, x, 1.0 - x)
}

/// I_x(a, b) with y = 1 − x given apart, because a y next to 0 is lost in an x next to 1.
fn regularised(a: f64, b: f64, x: f64, y: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if y <= 0.0 {
        return 1.0;
    }
    let front = exp(a * ln_of(x, y) + b * ln_of(y, x) - ln_beta(a, b));
    if x * (a + b + 2.0) <= a + 1.0 { front * fraction(a, b, x) / a } else { 1.0 - front * fraction(b, a, y) / b }
}

fn ln_of(x: f64, y: f64) -> f64 {
    if x <= 0.5 { log(x) } else { log1p(-y) }
}

/// The continued fraction of the incomplete beta function by Lentz's method.
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    let away_from_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut value = d;
    for term in 1..=FRACTION_TERMS {
        let m = f64::from(term);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / away_from_zero(1.0 + even * d);
        c = away_from_zero(1.0 + even / c);
        value *= c * d;
        d = 1.0 / away_from_zero(1.0 + odd * d);
        c = away_from_zero(1.0 + odd / c);
        value *= c * d;
        if (c * d - 1.0).abs() <= FRACTION_PRECISION {
            break;
        }
    }
    value
}

/// ln B(a, b).
fn ln_beta(a: f64, b: f64) -> f64 {
    let (large, small) = (a.max(b), a.min(b));
    let sum = large + small;
    if large < STIRLING_FROM {
        return lgamma(large) + lgamma(small) - lgamma(sum);
    }
    let growth = (large - 0.5) * log1p(small / large) + small * (log(sum) - 1.0);
    lgamma(small) - growth - (stirling(sum) - stirling(large))
}

/// Stirling's series: ln Γ(x) − [(x − ½) ln x − x + ½ ln 2π], for x ≥ 10 to 1e-13.
fn stirling(x: f64) -> f64 {
    let square = 1.0 / (x * x);
    let inner = 1.0 / 1260.0 - square * (1.0 / 1680.0 - square / 1188.0);
    (1.0 / 12.0 - square * (1.0 / 360.0 - square * inner)) / x
}

#[cfg(test)]
mod tests {
    use statrs::distribution::{ContinuousCDF, StudentsT};
    use statrs::function::beta::beta_reg;

    use super::*;

    fn relative(got: f64, expected: f64, tolerance: f64) {
        assert!((got / expected - 1.0).abs() <= tolerance, "got {got}, expected {expected}, relative {tolerance}");
    }

    const PROBABILITIES: [f64; 12] = [1e-9, 1e-4, 0.025, 0.2, 0.3, 0.49, 0.5001, 0.6, 0.74, 0.76, 0.975, 0.9999995];

    #[test]
    fn one_two_and_four_degrees_agree_with_their_closed_forms() {
        for p in PROBABILITIES {
            let (centre, product) = (2.0 * p - 1.0, 4.0 * p * (1.0 - p));
            let cotangent = 1.0 / libm::tan(std::f64::consts::PI * p.min(1.0 - p));
            relative(student_quantile(p, 1.0), cotangent.copysign(centre), 1e-12);
            relative(student_quantile(p, 2.0), centre * (2.0 / product).sqrt(), 1e-12);
            let q = libm::cos(libm::acos(product.sqrt()) / 3.0) / product.sqrt();
            let size = 2.0 * (q - 1.0).max(0.0).sqrt();
            if centre.abs() > 0.01 {
                relative(student_quantile(p, 4.0), size.copysign(centre), 1e-10);
            }
        }
    }

    #[test]
    fn the_quantile_agrees_with_an_independent_library() {
        for degrees in [1.0, 3.0, 9.0, 19.0, 31.0, 63.0, 99.5, 999.0] {
            let theirs = StudentsT::new(0.0, 1.0, degrees).unwrap();
            for p in PROBABILITIES {
                let ours = student_quantile(p, degrees);
                relative(theirs.cdf(ours), p, 1e-9);
            }
            // Their inverse is a coarse search, and wrong far out: at 1e-9 with one degree it gives a fifth of the value.
            for p in [0.025, 0.3, 0.6, 0.975] {
                relative(student_quantile(p, degrees), theirs.inverse_cdf(p), 1e-8);
            }
        }
    }

    #[test]
    fn the_printed_interval_factors_come_out() {
        for (replications, printed) in [(10.0, 2.262), (20.0, 2.093), (32.0, 2.040), (64.0, 1.998)] {
            let factor = student_quantile(0.975, replications - 1.0);
            assert!((factor - printed).abs() <= 0.0005, "R {replications}: {factor} is not {printed}");
        }
    }

    #[test]
    fn the_quantile_is_odd_and_zero_in_the_middle() {
        assert_eq!(student_quantile(0.5, 7.0), 0.0);
        for p in [0.25, 0.375, 0.4375] {
            assert_eq!(student_quantile(p, 7.0), -student_quantile(1.0 - p, 7.0));
        }
    }

    #[test]
    fn next_to_the_middle_the_quantile_is_the_distance_over_the_density() {
        let (p, degrees) = (0.5 + 1e-9, 5.0_f64);
        let density = 8.0 / (3.0 * std::f64::consts::PI * degrees.sqrt());
        relative(student_quantile(p, degrees), (p - 0.5) / density, 1e-10);
    }

    #[test]
    fn many_degrees_approach_the_normal_quantile_by_cornish_and_fisher() {
        let z = 1.959_963_984_540_054;
        for degrees in [1e3, 1e4, 1e5, 1e6, 1e7] {
            let first = (z * z + 1.0) * z / 4.0;
            let second = ((5.0 * z * z + 16.0) * z * z + 3.0) * z / 96.0;
            let third = (((3.0 * z * z + 19.0) * z * z + 17.0) * z * z - 15.0) * z / 384.0;
            relative(
                student_quantile(0.975, degrees),
                z + (first + (second + third / degrees) / degrees) / degrees,
                1e-10,
            );
        }
    }

    #[test]
    fn a_far_tail_falls_with_the_power_of_the_degrees() {
        let ratio = student_quantile(1e-96, 3.0) / student_quantile(1e-93, 3.0);
        relative(ratio, 10.0, 1e-12);
    }

    #[test]
    fn the_incomplete_beta_agrees_with_an_independent_library_and_with_its_mirror() {
        for a in [0.5, 1.0, 2.5, 9.5, 40.0] {
            for b in [0.5, 1.0, 3.0, 12.0, 80.0] {
                for x in [1e-6, 0.01, 0.2, 0.5, 0.75, 0.99] {
                    let ours = incomplete_beta(a, b, x);
                    assert!((ours - beta_reg(a, b, x)).abs() <= 1e-11, "I_{x}({a}, {b}) = {ours}");
                    assert!((ours + incomplete_beta(b, a, 1.0 - x) - 1.0).abs() <= 1e-12, "mirror of I_{x}({a}, {b})");
                }
            }
        }
        assert_eq!((incomplete_beta(2.0, 3.0, 0.0), incomplete_beta(2.0, 3.0, 1.0)), (0.0, 1.0));
    }

    #[test]
    fn the_incomplete_beta_of_whole_shapes_is_a_binomial_tail() {
        // P(Binomial(5, 0.3) ≥ 2) = I_0.3(2, 4)
        let none = 0.7_f64 * 0.7 * 0.7 * 0.7 * 0.7;
        let one = 5.0 * 0.3 * 0.7 * 0.7 * 0.7 * 0.7;
        relative(incomplete_beta(2.0, 4.0, 0.3), 1.0 - none - one, 1e-13);
    }

    #[test]
    #[should_panic(expected = "below 1")]
    fn a_probability_of_one_is_refused() {
        let _ = student_quantile(1.0, 5.0);
    }
}
