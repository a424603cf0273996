//! Round robin: counters over the places of a rotation. Must never lose its turn: whoever is next stays next when the
//! rotation changes.

use crate::world::InstanceId;

/// The rotation as round robin walks it: an address of weight w stands in it w times, spread over the round.
#[derive(Debug)]
pub(super) struct Turns {
    order: Vec<InstanceId>,
    /// Place that each counter comes to next.
    next: Vec<usize>,
}

impl Turns {
    pub(super) fn new(rotation: &[InstanceId], weights: &[u32], counters: u32) -> Turns {
        Turns { order: smooth(rotation, weights), next: vec![0; counters as usize] }
    }

    /// The address whose turn it is at this counter; `None` in an empty rotation.
    pub(super) fn take(&mut self, counter: u32) -> Option<InstanceId> {
        let next = &mut self.next[counter as usize];
        let id = *self.order.get(*next)?;
        *next = (*next + 1) % self.order.len();
        Some(id)
    }

    /// Lets this many turns of a counter pass. Constant time.
    pub(super) fn pass(&mut self, counter: u32, turns: u64) {
        if !self.order.is_empty() {
            let len = self.order.len() as u64;
            let next = &mut self.next[counter as usize];
            *next = ((*next as u64 + turns % len) % len) as usize;
        }
    }

    /// Turns in a round.
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// The rotation has changed. A counter goes on at the same turn of the address that was next, or of the first one
    /// after it that is still there, or with a new round.
    pub(super) fn rotate(&mut self, rotation: &[InstanceId], weights: &[u32]) {
        let after = smooth(rotation, weights);
        let before = std::mem::take(&mut self.order);
        for next in &mut self.next {
            let stays = (*next..before.len()).find(|&place| rotation.binary_search(&before[place]).is_ok());
            *next = stays.map_or(0, |place| {
                let id = before[place];
                let turn = before[..place].iter().filter(|&&other| other == id).count();
                let mut turns = (0..after.len()).filter(|&place| after[place] == id);
                turns.nth(turn).expect("an address keeps its weight")
            });
        }
        self.order = after;
    }
}

/// Addresses of one weight: within a round they take turns.
struct Class {
    weight: i64,
    members: Vec<InstanceId>,
    turns: usize,
}

impl Class {
    fn next(&self) -> InstanceId {
        self.members[self.turns % self.members.len()]
    }

    /// Credit of the member that is next: what it has gained, less what it has paid for its turns.
    fn credit(&self, gains: i64, price: i64) -> i64 {
        self.weight * gains - price * (self.turns / self.members.len()) as i64
    }
}

/// One round of smooth weighted round robin (nginx): each turn every address gains its weight, the first of those with
/// most has the turn and pays the sum of all weights. Time linear in that sum times the number of different weights.
fn smooth(rotation: &[InstanceId], weights: &[u32]) -> Vec<InstanceId> {
    let mut classes: Vec<Class> = Vec::new();
    for &id in rotation {
        let weight = i64::from(weights[id as usize]);
        match classes.binary_search_by_key(&weight, |class| class.weight) {
            Ok(place) => classes[place].members.push(id),
            Err(place) => classes.insert(place, Class { weight, members: vec![id], turns: 0 }),
        }
    }
    classes.retain(|class| class.weight > 0);
    if let [Class { weight: 1, members, .. }] = &mut classes[..] {
        return std::mem::take(members);
    }
    let sum = classes.iter().map(|class| class.weight * class.members.len() as i64).sum();
    let turn = |gains| {
        let first_of_most = |class: &&mut Class| (class.credit(gains, sum), std::cmp::Reverse(class.next()));
        let class =
            classes.iter_mut().max_by_key(first_of_most).expect("a round has a turn only where there are members");
        let id = class.next();
        class.turns += 1;
        id
    };
    (1..=sum).map(turn).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(turns: &mut Turns, n: usize) -> Vec<InstanceId> {
        (0..n).map(|_| turns.take(0).unwrap()).collect()
    }

    #[test]
    fn round_robin_strictly_alternates_and_keeps_its_turn_over_a_change_of_the_rotation() {
        let weights = [1; 4];
        let mut turns = Turns::new(&[0, 1, 2, 3], &weights, 1);
        assert_eq!(take(&mut turns, 6), [0, 1, 2, 3, 0, 1]);
        turns.rotate(&[0, 2, 3], &weights);
        assert_eq!(take(&mut turns, 4), [2, 3, 0, 2]);
        turns.rotate(&[0, 1, 2, 3], &weights);
        assert_eq!(take(&mut turns, 5), [3, 0, 1, 2, 3]);
    }

    #[test]
    fn a_counter_goes_on_at_the_next_address_when_the_one_that_was_next_leaves() {
        let weights = [1; 4];
        let mut turns = Turns::new(&[0, 1, 2, 3], &weights, 1);
        take(&mut turns, 3);
        turns.rotate(&[0, 1, 2], &weights);
        assert_eq!(take(&mut turns, 4), [0, 1, 2, 0]);
        turns.rotate(&[], &weights);
        assert_eq!(turns.take(0), None);
        turns.rotate(&[1], &weights);
        turns.rotate(&[0, 1], &weights);
        assert_eq!(take(&mut turns, 3), [1, 0, 1]);
    }

    #[test]
    fn a_heavy_address_keeps_its_turn_within_the_round_over_a_change_of_the_rotation() {
        let weights = [5, 1, 1];
        // a a b a c a a, and without c: a a a b a a.
        for taken in 0..7 {
            let [mut changes, mut stays] = [(); 2].map(|()| Turns::new(&[0, 1, 2], &weights, 1));
            assert_eq!(take(&mut changes, taken), take(&mut stays, taken));
            changes.rotate(&[0, 1], &weights);
            changes.rotate(&[0, 1, 2], &weights);
            if taken == 4 {
                assert_eq!(stays.take(0), Some(2), "the address that left lost its turn");
            }
            assert_eq!(take(&mut changes, 14), take(&mut stays, 14), "after {taken} turns");
        }
    }

    #[test]
    fn weights_of_five_one_and_one_are_spread_as_in_nginx() {
        let mut turns = Turns::new(&[0, 1, 2], &[5, 1, 1], 1);
        assert_eq!(take(&mut turns, 7), [0, 0, 1, 0, 2, 0, 0]);
    }

    #[test]
    fn the_order_of_a_round_is_that_of_nginx_turn_by_turn() {
        for code in 0..5u32 * 5 * 5 * 5 * 5 {
            let weights: [u32; 5] = std::array::from_fn(|place| code / 5u32.pow(place as u32) % 5);
            let sum: u32 = weights.iter().sum();
            let mut credit = [0i64; 5];
            let mut nginx = Vec::new();
            for _ in 0..sum {
                (0..5).for_each(|place| credit[place] += i64::from(weights[place]));
                let best = (0..5).rev().filter(|&place| weights[place] > 0).max_by_key(|&place| credit[place]).unwrap();
                credit[best] -= i64::from(sum);
                nginx.push(best as InstanceId);
            }
            assert_eq!(smooth(&[0, 1, 2, 3, 4], &weights), nginx, "{weights:?}");
        }
    }

    #[test]
    fn each_counter_has_turns_of_its_own_and_passing_them_is_taking_them() {
        let (mut passes, mut takes) = (Turns::new(&[0, 1, 2], &[2, 0, 1], 2), Turns::new(&[0, 1, 2], &[2, 0, 1], 2));
        const TURNS: u64 = 1_000_000_000_004;
        passes.pass(1, TURNS);
        for _ in 0..TURNS % 3 {
            takes.take(1);
        }
        // The round is a c a; one counter is at its first turn, the other at its third.
        for (counter, expected) in [(0, 0), (1, 0), (0, 2), (1, 0), (1, 2)] {
            assert_eq!([passes.take(counter), takes.take(counter)], [Some(expected); 2]);
        }
        // 2^64 - 1 is a multiple of 3.
        passes.pass(1, u64::MAX);
        assert_eq!([passes.take(1), takes.take(1)], [Some(0); 2]);
    }

    #[test]
    fn passing_turns_of_an_empty_rotation_does_nothing() {
        let mut turns = Turns::new(&[], &[1], 1);
        turns.pass(0, 3);
        assert_eq!(turns.take(0), None);
    }
}
