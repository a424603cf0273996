//! Results out: which folder, which files, which numbers, in each format.

use super::{Desk, SHORT, Said, shipped};

fn json(said: Said) -> serde_json::Value {
    serde_json::from_str(&said.done()).expect("JSON")
}

#[test]
fn an_unchanged_run_goes_to_the_folder_of_its_name() {
    let desk = Desk::with_short();
    let out = desk.parked(&["run", "short.toml"]).done();
    assert_eq!(desk.files("results"), ["short/manifest.toml", "short/outcomes.svg", "short/summary.csv"]);
    let manifest: toml::Table = desk.read("results/short/manifest.toml").parse().expect("TOML");
    assert_eq!(manifest["scenario"].as_str(), Some("short"));
    assert_eq!((manifest["replications"].as_integer(), manifest["complete"].as_bool()), (Some(3), Some(true)));
    assert!(out.contains(manifest["digest"].as_str().expect("text")), "the table ends with the digest");
    assert!(desk.read("results/short/outcomes.svg").starts_with("<svg"));
}

#[test]
fn a_changed_run_goes_to_a_folder_of_its_own() {
    let desk = Desk::with_short();
    desk.parked(&["run", "short.toml"]).done();
    let before = desk.read("results/short/manifest.toml");
    for words in [&["--set", "people.silent=0.5"][..], &["--seed", "7"], &["--replications", "2"]] {
        let run: Vec<&str> = ["run", "short.toml", "--out", "changed"].iter().chain(words).copied().collect();
        desk.parked(&run).done();
    }
    let manifests: Vec<String> =
        desk.files("changed").into_iter().filter(|file| file.ends_with("manifest.toml")).collect();
    assert_eq!(manifests.len(), 3, "{manifests:?}");
    for file in manifests {
        let manifest: toml::Table = desk.read(&format!("changed/{file}")).parse().expect("TOML");
        let hash = manifest["scenario_hash"].as_str().expect("text");
        assert_eq!(file, format!("short/{}/manifest.toml", &hash[..8]));
    }
    assert_eq!(desk.read("results/short/manifest.toml"), before, "the folder of the unchanged run is left alone");
}

#[test]
fn the_same_run_writes_the_same_bytes_on_any_number_of_threads() {
    let desk = Desk::with_short();
    let run = |out: &str, threads: &str| {
        let words = ["run", "short.toml", "--calls", "--out", out, "--threads", threads];
        let said = desk.parked(&words).done();
        let files = desk.files(out);
        let texts: Vec<String> = files.iter().map(|file| desk.read(&format!("{out}/{file}"))).collect();
        (said, files, texts)
    };
    assert_eq!(run("one", "1"), run("three", "3"));
}

#[test]
fn a_seed_on_the_command_line_is_the_same_as_one_that_is_set() {
    let desk = Desk::with_short();
    let run = |words: &[&str]| desk.parked(&[&["run", "short.toml", "--format", "json"], words].concat()).done();
    assert_eq!(run(&["--seed", "7"]), run(&["--set", "seed=7"]));
    assert_eq!(run(&["--replications", "2"]), run(&["--set", "replications=2"]));
    assert_ne!(run(&["--seed", "7"]), run(&["--seed", "8"]));
}

#[test]
fn calls_are_written_one_row_each_when_asked_for() {
    let desk = Desk::with_short();
    let words = ["run", "short.toml", "--calls", "--format", "json"];
    let summary = json(desk.parked(&words));
    let mut reader = csv::Reader::from_path(desk.path("results/short/calls.csv")).expect("a file");
    let header = reader.headers().expect("a header").clone();
    for column in ["design", "replication", "call", "arrived_s", "think_s", "action", "outcome", "cause", "entries"] {
        assert!(header.iter().any(|name| name == column), "no column {column}");
    }
    let rows = reader.records().map(|row| row.expect("a row")).collect::<Vec<_>>();
    let designs = &summary["points"][0]["designs"];
    for design in ["waiting", "carrying"] {
        let started = designs[design]["started"]["total"].as_f64().expect("a number");
        assert!(started > 0.0);
        assert_eq!(rows.iter().filter(|row| &row[0] == design).count() as f64, started);
    }
    desk.parked(&["run", "short.toml"]).done();
    assert!(!desk.holds("results/short/calls.csv"), "calls of an earlier run do not stay beside a later one");
}

#[test]
fn json_holds_what_the_table_shows() {
    let desk = Desk::with_short();
    let summary = json(desk.parked(&["run", "short.toml", "--format", "json"]));
    assert_eq!((summary["seed"].as_u64(), summary["replications"].as_u64()), (Some(20_260_728), Some(3)));
    assert_eq!(summary["digest"].as_str().map(str::len), Some(64));
    for design in ["waiting", "carrying"] {
        let of = &summary["points"][0]["designs"][design];
        assert!(of["outcomes"].as_object().is_some_and(|outcomes| !outcomes.is_empty()), "{design}");
        for number in ["/parked/mean", "/parked/peak", "/entries/mean", "/prompts/mean", "/latency_s/mean"] {
            assert!(of.pointer(number).is_some_and(serde_json::Value::is_number), "{design}{number}");
        }
        let outcomes = of["outcomes"].as_object().expect("a table").values();
        let ended: f64 = outcomes.map(|count| count["total"].as_f64().expect("a number")).sum();
        assert_eq!(Some(ended), of["started"]["total"].as_f64(), "every call has one end");
    }
}

#[test]
fn two_scenarios_are_two_lines_of_json_or_one_table_of_csv() {
    let desk = Desk::with_short();
    desk.put("other.toml", &SHORT.replace("\"short\"", "\"other\""));
    let lines = desk.parked(&["run", "short.toml", "other.toml", "--format", "json"]).done();
    let names = lines.lines().map(|line| {
        let summary: serde_json::Value = serde_json::from_str(line).expect("JSON");
        summary["scenario"].as_str().expect("text").to_owned()
    });
    assert_eq!(names.collect::<Vec<_>>(), ["short", "other"]);
    let table = desk.parked(&["run", "short.toml", "other.toml", "--format", "csv"]).done();
    let files = ["short", "other"].map(|name| desk.read(&format!("results/{name}/summary.csv")));
    let (header, _) = files[0].split_once('\n').expect("a header");
    assert_eq!(table, format!("{}{}", files[0], files[1].strip_prefix(&format!("{header}\n")).expect("a header")));
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let rows = reader.records().map(|row| row.expect("rows of one length")).collect::<Vec<_>>();
    assert!(rows.iter().any(|row| &row[0] == "other" && &row[1] == "waiting" && &row[2] == "parked"));
}

#[test]
fn two_scenarios_of_one_name_are_refused() {
    let desk = Desk::with_short();
    desk.put("again.toml", SHORT);
    let said = desk.parked(&["run", "short.toml", "again.toml"]);
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
    assert!(said.err.contains("short") && !desk.holds("results"), "{}", said.err);
}

#[test]
fn a_trace_tells_the_story_of_a_call_under_each_design() {
    let desk = Desk::new();
    let file = shipped("seed/other-instance.toml");
    let both = desk.parked(&["trace", &file]).done();
    assert!(both.contains("call 0 under waiting: timed out, because a message reached another instance"), "{both}");
    assert!(both.contains("call 0 under carrying: completed"), "{both}");
    let only = desk.parked(&["trace", &file, "--design", "carrying", "--call", "0"]).done();
    assert!(both.ends_with(&only) && !only.contains("waiting"), "{only}");
    assert_eq!(desk.files("."), [""; 0]);
}

#[test]
fn the_wire_view_shows_the_messages_of_a_call_in_the_words_of_each_revision() {
    let desk = Desk::new();
    let file = shipped("seed/other-instance.toml");
    let both = desk.parked(&["trace", &file, "--wire"]).done();
    for words in [
        "call 0 under waiting, in the words of 2025-11-25: timed out",
        "\"method\":\"notifications/initialized\"",
        "\"id\":\"srv-1\",\"method\":\"elicitation/create\"",
        "HTTP/1.1 202 Accepted",
        "call 0 under carrying, in the words of 2026-07-28: completed",
        "Mcp-Name: submit_expense",
        "\"resultType\":\"input_required\"",
        "\"requestState\":\"v1.",
    ] {
        assert!(both.contains(words), "{words} is missing in\n{both}");
    }
    let carrying = json(desk.parked(&["trace", &file, "--wire", "--design", "carrying", "--format", "json"]));
    let messages = carrying[0]["messages"].as_array().expect("a list");
    assert_eq!(messages.len(), 4, "two requests, two responses");
    assert_eq!(messages[2]["http"]["post"]["headers"]["Mcp-Method"], "tools/call");
    let states = [&messages[1]["body"]["result"]["requestState"], &messages[2]["body"]["params"]["requestState"]];
    assert!(states[0].is_string() && states[0] == states[1], "the state comes back as it was given");
    assert_eq!(desk.parked(&["trace", &file, "--format", "json"]).code, Some(2), "a story is text");
}

#[test]
fn a_call_that_does_not_exist_has_no_story() {
    let desk = Desk::new();
    let said = desk.parked(&["trace", &shipped("seed/parked.toml"), "--call", "1"]);
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
    assert!(said.err.contains("no call 1"), "{}", said.err);
}

#[test]
fn the_known_measurements_are_reproduced() {
    let desk = Desk::new();
    let text = desk.parked(&["reproduce"]).done();
    assert_eq!(text.lines().filter(|line| line.ends_with("  ok")).count(), 81, "{text}");
    let rows = json(desk.parked(&["reproduce", "--format", "json"]));
    let rows = rows.as_array().expect("a list");
    assert!(rows.len() == 81 && rows.iter().all(|row| row["ok"] == true), "{rows:?}");
    assert!(rows.iter().all(|row| row["got"] == row["expected"]));
    assert_eq!(desk.files("."), [""; 0]);
}

#[test]
fn every_closed_form_is_met_and_the_interval_stands_beside_it() {
    let desk = Desk::new();
    let rows = json(desk.parked(&["verify", "--quick", "--format", "json"]));
    let rows = rows.as_array().expect("a list");
    assert!(rows.len() >= 25 && rows.iter().all(|row| row["agrees"] == true), "{rows:?}");
    for row in rows {
        let number = |key: &str| row[key].as_f64().expect("a number");
        assert!(number("low") < number("exact") && number("exact") < number("high"), "{row}");
        assert!(number("low") <= number("simulated") && number("simulated") <= number("high"), "{row}");
        desk.put("again.toml", row["scenario"].as_str().expect("a text"));
        desk.parked(&["check", "again.toml"]).done();
    }
}

#[test]
fn a_scenario_that_its_closed_form_does_not_fit_is_exit_code_4() {
    let desk = Desk::new();
    let said = desk.parked(&["verify", "--set", "replications=2", "--set", "clients.patience=20s"]);
    assert_eq!(said.code, Some(4), "{}", said.err);
    let disagree = said.out.lines().filter(|line| line.ends_with("DISAGREES")).count();
    let given_up = said.out.lines().find(|line| line.starts_with("given up")).expect("a line");
    assert!(given_up.ends_with("DISAGREES") && said.out.contains(&format!("{disagree} of")), "{}", said.out);
}

#[test]
fn a_check_without_two_replications_is_exit_code_2() {
    let said = Desk::new().parked(&["verify", "--set", "replications=1"]);
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{}", said.err);
}
