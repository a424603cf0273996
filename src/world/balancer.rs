//! The balancer: which address a message reaches. It sees who is in the rotation and how many requests each holds open;
//! it never sees a design. Detecting a death and trying again after a refused connection are told to it from outside.

mod by_load;
mod hash;
mod loads;
mod policy;
mod turns;

use by_load::ByLoad;
use hash::Hashes;
use loads::Loads;
pub use policy::{Detection, HashBy, Hashing, Policy, Scheme, Stickiness, Ties};
use turns::Turns;

use super::InstanceId;
use crate::random::place;

/// As [`place`] with the whole word, which keeps what is left of it for a second one: with as many places, that is
/// uniform but for `len`^2 parts in 2^64.
fn take_place(word: &mut u64, len: usize) -> usize {
    let product = u128::from(*word) * len as u128;
    *word = product as u64;
    (product >> 64) as usize
}

/// How a balancer picks. An address of weight w counts as w addresses for every policy: never, if w is 0.
#[derive(Clone, Debug)]
pub struct Routing {
    /// How an address is picked.
    pub policy: Policy,
    /// Which of several addresses with equally few open requests for their weight, where the policy looks at those.
    pub ties: Ties,
    /// What is hashed, and how.
    pub hash: Hashing,
    /// As how many addresses each one counts, in order; their number is that of the addresses.
    pub weights: Vec<u32>,
    /// Round-robin counters, at least 1; each begins at the first address.
    pub replicas: u32,
}

/// What one message brings to a pick.
#[derive(Clone, Copy, Debug)]
pub struct Draw<W> {
    /// What a hashing balancer sees of it; without it, that goes round robin.
    pub key: Option<u64>,
    /// The counter that it meets, from 0.
    pub replica: u32,
    /// Its random word, asked for at most once, where the policy draws; two choices need all its 64 bits, the other
    /// policies the upper 32.
    pub word: W,
}

/// A balancer in front of a fleet.
#[derive(Debug)]
pub struct Balancer {
    routing: Routing,
    /// Addresses that get messages, ascending.
    rotation: Vec<InstanceId>,
    /// The same, each as often as it counts.
    copies: Vec<InstanceId>,
    /// Open requests of every address, in the rotation or not.
    open: Vec<u32>,
    /// For the policies that take turns, and for a message without the key that a hash looks for.
    turns: Turns,
    by_load: Option<ByLoad>,
    hashes: Option<Hashes>,
}

impl Balancer {
    /// A balancer over addresses `0..weights.len()`, all in the rotation.
    pub fn new(routing: Routing) -> Balancer {
        let Routing { policy, ties, hash, ref weights, replicas } = routing;
        let rotation: Vec<InstanceId> = (0..weights.len() as InstanceId).collect();
        let copies: Vec<InstanceId> = rotation.iter().flat_map(|&id| copies_of(id, weights)).collect();
        let turns = Turns::new(&rotation, weights, replicas);
        let in_buckets = policy == Policy::LeastConnections && ties == Ties::Random && weights.iter().all(|&w| w <= 1);
        let by_load = in_buckets.then(|| ByLoad::new(&copies, weights.len()));
        let hashes = (policy == Policy::Hash).then(|| Hashes::new(hash, &rotation, weights));
        Balancer { open: vec![0; weights.len()], rotation, copies, turns, by_load, hashes, routing }
    }

    /// Picks an address of the rotation; `None` when it has none with a weight. Constant time, but logarithmic in the
    /// points of a ring and in the addresses for two choices, and linear in the addresses for rendezvous and for least
    /// connections with weights above 1 or the first of ties.
    ///
    /// # Panics
    /// If there is no such replica.
    pub fn pick(&mut self, draw: Draw<impl FnOnce() -> u64>) -> Option<InstanceId> {
        match (self.routing.policy, draw.key, &self.hashes, &self.by_load) {
            (Policy::Hash, Some(key), Some(hashes), _) => hashes.of(key, |_| true),
            (Policy::RoundRobin | Policy::Hash | Policy::Recorded, ..) => self.turns.take(draw.replica),
            (Policy::LeastConnections, _, _, Some(by_load)) => by_load.lightest(draw.word),
            (Policy::Random | Policy::LeastConnections | Policy::TwoChoices, ..) => {
                self.draw_among(&self.copies, draw.word)
            }
        }
    }

    /// Picks among the addresses of the rotation that `accepts` a connection, by the same policy: what a redispatch
    /// does after a refused connection. Time linear in the rotation.
    ///
    /// # Panics
    /// If there is no such replica.
    pub fn pick_again(
        &mut self,
        accepts: impl Fn(InstanceId) -> bool,
        draw: Draw<impl FnOnce() -> u64>,
    ) -> Option<InstanceId> {
        match (self.routing.policy, draw.key, &self.hashes) {
            (Policy::Hash, Some(key), Some(hashes)) => hashes.of(key, accepts),
            (Policy::RoundRobin | Policy::Hash | Policy::Recorded, ..) => {
                (0..self.turns.len()).filter_map(|_| self.turns.take(draw.replica)).find(|&id| accepts(id))
            }
            (Policy::Random | Policy::LeastConnections | Policy::TwoChoices, ..) => {
                let among: Vec<InstanceId> = self.copies.iter().copied().filter(|&id| accepts(id)).collect();
                self.draw_among(&among, draw.word)
            }
        }
    }

    /// Picks among ascending addresses, each there as often as it counts, by a policy that draws.
    fn draw_among(&self, among: &[InstanceId], word: impl FnOnce() -> u64) -> Option<InstanceId> {
        let loads = Loads { open: &self.open, weights: &self.routing.weights, ties: self.routing.ties };
        match self.routing.policy {
            Policy::LeastConnections => loads.lightest(among, word),
            _ if among.is_empty() => None,
            Policy::TwoChoices => Some(loads.lighter_of_two(among, word())),
            _ => Some(among[place(word(), among.len())]),
        }
    }

    /// Requests that are no call's have moved a counter. Constant time.
    ///
    /// # Panics
    /// If there is no such replica and somebody is in the rotation.
    pub fn pass(&mut self, replica: u32, requests: u64) {
        self.turns.pass(replica, requests);
    }

    /// Whether the address gets messages.
    pub fn in_rotation(&self, id: InstanceId) -> bool {
        self.rotation.binary_search(&id).is_ok()
    }

    /// Takes the address out of the rotation; whoever was next stays next.
    pub fn remove(&mut self, id: InstanceId) {
        let Ok(place) = self.rotation.binary_search(&id) else { return };
        self.rotation.remove(place);
        self.copies.retain(|&other| other != id);
        if let Some(by_load) = self.by_load.as_mut().filter(|by_load| by_load.holds(id)) {
            by_load.remove(id, self.open[id as usize]);
        }
        if let Some(hashes) = &mut self.hashes {
            hashes.remove(id);
        }
        self.turns.rotate(&self.rotation, &self.routing.weights);
    }

    /// Puts the address back into the rotation; whoever was next stays next.
    pub fn insert(&mut self, id: InstanceId) {
        let Err(place) = self.rotation.binary_search(&id) else { return };
        let (weights, weight) = (&self.routing.weights, self.routing.weights[id as usize]);
        self.rotation.insert(place, id);
        let place = self.copies.partition_point(|&other| other < id);
        self.copies.splice(place..place, copies_of(id, weights));
        if let Some(by_load) = self.by_load.as_mut().filter(|_| weight > 0) {
            by_load.insert(id, self.open[id as usize]);
        }
        if let Some(hashes) = &mut self.hashes {
            hashes.insert(id, weight);
        }
        self.turns.rotate(&self.rotation, weights);
    }

    /// Open requests of the address.
    pub fn open_at(&self, id: InstanceId) -> u32 {
        self.open[id as usize]
    }

    /// One more request is open at the address.
    pub fn opened(&mut self, id: InstanceId) {
        self.reload(id, 1);
    }

    /// One request fewer is open at the address.
    pub fn closed(&mut self, id: InstanceId) {
        self.reload(id, -1);
    }

    fn reload(&mut self, id: InstanceId, change: i32) {
        let load = &mut self.open[id as usize];
        let before = *load;
        *load = before.checked_add_signed(change).expect("more requests closed than opened at an address");
        let after = *load;
        // An address outside the rotation has no place in the buckets.
        if let Some(by_load) = self.by_load.as_mut().filter(|by_load| by_load.holds(id)) {
            by_load.remove(id, before);
            by_load.insert(id, after);
        }
    }
}

fn copies_of(id: InstanceId, weights: &[u32]) -> impl Iterator<Item = InstanceId> {
    std::iter::repeat_n(id, weights[id as usize] as usize)
}

#[cfg(test)]
mod tests;
