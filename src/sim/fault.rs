//! What goes wrong with instances: they die with everything they hold, the balancer notices later, new processes start.

use std::future::Future;
use std::time::Duration;

use super::call::Stage;
use super::story::Party;
use super::wire::WireKind;
use super::{Event, Observer, Sim};
use crate::engine::Token;
use crate::era::Era;
use crate::metrics::Outcome;
use crate::random::Kind;
use crate::scenario::{Fault, OnBroken};
use crate::tool::{MissingCapability, ToolResult};
use crate::world::{Cause, InstanceId, Select};

impl<E: Era, O: Observer, F> Sim<'_, E, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    pub(super) fn schedule_faults(&mut self) {
        for (place, fault) in self.scenario.faults.iter().enumerate() {
            let (Fault::Kill { at, .. } | Fault::StoreOutage { at, .. }) = fault;
            self.engine.at(*at, Event::Strike(place as u32));
        }
    }

    pub(super) fn strike(&mut self, place: u32) {
        match &self.scenario.faults[place as usize] {
            Fault::Kill { select, restart_after, .. } => self.kill(place, select, *restart_after),
            Fault::StoreOutage { lasts, .. } => {
                let until = self.now().saturating_add(*lasts);
                self.store_is_down_until = self.store_is_down_until.max(until);
            }
        }
    }

    fn kill(&mut self, place: u32, select: &Select, restart_after: Option<Duration>) {
        let up: Vec<InstanceId> = self.instances.iter().filter(|i| i.alive).map(|i| i.id).collect();
        let streams = &mut self.streams;
        let hit = select.hit(&up, |k| streams.lane(Kind::Fault, u64::from(place) << 20 | u64::from(k))[0]);
        for &id in &hit {
            self.die(id);
            if let Some(pause) = restart_after {
                self.after(pause, Event::Restart(id));
            }
        }
        self.break_connections(&hit);
    }

    /// An instance dies; the balancer will notice.
    fn die(&mut self, id: InstanceId) {
        self.instances[id as usize].die();
        let lag = self.scenario.balancer.detection_lag;
        self.instances[id as usize].detection = self.after(lag, Event::Detect(id));
    }

    /// Every connection to these instances (ascending) breaks. Time linear in the calls under way.
    fn break_connections(&mut self, dead: &[InstanceId]) {
        let open = |stage| matches!(stage, Stage::InLine | Stage::Working | Stage::Parked);
        let calls = self.calls.under_way().filter(|(_, call)| open(call.stage));
        let broken = calls.filter(|(_, call)| dead.binary_search(&u32::from(call.at)).is_ok());
        let broken: Vec<u32> = broken.map(|(call, _)| call).collect();
        for call in broken {
            self.tell_from(call, Party::Client, || "dies: the connection breaks".to_owned());
            self.calls[call].blame(Cause::Crash);
            match self.scenario.clients.on_broken {
                OnBroken::Fail => {
                    self.reply_at(call, |_| WireKind::Broken);
                    self.end(call, Outcome::Lost);
                }
                OnBroken::Hang => self.hang(call),
            }
        }
    }

    /// The client notices nothing: its person goes on thinking, and its clock runs.
    fn hang(&mut self, id: u32) {
        self.stop_waiting(id);
        let thinking = (self.calls[id].stage == Stage::Parked).then_some(self.calls[id].next);
        self.let_go(id);
        self.calls[id].next = thinking.unwrap_or(Token::NONE);
    }

    pub(super) fn detect(&mut self, id: InstanceId) {
        self.balancer.remove(id);
    }

    pub(super) fn restart(&mut self, id: InstanceId) {
        let keys = self.mint_keys();
        self.instances[id as usize].restart(keys);
        self.balancer.insert(id);
    }
}
