//! Claims about clients that give up: who hears of it, and what goes on without them.

use parked::era::Design::{self, Carrying, Waiting};
use parked::metrics::{Incident, Outcome, Record};
use parked::world::Cause;

use super::super::common::because;
use super::{ALONE, DESIGNS, assert_end, call, ended_ms};

const SECOND: u64 = 1_000_000_000;
const ASKED: u64 = 2_000_000;

fn count(record: &Record, incident: Incident) -> u32 {
    record.incidents.count(incident)
}

/// A client that gives up after this long; its server would do so two minutes after it asked.
fn gives_up(design: Design, patience: &str, switches: &[&str]) -> Record {
    let patience = format!("clients.patience={patience}");
    let record = call(design, &[&["fleet.answer_timeout=2m", &patience], switches].concat());
    assert_end(&record, because(Outcome::TimedOut, Cause::ClientDeadline));
    record
}

#[test]
pub fn a_cancel_that_does_not_come_home_leaves_the_call_parked() {
    let cancels = |how: &str, fleet: &str| gives_up(Waiting, "30s", &[&format!("clients.cancel={how}"), fleet]);
    let (freed, held) = (30 * SECOND - ASKED, 120 * SECOND);
    let pair = "fleet.instances=2";
    for (how, fleet, parked, messages, astray) in [
        ("reaches", ALONE, freed, 1, 0),
        ("reaches", pair, freed, 1, 0),
        ("routed", ALONE, freed, 2, 0),
        ("routed", pair, held, 2, 1),
        ("never", ALONE, held, 1, 0),
        ("never", pair, held, 1, 0),
    ] {
        let record = cancels(how, fleet);
        assert_eq!((ended_ms(&record), record.parked_ns, record.messages), (30_000, parked, messages), "{how} {fleet}");
        let held_on = u32::from(parked == held);
        assert_eq!((count(&record, Incident::CancelAstray), count(&record, Incident::HeldOn)), (astray, held_on));
        assert_eq!((record.entries, record.answers), (0, 0), "its form is closed");
    }
}

#[test]
fn a_cancel_decides_nothing_where_closing_the_stream_is_one() {
    for patience in ["1ms", "30s", "60003ms"] {
        let [reaches, routed, never] = ["reaches", "routed", "never"]
            .map(|how| gives_up(Carrying, patience, &["fleet.instances=2", &format!("clients.cancel={how}")]));
        assert!(reaches == routed && reaches == never, "{patience}");
        assert_eq!((count(&never, Incident::HeldOn), never.entries), (0, 0));
    }
}

#[test]
fn a_body_that_hears_of_no_cancel_makes_its_entry_after_the_caller_has_gone() {
    let entered = |how: &str| {
        let record = gives_up(Waiting, "60002500us", &[ALONE, &format!("clients.cancel={how}")]);
        assert_eq!(record.ended.ns(), 60_002_500_000);
        (record.entries, count(&record, Incident::LateEntry))
    };
    assert_eq!((entered("reaches"), entered("routed"), entered("never")), ((0, 0), (0, 0), (1, 1)));
}

#[test]
pub fn a_client_that_goes_on_serving_its_question_makes_an_entry_after_it_gave_up() {
    // The person answers 1.002 s after the client gave up.
    let served = |design, span: &str| gives_up(design, "59s", &[ALONE, &format!("clients.serves_after={span}")]);
    // The body works for another 1 ms: an answer that came in time is served to its end.
    for span in ["2s", "1003ms", "1002999999ns", "1002ms"] {
        let record = served(Waiting, span);
        assert_eq!((ended_ms(&record), record.entries, record.answers_home), (59_000, 1, 1), "{span}");
        assert_eq!((count(&record, Incident::LateEntry), record.parked_ns), (1, 60 * SECOND));
    }
    for (span, ns) in [("0s", 0), ("1001999999ns", 1_001_999_999)] {
        let record = served(Waiting, span);
        assert_eq!((ended_ms(&record), record.entries, record.answers), (59_000, 0, 0), "{span}");
        assert_eq!((count(&record, Incident::LateEntry), record.parked_ns), (0, 59 * SECOND + ns - ASKED));
    }
    assert_eq!(served(Carrying, "2s"), served(Carrying, "0s"), "between two requests there is no question to serve");
}

#[test]
pub fn a_form_that_stays_on_the_screen_is_answered_in_vain() {
    for design in DESIGNS {
        let kept = |keeps: bool| gives_up(design, "30s", &[ALONE, &format!("clients.keeps_form={keeps}")]);
        let (stays, closes) = (kept(true), kept(false));
        assert_eq!((count(&stays, Incident::AnswerWasted), count(&closes, Incident::AnswerWasted)), (1, 0));
        for record in [stays, closes] {
            assert_eq!((ended_ms(&record), record.entries, record.messages), (30_000, 0, 1), "nobody sends it");
        }
        // Whoever never answers wastes nothing.
        let silent = call(design, &[ALONE, "people.silent=1.0", "clients.keeps_form=true"]);
        assert_end(&silent, because(Outcome::TimedOut, Cause::PersonSilent));
        assert_eq!(count(&silent, Incident::AnswerWasted), 0);
    }
}
