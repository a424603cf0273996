//! The future event list: the pending events as packed keys, smallest key first. A bucket queue, because a heap of a
//! million events is a chain of dependent cache misses. Must never let the order depend on its own layout: keys are
//! unique, so every correct queue gives the same order (the tests compare it with a heap).
//!
//! Time is cut into ticks of 1024 ns. Each of six wheels has 256 buckets; a bucket of wheel w is 256^w ticks wide, so
//! that together they reach to [`SimTime::MAX`]. A key is *near* up to the tick `reach` and *far* beyond it.
//! - Far keys lie unsorted in buckets: in the wheel of the highest byte in which their tick differs from `reach`, at
//!   their value of that byte. So the first occupied bucket of the finest occupied wheel holds the next keys.
//! - When nothing near is left, `reach` moves into that bucket. If it fits one chunk it becomes near as a whole, else
//!   it is spread over finer wheels. Near keys are sorted.
//! - While few keys are pending `reach` is the end of time: the list is one short sorted array.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::RangeInclusive;

use super::{Class, SimTime};

const TIME_BITS: u32 = 58;
const CLASS_BITS: u32 = 3;
const SEQUENCE_BITS: u32 = 35;
const PAYLOAD_BITS: u32 = 32;
const _: () = assert!(TIME_BITS + CLASS_BITS + SEQUENCE_BITS + PAYLOAD_BITS == u128::BITS);
const _: () = assert!(SimTime::MAX.ns() >> TIME_BITS == 0);

/// One pending event: 58 bits of time in ns, 3 of class, 35 of sequence, 32 of payload, so that the order of the
/// integers is the order of the events.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Key(u128);

impl Key {
    /// Panics if `sequence` does not fit its 35 bits: the order of a longer run would be wrong.
    pub(super) fn new(time: SimTime, class: Class, sequence: u64, payload: u32) -> Self {
        assert!(sequence >> SEQUENCE_BITS == 0, "more than 2^35 - 1 events were scheduled in one run");
        let place = (time.ns() << CLASS_BITS) | class as u64;
        Self(
            (u128::from(place) << (SEQUENCE_BITS + PAYLOAD_BITS))
                | (u128::from(sequence) << PAYLOAD_BITS)
                | u128::from(payload),
        )
    }

    pub(super) fn time(self) -> SimTime {
        SimTime::from_ns((self.0 >> (u128::BITS - TIME_BITS)) as u64)
    }

    pub(super) fn sequence(self) -> u64 {
        (self.0 >> PAYLOAD_BITS) as u64 & ((1 << SEQUENCE_BITS) - 1)
    }

    pub(super) fn payload(self) -> u32 {
        self.0 as u32
    }

    fn tick(self) -> u64 {
        (self.0 >> (u128::BITS - TICK_BITS)) as u64
    }
}

fn tick_of(time: SimTime) -> u64 {
    time.ns() >> (TIME_BITS - TICK_BITS)
}

/// One byte of the tick per wheel; the bits of time below a tick are left to the sort of near keys.
const WHEELS: usize = 6;
const WHEEL_BITS: u32 = 8;
const TICK_BITS: u32 = WHEELS as u32 * WHEEL_BITS;
const LAST_TICK: u64 = (1 << TICK_BITS) - 1;
const BUCKETS_PER_WHEEL: usize = 1 << WHEEL_BITS;
const BUCKETS: usize = WHEELS * BUCKETS_PER_WHEEL;

/// With its links a chunk is 512 bytes, eight cache lines.
const KEYS_PER_CHUNK: usize = 31;

/// Inserting into a sorted array beats buckets up to about so many keys (measured).
const FEW: usize = 24;

/// The pending events. In the costs below, n keys are pending and k lie in the same tick; they are amortised.
pub(super) struct Queue {
    /// The near keys in descending order, so that the next one is popped from the end.
    run: Vec<Key>,
    /// Keys pushed into the current tick while `run` was long, where insertion would cost the square of a burst.
    burst: BinaryHeap<Reverse<Key>>,
    /// The last tick that is near.
    reach: u64,
    far: Wheels,
}

impl Queue {
    pub(super) fn new() -> Self {
        Self { run: Vec::new(), burst: BinaryHeap::new(), reach: LAST_TICK, far: Wheels::new() }
    }

    /// O(1).
    pub(super) fn len(&self) -> usize {
        self.run.len() + self.burst.len() + self.far.len
    }

    /// O(1); into a burst, O(log k). The caller promises that no key before `now` is pushed, in this call or later.
    #[inline]
    pub(super) fn push(&mut self, key: Key, now: SimTime) {
        if key.tick() > self.reach {
            self.far.insert(key, self.reach);
        } else if self.run.len() < FEW {
            self.insert_near(key);
        } else {
            self.push_crowded(key, now);
        }
    }

    /// O(log k), and at most six moves of each key from wheel to wheel, whatever n is.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<Key> {
        if !self.burst.is_empty() {
            return self.pop_burst();
        }
        if self.run.is_empty() {
            self.refill();
        }
        self.run.pop()
    }

    /// O(`FEW`). A shift of neighbours from the end: for a few keys faster than a search and a block move.
    #[inline]
    fn insert_near(&mut self, key: Key) {
        self.run.push(key);
        let mut rest = self.run.as_mut_slice();
        while let [.., before, last] = rest {
            if *before > key {
                break;
            }
            std::mem::swap(before, last);
            let shorter = rest.len() - 1;
            rest = &mut rest[..shorter];
        }
    }

    /// Moves `reach` back to the current tick, so that only a burst in this very tick can crowd the near keys. Not
    /// further, as later keys may still come from there on. O(near keys), of which a refill or `FEW` pushes paid each.
    #[cold]
    #[inline(never)]
    fn push_crowded(&mut self, key: Key, now: SimTime) {
        let reach = tick_of(now);
        if reach == self.reach {
            return self.burst.push(Reverse(key));
        }
        self.reach = reach;
        let now_far = self.run.partition_point(|key| key.tick() > reach);
        for key in self.run.drain(..now_far) {
            self.far.insert(key, reach);
        }
        self.push(key, now);
    }

    /// O(log k).
    #[cold]
    #[inline(never)]
    fn pop_burst(&mut self) -> Option<Key> {
        match (self.run.last(), self.burst.peek()) {
            (Some(first), Some(Reverse(other))) if first < other => self.run.pop(),
            _ => self.burst.pop().map(|Reverse(key)| key),
        }
    }

    /// Makes the next keys near; leaves `run` empty only if nothing is pending.
    #[inline(never)]
    fn refill(&mut self) {
        if self.far.len <= FEW / 2 {
            self.reach = LAST_TICK;
            while let Some(bucket) = self.far.first_bucket() {
                while self.far.take_chunk(bucket, &mut self.run) {}
            }
        }
        while self.run.is_empty()
            && let Some(bucket) = self.far.first_bucket()
        {
            let ticks = Wheels::ticks(bucket, self.reach);
            if self.far.fits_one_chunk(bucket) {
                self.reach = *ticks.end();
                self.far.take_chunk(bucket, &mut self.run);
            } else {
                self.reach = *ticks.start();
                self.spread(bucket);
            }
        }
        self.run.sort_unstable_by(|a, b| b.cmp(a));
    }

    /// Moves the keys of `bucket` beyond `reach` to finer wheels; those of its first tick become near.
    fn spread(&mut self, bucket: usize) {
        let mut near = self.run.len();
        while self.far.take_chunk(bucket, &mut self.run) {
            let beyond = |key: &mut Key| key.tick() > self.reach;
            for key in self.run.extract_if(near.., beyond) {
                self.far.insert(key, self.reach);
            }
            near = self.run.len();
        }
    }
}

/// The far keys. A bucket is a list of chunks out of one pool, so that emptied buckets leave no memory behind and
/// nothing is allocated once the pool is large enough.
struct Wheels {
    /// First chunk of each bucket; only this one may have room left.
    heads: Vec<u32>,
    /// One bit per bucket: whether it holds keys.
    occupied: [u64; BUCKETS / 64],
    pool: Vec<Chunk>,
    /// First chunk of those not in use.
    free: u32,
    /// Number of keys.
    len: usize,
}

struct Chunk {
    keys: [Key; KEYS_PER_CHUNK],
    len: u32,
    next: u32,
}

/// The end of a list of chunks.
const NIL: u32 = u32::MAX;

impl Wheels {
    fn new() -> Self {
        Self { heads: vec![NIL; BUCKETS], occupied: [0; BUCKETS / 64], pool: Vec::new(), free: NIL, len: 0 }
    }

    /// O(1). `key` must lie beyond `reach`.
    #[inline]
    fn insert(&mut self, key: Key, reach: u64) {
        let tick = key.tick();
        let wheel = (tick ^ reach).ilog2() / WHEEL_BITS;
        let slot = (tick >> (wheel * WHEEL_BITS)) as usize % BUCKETS_PER_WHEEL;
        let bucket = wheel as usize * BUCKETS_PER_WHEEL + slot;
        let mut head = self.heads[bucket];
        if head == NIL || self.pool[head as usize].len as usize == KEYS_PER_CHUNK {
            head = self.new_chunk(head);
            self.heads[bucket] = head;
            self.occupied[bucket / 64] |= 1 << (bucket % 64);
        }
        let chunk = &mut self.pool[head as usize];
        chunk.keys[chunk.len as usize] = key;
        chunk.len += 1;
        self.len += 1;
    }

    /// O(1): the bucket of the next keys, as finer wheels come first.
    fn first_bucket(&self) -> Option<usize> {
        let word = self.occupied.iter().position(|&word| word != 0)?;
        Some(word * 64 + self.occupied[word].trailing_zeros() as usize)
    }

    /// O(1): the ticks that `bucket` stands for while `reach` is the last near one.
    fn ticks(bucket: usize, reach: u64) -> RangeInclusive<u64> {
        let shift = (bucket / BUCKETS_PER_WHEEL) as u32 * WHEEL_BITS;
        let slot = (bucket % BUCKETS_PER_WHEEL) as u64;
        let turn = reach >> shift >> WHEEL_BITS << WHEEL_BITS;
        let first = (turn | slot) << shift;
        first..=first | ((1 << shift) - 1)
    }

    /// O(1). `bucket` must hold keys.
    fn fits_one_chunk(&self, bucket: usize) -> bool {
        self.pool[self.heads[bucket] as usize].next == NIL
    }

    /// O(1): moves one chunk of keys out of `bucket` to the end of `keys`; false if there is none.
    #[inline]
    fn take_chunk(&mut self, bucket: usize, keys: &mut Vec<Key>) -> bool {
        let id = self.heads[bucket];
        if id == NIL {
            return false;
        }
        let chunk = &mut self.pool[id as usize];
        keys.extend_from_slice(&chunk.keys[..chunk.len as usize]);
        self.len -= chunk.len as usize;
        self.heads[bucket] = std::mem::replace(&mut chunk.next, self.free);
        self.free = id;
        if self.heads[bucket] == NIL {
            self.occupied[bucket / 64] &= !(1 << (bucket % 64));
        }
        true
    }

    /// O(1): an empty chunk in front of `next`. The pool grows by an eighth: memory, not copies, is what runs out.
    #[inline]
    fn new_chunk(&mut self, next: u32) -> u32 {
        let mut id = self.free;
        if id == NIL {
            id = self.pool.len() as u32;
            if self.pool.len() == self.pool.capacity() {
                self.pool.reserve_exact(self.pool.len() / 8 + 16);
            }
            self.pool.push(Chunk { keys: [Key(0); KEYS_PER_CHUNK], len: 0, next });
        } else {
            let chunk = &mut self.pool[id as usize];
            self.free = chunk.next;
            chunk.len = 0;
            chunk.next = next;
        }
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_gives_back_what_was_packed_even_at_its_limits() {
        let last = (1 << SEQUENCE_BITS) - 1;
        for (time, sequence, payload) in [(0, 1, 0), (5, 7, 9), (SimTime::MAX.ns(), last, u32::MAX)] {
            let key = Key::new(SimTime::from_ns(time), Class::Sample, sequence, payload);
            assert_eq!((key.time().ns(), key.sequence(), key.payload()), (time, sequence, payload));
        }
    }

    #[test]
    #[should_panic(expected = "more than 2^35 - 1 events")]
    fn a_sequence_that_does_not_fit_the_key_is_a_loud_error() {
        let _ = Key::new(SimTime::ZERO, Class::Message, 1 << SEQUENCE_BITS, 0);
    }

    #[test]
    fn a_burst_at_one_instant_does_not_lengthen_the_sorted_array() {
        let mut queue = Queue::new();
        for sequence in 1..=10_000 {
            queue.push(Key::new(SimTime::ZERO, Class::Message, sequence, 0), SimTime::ZERO);
        }
        assert_eq!((queue.run.len(), queue.len()), (FEW, 10_000));
    }

    #[test]
    fn after_a_peak_has_passed_the_list_is_one_short_array_again() {
        let mut queue = Queue::new();
        for sequence in 1..=1000 {
            let time = SimTime::from_ns(sequence * 1_000_000);
            queue.push(Key::new(time, Class::Message, sequence, 0), SimTime::ZERO);
        }
        assert!(queue.reach < LAST_TICK);
        while queue.len() > 2 {
            queue.pop();
        }
        assert_eq!((queue.reach, queue.run.len(), queue.far.len), (LAST_TICK, 2, 0));
    }

    #[test]
    fn a_million_pending_events_take_at_most_24_bytes_each_and_the_pool_stops_growing() {
        let (mut queue, mut state, million) = (Queue::new(), 1_u64, 1_000_000);
        let mut gap = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 30) * 4 // uniform up to 69 s
        };
        for sequence in 1..=million {
            queue.push(Key::new(SimTime::from_ns(gap()), Class::Message, sequence, 0), SimTime::ZERO);
        }
        let mut hold = |queue: &mut Queue| {
            for sequence in 1..=million {
                let now = queue.pop().unwrap().time();
                let time = SimTime::from_ns(now.ns() + gap());
                queue.push(Key::new(time, Class::Message, million + sequence, 0), now);
            }
            queue.far.pool.capacity()
        };
        hold(&mut queue);
        let warm = hold(&mut queue);
        assert_eq!(hold(&mut queue), warm);
        let near = (queue.run.capacity() + queue.burst.capacity()) * size_of::<Key>();
        let bytes = warm * size_of::<Chunk>() + near;
        assert!(bytes <= 24 * million as usize, "{} bytes per event", bytes / million as usize);
    }
}
