//! Durations and rates as they are written: always with a unit. Must never guess one: a bare number, a month and a
//! fraction finer than the clock are refused, because each has been read as something else by some other tool.

/// One year of 365 days, nanoseconds.
const YEAR_NS: u64 = 365 * 86_400 * 1_000_000_000;
/// Longest duration, nanoseconds: nine years, far from the end of the clock whatever is added up.
pub(super) const LONGEST_NS: u64 = 9 * YEAR_NS;

/// Units of time, longest first, nanoseconds each.
const UNITS: [(&str, u64); 7] = [
    ("d", 86_400 * 1_000_000_000),
    ("h", 3_600 * 1_000_000_000),
    ("m", 60 * 1_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
];

/// What is accepted as a duration, for help lines.
pub(super) const DURATIONS: &str =
    "a duration is a number with a unit (ns, us, ms, s, m, h, d), also combined: \"250ms\", \"45s\", \"1h30m\"";
/// What is accepted as a rate, for help lines.
pub(super) const RATES: &str = "a rate is a number per unit of time (/s, /m, /h, /d): \"5/s\", \"0.5/m\"";

/// What is accepted as a number of bytes, for help lines.
pub(super) const BYTES: &str =
    "bytes are a number with a unit (B, kB, MB, GB by thousands, KiB, MiB, GiB by 1024): \"512MiB\", \"100kB\"";

/// Units of memory, bytes each.
const MEMORY: [(&str, u64); 9] = [
    ("B", 1),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
];

/// Most bytes of one thing: a pebibyte.
const MOST_BYTES: u64 = 1 << 50;

/// Why a duration cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum BadDuration {
    Empty,
    NoUnit,
    UnknownUnit(String),
    Negative,
    NotANumber,
    TooFine,
    TooLong,
    Order,
}

impl BadDuration {
    /// The reason, short enough to stand at a caret.
    pub fn reason(&self) -> String {
        match self {
            Self::Empty => "the text is empty".into(),
            Self::NoUnit => "the unit is missing".into(),
            Self::UnknownUnit(unit) => {
                format!("`{}` is not a unit of time", super::problem::shown(unit))
            }
            Self::Negative => "a duration cannot be negative".into(),
            Self::NotANumber => "not a number with a unit".into(),
            Self::TooFine => "finer than the clock, which counts whole nanoseconds".into(),
            Self::TooLong => "longer than nine years (3285d)".into(),
            Self::Order => "units must go from long to short, each once".into(),
        }
    }
}

/// Nanoseconds of a duration such as `45s` or `1h30m`.
pub(super) fn duration_ns(text: &str) -> Result<u64, BadDuration> {
    if text.is_empty() {
        return Err(BadDuration::Empty);
    }
    if text.starts_with(['-', '−']) {
        return Err(BadDuration::Negative);
    }
    let (mut rest, mut total, mut last) = (text, 0_u128, None);
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let (number, tail) = rest.split_at(digits);
        let length = tail.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(tail.len());
        let (unit, next) = tail.split_at(length);
        let (units, decimals) = decimal(number).ok_or(BadDuration::NotANumber)?;
        if unit.is_empty() {
            return Err(BadDuration::NoUnit);
        }
        let place = UNITS.iter().position(|(name, _)| *name == unit);
        let place = place.ok_or_else(|| BadDuration::UnknownUnit(unit.into()))?;
        if last.is_some_and(|last| place <= last) {
            return Err(BadDuration::Order);
        }
        total += scaled(units, decimals, UNITS[place].1)?;
        (rest, last) = (next, Some(place));
    }
    u64::try_from(total).ok().filter(|ns| *ns <= LONGEST_NS).ok_or(BadDuration::TooLong)
}

/// `units / 10^decimals` times `unit`, exactly.
fn scaled(units: u128, decimals: u32, unit: u64) -> Result<u128, BadDuration> {
    let product = units.checked_mul(u128::from(unit)).ok_or(BadDuration::TooLong)?;
    let divisor = 10_u128.pow(decimals);
    match product / divisor {
        _ if product % divisor != 0 => Err(BadDuration::TooFine),
        ns if ns > u128::from(LONGEST_NS) => Err(BadDuration::TooLong),
        ns => Ok(ns),
    }
}

/// Digits with at most one point, as (all digits, digits after the point); `None` if it is anything else or longer than
/// 30 digits.
fn decimal(text: &str) -> Option<(u128, u32)> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let plain = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !plain(whole) || !plain(fraction) || whole.len() + fraction.len() > 30 {
        return None;
    }
    let units = format!("{whole}{fraction}").parse().ok()?;
    Some((units, u32::try_from(fraction.len()).ok()?))
}

/// Nanoseconds of plain decimal seconds such as `0.015223`, to the nearest nanosecond; at most nine years.
pub(super) fn seconds_ns(text: &str) -> Option<u64> {
    let (units, decimals) = decimal(text)?;
    let divisor = 10_u128.pow(decimals);
    let ns = units.checked_mul(1_000_000_000)?.checked_add(divisor / 2)? / divisor;
    u64::try_from(ns).ok().filter(|ns| *ns <= LONGEST_NS)
}

/// Bytes of a size such as `512MiB`; the reason if it is none.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    if text.starts_with(['-', '−']) {
        return Err("a number of bytes cannot be negative".into());
    }
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let (units, decimals) = decimal(number).ok_or("not a number with a unit")?;
    let size = match MEMORY.iter().find(|(name, _)| *name == unit) {
        Some(&(_, size)) => size,
        None if unit.is_empty() => return Err("the unit is missing".into()),
        None => return Err(format!("`{}` is not a unit of memory", super::problem::shown(unit))),
    };
    let (product, divisor) = (units.saturating_mul(u128::from(size)), 10_u128.pow(decimals));
    match u64::try_from(product / divisor) {
        _ if product % divisor != 0 => Err("not a whole number of bytes".into()),
        Ok(bytes) if bytes <= MOST_BYTES => Ok(bytes),
        _ => Err("more than a pebibyte".into()),
    }
}

/// Calls per second of a rate such as `5/s`; the reason if it is none. Within 1e-9 (once in 31 years) and 1e9 (one per
/// nanosecond of the clock), or exactly 0.
pub(super) fn rate_per_s(text: &str) -> Result<f64, String> {
    let Some((number, unit)) = text.split_once('/') else {
        return Err("the unit is missing".into());
    };
    if number.starts_with(['-', '−']) {
        return Err("a rate cannot be negative".into());
    }
    let seconds = match unit {
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3_600.0,
        "d" => 86_400.0,
        _ => {
            return Err(format!("`/{}` is not a unit of rates", super::problem::shown(unit)));
        }
    };
    decimal(number).ok_or("not a number with a unit")?;
    let rate = number.parse::<f64>().map_err(|_| "not a number with a unit")? / seconds;
    match rate {
        0.0 => Ok(rate),
        r if r > 1e9 => Err("more than one call per nanosecond".into()),
        r if r < 1e-9 => Err("less than one call in 31 years".into()),
        r => Ok(r),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_exact_in_every_unit_and_combined() {
        for (text, ns) in [
            ("0s", 0),
            ("1ns", 1),
            ("2us", 2_000),
            ("250ms", 250_000_000),
            ("45s", 45_000_000_000),
            ("1m", 60_000_000_000),
            ("1h30m", 5_400_000_000_000),
            ("1d2h3m4s5ms6us7ns", 93_784_005_006_007),
            ("0.5s", 500_000_000),
            ("0.1us", 100),
            ("3285d", LONGEST_NS),
        ] {
            assert_eq!(duration_ns(text), Ok(ns), "{text}");
        }
    }

    #[test]
    fn what_other_tools_guess_is_refused_with_its_reason() {
        use BadDuration::{Empty, Negative, NoUnit, NotANumber, Order, TooFine, TooLong};
        for (text, bad) in [
            ("", Empty),
            ("60", NoUnit),
            ("1h30", NoUnit),
            ("-5s", Negative),
            ("s", NotANumber),
            (" 5s", NotANumber),
            ("1.s", NotANumber),
            ("1..5s", NotANumber),
            ("1e3s", BadDuration::UnknownUnit("e".into())),
            ("1M", BadDuration::UnknownUnit("M".into())),
            ("1month", BadDuration::UnknownUnit("month".into())),
            ("5 s", BadDuration::UnknownUnit(" s".into())),
            ("30m1h", Order),
            ("1s1s", Order),
            ("0.5ns", TooFine),
            ("3285d1ns", TooLong),
            ("99999999999999999999999d", TooLong),
        ] {
            assert_eq!(duration_ns(text), Err(bad), "{text}");
        }
    }

    #[test]
    fn sizes_are_exact_and_thousands_are_not_1024() {
        for (text, size) in
            [("0B", 0), ("100kB", 100_000), ("110KiB", 112_640), ("1.5MiB", 1_572_864), ("8GB", 8_000_000_000)]
        {
            assert_eq!(bytes(text), Ok(size), "{text}");
        }
        for bad in
            ["", "512", "-1MB", "1mb", "1 MiB", "0.5B", "1M", "2000TiB", "1e3B", "99999999999999999999999999999TiB"]
        {
            assert!(bytes(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn equal_rates_in_different_units_are_the_same_number() {
        assert_eq!(rate_per_s("300/m"), Ok(5.0));
        assert_eq!(rate_per_s("18000/h"), Ok(5.0));
        assert_eq!(rate_per_s("432000/d"), Ok(5.0));
        assert_eq!(rate_per_s("0/s"), Ok(0.0));
        for bad in ["5", "5/", "/s", "-1/s", "nan/s", "inf/s", "1e3/s", "5/w", "5 /s", "2000000000/s", "0.0000001/d"] {
            assert!(rate_per_s(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn recorded_seconds_are_rounded_to_the_nearest_nanosecond() {
        assert_eq!(seconds_ns("0.015223"), Some(15_223_000));
        assert_eq!(seconds_ns("1.0000000005"), Some(1_000_000_001));
        for bad in ["", "-1", "1e-5", "nan", " 1", "99999999999"] {
            assert_eq!(seconds_ns(bad), None, "{bad}");
        }
    }
}
