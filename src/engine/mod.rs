//! The engine of a run: the clock and the future event list, in the order (time, class, sequence). A run is
//! `while let Some((event, token)) = engine.next()` and one `match` over `event`; time moves there and only there.
//! Must never know a word of the model: it sees an event as a class and 32 bits.

#[cfg(test)]
mod heap;
mod queue;
mod time;

use std::marker::PhantomData;
use std::time::Duration;

use queue::{Key, Queue};
pub use time::{SimTime, duration_from_secs};

/// What kind of event this is, in the order in which events of one instant are handled: an answer that comes exactly
/// at its deadline, or at the instant at which its instance dies, is in time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[repr(u8)]
pub enum Class {
    /// A message is delivered.
    Message = 0,
    /// A span of work ends.
    Work = 1,
    /// A timeout or an expiry falls due.
    Deadline = 2,
    /// Something crashes or is killed.
    Death = 3,
    /// A membership, a key or another setting changes.
    Change = 4,
    /// A level is sampled.
    Sample = 5,
}

/// An event of the model, packed into the 32 bits that the event list carries.
pub trait Event: Copy {
    /// Its place among the events of one instant.
    fn class(self) -> Class;
    /// The whole event in 32 bits.
    fn pack(self) -> u32;
    /// The event that [`Event::pack`] made these bits of.
    fn unpack(bits: u32) -> Self;
}

/// The name of one scheduling, used once in a run.
///
/// A timer that may be overtaken is never removed from the list. Its owner holds the token of the timer that counts
/// (or [`Token::NONE`]) and ignores an event that [`Engine::next`] returns with any other.
/// Five bytes, as wide as the sequence in a key, because every call under way holds two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token([u8; 5]);

impl Token {
    /// The name of nothing: never handed out.
    pub const NONE: Self = Self([0; 5]);

    fn of(sequence: u64) -> Self {
        let [a, b, c, d, e, ..] = sequence.to_le_bytes();
        Self([a, b, c, d, e])
    }
}

/// The clock and the events that are still to come. Scheduling and `next` cost O(1) on average, however many are pending.
pub struct Engine<E: Event> {
    now: SimTime,
    scheduled: u64,
    queue: Queue,
    event: PhantomData<E>,
}

impl<E: Event> Engine<E> {
    /// An engine at [`SimTime::ZERO`] with nothing pending.
    #[must_use]
    pub fn new() -> Self {
        Self { now: SimTime::ZERO, scheduled: 0, queue: Queue::new(), event: PhantomData }
    }

    /// The instant of the event that was returned last.
    #[must_use]
    pub fn now(&self) -> SimTime {
        self.now
    }

    /// Schedules `event` at `time`. At the current instant it comes before all that is pending in a later class, even
    /// if its own class is lower than that of the event being handled.
    ///
    /// # Panics
    /// If `time` is in the past, or after 2^35 - 1 schedulings.
    pub fn at(&mut self, time: SimTime, event: E) -> Token {
        let now = self.now;
        assert!(time >= now, "an event was scheduled in the past: at {time}, while it is {now}");
        self.scheduled += 1;
        let key = Key::new(time, event.class(), self.scheduled, event.pack());
        self.queue.push(key, now);
        Token::of(self.scheduled)
    }

    /// Schedules `event` at `span` from now, at the latest at [`SimTime::MAX`].
    ///
    /// # Panics
    /// After 2^35 - 1 schedulings.
    pub fn after(&mut self, span: Duration, event: E) -> Token {
        self.at(self.now.saturating_add(span), event)
    }

    /// How many events are pending, overtaken timers included.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.queue.len()
    }

    /// How many events were ever scheduled.
    #[must_use]
    pub fn scheduled(&self) -> u64 {
        self.scheduled
    }
}

/// Moves the clock to the next event and hands it out. Ends when nothing is pending, and goes on when something is
/// scheduled after that.
impl<E: Event> Iterator for Engine<E> {
    type Item = (E, Token);

    fn next(&mut self) -> Option<(E, Token)> {
        let key = self.queue.pop()?;
        self.now = key.time();
        Some((E::unpack(key.payload()), Token::of(key.sequence())))
    }
}

impl<E: Event> Default for Engine<E> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    enum Letter {
        Arrives,
        Expires,
        Counted,
    }

    impl Event for Letter {
        fn class(self) -> Class {
            [Class::Message, Class::Deadline, Class::Sample][self as usize]
        }
        fn pack(self) -> u32 {
            self as u32
        }
        fn unpack(bits: u32) -> Self {
            [Self::Arrives, Self::Expires, Self::Counted][bits as usize]
        }
    }

    const T: SimTime = SimTime::MAX;

    #[test]
    fn events_of_one_instant_come_by_class_and_then_in_the_order_of_scheduling() {
        let mut engine = Engine::new();
        let counted = engine.at(T, Letter::Counted);
        let expires = engine.at(T, Letter::Expires);
        let first = engine.at(T, Letter::Arrives);
        let second = engine.at(T, Letter::Arrives);
        let order: Vec<_> = engine.by_ref().collect();
        assert_eq!(
            order,
            [
                (Letter::Arrives, first),
                (Letter::Arrives, second),
                (Letter::Expires, expires),
                (Letter::Counted, counted),
            ]
        );
        assert_eq!((engine.now(), engine.pending(), engine.scheduled()), (T, 0, 4));
    }

    #[test]
    fn an_event_scheduled_now_in_a_lower_class_comes_next() {
        let mut engine = Engine::new();
        engine.at(T, Letter::Expires);
        engine.at(T, Letter::Expires);
        engine.next();
        let now = engine.after(Duration::ZERO, Letter::Arrives);
        assert_eq!(engine.next(), Some((Letter::Arrives, now)));
        assert_eq!(engine.next().map(|(event, _)| event), Some(Letter::Expires));
    }

    #[test]
    fn an_overtaken_timer_is_known_by_its_token() {
        let mut engine = Engine::new();
        let overtaken = engine.after(Duration::from_secs(1), Letter::Expires);
        let counts = engine.after(Duration::from_secs(2), Letter::Expires);
        assert_eq!(engine.next(), Some((Letter::Expires, overtaken)));
        assert_eq!(engine.next(), Some((Letter::Expires, counts)));
        assert!(overtaken != counts && overtaken != Token::NONE && counts != Token::NONE);
    }

    #[test]
    fn the_clock_moves_only_with_the_events() {
        let mut engine = Engine::new();
        engine.after(Duration::from_secs(3), Letter::Arrives);
        assert_eq!(engine.now(), SimTime::ZERO);
        engine.next();
        assert_eq!(engine.now(), SimTime::from_ns(3_000_000_000));
        assert_eq!(engine.next(), None);
        assert_eq!(engine.now(), SimTime::from_ns(3_000_000_000));
    }

    #[test]
    fn a_span_beyond_the_largest_instant_ends_there() {
        let mut engine = Engine::new();
        engine.after(Duration::MAX, Letter::Counted);
        engine.next();
        assert_eq!(engine.now(), SimTime::MAX);
    }

    #[test]
    #[should_panic(expected = "scheduled in the past: at 1.5 s, while it is 2 s")]
    fn scheduling_in_the_past_is_our_own_bug() {
        let mut engine = Engine::new();
        engine.after(Duration::from_secs(2), Letter::Arrives);
        engine.next();
        engine.at(SimTime::from_ns(1_500_000_000), Letter::Arrives);
    }
}
