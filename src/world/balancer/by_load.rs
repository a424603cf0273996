//! Who has fewest open requests. Must never scan the fleet for a pick.

use crate::random::place;
use crate::world::InstanceId;

/// Addresses of the rotation in buckets by their number of open requests: a pick and a change take constant time
/// (the lightest bucket moves by one step at a time).
#[derive(Debug)]
pub(super) struct ByLoad {
    buckets: Vec<Vec<InstanceId>>,
    /// Place of every address within its bucket; [`ABSENT`] = not in the rotation.
    place: Vec<u32>,
    lightest: usize,
}

const ABSENT: u32 = u32::MAX;

impl ByLoad {
    /// These out of so many addresses, nothing open at any.
    pub(super) fn new(rotation: &[InstanceId], addresses: usize) -> ByLoad {
        let mut by_load = ByLoad { buckets: vec![Vec::new()], place: vec![ABSENT; addresses], lightest: 0 };
        rotation.iter().for_each(|&id| by_load.insert(id, 0));
        by_load
    }

    /// Any of those with fewest; `None` when there is nobody.
    pub(super) fn lightest(&self, word: impl FnOnce() -> u64) -> Option<InstanceId> {
        match &*self.buckets[self.lightest] {
            [] => None,
            [only] => Some(*only),
            ties => Some(ties[place(word(), ties.len())]),
        }
    }

    pub(super) fn holds(&self, id: InstanceId) -> bool {
        self.place[id as usize] != ABSENT
    }

    pub(super) fn remove(&mut self, id: InstanceId, load: u32) {
        let bucket = &mut self.buckets[load as usize];
        let place = std::mem::replace(&mut self.place[id as usize], ABSENT);
        bucket.swap_remove(place as usize);
        if let Some(&moved) = bucket.get(place as usize) {
            self.place[moved as usize] = place;
        }
        self.settle(load as usize);
    }

    pub(super) fn insert(&mut self, id: InstanceId, load: u32) {
        if self.buckets.len() <= load as usize {
            self.buckets.resize_with(load as usize + 1, Vec::new);
        }
        let bucket = &mut self.buckets[load as usize];
        self.place[id as usize] = bucket.len() as u32;
        bucket.push(id);
        if (load as usize) < self.lightest || self.buckets[self.lightest].is_empty() {
            self.lightest = load as usize;
        }
    }

    fn settle(&mut self, from: usize) {
        if from == self.lightest {
            while self.lightest + 1 < self.buckets.len() && self.buckets[self.lightest].is_empty() {
                self.lightest += 1;
            }
        }
    }
}
