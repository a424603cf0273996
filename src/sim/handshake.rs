//! What a client and a fleet say to each other beside the calls: the handshake before the first, the end of the session
//! after the last. Each is a message that the balancer routes, and takes no time.

use std::future::Future;

use super::call::Stage;
use super::story::Party;
use super::way::Errand;
use super::wire::WireKind;
use super::{Event, Observer, Sim};
use crate::era::Lifecycle;
use crate::metrics::Outcome;
use crate::scenario::{Handshake, OnNotFound, Sessions};
use crate::tool::{MissingCapability, ToolResult};
use crate::world::{Cause, InstanceId};

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// The client begins: its handshake, then its call.
    pub(super) fn begin(&mut self, id: u32, pick: Option<u32>) {
        if self.scenario.clients.handshake == Handshake::None {
            return self.send_drawing(id, pick);
        }
        if self.scenario.clients.calls_per_session > 1 && self.joins_session(id) {
            return self.send(id);
        }
        self.asides.note(id).greeted = 0;
        self.greet(id);
    }

    /// The client goes on with its handshake, and sends its call when that is done.
    pub(super) fn greet(&mut self, id: u32) {
        let pause = self.scenario.clients.handshake_pause;
        while let Some(message) = self.greeting(id) {
            if !self.says(id, message) {
                if self.calls[id].stage != Stage::Over {
                    self.detach_session(id);
                    self.asides.begin_again_with_handshake(id);
                }
                return;
            }
            self.asides.note(id).greeted += 1;
            if !pause.is_zero() {
                self.calls[id].next = self.after(pause, Event::Resend(id));
                return;
            }
        }
        self.send(id);
    }

    /// The next message of the handshake.
    fn greeting(&self, id: u32) -> Option<Lifecycle> {
        let number = self.asides.of(id).greeted;
        // Who has not begun has met nobody yet.
        let met = self.last_instance(id).filter(|_| number > 0).map(|at| &self.instances[at as usize]);
        let chain = self.era.handshake(met, self.kind(id).speaks);
        // Whose handshake begins with it finds out the era by it.
        let probes = self.scenario.clients.handshake == Handshake::Discover && !chain.contains(&Lifecycle::Discover);
        let probe: &[Lifecycle] = if probes { &[Lifecycle::Discover] } else { &[] };
        match self.scenario.clients.handshake {
            Handshake::None => None,
            Handshake::Full | Handshake::Discover => probe.iter().chain(chain).nth(usize::from(number)).copied(),
        }
    }

    /// One message of the handshake. `false` when it failed: the client is at its end, or tries again.
    fn says(&mut self, id: u32, message: Lifecycle) -> bool {
        self.tell(id, Party::Client, Party::Balancer, || message.name().to_owned());
        let Some(to) = self.route(id, Errand::Lifecycle(message), None) else {
            self.unreachable(id);
            return false;
        };
        self.tell(id, Party::Balancer, Party::Instance(to), || message.name().to_owned());
        if message == Lifecycle::Initialize && self.has_session_at(id, to) {
            if !self.mint_session(id, to) {
                self.reply_from(id, to, |_| WireKind::NoRoom);
                self.no_room(id, Cause::SessionsFull);
                return false;
            }
        } else if message.needs_session() && self.session_is_unknown(id, to) {
            self.tell(id, Party::Instance(to), Party::Client, || "404: no such session here".to_owned());
            self.reply_from(id, to, |_| WireKind::NotFound);
            self.calls[id].blame(Cause::Misrouted);
            self.session_lost(id);
            return false;
        }
        true
    }

    /// Whether the client of a call has sessions with this process.
    pub(super) fn has_session_at(&self, id: u32, at: InstanceId) -> bool {
        self.era.handshake(Some(&self.instances[at as usize]), self.kind(id).speaks).contains(&Lifecycle::Initialize)
    }

    /// Whether the client has a session that this process has never heard of.
    pub(super) fn session_is_unknown(&self, id: u32, at: InstanceId) -> bool {
        let passed_on = self.era.writes_down() || self.era.publishes();
        self.scenario.fleet.sessions == Sessions::Memory
            && !passed_on
            && self.asides.of(id).session.is_some_and(|minted| minted != (at, self.instances[at as usize].life))
    }

    /// The client hears that its session is unknown, before its call was asked anything.
    pub(super) fn session_lost(&mut self, id: u32) {
        let clients = &self.scenario.clients;
        let tries = matches!(clients.on_not_found, OnNotFound::Reinitialise | OnNotFound::Resend);
        if !tries || self.asides.of(id).resends == clients.max_resends {
            return self.give_up(id, Outcome::Failed);
        }
        self.asides.note(id).resends += 1;
        self.forget(id);
        self.asides.note(id).unbound = true;
        self.calls[id].next = self.after(clients.resend_pause, Event::Resend(id));
    }
}
