//! Answers that a process looks up in the store and passes on: to the process that keeps the body, or in vain. The client
//! waits meanwhile; no thread does. Must never decide who gets them: that is for the design.

use std::future::Future;

use super::message::in_words;
use super::story::Party;
use super::wire::WireKind;
use super::{Event, Observer, Sim};
use crate::era::Resume;
use crate::metrics::Incident;
use crate::tool::{MissingCapability, ToolResult};
use crate::world::{Cause, InstanceId};

/// What a message of a call waits for at a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passing {
    /// For the store, or on its way to this process.
    To(InstanceId),
    /// For an owner that says nothing.
    InVain,
}

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// Answers have reached a process: they are presented there, once the store was asked if it has to be.
    pub(super) fn look_up(&mut self, id: u32, to: InstanceId) {
        let ticket = self.calls[id].ticket.expect("answers come with a ticket");
        if !self.era.looks_up(&ticket, &self.instances[to as usize]) {
            return self.present(id, to);
        }
        match self.look_up_takes().filter(|takes| !takes.is_zero()) {
            None => self.present(id, to),
            Some(takes) => {
                self.asides.note(id).passing = Some(Passing::To(to));
                self.calls[id].next = self.after(takes, Event::Resend(id));
            }
        }
    }

    /// What a message waited for has come.
    pub(super) fn passed_on(&mut self, id: u32, passing: Passing) {
        self.stop_passing(id);
        match passing {
            Passing::To(to) if self.instances[to as usize].alive => self.present(id, to),
            Passing::To(to)
                if self.calls[id].ticket.is_some_and(|ticket| ticket.home().is_some_and(|(at, _)| at == to)) =>
            {
                self.pass_in_vain(id);
            }
            Passing::To(_) => self.unreachable(id),
            Passing::InVain => {
                self.tell(id, Party::Balancer, Party::Client, || in_words(Resume::NotFound(Cause::OwnerSilent)));
                self.message(id, Party::Balancer, Party::Client, |_| WireKind::NotFound);
                self.calls[id].blame(Cause::OwnerSilent);
                self.not_found(id);
            }
        }
    }

    /// A process passes answers on to the one that keeps the body.
    pub(super) fn pass_on(&mut self, id: u32) {
        let Some((home, _)) = self.calls[id].ticket.and_then(|ticket| ticket.home()) else { return };
        self.note_passed(id, Incident::PassedOn);
        match self.scenario.store.hop {
            hop if hop.is_zero() => self.present(id, home),
            hop => {
                self.asides.note(id).passing = Some(Passing::To(home));
                self.calls[id].next = self.after(hop, Event::Resend(id));
            }
        }
    }

    /// A process passes answers on to one that says nothing.
    pub(super) fn pass_in_vain(&mut self, id: u32) {
        self.note_passed(id, Incident::PassedInVain);
        self.asides.note(id).passing = Some(Passing::InVain);
        self.levels.passing.change(1, self.engine.now(), &self.window);
        self.calls[id].next = self.after(self.scenario.store.forward_timeout, Event::Resend(id));
    }

    /// Every copy of answers that are passed on counts.
    fn note_passed(&mut self, id: u32, incident: Incident) {
        let others = self.instances.iter().filter(|process| process.alive).count().saturating_sub(1);
        let copies = if self.era.publishes() { others } else { 1 };
        self.asides.note(id).incidents.note_times(incident, copies);
    }

    /// Nothing of the call is on its way between processes any more.
    pub(super) fn stop_passing(&mut self, id: u32) {
        let Some(passing) = self.asides.of(id).passing else { return };
        self.asides.note(id).passing = None;
        if passing == Passing::InVain {
            self.levels.passing.change(-1, self.engine.now(), &self.window);
        }
    }
}
