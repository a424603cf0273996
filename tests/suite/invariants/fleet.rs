//! What holds whatever is done to a fleet: conservation, and no loss without its cause.

use parked::era::Design;
use parked::experiment::Cell;
use parked::metrics::{Outcome, Record};
use parked::scenario::{Fault, Scenario};
use parked::world::Cause;

use super::swarm::{MANY, fleet};
use super::{OfCall, OfCell, Place, asking, calls, levels, show};
use crate::common::run;

/// What holds of every cell of a fleet that is changed.
pub const OF_CELLS: &[OfCell] = &[
    levels::every_call_that_starts_ends_exactly_once,
    levels::a_tally_is_the_sum_of_the_records_of_its_window,
    levels::threads_and_waiting_lines_never_exceed_what_the_fleet_has,
];

const OF_CALLS: &[OfCall] = &[
    calls::nothing_ends_after_the_horizon_when_the_run_stops_there,
    asking::nothing_is_sent_to_a_client_that_did_not_declare_it,
    asking::a_client_that_shows_nothing_prompts_nobody,
    what_is_done_to_a_fleet_is_the_cause_only_where_it_is_done,
];

fn what_is_done_to_a_fleet_is_the_cause_only_where_it_is_done(
    scenario: &Scenario,
    design: Design,
    record: &Record,
    place: &Place<'_>,
) {
    let any = |of: fn(&Fault) -> bool| scenario.faults.iter().any(of);
    let is_done = match record.end.cause {
        Some(Cause::Drain) => any(|fault| matches!(fault, Fault::Deploy { .. })),
        Some(Cause::ScaleIn) => scenario.fleet.scaling.is_some() || any(|fault| matches!(fault, Fault::Scale { .. })),
        Some(Cause::Reclaimed) => any(|fault| matches!(fault, Fault::Reclaim { .. })),
        Some(Cause::OtherEra) => design == Design::Migrating,
        _ => true,
    };
    assert!(is_done, "{place}");
    let lost = record.end.outcome == Outcome::Lost;
    assert!(!lost || record.end.cause.is_some(), "{place}: lost for nothing");
}

#[test]
fn whatever_is_done_to_a_fleet_breaks_no_invariant() {
    for scenario in (0..2 * MANY).map(fleet::scenario) {
        show(&scenario, &run(&scenario), OF_CELLS, OF_CALLS);
    }
}

#[test]
#[ignore = "slow lane: 2,000 scenarios"]
fn slow_whatever_is_done_to_a_fleet_breaks_no_invariant_in_two_thousand_scenarios() {
    for scenario in (0..2000).map(fleet::scenario) {
        show(&scenario, &run(&scenario), OF_CELLS, OF_CALLS);
    }
}

#[test]
fn the_integral_of_the_parked_level_is_the_sum_of_the_parked_times_whatever_is_done_to_a_fleet() {
    let parked_at_all = levels::parked_times_are_the_integral((0..2 * MANY).map(fleet::scenario));
    assert!(parked_at_all > 50, "the swarm hardly parks: {parked_at_all}");
}

#[test]
fn the_swarm_of_fleets_meets_every_cause_that_can_be_met() {
    let mut causes = vec![Cause::Drain, Cause::ScaleIn, Cause::Reclaimed, Cause::OtherEra];
    let seen = |cell: &Cell, cause: &Cause| cell.tally.ends.keys().any(|end| end.cause == Some(*cause));
    for scenario in (0..2000).map(fleet::scenario) {
        for cell in run(&scenario) {
            causes.retain(|cause| !seen(&cell, cause));
        }
        if causes.is_empty() {
            return;
        }
    }
    panic!("never seen: {causes:?}");
}
