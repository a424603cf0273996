//! What travels between the client of the followed call and the fleet, as plain facts: which asks, which answers, which
//! state, which refusal. Must never frame anything: how a fact is written down is not the simulation's to say.

use std::future::Future;

use super::call::instance;
use super::round::{Asked, Reply};
use super::story::Party;
use super::{Observer, Sim};
use crate::engine::SimTime;
use crate::metrics::Record;
use crate::tool::{Arguments, InputRequests, MissingCapability, ToolResult};
use crate::world::{Action, Capability, ClientCapabilities, InstanceId, Presented, RequestState};

/// One message of a call.
#[derive(Clone, Debug)]
pub struct Wire {
    /// When.
    pub at: SimTime,
    /// From whom.
    pub from: Party,
    /// To whom.
    pub to: Party,
    /// What.
    pub kind: WireKind,
}

/// What a message says.
#[derive(Clone, Debug)]
pub enum WireKind {
    /// A client calls a tool.
    Call {
        /// With these arguments.
        arguments: Arguments,
        /// What the client declares with it.
        declares: ClientCapabilities,
    },
    /// A client brings the answers of a round.
    Answers {
        /// The arguments of the call that it says it belongs to.
        arguments: Arguments,
        /// What the client declares with it.
        declares: ClientCapabilities,
        /// The answers, in the order in which they were asked for.
        given: Vec<Given>,
        /// The state that comes back, if the client carries any.
        state: Option<RequestState>,
        /// Whether the state comes back as an honest client sends it, and if not, how it does not.
        presented: Presented,
    },
    /// Somebody sends the last answers once more.
    Again,
    /// A server asks.
    Asks {
        /// The asks.
        asks: InputRequests,
        /// The arguments that the asks are made from.
        arguments: Arguments,
        /// The state that the client is to carry, if any.
        state: Option<RequestState>,
    },
    /// A server took the answers; whether anybody waits for them is not said.
    Taken,
    /// A server does not know what the answers belong to.
    NotFound,
    /// A server refuses the state. Why is not said.
    Refused,
    /// A server refuses what was filled in.
    InvalidAnswer,
    /// A server may not ask: the client did not declare this.
    Missing(Capability),
    /// A server tells the model what to do instead.
    ToolError(&'static str),
    /// A server made a form that may not be sent.
    IllegalForm,
    /// A server has no room.
    NoRoom,
    /// No server accepts the message.
    NoServer,
    /// A server waits no longer for an answer, or gives its tool no more time.
    ServerTimeout,
    /// The connection breaks, and the client notices.
    Broken,
    /// A server tells that the page behind its link is finished.
    PageFinished,
    /// The tool has ended.
    Done(ToolResult),
}

/// One answer on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given {
    /// Number of the ask within the tool.
    pub ask: u8,
    /// What the person did, or the client in their place.
    pub action: Action,
    /// What was filled in; of an accepted form only.
    pub content: Option<Content>,
}

/// Which of the two contents of an ask was filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// [`Fields::typed`](crate::tool::Fields::typed).
    Right,
    /// [`Fields::mistyped`](crate::tool::Fields::mistyped).
    Wrong,
}

/// An observer that writes down the messages of one call.
#[derive(Debug)]
pub struct Messages {
    call: u32,
    /// The messages so far, in order.
    pub messages: Vec<Wire>,
    /// How the call ended, once it has.
    pub record: Option<Record>,
}

impl Messages {
    /// Follows this call.
    pub fn of(call: u32) -> Messages {
        Messages { call, messages: Vec::new(), record: None }
    }
}

impl Observer for Messages {
    fn record(&mut self, record: &Record) {
        if record.call == self.call {
            self.record = Some(*record);
        }
    }

    fn followed(&self) -> Option<u32> {
        Some(self.call)
    }

    fn message(&mut self, message: Wire) {
        self.messages.push(message);
    }
}

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// Tells a message of the followed call; what it says is made for that call only.
    #[inline]
    pub(super) fn message(&mut self, id: u32, from: Party, to: Party, kind: impl FnOnce(&Self) -> WireKind) {
        if self.followed == Some(self.calls[id].number) {
            let message = Wire { at: self.engine.now(), from, to, kind: kind(self) };
            self.observer.message(message);
        }
    }

    /// Tells what an instance sends to the client.
    #[inline]
    pub(super) fn reply_from(&mut self, id: u32, at: InstanceId, kind: impl FnOnce(&Self) -> WireKind) {
        self.message(id, Party::Instance(at), Party::Client, kind);
    }

    /// Tells what the instance where the call is sends to the client, while there is a connection to send it over.
    #[inline]
    pub(super) fn reply_at(&mut self, id: u32, kind: impl FnOnce(&Self) -> WireKind) {
        if self.calls[id].cut {
            return;
        }
        let at = instance(self.calls[id].at).map_or(Party::Balancer, Party::Instance);
        self.message(id, at, Party::Client, kind);
    }

    /// Tells what the client sends, and which instance it reaches, if any.
    #[inline]
    pub(super) fn tell_sent(&mut self, id: u32, to: Option<InstanceId>) {
        if self.followed == Some(self.calls[id].number) {
            let presented = self.calls[id].ticket.map(|_| {
                let attack = self.attack(id);
                self.presented(id, attack)
            });
            let to = to.map_or(Party::Balancer, Party::Instance);
            self.message(id, Party::Client, to, |sim| sim.sent(id, presented));
        }
    }

    fn sent(&self, id: u32, presented: Option<Presented>) -> WireKind {
        let (arguments, kind) = (self.arguments(id), self.kind(id));
        let (Some(presented), Some(ticket)) = (presented, self.calls[id].ticket) else {
            return WireKind::Call { arguments, declares: kind.declares };
        };
        let given = self.calls[id].round.travelling().map(|asked| self.given(id, asked)).collect();
        let state = self.era.state_on_wire(&ticket, &self.origin(id), &presented);
        WireKind::Answers { arguments, declares: kind.declares_on_retry, given, state, presented }
    }

    /// Where both contents of an ask fit its form, or neither does, the right one stands for either.
    fn given(&self, id: u32, Asked { ask, reply }: Asked) -> Given {
        let (action, fits) = match reply {
            Reply::Given(action) => (action, true),
            _ => (Action::Accept, false),
        };
        let right = self.questions[usize::from(ask)].typed_fits == fits;
        let filled_in = action == Action::Accept && self.is_form(id, ask);
        let content = filled_in.then_some(if right { Content::Right } else { Content::Wrong });
        Given { ask, action, content }
    }

    /// A round of asks as it is sent.
    pub(super) fn asked(&self, id: u32, asks: &InputRequests) -> WireKind {
        let ticket = self.calls[id].ticket;
        let state = ticket.and_then(|ticket| self.era.state_on_wire(&ticket, &self.origin(id), &Presented::HONESTLY));
        WireKind::Asks { asks: *asks, arguments: self.arguments(id), state }
    }
}
