//! Claims about the scenario from the field whose trouble is a reply that never came: what is done twice, and who is asked
//! twice for it.

use parked::era::Design::{self, Carrying, Waiting};
use parked::metrics::{Outcome, Record};
use parked::stats::theory::at_least_once;

use super::field::cells;

const NAME: &str = "a-reply-that-never-came.toml";
const LOST: f64 = 0.05;

fn records(design: Design, switches: &[&str]) -> Vec<Record> {
    cells(NAME, design, switches).into_iter().flat_map(|cell| cell.records).collect()
}

/// A count of independent events of this probability is within five standard deviations of what is expected.
fn assert_binomial(what: &str, count: usize, of: usize, probability: f64) {
    let (count, of) = (count as f64, of as f64);
    let sd = (of * probability * (1.0 - probability)).sqrt();
    assert!((count - of * probability).abs() <= 5.0 * sd, "{what}: {count} of {of}, not {probability}");
}

fn count(records: &[Record], is: impl Fn(&Record) -> bool) -> usize {
    records.iter().filter(|record| is(record)).count()
}

#[test]
fn one_lost_reply_in_twenty_enters_one_expense_in_twenty_twice_in_both_designs_and_asks_again_in_one() {
    let theory = at_least_once(0.0, LOST, 3);
    for design in [Waiting, Carrying] {
        let all = records(design, &[]);
        assert!(all.len() > 30_000);
        // In the carrying design the question is a reply too: whoever never gets it enters nothing.
        let asked: Vec<Record> = all.iter().filter(|record| record.prompts > 0).copied().collect();
        let never_asked = if design == Waiting { 0.0 } else { LOST * LOST * LOST };
        assert_binomial("never asked", all.len() - asked.len(), all.len(), never_asked);
        assert_binomial("twice", count(&asked, |record| record.entries > 1), asked.len(), theory.twice);
        let unheard = count(&asked, |record| record.entries > 0 && record.end.outcome == Outcome::Lost);
        assert_binomial("unheard", unheard, asked.len(), theory.unheard);
        let asked_again = count(&asked, |record| record.prompts > 1);
        let expected = if design == Waiting { count(&asked, |record| record.entries > 1) } else { 0 };
        assert_eq!(asked_again, expected, "a call that stays open begins again with its question");
    }
}

#[test]
fn a_key_of_the_operation_a_state_that_is_good_once_and_a_remembered_result_each_stop_the_second_entry() {
    let with = |design, switches: &[&str]| {
        let all = records(design, switches);
        assert_eq!(count(&all, |record| record.entries > 1), 0, "{switches:?}");
        let refused = count(&all, |record| record.end.outcome == Outcome::Refused);
        (all.len(), refused)
    };
    for design in [Waiting, Carrying] {
        assert_eq!(with(design, &["tool.idempotency=operation"]).1, 0);
    }
    let (all, refused) = with(Carrying, &["state.ledger=shared"]);
    assert_binomial("already used", refused, all, (1.0 - LOST * LOST * LOST) * LOST);
    assert_eq!(with(Carrying, &["state.ledger=shared", "state.remembers=true"]).1, 0);
}
