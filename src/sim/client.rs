//! What happens at the client: calls are sent, people are asked and answer, patience ends. Every message leaves through
//! the balancer.

use std::future::Future;
use std::time::Duration;

use super::births::{self, FIRST_STANDING};
use super::call::{Call, Round, Stage, instance};
use super::story::Party;
use super::{Event, Observer, Sim};
use crate::engine::{SimTime, Token};
use crate::era::Era;
use crate::metrics::{End, Outcome, Record};
use crate::scenario::OnNotFound;
use crate::tool::{Arguments, InputRequests, MissingCapability, ToolResult};
use crate::world::{Answer, Answers, Cause, Fate};

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
        self.tell(id, Party::Client, Party::Balancer, || format!("tools/call, amount {}", birth.amount));
        self.send_first(id, birth.picks[0]);
    }

    /// A question reaches the client and is shown to the person.
    pub(super) fn ask(&mut self, id: u32, asks: &InputRequests) {
        let now = self.now();
        let most = self.scenario.clients.max_rounds;
        let call = &mut self.calls[id];
        if call.rounds == most {
            call.blame(Cause::RoundsExceeded);
            self.tell(id, Party::Client, Party::Client, || format!("gives up after {most} rounds"));
            return self.end(id, Outcome::Failed);
        }
        call.rounds += 1;
        call.asked = now;
        call.round = Round::of(asks);
        let first = u32::from(call.prompts);
        call.prompts += asks.len() as u16;
        self.events += 1;
        // One form at a time: the times of several asks of a round add up, and one unanswered form holds up all.
        let mut think = Some(Duration::ZERO);
        for ask in first..u32::from(self.calls[id].prompts) {
            let fate = self.fate(id, ask);
            think = think.filter(|_| fate.action.is_some()).map(|sum| sum + fate.think);
        }
        let arguments = Arguments { amount: self.calls[id].amount };
        self.tell(id, Party::Client, Party::Person, || question(asks, &arguments));
        self.calls[id].next = think.map_or(Token::NONE, |think| self.after(think, Event::Answered(id)));
    }

    /// What the person does with their `ask`-th question of this call.
    pub(super) fn fate(&mut self, id: u32, ask: u32) -> Fate {
        let call = &self.calls[id];
        if ask == 0 {
            return Fate { think: Duration::from_nanos(call.think_ns), action: call.action };
        }
        births::fate(self.scenario, &mut self.streams, call.number, ask, &[0; 8])
    }

    pub(super) fn answered(&mut self, id: u32) {
        self.events += 1;
        self.calls[id].resends = 0;
        self.tell_answers(id);
        self.send(id);
    }

    /// The answers of the round reach a body: they join those that it has.
    pub(super) fn take_answers(&mut self, id: u32) {
        let numbers = self.calls[id].round.numbers();
        let first = u32::from(self.calls[id].prompts) - numbers.clone().count() as u32;
        for (ask, number) in (first..).zip(numbers) {
            let action = self.fate(id, ask).action.expect("a person who never answers sent an answer");
            self.calls[id].answers.push(Answer { ask: number, action });
        }
    }

    /// The instance that the answers reached knows nothing of them and says so.
    pub(super) fn not_found(&mut self, id: u32) {
        match self.scenario.clients.on_not_found {
            OnNotFound::Wait => {}
            OnNotFound::Fail => self.end(id, Outcome::Failed),
            OnNotFound::Reinitialise => {
                self.let_go(id);
                let call = &mut self.calls[id];
                call.ticket = None;
                call.answers = Answers::NONE;
                call.bound = false;
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
        let asked = matches!(call.stage, Stage::Parked | Stage::AtClient) && call.prompts > 0;
        asked && call.next == Token::NONE
    }

    /// The call ends: whatever is held for it is let go, and it is written down.
    pub(super) fn end(&mut self, id: u32, outcome: Outcome) {
        self.events += 1;
        self.let_go(id);
        self.end_patience(id);
        let call = &mut self.calls[id];
        let good = matches!(outcome, Outcome::Completed | Outcome::Declined | Outcome::Cancelled);
        let record = Record {
            call: call.number,
            arrived: SimTime::from_ns(u64::try_from(call.arrived_ns).unwrap_or(0)),
            ended: self.engine.now(),
            end: End { outcome, cause: call.cause.filter(|_| !good) },
            asked: (call.prompts > 0).then_some(call.asked),
            think_ns: call.action.map(|_| call.think_ns),
            action: call.action,
            amount: call.amount,
            first_instance: instance(call.first),
            last_instance: instance(call.last),
            prompts: u32::from(call.prompts),
            messages: u32::from(call.messages),
            entries: u32::from(call.entries),
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
            let nothing_held = self.calls[id].stage == Stage::AtClient;
            if silent {
                self.calls[id].blame(Cause::PersonSilent);
            }
            self.end(id, if silent && nothing_held { Outcome::Abandoned } else { Outcome::OpenAtEnd });
        }
    }
}

fn question(asks: &InputRequests, arguments: &Arguments) -> String {
    let texts: Vec<String> =
        asks.iter().map(|(ask, _)| format!("{}: {}", ask.key, (ask.request)(arguments).message)).collect();
    format!("shows {}", texts.join(" and "))
}
