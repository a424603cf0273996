//! What a process takes of the memory of its machine. Must never know who asks for it.

use std::time::Duration;

use serde::Serialize;

/// The memory of a process, and what happens when it is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Memory {
    /// What it may take; whoever takes more is killed. `None` = as much as it likes.
    pub limit: Option<u64>,
    /// What a process takes that holds nothing.
    pub base: u64,
    /// What each suspended body takes, with all that belongs to it.
    pub per_parked: u64,
    /// What each session takes.
    pub per_session: u64,
    /// From a kill to a new, empty process in the place.
    pub restart: Duration,
}

impl Memory {
    /// What a process takes that holds so much, bytes.
    pub fn used(&self, parked: u32, sessions: u32) -> u64 {
        let held = u64::from(parked) * self.per_parked + u64::from(sessions) * self.per_session;
        self.base.saturating_add(held)
    }

    /// Whether a process that holds so much is killed. Exactly the limit is still allowed.
    pub fn is_exceeded(&self, parked: u32, sessions: u32) -> bool {
        self.limit.is_some_and(|limit| self.used(parked, sessions) > limit)
    }
}

/// What becomes of a new session at a process that has as many as it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AtCap {
    /// It is turned away.
    Refuse,
    /// The oldest session ends with all that it holds, and its client is not told.
    Evict,
}
