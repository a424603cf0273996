//! Tool bodies over `need`: each is one `async fn`, written once for both designs, stopping only where it asks a person,
//! uses time or has an effect. A body must never see a clock, an instance or a design.

mod ask;
mod body;
mod book_trip;
mod choose_seat;
mod connect_calendar;
mod definition;
mod finding;
mod need;
mod program;
mod submit_expense;
mod transfer_funds;

pub use crate::world::{Action, Answer, Answers, MOST_ANSWERS};
pub use ask::{Ask, Fields, InputRequest, InputRequests, MOST_ASKS, Message};
pub use body::{Bodies, BodySlot, Slot, Stop};
pub use definition::{Arguments, Definition};
pub use finding::{AnswerKeys, Finder};
pub use need::{Cx, Entry, Finished, Ledger, MissingCapability, Need, NeedAll, Polled, Post, Sheet, Work};
pub use program::{MOST_STEPS, Program, Step};

use serde::Serialize;

/// The shipped bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// Enters an expense; amounts above 100 need a confirmation.
    SubmitExpense,
    /// Books a seat; the person chooses which.
    ChooseSeat,
    /// Moves money: reserves it after a first confirmation, moves it after a second.
    TransferFunds,
    /// Books flight, hotel and car, all three confirmed in one round.
    BookTrip,
    /// Enters into a calendar that the person connects by a link.
    ConnectCalendar,
    /// Does what the scenario's steps say.
    Steps,
}

impl Body {
    /// Every body, in the order of the documentation.
    pub const ALL: [Body; 6] = [
        Body::SubmitExpense,
        Body::ChooseSeat,
        Body::TransferFunds,
        Body::BookTrip,
        Body::ConnectCalendar,
        Body::Steps,
    ];

    /// The tool's name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Body::SubmitExpense => "submit_expense",
            Body::ChooseSeat => "choose_seat",
            Body::TransferFunds => "transfer_funds",
            Body::BookTrip => "book_trip",
            Body::ConnectCalendar => "connect_calendar",
            Body::Steps => "steps",
        }
    }

    /// What it asks and where it enters. Of [`Body::Steps`] the scenario says it.
    pub fn definition(self) -> Definition {
        match self {
            Body::SubmitExpense => submit_expense::definition(),
            Body::ChooseSeat => choose_seat::definition(),
            Body::TransferFunds => transfer_funds::definition(),
            Body::BookTrip => book_trip::definition(),
            Body::ConnectCalendar => connect_calendar::definition(),
            Body::Steps => Definition::of(self.name(), &[], &[]),
        }
    }
}

/// The body behind a tool's name; the one future type that all calls share.
pub async fn run(cx: Cx, body: Body) -> Result<ToolResult, MissingCapability> {
    match body {
        Body::SubmitExpense => submit_expense::submit_expense(cx).await,
        Body::ChooseSeat => choose_seat::choose_seat(cx).await,
        Body::TransferFunds => transfer_funds::transfer_funds(cx).await,
        Body::BookTrip => book_trip::book_trip(cx).await,
        Body::ConnectCalendar => connect_calendar::connect_calendar(cx).await,
        Body::Steps => program::steps(cx).await,
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
