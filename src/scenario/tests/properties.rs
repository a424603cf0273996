//! Whatever is read, nothing panics; what is legal is read; every problem lies within the text.

use proptest::prelude::*;

use super::*;
use crate::scenario::{Kind, distribution_keys, effective_hash, keys};

/// Any text, texts in the letters of TOML, and texts that nearly are scenarios.
fn any_text() -> impl Strategy<Value = String> {
    let line = (any::<proptest::sample::Index>(), value()).prop_map(|(index, value)| {
        let all: Vec<&str> = keys().iter().chain(distribution_keys()).map(|key| key.path).collect();
        format!("{} = {value}\n", index.get(&all))
    });
    let header = any::<proptest::sample::Index>().prop_map(|index| format!("[{}]\n", index.get(keys()).path));
    let lines = proptest::collection::vec(prop_oneof![4 => line, 1 => header], 0..12).prop_map(|lines| lines.concat());
    prop_oneof![any::<String>(), "[a-z0-9.=\"'\\[\\]{},# \r\n\u{e9}\u{feff}-]{0,200}", lines]
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        "-?[0-9]{1,25}(\\.[0-9]{1,3})?",
        "\"[0-9]{0,40}(ns|us|ms|s|m|h|d|M|/s|/d)?\"",
        "\"(\\PC){0,10}\"".prop_filter("quotes", |text| !text[1..text.len() - 1].contains(['"', '\\'])),
        Just("{}".into()),
        Just("[]".into()),
        Just("[\"1s\", 1, {}]".into()),
        Just("{ constant = \"1s\" }".into()),
        Just("{ mixture = [{ weight = 1e300, lognormal = { mean = \"1ns\", sigma = 1e300 } }] }".into()),
        Just("nan".into()),
        Just("true".into()),
        Just("1979-05-27".into()),
    ]
}

/// A legal value of a key, if the key stands by itself and no other key must change with it.
fn legal_line(key: &crate::scenario::Key, pick: u64) -> Option<String> {
    let choose = |words: &[&'static str]| words[(pick % words.len() as u64) as usize];
    let value = match (key.path, key.kind) {
        ("fleet.queue" | "run.horizon" | "run.start" | "fleet.instances" | "fleet.zones", _) => return None,
        // What only another key allows.
        (
            "fleet.heartbeat"
            | "fleet.heartbeat_jitter"
            | "fleet.sessions"
            | "fleet.session_cap"
            | "fleet.memory.base"
            | "fleet.memory.limit"
            | "clients.goodbye"
            | "clients.calls_per_session"
            | "fleet.answers_need_thread"
            | "balancer.hash.by"
            | "balancer.bypass"
            | "balancer.hash.points"
            | "people.forms"
            | "people.stale_after"
            | "tool.budget_pauses"
            | "tool.idempotency"
            | "tool.idempotency_scope"
            | "state.spends"
            | "state.checks_issued"
            | "state.key_lag"
            | "state.rotation",
            _,
        ) => return None,
        (path, _) if path.starts_with("state.rotation.") => return None,
        // A fleet migrates by a deploy, which stands in a list.
        ("designs", _) => format!("[\"{}\"]", choose(&["waiting", "carrying"])),
        ("balancer.policy", Kind::Choice(words)) => format!("\"{}\"", choose(&words[..5])),
        (path, _) if path.starts_with("balancer.detection") || path.starts_with("fault.") => return None,
        // What only another design, or a table that says more, allows.
        (path, _) if path.starts_with("fleet.pool.") || path.starts_with("store.") => return None,
        ("clients.speaks", _) => return None,
        (path, _) if path.starts_with("fleet.scaling.") || path == "fleet.termination.pre_stop" => return None,
        ("fleet.termination.grace", _) => format!("\"{}s\"", 1_000 + pick % 1_000),
        ("balancer.weights", _) => format!("[{}, 0, {}]", 1 + pick % 1_000, pick % 7),
        ("balancer.background", _) => format!("\"{}/s\"", pick % 10_000),
        // Ends sessions, which the carrying design does not have.
        ("fleet.session_idle", _) => "\"none\"".into(),
        ("clients.retry.factor", _) => format!("1.{}", pick % 1_000),
        // What stands in a list stands in no table by itself.
        (path, _) if path.starts_with("tool.step") || path.starts_with("clients.mix") => return None,
        ("tool.body", Kind::Choice(words)) => format!("\"{}\"", choose(&words[..5])),
        ("tool.unable", _) => format!("\"{}\"", choose(&["reject", "fail-open", "hide-tool"])),
        ("clients.on_ask", _) => {
            ["{ show = true }", "{ hang = \"60s\" }", "{ cancel = \"0s\" }"][(pick % 3) as usize].into()
        }
        ("links.unfinished", _) => {
            ["{ poll = \"5s\" }", "{ manual = true }", "{ block = true }"][(pick % 3) as usize].into()
        }
        ("clients.on_ask.show", _) => return None,
        (path, Kind::Flag) if path.starts_with("links.unfinished") => return None,
        ("bill.utilisation" | "bill.quantile", _) => format!("0.{}", 1 + pick % 1_000),
        (_, Kind::Bytes) => format!("\"{}kB\"", pick % 1_000_000),
        (_, Kind::BytesOr(_)) => format!("\"{}MiB\"", 1 + pick % 1_000_000),
        (_, Kind::NotNegative) => format!("{}.{}", pick % 10, pick % 1_000),
        ("clients.capabilities_on_retry", _) => "{ sampling = { tools = {} } }".into(),
        ("run.warm_up", _) => format!("\"{}s\"", pick % 3_600),
        ("people.decide", _) => "{ accept = 0.5, decline = 0.25, cancel = 0.25 }".into(),
        ("links.server", _) => "\"files.example\"".into(),
        (_, Kind::Text) => "\"why?\"".into(),
        (_, Kind::Flag) => (pick.is_multiple_of(2)).to_string(),
        (_, Kind::Whole { min, max }) => (min + pick % (max - min + 1)).to_string(),
        (_, Kind::WholeOr(words)) if pick.is_multiple_of(2) => format!("\"{}\"", choose(&words[..1])),
        (_, Kind::WholeOr(_)) => (1 + pick % 1_000).to_string(),
        (_, Kind::Share) if key.parent() == "people" => format!("0.{}", pick % 1_000),
        (_, Kind::Choice(words)) => format!("\"{}\"", choose(words)),
        (_, Kind::Choices(words)) => format!("[\"{}\"]", choose(words)),
        (_, Kind::Duration) if ["balancer", "state"].contains(&key.parent()) => {
            format!("\"{}ms\"", pick % 1_000_000)
        }
        ("fleet.termination.drain", _) => format!("\"{}ms\"", pick % 30_000),
        (_, Kind::Duration) if key.parent().starts_with("fleet") => format!("\"{}ms\"", pick % 100_000),
        (_, Kind::DurationOr(word)) if pick.is_multiple_of(2) => {
            format!("\"{word}\"")
        }
        (_, Kind::DurationOr(_)) => format!("\"{}ms\"", 1 + pick % 1_000_000),
        (_, Kind::Durations) => format!("[\"{}s\", \"300.4s\"]", 1 + pick % 600),
        (_, Kind::Seconds) => format!("{{ exponential = {{ mean = \"{}us\" }} }}", 1 + pick % 1_000_000),
        (_, Kind::Numbers) => format!("{{ constant = {} }}", pick % 10_000),
        _ => return None,
    };
    Some(format!("{} = {value}\n", key.path))
}

proptest! {
    #[test]
    fn no_text_makes_reading_or_rendering_panic_and_every_place_is_in_the_text(text in any_text(), name in any::<String>()) {
        if let Err(invalid) = parse(Source { name, text }, &[], &NoFiles) {
            prop_assert!(!invalid.problems().is_empty());
            let text = &invalid.source().text;
            for problem in invalid.problems() {
                prop_assert!(text.get(problem.span.clone()).is_some(), "{:?} of {text:?}", problem);
            }
            for colour in [false, true] {
                prop_assert!(!invalid.render(colour).is_empty());
            }
        }
    }

    #[test]
    fn no_override_makes_reading_or_rendering_panic(text in any_text(), words in proptest::collection::vec(any_override(), 0..4)) {
        for text in [text.as_str(), SMALLEST] {
            if let Err(invalid) = parse(source(text), &words, &NoFiles) {
                for problem in invalid.problems() {
                    prop_assert!(invalid.source().text.get(problem.span.clone()).is_some());
                }
                prop_assert!(!invalid.render(false).is_empty());
            }
        }
    }

    #[test]
    fn no_table_of_rows_makes_reading_panic(csv in "(arrived_s,think_s,action(,first_instance,leg1_instance,answer_instance)?)?[a-z0-9.,\"\r\n\u{e9}\u{feff}]{0,200}") {
        for text in ["name = \"a\"\narrivals.trace.file = \"x.csv\"\n", "name = \"a\"\nbalancer.policy = \"recorded\"\narrivals.trace.file = \"x.csv\"\n", "name = \"a\"\npeople.think.empirical = { file = \"x.csv\", column = \"think_s\" }\n"] {
            if let Err(invalid) = read_with(text, &csv) {
                prop_assert!(!invalid.render(false).is_empty());
            }
        }
    }

    #[test]
    fn legal_lines_in_any_selection_are_read(picks in proptest::collection::vec(proptest::option::of(any::<u64>()), keys().len())) {
        let lines: String = keys().iter().zip(picks).filter_map(|(key, pick)| legal_line(key, pick?)).collect();
        let text = format!("{SMALLEST}{lines}");
        let scenario = read(&text);
        prop_assert!(scenario.is_ok(), "{}\n{text}", scenario.unwrap_err());
        prop_assert_eq!(effective_hash(&scenario.unwrap()), effective_hash(&legal(&format!("# again\n{text}"))));
    }
}

fn any_override() -> impl Strategy<Value = String> {
    let known = (any::<proptest::sample::Index>(), value()).prop_map(|(index, value)| {
        let paths: Vec<&str> = keys().iter().map(|key| key.path).collect();
        format!("{}={value}", index.get(&paths))
    });
    prop_oneof![any::<String>(), "[a-z.0-9]{0,12}=[ -~]{0,12}", known]
}
