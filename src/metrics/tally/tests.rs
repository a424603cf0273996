//! What each count of a tally takes in, and what it leaves out.

use super::*;
use crate::world::{Action, Exposure};

fn at(ns: u64) -> SimTime {
    SimTime::from_ns(ns)
}

/// A call of kind `client` with a different number in each measure.
fn record(client: u8, end: End, exposed: &[SeenBy]) -> Record {
    Record {
        call: 0,
        arrived: at(50),
        ended: at(60),
        end,
        asked: Some(at(50)),
        think_ns: Some(1),
        action: Some(Action::Accept),
        amount: 500,
        first_instance: Some(0),
        last_instance: Some(0),
        client,
        asks: 2,
        prompts: 3,
        invalid_at_client: 5,
        invalid_at_server: 7,
        messages: 11,
        answers: 37,
        answers_home: 41,
        entries: 13,
        entries_again: 17,
        entries_unconfirmed: 19,
        exposed: exposed.iter().copied().collect::<Exposure>(),
        incidents: Incidents::NONE,
        state_bytes: 23,
        parked_ns: 29,
        repeated_ns: 31,
    }
}

fn tally(kinds: usize, records: &[Record]) -> Tally {
    let mut fold = Fold::new(Window { from: at(10), to: at(100) }, kinds, std::time::Duration::from_secs(30));
    records.iter().for_each(|record| fold.record(record));
    fold.finish(Levels::default(), 0, None)
}

const COMPLETED: End = End { outcome: Outcome::Completed, cause: None };
const SCREENED: End = End { outcome: Outcome::Cancelled, cause: Some(Cause::Screened) };

#[test]
fn every_count_of_a_call_in_the_window_goes_to_its_own_total_and_none_of_a_call_outside() {
    let early = Record { arrived: at(9), ..record(0, COMPLETED, &[SeenBy::Proxy]) };
    let one = tally(1, &[early, record(0, COMPLETED, &[])]);
    assert_eq!((one.started, one.asks, one.prompts), (1, 2, 3));
    assert_eq!((one.invalid_at_client, one.invalid_at_server, one.messages), (5, 7, 11));
    assert_eq!((one.entries, one.entries_again, one.entries_unconfirmed, one.state_bytes), (13, 17, 19, 23));
    assert_eq!((one.answers, one.answers_home), (37, 41));
    assert!(one.exposed.is_empty());
}

#[test]
fn entries_are_orphaned_when_their_call_did_not_complete() {
    let open = End { outcome: Outcome::OpenAtEnd, cause: None };
    let all = [record(0, COMPLETED, &[]), record(0, SCREENED, &[]), record(0, open, &[])];
    assert_eq!((tally(1, &all).entries, tally(1, &all).entries_orphaned), (3 * 13, 2 * 13));
}

#[test]
fn a_party_counts_the_calls_whose_secret_it_saw_and_a_party_that_saw_none_is_not_listed() {
    let client = record(0, COMPLETED, &[SeenBy::Client]);
    let both = record(0, SCREENED, &[SeenBy::Client, SeenBy::AuditTrail]);
    let seen = BTreeMap::from([(SeenBy::Client, 2), (SeenBy::AuditTrail, 1)]);
    assert_eq!(tally(1, &[client, both]).exposed, seen);
}

#[test]
fn each_kind_of_client_has_its_own_ends_and_together_they_are_the_whole() {
    let all = [record(0, COMPLETED, &[]), record(2, SCREENED, &[]), record(2, COMPLETED, &[])];
    let tally = tally(3, &all);
    let kind = |ends: &[(End, u64)]| ClientTally {
        started: ends.iter().map(|(_, count)| count).sum(),
        ends: ends.iter().copied().collect(),
    };
    assert_eq!(tally.clients, [kind(&[(COMPLETED, 1)]), kind(&[]), kind(&[(COMPLETED, 1), (SCREENED, 1)])]);
    assert_eq!(tally.ends, Ends::from([(COMPLETED, 2), (SCREENED, 1)]));
    assert_eq!((tally.started, tally.count(Outcome::Cancelled)), (3, 1));
}

#[test]
fn latency_is_unknown_while_a_call_of_any_kind_might_still_complete() {
    let open = End { outcome: Outcome::OpenAtEnd, cause: None };
    let hung = End { cause: Some(Cause::NeverShown), ..open };
    let completed = record(0, COMPLETED, &[]);
    assert_eq!(tally(2, &[completed, record(1, open, &[])]).latency_s, None);
    assert!(tally(2, &[completed, record(1, hung, &[])]).latency_s.is_some());
}
