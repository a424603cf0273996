//! What goes wrong with instances: they die with everything they hold, the balancer notices later, new processes start.

use std::future::Future;
use std::time::Duration;

use super::agenda::Turn;
use super::call::Stage;
use super::sites::State;
use super::story::Party;
use super::wire::WireKind;
use super::{Event, Observer, Sim};
use crate::engine::{SimTime, Token, duration_from_secs};
use crate::metrics::Outcome;
use crate::random::Kind;
use crate::scenario::{Detection, Failure, Fault, OnBroken};
use crate::tool::{MissingCapability, ToolResult};
use crate::world::{Cause, InstanceId, Select};

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    pub(super) fn schedule_faults(&mut self) {
        for (place, fault) in self.scenario.faults.iter().enumerate() {
            match fault {
                Fault::Kill { at, .. }
                | Fault::StoreOutage { at, .. }
                | Fault::Deaf { at, .. }
                | Fault::Deploy { at, .. }
                | Fault::Scale { at, .. } => {
                    self.engine.at(*at, Event::Strike(place as u32));
                }
                Fault::StoreCrash { .. } => self.schedule_store_crash(place as u32, SimTime::ZERO),
                Fault::Crash { .. } | Fault::Reclaim { .. } => {}
            }
        }
        let first: Vec<InstanceId> = self.sites.that_are(State::Used).collect();
        for address in first {
            for id in self.workers_of(address) {
                if self.instances[id as usize].alive {
                    self.schedule_crash(id);
                }
            }
            self.schedule_reclaim(address);
        }
    }

    pub(super) fn strike(&mut self, place: u32) {
        match &self.scenario.faults[place as usize] {
            Fault::Kill { select, restart_after, .. } => self.kill(place, select, *restart_after),
            Fault::StoreOutage { lasts, .. } => self.store_fails(*lasts),
            Fault::Deaf { select, .. } => self.deafen(place, select),
            Fault::Deploy { .. } | Fault::Scale { .. } => self.ask_fleet(place),
            Fault::Crash { .. } | Fault::Reclaim { .. } | Fault::StoreCrash { .. } => {
                unreachable!("what has no instant of its own is scheduled elsewhere")
            }
        }
    }

    /// The processes that a fault hits, ascending.
    fn hit(&mut self, place: u32, select: &Select) -> Vec<InstanceId> {
        let addresses = self.scenario.fleet.addresses();
        let up: Vec<InstanceId> = (0..addresses).filter(|&address| self.accepts(address)).collect();
        let streams = &mut self.streams;
        let hit = select.hit(&up, |k| streams.lane(Kind::Fault, u64::from(place) << 20 | u64::from(k))[0]);
        let processes = hit.iter().flat_map(|&address| self.workers_of(address));
        processes.filter(|&id| self.instances[id as usize].alive).collect()
    }

    /// Processes hear no more what others pass on to them, and give their signs of life all the same.
    fn deafen(&mut self, place: u32, select: &Select) {
        for id in self.hit(place, select) {
            self.instances[id as usize].deaf = true;
        }
    }

    fn kill(&mut self, place: u32, select: &Select, restart_after: Option<Duration>) {
        let hit = self.hit(place, select);
        for &id in &hit {
            self.die(id);
            if let Some(pause) = restart_after {
                self.come_again(id, pause);
            }
        }
        self.break_connections(&hit, Cause::Crash);
    }

    /// A process ends with everything that it holds for itself.
    pub(super) fn end_process(&mut self, id: InstanceId) {
        let named_until = self.named_until(self.instances[id as usize].started);
        let process = &mut self.instances[id as usize];
        process.die();
        // A place may have had no process before its first life.
        process.named_until.resize(process.life as usize, SimTime::ZERO);
        process.named_until.push(named_until);
        self.levels.processes.change(-1, self.engine.now(), &self.window);
        self.sessions_die(id);
    }

    /// A process is killed, and a new one takes its place.
    pub(super) fn kill_process(&mut self, id: InstanceId, restart: Duration, why: Cause) {
        self.die(id);
        self.come_again(id, restart);
        self.break_connections(&[id], why);
    }

    /// The process crashes, and a new one takes its place.
    pub(super) fn crash(&mut self, id: InstanceId) {
        let (_, repair) = self.next_crash(id).expect("only a scenario with crashes schedules them");
        self.kill_process(id, repair, Cause::Crash);
    }

    /// A new process will take the place of a dead one, unless its address is on its way out or given up meanwhile.
    fn come_again(&mut self, id: InstanceId, pause: Duration) {
        self.instances[id as usize].restart = self.after(pause, Event::Restart(id));
    }

    fn schedule_crash(&mut self, id: InstanceId) {
        let Some((life, _)) = self.next_crash(id) else { return };
        let at = self.now().saturating_add(life);
        if at <= self.scenario.run.horizon {
            self.instances[id as usize].crash = self.engine.at(at, Event::Crash(id));
        }
    }

    /// How long this process lives, and how long the place is empty then: the shortest life of those that the crashes of
    /// the scenario give it, and the repair that goes with it.
    fn next_crash(&mut self, id: InstanceId) -> Option<(Duration, Duration)> {
        let life = self.instances[id as usize].life;
        let mut next: Option<(Duration, Duration)> = None;
        for (place, fault) in self.scenario.faults.iter().enumerate() {
            let Fault::Crash { mtbf, repair } = fault else { continue };
            let entity = (place as u64) << 48 | u64::from(id) << 32 | u64::from(life);
            let mut words = self.streams.words_of(Kind::Crash, entity);
            let [lives, repair] =
                [mtbf, repair].map(|of| of.sample(&mut words).map_or(Duration::MAX, duration_from_secs));
            if next.is_none_or(|(before, _)| lives < before) {
                next = Some((lives, repair));
            }
        }
        next
    }

    /// A process dies; the balancer will notice when nobody is left at its address.
    fn die(&mut self, id: InstanceId) {
        self.end_process(id);
        let address = self.address(id);
        if self.accepts(address) {
            return;
        }
        match self.sites.exit(address) {
            Some(_) => self.gone(address),
            None => self.turned(address),
        }
    }

    /// An address has gone down or come up.
    pub(super) fn turned(&mut self, address: InstanceId) {
        let first = self.first_worker(address) as usize;
        match self.scenario.balancer.detection {
            Detection::Lag(lag) if !self.accepts(address) => {
                self.instances[first].detection = self.after(lag, Event::Detect(address));
            }
            Detection::Lag(_) => {
                self.instances[first].detection = Token::NONE;
                self.put_back(address);
            }
            Detection::Checks { .. } if self.instances[first].detection == Token::NONE => self.schedule_check(address),
            Detection::Checks { .. } => {}
        }
    }

    /// The next check of an address: the first at or after now, or the first after it if one was made now.
    fn schedule_check(&mut self, address: InstanceId) {
        let Detection::Checks { interval, phase, .. } = self.scenario.balancer.detection else { return };
        let (now, interval, phase) = (self.now().ns(), interval.as_nanos() as u64, phase.as_nanos() as u64);
        let checked = self.checked_at == Some((address, self.now()));
        let from = now.saturating_sub(phase).saturating_add(u64::from(checked));
        let at = from.div_ceil(interval).saturating_mul(interval).saturating_add(phase);
        let first = self.first_worker(address) as usize;
        self.instances[first].detection = self.engine.at(SimTime::from_ns(at), Event::Detect(address));
    }

    /// The balancer looks at an address whose state it may have wrong.
    pub(super) fn detect(&mut self, address: InstanceId) {
        let Detection::Checks { fall, rise, .. } = self.scenario.balancer.detection else {
            return self.take_out(address);
        };
        self.checked_at = Some((address, self.now()));
        let (is_up, counted) = (self.accepts(address), self.balancer.in_rotation(address));
        let first = self.first_worker(address) as usize;
        let instance = &mut self.instances[first];
        instance.detection = Token::NONE;
        if is_up == counted {
            instance.checks = 0;
            return;
        }
        instance.checks += 1;
        match is_up {
            true if instance.checks >= rise => self.put_back(address),
            false if instance.checks >= fall => self.take_out(address),
            _ => return self.schedule_check(address),
        }
        self.instances[first].checks = 0;
    }

    fn take_out(&mut self, address: InstanceId) {
        self.catch_up();
        self.balancer.remove(address);
    }

    fn put_back(&mut self, address: InstanceId) {
        self.catch_up();
        self.balancer.insert(address);
    }

    /// Every connection to these instances (ascending) breaks. Time linear in the calls under way.
    pub(super) fn break_connections(&mut self, dead: &[InstanceId], why: Cause) {
        let open =
            |stage| matches!(stage, Stage::InLine | Stage::Working | Stage::AtPool | Stage::Parked | Stage::Kept);
        let calls = self.calls.under_way().filter(|(_, call)| open(call.stage));
        let broken = calls.filter(|(_, call)| dead.binary_search(&u32::from(call.at)).is_ok());
        let broken: Vec<u32> = broken.map(|(call, _)| call).collect();
        for call in broken {
            self.broken(call, why);
        }
    }

    /// The process that held the call is dead.
    fn broken(&mut self, id: u32, why: Cause) {
        self.tell_from(id, Party::Client, || "dies: the connection breaks".to_owned());
        if self.asides.of(id).ended.is_some() {
            self.hang(id);
            return self.settle(id);
        }
        self.calls[id].blame(why);
        // Who has no connection, or has not noticed that it was cut, notices nothing now.
        if self.calls[id].cut || self.calls[id].stage == Stage::Kept {
            return self.hang(id);
        }
        if self.sent_again_by_proxy(id) {
            return;
        }
        match self.scenario.clients.on_broken {
            OnBroken::Fail => {
                self.reply_at(id, |_| WireKind::Broken);
                if !self.try_again(id, Failure::Broken) {
                    self.end(id, Outcome::Lost);
                }
            }
            OnBroken::Hang => self.hang(id),
        }
    }

    /// The client notices nothing: its person goes on thinking, and its clock runs.
    pub(super) fn hang(&mut self, id: u32) {
        self.stop_waiting(id);
        let thinking = matches!(self.calls[id].stage, Stage::Parked | Stage::Kept).then_some(self.calls[id].next);
        self.lose_request(id);
        self.calls[id].next = thinking.unwrap_or(Token::NONE);
    }

    pub(super) fn restart(&mut self, id: InstanceId) {
        let address = self.address(id);
        if self.sites.all[address as usize].state != State::Used {
            return;
        }
        let was_up = self.accepts(address);
        self.start_process(id);
        if !was_up {
            self.turned(address);
        }
    }

    /// A new, empty process starts.
    pub(super) fn start_process(&mut self, id: InstanceId) {
        let keys = self.mint_keys();
        let version = self.version;
        let process = &mut self.instances[id as usize];
        process.restart(keys);
        process.version = version;
        process.started = self.engine.now();
        self.levels.processes.change(1, self.engine.now(), &self.window);
        self.set_clock(id);
        self.schedule_crash(id);
    }

    /// The next notice to an address that came up now.
    pub(super) fn schedule_reclaim(&mut self, address: InstanceId) {
        let came = self.sites.all[address as usize].came;
        let mut earliest = Duration::MAX;
        for (place, fault) in self.scenario.faults.iter().enumerate() {
            let Fault::Reclaim { every, .. } = fault else { continue };
            let mut words = self.streams.words_of(Kind::Reclaim, (place as u64) << 48 | came);
            earliest = earliest.min(every.sample(&mut words).map_or(Duration::MAX, duration_from_secs));
        }
        if let Some(at) = self.before_the_end(earliest) {
            self.plan(at, Turn::Reclaim(address, came));
        }
    }

    /// An address is taken back, if it is still the one that came up as this; a new one takes its place.
    pub(super) fn reclaim(&mut self, address: InstanceId, came: u64) {
        let site = self.sites.all[address as usize];
        if site.came != came || site.state != State::Used || !self.accepts(address) {
            return;
        }
        let notices = self.scenario.faults.iter().filter_map(|fault| match fault {
            Fault::Reclaim { notice, .. } => Some(*notice),
            _ => None,
        });
        let notice = notices.min();
        self.send_away(address, Cause::Reclaimed, notice, true);
    }
}
