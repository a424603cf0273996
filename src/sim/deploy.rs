//! Who of a fleet goes and what comes: deploys that replace it, and another size. One thing at a time, in the order in
//! which it was asked for. Must never look at what an instance holds but to choose who goes.

use std::collections::VecDeque;
use std::future::Future;

use super::sites::State;
use super::{Event, Observer, Sim};
use crate::scenario::{Fault, Strategy, Victim};
use crate::tool::{MissingCapability, ToolResult};
use crate::world::{Cause, InstanceId};

/// What is asked of a fleet.
#[derive(Clone, Copy, Debug)]
pub(super) enum Job {
    /// A deploy.
    Deploy { strategy: Strategy, batch: u32 },
    /// Another size, in addresses.
    Scale(u32),
}

/// The jobs, and the deploy that is under way.
#[derive(Debug, Default)]
pub(super) struct Jobs {
    waiting: VecDeque<Job>,
    deploy: Option<Deploy>,
}

/// A deploy under way.
#[derive(Debug)]
struct Deploy {
    strategy: Strategy,
    batch: usize,
    /// Addresses that run an old version and are not told to go yet, in the order in which they will be.
    old: VecDeque<InstanceId>,
    /// What the present step waits for, and at which addresses.
    awaits: Awaits,
    awaited: Vec<InstanceId>,
    /// Addresses of the present step.
    step: Vec<InstanceId>,
}

/// What a step of a deploy waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Awaits {
    /// All its addresses are up.
    Up,
    /// All its addresses are empty.
    Gone,
    /// Any address is empty.
    Room,
}

impl Jobs {
    /// Whether a deploy is under way.
    pub(super) fn any(&self) -> bool {
        self.deploy.is_some()
    }
}

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// The time of a fault that asks something of the fleet has come.
    pub(super) fn ask_fleet(&mut self, place: u32) {
        let job = match self.scenario.faults[place as usize] {
            Fault::Deploy { every, strategy, batch, .. } => {
                if let Some(at) = every.and_then(|every| self.before_the_end(every)) {
                    self.engine.at(at, Event::Strike(place));
                }
                Job::Deploy { strategy, batch }
            }
            Fault::Scale { to, .. } => Job::Scale(to),
            _ => unreachable!("this fault asks nothing of the fleet"),
        };
        self.ask_for(job);
    }

    pub(super) fn ask_for(&mut self, job: Job) {
        self.jobs.waiting.push_back(job);
        self.next_job();
    }

    fn next_job(&mut self) {
        while self.jobs.deploy.is_none() {
            match self.jobs.waiting.pop_front() {
                None => return,
                Some(Job::Scale(to)) => self.scale(to),
                Some(Job::Deploy { strategy, batch }) => self.begin_deploy(strategy, batch),
            }
        }
    }

    /// From now on every process that starts is of the next version.
    fn begin_deploy(&mut self, strategy: Strategy, batch: u32) {
        self.version += 1;
        let old: VecDeque<InstanceId> = self.sites.that_are(State::Used).collect();
        let batch = match strategy {
            Strategy::Rolling | Strategy::Surge => batch as usize,
            Strategy::BlueGreen | Strategy::Recreate => old.len(),
        };
        let (awaits, awaited, step) = (Awaits::Room, Vec::new(), Vec::new());
        self.jobs.deploy = Some(Deploy { strategy, batch, old, awaits, awaited, step });
        self.next_step();
    }

    /// The next step of the deploy: so many addresses go, or come up beside.
    fn next_step(&mut self) {
        let Some(mut deploy) = self.jobs.deploy.take() else { return };
        // Who died meanwhile comes up with the next version, or never.
        deploy.old.retain(|&address| self.is_old(address));
        let most = deploy.batch.min(deploy.old.len());
        if most == 0 {
            return self.next_job();
        }
        (deploy.awaits, deploy.step) = match deploy.strategy {
            Strategy::Rolling => (Awaits::Up, deploy.old.drain(..most).collect()),
            Strategy::Recreate => (Awaits::Gone, deploy.old.drain(..most).collect()),
            Strategy::Surge | Strategy::BlueGreen => {
                let free: Vec<InstanceId> = self.sites.that_are(State::Empty).take(most).collect();
                (if free.is_empty() { Awaits::Room } else { Awaits::Up }, free)
            }
        };
        let (strategy, step) = (deploy.strategy, deploy.step.clone());
        deploy.awaited.clone_from(&step);
        self.jobs.deploy = Some(deploy);
        for address in step {
            match strategy {
                Strategy::Rolling => self.send_away(address, Cause::Drain, None, true),
                Strategy::Recreate => self.send_away(address, Cause::Drain, None, false),
                Strategy::Surge | Strategy::BlueGreen => self.order(address),
            }
        }
    }

    fn is_old(&self, address: InstanceId) -> bool {
        let mut processes = self.workers_of(address).map(|process| &self.instances[process as usize]);
        self.sites.all[address as usize].state == State::Used
            && processes.any(|process| process.alive && process.version < self.version)
    }

    /// An address has come up, or is empty: a step may be over.
    pub(super) fn fleet_changed(&mut self, address: InstanceId, is_up: bool) {
        let Some(deploy) = &mut self.jobs.deploy else { return };
        match deploy.awaits {
            Awaits::Room if !is_up => return self.next_step(),
            Awaits::Up if is_up => deploy.awaited.retain(|&other| other != address),
            Awaits::Gone if !is_up => deploy.awaited.retain(|&other| other != address),
            _ => return,
        }
        if deploy.awaited.is_empty() {
            self.step_is_over();
        }
    }

    /// Everything that the step waited for has come.
    fn step_is_over(&mut self) {
        let Some(deploy) = &mut self.jobs.deploy else { return };
        let step = std::mem::take(&mut deploy.step);
        match (deploy.strategy, deploy.awaits) {
            (Strategy::Recreate, Awaits::Gone) => {
                (deploy.awaits, deploy.awaited) = (Awaits::Up, step.clone());
                return step.into_iter().for_each(|address| self.order(address));
            }
            (Strategy::Surge | Strategy::BlueGreen, _) => {
                let most = step.len().min(deploy.old.len());
                let going: Vec<InstanceId> = deploy.old.drain(..most).collect();
                for address in going {
                    if self.is_old(address) {
                        self.send_away(address, Cause::Drain, None, false);
                    }
                }
            }
            (Strategy::Rolling | Strategy::Recreate, _) => {}
        }
        self.next_step();
    }

    /// Addresses at which something runs or comes up and was not told to go.
    pub(super) fn fleet_size(&self) -> u32 {
        self.sites.that_are(State::Used).count() as u32 + self.sites.that_are(State::Coming).count() as u32
    }

    /// Brings the fleet to this many addresses.
    fn scale(&mut self, to: u32) {
        let now = self.fleet_size();
        let free: Vec<InstanceId> = self.sites.that_are(State::Empty).take(to.saturating_sub(now) as usize).collect();
        free.into_iter().for_each(|address| self.order(address));
        for address in self.victims(now.saturating_sub(to) as usize) {
            match self.accepts(address) {
                true => self.send_away(address, Cause::ScaleIn, None, false),
                // Nothing runs here that could go: what was to come again does not.
                false => self.sites.abandon(address),
            }
        }
    }

    /// Who goes when so many have to: who holds nothing because nothing runs first, then by the setting.
    fn victims(&self, most: usize) -> Vec<InstanceId> {
        let mut used: Vec<InstanceId> = self.sites.that_are(State::Used).collect();
        let came = |address: InstanceId| self.sites.all[address as usize].came;
        used.sort_by_key(|&address| {
            let order = match self.scenario.fleet.victim {
                Victim::Newest => (0, u64::MAX - came(address)),
                Victim::Oldest => (0, came(address)),
                Victim::Fewest => (self.balancer.open_at(address), u64::MAX - came(address)),
            };
            (self.accepts(address), order)
        });
        used.truncate(most);
        used
    }
}
