//! `choose_seat`: books the seat that a person chooses, window or aisle.

use super::{Action, Arguments, Ask, Cx, Definition, Fields, Ledger, MissingCapability, ToolResult};

static SEAT: Ask = Ask::form(
    0,
    "seat",
    which,
    Fields::of(
        r#"{"type":"object","properties":{"seat":{"type":"string","enum":["window","aisle"]}},"required":["seat"]}"#,
        r#"{"seat":"window"}"#,
        r#"{"seat":"middle"}"#,
    ),
);

static SEATS: Ledger = Ledger { number: 0, name: "seats" };

pub(super) fn definition() -> Definition {
    Definition::of("choose_seat", &[&SEAT], &[&SEATS])
}

fn which(_: &Arguments) -> String {
    "Window or aisle?".to_owned()
}

pub(super) async fn choose_seat(cx: Cx) -> Result<ToolResult, MissingCapability> {
    cx.work(cx.work_before()).await;
    match cx.need(&SEAT).await? {
        Action::Accept => {}
        Action::Decline => return Ok(ToolResult::Declined),
        Action::Cancel => return Ok(ToolResult::Cancelled),
    }
    cx.work(cx.work_after()).await;
    cx.post(&SEATS, 1).await;
    Ok(ToolResult::Submitted)
}
