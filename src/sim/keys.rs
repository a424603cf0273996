//! Which process has which signing keys, and when that changes. A turn belongs to a rotation and a process: it must never
//! be drawn by the order of events, and a process that was started meanwhile must never miss what its fleet knows.

use std::future::Future;
use std::time::Duration;

use super::agenda::Turn;
use super::{Observer, Sim};
use crate::engine::SimTime;
use crate::metrics::Incident;
use crate::random::Kind;
use crate::scenario::{Keys, Order, Rotation, Turns};
use crate::tool::{MissingCapability, ToolResult};
use crate::world::{InstanceId, KeyId, KeyRing};

/// A step in the rotation of the shared key; each names the new key, whose number is that of the rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyTurn {
    /// The rotation begins.
    Begin(KeyId),
    /// A process learns to open what is sealed under the new key.
    Learn(InstanceId, KeyId),
    /// A process begins to seal under it.
    Seal(InstanceId, KeyId),
    /// All have had their turn.
    End(KeyId),
    /// What is older is forgotten.
    Forget(KeyId),
}

/// What a process that starts is told of keys.
#[derive(Debug, Default)]
pub(super) struct FleetKeys {
    /// Processes that were started so far: the number of the key that the next one would make.
    started: KeyId,
    /// The first key that was written to the store of the fleet, and from when others find it.
    first_written: Option<(KeyId, SimTime)>,
    /// The oldest key of the rotation that opens.
    oldest: KeyId,
    /// The newest that any process knows.
    newest: KeyId,
    /// The one under which a new process seals.
    sealing: KeyId,
}

impl FleetKeys {
    /// A key that nobody has had.
    fn make(&mut self) -> KeyId {
        let key = self.started;
        self.started = key.checked_add(1).expect("more than 2^32 processes were started");
        key
    }

    /// The shared keys as they are now.
    fn shared(&self) -> KeyRing {
        let mut ring = KeyRing::of(self.sealing);
        for key in self.oldest..=self.newest {
            ring.learn(key);
        }
        ring
    }

    /// The key in the store of the fleet; whoever finds none writes its own.
    fn found_or(&mut self, own: KeyId, now: SimTime, lag: Duration) -> KeyId {
        match self.first_written {
            Some((key, from)) if from <= now => key,
            Some(_) => own,
            None => {
                self.first_written = Some((own, now.saturating_add(lag)));
                own
            }
        }
    }
}

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// The keys of a process that starts now.
    pub(super) fn mint_keys(&mut self) -> KeyRing {
        let (state, now) = (&self.scenario.state, self.engine.now());
        let own = self.keys.make();
        match state.keys {
            Keys::Shared => self.keys.shared(),
            Keys::PerProcess => KeyRing::of(own),
            Keys::PerDeploy => KeyRing::of(self.version),
            Keys::FoundOrMinted => KeyRing::of(self.keys.found_or(own, now, state.key_lag)),
        }
    }

    /// Writes down when the key is replaced by this one, unless arrivals have ended by then.
    pub(super) fn plan_rotation(&mut self, key: KeyId) {
        let Some(rotation) = &self.scenario.state.rotation else { return };
        let at = SimTime::ZERO.saturating_add(rotation.every.saturating_mul(key));
        if at <= self.scenario.run.horizon {
            self.plan(at, Turn::Key(KeyTurn::Begin(key)));
        }
    }

    pub(super) fn turn_key(&mut self, turn: KeyTurn) {
        let Some(rotation) = &self.scenario.state.rotation else { return };
        match turn {
            KeyTurn::Begin(key) => self.begin_rotation(rotation, key),
            // Whoever starts after its turn is told all when it starts.
            KeyTurn::Learn(process, key) => self.instances[process as usize].keys.learn(key),
            KeyTurn::Seal(process, key) if rotation.order == Order::NoRing => {
                self.instances[process as usize].keys = KeyRing::of(key);
            }
            KeyTurn::Seal(process, key) => self.instances[process as usize].keys.seal_under(key),
            KeyTurn::End(key) => {
                self.keys.sealing = key;
                for instance in &mut self.instances {
                    instance.keys.seal_under(key);
                }
                let at = self.now().saturating_add(rotation.overlap);
                self.plan(at, Turn::Key(KeyTurn::Forget(key)));
            }
            KeyTurn::Forget(key) => {
                self.keys.oldest = key;
                for instance in &mut self.instances {
                    instance.keys.forget_before(key);
                }
            }
        }
    }

    fn begin_rotation(&mut self, rotation: &Rotation, key: KeyId) {
        self.plan_rotation(key + 1);
        self.keys.newest = key;
        match rotation.order {
            Order::VerifyFirst => {}
            Order::SignFirst => self.keys.sealing = key,
            Order::NoRing => (self.keys.sealing, self.keys.oldest) = (key, key),
        }
        let begun = self.now();
        let second = begun.saturating_add(rotation.spread);
        for process in 0..self.instances.len() as u32 {
            let [in_first, in_second] = self.waits_for_turn(rotation, key, process);
            let (first, second) = (begun.saturating_add(in_first), second.saturating_add(in_second));
            match rotation.order {
                Order::VerifyFirst => {
                    self.plan(first, Turn::Key(KeyTurn::Learn(process, key)));
                    self.plan(second, Turn::Key(KeyTurn::Seal(process, key)));
                }
                Order::SignFirst | Order::NoRing => self.plan(first, Turn::Key(KeyTurn::Seal(process, key))),
            }
        }
        let end = if rotation.order == Order::VerifyFirst { second.saturating_add(rotation.spread) } else { second };
        if rotation.order != Order::NoRing {
            self.plan(end, Turn::Key(KeyTurn::End(key)));
        }
    }

    /// From the beginning of each of two rolls to the turn of a process in it.
    fn waits_for_turn(&mut self, rotation: &Rotation, key: KeyId, process: InstanceId) -> [Duration; 2] {
        let spread = rotation.spread.as_nanos();
        let part = |of: u128, all: u128| Duration::from_nanos((spread * of / all) as u64);
        match rotation.turns {
            Turns::Random => {
                let lane = self.streams.lane(Kind::KeyTurn, u64::from(key) << 32 | u64::from(process));
                [lane[0], lane[1]].map(|word| part(u128::from(word), 1 << 64))
            }
            Turns::InOrder => {
                let first_fleet = self.scenario.fleet.instances.len() as u32;
                [part(u128::from(process % first_fleet), u128::from(first_fleet)); 2]
            }
        }
    }

    /// So many keys were tried on the state of a call.
    pub(super) fn note_keys_tried(&mut self, id: u32, tried: usize) {
        if tried > 1 {
            self.asides.note(id).incidents.note_times(Incident::FurtherKey, tried - 1);
        }
    }
}
