//! A state that is sent again when its call has completed. The copies arrive at the instant at which the call completes
//! and take no thread time: what counts is whether anything stands between them and the effect.

use std::future::Future;

use super::message::reply_to;
use super::server::entered;
use super::story::Party;
use super::way::Errand;
use super::wire::WireKind;
use super::{Observer, Sim};
use crate::era::{Era, Resume};
use crate::metrics::Incident;
use crate::random::{Kind, Purpose, unit};
use crate::tool::{InputRequests, MissingCapability, Stop, ToolResult};
use crate::world::{Attack, Cause, Instance, InstanceId, Presented, UsedBefore};

impl<E: Era, O: Observer, F> Sim<'_, E, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// The call has completed: whoever has its state may send it again.
    pub(super) fn replay(&mut self, id: u32) {
        let carries = self.carries(id);
        let attacked = carries && self.attack(id) == Some(Attack::Replayed);
        let clicked_twice = self.calls[id].prompts > 0 && self.clicks_twice(id);
        if clicked_twice {
            self.asides.note(id).incidents.note(Incident::DoubleClick);
        }
        // Where no state comes with it, the second answer belongs to no open question and is dropped.
        let times = match (attacked, clicked_twice && carries) {
            (true, _) => self.scenario.attack.times,
            (false, again) => u8::from(again),
        };
        if times == 0 {
            return;
        }
        let number = u64::from(self.calls[id].number);
        self.let_go(id);
        let mut used_at: Vec<InstanceId> = self.last_instance(id).into_iter().collect();
        for time in 0..times {
            let aside = self.asides.note(id);
            aside.others += 1;
            aside.incidents.note(Incident::Replay);
            let at = match attacked {
                true => {
                    self.calls[id].messages += 1;
                    let word = self.streams.more(number, Purpose::Replay, u32::from(time));
                    self.route_freely(word)
                }
                // The client's own second message goes where what binds the call takes it.
                false => self.route(id, Errand::Answers, None),
            };
            self.tell(id, Party::Client, Party::Balancer, || "somebody sends the state again".to_owned());
            let to = at.map_or(Party::Balancer, Party::Instance);
            self.message(id, Party::Client, to, |_| WireKind::Again);
            match at {
                Some(at) => self.present_again(id, at, &mut used_at),
                None => {
                    self.message(id, Party::Balancer, Party::Client, |_| WireKind::NoServer);
                    self.asides.note(id).incidents.note(Incident::ReplayRefused);
                }
            }
        }
    }

    /// Whether the person of the call submits their last answer twice.
    fn clicks_twice(&mut self, id: u32) -> bool {
        let share = self.scenario.people.double_clicks;
        share > 0.0 && unit(self.streams.lane(Kind::Way, u64::from(self.calls[id].number))[3]) < share
    }

    fn present_again(&mut self, id: u32, at: InstanceId, used_at: &mut Vec<InstanceId>) {
        let used_before = if used_at.contains(&at) { UsedBefore::Here } else { UsedBefore::Elsewhere };
        let presented = Presented { used_before, store_is_up: self.store_is_up(), ..Presented::HONESTLY };
        let ticket = self.calls[id].ticket.expect("only a call that was asked is replayed");
        let instance: &Instance = &self.instances[at as usize];
        let resume = self.era.resume(&ticket, instance, &self.origin(id), &presented, self.engine.now());
        self.note_keys_tried(id, self.era.keys_tried(&ticket, instance, &presented));
        let incident = match resume {
            Resume::Run => {
                used_at.push(at);
                return self.make_effects_again(id, at);
            }
            Resume::Refused(Cause::Replayed) if self.scenario.state.remembers => Incident::ReplayRemembered,
            _ => Incident::ReplayRefused,
        };
        let remembered = WireKind::Done(ToolResult::Submitted);
        let answer = if incident == Incident::ReplayRemembered { remembered } else { reply_to(resume) };
        self.reply_from(id, at, |_| answer);
        self.asides.note(id).incidents.note(incident);
    }

    /// A new body runs from the top with the answers of the state, in no time.
    fn make_effects_again(&mut self, id: u32, at: InstanceId) {
        let call = &mut self.calls[id];
        call.answers.rewind();
        self.bodies.fill(&mut call.slot, self.scenario.tool.body);
        let mut made = self.asides.of(id).effects_sealed;
        let stop = loop {
            match self.poll(id, at) {
                Stop::Work(_) | Stop::WorkOf(_) => {}
                Stop::Post(_) if made > 0 => made -= 1,
                Stop::Post(entry) => {
                    self.calls[id].entries += 1;
                    self.asides.note(id).incidents.note(Incident::EntryReplayed);
                    let ledgers = &self.scenario.tool.definition.ledgers;
                    self.tell(id, Party::Instance(at), Party::Ledger, || entered(&entry, ledgers));
                }
                stop => break stop,
            }
        };
        self.reply_from(id, at, |sim| sim.answer_to_replay(id, stop));
        self.bodies.reclaim(&mut self.calls[id].slot);
    }

    /// What whoever sent the state again hears. A state without the last answer leads no further than its next question.
    fn answer_to_replay(&self, id: u32, stop: Stop) -> WireKind {
        match stop {
            Stop::Done(Ok(result)) => WireKind::Done(result),
            Stop::Done(Err(MissingCapability { needed })) => WireKind::Missing(needed),
            Stop::Unfinished(asked) => self.asked(id, &InputRequests::one(asked)),
            Stop::Ask(asks) | Stop::Pass(asks) => self.asked(id, &asks),
            Stop::Work(_) | Stop::WorkOf(_) | Stop::Post(_) => unreachable!("a replay does not stop in mid-work"),
        }
    }
}
