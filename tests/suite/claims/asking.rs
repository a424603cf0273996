//! Claims about whether a person is asked, and what their answer does.

use parked::era::Design::{Carrying, Waiting};
use parked::metrics::Outcome;
use parked::world::Cause;

use super::super::common::{because, plainly};
use super::{WHOLE_MS, assert_end, call, cell, cells, end, ended_ms};

#[test]
pub fn an_amount_up_to_100_passes_without_a_question() {
    for design in [Waiting, Carrying] {
        let small = call(design, &["tool.amount.constant=100"]);
        assert_end(&small, plainly(Outcome::Completed));
        assert_eq!((small.amount, small.prompts, small.messages, small.entries, ended_ms(&small)), (100, 0, 1, 1, 3));
        let large = call(design, &["tool.amount.constant=101", "fleet.instances=1"]);
        assert_end(&large, plainly(Outcome::Completed));
        assert_eq!((large.amount, large.prompts, large.messages, large.entries), (101, 1, 2, 1));
    }
}

#[test]
pub fn work_before_the_question_is_done_twice_when_carrying() {
    for (work, ms) in [("2ms", 2), ("7ms", 7)] {
        let work = format!("tool.work_before.constant={work}");
        let [waiting, carrying] = [Waiting, Carrying].map(|design| call(design, &["fleet.instances=1", &work]));
        assert_eq!((waiting.repeated_ns, carrying.repeated_ns), (0, ms * 1_000_000));
        assert_eq!((ended_ms(&waiting), ended_ms(&carrying)), (ms + 60_000 + 1, 2 * ms + 60_000 + 1));
        assert_eq!(waiting.asked.map(|at| at.ns()), Some(ms * 1_000_000));
    }
}

#[test]
pub fn work_after_the_question_is_done_once() {
    let times = |switch| [Waiting, Carrying].map(|design| ended_ms(&call(design, &["fleet.instances=1", switch])));
    let (short, long) = (times("tool.work_after.constant=1ms"), times("tool.work_after.constant=9ms"));
    assert_eq!(long, short.map(|ms| ms + 8));
}

#[test]
pub fn a_call_takes_as_long_as_its_person_thinks() {
    let times = |switch| [Waiting, Carrying].map(|design| ended_ms(&call(design, &["fleet.instances=1", switch])));
    let (minute, hour) = (times("people.think.constant=60s"), times("people.think.constant=61s"));
    assert_eq!(minute, [WHOLE_MS, WHOLE_MS + 2]);
    assert_eq!(hour, minute.map(|ms| ms + 1000));
    assert_eq!(times("people.think.constant=0s"), minute.map(|ms| ms - 60_000), "no time at all is a time to think");
}

/// Think times of 500 people in ascending order, seconds; those who never answer come last, as infinity.
fn thinks(switch: &str) -> Vec<f64> {
    let arrivals = ["run.horizon=500s", "arrivals.constant.rate=1/s", "fleet.instances=1", switch];
    let records = cell(Carrying, &arrivals).records;
    let mut seconds: Vec<f64> =
        records.iter().map(|record| record.think_ns.map_or(f64::INFINITY, |ns| ns as f64 / 1e9)).collect();
    seconds.sort_by(f64::total_cmp);
    assert_eq!(seconds.len(), 500);
    seconds
}

#[test]
pub fn every_distribution_can_be_thought_in() {
    assert!(thinks("people.think.constant=7s").iter().all(|&s| s == 7.0));
    let uniform = thinks(r#"people.think.uniform={ from = "10s", to = "20s" }"#);
    assert!(uniform[0] >= 10.0 && uniform[499] <= 20.0 && uniform[0] < 10.5 && uniform[499] > 19.5);
    // The same uniforms are inverted, so a scale of two is a factor of two for each person.
    for (one, two) in [
        (r#"exponential={ mean = "10s" }"#, r#"exponential={ mean = "20s" }"#),
        (r#"lognormal={ median = "10s", p95 = "40s" }"#, r#"lognormal={ median = "20s", p95 = "80s" }"#),
        (r#"lognormal={ median = "10s", sigma = 0.8 }"#, r#"lognormal={ median = "20s", sigma = 0.8 }"#),
        (r#"lognormal={ mean = "10s", sigma = 0.8 }"#, r#"lognormal={ mean = "20s", sigma = 0.8 }"#),
        (r#"weibull={ shape = 0.7, scale = "10s" }"#, r#"weibull={ shape = 0.7, scale = "20s" }"#),
        (r#"erlang={ k = 3, mean = "10s" }"#, r#"erlang={ k = 3, mean = "20s" }"#),
    ] {
        let (one, two) = (thinks(&format!("people.think.{one}")), thinks(&format!("people.think.{two}")));
        assert!(one[0] < one[499]);
        assert!(one.iter().zip(&two).all(|(one, two)| (two - 2.0 * one).abs() < 5e-9));
    }
    // A heavier tail at the same median, or at the same scale, spreads people out.
    let spread = |switch: &str| {
        let all = thinks(&format!("people.think.{switch}"));
        all[474] / all[249]
    };
    let wider = |narrow, wide| assert!(spread(narrow) < spread(wide), "{narrow} against {wide}");
    wider(r#"lognormal={ median = "10s", sigma = 0.8 }"#, r#"lognormal={ median = "10s", sigma = 1.6 }"#);
    wider(r#"weibull={ shape = 1.4, scale = "10s" }"#, r#"weibull={ shape = 0.7, scale = "10s" }"#);
    wider(r#"erlang={ k = 3, mean = "10s" }"#, r#"erlang={ k = 1, mean = "10s" }"#);
    let mixture = thinks(
        r#"people.think.mixture=[{ weight = 0.5, constant = "1s" }, { weight = 0.3, constant = "2s" }, { weight = 0.2, never = true }]"#,
    );
    let share = |value: f64| mixture.iter().filter(|&&s| s == value).count() as f64 / 500.0;
    for (value, weight) in [(1.0, 0.5), (2.0, 0.3), (f64::INFINITY, 0.2)] {
        // Five standard deviations of a share of 500.
        let slack = 5.0 * (weight * (1.0 - weight) / 500.0_f64).sqrt();
        assert!((share(value) - weight).abs() < slack, "{value}: {} instead of {weight}", share(value));
    }
}

#[test]
pub fn only_an_accept_makes_an_entry() {
    for design in [Waiting, Carrying] {
        let all = |decide: &str| call(design, &["fleet.instances=1", &format!("people.decide={decide}")]);
        for (decide, outcome, entries) in [
            ("{ accept = 1.0, decline = 0.0, cancel = 0.0 }", Outcome::Completed, 1),
            ("{ accept = 0.0, decline = 1.0, cancel = 0.0 }", Outcome::Declined, 0),
            ("{ accept = 0.0, decline = 0.0, cancel = 1.0 }", Outcome::Cancelled, 0),
        ] {
            let record = all(decide);
            assert_end(&record, plainly(outcome));
            assert_eq!((record.entries, record.prompts), (entries, 1));
        }
    }
}

#[test]
pub fn a_silent_person_uses_up_the_clients_patience_in_both_designs() {
    for design in [Waiting, Carrying] {
        let record = call(design, &["people.silent=1.0"]);
        assert_end(&record, because(Outcome::TimedOut, Cause::PersonSilent));
        assert_eq!((ended_ms(&record), record.entries, record.prompts, record.messages), (300_000, 0, 1, 1));
        assert_eq!((record.think_ns, record.action), (None, None));
        let parked = if design == Waiting { 300_000 - 2 } else { 0 };
        assert_eq!(record.parked_ns, parked * 1_000_000);
    }
}

#[test]
pub fn without_patience_a_silent_person_leaves_a_call_open_when_waiting_and_abandoned_when_carrying() {
    let silent = ["people.silent=1.0", "clients.patience=none"];
    assert_eq!(end(&call(Waiting, &silent)), "open_at_end/person_silent");
    assert_eq!(end(&call(Carrying, &silent)), "abandoned/person_silent");
}

#[test]
fn without_patience_a_silent_person_parks_a_thread_to_the_end_of_the_run() {
    for stop in ["run.stop=cohort", "run.stop=horizon"] {
        let switches = ["people.silent=1.0", "clients.patience=none", stop];
        let cell = cell(Waiting, &switches);
        assert_eq!(ended_ms(&cell.records[0]), 600_000, "{stop}");
        assert_eq!(cell.records[0].parked_ns, (600_000 - 2) * 1_000_000, "{stop}");
        assert_eq!((cell.tally.parked.peak, cell.tally.parked.mean), (1, 599_998.0 / 600_000.0), "{stop}");
    }
}

#[test]
pub fn a_client_that_declares_nothing_is_never_asked() {
    for design in [Waiting, Carrying] {
        let record = call(design, &["clients.capabilities={}"]);
        assert_end(&record, because(Outcome::Unsupported, Cause::Capability));
        assert_eq!((record.prompts, record.entries, record.messages, ended_ms(&record)), (0, 0, 1, 2));
        for can in ["clients.capabilities={ elicitation = {} }", "clients.capabilities={ elicitation = { form = {} } }"]
        {
            assert_eq!(call(design, &["fleet.instances=1", can]), call(design, &["fleet.instances=1"]), "{can}");
        }
        let small = call(design, &["clients.capabilities={}", "tool.amount.constant=100"]);
        assert_end(&small, plainly(Outcome::Completed));
    }
}

#[test]
fn shares_between_nought_and_one_split_the_same_people() {
    let ends = |switch: &str| {
        let cells = cells(Carrying, &["replications=400", switch]);
        let count = |name: &str| cells.iter().filter(|cell| end(&cell.records[0]) == name).count();
        ["completed", "declined", "cancelled", "timed_out/person_silent"].map(count)
    };
    let near = |counts: [usize; 4], shares: [f64; 4]| {
        for (count, share) in counts.into_iter().zip(shares) {
            let slack = 5.0 * (share * (1.0 - share) / 400.0).sqrt();
            assert!((count as f64 / 400.0 - share).abs() <= slack, "{counts:?} is not {shares:?}");
        }
    };
    near(ends("people.decide={ accept = 0.5, decline = 0.3, cancel = 0.2 }"), [0.5, 0.3, 0.2, 0.0]);
    near(ends("people.silent=0.25"), [0.75, 0.0, 0.0, 0.25]);
}
