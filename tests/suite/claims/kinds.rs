//! Claims about a mix of kinds of clients: who gets which, and what a kind says for itself.

use parked::era::Design::{self, Carrying, Waiting};
use parked::experiment::{self, Execution, Summary};
use parked::metrics::{Record, Tally};
use parked::scenario::{Scenario, effective_hash};

use super::super::common;
use super::{ALONE, DESIGNS, end, in_steps, with};

/// So many calls, one each second, of which none gets in the way of another.
fn calls(count: u32) -> [String; 4] {
    let words = [ALONE, "fleet.threads=unlimited", "arrivals.constant.rate=1/s"].map(str::to_owned);
    let [alone, threads, rate] = words;
    [alone, threads, rate, format!("run.horizon={count}s")]
}

fn of_calls(count: u32, switches: &[&str]) -> Scenario {
    let calls = calls(count);
    with(&calls.iter().map(String::as_str).chain(switches.iter().copied()).collect::<Vec<_>>())
}

fn records(scenario: &Scenario, design: Design) -> Vec<Record> {
    common::cell(scenario, design).records
}

#[test]
pub fn the_name_of_a_kind_reaches_the_summary_and_changes_no_call() {
    let named = |first: &str| {
        of_calls(
            100,
            &[&format!(
                r#"clients.mix=[{{ name = "{first}", share = 0.5 }}, {{ name = "other", share = 0.5, on_ask.cancel = "1s" }}]"#
            )],
        )
    };
    let (north, south) = (named("north"), named("south"));
    assert_ne!(effective_hash(&north), effective_hash(&south));
    let [cells, same] = [&north, &south].map(common::run);
    assert_eq!(cells, same);
    for (scenario, first) in [(&north, "north"), (&south, "south")] {
        let summary = Summary::of(scenario, &cells);
        for design in DESIGNS {
            let clients = &summary.points[0].designs[&design].clients;
            let mut names: Vec<&str> = clients.keys().map(String::as_str).collect();
            names.sort_unstable_by_key(|&name| name == "other");
            assert_eq!(names, [first, "other"]);
        }
    }
}

#[test]
pub fn a_larger_share_turns_further_calls_to_a_kind_and_takes_none_away() {
    for design in DESIGNS {
        let first = |share: f64| -> Vec<bool> {
            let mix = format!(
                r#"clients.mix=[{{ name = "a", share = {share} }}, {{ name = "b", share = {}, on_ask.cancel = "1s" }}]"#,
                1.0 - share
            );
            let records = records(&of_calls(2_000, &[&mix]), design);
            assert_eq!(records.len(), 2_000);
            for record in &records {
                assert_eq!(record.prompts == 1, record.client == 0, "the kind decides what is done with an ask");
            }
            records.iter().map(|record| record.client == 0).collect()
        };
        let (quarter, half) = (first(0.25), first(0.5));
        for (share, calls) in [(0.25_f64, &quarter), (0.5, &half)] {
            let count = calls.iter().filter(|&&of_first| of_first).count() as f64;
            let slack = 5.0 * (2_000.0 * share * (1.0 - share)).sqrt();
            assert!((count - 2_000.0 * share).abs() <= slack, "{count} of 2,000 instead of {share}");
        }
        assert!(quarter.iter().zip(&half).all(|(before, now)| *now || !before));
    }
}

#[test]
pub fn what_a_kind_says_itself_holds_for_its_calls_and_for_no_others() {
    // A key of a kind; what it needs beside it to show; the body; under which designs it shows.
    let password = |switches: &[&str]| {
        in_steps(r#"{ ask = { key = "a", message = "Your password?" } }, { post = "done" }"#, "", switches)
    };
    let built_in = |switches: &[&str]| with(switches);
    type Build<'a> = &'a dyn Fn(&[&str]) -> Scenario;
    let cases: [(&str, &[&str], Build<'_>, &[Design]); 5] = [
        ("capabilities = {}", &[], &built_in, &[Waiting, Carrying]),
        ("capabilities_on_retry = {}", &["tool.body=transfer_funds"], &built_in, &[Carrying]),
        ("on_ask = { cancel = \"50ms\" }", &[], &built_in, &[Waiting, Carrying]),
        (
            "checks_answers = false",
            &["tool.body=choose_seat", "people.wrong_tries.constant=1"],
            &built_in,
            &[Waiting, Carrying],
        ),
        ("screens_forms = false", &[], &password, &[Waiting, Carrying]),
    ];
    for (key, shown_with, build, shows) in cases {
        let calls = calls(200);
        let run = |design, more: &str| {
            let common = calls.iter().map(String::as_str).chain(shown_with.iter().copied());
            records(&build(&common.chain([more]).collect::<Vec<_>>()), design)
        };
        let mix = format!(r#"clients.mix=[{{ name = "plain", share = 0.5 }}, {{ name = "own", share = 0.5, {key} }}]"#);
        let (name, value) = key.split_once(" = ").expect("a key and its value");
        for design in DESIGNS {
            let (plain, own) = (run(design, "seed=20260728"), run(design, &format!("clients.{name}={value}")));
            assert_eq!(plain.iter().zip(&own).any(|(one, other)| one != other), shows.contains(&design), "{key}");
            let mixed = run(design, &mix);
            assert_eq!(mixed.len(), 200);
            for (call, record) in mixed.iter().enumerate() {
                let alone = if record.client == 0 { plain[call] } else { own[call] };
                assert_eq!(Record { client: 0, ..*record }, alone, "{key}: call {call} of kind {}", record.client);
            }
            assert!(mixed.iter().any(|record| record.client == 0) && mixed.iter().any(|record| record.client == 1));
        }
    }
}

#[test]
fn what_no_kind_says_is_taken_from_the_clients() {
    for design in DESIGNS {
        let mix =
            r#"clients.mix=[{ name = "plain", share = 0.5 }, { name = "shows", share = 0.5, on_ask.show = true }]"#;
        for record in records(&of_calls(200, &[mix, "clients.on_ask.cancel=50ms"]), design) {
            assert_eq!(record.prompts, u32::from(record.client), "only the second kind says that it shows");
        }
    }
}

#[test]
fn what_a_kind_declares_it_declares_on_retries_too_unless_it_says_otherwise() {
    let mix = r#"clients.mix=[
        { name = "common", share = 0.25 },
        { name = "own", share = 0.25, capabilities = { elicitation = {} } },
        { name = "shrinks", share = 0.5, capabilities = { elicitation = {} }, capabilities_on_retry = {} },
    ]"#;
    let retries = ["tool.body=transfer_funds", "clients.capabilities_on_retry={}", mix];
    for design in DESIGNS {
        let records = records(&of_calls(200, &retries), design);
        for record in &records {
            let asked_twice = design == Waiting || record.client == 1;
            let expected = if asked_twice { "completed" } else { "unsupported/capability" };
            assert_eq!((end(record).as_str(), record.asks), (expected, 1 + u32::from(asked_twice)));
        }
        assert!((0..3).all(|kind| records.iter().any(|record| record.client == kind)));
    }
}

const FIVE_KINDS: &str = r#"clients.mix=[
    { name = "a", share = 0.5 },
    { name = "b", share = 0.25, on_ask.cancel = "50ms" },
    { name = "c", share = 0.15, on_ask.hang = "60s" },
    { name = "d", share = 0.09, capabilities = {} },
    { name = "e", share = 0.01, checks_answers = false },
]"#;

#[test]
fn a_call_has_the_same_kind_of_client_under_both_designs() {
    let scenario = of_calls(20_000, &[FIVE_KINDS]);
    let [waiting, carrying] =
        DESIGNS.map(|design| records(&scenario, design).iter().map(|record| record.client).collect::<Vec<u8>>());
    assert_eq!(waiting.len(), 20_000);
    assert_eq!(waiting, carrying);
    assert!((0..5).all(|kind| waiting.contains(&kind)));
}

/// Each kind has its share of so many calls, under both designs.
fn has_its_share(count: u32) {
    let scenario = of_calls(count, &[FIVE_KINDS]);
    let execution = Execution { threads: None, keep_records: false };
    let tallies: Vec<Tally> = experiment::run(&scenario, execution, &())
        .expect("threads can be started")
        .into_iter()
        .map(|cell| cell.tally)
        .collect();
    assert_eq!(tallies.len(), 2);
    for tally in tallies {
        assert_eq!(tally.started, u64::from(count));
        for (kind, tally) in scenario.clients.kinds.iter().zip(&tally.clients) {
            let expected = kind.share * f64::from(count);
            let sd = (expected * (1.0 - kind.share)).sqrt();
            assert!((tally.started as f64 - expected).abs() <= 5.0 * sd, "{}: {} of {count}", kind.name, tally.started);
        }
    }
}

#[test]
fn each_kind_has_its_share_of_twenty_thousand_calls() {
    has_its_share(20_000);
}

#[test]
#[ignore = "slow lane: a million calls"]
fn each_kind_has_its_share_of_a_million_calls() {
    has_its_share(1_000_000);
}
