//! The plainest future event list, a binary heap over unpacked keys, as the judge of the fast one: on any workload both
//! must name the same events in the same order. Must never be used outside the tests.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Class, Engine, Event, SimTime, Token};

const CLASSES: [Class; 6] = [Class::Message, Class::Work, Class::Deadline, Class::Death, Class::Change, Class::Sample];

/// An event whose payload decides its class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Numbered(u32);

impl Event for Numbered {
    fn class(self) -> Class {
        CLASSES[self.0 as usize % CLASSES.len()]
    }
    fn pack(self) -> u32 {
        self.0
    }
    fn unpack(bits: u32) -> Self {
        Self(bits)
    }
}

/// The engine and the heap side by side, and a stream of pseudo-random numbers (SplitMix64) to drive them.
struct Pair {
    engine: Engine<Numbered>,
    heap: BinaryHeap<Reverse<(SimTime, Class, u64, u32)>>,
    state: u64,
}

impl Pair {
    fn new(seed: u64) -> Self {
        Self { engine: Engine::new(), heap: BinaryHeap::new(), state: seed }
    }

    fn random(&mut self, below: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % below
    }

    /// A gap of any order of magnitude from 1 ns to 2^`bits` ns.
    fn gap(&mut self, bits: u64) -> u64 {
        let magnitude = self.random(bits) + 1;
        self.random(1 << magnitude)
    }

    fn exponential(&mut self, mean_ns: f64) -> u64 {
        let u = (self.random(1 << 53) + 1) as f64 / (1_u64 << 53) as f64;
        (-libm::log(u) * mean_ns) as u64
    }

    fn at(&mut self, ns: u64) {
        let (time, event) = (SimTime::from_ns(ns), Numbered(self.random(1 << 32) as u32));
        self.engine.at(time, event);
        self.heap.push(Reverse((time, event.class(), self.engine.scheduled(), event.0)));
    }

    fn after(&mut self, gap: u64) {
        self.at(self.engine.now().ns() + gap);
    }

    /// Pops both, which must agree, and says whether there was an event.
    fn next(&mut self) -> bool {
        let before = self.engine.now();
        let popped = self.engine.next();
        let expected =
            self.heap.pop().map(|Reverse((time, class, sequence, event))| (time, class, Token::of(sequence), event));
        let now = self.engine.now();
        assert!(now >= before, "the clock went back");
        let seen = popped.map(|(event, token)| (now, event.class(), token, event.0));
        assert_eq!(seen, expected);
        assert_eq!(self.engine.pending(), self.heap.len());
        seen.is_some()
    }

    /// Runs until nothing is pending.
    fn drain(&mut self) {
        while self.next() {}
    }
}

#[test]
fn the_order_is_that_of_a_heap_when_the_number_pending_is_held() {
    for (seed, pending) in [1, 2, 11, 12, 13, 23, 24, 25, 31, 32, 100, 1000, 30_000].into_iter().enumerate() {
        for mean_ns in [100.0, 1e6, 3e10] {
            let mut pair = Pair::new(seed as u64);
            for _ in 0..pending {
                let gap = pair.exponential(mean_ns);
                pair.after(gap);
            }
            for _ in 0..3 * pending + 500 {
                pair.next();
                let gap = pair.exponential(mean_ns);
                pair.after(gap);
            }
            pair.drain();
        }
    }
}

#[test]
fn the_order_is_that_of_a_heap_when_calls_park_for_microseconds_to_days() {
    let mut pair = Pair::new(1);
    for call in 0..20_000 {
        pair.after(call);
    }
    for step in 0..100_000 {
        pair.next();
        let mean_ns = [3e3, 5e6, 3e10, 2e14][step % 4];
        let gap = pair.exponential(mean_ns);
        pair.after(gap);
    }
    pair.drain();
}

#[test]
fn the_order_is_that_of_a_heap_in_bursts_at_one_instant() {
    let mut pair = Pair::new(2);
    for burst in [3, 24, 25, 32, 5000] {
        let gap = pair.gap(40);
        for _ in 0..burst {
            pair.after(gap);
            pair.after(gap + 1_000_000);
        }
        for _ in 0..burst {
            pair.next();
            pair.after(0); // often of a lower class than the event being handled
        }
        pair.drain();
    }
}

#[test]
fn the_order_is_that_of_a_heap_when_one_tick_holds_thousands() {
    let mut pair = Pair::new(3);
    for _ in 0..4000 {
        let gap = pair.random(900);
        pair.after((1 << 30) + gap);
    }
    for _ in 0..4000 {
        pair.next();
        let gap = pair.random(300);
        pair.after(gap);
    }
    pair.drain();
}

#[test]
fn the_order_is_that_of_a_heap_up_to_the_largest_instant() {
    let mut pair = Pair::new(4);
    for _ in 0..3000 {
        let early = pair.gap(57);
        pair.at(SimTime::MAX.ns() - early);
        pair.at(u64::MAX);
    }
    for _ in 0..6000 {
        pair.next();
        let gap = pair.gap(58);
        pair.after(gap);
    }
    pair.drain();
    assert_eq!(pair.engine.now(), SimTime::MAX);
}

#[test]
fn the_order_is_that_of_a_heap_when_earlier_events_come_after_later_ones() {
    let mut pair = Pair::new(5);
    for early in 0..10_000 {
        pair.at(1_000_000_000_000 - early * 70_000_000);
    }
    pair.drain();
}

#[test]
fn the_order_is_that_of_a_heap_when_the_list_runs_empty_and_fills_again() {
    let mut pair = Pair::new(6);
    for _ in 0..400 {
        let pending = pair.random(80);
        for _ in 0..pending {
            let gap = pair.gap(36);
            pair.after(gap);
        }
        pair.drain();
    }
}

#[test]
fn the_order_is_that_of_a_heap_on_workloads_drawn_at_random() {
    for seed in 0..300 {
        let mut pair = Pair::new(1000 + seed);
        let (bits, share, phase) = (pair.random(46) + 2, pair.random(100), pair.random(400) + 1);
        for step in 0..4000 {
            let growing = step / phase % 2 == 0;
            if pair.random(100) < (if growing { 50 + share / 2 } else { share / 2 }) {
                let gap = if pair.random(8) == 0 { 0 } else { pair.gap(bits) };
                pair.after(gap);
            } else {
                pair.next();
            }
        }
        pair.drain();
    }
}
