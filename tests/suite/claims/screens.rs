//! Claims about people who have two forms at once, and about people who click twice.

use parked::era::Design::{self, Carrying, Waiting};
use parked::experiment::Cell;
use parked::metrics::{Incident, Outcome, Record};
use parked::world::Cause;

use super::super::common::{because, plainly};
use super::{ALONE, DESIGNS, WHOLE_MS, assert_end, call, cell, ended_ms};

/// Two calls of one person, 10 s apart.
fn two(design: Design, forms: &str, switches: &[&str]) -> [Record; 2] {
    let fixed = [ALONE, "people.users=1", r#"arrivals.at=["0s", "10s"]"#];
    let Cell { records, .. } = cell(design, &[&fixed[..], &[&format!("people.forms={forms}")], switches].concat());
    records[..].try_into().expect("two calls")
}

/// How long a call takes that has its person for itself, ms.
fn whole_ms(design: Design) -> u64 {
    WHOLE_MS + if design == Carrying { 2 } else { 0 }
}

#[test]
pub fn a_form_that_meets_another_is_shown_beside_it_or_waits_or_takes_its_place_or_is_refused() {
    for design in DESIGNS {
        let whole = whole_ms(design);
        let outcome = |forms| two(design, forms, &[]).map(|record| (record.end, ended_ms(&record), record.prompts));
        let done = plainly(Outcome::Completed);
        assert_eq!(outcome("any"), [(done, whole, 1), (done, 10_000 + whole, 1)]);
        // The second form comes on the screen at 60.002 s.
        assert_eq!(outcome("queue"), [(done, whole, 1), (done, 60_000 + whole, 1)]);
        let replaced = because(Outcome::TimedOut, Cause::FormReplaced);
        assert_eq!(outcome("overwrite"), [(replaced, 300_000, 1), (done, 10_000 + whole, 1)]);
        let refused = because(Outcome::Cancelled, Cause::FormRefused);
        // Asked at 10.002 s; carrying does the work before the question again to hear the cancel.
        let heard = 10_002 + if design == Carrying { 2 } else { 0 };
        assert_eq!(outcome("refuse"), [(done, whole, 1), (refused, heard, 0)]);
    }
}

#[test]
fn only_a_form_in_the_queue_is_counted_as_waiting() {
    for design in DESIGNS {
        for (forms, waited) in [("any", 0), ("queue", 1), ("overwrite", 0), ("refuse", 0)] {
            let counts = two(design, forms, &[]).map(|record| record.incidents.count(Incident::FormWaited));
            assert_eq!(counts, [0, waited], "{forms}");
        }
    }
}

#[test]
fn people_of_their_own_never_meet_another_form() {
    for design in DESIGNS {
        let alone = |forms: &str| {
            // Among so many people the two calls have different ones.
            two(design, forms, &["people.users=1000000"])
        };
        let any = alone("any");
        for forms in ["queue", "overwrite", "refuse"] {
            assert_eq!(alone(forms), any, "{forms}");
        }
    }
}

#[test]
fn a_form_that_waits_is_gone_when_its_client_gives_up() {
    for design in DESIGNS {
        let [first, second] = two(design, "queue", &["people.think.constant=100s", "clients.patience=70s"]);
        for (record, prompts) in [(first, 1), (second, 0)] {
            assert_end(&record, because(Outcome::TimedOut, Cause::ClientDeadline));
            assert_eq!((ended_ms(&record) - record.arrived.ns() / 1_000_000, record.prompts), (70_000, 1.max(prompts)));
        }
    }
}

/// A person who submits the answer twice, or one who does not.
fn clicks(design: Design, share: &str, ledger: &str) -> Record {
    let (share, ledger) = (format!("people.double_clicks={share}"), format!("state.ledger={ledger}"));
    let record = call(design, &[ALONE, &share, &ledger]);
    assert_end(&record, plainly(Outcome::Completed));
    record
}

#[test]
pub fn an_answer_that_is_submitted_twice_makes_two_entries_where_a_state_may_be_used_twice() {
    for (design, ledger, entries) in
        [(Waiting, "none", 1), (Carrying, "none", 2), (Carrying, "per-instance", 1), (Carrying, "shared", 1)]
    {
        let (twice, once) = (clicks(design, "1.0", ledger), clicks(design, "0.0", ledger));
        assert_eq!((twice.entries, once.entries), (entries, 1), "{design:?} {ledger}");
        let again = if design == Carrying { 1 } else { 0 };
        assert_eq!((twice.messages, once.messages), (2 + again, 2), "without a state there is nothing to serve again");
        let count = |record: &Record| record.incidents.count(Incident::DoubleClick);
        assert_eq!((count(&twice), count(&once), twice.prompts), (1, 0, 1));
        assert_eq!(twice.ended, once.ended);
    }
}

#[test]
fn a_ledger_of_each_instance_stops_the_second_click_only_where_the_first_one_went() {
    let entries = |way: &str, ledger: &str| {
        let ledger = format!("state.ledger={ledger}");
        call(Carrying, &["people.double_clicks=1.0", way, &ledger]).entries
    };
    // Two instances in turn: the answer goes to the second, its double to the first.
    let turns = "balancer.policy=round-robin";
    assert_eq!(["none", "per-instance", "shared"].map(|ledger| entries(turns, ledger)), [2, 2, 1]);
    // The second click takes the way of the first where anything binds the call.
    for binds in ["balancer.stickiness=cookie", "balancer.policy=hash", "clients.reuse=1.0"] {
        assert_eq!(["none", "per-instance", "shared"].map(|ledger| entries(binds, ledger)), [2, 1, 1], "{binds}");
    }
}
