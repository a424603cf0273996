//! What is read off the run of a measurement, in words. Must never say anything that the run did not do: every word here
//! comes from records and stories.

use crate::experiment::{self, Cell};
use crate::metrics::{Incident, Outcome, Record};
use crate::scenario::Scenario;
use crate::sim::{Party, Step};
use crate::world::Cause;
use crate::world::link::{Blocked, inspect};

/// A run of a scenario under one design.
pub(super) struct Run<'a> {
    pub scenario: &'a Scenario,
    pub cell: &'a Cell,
}

impl Run<'_> {
    /// The record of the only call.
    fn call(&self) -> &Record {
        assert_eq!(self.cell.records.len(), 1, "{} has one call", self.scenario.name);
        &self.cell.records[0]
    }

    /// What the story of the only call says, in order.
    fn story(&self) -> Vec<Step> {
        let (design, number) = (self.cell.design, self.call().call);
        experiment::story(self.scenario, design, 0, number).expect("the call is there").0
    }
}

fn count(number: u32, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}

fn entries(record: &Record) -> String {
    count(record.entries, "entry", "entries")
}

fn prompts(record: &Record) -> String {
    count(record.prompts, "prompt", "prompts")
}

fn requests(record: &Record) -> String {
    format!("{} sent", count(record.asks, "request", "requests"))
}

fn outcome(record: &Record) -> String {
    record.end.outcome.name().replace('_', " ")
}

pub(super) fn threads_parked(run: &Run<'_>) -> String {
    run.cell.tally.parked.peak.to_string()
}

pub(super) fn fate(run: &Run<'_>) -> String {
    let record = run.call();
    let mut words = outcome(record);
    if record.end.outcome == Outcome::Completed && record.first_instance != record.last_instance {
        words += " on another instance";
    }
    if record.end.cause == Some(Cause::WrongKey) {
        words += ", bad signature";
    }
    format!("{words}, {}", entries(record))
}

pub(super) fn sent(run: &Run<'_>) -> String {
    let record = run.call();
    format!("{}, {}, {}", requests(record), outcome(record), entries(record))
}

/// What the tool told the model, to the letter.
const TOLD: &str = "tool error: Amounts above 100 need the user's confirmation and this client cannot ask. Ask the user \
                    in the conversation; if they agree, call submit_expense again with confirmed=true";

pub(super) fn told(run: &Run<'_>) -> String {
    let told: Vec<Step> = run.story().into_iter().filter(|step| step.to == Party::Client).collect();
    let words = match &told[..] {
        [first, ..] if first.what == TOLD => "told to ask and to confirm",
        _ => "told something else",
    };
    format!("{}, {words}, {}", requests(run.call()), entries(run.call()))
}

pub(super) fn refused_form(run: &Run<'_>) -> String {
    const BEFORE: &str = "error: its own form may not be sent: ";
    let reason = run.story().into_iter().find_map(|step| Some(step.what.strip_prefix(BEFORE)?.to_owned()));
    format!("{}, {}", requests(run.call()), reason.unwrap_or_else(|| "not refused".to_owned()))
}

pub(super) fn answers(run: &Run<'_>) -> String {
    let record = run.call();
    let bad = count(record.invalid_at_server, "bad answer", "bad answers");
    format!("{}, {}, {bad} at the server, {}", prompts(record), outcome(record), entries(record))
}

pub(super) fn shown(run: &Run<'_>) -> String {
    let record = run.call();
    let by = if record.end.cause == Some(Cause::Screened) { " by the host" } else { "" };
    format!("{}, {}{by}, seen by {}", prompts(record), outcome(record), seen_by(run))
}

pub(super) fn leak(run: &Run<'_>) -> String {
    let leaked = if run.call().exposed.parties().next().is_some() { "a secret leaked" } else { "no secret leaked" };
    format!("{}, {}, {leaked}", prompts(run.call()), outcome(run.call()))
}

pub(super) fn seen_by(run: &Run<'_>) -> String {
    let parties: Vec<&str> = run.call().exposed.parties().map(|party| party.name()).collect();
    if parties.is_empty() { "nobody".to_owned() } else { parties.join(", ") }
}

pub(super) fn three_ends(run: &Run<'_>) -> String {
    let ends = run.cell.records.iter().map(|record| format!("{} {}", outcome(record), entries(record)));
    ends.collect::<Vec<_>>().join(", ")
}

pub(super) fn effects(run: &Run<'_>) -> String {
    let story = run.story();
    let entered = |ledger: &&String| {
        let into = format!("into ledger {ledger}");
        story.iter().filter(|step| step.to == Party::Ledger && step.what.ends_with(&into)).count()
    };
    let ledgers = run.scenario.tool.definition.ledgers.iter();
    ledgers.map(|ledger| format!("{ledger} {}", entered(&ledger))).collect::<Vec<_>>().join(", ")
}

pub(super) fn inspected(run: &Run<'_>) -> String {
    let links = &run.scenario.links;
    let inspection = inspect(&links.address, Some(&links.server));
    let words: Vec<String> = match inspection.is_allowed() {
        true => inspection.warnings.iter().map(|warning| warning.name().to_owned()).collect(),
        false => inspection.blocked.iter().map(blocked).collect(),
    };
    let record = run.call();
    let verdict = if record.end.cause == Some(Cause::BlockedLink) { "blocked" } else { "allowed" };
    let why = if words.is_empty() { String::new() } else { format!(": {}", words.join(", ")) };
    format!("{verdict}{why}; {}", prompts(record))
}

fn blocked(why: &Blocked) -> String {
    match why {
        Blocked::UserName { real_host } => format!("{}, the real host is {real_host}", why.name()),
        _ => why.name().to_owned(),
    }
}

pub(super) fn connected(run: &Run<'_>) -> String {
    let record = run.call();
    let times = record.incidents.count(Incident::NotFinished);
    format!("not finished {times} times, then {}, {}", outcome(record), entries(record))
}

pub(super) fn account(run: &Run<'_>) -> String {
    let record = run.call();
    let count = |incident| record.incidents.count(incident);
    if count(Incident::GrantedToOther) > 0 {
        return format!("{}, connected to Bob's account", outcome(record));
    }
    let refusal = run.story().into_iter().find(|step| step.from == Party::Browser && step.to == Party::Browser);
    let said = refusal.and_then(|step| Some(step.what.strip_prefix("is refused: ")?.to_owned()));
    let alice = if count(Incident::Granted) == 0 { "Alice is not connected" } else { "Alice is connected" };
    format!("{:?}, {alice}", said.unwrap_or_default())
}

pub(super) fn callback(run: &Run<'_>) -> String {
    let incidents = &run.call().incidents;
    let refused = [
        (Incident::CallbackUnknown, "unknown"),
        (Incident::CallbackExpired, "expired"),
        (Incident::CallbackSpent, "spent"),
    ];
    let why = refused.into_iter().filter(|(incident, _)| incidents.count(*incident) > 0).map(|(_, why)| why);
    let grants = count(incidents.count(Incident::Granted), "grant", "grants");
    format!("refused: {}, {grants}", why.collect::<Vec<_>>().join(", "))
}

pub(super) fn attacked(run: &Run<'_>) -> String {
    format!("{}, {}", run.call().end, entries(run.call()))
}

pub(super) fn spent_twice(run: &Run<'_>) -> String {
    let record = run.call();
    let count = |incident| record.incidents.count(incident);
    let (copies, refused) = (count(Incident::Replay), count(Incident::ReplayRefused));
    if copies == 0 {
        return format!("{}, nothing to send again, {}", outcome(record), entries(record));
    }
    format!("{}, {refused} of {copies} copies refused, {}", outcome(record), entries(record))
}
