//! Claims about messages that are lost on their way: a request of which no server hears, a reply of which no client does.

use parked::era::Design::{self, Carrying, Waiting};
use parked::metrics::{Incident, Outcome, Record};
use parked::world::Cause;

use super::super::common::{because, plainly};
use super::{ALONE, DESIGNS, WHOLE_MS, assert_end, call, cells, ended_ms};

const EXACT: &str = "clients.retry.jitter=none";
/// Nobody is asked about so little.
const UNASKED: &str = "tool.amount.constant=100";

fn counts(record: &Record) -> (u32, u32, u32) {
    let count = |incident| record.incidents.count(incident);
    (count(Incident::RequestLost), count(Incident::ReplyLost), count(Incident::Retried))
}

/// The calls of many replications in which a share of messages is lost.
fn many(design: Design, switches: &[&str]) -> Vec<Record> {
    let fixed = ["replications=300", ALONE, EXACT, "clients.patience=none", "clients.retry.times=3"];
    let cells = cells(design, &[&fixed[..], switches].concat());
    cells.into_iter().map(|cell| cell.records[0]).collect()
}

#[test]
pub fn a_request_that_is_lost_does_nothing_and_its_client_hears_of_a_broken_connection() {
    for design in DESIGNS {
        for times in [0, 2] {
            let times_key = format!("clients.retry.times={times}");
            let lost = call(design, &[ALONE, EXACT, "balancer.lost_requests=1.0", &times_key]);
            assert_end(&lost, because(Outcome::Lost, Cause::RequestLost));
            assert_eq!((lost.entries, lost.prompts, lost.messages, lost.parked_ns), (0, 0, 1 + times, 0));
            assert_eq!(counts(&lost), (1 + times, 0, times));
            assert_eq!(ended_ms(&lost), [0, 500, 1500][times as usize]);
        }
        let never = call(design, &[ALONE, "balancer.lost_requests=0.0", "balancer.lost_replies=0.0"]);
        assert_eq!(never, call(design, &[ALONE]));
    }
}

#[test]
pub fn a_reply_that_is_lost_leaves_an_effect_that_its_caller_never_learns_of() {
    for design in DESIGNS {
        let lost = call(design, &[ALONE, UNASKED, "balancer.lost_replies=1.0"]);
        assert_end(&lost, because(Outcome::Lost, Cause::ReplyLost));
        assert_eq!((lost.entries, lost.messages, counts(&lost)), (1, 1, (0, 1, 0)));
        let thrice = call(design, &[ALONE, UNASKED, EXACT, "balancer.lost_replies=1.0", "clients.retry.times=2"]);
        assert_end(&thrice, because(Outcome::Lost, Cause::ReplyLost));
        assert_eq!((thrice.entries, thrice.entries_again, thrice.messages), (3, 2, 3));
    }
    let asked = [ALONE, EXACT, "balancer.lost_replies=1.0", "clients.retry.times=2"];
    // The result is the only reply of a call that stays open: each try asks its person again.
    let waiting = call(Waiting, &asked);
    assert_eq!((waiting.prompts, waiting.entries, counts(&waiting)), (3, 3, (0, 3, 2)));
    // The question is a reply of its own, and it never comes.
    let carrying = call(Carrying, &asked);
    assert_eq!((carrying.prompts, carrying.entries, counts(&carrying)), (0, 0, (0, 3, 2)));
    assert_eq!(carrying.state_bytes, 0, "nobody was given a state");
}

#[test]
fn a_lost_request_is_sent_again_and_never_asks_or_enters_twice() {
    for design in DESIGNS {
        let records = many(design, &["balancer.lost_requests=0.4"]);
        let (mut late, mut lost_answers) = (0, 0);
        for record in &records {
            let (lost, _, retried) = counts(record);
            let completed = record.end.outcome == Outcome::Completed;
            assert_eq!((record.entries == 1, record.prompts <= 1), (completed, true), "{record:?}");
            assert_eq!(record.messages, 1 + record.prompts + retried, "{record:?}");
            match record.end.outcome {
                Outcome::Completed => assert_eq!(lost, retried),
                _ => {
                    assert_end(record, because(Outcome::Lost, Cause::RequestLost));
                    assert_eq!((lost, record.entries), (1 + retried, 0));
                }
            }
            let whole = WHOLE_MS + if design == Carrying { 2 } else { 0 };
            if completed && lost == 0 {
                assert_eq!(ended_ms(record), whole);
            }
            late += u32::from(completed && lost > 0);
            lost_answers += u32::from(record.prompts == 1 && !completed);
        }
        assert!(late > 50 && lost_answers > 0, "{late} {lost_answers}");
    }
}

#[test]
fn an_answer_that_is_lost_leaves_its_call_parked_until_it_is_sent_again() {
    let again = many(Waiting, &["balancer.lost_requests=0.4"])
        .into_iter()
        .filter(|record| record.end.outcome == Outcome::Completed && record.asked.map(|at| at.ns()) == Some(2_000_000));
    let mut seen = [0; 4];
    for record in again {
        let (lost, ..) = counts(&record);
        let pauses = [0, 500, 1500, 3500][lost as usize];
        assert_eq!((ended_ms(&record), record.parked_ns / 1_000_000), (WHOLE_MS + pauses, 60_000 + pauses));
        seen[lost as usize] += 1;
    }
    assert!(seen[1] > 10 && seen[2] > 3, "{seen:?}");
}

#[test]
fn whoever_notices_nothing_waits_for_a_clock_of_its_own() {
    for design in DESIGNS {
        for (share, cause) in
            [("balancer.lost_requests=1.0", Cause::RequestLost), ("balancer.lost_replies=1.0", Cause::ReplyLost)]
        {
            let hangs = [ALONE, UNASKED, "clients.on_broken=hang", "clients.retry.times=2", share];
            let patient = call(design, &hangs);
            assert_end(&patient, because(Outcome::TimedOut, cause));
            assert_eq!((ended_ms(&patient), patient.messages), (300_000, 1));
            let timed = call(design, &[&hangs[..], &["clients.request_timeout=20s"]].concat());
            assert_end(&timed, because(Outcome::TimedOut, cause));
            assert_eq!(ended_ms(&timed), 20_000);
        }
    }
}

#[test]
fn a_proxy_that_sends_broken_requests_again_does_so_three_times_and_its_client_hears_of_the_last() {
    for design in DESIGNS {
        let proxied = |share: &str, times: &str| {
            call(design, &[ALONE, UNASKED, EXACT, "balancer.resends_broken=true", share, times])
        };
        let copies = |record: &Record| record.incidents.count(Incident::ProxyRetried);
        let lost = proxied("balancer.lost_replies=1.0", "clients.retry.times=0");
        assert_end(&lost, because(Outcome::Lost, Cause::ReplyLost));
        assert_eq!((lost.entries, lost.messages, copies(&lost), counts(&lost)), (4, 4, 3, (0, 4, 0)));
        let twice = proxied("balancer.lost_requests=1.0", "clients.retry.times=1");
        assert_eq!((twice.entries, twice.messages, copies(&twice), counts(&twice)), (0, 8, 6, (8, 0, 1)));
    }
    // Of an answer to a body that is kept too.
    let answers = many(Waiting, &["balancer.lost_requests=0.4", "balancer.resends_broken=true"]);
    let of_answers = answers.iter().filter(|record| {
        record.asked.map(|at| at.ns()) == Some(2_000_000) && counts(record).0 > 0 && counts(record).2 == 0
    });
    assert!(of_answers.clone().count() > 10);
    for record in of_answers {
        assert_end(record, plainly(Outcome::Completed));
        assert_eq!((ended_ms(record), record.prompts), (WHOLE_MS, 1), "a copy takes no time");
    }
}
