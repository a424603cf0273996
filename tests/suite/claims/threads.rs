//! Claims about worker threads and waiting lines.

use parked::era::Design::{self, Carrying, Waiting};
use parked::experiment::Cell;

use super::{WHOLE_MS, cell, ended_ms, ends};

/// Three calls a second apart at one instance.
fn three(design: Design, switches: &[&str]) -> Cell {
    let base = [r#"arrivals.at=["0s", "1s", "2s"]"#, "fleet.instances=1"];
    cell(design, &base.into_iter().chain(switches.iter().copied()).collect::<Vec<_>>())
}

#[test]
pub fn a_parked_call_keeps_its_thread_from_the_next_call() {
    let waiting = |threads: u32| three(Waiting, &["fleet.queue=none", &format!("fleet.threads={threads}")]);
    let (turned_away, done) = ("rejected/threads_full", "completed");
    assert_eq!(ends(&waiting(1)), [done, turned_away, turned_away]);
    assert_eq!(ends(&waiting(2)), [done, done, turned_away]);
    assert_eq!(ends(&waiting(3)), [done; 3]);
    assert_eq!(ends(&three(Waiting, &["fleet.threads=unlimited"])), [done; 3]);
    let carrying = three(Carrying, &["fleet.queue=none", "fleet.threads=1"]);
    assert_eq!(ends(&carrying), [done; 3], "one thread serves them all, between their questions and after");
    assert_eq!((carrying.tally.threads_held.peak, waiting(3).tally.threads_held.peak), (1, 3));
}

#[test]
fn a_call_that_was_turned_away_never_asked_anybody() {
    let cell = three(Waiting, &["fleet.queue=none", "fleet.threads=1"]);
    for record in &cell.records[1..] {
        assert_eq!((record.prompts, record.entries, record.messages), (0, 0, 1));
        assert_eq!(record.ended, record.arrived);
    }
}

#[test]
pub fn a_call_without_a_thread_waits_in_line_as_far_as_the_line_goes() {
    let waiting = |queue: &str| three(Waiting, &["fleet.threads=1", &format!("fleet.queue={queue}")]);
    let done = "completed";
    assert_eq!(ends(&waiting("none")), [done, "rejected/threads_full", "rejected/threads_full"]);
    assert_eq!(ends(&waiting("1")), [done, done, "rejected/queue_full"]);
    let all = waiting("2");
    assert_eq!(ends(&all), [done; 3]);
    let times: Vec<u64> = all.records.iter().map(ended_ms).collect();
    assert_eq!(times, [WHOLE_MS, 2 * WHOLE_MS, 3 * WHOLE_MS], "first come, first served, one after the other");
    assert_eq!(all.tally.queue.peak, 2);
    assert_eq!(waiting("unlimited").records, all.records);
}

#[test]
fn a_thread_that_patience_sets_free_goes_to_the_next_in_line() {
    let cell = three(Waiting, &["fleet.threads=1", "clients.patience=61s"]);
    assert_eq!(ends(&cell), ["completed", "timed_out/client_deadline", "timed_out/client_deadline"]);
    let [_, second, third] = &cell.records[..] else { panic!("three calls") };
    assert_eq!((ended_ms(second), ended_ms(third)), (62_000, 63_000));
    let asked = [second, third].map(|record| record.asked.expect("both were asked").ns() / 1_000_000);
    assert_eq!(asked, [WHOLE_MS + 2, 62_002], "each as soon as the one before it was over");
}
