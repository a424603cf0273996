//! Claims about processes that crash again and again. A constant time between crashes makes every instant exact.

use parked::era::Design::{self, Carrying, Waiting};
use parked::metrics::{Outcome, Record};
use parked::world::Cause;

use super::super::common::{because, plainly};
use super::{ALONE, WHOLE_MS, assert_end, cell, cells, ended_ms};

fn crashing(design: Design, at: &str, mtbf: &str, repair: &str) -> Record {
    let crash = format!("fault=[{{ crash = {{ mtbf.constant = \"{mtbf}\", repair = \"{repair}\" }} }}]");
    let cell = cell(design, &[ALONE, &format!("arrivals.at=[\"{at}\"]"), &crash]);
    cell.records[0]
}

#[test]
pub fn a_process_crashes_this_long_after_it_was_started_again_and_again() {
    // Up until 100 s, from 130 s to 230 s, from 260 s to 360 s.
    for (at, lost_at) in [("50s", 100), ("99s", 100), ("171s", 230), ("301s", 360)] {
        let record = crashing(Waiting, at, "100s", "30s");
        assert_end(&record, because(Outcome::Lost, Cause::Crash));
        assert_eq!((ended_ms(&record), record.entries), (lost_at * 1000, 0), "{at}");
    }
    for at in ["0s", "39s", "131s", "169s", "261s"] {
        assert_end(&crashing(Waiting, at, "100s", "30s"), plainly(Outcome::Completed));
    }
    for at in ["101s", "129s", "231s", "370s"] {
        let record = crashing(Waiting, at, "100s", "30s");
        assert_end(&record, because(Outcome::Failed, Cause::Crash));
        assert_eq!((record.ended, record.first_instance), (record.arrived, None), "{at}");
    }
}

#[test]
fn a_call_that_ends_at_the_instant_of_the_crash_is_in_time() {
    let whole = WHOLE_MS * 1_000_000;
    let crashes = |ns: u64| crashing(Waiting, "0s", &format!("{ns}ns"), "1s");
    assert_end(&crashes(whole), plainly(Outcome::Completed));
    assert_end(&crashes(whole - 1), because(Outcome::Lost, Cause::Crash));
    assert_eq!(crashes(whole - 1).ended.ns(), whole - 1);
}

#[test]
pub fn a_carried_call_outlives_a_crash_that_is_repaired_before_its_answer() {
    // The person is asked at 50.002 s and answers at 110.002 s; the crash is at 100 s.
    for (repair, end) in [
        ("0s", plainly(Outcome::Completed)),
        ("10001999999ns", plainly(Outcome::Completed)),
        ("10002ms", because(Outcome::Failed, Cause::Crash)),
        ("30s", because(Outcome::Failed, Cause::Crash)),
    ] {
        assert_end(&crashing(Carrying, "50s", "100s", repair), end);
        assert_end(&crashing(Waiting, "50s", "100s", repair), because(Outcome::Lost, Cause::Crash));
    }
}

#[test]
fn each_process_has_crashes_of_its_own_and_none_after_the_horizon() {
    let crash = r#"fault=[{ crash = { mtbf.exponential = { mean = "60s" }, repair = "1000m" } }]"#;
    let at = r#"arrivals.at=["0s", "0s"]"#;
    let cells = cells(Waiting, &["replications=400", at, "people.think.constant=30s", crash]);
    let lost = |call: usize| cells.iter().filter(|cell| cell.records[call].end.outcome == Outcome::Lost).count();
    let both = cells.iter().filter(|cell| cell.records.iter().all(|r| r.end.outcome == Outcome::Lost)).count();
    // A process crashes within 30.003 s with 1 - exp(-1/2), two of them with its square; five standard deviations.
    for (lost, share) in [(lost(0), 0.393_5f64), (lost(1), 0.393_5), (both, 0.154_8)] {
        let sd = (400.0 * share * (1.0 - share)).sqrt();
        assert!((lost as f64 - 400.0 * share).abs() < 5.0 * sd, "{lost} of 400, {share}");
    }
    let late = crashing(Waiting, "9m59s", "10m1s", "1s");
    assert_end(&late, plainly(Outcome::Completed));
}
