//! Handle: `input_required` on the wire, and the suspended body kept in memory under a handle that the client carries.
//! Nothing stays open, and yet the answer must come home to the process that has the body.

use super::{Binds, Era, Origin, Resume, Ticket};
use crate::engine::SimTime;
use crate::tool::Slot;
use crate::world::{Cause, Instance, Presented, RequestState, Revision, UsedBefore, handle, handle_len};

/// The design that looks stateless from outside.
#[derive(Clone, Copy, Debug)]
pub struct Handle {
    /// Whether a handle is good for its own user only, and for its own call only.
    pub binds: Binds,
}

impl Era for Handle {
    fn speaks(&self, _: Option<&Instance>, _: Revision) -> Revision {
        Revision::Modern
    }

    fn suspend(&self, _kept: &mut dyn Slot, at: &Instance, _: Revision, _: SimTime) -> Ticket {
        Ticket::Handle { at: at.id, life: at.life }
    }

    fn resume(&self, ticket: &Ticket, at: &Instance, origin: &Origin<'_>, told: &Presented, _: SimTime) -> Resume {
        match told.used_before {
            _ if !told.intact => Resume::Refused(Cause::Tampered),
            UsedBefore::Here | UsedBefore::Elsewhere => Resume::Refused(Cause::Replayed),
            UsedBefore::No if !origin.is_kept || !ticket.is_home(at) => Resume::Refused(Cause::Misrouted),
            UsedBefore::No => self.binds.judge(told).map_or_else(Resume::Refused, |()| Resume::Run),
        }
    }

    fn carried_bytes(&self, _: &Ticket, _: &Origin<'_>) -> u32 {
        handle_len() as u32
    }

    fn state_on_wire(&self, _: &Ticket, origin: &Origin<'_>, told: &Presented) -> Option<RequestState> {
        Some(handle(origin.call, told.intact))
    }
}
