//! The addresses of the fleet as places where something runs, comes up or goes on purpose. An address that is told to go
//! leaves the rotation, pauses, drains and is gone; what was to come then comes. Must never decide who goes or why.

use std::future::Future;
use std::time::Duration;

use super::agenda::Turn;
use super::{Event, Observer, Sim};
use crate::engine::{SimTime, Token};
use crate::tool::{MissingCapability, ToolResult};
use crate::world::{Cause, InstanceId};

/// An address as a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub state: State,
    /// How many came up before it: its age among the others.
    pub came: u64,
    /// Why the one before it was told to go, if it was.
    pub instead: Option<Cause>,
}

/// What becomes of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Nothing runs here, and nothing will until it is ordered.
    Empty,
    /// Processes are ordered and not up yet.
    Coming,
    /// Processes run here, or will again after a crash, or never will after a kill.
    Used,
    /// It was told to go.
    Going(Exit),
}

/// The way out of an address that was told to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Exit {
    /// Why the calls that it still holds at the end are lost.
    pub why: Cause,
    /// Whether it takes nothing new any more: its pause is over.
    pub closed: bool,
    /// Whether new processes come up here when it is gone.
    pub replaced: bool,
    /// The event that ends it whatever it holds.
    pub overdue: Token,
}

/// The addresses, and who may have nothing left to wait for.
#[derive(Debug)]
pub(super) struct Sites {
    pub all: Vec<Site>,
    came: u64,
    /// How many are told to go and not gone yet.
    going: u32,
    /// Addresses told to go that have let go of something since the last event.
    pub may_go: Vec<InstanceId>,
}

impl Sites {
    /// The first `used` of these addresses are up.
    pub(super) fn new(addresses: u32, used: u32) -> Sites {
        let state = |at: u32| if at < used { State::Used } else { State::Empty };
        let site = |at: u32| Site { state: state(at), came: u64::from(at), instead: None };
        Sites { all: (0..addresses).map(site).collect(), came: u64::from(used), going: 0, may_go: Vec::new() }
    }

    /// Its exit, if the address was told to go.
    pub(super) fn exit(&self, address: InstanceId) -> Option<Exit> {
        match self.all[address as usize].state {
            State::Going(exit) => Some(exit),
            State::Empty | State::Coming | State::Used => None,
        }
    }

    /// Whether any address is told to go.
    #[inline]
    pub(super) fn any_goes(&self) -> bool {
        self.going > 0
    }

    /// Addresses in this state, ascending.
    pub(super) fn that_are(&self, state: State) -> impl Iterator<Item = InstanceId> + '_ {
        (0..).zip(&self.all).filter(move |(_, site)| site.state == state).map(|(address, _)| address)
    }

    /// Nothing runs at the address, and nothing will come again.
    pub(super) fn abandon(&mut self, address: InstanceId) {
        self.set(address, State::Empty);
    }

    /// What was done to a fleet that accepts nothing now, if anything was.
    pub(super) fn why_nobody(&self) -> Option<Cause> {
        let going = self.all.iter().find_map(|site| match site.state {
            State::Going(exit) => Some(exit.why),
            State::Empty | State::Coming | State::Used => None,
        });
        going.or_else(|| self.all.iter().find(|site| site.state == State::Coming).and_then(|site| site.instead))
    }

    fn set(&mut self, address: InstanceId, state: State) {
        let site = &mut self.all[address as usize];
        self.going -= u32::from(matches!(site.state, State::Going(_)));
        self.going += u32::from(matches!(state, State::Going(_)));
        site.state = state;
    }
}

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// Tells an address that runs to go, with this much notice at most.
    pub(super) fn send_away(&mut self, address: InstanceId, why: Cause, notice: Option<Duration>, replaced: bool) {
        let ends = &self.scenario.fleet.termination;
        let (lag, pause, most) = (ends.removal_lag, ends.pre_stop, ends.at_most(notice));
        let overdue = self.after(most, Event::Overdue(address));
        self.sites.set(address, State::Going(Exit { why, closed: false, replaced, overdue }));
        match lag {
            Duration::ZERO => self.out_of_rotation(address),
            lag => self.plan(self.now().saturating_add(lag), Turn::OutOfRotation(address, overdue)),
        }
        match pause {
            Duration::ZERO => self.close_site(address, overdue),
            pause => self.plan(self.now().saturating_add(pause), Turn::Close(address, overdue)),
        }
    }

    /// The balancer gives the address no new calls any more, if it still goes the way that this token ends.
    pub(super) fn leave_rotation(&mut self, address: InstanceId, of: Token) {
        if self.sites.exit(address).is_some_and(|exit| exit.overdue == of) {
            self.out_of_rotation(address);
        }
    }

    fn out_of_rotation(&mut self, address: InstanceId) {
        self.catch_up();
        self.balancer.remove(address);
    }

    /// The pause of the address is over, if it still goes the way that this token ends.
    pub(super) fn close_site(&mut self, address: InstanceId, of: Token) {
        if let State::Going(exit) = &mut self.sites.all[address as usize].state
            && exit.overdue == of
        {
            exit.closed = true;
            self.sites.may_go.push(address);
        }
    }

    /// An address that has let go of something goes if it is told to and holds nothing more.
    pub(super) fn go_if_idle(&mut self, address: InstanceId) {
        let Some(exit) = self.sites.exit(address).filter(|exit| exit.closed) else { return };
        let holds = |process: &u32| {
            let instance = &self.instances[*process as usize];
            instance.threads_held + instance.in_line + instance.kept > 0
        };
        if self.balancer.open_at(address) == 0 && !self.workers_of(address).any(|process| holds(&process)) {
            self.go(address, exit.why);
        }
    }

    /// Whoever was told to go is given no more time.
    pub(super) fn overdue(&mut self, address: InstanceId, token: Token) {
        if let Some(exit) = self.sites.exit(address).filter(|exit| exit.overdue == token) {
            self.go(address, exit.why);
        }
    }

    /// The processes of an address end, and what they hold is lost.
    fn go(&mut self, address: InstanceId, why: Cause) {
        let running: Vec<InstanceId> =
            self.workers_of(address).filter(|&process| self.instances[process as usize].alive).collect();
        for &process in &running {
            self.end_process(process);
        }
        self.gone(address);
        self.break_connections(&running, why);
    }

    /// Nothing runs any more at an address that was told to go.
    pub(super) fn gone(&mut self, address: InstanceId) {
        let Some(exit) = self.sites.exit(address) else { return };
        self.out_of_rotation(address);
        let first = self.first_worker(address);
        self.instances[first as usize].detection = Token::NONE;
        self.sites.set(address, State::Empty);
        self.sites.all[address as usize].instead = Some(exit.why);
        if exit.replaced {
            self.order(address);
        }
        self.fleet_changed(address, false);
    }

    /// Processes are to come up at an empty address.
    pub(super) fn order(&mut self, address: InstanceId) {
        assert_eq!(self.sites.all[address as usize].state, State::Empty, "address {address} is not empty");
        self.sites.set(address, State::Coming);
        self.plan(self.now().saturating_add(self.scenario.fleet.boot), Turn::Up(address));
    }

    /// What was ordered is up.
    pub(super) fn come_up(&mut self, address: InstanceId) {
        self.sites.set(address, State::Used);
        self.sites.all[address as usize].came = self.sites.came;
        self.sites.came += 1;
        for process in self.workers_of(address) {
            self.start_process(process);
        }
        self.turned(address);
        self.schedule_reclaim(address);
        self.fleet_changed(address, true);
    }

    /// The processes behind an address.
    pub(super) fn workers_of(&self, address: InstanceId) -> std::ops::Range<InstanceId> {
        let first = self.first_worker(address);
        first..first + self.scenario.fleet.workers
    }

    /// Whether an address takes a message: one that is bound to it to its end, a new one until its pause is over.
    pub(super) fn takes(&self, address: InstanceId, is_bound: bool) -> bool {
        self.accepts(address) && (is_bound || !self.sites.exit(address).is_some_and(|exit| exit.closed))
    }

    /// Instants up to the horizon only: nothing more is done to a fleet after it.
    pub(super) fn before_the_end(&self, pause: Duration) -> Option<SimTime> {
        Some(self.now().saturating_add(pause)).filter(|&at| at <= self.scenario.run.horizon)
    }
}
