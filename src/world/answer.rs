//! What a person says to an ask, and the growing set of answers that a call has so far. Must never hold text or pointers:
//! an answer is one byte, so that a call with ten of them still fits on its line.

use serde::Serialize;

/// What the person did with an ask (`ElicitResult.action`, client/elicitation).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Explicit yes.
    Accept,
    /// Explicit no.
    Decline,
    /// Dismissed without a choice.
    Cancel,
}

impl Action {
    /// The three actions in the order of their codes on the wire of a sealed state.
    pub const ALL: [Action; 3] = [Action::Accept, Action::Decline, Action::Cancel];

    /// The specification's word for it.
    pub fn name(self) -> &'static str {
        match self {
            Action::Accept => "accept",
            Action::Decline => "decline",
            Action::Cancel => "cancel",
        }
    }
}

/// One answer: which ask of the tool, and what the person did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Number of the ask within its tool (`tool::Ask::number`).
    pub ask: u8,
    /// What the person did.
    pub action: Action,
}

/// Most answers that one call can gather; no client known follows a call for more than ten rounds
/// (protocol: the SDKs' round cap).
pub const MOST_ANSWERS: usize = 10;

/// Most asks that one tool can have.
pub const MOST_ASKS_OF_A_TOOL: u8 = 32;

/// An answer in one byte: number of the ask, action, and whether the running body has used it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slip(u8);

const ACTION_SHIFT: u32 = 5;
const USED: u8 = 1 << 7;

impl Slip {
    fn of(answer: Answer) -> Slip {
        assert!(answer.ask < MOST_ASKS_OF_A_TOOL, "a tool has more than {MOST_ASKS_OF_A_TOOL} asks");
        Slip(answer.ask | (answer.action as u8) << ACTION_SHIFT)
    }

    fn answer(self) -> Answer {
        let action = Action::ALL[usize::from(self.0 >> ACTION_SHIFT & 3)];
        Answer { ask: self.0 & (MOST_ASKS_OF_A_TOOL - 1), action }
    }

    fn is_unused(self) -> bool {
        self.0 & USED == 0
    }
}

/// The answers of one call in the order in which they were given, and which of them the running body has used.
///
/// The n-th answer to an ask belongs to the n-th time that a run of the body asks it, so a body that asks under one key
/// twice gets two answers (`connect`, `connect#2`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answers {
    len: u8,
    slips: [Slip; MOST_ANSWERS],
}

impl Answers {
    /// No answer yet.
    pub const NONE: Answers = Answers { len: 0, slips: [Slip(0); MOST_ANSWERS] };

    /// The answers in the order given.
    pub fn given(&self) -> impl Iterator<Item = Answer> + '_ {
        self.slips().iter().map(|slip| slip.answer())
    }

    fn slips(&self) -> &[Slip] {
        &self.slips[..usize::from(self.len)]
    }

    /// Adds an answer. Panics when there are [`MOST_ANSWERS`] already.
    pub fn push(&mut self, answer: Answer) {
        let place = usize::from(self.len);
        assert!(place < MOST_ANSWERS, "a call gathered more than {MOST_ANSWERS} answers");
        self.slips[place] = Slip::of(answer);
        self.len += 1;
    }

    /// A body starts from the top: every answer is unused again.
    pub fn rewind(&mut self) {
        for slip in &mut self.slips {
            slip.0 &= !USED;
        }
    }

    /// The first unused answer to an ask that `serves`, by place.
    pub fn unused(&self, serves: impl Fn(u8) -> bool) -> Option<usize> {
        self.slips().iter().position(|slip| slip.is_unused() && serves(slip.answer().ask))
    }

    /// The answer at this place.
    pub fn at(&self, place: usize) -> Answer {
        self.slips()[place].answer()
    }

    /// Marks the answer at this place as used and returns what the person did.
    pub fn take(&mut self, place: usize) -> Action {
        self.slips[place].0 |= USED;
        self.slips[place].answer().action
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_answer_under_one_key_belongs_to_the_second_asking() {
        let mut answers = Answers::NONE;
        answers.push(Answer { ask: 3, action: Action::Decline });
        answers.push(Answer { ask: 3, action: Action::Accept });
        let third = |ask| ask == 3;
        let first = answers.unused(third).unwrap();
        assert_eq!(answers.take(first), Action::Decline);
        let second = answers.unused(third).unwrap();
        assert_eq!(answers.take(second), Action::Accept);
        assert_eq!(answers.unused(third), None);
        answers.rewind();
        assert_eq!(answers.unused(third), Some(first), "a body run from the top meets its answers again");
    }

    #[test]
    fn an_answer_comes_back_as_it_was_given() {
        for ask in [0, 1, MOST_ASKS_OF_A_TOOL - 1] {
            for action in Action::ALL {
                let mut answers = Answers::NONE;
                answers.push(Answer { ask, action });
                assert!(answers.given().eq([Answer { ask, action }]));
            }
        }
    }

    #[test]
    #[should_panic(expected = "more than 10 answers")]
    fn an_eleventh_answer_is_our_own_bug() {
        let mut answers = Answers::NONE;
        for _ in 0..=MOST_ANSWERS {
            answers.push(Answer { ask: 0, action: Action::Accept });
        }
    }
}
