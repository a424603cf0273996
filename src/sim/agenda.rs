//! What is going to be done to the fleet: one entry for each thing whose time is known. Rare beside the calls, so that an
//! entry may be as large as it likes. An entry whose subject is gone by its time is for its taker to pass over.

use std::future::Future;

use super::sessions::SessionId;
use super::{Event, Observer, Sim};
use crate::engine::{SimTime, Token};
use crate::tool::{MissingCapability, ToolResult};
use crate::world::InstanceId;

/// Something that will be done to the fleet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// The balancer stops giving new calls to an address whose way out this token ends.
    OutOfRotation(InstanceId, Token),
    /// The pause of an address is over whose way out this token ends.
    Close(InstanceId, Token),
    /// What was ordered at an address is up.
    Up(InstanceId),
    /// An address is taken back, if it is the one that came up as this.
    Reclaim(InstanceId, u64),
    /// The fleet looks at its size.
    Look,
    /// A process has its turn in the rotation of the shared key.
    Key(super::keys::KeyTurn),
    /// The clock on a session has run out of which no call is under way since then.
    Session(SessionId, SimTime),
    /// The shared store crashes by this fault.
    StoreCrash(u32),
}

/// The entries, by number. Places are used again.
#[derive(Debug, Default)]
pub(super) struct Agenda {
    entries: Vec<Option<Turn>>,
    free: Vec<u32>,
}

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// Writes down what is to be done at an instant, after everything else that happens at it but a sample.
    pub(super) fn plan(&mut self, at: SimTime, turn: Turn) {
        let place = self.agenda.free.pop().unwrap_or_else(|| {
            self.agenda.entries.push(None);
            self.agenda.entries.len() as u32 - 1
        });
        self.agenda.entries[place as usize] = Some(turn);
        self.engine.at(at, Event::Turn(place));
    }

    pub(super) fn take_turn(&mut self, entry: u32) {
        let turn = self.agenda.entries[entry as usize].take().expect("an entry of the agenda has one turn");
        self.agenda.free.push(entry);
        match turn {
            Turn::OutOfRotation(address, of) => self.leave_rotation(address, of),
            Turn::Close(address, of) => self.close_site(address, of),
            Turn::Up(address) => self.come_up(address),
            Turn::Reclaim(address, came) => self.reclaim(address, came),
            Turn::Look => self.look(),
            Turn::Key(turn) => self.turn_key(turn),
            Turn::Session(session, since) => self.session_idle(session, since),
            Turn::StoreCrash(place) => self.store_crashes(place),
        }
    }
}
