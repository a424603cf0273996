//! How a body that runs again from the top finds its answers among those that its call was given, where they were given
//! to another version of the tool too. Must never look at what a question means: two asks are the same, or have the same
//! key, or neither.

use serde::Serialize;

use super::{Answers, Definition};
use crate::world::MOST_ASKS_OF_A_TOOL;

/// By what a body finds its answers, and under what they stand in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnswerKeys {
    /// The key of the ask: an answer to a question that was worded otherwise is found all the same.
    Named,
    /// The running number of the ask: the n-th ask finds the n-th answer, whatever was asked.
    Sequence,
    /// Everything that was asked, as a digest: an answer to a question that was worded otherwise is not found.
    Text,
}

/// Which answers a body finds for which asks.
#[derive(Clone, Copy, Debug)]
pub struct Finder {
    by: AnswerKeys,
    /// The first ask with the same key, by number of the ask.
    names: [u8; MOST_ASKS_OF_A_TOOL as usize],
}

impl Finder {
    /// By key, where each ask has its own.
    pub const PLAIN: Finder = Finder { by: AnswerKeys::Named, names: own_names() };

    /// As this tool has it.
    pub fn of(tool: &Definition) -> Finder {
        let mut finder = Finder { by: tool.answer_keys, ..Finder::PLAIN };
        for (name, ask) in finder.names.iter_mut().zip(&tool.asks) {
            let first = tool.asks.iter().find(|other| other.key == ask.key);
            *name = first.map_or(ask.number, |first| first.number);
        }
        finder
    }

    /// Place of the answer that this ask finds, one that the running body has not used yet.
    pub(super) fn find(&self, answers: &Answers, ask: u8) -> Option<usize> {
        match self.by {
            AnswerKeys::Sequence => answers.unused(|_| true),
            AnswerKeys::Named | AnswerKeys::Text => self.find_under_key(answers, ask),
        }
    }

    /// The same where the order says nothing: of several asks of one round, and of an ask that is repeated.
    pub(super) fn find_under_key(&self, answers: &Answers, ask: u8) -> Option<usize> {
        match self.by {
            AnswerKeys::Text => answers.unused(|answered| answered == ask),
            AnswerKeys::Named | AnswerKeys::Sequence => answers.unused(|answered| self.have_one_key(answered, ask)),
        }
    }

    /// How often an ask with the key of this one has been answered.
    pub(super) fn answered(&self, answers: &Answers, ask: u8) -> u8 {
        answers.given().filter(|answer| self.have_one_key(answer.ask, ask)).count() as u8
    }

    fn have_one_key(&self, one: u8, other: u8) -> bool {
        self.names[usize::from(one)] == self.names[usize::from(other)]
    }
}

const fn own_names() -> [u8; MOST_ASKS_OF_A_TOOL as usize] {
    let mut names = [0; MOST_ASKS_OF_A_TOOL as usize];
    let mut number = 0;
    while number < MOST_ASKS_OF_A_TOOL {
        names[number as usize] = number;
        number += 1;
    }
    names
}

#[cfg(test)]
mod tests {
    use super::super::{Action, Answer, Arguments, Ask, Body, Fields};
    use super::*;

    fn text(_: &Arguments) -> String {
        String::new()
    }

    /// Three asks; the last is the first in other words.
    fn finder(by: AnswerKeys) -> Finder {
        let asks = [(0, "confirm"), (1, "reason"), (2, "confirm")];
        let asks = asks.map(|(number, key)| Ask::form(number, key, text, Fields::NONE)).to_vec();
        Finder::of(&Definition { asks, answer_keys: by, ..Body::Steps.definition() })
    }

    fn answered(asks: &[u8]) -> Answers {
        let mut answers = Answers::NONE;
        asks.iter().for_each(|&ask| answers.push(Answer { ask, action: Action::Accept }));
        answers
    }

    #[test]
    fn a_question_in_other_words_finds_its_answer_by_key_and_not_by_text() {
        let answers = answered(&[1, 0]);
        let found = |by, ask| finder(by).find(&answers, ask);
        assert_eq!((found(AnswerKeys::Named, 2), found(AnswerKeys::Text, 2)), (Some(1), None));
        assert_eq!((found(AnswerKeys::Named, 0), found(AnswerKeys::Text, 0)), (Some(1), Some(1)));
    }

    #[test]
    fn by_number_the_next_ask_finds_the_next_answer_whatever_was_asked() {
        let mut answers = answered(&[1, 0]);
        let finder = finder(AnswerKeys::Sequence);
        assert_eq!(finder.find(&answers, 2), Some(0));
        answers.take(0);
        assert_eq!(finder.find(&answers, 1), Some(1));
        answers.take(1);
        assert_eq!(finder.find(&answers, 0), None);
        assert_eq!(finder.find_under_key(&answered(&[1, 0]), 2), Some(1), "what is repeated goes by its key");
    }

    #[test]
    fn an_ask_was_answered_as_often_as_its_key_was() {
        for by in [AnswerKeys::Named, AnswerKeys::Sequence, AnswerKeys::Text] {
            assert_eq!([0, 1, 2].map(|ask| finder(by).answered(&answered(&[0, 2, 1]), ask)), [2, 1, 2]);
        }
    }
}
