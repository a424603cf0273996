//! The clients' patience. It is the same for all, so it ends in the order in which calls arrived: a list through the
//! calls, the oldest first, and one timer for the oldest. Must never keep anything of a call that has ended: most calls
//! end long before their patience does.

use super::call::{Calls, NO_PLACE};
use super::{Event, Observer, Sim};
use crate::engine::SimTime;
use crate::tool::{MissingCapability, ToolResult};

/// The calls under way by age.
#[derive(Debug)]
pub(super) struct ByAge {
    oldest: u32,
    youngest: u32,
    /// Whether the timer of the oldest is scheduled; it may come early, when that one ended in the meantime.
    armed: bool,
}

impl ByAge {
    pub(super) const NONE: ByAge = ByAge { oldest: NO_PLACE, youngest: NO_PLACE, armed: false };

    /// Adds a call that is younger than all others.
    fn push<F>(&mut self, calls: &mut Calls<F>, id: u32) {
        (calls[id].older, calls[id].younger) = (self.youngest, NO_PLACE);
        match self.youngest {
            NO_PLACE => self.oldest = id,
            youngest => calls[youngest].younger = id,
        }
        self.youngest = id;
    }

    fn remove<F>(&mut self, calls: &mut Calls<F>, id: u32) {
        let (older, younger) = (calls[id].older, calls[id].younger);
        match older {
            NO_PLACE => self.oldest = younger,
            older => calls[older].younger = younger,
        }
        match younger {
            NO_PLACE => self.youngest = older,
            younger => calls[younger].older = older,
        }
    }
}

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// The patience of a new call begins; it is the youngest.
    pub(super) fn begin_patience(&mut self, id: u32) {
        if self.scenario.clients.patience.is_some() {
            self.by_age.push(&mut self.calls, id);
            self.arm();
        }
    }

    /// A call ends, and its patience with it.
    pub(super) fn end_patience(&mut self, id: u32) {
        if self.scenario.clients.patience.is_some() {
            self.by_age.remove(&mut self.calls, id);
        }
    }

    /// The timer of what was the oldest call when it was set. Each call has its turn in an event of its own.
    pub(super) fn look_at_patience(&mut self) {
        self.by_age.armed = false;
        let oldest = self.by_age.oldest;
        if oldest != NO_PLACE && self.patience_ends(oldest) <= self.now() {
            self.out_of_patience(oldest);
        }
        self.arm();
    }

    /// Whether the patience of a call whose caller has not had its end is over.
    pub(super) fn is_out_of_patience(&self, id: u32) -> bool {
        let has_one = self.scenario.clients.patience.is_some() && self.asides.of(id).ended.is_none();
        has_one && self.patience_ends(id) <= self.now()
    }

    fn arm(&mut self) {
        let oldest = self.by_age.oldest;
        if oldest != NO_PLACE && !self.by_age.armed {
            self.by_age.armed = true;
            self.engine.at(self.patience_ends(oldest), Event::Patience);
        }
    }

    fn patience_ends(&self, id: u32) -> SimTime {
        let patience = self.scenario.clients.patience.expect("only calls with a patience are listed");
        let patience = i64::try_from(patience.as_nanos()).expect("durations fit the simulated time");
        let ends = self.calls[id].arrived_ns.saturating_add(patience);
        SimTime::from_ns(u64::try_from(ends).expect("whoever is out of patience at the start does not stand there"))
    }
}
