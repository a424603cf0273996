//! Claims about a state that is used more than once: a signature does not stop it, a ledger of used states does, as far
//! as it is shared and can be asked.

use parked::era::Design::{Carrying, Waiting};
use parked::metrics::{Outcome, Record};
use parked::world::Cause;

use super::super::common::{because, plainly};
use super::{ALONE, assert_end, call};

/// What happened to a call, with how often.
fn happened(record: &Record) -> Vec<(&'static str, u32)> {
    record.incidents.happened().map(|(incident, count)| (incident.name(), count)).collect()
}

/// The state of the call of two instances under round robin, which completes at the second, is sent again three times:
/// to the first, the second and the first.
fn three_more(ledger: &str) -> Record {
    let record = call(Carrying, &["attack={ replayed = 1.0, times = 3 }", ledger]);
    assert_end(&record, plainly(Outcome::Completed));
    assert_eq!(record.messages, 2 + 3);
    record
}

#[test]
pub fn a_state_is_good_once_for_each_that_keeps_the_used_ones() {
    let nobody = three_more("state.ledger=none");
    assert_eq!((nobody.entries, happened(&nobody)), (4, vec![("replay", 3), ("entry_replayed", 3)]));
    let each = three_more("state.ledger=per-instance");
    let once_more = vec![("replay", 3), ("replay_refused", 2), ("entry_replayed", 1)];
    assert_eq!((each.entries, happened(&each)), (2, once_more));
    let one = three_more("state.ledger=shared");
    assert_eq!((one.entries, happened(&one)), (1, vec![("replay", 3), ("replay_refused", 3)]));
    for ledger in ["none", "per-instance", "shared"] {
        let ledger = format!("state.ledger={ledger}");
        let honest = call(Carrying, &[&ledger]);
        assert_eq!(honest, call(Carrying, &[]), "{ledger}: a state that is used once is in nobody's way");
    }
}

#[test]
pub fn a_state_is_sent_again_as_often_as_the_attack_says_and_only_after_its_call_has_completed() {
    for times in [1, 5, 200] {
        let attack = format!("attack={{ replayed = 1.0, times = {times} }}");
        let again = call(Carrying, &[ALONE, &attack]);
        assert_eq!((again.entries, again.messages), (1 + times, 2 + times));
        assert_eq!(happened(&again), [("replay", times), ("entry_replayed", times)]);
        let honest = call(Carrying, &[ALONE]);
        assert_eq!((again.ended, again.prompts, again.end), (honest.ended, honest.prompts, honest.end));
        assert_eq!(call(Waiting, &[ALONE, &attack]), call(Waiting, &[ALONE]), "there is no state to send");
        let declined = ["people.decide={ accept = 0.0, decline = 1.0, cancel = 0.0 }", ALONE];
        assert_eq!(call(Carrying, &[&declined[..], &[&attack]].concat()), call(Carrying, &declined));
    }
    let share = call(Carrying, &[ALONE, "attack.replayed=0.0", "attack.times=5"]);
    assert_eq!(share, call(Carrying, &[ALONE]));
}

#[test]
pub fn a_ledger_that_remembers_gives_the_result_of_the_first_use_again() {
    let twice = [ALONE, "attack.replayed=1.0", "state.ledger=shared"];
    let forgets = call(Carrying, &[&twice[..], &["state.remembers=false"]].concat());
    let remembers = call(Carrying, &[&twice[..], &["state.remembers=true"]].concat());
    assert_eq!(happened(&forgets), [("replay", 1), ("replay_refused", 1)]);
    assert_eq!(happened(&remembers), [("replay", 1), ("replay_remembered", 1)]);
    assert_eq!(Record { incidents: forgets.incidents, ..remembers }, forgets, "no effect either way");
}

/// The shared store cannot be asked from `at` for `lasts`, ns.
fn outage(at: u64, lasts: u64) -> String {
    format!(r#"fault=[{{ store-outage = {{ at = "{at}ns", lasts = "{lasts}ns" }} }}]"#)
}

/// When the state of the call comes back, ns.
const BACK: u64 = 60_002_000_000;

#[test]
pub fn while_the_store_cannot_be_asked_a_state_is_refused_or_served_as_the_server_says() {
    let twice = "attack={ replayed = 1.0, times = 9 }";
    let shared = [ALONE, "state.ledger=shared", &outage(50_000_000_000, 20_000_000_000)];
    let run = |more: &[&str]| call(Carrying, &[&shared[..], more].concat());
    let closed = run(&["state.on_outage=closed"]);
    assert_end(&closed, because(Outcome::Refused, Cause::LedgerDown));
    assert_eq!((closed.prompts, closed.entries), (1, 0), "the person answered for nothing");
    assert_eq!(run(&["state.on_outage=closed", twice]), closed, "what was refused cannot be replayed");
    let open = run(&["state.on_outage=open"]);
    assert_eq!(open, call(Carrying, &[ALONE]), "one honest use is as good as ever");
    let again = run(&["state.on_outage=open", twice]);
    assert_eq!((again.entries, happened(&again)), (10, vec![("replay", 9), ("entry_replayed", 9)]));
    // Only a shared ledger needs the store, and only a state needs the ledger.
    for other in ["state.ledger=none", "state.ledger=per-instance"] {
        assert_eq!(call(Carrying, &[ALONE, other, shared[2]]), call(Carrying, &[ALONE]), "{other}");
    }
    assert_eq!(call(Waiting, &shared), call(Waiting, &[ALONE]));
}

#[test]
pub fn an_outage_begins_after_its_first_instant_and_is_over_at_its_last() {
    let returns = |at: u64, lasts: u64| call(Carrying, &[ALONE, "state.ledger=shared", &outage(at, lasts)]).end;
    let (served, refused) = (plainly(Outcome::Completed), because(Outcome::Refused, Cause::LedgerDown));
    assert_eq!(returns(BACK, 1_000_000_000), served, "a message at that instant comes before it");
    assert_eq!(returns(BACK - 1, 1_000_000_000), refused);
    assert_eq!(returns(BACK - 10, 11), refused);
    assert_eq!(returns(BACK - 10, 10), served);
}

#[test]
fn two_outages_that_overlap_are_one_that_ends_with_the_later() {
    let both = |first: (u64, u64), second: (u64, u64)| {
        let one = |(at, lasts)| format!(r#"{{ store-outage = {{ at = "{at}s", lasts = "{lasts}s" }} }}"#);
        let fault = format!("fault=[{}, {}]", one(first), one(second));
        call(Carrying, &[ALONE, "state.ledger=shared", &fault]).end.outcome
    };
    assert_eq!(both((10, 60), (20, 5)), Outcome::Refused, "the shorter one does not end the longer");
    assert_eq!(both((10, 20), (20, 50)), Outcome::Refused);
    assert_eq!(both((10, 20), (20, 30)), Outcome::Completed, "up again at 50 s");
}

#[test]
fn a_copy_that_meets_a_dead_instance_is_tried_at_another_as_any_message() {
    // The third instance of round robin has died unnoticed when the copies come.
    let dead = [
        "fleet.instances=3",
        "attack={ replayed = 1.0, times = 3 }",
        "balancer.detection.lag=5m",
        r#"fault=[{ kill = { at = "30s", select = "instance:i3" } }]"#,
    ];
    let again = call(Carrying, &dead);
    assert_eq!((again.entries, happened(&again)), (4, vec![("replay", 3), ("entry_replayed", 3)]));
    let alone = call(Carrying, &[&dead[..], &["balancer.redispatch=false"]].concat());
    assert_eq!(
        (alone.entries, happened(&alone)),
        (3, vec![("replay", 3), ("replay_refused", 1), ("entry_replayed", 2)])
    );
}
