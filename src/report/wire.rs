//! The messages of one call as they stand on the wire: HTTP and JSON-RPC, in the words of the revision that its design
//! speaks. The facts come from the simulation; here they are only framed. Must never let the cause of a refusal through.

mod carried;
mod held;
mod shapes;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::number::plain;
use super::story::name;
use crate::engine::SimTime;
use crate::era::Design;
use crate::metrics::Record;
use crate::scenario::Scenario;
use crate::sim::{Party, Wire, WireKind};

/// One message on the wire.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Frame {
    /// When, seconds.
    #[serde(rename = "at_s", serialize_with = "seconds")]
    pub at: SimTime,
    /// From whom.
    pub from: Party,
    /// To whom.
    pub to: Party,
    /// How HTTP carries it.
    pub http: Http,
    /// The JSON-RPC message, if there is one.
    pub body: Option<Value>,
}

/// Names and values of headers.
pub type Headers = Vec<(&'static str, String)>;

/// How HTTP carries a message.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Http {
    /// The body of a POST.
    Post {
        /// In the order in which they are sent.
        #[serde(serialize_with = "by_name")]
        headers: Headers,
    },
    /// A response; a JSON body where there is one.
    Response {
        /// The status.
        status: u16,
        /// In the order in which they are sent.
        #[serde(serialize_with = "by_name")]
        headers: Headers,
    },
    /// An event on the stream that is the response to the POST of a request.
    Event {
        /// Id of the request.
        request: u64,
        /// Whether it is the first, so that the head of the response stands before it.
        first: bool,
    },
    /// The connection of a request ends before its response does.
    Closed {
        /// Id of the request.
        request: u64,
    },
}

fn by_name<S: Serializer>(headers: &Headers, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(headers.iter().map(|(name, value)| (name, value)))
}

fn seconds<S: Serializer>(at: &SimTime, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(at.as_secs_f64())
}

/// The design in whose words the messages of a call are: its own if it has any, else the one of the two that the servers
/// asked in; `None` when they asked in both.
pub fn spoken(design: Design, messages: &[Wire]) -> Option<Design> {
    if Design::PURE.contains(&design) {
        return Some(design);
    }
    let mut asked = messages.iter().filter_map(|message| match &message.kind {
        WireKind::Asks { state, .. } => Some(state.is_some()),
        _ => None,
    });
    let carries = asked.next().unwrap_or(design.needs_deploy() || !design.has_sessions());
    let same = asked.all(|other| other == carries);
    same.then_some(if carries { Design::Carrying } else { Design::Waiting })
}

/// The messages of one call under one design as frames, in order.
///
/// # Panics
/// If the design is none that has words of its own: see [`spoken`].
pub fn frames(scenario: &Scenario, design: Design, messages: &[Wire], record: &Record) -> Vec<Frame> {
    match design {
        Design::Waiting => held::frames(scenario, messages, record),
        Design::Carrying => carried::frames(scenario, messages, record),
        other => panic!("{} has no words of its own", other.name()),
    }
}

/// The revision that a design speaks.
///
/// # Panics
/// If the design is none that has words of its own: see [`spoken`].
pub fn revision(design: Design) -> &'static str {
    match design {
        Design::Waiting => held::REVISION,
        Design::Carrying => carried::REVISION,
        other => panic!("{} has no words of its own", other.name()),
    }
}

/// The frames of one call as text.
pub fn wire(scenario: &Scenario, design: Design, frames: &[Frame], record: &Record) -> String {
    let mut text = format!(
        "call {} under {}, in the words of {}: {}, after {} s\n",
        record.call,
        design.name(),
        revision(design),
        record.end.outcome.name().replace('_', " "),
        plain(record.ended.since(record.arrived).as_secs_f64()),
    );
    if frames.is_empty() {
        text.push_str("\nno message was sent\n");
    }
    for frame in frames {
        text.push_str(&format!(
            "\n{:.6} s  {} -> {}\n",
            frame.at.as_secs_f64(),
            name(scenario, frame.from),
            name(scenario, frame.to)
        ));
        for line in lines(&frame.http) {
            text.push_str(&format!("  {line}\n"));
        }
        if let Some(body) = &frame.body {
            let data = if matches!(frame.http, Http::Event { .. }) { "data: " } else { "" };
            text.push_str(&format!("  {data}{body}\n"));
        }
    }
    text.push('\n');
    text
}

/// The lines of HTTP above a body.
fn lines(http: &Http) -> Vec<String> {
    let head = |first: String, headers: &[(&'static str, String)]| {
        let headers = headers.iter().map(|(name, value)| format!("{name}: {value}"));
        std::iter::once(first).chain(headers).collect()
    };
    match http {
        Http::Post { headers } => head("POST /mcp HTTP/1.1".to_owned(), headers),
        Http::Response { status, headers } => head(format!("HTTP/1.1 {status} {}", reason(*status)), headers),
        Http::Event { request, first: true } => {
            let (ok, stream) = ("HTTP/1.1 200 OK".to_owned(), [("Content-Type", "text/event-stream".to_owned())]);
            [head(ok, &stream), lines(&Http::Event { request: *request, first: false })].concat()
        }
        Http::Event { request, first: false } => vec![format!(": on the stream of request {request}")],
        Http::Closed { request } => vec![format!("(the connection of request {request} ends)")],
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        202 => "Accepted",
        400 => "Bad Request",
        404 => "Not Found",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        _ => "",
    }
}
