//! The shared store as a run has it: whether it answers, what it has forgotten, and how long an answer or an ask waits
//! for it. Must never know who asks: that is for the design.

use std::future::Future;
use std::time::Duration;

use super::agenda::Turn;
use super::aside::Aside;
use super::story::Party;
use super::wire::WireKind;
use super::{Event, Observer, Sim};
use crate::engine::{SimTime, duration_from_secs};
use crate::era::Ticket;
use crate::metrics::Outcome;
use crate::random::Kind;
use crate::scenario::{Fault, StoreRetries};
use crate::tool::{InputRequests, MissingCapability, ToolResult};
use crate::world::{Cause, Found, Owner};

/// Whether the store answers, and since when it has kept what it keeps.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StoreState {
    /// Until when it cannot be asked.
    pub down_until: SimTime,
    /// When its last outage began.
    pub failed: Option<SimTime>,
    /// Crashes so far, of all faults.
    crashes: u32,
}

/// An ask that waits until it is written down.
pub(super) type Unwritten = (InputRequests, bool);

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// Whether the shared store can be asked.
    pub(super) fn store_is_up(&self) -> bool {
        self.engine.now() >= self.store.down_until
    }

    /// The store does not answer for so long, from now on.
    pub(super) fn store_fails(&mut self, lasts: Duration) {
        let now = self.now();
        self.store.down_until = self.store.down_until.max(now.saturating_add(lasts));
        self.store.failed = Some(now);
    }

    /// How long the store is up before its next crash by this fault, and how long it is down then.
    fn next_store_crash(&mut self, place: u32) -> (Duration, Duration) {
        let Fault::StoreCrash { mtbf, repair } = &self.scenario.faults[place as usize] else {
            unreachable!("only a crash of the store is planned as one")
        };
        let mut words = self.streams.words_of(Kind::Store, u64::from(place) << 32 | u64::from(self.store.crashes));
        let [life, repair] = [mtbf, repair].map(|of| of.sample(&mut words).map_or(Duration::MAX, duration_from_secs));
        (life, repair)
    }

    /// The next crash of the store by this fault, counted from when it is up.
    pub(super) fn schedule_store_crash(&mut self, place: u32, up_since: SimTime) {
        let at = up_since.saturating_add(self.next_store_crash(place).0);
        if at <= self.scenario.run.horizon {
            self.plan(at, Turn::StoreCrash(place));
        }
    }

    /// The store crashes, and comes back after its repair.
    pub(super) fn store_crashes(&mut self, place: u32) {
        let (_, repair) = self.next_store_crash(place);
        self.store.crashes += 1;
        self.store_fails(repair);
        self.schedule_store_crash(place, self.store.down_until);
    }

    /// How long one use of the store takes that begins now; none while it is down and nobody waits for it.
    fn store_takes(&self, waits: bool) -> Option<Duration> {
        let latency = self.scenario.store.latency;
        let until_up = self.store.down_until.since(self.engine.now().min(self.store.down_until));
        match self.store_is_up() {
            true => Some(latency),
            false => waits.then(|| until_up.saturating_add(latency)),
        }
    }

    /// A call that asks is written down before its question goes out. Whether it may go out now.
    pub(super) fn write_down(&mut self, id: u32, asks: &InputRequests, again: bool) -> bool {
        match self.store_takes(self.scenario.store.retries == StoreRetries::Both) {
            Some(Duration::ZERO) => self.asides.note(id).written = Some(self.engine.now()),
            Some(takes) => {
                self.asides.note(id).unwritten = Some((*asks, again));
                self.calls[id].next = self.after(takes, Event::Worked(id));
                return false;
            }
            None if self.scenario.store.outage_opens => self.asides.note(id).written = None,
            None => {
                self.calls[id].blame(Cause::StoreDown);
                if !self.reaches_nobody(id) {
                    self.reply_at(id, |_| WireKind::ServerTimeout);
                    self.tell_from(id, Party::Client, || "error: the store is down, the call cannot ask".to_owned());
                    self.end(id, Outcome::Failed);
                }
                return false;
            }
        }
        true
    }

    /// A thread has done what it was at: the request is read, the call is written down, or the body goes on.
    pub(super) fn worked(&mut self, id: u32) {
        let &Aside { unwritten, reads_request, .. } = self.asides.of(id);
        if reads_request {
            self.asides.note(id).reads_request = false;
            return self.connect(id);
        }
        let Some((asks, again)) = unwritten else { return self.step(id) };
        let aside = self.asides.note(id);
        (aside.unwritten, aside.written) = (None, Some(self.engine.now()));
        self.question_goes_out(id, &asks, again);
    }

    /// How long answers with this ticket wait for the store to be looked up; none if it says nothing.
    pub(super) fn look_up_takes(&self) -> Option<Duration> {
        self.store_takes(self.scenario.store.retries != StoreRetries::None)
    }

    /// What the store says of a call.
    pub(super) fn found(&self, id: u32) -> Found {
        if !self.store_is_up() {
            return Found::Down;
        }
        let forgotten =
            |written: SimTime| self.scenario.store.forgets && self.store.failed.is_some_and(|failed| written <= failed);
        match self.asides.of(id).written {
            Some(written) if !forgotten(written) => Found::Kept,
            _ => Found::Nothing,
        }
    }

    /// What becomes of what is passed on to the process that keeps a call.
    pub(super) fn owner(&self, ticket: &Ticket) -> Owner {
        let Some((at, life)) = ticket.home() else { return Owner::Forgotten };
        let process = &self.instances[at as usize];
        if process.alive && process.life == life {
            return if process.deaf { Owner::Silent } else { Owner::Alive };
        }
        match process.named_until.get(life as usize) {
            Some(&until) if self.engine.now() <= until => Owner::Silent,
            _ => Owner::Forgotten,
        }
    }

    /// Until when the store names a process that dies now: its life, counted from its last sign of life.
    pub(super) fn named_until(&self, started: SimTime) -> SimTime {
        let store = &self.scenario.store;
        let lived = self.engine.now().since(started).as_nanos();
        let since_sign = Duration::from_nanos((lived % store.heartbeat.as_nanos()) as u64);
        self.engine.now().saturating_add(store.owner_ttl.saturating_sub(since_sign))
    }
}
