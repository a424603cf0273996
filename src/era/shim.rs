//! Shim: tools written for the modern era, served to clients of both. A modern client carries; for a client of the
//! earlier era the server pushes the question, waits for the answer in its place, and runs the body again from the top.

use super::{Carrying, Era, Origin, Resume, Ticket, Waiting};
use crate::engine::SimTime;
use crate::tool::Slot;
use crate::world::{Instance, Presented, RequestState, Revision};

/// A modern server with a shim for old clients.
#[derive(Clone, Copy, Debug)]
pub struct Shim {
    /// What clients of the earlier era meet.
    pub before: Waiting,
    /// What modern clients meet.
    pub after: Carrying,
}

impl Era for Shim {
    fn speaks(&self, _: Option<&Instance>, client: Revision) -> Revision {
        client
    }

    fn suspend(&self, slot: &mut dyn Slot, at: &Instance, client: Revision, now: SimTime) -> Ticket {
        match client {
            Revision::Earlier => Ticket::Pushed { at: at.id, life: at.life },
            Revision::Modern => self.after.suspend(slot, at, client, now),
        }
    }

    fn resume(&self, ticket: &Ticket, at: &Instance, origin: &Origin<'_>, told: &Presented, now: SimTime) -> Resume {
        match ticket.names_session() {
            true => self.before.resume(ticket, at, origin, told, now),
            false => self.after.resume(ticket, at, origin, told, now),
        }
    }

    fn keys_tried(&self, ticket: &Ticket, at: &Instance, told: &Presented) -> usize {
        self.after.keys_tried(ticket, at, told)
    }

    fn carried_bytes(&self, ticket: &Ticket, origin: &Origin<'_>) -> u32 {
        if ticket.names_session() { 0 } else { self.after.carried_bytes(ticket, origin) }
    }

    fn state_on_wire(&self, ticket: &Ticket, origin: &Origin<'_>, told: &Presented) -> Option<RequestState> {
        self.after.state_on_wire(ticket, origin, told)
    }
}
