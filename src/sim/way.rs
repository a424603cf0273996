//! The way of one message to a process: over the connection of the message before, to what binds it, or wherever the
//! balancer picks. Must never look at what a message says.

use std::future::Future;

use super::births;
use super::call::instance;
use super::story::Party;
use super::{Observer, Sim};
use crate::engine::{SimTime, duration_from_secs};
use crate::era::Lifecycle;
use crate::random::{Kind, Lane, Purpose, Streams, place, unit};
use crate::scenario::{Arrivals, HashBy, Policy, Scenario, Stickiness};
use crate::tool::{MissingCapability, ToolResult};
use crate::world::{Draw, Instance, InstanceId};

/// What a message is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Errand {
    /// The handshake, or the end of a session.
    Lifecycle(Lifecycle),
    /// `tools/call`, for the first time or again from the top.
    Call,
    /// Answers of a round.
    Answers,
    /// A cancel.
    Cancel,
}

/// Requests beside the calls that move the counters of the balancer: a Poisson process, brought up to now before a
/// counter is looked at.
#[derive(Debug)]
pub(super) struct Background {
    per_s: f64,
    next: SimTime,
    number: u64,
    lane: Lane,
}

impl Background {
    pub(super) fn new(scenario: &Scenario, streams: &mut Streams) -> Background {
        let lane = streams.lane(Kind::Background, 0);
        let mut background =
            Background { per_s: scenario.balancer.background_per_s, next: SimTime::MAX, number: 0, lane };
        if background.per_s > 0.0 {
            background.next = SimTime::ZERO;
            background.wait();
        }
        background
    }

    fn wait(&mut self) {
        let gap = -libm::log(unit(self.lane[0])) / self.per_s;
        self.next = self.next.saturating_add(duration_from_secs(gap));
    }

    /// The word of the next request that came up to now, if one did.
    fn up_to(&mut self, now: SimTime, streams: &mut Streams) -> Option<u64> {
        if self.next > now {
            return None;
        }
        let word = self.lane[1];
        self.number += 1;
        self.lane = streams.lane(Kind::Background, self.number);
        self.wait();
        Some(word)
    }
}

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// The process that the call's next message reaches; `None` when none accepts it. `pick` is the word for the
    /// balancer's pick where the caller has it at hand.
    pub(super) fn route(&mut self, id: u32, errand: Errand, pick: Option<u32>) -> Option<InstanceId> {
        let call = &mut self.calls[id];
        let (number, message) = (u64::from(call.number), u32::from(call.messages));
        call.messages += 1;
        if message > 0 && errand != Errand::Answers {
            self.asides.note(id).others += 1;
        }
        let words = match self.draws_by_message {
            true => self.streams.lane(Kind::Message, number << 16 | u64::from(message)),
            false => [0; 8],
        };
        let to = match self.open_connection(id, &words) {
            Some(to) => to,
            None => self.through_balancer(id, errand, pick, &words)?,
        };
        self.reached(id, to);
        Some(to)
    }

    /// The process to which the balancer takes the call's latest message.
    fn through_balancer(&mut self, id: u32, errand: Errand, pick: Option<u32>, words: &Lane) -> Option<InstanceId> {
        self.catch_up();
        let key = self.hash_key(id);
        let bound = self.bound_to(id);
        let first = match self.recorded(id, errand).or(bound) {
            Some(home) => home,
            None => self.pick_for(id, key, pick, words)?,
        };
        let is_bound = bound == Some(first) || self.holds(first, id);
        if !self.takes(first, is_bound) {
            let refuses = Party::Instance(self.first_worker(first));
            self.tell(id, Party::Balancer, refuses, || "connection refused".to_owned());
        }
        let call = &self.calls[id];
        let (number, message) = (u64::from(call.number), u32::from(call.messages) - 1);
        let again = |streams: &mut Streams| streams.more(number, Purpose::Redispatch, message);
        let address = self.accepting(first, is_bound, key, again, words[1])?;
        Some(self.worker(address, words[0]))
    }

    /// The process at the other end of the connection that the client has open, if it sends the message over that.
    fn open_connection(&self, id: u32, words: &Lane) -> Option<InstanceId> {
        let reuse = self.scenario.clients.reuse;
        if reuse == 0.0 || unit(words[2]) >= reuse {
            return None;
        }
        let (last, life) = self.asides.of(id).connected_to?;
        let process = &self.instances[last as usize];
        (process.alive && process.life == life).then_some(last)
    }

    /// The address that stickiness binds the call to, while it is in the rotation or drains.
    fn bound_to(&mut self, id: u32) -> Option<InstanceId> {
        let call = &self.calls[id];
        if self.scenario.balancer.stickiness == Stickiness::None {
            return None;
        }
        let last = instance(call.last)?;
        let aside = self.asides.of(id);
        if aside.unbound || aside.bound_until.is_some_and(|until| self.now() > until) || self.goes_round(id) {
            return None;
        }
        let home = self.address(last);
        let drains = || self.scenario.balancer.drains && self.sites.exit(home).is_some();
        (self.balancer.in_rotation(home) || drains()).then_some(home)
    }

    /// Whether an address holds the call.
    fn holds(&self, address: InstanceId, id: u32) -> bool {
        self.is_held(id) && instance(self.calls[id].at).is_some_and(|at| self.address(at) == address)
    }

    /// The address that the balancer picks for a message of the call.
    fn pick_for(&mut self, id: u32, key: Option<u64>, pick: Option<u32>, words: &Lane) -> Option<InstanceId> {
        let call = &self.calls[id];
        let (number, message) = (u64::from(call.number), u32::from(call.messages) - 1);
        let second = call.pick;
        let half = match message {
            0 => Some(pick.unwrap_or_else(|| births::first_pick(&mut self.streams, call.number))),
            1 => Some(second),
            _ => None,
        };
        // Half a word is not enough to draw two addresses.
        let half = half.filter(|_| self.scenario.balancer.policy != Policy::TwoChoices);
        let replica = self.replica(words[1]);
        let streams = &mut self.streams;
        let word = || match half {
            Some(half) => u64::from(half) << 32,
            None => streams.more(number, Purpose::Pick, message),
        };
        self.balancer.pick(Draw { key, replica, word })
    }

    /// Where the recorded call went with such a message.
    fn recorded(&self, id: u32, errand: Errand) -> Option<InstanceId> {
        let (Policy::Recorded, Arrivals::Trace(rows)) = (self.scenario.balancer.policy, &self.scenario.arrivals) else {
            return None;
        };
        let route = rows[self.calls[id].number as usize].route;
        let recorded = match errand {
            Errand::Lifecycle(_) => route.first,
            Errand::Call => route.call,
            Errand::Answers | Errand::Cancel => route.answer,
        };
        recorded.map(InstanceId::from)
    }

    /// What a hashing balancer sees of the call; `None` where it is not there.
    fn hash_key(&mut self, id: u32) -> Option<u64> {
        if self.scenario.balancer.policy != Policy::Hash || self.goes_round(id) {
            return None;
        }
        let number = self.calls[id].number;
        match self.scenario.balancer.hash.by {
            HashBy::User => Some(u64::from(births::user(self.scenario, &mut self.streams, number))),
            HashBy::Source => Some(match self.scenario.clients.sources {
                None => u64::from(number),
                Some(sources) => place(self.streams.lane(Kind::Way, u64::from(number))[1], sources as usize) as u64,
            }),
            HashBy::Session => {
                let aside = self.asides.of(id);
                let minted =
                    aside.session.is_some() || self.calls[id].ticket.is_some_and(|ticket| ticket.names_session());
                let sessions_before = u64::from(aside.sessions_before);
                minted.then(|| self.streams.lane(Kind::Way, u64::from(number))[2].wrapping_add(sessions_before))
            }
        }
    }

    /// Whether the messages of the call go round what would bind them.
    fn goes_round(&mut self, id: u32) -> bool {
        let bypass = self.scenario.balancer.bypass;
        bypass > 0.0 && unit(self.streams.lane(Kind::Way, u64::from(self.calls[id].number))[0]) < bypass
    }

    /// The process that a message reaches which is no call's: nothing binds it, and one word decides it.
    pub(super) fn route_freely(&mut self, word: u64) -> Option<InstanceId> {
        self.catch_up();
        let replica = self.replica(word.rotate_left(20));
        let first = self.balancer.pick(Draw { key: None, replica, word: || word })?;
        let address = self.accepting(first, false, None, |_| word.rotate_left(32), word.rotate_left(20))?;
        Some(self.worker(address, word.rotate_left(48)))
    }

    /// The address, or the one to which redispatch takes a message that it refuses.
    fn accepting(
        &mut self,
        first: InstanceId,
        is_bound: bool,
        key: Option<u64>,
        word: impl FnOnce(&mut Streams) -> u64,
        replica: u64,
    ) -> Option<InstanceId> {
        if self.takes(first, is_bound) {
            return Some(first);
        }
        if !self.scenario.balancer.redispatch {
            return None;
        }
        let (workers, replica) = (self.workers(), self.replica(replica));
        let (instances, sites, streams) = (&self.instances, &self.sites, &mut self.streams);
        let accepts = |address: InstanceId| {
            let is_closed = sites.exit(address).is_some_and(|exit| exit.closed);
            !is_closed && processes(instances, workers, address).iter().any(|process| process.alive)
        };
        self.balancer.pick_again(accepts, Draw { key, replica, word: || word(streams) })
    }

    /// Brings the counters up to now.
    pub(super) fn catch_up(&mut self) {
        let now = self.engine.now();
        while let Some(word) = self.background.up_to(now, &mut self.streams) {
            let replica = self.replica(word);
            self.balancer.pass(replica, 1);
        }
    }

    /// A message of the call has come to this process.
    fn reached(&mut self, id: u32, to: InstanceId) {
        if let Stickiness::Learned { ttl: Some(ttl), refresh } = self.scenario.balancer.stickiness {
            let now = self.now();
            let until = now.saturating_add(ttl);
            let moved = instance(self.calls[id].last).is_none_or(|last| self.address(last) != self.address(to));
            let aside = self.asides.note(id);
            if refresh || moved || aside.bound_until.is_none_or(|before| before < now) {
                aside.bound_until = Some(until);
            }
        }
        let call = &mut self.calls[id];
        let place = u16::try_from(to).expect("a fleet has at most 65,535 instances");
        if instance(call.first).is_none() {
            call.first = place;
        }
        call.last = place;
        if self.scenario.clients.reuse > 0.0 {
            self.asides.note(id).connected_to = Some((to, self.instances[to as usize].life));
        }
        if self.asides.of(id).unbound {
            self.asides.note(id).unbound = false;
        }
    }

    /// The counter that a message with this word meets.
    fn replica(&self, word: u64) -> u32 {
        place(word, self.scenario.balancer.replicas as usize) as u32
    }

    fn workers(&self) -> u32 {
        self.scenario.fleet.workers
    }

    /// The address of a process.
    pub(super) fn address(&self, process: InstanceId) -> InstanceId {
        match self.workers() {
            1 => process,
            workers => process / workers,
        }
    }

    /// The first process behind an address.
    pub(super) fn first_worker(&self, address: InstanceId) -> InstanceId {
        address * self.workers()
    }

    /// Whether any process behind an address takes connections.
    pub(super) fn accepts(&self, address: InstanceId) -> bool {
        processes(&self.instances, self.workers(), address).iter().any(|process| process.alive)
    }

    /// Which of the processes behind an address takes a connection.
    fn worker(&self, address: InstanceId, word: u64) -> InstanceId {
        if self.workers() == 1 {
            return address;
        }
        let mut alive = processes(&self.instances, self.workers(), address).iter().filter(|process| process.alive);
        let chosen = place(word, alive.clone().count());
        alive.nth(chosen).expect("an address that accepts has a living process").id
    }
}

/// The processes behind an address.
fn processes(instances: &[Instance], workers: u32, address: InstanceId) -> &[Instance] {
    let first = (address * workers) as usize;
    &instances[first..first + workers as usize]
}
