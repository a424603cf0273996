//! What an instance does with a call: a thread or a place in line, a body that runs, stops and ends. Whether a stopped
//! body is kept is the design's decision; here it is only read off its slot.

use std::future::Future;
use std::time::Duration;

use super::aside::Consent;
use super::births;
use super::call::{Call, Held, Stage, instance};
use super::ladder::Rung;
use super::story::Party;
use super::wire::WireKind;
use super::{Event, Observer, Sim};
use crate::engine::Token;
use crate::era::Era;
use crate::metrics::{Incident, Outcome};
use crate::scenario::Failure;
use crate::tool::{Entry, InputRequest, InputRequests, MissingCapability, Polled, Sheet, Stop, ToolResult};
use crate::world::{Capability, Cause, ClientCapabilities, InstanceId, SignIn, Unfinished};

impl<E: Era, O: Observer, F> Sim<'_, E, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// A call without a thread enters an instance: it gets one, or waits in line, or is turned away.
    pub(super) fn enter(&mut self, id: u32, at: InstanceId) {
        if !self.has_connections() {
            self.message(id, Party::Balancer, Party::Client, |_| WireKind::NoRoom);
            return self.no_room(id, Cause::SlotsFull);
        }
        let fleet = &self.scenario.fleet;
        let instance = &mut self.instances[at as usize];
        let has_room = fleet.threads.is_none_or(|threads| instance.threads_held < threads);
        self.calls[id].at = at as u16;
        if has_room && instance.in_line + instance.answers_in_line == 0 {
            return self.start(id);
        }
        match fleet.queue {
            Some(places) if instance.in_line >= places => {
                self.reply_from(id, at, |_| WireKind::NoRoom);
                self.no_room(id, if places == 0 { Cause::ThreadsFull } else { Cause::QueueFull });
            }
            _ => {
                instance.line.push_back((id, self.calls[id].number));
                self.move_to(id, Stage::InLine);
            }
        }
    }

    /// Whether the balancer can hold one more open request.
    fn has_connections(&self) -> bool {
        let balancer = &self.scenario.balancer;
        let open = u64::from(self.levels.open.value()) + 1;
        balancer.connections.is_none_or(|all| open * u64::from(balancer.connections_per_call) <= u64::from(all))
    }

    /// The call is turned away.
    fn no_room(&mut self, id: u32, cause: Cause) {
        self.calls[id].blame(cause);
        self.tell(id, Party::Balancer, Party::Client, || format!("turned away: {}", cause.in_words()));
        if !self.try_again(id, Failure::Full) {
            self.end(id, Outcome::Rejected);
        }
    }

    /// Whether what a parked call waited for has to wait for a thread of its instance.
    pub(super) fn answer_waits(&mut self, id: u32) -> bool {
        let fleet = &self.scenario.fleet;
        let instance = &mut self.instances[usize::from(self.calls[id].at)];
        let full = fleet.threads.is_some_and(|threads| instance.threads_held >= threads);
        if !full || fleet.parked_keeps_thread && !fleet.answers_need_thread {
            return false;
        }
        instance.answers_in_line += 1;
        instance.line.push_back((id, self.calls[id].number));
        self.asides.note(id).answer_in_line = true;
        true
    }

    /// The answer to a parked call waits in line no more. Whether it did.
    fn leave_line(&mut self, id: u32) -> bool {
        let waited = self.asides.of(id).answer_in_line;
        if waited {
            self.asides.note(id).answer_in_line = false;
            self.instances[usize::from(self.calls[id].at)].answers_in_line -= 1;
        }
        waited
    }

    /// Gives freed threads to those in line.
    pub(super) fn serve_line(&mut self, at: InstanceId) {
        while let Some(instance) = Some(&mut self.instances[at as usize]).filter(|instance| instance.alive) {
            if self.scenario.fleet.threads.is_some_and(|threads| instance.threads_held >= threads) {
                return;
            }
            let Some((id, number)) = instance.line.pop_front() else { return };
            let Call { number: there, stage, .. } = self.calls[id];
            match stage {
                _ if there != number => {}
                Stage::InLine => self.start(id),
                Stage::Parked if self.leave_line(id) => self.resume_kept(id),
                _ => {}
            }
        }
    }

    /// A body starts from the top, with every answer that the call has.
    fn start(&mut self, id: u32) {
        self.move_to(id, Stage::Working);
        let call = &mut self.calls[id];
        call.stops = 0;
        call.answers.rewind();
        self.bodies.fill(&mut call.slot, self.scenario.tool.body);
        if self.scenario.tool.effects_in_state {
            let aside = self.asides.note(id);
            // A body knows of the effects that its state says are made, and of no others.
            (aside.effects, aside.effects_recorded) = (0, aside.effects_sealed);
        }
        self.version_begins(id);
        self.start_clock(id, Rung::Budget, self.scenario.tool.budget);
        self.step(id);
    }

    /// Runs the body of a call until it needs time, asks or ends.
    pub(super) fn step(&mut self, id: u32) {
        loop {
            match self.poll(id, InstanceId::from(self.calls[id].at)) {
                Stop::Work(duration) => return self.work(id, duration),
                Stop::WorkOf(step) => {
                    let number = self.calls[id].number;
                    let duration = births::step_work(self.scenario, &mut self.streams, number, step);
                    return self.work(id, duration);
                }
                Stop::Ask(asks) => return self.suspend(id, &asks, false),
                Stop::Unfinished(asked) => return self.unfinished(id, asked),
                Stop::Pass(asks) => self.pass(id, &asks),
                Stop::Post(entry) => self.post(id, entry),
                Stop::Done(result) => return self.done(id, result),
            }
        }
    }

    /// Polls the body of a call once, in this process.
    pub(super) fn poll(&mut self, id: u32, at: InstanceId) -> Stop {
        let program = *self.program_at(at);
        let (declared, arguments, granted) = (self.declared(id), self.arguments(id), self.is_granted(id));
        let tool = &self.scenario.tool;
        let call = &mut self.calls[id];
        let sheet = Sheet {
            declared,
            unable: tool.unable,
            arguments,
            work_before: call.work_before(),
            work_after: call.work_after(),
            program,
            finder: self.finder,
            granted,
        };
        let Polled { stop, misapplied } = self.bodies.step(&mut call.slot, &sheet, &mut call.answers);
        if misapplied != 0 {
            self.note_misapplied(id, misapplied);
        }
        stop
    }

    /// What the client declared, as far as it counts now.
    fn declared(&self, id: u32) -> ClientCapabilities {
        let kind = self.kind(id);
        let brings_answers = self.calls[id].ticket.is_some();
        let at = &self.instances[usize::from(self.calls[id].at)];
        self.era.declared(at, kind.declares, if brings_answers { kind.declares_on_retry } else { kind.declares })
    }

    /// A body has stopped at its next place. Whether another run of it has been there before.
    pub(super) fn stops_again(&mut self, id: u32) -> bool {
        let call = &mut self.calls[id];
        let again = call.stops < call.stops_seen;
        call.stops = call.stops.saturating_add(1);
        call.stops_seen = call.stops_seen.max(call.stops);
        again
    }

    fn work(&mut self, id: u32, duration: Duration) {
        if self.stops_again(id) {
            self.calls[id].repeated_ns += duration.as_nanos() as u64;
        }
        self.calls[id].next = self.after(duration, Event::Worked(id));
    }

    /// A body makes an effect, unless it is recorded as made.
    fn post(&mut self, id: u32, entry: Entry) {
        let again = self.stops_again(id);
        if self.scenario.tool.effects_in_state {
            let aside = self.asides.note(id);
            aside.effects += 1;
            if aside.effects <= aside.effects_recorded {
                return self.tell_at(id, || "has this effect recorded as made".to_owned());
            }
            aside.effects_recorded = aside.effects;
        }
        self.calls[id].entries += 1;
        if self.asides.of(id).ended.is_some() {
            self.asides.note(id).incidents.note(Incident::LateEntry);
        }
        if again {
            self.asides.note(id).entries_again += 1;
        }
        let aside = self.asides.of(id);
        if matches!(aside.consent, Consent::Claimed | Consent::Waived) || aside.runs_on_misapplied {
            self.asides.note(id).entries_unconfirmed += 1;
        }
        let ledgers = &self.scenario.tool.definition.ledgers;
        self.tell_from(id, Party::Ledger, || entered(&entry, ledgers));
    }

    /// A body awaits its page: its server holds it, or asks again.
    fn unfinished(&mut self, id: u32, asked: InputRequest) {
        self.asides.note(id).incidents.note(Incident::NotFinished);
        match self.scenario.links.unfinished {
            Unfinished::Block => self.block(id),
            Unfinished::Poll(_) | Unfinished::Manual | Unfinished::Notify => {
                // By a form instead it is a question of its own, with an answer of its own.
                let again = asked.sent_as == self.scenario.tool.definition.ask(asked.ask).needs;
                self.suspend(id, &InputRequests::one(asked), again);
            }
        }
    }

    /// A body has stopped to ask, perhaps again for what was accepted before: the design keeps it or drops it, and the
    /// question goes out.
    pub(super) fn suspend(&mut self, id: u32, asks: &InputRequests, again: bool) {
        if self.refuses_to_send(id, asks) {
            return;
        }
        self.note_version_of(id, asks);
        self.mint_links(id, asks, again);
        if self.scenario.tool.effects_in_state {
            let aside = self.asides.note(id);
            aside.effects_sealed = aside.effects_recorded;
        }
        if self.asides.of(id).served_at.is_some() {
            self.asides.note(id).served_at = None;
        }
        if self.may_be_sent_again() {
            let asker = self.calls[id].at;
            let aside = self.asides.note(id);
            (aside.asker, aside.before_taking) = (Some(asker), None);
        }
        let now = self.engine.now();
        let call = &mut self.calls[id];
        let at = &self.instances[usize::from(call.at)];
        let ticket = self.era.suspend(&mut call.slot, at, now);
        call.ticket = Some(ticket);
        let carried = self.era.carried_bytes(&ticket, &self.origin(id));
        let call = &mut self.calls[id];
        call.state_bytes += carried;
        self.reply_at(id, |sim| sim.asked(id, asks));
        let says = if again { "not finished: " } else { "" };
        if self.calls[id].slot.filled() {
            self.tell_from(id, Party::Client, || format!("{says}asks, and keeps the call open"));
            self.move_to(id, Stage::Parked);
        } else {
            self.tell_from(id, Party::Client, || format!("{says}input_required, with {carried} bytes of signed state"));
            self.let_go(id);
        }
        self.ask(id, asks);
    }

    /// What the server notes of a round with a link in it: a new sign-in behind it, unless its page is open.
    fn mint_links(&mut self, id: u32, asks: &InputRequests, again: bool) {
        if again != self.asides.of(id).asks_again {
            self.asides.note(id).asks_again = again;
        }
        if !self.asides.of(id).page_is_open && asks.iter().any(|asked| asked.sent_as == Capability::Url) {
            let at = &self.instances[usize::from(self.calls[id].at)];
            let sign_in = SignIn::begin(at, self.engine.now(), self.scenario.links.life);
            self.asides.note(id).sign_in = Some(sign_in);
        }
    }

    /// The last look before anything is sent: what was not declared never goes out, and no form that is none.
    fn refuses_to_send(&mut self, id: u32, asks: &InputRequests) -> bool {
        let declared = self.declared(id);
        assert!(asks.iter().all(|asked| declared.has(asked.sent_as)), "an ask went past the gate");
        let forms = asks.iter().filter(|asked| asked.sent_as == Capability::Form);
        let illegal = |ask: u8| self.questions[usize::from(ask)].legal.as_ref().err().cloned();
        let Some(reasons) = forms.filter_map(|asked| illegal(asked.ask)).next() else { return false };
        self.calls[id].blame(Cause::IllegalForm);
        if self.reaches_nobody(id) {
            return true;
        }
        self.reply_at(id, |_| WireKind::IllegalForm);
        self.tell_from(id, Party::Client, || format!("error: its own form may not be sent: {reasons}"));
        self.end(id, Outcome::Failed);
        true
    }

    fn done(&mut self, id: u32, result: Result<ToolResult, MissingCapability>) {
        if self.reaches_nobody(id) {
            return;
        }
        if let Ok(result) = result {
            self.reply_at(id, |_| WireKind::Done(result));
        }
        let outcome = match result {
            Ok(ToolResult::Submitted) => {
                if self.asides.of(id).ended.is_none() {
                    self.replay(id);
                }
                Outcome::Completed
            }
            Ok(ToolResult::Declined) => Outcome::Declined,
            Ok(ToolResult::Cancelled) => Outcome::Cancelled,
            Err(MissingCapability { needed }) => return self.cannot_ask(id, needed),
        };
        self.end(id, outcome);
    }

    /// Whether the server is through with a call whose connection was cut without its client noticing: what it has to
    /// say reaches nobody, and the client waits on.
    pub(super) fn reaches_nobody(&mut self, id: u32) -> bool {
        let cut = self.calls[id].cut && self.asides.of(id).ended.is_none();
        if cut {
            self.tell_at(id, || "is through, and has no connection to say so".to_owned());
            self.stop_waiting(id);
            self.let_go(id);
        }
        cut
    }

    /// Nothing is held for the call any more: its body is dropped, its thread, its place in line and its request are
    /// free, and nothing that it waited for will be heeded.
    pub(super) fn let_go(&mut self, id: u32) {
        self.leave_line(id);
        let call = &mut self.calls[id];
        call.next = Token::NONE;
        self.bodies.reclaim(&mut call.slot);
        self.move_to(id, Stage::AtClient);
    }

    /// The connection of the open request is gone, and the server goes on with it.
    pub(super) fn close_connection(&mut self, id: u32) {
        let call = &mut self.calls[id];
        if call.cut || call.stage.held().open == 0 {
            return;
        }
        call.cut = true;
        let address = self.address(InstanceId::from(self.calls[id].at));
        self.balancer.closed(address);
        if self.sites.any_goes() {
            self.sites.may_go.push(address);
        }
        self.levels.open.change(-1, self.engine.now(), &self.window);
        self.stop_clock(id, Rung::Silence);
    }

    /// Moves a call from stage to stage: the only place where levels change.
    pub(super) fn move_to(&mut self, id: u32, stage: Stage) {
        let now = self.engine.now();
        let call = &mut self.calls[id];
        let (cut, keeps_thread) = (call.cut, self.scenario.fleet.parked_keeps_thread);
        let held = |stage: Stage| {
            let held = stage.held();
            let threads = if stage == Stage::Parked && !keeps_thread { 0 } else { held.threads };
            Held { threads, open: if cut { 0 } else { held.open }, ..held }
        };
        let (before, after) = (held(call.stage), held(stage));
        // Entered with minus its beginning, left with plus its end.
        match after.parked - before.parked {
            1 => call.parked_ns = call.parked_ns.wrapping_sub(now.ns()),
            -1 => call.parked_ns = call.parked_ns.wrapping_add(now.ns()),
            _ => {}
        }
        if let Some(scaler) = &mut self.scaler {
            scaler.moves(call.stage, stage, now);
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
        let is_held = stage.held().open == 1;
        if cut && !is_held {
            self.calls[id].cut = false;
        }
        let call = &self.calls[id];
        let Some(at) = instance(call.at) else { return };
        let instance = &mut self.instances[at as usize];
        instance.threads_held = instance.threads_held.checked_add_signed(after.threads - before.threads).expect("held");
        instance.in_line = instance.in_line.checked_add_signed(after.queue - before.queue).expect("in line");
        if after.threads < before.threads && instance.in_line + instance.answers_in_line > 0 {
            self.to_serve.push(at);
        }
        match after.open - before.open {
            1 => self.balancer.opened(self.address(at)),
            -1 => self.balancer.closed(self.address(at)),
            _ => {}
        }
        if self.sites.any_goes() && !is_held {
            self.sites.may_go.push(self.address(at));
        }
        if self.ladder.is_there() {
            self.clocks_follow(id, after.open - before.open, after.parked - before.parked, is_held);
        }
    }
}

pub(super) fn entered(entry: &Entry, ledgers: &[String]) -> String {
    format!("enters {} into ledger {}", entry.amount, ledgers[usize::from(entry.ledger)])
}
