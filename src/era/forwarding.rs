//! Forwarding: the body waits where it was, and a store that all processes share names its owner. An answer that reaches
//! another process is passed on to the owner.

use super::{Era, Origin, Resume, Ticket, Waiting};
use crate::engine::SimTime;
use crate::tool::Slot;
use crate::world::{Cause, Found, Instance, Owner, Presented, Revision};

/// Waiting, with a store that names owners.
#[derive(Clone, Copy, Debug)]
pub struct Forwarding {
    /// What happens at the owner.
    pub at_home: Waiting,
}

impl Era for Forwarding {
    fn speaks(&self, met: Option<&Instance>, client: Revision) -> Revision {
        self.at_home.speaks(met, client)
    }

    fn suspend(&self, slot: &mut dyn Slot, at: &Instance, client: Revision, now: SimTime) -> Ticket {
        self.at_home.suspend(slot, at, client, now)
    }

    fn writes_down(&self) -> bool {
        true
    }

    fn looks_up(&self, ticket: &Ticket, at: &Instance) -> bool {
        !ticket.is_home(at)
    }

    fn resume(&self, ticket: &Ticket, at: &Instance, origin: &Origin<'_>, told: &Presented, now: SimTime) -> Resume {
        match (ticket.is_home(at), told.found, told.owner) {
            (true, ..) => self.at_home.resume(ticket, at, origin, told, now),
            (_, Found::Down, _) => Resume::NotFound(Cause::StoreDown),
            (_, Found::Nothing, _) => Resume::NotFound(Cause::StoreLost),
            (_, Found::Kept, Owner::Forgotten) => Resume::NotFound(Cause::Misrouted),
            (_, Found::Kept, Owner::Silent) => Resume::Hang,
            (_, Found::Kept, Owner::Alive) => Resume::Forward,
        }
    }
}
