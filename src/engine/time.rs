//! Simulated time as a whole count of nanoseconds, so that every machine and every thread count sees the same instants.
//! Must never hold a floating-point time: a span drawn in seconds is rounded once, by [`duration_from_secs`].

use std::fmt;
use std::time::Duration;

const NS_PER_SEC: u64 = 1_000_000_000;

/// An instant of a run: nanoseconds since its start, from [`SimTime::ZERO`] to [`SimTime::MAX`]. Spans are [`Duration`]s.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default, serde::Serialize)]
#[serde(transparent)]
pub struct SimTime(u64);

impl SimTime {
    /// The start of the run.
    pub const ZERO: Self = Self(0);

    /// The last instant that can be told, 2^58 - 1 ns (9.1 years): what fits the packed key of the event list.
    pub const MAX: Self = Self((1 << 58) - 1);

    /// The instant `ns` nanoseconds after the start; saturates at [`SimTime::MAX`].
    #[must_use]
    pub fn from_ns(ns: u64) -> Self {
        Self(ns).min(Self::MAX)
    }

    /// Nanoseconds since the start.
    #[must_use]
    pub const fn ns(self) -> u64 {
        self.0
    }

    /// Seconds since the start, for display and statistics; exact to the nanosecond up to 104 days (2^53 ns).
    #[must_use]
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / NS_PER_SEC as f64
    }

    /// The instant `span` later; saturates at [`SimTime::MAX`].
    #[must_use]
    pub fn saturating_add(self, span: Duration) -> Self {
        let whole = span.as_secs().saturating_mul(NS_PER_SEC);
        let span_ns = whole.saturating_add(u64::from(span.subsec_nanos()));
        Self::from_ns(self.0.saturating_add(span_ns))
    }

    /// The span from `earlier` to `self`; zero if `earlier` is the later one.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }
}

/// Seconds as the shortest exact decimal: `30.5 s`.
impl fmt::Display for SimTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (secs, mut fraction) = (self.0 / NS_PER_SEC, self.0 % NS_PER_SEC);
        if fraction == 0 {
            return write!(f, "{secs} s");
        }
        let mut digits = 9;
        while fraction.is_multiple_of(10) {
            fraction /= 10;
            digits -= 1;
        }
        write!(f, "{secs}.{fraction:0digits$} s")
    }
}

/// A span drawn in seconds as whole nanoseconds: the exact value of `secs` is rounded once, half to even. Beyond
/// [`SimTime::MAX`], infinity included, it saturates there.
///
/// # Panics
/// If `secs` is negative or not a number: no distribution may draw such a span, so it is our own bug.
#[must_use]
pub fn duration_from_secs(secs: f64) -> Duration {
    assert!(secs >= 0.0, "a span must be zero or positive, got {secs} s");
    let longest = Duration::from_nanos(SimTime::MAX.ns());
    // After the assertion only a value too large for a `Duration` is refused.
    Duration::try_from_secs_f64(secs).map_or(longest, |span| span.min(longest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_saturates_at_the_largest_that_the_key_holds() {
        assert_eq!(SimTime::from_ns(u64::MAX), SimTime::MAX);
        assert_eq!(SimTime::from_ns(1 << 58), SimTime::MAX);
        assert_eq!(SimTime::from_ns((1 << 58) - 2).ns(), (1 << 58) - 2);
        assert_eq!(SimTime::ZERO.saturating_add(Duration::MAX), SimTime::MAX);
        assert_eq!(SimTime::MAX.saturating_add(Duration::from_nanos(1)), SimTime::MAX);
    }

    #[test]
    fn adding_a_span_and_taking_it_back_is_exact() {
        let start = SimTime::from_ns(7);
        let span = Duration::new(86_400, 999_999_999);
        assert_eq!(start.saturating_add(span).ns(), 86_400_999_999_999 + 7);
        assert_eq!(start.saturating_add(span).since(start), span);
    }

    #[test]
    fn the_span_since_a_later_instant_is_zero() {
        assert_eq!(SimTime::from_ns(3).since(SimTime::from_ns(4)), Duration::ZERO);
    }

    #[test]
    fn an_instant_is_shown_as_the_shortest_exact_decimal_of_seconds() {
        for (ns, shown) in [
            (0, "0 s"),
            (30_500_000_000, "30.5 s"),
            (1, "0.000000001 s"),
            (10_000_000_000, "10 s"),
            (1_020_000_000, "1.02 s"),
            (u64::MAX, "288230376.151711743 s"),
        ] {
            assert_eq!(SimTime::from_ns(ns).to_string(), shown);
        }
    }

    #[test]
    fn an_instant_is_written_as_integer_nanoseconds() {
        let written = serde_json::to_string(&SimTime::from_ns(1_500_000_000)).unwrap();
        assert_eq!(written, "1500000000");
    }

    #[test]
    fn seconds_of_an_instant_are_its_nanoseconds_over_a_billion() {
        assert_eq!(SimTime::from_ns(30_500_000_000).as_secs_f64(), 30.5);
    }

    #[test]
    fn a_drawn_span_is_rounded_once_to_the_nearest_nanosecond_and_half_to_even() {
        let half = 1.0 / 1024.0; // exactly 976_562.5 ns
        assert_eq!(duration_from_secs(half), Duration::from_nanos(976_562));
        assert_eq!(duration_from_secs(3.0 * half), Duration::from_nanos(2_929_688));
        assert_eq!(duration_from_secs(0.6e-9), Duration::from_nanos(1));
        assert_eq!(duration_from_secs(0.4e-9), Duration::ZERO);
        assert_eq!(duration_from_secs(-0.0), Duration::ZERO);
        assert_eq!(duration_from_secs(41.0), Duration::from_secs(41));
    }

    #[test]
    fn a_drawn_span_saturates_at_the_largest_instant() {
        let longest = Duration::from_nanos(SimTime::MAX.ns());
        assert_eq!(duration_from_secs(1e9), longest);
        assert_eq!(duration_from_secs(1e300), longest);
        assert_eq!(duration_from_secs(f64::INFINITY), longest);
    }

    #[test]
    #[should_panic(expected = "zero or positive")]
    fn a_negative_span_is_our_own_bug() {
        let _ = duration_from_secs(-1e-20);
    }

    #[test]
    #[should_panic(expected = "zero or positive")]
    fn a_span_that_is_not_a_number_is_our_own_bug() {
        let _ = duration_from_secs(f64::NAN);
    }
}
