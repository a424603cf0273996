//! Claims about when calls arrive.

use std::io;

use parked::engine::SimTime;
use parked::era::Design::{Carrying, Waiting};
use parked::experiment::Cell;
use parked::scenario::{Files, Source, parse};
use parked::world::Action;

use super::super::common;
use super::{cell, end};

fn arrivals_ns(cell: &Cell) -> Vec<u64> {
    cell.records.iter().map(|record| record.arrived.ns()).collect()
}

fn arrivals(switches: &[&str]) -> Vec<u64> {
    let (waiting, carrying) = (arrivals_ns(&cell(Waiting, switches)), arrivals_ns(&cell(Carrying, switches)));
    assert_eq!(waiting, carrying, "both designs meet the same arrivals");
    waiting
}

#[test]
pub fn twice_the_rate_halves_every_arrival() {
    let slow = arrivals(&["arrivals.poisson.rate=1/s", "run.horizon=20s"]);
    let fast = arrivals(&["arrivals.poisson.rate=2/s", "run.horizon=10s"]);
    assert!(slow.len() > 5 && slow.len().abs_diff(fast.len()) <= 1);
    for (place, (slow, fast)) in slow.iter().zip(&fast).enumerate() {
        // Each gap is rounded once, so the k-th arrival is off by at most one nanosecond per gap.
        assert!(slow.abs_diff(2 * fast) <= 2 * (place as u64 + 1), "arrival {place}: {slow} and {fast}");
    }
}

#[test]
pub fn constant_arrivals_come_one_gap_apart() {
    let seconds = |s: &[u64]| s.iter().map(|s| s * 1_000_000_000).collect::<Vec<_>>();
    assert_eq!(arrivals(&["arrivals.constant.rate=1/s", "run.horizon=4s"]), seconds(&[1, 2, 3, 4]));
    assert_eq!(arrivals(&["arrivals.constant.rate=0.5/s", "run.horizon=4s"]), seconds(&[2, 4]));
}

#[test]
pub fn a_profile_changes_its_rate_where_a_piece_ends() {
    let profile = |until: &str, first: &str, second: &str| {
        let pieces = format!(
            r#"arrivals.profile=[{{ until = "{until}", rate = "{first}" }}, {{ until = "100s", rate = "{second}" }}]"#
        );
        arrivals(&[&pieces, "run.horizon=100s"])
    };
    let late = profile("60s", "0/s", "1/s");
    assert!(!late.is_empty() && late.iter().all(|&ns| ns > 60_000_000_000));
    let later = profile("80s", "0/s", "1/s");
    let moved: Vec<u64> = late.iter().map(|ns| ns + 20_000_000_000).filter(|&ns| ns <= 100_000_000_000).collect();
    assert_eq!(later, moved, "the same arrivals, as much later as the piece ends later");
    let early = profile("60s", "1/s", "0/s");
    assert!(!early.is_empty() && early.iter().all(|&ns| ns <= 60_000_000_000));
}

#[test]
fn a_profile_of_one_rate_is_a_poisson_process_of_that_rate() {
    let one = arrivals(&[r#"arrivals.profile=[{ until = "100s", rate = "1/s" }]"#, "run.horizon=100s"]);
    assert_eq!(one, arrivals(&["arrivals.poisson.rate=1/s", "run.horizon=100s"]));
}

#[test]
pub fn calls_arrive_exactly_when_listed() {
    assert_eq!(arrivals(&[r#"arrivals.at=["1ns", "2s"]"#]), [1, 2_000_000_000]);
    assert_eq!(arrivals(&[r#"arrivals.at=["0s", "10m"]"#]), [0, 600_000_000_000], "the horizon itself is in time");
}

struct Rows(&'static str);

impl Files for Rows {
    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        assert_eq!(name, "rows.csv");
        Ok(self.0.as_bytes().to_vec())
    }
}

#[test]
pub fn a_recorded_call_arrives_thinks_and_acts_as_recorded() {
    let rows = "arrived_s,think_s,action\n1.5,2.25,accept\n2,3,decline\n2.000000001,4,cancel\n3,5,never\n";
    let text = "name = \"claim\"\nrun.horizon = \"1m\"\narrivals.trace.file = \"rows.csv\"\nfleet.instances = 1\n";
    let source = Source { name: "claim.toml".to_owned(), text: text.to_owned() };
    let scenario = parse(source, &[], &Rows(rows)).unwrap_or_else(|invalid| panic!("{}", invalid.render(false)));
    for design in [Waiting, Carrying] {
        let records = common::cell(&scenario, design).records;
        let arrived: Vec<SimTime> = records.iter().map(|record| record.arrived).collect();
        assert_eq!(arrived, [1_500_000_000, 2_000_000_000, 2_000_000_001, 3_000_000_000].map(SimTime::from_ns));
        let seconds = records.iter().map(|record| record.think_ns.map(|ns| ns as f64 / 1e9)).collect::<Vec<_>>();
        assert_eq!(seconds, [Some(2.25), Some(3.0), Some(4.0), None]);
        let actions: Vec<Option<Action>> = records.iter().map(|record| record.action).collect();
        assert_eq!(actions, [Some(Action::Accept), Some(Action::Decline), Some(Action::Cancel), None]);
        let ends: Vec<String> = records.iter().map(end).collect();
        assert_eq!(ends, ["completed", "declined", "cancelled", "timed_out/person_silent"]);
    }
}
