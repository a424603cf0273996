//! Runs without any chance in them, to the nanosecond, and the digest of every shipped scenario. The set-ups are those
//! of the verification plan, by number; a result here must never be a range.

use std::path::Path;

use parked::engine::SimTime;
use parked::era::Design::{self, Carrying, Waiting};
use parked::experiment::{self, Summary};
use parked::metrics::{End, Incident, Incidents, Outcome, Record};
use parked::scenario::{Files, load};
use parked::sim::Party;
use parked::tool::{Arguments, Body};
use parked::world::{Action, Cause, Claims, Clock, Exposure, Key, Refusal, open, seal};

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
        answers: 1,
        answers_home: 1,
        entries: 0,
        entries_again: 0,
        entries_unconfirmed: 0,
        exposed: Exposure::NONE,
        incidents: Incidents::NONE,
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
    let peaks = Design::PURE.map(|design| common::cell(&scenario, design).tally.parked.peak);
    assert_eq!(peaks, [1, 0]);
}

#[test]
fn g2_under_round_robin_the_answer_reaches_the_other_instance() {
    let scenario = one_call(2, ACCEPT);
    let timed_out = asked_once(because(Outcome::TimedOut, Cause::Misrouted));
    let waiting = Record {
        ended: SimTime::from_ns(5 * MINUTE),
        last_instance: Some(1),
        answers_home: 0,
        parked_ns: 5 * MINUTE,
        ..timed_out
    };
    assert_eq!(only_call(&scenario, Waiting), waiting);
    let completed = asked_once(plainly(Outcome::Completed));
    let carrying = Record { last_instance: Some(1), answers_home: 0, entries: 1, state_bytes: CARRIED, ..completed };
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
    assert_eq!(
        only_call(&scenario, Waiting),
        Record { ended: half, messages: 1, answers: 0, answers_home: 0, parked_ns: MINUTE / 2, ..lost }
    );
    let completed = asked_once(plainly(Outcome::Completed));
    let carrying = Record { last_instance: Some(1), answers_home: 0, entries: 1, state_bytes: CARRIED, ..completed };
    assert_eq!(only_call(&scenario, Carrying), carrying);
}

#[test]
fn g4_an_instance_with_another_key_refuses() {
    let scenario = one_call(2, &format!("{ACCEPT}\nstate.keys = \"per-process\""));
    let refused = asked_once(because(Outcome::Refused, Cause::WrongKey));
    assert_eq!(
        only_call(&scenario, Carrying),
        Record { last_instance: Some(1), answers_home: 0, state_bytes: CARRIED, ..refused }
    );
}

/// The record of a call above the limit whose client is never sent anything.
fn never_asked(end: End) -> Record {
    Record {
        ended: SimTime::ZERO,
        asked: None,
        prompts: 0,
        asks: 0,
        messages: 1,
        answers: 0,
        answers_home: 0,
        ..asked_once(end)
    }
}

const DEAF: &str = "clients.capabilities = {}\ntool.unable = \"tool-error-with-fallback\"";

#[test]
fn g5_without_the_capability_nothing_is_sent_and_a_call_with_confirmed_makes_the_entry() {
    for design in Design::PURE {
        let left = one_call(1, &format!("{ACCEPT}\n{DEAF}\nclients.model.calls_again = 0.0"));
        assert_eq!(only_call(&left, design), never_asked(because(Outcome::Unsupported, Cause::Capability)));
        let (steps, _) = experiment::story(&left, design, 0, 0).expect("there is one call");
        let told: Vec<&str> = steps.iter().filter(|step| step.to == Party::Client).map(|s| s.what.as_str()).collect();
        let text = "tool error: Amounts above 100 need the user's confirmation and this client cannot ask. Ask the user \
                    in the conversation; if they agree, call submit_expense again with confirmed=true";
        assert_eq!(told[0], text);
        // The model asks for a minute, then calls again: one prompt that no server asked for.
        let again = one_call(1, &format!("{ACCEPT}\n{DEAF}"));
        let confirmed =
            Record { asks: 0, answers: 0, answers_home: 0, entries: 1, ..asked_once(plainly(Outcome::Completed)) };
        assert_eq!(only_call(&again, design), confirmed);
        // It asks nobody and calls again at once: the entry is nobody's yes.
        let claimed = one_call(1, &format!("{ACCEPT}\n{DEAF}\nclients.model.truthful = 0.0"));
        let unconfirmed =
            Record { messages: 2, entries: 1, entries_unconfirmed: 1, ..never_asked(plainly(Outcome::Completed)) };
        assert_eq!(only_call(&claimed, design), unconfirmed);
    }
}

/// One ask and one entry, described in steps.
fn one_ask(ask: &str, rest: &str) -> parked::scenario::Scenario {
    let steps =
        format!("[tool]\nbody = \"steps\"\nstep = [{{ ask = {{ key = \"a\", {ask} }} }}, {{ post = \"entries\" }}]");
    common::scenario_with(
        &format!(
            "replications = 1\nrun.horizon = \"10m\"\narrivals.at = [\"0s\"]\nfleet.instances = 1\n\
             people.think.constant = \"1m\"\n{ACCEPT}\n{rest}\n{steps}\n"
        ),
        &Forms,
    )
}

/// The forms of these tests.
struct Forms;

impl Files for Forms {
    fn read(&self, name: &str) -> std::io::Result<Vec<u8>> {
        let text = match name {
            "nested.json" => r#"{"type":"object","properties":{"a":{"type":"object"}}}"#,
            "key.json" => {
                r#"{"type":"object","title":"Paste your cloud API key","properties":{"k":{"type":"string"}}}"#
            }
            _ => return Err(std::io::ErrorKind::NotFound.into()),
        };
        Ok(text.as_bytes().to_vec())
    }
}

#[test]
fn g6_a_link_for_forms_only_a_nested_form_and_a_form_that_names_a_secret_are_never_shown() {
    for design in Design::PURE {
        let link = one_ask("kind = \"url\"", "clients.capabilities = { elicitation = {} }");
        assert_eq!(only_call(&link, design), never_asked(because(Outcome::Unsupported, Cause::Capability)));
        let nested = one_ask("form = \"nested.json\"", "");
        assert_eq!(only_call(&nested, design), never_asked(because(Outcome::Failed, Cause::IllegalForm)));
        let (steps, _) = experiment::story(&nested, design, 0, 0).expect("there is one call");
        assert!(steps.iter().any(|step| step.what.ends_with("a: nested objects are not allowed")), "{steps:?}");
        let secret = one_ask("form = \"key.json\", sensitive = true", "");
        let screened = Record {
            asks: 1,
            messages: 2,
            answers: 1,
            answers_home: 1,
            state_bytes: if design == Carrying { 2 * 91 } else { 0 },
            ..never_asked(because(Outcome::Cancelled, Cause::Screened))
        };
        assert_eq!(only_call(&secret, design), screened);
    }
}

#[test]
fn g7_two_bad_choices_cost_two_more_prompts_and_two_more_requests_only_where_no_host_looks() {
    let seat = |rest: &str| {
        one_call(1, &format!("{ACCEPT}\ntool.body = \"choose_seat\"\npeople.wrong_tries.constant = 2\n{rest}"))
    };
    for design in Design::PURE {
        let host = only_call(&seat(""), design);
        let counts = |r: &Record| (r.prompts, r.asks, r.messages, r.invalid_at_client, r.invalid_at_server, r.entries);
        assert_eq!((host.end, counts(&host)), (plainly(Outcome::Completed), (3, 1, 2, 2, 0, 1)));
        let server = only_call(&seat("clients.checks_answers = false\ntool.on_invalid = \"ask-again\""), design);
        assert_eq!((server.end, counts(&server)), (plainly(Outcome::Completed), (3, 3, 4, 0, 2, 1)));
        let refusing = only_call(&seat("clients.checks_answers = false"), design);
        let refused = because(Outcome::Refused, Cause::InvalidAnswer);
        assert_eq!((refusing.end, counts(&refusing)), (refused, (1, 1, 2, 0, 1, 0)));
        let bounded = only_call(&seat("clients.max_reasks = 1"), design);
        let cancelled = because(Outcome::Cancelled, Cause::InvalidAnswer);
        assert_eq!((bounded.end, counts(&bounded)), (cancelled, (2, 1, 2, 2, 0, 0)));
        for record in [host, server] {
            let parked = if design == Waiting { 3 * MINUTE } else { 0 };
            assert_eq!((record.ended, record.parked_ns), (SimTime::from_ns(3 * MINUTE), parked));
        }
    }
}

/// A call at 0 s that needs a link, opened after a minute, whose page is finished 7 s later.
fn one_link(rest: &str) -> parked::scenario::Scenario {
    let linked = "tool.body = \"connect_calendar\"\nclients.capabilities = { elicitation = { url = {} } }\n\
                  links.page.constant = \"7s\"";
    one_call(1, &format!("{ACCEPT}\n{linked}\n{rest}"))
}

/// These incidents, each as often.
fn incidents(happened: &[(Incident, u32)]) -> Incidents {
    let mut incidents = Incidents::NONE;
    for &(incident, count) in happened {
        (0..count).for_each(|_| incidents.note(incident));
    }
    incidents
}

const SECOND: u64 = 1000 * MS;

#[test]
fn g8_a_page_that_is_done_after_the_second_look_is_twice_not_finished_and_then_connected_once() {
    let scenario = one_link("links.unfinished = { poll = \"5s\" }");
    let ended = MINUTE + 10 * SECOND;
    let happened = incidents(&[(Incident::PageOpened, 1), (Incident::Granted, 1), (Incident::NotFinished, 2)]);
    for design in Design::PURE {
        let record = only_call(&scenario, design);
        let connected = Record {
            ended: SimTime::from_ns(ended),
            // The person is asked once; the client comes back twice by itself.
            asks: 3,
            prompts: 1,
            messages: 4,
            answers: 3,
            answers_home: 3,
            entries: 1,
            incidents: happened,
            // A state without an answer, then two with the consent in it; each there and back.
            state_bytes: if design == Carrying { 2 * (91 + 103 + 103) } else { 0 },
            parked_ns: if design == Waiting { ended } else { 0 },
            ..asked_once(plainly(Outcome::Completed))
        };
        assert_eq!(record, Record { asked: record.asked, ..connected });
    }
}

#[test]
fn g9_bob_who_finishes_alices_link_is_bound_to_her_without_a_check_and_refused_with_one() {
    let by_bob = |check: &str| {
        one_link(&format!("links.unfinished = {{ block = true }}\nlinks.forwarded = 1.0\nlinks.check = \"{check}\""))
    };
    for design in Design::PURE {
        let held = |ended: u64| match design {
            Waiting => {
                Record { parked_ns: ended, ended: SimTime::from_ns(ended), ..asked_once(plainly(Outcome::Completed)) }
            }
            Carrying => Record {
                parked_ns: ended - MINUTE,
                ended: SimTime::from_ns(ended),
                state_bytes: CARRIED,
                ..asked_once(plainly(Outcome::Completed))
            },
            _ => unreachable!("no pure design"),
        };
        for check in ["none", "signed-state-only"] {
            let record = only_call(&by_bob(check), design);
            let happened =
                incidents(&[(Incident::PageOpened, 1), (Incident::GrantedToOther, 1), (Incident::NotFinished, 1)]);
            let bound = Record { entries: 1, incidents: happened, ..held(MINUTE + 7 * SECOND) };
            assert_eq!(record, Record { asked: record.asked, ..bound }, "{check}: under the wrong account");
        }
        for check in ["session-if-present", "session-required"] {
            let record = only_call(&by_bob(check), design);
            let happened =
                incidents(&[(Incident::PageOpened, 1), (Incident::VisitorRefused, 1), (Incident::NotFinished, 1)]);
            let end = because(Outcome::TimedOut, Cause::LinkIdentity);
            let refused = Record { end, incidents: happened, ..held(5 * MINUTE) };
            assert_eq!(record, Record { asked: record.asked, ..refused }, "{check}: unbound");
        }
    }
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
        open(token, std::iter::once(Key::of(0)), expected, &Clock::exact(SimTime::from_ns(now)))
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

#[test]
fn g11_a_state_sent_again_after_completion_makes_a_second_entry_unless_a_ledger_keeps_it() {
    let again = |ledger: &str| one_call(1, &format!("{ACCEPT}\nattack.replayed = 1.0\nstate.ledger = \"{ledger}\""));
    let twice = Record { messages: 3, state_bytes: CARRIED, ..asked_once(plainly(Outcome::Completed)) };
    let served = incidents(&[(Incident::Replay, 1), (Incident::EntryReplayed, 1)]);
    let refused = incidents(&[(Incident::Replay, 1), (Incident::ReplayRefused, 1)]);
    assert_eq!(only_call(&again("none"), Carrying), Record { entries: 2, incidents: served, ..twice });
    for ledger in ["per-instance", "shared"] {
        assert_eq!(only_call(&again(ledger), Carrying), Record { entries: 1, incidents: refused, ..twice }, "{ledger}");
    }
    let once = Record { messages: 2, state_bytes: 0, ..twice };
    let waiting = Record { parked_ns: MINUTE, entries: 1, ..once };
    assert_eq!(only_call(&again("none"), Waiting), waiting, "there is no state to send");
}

#[test]
fn g12_a_changed_a_stolen_and_a_misused_state_are_refused_and_waiting_has_none() {
    for (attack, cause) in
        [("tampered", Cause::Tampered), ("stolen", Cause::OtherPrincipal), ("other_call", Cause::OtherRequest)]
    {
        let scenario = one_call(1, &format!("{ACCEPT}\nattack.{attack} = 1.0"));
        let refused = asked_once(because(Outcome::Refused, cause));
        assert_eq!(only_call(&scenario, Carrying), Record { state_bytes: CARRIED, ..refused }, "{attack}");
        let completed = asked_once(plainly(Outcome::Completed));
        assert_eq!(only_call(&scenario, Waiting), Record { entries: 1, parked_ns: MINUTE, ..completed }, "{attack}");
    }
    // Held back for its whole life: it comes a nanosecond too late.
    let scenario = one_call(1, &format!("{ACCEPT}\nattack.late = 1.0\nstate.ttl = \"2m\""));
    let expired = asked_once(because(Outcome::Refused, Cause::Expired));
    let ended = SimTime::from_ns(3 * MINUTE + 1);
    assert_eq!(only_call(&scenario, Carrying), Record { ended, state_bytes: CARRIED, ..expired });
}

#[test]
fn g13_an_answer_that_needs_the_thread_which_its_own_call_keeps_starves_to_the_end_of_patience() {
    let scenario = one_call(1, &format!("{ACCEPT}\nfleet.threads = 1\nfleet.answers_need_thread = true"));
    let starved = asked_once(because(Outcome::TimedOut, Cause::ThreadsFull));
    let waiting = Record { ended: SimTime::from_ns(5 * MINUTE), parked_ns: 5 * MINUTE, ..starved };
    assert_eq!(only_call(&scenario, Waiting), waiting);
    assert_eq!(only_call(&scenario, Carrying).end, plainly(Outcome::Completed));
    // A second thread is enough, and so is a server that does not need one for it.
    for fleet in ["threads = 2\nfleet.answers_need_thread = true", "threads = 1"] {
        let scenario = one_call(1, &format!("{ACCEPT}\nfleet.{fleet}"));
        assert_eq!(only_call(&scenario, Waiting).end, plainly(Outcome::Completed), "{fleet}");
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
