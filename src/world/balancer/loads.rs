//! Comparing addresses by their open requests, each for its weight. Must never compare quotients of floats.

use super::policy::Ties;
use super::take_place;
use crate::random::place;
use crate::world::InstanceId;

/// What a policy that looks at loads knows of every address.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loads<'a> {
    /// Open requests.
    pub(super) open: &'a [u32],
    /// As how many addresses each counts.
    pub(super) weights: &'a [u32],
    pub(super) ties: Ties,
}

impl Loads<'_> {
    fn is_lighter(&self, a: InstanceId, b: InstanceId) -> bool {
        let load = |id: InstanceId| u64::from(self.open[id as usize]);
        let weight = |id: InstanceId| u64::from(self.weights[id as usize]);
        load(a) * weight(b) < load(b) * weight(a)
    }

    /// The address with fewest open requests for its weight among ascending ones, each there as often as it counts; so
    /// a random tie is broken by weight. `None` among none. Time linear in them.
    pub(super) fn lightest(&self, among: &[InstanceId], word: impl FnOnce() -> u64) -> Option<InstanceId> {
        let lighter = |best, id| if self.is_lighter(id, best) { id } else { best };
        let lightest = among.iter().copied().reduce(lighter)?;
        if self.ties == Ties::First {
            return Some(lightest);
        }
        let ties = || among.iter().copied().filter(|&id| !self.is_lighter(lightest, id));
        match ties().count() {
            1 => Some(lightest),
            len => ties().nth(place(word(), len)),
        }
    }

    /// The lighter of two different addresses, drawn one after the other from the same list; a lone address is picked
    /// alone. Logarithmic time.
    ///
    /// Power of two choices (Mitzenmacher 2001, IEEE TPDS 12, 1094-1104).
    pub(super) fn lighter_of_two(&self, among: &[InstanceId], mut word: u64) -> InstanceId {
        let first = among[take_place(&mut word, among.len())];
        let copies = among.partition_point(|&id| id < first)..among.partition_point(|&id| id <= first);
        if copies.len() == among.len() {
            return first;
        }
        let second = take_place(&mut word, among.len() - copies.len());
        let second = among[if second < copies.start { second } else { second + copies.len() }];
        match self.ties {
            _ if self.is_lighter(second, first) => second,
            Ties::First if !self.is_lighter(first, second) => first.min(second),
            _ => first,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of 65,535 addresses, the most there can be: the words that lead to one pair are a run, whose length says how
    /// likely the pair is.
    #[test]
    fn both_of_two_choices_are_uniform_to_one_part_in_a_million_in_the_largest_fleet() {
        const FLEET: usize = 65_535;
        let pair = |mut word: u64| (take_place(&mut word, FLEET), take_place(&mut word, FLEET - 1));
        let begin = |wanted: (usize, usize)| {
            let (mut below, mut from) = (0u64, u64::MAX);
            while from - below > 1 {
                let middle = below + (from - below) / 2;
                if pair(middle) < wanted { below = middle } else { from = middle }
            }
            from as f64
        };
        let expected = libm::pow(2.0, 64.0) / (FLEET * (FLEET - 1)) as f64;
        for wanted in [(1, 0), (1, 32_768), (32_767, 1), (40_000, 65_532), (65_533, 4711)] {
            let words = begin((wanted.0, wanted.1 + 1)) - begin(wanted);
            // The difference of two f64 near 2^64 is exact to 2^12, one part in 10^6 of 2^32.
            assert!((words / expected - 1.0).abs() < 1.0 / f64::from(1 << 20), "{wanted:?}: {words}, not {expected}");
        }
    }

    #[test]
    fn loads_are_compared_for_their_weight_where_the_weights_are_large() {
        let (open, weights) = ([u32::MAX - 1, u32::MAX], [u32::MAX - 1, u32::MAX]);
        let loads = Loads { open: &open, weights: &weights, ties: Ties::First };
        assert!(!loads.is_lighter(0, 1) && !loads.is_lighter(1, 0));
        let loads = Loads { open: &[2, 3], ..loads };
        assert!(loads.is_lighter(0, 1));
    }
}
