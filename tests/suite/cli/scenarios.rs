//! Scenarios in: files that are missing or wrong, new ones, the shipped ones, the schema.

use super::{Desk, SHORT, shipped};

#[test]
fn a_missing_file_is_exit_code_1_and_named() {
    let said = Desk::new().parked(&["run", "nowhere.toml"]);
    assert_eq!((said.code, said.out.as_str()), (Some(1), ""));
    assert!(said.err.contains("nowhere.toml"), "{}", said.err);
}

#[test]
fn a_wrong_scenario_is_exit_code_2_with_its_place_and_nothing_is_written() {
    let desk = Desk::new();
    desk.put("wrong.toml", &SHORT.replace("\"1/s\"", "\"1/fortnight\""));
    for command in ["run", "check", "trace"] {
        let said = desk.parked(&[command, "wrong.toml"]);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{command}");
        assert!(said.err.contains("wrong.toml:10:20"), "{}", said.err);
        assert_eq!(desk.files("."), ["wrong.toml"], "{command}");
    }
}

#[test]
fn all_errors_of_two_files_are_shown_at_once() {
    let desk = Desk::new();
    desk.put("a.toml", "format = 1\nname = \"a\"\nreplication = 3\nseed = -1\n");
    desk.put("b.toml", "format = 1\nname = \"b\"\nrun.horizont = \"1h\"\n");
    for command in ["run", "check"] {
        let said = desk.parked(&[command, "a.toml", "b.toml"]);
        assert_eq!(said.code, Some(2));
        for place in ["a.toml:3:1", "a.toml:4:8", "b.toml:3:5"] {
            assert!(said.err.contains(place), "{place} is not in\n{}", said.err);
        }
        assert!(said.err.contains("replications") && said.err.contains("horizon"), "what was meant is said");
    }
}

#[test]
fn one_wrong_file_keeps_the_others_from_being_run() {
    let desk = Desk::with_short();
    desk.put("wrong.toml", "name = 1\n");
    assert_eq!(desk.parked(&["run", "short.toml", "wrong.toml"]).code, Some(2));
    assert!(!desk.holds("results"));
}

#[test]
fn an_unknown_flag_and_an_unknown_command_are_exit_code_2() {
    let desk = Desk::with_short();
    for words in [&["run", "short.toml", "--frobnicate"][..], &["frobnicate"], &["run"], &[]] {
        let said = desk.parked(words);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{words:?}");
        assert!(said.err.contains("Usage"), "{}", said.err);
    }
}

#[test]
fn a_wrong_override_is_exit_code_2_and_is_shown() {
    let desk = Desk::with_short();
    for (word, shown) in [
        ("people.silent=2", "people.silent"),
        ("people.silnt=0.5", "silent"),
        ("people.silent", "="),
        ("run.horizon.x=1", "run.horizon"),
    ] {
        let said = desk.parked(&["run", "short.toml", "--set", word]);
        assert_eq!(said.code, Some(2), "{word}");
        assert!(said.err.contains(shown), "{word}: {}", said.err);
    }
    assert!(!desk.holds("results"));
}

#[test]
fn a_new_scenario_runs_as_it_is_and_is_never_overwritten() {
    let desk = Desk::new();
    let said = desk.parked(&["new", "my-fleet"]).done();
    assert!(said.contains("my-fleet.toml"), "{said}");
    let text = desk.read("my-fleet.toml");
    assert!(desk.parked(&["check", "my-fleet.toml"]).done().contains("ok"));
    let run = ["run", "my-fleet.toml", "--replications", "1", "--set", "run.horizon=1m", "--format", "json"];
    assert!(desk.parked(&run).done().contains("\"scenario\": \"my-fleet\""));
    let again = desk.parked(&["new", "my-fleet"]);
    assert_eq!(again.code, Some(2));
    assert!(again.err.contains("my-fleet.toml") && again.err.contains("exists"), "{}", again.err);
    assert_eq!(desk.read("my-fleet.toml"), text);
}

#[test]
fn a_name_that_is_no_plain_word_makes_no_file() {
    let desk = Desk::new();
    for name in ["../up", "My Fleet", "a/b", "", ".toml"] {
        let said = desk.parked(&["new", name]);
        assert_eq!((said.code, desk.files(".").len()), (Some(2), 0), "{name:?}: {}", said.err);
    }
}

#[test]
fn the_commands_that_a_new_scenario_names_exist() {
    let desk = Desk::new();
    desk.parked(&["new", "x"]).done();
    let text = desk.read("x.toml");
    let command = text.lines().find_map(|line| line.split_once("parked ")).expect("a command").1;
    let words: Vec<&str> = command.split('>').next().expect("before the file").split_whitespace().collect();
    assert!(desk.parked(&words).done().starts_with('{'), "parked {}", words.join(" "));
}

#[test]
fn check_says_ok_and_the_question_of_each_file() {
    let desk = Desk::with_short();
    let said = desk.parked(&["check", "short.toml", &shipped("round-robin.toml")]).done();
    assert_eq!(said.lines().count(), 2);
    assert!(said.lines().all(|line| line.contains(": ok")) && said.contains("Does it run?"), "{said}");
    assert!(!desk.holds("results"));
}

#[test]
fn list_shows_every_shipped_scenario_with_its_question() {
    let said = Desk::new().parked(&["list"]).done();
    for path in ["scenarios/instance-dies.toml", "scenarios/seed/parked.toml", "scenarios/real/w1a.toml"] {
        assert_eq!(said.matches(path).count(), 1, "{path}");
    }
    assert!(said.lines().all(|line| line.starts_with("scenarios/") && line.ends_with('?')), "{said}");
}

#[test]
fn the_schema_is_json_that_knows_every_key() {
    let said = Desk::new().parked(&["schema"]).done();
    let schema: serde_json::Value = serde_json::from_str(&said).expect("JSON");
    for key in parked::scenario::keys() {
        let mut at = &schema;
        for step in key.path.split('.') {
            let tables = [&at["properties"][step], &at["items"]["properties"][step]];
            at = tables.into_iter().find(|found| found.is_object()).unwrap_or_else(|| panic!("no {}", key.path));
        }
    }
}
