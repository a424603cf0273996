//! What a process can hold beside its threads: memory, descriptors, sessions. Must never let an empty process be too large
//! for its limit.

use super::model::{AtCap, Memory, Sessions};
use super::section::Section;
use super::values::{self, Wrong};

/// Reads `[fleet.memory]`.
pub(super) fn memory(section: &Section<'_>) -> Option<Memory> {
    let limit = section.bytes_or("limit");
    let [base, per_parked, per_session] =
        ["base", "per_parked", "per_session"].map(|name| section.get(name, values::bytes));
    let restart = section.duration("restart");
    let memory =
        Memory { limit: limit?, base: base?, per_parked: per_parked?, per_session: per_session?, restart: restart? };
    if memory.is_exceeded(0, 0) {
        let name = if section.raw("limit").is_some() { "limit" } else { "base" };
        let wrong = Wrong::new("an empty process takes more than its limit").help("give `limit` more than `base`");
        section.refuse(name, "`limit` contradicts `base`", wrong);
        return None;
    }
    Some(memory)
}

/// How many sessions a process takes, and what becomes of one more; `shared` = no process has sessions of its own.
pub(super) fn sessions(section: &Section<'_>, who: Option<Sessions>) -> Option<(Option<u32>, AtCap)> {
    let cap = section.whole_or("session_cap").map(Result::ok);
    let at_cap = section.choice("at_session_cap", &[AtCap::Refuse, AtCap::Evict]);
    let (cap, at_cap, who) = (cap?, at_cap?, who?);
    if cap.is_some() && who == Sessions::Shared && section.raw("session_cap").is_some() {
        let wrong = Wrong::new("has no effect: no process has sessions of its own");
        let help = "write `sessions = \"memory\"`, or take this out";
        section.refuse("session_cap", "`fleet.session_cap` contradicts `fleet.sessions`", wrong.help(help));
        return None;
    }
    Some((cap, at_cap))
}
