//! Tool bodies over `need`: each is one `async fn`, written once for both designs, stopping only where it asks a person,
//! uses time or has an effect. A body must never see a clock, an instance or a design.

mod ask;
mod body;
mod need;
mod submit_expense;

pub use crate::world::{Action, Answer, Answers, MOST_ANSWERS};
pub use ask::{Ask, ElicitRequest, InputRequests, MOST_ASKS};
pub use body::{Bodies, BodySlot, Stop};
pub use need::{Cx, Entry, Ledger, MissingCapability, Need, NeedAll, Post, Sheet, Work};

use serde::Serialize;
use sha2::{Digest, Sha256};

/// The shipped bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// Enters an expense; amounts above 100 need a confirmation.
    SubmitExpense,
}

impl Body {
    /// The tool's name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Body::SubmitExpense => "submit_expense",
        }
    }

    /// Every ask that the body can make.
    pub fn asks(self) -> &'static [&'static Ask] {
        match self {
            Body::SubmitExpense => submit_expense::ASKS,
        }
    }
}

/// The body behind a tool's name; the one future type that all calls share.
pub async fn run(cx: Cx, body: Body) -> Result<ToolResult, MissingCapability> {
    match body {
        Body::SubmitExpense => submit_expense::submit_expense(cx).await,
    }
}

/// `arguments` of a `tools/call`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arguments {
    /// The amount claimed.
    pub amount: u32,
}

impl Arguments {
    /// Digest of method, tool and arguments: what a sealed state is bound to (patterns/mrtr: originating request).
    pub fn digest(&self, body: Body) -> [u8; 16] {
        let mut hash = Sha256::new();
        hash.update(b"tools/call\0");
        hash.update(body.name().as_bytes());
        hash.update([0]);
        hash.update(self.amount.to_le_bytes());
        let mut digest = [0; 16];
        digest.copy_from_slice(&hash.finalize()[..16]);
        digest
    }
}

/// How a body ends when it could do its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolResult {
    /// The work is done.
    Submitted,
    /// The person said no.
    Declined,
    /// The person dismissed the question.
    Cancelled,
}
