//! Two versions of one tool at a time: which of them a process runs, and what comes of a call that meets both. Must never
//! let a body that is kept change its version: it goes on as what it began.

use std::future::Future;

use super::{Observer, Sim};
use crate::metrics::Incident;
use crate::tool::{Action, InputRequests, MissingCapability, Program, ToolResult};
use crate::world::InstanceId;

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// The steps of the version that a process runs.
    pub(super) fn program_at(&self, at: InstanceId) -> &Program {
        self.scenario.tool.definition.program_of(self.instances[at as usize].version)
    }

    /// A body starts from the top: what an earlier run of it used counts no more.
    pub(super) fn version_begins(&mut self, id: u32) {
        if self.asides.of(id).runs_on_misapplied {
            self.asides.note(id).runs_on_misapplied = false;
        }
    }

    /// A body has used the answers at these places, as bits, for other asks than they were given to. Each counts once in
    /// a call; what the body does from now on rests on a yes that nobody gave.
    pub(super) fn note_misapplied(&mut self, id: u32, places: u16) {
        let used = |place: usize| places >> place & 1 == 1;
        let answers = self.calls[id].answers;
        let is_yes = answers.given().enumerate().any(|(place, given)| used(place) && given.action == Action::Accept);
        let aside = self.asides.note(id);
        let fresh = places & !aside.misapplied;
        aside.misapplied |= places;
        aside.runs_on_misapplied |= is_yes;
        for _ in 0..fresh.count_ones() {
            aside.incidents.note(Incident::Misapplied);
        }
        self.tell_at(id, || "takes an answer that was given to another question".to_owned());
    }

    /// A round is about to go out: which of it the version that asked the call first does not have.
    pub(super) fn note_version_of(&mut self, id: u32, asks: &InputRequests) {
        if self.scenario.tool.definition.next.is_none() {
            return;
        }
        let version = self.instances[usize::from(self.calls[id].at)].version;
        let first = *self.asides.note(id).first_asked_by.get_or_insert(version);
        let program = self.scenario.tool.definition.program_of(first);
        for _ in asks.iter().filter(|asked| !program.asks(asked.ask)) {
            self.asides.note(id).incidents.note(Incident::ExtraAsk);
        }
    }
}
