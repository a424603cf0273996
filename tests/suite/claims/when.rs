//! Claims about what is run, when it starts to count and when it stops.

use parked::era::Design::{Carrying, Waiting};
use parked::experiment::{Cell, Summary};
use parked::metrics::Outcome;
use parked::scenario::{NoFiles, Source, parse};

use super::super::common::{self, plainly};
use super::{WHOLE_MS, assert_end, call, cell, cells, end, ended_ms, with};

/// People whose think times differ.
const VARIED: &str = "people.think.exponential.mean=60s";

#[test]
pub fn the_format_has_one_version_and_no_other_is_read() {
    let read = |format| {
        let text = format!("format = {format}\nname = \"a\"\n");
        parse(Source { name: "a.toml".to_owned(), text }, &[], &NoFiles).is_ok()
    };
    assert!(read(1) && !read(0) && !read(2));
}

#[test]
pub fn the_name_and_the_question_reach_the_summary_and_change_no_call() {
    let (plain, named) = (with(&[]), with(&["name=other", "question=Why?"]));
    let summary = |scenario| Summary::of(scenario, &common::run(scenario));
    let (before, after) = (summary(&plain), summary(&named));
    assert_eq!((before.scenario.as_str(), before.question.as_str()), ("claim", ""));
    assert_eq!((after.scenario.as_str(), after.question.as_str()), ("other", "Why?"));
    assert_eq!(before.points, after.points);
}

#[test]
pub fn a_preset_brings_the_defaults_of_an_sdk_to_a_call() {
    // The second message of the handshake meets the process that has never heard of the session.
    let [plain, rmcp, alone] = [&[][..], &["preset=rmcp-3.11"], &["preset=rmcp-3.11", "fleet.instances=1"]]
        .map(|switches| call(Waiting, switches));
    assert_eq!((plain.messages, rmcp.prompts, rmcp.entries), (2, 0, 0));
    assert_eq!((end(&rmcp).as_str(), end(&alone).as_str()), ("failed/misrouted", "completed"));
    assert_eq!((alone.prompts, alone.entries), (1, 1));
    let python = |switches: &[&str]| end(&call(Carrying, &[&["preset=python-2.3"], switches].concat()));
    assert_eq!(python(&["state.keys=shared"]), "completed");
    assert_eq!(python(&["fleet.instances=1"]), "completed");
    assert_eq!(python(&[]), "refused/wrong_key");
}

#[test]
pub fn only_the_designs_named_are_run() {
    let designs = |switch| common::run(&with(&[switch])).iter().map(|cell| cell.design).collect::<Vec<_>>();
    assert_eq!(designs(r#"designs=["waiting"]"#), [Waiting]);
    assert_eq!(designs(r#"designs=["carrying"]"#), [Carrying]);
    assert_eq!(designs(r#"designs=["carrying", "waiting"]"#), [Carrying, Waiting]);
}

#[test]
pub fn another_seed_means_other_people() {
    let think = |seed| call(Carrying, &[VARIED, seed]).think_ns.expect("everybody answers");
    assert_eq!(think("seed=1"), think("seed=1"));
    assert_ne!(think("seed=1"), think("seed=2"));
}

#[test]
pub fn every_replication_meets_other_people() {
    let thinks = |n| -> Vec<_> { cells(Carrying, &[VARIED, n]).iter().map(|cell| cell.records[0].think_ns).collect() };
    let (two, three) = (thinks("replications=2"), thinks("replications=3"));
    assert_eq!((two.len(), three.len()), (2, 3));
    assert_eq!(two, three[..2], "a replication is the same among two and among three");
    assert!(three[0] != three[1] && three[1] != three[2] && three[0] != three[2]);
}

#[test]
pub fn a_stationary_start_finds_as_many_people_thinking_as_there_are_in_the_long_run() {
    let steady = |design, start| {
        let fleet = ["fleet.threads=unlimited", "fleet.misroute=not-found", "balancer.stickiness=learned"];
        let calls = ["arrivals.poisson.rate=5/s", VARIED, "clients.patience=none", "run.horizon=1m", start];
        cell(design, &[&fleet[..], &calls].concat())
    };
    let [empty, stationary] = ["run.start=empty", "run.start=stationary"].map(|start| steady(Waiting, start));
    // 5/s times 60 s are parked in the long run; from empty, over the first minute, 300 / e on average. Each count is
    // Poisson, and the average over a minute varies less: five standard deviations are at most 87 and 53.
    assert!((stationary.tally.parked.mean - 300.0).abs() < 87.0, "{}", stationary.tally.parked.mean);
    assert!((empty.tally.parked.mean - 110.4).abs() < 53.0, "{}", empty.tally.parked.mean);
    let people = |cell: &Cell| cell.records.iter().map(|r| (r.call, r.arrived, r.think_ns, r.end)).collect::<Vec<_>>();
    assert_eq!(people(&stationary), people(&empty), "who stands there at the start is no call of the run");
    let carrying = steady(Carrying, "run.start=stationary");
    assert_eq!((carrying.tally.parked.peak, carrying.tally.started), (0, stationary.tally.started));
}

#[test]
pub fn at_the_horizon_an_open_call_is_cut_off_or_followed_to_its_end() {
    for (design, whole_ms) in [(Waiting, WHOLE_MS), (Carrying, WHOLE_MS + 2)] {
        let alone = ["fleet.instances=1", "run.horizon=30s"];
        let followed = call(design, &alone);
        assert_end(&followed, plainly(Outcome::Completed));
        assert_eq!(ended_ms(&followed), whole_ms);
        let cut = call(design, &[alone[0], alone[1], "run.stop=horizon"]);
        assert_end(&cut, plainly(Outcome::OpenAtEnd));
        assert_eq!((ended_ms(&cut), cut.entries), (30_000, 0));
    }
}

#[test]
fn a_call_that_ends_at_the_horizon_is_not_cut_off() {
    for (design, whole_ms) in [(Waiting, WHOLE_MS), (Carrying, WHOLE_MS + 2)] {
        let at = |ms: u64| {
            let horizon = format!("run.horizon={ms}ms");
            end(&call(design, &["fleet.instances=1", "run.stop=horizon", &horizon]))
        };
        assert_eq!(at(whole_ms), "completed", "{design:?}");
        assert_eq!(at(whole_ms - 1), "open_at_end", "{design:?}");
    }
}

#[test]
pub fn no_call_arrives_after_the_horizon() {
    for design in [Waiting, Carrying] {
        let arrivals = |horizon| cell(design, &["arrivals.constant.rate=1/s", horizon]).records.len();
        assert_eq!(arrivals("run.horizon=10s"), 10, "an arrival at the horizon is in time");
        assert_eq!(arrivals("run.horizon=9999999999ns"), 9);
    }
}

#[test]
pub fn a_call_that_arrives_before_the_warm_up_ends_is_run_but_not_counted() {
    for design in [Waiting, Carrying] {
        let counted = |warm_up| {
            let cell = cell(design, &[r#"arrivals.at=["0s", "50s", "100s"]"#, "fleet.instances=1", warm_up]);
            assert_eq!(cell.records.len(), 3);
            (cell.tally.started, cell.tally.entries)
        };
        assert_eq!(counted("run.warm_up=0s"), (3, 3));
        assert_eq!(counted("run.warm_up=50s"), (2, 2), "an arrival at the end of the warm-up counts");
        assert_eq!(counted("run.warm_up=50000000001ns"), (1, 1));
    }
}

#[test]
fn levels_are_averaged_over_what_follows_the_warm_up() {
    let parked = |warm_up| cell(Waiting, &["fleet.instances=1", warm_up]).tally.parked.mean;
    assert_eq!(parked("run.warm_up=0s"), 60.0 / 600.0);
    // Asked at 2 ms, so parked until 60.002 s; of that, what lies after 30 s.
    assert_eq!(parked("run.warm_up=30s"), 30.002 / 570.0);
}
