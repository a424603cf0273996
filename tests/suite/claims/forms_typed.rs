//! Claims about forms: which may be sent, what is typed into them, and who finds out that it does not fit.

use parked::era::Design::{self, Waiting};
use parked::metrics::{Outcome, Record};
use parked::scenario::effective_hash;
use parked::world::Cause;

use super::super::common::{because, only_call, plainly};
use super::{ALONE, DESIGNS, WHOLE_MS, assert_end, call, ended_ms, in_steps, told};

/// A seat, window or aisle; a person who errs types `middle`.
const SEAT: [&str; 2] = [ALONE, "tool.body=choose_seat"];

/// The call for a seat, with these keys switched.
fn errs(design: Design, switches: &[&str]) -> Record {
    call(design, &[&SEAT, switches].concat())
}

#[test]
pub fn each_wrong_try_costs_one_more_prompt_and_its_time_to_think() {
    for design in DESIGNS {
        let none = errs(design, &[]);
        assert_eq!(ended_ms(&none), if design == Waiting { WHOLE_MS } else { WHOLE_MS + 2 });
        for tries in 0..=3 {
            let record = errs(design, &[&format!("people.wrong_tries.constant={tries}")]);
            assert_end(&record, plainly(Outcome::Completed));
            assert_eq!((record.prompts, record.invalid_at_client), (tries + 1, tries));
            assert_eq!((record.asks, record.messages, record.invalid_at_server, record.entries), (1, 2, 0, 1));
            assert_eq!(ended_ms(&record), ended_ms(&none) + 60_000 * u64::from(tries));
            assert_eq!(record.parked_ns, none.parked_ns * u64::from(tries + 1));
        }
    }
}

#[test]
fn asking_again_uses_up_the_patience_of_the_client() {
    for design in DESIGNS {
        let record = errs(design, &["people.wrong_tries.constant=3", "clients.patience=3m"]);
        assert_end(&record, because(Outcome::TimedOut, Cause::ClientDeadline));
        assert_eq!((record.prompts, record.invalid_at_client, record.entries), (3, 2, 0));
        assert_eq!(ended_ms(&record), 180_000);
    }
}

#[test]
pub fn a_host_asks_again_up_to_its_limit_and_then_cancels() {
    for design in DESIGNS {
        for most in 0..=4 {
            let record = errs(design, &["people.wrong_tries.constant=2", &format!("clients.max_reasks={most}")]);
            if most >= 2 {
                assert_eq!(record, errs(design, &["people.wrong_tries.constant=2"]));
                assert_end(&record, plainly(Outcome::Completed));
                continue;
            }
            assert_end(&record, because(Outcome::Cancelled, Cause::InvalidAnswer));
            assert_eq!((record.prompts, record.invalid_at_client), (most + 1, most + 1));
            assert_eq!((record.messages, record.invalid_at_server, record.entries), (2, 0, 0));
        }
        let by_default = errs(design, &["people.wrong_tries.constant=4"]);
        assert_end(&by_default, because(Outcome::Cancelled, Cause::InvalidAnswer));
        assert_eq!(by_default.prompts, 4, "three times again");
    }
}

#[test]
pub fn an_answer_that_no_host_checks_is_stopped_at_the_server() {
    for design in DESIGNS {
        let checked = errs(design, &["people.wrong_tries.constant=1", "clients.checks_answers=true"]);
        assert_end(&checked, plainly(Outcome::Completed));
        assert_eq!((checked.prompts, checked.invalid_at_client, checked.invalid_at_server), (2, 1, 0));
        let sent = errs(design, &["people.wrong_tries.constant=1", "clients.checks_answers=false"]);
        assert_end(&sent, because(Outcome::Refused, Cause::InvalidAnswer));
        assert_eq!((sent.prompts, sent.invalid_at_client, sent.invalid_at_server), (1, 0, 1));
        assert_eq!((sent.messages, sent.entries), (2, 0));
        let right = errs(design, &["clients.checks_answers=false"]);
        assert_eq!(right, errs(design, &[]), "a right answer passes every check");
    }
}

#[test]
pub fn a_server_refuses_an_answer_that_does_not_fit_or_asks_the_same_again() {
    for design in DESIGNS {
        let wrong = ["people.wrong_tries.constant=2", "clients.checks_answers=false"];
        let refuses = errs(design, &[wrong[0], wrong[1], "tool.on_invalid=refuse"]);
        assert_eq!(refuses, errs(design, &wrong));
        assert_end(&refuses, because(Outcome::Refused, Cause::InvalidAnswer));
        assert_eq!((refuses.asks, refuses.prompts, refuses.invalid_at_server, refuses.entries), (1, 1, 1, 0));
        let again = errs(design, &[wrong[0], wrong[1], "tool.on_invalid=ask-again"]);
        assert_end(&again, plainly(Outcome::Completed));
        assert_eq!((again.asks, again.prompts, again.messages), (3, 3, 4));
        assert_eq!((again.invalid_at_client, again.invalid_at_server, again.entries), (0, 2, 1));
        assert_eq!(again.repeated_ns, if design == Waiting { 0 } else { 3 * 2_000_000 }, "a run for each answer");
    }
}

#[test]
fn a_server_that_goes_on_asking_meets_the_limit_of_rounds() {
    for design in DESIGNS {
        let wrong = ["people.wrong_tries.constant=9", "clients.checks_answers=false", "people.think.constant=1s"];
        let rounds = |most: u32| {
            let most = format!("clients.max_rounds={most}");
            errs(design, &[wrong[0], wrong[1], wrong[2], "tool.on_invalid=ask-again", &most])
        };
        assert_end(&rounds(10), plainly(Outcome::Completed));
        let record = rounds(9);
        assert_end(&record, because(Outcome::Failed, Cause::RoundsExceeded));
        assert_eq!((record.asks, record.prompts, record.invalid_at_server, record.entries), (10, 9, 9, 0));
    }
}

#[test]
fn only_what_is_accepted_is_checked() {
    for design in DESIGNS {
        for (decide, outcome) in [
            ("people.decide={ accept = 0.0, decline = 1.0, cancel = 0.0 }", Outcome::Declined),
            ("people.decide={ accept = 0.0, decline = 0.0, cancel = 1.0 }", Outcome::Cancelled),
        ] {
            for checks in ["clients.checks_answers=true", "clients.checks_answers=false"] {
                let record = errs(design, &["people.wrong_tries.constant=9", decide, checks]);
                assert_end(&record, plainly(outcome));
                assert_eq!((record.prompts, record.invalid_at_client, record.invalid_at_server), (1, 0, 0));
            }
        }
    }
}

/// A seat that may be left out, window or aisle.
const FIELD: &str = r#"{"type":"object","properties":{"seat":{"type":"string","enum":["window","aisle"]}}}"#;

/// One ask with these words beside its key, and an entry.
fn asking(more: &str) -> String {
    format!(r#"{{ ask = {{ key = "a"{more} }} }}, {{ post = "done" }}"#)
}

const ERRS_ONCE: &[&str] = &["people.wrong_tries.constant=1"];

#[test]
pub fn the_form_of_an_ask_decides_what_fits_and_whether_it_may_be_sent() {
    let free = r#"{"type":"object","properties":{"seat":{"type":"string"}}}"#;
    let nested = r#"{"type":"object","properties":{"a":{"type":"object","properties":{}}}}"#;
    let steps = asking(r#", form = "f.json", mistyped = '{"seat":"middle"}'"#);
    for design in DESIGNS {
        let with = |form| only_call(&in_steps(&steps, form, ERRS_ONCE), design);
        assert_end(&with(FIELD), plainly(Outcome::Completed));
        assert_eq!((with(FIELD).prompts, with(FIELD).invalid_at_client), (2, 1));
        assert_end(&with(free), plainly(Outcome::Completed));
        assert_eq!((with(free).prompts, with(free).invalid_at_client), (1, 0));
        assert_end(&with(nested), because(Outcome::Failed, Cause::IllegalForm));
        assert_eq!(
            (with(nested).asks, with(nested).prompts, with(nested).messages, with(nested).entries),
            (0, 0, 1, 0)
        );
        let said = told(&in_steps(&steps, nested, &[]), design);
        let reason = "error: its own form may not be sent: a: nested objects are not allowed";
        assert!(said.iter().any(|what| what == reason), "{said:?}");
    }
}

#[test]
fn without_a_form_there_is_no_field_that_an_answer_could_fill() {
    let none = asking(r#", mistyped = '{"seat":"aisle"}'"#);
    let some = asking(r#", form = "f.json", mistyped = '{"seat":"aisle"}'"#);
    for design in DESIGNS {
        let prompts = |steps: &str| only_call(&in_steps(steps, FIELD, ERRS_ONCE), design).prompts;
        assert_eq!((prompts(&none), prompts(&some)), (2, 1));
    }
}

#[test]
pub fn one_right_answer_is_as_good_as_another() {
    let typed = |seat: &str| {
        let steps = asking(&format!(r#", form = "f.json", typed = '{{"seat":"{seat}"}}'"#));
        in_steps(&steps, FIELD, &[])
    };
    assert_ne!(effective_hash(&typed("window")), effective_hash(&typed("aisle")));
    for design in DESIGNS {
        let record = only_call(&typed("window"), design);
        assert_eq!(record, only_call(&typed("aisle"), design));
        assert_end(&record, plainly(Outcome::Completed));
        assert_eq!((record.invalid_at_client, record.invalid_at_server, record.entries), (0, 0, 1));
    }
}

#[test]
pub fn a_wrong_answer_that_fits_the_form_is_caught_by_nobody() {
    for design in DESIGNS {
        let mistyped = |seat: &str, checks: &str| {
            let steps = asking(&format!(r#", form = "f.json", mistyped = '{{"seat":"{seat}"}}'"#));
            only_call(&in_steps(&steps, FIELD, &[ERRS_ONCE[0], checks]), design)
        };
        for checks in ["clients.checks_answers=true", "clients.checks_answers=false"] {
            let fits = mistyped("aisle", checks);
            assert_end(&fits, plainly(Outcome::Completed));
            assert_eq!((fits.prompts, fits.invalid_at_client, fits.invalid_at_server, fits.entries), (1, 0, 0, 1));
        }
        let held_back = mistyped("middle", "clients.checks_answers=true");
        assert_eq!((held_back.prompts, held_back.invalid_at_client, held_back.entries), (2, 1, 1));
        let refused = mistyped("middle", "clients.checks_answers=false");
        assert_eq!((refused.prompts, refused.invalid_at_server, refused.entries), (1, 1, 0));
    }
}

#[test]
pub fn a_message_is_what_the_person_reads_and_the_host_screens() {
    for design in DESIGNS {
        let reads = |message: &str| in_steps(&asking(&format!(r#", message = "{message}""#)), "", &[]);
        let said = told(&reads("Shall I?"), design);
        assert!(said.iter().any(|what| what == "shows a: Shall I?"), "{said:?}");
        let shown = only_call(&reads("Shall I?"), design);
        assert_eq!(shown, only_call(&reads("May I?"), design), "harmless words change no record");
        let screened = only_call(&reads("Your password?"), design);
        assert_end(&screened, because(Outcome::Cancelled, Cause::Screened));
        assert_eq!((shown.prompts, screened.prompts, shown.entries, screened.entries), (1, 0, 1, 0));
    }
}

#[test]
pub fn only_a_host_that_screens_keeps_back_a_form_that_names_a_secret() {
    let titled = r#"{"type":"object","title":"Paste your cloud API key","properties":{"key":{"type":"string"}}}"#;
    for design in DESIGNS {
        let screens = |screens: bool, more: &str| {
            let switch = format!("clients.screens_forms={screens}");
            only_call(&in_steps(&asking(more), titled, &[&switch]), design)
        };
        for names_it in [r#", message = "Your password?""#, r#", form = "f.json""#] {
            let kept_back = screens(true, names_it);
            assert_end(&kept_back, because(Outcome::Cancelled, Cause::Screened));
            assert_eq!((kept_back.asks, kept_back.prompts, kept_back.messages, kept_back.entries), (1, 0, 2, 0));
            assert_eq!(ended_ms(&kept_back), 0, "at once");
            let shown = screens(false, names_it);
            assert_end(&shown, plainly(Outcome::Completed));
            assert_eq!((shown.asks, shown.prompts, shown.messages, shown.entries), (1, 1, 2, 1));
        }
        let harmless = r#", message = "The value we emailed you?", sensitive = true"#;
        assert_eq!(screens(true, harmless), screens(false, harmless), "it sees words only");
        assert_eq!(screens(true, harmless).prompts, 1);
    }
}

#[test]
fn a_screened_form_is_no_more_a_persons_cancel_than_a_machines() {
    for design in DESIGNS {
        let password = in_steps(&asking(r#", message = "Your password?""#), "", &["clients.on_ask.cancel=50ms"]);
        let record = only_call(&password, design);
        assert_end(&record, because(Outcome::Cancelled, Cause::MachineCancel));
        assert_eq!(record.prompts, 0, "who shows nothing screens nothing");
    }
}
