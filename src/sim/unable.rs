//! What happens when a tool has to ask and the client cannot be asked: the policy of the server, and what host and model
//! do under it. Must never count a question as asked that the server did not send.

use std::future::Future;

use super::aside::Consent;
use super::births::{self, ModelDoes};
use super::call::Stage;
use super::story::Party;
use super::wire::WireKind;
use super::{Observer, Sim};
use crate::metrics::Outcome;
use crate::tool::{InputRequests, MissingCapability, ToolResult};
use crate::world::{Action, Answer, Capability, Cause, Gate, Unable, gate};

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// Whether the client sends the call right away. If not, it never does, or its host asks the person first.
    pub(super) fn may_call(&mut self, id: u32) -> bool {
        match self.scenario.tool.unable {
            Unable::HideTool if !self.can_be_asked(id) => {
                self.calls[id].blame(Cause::Capability);
                self.tell(id, Party::Client, Party::Client, || "does not find the tool in the list".to_owned());
                self.end(id, Outcome::Unsupported);
                false
            }
            Unable::HostApproval if !self.can_be_asked(id) => {
                self.ask_beside(id, Stage::AtHost, "asks before it sends the call: allow it?");
                false
            }
            _ => true,
        }
    }

    /// Whether the client declared everything that the tool may ask for.
    fn can_be_asked(&self, id: u32) -> bool {
        let declared = self.kind(id).declares;
        let sent = |needs| matches!(gate(needs, declared, Unable::Reject), Gate::Send(_));
        self.scenario.tool.definition.asks.iter().all(|ask| sent(ask.needs))
    }

    /// The person is asked beside the protocol, by the host or by the model.
    fn ask_beside(&mut self, id: u32, stage: Stage, what: &'static str) {
        self.move_to(id, stage);
        self.calls[id].asked = self.now();
        self.ask_person(id, || what.to_owned());
    }

    /// The person answered beside the protocol.
    pub(super) fn answered_beside(&mut self, id: u32) {
        match self.last_action(id) {
            Action::Accept => self.call_confirmed(id, Consent::Confirmed),
            Action::Decline => self.end(id, Outcome::Declined),
            Action::Cancel => self.end(id, Outcome::Cancelled),
        }
    }

    /// The client sends the call with `confirmed=true`.
    fn call_confirmed(&mut self, id: u32, consent: Consent) {
        self.forget(id);
        self.asides.note(id).consent = consent;
        self.begin(id, None);
    }

    /// A body had to ask and the gate let nothing through.
    pub(super) fn cannot_ask(&mut self, id: u32, needed: Capability) {
        if self.asides.of(id).ended.is_some() {
            // Nobody hears of it.
            return self.end(id, Outcome::Unsupported);
        }
        let fallback = self.scenario.tool.definition.fallback;
        match (self.scenario.tool.unable, fallback) {
            // A model that called again with `confirmed` is not told the same once more.
            (Unable::ToolErrorWithFallback, Some(message)) if self.asides.of(id).consent == Consent::ByAnswer => {
                self.tell_from(id, Party::Client, || format!("tool error: {message}"));
                self.reply_at(id, |_| WireKind::ToolError(message));
                self.told_to_ask(id);
            }
            _ => {
                self.tell_from(id, Party::Client, || format!("error -32021, requires {}", needed.required()));
                self.reply_at(id, |_| WireKind::Missing(needed));
                self.unsupported(id);
            }
        }
    }

    fn unsupported(&mut self, id: u32) {
        self.calls[id].blame(Cause::Capability);
        self.end(id, Outcome::Unsupported);
    }

    /// The model was told to ask in the conversation and to call again.
    fn told_to_ask(&mut self, id: u32) {
        let number = self.calls[id].number;
        match births::model(&self.scenario.clients.model, &mut self.streams, number) {
            ModelDoes::Nothing => self.unsupported(id),
            ModelDoes::Claim => self.call_confirmed(id, Consent::Claimed),
            ModelDoes::Ask => {
                self.let_go(id);
                self.ask_beside(id, Stage::InConversation, "asks in the conversation: do you agree?");
            }
        }
    }

    /// The server goes on as if these had been accepted. Where it takes what it needs from its own configuration, nobody
    /// had to be asked.
    pub(super) fn pass(&mut self, id: u32, asks: &InputRequests) {
        for asked in asks.iter() {
            self.calls[id].answers.push(Answer { ask: asked.ask, action: Action::Accept });
        }
        let definition = &self.scenario.tool.definition;
        if asks.iter().any(|asked| definition.ask(asked.ask).needs == Capability::Url) {
            self.asides.note(id).needs_no_page = true;
        }
        if self.scenario.tool.unable == Unable::FailOpen {
            self.asides.note(id).consent = Consent::Waived;
        }
        self.tell_at(id, || "asks nobody and goes on".to_owned());
    }
}
