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
    /// When it was started.
    pub started: SimTime,
    /// Until when a store named each process that died here as an owner, by life.
    pub named_until: Vec<SimTime>,
    /// Whether it hears nothing of what other processes pass on to it.
    pub deaf: bool,
    /// Worker threads in use, by running and by parked bodies.
    pub threads_held: u32,
    /// Suspended bodies that are kept here.
    pub parked: u32,
    /// Those of them whose request is open no more.
    pub kept: u32,
    /// Requests that are open here.
    pub open: u32,
    /// Sessions that live here.
    pub sessions: u32,
    /// Connections of its pool that are taken, calls that wait for one, and those of them that have not given up.
    pub connections: u32,
    /// See `connections`.
    pub pool_line: VecDeque<(u32, u32)>,
    /// See `connections`.
    pub in_pool_line: u32,
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
            started: SimTime::ZERO,
            named_until: Vec::new(),
            deaf: false,
            threads_held: 0,
            parked: 0,
            kept: 0,
            open: 0,
            sessions: 0,
            connections: 0,
            pool_line: VecDeque::new(),
            in_pool_line: 0,
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
        self.pool_line.clear();
        self.crash = Token::NONE;
    }

    /// A new, empty process starts here, with these keys.
    pub fn restart(&mut self, keys: KeyRing) {
        assert!(!self.alive && self.threads_held == 0, "instance {} restarted while it ran or held calls", self.id);
        (self.alive, self.deaf) = (true, false);
        // Whatever started it: no other start is due.
        self.restart = Token::NONE;
        self.life += 1;
        self.keys = keys;
    }
}
