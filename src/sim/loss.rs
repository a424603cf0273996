//! Messages that are lost between balancer and server: a request before it arrives, a reply after everything is done. Must
//! never let anybody hear of it but who waits for the message: the client, or the proxy that sends it again.
//!
//! Requests here are the call itself and the answers to its questions; replies are results and errors of a body, and a
//! question with which a request ends. A question on a stream that stays open is no reply.

use std::future::Future;

use super::call::Stage;
use super::ladder::Rung;
use super::round::Reply;
use super::story::Party;
use super::wire::WireKind;
use super::{Observer, Sim};
use crate::metrics::{Incident, Outcome};
use crate::random::{Kind, unit};
use crate::scenario::{Failure, OnBroken, SpentStates};
use crate::tool::{MissingCapability, ToolResult};
use crate::world::{Cause, InstanceId};

/// Words of a message that decide whether it is lost, and whether the reply to it is.
const REQUEST: usize = 3;
const REPLY: usize = 4;

/// Times that a proxy sends one request again that is lost: as many as HAProxy's `retries`.
const MOST_COPIES: u8 = 3;

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// Whether the message that the call has just sent is lost on its way.
    pub(super) fn request_is_lost(&mut self, id: u32) -> bool {
        self.is_hit(id, self.scenario.balancer.lost_requests, REQUEST)
    }

    /// Whether the reply to the last message of the call is lost on its way. Nobody waits for one once the caller is gone.
    pub(super) fn reply_is_lost(&mut self, id: u32) -> bool {
        self.is_hit(id, self.scenario.balancer.lost_replies, REPLY) && self.asides.of(id).ended.is_none()
    }

    fn is_hit(&mut self, id: u32, share: f64, word: usize) -> bool {
        if share == 0.0 {
            return false;
        }
        let call = &self.calls[id];
        let message = u64::from(call.number) << 16 | u64::from(call.messages - 1);
        share >= 1.0 || unit(self.streams.lane(Kind::Message, message)[word]) < share
    }

    /// The request of the call is lost, and no server hears of it.
    pub(super) fn lose_the_request(&mut self, id: u32) {
        self.asides.note(id).incidents.note(Incident::RequestLost);
        self.calls[id].blame(Cause::RequestLost);
        self.tell(id, Party::Balancer, Party::Balancer, || "the request is lost on its way".to_owned());
        let kept = self.calls[id].slot.filled();
        if self.copied_by_proxy(id, kept) {
            return;
        }
        match self.scenario.clients.on_broken {
            OnBroken::Fail => self.hear_of_it(id, kept),
            // As an answer that was taken and dropped.
            OnBroken::Hang if kept => {
                self.calls[id].round.travelled(Reply::Lost);
                if self.calls[id].stage == Stage::Kept {
                    self.start_clock(id, Rung::Request, self.scenario.clients.request_timeout);
                }
                self.show(id);
            }
            OnBroken::Hang => {
                self.hang(id);
                self.start_clock(id, Rung::Request, self.scenario.clients.request_timeout);
            }
        }
    }

    /// A server has done everything, and what it has to say is lost.
    pub(super) fn lose_the_reply(&mut self, id: u32) {
        self.asides.note(id).incidents.note(Incident::ReplyLost);
        self.calls[id].blame(Cause::ReplyLost);
        self.tell_at(id, || "has a reply, which is lost on its way".to_owned());
        if self.copied_by_proxy(id, false) {
            return;
        }
        match self.scenario.clients.on_broken {
            OnBroken::Fail => self.hear_of_it(id, false),
            OnBroken::Hang => self.hang(id),
        }
    }

    /// The server remembers what came of the state that it has served, for whoever brings it again.
    pub(super) fn remember_result(&mut self, id: u32, result: Result<ToolResult, MissingCapability>) {
        let state = &self.scenario.state;
        if state.remembers && state.ledger != SpentStates::None && self.brings_state(id) {
            self.asides.note(id).unheard = result.ok();
        }
    }

    /// A state that was used before gets what came of its first use, which its client has not heard of.
    pub(super) fn say_again(&mut self, id: u32, at: InstanceId) {
        let Some(result) = self.asides.note(id).unheard.take() else { return };
        self.asides.note(id).incidents.note(Incident::Deduplicated);
        self.calls[id].at = at as u16;
        if self.take_answers(id) {
            self.tell_at(id, || "remembers what came of this state".to_owned());
            self.done(id, Ok(result));
        }
    }

    /// The client hears that the connection of its request is broken, and tries again or gives up.
    fn hear_of_it(&mut self, id: u32, kept: bool) {
        self.message(id, Party::Balancer, Party::Client, |_| WireKind::Broken);
        if self.try_again_with(id, Failure::Broken, kept) {
            return;
        }
        match kept {
            // Its body is held until its client's cancel, if any, reaches it.
            true => self.give_up(id, Outcome::Lost),
            false => self.end(id, Outcome::Lost),
        }
    }

    /// Whether the proxy, which waits for the reply too, sends the request again.
    fn copied_by_proxy(&mut self, id: u32, kept: bool) -> bool {
        let copies = self.asides.of(id).copies;
        if !self.scenario.balancer.resends_broken || copies == MOST_COPIES {
            return false;
        }
        self.asides.note(id).copies = copies + 1;
        if !kept {
            return self.sent_again_by_proxy(id);
        }
        // An answer to a body that is kept is a request of its own.
        self.asides.note(id).incidents.note(Incident::ProxyRetried);
        self.tell(id, Party::Balancer, Party::Balancer, || "sends the answer again".to_owned());
        self.send(id);
        true
    }
}
