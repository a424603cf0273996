//! Claims about messages that failed and are sent again: by the client after a pause, by the proxy at once.

use parked::era::Design::{self, Carrying, Waiting};
use parked::metrics::{Incident, Outcome, Record};
use parked::world::Cause;

use super::super::common::{because, only_call, plainly};
use super::{ALONE, DESIGNS, WHOLE_MS, assert_end, call, cell, cells, ended_ms, in_steps};

/// Nobody is there from the start on.
const GONE: &str = r#"fault=[{ kill = { at = "0s", select = "all" } }]"#;

const EXACT: &str = "clients.retry.jitter=none";

fn retried(record: &Record) -> u32 {
    record.incidents.count(Incident::Retried)
}

/// A call at 1 s that nobody takes: how long after that its client gives up, ms.
fn tries_for(switches: &[&str]) -> u64 {
    let fixed = [ALONE, GONE, r#"arrivals.at=["1s"]"#, EXACT];
    let record = call(Waiting, &[&fixed[..], switches].concat());
    assert_end(&record, because(Outcome::Failed, Cause::Crash));
    assert_eq!(record.messages, 1 + retried(&record), "each try is a message");
    ended_ms(&record) - 1000
}

#[test]
pub fn a_message_is_tried_again_so_many_times_after_pauses_that_double_up_to_the_cap() {
    for (times, ms) in [(0, 0), (1, 500), (2, 1500), (3, 3500), (4, 7500), (5, 15_500), (6, 23_500), (7, 31_500)] {
        assert_eq!(tries_for(&[&format!("clients.retry.times={times}")]), ms, "{times}");
    }
}

#[test]
pub fn each_part_of_a_pause_counts_as_it_says() {
    let five = |switch: &str| tries_for(&["clients.retry.times=5", switch]);
    assert_eq!(five("clients.retry.at_least=0s"), 500 + 1000 + 2000 + 4000 + 8000);
    assert_eq!(five("clients.retry.at_least=1s"), 5 * 1000 + 15_500);
    assert_eq!(five("clients.retry.pause=100ms"), 100 + 200 + 400 + 800 + 1600);
    assert_eq!(five("clients.retry.factor=1.0"), 5 * 500);
    assert_eq!(five("clients.retry.factor=3.0"), 500 + 1500 + 4500 + 2 * 8000);
    assert_eq!(five("clients.retry.cap=1s"), 500 + 4 * 1000);
    assert_eq!(five("clients.retry.cap=500ms"), 5 * 500);
}

#[test]
pub fn full_jitter_makes_each_pause_uniform_from_nothing_to_its_length() {
    let ended = |switch: &str| -> Vec<f64> {
        let fixed = ["replications=400", ALONE, GONE, "clients.retry.times=5", "clients.retry.at_least=1s"];
        let cells = cells(Waiting, &[&fixed[..], &[switch]].concat());
        cells.iter().map(|cell| cell.records[0].ended.ns() as f64 / 1e9).collect()
    };
    assert_eq!(ended(EXACT), [20.5; 400]);
    let drawn = ended("clients.retry.jitter=full");
    assert!(drawn.iter().all(|&at| at > 5.0 && at < 20.5), "never below the least pauses, never above the longest");
    // The variance of the sum is that of five uniform pauses: (0.25 + 1 + 4 + 16 + 64) / 12.
    let (mean, sd) = (drawn.iter().sum::<f64>() / 400.0, (85.25f64 / 12.0 / 400.0).sqrt());
    assert!((mean - (5.0 + 7.75)).abs() < 5.0 * sd, "{mean}");
}

/// What a client meets that tries again, without jitter, when it meets one of these.
fn tries_on(on: &str, switches: &[&str]) -> Vec<Record> {
    let on = format!("clients.retry.on=[{on}]");
    cell(Waiting, &[&[ALONE, "clients.retry.times=5", EXACT, &on], switches].concat()).records
}

#[test]
pub fn only_the_failures_named_are_tried_again() {
    let up_at_ten = r#"fault=[{ kill = { at = "0s", select = "all", restart_after = "10s" } }]"#;
    let away = |on| tries_on(on, &[up_at_ten, r#"arrivals.at=["1s"]"#])[0];
    let (tried, left) = (away(r#""unreachable""#), away(r#""broken", "full""#));
    assert_end(&tried, plainly(Outcome::Completed));
    assert_eq!((ended_ms(&tried), retried(&tried), tried.messages), (1000 + 15_500 + WHOLE_MS, 5, 7));
    assert_end(&left, because(Outcome::Failed, Cause::Crash));
    assert_eq!((ended_ms(&left), retried(&left)), (1000, 0));

    let dies = r#"fault=[{ kill = { at = "30s", select = "all", restart_after = "100ms" } }]"#;
    let breaks = |on| tries_on(on, &[dies])[0];
    let (tried, left) = (breaks(r#""broken""#), breaks(r#""unreachable", "full""#));
    assert_end(&tried, plainly(Outcome::Completed));
    assert_eq!((ended_ms(&tried), retried(&tried), tried.prompts), (30_500 + WHOLE_MS, 1, 2), "asked once more");
    assert_end(&left, because(Outcome::Lost, Cause::Crash));

    let crowd = ["fleet.threads=1", "fleet.queue=none", r#"arrivals.at=["0s", "59s"]"#];
    let full = |on| tries_on(on, &crowd)[1];
    let (tried, left) = (full(r#""full""#), full(r#""unreachable", "broken""#));
    assert_end(&tried, plainly(Outcome::Completed));
    assert_eq!((ended_ms(&tried), retried(&tried)), (60_500 + WHOLE_MS, 2), "no room at 59 s and 59.5 s");
    assert_end(&left, because(Outcome::Rejected, Cause::ThreadsFull));
}

#[test]
fn who_meets_no_room_gives_up_after_so_many_tries() {
    let crowd = ["fleet.threads=1", "fleet.queue=none", r#"arrivals.at=["0s", "10s"]"#, "clients.patience=none"];
    for (times, ms) in [(0, 0), (1, 500), (3, 3500)] {
        let turned_away = tries_on(r#""full""#, &[&crowd[..], &[&format!("clients.retry.times={times}")]].concat())[1];
        assert_end(&turned_away, because(Outcome::Rejected, Cause::ThreadsFull));
        assert_eq!((ended_ms(&turned_away), retried(&turned_away)), (10_000 + ms, times), "{times}");
    }
}

#[test]
fn a_call_that_breaks_again_and_again_is_lost_after_so_many_tries() {
    // The only process crashes every 30 s, before any person has answered.
    let crashes = r#"fault=[{ crash = { mtbf.constant = "30s", repair = "0s" } }]"#;
    for (times, ms) in [(0, 30_000), (1, 60_000), (3, 120_000)] {
        let lost = tries_on(r#""broken""#, &[crashes, &format!("clients.retry.times={times}")])[0];
        assert_end(&lost, because(Outcome::Lost, Cause::Crash));
        assert_eq!((ended_ms(&lost), retried(&lost), lost.prompts), (ms, times, times + 1), "{times}");
    }
}

#[test]
fn a_handshake_that_fails_each_time_is_given_up_after_so_many_tries() {
    // The second of two in turn is gone and stays in the rotation: initialize arrives, what follows does not.
    let gone = r#"fault=[{ kill = { at = "0s", select = "instance:i2" } }]"#;
    let half = ["fleet.instances=2", "balancer.redispatch=false", "balancer.detection.lag=1h", gone];
    let shakes = ["clients.handshake=full", "clients.patience=none", r#"arrivals.at=["1s"]"#];
    let lost = tries_on(r#""unreachable""#, &[&half[..], &shakes].concat())[0];
    assert_end(&lost, because(Outcome::Failed, Cause::Crash));
    assert_eq!((ended_ms(&lost), retried(&lost)), (1000 + 15_500, 5));
}

#[test]
fn what_is_tried_again_later_has_tries_of_its_own() {
    // Answers are sent at 60 s and at 121.5 s, and each meets a fleet that cannot be reached.
    let outage =
        |at: &str, lasts: &str| format!(r#"{{ kill = {{ at = "{at}", select = "all", restart_after = "{lasts}" }} }}"#);
    let fault = format!("fault=[{}, {}]", outage("59s", "2s"), outage("121s", "1s"));
    let steps = r#"{ ask = { key = "one", message = "One?" } }, { ask = { key = "two", message = "Two?" } }"#;
    let tried = |times: &str| only_call(&in_steps(steps, "", &[EXACT, &fault, times]), Carrying);
    let two = tried("clients.retry.times=2");
    assert_end(&two, plainly(Outcome::Completed));
    assert_eq!((retried(&two), two.answers, ended_ms(&two)), (4, 6, 123_000));
    let one = tried("clients.retry.times=1");
    assert_end(&one, because(Outcome::Failed, Cause::Crash));
    assert_eq!((retried(&one), ended_ms(&one)), (1, 60_500));
}

#[test]
fn a_carried_answer_is_tried_again_and_the_person_is_not_asked_again() {
    let away = r#"fault=[{ kill = { at = "60s", select = "all", restart_after = "1s" } }]"#;
    let record = |times: &str| call(Carrying, &[ALONE, EXACT, away, times]);
    let tried = record("clients.retry.times=2");
    assert_end(&tried, plainly(Outcome::Completed));
    // Sent at 60.002 s and 60.502 s in vain, and at 61.502 s.
    assert_eq!((ended_ms(&tried), tried.prompts, tried.answers, retried(&tried)), (61_505, 1, 3, 2));
    assert_end(&record("clients.retry.times=1"), because(Outcome::Failed, Cause::Crash));
    assert_eq!(ended_ms(&record("clients.retry.times=0")), 60_002);
}

/// A body that makes its effect at once and works on for 10 s at an instance that dies after 5 s.
fn dies_after_its_effect(design: Design, resends: bool) -> Record {
    let dies = r#"fault=[{ kill = { at = "5s", select = "instance:i1" } }]"#;
    let resends = format!("balancer.resends_broken={resends}");
    let steps = r#"{ post = "ledger" }, { work.constant = "10s" }"#;
    only_call(&in_steps(steps, "", &["fleet.instances=2", dies, &resends]), design)
}

#[test]
pub fn a_proxy_that_sends_a_broken_request_again_may_have_its_effect_made_twice() {
    for design in DESIGNS {
        let lost = dies_after_its_effect(design, false);
        assert_end(&lost, because(Outcome::Lost, Cause::Crash));
        assert_eq!((ended_ms(&lost), lost.entries, lost.messages), (5000, 1, 1));
        let again = dies_after_its_effect(design, true);
        assert_end(&again, plainly(Outcome::Completed));
        assert_eq!((ended_ms(&again), again.entries, again.entries_again, again.messages), (15_000, 2, 1, 2));
        assert_eq!((again.incidents.count(Incident::ProxyRetried), again.last_instance), (1, Some(1)));
    }
}

#[test]
fn a_request_on_which_a_question_came_back_is_not_sent_again_by_the_proxy() {
    let dies = r#"fault=[{ kill = { at = "30s", select = "instance:i1" } }]"#;
    let record = call(Waiting, &[dies, "balancer.resends_broken=true"]);
    assert_end(&record, because(Outcome::Lost, Cause::Crash));
    assert_eq!((record.incidents.count(Incident::ProxyRetried), record.messages), (0, 1));
}
