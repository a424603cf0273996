//! Claims about a fleet that grows and shrinks by itself.

use std::collections::BTreeSet;

use parked::era::Design::Waiting;

use super::cell;

/// Four calls that wait for ten minutes, and a burst at 16 s.
const EARLY: &str = r#"["0s", "1s", "2s", "3s", "#;
const BURST: &str = r#""16s", "16001ms", "16002ms", "16003ms", "16004ms", "16005ms", "16006ms", "16007ms", "16008ms"]"#;

/// How many addresses the fleet has at 16 s, where it begins with one: so many are met by a burst that goes round.
fn size(early: &str, scaling: &str, switches: &[&str]) -> usize {
    let arrivals = format!("arrivals.at={early}{BURST}");
    let scaling = format!("fleet.scaling={{ max = 20, by = \"in-flight\", {scaling} }}");
    let base = ["fleet.instances=1", "people.think.constant=10m", &arrivals, &scaling];
    let cell = cell(Waiting, &[&base[..], switches].concat());
    let burst = cell.records.iter().filter(|record| record.arrived.ns() >= 16_000_000_000);
    burst.map(|record| record.first_instance.expect("somebody is there")).collect::<BTreeSet<_>>().len()
}

#[test]
pub fn a_fleet_grows_to_its_size_times_what_is_seen_over_the_target() {
    for (target, expected) in [("4", 1), ("3", 2), ("2", 2), ("1", 4), ("0.5", 8)] {
        assert_eq!(size(EARLY, &format!("target = {target}"), &[]), expected, "{target}");
    }
}

#[test]
pub fn a_parked_call_is_an_open_request_and_no_work() {
    let by = |by: &str| {
        let by = format!("fleet.scaling.by={by}");
        size(EARLY, "target = 0.5", &[&by])
    };
    assert_eq!((by("in-flight"), by("cpu")), (8, 1));
    // Four calls work for 3 s each: 12 of 15 core-seconds.
    let busy = |cores: u32| {
        let cores = format!("fleet.scaling.cores={cores}");
        size(EARLY, "target = 0.2", &["fleet.scaling.by=cpu", "tool.work_before.constant=3s", &cores])
    };
    assert_eq!((busy(1), busy(2), busy(4)), (4, 2, 1));
}

#[test]
pub fn a_fleet_stays_between_its_bounds() {
    assert_eq!(size(EARLY, "target = 0.5", &["fleet.scaling.max=3"]), 3);
    let idle = |min: u32| {
        let min = format!("fleet.scaling.min={min}");
        size("[", "target = 1, hold_in = \"0s\"", &["fleet.instances=3", &min])
    };
    assert_eq!((idle(1), idle(2), idle(3)), (1, 2, 3));
}

#[test]
pub fn a_fleet_looks_at_itself_at_every_interval() {
    let interval = |interval: &str| size(EARLY, &format!("target = 2, interval = \"{interval}\""), &[]);
    assert_eq!((interval("5s"), interval("15s"), interval("17s")), (2, 2, 1));
}

#[test]
pub fn near_its_target_a_fleet_stays_as_it_is() {
    // Four requests are 1.14 times 3.5.
    let tolerance = |tolerance: f64| size(EARLY, &format!("target = 3.5, tolerance = {tolerance}"), &[]);
    assert_eq!((tolerance(0.1), tolerance(0.2)), (2, 1));
}

#[test]
pub fn a_fleet_holds_on_to_what_an_earlier_look_wanted() {
    // It looks at 5, 10 and 15 s. The calls come after the second look, or are over by then.
    let late = r#"["11s", "11001ms", "11002ms", "11003ms", "#;
    let out = |hold: &str| size(late, &format!("target = 2, interval = \"5s\", hold_out = \"{hold}\""), &[]);
    assert_eq!((out("0s"), out("4s"), out("5s")), (2, 2, 1));
    let early = r#"["0s", "1ms", "2ms", "3ms", "#;
    let r#in = |hold: &str| {
        let scaling = format!("target = 2, interval = \"5s\", hold_in = \"{hold}\"");
        size(early, &scaling, &["people.think.constant=6s", "balancer.stickiness=learned"])
    };
    assert_eq!((r#in("0s"), r#in("4s"), r#in("10s")), (1, 1, 2));
}

#[test]
pub fn one_look_adds_and_takes_no_more_than_it_may() {
    let out = |most: &str| size(EARLY, &format!("target = 0.5, most_out = {most}"), &[]);
    assert_eq!((out("1"), out("2"), out("\"unlimited\"")), (2, 3, 8));
    let r#in =
        |most: &str| size("[", &format!("target = 1, hold_in = \"0s\", most_in = {most}"), &["fleet.instances=4"]);
    assert_eq!((r#in("1"), r#in("2"), r#in("\"unlimited\"")), (3, 2, 1));
}
