//! Claims about bodies: how often each asks and enters, what is done again by a body that runs again from the top, and
//! how several answers of one round travel.

use parked::era::Design::{self, Carrying, Waiting};
use parked::experiment::story;
use parked::metrics::{Outcome, Record};
use parked::scenario::effective_hash;
use parked::sim::Party;
use parked::world::Cause;

use super::super::common::{because, only_call, plainly};
use super::{ALONE, DESIGNS, assert_end, call, cells, end, ended_ms, in_steps, told, with};

#[test]
pub fn each_body_asks_and_enters_as_often_as_it_says() {
    for (body, prompts, messages, entries) in [
        ("submit_expense", 1, [2, 2], [1, 1]),
        ("choose_seat", 1, [2, 2], [1, 1]),
        ("transfer_funds", 2, [3, 3], [2, 3]),
        ("book_trip", 3, [4, 2], [3, 3]),
    ] {
        for (place, design) in DESIGNS.into_iter().enumerate() {
            let record = call(design, &[ALONE, &format!("tool.body={body}")]);
            assert_end(&record, plainly(Outcome::Completed));
            assert_eq!((record.asks, record.prompts), (prompts, prompts), "{body}");
            assert_eq!((record.messages, record.entries), (messages[place], entries[place]), "{body}");
        }
    }
}

#[test]
pub fn an_effect_recorded_in_the_state_is_made_once_however_often_the_body_runs() {
    let two_asks = [ALONE, "tool.body=transfer_funds"];
    for (recorded, entries, again) in [(false, [2, 3], [0, 1]), (true, [2, 2], [0, 0])] {
        let switch = format!("tool.effects_in_state={recorded}");
        let records = DESIGNS.map(|design| call(design, &[two_asks[0], two_asks[1], &switch]));
        assert_eq!(records.map(|record| record.entries), entries);
        assert_eq!(records.map(|record| record.entries_again), again);
        records.iter().for_each(|record| assert_end(record, plainly(Outcome::Completed)));
    }
    let bytes = |switch: &str| call(Carrying, &[two_asks[0], two_asks[1], switch]).state_bytes;
    assert!(bytes("tool.effects_in_state=true") > bytes("tool.effects_in_state=false"), "the record has its price");
    let waiting = |switch: &str| call(Waiting, &[two_asks[0], two_asks[1], switch]);
    assert_eq!(waiting("tool.effects_in_state=true"), waiting("tool.effects_in_state=false"));
}

#[test]
fn an_effect_before_the_first_ask_is_made_again_by_every_run_of_the_body() {
    let asks: String = (0..4).map(|ask| format!(r#"{{ ask = {{ key = "a{ask}" }} }}, "#)).collect();
    let steps = format!(r#"{{ post = "first" }}, {asks}{{ post = "last" }}"#);
    let records = DESIGNS.map(|design| only_call(&in_steps(&steps, "", &[]), design));
    assert_eq!(records.map(|record| (record.entries, record.entries_again)), [(2, 0), (6, 4)]);
}

#[test]
pub fn work_of_a_step_is_spent_where_it_stands() {
    for design in DESIGNS {
        let times = |before: u64, after: u64| {
            let work = |ms: u64| format!("{{ work.constant = \"{ms}ms\" }}");
            let steps = format!("{}, {{ ask = {{ key = \"a\" }} }}, {}", work(before), work(after));
            only_call(&in_steps(&steps, "", &[]), design)
        };
        for (before, after) in [(0, 0), (5, 0), (0, 7), (5, 7)] {
            let record = times(before, after);
            let again = if design == Waiting { 0 } else { before };
            assert_eq!(record.asked.map(|at| at.ns()), Some(before * 1_000_000));
            assert_eq!((ended_ms(&record), record.repeated_ns), (before + 60_000 + again + after, again * 1_000_000));
        }
    }
}

#[test]
pub fn every_post_of_a_step_makes_an_entry_in_the_ledger_it_names() {
    for design in DESIGNS {
        let posts = |ledgers: &[&str]| {
            let posts: Vec<String> = ledgers.iter().map(|ledger| format!(r#"{{ post = "{ledger}" }}"#)).collect();
            in_steps(&format!(r#"{{ ask = {{ key = "a" }} }}, {}"#, posts.join(", ")), "", &[])
        };
        for ledgers in [&["claims"][..], &["audit"], &["claims", "audit"], &["claims", "audit", "claims"]] {
            let scenario = posts(ledgers);
            assert_eq!(only_call(&scenario, design).entries as usize, ledgers.len());
            let said: Vec<String> =
                told(&scenario, design).into_iter().filter(|what| what.contains("ledger")).collect();
            let expected: Vec<String> = ledgers.iter().map(|name| format!("enters 500 into ledger {name}")).collect();
            assert_eq!(said, expected);
        }
        assert_eq!(only_call(&posts(&["claims"]), design), only_call(&posts(&["audit"]), design), "a name is a name");
    }
}

#[test]
pub fn a_longer_key_makes_a_larger_state_once_its_answer_is_sealed() {
    let keyed =
        |key: &str| in_steps(&format!(r#"{{ ask = {{ key = "{key}" }} }}, {{ ask = {{ key = "z" }} }}"#), "", &[]);
    let (short, long) = (keyed("a"), keyed("a-longer-key"));
    let [bytes_of_short, bytes_of_long] = [&short, &long].map(|scenario| only_call(scenario, Carrying).state_bytes);
    // The second state holds the first answer, goes out and comes back: 36 or 47 bytes sealed, in base64.
    let base64 = |bytes: u32| (4 * bytes).div_ceil(3);
    assert_eq!(bytes_of_long - bytes_of_short, 2 * (base64(33 + 2 + 12) - base64(33 + 2 + 1)));
    assert_ne!(effective_hash(&short), effective_hash(&long));
    let [one, other] = [&short, &long].map(|scenario| only_call(scenario, Waiting));
    assert_eq!((one, one.state_bytes), (other, 0), "nothing travels that could hold a key");
    for design in DESIGNS {
        assert!(told(&long, design).iter().any(|what| what.starts_with("shows a-longer-key: ")));
    }
}

const TRIP: &str = "tool.body=book_trip";
const OF_THREE: &str = "fleet.instances=3";

/// The instances that messages of the first call reached, in order.
fn reached(design: Design, switches: &[&str]) -> Vec<u32> {
    let (steps, _) = story(&with(switches), design, 0, 0).expect("the first call ended");
    let reached = steps.iter().filter(|step| step.from == Party::Balancer);
    reached.filter_map(|step| if let Party::Instance(id) = step.to { Some(id) } else { None }).collect()
}

#[test]
fn each_answer_of_a_round_is_routed_on_its_own_when_waiting_and_all_travel_together_when_carrying() {
    let behind = [TRIP, OF_THREE];
    assert_eq!(reached(Waiting, &behind), [0, 1, 2, 0], "each in turn");
    assert_eq!(reached(Carrying, &behind), [0, 1]);
    let waiting = call(Waiting, &behind);
    assert_end(&waiting, because(Outcome::TimedOut, Cause::Misrouted));
    assert_eq!((waiting.asks, waiting.prompts, waiting.messages, waiting.entries), (3, 3, 4, 0));
    let carrying = call(Carrying, &behind);
    assert_end(&carrying, plainly(Outcome::Completed));
    assert_eq!((carrying.asks, carrying.prompts, carrying.messages, carrying.entries), (3, 3, 2, 3));
}

#[test]
fn a_swallowed_answer_of_a_round_leaves_the_call_parked_until_the_patience_ends() {
    for patience in ["4m", "10m"] {
        let patience = format!("clients.patience={patience}");
        let record = call(Waiting, &[TRIP, OF_THREE, &patience, "fleet.misroute=swallowed"]);
        assert_end(&record, because(Outcome::TimedOut, Cause::Misrouted));
        let ms = if patience.ends_with("=4m") { 240_000 } else { 600_000 };
        assert_eq!((ended_ms(&record), record.parked_ns), (ms, (ms - 2) * 1_000_000));
        assert_eq!((record.prompts, record.messages, record.entries), (3, 4, 0), "the third answer did come home");
        assert_eq!(record.last_instance, record.first_instance);
    }
}

#[test]
fn answers_that_are_sent_again_until_they_are_met_get_home_in_the_end() {
    let switches = [
        TRIP,
        OF_THREE,
        "replications=64",
        "balancer.policy=random",
        "fleet.misroute=not-found",
        "clients.on_not_found=resend",
        "clients.max_resends=100",
    ];
    for design in DESIGNS {
        let records: Vec<Record> = cells(design, &switches).iter().map(|cell| cell.records[0]).collect();
        for record in &records {
            assert_end(record, plainly(Outcome::Completed));
            assert_eq!((record.asks, record.prompts, record.entries), (3, 3, 3), "nobody is asked twice");
            let late = if design == Waiting { 250 * u64::from(record.messages - 4) } else { 2 };
            assert_eq!(ended_ms(record), 2 + 180_000 + 1 + late, "each message beyond four took a pause");
        }
        let mean = records.iter().map(|record| f64::from(record.messages)).sum::<f64>() / 64.0;
        // Sent until one of three is met: geometric, three times over, with variance 6 each.
        let (expected, slack) = if design == Waiting { (10.0, 5.0 * (18.0_f64 / 64.0).sqrt()) } else { (2.0, 0.0) };
        assert!((mean - expected).abs() <= slack, "{mean} messages a call instead of {expected}");
    }
}

#[test]
fn one_silent_answer_holds_up_all_answers_of_a_round() {
    for design in DESIGNS {
        let mut met = [0; 4];
        for cell in cells(design, &[ALONE, TRIP, "replications=64", "people.silent=0.3"]) {
            let record = cell.records[0];
            // How many answers were given before the silence, if it came.
            let given = if record.end == plainly(Outcome::Completed) { 3 } else { record.prompts - 1 };
            let sent = if design == Waiting { given } else { given / 3 };
            assert_eq!(record.messages, 1 + sent, "{}", record.end);
            if given < 3 {
                assert_end(&record, because(Outcome::TimedOut, Cause::PersonSilent));
                assert_eq!((record.entries, ended_ms(&record)), (0, 300_000));
                assert_eq!(record.parked_ns, if design == Waiting { 299_998_000_000 } else { 0 });
            }
            met[given as usize] += 1;
        }
        assert!(met.iter().all(|&calls| calls > 0), "{met:?}");
    }
}

#[test]
fn a_decline_among_three_answers_books_nothing_and_all_three_are_heard_first() {
    let decides = "people.decide={ accept = 0.6, decline = 0.2, cancel = 0.2 }";
    let switches = [ALONE, TRIP, "replications=64", decides];
    let scenario = with(&switches);
    let mut answers_by_design = DESIGNS.map(|design| {
        (0..64)
            .map(|replication| {
                let (steps, record) = story(&scenario, design, replication, 0).expect("the first call ended");
                let sent = steps.iter().filter_map(|step| step.what.strip_prefix("sends the answer: "));
                let answers: Vec<&str> = sent.flat_map(|words| words.split(", ")).collect();
                assert_eq!((answers.len(), record.prompts), (3, 3));
                let expected = match &answers[..] {
                    some if some.contains(&"decline") => "declined",
                    some if some.contains(&"cancel") => "cancelled",
                    _ => "completed",
                };
                assert_eq!(
                    (end(&record).as_str(), record.entries),
                    (expected, if expected == "completed" { 3 } else { 0 })
                );
                answers.join(" ")
            })
            .collect::<Vec<String>>()
    });
    let [waiting, carrying] = &mut answers_by_design;
    assert_eq!(waiting, carrying, "both designs meet the same people");
    for met in ["accept accept accept", "accept decline accept", "accept accept cancel"] {
        assert!(waiting.iter().any(|answers| answers == met), "nobody answered {met}");
    }
}

#[test]
fn entries_are_counted_beyond_what_a_byte_holds() {
    let seat =
        r#"{"type":"object","properties":{"seat":{"type":"string","enum":["window","aisle"]}},"required":["seat"]}"#;
    let ask =
        r#"{ ask = { key = "k", form = "seat.json", typed = '{"seat":"window"}', mistyped = '{"seat":"middle"}' } }"#;
    let steps = format!("{}{ask}", "{ post = \"a\" }, ".repeat(10));
    // Forty wrong answers that no host looks at: the body runs from the top 42 times, and enters ten times in each.
    let wrong = [
        "people.wrong_tries.constant=40",
        "people.think.constant=1s",
        "clients.checks_answers=false",
        "clients.max_rounds=100",
        "tool.on_invalid=ask-again",
    ];
    let record = only_call(&in_steps(&steps, seat, &wrong), Carrying);
    assert_end(&record, plainly(Outcome::Completed));
    assert_eq!((record.entries, record.entries_again), (420, 410));
}
