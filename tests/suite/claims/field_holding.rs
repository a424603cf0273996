//! Claims about the scenarios whose trouble is what a process or a proxy can hold, and what that costs.

use parked::era::Design::{Carrying, Waiting};
use parked::experiment::{Resource, Summary};
use parked::metrics::{Incident, Outcome};
use parked::scenario::Scenario;
use parked::world::Cause;

use super::super::common::{because, plainly, run};
use super::field::{cells, shipped};

const GOODBYE: &str = "nobody-says-goodbye.toml";
const PROXY: &str = "no-connection-left.toml";
const BILL: &str = "../the-whole-bill.toml";

const MEGABYTE: f64 = 1e6;
const MIB: f64 = 1_048_576.0;

#[test]
fn sessions_that_nobody_ends_grow_by_the_stated_megabytes_a_day() {
    let day = ["run.horizon=1d", "fleet.memory.limit=unlimited", "replications=20"];
    let cells = cells(GOODBYE, Waiting, &day);
    // Left behind at a steady rate, half of a day's sessions stand on average.
    let a_day: Vec<f64> = cells.iter().map(|cell| 2.0 * cell.tally.sessions.mean * 0.1).collect();
    let mean = a_day.iter().sum::<f64>() / 20.0;
    let variance = a_day.iter().map(|mb| (mb - mean) * (mb - mean)).sum::<f64>() / 19.0;
    let exact = 1049.0 * (1.0 - 0.082) * 0.1;
    assert!((mean - exact).abs() < 5.0 * (variance / 20.0).sqrt(), "{mean} MB a day, not {exact}");
    assert!((exact - 96.3).abs() < 0.01 * MEGABYTE / MEGABYTE, "{exact}");
    let left: u64 = cells.iter().map(|cell| cell.tally.incidents[&Incident::SessionLeft]).sum();
    let opened: u64 = cells.iter().map(|cell| cell.tally.started).sum();
    let sd = (opened as f64 * 0.918 * 0.082).sqrt();
    assert!((left as f64 - 0.918 * opened as f64).abs() < 5.0 * sd, "{left} of {opened}");
}

#[test]
fn seven_hundred_and_twenty_sessions_of_110_kib_are_77_mib_a_day() {
    let day =
        ["run.horizon=1d", "arrivals={ constant = { rate = \"720/d\" } }", "clients.goodbye=0.0", "replications=1"];
    let memory = ["fleet.memory={ limit = \"unlimited\", per_session = \"110KiB\" }"];
    let tally = &cells(GOODBYE, Waiting, &[&day[..], &memory].concat())[0].tally;
    assert_eq!(tally.sessions.peak, 720);
    let mib = f64::from(tally.sessions.peak) * 110.0 * 1024.0 / MIB;
    assert!((mib - 77.34).abs() < 0.01, "{mib}");
}

#[test]
fn the_container_is_killed_every_four_or_five_days_and_a_clock_on_sessions_keeps_it_alive() {
    for cell in cells(GOODBYE, Waiting, &[]) {
        // 4370 sessions fit above the base; four and a half days of them come three times in fourteen.
        assert_eq!((cell.tally.killed[&Cause::OutOfMemory], cell.tally.sessions.peak), (3, 4371));
        // Each kill hits the call whose session was one too many.
        let killed = because(Outcome::Lost, Cause::OutOfMemory);
        assert_eq!(cell.records.iter().filter(|record| record.end == killed).count(), 3);
    }
    let hour = cells(GOODBYE, Waiting, &["fleet.session_idle=1h"]);
    assert!(hour.iter().all(|cell| cell.tally.killed.is_empty() && cell.tally.sessions.peak < 100));
    for cell in cells(GOODBYE, Carrying, &[]) {
        assert_eq!((cell.tally.killed.len(), cell.tally.sessions.peak), (0, 0), "there are no sessions to leave");
    }
}

#[test]
fn a_proxy_parks_as_many_calls_as_it_has_connections_for_and_carrying_needs_none() {
    let waiting = &cells(PROXY, Waiting, &[])[0];
    let turned_away = because(Outcome::Rejected, Cause::SlotsFull);
    let [parked, away] = [plainly(Outcome::Completed), turned_away]
        .map(|end| waiting.records.iter().filter(|record| record.end == end).count());
    assert_eq!((waiting.records.len(), parked, away, waiting.tally.parked.peak), (300, 192, 108, 192));
    let carrying = &cells(PROXY, Carrying, &[])[0];
    assert_eq!((carrying.records.len(), carrying.tally.count(Outcome::Completed)), (300, 300));
}

#[test]
fn at_fifty_calls_a_second_waiting_needs_sixteen_instances_and_carrying_two() {
    let bills = |scenario: &Scenario| {
        let summary = Summary::of(scenario, &run(scenario));
        [Waiting, Carrying].map(|design| {
            let bill = summary.points[0].designs[&design].bill.as_ref().expect("it has prices");
            (bill.instances, bill.decided_by, (bill.per_hour * 1e3).round() / 1e3)
        })
    };
    let (threads, cpu) = (Resource::Threads, Resource::Cpu);
    assert_eq!(bills(&shipped(BILL, &[])), [(16, threads, 1.536), (2, cpu, 0.192)]);
    let slow = shipped(BILL, &["arrivals.poisson.rate=5/s"]);
    assert_eq!(bills(&slow), [(2, threads, 0.192), (2, cpu, 0.192)]);
}

#[test]
#[ignore = "slow lane: thirty thousand people at once"]
fn at_five_hundred_calls_a_second_waiting_needs_153_instances_and_carrying_seven() {
    let scenario = shipped(BILL, &["arrivals.poisson.rate=500/s", "run.horizon=2000s"]);
    let summary = Summary::of(&scenario, &run(&scenario));
    let [waiting, carrying] =
        [Waiting, Carrying].map(|design| summary.points[0].designs[&design].bill.as_ref().expect("it has prices"));
    assert_eq!((waiting.instances, carrying.instances), (153, 7));
    assert!((waiting.per_hour - 14.688).abs() < 1e-9 && (carrying.per_hour - 0.672).abs() < 1e-9);
}
