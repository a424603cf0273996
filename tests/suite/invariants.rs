//! What holds for every call and every level whatever the scenario: conservation, limits, no effect without a yes. Each
//! claim is tried on random scenarios under both designs: on the few of the quick lane one by one, on many in the slow
//! lane all together.

mod asking;
mod calls;
mod effects;
pub mod facts;
mod fleet;
mod legal;
mod levels;
mod links;
mod states;
pub mod swarm;
mod versions;
mod ways;

use std::fmt;
use std::sync::LazyLock;

use parked::era::Design;
use parked::experiment::Cell;
use parked::metrics::Record;
use parked::scenario::Scenario;

use crate::common::run;

/// Where a claim is tried: put into words only when it fails.
pub struct Place<'a> {
    scenario: &'a Scenario,
    cell: &'a Cell,
    record: Option<&'a Record>,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, design) = (&self.scenario.name, self.cell.design.name());
        write!(f, "{name} {design} replication {}", self.cell.replication)?;
        self.record.map_or(Ok(()), |record| write!(f, ": {record:?}"))
    }
}

/// A claim about a cell, with a name for where it is tried.
type OfCell = fn(&Scenario, &Cell, &Place<'_>);

/// A claim about a call.
type OfCall = fn(&Scenario, Design, &Record, &Place<'_>);

/// The scenarios of the quick lane with their cells: run once, and looked at by every claim.
static SEEN: LazyLock<Vec<(Scenario, Vec<Cell>)>> = LazyLock::new(|| {
    let scenarios = (0..4 * swarm::MANY).map(swarm::scenario);
    scenarios
        .map(|scenario| {
            let cells = run(&scenario);
            (scenario, cells)
        })
        .collect()
});

/// Shows every cell of a scenario to every check.
fn show(scenario: &Scenario, cells: &[Cell], of_cells: &[OfCell], of_calls: &[OfCall]) {
    for cell in cells {
        let place = Place { scenario, cell, record: None };
        of_cells.iter().for_each(|check| check(scenario, cell, &place));
        for record in &cell.records {
            let place = Place { record: Some(record), ..place };
            of_calls.iter().for_each(|check| check(scenario, cell.design, record, &place));
        }
    }
}

/// Shows the scenarios of the quick lane to every check.
fn each(of_cells: &[OfCell], of_calls: &[OfCall]) {
    SEEN.iter().for_each(|(scenario, cells)| show(scenario, cells, of_cells, of_calls));
}

/// A test of each claim on the swarm, and the lists of all.
macro_rules! invariants {
    (cells: [$($of_cell:ident::$cell:ident,)*] calls: [$($of_call:ident::$call:ident,)*]) => {
        const OF_CELLS: &[OfCell] = &[$($of_cell::$cell),*];
        const OF_CALLS: &[OfCall] = &[$($of_call::$call),*];
        $(#[test] fn $cell() { each(&[$of_cell::$cell], &[]); })*
        $(#[test] fn $call() { each(&[], &[$of_call::$call]); })*
    };
}

invariants! {
    cells: [
        levels::every_call_that_starts_ends_exactly_once,
        levels::a_tally_is_the_sum_of_the_records_of_its_window,
        levels::threads_and_waiting_lines_never_exceed_what_the_fleet_has,
        levels::every_open_request_holds_a_thread_or_a_place_in_line,
        levels::a_carried_call_is_parked_only_by_a_server_that_holds_it_for_its_page,
        links::a_calendar_has_an_entry_only_once_its_user_has_a_grant,
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
        links::a_page_opens_only_where_its_person_accepted_a_link_that_may_be_shown,
        links::a_page_stores_a_grant_or_is_refused_and_never_both_unless_its_callback_comes_twice,
        links::each_refusal_of_a_page_needs_what_it_is_refused_for,
        links::a_grant_of_somebody_elses_account_needs_a_forwarded_link_and_a_check_that_lets_it_through,
        links::every_look_at_an_unfinished_page_is_a_round_or_holds_the_call,
        links::a_call_whose_page_brought_nothing_does_not_complete,
        states::a_state_is_sent_again_only_after_its_call_has_completed_and_as_often_as_it_is_said,
        states::an_entry_is_made_again_only_by_a_state_that_no_ledger_stands_before,
        states::a_state_is_hijacked_only_where_it_is_not_bound,
        states::only_a_state_that_was_used_is_answered_as_before,
        states::a_server_tells_every_cause_apart_but_another_key_from_changed_bytes,
    ]
}

#[test]
#[ignore = "slow lane: 2,000 scenarios"]
fn slow_every_invariant_holds_in_two_thousand_scenarios() {
    for scenario in (0..2000).map(swarm::scenario) {
        show(&scenario, &run(&scenario), OF_CELLS, OF_CALLS);
    }
}
