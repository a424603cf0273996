//! Claims about the scenario of a release that changes what its tool asks.

use parked::era::Design::{self, Carrying, Waiting};
use parked::metrics::{Incident, Outcome, Record};
use parked::world::Cause;

use super::super::common::because;
use super::field::cells;

/// Records of the scenario with these keys switched.
fn records(design: Design, switches: &[&str]) -> Vec<Record> {
    let cells = cells("a-release-asks-one-question-more.toml", design, switches);
    cells.into_iter().flat_map(|cell| cell.records).collect()
}

/// The count lies within five standard deviations of its Poisson law: so many in each of 20 releases.
fn assert_met(count: usize, of_each: f64) {
    let mean = 20.0 * of_each;
    assert!((count as f64 - mean).abs() <= 5.0 * mean.sqrt(), "{count}, expected {mean}");
}

fn with(records: &[Record], incident: Incident) -> usize {
    records.iter().filter(|record| record.incidents.count(incident) > 0).count()
}

#[test]
fn everybody_at_the_question_is_asked_one_more_when_carrying_and_whoever_takes_too_long_is_lost_when_waiting() {
    let carried = records(Carrying, &[]);
    assert_met(with(&carried, Incident::ExtraAsk), 60.0);
    assert!(carried.iter().all(|record| record.end.outcome == Outcome::Completed && record.entries == 1));
    assert_eq!(with(&carried, Incident::Misapplied), 0);
    let held = records(Waiting, &[]);
    let lost = because(Outcome::Lost, Cause::Drain);
    assert_met(held.iter().filter(|record| record.end == lost).count(), 60.0 * libm::exp(-0.5));
    assert_eq!((with(&held, Incident::ExtraAsk), with(&held, Incident::Misapplied)), (0, 0));
}

#[test]
fn a_release_that_rewords_its_question_pays_on_the_old_yes_unless_answers_go_by_what_was_asked() {
    let reworded =
        r#"tool.next.step=[{ ask = { key = "pay", message = "Pay it every month?" } }, { post = "payments" }]"#;
    for keys in ["named", "sequence"] {
        let paid = records(Carrying, &[reworded, &format!("tool.answer_keys={keys}")]);
        let misapplied = with(&paid, Incident::Misapplied);
        assert_met(misapplied, 60.0);
        let unconfirmed = paid.iter().filter(|record| record.entries_unconfirmed > 0).count();
        assert_eq!((unconfirmed, with(&paid, Incident::ExtraAsk)), (misapplied, 0), "{keys}");
    }
    let asked_again = records(Carrying, &[reworded, "tool.answer_keys=text"]);
    assert_met(with(&asked_again, Incident::ExtraAsk), 60.0);
    assert_eq!(with(&asked_again, Incident::Misapplied), 0);
    assert!(asked_again.iter().all(|record| record.entries_unconfirmed == 0));
}
