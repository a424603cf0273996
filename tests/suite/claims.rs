//! The claims of the project in both designs: the seed's measurements, and for every key of a scenario what switching
//! that key alone does to a record. A key must never be built without a claim here that shows what it does.

mod arriving;
mod asking;
mod behaviours;
mod bodies;
mod capabilities;
mod client;
mod deaths;
mod downgrades;
mod field;
mod field_states;
mod forms_typed;
mod identity;
mod kinds;
mod links;
mod policies;
mod replays;
mod routing;
mod secrets;
mod seed;
mod state;
mod states;
mod threads;
mod when;

use std::collections::{BTreeMap, BTreeSet};

use parked::era::Design;
use parked::experiment::{Cell, story};
use parked::metrics::{End, Record};
use parked::scenario::{Files, Kind, NoFiles, Scenario, Source, keys, parse};
use parked::world::SeenBy;

use super::common;

/// One person who thinks for a minute and accepts, two instances, round robin: the seed's set-up.
const ONE_CALL: &str = r#"
format = 1
name = "claim"
replications = 1
run.horizon = "10m"
arrivals.at = ["0s"]
people.think.constant = "60s"
people.decide = { accept = 1.0, decline = 0.0, cancel = 0.0 }
fleet.instances = 2
"#;

/// What the bodies that are not described in steps spend on a thread.
const WORK: &str = "tool.work_before.constant = \"2ms\"\ntool.work_after.constant = \"1ms\"\n";

const DESIGNS: [Design; 2] = [Design::Waiting, Design::Carrying];

/// So that an answer comes home in both designs.
const ALONE: &str = "fleet.instances=1";

/// Time before the question, time to think, time after the answer: when the call of [`ONE_CALL`] ends when waiting.
/// Carrying does the 2 ms before the question twice.
const WHOLE_MS: u64 = 2 + 60_000 + 1;

/// The scenario of this text with these keys switched.
fn read(text: String, switches: &[&str], files: &dyn Files) -> Scenario {
    let source = Source { name: "claim.toml".to_owned(), text };
    let words: Vec<String> = switches.iter().map(|&word| word.to_owned()).collect();
    parse(source, &words, files).unwrap_or_else(|invalid| panic!("{}", invalid.render(false)))
}

/// The scenario of [`ONE_CALL`] with these keys switched.
fn with(switches: &[&str]) -> Scenario {
    read(format!("{ONE_CALL}{WORK}"), switches, &NoFiles)
}

/// A page behind a link that is finished at once, and a server that waits for it: no round more than a form takes.
const PAGE_AT_ONCE: &str = "links.page.constant = \"0s\"\nlinks.unfinished.block = true\n";

/// The same people and one instance, but a body of these steps; each file that they name holds this text.
fn in_steps(steps: &str, file: &'static str, switches: &[&str]) -> Scenario {
    let text = format!("{ONE_CALL}{PAGE_AT_ONCE}tool.body = \"steps\"\ntool.step = [{steps}]\n");
    read(text, &[&[ALONE], switches].concat(), &EveryFile(file))
}

/// Every file holds this text.
struct EveryFile(&'static str);

impl Files for EveryFile {
    fn read(&self, _: &str) -> std::io::Result<Vec<u8>> {
        Ok(self.0.as_bytes().to_vec())
    }
}

/// What the story of the first call says, step by step.
fn told(scenario: &Scenario, design: Design) -> Vec<String> {
    let (steps, _) = story(scenario, design, 0, 0).expect("the first call of the first replication ended");
    steps.into_iter().map(|step| step.what).collect()
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

/// Who saw a secret of the call, in words.
fn seen_by(record: &Record) -> Vec<&'static str> {
    record.exposed.parties().map(SeenBy::name).collect()
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
    ("tool.body", &[bodies::each_body_asks_and_enters_as_often_as_it_says]),
    ("tool.amount", &[asking::an_amount_up_to_100_passes_without_a_question]),
    ("tool.work_before", &[asking::work_before_the_question_is_done_twice_when_carrying]),
    ("tool.work_after", &[asking::work_after_the_question_is_done_once]),
    ("tool.unable", &[policies::each_policy_sends_enters_and_prompts_as_it_says_when_the_client_cannot_be_asked]),
    ("tool.on_invalid", &[forms_typed::a_server_refuses_an_answer_that_does_not_fit_or_asks_the_same_again]),
    ("tool.effects_in_state", &[bodies::an_effect_recorded_in_the_state_is_made_once_however_often_the_body_runs]),
    ("tool.seen_by", &[secrets::a_party_that_keeps_nothing_saw_nothing_and_the_client_always_sees]),
    ("tool.step.work", &[bodies::work_of_a_step_is_spent_where_it_stands]),
    ("tool.step.ask.key", &[bodies::a_longer_key_makes_a_larger_state_once_its_answer_is_sealed]),
    ("tool.step.ask.kind", &[capabilities::an_ask_is_sent_to_a_client_that_declared_its_kind_and_to_no_other]),
    ("tool.step.ask.message", &[forms_typed::a_message_is_what_the_person_reads_and_the_host_screens]),
    ("tool.step.ask.form", &[forms_typed::the_form_of_an_ask_decides_what_fits_and_whether_it_may_be_sent]),
    ("tool.step.ask.typed", &[forms_typed::one_right_answer_is_as_good_as_another]),
    ("tool.step.ask.mistyped", &[forms_typed::a_wrong_answer_that_fits_the_form_is_caught_by_nobody]),
    ("tool.step.ask.sensitive", &[secrets::a_secret_typed_into_a_form_is_seen_by_everybody_on_its_way]),
    ("tool.step.post", &[bodies::every_post_of_a_step_makes_an_entry_in_the_ledger_it_names]),
    ("people.wrong_tries", &[forms_typed::each_wrong_try_costs_one_more_prompt_and_its_time_to_think]),
    ("people.users", &[identity::a_connected_person_is_not_asked_again_and_everybody_else_is]),
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
    ("clients.max_reasks", &[forms_typed::a_host_asks_again_up_to_its_limit_and_then_cancels]),
    ("clients.capabilities", &[asking::a_client_that_declares_nothing_is_never_asked]),
    ("clients.capabilities.elicitation", &[asking::a_client_that_declares_nothing_is_never_asked]),
    ("clients.capabilities.elicitation.form", &[asking::a_client_that_declares_nothing_is_never_asked]),
    (
        "clients.capabilities.elicitation.url",
        &[capabilities::an_ask_is_sent_to_a_client_that_declared_its_kind_and_to_no_other],
    ),
    (
        "clients.capabilities.sampling",
        &[capabilities::an_ask_is_sent_to_a_client_that_declared_its_kind_and_to_no_other],
    ),
    (
        "clients.capabilities.sampling.tools",
        &[capabilities::an_ask_is_sent_to_a_client_that_declared_its_kind_and_to_no_other],
    ),
    (
        "clients.capabilities.sampling.context",
        &[capabilities::an_ask_is_sent_to_a_client_that_declared_its_kind_and_to_no_other],
    ),
    ("clients.capabilities.roots", &[capabilities::an_ask_is_sent_to_a_client_that_declared_its_kind_and_to_no_other]),
    (
        "clients.capabilities_on_retry",
        &[capabilities::a_declaration_that_shrinks_between_two_rounds_counts_when_carrying],
    ),
    ("clients.on_ask.show", &[behaviours::a_client_shows_an_ask_or_hangs_or_cancels]),
    ("clients.on_ask.hang", &[behaviours::a_client_shows_an_ask_or_hangs_or_cancels]),
    ("clients.on_ask.cancel", &[behaviours::a_client_shows_an_ask_or_hangs_or_cancels]),
    ("clients.checks_answers", &[forms_typed::an_answer_that_no_host_checks_is_stopped_at_the_server]),
    ("clients.screens_forms", &[forms_typed::only_a_host_that_screens_keeps_back_a_form_that_names_a_secret]),
    ("clients.inspects_links", &[links::only_a_client_that_looks_at_addresses_keeps_a_dangerous_one_from_its_person]),
    ("clients.mix.name", &[kinds::the_name_of_a_kind_reaches_the_summary_and_changes_no_call]),
    ("clients.mix.share", &[kinds::a_larger_share_turns_further_calls_to_a_kind_and_takes_none_away]),
    ("clients.mix.capabilities", &[kinds::what_a_kind_says_itself_holds_for_its_calls_and_for_no_others]),
    ("clients.mix.capabilities_on_retry", &[kinds::what_a_kind_says_itself_holds_for_its_calls_and_for_no_others]),
    ("clients.mix.on_ask", &[kinds::what_a_kind_says_itself_holds_for_its_calls_and_for_no_others]),
    ("clients.mix.checks_answers", &[kinds::what_a_kind_says_itself_holds_for_its_calls_and_for_no_others]),
    ("clients.mix.screens_forms", &[kinds::what_a_kind_says_itself_holds_for_its_calls_and_for_no_others]),
    ("clients.mix.inspects_links", &[links::a_kind_of_client_that_does_not_look_opens_what_the_others_keep_back]),
    ("clients.model.calls_again", &[policies::a_model_that_does_not_call_again_leaves_the_call_unsupported]),
    ("clients.model.truthful", &[policies::a_model_that_asks_nobody_makes_an_unconfirmed_entry]),
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
    ("state.binds_principal", &[states::without_a_binding_to_its_user_a_stolen_state_is_served]),
    ("state.binds_request", &[states::without_a_binding_to_its_call_a_state_is_served_on_another_one]),
    ("state.key_id", &[states::a_key_id_tells_the_server_another_key_from_changed_bytes_and_changes_nothing_else]),
    ("state.ledger", &[replays::a_state_is_good_once_for_each_that_keeps_the_used_ones]),
    ("state.on_outage", &[replays::while_the_store_cannot_be_asked_a_state_is_refused_or_served_as_the_server_says]),
    ("state.remembers", &[replays::a_ledger_that_remembers_gives_the_result_of_the_first_use_again]),
    ("links.address", &[links::only_a_client_that_looks_at_addresses_keeps_a_dangerous_one_from_its_person]),
    ("links.server", &[links::an_address_at_another_host_than_the_servers_is_warned_of_and_opened_all_the_same]),
    (
        "links.page",
        &[
            links::a_call_goes_on_at_the_first_look_after_its_page_is_finished,
            links::a_page_that_is_never_finished_leaves_its_call_to_the_clients_limits,
        ],
    ),
    ("links.unfinished.poll", &[links::a_client_comes_back_as_often_as_it_polls]),
    ("links.unfinished.manual", &[links::a_person_who_is_asked_again_needs_time_again_and_may_say_no]),
    (
        "links.unfinished.notify",
        &[links::a_client_that_is_told_comes_back_at_the_callback_and_only_an_open_call_can_be_told],
    ),
    (
        "links.unfinished.block",
        &[
            links::a_call_that_its_server_holds_is_parked_in_both_designs_until_its_page_is_finished,
            links::a_dying_instance_loses_a_call_that_it_holds_for_a_page_in_both_designs,
        ],
    ),
    ("links.pending", &[links::what_a_process_keeps_in_memory_no_other_instance_knows]),
    ("links.life", &[links::a_sign_in_is_good_up_to_its_last_instant]),
    ("links.hops", &[links::a_callback_alone_takes_one_way_through_the_balancer_and_the_servers_page_another]),
    ("links.check", &[identity::each_check_admits_refuses_and_sends_to_sign_in_whom_it_says]),
    ("links.sessions", &[identity::each_check_admits_refuses_and_sends_to_sign_in_whom_it_says]),
    ("links.forwarded", &[identity::each_check_admits_refuses_and_sends_to_sign_in_whom_it_says]),
    ("links.repeated", &[links::a_callback_that_comes_twice_is_refused_unless_nobody_keeps_what_was_used]),
    (
        "attack.tampered",
        &[states::each_attack_on_a_state_is_refused_for_a_cause_of_its_own_and_waiting_has_nothing_to_attack],
    ),
    (
        "attack.stolen",
        &[states::each_attack_on_a_state_is_refused_for_a_cause_of_its_own_and_waiting_has_nothing_to_attack],
    ),
    (
        "attack.other_call",
        &[states::each_attack_on_a_state_is_refused_for_a_cause_of_its_own_and_waiting_has_nothing_to_attack],
    ),
    (
        "attack.late",
        &[
            states::each_attack_on_a_state_is_refused_for_a_cause_of_its_own_and_waiting_has_nothing_to_attack,
            states::a_state_held_back_is_harmless_where_states_live_for_ever,
        ],
    ),
    ("attack.replayed", &[states::each_share_of_attacks_is_met_and_the_rest_of_the_calls_go_on]),
    (
        "attack.times",
        &[replays::a_state_is_sent_again_as_often_as_the_attack_says_and_only_after_its_call_has_completed],
    ),
    ("fault.store-outage.at", &[replays::an_outage_begins_after_its_first_instant_and_is_over_at_its_last]),
    ("fault.store-outage.lasts", &[replays::an_outage_begins_after_its_first_instant_and_is_over_at_its_last]),
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
