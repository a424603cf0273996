//! Claims about instances that die and processes that take their place.

use parked::era::Design::{Carrying, Waiting};
use parked::metrics::{Outcome, Record};
use parked::world::Cause;

use super::super::common::{because, plainly};
use super::{WHOLE_MS, assert_end, call, cells};

const STICKY: &str = "balancer.stickiness=learned";

fn kill(at: &str, select: &str, restart_after: &str) -> String {
    format!(r#"fault=[{{ kill = {{ at = "{at}", select = "{select}", restart_after = "{restart_after}" }} }}]"#)
}

#[test]
pub fn a_call_that_ends_at_the_instant_of_the_death_is_in_time() {
    let dies = |ns: u64| call(Waiting, &[STICKY, &kill(&format!("{ns}ns"), "instance:i1", "never")]);
    let whole = WHOLE_MS * 1_000_000;
    assert_end(&dies(whole), plainly(Outcome::Completed));
    for ns in [0, 1_000_000, 30_000_000_000, whole - 1] {
        let record = dies(ns);
        assert_end(&record, because(Outcome::Lost, Cause::Crash));
        assert_eq!((record.ended.ns(), record.entries), (ns, 0), "lost at that instant, at work or parked");
    }
}

#[test]
pub fn only_the_instances_selected_die() {
    let dies = |select| call(Waiting, &[STICKY, &kill("30s", select, "never")]);
    assert_end(&dies("instance:i1"), because(Outcome::Lost, Cause::Crash));
    assert_end(&dies("instance:i2"), plainly(Outcome::Completed));
    assert_end(&dies("all"), because(Outcome::Lost, Cause::Crash));
    assert_end(&dies("count:2"), because(Outcome::Lost, Cause::Crash));
    let drawn = cells(Waiting, &["replications=64", STICKY, &kill("30s", "count:1", "never")]);
    let lost = drawn.iter().filter(|cell| cell.records[0].end.outcome == Outcome::Lost).count();
    // Five standard deviations about half of 64.
    assert!((12..=52).contains(&lost), "{lost} of 64");
}

/// One instance dies at 30 s; the person answers at 60.002 s.
fn alone(design: parked::era::Design, restart_after: &str, keys: &str) -> Record {
    call(design, &["fleet.instances=1", &kill("30s", "all", restart_after), &format!("state.keys={keys}")])
}

#[test]
pub fn a_new_process_serves_what_was_carried_and_knows_nothing_that_was_parked() {
    assert_end(&alone(Carrying, "10s", "shared"), plainly(Outcome::Completed));
    assert_end(&alone(Carrying, "10s", "per-process"), because(Outcome::Refused, Cause::WrongKey));
    for never in ["never", "30003ms"] {
        let record = alone(Carrying, never, "shared");
        assert_end(&record, because(Outcome::Failed, Cause::Crash));
        assert_eq!((record.entries, record.messages, record.last_instance), (0, 2, Some(0)));
    }
    for restart in ["10s", "never"] {
        assert_end(&alone(Waiting, restart, "shared"), because(Outcome::Lost, Cause::Crash));
    }
}

#[test]
fn a_new_process_gets_messages_whether_or_not_the_death_of_the_old_one_was_noticed() {
    // Dead from 30 s to 35 s; the death would be noticed before that, at that instant, or afterwards.
    for lag in ["1s", "5s", "10s", "1h"] {
        let (dies, lag) = (kill("30s", "all", "5s"), format!("balancer.detection.lag={lag}"));
        let record = call(Carrying, &["fleet.instances=1", "balancer.redispatch=false", &dies, &lag]);
        assert_end(&record, plainly(Outcome::Completed));
    }
}

#[test]
fn a_new_process_does_not_take_an_answer_for_the_call_that_died_with_the_old_one() {
    let switches = ["fleet.instances=1", "clients.on_broken=hang", "fleet.misroute=not-found"];
    let dies = kill("30s", "all", "10s");
    let record = call(Waiting, &[switches[0], switches[1], switches[2], &dies, "clients.on_not_found=fail"]);
    assert_end(&record, because(Outcome::Failed, Cause::Crash));
    assert_eq!((record.ended.ns(), record.entries), (60_002_000_000, 0));
    let again = call(Waiting, &[switches[0], switches[1], switches[2], &dies, "clients.on_not_found=reinitialise"]);
    assert_end(&again, plainly(Outcome::Completed));
    assert_eq!((again.prompts, again.entries, again.messages), (2, 1, 4), "the person is asked once more");
}

#[test]
fn two_deaths_one_after_the_other_lose_both_calls() {
    let faults = r#"fault=[{ kill = { at = "30s", select = "instance:i1" } }, { kill = { at = "40s", select = "instance:i2" } }]"#;
    let cell = super::cell(Waiting, &[STICKY, r#"arrivals.at=["0s", "1s", "50s"]"#, faults]);
    assert_eq!(super::ends(&cell), ["lost/crash", "lost/crash", "failed/crash"]);
    assert_eq!(cell.records[2].first_instance, None, "the third finds nobody");
}
