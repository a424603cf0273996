//! What a client does with its call: it sends it, tries again, gives up, and has its end. Every message leaves through the
//! balancer.

use std::future::Future;

use super::aside::{Consent, Waits};
use super::call::{Call, Stage};
use super::ladder::Rung;
use super::round::Reply;
use super::story::Party;
use super::{Event, Observer, Sim};
use crate::engine::Token;
use crate::metrics::Outcome;
use crate::scenario::{ClientKind, OnNotFound};
use crate::tool::{Arguments, MissingCapability, ToolResult};
use crate::world::{Answers, Cause};

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// Looks one arrival ahead, so that lanes are read in order.
    pub(super) fn schedule_next_arrival(&mut self) {
        self.next_birth = self.births.next(&mut self.streams);
        if let Some(birth) = self.next_birth {
            self.engine.at(birth.at, Event::Arrive);
        }
    }

    pub(super) fn arrive(&mut self) {
        let birth = self.next_birth.take().expect("an arrival was scheduled without a call");
        self.schedule_next_arrival();
        self.events += 1;
        let id = self.calls.insert(Call::of(&birth));
        self.begin_patience(id);
        if self.may_call(id) {
            self.begin(id, Some(birth.picks[0]));
        }
    }

    /// The kind of client that a call has.
    pub(super) fn kind(&self, id: u32) -> &ClientKind {
        &self.scenario.clients.kinds[usize::from(self.calls[id].client)]
    }

    /// What the call is made with.
    pub(super) fn arguments(&self, id: u32) -> Arguments {
        let confirmed = matches!(self.asides.of(id).consent, Consent::Confirmed | Consent::Claimed);
        Arguments { amount: self.calls[id].amount, confirmed }
    }

    /// The instance that the answers reached knows nothing of them and says so.
    pub(super) fn not_found(&mut self, id: u32) {
        match self.scenario.clients.on_not_found {
            // Whoever has had its end tries nothing again.
            _ if self.asides.of(id).ended.is_some() => self.give_up(id, Outcome::Failed),
            OnNotFound::Wait => {
                self.calls[id].round.travelled(Reply::Lost);
                self.show(id);
            }
            OnNotFound::Fail => self.give_up(id, Outcome::Failed),
            OnNotFound::Reinitialise => {
                self.forget(id);
                self.asides.note(id).unbound = true;
                self.tell(id, Party::Client, Party::Client, || "starts the call again".to_owned());
                self.begin(id, None);
            }
            OnNotFound::Resend if self.asides.of(id).resends == self.scenario.clients.max_resends => {
                self.give_up(id, Outcome::Failed);
            }
            OnNotFound::Resend => {
                self.asides.note(id).resends += 1;
                self.calls[id].next = self.after(self.scenario.clients.resend_pause, Event::Resend(id));
            }
        }
    }

    /// The call begins anew: nothing of what was answered or recorded so far counts.
    pub(super) fn forget(&mut self, id: u32) {
        let session_was_its_ticket = self.calls[id].ticket.is_some_and(|ticket| ticket.names_session());
        if session_was_its_ticket && self.asides.of(id).session.is_none() {
            let aside = self.asides.note(id);
            aside.sessions_before = aside.sessions_before.saturating_add(1);
        }
        self.close_form(id);
        self.let_go(id);
        self.stop_clock(id, Rung::Request);
        self.stop_waiting(id);
        let call = &mut self.calls[id];
        call.ticket = None;
        call.answers = Answers::NONE;
        self.detach_session(id);
        self.asides.begin_anew(id);
    }

    /// What failed, or met somebody who knew nothing of it, is sent again.
    pub(super) fn resend(&mut self, id: u32) {
        if let Some(passing) = self.asides.of(id).passing {
            return self.passed_on(id, passing);
        }
        if self.calls[id].ticket.is_none() {
            return self.greet(id);
        }
        self.tell_answers(id);
        self.send(id);
    }

    /// The client gives up; its cancel reaches whoever holds the call.
    pub(super) fn out_of_patience(&mut self, id: u32) {
        self.tell(id, Party::Client, Party::Client, || "its patience ends".to_owned());
        let clock = if self.is_silent(id) { Cause::PersonSilent } else { Cause::ClientDeadline };
        self.out_of_time(id, clock);
    }

    /// A clock of the client has run out; an answer that starves for a thread is why, if there is one.
    pub(super) fn out_of_time(&mut self, id: u32, clock: Cause) {
        let starves = self.asides.of(id).answer_in_line;
        self.calls[id].blame(if starves { Cause::ThreadsFull } else { clock });
        self.give_up(id, Outcome::TimedOut);
    }

    /// Whether the call waits for a person who will never answer.
    pub(super) fn is_silent(&self, id: u32) -> bool {
        let call = &self.calls[id];
        let asked = (matches!(call.stage, Stage::Parked | Stage::Kept) || call.is_at_client()) && call.prompts > 0;
        let aside = self.asides.of(id);
        asked && call.next == Token::NONE && aside.waits == Waits::No && !aside.form_waits
    }
}
