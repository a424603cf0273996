//! Data on the standard output, everything else on the standard error, and what happens when one cannot be written.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use super::{Desk, Said};

#[test]
fn the_standard_output_holds_data_and_the_standard_error_the_rest() {
    let desk = Desk::with_short();
    let json = desk.parked(&["run", "short.toml", "--format", "json"]);
    assert!(json.out.starts_with('{') && json.out.ends_with("}\n"));
    assert!(json.err.contains("results/short"), "{}", json.err);
    let csv = desk.parked(&["run", "short.toml", "--format", "csv"]);
    assert_eq!(csv.out, desk.read("results/short/summary.csv"));
    let quiet = desk.parked(&["run", "short.toml", "--quiet"]);
    assert_eq!((quiet.code, quiet.out.as_str(), quiet.err.as_str()), (Some(0), "", ""));
    assert!(desk.holds("results/short/manifest.toml"));
}

/// Starts a run of forty long cells and waits for its first line on the standard error.
fn first_progress(style: &str) -> String {
    let desk = Desk::with_short();
    let busy = ["--set", "arrivals.poisson.rate=500/s", "--set", "run.horizon=5m", "--replications", "20"];
    let words = [&["run", "short.toml", "--threads", "1", "--progress", style][..], &busy].concat();
    let mut command = desk.command(&words);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program can be started");
    let mut line = String::new();
    let err = child.stderr.take().expect("a pipe");
    BufReader::new(err).read_line(&mut line).expect("text");
    child.kill().expect("the program runs on");
    let said = Said::of(child.wait_with_output().expect("the program ends"));
    assert_eq!(said.out, "", "progress is no data");
    line
}

#[test]
fn progress_goes_to_the_standard_error_as_a_plain_line() {
    let line = first_progress("auto");
    assert!(line.starts_with("short: ") && line.ends_with(" of 40 cells\n"), "{line}");
}

#[test]
fn progress_goes_to_the_standard_error_as_json_when_asked_for() {
    let line = first_progress("json");
    let progress: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!((progress["scenario"].as_str(), progress["total"].as_u64()), (Some("short"), Some(40)));
    assert!(progress["done"].as_u64().is_some_and(|done| 0 < done && done < 40), "{line}");
}

#[test]
fn without_a_terminal_nothing_is_coloured() {
    let desk = Desk::with_short();
    desk.put("wrong.toml", "name = 1\n");
    for words in [&["run", "short.toml"][..], &["check", "wrong.toml"], &["trace", "short.toml"], &["--help"]] {
        let plain = desk.parked(words);
        assert!(!plain.out.contains('\x1b') && !plain.err.contains('\x1b'), "{words:?}");
        let never = [words, &["--color", "never"]].concat();
        assert_eq!(desk.parked(&never).err, plain.err);
        let asked_not_to = desk.command(words).env("NO_COLOR", "1").output().expect("the program can be started");
        assert_eq!(Said::of(asked_not_to).err, plain.err);
    }
    assert!(desk.parked(&["check", "wrong.toml", "--color", "always"]).err.contains('\x1b'));
}

#[test]
fn a_reader_that_went_away_is_no_error() {
    let desk = Desk::with_short();
    for words in [&["schema"][..], &["run", "short.toml", "--format", "csv"]] {
        let mut child = desk
            .command(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program can be started");
        drop(child.stdout.take());
        let said = Said::of(child.wait_with_output().expect("the program ends"));
        assert_eq!(said.code, Some(0), "{words:?}: {}", said.err);
        assert!(!said.err.contains("panicked") && !said.err.contains("error"), "{}", said.err);
    }
    assert!(desk.holds("results/short/manifest.toml"), "results are written although nobody reads what is shown");
}

#[test]
fn a_folder_that_cannot_be_made_is_exit_code_1_with_one_message() {
    let desk = Desk::with_short();
    desk.put("taken", "a file stands where the folder would");
    let said = desk.parked(&["run", "short.toml", "--out", "taken"]);
    assert_eq!(said.code, Some(1));
    assert!(said.out.contains("threads parked"), "what was computed is shown all the same: {}", said.out);
    assert_eq!(said.err.lines().count(), 1, "{}", said.err);
    assert!(said.err.starts_with("error: cannot write taken"), "{}", said.err);
}

#[test]
fn one_folder_that_cannot_be_made_does_not_stop_the_other_scenarios() {
    let desk = Desk::with_short();
    desk.put("other.toml", &desk.read("short.toml").replace("short", "other"));
    std::fs::create_dir(desk.path("results")).expect("a new folder");
    desk.put("results/other", "a file stands where the folder would");
    let said = desk.parked(&["run", "other.toml", "short.toml"]);
    assert_eq!(said.code, Some(1));
    assert_eq!(said.err.matches("error:").count(), 1, "{}", said.err);
    assert!(desk.holds("results/short/manifest.toml"), "{}", said.err);
}

#[test]
fn a_flag_and_set_cannot_say_the_same_key() {
    let desk = Desk::with_short();
    for words in [["--seed", "3", "--set", "seed=4"], ["--replications", "3", "--set", "replications = 4"]] {
        let said = desk.parked(&["run", "short.toml", words[0], words[1], words[2], words[3]]);
        assert_eq!(said.code, Some(2), "{}", said.err);
        assert!(said.err.contains("twice"), "{}", said.err);
    }
    assert!(!desk.holds("results"), "nothing was written");
}
