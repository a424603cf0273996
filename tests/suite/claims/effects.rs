//! Claims about effects: what makes two of them the same, who knows, and when a state is spent.

use parked::era::Design::{self, Carrying, Waiting};
use parked::metrics::{Incident, Outcome, Record};
use parked::world::Cause;

use super::super::common::{because, cell, only_call, plainly};
use super::{ALONE, DESIGNS, assert_end, call, in_steps, with};

const EXACT: &str = "clients.retry.jitter=none";
/// Nobody is asked about so little.
const UNASKED: &str = "tool.amount.constant=100";
const KINDS: [&str; 5] = ["none", "request-id", "arguments", "state", "operation"];

fn count(record: &Record, incident: Incident) -> u32 {
    record.incidents.count(incident)
}

/// The entries of the call under each key, with the repeats that were recognised.
fn by_kind(design: Design, switches: &[&str]) -> [(u32, u32); 5] {
    KINDS.map(|kind| {
        let key = format!("tool.idempotency={kind}");
        let record = call(design, &[switches, &[&key]].concat());
        (record.entries, count(&record, Incident::Deduplicated))
    })
}

#[test]
pub fn what_makes_an_effect_a_repeat_is_the_id_the_arguments_the_state_or_the_key_of_the_operation() {
    // A client that tries three times gives each of its requests an id; nobody was given a state.
    let by_client = [ALONE, UNASKED, EXACT, "balancer.lost_replies=1.0", "clients.retry.times=2"];
    // A proxy copies the id.
    let by_proxy = [ALONE, UNASKED, "balancer.lost_replies=1.0", "balancer.resends_broken=true"];
    for design in DESIGNS {
        assert_eq!(by_kind(design, &by_client), [(3, 0), (3, 0), (1, 2), (3, 0), (1, 2)]);
        assert_eq!(by_kind(design, &by_proxy), [(4, 0), (1, 3), (1, 3), (4, 0), (1, 3)]);
    }
    // A state that comes again is a state that is known.
    let twice = [ALONE, "people.double_clicks=1.0"];
    assert_eq!(by_kind(Carrying, &twice), [(2, 0), (2, 0), (1, 1), (1, 1), (1, 1)]);
    // What runs again from the top makes its first effect again, with another request and another state.
    let two_asks = [ALONE, "tool.body=transfer_funds"];
    assert_eq!(by_kind(Carrying, &two_asks), [(3, 0), (3, 0), (2, 1), (3, 0), (2, 1)]);
    assert_eq!(by_kind(Waiting, &two_asks), [(2, 0); 5]);
}

#[test]
fn two_effects_of_one_body_are_two() {
    for design in DESIGNS {
        for kind in KINDS {
            let steps = r#"{ ask = { key = "a" } }, { post = "one" }, { post = "one" }, { post = "two" }"#;
            let record = only_call(&in_steps(steps, "", &[&format!("tool.idempotency={kind}")]), design);
            assert_eq!((record.entries, count(&record, Incident::Deduplicated)), (3, 0), "{kind}");
        }
    }
}

#[test]
fn a_key_of_arguments_takes_another_persons_call_for_a_repeat() {
    for design in DESIGNS {
        for (kind, second) in [("none", (1, 0)), ("operation", (1, 0)), ("arguments", (0, 1))] {
            let key = format!("tool.idempotency={kind}");
            let scenario = with(&[ALONE, r#"arrivals.at=["0s", "10s"]"#, &key]);
            let records = cell(&scenario, design).records;
            for record in &records {
                assert_end(record, plainly(Outcome::Completed));
            }
            let of = |record: &Record| (record.entries, count(record, Incident::FalseDuplicate));
            assert_eq!((of(&records[0]), of(&records[1])), ((1, 0), second), "{kind}");
        }
    }
}

#[test]
pub fn what_one_process_knows_is_a_repeat_to_no_other_and_dies_with_it() {
    let twice = |switches: &[&str], scope: &str| {
        let fixed = ["people.double_clicks=1.0", "tool.idempotency=operation", scope];
        call(Carrying, &[&fixed[..], switches].concat()).entries
    };
    let [each, all] = ["tool.idempotency_scope=per-instance", "tool.idempotency_scope=shared"];
    // Two instances in turn: the double goes to the other.
    assert_eq!((twice(&[], each), twice(&[], all)), (2, 1));
    assert_eq!((twice(&[ALONE], each), twice(&[ALONE], all)), (1, 1));
    // The process dies between the effect and the end of its work, and the client tries again.
    let dies = r#"fault=[{ kill = { at = "75s", select = "all", restart_after = "0s" } }]"#;
    let entries = |scope| {
        let steps = r#"{ ask = { key = "a" } }, { post = "one" }, { work.constant = "20s" }"#;
        let switches = ["tool.idempotency=operation", scope, dies, EXACT, "clients.retry.times=1"];
        only_call(&in_steps(steps, "", &switches), Carrying).entries
    };
    assert_eq!((entries(each), entries(all)), (2, 1));
}

#[test]
fn while_the_store_of_the_keys_is_away_an_effect_is_refused_or_made_unseen() {
    let away = r#"fault=[{ store-outage = { at = "30s", lasts = "1m" } }]"#;
    for design in DESIGNS {
        let made = |on: &str, scope: &str| {
            call(design, &[ALONE, away, "tool.idempotency=operation", &format!("state.on_outage={on}"), scope])
        };
        let [each, all] = ["tool.idempotency_scope=per-instance", "tool.idempotency_scope=shared"];
        let closed = made("closed", all);
        assert_end(&closed, because(Outcome::Failed, Cause::LedgerDown));
        assert_eq!(closed.entries, 0);
        for (on, scope) in [("open", all), ("closed", each)] {
            let record = made(on, scope);
            assert_end(&record, plainly(Outcome::Completed));
            assert_eq!(record.entries, 1);
        }
    }
    let unseen = call(
        Carrying,
        &[ALONE, away, "tool.idempotency=operation", "state.on_outage=open", "people.double_clicks=1.0"],
    );
    assert_eq!(unseen.entries, 2, "what was made unseen is made again");
}

/// The answer is there at 60 s, ten seconds of work follow, then the effect, then ten more. The only process dies at this
/// second, and its client tries again.
fn dies_at(second: u32, switches: &[&str]) -> Record {
    let steps = r#"{ ask = { key = "a" } }, { work.constant = "10s" }, { post = "one" }, { work.constant = "10s" }"#;
    let dies = format!(r#"fault=[{{ kill = {{ at = "{second}s", select = "all", restart_after = "0s" }} }}]"#);
    let fixed = [EXACT, "clients.retry.times=1", "state.ledger=shared", &dies];
    only_call(&in_steps(steps, "", &[&fixed[..], switches].concat()), Carrying)
}

#[test]
pub fn a_state_that_is_spent_first_may_buy_nothing_and_one_that_is_spent_last_may_buy_twice() {
    // Spend, crash, act: no entry, and a state that is good for nothing.
    let spent = dies_at(65, &["state.spends=before"]);
    assert_eq!((spent.end.outcome, spent.entries), (Outcome::Refused, 0));
    // Act, crash, spend: two entries.
    let acted = dies_at(75, &["state.spends=after"]);
    assert_end(&acted, plainly(Outcome::Completed));
    assert_eq!((acted.entries, acted.entries_again), (2, 1));
    // The other instants of the crash, which harm neither.
    let (known, unspent) = (dies_at(75, &["state.spends=before"]), dies_at(65, &["state.spends=after"]));
    assert_eq!((known.end.outcome, known.entries), (Outcome::Refused, 1), "made, and its caller hears of a refusal");
    assert_end(&unspent, plainly(Outcome::Completed));
    assert_eq!((unspent.entries, unspent.entries_again), (1, 0));
    // A key of the operation mends the order.
    let keyed = dies_at(75, &["state.spends=after", "tool.idempotency=operation"]);
    assert_end(&keyed, plainly(Outcome::Completed));
    assert_eq!((keyed.entries, count(&keyed, Incident::Deduplicated)), (1, 1));
    // Where nothing dies, both are good once.
    for spends in ["before", "after"] {
        let spends = format!("state.spends={spends}");
        let twice = call(Carrying, &[ALONE, "people.double_clicks=1.0", "state.ledger=shared", &spends]);
        assert_eq!((twice.entries, count(&twice, Incident::ReplayRefused)), (1, 1));
    }
}

/// A call that completes, and a tab that is left open.
fn tab(design: Design, switches: &[&str]) -> Record {
    let record = call(design, &[&[ALONE, "people.stale_tabs=1.0"], switches].concat());
    assert_end(&record, plainly(Outcome::Completed));
    assert_eq!((count(&record, Incident::StaleAnswer), record.prompts), (1, 1));
    let without = call(design, &[ALONE]);
    assert_eq!((record.ended, record.parked_ns), (without.ended, without.parked_ns), "its call is over");
    record
}

#[test]
pub fn an_answer_from_a_stale_tab_enters_again_where_its_state_still_lives_and_nobody_spent_it() {
    let waiting = tab(Waiting, &[]);
    assert_eq!((waiting.entries, waiting.messages), (1, 2), "it belongs to no open question");
    for (switches, entries) in [
        (&["state.ttl=none"][..], 2),
        (&["state.ttl=2h"], 2),
        (&["state.ttl=30m"], 1),
        (&["state.ttl=none", "state.ledger=shared"], 1),
        (&["state.ttl=none", "tool.idempotency=state"], 1),
        (&["state.ttl=none", "tool.idempotency=operation"], 1),
    ] {
        let record = tab(Carrying, switches);
        assert_eq!((record.entries, record.messages), (entries, 3), "{switches:?}");
    }
    for share in ["0.0", "0.5"] {
        let record = call(Carrying, &[ALONE, &format!("people.stale_tabs={share}")]);
        assert!(share == "0.5" || record == call(Carrying, &[ALONE]));
    }
}

#[test]
pub fn a_stale_tab_is_answered_so_long_after_its_call() {
    // The state lives ten minutes from the question, and a minute of it has gone when the call ends.
    for (after, entries) in [("530s", 2), ("539s", 2), ("541s", 1), ("1h", 1)] {
        let record = tab(Carrying, &[&format!("people.stale_after={after}")]);
        assert_eq!(record.entries, entries, "{after}");
    }
}

#[test]
fn only_a_call_that_completed_leaves_a_tab_behind() {
    for design in DESIGNS {
        let declined = ["people.decide={ accept = 0.0, decline = 1.0, cancel = 0.0 }", ALONE];
        let record = call(design, &[&declined[..], &["people.stale_tabs=1.0"]].concat());
        assert_eq!(record, call(design, &declined));
        let unasked = [ALONE, UNASKED];
        assert_eq!(call(design, &[&unasked[..], &["people.stale_tabs=1.0"]].concat()), call(design, &unasked));
    }
}
