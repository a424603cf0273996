//! The shapes that both revisions share: tool arguments and results, what is asked for and what is answered. Must never
//! hold anything that only one of them knows.

use serde_json::{Map, Value, json};

use super::Headers;
use crate::scenario::Scenario;
use crate::sim::{Content, Given};
use crate::tool::{Arguments, Ask, InputRequest, ToolResult};
use crate::world::{Action, Capability, InstanceId};

/// Most tokens that a completion may take.
const MOST_TOKENS: u32 = 1000;

/// `Content-Type` of every POST, what it accepts, and who sends it.
pub(super) fn headers(user: String) -> Headers {
    vec![
        ("Content-Type", "application/json".to_owned()),
        ("Accept", "application/json, text/event-stream".to_owned()),
        ("Authorization", format!("Bearer token-of-{user}")),
    ]
}

/// `arguments` of a `tools/call`.
pub(super) fn arguments(of: &Arguments) -> Value {
    let mut arguments = json!({ "amount": of.amount });
    if of.confirmed {
        arguments["confirmed"] = json!(true);
    }
    arguments
}

/// Who a client says it is.
pub(super) fn client(scenario: &Scenario, kind: u8) -> Value {
    json!({ "name": scenario.clients.kinds[usize::from(kind)].name, "version": "1.0.0" })
}

/// Who a server says it is: one of the fleet, or the fleet.
pub(super) fn server(scenario: &Scenario, at: Option<InstanceId>) -> Value {
    let name = at.map_or("server".into(), |at| scenario.fleet.name(at));
    json!({ "name": name, "version": "1.0.0" })
}

/// `method` and `params` of an ask.
pub(super) fn request(scenario: &Scenario, asked: InputRequest, of: &Arguments) -> Map<String, Value> {
    let ask = scenario.tool.definition.ask(asked.ask);
    let message = || ask.message(of);
    let (method, params) = match asked.sent_as {
        Capability::Form => ("elicitation/create", Some(ask.params(of))),
        Capability::Url => {
            let url = &scenario.links.address;
            ("elicitation/create", Some(json!({ "mode": "url", "message": message(), "url": url })))
        }
        Capability::Sampling | Capability::SamplingTools | Capability::SamplingContext => {
            ("sampling/createMessage", Some(completion(asked.sent_as, message())))
        }
        Capability::Roots => ("roots/list", None),
    };
    let mut request = Map::new();
    request.insert("method".to_owned(), json!(method));
    if let Some(params) = params {
        request.insert("params".to_owned(), params);
    }
    request
}

fn completion(kind: Capability, message: String) -> Value {
    let mut params = json!({
        "messages": [{ "role": "user", "content": { "type": "text", "text": message } }],
        "maxTokens": MOST_TOKENS,
    });
    if kind == Capability::SamplingTools {
        params["tools"] = json!([{ "name": "search", "inputSchema": { "type": "object" } }]);
    }
    if kind == Capability::SamplingContext {
        params["includeContext"] = json!("thisServer");
    }
    params
}

/// The result that an ask is answered with.
pub(super) fn answer(ask: &Ask, given: Given) -> Value {
    match ask.needs {
        Capability::Form | Capability::Url => elicit_result(ask, given),
        Capability::Roots => json!({ "roots": [{ "uri": "file:///home/user/project", "name": "project" }] }),
        // A result is the only shape that an answer has; a refusal is one of the reasons why a completion may stop.
        _ => {
            let (text, why) = match given.action {
                Action::Accept => ("The claim is in order.", "endTurn"),
                Action::Decline => ("", "declined"),
                Action::Cancel => ("", "cancelled"),
            };
            json!({ "role": "assistant", "content": { "type": "text", "text": text }, "model": "model", "stopReason": why })
        }
    }
}

fn elicit_result(ask: &Ask, given: Given) -> Value {
    let mut result = json!({ "action": given.action.name() });
    let fields = ask.fields_as_form();
    let content = given.content.map(|content| match content {
        Content::Right => &fields.typed,
        Content::Wrong => &fields.mistyped,
    });
    if let Some(content) = content.and_then(|content| serde_json::from_str::<Value>(content).ok()) {
        result["content"] = content;
    }
    result
}

/// `content` and `isError` of a tool's result.
pub(super) fn tool_result(scenario: &Scenario, result: ToolResult) -> Map<String, Value> {
    let what = match result {
        ToolResult::Submitted => "done",
        ToolResult::Declined => "the user declined",
        ToolResult::Cancelled => "the user dismissed the question",
    };
    text_result(&format!("{}: {what}", scenario.tool.definition.name), false)
}

/// A result of one text.
pub(super) fn text_result(text: &str, is_error: bool) -> Map<String, Value> {
    let mut result = Map::new();
    result.insert("content".to_owned(), json!([{ "type": "text", "text": text }]));
    result.insert("isError".to_owned(), json!(is_error));
    result
}

/// A JSON-RPC message that answers a request with a result.
pub(super) fn result(id: impl Into<Value>, result: impl Into<Value>) -> Value {
    json!({ "jsonrpc": "2.0", "id": id.into(), "result": result.into() })
}

/// A JSON-RPC message that answers a request with an error.
pub(super) fn error(id: impl Into<Value>, code: i32, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id.into(), "error": { "code": code, "message": message } })
}

/// Invalid params.
pub(super) const INVALID_PARAMS: i32 = -32602;

/// Internal error.
pub(super) const INTERNAL_ERROR: i32 = -32603;

/// What is said of an answer that does not fit its form.
pub(super) const INVALID_ANSWER: &str = "The answer does not fit the form";

/// What is said when a server finds its own form illegal.
pub(super) const ILLEGAL_FORM: &str = "Internal error";
/// What a server says that waits no longer.
pub(super) const OUT_OF_TIME: &str = "Timed out";
/// What a server says of an answer that it takes no more.
pub(super) const TOO_LATE: &str = "The answer came too late";
