//! The rows and columns of asking.

use super::*;
use crate::experiment::{Execution, run};
use crate::scenario::{ClientKind, NoFiles, Source, parse};
use crate::world::ClientCapabilities;

fn plain() -> Scenario {
    let text = "format = 1\nname = \"asking\"\nreplications = 2\nrun.horizon = \"5m\"\nfleet.threads = \"unlimited\"\n\
                arrivals.poisson = { rate = \"1/s\" }\npeople.think.constant = \"10s\"\nbalancer.stickiness = \"learned\"";
    parse(Source { name: "asking.toml".to_owned(), text: text.to_owned() }, &[], &NoFiles).expect("legal")
}

/// A secret is asked for, and half of the clients cannot be asked.
fn mixed() -> Scenario {
    let mut scenario = plain();
    let usual = ClientKind { share: 0.5, ..scenario.clients.kinds[0].clone() };
    let mute = ClientKind { name: "mute".to_owned(), declares: ClientCapabilities::NONE, ..usual.clone() };
    scenario.clients.kinds = vec![usual, mute];
    scenario.tool.definition.asks[0].sensitive = true;
    scenario
}

fn cells(scenario: &Scenario) -> Vec<Cell> {
    run(scenario, Execution { threads: Some(1), keep_records: true }, &()).expect("a thread")
}

/// Metric and mean of each row of the first design.
fn metrics(scenario: &Scenario) -> BTreeMap<String, String> {
    let csv = summary_csv(&Summary::of(scenario, &cells(scenario)), true);
    let mut reader = ::csv::Reader::from_reader(csv.as_bytes());
    let rows = reader.records().map(|row| row.expect("a row"));
    let first = scenario.designs[0].name();
    rows.filter(|row| &row[1] == first).map(|row| (row[2].to_owned(), row[3].to_owned())).collect()
}

#[test]
fn every_file_has_the_measures_of_asking_also_where_nothing_occurred() {
    let metrics = metrics(&plain());
    assert_eq!(metrics["asks"], metrics["prompts"]);
    for name in ["entries_again", "entries_unconfirmed", "entries_orphaned", "invalid_at_client", "invalid_at_server"] {
        assert_eq!(metrics[name], "0.0", "{name}");
    }
    assert!(!metrics.keys().any(|name| name.starts_with("client.") || name.starts_with("exposed.")));
}

#[test]
fn parties_and_kinds_have_rows_where_they_occur() {
    let metrics = metrics(&mixed());
    assert_eq!(metrics["client.mute.unsupported.count"], metrics["client.mute.started"]);
    assert_eq!(metrics["client.mute.unsupported.capability.count"], metrics["client.mute.started"]);
    assert_eq!(metrics["client.mute.unsupported.share"], "1.0");
    assert!((metrics["client.mute.share"].parse::<f64>().expect("a share") - 0.5).abs() < 0.1);
    assert_eq!(metrics["exposed.client-log"], metrics["completed.count"]);
}

#[test]
fn a_row_of_a_call_names_its_client_and_who_saw_its_secret() {
    let scenario = mixed();
    let mut written = Vec::new();
    write_calls(&scenario, &cells(&scenario), &mut written).expect("memory can be written");
    let mut reader = ::csv::Reader::from_reader(written.as_slice());
    let header = reader.headers().expect("a header").clone();
    let place = |name: &str| header.iter().position(|column| column == name).unwrap_or_else(|| panic!("no {name}"));
    let [client, asks, exposed, outcome] = ["client", "asks", "exposed", "outcome"].map(place);
    for name in ["invalid_at_client", "invalid_at_server", "entries_again", "entries_unconfirmed"] {
        place(name);
    }
    let all = "client client-log host-trace model-context proxy server-log audit-trail";
    let mut seen = 0;
    for row in reader.records().map(|row| row.expect("a row")) {
        let expected = match (&row[client], &row[outcome]) {
            ("mute", "unsupported") => ("0", ""),
            ("client", "completed") => ("1", all),
            ("client", "declined" | "cancelled") => ("1", ""),
            other => panic!("{other:?}"),
        };
        assert_eq!((&row[asks], &row[exposed]), expected);
        seen += usize::from(expected.1 == all);
    }
    assert!(seen > 100, "{seen} calls with a secret");
}
