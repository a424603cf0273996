//! Revision 2025-11-25: a handshake, then one call whose response is a stream. The server's questions are requests on
//! that stream, and each answer is a POST of its own (basic/transports, client/elicitation).

use serde_json::{Value, json};

use super::shapes;
use super::{Frame, Headers, Http};
use crate::engine::SimTime;
use crate::metrics::{Outcome, Record};
use crate::scenario::{Misroute, Scenario};
use crate::sim::{Given, Party, Wire, WireKind};
use crate::tool::{Arguments, InputRequest, InputRequests};
use crate::world::{Action, Capability, ClientCapabilities};

pub(super) const REVISION: &str = "2025-11-25";

/// What a client says of a completion that its person does not want.
const REJECTED: (i32, &str) = (-1, "User rejected sampling request");

pub(super) fn frames(scenario: &Scenario, messages: &[Wire], record: &Record) -> Vec<Frame> {
    let mut held = Held {
        scenario,
        record,
        frames: Vec::new(),
        id: 0,
        asks: 0,
        sessions: 0,
        in_session: false,
        open: None,
        streams: false,
        asked: Vec::new(),
        last: None,
    };
    for message in messages {
        held.add(message);
    }
    held.end();
    held.frames
}

/// What of a call was framed so far.
struct Held<'a> {
    scenario: &'a Scenario,
    record: &'a Record,
    frames: Vec<Frame>,
    /// Id of the client's last request; no id is used twice.
    id: u64,
    /// Number of the server's last request.
    asks: u64,
    sessions: u64,
    in_session: bool,
    /// Id of the `tools/call` that has no result yet, and whether its stream has begun.
    open: Option<u64>,
    streams: bool,
    /// Ids of the last round, by number of the ask.
    asked: Vec<(u8, String)>,
    /// The answer that was sent last.
    last: Option<Value>,
}

impl Held<'_> {
    fn add(&mut self, message: &Wire) {
        match &message.kind {
            WireKind::Call { arguments, declares } => {
                self.shake_hands(message, *declares);
                self.call(message, arguments);
            }
            WireKind::Answers { given, .. } => given.iter().for_each(|&given| self.answer(message, given)),
            WireKind::Again => {
                let body = self.last.clone().expect("only what was sent is sent again");
                self.post(message, body);
            }
            WireKind::Asks { asks, arguments, .. } => self.ask(message, asks, arguments),
            WireKind::Taken => self.status(message, 202),
            WireKind::NotFound => {
                self.in_session = false;
                self.status(message, 404);
            }
            WireKind::NoRoom => self.turn_away(message),
            WireKind::NoServer if self.asked.is_empty() => self.turn_away(message),
            WireKind::NoServer => self.status(message, 503),
            WireKind::Broken => {
                let id = self.open.take().expect("only what is open breaks");
                self.push(message, Http::Closed { request: id }, None);
            }
            WireKind::Done(result) => {
                let result = shapes::tool_result(self.scenario, *result);
                self.end_call(message, |id| shapes::result(id, result));
            }
            WireKind::ToolError(text) => self.tool_error(message, text),
            // This revision has no error for it; what a server can say is said to the model.
            WireKind::Missing(needed) => {
                self.tool_error(message, &format!("The client did not declare {}", needed.required()));
            }
            WireKind::InvalidAnswer => self.fail(message, shapes::INVALID_PARAMS, shapes::INVALID_ANSWER),
            WireKind::PageFinished => {
                let params = json!({ "elicitationId": self.elicitation() });
                let method = "notifications/elicitation/complete";
                self.event(message, json!({ "jsonrpc": "2.0", "method": method, "params": params }));
            }
            WireKind::IllegalForm => self.fail(message, shapes::INTERNAL_ERROR, shapes::ILLEGAL_FORM),
            WireKind::ServerTimeout => self.fail(message, shapes::INTERNAL_ERROR, shapes::OUT_OF_TIME),
            WireKind::Refused => self.fail(message, shapes::INVALID_PARAMS, shapes::TOO_LATE),
        }
    }

    /// The handshake that the model does not route: three messages before the first call of a session.
    fn shake_hands(&mut self, message: &Wire, declares: ClientCapabilities) {
        if self.in_session {
            return;
        }
        self.cancel(message.at);
        self.id += 1;
        let handshake = |from, to| Wire { from, to, ..message.clone() };
        let (there, back) = (handshake(Party::Client, Party::Balancer), handshake(Party::Balancer, Party::Client));
        let params = json!({
            "protocolVersion": REVISION,
            "capabilities": declares.to_value(),
            "clientInfo": shapes::client(self.scenario, self.record.client),
        });
        let body = json!({ "jsonrpc": "2.0", "id": self.id, "method": "initialize", "params": params });
        self.push(&there, Http::Post { headers: self.user() }, Some(body));
        self.sessions += 1;
        self.in_session = true;
        let result = json!({
            "protocolVersion": REVISION,
            "capabilities": { "tools": {} },
            "serverInfo": shapes::server(self.scenario, None),
        });
        let mut headers = vec![("Content-Type", "application/json".to_owned())];
        headers.extend(self.session());
        self.push(&back, Http::Response { status: 200, headers }, Some(shapes::result(self.id, result)));
        self.post(&there, json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        self.status(&back, 202);
    }

    fn user(&self) -> Headers {
        shapes::headers(format!("user-{}", self.record.call))
    }

    /// A fleet that answers "not found" knows sessions; one that swallows answers has none.
    fn session(&self) -> Option<(&'static str, String)> {
        let knows_sessions = self.scenario.fleet.misroute == Misroute::NotFound;
        knows_sessions.then(|| ("MCP-Session-Id", format!("session-{}-{}", self.record.call, self.sessions)))
    }

    fn post(&mut self, message: &Wire, body: Value) {
        let mut headers = self.user();
        headers.push(("MCP-Protocol-Version", REVISION.to_owned()));
        headers.extend(self.session());
        self.push(message, Http::Post { headers }, Some(body));
    }

    fn call(&mut self, message: &Wire, arguments: &Arguments) {
        self.id += 1;
        (self.open, self.streams) = (Some(self.id), false);
        self.asked.clear();
        let params = json!({
            "name": self.scenario.tool.definition.name, "arguments": shapes::arguments(arguments)
        });
        self.post(message, json!({ "jsonrpc": "2.0", "id": self.id, "method": "tools/call", "params": params }));
    }

    fn ask(&mut self, message: &Wire, asks: &InputRequests, arguments: &Arguments) {
        self.asked.clear();
        for asked in asks.iter() {
            self.asks += 1;
            let id = format!("srv-{}", self.asks);
            let body = self.request(&id, asked, arguments);
            self.asked.push((asked.ask, id));
            self.event(message, body);
        }
    }

    fn request(&self, id: &str, asked: InputRequest, arguments: &Arguments) -> Value {
        let mut body = json!({ "jsonrpc": "2.0", "id": id });
        for (name, value) in shapes::request(self.scenario, asked, arguments) {
            body[name] = value;
        }
        if asked.sent_as == Capability::Url {
            body["params"]["elicitationId"] = json!(self.elicitation());
        }
        body
    }

    /// The id of the link that was sent last.
    fn elicitation(&self) -> String {
        format!("elicitation-{}-{}", self.record.call, self.asks)
    }

    fn answer(&mut self, message: &Wire, given: Given) {
        let id = self.asked.iter().find(|(ask, _)| *ask == given.ask).map(|(_, id)| id.clone());
        let id = id.expect("only what was asked is answered");
        let ask = self.scenario.tool.definition.ask(given.ask);
        let by_a_model = !matches!(ask.needs, Capability::Form | Capability::Url | Capability::Roots);
        let body = if by_a_model && given.action != Action::Accept {
            shapes::error(id, REJECTED.0, REJECTED.1)
        } else {
            shapes::result(id, shapes::answer(ask, given))
        };
        self.last = Some(body.clone());
        self.post(message, body);
    }

    fn tool_error(&mut self, message: &Wire, text: &str) {
        self.end_call(message, |id| shapes::result(id, shapes::text_result(text, true)));
    }

    fn fail(&mut self, message: &Wire, code: i32, text: &str) {
        self.end_call(message, |id| shapes::error(id, code, text));
    }

    /// What ends the call stands on its stream.
    fn end_call(&mut self, message: &Wire, body: impl FnOnce(u64) -> Value) {
        let id = self.open.expect("a call ends once");
        self.event(message, body(id));
        self.open = None;
    }

    fn event(&mut self, message: &Wire, body: Value) {
        let request = self.open.expect("a stream belongs to a call");
        let first = !std::mem::replace(&mut self.streams, true);
        self.push(message, Http::Event { request, first }, Some(body));
    }

    fn status(&mut self, message: &Wire, status: u16) {
        self.push(message, Http::Response { status, headers: Headers::new() }, None);
    }

    /// The call itself gets no stream.
    fn turn_away(&mut self, message: &Wire) {
        self.open = None;
        self.status(message, 503);
    }

    fn push(&mut self, message: &Wire, http: Http, body: Option<Value>) {
        self.frames.push(Frame { at: message.at, from: message.from, to: message.to, http, body });
    }

    /// A client that gives up says so: in this revision a closed stream is no cancel (E-26). The model does not route it.
    fn cancel(&mut self, at: SimTime) {
        let Some(id) = self.open.take() else { return };
        let params = json!({ "requestId": id, "reason": "the client no longer waits" });
        let body = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
        let kind = WireKind::Taken;
        let there = Wire { at, from: Party::Client, to: Party::Balancer, kind };
        self.post(&there, body);
        self.status(&Wire { from: Party::Balancer, to: Party::Client, ..there }, 202);
    }

    fn end(&mut self) {
        if !matches!(self.record.end.outcome, Outcome::OpenAtEnd | Outcome::Abandoned) {
            self.cancel(self.record.ended);
        }
    }
}
