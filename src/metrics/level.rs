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
#[derive(Clone, Copy, Debug, Default)]
pub struct Level {
    value: u32,
    peak: u32,
    /// Start of the present value, clipped to the window, ns.
    since: u64,
    /// Integral over the window so far, units x ns.
    area: u128,
}

impl Level {
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
        }
        self.since = now;
    }

    /// The present value.
    pub fn value(&self) -> u32 {
        self.value
    }

    /// Closes the integral at the end of the window: integral in units x ns, and peak.
    pub fn finish(mut self, window: &Window) -> (u128, u32) {
        self.settle(window.to, window);
        (self.area, self.peak)
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
        assert_eq!(level.finish(&window), (2 * 20 + 60 + 6 * 10, 6));
    }

    #[test]
    fn a_value_that_stands_when_the_window_opens_counts_for_its_peak_and_one_after_it_closed_does_not() {
        let window = Window { from: at(10), to: at(20) };
        let mut level = Level::default();
        level.change(7, at(1), &window);
        level.change(-7, at(11), &window);
        level.change(9, at(21), &window);
        assert_eq!(level.finish(&window), (7, 7));
    }

    #[test]
    fn a_value_gone_before_the_window_opens_counts_for_nothing() {
        let window = Window { from: at(10), to: at(20) };
        let mut level = Level::default();
        level.change(7, at(1), &window);
        level.change(-7, at(9), &window);
        assert_eq!(level.finish(&window), (0, 0));
    }
}
