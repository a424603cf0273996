//! Which instances a fault hits.

use serde::Serialize;

use super::InstanceId;
use crate::random::place;

/// Which instances a fault hits.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Select {
    /// All that are up.
    All,
    /// So many of those that are up, drawn at random.
    Count(u32),
    /// This one, by index.
    Instance(u32),
    /// All of this zone that are up.
    Zone {
        /// Its number.
        zone: u32,
        /// How many zones there are; address i lies in zone i modulo that.
        of: u32,
    },
}

impl Select {
    /// Those hit among the ones that are `up` (ascending); `word(k)` is the k-th random word of the fault.
    ///
    /// A draw without replacement by the first steps of a Fisher-Yates shuffle, one word each.
    pub fn hit(&self, up: &[InstanceId], mut word: impl FnMut(u32) -> u64) -> Vec<InstanceId> {
        match *self {
            Select::All => up.to_vec(),
            Select::Instance(index) => up.iter().copied().filter(|&id| id == index).collect(),
            Select::Zone { zone, of } => up.iter().copied().filter(|&id| id % of == zone).collect(),
            Select::Count(count) => {
                let mut left = up.to_vec();
                let mut hit = Vec::new();
                for k in 0..(count as usize).min(up.len()) {
                    hit.push(left.swap_remove(place(word(k as u32), left.len())));
                }
                hit.sort_unstable();
                hit
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_hits_so_many_different_ones_and_never_one_that_is_down() {
        let up = [1, 4, 7];
        for seed in 0..100u64 {
            let hit = Select::Count(2).hit(&up, |k| (seed + u64::from(k)).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            assert_eq!(hit.len(), 2);
            assert!(hit[0] < hit[1] && hit.iter().all(|id| up.contains(id)));
        }
        assert_eq!(Select::Count(9).hit(&up, |_| 0), up);
        assert_eq!(Select::Instance(4).hit(&up, |_| 0), [4]);
        assert!(Select::Instance(2).hit(&up, |_| 0).is_empty());
        assert_eq!(Select::Zone { zone: 1, of: 3 }.hit(&up, |_| 0), up);
        assert_eq!(Select::Zone { zone: 0, of: 2 }.hit(&up, |_| 0), [4]);
    }
}
