//! The person who is asked: how long they think and what they do. Both designs meet the same person.

use std::time::Duration;

use serde::Serialize;

use super::Action;
use crate::random::unit;

/// Shares of what people who answer do; they add up to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Decide {
    /// Explicit yes.
    pub accept: f64,
    /// Explicit no.
    pub decline: f64,
    /// Dismissed without a choice.
    pub cancel: f64,
}

impl Decide {
    /// What the person behind this random word does; `None` = never answers, with probability `silent`.
    pub fn decision(&self, silent: f64, word: u64) -> Option<Action> {
        let u = unit(word);
        if u < silent {
            return None;
        }
        // What is left of the uniform, stretched to (0, 1): one word decides both.
        let v = (u - silent) / (1.0 - silent);
        Some(if v < self.accept {
            Action::Accept
        } else if v < self.accept + self.decline || self.cancel == 0.0 {
            if self.decline == 0.0 && self.cancel == 0.0 { Action::Accept } else { Action::Decline }
        } else {
            Action::Cancel
        })
    }
}

/// What one person does with one ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fate {
    /// From the question on the screen to the answer; of no meaning when nothing is answered.
    pub think: Duration,
    /// What the person does; `None` = never answers.
    pub action: Option<Action>,
}

/// What becomes of a form that comes to a person while another is on their screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Forms {
    /// Both are shown, and answered as if they were alone.
    Any,
    /// It waits its turn.
    Queue,
    /// It takes the place of the other, which is never answered.
    Overwrite,
    /// The client refuses it, as cancelled.
    Refuse,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_nought_never_happens_and_a_share_of_one_always_does() {
        let words = (0..2000u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).chain([0, u64::MAX]);
        let all = |accept, decline, cancel| Decide { accept, decline, cancel };
        for word in words {
            assert_eq!(all(1.0, 0.0, 0.0).decision(0.0, word), Some(Action::Accept));
            assert_eq!(all(0.0, 1.0, 0.0).decision(0.0, word), Some(Action::Decline));
            assert_eq!(all(0.0, 0.0, 1.0).decision(0.0, word), Some(Action::Cancel));
            assert_eq!(all(1.0, 0.0, 0.0).decision(1.0, word), None);
        }
    }

    #[test]
    fn shares_come_out_as_given() {
        let decide = Decide { accept: 0.5, decline: 0.3, cancel: 0.2 };
        let count = |wanted| {
            let n = 1 << 16;
            // A regular grid: the share is exact to one cell.
            let hits = (0..n).filter(|i| decide.decision(0.2, i << 48) == wanted).count();
            hits as f64 / n as f64
        };
        for (wanted, share) in
            [(None, 0.2), (Some(Action::Accept), 0.4), (Some(Action::Decline), 0.24), (Some(Action::Cancel), 0.16)]
        {
            assert!((count(wanted) - share).abs() < 2e-5, "{wanted:?}");
        }
    }
}
