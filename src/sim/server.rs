//! The way of a message through the balancer, and what an instance does with it: a thread or a place in line, a body that
//! runs, stops and ends. Whether a stopped body is kept is the design's decision; here it is only read off its slot.

use std::future::Future;
use std::time::Duration;

use super::call::{Stage, instance};
use super::story::Party;
use super::{Event, Observer, Sim};
use crate::engine::Token;
use crate::era::{Era, Origin, Resume};
use crate::metrics::Outcome;
use crate::random::Purpose;
use crate::tool::{Arguments, InputRequests, MissingCapability, Sheet, Stop, ToolResult};
use crate::world::{Cause, InstanceId};

impl<E: Era, O: Observer, F> Sim<'_, E, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// Sends the call's first message through the balancer, with the word drawn for its pick.
    pub(super) fn send_first(&mut self, id: u32, pick: u32) {
        self.send_drawing(id, Some(pick));
    }

    /// Sends a later message of the call through the balancer.
    pub(super) fn send(&mut self, id: u32) {
        let pick = (self.calls[id].messages == 1).then_some(self.calls[id].pick);
        self.send_drawing(id, pick);
    }

    fn send_drawing(&mut self, id: u32, pick: Option<u32>) {
        let Some(to) = self.route(id, pick) else {
            self.calls[id].blame(Cause::Crash);
            self.tell(id, Party::Balancer, Party::Client, || "503: no instance accepts the message".to_owned());
            return self.end(id, Outcome::Failed);
        };
        let call = &mut self.calls[id];
        let place = u16::try_from(to).expect("a fleet has at most 65,535 instances");
        if instance(call.first).is_none() {
            call.first = place;
        }
        call.last = place;
        call.bound = self.scenario.balancer.sticky;
        self.deliver(id, to);
    }

    /// The instance that the call's next message reaches; `None` when none accepts it.
    /// `pick` is the word for the balancer's pick where the call's lane has one.
    fn route(&mut self, id: u32, pick: Option<u32>) -> Option<InstanceId> {
        let call = &mut self.calls[id];
        let message = u32::from(call.messages);
        call.messages += 1;
        let home = instance(call.last).filter(|_| call.bound);
        let bound = home.filter(|&home| self.balancer.in_rotation(home));
        let number = u64::from(call.number);
        let first = match bound {
            Some(home) => home,
            None => self.balancer.pick(|| match pick {
                Some(word) => u64::from(word) << 32,
                None => self.streams.more(number, Purpose::Pick, message),
            })?,
        };
        if self.instances[first as usize].alive {
            return Some(first);
        }
        self.tell(id, Party::Balancer, Party::Instance(first), || "connection refused".to_owned());
        if !self.scenario.balancer.redispatch {
            return None;
        }
        let instances = &self.instances;
        let accepts = |id: InstanceId| instances[id as usize].alive;
        self.balancer.pick_again(accepts, || self.streams.more(number, Purpose::Redispatch, message))
    }

    /// A message has reached an instance.
    fn deliver(&mut self, id: u32, to: InstanceId) {
        let Some(ticket) = self.calls[id].ticket else {
            self.tell(id, Party::Balancer, Party::Instance(to), || "a new call".to_owned());
            return self.enter(id, to);
        };
        let at = &self.instances[to as usize];
        let resume = self.era.resume(&ticket, at, &self.origin(id), self.engine.now());
        self.calls[id].state_bytes += self.era.carried_bytes(&self.origin(id));
        self.tell(id, Party::Balancer, Party::Instance(to), || format!("the answer: {}", in_words(resume)));
        match resume {
            Resume::Run => {
                self.take_answers(id);
                if self.calls[id].slot.filled() {
                    self.move_to(id, Stage::Working);
                    self.step(id);
                } else {
                    self.enter(id, to);
                }
            }
            Resume::Swallowed => self.calls[id].blame(Cause::Misrouted),
            Resume::NotFound => {
                self.calls[id].blame(Cause::Misrouted);
                self.not_found(id);
            }
            Resume::Refused(cause) => {
                self.calls[id].blame(cause);
                self.end(id, Outcome::Refused);
            }
        }
    }

    fn origin(&self, id: u32) -> Origin<'_> {
        let call = &self.calls[id];
        let arguments = Arguments { amount: call.amount };
        Origin { call: call.number, body: self.scenario.tool.body, arguments, answers: &call.answers }
    }

    /// A call without a thread enters an instance: it gets one, or waits in line, or is turned away.
    fn enter(&mut self, id: u32, at: InstanceId) {
        let fleet = &self.scenario.fleet;
        let instance = &mut self.instances[at as usize];
        let has_room = fleet.threads.is_none_or(|threads| instance.threads_held < threads);
        self.calls[id].at = at as u16;
        if has_room && instance.in_line == 0 {
            return self.start(id);
        }
        match fleet.queue {
            Some(places) if instance.in_line >= places => {
                self.calls[id].blame(if places == 0 { Cause::ThreadsFull } else { Cause::QueueFull });
                self.end(id, Outcome::Rejected);
            }
            _ => {
                instance.line.push_back((id, self.calls[id].number));
                self.move_to(id, Stage::InLine);
            }
        }
    }

    /// Gives freed threads to those in line.
    pub(super) fn serve_line(&mut self, at: InstanceId) {
        while let Some(instance) = Some(&mut self.instances[at as usize]).filter(|instance| instance.alive) {
            if self.scenario.fleet.threads.is_some_and(|threads| instance.threads_held >= threads) {
                return;
            }
            let Some((id, number)) = instance.line.pop_front() else { return };
            let call = &self.calls[id];
            if call.number == number && call.stage == Stage::InLine {
                self.start(id);
            }
        }
    }

    /// A body starts from the top, with every answer that the call has.
    fn start(&mut self, id: u32) {
        self.move_to(id, Stage::Working);
        let call = &mut self.calls[id];
        call.segment = 0;
        call.answers.rewind();
        self.bodies.fill(&mut call.slot, self.scenario.tool.body);
        self.step(id);
    }

    /// Runs the body of a call until it needs time, asks or ends.
    pub(super) fn step(&mut self, id: u32) {
        loop {
            match self.poll(id) {
                Stop::Work(duration) => return self.work(id, duration),
                Stop::Ask(asks) => return self.suspend(id, &asks),
                Stop::Post(entry) => {
                    self.calls[id].entries += 1;
                    self.tell_from(id, Party::Ledger, || {
                        format!("enters {} into ledger {}", entry.amount, entry.ledger.name)
                    });
                }
                Stop::Done(result) => return self.done(id, result),
            }
        }
    }

    /// Polls the body of a call once.
    pub(super) fn poll(&mut self, id: u32) -> Stop {
        let call = &mut self.calls[id];
        let sheet = Sheet {
            can_ask: self.scenario.clients.elicitation,
            arguments: Arguments { amount: call.amount },
            work_before: call.work_before(),
            work_after: call.work_after(),
        };
        self.bodies.step(&mut call.slot, &sheet, &mut call.answers)
    }

    fn work(&mut self, id: u32, duration: Duration) {
        let call = &mut self.calls[id];
        if call.segment < call.segments_seen {
            call.repeated_ns += duration.as_nanos() as u64;
        } else {
            call.segments_seen += 1;
        }
        call.segment += 1;
        self.calls[id].next = self.after(duration, Event::Worked(id));
    }

    /// A body has stopped to ask: the design keeps it or drops it, and the question goes out.
    pub(super) fn suspend(&mut self, id: u32, asks: &InputRequests) {
        let now = self.engine.now();
        let call = &mut self.calls[id];
        let at = &self.instances[usize::from(call.at)];
        call.ticket = Some(self.era.suspend(&mut call.slot, at, now));
        let carried = self.era.carried_bytes(&self.origin(id));
        let call = &mut self.calls[id];
        call.state_bytes += carried;
        call.asked = now;
        if call.slot.filled() {
            self.tell_from(id, Party::Client, || "asks, and keeps the call open".to_owned());
            self.move_to(id, Stage::Parked);
        } else {
            self.tell_from(id, Party::Client, || format!("input_required, with {carried} bytes of signed state"));
            self.let_go(id);
        }
        self.ask(id, asks);
    }

    fn done(&mut self, id: u32, result: Result<ToolResult, MissingCapability>) {
        let outcome = match result {
            Ok(ToolResult::Submitted) => Outcome::Completed,
            Ok(ToolResult::Declined) => Outcome::Declined,
            Ok(ToolResult::Cancelled) => Outcome::Cancelled,
            Err(MissingCapability) => {
                self.calls[id].blame(Cause::Capability);
                Outcome::Unsupported
            }
        };
        self.end(id, outcome);
    }

    /// Nothing is held for the call any more: its body is dropped, its thread, its place in line and its request are
    /// free, and nothing that it waited for will be heeded.
    pub(super) fn let_go(&mut self, id: u32) {
        let call = &mut self.calls[id];
        call.next = Token::NONE;
        self.bodies.reclaim(&mut call.slot);
        self.move_to(id, Stage::AtClient);
    }

    /// Moves a call from stage to stage: the only place where levels change.
    pub(super) fn move_to(&mut self, id: u32, stage: Stage) {
        let now = self.engine.now();
        let call = &mut self.calls[id];
        let (before, after) = (call.stage.held(), stage.held());
        if call.stage == Stage::Parked {
            call.parked_ns += now.ns() - call.asked.ns();
        }
        call.stage = stage;
        let levels = &mut self.levels;
        for (level, change) in [
            (&mut levels.parked, after.parked - before.parked),
            (&mut levels.threads_held, after.threads - before.threads),
            (&mut levels.queue, after.queue - before.queue),
            (&mut levels.open, after.open - before.open),
        ] {
            if change != 0 {
                level.change(change, now, &self.window);
            }
        }
        let Some(at) = instance(call.at) else { return };
        let instance = &mut self.instances[at as usize];
        instance.threads_held = instance.threads_held.checked_add_signed(after.threads - before.threads).expect("held");
        instance.in_line = instance.in_line.checked_add_signed(after.queue - before.queue).expect("in line");
        if after.threads < before.threads && instance.in_line > 0 {
            self.to_serve.push(at);
        }
        match after.open - before.open {
            1 => self.balancer.opened(at),
            -1 => self.balancer.closed(at),
            _ => {}
        }
    }
}

fn in_words(resume: Resume) -> String {
    match resume {
        Resume::Run => "taken".to_owned(),
        Resume::Swallowed => "202, and dropped: this instance does not hold the call".to_owned(),
        Resume::NotFound => "404: this instance does not hold the call".to_owned(),
        Resume::Refused(cause) => format!("refused, {}", cause.in_words()),
    }
}
