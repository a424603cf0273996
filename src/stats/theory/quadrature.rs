//! Numerical integration for the few formulas that have no closed form.
//!
//! Why it exists: one rule, whose error is known, instead of one per formula.
//! What must never happen here: an integrand with a jump or a kink inside the interval. Split there first.

/// Nodes and weights of the five-point Gauss-Legendre rule on [−1, 1], the right half.
const RULE: [(f64, f64); 3] = [
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.906_179_845_938_664, 0.236_926_885_056_189_08),
];

/// ∫ `f` over [`from`, `to`], zero when the interval is empty: `panels` equal panels of the five-point Gauss-Legendre
/// rule, exact for polynomials up to degree nine on each.
pub(super) fn integrate(f: impl Fn(f64) -> f64, from: f64, to: f64, panels: u32) -> f64 {
    if from >= to {
        return 0.0;
    }
    let half = 0.5 * (to - from) / f64::from(panels);
    let panel = |index: u32| {
        let middle = from + half * f64::from(2 * index + 1);
        let [(_, weight), pairs @ ..] = RULE;
        let pair = |(node, weight): (f64, f64)| weight * (f(middle - half * node) + f(middle + half * node));
        weight * f(middle) + pairs.into_iter().map(pair).sum::<f64>()
    };
    half * (0..panels).map(panel).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polynomial_of_degree_nine_is_integrated_exactly_by_one_panel() {
        let power = |x: f64| x * x * x * x * x * x * x * x * x;
        assert!((integrate(power, 0.0, 2.0, 1) - 102.4).abs() < 1e-12);
        let tenth = |x: f64| power(x) * x;
        assert!((integrate(tenth, 0.0, 2.0, 1) - 2048.0 / 11.0).abs() > 1e-3);
    }

    #[test]
    fn panels_add_up_to_the_whole_interval() {
        assert!((integrate(libm::exp, -1.0, 3.0, 40) - (libm::exp(3.0) - libm::exp(-1.0))).abs() < 1e-13);
    }

    #[test]
    fn an_empty_interval_has_no_area() {
        assert_eq!(integrate(|_| 1.0, 2.0, 1.0, 8), 0.0);
    }
}
