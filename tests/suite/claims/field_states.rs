//! Claims about the scenarios from the field whose trouble is a key, a state or a link: who signed, who used it before,
//! who opened it, and where it came back to.

use parked::era::Design::{self, Carrying, Waiting};
use parked::experiment::Cell;
use parked::metrics::{Incident, Outcome, Record};
use parked::world::Cause;

use super::super::common::{because, plainly};
use super::field::{cells, shipped};
use super::{DESIGNS, assert_end};

const OWN_KEYS: &str = "a-key-for-each-process.toml";
const USED_AGAIN: &str = "a-state-used-again.toml";
const OPENED: &str = "somebody-else-opens-the-link.toml";
const ELSEWHERE: &str = "callback-at-another-instance.toml";

fn records(name: &str, design: Design, switches: &[&str]) -> Vec<Record> {
    cells(name, design, switches).into_iter().flat_map(|cell| cell.records).collect()
}

/// A count of independent events of this probability is within five standard deviations of what is expected.
fn assert_binomial(what: &str, count: usize, of: usize, probability: f64) {
    let (count, of) = (count as f64, of as f64);
    let sd = (of * probability * (1.0 - probability)).sqrt();
    assert!((count - of * probability).abs() <= 5.0 * sd, "{what}: {count} of {of}, not {probability}");
}

fn completed(record: &Record) -> bool {
    record.end == plainly(Outcome::Completed)
}

#[test]
fn with_a_key_for_each_process_one_state_in_n_is_accepted_each_round() {
    for (instances, all_rounds) in [(2, 0.25), (4, 0.0625)] {
        let records = records(OWN_KEYS, Carrying, &[&format!("fleet.instances={instances}")]);
        let (once, twice): (Vec<&Record>, Vec<&Record>) = records.iter().partition(|record| record.prompts == 1);
        let of_one = 1.0 / f64::from(instances);
        assert!(records.len() > 17_000);
        assert_binomial("first round", twice.len(), records.len(), of_one);
        let both = twice.iter().filter(|record| completed(record)).count();
        assert_binomial("second round", both, twice.len(), of_one);
        assert_binomial("both rounds", both, records.len(), all_rounds);
        let refused = once.iter().chain(&twice).filter(|record| !completed(record));
        for record in refused {
            assert_end(record, because(Outcome::Refused, Cause::WrongKey));
        }
        // Money was reserved for whoever came as far as the second round, and moved for those who completed.
        assert!(records.iter().all(|record| record.entries == record.prompts - 1 + u32::from(completed(record)) * 2));
    }
    let one_round = records(OWN_KEYS, Carrying, &["tool.body=submit_expense", "fleet.instances=2"]);
    assert_binomial("a single round", one_round.iter().filter(|r| completed(r)).count(), one_round.len(), 0.5);
}

#[test]
fn a_lone_client_under_round_robin_is_always_refused_and_one_shared_key_or_one_process_never_refuses() {
    let alone = ["arrivals.at=[\"0s\", \"20m\", \"40m\"]", "balancer.policy=round-robin", "tool.body=submit_expense"];
    for instances in [2, 3, 4] {
        let fleet = format!("fleet.instances={instances}");
        for record in records(OWN_KEYS, Carrying, &[&alone[..], &[&fleet]].concat()) {
            assert_end(&record, because(Outcome::Refused, Cause::WrongKey));
        }
    }
    for switch in ["state.keys=shared", "fleet.instances=1"] {
        assert!(records(OWN_KEYS, Carrying, &[switch]).iter().all(completed), "{switch}");
    }
    // Whoever was asked before the only process was started anew is refused, and nobody else is.
    let restart = r#"fault=[{ kill = { at = "30m", select = "all", restart_after = "0s" } }]"#;
    let minute = ["tool.body=submit_expense", "fleet.instances=1", "people.think.constant=1m", restart];
    let half_an_hour = 30 * 60_000_000_000;
    let (mut before, mut after) = (0, 0);
    for record in records(OWN_KEYS, Carrying, &minute) {
        let asked = record.asked.expect("everybody is asked").ns();
        let across = asked <= half_an_hour && record.ended.ns() > half_an_hour;
        match record.end.outcome {
            Outcome::Lost => assert_eq!(record.ended.ns(), half_an_hour, "at work when it died"),
            _ if across => {
                assert_end(&record, because(Outcome::Refused, Cause::WrongKey));
                before += 1;
            }
            _ => {
                assert_end(&record, plainly(Outcome::Completed));
                after += 1;
            }
        }
    }
    assert!(before > 200 && after > 17_000, "{before} and {after}");
}

#[test]
fn whose_key_it_was_is_told_apart_from_changed_bytes_only_by_a_state_that_names_its_key() {
    for (key_id, view) in [(false, "invalid_state"), (true, "wrong_key")] {
        let switch = format!("state.key_id={key_id}");
        assert_eq!(shipped(OWN_KEYS, &[&switch]).state.key_id, key_id);
        let records = records(OWN_KEYS, Carrying, &[&switch, "replications=1"]);
        let refused: Vec<&Record> = records.iter().filter(|record| !completed(record)).collect();
        assert!(refused.len() > 3_000);
        assert!(refused.iter().all(|record| record.end.server_view(key_id) == view));
    }
}

/// Entries of each completed call.
fn entries(records: &[Record]) -> Vec<f64> {
    assert!(records.iter().all(completed));
    records.iter().map(|record| f64::from(record.entries)).collect()
}

#[test]
fn ten_uses_make_ten_entries_one_for_each_instance_met_or_one() {
    let with = |ledger: &str| records(USED_AGAIN, Carrying, &[&format!("state.ledger={ledger}")]);
    assert!(entries(&with("none")).iter().all(|&entries| entries == 10.0));
    assert!(entries(&with("shared")).iter().all(|&entries| entries == 1.0));
    let each = entries(&with("per-instance"));
    // Instances met by ten uniform picks of three: 3 (1 - (2/3)^10) on average; one alone is met with 3/3^10, all three
    // with 1 - 3 (2/3)^10 + 3/3^10.
    let missed = |of: f64| libm::pow(of / 3.0, 10.0);
    let mean = 3.0 * (1.0 - missed(2.0));
    let (one, three) = (3.0 * missed(1.0), 1.0 - 3.0 * missed(2.0) + 3.0 * missed(1.0));
    let variance = one + 9.0 * three + 4.0 * (1.0 - one - three) - mean * mean;
    let count = each.len() as f64;
    let got = each.iter().sum::<f64>() / count;
    assert!((got - mean).abs() <= 5.0 * (variance / count).sqrt(), "{got}, not {mean}");
    assert!((mean - 2.948).abs() < 1e-3 && count > 17_000.0);
    assert!(each.iter().all(|&entries| (1.0..=3.0).contains(&entries)));
}

#[test]
fn while_the_shared_store_is_down_all_uses_are_served_or_none() {
    let down = r#"fault=[{ store-outage = { at = "20m", lasts = "20m" } }]"#;
    let (from, to) = (20 * 60_000_000_000, 40 * 60_000_000_000);
    for (policy, entries_while_down) in [("open", 10), ("closed", 0)] {
        let switches = ["state.ledger=shared", &format!("state.on_outage={policy}"), down];
        let mut met = [0, 0];
        for record in records(USED_AGAIN, Carrying, &switches) {
            // Work takes a few ms on either side of the moment at which the state is looked up.
            let back = record.asked.expect("asked").ns() + record.think_ns.expect("answers");
            let is_down = back > from && back < to;
            if is_down && record.ended.ns() >= to {
                continue;
            }
            let expected = if is_down { entries_while_down } else { 1 };
            assert_eq!(record.entries, expected, "{policy}: {record:?}");
            if is_down && policy == "closed" {
                assert_end(&record, because(Outcome::Refused, Cause::LedgerDown));
            } else {
                assert_end(&record, plainly(Outcome::Completed));
            }
            met[usize::from(is_down)] += 1;
        }
        assert!(met.iter().all(|&calls| calls > 5_000), "{met:?}");
    }
}

/// How often this happened to pages, of calls that had ended too.
fn count(cells: &[Cell], incident: Incident) -> usize {
    let of = |cell: &Cell| {
        [&cell.tally.incidents, &cell.tally.incidents_late].map(|all| all.get(&incident).copied().unwrap_or(0))
    };
    cells.iter().flat_map(of).sum::<u64>() as usize
}

#[test]
fn of_links_that_somebody_else_opens_all_all_some_and_none_are_bound_wrongly() {
    for design in DESIGNS {
        for (check, wrongly) in
            [("none", 1.0), ("signed-state-only", 1.0), ("session-if-present", 0.3), ("session-required", 0.0)]
        {
            let check = format!("links.check={check}");
            let cells = cells(OPENED, design, &["links.forwarded=1.0", &check]);
            let opened = count(&cells, Incident::PageOpened);
            let bound = count(&cells, Incident::GrantedToOther);
            assert_eq!(bound + count(&cells, Incident::VisitorRefused), opened);
            assert!(opened > 17_000 && count(&cells, Incident::Granted) == 0);
            assert_binomial(&check, bound, opened, wrongly);
        }
        let shipped = cells(OPENED, design, &[]);
        let (opened, bound) = (count(&shipped, Incident::PageOpened), count(&shipped, Incident::GrantedToOther));
        assert_binomial("one link in ten is passed on", bound, opened, 0.1);
        let completed: u64 = shipped.iter().map(|cell| cell.tally.count(Outcome::Completed)).sum();
        let started: u64 = shipped.iter().map(|cell| cell.tally.started).sum();
        assert!(completed as f64 > 0.999 * started as f64, "and no call shows it: {completed} of {started} complete");
    }
}

#[test]
fn where_a_session_is_required_honest_people_without_one_take_one_more_step() {
    for design in DESIGNS {
        let cells = cells(OPENED, design, &["links.forwarded=0.0", "links.check=session-required"]);
        let opened = count(&cells, Incident::PageOpened);
        assert_binomial("sign in first", count(&cells, Incident::SignInFirst), opened, 0.3);
        assert_eq!(count(&cells, Incident::Granted), opened, "and nobody is kept out");
    }
}

#[test]
fn a_callback_over_two_hops_finds_a_sign_in_kept_in_memory_once_in_n_squared() {
    for design in DESIGNS {
        for (instances, found) in [(2, 0.25), (3, 1.0 / 9.0)] {
            let records = records(ELSEWHERE, design, &[&format!("fleet.instances={instances}")]);
            assert_binomial("memory", records.iter().filter(|r| completed(r)).count(), records.len(), found);
            for record in records.iter().filter(|record| !completed(record)) {
                assert_end(record, because(Outcome::TimedOut, Cause::LinkUnknown));
            }
        }
        for pending in ["links.pending=shared", "links.pending=sealed"] {
            assert!(records(ELSEWHERE, design, &[pending]).iter().all(completed), "{pending}");
        }
    }
}

#[test]
fn the_clients_stickiness_changes_no_callback() {
    let callbacks = |stickiness: &str| -> Vec<(u32, u32)> {
        let records = records(ELSEWHERE, Carrying, &[stickiness]);
        let counts =
            |record: &Record| [Incident::Granted, Incident::CallbackUnknown].map(|i| record.incidents.count(i));
        records.iter().map(counts).map(|[granted, unknown]| (granted, unknown)).collect()
    };
    let (sticky, free) = (callbacks("balancer.stickiness=learned"), callbacks("balancer.stickiness=none"));
    assert_eq!(sticky, free, "call by call");
    assert!(sticky.iter().all(|&(granted, unknown)| granted + unknown == 1));
    // When waiting, a call whose answer came home has the same browser.
    let waiting = records(ELSEWHERE, Waiting, &[]);
    let granted = waiting.iter().map(|record| record.incidents.count(Incident::Granted));
    assert!(granted.eq(sticky.iter().map(|&(granted, _)| granted)));
}
