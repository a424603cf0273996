//! What most calls have nothing of, kept beside the table of calls so that their lines stay short. Must never hold
//! anything that every call needs.

use std::collections::BTreeMap;

use super::passing::Passing;
use super::pool::AtPool;
use super::round::Round;
use super::sessions::SessionId;
use super::store::Unwritten;
use crate::engine::SimTime;
use crate::metrics::{End, Incidents};
use crate::tool::ToolResult;
use crate::world::{Answers, Cause, Exposure, InstanceId, SignIn};

/// How it came that a body need not ask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Consent {
    /// It asks.
    #[default]
    ByAnswer,
    /// Somebody at the client asked the person, and the call says `confirmed`.
    Confirmed,
    /// Nobody asked, and the call says `confirmed` all the same.
    Claimed,
    /// Nobody could be asked, and the server went on.
    Waived,
}

/// How a call waits for the grant of its user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Waits {
    /// It does not.
    #[default]
    No,
    /// Its body is kept by its server, on its thread.
    Held,
    /// Its client waits to be told.
    ToBeTold,
}

/// What is noted of a call out of the common run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Aside {
    pub consent: Consent,
    /// Why the client cancelled by itself, so that it is never taken for a person's cancel.
    pub cancelled_by_machine: Option<Cause>,
    /// Answers typed so far.
    pub typed: u16,
    /// Times that the host asked again for the answer that the person is at.
    pub reasks: u8,
    pub invalid_at_client: u16,
    pub invalid_at_server: u16,
    /// Whether the round at the client was sent as something else than its asks need.
    pub downgraded: bool,
    /// Effects that this run of the body has come to, where anything goes by their number, and those that are recorded for the next.
    pub effects: u16,
    pub effects_recorded: u16,
    /// Those that the state says are made.
    pub effects_sealed: u16,
    pub entries_again: u16,
    pub entries_unconfirmed: u16,
    pub exposed: Exposure,
    /// Whether the round at the client asks again for what was accepted before.
    pub asks_again: bool,
    /// The sign-in behind the link that was sent last.
    pub sign_in: Option<SignIn>,
    /// Pages opened so far, and whether one of them is open.
    pub pages: u8,
    pub page_is_open: bool,
    /// Whether the call waits for the grant of its user.
    pub waits: Waits,
    /// Whether what a page would bring came another way.
    pub needs_no_page: bool,
    /// Messages of its handshake that the client has sent.
    pub greeted: u8,
    /// Messages beside the first that brought no answers.
    pub others: u32,
    /// The process at the other end of the connection that the client has open, and its life; where connections are
    /// used again.
    pub connected_to: Option<(InstanceId, u32)>,
    /// Whether nothing binds the call any more, until its next message has arrived.
    pub unbound: bool,
    /// The process that minted the session of the client, and its life.
    pub session: Option<(InstanceId, u32)>,
    /// The session itself, while it lives.
    pub session_id: Option<SessionId>,
    /// Sessions that the client had before.
    pub sessions_before: u8,
    /// Until when a line in a table of the balancer binds the call.
    pub bound_until: Option<SimTime>,
    /// When and how the caller had its end, while a server or a person goes on with the call.
    pub ended: Option<(SimTime, End)>,
    /// Until when its client serves the open question all the same.
    pub serves_until: Option<SimTime>,
    /// Times that the client has sent its answer again, or begun again, after "not found".
    pub resends: u8,
    /// Times that the client has tried its request again, or its answer to a body that is kept, and times in all.
    pub tries: u8,
    pub tries_of_answer: u8,
    pub tries_in_all: u32,
    /// Times that the proxy has sent its request again since the client sent it.
    pub copies: u8,
    /// The process that has served the state that the client carries, and its life.
    pub served_at: Option<(InstanceId, u32)>,
    /// What came of the request that brought that state, where it is remembered and the client has not heard of it.
    pub unheard: Option<ToolResult>,
    /// States that the client has had of this call; where effects go by them.
    pub states: u32,
    /// Whether its person has a tab left open in which they will answer once more.
    pub stale_tab: bool,
    /// The instance that asked last, and answers and round as they were before a server took its answers; where a
    /// request may be sent again.
    pub asker: Option<u16>,
    pub before_taking: Option<(Answers, Round)>,
    /// Whether an answer to the parked call waits in line for a thread.
    pub answer_in_line: bool,
    /// Whether its form is on the screen, whether it waits for another there, and whether its client refuses it because
    /// of that.
    pub on_screen: bool,
    pub form_waits: bool,
    pub form_refused: bool,
    /// Answers, by place as bits, that were ever used for another ask, and whether this run of the body used one so.
    pub misapplied: u16,
    pub runs_on_misapplied: bool,
    /// The version of the tool that asked the call first; only where there are several.
    pub first_asked_by: Option<u32>,
    /// Since when it waits for a thread or for a connection of the pool.
    pub waits_since: Option<SimTime>,
    /// Whether a thread is at its request, and its body has yet to run.
    pub reads_request: bool,
    /// What it has of the pool of its instance.
    pub pool: AtPool,
    /// When the shared store was told of the call, and the ask that waits for that.
    pub written: Option<SimTime>,
    pub unwritten: Option<Unwritten>,
    /// What its message waits for at a process.
    pub passing: Option<Passing>,
    pub incidents: Incidents,
}

/// What is noted, by the place of the call.
#[derive(Debug, Default)]
pub(super) struct Asides {
    noted: BTreeMap<u32, Aside>,
    /// What is noted of most calls.
    nothing: Aside,
}

impl Aside {
    /// The session is lost, and the next one has another id.
    fn lose_session(&mut self) {
        (self.greeted, self.session_id) = (0, None);
        if self.session.take().is_some() {
            self.sessions_before = self.sessions_before.saturating_add(1);
        }
    }
}

impl Asides {
    /// What is noted of a call.
    pub(super) fn of(&self, id: u32) -> &Aside {
        self.noted.get(&id).unwrap_or(&self.nothing)
    }

    /// To note something of a call.
    pub(super) fn note(&mut self, id: u32) -> &mut Aside {
        self.noted.entry(id).or_default()
    }

    /// The handshake failed: the next one makes a session of its own.
    pub(super) fn begin_again_with_handshake(&mut self, id: u32) {
        self.note(id).lose_session();
    }

    /// The call begins anew: what was noted of its rounds and of its state counts no more, what was counted stays.
    pub(super) fn begin_anew(&mut self, id: u32) {
        let Some(aside) = self.noted.get_mut(&id) else { return };
        (aside.effects_recorded, aside.effects_sealed, aside.reasks) = (0, 0, 0);
        (aside.downgraded, aside.asks_again, aside.needs_no_page) = (false, false, false);
        (aside.cancelled_by_machine, aside.sign_in) = (None, None);
        aside.lose_session();
        (aside.served_at, aside.bound_until, aside.form_refused) = (None, None, false);
        aside.unheard = None;
        (aside.asker, aside.before_taking) = (None, None);
        (aside.misapplied, aside.runs_on_misapplied, aside.first_asked_by) = (0, false, None);
    }

    /// The call is over: what was noted of it.
    pub(super) fn take(&mut self, id: u32) -> Aside {
        self.noted.remove(&id).unwrap_or_default()
    }
}
