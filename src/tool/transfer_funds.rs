//! `transfer_funds`: reserves an amount after a first confirmation and moves it after a second. The effect between the
//! two questions is there on purpose: a body that runs again from the top makes it again.

use super::{Action, Arguments, Ask, Cx, Definition, Fields, Ledger, MissingCapability, ToolResult};

static RESERVE: Ask = Ask::form(0, "reserve", reserve, Fields::NONE);
static TRANSFER: Ask = Ask::form(1, "transfer", transfer, Fields::NONE);

static RESERVATIONS: Ledger = Ledger { number: 0, name: "reservations" };
static TRANSFERS: Ledger = Ledger { number: 1, name: "transfers" };

pub(super) fn definition() -> Definition {
    Definition::of("transfer_funds", &[&RESERVE, &TRANSFER], &[&RESERVATIONS, &TRANSFERS])
}

fn reserve(arguments: &Arguments) -> String {
    format!("Reserve {} for a transfer?", arguments.amount)
}

fn transfer(arguments: &Arguments) -> String {
    format!("Transfer {} now?", arguments.amount)
}

pub(super) async fn transfer_funds(cx: Cx) -> Result<ToolResult, MissingCapability> {
    cx.work(cx.work_before()).await;
    match cx.need(&RESERVE).await? {
        Action::Accept => {}
        Action::Decline => return Ok(ToolResult::Declined),
        Action::Cancel => return Ok(ToolResult::Cancelled),
    }
    cx.post(&RESERVATIONS, cx.arguments().amount).await;
    match cx.need(&TRANSFER).await? {
        Action::Accept => {}
        Action::Decline => return Ok(ToolResult::Declined),
        Action::Cancel => return Ok(ToolResult::Cancelled),
    }
    cx.work(cx.work_after()).await;
    cx.post(&TRANSFERS, cx.arguments().amount).await;
    Ok(ToolResult::Submitted)
}
