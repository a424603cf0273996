//! Claims about the scenarios from the field whose trouble is a store between the processes, or what hides in one.

use parked::era::Design::{Carrying, Forwarding, Handle, Shim, Waiting};
use parked::metrics::{Incident, Outcome, Record};
use parked::world::Cause;

use super::super::common::{because, plainly};
use super::assert_end;
use super::field::cells;

const OWNER: &str = "the-owner-in-the-store-is-dead.toml";
const INSIDE: &str = "modern-outside-parked-inside.toml";
const LEDGER: &str = "the-ledger-is-out.toml";

const SECOND: u64 = 1_000_000_000;
const HALF: u64 = SECOND / 2;

/// The calls that were parked when the fleet was replaced at ten minutes, with the seconds from then to their answers.
fn orphans(records: &[Record]) -> Vec<(Record, u64)> {
    let release = 600 * SECOND;
    let orphan = |record: &&Record| record.arrived.ns() <= release;
    let answered = |record: &Record| record.arrived.ns() + 600 * SECOND - release;
    records.iter().filter(orphan).map(|record| (*record, answered(record) / SECOND)).collect()
}

#[test]
fn each_answer_to_a_dead_owner_costs_exactly_the_timeout_for_as_long_as_the_store_names_it() {
    for timeout in [30, 60] {
        let cell = &cells(OWNER, Forwarding, &[&format!("store.forward_timeout={timeout}s")])[0];
        let orphans = orphans(&cell.records);
        assert_eq!(orphans.len(), 300);
        for (record, after) in orphans {
            assert_end(&record, because(Outcome::Failed, Cause::Crash));
            let took = (record.ended.ns() - record.arrived.ns()) / SECOND - 600;
            let named = after <= 300;
            assert_eq!(took, if named { timeout } else { 0 }, "{after} s after the release");
            assert_eq!(record.incidents.count(Incident::PassedInVain), u32::from(named));
        }
        // Half an answer a second for as long as each hangs, and one more at the instant at which one comes and one goes.
        assert_eq!(u64::from(cell.tally.passing.peak), timeout / 2 + 1);
        let held = cell.tally.passing.mean * 1200.0 / 300.0;
        assert!((held - timeout as f64 / 2.0).abs() < 1e-9, "{held} slots over the 300 s");
        let later = cell.records.iter().filter(|record| record.arrived.ns() > 600 * SECOND);
        assert!(later.into_iter().all(|record| record.end == plainly(Outcome::Completed)), "fresh calls work");
    }
}

#[test]
fn four_times_the_answers_hold_four_times_the_slots_and_a_deaf_owner_holds_them_for_ever() {
    let cell = &cells(OWNER, Forwarding, &["arrivals={ constant = { rate = \"2/s\" } }"])[0];
    assert_eq!(cell.tally.passing.peak, 60 + 1);
    let deaf = r#"fault=[{ deaf = { at = "10m", select = "all" } }]"#;
    let cell = &cells(OWNER, Forwarding, &[deaf])[0];
    let hung: Vec<&Record> =
        cell.records.iter().filter(|record| record.incidents.count(Incident::PassedInVain) > 0).collect();
    // Three answers in four do not come home by themselves, early and late alike.
    let of = cell.records.len() as f64;
    assert!((hung.len() as f64 - 0.75 * of).abs() < 5.0 * (of * 0.1875).sqrt(), "{} of {of}", hung.len());
    assert!(hung.iter().any(|record| record.arrived.ns() > 1100 * SECOND), "it never recovers");
    assert!(hung.iter().all(|record| record.end == because(Outcome::Failed, Cause::OwnerSilent)));
}

#[test]
fn a_handle_parks_and_loses_what_waiting_does_and_a_shim_the_share_of_its_old_clients() {
    let of = |design| {
        let cells = cells(INSIDE, design, &[]);
        let parked: Vec<f64> = cells.iter().map(|cell| cell.tally.parked.mean).collect();
        let lost: Vec<u32> = cells
            .iter()
            .flat_map(|cell| cell.records.iter().filter(|record| record.end.outcome != Outcome::Completed))
            .map(|record| record.call)
            .collect();
        (parked, lost)
    };
    let [(waits, lost), (handles, lost_too), (carries, none), (shims, some)] =
        [Waiting, Handle, Carrying, Shim].map(of);
    assert!(lost.len() > 400 && lost == lost_too && none.is_empty());
    assert!(carries.iter().all(|&parked| parked == 0.0));
    let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
    // A death empties a handle's memory and a waiting call's alike; 2/s of a minute each are 120.
    assert!((mean(&waits) - mean(&handles)).abs() < 1e-9 * mean(&waits) && (mean(&waits) - 118.0).abs() < 6.0);
    let share = mean(&shims) / mean(&waits);
    assert!((share - 0.3).abs() < 0.02, "{share}");
    let (some, all) = (some.len() as f64, lost.len() as f64);
    assert!((some - 0.3 * all).abs() < 5.0 * (0.21 * all).sqrt(), "{some} of {all}");
}

#[test]
fn while_the_ledger_is_out_an_approval_is_good_for_ten_effects_or_for_none() {
    let entries = |on_outage: &str| {
        let cell = &cells(LEDGER, Carrying, &[&format!("state.on_outage={on_outage}")])[0];
        let answered = |record: &&Record| (600..1200).contains(&((record.arrived.ns() + HALF) / SECOND + 30));
        let (out, up): (Vec<&Record>, Vec<&Record>) = cell.records.iter().partition(answered);
        assert!(up.iter().all(|record| record.entries == 1 && record.end == plainly(Outcome::Completed)));
        assert_eq!((out.len(), up.len()), (600, 1200));
        out.into_iter().copied().collect::<Vec<Record>>()
    };
    assert!(entries("open").iter().all(|record| record.entries == 10));
    for record in entries("closed") {
        assert_end(&record, because(Outcome::Refused, Cause::LedgerDown));
        assert_eq!(record.entries, 0);
    }
}
