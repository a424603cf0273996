//! The words of a balancer's configuration: how it picks, what it binds, how it notices a death. Plain data.

use std::time::Duration;

use serde::Serialize;

/// How an address is picked for a message that nothing binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// One counter over every message that round robin routes, calls and answers alike.
    RoundRobin,
    /// Uniform, keyed by call and message.
    Random,
    /// Fewest open requests for its weight.
    LeastConnections,
    /// The one with fewer open requests for its weight of two different ones that are drawn.
    TwoChoices,
    /// By a hash of what the message brings; a message that brings no key is routed by round robin.
    Hash,
    /// Where the recorded call went; by round robin where nothing is recorded.
    Recorded,
}

/// Which of several addresses with equally few open requests for their weight is picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ties {
    /// Any of them, by weight; of two choices, the first drawn.
    Random,
    /// The first in the order of the fleet.
    First,
}

/// What a hashing balancer looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum HashBy {
    /// The address that the message comes from.
    Source,
    /// The id of the session, which the first message does not have yet.
    Session,
    /// The user.
    User,
}

/// From a hash to an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheme {
    /// The hash modulo the size of the rotation, counted by weight.
    Modulo,
    /// The next point on a ring of points of every address (consistent hashing).
    Ring,
    /// The address whose hash together with the key is highest (rendezvous hashing).
    Rendezvous,
}

/// What is hashed, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Hashing {
    /// What is hashed.
    pub by: HashBy,
    /// From a hash to an address.
    pub scheme: Scheme,
    /// Points of each address on the ring, at least 1.
    pub points: u32,
}

/// What binds the messages of a call to the address that its last one reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stickiness {
    /// Nothing.
    None,
    /// A cookie that the client keeps.
    Cookie,
    /// A line in a table of the balancer.
    Learned {
        /// Life of the line; `None` = for ever.
        ttl: Option<Duration>,
        /// Whether each message begins that life anew.
        refresh: bool,
    },
}

/// How the balancer notices that an address died, or is up again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Detection {
    /// This long after a death; a new process is in the rotation at once.
    Lag(Duration),
    /// By checks of every address at `phase`, `phase + interval`, ..
    Checks {
        /// Time between two checks of one address, above zero.
        interval: Duration,
        /// Failed checks in a row that take an address out, at least 1.
        fall: u32,
        /// Passed checks in a row that put it back, at least 1.
        rise: u32,
        /// Instant of the first check, below `interval`.
        phase: Duration,
    },
}
