//! Migrating: a fleet in the middle of its way from waiting to carrying. The processes of the first version speak the
//! earlier era, those that a deploy started speak the modern one, and a client follows whichever it meets.

use super::{Carrying, Era, Lifecycle, Origin, Resume, Ticket, Waiting};
use crate::engine::SimTime;
use crate::tool::BodySlot;
use crate::world::{Cause, ClientCapabilities, Instance, Presented, RequestState};

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
    fn handshake(&self, met: Option<&Instance>) -> &'static [Lifecycle] {
        match met {
            Some(at) if !is_modern(at) => {
                &[Lifecycle::Discover, Lifecycle::Initialize, Lifecycle::Initialized, Lifecycle::Stream]
            }
            _ => self.after.handshake(met),
        }
    }

    fn drop_cancels(&self, at: &Instance) -> bool {
        if is_modern(at) { self.after.drop_cancels(at) } else { self.before.drop_cancels(at) }
    }

    fn declared(
        &self,
        at: &Instance,
        handshake: ClientCapabilities,
        this_request: ClientCapabilities,
    ) -> ClientCapabilities {
        match is_modern(at) {
            true => self.after.declared(at, handshake, this_request),
            false => self.before.declared(at, handshake, this_request),
        }
    }

    fn answers_together(&self, at: &Instance) -> bool {
        if is_modern(at) { self.after.answers_together(at) } else { self.before.answers_together(at) }
    }

    fn suspend<F>(&self, slot: &mut BodySlot<F>, at: &Instance, now: SimTime) -> Ticket {
        if is_modern(at) { self.after.suspend(slot, at, now) } else { self.before.suspend(slot, at, now) }
    }

    fn resume(
        &self,
        ticket: &Ticket,
        at: &Instance,
        origin: &Origin<'_>,
        presented: &Presented,
        now: SimTime,
    ) -> Resume {
        match ticket {
            Ticket::Held { .. } => self.before.resume(ticket, at, origin, presented, now),
            Ticket::Sealed { .. } if is_modern(at) => self.after.resume(ticket, at, origin, presented, now),
            // It asks for the session that every request of its era has.
            Ticket::Sealed { .. } => Resume::Refused(Cause::OtherEra),
        }
    }

    fn keys_tried(&self, ticket: &Ticket, at: &Instance, presented: &Presented) -> usize {
        if is_modern(at) { self.after.keys_tried(ticket, at, presented) } else { 0 }
    }

    fn carried_bytes(&self, ticket: &Ticket, origin: &Origin<'_>) -> u32 {
        if ticket.names_session() { 0 } else { self.after.carried_bytes(ticket, origin) }
    }

    fn state_on_wire(&self, ticket: &Ticket, origin: &Origin<'_>, presented: &Presented) -> Option<RequestState> {
        self.after.state_on_wire(ticket, origin, presented)
    }
}
