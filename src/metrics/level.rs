//! A number that stands for a while: threads parked, requests open. Its time average is an exact integral in integer
//! arithmetic, never a sum of samples.

use crate::engine::SimTime;

/// The span of a run over which levels are integrated and in which calls must arrive to be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Start, inclusive.
    pub from: SimTime,
    /// End, inclusive.
    pub to: SimTime,
}

impl Window {
    /// Whether a call that arrives now is counted.
    pub fn contains(&self, at: SimTime) -> bool {
        self.from <= at && at <= self.to
    }

    fn clip(&self, at: SimTime) -> u64 {
        at.ns().clamp(self.from.ns(), self.to.ns())
    }

    /// Length of the window, ns.
    pub fn length_ns(&self) -> u64 {
        self.to.ns() - self.from.ns()
    }
}

/// A non-negative number over time: its integral and its peak over a window.
#[derive(Clone, Debug, Default)]
pub struct Level {
    value: u32,
    peak: u32,
    /// Start of the present value, clipped to the window, ns.
    since: u64,
    /// Integral over the window so far, units x ns.
    area: u128,
    /// Time within the window at each value, ns, where quantiles are wanted.
    spread: Option<Vec<u64>>,
}

impl Level {
    /// A level of which quantiles can be had.
    pub fn with_quantiles() -> Level {
        Level { spread: Some(Vec::new()), ..Level::default() }
    }

    /// Raises or lowers the level now.
    #[inline]
    pub fn change(&mut self, by: i32, now: SimTime, window: &Window) {
        self.settle(now, window);
        self.value = self.value.checked_add_signed(by).expect("a level fell below nought");
        if window.contains(now) {
            self.peak = self.peak.max(self.value);
        }
    }

    /// Integrates up to now.
    #[inline]
    fn settle(&mut self, now: SimTime, window: &Window) {
        let now = window.clip(now);
        // At the start of a run `since` may lie before the window; nothing stood before, so the value is nought then.
        let held = now - self.since.clamp(window.from.ns(), window.to.ns());
        if held > 0 {
            self.area += u128::from(self.value) * u128::from(held);
            self.peak = self.peak.max(self.value);
            if let Some(spread) = &mut self.spread {
                let value = self.value as usize;
                if spread.len() <= value {
                    spread.resize(value + 1, 0);
                }
                spread[value] += held;
            }
        }
        self.since = now;
    }

    /// The present value.
    pub fn value(&self) -> u32 {
        self.value
    }

    /// Closes the integral at the end of the window.
    pub fn close(&mut self, window: &Window) {
        self.settle(window.to, window);
    }

    /// Integral in units x ns, and peak, of a level that is closed.
    pub fn finish(&self) -> (u128, u32) {
        (self.area, self.peak)
    }

    /// The smallest value that the level did not exceed for this share of the window; none unless it was asked for.
    pub fn quantile(&self, share: f64) -> Option<u32> {
        let spread = self.spread.as_ref()?;
        let all: u128 = spread.iter().copied().map(u128::from).sum();
        let wanted = share * all as f64;
        let mut so_far = 0;
        let place = spread.iter().position(|&time| {
            so_far += u128::from(time);
            so_far as f64 >= wanted
        });
        Some(place.unwrap_or(spread.len().saturating_sub(1)) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ns: u64) -> SimTime {
        SimTime::from_ns(ns)
    }

    #[test]
    fn the_integral_is_exact_and_clipped_to_the_window() {
        let window = Window { from: at(10), to: at(100) };
        let mut level = Level::default();
        level.change(2, at(4), &window);
        level.change(-1, at(30), &window);
        level.change(5, at(90), &window);
        level.change(-6, at(200), &window);
        // 2 over [10, 30], 1 over [30, 90], 6 over [90, 100].
        level.close(&window);
        assert_eq!(level.finish(), (2 * 20 + 60 + 6 * 10, 6));
    }

    #[test]
    fn a_value_that_stands_when_the_window_opens_counts_for_its_peak_and_one_after_it_closed_does_not() {
        let window = Window { from: at(10), to: at(20) };
        let mut level = Level::default();
        level.change(7, at(1), &window);
        level.change(-7, at(11), &window);
        level.change(9, at(21), &window);
        level.close(&window);
        assert_eq!(level.finish(), (7, 7));
    }

    #[test]
    fn a_value_gone_before_the_window_opens_counts_for_nothing() {
        let window = Window { from: at(10), to: at(20) };
        let mut level = Level::default();
        level.change(7, at(1), &window);
        level.change(-7, at(9), &window);
        level.close(&window);
        assert_eq!(level.finish(), (0, 0));
    }

    #[test]
    fn a_quantile_is_the_smallest_value_not_exceeded_for_that_share_of_the_time() {
        let window = Window { from: at(0), to: at(100) };
        let mut level = Level::with_quantiles();
        level.change(1, at(0), &window);
        level.change(1, at(50), &window);
        level.change(3, at(90), &window);
        level.close(&window);
        let quantiles = [0.0, 0.5, 0.51, 0.9, 0.91, 1.0].map(|share| level.quantile(share).unwrap());
        assert_eq!(quantiles, [0, 1, 2, 2, 5, 5]);
        assert_eq!(Level::default().quantile(0.5), None);
    }
}
