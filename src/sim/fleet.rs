//! The processes that a run begins with. What one draws when it starts belongs to its place and its life.

use std::future::Future;
use std::time::Duration;

use super::{Event, Observer, Sim};
use crate::engine::SimTime;
use crate::random::Kind;
use crate::tool::{MissingCapability, ToolResult};
use crate::world::{Instance, InstanceId, KeyRing};

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// The first process of each place, up from the start or at an instant of its own. Spare places are empty.
    pub(super) fn start_fleet(&mut self) {
        let spread = self.scenario.fleet.start_spread;
        let first_fleet = self.scenario.fleet.instances.len() as u32;
        for id in 0..self.scenario.fleet.addresses() * self.scenario.fleet.workers {
            if id < first_fleet && spread.is_zero() {
                let keys = self.mint_keys();
                self.instances.push(Instance::new(id, keys));
                self.set_clock(id);
                continue;
            }
            let mut nobody = Instance::new(id, KeyRing::of(0));
            nobody.die();
            self.instances.push(nobody);
            if id < first_fleet {
                let word = self.streams.lane(Kind::FirstStart, u64::from(id))[0];
                let at = SimTime::ZERO.saturating_add(part_of(spread, word));
                self.instances[id as usize].restart = self.engine.at(at, Event::Restart(id));
            }
        }
        let running = self.instances.iter().filter(|process| process.alive).count();
        self.levels.processes.change(running as i32, SimTime::ZERO, &self.window);
        for address in 0..self.scenario.fleet.addresses() {
            if !self.accepts(address) {
                self.balancer.remove(address);
            }
        }
    }

    /// The clock of a process that has just started: off by as much for its whole life.
    pub(super) fn set_clock(&mut self, id: InstanceId) {
        let skew = self.scenario.fleet.clock_skew;
        if skew.is_zero() {
            return;
        }
        let entity = u64::from(id) << 32 | u64::from(self.instances[id as usize].life);
        let word = self.streams.lane(Kind::Clock, entity)[0];
        self.instances[id as usize].ahead = part_of(skew.saturating_mul(2), word);
    }
}

/// The part of a time that a random word stands for.
fn part_of(whole: Duration, word: u64) -> Duration {
    Duration::from_nanos(((whole.as_nanos() * u128::from(word)) >> 64) as u64)
}
