//! `submit_expense`: enters an expense claim. Small amounts pass; a larger one needs a person's confirmation.

use super::{Action, Arguments, Ask, Cx, ElicitRequest, Entry, Ledger, MissingCapability, ToolResult};

/// Amounts above this are asked about.
const LIMIT: u32 = 100;

static CONFIRM: Ask = Ask { number: 0, key: "confirm", request: confirm };

static EXPENSES: Ledger = Ledger { name: "expenses" };

pub(super) static ASKS: &[&Ask] = &[&CONFIRM];

fn confirm(arguments: &Arguments) -> ElicitRequest {
    ElicitRequest { message: format!("Submit an expense of {}?", arguments.amount) }
}

pub(super) async fn submit_expense(cx: Cx) -> Result<ToolResult, MissingCapability> {
    cx.work(cx.work_before()).await;
    if cx.arguments().amount > LIMIT {
        match cx.need(&CONFIRM).await? {
            Action::Accept => {}
            Action::Decline => return Ok(ToolResult::Declined),
            Action::Cancel => return Ok(ToolResult::Cancelled),
        }
    }
    cx.work(cx.work_after()).await;
    cx.post(Entry { ledger: &EXPENSES, amount: cx.arguments().amount }).await;
    Ok(ToolResult::Submitted)
}
