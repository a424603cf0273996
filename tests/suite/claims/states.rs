//! Claims about what is done to a state on its way back: what a binding stops, what the server sees of it, and that a
//! body which is kept has none of it.

use std::collections::BTreeMap;

use parked::era::Design::{Carrying, Waiting};
use parked::metrics::{Incident, Outcome, Record};
use parked::world::Cause;

use super::super::common::{self, because, plainly};
use super::{ALONE, assert_end, call, ended_ms, told, with};

/// Each attack on a state, and what it is refused for. A state lives for two minutes here.
const ATTACKS: [(&str, Cause); 4] = [
    ("attack.tampered=1.0", Cause::Tampered),
    ("attack.stolen=1.0", Cause::OtherPrincipal),
    ("attack.other_call=1.0", Cause::OtherRequest),
    ("attack.late=1.0", Cause::Expired),
];

const TTL: &str = "state.ttl=2m";

#[test]
pub fn each_attack_on_a_state_is_refused_for_a_cause_of_its_own_and_waiting_has_nothing_to_attack() {
    let honest = [Waiting, Carrying].map(|design| call(design, &[ALONE, TTL]));
    for (attack, cause) in ATTACKS {
        let refused = call(Carrying, &[ALONE, TTL, attack]);
        assert_end(&refused, because(Outcome::Refused, cause));
        let late_ns = if cause == Cause::Expired { 120_000_000_001 } else { 0 };
        let expected = Record {
            end: refused.end,
            ended: parked::engine::SimTime::from_ns(60_002_000_000 + late_ns),
            entries: 0,
            repeated_ns: 0,
            ..honest[1]
        };
        assert_eq!(refused, expected, "{attack}: refused before the body runs again");
        assert_eq!(call(Waiting, &[ALONE, TTL, attack]), honest[0], "{attack}");
        let steps = told(&with(&[ALONE, TTL, attack]), Carrying);
        let refusal = format!("the answer: refused, {}", cause.in_words());
        assert!(steps.contains(&refusal), "{attack}: {steps:?}");
    }
}

#[test]
pub fn a_state_held_back_is_harmless_where_states_live_for_ever() {
    let held = call(Carrying, &[ALONE, "state.ttl=none", "attack.late=1.0"]);
    assert_eq!(held, call(Carrying, &[ALONE, "state.ttl=none"]));
    // A client that waits shorter than a state lives has given up before.
    let gone = call(Carrying, &[ALONE, "state.ttl=10m", "attack.late=1.0"]);
    assert_end(&gone, because(Outcome::TimedOut, Cause::ClientDeadline));
    assert_eq!(ended_ms(&gone), 300_000);
}

/// The call completes with an entry and is counted as hijacked, once.
fn assert_hijacked(record: &Record) {
    assert_end(record, plainly(Outcome::Completed));
    assert!(record.incidents.happened().eq([(Incident::Hijacked, 1)]), "{:?}", record.incidents);
    assert_eq!(record.entries, 1);
}

#[test]
pub fn without_a_binding_to_its_user_a_stolen_state_is_served() {
    let unbound = "state.binds_principal=false";
    assert_hijacked(&call(Carrying, &[ALONE, unbound, "attack.stolen=1.0"]));
    let stopped = [("attack.tampered=1.0", Cause::Tampered), ("attack.other_call=1.0", Cause::OtherRequest)];
    for (attack, cause) in stopped {
        assert_end(&call(Carrying, &[ALONE, unbound, attack]), because(Outcome::Refused, cause));
    }
    assert_eq!(call(Carrying, &[ALONE, unbound]), call(Carrying, &[ALONE]), "honest calls do not notice");
}

#[test]
pub fn without_a_binding_to_its_call_a_state_is_served_on_another_one() {
    let unbound = "state.binds_request=false";
    assert_hijacked(&call(Carrying, &[ALONE, unbound, "attack.other_call=1.0"]));
    let stopped = [("attack.tampered=1.0", Cause::Tampered), ("attack.stolen=1.0", Cause::OtherPrincipal)];
    for (attack, cause) in stopped {
        assert_end(&call(Carrying, &[ALONE, unbound, attack]), because(Outcome::Refused, cause));
    }
    assert_eq!(call(Carrying, &[ALONE, unbound]), call(Carrying, &[ALONE]), "honest calls do not notice");
}

#[test]
pub fn a_key_id_tells_the_server_another_key_from_changed_bytes_and_changes_nothing_else() {
    let other_key = &["state.keys=per-process"][..];
    let tampered = &[ALONE, "attack.tampered=1.0"][..];
    for (switches, truth) in [(other_key, "wrong_key"), (tampered, "tampered")] {
        let record = |key_id: &str| call(Carrying, &[switches, &[key_id]].concat());
        let (without, with_it) = (record("state.key_id=false"), record("state.key_id=true"));
        assert_eq!(without, with_it);
        assert_eq!(without.end.to_string(), format!("refused/{truth}"));
        assert_eq!([false, true].map(|key_id| without.end.server_view(key_id)), ["invalid_state", truth]);
    }
    for (attack, cause) in &ATTACKS[1..] {
        let record = call(Carrying, &[ALONE, TTL, attack]);
        assert_eq!([false, true].map(|key_id| record.end.server_view(key_id)), [cause.name(); 2], "signed and held");
    }
    let completed = call(Carrying, &[ALONE]);
    assert_eq!(completed.end.server_view(true), "", "nothing was refused");
    let view = |key_id: &str| with(&[&[key_id], other_key].concat()).state.key_id;
    assert_eq!(["state.key_id=false", "state.key_id=true"].map(view), [false, true]);
}

#[test]
pub fn each_share_of_attacks_is_met_and_the_rest_of_the_calls_go_on() {
    let attack = "attack={ tampered = 0.1, stolen = 0.2, other_call = 0.15, late = 0.05, replayed = 0.25 }";
    let busy = [ALONE, TTL, "fleet.threads=unlimited", "arrivals.constant.rate=10/s", "run.horizon=400s"];
    let scenario = with(&[&busy[..], &[attack]].concat());
    let cell = common::cell(&scenario, Carrying);
    let mut ends: BTreeMap<String, f64> = BTreeMap::new();
    for record in &cell.records {
        let replays = record.incidents.count(Incident::Replay);
        let end = if replays > 0 { "replayed".to_owned() } else { record.end.to_string() };
        *ends.entry(end).or_default() += 1.0;
    }
    let shares = [
        ("refused/tampered", 0.1),
        ("refused/other_principal", 0.2),
        ("refused/other_request", 0.15),
        ("refused/expired", 0.05),
        ("replayed", 0.25),
        ("completed", 0.25),
    ];
    assert_eq!(ends.len(), shares.len(), "{ends:?}");
    for (end, share) in shares {
        let sd = f64::sqrt(4_000.0 * share * (1.0 - share));
        assert!((ends[end] - 4_000.0 * share).abs() <= 5.0 * sd, "{end}: {} of 4,000", ends[end]);
    }
    // Waiting: everybody completes with one entry, whatever is done.
    let waiting = common::cell(&scenario, Waiting);
    assert!(waiting.records.iter().all(|record| record.end == plainly(Outcome::Completed) && record.entries == 1));
}
