//! What holds for every call and every level whatever the scenario: conservation, limits, no effect without a yes. Each
//! claim is tried on random scenarios under both designs: on the few of the quick lane one by one, on many in the slow
//! lane all together.

mod asking;
mod calls;
pub mod facts;
mod legal;
mod levels;
pub mod swarm;

use parked::era::Design;
use parked::experiment::Cell;
use parked::metrics::Record;
use parked::scenario::Scenario;

use crate::common::run;

/// A claim about a cell, with a name for where it is tried.
type OfCell = fn(&Scenario, &Cell, &str);

/// A claim about a call.
type OfCall = fn(&Scenario, Design, &Record, &str);

/// Shows every cell of these scenarios to every check.
fn each(scenarios: impl Iterator<Item = Scenario>, of_cells: &[OfCell], of_calls: &[OfCall]) {
    for scenario in scenarios {
        for cell in run(&scenario) {
            let place = format!("{} {} replication {}", scenario.name, cell.design.name(), cell.replication);
            of_cells.iter().for_each(|check| check(&scenario, &cell, &place));
            for record in &cell.records {
                let place = format!("{place}: {record:?}");
                of_calls.iter().for_each(|check| check(&scenario, cell.design, record, &place));
            }
        }
    }
}

/// A test of each claim on the swarm, and the lists of all.
macro_rules! invariants {
    (cells: [$($of_cell:ident::$cell:ident,)*] calls: [$($of_call:ident::$call:ident,)*]) => {
        const OF_CELLS: &[OfCell] = &[$($of_cell::$cell),*];
        const OF_CALLS: &[OfCall] = &[$($of_call::$call),*];
        $(#[test] fn $cell() { each(swarm::scenarios(), &[$of_cell::$cell], &[]); })*
        $(#[test] fn $call() { each(swarm::scenarios(), &[], &[$of_call::$call]); })*
    };
}

invariants! {
    cells: [
        levels::every_call_that_starts_ends_exactly_once,
        levels::a_tally_is_the_sum_of_the_records_of_its_window,
        levels::threads_and_waiting_lines_never_exceed_what_the_fleet_has,
        levels::every_open_request_holds_a_thread_or_a_place_in_line,
        levels::a_carried_call_is_never_parked,
        legal::every_call_ends_in_a_legal_pair_of_outcome_and_cause,
    ]
    calls: [
        calls::a_call_without_second_tries_sends_one_request_and_one_message_per_answer,
        calls::a_second_try_costs_one_message_and_no_client_tries_more_often_than_it_may,
        calls::a_call_ends_by_what_its_person_said,
        calls::a_call_that_waits_carries_no_state_and_does_no_work_twice_unless_it_is_started_again,
        calls::no_call_is_asked_before_it_arrived_or_ends_before_it_was_asked,
        calls::no_call_outlives_its_clients_patience_and_a_timeout_comes_at_its_very_end,
        calls::nothing_ends_after_the_horizon_when_the_run_stops_there,
        asking::a_completed_call_has_the_entries_of_its_body_and_no_other_has_one_that_stands_after_its_last_stop,
        asking::only_a_server_that_fails_open_or_a_model_that_lies_makes_an_entry_that_nobody_was_asked_about,
        asking::nothing_is_sent_to_a_client_that_did_not_declare_it,
        asking::a_client_that_shows_nothing_prompts_nobody,
        asking::a_host_that_checks_lets_no_misfit_through_and_one_that_does_not_holds_none_back,
        asking::a_machines_cause_stands_only_where_the_machine_ended_the_call,
        asking::a_secret_is_seen_only_where_it_was_typed_into_a_form_and_by_those_on_its_way,
    ]
}

#[test]
#[ignore = "slow lane: 2,000 scenarios"]
fn slow_every_invariant_holds_in_two_thousand_scenarios() {
    each((0..2000).map(swarm::scenario), OF_CELLS, OF_CALLS);
}
