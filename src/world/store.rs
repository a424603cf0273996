//! The store that the processes of a fleet share: what it keeps, and what it says of a call. Must never know what it is
//! asked for.

use std::time::Duration;

use serde::Serialize;

/// The shared store, as a scenario has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Store {
    /// How long each look-up and each writing takes.
    pub latency: Duration,
    /// Whether what it keeps is gone after an outage.
    pub forgets: bool,
    /// Whether an ask goes out that could not be written down.
    pub outage_opens: bool,
    /// Who waits for it to come back.
    pub retries: StoreRetries,
    /// From the look-up of an owner to the arrival there of what is passed on.
    pub hop: Duration,
    /// How long it names a process as an owner after the last sign of life.
    pub owner_ttl: Duration,
    /// Time between two signs of life, the first when the process starts.
    pub heartbeat: Duration,
    /// How long who passes something on waits for an owner that says nothing.
    pub forward_timeout: Duration,
}

/// Who waits for a store that is down, instead of failing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StoreRetries {
    /// Nobody.
    None,
    /// Who looks something up that belongs to an answer.
    Answers,
    /// Who writes an ask down, too.
    Both,
}

/// What the store says of a call when an answer to it is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// It keeps what was written.
    Kept,
    /// It has nothing: an outage took it, or it was never written.
    Nothing,
    /// It does not answer.
    Down,
}

/// What the store, and a try to reach it, say of the process that keeps a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// It is there.
    Alive,
    /// The store names it, and it does not answer.
    Silent,
    /// The store names it no more.
    Forgotten,
}
