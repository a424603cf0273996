//! Migrating: a fleet in the middle of its way from waiting to carrying. The processes of the first version speak the
//! earlier era, those that a deploy started speak the modern one, and a client follows whichever it meets.

use super::{Carrying, Era, Lifecycle, Origin, Resume, Ticket, Waiting};
use crate::engine::SimTime;
use crate::tool::Slot;
use crate::world::{Cause, Instance, Presented, RequestState, Revision};

/// A fleet of both designs.
#[derive(Clone, Copy, Debug)]
pub struct Migrating {
    /// What the processes of the first version do.
    pub before: Waiting,
    /// What those of every later version do.
    pub after: Carrying,
}

/// Whether a process speaks the modern era.
fn is_modern(at: &Instance) -> bool {
    at.version > 0
}

impl Era for Migrating {
    fn speaks(&self, met: Option<&Instance>, _: Revision) -> Revision {
        if met.is_none_or(is_modern) { Revision::Modern } else { Revision::Earlier }
    }

    fn handshake(&self, met: Option<&Instance>, client: Revision) -> &'static [Lifecycle] {
        match self.speaks(met, client) {
            Revision::Modern => &[Lifecycle::Discover],
            // By which the client found out.
            Revision::Earlier => {
                &[Lifecycle::Discover, Lifecycle::Initialize, Lifecycle::Initialized, Lifecycle::Stream]
            }
        }
    }

    fn suspend(&self, slot: &mut dyn Slot, at: &Instance, client: Revision, now: SimTime) -> Ticket {
        match is_modern(at) {
            true => self.after.suspend(slot, at, client, now),
            false => self.before.suspend(slot, at, client, now),
        }
    }

    fn resume(&self, ticket: &Ticket, at: &Instance, origin: &Origin<'_>, told: &Presented, now: SimTime) -> Resume {
        match ticket.names_session() {
            true => self.before.resume(ticket, at, origin, told, now),
            false if is_modern(at) => self.after.resume(ticket, at, origin, told, now),
            // It asks for the session that every request of its era has.
            false => Resume::Refused(Cause::OtherEra),
        }
    }

    fn keys_tried(&self, ticket: &Ticket, at: &Instance, told: &Presented) -> usize {
        if is_modern(at) { self.after.keys_tried(ticket, at, told) } else { 0 }
    }

    fn carried_bytes(&self, ticket: &Ticket, origin: &Origin<'_>) -> u32 {
        if ticket.names_session() { 0 } else { self.after.carried_bytes(ticket, origin) }
    }

    fn state_on_wire(&self, ticket: &Ticket, origin: &Origin<'_>, told: &Presented) -> Option<RequestState> {
        self.after.state_on_wire(ticket, origin, told)
    }
}
