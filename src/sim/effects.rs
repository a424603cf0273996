//! What a body does to the world, once or twice: an entry is made unless it is known to have been made. What makes two
//! effects the same is the tool's to say; nothing here may look at how a server bridges the time in which a person thinks.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Place;
use std::future::Future;

use super::aside::Consent;
use super::story::Party;
use super::wire::WireKind;
use super::{Observer, Sim};
use crate::metrics::{Incident, Outcome};
use crate::scenario::{Idempotency, IdempotencyScope};
use crate::tool::{Entry, MissingCapability, ToolResult};
use crate::world::{Cause, InstanceId};

/// By what an effect is known: what its request brought, its number within the body, and the process that knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Known {
    /// Number of the call and of the request or the state; or the amount, and whether it is confirmed.
    by: (u32, u32),
    number: u16,
    /// The process and its life; `None` = the store of the fleet.
    to: Option<(InstanceId, u32)>,
}

/// The effects that were made, each with the call that made it.
#[derive(Debug, Default)]
pub(super) struct Effects(BTreeMap<Known, u32>);

/// What becomes of an effect that a body wants to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is made.
    Make,
    /// It was made before: its first result stands.
    Repeat,
    /// Nobody can say whether it was made before.
    Unknown,
}

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// Whether the effects of a body are numbered.
    pub(super) fn numbers_effects(&self) -> bool {
        self.scenario.tool.effects_in_state || self.scenario.tool.idempotency != Idempotency::None
    }

    /// A body makes an effect, unless it is recorded as made. Whether the body goes on.
    pub(super) fn post(&mut self, id: u32, entry: Entry) -> bool {
        let again = self.stops_again(id);
        if self.numbers_effects() {
            self.asides.note(id).effects += 1;
        }
        if self.scenario.tool.effects_in_state {
            let aside = self.asides.note(id);
            if aside.effects <= aside.effects_recorded {
                self.tell_at(id, || "has this effect recorded as made".to_owned());
                return true;
            }
            aside.effects_recorded = aside.effects;
        }
        let at = InstanceId::from(self.calls[id].at);
        match self.judge_effect(id, self.asides.of(id).effects, at) {
            Verdict::Make => self.make_entry(id, entry, again),
            Verdict::Repeat => self.tell_at(id, || "has made this effect before".to_owned()),
            Verdict::Unknown => self.cannot_know(id),
        }
        self.calls[id].slot.filled()
    }

    fn make_entry(&mut self, id: u32, entry: Entry, again: bool) {
        self.calls[id].entries += 1;
        if self.asides.of(id).ended.is_some() {
            self.asides.note(id).incidents.note(Incident::LateEntry);
        }
        if again {
            self.asides.note(id).entries_again += 1;
        }
        let aside = self.asides.of(id);
        if matches!(aside.consent, Consent::Claimed | Consent::Waived) || aside.runs_on_misapplied {
            self.asides.note(id).entries_unconfirmed += 1;
        }
        let ledgers = &self.scenario.tool.definition.ledgers;
        self.tell_from(id, Party::Ledger, || entered(&entry, ledgers));
    }

    /// The server ends a call whose effect may or may not have been made before.
    fn cannot_know(&mut self, id: u32) {
        self.calls[id].blame(Cause::LedgerDown);
        if self.reaches_nobody(id) {
            return;
        }
        self.reply_at(id, |_| WireKind::ToolError("the ledger of effects cannot be asked"));
        self.tell_from(id, Party::Client, || format!("error: {}", Cause::LedgerDown.in_words()));
        self.end(id, Outcome::Failed);
    }

    /// Whether the effect with this number in a body of the call at this process is made, and if so, it is known from now
    /// on.
    pub(super) fn judge_effect(&mut self, id: u32, number: u16, at: InstanceId) -> Verdict {
        let Some(by) = self.makes_it_the_same(id) else { return Verdict::Make };
        let to = match self.scenario.tool.idempotency_scope {
            IdempotencyScope::PerInstance => Some((at, self.instances[at as usize].life)),
            IdempotencyScope::Shared if self.store_is_up() => None,
            IdempotencyScope::Shared if self.scenario.state.outage_opens => return Verdict::Make,
            IdempotencyScope::Shared => return Verdict::Unknown,
        };
        let call = self.calls[id].number;
        match self.effects.0.entry(Known { by, number, to }) {
            Place::Vacant(place) => {
                place.insert(call);
                Verdict::Make
            }
            Place::Occupied(made) => {
                let aside = self.asides.note(id);
                aside.incidents.note(Incident::Deduplicated);
                if *made.get() != call {
                    aside.incidents.note(Incident::FalseDuplicate);
                }
                Verdict::Repeat
            }
        }
    }

    /// What makes an effect of this call the same as another; `None` where nothing does.
    fn makes_it_the_same(&self, id: u32) -> Option<(u32, u32)> {
        let (call, aside) = (&self.calls[id], self.asides.of(id));
        match self.scenario.tool.idempotency {
            Idempotency::None => None,
            // A copy of the proxy has the id of what it copies.
            Idempotency::RequestId => {
                Some((call.number, u32::from(call.messages) - aside.incidents.count(Incident::ProxyRetried)))
            }
            Idempotency::Arguments => Some((call.amount, u32::from(self.arguments(id).confirmed))),
            // A request without a state brings no nonce.
            Idempotency::State => self.brings_state(id).then_some((call.number, aside.states)),
            Idempotency::Operation => Some((call.number, 0)),
        }
    }

    /// The client has a further state of this call.
    pub(super) fn note_state(&mut self, id: u32) {
        if self.scenario.tool.idempotency == Idempotency::State {
            self.asides.note(id).states += 1;
        }
    }

    /// The server is through with the state of the call; whether it is spent only now.
    pub(super) fn spend_after(&mut self, id: u32) {
        if self.scenario.state.spends_after {
            self.note_served(id, InstanceId::from(self.calls[id].at));
        }
    }

    /// The call is over, and nothing that it did can come again. What goes by arguments can be met by any call.
    pub(super) fn forget_effects(&mut self, id: u32) {
        if self.effects.0.is_empty() || self.scenario.tool.idempotency == Idempotency::Arguments {
            return;
        }
        let number = self.calls[id].number;
        let key = |number| Known { by: (number, 0), number: 0, to: None };
        let own: Vec<Known> = self.effects.0.range(key(number)..key(number + 1)).map(|(&known, _)| known).collect();
        for known in own {
            self.effects.0.remove(&known);
        }
    }
}

pub(super) fn entered(entry: &Entry, ledgers: &[String]) -> String {
    format!("enters {} into ledger {}", entry.amount, ledgers[usize::from(entry.ledger)])
}
