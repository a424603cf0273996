//! What an instance does with a call: a thread or a place in line, a body that runs, stops and ends. Whether a stopped
//! body is kept is the design's decision; here it is only read off its slot.

use std::future::Future;
use std::time::Duration;

use super::births;
use super::call::{Held, Stage, instance};
use super::ladder::Rung;
use super::story::Party;
use super::wire::WireKind;
use super::{Event, Observer, Sim};
use crate::engine::Token;
use crate::era::Ticket;
use crate::metrics::{Incident, Outcome};
use crate::tool::{InputRequest, InputRequests, MissingCapability, Polled, Sheet, Stop, ToolResult};
use crate::world::{Capability, Cause, ClientCapabilities, InstanceId, SignIn, Unfinished};

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// The body of a call runs: the kept one goes on where it was, any other starts from the top with every answer that
    /// the call has.
    pub(super) fn run_body(&mut self, id: u32) {
        let call = &mut self.calls[id];
        if call.slot.filled() {
            let again = call.ticket.is_some_and(|ticket| ticket.runs_again());
            if !again {
                if call.ticket.is_some_and(|ticket| !ticket.names_session()) {
                    self.stop_clock(id, Rung::Session);
                }
                return self.step(id);
            }
            self.bodies.reclaim(&mut call.slot);
        }
        if self.era.writes_down() {
            self.asides.note(id).unwritten = None;
        }
        let call = &mut self.calls[id];
        call.stops = 0;
        call.answers.rewind();
        self.bodies.fill(&mut call.slot, self.scenario.tool.body);
        if self.numbers_effects() {
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
                Stop::Post(entry) if self.post(id, entry) => {}
                Stop::Post(_) => return,
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
        let this_request = if brings_answers { kind.declares_on_retry } else { kind.declares };
        self.era.speaks(Some(at), kind.speaks).declared(kind.declares, this_request)
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
        let (now, speaks) = (self.engine.now(), self.kind(id).speaks);
        let call = &mut self.calls[id];
        let at = &self.instances[usize::from(call.at)];
        let ticket = self.era.suspend(&mut call.slot, at, speaks, now);
        if !ticket.names_session() {
            self.spend_after(id);
            if self.reply_is_lost(id) {
                return self.lose_the_reply(id);
            }
            self.note_state(id);
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
        self.calls[id].ticket = Some(ticket);
        if !self.era.writes_down() || self.write_down(id, asks, again) {
            self.question_goes_out(id, asks, again);
        }
    }

    /// The question of a body that was kept or dropped goes out.
    pub(super) fn question_goes_out(&mut self, id: u32, asks: &InputRequests, again: bool) {
        let Some(ticket) = self.calls[id].ticket else { return };
        let carried = self.era.carried_bytes(&ticket, &self.origin(id));
        let call = &mut self.calls[id];
        call.state_bytes += carried;
        let kept = call.slot.filled();
        self.reply_at(id, |sim| sim.asked(id, asks));
        let says = if again { "not finished: " } else { "" };
        if kept && ticket.names_session() {
            self.tell_from(id, Party::Client, || format!("{says}asks, and keeps the call open"));
            self.ask_without_connection(id);
            self.move_to(id, Stage::Parked);
        } else if kept {
            self.tell_from(id, Party::Client, || format!("{says}input_required, and keeps the call under a handle"));
            self.leave_pool(id);
            self.move_to(id, Stage::Kept);
            self.start_clock(id, Rung::Session, self.scenario.fleet.session_idle);
        } else {
            let what = if ticket == Ticket::Stored { "a handle" } else { "signed state" };
            self.tell_from(id, Party::Client, || format!("{says}input_required, with {carried} bytes of {what}"));
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

    pub(super) fn done(&mut self, id: u32, result: Result<ToolResult, MissingCapability>) {
        if self.reaches_nobody(id) {
            return;
        }
        self.spend_after(id);
        if self.reply_is_lost(id) {
            self.remember_result(id, result);
            return self.lose_the_reply(id);
        }
        if let Ok(result) = result {
            self.reply_at(id, |_| WireKind::Done(result));
        }
        let outcome = match result {
            Ok(ToolResult::Submitted) => {
                if self.asides.of(id).ended.is_none() {
                    self.replay(id);
                    if self.leaves_tab_open(id) {
                        return;
                    }
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
        self.leave_pool(id);
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
        let at = InstanceId::from(call.at);
        self.instances[at as usize].open -= 1;
        let address = self.address(at);
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
        let left = std::mem::replace(&mut call.stage, stage);
        let levels = &mut self.levels;
        let works = i32::from(stage == Stage::Working) - i32::from(left == Stage::Working);
        for (level, change) in [
            (&mut levels.working, works),
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
        let kept = i32::from(stage == Stage::Kept) - i32::from(left == Stage::Kept);
        instance.kept = instance.kept.checked_add_signed(kept).expect("kept");
        instance.open = instance.open.checked_add_signed(after.open - before.open).expect("open");
        let grown = match after.parked - before.parked {
            0 => 0,
            1 => {
                instance.parked += 1;
                self.fullest.more(instance.parked - 1)
            }
            _ => {
                instance.parked -= 1;
                self.fullest.less(instance.parked + 1)
            }
        };
        if grown != 0 {
            self.levels.fullest.change(grown, now, &self.window);
        }
        if after.threads < before.threads && instance.in_line + instance.answers_in_line > 0 {
            self.to_serve.push(at);
        }
        if after.parked > before.parked {
            self.grew(at);
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
