//! Streams of random words that are addressed by what they are for: kind of entity, entity, purpose, try.
//!
//! (seed, replication) is the key of a ChaCha8 cipher, the kind of entity is its stream, the entity is a block of 64
//! bytes in that stream (its lane), and a purpose is a fixed word of the lane. So a word never depends on the order of
//! events. What must never happen here: two uses of one word, or an address that wraps around.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The words of one entity: 64 bytes, one ChaCha block.
pub type Lane = [u64; 8];

/// Kind of entity; the number is the ChaCha stream and must never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u64)]
pub enum Kind {
    /// A call and the person behind it, numbered by its place in its source's order.
    Call = 1,
    /// Draws of a call that do not fit its lane; read through [`Streams::more`].
    More = 2,
    /// A fault, numbered by its place in the scenario.
    Fault = 3,
    /// A page behind a link of a call, and its user.
    Link = 4,
    /// An attack on the state of a call.
    Attack = 5,
    /// A message of a call.
    Message = 6,
    /// The way that the messages of a call take.
    Way = 7,
    /// A try of a client to send a message again.
    Retry = 8,
    /// A process, from its start to its crash.
    Crash = 9,
    /// A request beside the calls.
    Background = 10,
    /// A comment on an open stream.
    Heartbeat = 11,
    /// The turns of a process in one rotation of the shared key.
    KeyTurn = 12,
    /// The clock of a process, from its start to its end.
    Clock = 13,
    /// The first start of a process.
    FirstStart = 14,
    /// An address, from when it came up to the notice that it is taken back.
    Reclaim = 15,
    /// Crashes of the shared store, by fault and number.
    Store = 16,
    /// A request that an instance serves, by call and message: how long it bears the line, how long it takes to read.
    Line = 17,
}

impl Kind {
    const ALL: [Kind; 17] = [
        Kind::Call,
        Kind::More,
        Kind::Fault,
        Kind::Link,
        Kind::Attack,
        Kind::Message,
        Kind::Way,
        Kind::Retry,
        Kind::Crash,
        Kind::Background,
        Kind::Heartbeat,
        Kind::KeyTurn,
        Kind::Clock,
        Kind::FirstStart,
        Kind::Reclaim,
        Kind::Store,
        Kind::Line,
    ];
}

/// What a draw of a call is for. The first eight are the fixed words of the call's lane; the numbers must never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Purpose {
    /// Time from the previous arrival of the same source.
    Gap = 0,
    /// The amount claimed.
    Amount = 1,
    /// How long the person thinks.
    Think = 2,
    /// What the person does, silence included.
    Decide = 3,
    /// Thread time before the question.
    WorkBefore = 4,
    /// Thread time after the question.
    WorkAfter = 5,
    /// The balancer's pick for the first message.
    Pick = 6,
    /// The balancer's pick for the second message.
    PickSecond = 7,
    /// The balancer's pick after a refused connection, by message. Has no word in the lane.
    Redispatch = 8,
    /// How long a call that is parked at the start has been so already. Has no word in the lane.
    Age = 9,
    /// Which kind of client sends the call. Has no word in the lane.
    Client = 10,
    /// How many answers the person gets wrong. Has no word in the lane.
    WrongTries = 11,
    /// What the model does when it is told to ask and to call again: whether it calls (0), whether it asks (1). Has no
    /// word in the lane.
    Model = 12,
    /// Thread time of a step, by its number. Has no word in the lane.
    StepWork = 13,
    /// How long the page behind a link takes, by page. Has no word in the lane.
    Page = 14,
    /// The balancer's pick for a state that is sent again, by try. Has no word in the lane.
    Replay = 15,
}

impl Purpose {
    /// Place of this purpose in the lane of a call.
    ///
    /// # Panics
    /// If the purpose has no place there.
    #[inline]
    #[must_use]
    pub const fn word(self) -> usize {
        assert!((self as usize) < WORDS, "this purpose has no word in the lane of a call");
        self as usize
    }
}

const WORDS: usize = 8;

// An address in the stream of `Kind::More`: call, purpose, index. The eight words of a block are consecutive indices,
// so that an Erlang variate or a run of tries reads few blocks.
const CALL_BITS: u32 = 40;
const PURPOSE_BITS: u32 = 4;
const INDEX_BITS: u32 = 23;
const INDEX_BITS_IN_BLOCK: u32 = 3;
const INDEX_BLOCK_BITS: u32 = INDEX_BITS - INDEX_BITS_IN_BLOCK;
const _: () = assert!(CALL_BITS + PURPOSE_BITS + INDEX_BLOCK_BITS == u64::BITS);
const _: () = assert!(1 << INDEX_BITS_IN_BLOCK == WORDS);
const _: () = assert!((Purpose::Replay as u64) < 1 << PURPOSE_BITS);

/// Words that one run of a tool body may take for one purpose: the second run of a call starts here.
const WORDS_PER_RUN: u32 = 1 << 10;
const _: () = assert!(super::distribution::MAX_WORDS <= WORDS_PER_RUN);

/// Written into the key beside seed and replication, so that no other use of ChaCha8 shares our words by accident.
const DOMAIN: [u8; 16] = *b"parked streams 1";

/// All random words of one replication.
#[derive(Clone, Debug)]
pub struct Streams {
    kinds: [Stream; Kind::ALL.len()],
}

impl Streams {
    /// The streams of one replication of a run with this seed.
    #[must_use]
    pub fn new(seed: u64, replication: u64) -> Streams {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&replication.to_le_bytes());
        key[16..].copy_from_slice(&DOMAIN);
        Streams { kinds: Kind::ALL.map(|kind| Stream::new(key, kind)) }
    }

    /// The lane of one entity. Entities taken in order are read in sequence; any other order seeks and gives the same.
    #[inline]
    pub fn lane(&mut self, kind: Kind, entity: u64) -> Lane {
        self.kinds[kind as usize - 1].lane(entity)
    }

    /// A word of a call that has no place in its lane, for example that of a later try.
    ///
    /// # Panics
    /// If `call` is 2^40 or more, or `index` 2^23 or more: their words would be those of somebody else.
    #[inline]
    pub fn more(&mut self, call: u64, purpose: Purpose, index: u32) -> u64 {
        let (block, word) = address(call, purpose, index);
        self.lane(Kind::More, block)[word]
    }

    /// The words of one variate that is all that is ever drawn for an entity of this kind.
    ///
    /// # Panics
    /// The returned function panics when it is asked for more than 1024 words.
    pub fn words_of<'s>(&'s mut self, kind: Kind, entity: u64) -> impl FnMut() -> u64 + use<'s> {
        let mut taken = 0;
        move || {
            assert!(taken < WORDS_PER_RUN, "a variate of entity {entity} of {kind:?} takes too many words");
            let (block, word) = (taken >> INDEX_BITS_IN_BLOCK, taken % (1 << INDEX_BITS_IN_BLOCK));
            taken += 1;
            // Blocks beyond the first lie at the far end, one run of blocks for each entity that needs them.
            let lane = if block == 0 { entity } else { !(entity << 7 | u64::from(block)) };
            self.lane(kind, lane)[word as usize]
        }
    }

    /// The words of one variate: the first of run 0 is the lane's, all others come from [`Streams::more`].
    ///
    /// `run` counts how often the call has drawn for this purpose before, for example because its body runs again.
    ///
    /// # Panics
    /// If `run` is 0 and the purpose has no place in the lane. The returned function panics when it is asked for more
    /// than 1024 words, and as [`Streams::more`] with an index of `run` * 1024.
    #[inline]
    pub fn words<'s>(
        &'s mut self,
        lane: &Lane,
        call: u64,
        purpose: Purpose,
        run: u32,
    ) -> impl FnMut() -> u64 + use<'s> {
        let first = (run == 0).then(|| lane[purpose.word()]);
        let mut taken = 0;
        move || {
            let index = taken;
            assert!(index < WORDS_PER_RUN, "a variate of call {call} for {purpose:?} takes too many words");
            taken += 1;
            match first {
                Some(word) if index == 0 => word,
                _ => self.more(call, purpose, start_of(run) + index),
            }
        }
    }
}

/// The uniform number of a word: an odd multiple of 2^-53, strictly inside (0, 1), not decreasing in the word.
///
/// The lowest of 53 bits is set instead of adding a half, because 2^53 - 1 and a half rounds to 2^53, and the result
/// would be 1. Both `u` and `1 - u` are exact.
#[inline]
#[must_use]
pub fn unit(word: u64) -> f64 {
    const STEP: f64 = 1.0 / (1_u64 << 53) as f64;
    ((word >> 11) | 1) as f64 * STEP
}

/// The place that a random word picks out of `len`, uniform but for `len` parts in 2^32. Looks at the upper half of the word.
#[inline]
#[must_use]
pub fn place(word: u64, len: usize) -> usize {
    (((word >> 32) * len as u64) >> 32) as usize
}

#[inline]
fn start_of(run: u32) -> u32 {
    run.checked_mul(WORDS_PER_RUN).unwrap_or_else(|| panic!("run {run} of a call has no words"))
}

#[inline]
fn address(call: u64, purpose: Purpose, index: u32) -> (u64, usize) {
    assert!(call < 1 << CALL_BITS, "call {call} has no words beyond its lane: only the first 2^{CALL_BITS} calls do");
    assert!(index < 1 << INDEX_BITS, "call {call} has no word {index} for {purpose:?}: there are 2^{INDEX_BITS}");
    let purposes = (call << PURPOSE_BITS) | purpose as u64;
    let block = (purposes << INDEX_BLOCK_BITS) | u64::from(index >> INDEX_BITS_IN_BLOCK);
    (block, (index % (1 << INDEX_BITS_IN_BLOCK)) as usize)
}

/// Lanes that the cipher makes in one step.
const WINDOW: u64 = 4;
/// Neither this nor the lane after it is a multiple of `WINDOW`, so the first lane of all is sought.
const NOTHING_READ: u64 = u64::MAX;

/// The words of one kind of entity, with the window of lanes that was read last.
#[derive(Clone, Debug)]
struct Stream {
    cipher: ChaCha8Rng,
    /// Entity of the first lane in the window, a multiple of `WINDOW`.
    start: u64,
    window: [Lane; WINDOW as usize],
}

impl Stream {
    fn new(key: [u8; 32], kind: Kind) -> Stream {
        let mut cipher = ChaCha8Rng::from_seed(key);
        cipher.set_stream(kind as u64);
        Stream { cipher, start: NOTHING_READ, window: [[0; WORDS]; WINDOW as usize] }
    }

    #[inline]
    fn lane(&mut self, entity: u64) -> Lane {
        let start = entity - entity % WINDOW;
        if start != self.start {
            self.refill(start);
        }
        self.window[(entity % WINDOW) as usize]
    }

    #[inline(never)]
    fn refill(&mut self, start: u64) {
        const U32_PER_LANE: u128 = 16;
        if start != self.start.wrapping_add(WINDOW) {
            self.cipher.set_word_pos(u128::from(start) * U32_PER_LANE);
        }
        self.start = start;
        for word in self.window.as_flattened_mut() {
            *word = self.cipher.next_u64();
        }
    }
}

#[cfg(test)]
mod tests;
