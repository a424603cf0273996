//! Claims about the messages of a call as `parked trace --wire` shows them: their order, their ids and their members, by
//! the pages of the two revisions (2025-11-25 and 2026-07-28). The shapes are written down here by hand, so that nothing
//! of the code under test decides what is right.

use std::collections::BTreeSet;
use std::path::Path;

use parked::era::Design::{self, Carrying, Waiting};
use parked::experiment;
use parked::metrics::{Incident, Outcome, Record};
use parked::report::{Frame, Http, frames};
use parked::scenario::{Scenario, load};
use parked::world::{Cause, form};
use serde_json::{Value, json};

use crate::common::{cell, files_below};

mod order;
mod shape;

/// The frames of one call and how it ended.
struct Talk {
    what: String,
    design: Design,
    frames: Vec<Frame>,
    record: Record,
}

impl Talk {
    fn of(scenario: &Scenario, design: Design, call: u32) -> Talk {
        let (messages, record) = experiment::messages(scenario, design, 0, call).expect("there is such a call");
        let frames = frames(scenario, design, &messages, &record);
        Talk { what: format!("{} under {}, call {call}", scenario.name, design.name()), design, frames, record }
    }

    fn bodies(&self) -> impl Iterator<Item = &Value> {
        self.frames.iter().filter_map(|frame| frame.body.as_ref())
    }

    /// The requests for a tool, in order.
    fn calls(&self) -> Vec<&Value> {
        self.bodies().filter(|body| body["method"] == "tools/call").collect()
    }

    /// The errors that were sent, as text.
    fn errors(&self) -> Vec<String> {
        self.bodies().filter_map(|body| body.get("error")).map(Value::to_string).collect()
    }

    fn statuses(&self) -> Vec<u16> {
        let status = |frame: &Frame| if let Http::Response { status, .. } = frame.http { Some(status) } else { None };
        self.frames.iter().filter_map(status).collect()
    }
}

/// A shipped scenario with some keys set.
fn shipped(name: &str, set: &[&str]) -> Scenario {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios").join(name);
    let words: Vec<String> = set.iter().map(|&word| word.to_owned()).collect();
    load(&file, &words).unwrap_or_else(|error| panic!("{error}"))
}

/// A lone call that is asked once, whose answer reaches the other one of two instances.
fn other_instance(set: &[&str]) -> Scenario {
    shipped("seed/other-instance.toml", set)
}

/// A lone call whose answer reaches a process of the next version, which words its question otherwise and has another.
fn two_versions(keys: &str) -> Scenario {
    let ask = |key: &str, message: &str| format!("{{ ask = {{ key = \"{key}\", message = \"{message}\" }} }}");
    let (this, next) =
        (ask("pay", "Pay once?"), [ask("pay", "Pay every month?"), ask("reason", "What for?")].join(", "));
    other_instance(&[
        "tool.body=steps",
        &format!("tool.step=[{this}, {{ post = \"payments\" }}]"),
        &format!("tool.next.step=[{next}, {{ post = \"payments\" }}]"),
        &format!("tool.answer_keys={keys}"),
        "fault=[{ deploy = { at = \"30s\", strategy = \"recreate\" } }]",
    ])
}

/// Scenarios that go wrong in every way that the wire has a word for.
fn misfortunes() -> Vec<Scenario> {
    let link = "tool.body=connect_calendar";
    let declares = "clients.capabilities={elicitation={form={},url={}}}";
    let not_found = "fleet.misroute=not-found";
    let completion = "clients.capabilities={sampling={}}";
    vec![
        other_instance(&[not_found, "clients.on_not_found=fail"]),
        other_instance(&[not_found, "clients.on_not_found=reinitialise"]),
        other_instance(&[not_found, "clients.on_not_found=resend"]),
        other_instance(&["tool.body=book_trip", not_found]),
        other_instance(&["tool.body=transfer_funds", "fleet.instances=1"]),
        other_instance(&["clients.max_rounds=1", "tool.body=transfer_funds", "fleet.instances=1"]),
        other_instance(&["people.silent=1.0"]),
        other_instance(&["clients.on_ask={hang=\"30s\"}"]),
        other_instance(&["clients.on_ask={cancel=\"1s\"}", "fleet.instances=1"]),
        other_instance(&["people.decide={accept=0.0,decline=1.0,cancel=0.0}", "fleet.instances=1"]),
        other_instance(&["state.ttl=1s"]),
        other_instance(&["state.keys=per-process"]),
        other_instance(&["attack.tampered=1.0"]),
        other_instance(&["attack.stolen=1.0"]),
        other_instance(&["attack.stolen=1.0", "state.binds_principal=false"]),
        other_instance(&["attack.other_call=1.0"]),
        other_instance(&["attack.late=1.0"]),
        other_instance(&["attack.replayed=1.0", "attack.times=3"]),
        other_instance(&["attack.replayed=1.0", "attack.times=3", "state.ledger=shared"]),
        other_instance(&["attack.replayed=1.0", "attack.times=3", "fleet.instances=1"]),
        other_instance(&["attack.replayed=1.0", "state.ledger=shared", "state.remembers=true", not_found]),
        other_instance(&[link, declares, "fleet.instances=1", "clients.patience=1h"]),
        other_instance(&[link, declares, "links.unfinished={manual=true}"]),
        other_instance(&[link, declares, "links.unfinished={block=true}", "fleet.instances=1"]),
        other_instance(&[link, declares, "links.address=javascript:alert(1)", "fleet.instances=1"]),
        other_instance(&[link, "clients.capabilities={elicitation={}}", "tool.unable=downgrade-to-form"]),
        other_instance(&["arrivals.at=[\"0s\",\"1s\"]", "fleet.instances=1", "fleet.threads=1", "fleet.queue=none"]),
        two_versions("named"),
        two_versions("text"),
        shipped("seed/instance-dies.toml", &[]),
        shipped(
            "seed/instance-dies.toml",
            &["fleet.instances=1", "clients.on_broken=hang", "arrivals.at=[\"0s\",\"31s\"]"],
        ),
        shipped("seed/malicious-client.toml", &["tool.on_invalid=ask-again"]),
        shipped("seed/sampling-undeclared.toml", &[completion, "people.decide={accept=0.0,decline=1.0,cancel=0.0}"]),
        shipped("seed/sampling-without-tools.toml", &["clients.capabilities={sampling={tools={}}}"]),
    ]
}

/// Every shipped measurement and every misfortune.
fn everything() -> Vec<Scenario> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/seed");
    let seeds = files_below(&folder, "toml");
    let mut all: Vec<Scenario> = seeds.iter().map(|file| load(file, &[]).expect("a shipped scenario")).collect();
    assert!(all.len() > 15, "the scenarios were not found");
    all.extend(misfortunes());
    all
}

/// Looks at the first calls of every scenario under both designs.
fn for_every_talk(look: impl Fn(&Talk)) {
    for scenario in everything() {
        for design in Design::PURE {
            let calls = cell(&scenario, design).records.len().min(3) as u32;
            (0..calls).for_each(|call| look(&Talk::of(&scenario, design, call)));
        }
    }
}

#[test]
fn every_message_has_the_members_of_its_revision_and_no_others() {
    for_every_talk(shape::check);
}

#[test]
fn messages_come_in_a_legal_order_with_fresh_ids_and_echoed_states() {
    for_every_talk(order::check);
}

#[test]
fn what_is_routed_is_what_the_record_counts_and_the_handshake_and_the_cancel_come_on_top() {
    for_every_talk(|talk| {
        let to_fleet = talk.frames.iter().filter(|frame| matches!(frame.http, Http::Post { .. }));
        let uncounted = ["initialize", "notifications/initialized", "notifications/cancelled"];
        let routed = to_fleet.filter(|frame| {
            let method = frame.body.as_ref().and_then(|body| body["method"].as_str());
            !method.is_some_and(|method| uncounted.contains(&method))
        });
        assert_eq!(routed.count() as u32, talk.record.messages, "{}", talk.what);
    });
}

#[test]
fn asks_on_the_wire_are_the_asks_that_the_record_counts() {
    for_every_talk(|talk| {
        if talk.record.incidents.count(Incident::Replay) > 0 {
            return;
        }
        let asks = talk.bodies().map(|body| {
            let on_stream = ["elicitation/create", "sampling/createMessage", "roots/list"];
            let alone = usize::from(body["method"].as_str().is_some_and(|method| on_stream.contains(&method)));
            alone + body["result"]["inputRequests"].as_object().map_or(0, serde_json::Map::len)
        });
        assert_eq!(asks.sum::<usize>() as u32, talk.record.asks, "{}", talk.what);
    });
}

#[test]
fn a_refused_state_gets_one_text_whatever_the_cause() {
    let replayed = ["attack.replayed=1.0", "state.ledger=shared"];
    let causes: [(&[&str], Option<Cause>); 6] = [
        (&["state.keys=per-process"], Some(Cause::WrongKey)),
        (&["state.ttl=1s"], Some(Cause::Expired)),
        (&["attack.tampered=1.0"], Some(Cause::Tampered)),
        (&["attack.stolen=1.0"], Some(Cause::OtherPrincipal)),
        (&["attack.other_call=1.0"], Some(Cause::OtherRequest)),
        (&replayed, None),
    ];
    for (set, cause) in causes {
        let talk = Talk::of(&other_instance(set), Carrying, 0);
        assert_eq!(talk.record.end.cause, cause, "{set:?}");
        let expected = json!({ "code": -32602, "message": "Invalid or expired requestState" }).to_string();
        assert_eq!(talk.errors(), [expected], "{set:?}");
    }
}

#[test]
fn an_attack_is_seen_on_the_wire_and_nothing_else_is_changed() {
    let retry = |set: &[&str]| {
        let talk = Talk::of(&other_instance(set), Carrying, 0);
        let mut posts = talk.frames.iter().filter(|frame| matches!(frame.http, Http::Post { .. }));
        let last = posts.next_back().expect("a retry").clone();
        let Http::Post { headers } = last.http else { unreachable!() };
        let user = headers.iter().find(|(name, _)| *name == "Authorization").expect("a user").1.clone();
        (user, last.body.expect("a body")["params"].clone())
    };
    let (user, honest) = retry(&[]);
    let (_, tampered) = retry(&["attack.tampered=1.0"]);
    assert_ne!(tampered["requestState"], honest["requestState"]);
    assert_eq!(tampered["inputResponses"], honest["inputResponses"]);
    let (thief, stolen) = retry(&["attack.stolen=1.0"]);
    assert!(thief != user && stolen == honest);
    let (_, elsewhere) = retry(&["attack.other_call=1.0"]);
    assert_ne!(elsewhere["arguments"], honest["arguments"]);
    assert_eq!(elsewhere["requestState"], honest["requestState"]);
}

#[test]
fn a_client_without_the_capability_gets_the_object_that_is_missing_and_400() {
    let talk = Talk::of(&shipped("seed/no-elicitation.toml", &["tool.unable=reject"]), Carrying, 0);
    let error = &talk.bodies().last().expect("an answer")["error"];
    assert_eq!(error["code"], -32021);
    assert_eq!(error["data"], json!({ "requiredCapabilities": { "elicitation": { "form": {} } } }));
    assert_eq!(talk.statuses(), [400]);
    let earlier = Talk::of(&shipped("seed/no-elicitation.toml", &["tool.unable=reject"]), Waiting, 0);
    let result = &earlier.bodies().last().expect("an answer")["result"];
    assert_eq!(result["isError"], true, "the earlier revision has no such error");
}

#[test]
fn a_link_has_an_elicitation_id_in_the_earlier_revision_only() {
    let link = other_instance(&["tool.body=connect_calendar", "clients.capabilities={elicitation={form={},url={}}}"]);
    let modern = Talk::of(&link, Carrying, 0);
    let asked = modern.bodies().find_map(|body| body["result"]["inputRequests"].get("connect")).expect("an ask");
    let params = json!({
        "mode": "url", "message": "Connect your calendar", "url": "https://mcp.example.com/connect"
    });
    assert_eq!(*asked, json!({ "method": "elicitation/create", "params": params }));
    let earlier = Talk::of(&link, Waiting, 0);
    let asked = earlier.bodies().find(|body| body["method"] == "elicitation/create").expect("an ask");
    assert!(asked["params"]["elicitationId"].is_string());
}

#[test]
fn a_client_that_keeps_its_stream_is_told_of_the_finished_page_by_the_id_of_the_link_it_has() {
    let set = [
        "tool.body=connect_calendar",
        "clients.capabilities={elicitation={form={},url={}}}",
        "links.unfinished={ notify = true }",
        "fleet.instances=1",
    ];
    let talk = Talk::of(&other_instance(&set), Waiting, 0);
    let of = |method: &str| talk.bodies().filter(|body| body["method"] == method).collect::<Vec<_>>();
    let (asked, told) = (of("elicitation/create"), of("notifications/elicitation/complete"));
    assert_eq!((asked.len(), told.len()), (2, 1));
    assert_eq!(told[0]["params"]["elicitationId"], asked[1]["params"]["elicitationId"]);
    assert!(told[0].get("id").is_none(), "a notification has no id");
}

#[test]
fn a_lost_session_begins_anew_and_the_old_call_is_cancelled() {
    let set = ["fleet.misroute=not-found", "clients.on_not_found=reinitialise", "clients.max_rounds=2"];
    let talk = Talk::of(&other_instance(&set), Waiting, 0);
    let sent: Vec<&str> = talk.bodies().filter_map(|body| body["method"].as_str()).collect();
    let once = ["initialize", "notifications/initialized", "tools/call", "elicitation/create"];
    let twice = [&once[..], &["notifications/cancelled"], &once[..]].concat();
    assert_eq!(sent[..twice.len()], twice, "{sent:?}");
    let posts = talk.frames.iter().filter_map(|frame| match &frame.http {
        Http::Post { headers } => Some(headers),
        _ => None,
    });
    let session = |headers: &Vec<(&str, String)>| {
        headers.iter().find(|(name, _)| *name == "MCP-Session-Id").map(|(_, id)| id.clone())
    };
    let sessions: BTreeSet<String> = posts.filter_map(session).collect();
    assert!(sessions.len() >= 2, "{sessions:?}");
}

#[test]
fn a_call_that_meets_two_versions_is_asked_in_the_words_of_each_under_the_next_key() {
    let asked = |keys: &str| {
        let talk = Talk::of(&two_versions(keys), Carrying, 0);
        assert_eq!(talk.record.end.outcome, Outcome::Completed, "{}", talk.what);
        let rounds = talk.bodies().filter_map(|body| body["result"]["inputRequests"].as_object());
        let words = |(key, ask): (&String, &Value)| format!("{key}: {}", ask["params"]["message"].as_str().unwrap());
        rounds.flat_map(|round| round.iter().map(words)).collect::<Vec<_>>()
    };
    assert_eq!(asked("named"), ["pay: Pay once?", "reason: What for?"]);
    assert_eq!(asked("text"), ["pay: Pay once?", "pay#2: Pay every month?", "reason: What for?"]);
}

#[test]
fn a_replayed_state_is_the_same_request_under_new_ids() {
    let set = ["attack.replayed=1.0", "attack.times=3", "fleet.instances=1"];
    let talk = Talk::of(&other_instance(&set), Carrying, 0);
    let calls = talk.calls();
    assert_eq!(calls.len(), 5);
    assert!(calls[1..].iter().all(|call| call["params"] == calls[1]["params"]));
    let done = talk.bodies().filter(|body| body["result"]["resultType"] == "complete").count();
    assert_eq!((done, talk.record.entries), (4, 4), "nothing stands between a good state and the effect");
    assert_eq!(talk.record.end.outcome, Outcome::Completed);
}

#[test]
fn every_kind_of_response_is_met_by_the_calls_that_are_looked_at() {
    let mut met = BTreeSet::new();
    for scenario in everything() {
        for design in Design::PURE {
            let talk = Talk::of(&scenario, design, 0);
            met.extend(talk.statuses());
            met.extend(talk.frames.iter().filter(|frame| matches!(frame.http, Http::Closed { .. })).map(|_| 0));
        }
    }
    assert_eq!(met.into_iter().collect::<Vec<_>>(), [0, 200, 202, 400, 404, 500, 503]);
}

#[test]
fn a_completion_that_is_not_wanted_is_an_error_where_answers_may_be_one() {
    let set = ["clients.capabilities={sampling={}}", "people.decide={accept=0.0,decline=1.0,cancel=0.0}"];
    let scenario = shipped("seed/sampling-undeclared.toml", &set);
    let earlier = Talk::of(&scenario, Waiting, 0);
    assert_eq!(earlier.errors(), [json!({ "code": -1, "message": "User rejected sampling request" }).to_string()]);
    let modern = Talk::of(&scenario, Carrying, 0);
    assert_eq!(modern.calls()[1]["params"]["inputResponses"]["summary"]["stopReason"], "declined");
}

#[test]
fn following_a_call_changes_none() {
    for scenario in &misfortunes() {
        for design in Design::PURE {
            let records = cell(scenario, design).records;
            assert_eq!(Talk::of(scenario, design, 0).record, records[0], "{}", scenario.name);
        }
    }
}
