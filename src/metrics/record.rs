//! What is known of one call when it has ended.

use serde::Serialize;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::{End, Incidents};
use crate::engine::SimTime;
use crate::world::{Action, Exposure, InstanceId};

/// One call, from its arrival to its end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Record {
    /// Its place in the order of arrivals, from 0: the same call under every design.
    pub call: u32,
    /// When the client sent it.
    pub arrived: SimTime,
    /// When the caller had its end.
    pub ended: SimTime,
    /// How it ended and why.
    pub end: End,
    /// When a person was last asked, if ever.
    pub asked: Option<SimTime>,
    /// Think time of the first ask, ns; `None` when the person never answers.
    pub think_ns: Option<u64>,
    /// What the person decided at the first ask; `None` when they never answer.
    pub action: Option<Action>,
    /// The amount claimed.
    pub amount: u32,
    /// The instance that served its first message; `None` when none did.
    pub first_instance: Option<InstanceId>,
    /// The instance that its last message reached; `None` when none did.
    pub last_instance: Option<InstanceId>,
    /// Which kind of client sent it: its place in the scenario's list.
    pub client: u8,
    /// Requests that a server sent to its client.
    pub asks: u32,
    /// Times that a question was shown to the person.
    pub prompts: u32,
    /// Answers that did not fit their form and that the host held back.
    pub invalid_at_client: u32,
    /// Answers that did not fit their form and that reached a server.
    pub invalid_at_server: u32,
    /// Messages that the balancer routed for it.
    pub messages: u32,
    /// Messages among them that brought answers, and those of these that reached the instance that had asked.
    pub answers: u32,
    /// See `answers`.
    pub answers_home: u32,
    /// Ledger entries it made.
    pub entries: u32,
    /// Entries among them that were made again because its body ran again from the top.
    pub entries_again: u32,
    /// Entries among them that were made though nobody had been asked.
    pub entries_unconfirmed: u32,
    /// Who saw a secret that its person typed.
    pub exposed: Exposure,
    /// What else happened to it.
    pub incidents: Incidents,
    /// Bytes of state that its client received and sent.
    pub state_bytes: u32,
    /// Time its body was parked, ns.
    pub parked_ns: u64,
    /// Thread time spent again because its body ran again from the top, ns.
    pub repeated_ns: u64,
}

impl Record {
    /// Folds this record into a running hash, so that two runs with the same hash ended the same calls in the same way,
    /// in the same order, at the same times. Ends are folded by name: a new outcome or cause moves no hash.
    pub fn fold(&self, hash: u64) -> u64 {
        let code = |id: Option<InstanceId>| id.map_or(u64::MAX, u64::from);
        let end = xxh3_64(self.end.outcome.name().as_bytes());
        let cause = self.end.cause.map_or(0, |cause| xxh3_64(cause.name().as_bytes()));
        let hash = fold(
            hash,
            [
                u64::from(self.call),
                self.arrived.ns(),
                self.ended.ns(),
                end,
                cause,
                self.asked.map_or(u64::MAX, SimTime::ns),
                self.think_ns.unwrap_or(u64::MAX),
                self.action.map_or(u64::MAX, |action| action as u64),
                code(self.first_instance) << 32 ^ code(self.last_instance),
                u64::from(self.amount) << 32 | u64::from(self.state_bytes),
                u64::from(self.prompts) << 32 | u64::from(self.messages),
                u64::from(self.entries),
                self.parked_ns,
                self.repeated_ns,
            ],
        );
        self.fold_of_asking(hash)
    }

    /// Folds what most calls have nothing of; a call with nothing of it moves no hash.
    fn fold_of_asking(&self, hash: u64) -> u64 {
        let words = [
            u64::from(self.client),
            u64::from(self.asks ^ self.prompts),
            u64::from(self.invalid_at_client) << 32 | u64::from(self.invalid_at_server),
            u64::from(self.entries_again) << 32 | u64::from(self.entries_unconfirmed),
            u64::from(self.exposed.bits()),
        ];
        let hash = if words == [0; 5] { hash } else { fold(hash, words) };
        // The first sixteen kinds at once, then four by four, so that a new kind moves no hash of calls that have none.
        let [a, b, c, d, rest @ ..] = self.incidents.words();
        let hash = fold_unless_nought(hash, [a, b, c, d]);
        rest.iter().fold(hash, |hash, &word| fold_unless_nought(hash, [word]))
    }
}

fn fold_unless_nought<const N: usize>(hash: u64, words: [u64; N]) -> u64 {
    if words == [0; N] { hash } else { fold(hash, words) }
}

fn fold<const N: usize>(hash: u64, words: [u64; N]) -> u64 {
    let bytes = words.map(u64::to_le_bytes);
    xxh3_64_with_seed(bytes.as_flattened(), hash)
}
