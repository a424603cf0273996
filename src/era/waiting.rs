//! Waiting: the suspended body is kept, so the answer must come home to the instance, and to the process, that has it
//! (2025-11-25 and before: `elicitation/create` on the open stream, the answer as a POST of its own).

use super::{Era, Lifecycle, Origin, Resume, Ticket};
use crate::engine::SimTime;
use crate::tool::BodySlot;
use crate::world::{ClientCapabilities, Instance, Misroute, Presented, RequestState};

/// The waiting design.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    /// What an instance replies to an answer that it does not wait for.
    pub misroute: Misroute,
}

impl Era for Waiting {
    fn handshake(&self, _: Option<&Instance>) -> &'static [Lifecycle] {
        &[Lifecycle::Initialize, Lifecycle::Initialized, Lifecycle::Stream]
    }

    fn drop_cancels(&self, _: &Instance) -> bool {
        false
    }

    fn declared(&self, _: &Instance, handshake: ClientCapabilities, _: ClientCapabilities) -> ClientCapabilities {
        handshake
    }

    fn answers_together(&self, _: &Instance) -> bool {
        false
    }

    fn suspend<F>(&self, _kept: &mut BodySlot<F>, at: &Instance, _: SimTime) -> Ticket {
        Ticket::Held { at: at.id, life: at.life }
    }

    fn resume(&self, ticket: &Ticket, at: &Instance, origin: &Origin<'_>, _: &Presented, _: SimTime) -> Resume {
        if origin.is_kept && *ticket == (Ticket::Held { at: at.id, life: at.life }) {
            return Resume::Run;
        }
        match self.misroute {
            Misroute::Swallowed => Resume::Swallowed,
            Misroute::NotFound => Resume::NotFound,
        }
    }

    fn keys_tried(&self, _: &Ticket, _: &Instance, _: &Presented) -> usize {
        0
    }

    fn carried_bytes(&self, _: &Ticket, _: &Origin<'_>) -> u32 {
        0
    }

    fn state_on_wire(&self, _: &Ticket, _: &Origin<'_>, _: &Presented) -> Option<RequestState> {
        None
    }
}
