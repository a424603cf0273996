//! Claims about what an answer needs at a server beside its parked call: a thread, or none.

use parked::era::Design::{self, Carrying, Waiting};
use parked::experiment::Cell;

use super::{ALONE, WHOLE_MS, cell, ended_ms, ends};

fn at(design: Design, arrivals: &str, switches: &[&str]) -> Cell {
    cell(design, &[&[ALONE, &format!("arrivals.at=[{arrivals}]")], switches].concat())
}

#[test]
pub fn a_parked_call_that_keeps_no_thread_leaves_it_to_the_next_and_needs_one_to_go_on() {
    let keeps = |keeps: bool, arrivals: &str, switches: &[&str]| {
        at(Waiting, arrivals, &[switches, &[&format!("fleet.parked_keeps_thread={keeps}")]].concat())
    };
    let three = r#""0s", "1s", "2s""#;
    let one = ["fleet.threads=1", "fleet.queue=none"];
    let (done, full) = ("completed", "rejected/threads_full");
    assert_eq!(ends(&keeps(true, three, &one)), [done, full, full]);
    let free = keeps(false, three, &one);
    assert_eq!(ends(&free), [done; 3]);
    assert_eq!((free.tally.parked.peak, free.tally.threads_held.peak), (3, 1));
    // The second call works from 65 s to 75 s, and the answer to the first comes at 70 s.
    let busy = |threads: u32| {
        let switches = [&format!("fleet.threads={threads}"), "tool.work_before.constant=10s"];
        let cell = keeps(false, r#""0s", "65s""#, &switches);
        cell.records.iter().map(ended_ms).collect::<Vec<_>>()
    };
    assert_eq!((busy(1), busy(2)), (vec![75_001, 135_001], vec![70_001, 135_001]));
    let carried = |keeps: bool| at(Carrying, three, &[one[0], one[1], &format!("fleet.parked_keeps_thread={keeps}")]);
    assert_eq!(carried(true).records, carried(false).records, "nothing is parked");
}

#[test]
pub fn an_answer_that_needs_a_thread_waits_for_one_that_parked_calls_hold() {
    let need = |needs: bool, threads: u32, arrivals: &str| {
        let (threads, needs) = (format!("fleet.threads={threads}"), format!("fleet.answers_need_thread={needs}"));
        at(Waiting, arrivals, &[&threads, &needs])
    };
    let (done, late) = ("completed", "timed_out/threads_full");
    let two = r#""0s", "1s""#;
    for (needs, threads, expected) in [(false, 2, [done, done]), (true, 3, [done, done]), (true, 2, [late, done])] {
        assert_eq!(ends(&need(needs, threads, two)), expected, "{needs} {threads}");
    }
    // Both hold a thread and wait for one until the first gives up.
    let stuck = need(true, 2, two);
    assert_eq!(stuck.records.iter().map(ended_ms).collect::<Vec<_>>(), [300_000, 300_001]);
    assert_eq!(stuck.records[0].parked_ns, 300_000_000_000 - 2_000_000);
    assert_eq!(ends(&need(true, 1, r#""0s""#)), [late], "the only thread is held by the call that needs it");
    assert_eq!(ended_ms(&need(false, 1, r#""0s""#).records[0]), WHOLE_MS);
}
