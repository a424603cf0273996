//! A round of asks at the client: what is shown to whom, what comes of it, and what travels back. Must never take for a
//! person's what a machine did.

use std::future::Future;
use std::time::Duration;

use super::aside::{Aside, Waits};
use super::births;
use super::call::Stage;
use super::round::{Asked, Reply, Round, is_downgraded};
use super::story::Party;
use super::wire::WireKind;
use super::{Event, Observer, Sim};
use crate::engine::Token;
use crate::metrics::{Incident, Outcome};
use crate::scenario::{OnAsk, OnInvalid, Unfinished};
use crate::tool::{InputRequests, MissingCapability, ToolResult};
use crate::world::{Action, Answer, Attack, Capability, Cause, Exposure, Fate};

/// What a client does with the ask that it is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Treatment {
    /// Shows it to the person.
    Show,
    /// Answers it itself after this long: no person has a say in it.
    Answer(Duration),
    /// Answers it itself once the server tells it that the page is finished.
    AwaitNotice,
    /// Shows nothing and cancels by itself after this long.
    Cancel(Duration, Cause),
    /// Shows nothing and gives the call up after this long.
    Hang(Duration),
}

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// A round of asks reaches the client.
    pub(super) fn ask(&mut self, id: u32, asks: &InputRequests) {
        if self.asides.of(id).ended.is_some() || self.calls[id].cut {
            self.tell_at(id, || "asks nobody: the question reaches no client".to_owned());
            self.calls[id].next = Token::NONE;
            return self.settle(id);
        }
        let now = self.now();
        let most = self.scenario.clients.max_rounds;
        let downgraded = is_downgraded(asks, |ask| self.scenario.tool.definition.ask(ask).needs);
        if downgraded != self.asides.of(id).downgraded {
            self.asides.note(id).downgraded = downgraded;
        }
        let by_itself = self.comes_back_by_itself(id);
        let call = &mut self.calls[id];
        call.asks += asks.len() as u16;
        if call.rounds == most {
            call.blame(Cause::RoundsExceeded);
            self.tell(id, Party::Client, Party::Client, || format!("gives up after {most} rounds"));
            return self.give_up(id, Outcome::Failed);
        }
        call.rounds += 1;
        if !by_itself {
            call.asked = now;
        }
        call.round = Round::of(asks);
        self.request_served(id);
        self.show(id);
    }

    /// Whether the round asks again for what was accepted, and the client sees to it without its person.
    fn comes_back_by_itself(&self, id: u32) -> bool {
        self.asides.of(id).asks_again
            && match self.scenario.links.unfinished {
                Unfinished::Poll(_) => true,
                Unfinished::Notify => self.calls[id].stage == Stage::Parked,
                Unfinished::Manual | Unfinished::Block => false,
            }
    }

    /// The client comes to the next ask of its round, if one is open. One at a time: the times of several asks of a
    /// round add up, and one unanswered form holds up all.
    pub(super) fn show(&mut self, id: u32) {
        let Some(&mut Asked { ask, .. }) = self.calls[id].round.open() else { return };
        let after = match self.treatment(id, ask) {
            Treatment::Show => return self.prompt(id, ask),
            Treatment::AwaitNotice => {
                return self.wait_for_grant(id, Waits::ToBeTold);
            }
            Treatment::Answer(after) => after,
            Treatment::Cancel(after, _) => after,
            Treatment::Hang(after) => {
                self.calls[id].blame(Cause::NeverShown);
                self.tell(id, Party::Client, Party::Client, || "shows nothing".to_owned());
                after
            }
        };
        self.calls[id].next = self.after(after, Event::Answered(id));
    }

    /// Whether the person of the call is shown this ask of its round.
    pub(super) fn is_shown(&self, id: u32, ask: u8) -> bool {
        self.treatment(id, ask) == Treatment::Show
    }

    fn treatment(&self, id: u32, ask: u8) -> Treatment {
        let kind = self.kind(id);
        match kind.on_ask {
            _ if self.asides.of(id).form_refused => Treatment::Cancel(Duration::ZERO, Cause::FormRefused),
            _ if self.scenario.tool.definition.ask(ask).needs == Capability::Roots => Treatment::Answer(Duration::ZERO),
            OnAsk::Show if self.comes_back_by_itself(id) => match self.scenario.links.unfinished {
                Unfinished::Poll(pause) => Treatment::Answer(pause),
                _ => Treatment::AwaitNotice,
            },
            OnAsk::Hang(after) => Treatment::Hang(after),
            OnAsk::Cancel(after) => Treatment::Cancel(after, Cause::MachineCancel),
            OnAsk::Show if kind.screens_forms && self.is_form(id, ask) && self.looks_suspicious(ask) => {
                Treatment::Cancel(Duration::ZERO, Cause::Screened)
            }
            OnAsk::Show if kind.inspects_links && self.is_dangerous_link(id, ask) => {
                Treatment::Cancel(Duration::ZERO, Cause::BlockedLink)
            }
            OnAsk::Show => Treatment::Show,
        }
    }

    fn is_dangerous_link(&self, id: u32, ask: u8) -> bool {
        self.link_is_dangerous && self.is_link(id, ask)
    }

    /// Whether an ask of the round reached the client as a link.
    fn is_link(&self, id: u32, ask: u8) -> bool {
        self.scenario.tool.definition.ask(ask).needs == Capability::Url && !self.asides.of(id).downgraded
    }

    fn looks_suspicious(&self, ask: u8) -> bool {
        self.questions[usize::from(ask)].suspicious.is_some()
    }

    /// Whether an ask of the round reached the client as a form.
    pub(super) fn is_form(&self, id: u32, ask: u8) -> bool {
        match self.scenario.tool.definition.ask(ask).needs {
            Capability::Form => true,
            Capability::Url => self.asides.of(id).downgraded,
            _ => false,
        }
    }

    /// The person is shown one ask.
    pub(super) fn prompt(&mut self, id: u32, ask: u8) {
        if !self.takes_screen(id, ask) {
            return;
        }
        if self.link_is_doubtful && self.kind(id).inspects_links && self.is_link(id, ask) {
            self.asides.note(id).incidents.note(Incident::LinkWarned);
            self.tell(id, Party::Client, Party::Client, || "warns of the address".to_owned());
        }
        let arguments = self.arguments(id);
        let asked = self.scenario.tool.definition.ask(ask);
        self.ask_person(id, || format!("shows {}: {}", asked.key, asked.message(&arguments)));
    }

    /// The person is asked, by a form or otherwise, and answers after their time or never.
    pub(super) fn ask_person(&mut self, id: u32, what: impl FnOnce() -> String) {
        self.events += 1;
        let ask = u32::from(self.calls[id].prompts);
        self.calls[id].prompts += 1;
        let fate = self.fate(id, ask);
        self.tell(id, Party::Client, Party::Person, what);
        self.calls[id].next = match fate.action {
            Some(_) => self.after(fate.think, Event::Answered(id)),
            None => Token::NONE,
        };
    }

    /// What the person did with the question that they were shown last.
    pub(super) fn last_action(&mut self, id: u32) -> Action {
        let last = u32::from(self.calls[id].prompts) - 1;
        self.fate(id, last).action.expect("a person who never answers has answered")
    }

    /// What the person does with their `ask`-th question of this call.
    pub(super) fn fate(&mut self, id: u32, ask: u32) -> Fate {
        let call = &self.calls[id];
        if ask == 0 {
            return Fate { think: Duration::from_nanos(call.think_ns), action: call.action };
        }
        births::fate(self.scenario, &mut self.streams, call.number, ask, &[0; 8])
    }

    /// What the client waited for at its side has come.
    pub(super) fn answered(&mut self, id: u32) {
        self.events += 1;
        if matches!(self.calls[id].stage, Stage::AtHost | Stage::InConversation) {
            return self.answered_beside(id);
        }
        let aside = self.asides.of(id);
        if aside.stale_tab {
            return self.answer_from_stale_tab(id);
        }
        if aside.ended.is_some() && aside.serves_until.is_none_or(|until| self.now() > until) {
            return self.answered_in_vain(id);
        }
        let &mut Asked { ask, .. } = self.calls[id].round.open().expect("an answer to no open ask");
        let treatment = self.treatment(id, ask);
        let action = match treatment {
            Treatment::Show => self.last_action(id),
            Treatment::Answer(_) | Treatment::AwaitNotice => Action::Accept,
            Treatment::Cancel(_, cause) => self.cancel_by_machine(id, cause),
            Treatment::Hang(_) => {
                self.tell(id, Party::Client, Party::Client, || "gives up".to_owned());
                return self.give_up(id, Outcome::TimedOut);
            }
        };
        self.close_form(id);
        // Only a person opens a page.
        if treatment == Treatment::Show && action == Action::Accept && self.is_link(id, ask) {
            self.open_page(id);
        }
        let typed = treatment == Treatment::Show && action == Action::Accept && self.is_form(id, ask);
        if typed && self.scenario.tool.definition.ask(ask).sensitive {
            self.expose(id, Exposure::at_client());
        }
        match typed && self.is_misfit(id, ask) {
            true => self.answered_wrongly(id),
            false => self.reply(id, Reply::Given(action)),
        }
    }

    /// The client cancels by itself: an answer like a person's, and no misfortune of the call.
    fn cancel_by_machine(&mut self, id: u32, cause: Cause) -> Action {
        let aside = self.asides.note(id);
        aside.cancelled_by_machine.get_or_insert(cause);
        aside.form_refused = false;
        self.tell(id, Party::Client, Party::Client, || format!("cancels: {}", cause.in_words()));
        Action::Cancel
    }

    /// Whether what the person types now does not fit the form.
    fn is_misfit(&mut self, id: u32, ask: u8) -> bool {
        let wrong = births::wrong_tries(self.scenario, &mut self.streams, self.calls[id].number);
        let question = &self.questions[usize::from(ask)];
        if wrong == 0 {
            return !question.typed_fits;
        }
        let aside = self.asides.note(id);
        let typed_before = aside.typed;
        aside.typed = typed_before.saturating_add(1);
        !if typed_before < wrong { question.mistyped_fits } else { question.typed_fits }
    }

    /// An answer does not fit its form: a host that looks asks again, up to its limit; any other sends it.
    fn answered_wrongly(&mut self, id: u32) {
        if !self.kind(id).checks_answers {
            return self.reply(id, Reply::Misfit);
        }
        let most = self.scenario.clients.max_reasks;
        let aside = self.asides.note(id);
        aside.invalid_at_client += 1;
        if aside.reasks == most {
            let action = self.cancel_by_machine(id, Cause::InvalidAnswer);
            return self.reply(id, Reply::Given(action));
        }
        aside.reasks += 1;
        self.tell(id, Party::Person, Party::Client, || "types what does not fit the form".to_owned());
        self.show(id);
    }

    /// The open ask has its reply. It is sent at once, or when the round has all, as the design has it.
    fn reply(&mut self, id: u32, reply: Reply) {
        let call = &mut self.calls[id];
        call.round.open().expect("a reply to no open ask").reply = reply;
        let more = call.round.open().is_some();
        let aside = self.asides.of(id);
        if aside.reasks > 0 || aside.resends > 0 {
            let aside = self.asides.note(id);
            (aside.reasks, aside.resends) = (0, 0);
        }
        if more && self.answers_together(id) {
            return self.show(id);
        }
        // Only a state that the client carries can be held back.
        let carries = self.carries(id);
        if let (Some(Attack::Late), Some(ttl), true) = (self.attack(id), self.scenario.state.ttl, carries) {
            self.tell(id, Party::Client, Party::Client, || "somebody holds its answer back".to_owned());
            // Until its life is over by every clock of the fleet.
            let apart = self.scenario.fleet.clock_skew.saturating_mul(2).saturating_add(self.scenario.state.leeway);
            let held = ttl.saturating_add(apart).saturating_add(Duration::from_nanos(1));
            self.calls[id].next = self.after(held, Event::Resend(id));
            return;
        }
        self.tell_answers(id);
        self.send(id);
    }

    /// The answers that travelled reach a body and join those that it has. `false` when the server refuses them, which
    /// ends the call.
    pub(super) fn take_answers(&mut self, id: u32) -> bool {
        let &Aside { asks_again, downgraded, .. } = self.asides.of(id);
        self.remember_before_taking(id);
        let definition = &self.scenario.tool.definition;
        let call = &mut self.calls[id];
        let (mut misfits, mut came_another_way) = (0, false);
        for Asked { ask, reply } in call.round.travelling() {
            match reply {
                // Asked again, an accept is the one that the call has already.
                Reply::Given(Action::Accept) if asks_again => {}
                Reply::Given(action) => {
                    call.answers.push(Answer { ask, action });
                    came_another_way |= downgraded && definition.ask(ask).needs == Capability::Url;
                }
                _ => misfits += 1,
            }
        }
        call.round.travelled(Reply::Arrived);
        if came_another_way {
            self.asides.note(id).needs_no_page = true;
        }
        if misfits == 0 {
            return true;
        }
        self.asides.note(id).invalid_at_server += misfits;
        if self.scenario.tool.on_invalid == OnInvalid::AskAgain {
            return true;
        }
        self.calls[id].blame(Cause::InvalidAnswer);
        if let Some(at) = self.last_instance(id) {
            self.reply_from(id, at, |_| WireKind::InvalidAnswer);
        }
        self.end(id, Outcome::Refused);
        false
    }

    /// These parties see the secret that travels, as far as they keep what they see.
    pub(super) fn expose(&mut self, id: u32, parties: Exposure) {
        let seen = parties.and(self.scenario.tool.seen_by);
        let aside = self.asides.note(id);
        aside.exposed = aside.exposed.or(seen);
    }

    /// Whether a typed secret travels with the call's next message.
    pub(super) fn carries_secret(&self, id: u32) -> bool {
        let secret = |asked: Asked| {
            let accepted = matches!(asked.reply, Reply::Given(Action::Accept) | Reply::Misfit);
            accepted && self.scenario.tool.definition.ask(asked.ask).sensitive && self.is_form(id, asked.ask)
        };
        self.has_secrets && !self.comes_back_by_itself(id) && self.calls[id].round.travelling().any(secret)
    }
}
