//! A tool as others see it: its name, what it can ask, where it enters, and the arguments of a call. Must never hold
//! anything of one call.

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{Ask, Ledger, Program};

/// What is known of a tool without running it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Definition {
    /// Its name on the wire.
    pub name: String,
    /// Every ask that it can make, by number.
    pub asks: Vec<Ask>,
    /// Names of its ledgers, by number.
    pub ledgers: Vec<String>,
    /// What it tells the model when the client cannot be asked; only of a tool with the argument `confirmed`.
    pub fallback: Option<&'static str>,
    /// Its steps, when a scenario describes it.
    pub program: Program,
}

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
        }
    }

    /// The ask with this number.
    pub fn ask(&self, number: u8) -> &Ask {
        &self.asks[usize::from(number)]
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
