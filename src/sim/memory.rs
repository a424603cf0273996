//! What a process takes of its machine beside threads: memory, which kills it when there is too little, and descriptors,
//! without which it takes no connection. Must never kill in the middle of an event: whoever has grown is looked at when
//! the event is over.

use std::future::Future;

use super::{Observer, Sim};
use crate::tool::{MissingCapability, ToolResult};
use crate::world::{Cause, InstanceId};

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// A process holds more than it did.
    #[inline]
    pub(super) fn grew(&mut self, at: InstanceId) {
        if self.scenario.fleet.memory.limit.is_some() && self.is_too_large(at) {
            self.too_large.push(at);
        }
    }

    fn is_too_large(&self, at: InstanceId) -> bool {
        let process = &self.instances[at as usize];
        process.alive && self.scenario.fleet.memory.is_exceeded(process.parked, process.sessions)
    }

    /// A process that grew too large is killed, unless it has shrunk again; a new one takes its place.
    pub(super) fn kill_if_too_large(&mut self, at: InstanceId) {
        if self.is_too_large(at) {
            self.fold.killed(Cause::OutOfMemory);
            self.kill_process(at, self.scenario.fleet.memory.restart, Cause::OutOfMemory);
        }
    }

    /// Whether a process can take one more connection.
    pub(super) fn has_descriptors(&self, at: InstanceId) -> bool {
        let fleet = &self.scenario.fleet;
        let taken = (u64::from(self.instances[at as usize].open) + 1) * u64::from(fleet.descriptors_per_call);
        fleet.descriptors.is_none_or(|all| taken <= u64::from(all))
    }
}
