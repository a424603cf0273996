//! Claims about deploys and another size: which address goes when, and what comes in its place.

use parked::era::Design::{Carrying, Waiting};
use parked::metrics::Outcome;
use parked::world::Cause;

use super::super::common::{because, plainly};
use super::{assert_end, call, cell, ended_ms, ends};

const STICKY: &str = "balancer.stickiness=learned";
const AT_ONCE: &str = "fleet.termination.drain=0s";

/// Calls reach i1 at 0 s and i2 at 1 s and wait for a minute. When each ended, s, where whoever is told to go goes at
/// once and a new process needs 10 s.
fn ended_s(deploy: &str) -> Vec<u64> {
    let deploy = format!("fault=[{{ deploy = {{ at = \"30s\", {deploy} }} }}]");
    let switches = [STICKY, AT_ONCE, "fleet.boot=10s", r#"arrivals.at=["0s", "1s"]"#, &deploy];
    let cell = cell(Waiting, &switches);
    assert_eq!(ends(&cell), ["lost/drain", "lost/drain"], "{deploy}");
    cell.records.iter().map(|record| ended_ms(record) / 1_000).collect()
}

#[test]
pub fn each_strategy_replaces_the_fleet_in_its_order() {
    assert_eq!(ended_s("strategy = \"rolling\""), [30, 40], "the next goes when the one before is up again");
    assert_eq!(ended_s("strategy = \"surge\""), [40, 50], "each goes when a new one is up");
    assert_eq!(ended_s("strategy = \"blue-green\""), [40, 40], "all go when all are up");
    assert_eq!(ended_s("strategy = \"recreate\""), [30, 30]);
}

#[test]
pub fn so_many_addresses_are_replaced_at_a_time() {
    assert_eq!(ended_s("strategy = \"rolling\", batch = 1"), [30, 40]);
    assert_eq!(ended_s("strategy = \"rolling\", batch = 2"), [30, 30]);
    assert_eq!(ended_s("strategy = \"surge\", batch = 2"), [40, 40]);
}

#[test]
pub fn a_deploy_begins_at_its_instant_and_again_after_each_period() {
    let lost = |every: &str| {
        let deploy = format!(r#"fault=[{{ deploy = {{ at = "10s", every = "{every}", strategy = "recreate" }} }}]"#);
        let cell = cell(Waiting, &[STICKY, AT_ONCE, r#"arrivals.at=["0s", "15s", "35s"]"#, &deploy]);
        cell.records.iter().map(|record| (super::end(record), ended_ms(record))).collect::<Vec<_>>()
    };
    let drained = |ms: u64| ("lost/drain".to_owned(), ms);
    let completed = |ms: u64| ("completed".to_owned(), ms);
    assert_eq!(lost("never"), [drained(10_000), completed(75_003), completed(95_003)]);
    assert_eq!(lost("20s"), [drained(10_000), drained(30_000), drained(50_000)]);
    assert_eq!(lost("40s"), [drained(10_000), drained(50_000), drained(50_000)]);
}

#[test]
pub fn a_new_process_takes_its_first_connection_when_it_has_booted() {
    let call_at_40_s = |boot: &str| {
        let deploy = r#"fault=[{ deploy = { at = "30s", strategy = "recreate" } }]"#;
        call(Carrying, &[deploy, r#"arrivals.at=["40s"]"#, &format!("fleet.boot={boot}")])
    };
    assert_end(&call_at_40_s("9s"), plainly(Outcome::Completed));
    assert_end(&call_at_40_s("11s"), because(Outcome::Failed, Cause::Drain));
}

/// How calls ended that reached i1, i2 and so on in the order of their arrival, where the fleet is brought to `to`.
fn scaled(at: &str, to: u32, switches: &[&str]) -> Vec<String> {
    let scale = format!(r#"fault=[{{ scale = {{ at = "{at}", to = {to} }} }}]"#);
    let base = [STICKY, AT_ONCE, r#"arrivals.at=["0s", "1s", "40s", "41s", "42s"]"#, &scale];
    let cell = cell(Waiting, &[&base[..], switches].concat());
    cell.records
        .iter()
        .map(|record| format!("{} at {:?}", record.end, record.first_instance.map(|at| at + 1)))
        .collect()
}

#[test]
pub fn a_fleet_is_brought_to_its_new_size_at_that_instant() {
    let ends = scaled("30s", 1, &[]);
    assert_eq!(ends[..2], ["completed at Some(1)", "lost/scale_in at Some(2)"]);
    assert!(ends[2..].iter().all(|end| end == "completed at Some(1)"), "{ends:?}");
    assert_eq!(scaled("61004ms", 1, &[])[1], "completed at Some(2)", "it was over by then");
    let mut grown = scaled("30s", 3, &[]);
    grown.sort();
    assert_eq!(grown[2..], ["completed at Some(2)", "completed at Some(2)", "completed at Some(3)"][..], "{grown:?}");
}

#[test]
pub fn who_goes_is_the_newest_or_the_oldest_or_who_has_the_fewest_open_requests() {
    let lost = |victim: &str, weights: &str| {
        let victim = format!("fleet.victim={victim}");
        let ends = scaled("30s", 1, &[&victim, weights, r#"arrivals.at=["0s", "1s", "2s"]"#]);
        let gone = ends.iter().find(|end| end.starts_with("lost/scale_in")).expect("somebody goes");
        gone.rsplit(' ').next().expect("a last word").to_owned()
    };
    for (weights, fewest) in [("balancer.weights=[2, 1]", "Some(2)"), ("balancer.weights=[1, 2]", "Some(1)")] {
        assert_eq!(lost("newest", weights), "Some(2)");
        assert_eq!(lost("oldest", weights), "Some(1)");
        assert_eq!(lost("fewest", weights), fewest);
    }
}
