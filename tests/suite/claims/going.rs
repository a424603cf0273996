//! Claims about addresses that are told to go: how long they stay, what they take until then, what is lost with them.

use parked::era::Design::{Carrying, Waiting};
use parked::metrics::{Outcome, Record};
use parked::world::Cause;

use super::super::common::{because, plainly};
use super::{assert_end, call, cell, ended_ms};

const STICKY: &str = "balancer.stickiness=learned";

/// The one call waits at i1 from 0 s to 60 s; both addresses are told to go at 30 s.
fn told_to_go(termination: &str) -> Record {
    let deploy = r#"fault=[{ deploy = { at = "30s", strategy = "recreate" } }]"#;
    call(Waiting, &[STICKY, deploy, &format!("fleet.termination={{ {termination} }}")])
}

fn assert_lost_at(record: &Record, ms: u64) {
    assert_end(record, because(Outcome::Lost, Cause::Drain));
    assert_eq!((ended_ms(record), record.entries), (ms, 0));
}

#[test]
pub fn what_is_held_is_killed_when_the_grace_is_over_and_not_at_that_instant_if_it_is_through() {
    assert_lost_at(&told_to_go(""), 60_000);
    assert_lost_at(&told_to_go(r#"grace = "1s""#), 31_000);
    assert_lost_at(&told_to_go(r#"grace = "0s""#), 30_000);
    assert_lost_at(&told_to_go(r#"grace = "30002ms""#), 60_002);
    assert_end(&told_to_go(r#"grace = "30003ms""#), plainly(Outcome::Completed));
}

#[test]
pub fn a_drain_begins_after_the_pause_and_is_over_when_it_says() {
    assert_lost_at(&told_to_go(r#"drain = "0s""#), 30_000);
    assert_lost_at(&told_to_go(r#"drain = "10s""#), 40_000);
    assert_lost_at(&told_to_go(r#"drain = "10s", pre_stop = "5s""#), 45_000);
    assert_lost_at(&told_to_go(r#"pre_stop = "10s""#), 60_000);
    assert_end(&told_to_go(r#"drain = "5m", grace = "5m""#), plainly(Outcome::Completed));
}

#[test]
fn a_carried_call_is_no_reason_to_wait_and_is_not_lost() {
    let deploy = r#"fault=[{ deploy = { at = "30s", strategy = "recreate" } }]"#;
    let record = call(Carrying, &[deploy, "fleet.termination.drain=0s"]);
    assert_end(&record, plainly(Outcome::Completed));
    assert_eq!((record.prompts, record.entries), (1, 1));
}

/// Calls reach i1 at 0 s, i2 at 1 s and, by turns, i1 at 31 s; i1 is told to go at 30 s. Where the third went.
fn third(switches: &[&str]) -> Record {
    let deploy = r#"fault=[{ deploy = { at = "30s" } }]"#;
    let base = [STICKY, deploy, r#"arrivals.at=["0s", "1s", "31s"]"#, "fleet.termination.grace=2m"];
    cell(Waiting, &[&base[..], switches].concat()).records[2]
}

#[test]
pub fn until_the_balancer_knows_new_calls_are_sent_to_who_was_told_to_go() {
    let (lag, pause) = ("fleet.termination.removal_lag=5s", "fleet.termination.pre_stop=5s");
    assert_eq!(third(&[]).first_instance, Some(1), "the balancer knows at once");
    assert_eq!(third(&[pause]).first_instance, Some(1));
    assert_eq!(third(&[lag, pause]).first_instance, Some(0), "it takes new calls until its pause is over");
    assert_eq!(third(&["fleet.termination.removal_lag=500ms", pause]).first_instance, Some(1), "known by then");
}

#[test]
pub fn after_its_pause_an_address_refuses_new_calls() {
    let (lag, no_second_try) = ("fleet.termination.removal_lag=5s", "balancer.redispatch=false");
    assert_eq!(third(&[lag]).first_instance, Some(1), "refused there, and tried at the other");
    assert_end(&third(&[lag, no_second_try]), because(Outcome::Failed, Cause::Drain));
    let pause = "fleet.termination.pre_stop=5s";
    assert_end(&third(&[lag, no_second_try, pause]), plainly(Outcome::Completed));
}

#[test]
pub fn an_answer_bound_to_an_address_that_goes_is_brought_there_or_elsewhere() {
    let deploy = r#"fault=[{ deploy = { at = "30s" } }]"#;
    let drains = |drains: &str| call(Waiting, &[STICKY, deploy, "fleet.termination.grace=2m", drains]);
    let home = drains("balancer.drains=true");
    assert_end(&home, plainly(Outcome::Completed));
    assert_eq!((home.first_instance, home.last_instance), (Some(0), Some(0)));
    let astray = drains("balancer.drains=false");
    assert_end(&astray, because(Outcome::Lost, Cause::Misrouted));
    assert_eq!((ended_ms(&astray), astray.last_instance), (150_000, Some(1)), "parked to the end of its grace");
}

#[test]
pub fn a_zone_is_every_so_manieth_address() {
    let kill = |zone: &str| format!(r#"fault=[{{ kill = {{ at = "30s", select = "zone:{zone}" }} }}]"#);
    let lost = |zones: &str, zone: &str| {
        let base = [STICKY, "fleet.instances=4", r#"arrivals.at=["0s", "1s", "2s", "3s"]"#];
        let cell = cell(Waiting, &[&base[..], &[&format!("fleet.zones={zones}"), &kill(zone)]].concat());
        cell.records.iter().map(|record| record.end == because(Outcome::Lost, Cause::Crash)).collect::<Vec<_>>()
    };
    assert_eq!(lost(r#"["a", "b"]"#, "a"), [true, false, true, false]);
    assert_eq!(lost(r#"["a", "b"]"#, "b"), [false, true, false, true]);
    assert_eq!(lost(r#"["a", "b", "c"]"#, "a"), [true, false, false, true]);
}

#[test]
pub fn an_address_is_taken_back_this_long_after_it_came_up_with_so_much_notice() {
    let reclaimed = |every: &str, notice: &str| {
        let fault = format!(r#"fault=[{{ reclaim = {{ every.constant = "{every}", notice = "{notice}" }} }}]"#);
        call(Waiting, &[STICKY, &fault])
    };
    for (every, notice, ms) in [("20s", "0s", 20_000), ("20s", "5s", 25_000), ("30s", "5s", 35_000)] {
        let record = reclaimed(every, notice);
        assert_end(&record, because(Outcome::Lost, Cause::Reclaimed));
        assert_eq!(ended_ms(&record), ms, "{every} {notice}");
    }
    assert_eq!(ended_ms(&reclaimed("20s", "2m")), 50_000, "the grace is shorter than the notice");
    assert_end(&reclaimed("61s", "0s"), plainly(Outcome::Completed));
    let again = r#"fault=[{ reclaim = { every.constant = "20s", notice = "0s" } }]"#;
    let carried = call(Carrying, &[again]);
    assert_end(&carried, plainly(Outcome::Completed));
}
