//! Recorded rows: what is read, and how a bad row is reported.

use std::time::Duration;

use super::*;
use crate::engine::SimTime;
use crate::random::Distribution;
use crate::scenario::{Arrivals, Folder, LoadError, TraceRow, effective_hash, load};
use crate::world::Action;

const TRACE: &str = "name = \"a\"\narrivals.trace.file = \"x.csv\"\n";

#[test]
fn a_trace_brings_instants_think_times_and_actions() {
    let csv = "\u{feff}call,action,arrived_s,think_s\r\n0,accept,0.5,45\r\n1,never,0.5,\r\n";
    let second = TraceRow {
        arrived: SimTime::from_ns(500_000_000),
        think: Duration::ZERO,
        action: None,
        route: Default::default(),
    };
    let first = TraceRow { think: Duration::from_secs(45), action: Some(Action::Accept), ..second };
    let scenario = read_with(TRACE, csv).unwrap_or_else(|invalid| panic!("{invalid}"));
    assert_eq!(scenario.arrivals, Arrivals::Trace(vec![first, second].into()));
}

#[test]
fn the_rows_of_a_trace_are_part_of_the_hash() {
    let hash = |csv| effective_hash(&read_with(TRACE, csv).unwrap());
    let row = "arrived_s,think_s,action\n1,2,accept\n";
    assert_eq!(hash(row), hash("arrived_s,think_s,action\r\n1.0,2.000,accept\r\n"));
    assert_ne!(hash(row), hash("arrived_s,think_s,action\n1,2,decline\n"));
}

#[test]
fn every_bad_row_is_reported_with_line_column_and_reason() {
    let csv = "arrived_s,think_s,action\n1,x,accept\n\n0.5,1,maybe\n2,1,accept\n1,1,accept\n3601,1,accept\n7,1\n-1,1,cancel\n";
    let said = one_of(&read_with(TRACE, csv).unwrap_err());
    assert!(said.starts_with("2:23 the file of `arrivals.trace.file` cannot be used | 7 bad rows"), "{said}");
    for part in [
        "x.csv:2: column think_s: `x` is not plain decimal seconds",
        "x.csv:4: column action: `maybe` is not accept",
        "x.csv:4: column arrived_s: 0.5 is before the row above",
        "x.csv:6: column arrived_s: 1 is before the row above",
        "x.csv:7: column arrived_s: 3601 is after the horizon",
        "x.csv:8: column action: the row has too few columns",
        "x.csv:9: column arrived_s: `-1` is not plain decimal seconds",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
}

#[test]
fn of_many_bad_rows_twenty_are_shown_and_all_are_counted() {
    let csv = format!("arrived_s,think_s,action\n{}", "x,1,accept\n".repeat(50));
    let said = one_of(&read_with(TRACE, &csv).unwrap_err());
    assert!(said.contains("50 bad rows") && said.ends_with("and 30 more"), "{said}");
    assert_eq!(said.matches("x.csv:").count(), 20);
}

#[test]
fn a_file_without_its_columns_or_rows_is_refused() {
    let said = |csv: &str| one_of(&read_with(TRACE, csv).unwrap_err());
    assert!(said("1,2,accept\n").contains("the header has no column `arrived_s`"));
    assert!(said("").contains("the header has no column `arrived_s`"));
    assert!(said("arrived_s,think_s,action,think_s\n").contains("`think_s` twice"));
    assert!(said("arrived_s,think_s,action\n").contains("a header and no row"));
    let missing = one_of(&parse(source(TRACE), &[], &Given(BTreeMap::new())).unwrap_err());
    assert!(missing.starts_with("2:23 the file of `arrivals.trace.file` cannot be read"), "{missing}");
    let latin = Given(BTreeMap::from([("x.csv", b"arrived_s,think_s,action\n\xff".to_vec())]));
    assert!(one_of(&parse(source(TRACE), &[], &latin).unwrap_err()).contains("line 2 is not UTF-8"));
}

#[test]
fn what_the_trace_brings_cannot_be_set_beside_it() {
    let text = format!("{TRACE}people = {{ think.constant = \"1s\", decide.accept = 0.93, silent = 0.1 }}\n");
    let invalid = read_with(&text, "arrived_s,think_s,action\n1,2,accept\n").unwrap_err();
    let titles: Vec<_> = invalid.problems().iter().map(|problem| problem.title.as_str()).collect();
    let contradicts = |name: &str| format!("`people.{name}` contradicts `arrivals.trace`");
    assert_eq!(titles, ["think", "decide", "silent"].map(contradicts));
}

#[test]
fn empirical_values_come_from_one_column() {
    let text = "name = \"a\"\npeople.think.empirical = { file = \"x.csv\", column = \"think_s\" }\n";
    let think = read_with(text, "a,think_s\n9,1.5\n9,2\n").unwrap().people.think;
    assert_eq!(think, Distribution::empirical(vec![1.5, 2.0]).unwrap());
    let said = one_of(&read_with(text, "think_s\n1e3\n").unwrap_err());
    assert!(said.contains("x.csv:2: column think_s: `1e3`"), "{said}");
    let text = "name = \"a\"\ntool.amount.empirical = { file = \"x.csv\", column = \"amount\" }\n";
    assert_eq!(read_with(text, "amount\n1e3\n").unwrap().tool.amount, Distribution::empirical(vec![1_000.0]).unwrap());
    assert!(read_with(text, "amount\nnan\n").is_err());
}

#[test]
fn files_are_found_beside_the_scenario() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.toml");
    std::fs::write(&path, TRACE).unwrap();
    std::fs::write(folder.path().join("x.csv"), "arrived_s,think_s,action\n1,2,accept\n").unwrap();
    let scenario = load(&path, &["seed=7".into()]).unwrap();
    assert_eq!(scenario.seed, 7);
    assert!(Folder(folder.path().into()).read("x.csv").is_ok());
}

#[test]
fn a_file_that_cannot_be_read_is_not_a_wrong_scenario() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(load(&folder.path().join("none.toml"), &[]), Err(LoadError::Io { .. })));
    let hostile = load(&folder.path().join("\u{1b}[2J.toml"), &[]).unwrap_err().to_string();
    assert!(hostile.contains("\\u{1b}[2J.toml") && !hostile.contains('\u{1b}'), "{hostile}");
    let large = folder.path().join("large.toml");
    std::fs::File::create(&large).unwrap().set_len((4 << 20) + 1).unwrap();
    let error = load(&large, &[]).unwrap_err();
    assert!(error.to_string().contains("larger than 4 MiB"), "{error}");
}

#[test]
fn bytes_that_are_no_text_are_shown_where_they_stand() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.toml");
    std::fs::write(&path, b"name = \"a\"\nquestion = \"\xff\"\n").unwrap();
    let Err(LoadError::Invalid(invalid)) = load(&path, &[]) else { panic!("not refused") };
    assert!(one_of(&invalid).starts_with("2:13 this is not text"));
}
