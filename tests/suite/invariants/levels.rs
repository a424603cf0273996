//! What holds for tallies and levels: conservation, limits, sums.

use parked::engine::SimTime;
use parked::era::Design;
use parked::experiment::Cell;
use parked::metrics::{Incident, Outcome, Record};
use parked::scenario::{Arrivals, Run, Scenario, Start, Stop, Unfinished};
use parked::world::SeenBy;

use super::facts::opens_pages;
use super::{Place, swarm};
use crate::common::{run, scenario};

pub fn every_call_that_starts_ends_exactly_once(scenario: &Scenario, cell: &Cell, place: &Place<'_>) {
    let numbers: Vec<u32> = cell.records.iter().map(|record| record.call).collect();
    assert!(numbers.iter().copied().eq(0..numbers.len() as u32), "{place}: a call is missing or ended twice");
    let within = |record: &&Record| record.arrived >= scenario.run.warm_up && record.arrived <= scenario.run.horizon;
    let started = cell.records.iter().filter(within).count() as u64;
    assert_eq!(cell.tally.started, started, "{place}");
    assert_eq!(Outcome::ALL.iter().map(|&outcome| cell.tally.count(outcome)).sum::<u64>(), started, "{place}");
    match &scenario.arrivals {
        Arrivals::At(instants) => assert_eq!(numbers.len(), instants.len(), "{place}"),
        Arrivals::Trace(rows) => assert_eq!(numbers.len(), rows.len(), "{place}"),
        _ => assert!(!numbers.is_empty(), "{place}"),
    }
}

pub fn a_tally_is_the_sum_of_the_records_of_its_window(scenario: &Scenario, cell: &Cell, place: &Place<'_>) {
    let counted = || cell.records.iter().filter(|record| record.arrived >= scenario.run.warm_up);
    let sum = |value: fn(&Record) -> u32| -> u64 { counted().map(|record| u64::from(value(record))).sum() };
    let tally = &cell.tally;
    let orphaned = |record: &Record| if record.end.outcome == Outcome::Completed { 0 } else { record.entries };
    for (name, of_tally, of_records) in [
        ("entries", tally.entries, sum(|record| record.entries)),
        ("entries_again", tally.entries_again, sum(|record| record.entries_again)),
        ("entries_unconfirmed", tally.entries_unconfirmed, sum(|record| record.entries_unconfirmed)),
        ("entries_orphaned", tally.entries_orphaned, sum(orphaned)),
        ("asks", tally.asks, sum(|record| record.asks)),
        ("prompts", tally.prompts, sum(|record| record.prompts)),
        ("invalid_at_client", tally.invalid_at_client, sum(|record| record.invalid_at_client)),
        ("invalid_at_server", tally.invalid_at_server, sum(|record| record.invalid_at_server)),
        ("messages", tally.messages, sum(|record| record.messages)),
        ("state_bytes", tally.state_bytes, sum(|record| record.state_bytes)),
    ] {
        assert_eq!(of_tally, of_records, "{place}: {name}");
    }
    for party in SeenBy::ALL {
        let saw = counted().filter(|record| record.exposed.has(party)).count() as u64;
        assert_eq!(tally.exposed.get(&party).copied().unwrap_or(0), saw, "{place}: {}", party.name());
    }
    for incident in Incident::ALL {
        let happened: u64 = counted().map(|record| u64::from(record.incidents.count(incident))).sum();
        assert_eq!(tally.incidents.get(&incident).copied().unwrap_or(0), happened, "{place}: {}", incident.name());
    }
    assert_eq!(tally.clients.len(), scenario.clients.kinds.len(), "{place}");
    for (kind, client) in tally.clients.iter().enumerate() {
        let of_kind = || counted().filter(|record| usize::from(record.client) == kind);
        assert_eq!(client.started, of_kind().count() as u64, "{place}: kind {kind}");
        for (end, &count) in &client.ends {
            assert_eq!(
                count,
                of_kind().filter(|record| record.end == *end).count() as u64,
                "{place}: kind {kind} {end}"
            );
        }
        assert_eq!(client.ends.values().sum::<u64>(), client.started, "{place}: kind {kind}");
    }
}

pub fn threads_and_waiting_lines_never_exceed_what_the_fleet_has(scenario: &Scenario, cell: &Cell, place: &Place<'_>) {
    // Those that come up beside the first ones included.
    let instances = scenario.fleet.addresses() * scenario.fleet.workers;
    let tally = &cell.tally;
    if let Some(threads) = scenario.fleet.threads {
        assert!(tally.threads_held.peak <= instances * threads, "{place}");
    } else {
        assert_eq!(tally.queue.peak, 0, "{place}: a call waited for one of unlimited threads");
    }
    if let Some(places) = scenario.fleet.queue {
        assert!(tally.queue.peak <= instances * places, "{place}");
    }
}

pub fn every_open_request_holds_a_thread_or_a_place_in_line(_: &Scenario, cell: &Cell, place: &Place<'_>) {
    let tally = &cell.tally;
    assert!(tally.parked.peak <= tally.threads_held.peak && tally.threads_held.peak <= tally.open.peak, "{place}");
    let sum = tally.threads_held.mean + tally.queue.mean;
    // Three divisions and one sum, each rounded once: relative 2^-53 each.
    assert!((tally.open.mean - sum).abs() <= 4.0 * sum * f64::EPSILON, "{place}: {} is not {sum}", tally.open.mean);
}

pub fn a_carried_call_is_parked_only_by_a_server_that_holds_it_for_its_page(
    scenario: &Scenario,
    cell: &Cell,
    place: &Place<'_>,
) {
    if cell.design == Design::Waiting {
        return;
    }
    if scenario.links.unfinished != Unfinished::Block || !opens_pages(scenario) {
        assert_eq!((cell.tally.parked.peak, cell.tally.parked.mean), (0, 0.0), "{place}");
    }
    for record in cell.records.iter().filter(|record| record.parked_ns > 0) {
        let (opened, looked) = (Incident::PageOpened, Incident::NotFinished);
        assert_eq!(scenario.links.unfinished, Unfinished::Block, "{place}: {record:?}");
        assert!(record.incidents.count(opened) > 0 && record.incidents.count(looked) > 0, "{place}: {record:?}");
    }
}

/// Insists on it for each of these, run to the horizon; how many cells of them park anything at all.
pub fn parked_times_are_the_integral(scenarios: impl Iterator<Item = Scenario>) -> u32 {
    let mut parked_at_all = 0;
    for scenario in scenarios {
        // Every stay begins with a call that has a record and is clipped at the horizon, and none at a warm-up.
        let run_to_horizon =
            Run { start: Start::Empty, stop: Stop::Horizon, warm_up: SimTime::ZERO, ..scenario.run.clone() };
        let scenario = Scenario { run: run_to_horizon, ..scenario };
        for cell in run(&scenario) {
            let sum: u64 = cell.records.iter().map(|record| record.parked_ns).sum();
            // Below 2^52 two integrals that differ by one nanosecond have quotients that differ, and the sum is exact.
            assert!(sum < 1 << 52);
            let mean = sum as f64 / scenario.run.horizon.ns() as f64;
            assert_eq!(cell.tally.parked.mean, mean, "{} {}", scenario.name, cell.design.name());
            parked_at_all += u32::from(sum > 0);
        }
    }
    parked_at_all
}

#[test]
fn the_integral_of_the_parked_level_is_the_sum_of_the_parked_times_to_the_nanosecond() {
    let parked_at_all = parked_times_are_the_integral(swarm::scenarios().chain(swarm::plain_scenarios()));
    assert!(parked_at_all > 100, "the swarm hardly parks: {parked_at_all}");
}

#[test]
fn what_is_parked_for_ever_stays_parked_until_the_horizon() {
    let text = "run.horizon = \"10m\"\narrivals.at = [\"0s\"]\npeople.silent = 1.0\nclients.patience = \"none\"\n\
                tool.work_before.constant = \"0s\"";
    for stop in ["cohort", "horizon"] {
        let scenario = scenario(&format!("{text}\nrun.stop = \"{stop}\"\nreplications = 1"));
        let cell = &run(&scenario)[0];
        assert_eq!(
            cell.tally.parked.mean, 1.0,
            "stop = {stop}: the body was parked from the first instant to the last"
        );
    }
}
