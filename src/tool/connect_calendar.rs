//! `connect_calendar`: enters an event into a person's calendar, which they connect by a link when it is not connected
//! yet. Accepting the link is no proof of anything: whether it is connected is looked up.

use super::{Action, Arguments, Ask, Cx, Definition, Ledger, MissingCapability, ToolResult};

static CONNECT: Ask = Ask::link(0, "connect", connect);

static EVENTS: Ledger = Ledger { number: 0, name: "events" };

pub(super) fn definition() -> Definition {
    Definition::of("connect_calendar", &[&CONNECT], &[&EVENTS])
}

fn connect(_: &Arguments) -> String {
    "Connect your calendar".to_owned()
}

pub(super) async fn connect_calendar(cx: Cx) -> Result<ToolResult, MissingCapability> {
    cx.work(cx.work_before()).await;
    // Whoever was asked is heard, also when another call of theirs has brought the grant meanwhile.
    if !cx.is_granted() || cx.is_answered(&CONNECT) {
        let consent = cx.need(&CONNECT).await?;
        let finished = if consent == Action::Accept { cx.finished(&CONNECT).await? } else { consent };
        match finished {
            Action::Accept => {}
            Action::Decline => return Ok(ToolResult::Declined),
            Action::Cancel => return Ok(ToolResult::Cancelled),
        }
    }
    cx.work(cx.work_after()).await;
    cx.post(&EVENTS, 1).await;
    Ok(ToolResult::Submitted)
}
