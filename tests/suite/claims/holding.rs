//! Claims about what a process takes of its machine: memory, descriptors, sessions.

use parked::era::Design::{self, Carrying, Waiting};
use parked::metrics::{Incident, Outcome, Record, Tally};
use parked::world::Cause;

use super::super::common::{because, cell, plainly, scenario};
use super::{ALONE, assert_end, call};

/// What one replication of these lines comes to.
fn ran(design: Design, lines: &str) -> (Tally, Vec<Record>) {
    let cell = cell(&scenario(lines), design);
    (cell.tally, cell.records)
}

/// Five calls, a second apart, whose people think for ten seconds.
const FIVE: &str = "arrivals.at = [\"1s\", \"2s\", \"3s\", \"4s\", \"5s\"]\nrun.horizon = \"1m\"\npeople.think.constant = \"10s\"\n\
                    people.decide = { accept = 1.0, decline = 0.0, cancel = 0.0 }\ntool.work_before.constant = \"1ms\"\n\
                    tool.work_after.constant = \"1ms\"\nfleet.instances = 1\n";

#[test]
pub fn a_process_that_takes_more_than_its_limit_is_killed_with_all_that_it_holds() {
    let kill = |limit: &str, rest: &str| {
        ran(
            Waiting,
            &format!("{FIVE}fleet.memory = {{ limit = \"{limit}\", base = \"50kB\", per_parked = \"10kB\"{rest} }}\n"),
        )
    };
    // Exactly the limit is still allowed: five are kept.
    let (tally, records) = kill("100kB", "");
    assert!(records.iter().all(|record| record.end == plainly(Outcome::Completed)) && tally.killed.is_empty());
    // The fourth is one too many, and takes the other three with it; the fifth comes while nobody is there.
    let (tally, records) = kill("80kB", "");
    let lost = because(Outcome::Lost, Cause::OutOfMemory);
    let nobody = because(Outcome::Failed, Cause::Crash);
    assert_eq!(records.iter().map(|record| record.end).collect::<Vec<_>>(), [lost, lost, lost, lost, nobody]);
    assert_eq!((tally.killed.get(&Cause::OutOfMemory), tally.parked.peak), (Some(&1), 4));
    // A new process is there half a second after the kill.
    let (_, records) = kill("80kB", ", restart = \"500ms\"");
    assert_end(&records[4], plainly(Outcome::Completed));
    // Of a larger base less is left, and of larger bodies fewer fit.
    for (lines, first_lost) in
        [("base = \"71kB\", per_parked = \"10kB\"", 0), ("base = \"50kB\", per_parked = \"16kB\"", 1)]
    {
        let memory = format!("{FIVE}fleet.memory = {{ limit = \"80kB\", restart = \"0s\", {lines} }}\n");
        let (_, records) = ran(Waiting, &memory);
        assert!(records[..=first_lost].iter().all(|record| record.end == lost), "{lines}: {:?}", records[0].end);
        let (tally, _) = ran(Carrying, &memory);
        assert_eq!((tally.count(Outcome::Completed), tally.killed.len()), (5, 0), "nothing is kept: {lines}");
    }
}

#[test]
pub fn a_call_beyond_the_descriptors_of_its_process_is_turned_away() {
    for (lines, kept) in [
        ("fleet.descriptors = 3\n", 3),
        ("fleet.descriptors = 3\nfleet.descriptors_per_call = 2\n", 1),
        ("fleet.descriptors = 4\nfleet.descriptors_per_call = 2\n", 2),
        ("", 5),
    ] {
        let (tally, records) = ran(Waiting, &format!("{FIVE}{lines}"));
        let turned_away = because(Outcome::Rejected, Cause::DescriptorsFull);
        assert_eq!(tally.count(Outcome::Completed), kept, "{lines}");
        assert!(records[kept as usize..].iter().all(|record| record.end == turned_away), "{lines}");
    }
    let (tally, _) = ran(Carrying, &format!("{FIVE}fleet.descriptors = 1\n"));
    assert_eq!(tally.count(Outcome::Completed), 5);
}

/// As [`FIVE`], with sessions.
fn shaking(rest: &str) -> String {
    format!("{FIVE}clients.handshake = \"full\"\nclients.on_not_found = \"fail\"\n{rest}")
}

#[test]
pub fn a_client_that_says_no_goodbye_leaves_its_session_behind() {
    let (tally, _) = ran(Waiting, &shaking(""));
    assert_eq!((tally.sessions.peak, tally.incidents.get(&Incident::SessionLeft)), (5, None));
    let messages = tally.messages;
    // Each of five sessions stands for the ten seconds of its call and its two milliseconds of work.
    let stood = tally.sessions.mean * 60.0;
    assert!((stood - 5.0 * 10.002).abs() < 1e-6, "{stood}");
    let (tally, _) = ran(Waiting, &shaking("clients.goodbye = 0.0\n"));
    assert_eq!((tally.sessions.peak, tally.incidents[&Incident::SessionLeft]), (5, 5));
    assert_eq!(tally.messages, messages - 5, "nobody sends a DELETE");
    // From their beginnings to the end of the window.
    let stood = tally.sessions.mean * 60.0;
    assert!((stood - (59.0 + 58.0 + 57.0 + 56.0 + 55.0)).abs() < 1e-6, "{stood}");
    let (tally, _) = ran(Carrying, &shaking("clients.goodbye = 0.0\n"));
    assert_eq!((tally.sessions.peak, tally.incidents.get(&Incident::SessionLeft)), (0, None));
}

#[test]
fn a_session_left_behind_ends_when_its_clock_runs_out_or_its_process_dies() {
    let (tally, _) = ran(Waiting, &shaking("clients.goodbye = 0.0\nfleet.session_idle = \"20s\"\n"));
    let stood = tally.sessions.mean * 60.0;
    assert!((stood - 5.0 * 30.002).abs() < 1e-6, "{stood}");
    let dies = "clients.goodbye = 0.0\n[[fault]]\nkill = { at = \"40s\", select = \"all\", restart_after = \"0s\" }\n";
    let (tally, _) = ran(Waiting, &shaking(dies));
    let stood = tally.sessions.mean * 60.0;
    assert!((stood - (39.0 + 38.0 + 37.0 + 36.0 + 35.0)).abs() < 1e-6, "{stood}");
}

#[test]
pub fn a_session_takes_memory_until_it_ends() {
    let leak = |goodbye: &str| {
        let lines = format!(
            "clients.goodbye = {goodbye}\nfleet.memory = {{ limit = \"40kB\", per_session = \"10kB\", restart = \"0s\" }}\n"
        );
        // Nobody is asked: what is left is left by sessions alone.
        ran(Waiting, &shaking(&lines).replace("tool.work_before", "tool.amount.constant = 50\ntool.work_before")).0
    };
    assert!(leak("1.0").killed.is_empty());
    assert_eq!(leak("0.0").killed[&Cause::OutOfMemory], 1);
}

#[test]
pub fn a_process_takes_so_many_sessions_and_refuses_the_next_or_evicts_the_oldest() {
    let capped = |rest: &str| ran(Waiting, &shaking(&format!("fleet.session_cap = 3\n{rest}")));
    let ends = |records: &[Record]| records.iter().map(|record| record.end).collect::<Vec<_>>();
    let done = plainly(Outcome::Completed);
    let (tally, records) = capped("");
    let refused = because(Outcome::Rejected, Cause::SessionsFull);
    assert_eq!((ends(&records), tally.sessions.peak), (vec![done, done, done, refused, refused], 3));
    let (tally, records) = capped("fleet.at_session_cap = \"evict\"\n");
    let evicted = because(Outcome::Failed, Cause::SessionEvicted);
    assert_eq!((ends(&records), tally.sessions.peak), (vec![evicted, evicted, done, done, done], 3));
    assert_eq!((tally.parked.peak, records[0].entries), (3, 0), "the bodies go with their sessions");
    assert!(ends(&ran(Waiting, &shaking("")).1).iter().all(|&end| end == done));
}

#[test]
pub fn calls_that_follow_one_another_share_a_session_and_its_handshake() {
    let (alone, _) = ran(Waiting, &shaking(""));
    let (shared, records) = ran(Waiting, &shaking("clients.calls_per_session = 5\n"));
    assert!(records.iter().all(|record| record.end == plainly(Outcome::Completed)));
    assert_eq!((alone.sessions.peak, shared.sessions.peak, shared.parked.peak), (5, 1, 5));
    // Three messages before the first call, one after the last, and two of each call.
    assert_eq!((alone.messages, shared.messages), (5 * 6, 3 + 1 + 5 * 2));
    let (pairs, _) = ran(Waiting, &shaking("clients.calls_per_session = 2\n"));
    assert_eq!((pairs.sessions.peak, pairs.messages), (3, 3 * 3 + 2 + 5 * 2), "the last of the third pair never comes");
    // Ten calls of one session: its 77 KiB and 40 KiB for each, as measured.
    let memory = |calls: u32| 40.0 + 77.0 / f64::from(calls);
    assert_eq!((memory(1), memory(10)), (117.0, 47.7));
}

#[test]
fn a_call_that_loses_its_shared_session_begins_a_new_one() {
    let lines = "clients = { handshake = \"full\", on_not_found = \"reinitialise\", calls_per_session = 5 }\n\
                 [[fault]]\nkill = { at = \"2500ms\", select = \"all\", restart_after = \"0s\" }\n";
    let (tally, records) = ran(Waiting, &format!("{FIVE}{lines}"));
    assert_eq!(tally.count(Outcome::Completed), 3, "{:?}", records[2].end);
    assert_eq!(tally.sessions.peak, 1, "the third call mints a session, which the others join");
    let record = call(Waiting, &["clients.handshake=full", ALONE]);
    assert_end(&record, plainly(Outcome::Completed));
}
