//! Numbers as people read them: as many digits as their interval supports.

/// A value alone: whole numbers whole, others to four digits that mean something.
pub(super) fn plain(value: f64) -> String {
    if value == value.round() && value.abs() < 1e15 {
        return format!("{value:.0}");
    }
    format!("{value:.*}", decimals(value, 4))
}

/// A value and the half width of its interval, to two digits of the half width.
pub(super) fn with_interval(value: f64, half_width: Option<f64>) -> String {
    match half_width {
        Some(half_width) if half_width > 0.0 => {
            format!("{} ± {}", rounded(value, half_width), rounded(half_width, half_width))
        }
        _ => plain(value),
    }
}

/// A value with as many decimals as two digits of the half width `to` of its interval have.
pub fn rounded(value: f64, to: f64) -> String {
    format!("{value:.*}", decimals(to, 2))
}

/// A share as a percentage.
pub(super) fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    let decimals = if percent == percent.round() { 0 } else { decimals(percent, 3).min(4) };
    format!("{percent:.decimals$} %")
}

/// Decimals that show so many digits of a value.
fn decimals(value: f64, digits: i32) -> usize {
    if value == 0.0 || !value.is_finite() {
        return 0;
    }
    let magnitude = libm::floor(libm::log10(value.abs())) as i32;
    (digits - 1 - magnitude).clamp(0, 12) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_shows_the_digits_that_its_interval_supports() {
        assert_eq!(with_interval(222.3456, Some(1.23456)), "222.3 ± 1.2");
        assert_eq!(with_interval(14998.2, Some(45.6)), "14998 ± 46");
        assert_eq!(with_interval(0.001234, Some(0.000056)), "0.001234 ± 0.000056");
        assert_eq!(with_interval(3.0, Some(0.0)), "3");
        assert_eq!(with_interval(3.25, None), "3.250");
        assert_eq!(plain(1e9), "1000000000");
        assert_eq!(percent(0.0435), "4.35 %");
        assert_eq!(percent(1.0), "100 %");
        assert_eq!(percent(0.0000123), "0.0012 %");
    }
}
