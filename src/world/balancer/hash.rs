//! From a key to an address: modulo, a ring of points, rendezvous. An address of weight w counts as w addresses. Must
//! never use a hasher whose values may change: the picks are part of every result.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::policy::{Hashing, Scheme};
use crate::world::InstanceId;

/// Seed of the hash of a key.
const KEY: u64 = 1;
/// Seed of the hash that places a point on the ring.
const POINT: u64 = 2;

/// Where keys go in one state of the rotation.
#[derive(Debug)]
pub(super) struct Hashes {
    hashing: Hashing,
    /// Every copy of every address at its place, ascending: its hash on a ring, its name for the other schemes.
    copies: Vec<(u64, InstanceId)>,
}

fn hash(value: u64, seed: u64) -> u64 {
    xxh3_64_with_seed(&value.to_le_bytes(), seed)
}

impl Hashes {
    pub(super) fn new(hashing: Hashing, rotation: &[InstanceId], weights: &[u32]) -> Hashes {
        let copies = rotation.iter().flat_map(|&id| copies_of(hashing, id, weights[id as usize]));
        let mut hashes = Hashes { hashing, copies: copies.collect() };
        hashes.copies.sort_unstable();
        hashes
    }

    /// Puts an address in. Time about linear in the copies.
    pub(super) fn insert(&mut self, id: InstanceId, weight: u32) {
        let before = self.copies.len();
        self.copies.extend(copies_of(self.hashing, id, weight));
        self.copies[before..].sort_unstable();
        // The stable sort merges two sorted runs.
        self.copies.sort();
    }

    /// Takes an address out. Time linear in the copies.
    pub(super) fn remove(&mut self, id: InstanceId) {
        self.copies.retain(|&(_, other)| other != id);
    }

    /// The address of a key among those that `accepts`; `None` where that is nobody. Where everybody does: constant time
    /// for modulo, logarithmic in the points for the ring, linear in the copies for rendezvous.
    ///
    /// Where the home of the key does not accept, modulo counts those that do, a ring goes on to the next point, and
    /// rendezvous takes the next highest hash.
    pub(super) fn of(&self, key: u64, accepts: impl Fn(InstanceId) -> bool) -> Option<InstanceId> {
        let (key, copies) = (hash(key, KEY), &*self.copies);
        let picked = match self.hashing.scheme {
            Scheme::Modulo => modulo(copies, key).filter(|&(_, id)| accepts(id)).or_else(|| {
                let among: Vec<_> = copies.iter().copied().filter(|&(_, id)| accepts(id)).collect();
                modulo(&among, key)
            }),
            Scheme::Ring => {
                let (before, after) = copies.split_at(copies.partition_point(|&(point, _)| point < key));
                after.iter().chain(before).copied().find(|&(_, id)| accepts(id))
            }
            Scheme::Rendezvous => {
                let among = copies.iter().copied().filter(|&(_, id)| accepts(id));
                among.max_by_key(|&(name, _)| (hash(name, key), name))
            }
        };
        picked.map(|(_, id)| id)
    }
}

/// The copies of an address of this weight: their places, and whose they are.
fn copies_of(hashing: Hashing, id: InstanceId, weight: u32) -> impl Iterator<Item = (u64, InstanceId)> {
    let is_ring = hashing.scheme == Scheme::Ring;
    let copies = weight * if is_ring { hashing.points } else { 1 };
    let name = move |copy: u32| u64::from(id) << 32 | u64::from(copy);
    (0..copies).map(move |copy| (if is_ring { hash(name(copy), POINT) } else { name(copy) }, id))
}

fn modulo(copies: &[(u64, InstanceId)], key: u64) -> Option<(u64, InstanceId)> {
    Some(copies[key.checked_rem(copies.len() as u64)? as usize])
}

#[cfg(test)]
mod tests;
