//! The normal quantile, so that lognormal times come by inversion from one uniform.
//!
//! What must never happen here: rejection or pairs (a draw would then take a varying number of words), or `ln` of the
//! platform.

const CENTRE_NUMERATOR: [f64; 8] = [
    3.3871328727963665,
    133.14166789178438,
    1971.5909503065513,
    13731.69376550946,
    45921.95393154987,
    67265.7709270087,
    33430.57558358813,
    2509.0809287301227,
];
const CENTRE_DENOMINATOR: [f64; 8] = [
    1.0,
    42.31333070160091,
    687.1870074920579,
    5394.196021424751,
    21213.794301586597,
    39307.89580009271,
    28729.085735721943,
    5226.495278852854,
];
const MIDDLE_NUMERATOR: [f64; 8] = [
    1.4234371107496835,
    4.630337846156546,
    5.769497221460691,
    3.6478483247632045,
    1.2704582524523684,
    0.2417807251774506,
    0.022723844989269184,
    0.0007745450142783414,
];
const MIDDLE_DENOMINATOR: [f64; 8] = [
    1.0,
    2.053191626637759,
    1.6763848301838038,
    0.6897673349851,
    0.14810397642748008,
    0.015198666563616457,
    0.0005475938084995345,
    1.0507500716444169e-9,
];
const TAIL_NUMERATOR: [f64; 8] = [
    6.657904643501103,
    5.463784911164114,
    1.7848265399172913,
    0.29656057182850487,
    0.026532189526576124,
    0.0012426609473880784,
    2.7115555687434876e-5,
    2.0103343992922881e-7,
];
const TAIL_DENOMINATOR: [f64; 8] = [
    1.0,
    0.599832206555888,
    0.1369298809227358,
    0.014875361290850615,
    0.0007868691311456133,
    1.8463183175100548e-5,
    1.421511758316446e-7,
    2.0442631033899397e-15,
];

/// Standard normal quantile of `p`, the z with P(Z <= z) = p, to about one part in 10^16.
///
/// Algorithm AS 241, PPND16 (Wichura 1988, Applied Statistics 37, 477-484), with the coefficients rounded to `f64`.
///
/// # Panics
/// If `p` is not strictly between 0 and 1.
#[inline]
pub fn normal_quantile(p: f64) -> f64 {
    assert!(p > 0.0 && p < 1.0, "the normal quantile of {p} does not exist");
    let from_centre = p - 0.5;
    if from_centre.abs() <= 0.425 {
        let r = 0.180625 - from_centre * from_centre;
        return from_centre * polynomial(&CENTRE_NUMERATOR, r) / polynomial(&CENTRE_DENOMINATOR, r);
    }
    let r = (-libm::log(p.min(1.0 - p))).sqrt();
    let distance = if r <= 5.0 {
        polynomial(&MIDDLE_NUMERATOR, r - 1.6) / polynomial(&MIDDLE_DENOMINATOR, r - 1.6)
    } else {
        polynomial(&TAIL_NUMERATOR, r - 5.0) / polynomial(&TAIL_DENOMINATOR, r - 5.0)
    };
    distance.copysign(from_centre)
}

/// Horner's rule, lowest power first in `coefficients`.
#[inline]
fn polynomial(coefficients: &[f64; 8], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * x + coefficient)
}

#[cfg(test)]
mod tests {
    use super::*;
    use statrs::distribution::{ContinuousCDF, Normal};

    /// (p, z) computed with 60 decimal digits and rounded to the nearest `f64`.
    const KNOWN: [(f64, f64); 28] = [
        (1e-300, -37.0470962993612),
        (1e-20, -9.262340089798407),
        (1.1102230246251565e-16, -8.209536151601387),
        (1e-12, -7.034483825301132),
        (1e-11, -6.706023155495136),
        (1.3e-11, -6.667611456510741),
        (1e-9, -5.9978070150076865),
        (1e-5, -4.264890793922825),
        (0.01, -2.326347874040841),
        (0.025, -1.9599639845400543),
        (0.05, -1.6448536269514726),
        (0.074, -1.4466320671589785),
        (0.075, -1.439531470938456),
        (0.0751, -1.43882539275254),
        (0.2, -0.8416212335729142),
        (0.3, -0.5244005127080408),
        (0.45, -0.12566134685507402),
        (0.5, 0.0),
        (0.6, 0.2533471031357997),
        (0.75, 0.6744897501960817),
        (0.9, 1.2815515655446006),
        (0.925, 1.4395314709384561),
        (0.95, 1.6448536269514722),
        (0.975, 1.9599639845400538),
        (0.99, 2.3263478740408408),
        (0.999, 3.090232306167813),
        (0.9999999999, 6.361340889697422),
        (0.9999999999999999, 8.209536151601387),
    ];

    #[test]
    fn known_quantiles_are_met_to_one_part_in_ten_to_the_fifteen() {
        for (p, z) in KNOWN {
            let error = (normal_quantile(p) - z).abs();
            assert!(error <= 1e-15 * z.abs(), "p {p}: {} is not {z}", normal_quantile(p));
        }
    }

    #[test]
    fn an_independent_library_agrees() {
        let normal = Normal::standard();
        for k in 1..1000_u32 {
            let p = f64::from(k) / 1000.0;
            let other = normal.inverse_cdf(p);
            assert!((normal_quantile(p) - other).abs() < 1e-11, "p {p}: {} is not {other}", normal_quantile(p));
        }
    }

    #[test]
    fn the_quantile_is_antisymmetric_to_the_last_bit() {
        for k in 1..1024_u32 {
            let p = f64::from(k) / 1024.0;
            assert_eq!(normal_quantile(p), -normal_quantile(1.0 - p), "p {p}");
        }
    }

    #[test]
    #[should_panic(expected = "the normal quantile of 1 does not exist")]
    fn the_quantile_of_one_is_refused() {
        normal_quantile(1.0);
    }
}
