//! What the table shows of a scenario with several kinds of clients, and what it leaves out of a plain one.

use std::time::Duration;

use super::*;
use crate::era::Design;
use crate::experiment::{Execution, run};
use crate::scenario::{ClientKind, NoFiles, OnAsk, Scenario, Source, Unable, parse};
use crate::world::ClientCapabilities;

fn plain() -> Scenario {
    let text = "format = 1\nname = \"asking\"\nreplications = 2\nrun.horizon = \"5m\"\nfleet.threads = \"unlimited\"\n\
                arrivals.poisson = { rate = \"1/s\" }\npeople.think.constant = \"10s\"\nbalancer.stickiness = \"learned\"";
    parse(Source { name: "asking.toml".to_owned(), text: text.to_owned() }, &[], &NoFiles).expect("legal")
}

/// Half of the calls from clients that are asked, the other half from clients that are not.
fn mixed(other: impl FnOnce(ClientKind) -> ClientKind) -> Scenario {
    let mut scenario = plain();
    let usual = ClientKind { share: 0.5, ..scenario.clients.kinds[0].clone() };
    let other = other(ClientKind { name: "other".to_owned(), ..usual.clone() });
    scenario.clients.kinds = vec![usual, other];
    scenario
}

fn mute(kind: ClientKind) -> ClientKind {
    ClientKind { declares: ClientCapabilities::NONE, ..kind }
}

fn shown(scenario: &Scenario, terminal: Option<usize>) -> String {
    let cells = run(scenario, Execution { threads: Some(1), keep_records: false }, &()).expect("a thread");
    text(&Summary::of(scenario, &cells), terminal)
}

/// The lines of the tables by client.
fn by_client(text: &str) -> Vec<&str> {
    text.lines()
        .skip_while(|line| !line.starts_with("by client, "))
        .take_while(|line| !line.contains(" calls "))
        .collect()
}

#[test]
fn a_plain_table_has_the_requests_and_no_row_of_what_did_not_occur() {
    let table = shown(&plain(), None);
    assert!(table.lines().any(|line| line.starts_with("requests to clients  ")), "{table}");
    for absent in ["made again", "unconfirmed", "not completed", "invalid answers", "secret", "by client"] {
        assert!(!table.contains(absent), "{absent} in\n{table}");
    }
}

#[test]
fn what_occurred_has_its_row() {
    let mut open = mixed(mute);
    open.tool.unable = Unable::FailOpen;
    open.tool.definition.asks[0].sensitive = true;
    let table = shown(&open, None);
    for row in
        ["entries unconfirmed  ", "calls with a secret seen, audit-trail  ", "calls with a secret seen, client  "]
    {
        assert!(table.lines().any(|line| line.starts_with(row)), "no {row} in\n{table}");
    }
    assert!(!table.contains("made again"), "{table}");
}

#[test]
fn each_kind_has_one_row_under_each_design_with_what_stopped_most_of_its_calls() {
    let table = shown(&mixed(mute), Some(200));
    for design in ["waiting", "carrying"] {
        let lines = table.lines().skip_while(|line| !line.starts_with(&format!("by client, {design}")));
        let lines: Vec<&str> = lines.take(4).collect();
        assert!(lines[2].starts_with("client ") && lines[2].contains("declined "), "{table}");
        assert!(
            lines[3].starts_with("other ") && lines[3].ends_with("0 %        unsupported/capability 100 %"),
            "{table}"
        );
    }
}

#[test]
fn tables_by_client_fit_80_columns_however_many_ends_there_are() {
    let mut scenario = mixed(|kind| ClientKind {
        name: "a-client-with-rather-a-long-name".to_owned(),
        on_ask: OnAsk::Hang(Duration::from_secs(60)),
        ..kind
    });
    scenario.balancer.stickiness = crate::scenario::Stickiness::None;
    let table = shown(&scenario, None);
    let lines = by_client(&table);
    assert!(lines.len() > 4, "{table}");
    let widths = lines.iter().map(|line| line.chars().count());
    assert!(widths.clone().all(|width| width <= 80) && widths.max() > Some(60), "{table}");
}

#[test]
fn more_ends_are_named_only_where_there_is_room() {
    let scenario = mixed(mute);
    let cells = run(&scenario, Execution { threads: Some(1), keep_records: false }, &()).expect("a thread");
    let summary = Summary::of(&scenario, &cells);
    let client = &summary.points[0].designs[&Design::PURE[0]].clients["client"];
    let all = other_ends(client, 200);
    let (first, second) = all.split_once(", ").expect("people decline and cancel");
    assert!(first.starts_with("declined ") && second.starts_with("cancelled "), "{all}");
    assert_eq!(other_ends(client, all.chars().count()), all);
    assert_eq!(other_ends(client, all.chars().count() - 1), first);
    assert_eq!(other_ends(client, 0), first);
}
