//! Which members each message has, by the pages: required ones are there, unknown ones are not.

use super::*;

/// Holds an object against the members that it must and may have.
fn members(what: &str, value: &Value, must: &[&str], may: &[&str]) {
    let object = value.as_object().unwrap_or_else(|| panic!("{what} is no object: {value}"));
    for name in must {
        assert!(object.contains_key(*name), "{what} has no `{name}`: {value}");
    }
    for name in object.keys() {
        assert!(must.contains(&name.as_str()) || may.contains(&name.as_str()), "{what} has `{name}`: {value}");
    }
}

/// Holds every message of a call against its revision.
pub fn check(talk: &Talk) {
    for frame in &talk.frames {
        if let Some(body) = &frame.body {
            message(talk, body);
        }
        headers(talk, frame);
    }
}

fn is_modern(talk: &Talk) -> bool {
    talk.design == Carrying
}

fn headers(talk: &Talk, frame: &Frame) {
    let Http::Post { headers } = &frame.http else { return };
    let value = |name: &str| headers.iter().find(|(header, _)| *header == name).map(|(_, value)| value.as_str());
    let body = frame.body.as_ref().expect("a POST has a body");
    let accept = value("Accept").expect("a client says what it accepts");
    assert!(accept.contains("application/json") && accept.contains("text/event-stream"));
    let version = value("MCP-Protocol-Version");
    if is_modern(talk) {
        let meta = &body["params"]["_meta"];
        assert_eq!(version, meta["io.modelcontextprotocol/protocolVersion"].as_str(), "{}", talk.what);
        assert_eq!(value("Mcp-Method"), body["method"].as_str());
        assert_eq!(value("Mcp-Name"), body["params"]["name"].as_str());
        assert_eq!((version, value("MCP-Session-Id")), (Some("2026-07-28"), None));
    } else {
        let expected = if body["method"] == "initialize" { None } else { Some("2025-11-25") };
        assert_eq!(version, expected, "{}", talk.what);
        assert_eq!((value("Mcp-Method"), value("Mcp-Name")), (None, None));
    }
}

fn message(talk: &Talk, body: &Value) {
    assert_eq!(body["jsonrpc"], "2.0");
    let method = body.get("method").and_then(Value::as_str);
    match (method, body.get("result"), body.get("error")) {
        (Some(method), None, None) => request(talk, method, body),
        (None, Some(result), None) => {
            members("a response", body, &["jsonrpc", "id", "result"], &[]);
            any_result(talk, &body["id"], result);
        }
        (None, None, Some(error)) => {
            members("an error", body, &["jsonrpc", "id", "error"], &[]);
            members("an error object", error, &["code", "message"], &["data"]);
            assert!(error["code"].is_i64() && error["message"].is_string());
            let required = error["data"].get("requiredCapabilities").map(Value::is_object);
            assert_eq!(required, (error["code"] == -32021).then_some(true), "{error}");
        }
        _ => panic!("{}: no message of JSON-RPC: {body}", talk.what),
    }
}

fn request(talk: &Talk, method: &str, body: &Value) {
    let params = &body["params"];
    match method {
        "tools/call" => {
            members("a request", body, &["jsonrpc", "id", "method", "params"], &[]);
            tools_call(talk, params);
        }
        _ if is_modern(talk) => panic!("{}: {method} is a request of nobody in this revision", talk.what),
        "initialize" => {
            members("a request", body, &["jsonrpc", "id", "method", "params"], &[]);
            members("initialize", params, &["protocolVersion", "capabilities", "clientInfo"], &[]);
            capabilities(&params["capabilities"]);
            members("clientInfo", &params["clientInfo"], &["name", "version"], &[]);
        }
        "notifications/initialized" => members("a notification", body, &["jsonrpc", "method"], &[]),
        "notifications/cancelled" => {
            members("a notification", body, &["jsonrpc", "method", "params"], &[]);
            members("cancelled", params, &["requestId"], &["reason"]);
        }
        _ => {
            members("a request", body, &["jsonrpc", "id", "method"], &["params"]);
            ask(talk, method, body.get("params"));
        }
    }
}

fn tools_call(talk: &Talk, params: &Value) {
    if !is_modern(talk) {
        return members("tools/call", params, &["name", "arguments"], &[]);
    }
    members("tools/call", params, &["name", "arguments", "_meta"], &["inputResponses", "requestState"]);
    let [version, declared, info] =
        ["protocolVersion", "clientCapabilities", "clientInfo"].map(|name| format!("io.modelcontextprotocol/{name}"));
    members("_meta", &params["_meta"], &[&version, &declared, &info], &[]);
    capabilities(&params["_meta"][&declared]);
    members("clientInfo", &params["_meta"][&info], &["name", "version"], &[]);
    for given in params["inputResponses"].as_object().into_iter().flat_map(serde_json::Map::values) {
        answer(given);
    }
}

fn capabilities(declared: &Value) {
    members("capabilities", declared, &[], &["elicitation", "sampling", "roots"]);
    let inner = [("elicitation", ["form", "url"]), ("sampling", ["tools", "context"])];
    for (name, may) in inner.iter().filter(|(name, _)| declared.get(name).is_some()) {
        members(name, &declared[name], &[], may);
        assert!(declared[name].as_object().expect("an object").values().all(|value| *value == json!({})));
    }
}

/// An ask: on a stream, or bare in `inputRequests`.
fn ask(talk: &Talk, method: &str, params: Option<&Value>) {
    let params = match (method, params) {
        ("roots/list", None) => return,
        (_, Some(params)) => params,
        _ => panic!("{}: {method} without params", talk.what),
    };
    match (method, params["mode"].as_str()) {
        ("elicitation/create", Some("form")) => {
            members("a form", params, &["mode", "message", "requestedSchema"], &[]);
            assert!(form::parse(params).is_ok(), "{params}");
        }
        ("elicitation/create", Some("url")) => {
            let id: &[&str] = if is_modern(talk) { &[] } else { &["elicitationId"] };
            members("a link", params, &[&["mode", "message", "url"], id].concat(), &[]);
        }
        ("sampling/createMessage", None) => {
            members("a completion", params, &["messages", "maxTokens"], &["tools", "includeContext"]);
            for message in params["messages"].as_array().expect("messages") {
                members("a message", message, &["role", "content"], &[]);
            }
            for tool in params["tools"].as_array().into_iter().flatten() {
                members("a tool", tool, &["name", "inputSchema"], &[]);
            }
        }
        _ => panic!("{}: nobody may ask {method} {params}", talk.what),
    }
}

/// A result, told apart by what it answers and by what it has.
fn any_result(talk: &Talk, id: &Value, result: &Value) {
    if id.is_string() {
        return answer(result);
    }
    if result.get("protocolVersion").is_some() {
        members("initialized", result, &["protocolVersion", "capabilities", "serverInfo"], &["instructions"]);
        return members("serverInfo", &result["serverInfo"], &["name", "version"], &[]);
    }
    if !is_modern(talk) {
        members("a tool's result", result, &["content", "isError"], &[]);
        return content(result);
    }
    match result["resultType"].as_str() {
        Some("complete") => {
            members("a tool's result", result, &["resultType", "content", "isError"], &["_meta"]);
            content(result);
        }
        Some("input_required") => {
            members("a question", result, &["resultType"], &["inputRequests", "requestState", "_meta"]);
            assert!(result.get("inputRequests").or(result.get("requestState")).is_some(), "M-31");
            for (_, asked) in result["inputRequests"].as_object().into_iter().flatten() {
                members("an entry", asked, &["method"], &["params"]);
                ask(talk, asked["method"].as_str().expect("a method"), asked.get("params"));
            }
        }
        other => panic!("{}: a result of type {other:?}", talk.what),
    }
    members("_meta", &result["_meta"], &["io.modelcontextprotocol/serverInfo"], &[]);
}

fn content(result: &Value) {
    assert!(result["isError"].is_boolean());
    for block in result["content"].as_array().expect("content is a list") {
        members("a block", block, &["type", "text"], &[]);
    }
}

/// What an ask is answered with.
fn answer(given: &Value) {
    if given.get("roots").is_some() {
        members("roots", given, &["roots"], &[]);
        for root in given["roots"].as_array().expect("roots are a list") {
            members("a root", root, &["uri"], &["name"]);
        }
    } else if given.get("role").is_some() {
        members("a completion", given, &["role", "content", "model"], &["stopReason"]);
    } else {
        members("an answer", given, &["action"], &["content"]);
        let action = given["action"].as_str().expect("an action");
        assert!(["accept", "decline", "cancel"].contains(&action));
        assert!(given.get("content").is_none_or(|content| content.is_object() && action == "accept"), "{given}");
    }
}
