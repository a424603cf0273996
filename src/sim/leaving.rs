//! How a call ends: for its caller, for the server that may hold it on, for the person whose form may stay. Each has its
//! own end, and the record of a call is written when all three have come.

use std::future::Future;

use super::births::FIRST_STANDING;
use super::call::{Stage, instance};
use super::ladder::Rung;
use super::story::Party;
use super::way::Errand;
use super::{Observer, Sim};
use crate::engine::{SimTime, Token};
use crate::metrics::{End, Incident, Outcome, Record};
use crate::scenario::Cancel;
use crate::tool::{MissingCapability, ToolResult};
use crate::world::Cause;

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// The server is through with the call, and with that its caller, unless they have had their end.
    pub(super) fn end(&mut self, id: u32, outcome: Outcome) {
        let form = self.form_that_stays(id);
        if self.asides.of(id).ended.is_some() || form.is_some() {
            self.caller_ends(id, outcome);
            self.let_go(id);
            self.calls[id].next = form.unwrap_or(Token::NONE);
            return self.settle(id);
        }
        self.events += 1;
        self.let_go(id);
        self.end_patience(id);
        let end = self.end_of(id, outcome);
        self.write(id, self.now(), end);
    }

    /// The client gives up. Whether the server hears of it, and when, is for cancels to say.
    pub(super) fn give_up(&mut self, id: u32, outcome: Outcome) {
        let held = self.is_held(id);
        let serves_after = self.scenario.clients.serves_after;
        let serves = !serves_after.is_zero() && self.person_thinks(id);
        // Of a call whose request was answered nothing is open that could end, and nothing is sent.
        let silent = self.calls[id].stage == Stage::Kept;
        let sure = !silent && (self.drop_cancels(id) || self.scenario.clients.cancel == Cancel::Reaches);
        if !serves && (!held || sure) {
            return self.end(id, outcome);
        }
        self.caller_ends(id, outcome);
        if serves {
            self.asides.note(id).serves_until = Some(self.now().saturating_add(serves_after));
            return self.start_clock(id, Rung::Serving, Some(serves_after));
        }
        self.leave(id);
    }

    /// Whether a person thinks about an open question of a call that its server keeps, and will answer.
    fn person_thinks(&mut self, id: u32) -> bool {
        let call = &mut self.calls[id];
        let open = call.round.open().map(|asked| asked.ask);
        let pending = call.stage == Stage::Parked && call.next != Token::NONE;
        open.is_some_and(|ask| pending && self.is_shown(id, ask)) && self.asides.of(id).ended.is_none()
    }

    /// The client of a call that has had its end turns away from it: its cancel goes out, its form closes.
    pub(super) fn leave(&mut self, id: u32) {
        let reaches = match self.scenario.clients.cancel {
            _ if self.calls[id].stage == Stage::Kept => false,
            _ if self.drop_cancels(id) => true,
            Cancel::Reaches => true,
            Cancel::Routed => self.is_held(id) && self.cancel_comes_home(id),
            Cancel::Never => false,
        };
        if !reaches && self.is_held(id) {
            return self.leave_held(id);
        }
        self.stop_serving(id);
        let form = self.leave_form(id);
        self.let_go(id);
        self.calls[id].next = form.unwrap_or(Token::NONE);
        self.settle(id);
    }

    /// The client turns away, and the server that holds the call hears nothing of it.
    pub(super) fn leave_held(&mut self, id: u32) {
        self.stop_serving(id);
        let form = self.leave_form(id);
        self.close_connection(id);
        self.asides.note(id).incidents.note(Incident::HeldOn);
        self.tell_at(id, || "holds the call on".to_owned());
        if self.calls[id].stage != Stage::Working {
            self.calls[id].next = form.unwrap_or(Token::NONE);
        }
    }

    fn stop_serving(&mut self, id: u32) {
        if self.asides.of(id).serves_until.is_some() {
            self.asides.note(id).serves_until = None;
            self.stop_clock(id, Rung::Serving);
        }
    }

    /// The form closes, unless it stays; then what will come of it.
    fn leave_form(&mut self, id: u32) -> Option<Token> {
        let form = self.form_that_stays(id);
        if form.is_none() {
            self.close_form(id);
        }
        form
    }

    /// The cancel is a message like any other. Whether it reached who holds the call.
    fn cancel_comes_home(&mut self, id: u32) -> bool {
        self.tell(id, Party::Client, Party::Balancer, || "notifications/cancelled".to_owned());
        let to = self.route(id, Errand::Cancel, None);
        let home = to.is_some() && to == instance(self.calls[id].at);
        if !home {
            self.asides.note(id).incidents.note(Incident::CancelAstray);
        }
        home
    }

    /// The caller has its end; what is still held or shown for the call goes on without it.
    pub(super) fn caller_ends(&mut self, id: u32, outcome: Outcome) {
        if self.asides.of(id).ended.is_some() {
            return;
        }
        self.events += 1;
        self.end_patience(id);
        self.stop_clock(id, Rung::Request);
        let end = self.end_of(id, outcome);
        self.asides.note(id).ended = Some((self.now(), end));
        self.tell(id, Party::Client, Party::Client, || format!("the caller has its end: {end}"));
    }

    /// Writes the call down if its caller has had its end and nothing is held or shown for it any more.
    pub(super) fn settle(&mut self, id: u32) {
        if let Some((at, end)) = self.asides.of(id).ended
            && !self.is_held(id)
            && self.calls[id].next == Token::NONE
        {
            self.write(id, at, end);
        }
    }

    /// Whether anything is held for the call at a server.
    pub(super) fn is_held(&self, id: u32) -> bool {
        !self.calls[id].is_at_client()
    }

    fn end_of(&self, id: u32, outcome: Outcome) -> End {
        // A call that had its way in the end had no misfortune.
        let cause = match outcome {
            Outcome::Completed | Outcome::Declined => None,
            Outcome::Cancelled => self.asides.of(id).cancelled_by_machine,
            _ => self.calls[id].cause,
        };
        End { outcome, cause }
    }

    /// The call is written down, and its place is free.
    fn write(&mut self, id: u32, ended: SimTime, end: End) {
        self.stop_passing(id);
        self.leave_session(id);
        self.stop_waiting(id);
        self.stop_clocks(id);
        self.close_form(id);
        self.forget_effects(id);
        let aside = self.asides.take(id);
        let call = &self.calls[id];
        let record = Record {
            call: call.number,
            arrived: SimTime::from_ns(u64::try_from(call.arrived_ns).unwrap_or(0)),
            ended,
            end,
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
            answers: u32::from(call.messages).saturating_sub(1 + aside.others),
            answers_home: u32::from(call.brought_home),
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
        self.screens.nobody_waits();
        for id in open {
            if let Some((at, end)) = self.asides.of(id).ended {
                self.let_go(id);
                self.write(id, at, end);
                continue;
            }
            let silent = self.is_silent(id) && self.calls[id].cause.is_none();
            let nothing_held = self.calls[id].is_at_client();
            if silent {
                self.calls[id].blame(Cause::PersonSilent);
            }
            let outcome = if silent && nothing_held { Outcome::Abandoned } else { Outcome::OpenAtEnd };
            self.close_form(id);
            self.end(id, outcome);
        }
    }
}
