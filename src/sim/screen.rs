//! The screen of a person: which form is on it, which forms wait, and what becomes of an answer that nobody wants any
//! more. Kept only in scenarios in which a person can have two forms at once, or a form that outlives its call.

use std::collections::{BTreeMap, VecDeque};
use std::future::Future;
use std::time::Duration;

use super::call::Stage;
use super::story::Party;
use super::{Event, Observer, Sim};
use crate::engine::Token;
use crate::metrics::Incident;
use crate::scenario::{Forms, Scenario};
use crate::tool::{MissingCapability, ToolResult};
use crate::world::Cause;

/// A form by the place and number of its call, and the number of its ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Form {
    call: u32,
    number: u32,
    ask: u8,
}

/// The screens of all people, by user.
#[derive(Debug)]
pub(super) struct Screens {
    forms: Forms,
    /// Whether it matters what is on a screen.
    matter: bool,
    shown: BTreeMap<u32, Form>,
    waiting: BTreeMap<u32, VecDeque<Form>>,
}

impl Screens {
    pub(super) fn new(scenario: &Scenario) -> Screens {
        let forms = scenario.people.forms;
        let matter = forms != Forms::Any || scenario.clients.keeps_form;
        Screens { forms, matter, shown: BTreeMap::new(), waiting: BTreeMap::new() }
    }

    /// The run is over: no form that waits is ever shown.
    pub(super) fn nobody_waits(&mut self) {
        self.waiting.clear();
    }
}

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// Whether the form of the call comes on the screen now.
    pub(super) fn takes_screen(&mut self, id: u32, ask: u8) -> bool {
        if !self.screens.matter {
            return true;
        }
        let form = Form { call: id, number: self.calls[id].number, ask };
        let user = self.user(id);
        match (self.screens.forms, self.screens.shown.get(&user).copied()) {
            (Forms::Any, _) | (_, None) => {}
            (Forms::Overwrite, Some(other)) => self.replace(other),
            (Forms::Queue, Some(_)) => {
                self.screens.waiting.entry(user).or_default().push_back(form);
                let aside = self.asides.note(id);
                aside.form_waits = true;
                aside.incidents.note(Incident::FormWaited);
                self.tell(id, Party::Client, Party::Client, || "has another form on the screen: waits".to_owned());
                self.calls[id].next = Token::NONE;
                return false;
            }
            (Forms::Refuse, Some(_)) => {
                self.asides.note(id).form_refused = true;
                self.calls[id].next = self.after(Duration::ZERO, Event::Answered(id));
                return false;
            }
        }
        self.screens.shown.insert(user, form);
        self.asides.note(id).on_screen = true;
        true
    }

    /// Another form takes the place of this one, which nobody will answer.
    fn replace(&mut self, form: Form) {
        let id = form.call;
        self.asides.note(id).on_screen = false;
        self.calls[id].blame(Cause::FormReplaced);
        self.calls[id].next = Token::NONE;
        self.tell(id, Party::Client, Party::Client, || "another form takes the place of its own".to_owned());
        self.settle(id);
    }

    /// The form of the call is on the screen no more, nor does it wait: the next in line is shown.
    pub(super) fn close_form(&mut self, id: u32) {
        if !self.screens.matter {
            return;
        }
        let aside = self.asides.of(id);
        if aside.form_waits {
            let user = self.user(id);
            let number = self.calls[id].number;
            if let Some(line) = self.screens.waiting.get_mut(&user) {
                line.retain(|form| form.number != number);
            }
            self.asides.note(id).form_waits = false;
        } else if aside.on_screen {
            self.asides.note(id).on_screen = false;
            let user = self.user(id);
            // With `any` somebody else's form may be noted there.
            let number = self.calls[id].number;
            if self.screens.shown.get(&user).is_some_and(|form| form.number == number) {
                self.screens.shown.remove(&user);
            }
            if let Some(next) = self.screens.waiting.get_mut(&user).and_then(VecDeque::pop_front) {
                self.asides.note(next.call).form_waits = false;
                self.prompt(next.call, next.ask);
            }
        }
    }

    /// What will come of a form that stays on the screen when its call is over.
    pub(super) fn form_that_stays(&self, id: u32) -> Option<Token> {
        let call = &self.calls[id];
        let shown = self.scenario.clients.keeps_form && self.asides.of(id).on_screen;
        (shown && call.stage != Stage::Working && call.next != Token::NONE).then_some(call.next)
    }

    /// The person has answered a form whose call is over.
    pub(super) fn answered_in_vain(&mut self, id: u32) {
        self.asides.note(id).incidents.note(Incident::AnswerWasted);
        self.tell(id, Party::Person, Party::Client, || "answers, and nobody wants it any more".to_owned());
        self.calls[id].next = Token::NONE;
        self.close_form(id);
        self.settle(id);
    }
}
