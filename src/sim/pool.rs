//! The pool of connections to a database that each process has: a body takes one before it runs and gives it back when it
//! is through, or when it asks. Must never let a connection stay with a call that nothing holds.

use std::future::Future;
use std::time::Duration;

use super::call::{Call, Stage};
use super::ladder::Rung;
use super::story::Party;
use super::wire::WireKind;
use super::{Observer, Sim};
use crate::metrics::Outcome;
use crate::tool::{MissingCapability, ToolResult};
use crate::world::{Cause, InstanceId};

/// What a call has of the pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum AtPool {
    /// Nothing.
    #[default]
    Nothing,
    /// A place in its line.
    InLine,
    /// A connection.
    Connected,
}

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// A call with a thread takes a connection, if there is a pool, and runs its body; or it waits for one, and its thread
    /// with it.
    pub(super) fn connect(&mut self, id: u32) {
        let Some(pool) = self.scenario.fleet.pool else { return self.run_body(id) };
        if self.asides.of(id).pool == AtPool::Connected {
            return self.run_body(id);
        }
        let now = self.engine.now();
        let process = &mut self.instances[usize::from(self.calls[id].at)];
        if process.connections < pool.size && process.in_pool_line == 0 {
            process.connections += 1;
            self.asides.note(id).pool = AtPool::Connected;
            self.fold.pool(now, Duration::ZERO);
            return self.run_body(id);
        }
        process.in_pool_line += 1;
        process.pool_line.push_back((id, self.calls[id].number));
        let aside = self.asides.note(id);
        (aside.pool, aside.waits_since) = (AtPool::InLine, Some(now));
        self.move_to(id, Stage::AtPool);
        self.start_clock(id, Rung::Pool, pool.timeout);
    }

    /// A call has waited longer for a connection than its server lets it.
    pub(super) fn pool_timed_out(&mut self, id: u32) {
        if self.calls[id].stage != Stage::AtPool {
            return;
        }
        if let Some(since) = self.asides.of(id).waits_since {
            let now = self.engine.now();
            self.fold.pool(now, now.since(since));
        }
        self.calls[id].blame(Cause::PoolTimeout);
        if self.reaches_nobody(id) {
            return;
        }
        self.reply_at(id, |_| WireKind::ServerTimeout);
        self.tell_from(id, Party::Client, || "error: no connection to the database in time".to_owned());
        self.end(id, Outcome::Failed);
    }

    /// Nothing is held of the pool for a call any more.
    pub(super) fn leave_pool(&mut self, id: u32) {
        let has = self.asides.of(id).pool;
        if has == AtPool::Nothing {
            return;
        }
        self.asides.note(id).pool = AtPool::Nothing;
        let at = InstanceId::from(self.calls[id].at);
        let process = &mut self.instances[at as usize];
        match has {
            AtPool::Connected => {
                process.connections -= 1;
                if process.in_pool_line > 0 {
                    self.to_connect.push(at);
                }
            }
            _ => process.in_pool_line -= 1,
        }
    }

    /// A body that asks gives its connection back, unless it keeps it while it waits.
    pub(super) fn ask_without_connection(&mut self, id: u32) {
        if self.scenario.fleet.pool.is_some_and(|pool| !pool.held_during_ask) {
            self.leave_pool(id);
        }
    }

    /// Gives free connections to those who wait for one.
    pub(super) fn serve_pool(&mut self, at: InstanceId) {
        let Some(pool) = self.scenario.fleet.pool else { return };
        while let Some(process) = Some(&mut self.instances[at as usize]).filter(|process| process.alive) {
            if process.connections >= pool.size {
                return;
            }
            let Some((id, number)) = process.pool_line.pop_front() else { return };
            let Call { number: there, stage, .. } = self.calls[id];
            if there != number || stage != Stage::AtPool || self.asides.of(id).pool != AtPool::InLine {
                continue;
            }
            let process = &mut self.instances[at as usize];
            (process.in_pool_line, process.connections) = (process.in_pool_line - 1, process.connections + 1);
            let now = self.engine.now();
            let aside = self.asides.note(id);
            aside.pool = AtPool::Connected;
            if let Some(since) = aside.waits_since.take() {
                self.fold.pool(now, now.since(since));
            }
            self.stop_clock(id, Rung::Pool);
            self.move_to(id, Stage::Working);
            self.run_body(id);
        }
    }
}
