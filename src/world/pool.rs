//! The pool of connections to a database that each process has.

use std::time::Duration;

use serde::Serialize;

/// A pool, as a scenario has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Pool {
    /// Connections of each process, at least 1.
    pub size: u32,
    /// Whether a body that waits for its answer keeps its connection.
    pub held_during_ask: bool,
    /// How long a body waits for one; `None` = for ever.
    pub timeout: Option<Duration>,
}
