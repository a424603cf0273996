//! Claims about what a call waits for beside its person: a thread, the reading of its request, a connection.

use parked::era::Design::{self, Carrying, Waiting};
use parked::metrics::{Outcome, Record, Tally};
use parked::world::Cause;

use super::super::common::{because, cell, plainly, scenario};
use super::{ALONE, WHOLE_MS, assert_end, call, ended_ms};

/// Three calls, a second apart, at one thread that each holds for its person's minute.
const THREE: &str = "arrivals.at = [\"0s\", \"1s\", \"2s\"]\nrun.horizon = \"10m\"\npeople.think.constant = \"60s\"\n\
                     people.decide = { accept = 1.0, decline = 0.0, cancel = 0.0 }\nclients.patience = \"none\"\n\
                     tool.work_before.constant = \"0s\"\ntool.work_after.constant = \"0s\"\nfleet.instances = 1\n";

fn ran(design: Design, lines: &str) -> (Tally, Vec<Record>) {
    let cell = cell(&scenario(&format!("{THREE}{lines}")), design);
    (cell.tally, cell.records)
}

#[test]
pub fn a_call_turns_away_from_a_line_that_it_bears_no_longer() {
    let seconds = |lines: &str| {
        let (_, records) = ran(Waiting, &format!("fleet.threads = 1\n{lines}"));
        records.iter().map(|record| (record.end, record.ended.ns() / 1_000_000_000)).collect::<Vec<_>>()
    };
    let (done, tired) = (plainly(Outcome::Completed), because(Outcome::Rejected, Cause::QueueTimeout));
    assert_eq!(seconds(""), [(done, 60), (done, 120), (done, 180)]);
    assert_eq!(seconds("fleet.queue_timeout = \"30s\"\n"), [(done, 60), (tired, 31), (tired, 32)]);
    // The second has its thread at the very instant at which it would have turned away.
    assert_eq!(seconds("fleet.queue_timeout = \"59s\"\n"), [(done, 60), (done, 120), (tired, 61)]);
    let again = "clients.retry = { times = 9, on = [\"full\"], pause = \"40s\", factor = 1.0, cap = \"40s\", jitter = \"none\" }\n";
    assert_eq!(seconds(&format!("fleet.queue_timeout = \"30s\"\n{again}"))[1], (done, 131), "it comes back at 71 s");
    let drawn = "fleet.queue_timeout.uniform = { from = \"10s\", to = \"50s\" }\n";
    let [second, third] = [1, 2].map(|place: usize| seconds(drawn)[place].1 - place as u64);
    assert!((10..=50).contains(&second) && (10..=50).contains(&third) && second != third, "{second} {third}");
}

#[test]
pub fn waits_are_counted_with_those_that_are_slow() {
    let line = |lines: &str| ran(Waiting, &format!("fleet.threads = 1\n{lines}")).0.line.expect("somebody came");
    let waits = line("");
    assert_eq!((waits.visits, waits.waited, waits.slow), (3, 2, 2), "for 59 s and for 118 s");
    assert!((waits.mean_s - 177.0 / 3.0).abs() < 1e-9 && (waits.p99_s - 118.0).abs() < 0.2);
    assert_eq!((line("fleet.slow = \"60s\"\n").slow, line("fleet.slow = \"118s\"\n").slow), (1, 0));
    let (tally, _) = ran(Waiting, "fleet.threads = 3\n");
    assert_eq!(tally.line.map(|line| (line.visits, line.waited, line.mean_s)), Some((3, 0, 0.0)));
}

#[test]
pub fn each_request_takes_its_thread_time_before_its_body() {
    let takes = |design, switches: &[&str]| call(design, &[&[ALONE], switches].concat());
    for (design, requests, repeated) in [(Waiting, 2, 0), (Carrying, 2, 2)] {
        for ms in [0, 7] {
            let record = takes(design, &[&format!("fleet.request_work={ms}ms")]);
            assert_end(&record, plainly(Outcome::Completed));
            assert_eq!(ended_ms(&record), WHOLE_MS + repeated + requests * ms, "{design:?}: the call and its answer");
            assert_eq!(record.repeated_ns, repeated * 1_000_000, "reading is no work done again");
        }
    }
    // What only a modern request has.
    for (design, took) in [(Waiting, 0), (Carrying, 2 * 3 + 2)] {
        assert_eq!(ended_ms(&takes(design, &["state.work=3ms"])), WHOLE_MS + took, "{design:?}");
    }
    // Drawn for each anew: two requests of one call differ.
    let drawn = takes(Carrying, &["fleet.request_work={ exponential = { mean = \"1s\" } }"]);
    let asked = drawn.asked.expect("it was asked").ns() - 2_000_000;
    let answered = drawn.ended.ns() - drawn.asked.expect("it was asked").ns() - 60_000_000_000 - 3_000_000;
    assert!(asked != answered && asked > 0 && answered > 0);
}

#[test]
pub fn a_pool_of_connections_is_held_while_a_person_thinks_unless_it_is_given_back() {
    let pool = |design, keys: &str| {
        let (tally, records) = ran(design, &format!("fleet.threads = 10\nfleet.pool = {{ {keys} }}\n"));
        (tally, records.iter().map(|record| (record.end, record.ended.ns() / 1_000_000_000)).collect::<Vec<_>>())
    };
    let (done, late) = (plainly(Outcome::Completed), because(Outcome::Failed, Cause::PoolTimeout));
    let (tally, ends) = pool(Waiting, "size = 1");
    assert_eq!(ends, [(done, 60), (late, 31), (late, 32)]);
    assert_eq!(tally.pool.map(|pool| (pool.visits, pool.waited, pool.slow)), Some((3, 2, 0)), "not longer than 30 s");
    assert_eq!(pool(Waiting, "size = 2").1, [(done, 60), (done, 61), (late, 32)]);
    assert_eq!(pool(Waiting, "size = 1, timeout = \"none\"").1, [(done, 60), (done, 120), (done, 180)]);
    assert_eq!(pool(Waiting, "size = 1, timeout = \"59s\"").1, [(done, 60), (done, 120), (late, 61)]);
    for (design, keys) in [(Waiting, "size = 1, held_during_ask = false"), (Carrying, "size = 1")] {
        let (tally, ends) = pool(design, keys);
        assert_eq!(ends, [(done, 60), (done, 61), (done, 62)], "{design:?}");
        // Once before the question and once after it.
        assert_eq!(tally.pool.map(|pool| (pool.visits, pool.waited)), Some((6, 0)));
    }
}

#[test]
fn calls_that_ask_nobody_wait_for_the_connections_of_those_who_do() {
    let mixed = "tool.amount.mixture = [{ weight = 0.5, constant = 500 }, { weight = 0.5, constant = 50 }]\n\
                 arrivals = { constant = { rate = \"1/s\" } }\nfleet.threads = 1000\nfleet.pool.size = 3\n";
    let lines = THREE.replace("arrivals.at = [\"0s\", \"1s\", \"2s\"]\n", "") + mixed;
    let failed = |design| {
        let records = cell(&scenario(&lines), design).records;
        let late = because(Outcome::Failed, Cause::PoolTimeout);
        records.iter().filter(|record| record.amount == 50 && record.end == late).count()
    };
    assert!(failed(Waiting) > 100, "unrelated calls fail");
    assert_eq!(failed(Carrying), 0);
}

#[test]
fn an_event_loop_of_one_serves_everybody_while_people_think_and_nobody_while_a_body_works() {
    let lines = THREE.replace("tool.work_before.constant = \"0s\"", "tool.work_before.constant = \"5s\"")
        + "fleet.threads = 1\nfleet.parked_keeps_thread = false\n";
    let cell = cell(&scenario(&lines), Waiting);
    let asked: Vec<u64> = cell.records.iter().map(|record| record.asked.expect("asked").ns() / 1_000_000_000).collect();
    assert_eq!(asked, [5, 10, 15], "each waits for the work of those before");
    assert_eq!(cell.tally.parked.peak, 3);
}
