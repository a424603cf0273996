//! The difference between the designs and nothing else: what happens when a body has stopped to ask, and what happens
//! when answers come back. One small file per design; no other floor may name one.

mod carrying;
mod fan_out;
mod forwarding;
mod handle;
mod migrating;
mod shim;
mod storing;
mod waiting;

pub use carrying::{Binds, Carrying};
pub use fan_out::FanOut;
pub use forwarding::Forwarding;
pub use handle::Handle;
pub use migrating::Migrating;
pub use shim::Shim;
pub use storing::Storing;
pub use waiting::Waiting;

use std::time::Duration;

use serde::Serialize;

use crate::engine::SimTime;
use crate::tool::{Arguments, Definition, Slot};
use crate::world::{Answers, Cause, Instance, InstanceId, KeyId, Presented, RequestState, Revision};

/// How a server bridges the time in which a person thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Design {
    /// The call stays open and its body stays suspended in one instance (2025-11-25 and before).
    Waiting,
    /// The server answers `input_required` with a signed state and forgets the call (2026-07-28).
    Carrying,
    /// A fleet on its way from the first to the second, deploy by deploy.
    Migrating,
    /// As waiting, and a shared store names the process to which a stray answer is passed on.
    Forwarding,
    /// As waiting, and a stray answer is published to all processes.
    FanOut,
    /// The server writes the call down in a shared store and forgets it; the client carries a handle.
    Storing,
    /// The server answers `input_required` and keeps the body in memory; the client carries a handle.
    Handle,
    /// The server carries for modern clients, and pushes and waits for those of the earlier era.
    Shim,
}

impl Design {
    /// Every design, in the order of tables.
    pub const ALL: [Design; 8] = [
        Design::Waiting,
        Design::Carrying,
        Design::Migrating,
        Design::Forwarding,
        Design::FanOut,
        Design::Storing,
        Design::Handle,
        Design::Shim,
    ];

    /// The two designs that the others are made of.
    pub const PURE: [Design; 2] = [Design::Waiting, Design::Carrying];

    /// Whether a client has a session, to which a server can send something at any time.
    pub fn has_sessions(self) -> bool {
        !matches!(self, Design::Carrying | Design::Storing | Design::Handle)
    }

    /// Whether it uses the store that the processes share.
    pub fn uses_store(self) -> bool {
        matches!(self, Design::Forwarding | Design::FanOut | Design::Storing)
    }

    /// Whether a call that asks is written down in that store.
    pub fn writes_down(self) -> bool {
        matches!(self, Design::Forwarding | Design::Storing)
    }

    /// Whether a stray answer is passed on to the process that waits for it.
    pub fn passes_on(self) -> bool {
        matches!(self, Design::Forwarding | Design::FanOut)
    }

    /// Whether a client decides by itself what it speaks with a server.
    pub fn serves_both_eras(self) -> bool {
        self == Design::Shim
    }

    /// Whether a client may carry a state for its server.
    pub fn carries_states(self) -> bool {
        matches!(self, Design::Carrying | Design::Migrating | Design::Shim)
    }

    /// Whether its fleet needs a deploy to be anything else than that of another design.
    pub fn needs_deploy(self) -> bool {
        self == Design::Migrating
    }

    /// Name in scenarios, tables and files.
    pub fn name(self) -> &'static str {
        match self {
            Design::Waiting => "waiting",
            Design::Carrying => "carrying",
            Design::Migrating => "migrating",
            Design::Forwarding => "forwarding",
            Design::FanOut => "fan-out",
            Design::Storing => "storing",
            Design::Handle => "handle",
            Design::Shim => "shim",
        }
    }
}

/// Whose call it is, what it asks for and what was answered so far.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// Number of the call; each call has a client, and so a principal, of its own.
    pub call: u32,
    /// The tool called.
    pub tool: &'a Definition,
    /// Its arguments.
    pub arguments: Arguments,
    /// Every answer that a body of this call was given.
    pub answers: &'a Answers,
    /// How many effects that were made are recorded for a body that runs again.
    pub effects: u16,
    /// Whether the suspended body is still in its slot.
    pub is_kept: bool,
}

/// What the client sends back with its answers. The client never looks inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ticket {
    /// A session: the suspended body is here, in this life of this instance, and its request is open.
    Held {
        /// The instance.
        at: InstanceId,
        /// Its life.
        life: u32,
    },
    /// A session as well, whose body will run again from the top all the same.
    Pushed {
        /// The instance.
        at: InstanceId,
        /// Its life.
        life: u32,
    },
    /// A handle: the suspended body is here, and no request is open.
    Handle {
        /// The instance.
        at: InstanceId,
        /// Its life.
        life: u32,
    },
    /// A handle: what the call has so far is written down in the shared store.
    Stored,
    /// A `requestState`: nothing is held anywhere.
    Sealed {
        /// The key it was sealed under.
        key: KeyId,
        /// Last instant at which it is good.
        expires: SimTime,
    },
}

impl Ticket {
    /// The process that has what it names, if any one has: the instance and its life.
    pub fn home(self) -> Option<(InstanceId, u32)> {
        match self {
            Ticket::Held { at, life } | Ticket::Pushed { at, life } | Ticket::Handle { at, life } => Some((at, life)),
            Ticket::Stored | Ticket::Sealed { .. } => None,
        }
    }

    /// Whether this process has what it names.
    pub fn is_home(self, at: &Instance) -> bool {
        self.home() == Some((at.id, at.life))
    }

    /// Whether it is a session, over whose open request the question went out.
    pub fn names_session(self) -> bool {
        matches!(self, Ticket::Held { .. } | Ticket::Pushed { .. })
    }

    /// Whether what it names is lost with its process.
    pub fn dies_with_process(self) -> bool {
        self.home().is_some()
    }

    /// Whether a body that is kept for it gives way to one that runs from the top.
    pub fn runs_again(self) -> bool {
        matches!(self, Ticket::Pushed { .. })
    }

    /// The same ticket, as if it had been made this much earlier.
    pub fn older_by(self, age: Duration) -> Ticket {
        match self {
            Ticket::Held { .. } | Ticket::Pushed { .. } | Ticket::Handle { .. } | Ticket::Stored => self,
            Ticket::Sealed { expires: SimTime::MAX, .. } => self,
            Ticket::Sealed { key, expires } => {
                let expires = SimTime::ZERO.saturating_add(expires.since(SimTime::ZERO).saturating_sub(age));
                Ticket::Sealed { key, expires }
            }
        }
    }
}

/// What becomes of answers that have reached an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resume {
    /// A body goes on with them: the suspended one, or a new one from the top.
    Run,
    /// They were accepted and dropped; the call knows nothing of it.
    Swallowed,
    /// The instance does not know what they belong to, because of this.
    NotFound(Cause),
    /// The instance will not serve them.
    Refused(Cause),
    /// They are passed on to the process that keeps the body.
    Forward,
    /// They are passed on to a process that will not say anything.
    Hang,
}

/// A message beside the calls: what client and fleet say to each other before the first and after the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifecycle {
    /// `initialize`: whoever takes it mints a session.
    Initialize,
    /// `notifications/initialized`, within the session.
    Initialized,
    /// The GET that opens the stream of the session.
    Stream,
    /// `server/discover`.
    Discover,
    /// The DELETE that ends the session.
    Delete,
}

impl Lifecycle {
    /// Name in the protocol.
    pub fn name(self) -> &'static str {
        match self {
            Lifecycle::Initialize => "initialize",
            Lifecycle::Initialized => "notifications/initialized",
            Lifecycle::Stream => "GET",
            Lifecycle::Discover => "server/discover",
            Lifecycle::Delete => "DELETE",
        }
    }

    /// Whether it belongs to a session, so that only who knows the session can take it.
    pub fn needs_session(self) -> bool {
        matches!(self, Lifecycle::Initialized | Lifecycle::Stream | Lifecycle::Delete)
    }
}

/// A design.
pub trait Era: Sync {
    /// The revision that a client that can speak this one at most and this process speak with each other; what a client
    /// tries first that has met nobody yet.
    fn speaks(&self, met: Option<&Instance>, client: Revision) -> Revision;

    /// What such a client sends before its first call, in order, when it met this process last.
    fn handshake(&self, met: Option<&Instance>, client: Revision) -> &'static [Lifecycle] {
        match self.speaks(met, client) {
            Revision::Earlier => &[Lifecycle::Initialize, Lifecycle::Initialized, Lifecycle::Stream],
            Revision::Modern => &[Lifecycle::Discover],
        }
    }

    /// A body has stopped to ask at this instance. Does its slot stay filled, and what does the client send back?
    fn suspend(&self, slot: &mut dyn Slot, at: &Instance, client: Revision, now: SimTime) -> Ticket;

    /// Whether the shared store is told of a call that asks, before the question goes out.
    fn writes_down(&self) -> bool {
        false
    }

    /// Whether the shared store is asked when answers with this ticket have reached this instance.
    fn looks_up(&self, _ticket: &Ticket, _at: &Instance) -> bool {
        false
    }

    /// Whether answers that are passed on are passed to every other process.
    fn publishes(&self) -> bool {
        false
    }

    /// Answers have reached this instance. Does a body go on, and if not, why not?
    fn resume(&self, ticket: &Ticket, at: &Instance, origin: &Origin<'_>, told: &Presented, now: SimTime) -> Resume;

    /// How many keys this instance tries on what the client sent back.
    fn keys_tried(&self, _ticket: &Ticket, _at: &Instance, _told: &Presented) -> usize {
        0
    }

    /// Bytes of the state that the client carries for the server, once to it and once with each answer.
    fn carried_bytes(&self, _ticket: &Ticket, _origin: &Origin<'_>) -> u32 {
        0
    }

    /// That state itself, as it is presented; `None` when the client carries none. Sealed for real each time, so never
    /// on the way of a call that nobody follows.
    fn state_on_wire(&self, _ticket: &Ticket, _origin: &Origin<'_>, _told: &Presented) -> Option<RequestState> {
        None
    }
}
