//! The balancer: which instance a message reaches. It sees who is in the rotation and how many requests each holds open;
//! it never sees a design. Detecting a death and trying again after a refused connection are told to it from outside.

use serde::Serialize;

use super::InstanceId;

/// How an instance is picked for a message that nothing binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// One counter over every message that round robin routes, calls and answers alike.
    RoundRobin,
    /// Uniform, keyed by call and message.
    Random,
    /// Fewest open requests; ties uniformly at random, keyed by call and message.
    LeastConnections,
}

/// The place that a random word picks out of `len`, uniform but for 1 part in 2^32.
pub(super) fn place(word: u64, len: usize) -> usize {
    (((word >> 32) * len as u64) >> 32) as usize
}

/// A balancer in front of a fleet.
#[derive(Debug)]
pub struct Balancer {
    policy: Policy,
    /// Instances that get messages, ascending.
    rotation: Vec<InstanceId>,
    /// Place in the rotation that round robin comes to next.
    turn: usize,
    /// Open requests of every instance, in the rotation or not.
    open: Vec<u32>,
    by_load: Option<ByLoad>,
}

impl Balancer {
    /// A balancer over instances `0..instances`, all in the rotation.
    pub fn new(policy: Policy, instances: u32) -> Balancer {
        let by_load = (policy == Policy::LeastConnections).then(|| ByLoad::new(instances));
        let open = vec![0; instances as usize];
        Balancer { policy, rotation: (0..instances).collect(), turn: 0, open, by_load }
    }

    /// Picks an instance of the rotation; `None` when it is empty. `word` is called when the policy draws.
    pub fn pick(&mut self, word: impl FnOnce() -> u64) -> Option<InstanceId> {
        if self.rotation.is_empty() {
            return None;
        }
        Some(match self.policy {
            Policy::RoundRobin => self.next_in_turn(),
            Policy::Random => self.rotation[place(word(), self.rotation.len())],
            Policy::LeastConnections => self.by_load.as_ref().expect("kept for this policy").lightest(word),
        })
    }

    /// Picks among the instances of the rotation that `accepts` a connection, by the same policy: what a redispatch
    /// does after a refused connection. Time linear in the rotation.
    pub fn pick_again(
        &mut self,
        accepts: impl Fn(InstanceId) -> bool,
        word: impl FnOnce() -> u64,
    ) -> Option<InstanceId> {
        match self.policy {
            Policy::RoundRobin => (0..self.rotation.len()).map(|_| self.next_in_turn()).find(|&id| accepts(id)),
            Policy::Random => {
                let among: Vec<InstanceId> = self.rotation.iter().copied().filter(|&id| accepts(id)).collect();
                (!among.is_empty()).then(|| among[place(word(), among.len())])
            }
            Policy::LeastConnections => {
                let load = |id: InstanceId| self.open[id as usize];
                let among = || self.rotation.iter().copied().filter(|&id| accepts(id));
                let least = among().map(load).min()?;
                let ties: Vec<InstanceId> = among().filter(|&id| load(id) == least).collect();
                Some(ties[place(word(), ties.len())])
            }
        }
    }

    fn next_in_turn(&mut self) -> InstanceId {
        let id = self.rotation[self.turn];
        self.turn = (self.turn + 1) % self.rotation.len();
        id
    }

    /// Whether the instance gets messages.
    pub fn in_rotation(&self, id: InstanceId) -> bool {
        self.rotation.binary_search(&id).is_ok()
    }

    /// Takes the instance out of the rotation; whoever was next stays next.
    pub fn remove(&mut self, id: InstanceId) {
        let Ok(place) = self.rotation.binary_search(&id) else { return };
        self.rotation.remove(place);
        if place < self.turn {
            self.turn -= 1;
        }
        self.turn = if self.rotation.is_empty() { 0 } else { self.turn % self.rotation.len() };
        if let Some(by_load) = &mut self.by_load {
            by_load.remove(id, self.open[id as usize]);
        }
    }

    /// Puts the instance back into the rotation; whoever was next stays next.
    pub fn insert(&mut self, id: InstanceId) {
        let Err(place) = self.rotation.binary_search(&id) else { return };
        let was_empty = self.rotation.is_empty();
        self.rotation.insert(place, id);
        if place <= self.turn && !was_empty {
            self.turn += 1;
        }
        self.turn %= self.rotation.len();
        if let Some(by_load) = &mut self.by_load {
            by_load.insert(id, self.open[id as usize]);
        }
    }

    /// One more request is open at the instance.
    pub fn opened(&mut self, id: InstanceId) {
        self.reload(id, 1);
    }

    /// One request fewer is open at the instance.
    pub fn closed(&mut self, id: InstanceId) {
        self.reload(id, -1);
    }

    fn reload(&mut self, id: InstanceId, change: i32) {
        let load = &mut self.open[id as usize];
        let before = *load;
        *load = before.checked_add_signed(change).expect("more requests closed than opened at an instance");
        let after = *load;
        // An instance outside the rotation has no place in the buckets.
        if let Some(by_load) = self.by_load.as_mut().filter(|by_load| by_load.holds(id)) {
            by_load.remove(id, before);
            by_load.insert(id, after);
        }
    }
}

/// Instances of the rotation in buckets by their number of open requests: a pick and a change take constant time
/// (the lightest bucket moves by one step at a time).
#[derive(Debug)]
struct ByLoad {
    buckets: Vec<Vec<InstanceId>>,
    /// Place of every instance within its bucket; [`ABSENT`] = not in the rotation.
    place: Vec<u32>,
    lightest: usize,
}

const ABSENT: u32 = u32::MAX;

impl ByLoad {
    fn new(instances: u32) -> ByLoad {
        ByLoad { buckets: vec![(0..instances).collect()], place: (0..instances).collect(), lightest: 0 }
    }

    fn lightest(&self, word: impl FnOnce() -> u64) -> InstanceId {
        let ties = &self.buckets[self.lightest];
        if ties.len() == 1 { ties[0] } else { ties[place(word(), ties.len())] }
    }

    fn holds(&self, id: InstanceId) -> bool {
        self.place[id as usize] != ABSENT
    }

    fn remove(&mut self, id: InstanceId, load: u32) {
        let bucket = &mut self.buckets[load as usize];
        let place = std::mem::replace(&mut self.place[id as usize], ABSENT);
        bucket.swap_remove(place as usize);
        if let Some(&moved) = bucket.get(place as usize) {
            self.place[moved as usize] = place;
        }
        self.settle(load as usize);
    }

    fn insert(&mut self, id: InstanceId, load: u32) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn picks(balancer: &mut Balancer, n: usize) -> Vec<InstanceId> {
        (0..n).map(|_| balancer.pick(|| unreachable!("round robin draws nothing")).unwrap()).collect()
    }

    #[test]
    fn round_robin_strictly_alternates_and_keeps_its_turn_over_a_change_of_the_rotation() {
        let mut balancer = Balancer::new(Policy::RoundRobin, 4);
        assert_eq!(picks(&mut balancer, 6), [0, 1, 2, 3, 0, 1]);
        balancer.remove(1);
        assert_eq!(picks(&mut balancer, 4), [2, 3, 0, 2]);
        balancer.insert(1);
        assert_eq!(picks(&mut balancer, 5), [3, 0, 1, 2, 3]);
    }

    #[test]
    fn an_empty_rotation_picks_nobody_and_recovers() {
        let mut balancer = Balancer::new(Policy::RoundRobin, 2);
        balancer.remove(0);
        balancer.remove(1);
        assert_eq!(balancer.pick(|| 0), None);
        balancer.insert(1);
        assert_eq!(picks(&mut balancer, 2), [1, 1]);
        balancer.insert(0);
        assert_eq!(picks(&mut balancer, 3), [1, 0, 1]);
    }

    #[test]
    fn a_redispatch_never_reaches_an_instance_that_refuses() {
        for policy in [Policy::RoundRobin, Policy::Random, Policy::LeastConnections] {
            let mut balancer = Balancer::new(policy, 3);
            balancer.opened(0);
            for word in [0, 1 << 62, u64::MAX] {
                let id = balancer.pick_again(|id| id != 1, || word).unwrap();
                assert_ne!(id, 1, "{policy:?}");
            }
            assert_eq!(balancer.pick_again(|_| false, || 0), None);
        }
    }

    #[test]
    fn least_connections_picks_what_a_scan_of_all_instances_would_pick() {
        let mut balancer = Balancer::new(Policy::LeastConnections, 7);
        let mut word = 1u64;
        for step in 0..5000u32 {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let id = (word >> 40) as u32 % 7;
            match step % 9 {
                0 if balancer.rotation.len() > 1 => balancer.remove(id),
                1 | 2 => balancer.insert(id),
                _ if balancer.open[id as usize] > 0 && word >> 63 == 0 => balancer.closed(id),
                _ => balancer.opened(id),
            }
            let least = balancer.rotation.iter().map(|&id| balancer.open[id as usize]).min().unwrap();
            let picked = balancer.pick(|| word).unwrap();
            assert!(balancer.in_rotation(picked) && balancer.open[picked as usize] == least, "step {step}");
        }
    }

    #[test]
    fn ties_of_least_connections_are_broken_uniformly() {
        let mut balancer = Balancer::new(Policy::LeastConnections, 3);
        balancer.opened(1);
        let n = 1 << 12;
        let zeros = (0..n).filter(|i| balancer.pick(|| i << 52) == Some(0)).count();
        assert_eq!(zeros, n as usize / 2);
    }
}
