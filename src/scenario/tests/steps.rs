//! A body that the scenario describes, its forms, and the policies that a tool can follow.

use super::*;
use crate::random::Distribution;
use crate::scenario::{Unable, effective_hash};
use crate::tool::{Arguments, Body, Program, Step};
use crate::world::form::parse as parse_form;
use crate::world::{Capability, Exposure, SeenBy};

const SEAT: &str =
    r#"{"type":"object","properties":{"seat":{"type":"string","enum":["window","aisle"]}},"required":["seat"]}"#;

fn with_form(text: &str, form: &str) -> Result<Scenario, Invalid> {
    parse(source(text), &[], &Given(BTreeMap::from([("f.json", form.as_bytes().to_vec())])))
}

/// A scenario of one ask with this form, on line 2; `more` stands behind the name of its file.
fn asking(more: &str) -> String {
    format!(
        "{SMALLEST}tool = {{ body = \"steps\", step = [{{ ask = {{ key = \"a\", form = \"f.json\"{more} }} }}] }}\n"
    )
}

fn says(line: &str, start: &str, part: &str) {
    let said = only(&format!("{SMALLEST}{line}\n"));
    assert!(said.starts_with(start) && said.contains(part), "{line}\nsaid: {said}");
}

fn refused(text: &str, form: &str, start: &str, part: &str) {
    let said = one_of(&with_form(text, form).expect_err(text));
    assert!(said.starts_with(start) && said.contains(part), "{text}\nsaid: {said}");
}

const WINDOW: &str = ", typed = '{\"seat\": \"window\"}', mistyped = '{\"seat\": \"middle\"}'";

#[test]
fn steps_become_a_program_with_its_asks_ledgers_and_times() {
    let text = "name = \"a\"\ntool.body = \"steps\"\n\
                [[tool.step]]\nwork.constant = \"2ms\"\n\
                [[tool.step]]\nask = { key = \"one\", kind = \"url\", message = \"Sign here\", sensitive = true }\n\
                [[tool.step]]\npost = \"first\"\n[[tool.step]]\nask = { key = \"two\" }\n\
                [[tool.step]]\nwork.exponential.mean = \"1s\"\n[[tool.step]]\npost = \"second\"\n\
                [[tool.step]]\npost = \"first\"\n";
    let tool = legal(text).tool;
    let order = [
        Step::Work(0),
        Step::Ask(0, Capability::Url),
        Step::Post(0),
        Step::Ask(1, Capability::Form),
        Step::Work(1),
        Step::Post(1),
        Step::Post(0),
    ];
    assert_eq!((tool.body, tool.definition.program), (Body::Steps, Program::of(&order)));
    assert_eq!(tool.definition.ledgers, ["first", "second"]);
    assert_eq!(tool.step_work, [Distribution::constant(0.002).unwrap(), Distribution::exponential(1.0).unwrap()]);
    let asks = &tool.definition.asks;
    assert_eq!((asks[0].number, &*asks[0].key, asks[0].needs, asks[0].sensitive), (0, "one", Capability::Url, true));
    assert_eq!((asks[1].number, &*asks[1].key, asks[1].needs, asks[1].sensitive), (1, "two", Capability::Form, false));
    assert_eq!(asks[0].message(&Arguments { amount: 7, confirmed: false }), "Sign here");
}

#[test]
fn a_form_is_read_from_a_request_its_params_or_its_schema_and_counts_in_the_hash() {
    let message = r#""message":"Which?""#;
    let params = format!("{{{message},\"requestedSchema\":{SEAT}}}");
    let request = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"elicitation/create\",\"params\":{params}}}");
    let read = |more: &str, form: &str| with_form(&asking(more), form).unwrap_or_else(|invalid| panic!("{invalid}"));
    let said = read(&format!("{WINDOW}, message = \"Which?\""), &format!("\u{feff} {SEAT}\n"));
    assert_eq!(said, read(WINDOW, &params));
    assert_eq!(said, read(WINDOW, &request));
    let ask = &said.tool.definition.asks[0];
    assert_eq!((&*ask.fields.schema, &*ask.fields.typed), (SEAT, r#"{"seat":"window"}"#));
    let form = parse_form(&ask.params(&Arguments { amount: 1, confirmed: false })).unwrap();
    assert_eq!((form.message.as_str(), form.fields[0].name.as_str()), ("Which?", "seat"));
    let other = read(WINDOW, &params.replace("aisle", "floor"));
    assert_ne!(effective_hash(&said), effective_hash(&other));
    assert_eq!(effective_hash(&said), effective_hash(&read(WINDOW, &params.replace(',', ", "))));
}

#[test]
fn a_form_that_no_server_may_send_is_let_through_and_a_file_that_is_none_is_not() {
    let nested = r#"{"type":"object","properties":{"a":{"type":"object"}}}"#;
    let scenario = with_form(&asking(""), nested).unwrap_or_else(|invalid| panic!("{invalid}"));
    assert!(parse_form(&scenario.tool.definition.asks[0].params(&Arguments { amount: 1, confirmed: false })).is_err());
    let start = "2:62 the file of `tool.step.0.ask.form` cannot be ";
    refused(&asking(""), "{\n x", &format!("{start}used | this is not JSON"), "f.json:2:2: key must be a string");
    for none in ["[1]", "7", "{}", "{\"message\":\"a\"}"] {
        refused(&asking(""), none, &format!("{start}used | it holds no form"), "an elicitation/create request");
    }
    refused(&asking(""), r#"{"method":"tools/call"}"#, start, "must be `elicitation/create`");
    let link = r#"{"mode":"url","message":"a","requestedSchema":{}}"#;
    refused(&asking(""), link, start, "its `mode` is not \"form\" | a link is asked with `kind = \"url\"`");
    refused(&asking(""), r#"{"message":1,"requestedSchema":{}}"#, start, "its `message` is not text");
    let missing = parse(source(&asking("")), &[], &NoFiles).unwrap_err();
    assert!(one_of(&missing).starts_with(&format!("{start}read")), "{missing}");
    let large = format!("{SEAT}{}", " ".repeat(4 << 20));
    refused(&asking(""), &large, start, "larger than 4 MiB");
}

#[test]
fn a_right_answer_fits_its_form_and_a_wrong_one_is_not_judged() {
    refused(&asking(""), SEAT, "2:62 `tool.step.0.ask.typed` does not answer the form", "seat: must be answered");
    let typed = ", typed = '{\"seat\":\"middle\", \"x\":1}'";
    let start = "2:80 `tool.step.0.ask.typed` does not answer the form | seat: must be one of `window`, `aisle`";
    refused(&asking(typed), SEAT, start, "x: is not a field of this form");
    let both_right = ", typed = '{\"seat\":\"aisle\"}', mistyped = '{\"seat\":\"window\"}'";
    let text = format!("{}people.wrong_tries.constant = 2\n", asking(both_right));
    assert!(with_form(&text, SEAT).is_ok());
    let none = |typed: &str| format!("tool = {{ body = \"steps\", step = [{{ ask = {{ key = \"a\", {typed} }} }}] }}");
    says(&none("typed = '{\"a\":1}'"), "2:63 `tool.step.0.ask.typed` does not answer", "a: is not a field");
    says(&none("typed = '[]'"), "2:63 `tool.step.0.ask.typed` takes text | not a JSON object", "single quotes");
    says(
        &none("mistyped = '{'"),
        "2:66 `tool.step.0.ask.mistyped` takes text | this is not JSON: EOF",
        "single quotes",
    );
}

#[test]
fn two_messages_and_fields_beside_a_link_are_refused() {
    let form = format!("{{\"message\":\"Which?\",\"requestedSchema\":{SEAT}}}");
    let text = asking(&format!("{WINDOW}, message = \"What?\""));
    refused(&text, &form, "2:145 `tool.step.0.ask.message` contradicts `form`", "the form brings its message");
    for name in ["form", "typed", "mistyped"] {
        let line = format!(
            "tool = {{ body = \"steps\", step = [{{ ask = {{ key = \"a\", kind = \"url\", {name} = '{{}}' }} }}] }}"
        );
        says(
            &line,
            &format!("2:{} `tool.step.0.ask.{name}` contradicts `kind = \"url\"`", 72 + name.len()),
            "has no effect",
        );
    }
}

#[test]
fn steps_stand_with_the_body_of_steps_and_only_there() {
    says(
        "tool.step = [{ post = \"a\" }]",
        "2:13 `tool.step` contradicts `tool.body` | has no effect",
        "submit_expense",
    );
    says("tool.body = \"steps\"", "2:13 `tool.step` is missing", "[[tool.step]]");
    says("tool = { body = \"steps\", step = [] }", "2:33 `tool.step` is missing", "at least one");
    says("tool = { body = \"steps\", step = [{}] }", "2:34 `tool.step.0` takes exactly one", "`work`, `ask`, `post`");
    says("tool = { body = \"steps\", step = [{ ask = {} }] }", "2:42 `tool.step.0.ask.key` is missing", "");
    says("tool = { body = \"steps\", step = [{ work.never = true }] }", "2:", "`never` has no meaning here");
    for name in ["work_before", "work_after"] {
        let line =
            format!("tool = {{ {name} = {{ constant = \"1s\" }}, body = \"steps\", step = [{{ post = \"a\" }}] }}");
        let start = format!("2:{} `tool.{name}` contradicts `body = \"steps\"`", 10 + name.len() + 3);
        says(&line, &start, "has no effect: steps say their own work");
    }
}

#[test]
fn a_body_has_at_most_16_steps_and_10_asks_with_different_keys() {
    let body = |steps: Vec<String>| format!("[tool]\nbody = \"steps\"\nstep = [\n{}\n]", steps.join(",\n"));
    let post = |count| body(vec!["{ post = \"a\" }".to_string(); count]);
    assert_eq!(legal(&format!("{SMALLEST}{}", post(16))).tool.definition.ledgers, ["a"]);
    says(&post(17), "21:1 too many steps", "at most 16 steps");
    let asks = |count: usize| body((0..count).map(|n| format!("{{ ask = {{ key = \"k{n}\" }} }}")).collect());
    assert_eq!(legal(&format!("{SMALLEST}{}", asks(9))).tool.definition.asks.len(), 9);
    says(&asks(10), "14:9 too many asks", "at most 9 asks");
    let twice = body(vec!["{ ask = { key = \"a\" } }".to_string(); 2]);
    says(&twice, "6:17 `tool.step.1.ask.key` takes a plain word", "another ask has this key");
}

#[test]
fn a_tool_follows_only_the_policies_that_it_can() {
    let step =
        |ask: &str| format!("[tool]\nbody = \"steps\"\nstep = [{{ ask = {{ key = \"a\", {ask} }} }}]\nunable = ");
    let form = step("kind = \"form\"");
    let link = step("kind = \"url\"");
    let secret = step("sensitive = true");
    for (tool, policy, reason) in [
        (&form, "tool-error-with-fallback", "no argument that says the person has agreed"),
        (&form, "host-approval", "no argument that says the person has agreed"),
        (&form, "downgrade-to-form", "asks nothing by a link"),
        (&link, "from-configuration", "cannot come from a configuration"),
    ] {
        let start = format!("5:10 `tool.unable = \"{policy}\"` is not possible here");
        says(&format!("{tool}\"{policy}\""), &start, reason);
    }
    for (tool, policy, unable) in [
        (link.as_str(), "downgrade-to-form", Unable::DowngradeToForm),
        (secret.as_str(), "from-configuration", Unable::FromConfiguration),
        ("tool.unable = ", "tool-error-with-fallback", Unable::ToolErrorWithFallback),
        ("tool.unable = ", "host-approval", Unable::HostApproval),
    ] {
        assert_eq!(legal(&format!("{SMALLEST}{tool}\"{policy}\"\n")).tool.unable, unable);
    }
    says("tool = { body = \"book_trip\", unable = \"host-approval\" }", "2:39 `tool.unable", "submit_expense");
    // Set before a policy gives it an effect.
    legal(&format!("{SMALLEST}clients.model = {{ calls_again = 0.5, truthful = 0.0 }}\n"));
}

#[test]
fn the_client_always_sees_what_is_typed() {
    let seen = |parties: &[SeenBy]| parties.iter().copied().collect::<Exposure>();
    let tool = legal(&format!("{SMALLEST}tool.seen_by = [\"proxy\", \"client-log\"]\n")).tool;
    assert_eq!(tool.seen_by, seen(&[SeenBy::Client, SeenBy::ClientLog, SeenBy::Proxy]));
    says("tool.seen_by = []", "2:16 `tool.seen_by` takes a list", "empty");
    says("tool.seen_by = [\"client\"]", "2:17 `tool.seen_by` takes a list", "accepted: \"client-log\"");
    says("tool.seen_by = [\"proxy\", \"proxy\"]", "2:26 `tool.seen_by`", "already");
}

/// A tool of these steps whose next version has those, and a deploy that brings it.
fn versions(this: &str, next: &str) -> String {
    let deploy = "fault = [{ deploy = { at = \"1m\" } }]";
    format!("{SMALLEST}{deploy}\ntool = {{ body = \"steps\", step = [{this}], next.step = [{next}] }}\n")
}

#[test]
fn what_two_versions_ask_alike_is_one_ask_and_a_question_in_other_words_is_another() {
    let ask = |key: &str, message: &str| format!("{{ ask = {{ key = \"{key}\", message = \"{message}\" }} }}");
    let this = [ask("a", "One?"), ask("b", "Two?"), "{ post = \"first\" }".into()].join(", ");
    let next = [ask("b", "Two?"), ask("a", "Another?"), "{ post = \"second\" }".into(), "{ post = \"first\" }".into()];
    let tool = legal(&versions(&this, &next.join(", "))).tool.definition;
    let keys: Vec<&str> = tool.asks.iter().map(|ask| &*ask.key).collect();
    assert_eq!((keys, &tool.ledgers[..]), (vec!["a", "b", "a"], &["first".to_owned(), "second".to_owned()][..]));
    let form = |number| Step::Ask(number, Capability::Form);
    assert_eq!(tool.program, Program::of(&[form(0), form(1), Step::Post(0)]));
    assert_eq!(tool.next, Some(Program::of(&[form(1), form(2), Step::Post(1), Step::Post(0)])));
    assert_eq!([0, 1, 9].map(|version| *tool.program_of(version) == tool.program), [true, false, false]);
}

#[test]
fn a_next_version_is_described_in_steps_and_brought_by_a_deploy() {
    let post = "step = [{ post = \"a\" }]";
    says(
        &format!("tool = {{ body = \"steps\", {post}, next.{post} }}"),
        "2:51 `tool.next` contradicts the rest | no deploy brings the next version",
        "write a `[[fault]]` with `deploy`, or take this out",
    );
    says(&format!("tool.next.{post}"), "2:6 `tool.next` contradicts `tool.body`", "the body is submit_expense");
    let said = only(&versions("{ post = \"a\" }", ""));
    assert!(said.starts_with("3:63 `tool.next.step` is missing"), "{said}");
    let said = only(&versions("{ post = \"a\" }", "{ ask = { key = \"a\" } }, { ask = { key = \"a\" } }"));
    assert!(said.contains("`tool.next.step.1.ask.key`") && said.contains("another ask has this key"), "{said}");
}

#[test]
fn two_versions_together_ask_no_more_than_a_call_can_gather_answers() {
    let asks = |keys: std::ops::Range<u8>| {
        keys.map(|key| format!("{{ ask = {{ key = \"k{key}\" }} }}")).collect::<Vec<_>>().join(", ")
    };
    legal(&versions(&asks(0..5), &asks(0..9)));
    let said = only(&versions(&asks(0..5), &asks(1..10)));
    assert!(said.contains("both versions together have at most 9 different asks"), "{said}");
    let said = only(&versions(&asks(0..10), &asks(0..1)));
    assert!(said.contains("a body has at most 9 asks"), "{said}");
}
