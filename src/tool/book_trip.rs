//! `book_trip`: books flight, hotel and car, all three confirmed in one round, and books nothing unless all are.

use super::{Action, Arguments, Ask, Cx, Definition, Fields, Ledger, MissingCapability, ToolResult};

static FLIGHT: Ask = Ask::form(0, "flight", flight, Fields::NONE);
static HOTEL: Ask = Ask::form(1, "hotel", hotel, Fields::NONE);
static CAR: Ask = Ask::form(2, "car", car, Fields::NONE);
static ALL: [&Ask; 3] = [&FLIGHT, &HOTEL, &CAR];

static BOOKINGS: Ledger = Ledger { number: 0, name: "bookings" };

pub(super) fn definition() -> Definition {
    Definition::of("book_trip", &ALL, &[&BOOKINGS])
}

fn flight(_: &Arguments) -> String {
    "Book the flight?".to_owned()
}

fn hotel(_: &Arguments) -> String {
    "Book the hotel?".to_owned()
}

fn car(_: &Arguments) -> String {
    "Book the car?".to_owned()
}

pub(super) async fn book_trip(cx: Cx) -> Result<ToolResult, MissingCapability> {
    cx.work(cx.work_before()).await;
    let answers = cx.need_all(&ALL).await?;
    if answers.contains(&Action::Decline) {
        return Ok(ToolResult::Declined);
    }
    if answers.contains(&Action::Cancel) {
        return Ok(ToolResult::Cancelled);
    }
    cx.work(cx.work_after()).await;
    for _ in &answers {
        cx.post(&BOOKINGS, 1).await;
    }
    Ok(ToolResult::Submitted)
}
