//! Runs without any chance in them, to the nanosecond, and the digest of every shipped scenario. The set-ups are those
//! of the verification plan, by number; a result here must never be a range.

use std::path::Path;

use parked::engine::SimTime;
use parked::era::Design::{self, Carrying, Waiting};
use parked::experiment::Summary;
use parked::metrics::{End, Outcome, Record};
use parked::scenario::load;
use parked::tool::{Arguments, Body};
use parked::world::{Action, Cause, Claims, Exposure, Key, Refusal, open, seal};

use super::common::{self, because, only_call, plainly};

const MS: u64 = 1_000_000;
const MINUTE: u64 = 60_000 * MS;

/// One call at 0 s whose person thinks for a minute; no work at all, so that every instant is a round one.
fn one_call(instances: u32, rest: &str) -> parked::scenario::Scenario {
    common::scenario(&format!(
        "replications = 1\nrun.horizon = \"10m\"\narrivals.at = [\"0s\"]\nfleet.instances = {instances}\n\
         tool.work_before.constant = \"0s\"\ntool.work_after.constant = \"0s\"\npeople.think.constant = \"1m\"\n\
         {rest}\n"
    ))
}

const ACCEPT: &str = "people.decide = { accept = 1.0, decline = 0.0, cancel = 0.0 }";

/// The record of a call that was asked once at 0 s; what differs is said.
fn asked_once(end: End) -> Record {
    Record {
        call: 0,
        arrived: SimTime::ZERO,
        ended: SimTime::from_ns(MINUTE),
        end,
        asked: Some(SimTime::ZERO),
        think_ns: Some(MINUTE),
        action: Some(Action::Accept),
        amount: 500,
        first_instance: Some(0),
        last_instance: Some(0),
        client: 0,
        asks: 1,
        prompts: 1,
        invalid_at_client: 0,
        invalid_at_server: 0,
        messages: 2,
        entries: 0,
        entries_again: 0,
        entries_unconfirmed: 0,
        exposed: Exposure::NONE,
        state_bytes: 0,
        parked_ns: 0,
        repeated_ns: 0,
    }
}

/// Bytes of a state without an answer, there and back.
const CARRIED: u32 = 2 * 91;

#[test]
fn g1_one_call_at_one_instance_parks_one_thread_or_none_and_makes_one_entry() {
    let scenario = one_call(1, ACCEPT);
    let completed = Record { entries: 1, ..asked_once(plainly(Outcome::Completed)) };
    assert_eq!(only_call(&scenario, Waiting), Record { parked_ns: MINUTE, ..completed });
    assert_eq!(only_call(&scenario, Carrying), Record { state_bytes: CARRIED, ..completed });
    let peaks = Design::ALL.map(|design| common::cell(&scenario, design).tally.parked.peak);
    assert_eq!(peaks, [1, 0]);
}

#[test]
fn g2_under_round_robin_the_answer_reaches_the_other_instance() {
    let scenario = one_call(2, ACCEPT);
    let timed_out = asked_once(because(Outcome::TimedOut, Cause::Misrouted));
    let waiting =
        Record { ended: SimTime::from_ns(5 * MINUTE), last_instance: Some(1), parked_ns: 5 * MINUTE, ..timed_out };
    assert_eq!(only_call(&scenario, Waiting), waiting);
    let completed = asked_once(plainly(Outcome::Completed));
    let carrying = Record { last_instance: Some(1), entries: 1, state_bytes: CARRIED, ..completed };
    assert_eq!(only_call(&scenario, Carrying), carrying);
}

#[test]
fn g2_even_an_answer_without_any_thought_is_misrouted() {
    let scenario = one_call(2, ACCEPT);
    let instant = parked::random::Distribution::constant(0.0).expect("nought is a time");
    let people = parked::scenario::People { think: instant, ..scenario.people.clone() };
    let record = only_call(&parked::scenario::Scenario { people, ..scenario }, Waiting);
    assert_eq!(record.end, because(Outcome::TimedOut, Cause::Misrouted));
}

#[test]
fn g3_the_instance_dies_at_half_time() {
    let dies = format!("{ACCEPT}\n[[fault]]\nkill = {{ at = \"30s\", select = \"instance:i1\" }}");
    let scenario = one_call(2, &dies);
    let lost = asked_once(because(Outcome::Lost, Cause::Crash));
    let half = SimTime::from_ns(MINUTE / 2);
    assert_eq!(only_call(&scenario, Waiting), Record { ended: half, messages: 1, parked_ns: MINUTE / 2, ..lost });
    let completed = asked_once(plainly(Outcome::Completed));
    let carrying = Record { last_instance: Some(1), entries: 1, state_bytes: CARRIED, ..completed };
    assert_eq!(only_call(&scenario, Carrying), carrying);
}

#[test]
fn g4_an_instance_with_another_key_refuses() {
    let scenario = one_call(2, &format!("{ACCEPT}\nstate.keys = \"per-process\""));
    let refused = asked_once(because(Outcome::Refused, Cause::WrongKey));
    assert_eq!(only_call(&scenario, Carrying), Record { last_instance: Some(1), state_bytes: CARRIED, ..refused });
}

#[test]
fn g10_a_decline_and_a_cancel_are_two_outcomes_without_an_entry() {
    for (decide, action, outcome) in [
        ("{ accept = 0.0, decline = 1.0, cancel = 0.0 }", Action::Decline, Outcome::Declined),
        ("{ accept = 0.0, decline = 0.0, cancel = 1.0 }", Action::Cancel, Outcome::Cancelled),
    ] {
        let scenario = one_call(1, &format!("people.decide = {decide}"));
        let expected = Record { action: Some(action), ..asked_once(plainly(outcome)) };
        assert_eq!(only_call(&scenario, Waiting), Record { parked_ns: MINUTE, ..expected });
        assert_eq!(only_call(&scenario, Carrying), Record { state_bytes: CARRIED, ..expected });
    }
}

#[test]
fn g12_an_answer_exactly_at_the_end_of_the_states_life_is_accepted_and_one_nanosecond_later_it_has_expired() {
    let life = |ns: u64| only_call(&one_call(1, &format!("{ACCEPT}\nstate.ttl = \"{ns}ns\"")), Carrying);
    let completed = Record { entries: 1, ..asked_once(plainly(Outcome::Completed)) };
    assert_eq!(life(MINUTE), Record { state_bytes: CARRIED, ..completed });
    let expired = asked_once(because(Outcome::Refused, Cause::Expired));
    assert_eq!(life(MINUTE - 1), Record { state_bytes: CARRIED, ..expired });
}

#[test]
fn g12_a_flipped_bit_another_principal_and_other_arguments_are_refused() {
    let tool = Body::SubmitExpense.definition();
    let request = |amount| tool.digest(&Arguments { amount, confirmed: false });
    let expires = Some(SimTime::from_ns(600 * 1000 * MS));
    let alice = Claims { principal: 1, expires, request: request(500), answers: vec![("confirm", Action::Decline)] };
    let token = seal(&alice, &Key::of(0));
    let opened = |token: &str, expected: &Claims<'_>, now| {
        open(token, std::iter::once(Key::of(0)), expected, SimTime::from_ns(now))
    };
    let last = 600 * 1000 * MS;
    assert_eq!(opened(&token, &alice, last), Ok(vec![("confirm".to_owned(), Action::Decline)]));
    assert_eq!(opened(&token, &alice, last + 1), Err(Refusal::Expired));
    let bob = Claims { principal: 2, ..alice.clone() };
    assert_eq!(opened(&token, &bob, 0), Err(Refusal::OtherPrincipal));
    let more = Claims { request: request(501), ..alice.clone() };
    assert_eq!(opened(&token, &more, 0), Err(Refusal::OtherRequest));
    for place in 0..token.len() {
        let mut bytes = token.clone().into_bytes();
        bytes[place] ^= 1;
        let flipped = String::from_utf8(bytes).expect("seven-bit text stays seven-bit text");
        assert_eq!(opened(&flipped, &alice, 0), Err(Refusal::BadSignature), "byte {place}");
    }
}

/// A changed line means that the same scenario and seed no longer give the same numbers. That breaks the value of every
/// published result: it is a decision, not a repair. Whoever takes it writes the new line into digests.txt by hand and a
/// line into the changelog that says why. A new scenario is a new line and breaks nothing.
#[test]
fn every_shipped_scenario_still_gives_the_same_numbers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let lines = common::files_below(&root, "toml").into_iter().map(|path| {
        let scenario = load(&path, &["replications=2".to_owned()]).expect("a shipped scenario is legal");
        let name = path.strip_prefix(&root).expect("below the root").display().to_string().replace('\\', "/");
        format!("{name} {}\n", Summary::of(&scenario, &common::run(&scenario)).digest)
    });
    let now: String = lines.collect();
    let committed = include_str!("data/digests.txt").replace('\r', "");
    assert!(now == committed, "tests/suite/data/digests.txt would now read\n{now}");
}
