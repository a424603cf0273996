//! The way of a message: from the client through the balancer to an instance, and what the instance makes of it.

use std::future::Future;

use super::births;
use super::call::{Stage, instance};
use super::round::Reply;
use super::story::Party;
use super::wire::WireKind;
use super::{Observer, Sim};
use crate::era::{Era, Origin, Resume};
use crate::metrics::{Incident, Outcome};
use crate::random::{Kind, Purpose, Streams};
use crate::tool::{MissingCapability, ToolResult};
use crate::world::{Attack, Cause, Exposure, InstanceId, Presented, SeenBy};

impl<E: Era, O: Observer, F> Sim<'_, E, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// Sends the call's first message through the balancer, with the word drawn for its pick.
    pub(super) fn send_first(&mut self, id: u32, pick: u32) {
        self.send_drawing(id, Some(pick));
    }

    /// Sends a later message of the call through the balancer.
    pub(super) fn send(&mut self, id: u32) {
        let call = &self.calls[id];
        let pick = match call.messages {
            0 => Some((self.streams.lane(Kind::Call, u64::from(call.number))[Purpose::Pick.word()] >> 32) as u32),
            1 => Some(call.pick),
            _ => None,
        };
        self.send_drawing(id, pick);
    }

    /// The instance that a message reaches which is no call's: nothing binds it, and one word decides it.
    pub(super) fn route_freely(&mut self, word: u64) -> Option<InstanceId> {
        let first = self.balancer.pick(|| word)?;
        self.accepting(first, |_| word.rotate_left(32))
    }

    /// The instance, or the one to which redispatch takes a message that it refuses.
    fn accepting(&mut self, first: InstanceId, word: impl FnOnce(&mut Streams) -> u64) -> Option<InstanceId> {
        if self.instances[first as usize].alive {
            return Some(first);
        }
        if !self.scenario.balancer.redispatch {
            return None;
        }
        let (instances, streams) = (&self.instances, &mut self.streams);
        self.balancer.pick_again(|id| instances[id as usize].alive, || word(streams))
    }

    fn send_drawing(&mut self, id: u32, pick: Option<u32>) {
        if self.carries_secret(id) {
            self.expose(id, [SeenBy::Proxy].into_iter().collect());
        }
        let to = self.route(id, pick);
        self.tell_sent(id, to);
        let Some(to) = to else {
            self.calls[id].blame(Cause::Crash);
            self.tell(id, Party::Balancer, Party::Client, || "503: no instance accepts the message".to_owned());
            self.message(id, Party::Balancer, Party::Client, |_| WireKind::NoServer);
            return self.end(id, Outcome::Failed);
        };
        let call = &mut self.calls[id];
        let place = u16::try_from(to).expect("a fleet has at most 65,535 instances");
        if instance(call.first).is_none() {
            call.first = place;
        }
        call.last = place;
        call.bound = self.scenario.balancer.sticky;
        self.deliver(id, to);
    }

    /// The instance that the call's next message reaches; `None` when none accepts it.
    /// `pick` is the word for the balancer's pick where the call's lane has one.
    fn route(&mut self, id: u32, pick: Option<u32>) -> Option<InstanceId> {
        let call = &mut self.calls[id];
        let message = u32::from(call.messages);
        call.messages += 1;
        let home = instance(call.last).filter(|_| call.bound);
        let bound = home.filter(|&home| self.balancer.in_rotation(home));
        let number = u64::from(call.number);
        let first = match bound {
            Some(home) => home,
            None => self.balancer.pick(|| match pick {
                Some(word) => u64::from(word) << 32,
                None => self.streams.more(number, Purpose::Pick, message),
            })?,
        };
        if !self.instances[first as usize].alive {
            self.tell(id, Party::Balancer, Party::Instance(first), || "connection refused".to_owned());
        }
        self.accepting(first, |streams| streams.more(number, Purpose::Redispatch, message))
    }

    /// A message has reached an instance.
    fn deliver(&mut self, id: u32, to: InstanceId) {
        let Some(ticket) = self.calls[id].ticket else {
            self.tell(id, Party::Balancer, Party::Instance(to), || "a new call".to_owned());
            return self.enter(id, to);
        };
        let attack = self.attack(id);
        let at = &self.instances[to as usize];
        let presented = self.presented(id, attack);
        let resume = self.era.resume(&ticket, at, &self.origin(id), &presented, self.engine.now());
        self.calls[id].state_bytes += self.era.carried_bytes(&self.origin(id));
        self.tell(id, Party::Balancer, Party::Instance(to), || format!("the answer: {}", in_words(resume)));
        if self.carries_secret(id) {
            self.expose(id, Exposure::at_server());
        }
        self.reply_from(id, to, |_| reply_to(resume));
        match resume {
            Resume::Run => {
                if self.take_answers(id) {
                    self.note_hijack(id, &presented);
                    self.go_on(id, to);
                }
            }
            Resume::Swallowed => {
                let call = &mut self.calls[id];
                call.blame(Cause::Misrouted);
                call.round.travelled(Reply::Lost);
                self.show(id);
            }
            Resume::NotFound => {
                self.calls[id].blame(Cause::Misrouted);
                self.not_found(id);
            }
            Resume::Refused(cause) => {
                self.calls[id].blame(cause);
                self.end(id, Outcome::Refused);
            }
        }
    }

    /// Answers are at their body: the one that is kept, once it has all of the round, or a new one from the top.
    fn go_on(&mut self, id: u32, at: InstanceId) {
        let call = &self.calls[id];
        if !call.slot.filled() {
            self.enter(id, at);
        } else if call.round.is_complete() {
            self.move_to(id, Stage::Working);
            self.step(id);
        } else {
            self.show(id);
        }
    }

    pub(super) fn origin(&self, id: u32) -> Origin<'_> {
        let call = &self.calls[id];
        let effects = self.asides.of(id).effects_recorded;
        let (tool, arguments) = (&self.scenario.tool.definition, self.arguments(id));
        Origin { call: call.number, tool, arguments, answers: &call.answers, effects, is_kept: call.slot.filled() }
    }

    /// What is done to the state of this call, if anything.
    pub(super) fn attack(&mut self, id: u32) -> Option<Attack> {
        births::attack(self.scenario, &mut self.streams, self.calls[id].number)
    }

    /// How the state of this call comes back.
    pub(super) fn presented(&self, id: u32, attack: Option<Attack>) -> Presented {
        debug_assert!(self.calls[id].ticket.is_some());
        Presented {
            intact: attack != Some(Attack::Tampered),
            by_its_user: attack != Some(Attack::Stolen),
            with_its_call: attack != Some(Attack::OtherCall),
            store_is_up: self.store_is_up(),
            ..Presented::HONESTLY
        }
    }

    /// Whether the shared store of used states can be asked.
    pub(super) fn store_is_up(&self) -> bool {
        self.engine.now() >= self.store_is_down_until
    }

    /// A state was served though it came from another user or with another call. A body that is kept in memory belongs
    /// to its connection, so nothing of this reaches it.
    fn note_hijack(&mut self, id: u32, presented: &Presented) {
        let honest = presented.by_its_user && presented.with_its_call;
        if !honest && !self.calls[id].slot.filled() {
            self.asides.note(id).incidents.note(Incident::Hijacked);
        }
    }

    /// The instance that the call's last message reached.
    pub(super) fn last_instance(&self, id: u32) -> Option<InstanceId> {
        instance(self.calls[id].last)
    }
}

/// What the client hears at once of what becomes of its answers.
pub(super) fn reply_to(resume: Resume) -> WireKind {
    match resume {
        Resume::Run | Resume::Swallowed => WireKind::Taken,
        Resume::NotFound => WireKind::NotFound,
        Resume::Refused(_) => WireKind::Refused,
    }
}

fn in_words(resume: Resume) -> String {
    match resume {
        Resume::Run => "taken".to_owned(),
        Resume::Swallowed => "202, and dropped: this instance does not hold the call".to_owned(),
        Resume::NotFound => "404: this instance does not hold the call".to_owned(),
        Resume::Refused(cause) => format!("refused, {}", cause.in_words()),
    }
}
