//! Claims about who sees a secret that a person types.

use parked::era::Design::{self, Carrying, Waiting};
use parked::metrics::{Outcome, Record};
use parked::scenario::Scenario;
use parked::world::{Cause, SeenBy};

use super::super::common::{self, because, only_call, plainly};
use super::{DESIGNS, assert_end, end, in_steps, seen_by};

const AT_CLIENT: [&str; 4] = ["client", "client-log", "host-trace", "model-context"];
const UP_TO_PROXY: [&str; 5] = ["client", "client-log", "host-trace", "model-context", "proxy"];
const EVERYBODY: [&str; 7] =
    ["client", "client-log", "host-trace", "model-context", "proxy", "server-log", "audit-trail"];

const FORM: &str = r#"{"type":"object","properties":{"value":{"type":"string"}},"required":["value"]}"#;

/// A form with one field that must be filled in; a person who errs leaves it empty.
fn asking(more: &str) -> String {
    format!(r#"{{ ask = {{ key = "a", form = "f.json", typed = '{{"value":"1"}}'{more} }} }}, {{ post = "done" }}"#)
}

fn secret(design: Design, switches: &[&str]) -> Record {
    only_call(&in_steps(&asking(", sensitive = true"), FORM, switches), design)
}

#[test]
pub fn a_secret_typed_into_a_form_is_seen_by_everybody_on_its_way() {
    for design in DESIGNS {
        let typed = secret(design, &[]);
        assert_end(&typed, plainly(Outcome::Completed));
        assert_eq!(seen_by(&typed), EVERYBODY);
        for harmless in ["", ", sensitive = false"] {
            let harmless = only_call(&in_steps(&asking(harmless), FORM, &[]), design);
            assert_eq!(seen_by(&harmless), [""; 0]);
            assert_eq!(Record { exposed: typed.exposed, ..harmless }, typed, "nothing else knows of it");
        }
    }
}

#[test]
fn a_secret_typed_behind_a_link_is_seen_by_nobody_on_the_way() {
    let links = "clients.capabilities={ elicitation = { form = {}, url = {} } }";
    for design in DESIGNS {
        let of = |kind: &str| {
            let steps =
                format!(r#"{{ ask = {{ key = "a", kind = "{kind}", sensitive = true }} }}, {{ post = "done" }}"#);
            only_call(&in_steps(&steps, "", &[links]), design)
        };
        assert_end(&of("url"), plainly(Outcome::Completed));
        assert_eq!((of("url").prompts, of("url").entries, seen_by(&of("url"))), (1, 1, vec![]));
        assert_eq!(seen_by(&of("form")), EVERYBODY);
    }
}

#[test]
pub fn a_party_that_keeps_nothing_saw_nothing_and_the_client_always_sees() {
    for design in DESIGNS {
        for party in SeenBy::ALL.into_iter().skip(1).map(SeenBy::name) {
            let record = secret(design, &[&format!("tool.seen_by=[\"{party}\"]")]);
            assert_eq!(seen_by(&record), ["client", party]);
            assert_eq!(record, Record { exposed: record.exposed, ..secret(design, &[]) });
        }
    }
}

#[test]
fn the_tally_counts_the_calls_whose_secret_a_party_saw() {
    for design in DESIGNS {
        let switches = ["arrivals.at=[\"0s\", \"1s\", \"2s\"]", "tool.seen_by=[\"proxy\"]"];
        let cell = common::cell(&in_steps(&asking(", sensitive = true"), FORM, &switches), design);
        assert!(cell.tally.exposed.into_iter().eq([(SeenBy::Client, 3), (SeenBy::Proxy, 3)]));
    }
}

#[test]
fn a_secret_that_is_not_accepted_is_not_typed() {
    for design in DESIGNS {
        for (decide, outcome) in [
            ("people.decide={ accept = 0.0, decline = 1.0, cancel = 0.0 }", Outcome::Declined),
            ("people.decide={ accept = 0.0, decline = 0.0, cancel = 1.0 }", Outcome::Cancelled),
        ] {
            let record = secret(design, &[decide]);
            assert_end(&record, plainly(outcome));
            assert_eq!((record.prompts, seen_by(&record)), (1, vec![]));
        }
        let silent = secret(design, &["people.silent=1.0"]);
        assert_end(&silent, because(Outcome::TimedOut, Cause::PersonSilent));
        assert_eq!((silent.prompts, seen_by(&silent)), (1, vec![]));
    }
}

#[test]
fn a_secret_sent_to_a_dead_fleet_is_seen_at_the_client_and_the_proxy_and_at_no_server() {
    for design in DESIGNS {
        let dies = r#"fault=[{ kill = { at = "30s", select = "all" } }]"#;
        for lag in ["balancer.detection.lag=0s", "balancer.detection.lag=1h"] {
            let record = secret(design, &[dies, lag, "clients.on_broken=hang"]);
            assert_end(&record, because(Outcome::Failed, Cause::Crash));
            assert_eq!((record.messages, record.ended.ns(), record.entries), (2, 60_000_000_000, 0));
            assert_eq!(seen_by(&record), UP_TO_PROXY);
        }
    }
}

#[test]
fn a_call_that_is_lost_before_its_person_answers_gives_nothing_away() {
    let dies = r#"fault=[{ kill = { at = "30s", select = "all" } }]"#;
    let record = secret(Waiting, &[dies]);
    assert_end(&record, because(Outcome::Lost, Cause::Crash));
    assert_eq!(seen_by(&record), [""; 0]);
    // Nobody tells the person of a carried call that the fleet is dead, so they type it all the same.
    assert_eq!(seen_by(&secret(Carrying, &[dies])), UP_TO_PROXY);
}

#[test]
fn a_secret_that_reaches_the_wrong_instance_or_one_with_another_key_is_seen_there() {
    let swallowed = secret(Waiting, &["fleet.instances=2"]);
    assert_end(&swallowed, because(Outcome::TimedOut, Cause::Misrouted));
    assert_eq!(seen_by(&swallowed), EVERYBODY);
    let dies = r#"fault=[{ kill = { at = "30s", select = "all", restart_after = "1s" } }]"#;
    let refused = secret(Carrying, &[dies, "state.keys=per-process"]);
    assert_end(&refused, because(Outcome::Refused, Cause::WrongKey));
    assert_eq!(seen_by(&refused), EVERYBODY);
}

#[test]
fn an_answer_that_the_host_holds_back_is_seen_at_the_client_only() {
    for design in DESIGNS {
        let wrong = "people.wrong_tries.constant=1";
        let cancels = secret(design, &[wrong, "clients.max_reasks=0"]);
        assert_end(&cancels, because(Outcome::Cancelled, Cause::InvalidAnswer));
        assert_eq!((cancels.invalid_at_client, cancels.messages), (1, 2));
        assert_eq!(seen_by(&cancels), AT_CLIENT);
        let sent = secret(design, &[wrong, "clients.checks_answers=false"]);
        assert_end(&sent, because(Outcome::Refused, Cause::InvalidAnswer));
        assert_eq!(seen_by(&sent), EVERYBODY, "refused, but seen");
    }
}

#[test]
fn a_person_who_declines_after_an_answer_was_held_back_has_shown_it_to_the_client_only() {
    let switches = [
        "replications=64",
        "people.wrong_tries.constant=1",
        "people.decide={ accept = 0.5, decline = 0.5, cancel = 0.0 }",
    ];
    for design in DESIGNS {
        let scenario = Scenario { designs: vec![design], ..in_steps(&asking(", sensitive = true"), FORM, &switches) };
        let mut met = [0; 3];
        for record in common::run(&scenario).iter().map(|cell| cell.records[0]) {
            let (which, seen): (usize, &[&str]) = match (end(&record).as_str(), record.invalid_at_client) {
                ("declined", 0) => (0, &[]),
                ("declined", 1) => (1, &AT_CLIENT),
                ("completed", 1) => (2, &EVERYBODY),
                other => panic!("{other:?}"),
            };
            assert_eq!(seen_by(&record), seen);
            met[which] += 1;
        }
        assert!(met.iter().all(|&calls| calls > 0), "{met:?}");
    }
}
