//! A body that a scenario describes step by step, without Rust. Plain numbers of a few bytes, so that the whole program
//! is lent to the body for a poll; names, texts and times stay with the scenario.

use serde::Serialize;

use super::{Action, Cx, MissingCapability, ToolResult};
use crate::world::Capability;

/// One step; the number says which of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// Uses a thread, for a time that the scenario gives.
    Work(u8),
    /// Asks, and ends the call unless the answer is an accept.
    Ask(u8, Capability),
    /// Makes an entry in a ledger.
    Post(u8),
}

/// Most steps of one program.
pub const MOST_STEPS: usize = 16;

/// The steps in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Program {
    len: u8,
    steps: [Step; MOST_STEPS],
}

impl Program {
    /// No step.
    pub const NONE: Program = Program { len: 0, steps: [Step::Work(0); MOST_STEPS] };

    /// These steps. Panics when there are more than [`MOST_STEPS`].
    pub fn of(steps: &[Step]) -> Program {
        let mut program = Program { len: steps.len() as u8, ..Program::NONE };
        program.steps[..steps.len()].copy_from_slice(steps);
        program
    }

    /// Whether it asks this.
    pub fn asks(&self, number: u8) -> bool {
        let steps = &self.steps[..usize::from(self.len)];
        steps.iter().any(|step| matches!(step, Step::Ask(asked, _) if *asked == number))
    }

    pub(super) fn step(&self, place: u8) -> Option<Step> {
        self.steps[..usize::from(self.len)].get(usize::from(place)).copied()
    }
}

pub(super) async fn steps(cx: Cx) -> Result<ToolResult, MissingCapability> {
    let mut place = 0;
    while let Some(step) = cx.step(place) {
        match step {
            Step::Work(number) => cx.work_of(number).await,
            Step::Post(ledger) => cx.post_to(ledger, cx.arguments().amount).await,
            Step::Ask(number, needs) => match answered(cx, number, needs).await? {
                Action::Accept => {}
                Action::Decline => return Ok(ToolResult::Declined),
                Action::Cancel => return Ok(ToolResult::Cancelled),
            },
        }
        place += 1;
    }
    Ok(ToolResult::Submitted)
}

/// The answer to an ask; of an accepted link, once its page is finished.
async fn answered(cx: Cx, number: u8, needs: Capability) -> Result<Action, MissingCapability> {
    match cx.need_of(number, needs).await? {
        Action::Accept if needs == Capability::Url => cx.finished_of(number, needs).await,
        action => Ok(action),
    }
}
