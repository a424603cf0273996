//! The story of one call, message by message. It is only told when somebody follows that call, and telling it changes
//! nothing.

use std::future::Future;

use serde::Serialize;

use super::call::instance;
use super::round::Reply;
use super::{Observer, Sim};
use crate::engine::SimTime;
use crate::tool::{MissingCapability, ToolResult};
use crate::world::InstanceId;

/// Who sends or receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Party {
    /// The person who is asked.
    Person,
    /// The program that calls for the person.
    Client,
    /// The balancer.
    Balancer,
    /// An instance of the fleet.
    Instance(InstanceId),
    /// A browser at the page behind a link.
    Browser,
    /// Where effects are written down.
    Ledger,
}

/// One step in the story of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// When.
    pub at: SimTime,
    /// From whom.
    pub from: Party,
    /// To whom; the same as `from` for something that happens at one party.
    pub to: Party,
    /// What.
    pub what: String,
}

/// An observer that follows one call.
#[derive(Debug)]
pub struct Story {
    call: u32,
    /// The steps so far, in order.
    pub steps: Vec<Step>,
    /// How the call ended, once it has.
    pub record: Option<crate::metrics::Record>,
}

impl Story {
    /// Follows this call.
    pub fn of(call: u32) -> Story {
        Story { call, steps: Vec::new(), record: None }
    }
}

impl Observer for Story {
    fn record(&mut self, record: &crate::metrics::Record) {
        if record.call == self.call {
            self.record = Some(*record);
        }
    }

    fn followed(&self) -> Option<u32> {
        Some(self.call)
    }

    fn step(&mut self, step: Step) {
        self.steps.push(step);
    }
}

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// Tells a step of the followed call; the words are made for that call only.
    #[inline]
    pub(super) fn tell(&mut self, id: u32, from: Party, to: Party, what: impl FnOnce() -> String) {
        if self.followed == Some(self.calls[id].number) {
            let step = Step { at: self.engine.now(), from, to, what: what() };
            self.observer.step(step);
        }
    }

    /// Tells a step that starts at the instance where the call is.
    #[inline]
    pub(super) fn tell_from(&mut self, id: u32, to: Party, what: impl FnOnce() -> String) {
        let at = instance(self.calls[id].at).map_or(Party::Balancer, Party::Instance);
        self.tell(id, at, to, what);
    }

    /// Tells a step that happens at the instance where the call is.
    #[inline]
    pub(super) fn tell_at(&mut self, id: u32, what: impl FnOnce() -> String) {
        let at = instance(self.calls[id].at).map_or(Party::Balancer, Party::Instance);
        self.tell(id, at, at, what);
    }

    /// Tells what the client sends: the answers that travel.
    #[inline]
    pub(super) fn tell_answers(&mut self, id: u32) {
        let round = self.calls[id].round;
        self.tell(id, Party::Client, Party::Balancer, || {
            let words: Vec<&str> = round.travelling().map(|asked| in_words(asked.reply)).collect();
            format!("sends the answer: {}", words.join(", "))
        });
    }
}

fn in_words(reply: Reply) -> &'static str {
    match reply {
        Reply::Given(action) => action.name(),
        _ => "accept, with what does not fit the form",
    }
}
