//! What a client does with its call: it sends it, tries again, gives up, and has its end. Every message leaves through the
//! balancer.

use std::future::Future;

use super::aside::{Consent, Waits};
use super::births::FIRST_STANDING;
use super::call::{Call, Stage, instance};
use super::round::Reply;
use super::story::Party;
use super::{Event, Observer, Sim};
use crate::engine::{SimTime, Token};
use crate::era::Era;
use crate::metrics::{End, Outcome, Record};
use crate::scenario::{ClientKind, OnNotFound};
use crate::tool::{Arguments, MissingCapability, ToolResult};
use crate::world::{Answers, Cause};

impl<E: Era, O: Observer, F> Sim<'_, E, O, F>
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
            self.tell(id, Party::Client, Party::Balancer, || format!("tools/call, amount {}", birth.amount));
            self.send_first(id, birth.picks[0]);
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
            OnNotFound::Wait => {
                self.calls[id].round.travelled(Reply::Lost);
                self.show(id);
            }
            OnNotFound::Fail => self.end(id, Outcome::Failed),
            OnNotFound::Reinitialise => {
                self.forget(id);
                self.calls[id].bound = false;
                self.tell(id, Party::Client, Party::Balancer, || "starts the call again".to_owned());
                self.send(id);
            }
            OnNotFound::Resend if self.calls[id].resends == self.scenario.clients.max_resends => {
                self.end(id, Outcome::Failed);
            }
            OnNotFound::Resend => {
                self.calls[id].resends += 1;
                self.calls[id].next = self.after(self.scenario.clients.resend_pause, Event::Resend(id));
            }
        }
    }

    /// The call begins anew: nothing of what was answered or recorded so far counts.
    pub(super) fn forget(&mut self, id: u32) {
        self.let_go(id);
        self.stop_waiting(id);
        let call = &mut self.calls[id];
        call.ticket = None;
        call.answers = Answers::NONE;
        self.asides.begin_anew(id);
    }

    pub(super) fn resend(&mut self, id: u32) {
        self.tell_answers(id);
        self.send(id);
    }

    /// The client gives up; its cancel reaches whoever holds the call.
    pub(super) fn out_of_patience(&mut self, id: u32) {
        let cause = if self.is_silent(id) { Cause::PersonSilent } else { Cause::ClientDeadline };
        self.calls[id].blame(cause);
        self.tell(id, Party::Client, Party::Client, || "its patience ends".to_owned());
        self.end(id, Outcome::TimedOut);
    }

    /// Whether the call waits for a person who will never answer.
    fn is_silent(&self, id: u32) -> bool {
        let call = &self.calls[id];
        let asked = (call.stage == Stage::Parked || call.is_at_client()) && call.prompts > 0;
        asked && call.next == Token::NONE && self.asides.of(id).waits == Waits::No
    }

    /// The call ends: whatever is held for it is let go, and it is written down.
    pub(super) fn end(&mut self, id: u32, outcome: Outcome) {
        self.events += 1;
        self.let_go(id);
        self.end_patience(id);
        self.stop_waiting(id);
        let aside = self.asides.take(id);
        let call = &mut self.calls[id];
        // A call that had its way in the end had no misfortune.
        let cause = match outcome {
            Outcome::Completed | Outcome::Declined => None,
            Outcome::Cancelled => aside.cancelled_by_machine,
            _ => call.cause,
        };
        let record = Record {
            call: call.number,
            arrived: SimTime::from_ns(u64::try_from(call.arrived_ns).unwrap_or(0)),
            ended: self.engine.now(),
            end: End { outcome, cause },
            asked: (call.prompts > 0).then_some(call.asked),
            think_ns: call.action.map(|_| call.think_ns),
            action: call.action,
            amount: call.amount,
            first_instance: instance(call.first),
            last_instance: instance(call.last),
            client: call.client,
            asks: u32::from(call.asks),
            prompts: u32::from(call.prompts),
            invalid_at_client: u32::from(aside.invalid_at_client),
            invalid_at_server: u32::from(aside.invalid_at_server),
            messages: u32::from(call.messages),
            entries: u32::from(call.entries),
            entries_again: u32::from(aside.entries_again),
            entries_unconfirmed: u32::from(aside.entries_unconfirmed),
            exposed: aside.exposed,
            incidents: aside.incidents,
            state_bytes: call.state_bytes,
            parked_ns: call.parked_ns,
            repeated_ns: call.repeated_ns,
        };
        self.tell(id, Party::Client, Party::Client, || format!("the call ends: {}", record.end));
        if record.call < FIRST_STANDING {
            self.fold.record(&record);
            self.observer.record(&record);
        }
        self.calls.free(id);
    }

    /// The run is over: what is still under way is open, or abandoned where nothing is held and nobody will come back.
    pub(super) fn end_open_calls(&mut self) {
        let open: Vec<u32> = self.calls.under_way().map(|(id, _)| id).collect();
        for id in open {
            let silent = self.is_silent(id) && self.calls[id].cause.is_none();
            let nothing_held = self.calls[id].is_at_client();
            if silent {
                self.calls[id].blame(Cause::PersonSilent);
            }
            self.end(id, if silent && nothing_held { Outcome::Abandoned } else { Outcome::OpenAtEnd });
        }
    }
}
