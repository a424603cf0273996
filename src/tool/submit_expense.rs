//! `submit_expense`: enters an expense claim. Small amounts pass; a larger one needs a person's confirmation.

use super::{Action, Arguments, Ask, Cx, Definition, Fields, Ledger, MissingCapability, ToolResult};

/// Amounts above this are asked about.
const LIMIT: u32 = 100;

static CONFIRM: Ask = Ask::form(0, "confirm", confirm, Fields::NONE);

static EXPENSES: Ledger = Ledger { number: 0, name: "expenses" };

const FALLBACK: &str = "Amounts above 100 need the user's confirmation and this client cannot ask. Ask the user in the \
                        conversation; if they agree, call submit_expense again with confirmed=true";

pub(super) fn definition() -> Definition {
    let fallback = Some(FALLBACK);
    Definition { fallback, ..Definition::of("submit_expense", &[&CONFIRM], &[&EXPENSES]) }
}

fn confirm(arguments: &Arguments) -> String {
    format!("Submit an expense of {}?", arguments.amount)
}

pub(super) async fn submit_expense(cx: Cx) -> Result<ToolResult, MissingCapability> {
    cx.work(cx.work_before()).await;
    if cx.arguments().amount > LIMIT && !cx.arguments().confirmed {
        match cx.need(&CONFIRM).await? {
            Action::Accept => {}
            Action::Decline => return Ok(ToolResult::Declined),
            Action::Cancel => return Ok(ToolResult::Cancelled),
        }
    }
    cx.work(cx.work_after()).await;
    cx.post(&EXPENSES, cx.arguments().amount).await;
    Ok(ToolResult::Submitted)
}
