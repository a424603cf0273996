//! Fan-out: the body waits where it was. An answer that reaches another process is published to all; whoever waits for it
//! takes it, and if nobody does, nobody knows.

use super::{Era, Origin, Resume, Ticket, Waiting};
use crate::engine::SimTime;
use crate::tool::Slot;
use crate::world::{Cause, Found, Instance, Owner, Presented, Revision};

/// Waiting, with a channel of the store on which every process hears every stray answer.
#[derive(Clone, Copy, Debug)]
pub struct FanOut {
    /// What happens at the process that waits.
    pub at_home: Waiting,
}

impl Era for FanOut {
    fn speaks(&self, met: Option<&Instance>, client: Revision) -> Revision {
        self.at_home.speaks(met, client)
    }

    fn suspend(&self, slot: &mut dyn Slot, at: &Instance, client: Revision, now: SimTime) -> Ticket {
        self.at_home.suspend(slot, at, client, now)
    }

    fn looks_up(&self, ticket: &Ticket, at: &Instance) -> bool {
        !ticket.is_home(at)
    }

    fn publishes(&self) -> bool {
        true
    }

    fn resume(&self, ticket: &Ticket, at: &Instance, origin: &Origin<'_>, told: &Presented, now: SimTime) -> Resume {
        match (ticket.is_home(at), told.found, told.owner) {
            (true, ..) => self.at_home.resume(ticket, at, origin, told, now),
            (_, Found::Down, _) => Resume::NotFound(Cause::StoreDown),
            (_, _, Owner::Alive) => Resume::Forward,
            _ => Resume::Swallowed,
        }
    }
}
