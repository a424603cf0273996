//! Claims about the way of a message: what binds it, what is hashed, which counters move, and who is behind an address.

use parked::era::Design::{self, Carrying, Waiting};
use parked::metrics::{Outcome, Record};
use parked::world::Cause;

use super::super::common::{because, plainly};
use super::{ALONE, DESIGNS, assert_end, call, cells};

/// The only call of each of 64 replications.
fn drawn(design: Design, switches: &[&str]) -> Vec<Record> {
    cells(design, &[&["replications=64"], switches].concat()).iter().map(|cell| cell.records[0]).collect()
}

/// How many of these calls had their answer brought home.
fn home(records: &[Record]) -> usize {
    records.iter().filter(|record| record.answers_home > 0).count()
}

/// Within five standard deviations of half of 64.
fn assert_half(count: usize) {
    assert!((12..=52).contains(&count), "{count} of 64");
}

const LEARNED: &str = "balancer.stickiness=learned";

#[test]
pub fn a_learned_line_binds_up_to_its_last_instant() {
    // The answer comes 60.002 s after the call.
    for (ttl, end) in [
        ("none", plainly(Outcome::Completed)),
        ("60002ms", plainly(Outcome::Completed)),
        ("60001999999ns", because(Outcome::TimedOut, Cause::Misrouted)),
        ("1s", because(Outcome::TimedOut, Cause::Misrouted)),
    ] {
        let ttl = format!("balancer.learned.ttl={ttl}");
        assert_end(&call(Waiting, &[LEARNED, &ttl]), end);
        assert_end(&call(Waiting, &["balancer.stickiness=cookie", &ttl]), plainly(Outcome::Completed));
    }
}

#[test]
pub fn a_line_that_is_not_refreshed_ends_this_long_after_the_first_message() {
    // Three answers, 60 s, 120 s and 180 s after the call.
    let bound = |refresh: bool, ttl: &str| {
        let (refresh, ttl) = (format!("balancer.learned.refresh={refresh}"), format!("balancer.learned.ttl={ttl}"));
        call(Waiting, &["tool.body=book_trip", "fleet.instances=5", LEARNED, &refresh, &ttl])
    };
    for (refresh, ttl, answers_home) in
        [(true, "61s", 3), (true, "59s", 0), (false, "61s", 1), (false, "121s", 2), (false, "181s", 3)]
    {
        let record = bound(refresh, ttl);
        assert_eq!(record.answers_home, answers_home, "{refresh} {ttl}");
        let end = because(Outcome::TimedOut, Cause::Misrouted);
        assert_end(&record, if answers_home == 3 { plainly(Outcome::Completed) } else { end });
    }
}

#[test]
pub fn a_bypass_goes_round_what_would_bind_a_call() {
    for binds in ["balancer.stickiness=cookie", LEARNED, "balancer.policy=hash"] {
        let share = |share: &str| drawn(Waiting, &[binds, &format!("balancer.bypass={share}")]);
        assert_eq!((home(&share("0.0")), home(&share("1.0"))), (64, 0), "{binds}: round robin goes to the other one");
        assert_half(home(&share("0.5")));
    }
}

#[test]
pub fn a_message_over_the_connection_of_the_one_before_reaches_the_same_process() {
    for fleet in ["fleet.instances=2", "fleet.workers=2"] {
        let share = |share: &str| drawn(Waiting, &[fleet, &format!("clients.reuse={share}")]);
        assert_eq!(home(&share("1.0")), 64, "{fleet}");
        assert_eq!(home(&share("0.0")), 0, "{fleet}");
        assert_half(home(&share("0.5")));
    }
    // The connection is gone with its process.
    let dies = r#"fault=[{ kill = { at = "30s", select = "instance:i1" } }]"#;
    let record = call(Carrying, &["clients.reuse=1.0", dies]);
    assert_end(&record, plainly(Outcome::Completed));
    assert_eq!((record.first_instance, record.last_instance), (Some(0), Some(1)));
}

#[test]
pub fn behind_an_address_a_message_meets_any_of_its_processes() {
    for stickiness in ["none", "cookie", "learned"] {
        let workers = |n: u32| {
            let (workers, sticky) = (format!("fleet.workers={n}"), format!("balancer.stickiness={stickiness}"));
            drawn(Waiting, &[ALONE, &workers, &sticky])
        };
        assert_eq!(home(&workers(1)), 64);
        let pair = workers(2);
        assert_half(home(&pair));
        assert_half(pair.iter().filter(|record| record.first_instance == Some(0)).count());
        assert!(home(&workers(64)) < 12, "what binds, binds to the address");
    }
}

#[test]
fn processes_are_named_after_their_address_and_die_with_it() {
    let workers = ["fleet.instances=2", "fleet.workers=2"];
    assert_eq!(super::with(&workers).fleet.instances, ["i1/1", "i1/2", "i2/1", "i2/2"]);
    let dies = r#"fault=[{ kill = { at = "30s", select = "instance:i1" } }]"#;
    for record in drawn(Waiting, &[workers[0], workers[1], dies]) {
        assert!(record.first_instance < Some(2), "round robin begins at the first address");
        assert_end(&record, because(Outcome::Lost, Cause::Crash));
    }
}

#[test]
pub fn balancer_processes_have_a_counter_each() {
    for design in DESIGNS {
        let replicas = |n: u32| drawn(design, &[&format!("balancer.replicas={n}")]);
        assert!(replicas(7).iter().all(|record| record.first_instance == Some(0)), "every counter begins at the first");
        assert_eq!(home(&replicas(1)), 0, "one counter strictly alternates");
        assert_half(home(&replicas(2)));
        assert!(home(&replicas(1000)) > 52, "the answer meets a counter that nobody has moved");
    }
}

#[test]
pub fn requests_beside_the_calls_move_the_counter_and_nothing_else() {
    let beside = |rate: &str| drawn(Waiting, &[&format!("balancer.background={rate}")]);
    let (alone, busy) = (beside("0/s"), beside("10/s"));
    assert_eq!(home(&alone), 0);
    assert_half(home(&busy));
    for (alone, busy) in alone.iter().zip(&busy) {
        assert_eq!((busy.first_instance, busy.messages, busy.prompts), (Some(0), alone.messages, alone.prompts));
    }
}

#[test]
pub fn among_equally_light_addresses_the_first_or_any_is_picked() {
    for policy in ["balancer.policy=least-connections", "balancer.policy=two-choices"] {
        let at_first = |ties: &str| {
            let records = drawn(Waiting, &[policy, &format!("balancer.ties={ties}")]);
            assert_eq!(home(&records), 0, "whoever holds the call has one request more than the other");
            records.iter().filter(|record| record.first_instance == Some(0)).count()
        };
        assert_eq!(at_first("first"), 64, "{policy}");
        assert_half(at_first("random"));
    }
}

#[test]
fn the_lighter_of_two_that_are_drawn_is_picked() {
    // Three calls that stay open, at three addresses: with two choices the heaviest is never picked, at random it is.
    let at = r#"arrivals.at=["0s", "1s", "2s"]"#;
    let together = |policy: &str| {
        let cells = cells(Waiting, &["replications=64", "fleet.instances=3", at, &format!("balancer.policy={policy}")]);
        let first = |cell: &parked::experiment::Cell| [0, 1, 2].map(|call: usize| cell.records[call].first_instance);
        cells.iter().map(first).filter(|[a, b, c]| a == b || (a == c && b == c)).count()
    };
    assert_eq!(together("two-choices"), 0);
    assert!(together("random") > 0);
}

#[test]
fn recorded_messages_go_where_their_rows_say() {
    use super::super::common;
    struct Rows;
    impl parked::scenario::Files for Rows {
        fn read(&self, _: &str) -> std::io::Result<Vec<u8>> {
            let header = "arrived_s,think_s,action,first_instance,leg1_instance,answer_instance";
            Ok(format!("{header}\n1,60,accept,i3,i2,i2\n2,60,accept,i3,i3,i1\n").into_bytes())
        }
    }
    let text = |policy: &str| {
        format!("run.horizon = \"1m\"\narrivals.trace.file = \"rows.csv\"\nbalancer.policy = \"{policy}\"\n")
    };
    let routed = |policy: &str| {
        let records = common::cell(&common::scenario_with(&text(policy), &Rows), Waiting).records;
        records.iter().map(|record| (record.first_instance, record.last_instance)).collect::<Vec<_>>()
    };
    assert_eq!(routed("recorded"), [(Some(1), Some(1)), (Some(2), Some(0))]);
    assert_eq!(routed("round-robin"), [(Some(0), Some(2)), (Some(1), Some(0))]);
}
