//! A state that is sent again when its call has completed: by an attacker, by a second click, or later from a tab that was
//! left open. The copies take no thread time: what counts is whether anything stands between them and the effect.

use std::future::Future;

use super::effects::{Verdict, entered};
use super::message::reply_to;
use super::story::Party;
use super::way::Errand;
use super::wire::WireKind;
use super::{Event, Observer, Sim};
use crate::engine::Token;
use crate::era::Resume;
use crate::metrics::{Incident, Outcome};
use crate::random::{Kind, Purpose, unit};
use crate::tool::{Entry, InputRequests, MissingCapability, Stop, ToolResult};
use crate::world::{Attack, Cause, Instance, InstanceId, Presented, UsedBefore};

impl<O: Observer, F> Sim<'_, O, F>
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
        self.send_again(id, times, attacked);
    }

    /// The state of the call is sent again so many times, by somebody or by its own client.
    fn send_again(&mut self, id: u32, times: u8, attacked: bool) {
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

    /// Whether the person of a call that has completed leaves its form open in another tab, and answers it there later.
    pub(super) fn leaves_tab_open(&mut self, id: u32) -> bool {
        let share = self.scenario.people.stale_tabs;
        let number = u64::from(self.calls[id].number);
        let stays = share > 0.0
            && self.calls[id].prompts > 0
            && (share >= 1.0 || unit(self.streams.lane(Kind::Way, number)[6]) < share);
        if stays {
            self.caller_ends(id, Outcome::Completed);
            self.let_go(id);
            self.asides.note(id).stale_tab = true;
            self.calls[id].next = self.after(self.scenario.people.stale_after, Event::Answered(id));
        }
        stays
    }

    /// The person answers a form once more whose call is long over. Where no state comes with it, it belongs to no open
    /// question and is dropped.
    pub(super) fn answer_from_stale_tab(&mut self, id: u32) {
        self.asides.note(id).incidents.note(Incident::StaleAnswer);
        self.tell(id, Party::Person, Party::Client, || "answers once more, in a tab that was left open".to_owned());
        self.calls[id].next = Token::NONE;
        let times = u8::from(self.carries(id));
        self.send_again(id, times, false);
        self.settle(id);
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
        let sealed = self.asides.of(id).effects_sealed;
        let mut effects = 0;
        let stop = loop {
            match self.poll(id, at) {
                Stop::Work(_) | Stop::WorkOf(_) => {}
                Stop::Post(entry) => {
                    effects += 1;
                    if effects > sealed && !self.enter_again(id, at, &entry, effects) {
                        self.reply_from(id, at, |_| WireKind::Refused);
                        self.asides.note(id).incidents.note(Incident::ReplayRefused);
                        return self.bodies.reclaim(&mut self.calls[id].slot);
                    }
                }
                stop => break stop,
            }
        };
        self.reply_from(id, at, |sim| sim.answer_to_replay(id, stop));
        self.bodies.reclaim(&mut self.calls[id].slot);
    }

    /// An effect of a state that was sent again, by its number within the body. Whether the body goes on.
    fn enter_again(&mut self, id: u32, at: InstanceId, entry: &Entry, number: u16) -> bool {
        let verdict = self.judge_effect(id, number, at);
        if verdict == Verdict::Make {
            self.calls[id].entries += 1;
            self.asides.note(id).incidents.note(Incident::EntryReplayed);
            let ledgers = &self.scenario.tool.definition.ledgers;
            self.tell(id, Party::Instance(at), Party::Ledger, || entered(entry, ledgers));
        }
        verdict != Verdict::Unknown
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
