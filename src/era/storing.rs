//! Storing: the suspended body is dropped, and what the call has so far is written down in a store that all processes
//! share. The client gets a handle to it, with which any instance starts the body again from the top.

use super::{Binds, Era, Origin, Resume, Ticket};
use crate::engine::SimTime;
use crate::tool::Slot;
use crate::world::{Cause, Found, Instance, Presented, RequestState, Revision, UsedBefore, handle, handle_len};

/// The design with a record in a store.
#[derive(Clone, Copy, Debug)]
pub struct Storing {
    /// Whether a handle is good for its own user only, and for its own call only.
    pub binds: Binds,
}

impl Era for Storing {
    fn speaks(&self, _: Option<&Instance>, _: Revision) -> Revision {
        Revision::Modern
    }

    fn suspend(&self, slot: &mut dyn Slot, _: &Instance, _: Revision, _: SimTime) -> Ticket {
        slot.clear();
        Ticket::Stored
    }

    fn writes_down(&self) -> bool {
        true
    }

    fn looks_up(&self, _: &Ticket, _: &Instance) -> bool {
        true
    }

    fn resume(&self, _: &Ticket, _: &Instance, _: &Origin<'_>, told: &Presented, _: SimTime) -> Resume {
        match told.found {
            _ if !told.intact => Resume::Refused(Cause::Tampered),
            Found::Down => Resume::Refused(Cause::StoreDown),
            // A record is good for one call: once that is over there is none.
            _ if told.used_before != UsedBefore::No => Resume::Refused(Cause::Replayed),
            Found::Nothing => Resume::Refused(Cause::StoreLost),
            Found::Kept => self.binds.judge(told).map_or_else(Resume::Refused, |()| Resume::Run),
        }
    }

    fn carried_bytes(&self, _: &Ticket, _: &Origin<'_>) -> u32 {
        handle_len() as u32
    }

    fn state_on_wire(&self, _: &Ticket, origin: &Origin<'_>, told: &Presented) -> Option<RequestState> {
        Some(handle(origin.call, told.intact))
    }
}
