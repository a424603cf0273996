//! The seed's measurements, read off its own scenario files in both designs.

use std::path::Path;

use parked::era::Design::{self, Carrying, Waiting};
use parked::experiment::Cell;
use parked::metrics::{Outcome, Record};
use parked::scenario::{Scenario, load};
use parked::world::{Cause, Claims, Clock, Key, Refusal, open, seal};

use super::super::common::{self, because, plainly};
use super::assert_end;

fn shipped(name: &str) -> Scenario {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/seed").join(name);
    load(&path, &[]).expect("a shipped scenario is legal")
}

fn cell(name: &str, design: Design) -> Cell {
    common::cell(&shipped(name), design)
}

fn call(name: &str, design: Design) -> Record {
    common::only_call(&shipped(name), design)
}

#[test]
fn one_thread_is_parked_while_a_person_thinks_when_waiting_and_none_when_carrying() {
    let (waiting, carrying) = (cell("parked.toml", Waiting), cell("parked.toml", Carrying));
    assert_eq!((waiting.tally.parked.peak, carrying.tally.parked.peak), (1, 0));
    assert_eq!(waiting.tally.parked.mean, 60.0 / 600.0, "one minute out of ten");
    assert_eq!(carrying.tally.parked.mean, 0.0);
    for cell in [waiting, carrying] {
        assert_end(&cell.records[0], plainly(Outcome::Completed));
        assert_eq!((cell.tally.entries, cell.tally.prompts), (1, 1));
    }
}

#[test]
fn a_parked_call_is_parked_exactly_as_long_as_its_person_thinks() {
    assert_eq!(call("parked.toml", Waiting).parked_ns, 60_000_000_000);
    assert_eq!(call("parked.toml", Carrying).parked_ns, 0);
}

#[test]
fn answer_on_another_instance_times_out_when_waiting() {
    let record = call("other-instance.toml", Waiting);
    assert_end(&record, because(Outcome::TimedOut, Cause::Misrouted));
    assert_eq!((record.first_instance, record.last_instance), (Some(0), Some(1)));
    assert_eq!((record.entries, record.ended.ns()), (0, 300_000_000_000));
}

#[test]
fn answer_on_another_instance_completes_there_when_carrying() {
    let record = call("other-instance.toml", Carrying);
    assert_end(&record, plainly(Outcome::Completed));
    assert_eq!((record.first_instance, record.last_instance), (Some(0), Some(1)));
    assert_eq!(record.entries, 1);
}

#[test]
fn a_call_whose_instance_dies_is_lost_at_that_instant_when_waiting() {
    let record = call("instance-dies.toml", Waiting);
    assert_end(&record, because(Outcome::Lost, Cause::Crash));
    assert_eq!((record.entries, record.ended.ns()), (0, 30_000_000_000));
}

#[test]
fn a_call_whose_instance_dies_completes_on_another_one_when_carrying() {
    let record = call("instance-dies.toml", Carrying);
    assert_end(&record, plainly(Outcome::Completed));
    assert_eq!((record.first_instance, record.last_instance, record.entries), (Some(0), Some(1), 1));
}

#[test]
fn another_key_is_refused_with_a_bad_signature() {
    let record = call("other-key.toml", Carrying);
    assert_end(&record, because(Outcome::Refused, Cause::WrongKey));
    assert_eq!((record.entries, record.prompts), (0, 1));
    let claims = Claims { principal: 0, expires: None, request: [0; 16], answers: Vec::new() };
    let opened = open(&seal(&claims, &Key::of(0)), std::iter::once(Key::of(1)), &claims, &Clock::exact(record.ended));
    assert_eq!(
        opened,
        Err(Refusal::BadSignature),
        "what the model calls another key, a server sees as a bad signature"
    );
}

#[test]
fn a_key_of_its_own_is_no_matter_to_a_call_that_waits() {
    assert_end(&call("other-key.toml", Waiting), because(Outcome::Lost, Cause::Crash));
}

#[test]
fn both_designs_ask_the_same_person_and_get_the_same_answer() {
    for name in ["parked.toml", "other-instance.toml", "instance-dies.toml", "other-key.toml"] {
        let person = |record: Record| (record.think_ns, record.action, record.amount, record.asked.is_some());
        assert_eq!(person(call(name, Waiting)), person(call(name, Carrying)), "{name}");
    }
}
