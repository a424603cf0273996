//! The claims of the project in both designs: the seed's measurements, and for every key of a scenario what switching
//! that key alone does to a record. A key must never be built without a claim here that shows what it does.

mod arriving;
mod asking;
mod client;
mod deaths;
mod routing;
mod seed;
mod state;
mod threads;
mod when;

use std::collections::{BTreeMap, BTreeSet};

use parked::era::Design;
use parked::experiment::Cell;
use parked::metrics::{End, Record};
use parked::scenario::{Kind, NoFiles, Scenario, Source, keys, parse};

use super::common;

/// One person who thinks for a minute and accepts, two instances, round robin: the seed's set-up.
const ONE_CALL: &str = r#"
format = 1
name = "claim"
replications = 1
run.horizon = "10m"
arrivals.at = ["0s"]
tool.work_before.constant = "2ms"
tool.work_after.constant = "1ms"
people.think.constant = "60s"
people.decide = { accept = 1.0, decline = 0.0, cancel = 0.0 }
fleet.instances = 2
"#;

/// Time before the question, time to think, time after the answer: when the call of [`ONE_CALL`] ends when waiting.
/// Carrying does the 2 ms before the question twice.
const WHOLE_MS: u64 = 2 + 60_000 + 1;

/// The scenario of [`ONE_CALL`] with these keys switched.
fn with(switches: &[&str]) -> Scenario {
    let source = Source { name: "claim.toml".to_owned(), text: ONE_CALL.to_owned() };
    let words: Vec<String> = switches.iter().map(|&word| word.to_owned()).collect();
    parse(source, &words, &NoFiles).unwrap_or_else(|invalid| panic!("{}", invalid.render(false)))
}

/// The record of the only call, with these keys switched.
fn call(design: Design, switches: &[&str]) -> Record {
    common::only_call(&with(switches), design)
}

/// Every replication's cell, with these keys switched.
fn cells(design: Design, switches: &[&str]) -> Vec<Cell> {
    common::run(&Scenario { designs: vec![design], ..with(switches) })
}

/// The only replication's cell, with these keys switched.
fn cell(design: Design, switches: &[&str]) -> Cell {
    common::cell(&with(switches), design)
}

/// `outcome/cause`.
fn end(record: &Record) -> String {
    record.end.to_string()
}

/// How the calls of a cell ended, in the order of their arrival.
fn ends(cell: &Cell) -> Vec<String> {
    cell.records.iter().map(end).collect()
}

/// When a call had its end, ms.
fn ended_ms(record: &Record) -> u64 {
    assert_eq!(record.ended.ns() % 1_000_000, 0, "{} is not a whole number of milliseconds", record.ended);
    record.ended.ns() / 1_000_000
}

/// A test of this module.
type Claim = fn();

/// Which claims show what each key does. Tables are not keys of their own: what stands in them is.
static SHOWN_BY: &[(&str, &[Claim])] = &[
    ("format", &[when::the_format_has_one_version_and_no_other_is_read]),
    ("name", &[when::the_name_and_the_question_reach_the_summary_and_change_no_call]),
    ("question", &[when::the_name_and_the_question_reach_the_summary_and_change_no_call]),
    ("designs", &[when::only_the_designs_named_are_run]),
    ("seed", &[when::another_seed_means_other_people]),
    ("replications", &[when::every_replication_meets_other_people]),
    ("run.start", &[when::a_stationary_start_finds_as_many_people_thinking_as_there_are_in_the_long_run]),
    ("run.stop", &[when::at_the_horizon_an_open_call_is_cut_off_or_followed_to_its_end]),
    ("run.horizon", &[when::no_call_arrives_after_the_horizon]),
    ("run.warm_up", &[when::a_call_that_arrives_before_the_warm_up_ends_is_run_but_not_counted]),
    ("arrivals.poisson.rate", &[arriving::twice_the_rate_halves_every_arrival]),
    ("arrivals.constant.rate", &[arriving::constant_arrivals_come_one_gap_apart]),
    ("arrivals.profile.until", &[arriving::a_profile_changes_its_rate_where_a_piece_ends]),
    ("arrivals.profile.rate", &[arriving::a_profile_changes_its_rate_where_a_piece_ends]),
    ("arrivals.at", &[arriving::calls_arrive_exactly_when_listed]),
    ("arrivals.trace.file", &[arriving::a_recorded_call_arrives_thinks_and_acts_as_recorded]),
    ("tool.body", &[asking::an_amount_up_to_100_passes_without_a_question]),
    ("tool.amount", &[asking::an_amount_up_to_100_passes_without_a_question]),
    ("tool.work_before", &[asking::work_before_the_question_is_done_twice_when_carrying]),
    ("tool.work_after", &[asking::work_after_the_question_is_done_once]),
    (
        "people.think",
        &[asking::a_call_takes_as_long_as_its_person_thinks, asking::every_distribution_can_be_thought_in],
    ),
    ("people.decide.accept", &[asking::only_an_accept_makes_an_entry]),
    ("people.decide.decline", &[asking::only_an_accept_makes_an_entry]),
    ("people.decide.cancel", &[asking::only_an_accept_makes_an_entry]),
    (
        "people.silent",
        &[
            asking::a_silent_person_uses_up_the_clients_patience_in_both_designs,
            asking::without_patience_a_silent_person_leaves_a_call_open_when_waiting_and_abandoned_when_carrying,
        ],
    ),
    ("clients.patience", &[client::patience_ends_a_call_unless_it_ends_at_that_instant]),
    ("clients.on_not_found", &[client::a_client_meets_not_found_in_four_ways]),
    ("clients.on_broken", &[client::a_broken_connection_is_reported_at_once_or_hangs_until_patience_ends]),
    ("clients.resend_pause", &[client::an_answer_is_sent_again_after_the_pause_until_it_comes_home]),
    ("clients.max_rounds", &[client::a_client_gives_up_when_it_was_asked_in_too_many_rounds]),
    ("clients.max_resends", &[client::a_client_gives_up_when_it_sent_an_answer_too_often]),
    ("clients.capabilities", &[asking::a_client_that_declares_nothing_is_never_asked]),
    ("clients.capabilities.elicitation", &[asking::a_client_that_declares_nothing_is_never_asked]),
    ("clients.capabilities.elicitation.form", &[asking::a_client_that_declares_nothing_is_never_asked]),
    ("balancer.policy", &[routing::the_policy_decides_where_an_unbound_answer_goes]),
    ("balancer.stickiness", &[routing::a_learned_stickiness_brings_the_answer_home]),
    ("balancer.redispatch", &[routing::a_refused_connection_is_tried_elsewhere_or_fails_the_call]),
    ("balancer.detection_lag", &[routing::a_dead_instance_gets_messages_until_its_death_is_detected]),
    ("fleet.instances", &[routing::alone_an_instance_gets_every_answer_back]),
    ("fleet.names", &[routing::names_give_the_fleet_its_size_and_change_no_call]),
    ("fleet.threads", &[threads::a_parked_call_keeps_its_thread_from_the_next_call]),
    ("fleet.queue", &[threads::a_call_without_a_thread_waits_in_line_as_far_as_the_line_goes]),
    ("fleet.misroute", &[client::a_client_meets_not_found_in_four_ways]),
    ("state.keys", &[state::a_key_for_each_process_opens_nothing_that_another_sealed]),
    ("state.ttl", &[state::a_state_is_good_up_to_its_last_instant]),
    ("state.signing", &[state::how_many_states_are_signed_for_real_changes_no_call]),
    ("fault.kill.at", &[deaths::a_call_that_ends_at_the_instant_of_the_death_is_in_time]),
    ("fault.kill.select", &[deaths::only_the_instances_selected_die]),
    ("fault.kill.restart_after", &[deaths::a_new_process_serves_what_was_carried_and_knows_nothing_that_was_parked]),
];

#[test]
fn every_key_of_a_scenario_has_a_claim_that_switches_it_alone() {
    let built: BTreeSet<&str> = keys()
        .iter()
        .filter(|key| !matches!(key.kind, Kind::Variants | Kind::VariantsList | Kind::TableList))
        .filter(|key| key.kind != Kind::Table || key.path.starts_with("clients.capabilities"))
        .map(|key| key.path)
        .collect();
    let shown: BTreeMap<&str, usize> = SHOWN_BY.iter().map(|(key, claims)| (*key, claims.len())).collect();
    assert_eq!(shown.len(), SHOWN_BY.len(), "a key is listed twice");
    assert!(shown.values().all(|&claims| claims > 0));
    let shown: BTreeSet<&str> = shown.into_keys().collect();
    let unshown: Vec<_> = built.difference(&shown).collect();
    let gone: Vec<_> = shown.difference(&built).collect();
    assert!(unshown.is_empty() && gone.is_empty(), "without a claim: {unshown:?}; no longer a key: {gone:?}");
}

/// The end that the text `outcome` or `outcome/cause` stands for must be one that the program knows.
fn assert_end(record: &Record, expected: End) {
    assert_eq!(record.end, expected, "call {}: {}", record.call, record.end);
}
