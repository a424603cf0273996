//! The difference between the designs and nothing else: what happens when a body has stopped to ask, and what happens
//! when answers come back. One small file per design; no other floor may name one.

mod carrying;
mod migrating;
mod waiting;

pub use carrying::{Binds, Carrying};
pub use migrating::Migrating;
pub use waiting::Waiting;

use std::time::Duration;

use serde::Serialize;

use crate::engine::SimTime;
use crate::tool::{Arguments, BodySlot, Definition};
use crate::world::{Answers, Cause, ClientCapabilities, Instance, InstanceId, KeyId, Presented, RequestState};

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
}

impl Design {
    /// Every design, in the order of tables.
    pub const ALL: [Design; 3] = [Design::Waiting, Design::Carrying, Design::Migrating];

    /// The designs that every process of a fleet follows alike.
    pub const PURE: [Design; 2] = [Design::Waiting, Design::Carrying];

    /// Whether a client has a session, to which a server can send something at any time.
    pub fn has_sessions(self) -> bool {
        self != Design::Carrying
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
    /// A session: the suspended body is here, in this life of this instance.
    Held {
        /// The instance.
        at: InstanceId,
        /// Its life.
        life: u32,
    },
    /// A `requestState`: nothing is held anywhere.
    Sealed {
        /// The key it was sealed under.
        key: KeyId,
        /// Last instant at which it is good.
        expires: SimTime,
    },
}

impl Ticket {
    /// Whether what it names is lost with its process.
    pub fn names_session(self) -> bool {
        matches!(self, Ticket::Held { .. })
    }

    /// The same ticket, as if it had been made this much earlier.
    pub fn older_by(self, age: Duration) -> Ticket {
        match self {
            Ticket::Held { .. } => self,
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
    /// The instance does not know what they belong to.
    NotFound,
    /// The instance will not serve them.
    Refused(Cause),
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
    /// What a client sends before its first call, in order, when it met this process last.
    fn handshake(&self, met: Option<&Instance>) -> &'static [Lifecycle];

    /// Whether this server takes the end of a connection for a cancel.
    fn drop_cancels(&self, at: &Instance) -> bool;

    /// Whose declaration counts when this server wants to ask: that of the handshake, or that of the request in hand?
    fn declared(
        &self,
        at: &Instance,
        handshake: ClientCapabilities,
        this_request: ClientCapabilities,
    ) -> ClientCapabilities;

    /// Whether the answers of one round of this server come back together, in one message.
    fn answers_together(&self, at: &Instance) -> bool;

    /// A body has stopped to ask at this instance. Does its slot stay filled, and what does the client send back?
    fn suspend<F>(&self, slot: &mut BodySlot<F>, at: &Instance, now: SimTime) -> Ticket;

    /// Answers have reached this instance. Does a body go on, and if not, why not?
    fn resume(
        &self,
        ticket: &Ticket,
        at: &Instance,
        origin: &Origin<'_>,
        presented: &Presented,
        now: SimTime,
    ) -> Resume;

    /// How many keys this instance tries on what the client sent back.
    fn keys_tried(&self, ticket: &Ticket, at: &Instance, presented: &Presented) -> usize;

    /// Bytes of the state that the client carries for the server, once to it and once with each answer.
    fn carried_bytes(&self, ticket: &Ticket, origin: &Origin<'_>) -> u32;

    /// That state itself, as it is presented; `None` when the client carries none. Sealed for real each time, so never
    /// on the way of a call that nobody follows.
    fn state_on_wire(&self, ticket: &Ticket, origin: &Origin<'_>, presented: &Presented) -> Option<RequestState>;
}
