//! The way of a message: from the client through the balancer to an instance, and what the instance makes of it.

use std::future::Future;

use super::births;
use super::call::{Stage, instance};
use super::round::Reply;
use super::story::Party;
use super::way::Errand;
use super::wire::WireKind;
use super::{Observer, Sim};
use crate::era::{Origin, Resume, Ticket};
use crate::metrics::{Incident, Outcome};
use crate::scenario::Failure;
use crate::tool::{Arguments, MissingCapability, ToolResult};
use crate::world::{
    Attack, Cause, Exposure, Instance, InstanceId, Owner, Presented, Revision, SeenBy, SpentStates, UsedBefore,
};

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// Sends the call's next message through the balancer: the call itself, or the answers that travel.
    pub(super) fn send(&mut self, id: u32) {
        self.send_drawing(id, None);
    }

    /// As [`Sim::send`], with the word drawn for the balancer's pick where the caller has it at hand.
    pub(super) fn send_drawing(&mut self, id: u32, pick: Option<u32>) {
        if self.carries_secret(id) {
            self.expose(id, [SeenBy::Proxy].into_iter().collect());
        }
        let brings = self.calls[id].ticket.is_some();
        if !brings {
            let Arguments { amount, confirmed } = self.arguments(id);
            let confirmed = if confirmed { ", confirmed=true" } else { "" };
            self.tell(id, Party::Client, Party::Balancer, || format!("tools/call, amount {amount}{confirmed}"));
        }
        let to = self.route(id, if brings { Errand::Answers } else { Errand::Call }, pick);
        let is_lost = to.is_some() && self.request_is_lost(id);
        if brings {
            let asker = self.asides.of(id).asker;
            let call = &mut self.calls[id];
            call.brought_home += u16::from(!is_lost && to.is_some() && to == instance(asker.unwrap_or(call.at)));
        }
        self.tell_sent(id, to);
        match to {
            Some(_) if is_lost => self.lose_the_request(id),
            Some(to) => self.deliver(id, to),
            None => self.unreachable(id),
        }
    }

    /// No instance takes the call's message.
    pub(super) fn unreachable(&mut self, id: u32) {
        self.tell(id, Party::Balancer, Party::Client, || "503: no instance accepts the message".to_owned());
        self.message(id, Party::Balancer, Party::Client, |_| WireKind::NoServer);
        let why = self.sites.why_nobody().unwrap_or(Cause::Crash);
        self.calls[id].blame(why);
        if !self.try_again(id, Failure::Unreachable) {
            self.give_up(id, Outcome::Failed);
        }
    }

    /// A message has reached an instance.
    pub(super) fn deliver(&mut self, id: u32, to: InstanceId) {
        self.answer_arrived(id);
        if self.session_is_unknown(id, to) {
            self.tell(id, Party::Instance(to), Party::Client, || "404: no such session here".to_owned());
            self.reply_from(id, to, |_| WireKind::NotFound);
            self.calls[id].blame(Cause::Misrouted);
            return if self.calls[id].ticket.is_none() { self.session_lost(id) } else { self.not_found(id) };
        }
        self.session_used(id, to);
        if self.calls[id].ticket.is_none() {
            self.tell(id, Party::Balancer, Party::Instance(to), || "a new call".to_owned());
            return self.enter(id, to);
        }
        self.look_up(id, to);
    }

    /// Answers with their ticket are presented to a process.
    pub(super) fn present(&mut self, id: u32, to: InstanceId) {
        let Some(ticket) = self.calls[id].ticket else { return };
        let attack = self.attack(id);
        let at = &self.instances[to as usize];
        let presented = self.presented(id, attack);
        let resume = match self.era.resume(&ticket, at, &self.origin(id), &presented, self.engine.now()) {
            Resume::Run if self.is_too_late(id) => Resume::Refused(Cause::ApprovalExpired),
            resume => resume,
        };
        self.note_keys_tried(id, self.era.keys_tried(&ticket, at, &presented));
        self.calls[id].state_bytes += self.era.carried_bytes(&ticket, &self.origin(id));
        self.tell(id, Party::Balancer, Party::Instance(to), || format!("the answer: {}", in_words(resume)));
        if self.carries_secret(id) {
            self.expose(id, Exposure::at_server());
        }
        if !matches!(resume, Resume::Forward | Resume::Hang) {
            self.reply_from(id, to, |_| reply_to(resume));
        }
        match resume {
            Resume::Run => {
                if !self.scenario.state.spends_after {
                    self.note_served(id, to);
                }
                if self.take_answers(id) {
                    self.note_hijack(id, &presented);
                    self.go_on(id, to);
                }
            }
            Resume::Swallowed => {
                let call = &mut self.calls[id];
                call.blame(Cause::Misrouted);
                call.round.travelled(Reply::Lost);
                self.show(id);
            }
            Resume::NotFound(cause) => {
                self.calls[id].blame(cause);
                self.not_found(id);
            }
            Resume::Forward => self.pass_on(id),
            Resume::Hang => self.pass_in_vain(id),
            Resume::Refused(Cause::Replayed) if self.asides.of(id).unheard.is_some() => self.say_again(id, to),
            Resume::Refused(cause) => {
                self.calls[id].blame(cause);
                self.end(id, Outcome::Refused);
            }
        }
    }

    /// Answers are at their body: the one that is kept, once it has all of the round, or a new one from the top.
    fn go_on(&mut self, id: u32, at: InstanceId) {
        let call = &self.calls[id];
        if !call.slot.filled() || call.stage == Stage::Kept {
            self.enter(id, at);
        } else if !call.round.is_complete() {
            self.show(id);
        } else {
            self.go_on_kept(id);
        }
    }

    /// The kept body has what it waited for: it goes on as soon as it has a thread.
    pub(super) fn go_on_kept(&mut self, id: u32) {
        if self.answer_waits(id) {
            return self.tell_at(id, || "has no thread to go on: it waits in line".to_owned());
        }
        self.resume_kept(id);
    }

    /// The kept body goes on.
    pub(super) fn resume_kept(&mut self, id: u32) {
        self.serve(id);
    }

    /// Whether the server takes the answers no more: its ask is too old.
    fn is_too_late(&self, id: u32) -> bool {
        let ttl = self.scenario.tool.approval_ttl;
        ttl.is_some_and(|ttl| self.now().since(self.calls[id].asked) > ttl)
    }

    /// The server has served the state that the client carries.
    pub(super) fn note_served(&mut self, id: u32, at: InstanceId) {
        let single_use = self.scenario.state.ledger != SpentStates::None;
        if single_use && self.brings_state(id) {
            self.asides.note(id).served_at = Some((at, self.instances[at as usize].life));
        }
    }

    /// Whether the client has a signed state for this call.
    pub(super) fn brings_state(&self, id: u32) -> bool {
        matches!(self.calls[id].ticket, Some(Ticket::Sealed { .. }))
    }

    pub(super) fn origin(&self, id: u32) -> Origin<'_> {
        let call = &self.calls[id];
        let effects = self.asides.of(id).effects_recorded;
        let (tool, arguments) = (&self.scenario.tool.definition, self.arguments(id));
        Origin { call: call.number, tool, arguments, answers: &call.answers, effects, is_kept: call.slot.filled() }
    }

    /// The process that the call is at, or was last, if any.
    fn server(&self, id: u32) -> Option<&Instance> {
        instance(self.calls[id].at).map(|at| &self.instances[at as usize])
    }

    /// The revision that the client of this call and its server speak with each other.
    pub(super) fn spoken(&self, id: u32) -> Option<Revision> {
        self.server(id).map(|at| self.era.speaks(Some(at), self.kind(id).speaks))
    }

    /// Whether the server of this call takes the end of a connection for a cancel.
    pub(super) fn drop_cancels(&self, id: u32) -> bool {
        self.spoken(id).is_some_and(Revision::drop_cancels)
    }

    /// Whether the server of this call gets the answers of one round together.
    pub(super) fn answers_together(&self, id: u32) -> bool {
        self.spoken(id).is_some_and(Revision::answers_together)
    }

    /// Whether the client carries a state for this call.
    pub(super) fn carries(&self, id: u32) -> bool {
        let ticket = self.calls[id].ticket;
        ticket.is_some_and(|ticket| self.era.carried_bytes(&ticket, &self.origin(id)) > 0)
    }

    /// What is done to the state of this call, if anything.
    pub(super) fn attack(&mut self, id: u32) -> Option<Attack> {
        births::attack(self.scenario, &mut self.streams, self.calls[id].number)
    }

    /// How the state of this call comes back.
    pub(super) fn presented(&self, id: u32, attack: Option<Attack>) -> Presented {
        debug_assert!(self.calls[id].ticket.is_some());
        let used_before = match self.asides.of(id).served_at {
            None => UsedBefore::No,
            Some((at, life)) if Some(at) == self.last_instance(id) && life == self.instances[at as usize].life => {
                UsedBefore::Here
            }
            Some(_) => UsedBefore::Elsewhere,
        };
        Presented {
            used_before,
            intact: attack != Some(Attack::Tampered),
            by_its_user: attack != Some(Attack::Stolen),
            with_its_call: attack != Some(Attack::OtherCall),
            store_is_up: self.store_is_up(),
            found: self.found(id),
            owner: self.calls[id].ticket.map_or(Owner::Alive, |ticket| self.owner(&ticket)),
        }
    }

    /// A state was served though it came from another user or with another call. A body that is kept in memory belongs
    /// to its connection, so nothing of this reaches it.
    fn note_hijack(&mut self, id: u32, presented: &Presented) {
        let honest = presented.by_its_user && presented.with_its_call;
        if !honest && !self.calls[id].slot.filled() {
            self.asides.note(id).incidents.note(Incident::Hijacked);
        }
    }

    /// The instance that the call's last message reached.
    pub(super) fn last_instance(&self, id: u32) -> Option<InstanceId> {
        instance(self.calls[id].last)
    }
}

/// What the client hears at once of what becomes of its answers.
pub(super) fn reply_to(resume: Resume) -> WireKind {
    match resume {
        Resume::Run | Resume::Swallowed | Resume::Forward | Resume::Hang => WireKind::Taken,
        Resume::NotFound(_) => WireKind::NotFound,
        Resume::Refused(_) => WireKind::Refused,
    }
}

pub(super) fn in_words(resume: Resume) -> String {
    match resume {
        Resume::Run => "taken".to_owned(),
        Resume::Swallowed => "202, and dropped: this instance does not hold the call".to_owned(),
        Resume::NotFound(Cause::Misrouted) => "404: this instance does not hold the call".to_owned(),
        Resume::NotFound(cause) => format!("404: {}", cause.in_words()),
        Resume::Forward => "passed on to the instance that holds the call".to_owned(),
        Resume::Hang => "passed on to an instance that says nothing".to_owned(),
        Resume::Refused(cause) => format!("refused, {}", cause.in_words()),
    }
}
