//! Claims about which instance a message reaches.

use parked::era::Design::{Carrying, Waiting};
use parked::metrics::{Outcome, Record};
use parked::world::Cause;

use super::super::common::{because, plainly};
use super::{assert_end, call, cells};

#[test]
pub fn the_policy_decides_where_an_unbound_answer_goes() {
    let records = |policy: &str| -> Vec<Record> {
        let policy = format!("balancer.policy={policy}");
        cells(Waiting, &["replications=64", &policy]).iter().map(|cell| cell.records[0]).collect()
    };
    let home = |records: &[Record]| records.iter().filter(|r| r.first_instance == r.last_instance).count();
    let at_first = |records: &[Record]| records.iter().filter(|r| r.first_instance == Some(0)).count();
    let (turns, draws, least) = (records("round-robin"), records("random"), records("least-connections"));
    assert_eq!((home(&turns), at_first(&turns)), (0, 64), "round robin starts at the first and goes on to the next");
    assert_eq!(home(&least), 0, "the instance that holds the call has one connection more than the other");
    // Eleven is five standard deviations short of half of 64.
    for drawn in [home(&draws), at_first(&draws), at_first(&least)] {
        assert!((12..=52).contains(&drawn), "{drawn} of 64");
    }
    for record in turns.iter().chain(&draws).chain(&least) {
        let completed = record.end == plainly(Outcome::Completed);
        assert_eq!(completed, record.first_instance == record.last_instance, "only what comes home completes");
    }
}

#[test]
pub fn a_learned_stickiness_brings_the_answer_home() {
    for policy in ["round-robin", "random", "least-connections"] {
        let policy = format!("balancer.policy={policy}");
        for cell in cells(Waiting, &["replications=16", "balancer.stickiness=learned", &policy]) {
            let record = cell.records[0];
            assert_end(&record, plainly(Outcome::Completed));
            assert_eq!(record.first_instance, record.last_instance);
        }
    }
    assert_end(&call(Waiting, &["balancer.stickiness=none"]), because(Outcome::TimedOut, Cause::Misrouted));
}

#[test]
fn stickiness_holds_when_carrying_until_the_instance_is_gone() {
    let sticky = "balancer.stickiness=learned";
    assert_eq!(call(Carrying, &[sticky]).last_instance, Some(0));
    for lag in ["0s", "10s", "1m"] {
        let lag = format!("balancer.detection.lag={lag}");
        let record = call(Carrying, &[sticky, r#"fault=[{ kill = { at = "30s", select = "instance:i1" } }]"#, &lag]);
        assert_end(&record, plainly(Outcome::Completed));
        assert_eq!(record.last_instance, Some(1));
    }
}

/// The instance whose turn it is when the answer comes dies one second before that.
const NEXT_DIES: &str = r#"fault=[{ kill = { at = "59002ms", select = "instance:i2" } }]"#;

#[test]
pub fn a_refused_connection_is_tried_elsewhere_or_fails_the_call() {
    for design in [Waiting, Carrying] {
        let tried = call(design, &[NEXT_DIES, "balancer.redispatch=true"]);
        assert_end(&tried, plainly(Outcome::Completed));
        assert_eq!((tried.last_instance, tried.messages, tried.entries), (Some(0), 2, 1));
        let refused = call(design, &[NEXT_DIES, "balancer.redispatch=false"]);
        assert_end(&refused, because(Outcome::Failed, Cause::Crash));
        assert_eq!((refused.last_instance, refused.messages, refused.entries), (Some(0), 2, 0));
    }
}

#[test]
pub fn a_dead_instance_gets_messages_until_its_death_is_detected() {
    let lag = |lag: &str| {
        let lag = format!("balancer.detection.lag={lag}");
        call(Carrying, &[NEXT_DIES, "balancer.redispatch=false", &lag])
    };
    assert_end(&lag("10s"), because(Outcome::Failed, Cause::Crash));
    assert_end(&lag("1s"), because(Outcome::Failed, Cause::Crash));
    assert_end(&lag("999999999ns"), plainly(Outcome::Completed));
    assert_end(&lag("0s"), plainly(Outcome::Completed));
}

#[test]
pub fn alone_an_instance_gets_every_answer_back() {
    let fleet = |n: u32| call(Waiting, &[&format!("fleet.instances={n}")]);
    assert_end(&fleet(1), plainly(Outcome::Completed));
    for n in [2, 3, 10] {
        assert_end(&fleet(n), because(Outcome::TimedOut, Cause::Misrouted));
        assert_eq!(fleet(n).last_instance, Some(1));
    }
}

#[test]
pub fn names_give_the_fleet_its_size_and_change_no_call() {
    use super::super::common;
    let text = |fleet: &str| {
        common::scenario(&format!(
            "replications = 3\nrun.horizon = \"10m\"\narrivals.poisson.rate = \"1/s\"\nfleet.{fleet}\n\
             [[fault]]\nkill = {{ at = \"5m\", select = \"count:1\" }}\n"
        ))
    };
    let (plain, named) = (text("instances = 2"), text("names = [\"north\", \"south\"]"));
    assert_eq!(plain.fleet.instances, ["i1", "i2"]);
    assert_eq!(named.fleet.instances, ["north", "south"]);
    assert_eq!(common::run(&plain), common::run(&named));
}
