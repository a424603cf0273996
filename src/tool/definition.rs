//! A tool as others see it: its name, what it can ask, where it enters, and the arguments of a call. Must never hold
//! anything of one call.

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{AnswerKeys, Ask, Ledger, MOST_ANSWERS, Program};

/// What is known of a tool without running it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Definition {
    /// Its name on the wire.
    pub name: String,
    /// Every ask that it can make, by number, in this version or the next.
    pub asks: Vec<Ask>,
    /// Names of its ledgers, by number.
    pub ledgers: Vec<String>,
    /// What it tells the model when the client cannot be asked; only of a tool with the argument `confirmed`.
    pub fallback: Option<&'static str>,
    /// Its steps, when a scenario describes it.
    pub program: Program,
    /// The steps of its next version, when a scenario describes one.
    pub next: Option<Program>,
    /// By what a body finds its answers.
    pub answer_keys: AnswerKeys,
    /// A digest of each ask, by number, where bodies find their answers by that.
    #[serde(skip)]
    pub digests: Vec<String>,
}

/// Under what an answer stands in a state that goes by running numbers.
const RUNNING: [&str; MOST_ANSWERS] = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];

impl Definition {
    /// A tool with these asks and ledgers, each listed by its number. Panics when one is not.
    pub fn of(name: &str, asks: &[&Ask], ledgers: &[&Ledger]) -> Definition {
        let in_order = asks.iter().map(|ask| ask.number).eq((0..).take(asks.len()));
        assert!(in_order && ledgers.iter().map(|ledger| ledger.number).eq((0..).take(ledgers.len())));
        Definition {
            name: name.to_owned(),
            asks: asks.iter().map(|&ask| ask.clone()).collect(),
            ledgers: ledgers.iter().map(|ledger| ledger.name.to_owned()).collect(),
            fallback: None,
            program: Program::NONE,
            next: None,
            answer_keys: AnswerKeys::Named,
            digests: Vec::new(),
        }
    }

    /// The ask with this number.
    pub fn ask(&self, number: u8) -> &Ask {
        &self.asks[usize::from(number)]
    }

    /// The steps of a version, counted from 0; the next one is the last.
    pub fn program_of(&self, version: u32) -> &Program {
        self.next.as_ref().filter(|_| version > 0).unwrap_or(&self.program)
    }

    /// The same tool, whose bodies find their answers by this.
    pub fn with_answer_keys(self, answer_keys: AnswerKeys) -> Definition {
        let by_text = answer_keys == AnswerKeys::Text;
        let digests = self.asks.iter().filter(|_| by_text).map(Ask::digest).collect();
        Definition { answer_keys, digests, ..self }
    }

    /// Under what the answer to this ask stands in a state; `place` is its place among the answers of the call.
    pub fn sealed_as(&self, place: usize, ask: u8) -> &str {
        match self.answer_keys {
            AnswerKeys::Named => &self.ask(ask).key,
            AnswerKeys::Sequence => RUNNING[place],
            AnswerKeys::Text => &self.digests[usize::from(ask)],
        }
    }

    /// Digest of method, tool and arguments: what a sealed state is bound to (patterns/mrtr: originating request).
    pub fn digest(&self, arguments: &Arguments) -> [u8; 16] {
        let mut hash = Sha256::new();
        hash.update(b"tools/call\0");
        hash.update(self.name.as_bytes());
        hash.update([0]);
        hash.update(arguments.amount.to_le_bytes());
        hash.update([u8::from(arguments.confirmed)]);
        let mut digest = [0; 16];
        digest.copy_from_slice(&hash.finalize()[..16]);
        digest
    }
}

/// `arguments` of a `tools/call`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arguments {
    /// The amount claimed.
    pub amount: u32,
    /// Whether the caller says that the person has agreed already.
    pub confirmed: bool,
}
