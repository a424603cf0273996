//! One call under way, and the table of all of them. A call is in exactly one [`Stage`], and levels move only where a
//! call moves from stage to stage.

use std::ops::{Index, IndexMut};
use std::time::Duration;

use super::births::Birth;
use super::round::Round;
use crate::engine::{SimTime, Token};
use crate::era::Ticket;
use crate::tool::BodySlot;
use crate::world::{Action, Answers, Cause, InstanceId};

/// Where a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// At its client, before its first message or between two messages: nothing is held for it anywhere.
    AtClient,
    /// At its client, where the host asks the person itself before it sends the call.
    AtHost,
    /// At its client, where the model asks the person in the conversation.
    InConversation,
    /// In the waiting line of an instance.
    InLine,
    /// Its body runs on a thread of an instance.
    Working,
    /// It has a thread of an instance, and both wait for a connection of the pool.
    AtPool,
    /// Its body is suspended at an instance and keeps its thread.
    Parked,
    /// Its body is suspended at an instance under a handle: no request is open, and no thread is held.
    Kept,
    /// It has ended; its place in the table is free.
    Over,
}

/// What a stage holds: parked bodies, threads, places in line, open requests. Of a parked body's thread and of the
/// request of a connection that is gone nothing is known here.
#[derive(Clone, Copy)]
pub(super) struct Held {
    pub parked: i32,
    pub threads: i32,
    pub queue: i32,
    pub open: i32,
}

impl Stage {
    pub(super) fn held(self) -> Held {
        let (parked, threads, queue, open) = match self {
            Stage::AtClient | Stage::AtHost | Stage::InConversation | Stage::Over => (0, 0, 0, 0),
            Stage::InLine => (0, 0, 1, 1),
            Stage::Working | Stage::AtPool => (0, 1, 0, 1),
            Stage::Parked => (1, 1, 0, 1),
            Stage::Kept => (1, 0, 0, 0),
        };
        Held { parked, threads, queue, open }
    }
}

/// No instance.
pub(super) const NOWHERE: u16 = u16::MAX;

/// One call under way.
#[derive(Debug)]
pub(super) struct Call<F> {
    /// Ns from the start of the run; below 0 for a call that stands at the start.
    pub arrived_ns: i64,
    /// When a person was last asked; meaningful once `prompts` is not 0.
    pub asked: SimTime,
    pub parked_ns: u64,
    pub repeated_ns: u64,
    /// Think time of the first ask.
    pub think_ns: u64,
    pub work_before_ns: u64,
    pub work_after_ns: u64,
    /// What the client sends back with its answers; `None` before the first question.
    pub ticket: Option<Ticket>,
    pub slot: BodySlot<F>,
    pub number: u32,
    pub amount: u32,
    pub state_bytes: u32,
    /// Word for the balancer's pick of the second message.
    pub pick: u32,
    /// Neighbours in the list by age.
    pub older: u32,
    pub younger: u32,
    /// The event that moves the call on; any other of its kind was overtaken.
    pub next: Token,
    pub messages: u16,
    /// Messages that brought answers to the instance that had asked.
    pub brought_home: u16,
    /// Requests that a server sent to the client.
    pub asks: u16,
    pub prompts: u16,
    /// The instance where the call is, or was last.
    pub at: u16,
    /// The instance that the first message reached, and the one that the last did.
    pub first: u16,
    pub last: u16,
    pub answers: Answers,
    /// The round that the client is at.
    pub round: Round,
    /// Which kind of client sent it.
    pub client: u8,
    pub entries: u16,
    pub rounds: u8,
    /// Times that this run of the body has stopped to work or to have an effect, and the most that any run has.
    pub stops: u8,
    pub stops_seen: u8,
    /// Whether the connection of its open request is gone, though a server goes on with it.
    pub cut: bool,
    pub stage: Stage,
    /// What the person does at the first ask; `None` = never answers.
    pub action: Option<Action>,
    /// The first thing that went wrong.
    pub cause: Option<Cause>,
}

impl<F> Call<F> {
    /// A call at its client that nothing has happened to.
    pub(super) fn of(birth: &Birth) -> Call<F> {
        let ns = |duration: Duration| u64::try_from(duration.as_nanos()).expect("durations fit the simulated time");
        Call {
            arrived_ns: birth.at.ns() as i64,
            asked: birth.at,
            parked_ns: 0,
            repeated_ns: 0,
            think_ns: ns(birth.fate.think),
            work_before_ns: ns(birth.work_before),
            work_after_ns: ns(birth.work_after),
            ticket: None,
            slot: BodySlot::EMPTY,
            number: birth.number,
            amount: birth.amount,
            state_bytes: 0,
            pick: birth.picks[1],
            older: NO_PLACE,
            younger: NO_PLACE,
            next: Token::NONE,
            messages: 0,
            brought_home: 0,
            asks: 0,
            prompts: 0,
            at: NOWHERE,
            first: NOWHERE,
            last: NOWHERE,
            answers: Answers::NONE,
            round: Round::NONE,
            client: birth.client,
            entries: 0,
            rounds: 0,
            stops: 0,
            stops_seen: 0,
            cut: false,
            stage: Stage::AtClient,
            action: birth.fate.action,
            cause: None,
        }
    }

    /// Whether the call is at its client: nothing is held for it anywhere.
    pub(super) fn is_at_client(&self) -> bool {
        matches!(self.stage, Stage::AtClient | Stage::AtHost | Stage::InConversation)
    }

    /// Notes a misfortune; the first one stays.
    pub(super) fn blame(&mut self, cause: Cause) {
        self.cause.get_or_insert(cause);
    }

    pub(super) fn work_before(&self) -> Duration {
        Duration::from_nanos(self.work_before_ns)
    }

    pub(super) fn work_after(&self) -> Duration {
        Duration::from_nanos(self.work_after_ns)
    }
}

/// The instance behind a place of a call.
pub(super) fn instance(id: u16) -> Option<InstanceId> {
    (id != NOWHERE).then_some(InstanceId::from(id))
}

const CHUNK: usize = 1 << 12;

/// All calls under way, in chunks that never move, so that growth neither copies nor doubles memory. Places are reused,
/// the one freed last first.
#[derive(Debug)]
pub(super) struct Calls<F> {
    chunks: Vec<Vec<Call<F>>>,
    /// The place freed last. Each free place holds the one freed before it, where a call has its number.
    free: u32,
}

/// No place in the table.
pub(super) const NO_PLACE: u32 = u32::MAX;

impl<F> Calls<F> {
    pub(super) fn new() -> Calls<F> {
        Calls { chunks: Vec::new(), free: NO_PLACE }
    }

    /// Puts a call into a free place. Constant time.
    pub(super) fn insert(&mut self, call: Call<F>) -> u32 {
        if self.free != NO_PLACE {
            let id = self.free;
            self.free = self[id].number;
            self[id] = call;
            return id;
        }
        if self.chunks.last().is_none_or(|chunk| chunk.len() == CHUNK) {
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        let full = (self.chunks.len() - 1) * CHUNK;
        let chunk = self.chunks.last_mut().expect("just pushed");
        chunk.push(call);
        u32::try_from(full + chunk.len() - 1).expect("fewer than 2^32 calls at once")
    }

    /// Frees the place of a call that is over. Constant time.
    pub(super) fn free(&mut self, id: u32) {
        let before = std::mem::replace(&mut self.free, id);
        self[id].stage = Stage::Over;
        self[id].number = before;
    }

    /// Places of all calls under way, ascending. Time linear in the places ever used at once.
    pub(super) fn under_way(&self) -> impl Iterator<Item = (u32, &Call<F>)> {
        let all = self.chunks.iter().flatten().enumerate();
        all.map(|(id, call)| (id as u32, call)).filter(|(_, call)| call.stage != Stage::Over)
    }
}

impl<F> Index<u32> for Calls<F> {
    type Output = Call<F>;
    fn index(&self, id: u32) -> &Call<F> {
        &self.chunks[id as usize / CHUNK][id as usize % CHUNK]
    }
}

impl<F> IndexMut<u32> for Calls<F> {
    fn index_mut(&mut self, id: u32) -> &mut Call<F> {
        &mut self.chunks[id as usize / CHUNK][id as usize % CHUNK]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_line_stays_as_short_as_the_memory_goal_needs() {
        let bytes = std::mem::size_of::<Call<[u64; 4]>>();
        assert!(bytes <= 152, "a call under way takes {bytes} bytes");
    }
}
