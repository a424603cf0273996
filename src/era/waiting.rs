//! Waiting: the suspended body is kept, so the answer must come home to the instance, and to the process, that has it
//! (2025-11-25 and before: `elicitation/create` on the open stream, the answer as a POST of its own).

use super::{Era, Origin, Resume, Ticket};
use crate::engine::SimTime;
use crate::tool::Slot;
use crate::world::{Cause, Instance, Misroute, Presented, Revision};

/// The waiting design.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    /// What an instance replies to an answer that it does not wait for.
    pub misroute: Misroute,
}

impl Era for Waiting {
    fn speaks(&self, _: Option<&Instance>, _: Revision) -> Revision {
        Revision::Earlier
    }

    fn suspend(&self, _kept: &mut dyn Slot, at: &Instance, _: Revision, _: SimTime) -> Ticket {
        Ticket::Held { at: at.id, life: at.life }
    }

    fn resume(&self, ticket: &Ticket, at: &Instance, origin: &Origin<'_>, _: &Presented, _: SimTime) -> Resume {
        if origin.is_kept && ticket.is_home(at) {
            return Resume::Run;
        }
        match self.misroute {
            Misroute::Swallowed => Resume::Swallowed,
            Misroute::NotFound => Resume::NotFound(Cause::Misrouted),
        }
    }
}
