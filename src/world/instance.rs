//! One server process behind the balancer: its worker threads, its waiting line, its keys. Its `life` counts restarts,
//! so that nothing held by an earlier process is ever found in a later one.

use std::collections::VecDeque;
use std::time::Duration;

use serde::Serialize;

use super::KeyRing;
use crate::engine::{SimTime, Token};

/// Index of an instance in its fleet.
pub type InstanceId = u32;

/// What an instance replies to an answer that it does not wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Misroute {
    /// 202: accepted and dropped (E-32, E-33).
    Swallowed,
    /// 404: unknown session (E-07, E-31).
    NotFound,
}

/// Who knows the sessions of the clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sessions {
    /// The process that minted one; any other has never heard of it (404).
    Memory,
    /// Every process.
    Shared,
}

/// One server process behind the balancer.
#[derive(Debug)]
pub struct Instance {
    /// Index in the fleet.
    pub id: InstanceId,
    /// How often a process was started here before this one.
    pub life: u32,
    /// Deploys that had begun when it was started: the version of what it runs.
    pub version: u32,
    /// How far its clock is ahead of the slowest that the fleet may have.
    pub ahead: Duration,
    /// Whether the process runs.
    pub alive: bool,
    /// Worker threads in use, by running and by parked bodies.
    pub threads_held: u32,
    /// Calls that wait for a worker thread, first come first served, by place and number. Whoever left the line early
    /// is skipped when its turn comes.
    pub line: VecDeque<(u32, u32)>,
    /// Calls in the line that have not left it.
    pub in_line: u32,
    /// Answers to parked calls in the line that have not left it.
    pub answers_in_line: u32,
    /// The keys that this process has.
    pub keys: KeyRing,
    /// The scheduled removal of its address from the rotation, or the next check of it.
    pub detection: Token,
    /// Checks in a row that contradicted what the balancer takes its address for.
    pub checks: u32,
    /// The scheduled crash of this process.
    pub crash: Token,
    /// The scheduled start of a new one in its place, once it is dead.
    pub restart: Token,
}

impl Instance {
    /// A first process, with these keys.
    pub fn new(id: InstanceId, keys: KeyRing) -> Instance {
        Instance {
            id,
            life: 0,
            version: 0,
            ahead: Duration::ZERO,
            alive: true,
            threads_held: 0,
            line: VecDeque::new(),
            in_line: 0,
            answers_in_line: 0,
            keys,
            detection: Token::NONE,
            checks: 0,
            crash: Token::NONE,
            restart: Token::NONE,
        }
    }

    /// What its clock says. All clocks of a fleet are shifted by one constant, so that none is ever below zero.
    pub fn clock(&self, now: SimTime) -> SimTime {
        now.saturating_add(self.ahead)
    }

    /// The process dies: nothing that it held is left.
    pub fn die(&mut self) {
        self.alive = false;
        self.line.clear();
        self.crash = Token::NONE;
    }

    /// A new, empty process starts here, with these keys.
    pub fn restart(&mut self, keys: KeyRing) {
        assert!(!self.alive && self.threads_held == 0, "instance {} restarted while it ran or held calls", self.id);
        self.alive = true;
        // Whatever started it: no other start is due.
        self.restart = Token::NONE;
        self.life += 1;
        self.keys = keys;
    }
}
