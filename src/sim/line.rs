//! The waiting line of an instance, and who is served from it: a thread at once, a place in line, or neither. Must never
//! look at what a body does.

use std::future::Future;
use std::time::Duration;

use super::call::{Call, Stage};
use super::ladder::Rung;
use super::story::Party;
use super::wire::WireKind;
use super::{Event, Observer, Sim};
use crate::engine::duration_from_secs;
use crate::metrics::Outcome;
use crate::random::Kind;
use crate::scenario::Failure;
use crate::tool::{MissingCapability, ToolResult};
use crate::world::{Cause, InstanceId, Revision};

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// A call without a thread enters an instance: it gets one, or waits in line, or is turned away.
    pub(super) fn enter(&mut self, id: u32, at: InstanceId) {
        if !self.has_connections() {
            self.message(id, Party::Balancer, Party::Client, |_| WireKind::NoRoom);
            return self.no_room(id, Cause::SlotsFull);
        }
        if !self.has_descriptors(at) {
            self.calls[id].at = at as u16;
            self.reply_from(id, at, |_| WireKind::NoRoom);
            return self.no_room(id, Cause::DescriptorsFull);
        }
        let (fleet, now) = (&self.scenario.fleet, self.engine.now());
        let instance = &mut self.instances[at as usize];
        let has_room = fleet.threads.is_none_or(|threads| instance.threads_held < threads);
        self.calls[id].at = at as u16;
        if has_room && instance.in_line + instance.answers_in_line == 0 {
            self.fold.line(now, Duration::ZERO);
            return self.serve(id);
        }
        match fleet.queue {
            Some(places) if instance.in_line >= places => {
                self.reply_from(id, at, |_| WireKind::NoRoom);
                self.no_room(id, if places == 0 { Cause::ThreadsFull } else { Cause::QueueFull });
            }
            _ => {
                instance.line.push_back((id, self.calls[id].number));
                self.move_to(id, Stage::InLine);
                self.wait_in_line(id);
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
    pub(super) fn no_room(&mut self, id: u32, cause: Cause) {
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
    pub(super) fn leave_line(&mut self, id: u32) -> bool {
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
                Stage::InLine => self.serve(id),
                Stage::Parked if self.leave_line(id) => self.resume_kept(id),
                _ => {}
            }
        }
    }

    /// A call has a place in line: from now on it waits, as long as it bears.
    fn wait_in_line(&mut self, id: u32) {
        let now = self.engine.now();
        self.asides.note(id).waits_since = Some(now);
        let Some(bears) = &self.scenario.fleet.queue_timeout else { return };
        let visit = self.visit(id);
        let span = bears.sample(&mut self.streams.words_of(Kind::Line, visit << 1)).map(duration_from_secs);
        self.start_clock(id, Rung::Line, span);
    }

    /// A call has waited longer in line than it bears.
    pub(super) fn tired_of_line(&mut self, id: u32) {
        if self.calls[id].stage == Stage::InLine {
            self.reply_at(id, |_| WireKind::NoRoom);
            self.no_room(id, Cause::QueueTimeout);
        }
    }

    /// A number of its own for each request of a call that an instance serves.
    fn visit(&self, id: u32) -> u64 {
        let call = &self.calls[id];
        u64::from(call.number) << 16 | u64::from(call.messages)
    }

    /// A call has its thread: the request is served, then its body runs.
    pub(super) fn serve(&mut self, id: u32) {
        if self.calls[id].stage == Stage::InLine {
            let now = self.engine.now();
            if let Some(since) = self.asides.note(id).waits_since.take() {
                self.fold.line(now, now.since(since));
            }
            self.stop_clock(id, Rung::Line);
        }
        self.move_to(id, Stage::Working);
        let envelope = self.scenario.state.work;
        if self.scenario.fleet.request_work.is_none() && envelope.is_zero() {
            return self.connect(id);
        }
        let visit = self.visit(id);
        let work = self.scenario.fleet.request_work.as_ref();
        let work = work.and_then(|work| work.sample(&mut self.streams.words_of(Kind::Line, visit << 1 | 1)));
        let read = work.map_or(Duration::ZERO, duration_from_secs);
        let is_modern = self.spoken(id) == Some(Revision::Modern);
        let takes = if is_modern { read.saturating_add(envelope) } else { read };
        self.asides.note(id).reads_request = true;
        self.calls[id].next = self.after(takes, Event::Worked(id));
    }
}
