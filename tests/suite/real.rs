//! Recorded runs of a real cluster, call by call: the simulator is given when each call arrived, how long its person
//! thought and what they did, and must come to the same end. A difference must never be allowed for unless the call's
//! fate hung on a few milliseconds, and then it is named.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use parked::era::Design::{self, Carrying, Waiting};
use parked::metrics::{Incident, Outcome, Record};
use parked::scenario::{Scenario, load};
use parked::world::Cause;

use super::common::{self, because};

/// What was recorded of one call.
struct Row {
    call: u32,
    outcome: String,
    first_instance: String,
    started_s: f64,
    entries: u32,
}

/// Two calls planned 0.5 ms apart that the recording client sent in the opposite order, so that each got the instance
/// of the other. The second was parked at the one that lived; here it is parked at the one that dies.
const SWAPPED: [u32; 2] = [85, 86];

/// Calls one of whose messages passed the counter within a few milliseconds of another call's: from the plan alone nobody
/// can tell which was first.
const RACED: [u32; 16] = [21, 69, 93, 95, 99, 101, 111, 113, 155, 159, 160, 186, 191, 219, 220, 255];

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/real").join(name)
}

fn recorded(name: &str) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(path(name)).expect("a recorded run");
    let header = reader.headers().expect("a header").clone();
    let column = |name| header.iter().position(|column| column == name).expect(name);
    let [call, outcome, first, started, entries] =
        ["call", "outcome", "first_instance", "started_s", "entries"].map(column);
    let row = |row: csv::StringRecord| Row {
        call: row[call].parse().expect("a number"),
        outcome: row[outcome].to_owned(),
        first_instance: row[first].to_owned(),
        started_s: row[started].parse().expect("a number"),
        entries: row[entries].parse().expect("a number"),
    };
    reader.records().map(|record| row(record.expect("a row"))).collect()
}

/// The recorded word for how a call ended.
fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::TimedOut | Outcome::Lost => "hang_to_timeout",
        Outcome::Refused => "refused_state",
        Outcome::Failed => "error_at_once",
        other => other.name(),
    }
}

/// A recorded run beside the simulated one.
struct Replay {
    scenario: Scenario,
    rows: Vec<Row>,
    records: Vec<Record>,
}

impl Replay {
    fn of(name: &str, design: Design) -> Replay {
        Replay::with(name, design, &[])
    }

    fn with(name: &str, design: Design, overrides: &[String]) -> Replay {
        let scenario = load(&path(&format!("{name}.toml")), overrides).expect("a shipped scenario is legal");
        let records = common::cell(&scenario, design).records;
        let rows = recorded(&format!("{name}.csv"));
        assert_eq!((rows.len(), records.len()), (300, 300));
        assert!(rows.iter().zip(&records).all(|(row, record)| row.call == record.call));
        Replay { scenario, rows, records }
    }

    /// Numbers of the calls for which the two differ, and those calls in words.
    fn differing(&self, differs: impl Fn(&Row, &Record) -> bool) -> (Vec<u32>, String) {
        let mut words = String::new();
        let pairs = self.rows.iter().zip(&self.records).filter(|(row, record)| differs(row, record));
        let calls = pairs.map(|(row, record)| {
            let (was, entries) = (&row.outcome, row.entries);
            writeln!(words, "recorded {was}, {entries} entries at {}; simulated {record:?}", row.first_instance)
                .expect("text grows");
            row.call
        });
        (calls.collect(), words)
    }

    /// Every call ended as it was recorded, and made its entries; so many in all.
    fn agrees(&self, entries: u32) {
        let (ends, why) = self.differing(|row, record| word(record.end.outcome) != row.outcome);
        assert!(ends.is_empty(), "{why}");
        let (unlike, why) = self.differing(|row, record| record.entries != row.entries);
        assert!(unlike.is_empty(), "{why}");
        assert_eq!(self.entries(), (entries, entries));
    }

    fn entries(&self) -> (u32, u32) {
        (self.rows.iter().map(|row| row.entries).sum(), self.records.iter().map(|record| record.entries).sum())
    }

    fn name(&self, record: &Record) -> &str {
        record.first_instance.map_or("", |id| &self.scenario.fleet.instances[id as usize])
    }
}

#[test]
fn a_recorded_kill_under_sticky_routing_loses_the_recorded_calls_when_waiting() {
    let replay = Replay::of("w1a", Waiting);
    let (ends, why) = replay.differing(|row, record| word(record.end.outcome) != row.outcome);
    assert_eq!(ends, [SWAPPED[1]], "{why}");
    let lost = replay.records.iter().filter(|record| word(record.end.outcome) == "hang_to_timeout").count();
    assert_eq!(lost, 38, "37 recorded, and the one that differs\n{why}");
    let (entries, why) = replay.differing(|row, record| record.entries != row.entries);
    assert_eq!(entries, [SWAPPED[1]], "{why}");
    assert_eq!(replay.entries(), (222, 221));
}

#[test]
fn a_recorded_first_message_went_where_round_robin_sends_it() {
    let replay = Replay::of("w1a", Waiting);
    let (calls, why) = replay.differing(|row, record| replay.name(record) != row.first_instance);
    assert_eq!(calls, SWAPPED, "{why}");
    let started = SWAPPED.map(|call| replay.rows[call as usize].started_s);
    let arrived = SWAPPED.map(|call| replay.records[call as usize].arrived);
    assert!(arrived[0] < arrived[1] && started[0] > started[1], "they were planned in one order and sent in the other");
}

#[test]
fn a_recorded_kill_under_round_robin_loses_nothing_when_carrying() {
    let replay = Replay::of("c1", Carrying);
    replay.agrees(237);
}

#[test]
fn a_recorded_short_life_of_states_refuses_the_recorded_calls_when_carrying() {
    let replay = Replay::of("c6", Carrying);
    replay.agrees(165);
    let expired = replay.records.iter().filter(|record| record.end == because(Outcome::Refused, Cause::Expired));
    assert_eq!(expired.count(), 96);
    // The longest thought that passed and the shortest that did not stand on either side of the life.
    let (passed, refused): (Vec<&Record>, Vec<&Record>) = replay
        .records
        .iter()
        .filter(|r| r.end.outcome != Outcome::TimedOut)
        .partition(|r| r.end.outcome != Outcome::Refused);
    let think_us = |record: &&Record| record.think_ns.expect("answers") / 1000;
    assert_eq!(passed.iter().map(think_us).max(), Some(1_995_259));
    assert_eq!(refused.iter().map(think_us).min(), Some(2_004_725));
}

#[test]
fn recorded_answers_after_the_client_gave_up_still_make_their_entries_when_waiting() {
    let replay = Replay::of("w5", Waiting);
    replay.agrees(219);
    let count = |outcome| replay.records.iter().filter(|record| record.end.outcome == outcome).count();
    assert_eq!((count(Outcome::Completed), count(Outcome::TimedOut)), (163, 114));
    let late: u32 = replay.records.iter().map(|record| record.incidents.count(Incident::LateEntry)).sum();
    assert_eq!(late, 56);
}

#[test]
fn recorded_requests_to_a_dead_instance_fail_until_it_is_noticed_when_nothing_is_tried_elsewhere() {
    let replay = Replay::of("c2b", Carrying);
    replay.agrees(218);
    let failed = because(Outcome::Failed, Cause::Crash);
    assert_eq!(replay.records.iter().filter(|record| record.end == failed).count(), 31);
}

#[test]
fn recorded_answers_at_an_instance_with_another_key_are_refused_when_carrying() {
    let replay = Replay::of("c4", Carrying);
    let (ends, why) = replay.differing(|row, record| word(record.end.outcome) != row.outcome);
    assert_eq!(ends, RACED, "{why}");
    // Where each message went is known of every call: then so is what became of it.
    let replay = Replay::with("c4", Carrying, &[r#"balancer.policy="recorded""#.to_owned()]);
    replay.agrees(113);
    let refused = because(Outcome::Refused, Cause::WrongKey);
    assert_eq!(replay.records.iter().filter(|record| record.end == refused).count(), 153);
}

#[test]
fn recorded_answers_are_swallowed_by_the_other_instance_within_the_binomial_band_when_waiting() {
    let replay = Replay::of("w3", Waiting);
    let given_in_time = |record: &&Record| record.think_ns.is_some_and(|ns| ns < 4_000_000_000 - 3_000_000);
    let given: Vec<&Record> = replay.records.iter().filter(given_in_time).collect();
    let lost = given.iter().filter(|record| record.end == because(Outcome::TimedOut, Cause::Misrouted)).count();
    assert_eq!(given.len(), 247);
    // The order of two requests of one client within a millisecond decides each: the recording's own band, 124 +- 15.
    assert!((109..=139).contains(&lost), "{lost}");
    let swallowed = |record: &Record| record.entries == 0 && record.end.cause == Some(Cause::Misrouted);
    assert_eq!(replay.records.iter().filter(|record| swallowed(record)).count(), lost);
    // Given where each message went, every call ends as it did.
    let replay = Replay::with("w3", Waiting, &[r#"balancer.policy="recorded""#.to_owned()]);
    let word = |record: &Record| match record.end.outcome {
        Outcome::TimedOut => "server_timeout",
        other => other.name(),
    };
    let (ends, why) = replay.differing(|row, record| word(record) != row.outcome || record.entries != row.entries);
    assert!(ends.is_empty(), "{why}");
    assert_eq!(replay.entries(), (101, 101));
}
