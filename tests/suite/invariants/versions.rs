//! What holds of calls that meet two versions of a tool: nothing is misapplied to a body that is kept, nor where answers
//! go by what was asked, and no entry lacks a yes but after an answer that was used for another question.

use parked::era::Design;
use parked::metrics::{Incident, Record};
use parked::scenario::{AnswerKeys, Scenario};
use parked::tool::Definition;

use super::fleet::OF_CELLS;
use super::swarm::{MANY, versions};
use super::{OfCall, Place, calls, show};
use crate::common::run;

const OF_CALLS: &[OfCall] = &[
    calls::nothing_ends_after_the_horizon_when_the_run_stops_there,
    only_a_carried_call_meets_two_versions,
    an_answer_is_misapplied_only_where_it_can_be_found_for_another_question,
    an_entry_without_a_yes_follows_an_answer_to_another_question,
];

fn counts(record: &Record) -> (u32, u32) {
    (record.incidents.count(Incident::Misapplied), record.incidents.count(Incident::ExtraAsk))
}

fn only_a_carried_call_meets_two_versions(scenario: &Scenario, design: Design, record: &Record, place: &Place<'_>) {
    let changes = scenario.tool.definition.next.is_some_and(|next| next != scenario.tool.definition.program);
    assert!(counts(record) == (0, 0) || design == Design::Carrying && changes, "{place}");
}

/// Whether some key has several wordings.
fn rewords(tool: &Definition) -> bool {
    tool.asks.iter().any(|ask| tool.asks.iter().any(|other| other.number != ask.number && other.key == ask.key))
}

fn an_answer_is_misapplied_only_where_it_can_be_found_for_another_question(
    scenario: &Scenario,
    _: Design,
    record: &Record,
    place: &Place<'_>,
) {
    let tool = &scenario.tool.definition;
    let (misapplied, _) = counts(record);
    let can_be = match tool.answer_keys {
        AnswerKeys::Named => rewords(tool),
        AnswerKeys::Sequence => true,
        AnswerKeys::Text => false,
    };
    assert!(misapplied == 0 || can_be, "{place}");
    assert!(misapplied <= record.prompts, "{place}: more than were given");
}

fn an_entry_without_a_yes_follows_an_answer_to_another_question(
    _: &Scenario,
    _: Design,
    record: &Record,
    place: &Place<'_>,
) {
    assert!(record.entries_unconfirmed <= record.entries, "{place}");
    assert!(record.entries_unconfirmed == 0 || counts(record).0 > 0, "{place}");
}

#[test]
fn whatever_a_release_changes_breaks_no_invariant() {
    let mut seen = (0, 0);
    for scenario in (0..4 * MANY).map(versions::scenario) {
        let cells = run(&scenario);
        show(&scenario, &cells, OF_CELLS, OF_CALLS);
        for (misapplied, extra) in cells.iter().flat_map(|cell| &cell.records).map(counts) {
            seen = (seen.0 + misapplied, seen.1 + extra);
        }
    }
    assert!(seen.0 > 100 && seen.1 > 100, "the swarm hardly meets two versions: {seen:?}");
}

#[test]
fn a_release_that_changes_nothing_changes_no_call() {
    let mut compared = 0;
    for scenario in (0..4 * MANY).map(versions::scenario) {
        let definition = &scenario.tool.definition;
        if definition.next != Some(definition.program) {
            continue;
        }
        let mut alone = scenario.clone();
        alone.tool.definition.next = None;
        for (with, without) in run(&scenario).iter().zip(&run(&alone)) {
            assert_eq!(with.records, without.records, "{}", scenario.name);
            compared += with.records.len();
        }
    }
    assert!(compared > 1_000, "{compared} calls");
}
