//! Claims about calls that meet two versions of a tool: what of their answers the new one uses, and for what.

use parked::era::Design::{self, Carrying, Waiting};
use parked::metrics::{Incident, Outcome, Record};

use super::super::common::{only_call, plainly};
use super::{DESIGNS, assert_end, in_steps};

/// A person is asked at 0 s and answers at 60 s; between, every process is replaced by one of the next version.
fn deployed(design: Design, this: &str, next: &str, switches: &[&str]) -> Record {
    let next = format!("tool.next.step=[{next}]");
    let base = [
        r#"fault=[{ deploy = { at = "30s", strategy = "recreate" } }]"#,
        "balancer.stickiness=learned",
        "fleet.termination.grace=5m",
        &next,
    ];
    only_call(&in_steps(this, "", &[&base[..], switches].concat()), design)
}

/// Prompts, questions of another version, answers to another question, entries, those of them without a yes.
fn counts(record: &Record) -> (u32, u32, u32, u32, u32) {
    let count = |incident| record.incidents.count(incident);
    let (extra, misapplied) = (count(Incident::ExtraAsk), count(Incident::Misapplied));
    (record.prompts, extra, misapplied, record.entries, record.entries_unconfirmed)
}

const PAY: &str = r#"{ ask = { key = "pay", message = "Pay 500?" } }"#;
const REASON: &str = r#"{ ask = { key = "reason", message = "What for?" } }"#;
const PAY_MORE: &str = r#"{ ask = { key = "pay", message = "Pay 500 every month?" } }"#;
const POST: &str = r#"{ post = "payments" }"#;

fn steps(steps: &[&str]) -> String {
    steps.join(", ")
}

#[test]
pub fn a_version_that_asks_one_question_more_asks_it_of_the_calls_that_it_takes_over() {
    let (this, next) = (steps(&[PAY, POST]), steps(&[PAY, REASON, POST]));
    let carried = deployed(Carrying, &this, &next, &[]);
    assert_end(&carried, plainly(Outcome::Completed));
    assert_eq!(counts(&carried), (2, 1, 0, 1, 0));
    // A body that is kept goes on as what it began.
    let held = deployed(Waiting, &this, &next, &[]);
    assert_end(&held, plainly(Outcome::Completed));
    assert_eq!(counts(&held), (1, 0, 0, 1, 0));
    for design in DESIGNS {
        assert_eq!(counts(&deployed(design, &this, &this, &[])), (1, 0, 0, 1, 0), "nothing changed");
    }
}

#[test]
fn a_version_that_asks_less_leaves_answers_unused() {
    let carried = deployed(Carrying, &steps(&[PAY, REASON, POST]), &steps(&[REASON, POST]), &[]);
    assert_eq!(counts(&carried), (2, 0, 0, 1, 0), "the yes to pay is of no use, the reason is asked for");
    let by_number =
        deployed(Carrying, &steps(&[PAY, REASON, POST]), &steps(&[REASON, POST]), &["tool.answer_keys=sequence"]);
    assert_eq!(counts(&by_number), (1, 0, 1, 1, 1), "the yes to pay is taken for a reason");
}

#[test]
pub fn a_reworded_question_gets_the_old_yes_by_its_key_or_number_and_is_asked_again_by_its_text() {
    let reworded = |keys: &str| {
        let keys = format!("tool.answer_keys={keys}");
        deployed(Carrying, &steps(&[PAY, POST]), &steps(&[PAY_MORE, POST]), &[&keys])
    };
    for keys in ["named", "sequence"] {
        let record = reworded(keys);
        assert_end(&record, plainly(Outcome::Completed));
        assert_eq!(counts(&record), (1, 0, 1, 1, 1), "{keys}: nobody agreed to pay every month");
    }
    assert_eq!(counts(&reworded("text")), (2, 1, 0, 1, 0));
}

#[test]
fn a_no_to_the_old_question_is_taken_for_a_no_to_the_new_one() {
    let no = "people.decide={ accept = 0.0, decline = 1.0, cancel = 0.0 }";
    let record = deployed(Carrying, &steps(&[PAY, POST]), &steps(&[PAY_MORE, POST]), &[no]);
    assert_end(&record, plainly(Outcome::Declined));
    assert_eq!(counts(&record), (1, 0, 1, 0, 0));
}

#[test]
fn in_another_order_each_key_finds_its_own_answer_and_each_number_another() {
    let reordered = |keys: &str| {
        let keys = format!("tool.answer_keys={keys}");
        deployed(Carrying, &steps(&[PAY, REASON, POST]), &steps(&[REASON, PAY, POST]), &[&keys])
    };
    for keys in ["named", "text"] {
        assert_eq!(counts(&reordered(keys)), (2, 0, 0, 1, 0), "{keys}");
    }
    // The reason takes the yes to pay, and pay is asked for again.
    assert_eq!(counts(&reordered("sequence")), (2, 0, 1, 1, 1));
}

#[test]
fn a_yes_that_was_taken_for_another_counts_once_however_often_the_body_runs() {
    let next = steps(&[PAY_MORE, REASON, r#"{ ask = { key = "when", message = "When?" } }"#, POST]);
    let record = deployed(Carrying, &steps(&[PAY, POST]), &next, &[]);
    assert_eq!(counts(&record), (3, 2, 1, 1, 1));
}

#[test]
pub fn what_stands_for_an_ask_in_a_state_is_its_key_its_number_or_a_digest() {
    let bytes = |design, keys: &str| {
        let keys = format!("tool.answer_keys={keys}");
        only_call(&in_steps(&steps(&[PAY, REASON, POST]), "", &[&keys]), design).state_bytes
    };
    // The second state holds the first answer, goes out and comes back.
    let base64 = |bytes: u32| (4 * bytes).div_ceil(3);
    let of = |key: u32| 2 * base64(33 + 2 + key);
    let [named, number, digest] = ["named", "sequence", "text"].map(|keys| bytes(Carrying, keys));
    assert_eq!((named - number, digest - named), (of(3) - of(1), of(32) - of(3)));
    assert_eq!(["named", "sequence", "text"].map(|keys| bytes(Waiting, keys)), [0; 3]);
}
