//! Revision 2026-07-28: every request stands alone and says whom it comes from and what it can do; a question is a result
//! that ends its request, and the answer is a new request with the state (basic/patterns/mrtr).

use serde_json::{Map, Value, json};

use super::shapes;
use super::{Frame, Headers, Http};
use crate::metrics::{Outcome, Record};
use crate::scenario::Scenario;
use crate::sim::{Given, Party, Wire, WireKind};
use crate::tool::{Arguments, InputRequest, InputRequests};
use crate::world::{Capability, ClientCapabilities, Presented};

pub(super) const REVISION: &str = "2026-07-28";

/// The one text for every cause for which a state is refused.
const REFUSED: &str = "Invalid or expired requestState";
const MISSING_CAPABILITY: i32 = -32021;

pub(super) fn frames(scenario: &Scenario, messages: &[Wire], record: &Record) -> Vec<Frame> {
    let mut carried =
        Carried { scenario, record, frames: Vec::new(), id: 0, open: false, asked: Vec::new(), last: None };
    for message in messages {
        carried.add(message);
    }
    carried.end();
    carried.frames
}

/// What of a call was framed so far.
struct Carried<'a> {
    scenario: &'a Scenario,
    record: &'a Record,
    frames: Vec<Frame>,
    /// Id of the last request, and whether it still has no response.
    id: u64,
    open: bool,
    /// Keys of the last round, by number of the ask.
    asked: Vec<(u8, String)>,
    /// Headers and params of the last request.
    last: Option<(Headers, Value)>,
}

impl Carried<'_> {
    fn add(&mut self, message: &Wire) {
        let id = self.id;
        match &message.kind {
            WireKind::Call { arguments, declares } => {
                let params = self.params(arguments, None, *declares);
                self.call(message, self.headers(true), params);
            }
            WireKind::Answers { arguments, declares, given, state, presented } => {
                let arguments = sent_with(arguments, presented);
                let params = self.params(&arguments, Some((given, state.as_deref())), *declares);
                self.call(message, self.headers(presented.by_its_user), params);
            }
            WireKind::Again => {
                let (headers, params) = self.last.clone().expect("only what was sent is sent again");
                self.call(message, headers, params);
            }
            WireKind::Asks { asks, arguments, state } => {
                let result = self.input_required(asks, arguments, state.as_deref());
                self.complete(message, "input_required", result);
            }
            WireKind::Done(result) => self.complete(message, "complete", shapes::tool_result(self.scenario, *result)),
            WireKind::ToolError(text) => self.complete(message, "complete", shapes::text_result(text, true)),
            WireKind::Missing(needed) => self.respond(message, 400, Some(missing(id, *needed))),
            WireKind::Refused => self.fail(message, 400, shapes::INVALID_PARAMS, REFUSED),
            WireKind::InvalidAnswer => self.fail(message, 400, shapes::INVALID_PARAMS, shapes::INVALID_ANSWER),
            WireKind::IllegalForm => self.fail(message, 500, shapes::INTERNAL_ERROR, shapes::ILLEGAL_FORM),
            WireKind::ServerTimeout => self.fail(message, 500, shapes::INTERNAL_ERROR, shapes::OUT_OF_TIME),
            WireKind::NotFound => self.respond(message, 404, None),
            WireKind::NoRoom | WireKind::NoServer => self.respond(message, 503, None),
            WireKind::Broken => {
                self.open = false;
                self.push(message, Http::Closed { request: id }, None);
            }
            WireKind::PageFinished => unreachable!("without an open stream nobody can be told"),
            // That answers were taken is said by what comes of them.
            WireKind::Taken => {}
        }
    }

    fn call(&mut self, message: &Wire, headers: Headers, params: Value) {
        self.id += 1;
        self.open = true;
        let body = json!({ "jsonrpc": "2.0", "id": self.id, "method": "tools/call", "params": &params });
        self.push(message, Http::Post { headers: headers.clone() }, Some(body));
        self.last = Some((headers, params));
    }

    fn headers(&self, by_its_user: bool) -> Headers {
        let user = if by_its_user { format!("user-{}", self.record.call) } else { "somebody-else".to_owned() };
        let mut headers = shapes::headers(user);
        headers.extend([
            ("MCP-Protocol-Version", REVISION.to_owned()),
            ("Mcp-Method", "tools/call".to_owned()),
            ("Mcp-Name", self.scenario.tool.definition.name.clone()),
        ]);
        headers
    }

    fn params(
        &self,
        arguments: &Arguments,
        answers: Option<(&Vec<Given>, Option<&str>)>,
        declares: ClientCapabilities,
    ) -> Value {
        let mut params =
            json!({ "name": self.scenario.tool.definition.name, "arguments": shapes::arguments(arguments) });
        if let Some((given, state)) = answers {
            params["inputResponses"] = given.iter().map(|&given| self.response(given)).collect::<Map<_, _>>().into();
            if let Some(state) = state {
                params["requestState"] = json!(state);
            }
        }
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": REVISION,
            "io.modelcontextprotocol/clientCapabilities": declares.to_value(),
            "io.modelcontextprotocol/clientInfo": shapes::client(self.scenario, self.record.client),
        });
        params
    }

    fn response(&self, given: Given) -> (String, Value) {
        let key = self.asked.iter().find(|(ask, _)| *ask == given.ask).map(|(_, key)| key.clone());
        let ask = self.scenario.tool.definition.ask(given.ask);
        (key.expect("only what was asked is answered"), shapes::answer(ask, given))
    }

    fn input_required(
        &mut self,
        asks: &InputRequests,
        arguments: &Arguments,
        state: Option<&str>,
    ) -> Map<String, Value> {
        self.asked = asks.iter().map(|asked| (asked.ask, self.key(asked))).collect();
        let request = |asked: InputRequest| (self.key(asked), shapes::request(self.scenario, asked, arguments).into());
        let requests: Map<String, Value> = asks.iter().map(request).collect();
        let mut result = Map::new();
        result.insert("inputRequests".to_owned(), requests.into());
        if let Some(state) = state {
            result.insert("requestState".to_owned(), json!(state));
        }
        result
    }

    /// The key of an ask; asked again after an answer, it is the next occurrence.
    fn key(&self, asked: InputRequest) -> String {
        let key = &self.scenario.tool.definition.ask(asked.ask).key;
        match asked.answered_before {
            0 => key.to_string(),
            before => format!("{key}#{}", before + 1),
        }
    }

    fn complete(&mut self, message: &Wire, kind: &str, members: Map<String, Value>) {
        let at = if let Party::Instance(at) = message.from { Some(at) } else { None };
        let mut result = Map::new();
        result.insert("resultType".to_owned(), json!(kind));
        result.extend(members);
        let info = json!({ "io.modelcontextprotocol/serverInfo": shapes::server(self.scenario, at) });
        result.insert("_meta".to_owned(), info);
        self.respond(message, 200, Some(shapes::result(self.id, result)));
    }

    fn fail(&mut self, message: &Wire, status: u16, code: i32, text: &str) {
        self.respond(message, status, Some(shapes::error(self.id, code, text)));
    }

    fn respond(&mut self, message: &Wire, status: u16, body: Option<Value>) {
        self.open = false;
        let json = body.as_ref().map(|_| ("Content-Type", "application/json".to_owned()));
        let headers = json.into_iter().collect();
        self.push(message, Http::Response { status, headers }, body);
    }

    fn push(&mut self, message: &Wire, http: Http, body: Option<Value>) {
        self.frames.push(Frame { at: message.at, from: message.from, to: message.to, http, body });
    }

    /// Whoever ends a call without a response closes its stream, which cancels the request (M-60).
    fn end(&mut self) {
        let over = matches!(self.record.end.outcome, Outcome::OpenAtEnd | Outcome::Abandoned);
        if self.open && !over {
            let (at, from, to) = (self.record.ended, Party::Client, Party::Balancer);
            self.frames.push(Frame { at, from, to, http: Http::Closed { request: self.id }, body: None });
        }
    }
}

/// The arguments that a state comes back with: those of its call, or, where it comes with another, other ones.
fn sent_with(arguments: &Arguments, presented: &Presented) -> Arguments {
    let amount = if presented.with_its_call { arguments.amount } else { arguments.amount.wrapping_add(1) };
    Arguments { amount, ..*arguments }
}

fn missing(id: u64, needed: Capability) -> Value {
    let mut error = shapes::error(id, MISSING_CAPABILITY, "Missing required client capability");
    error["error"]["data"] = json!({ "requiredCapabilities": needed.required() });
    error
}
