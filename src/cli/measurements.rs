//! The known measurements: which shipped scenario shows each, what is read off its run, and what that must be. Must never
//! read anything off a run that the run did not do: every word here comes from records and stories.

use crate::era::Design;
use crate::experiment::{self, Cell};
use crate::metrics::{Outcome, Record};
use crate::scenario::Scenario;
use crate::sim::{Party, Step};
use crate::world::Cause;

/// One measurement.
pub(super) struct Measurement {
    pub situation: &'static str,
    pub scenario: &'static str,
    pub read: fn(&Run<'_>) -> String,
    pub expected: &'static [(Design, &'static str)],
}

/// A run of a scenario under one design.
pub(super) struct Run<'a> {
    pub scenario: &'a Scenario,
    pub cell: &'a Cell,
}

use Design::{Carrying, Waiting};

const fn both(expected: &'static str) -> [(Design, &'static str); 2] {
    [(Waiting, expected), (Carrying, expected)]
}

pub(super) static MEASUREMENTS: &[Measurement] = &[
    Measurement {
        situation: "threads parked while the person thinks",
        scenario: "seed/parked.toml",
        read: threads_parked,
        expected: &[(Waiting, "1"), (Carrying, "0")],
    },
    Measurement {
        situation: "the answer reaches another instance under round robin",
        scenario: "seed/other-instance.toml",
        read: fate,
        expected: &[(Waiting, "timed out, 0 entries"), (Carrying, "completed on another instance, 1 entry")],
    },
    Measurement {
        situation: "the instance dies while the person thinks",
        scenario: "seed/instance-dies.toml",
        read: fate,
        expected: &[(Waiting, "lost, 0 entries"), (Carrying, "completed on another instance, 1 entry")],
    },
    Measurement {
        situation: "the instance dies, and the new one has another key",
        scenario: "seed/other-key.toml",
        read: fate,
        expected: &[(Carrying, "refused, bad signature, 0 entries")],
    },
    Measurement {
        situation: "three answers of one round under round robin",
        scenario: "seed/book-trip.toml",
        read: fate,
        expected: &[(Waiting, "timed out, 0 entries"), (Carrying, "completed on another instance, 3 entries")],
    },
    Measurement {
        situation: "the client declares no elicitation",
        scenario: "seed/no-elicitation.toml",
        read: told,
        expected: &both("0 requests sent, told to ask and to confirm, 0 entries"),
    },
    Measurement {
        situation: "the model calls again with confirmed=true",
        scenario: "seed/confirmed.toml",
        read: sent,
        expected: &both("0 requests sent, completed, 1 entry"),
    },
    Measurement {
        situation: "a link for a client that declares forms",
        scenario: "seed/link-to-forms-only.toml",
        read: sent,
        expected: &both("0 requests sent, unsupported, 0 entries"),
    },
    Measurement {
        situation: "a link for a client that declares `elicitation: {}`",
        scenario: "seed/link-to-empty-elicitation.toml",
        read: sent,
        expected: &both("0 requests sent, unsupported, 0 entries"),
    },
    Measurement {
        situation: "sampling for a client that declares none",
        scenario: "seed/sampling-undeclared.toml",
        read: sent,
        expected: &both("0 requests sent, unsupported, 0 entries"),
    },
    Measurement {
        situation: "sampling with tools for a client that declares it without",
        scenario: "seed/sampling-without-tools.toml",
        read: sent,
        expected: &both("0 requests sent, unsupported, 0 entries"),
    },
    Measurement {
        situation: "the second request declares less than the first",
        scenario: "seed/declares-less.toml",
        read: sent,
        expected: &[
            (Waiting, "2 requests sent, completed, 2 entries"),
            (Carrying, "1 request sent, unsupported, 1 entry"),
        ],
    },
    Measurement {
        situation: "a form with a nested object",
        scenario: "seed/nested-form.toml",
        read: refused_form,
        expected: &both("0 requests sent, a: nested objects are not allowed"),
    },
    Measurement {
        situation: "`middle` for window or aisle, twice, then a good answer",
        scenario: "seed/wrong-seat.toml",
        read: answers,
        expected: &both("3 prompts, completed, 0 bad answers at the server, 1 entry"),
    },
    Measurement {
        situation: "a client that does not check sends `middle`",
        scenario: "seed/malicious-client.toml",
        read: answers,
        expected: &both("1 prompt, refused, 1 bad answer at the server, 0 entries"),
    },
    Measurement {
        situation: "a form titled \"Paste your cloud API key\"",
        scenario: "seed/cloud-key.toml",
        read: shown,
        expected: &both("0 prompts, cancelled by the host, seen by nobody"),
    },
    Measurement {
        situation: "a field value_2, \"Paste the value we emailed you\"",
        scenario: "seed/value-2.toml",
        read: leak,
        expected: &both("1 prompt, completed, a secret leaked"),
    },
    Measurement {
        situation: "who sees a secret typed into a form",
        scenario: "seed/value-2.toml",
        read: seen_by,
        expected: &both("client, client-log, host-trace, model-context, proxy, server-log, audit-trail"),
    },
    Measurement {
        situation: "who sees a secret typed behind a link",
        scenario: "seed/secret-by-link.toml",
        read: seen_by,
        expected: &both("nobody"),
    },
    Measurement {
        situation: "accept, decline, cancel",
        scenario: "seed/three-answers.toml",
        read: three_ends,
        expected: &both("completed 1 entry, declined 0 entries, cancelled 0 entries"),
    },
    Measurement {
        situation: "an effect between two questions",
        scenario: "seed/transfer-funds.toml",
        read: effects,
        expected: &[(Waiting, "reservations 1, transfers 1"), (Carrying, "reservations 2, transfers 1")],
    },
    Measurement {
        situation: "the same, recorded in the state",
        scenario: "seed/transfer-funds-recorded.toml",
        read: effects,
        expected: &both("reservations 1, transfers 1"),
    },
];

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

fn threads_parked(run: &Run<'_>) -> String {
    run.cell.tally.parked.peak.to_string()
}

fn fate(run: &Run<'_>) -> String {
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

fn sent(run: &Run<'_>) -> String {
    let record = run.call();
    format!("{}, {}, {}", requests(record), outcome(record), entries(record))
}

/// What the tool told the model, to the letter.
const TOLD: &str = "tool error: Amounts above 100 need the user's confirmation and this client cannot ask. Ask the user \
                    in the conversation; if they agree, call submit_expense again with confirmed=true";

fn told(run: &Run<'_>) -> String {
    let told: Vec<Step> = run.story().into_iter().filter(|step| step.to == Party::Client).collect();
    let words = match &told[..] {
        [first, ..] if first.what == TOLD => "told to ask and to confirm",
        _ => "told something else",
    };
    format!("{}, {words}, {}", requests(run.call()), entries(run.call()))
}

fn refused_form(run: &Run<'_>) -> String {
    const BEFORE: &str = "error: its own form may not be sent: ";
    let reason = run.story().into_iter().find_map(|step| Some(step.what.strip_prefix(BEFORE)?.to_owned()));
    format!("{}, {}", requests(run.call()), reason.unwrap_or_else(|| "not refused".to_owned()))
}

fn answers(run: &Run<'_>) -> String {
    let record = run.call();
    let bad = count(record.invalid_at_server, "bad answer", "bad answers");
    format!("{}, {}, {bad} at the server, {}", prompts(record), outcome(record), entries(record))
}

fn shown(run: &Run<'_>) -> String {
    let record = run.call();
    let by = if record.end.cause == Some(Cause::Screened) { " by the host" } else { "" };
    format!("{}, {}{by}, seen by {}", prompts(record), outcome(record), seen_by(run))
}

fn leak(run: &Run<'_>) -> String {
    let leaked = if run.call().exposed.parties().next().is_some() { "a secret leaked" } else { "no secret leaked" };
    format!("{}, {}, {leaked}", prompts(run.call()), outcome(run.call()))
}

fn seen_by(run: &Run<'_>) -> String {
    let parties: Vec<&str> = run.call().exposed.parties().map(|party| party.name()).collect();
    if parties.is_empty() { "nobody".to_owned() } else { parties.join(", ") }
}

fn three_ends(run: &Run<'_>) -> String {
    let ends = run.cell.records.iter().map(|record| format!("{} {}", outcome(record), entries(record)));
    ends.collect::<Vec<_>>().join(", ")
}

fn effects(run: &Run<'_>) -> String {
    let story = run.story();
    let entered = |ledger: &&String| {
        let into = format!("into ledger {ledger}");
        story.iter().filter(|step| step.to == Party::Ledger && step.what.ends_with(&into)).count()
    };
    let ledgers = run.scenario.tool.definition.ledgers.iter();
    ledgers.map(|ledger| format!("{ledger} {}", entered(&ledger))).collect::<Vec<_>>().join(", ")
}
