//! Which message may follow which, and what a later one repeats of an earlier one.

use super::*;

/// Walks through the messages of a call.
pub fn check(talk: &Talk) {
    let times = talk.frames.iter().map(|frame| frame.at);
    assert!(times.is_sorted(), "{}: a message before the one before it", talk.what);
    ids_are_fresh(talk);
    match talk.design {
        Waiting => earlier(talk),
        Carrying => modern(talk),
        _ => unreachable!("a talk is in the words of one of the two"),
    }
}

/// No sender uses the id of a request twice.
fn ids_are_fresh(talk: &Talk) {
    let requests = talk.bodies().filter(|body| body.get("method").is_some() && body.get("id").is_some());
    let mut seen = BTreeSet::new();
    for request in requests {
        assert!(seen.insert(request["id"].to_string()), "{}: {} is used twice", talk.what, request["id"]);
    }
}

/// Each POST has one response before the next, a question ends its request, and a retry repeats what it must.
fn modern(talk: &Talk) {
    let mut open: Option<&Value> = None;
    let mut asked: Option<&Value> = None;
    let mut first: Option<&Value> = None;
    for frame in &talk.frames {
        match (&frame.http, frame.body.as_ref()) {
            (Http::Post { .. }, Some(request)) => {
                assert!(open.is_none(), "{}: a request while another is open", talk.what);
                open = Some(request);
                if request["params"].get("inputResponses").is_some() {
                    retry(talk, request, first.expect("a retry has a first leg"), asked.expect("it was asked"));
                } else {
                    assert!(request["params"].get("requestState").is_none(), "{}", talk.what);
                    (first, asked) = (Some(request), None);
                }
            }
            (Http::Response { status, .. }, body) => {
                let request = open.take().unwrap_or_else(|| panic!("{}: a response to nothing", talk.what));
                let id = body.map(|body| &body["id"]);
                assert!(id.is_none_or(|id| *id == request["id"]), "{}: {id:?}", talk.what);
                assert_eq!(*status == 200, body.is_some_and(|body| body.get("result").is_some()), "{}", talk.what);
                let result = body.map(|body| &body["result"]);
                // Whoever replays a state may be asked, which changes nothing for the call.
                if let Some(result) = result.filter(|result| result["resultType"] == "input_required") {
                    asked = Some(result);
                }
            }
            (Http::Closed { request }, None) => {
                let closed = open.take().expect("only what is open is closed");
                assert_eq!(closed["id"], json!(request), "{}", talk.what);
            }
            (http, body) => panic!("{}: {http:?} {body:?}", talk.what),
        }
    }
    let over = !matches!(talk.record.end.outcome, Outcome::OpenAtEnd);
    assert!(!over || open.is_none(), "{}: a request without a response", talk.what);
}

fn retry(talk: &Talk, request: &Value, first: &Value, asked: &Value) {
    let (params, first) = (&request["params"], &first["params"]);
    assert_eq!(params["name"], first["name"]);
    // An attack is somebody else's doing, and the only one who changes what was given.
    let attacked = talk.record.end.cause;
    if attacked != Some(Cause::OtherRequest) {
        assert_eq!(params["arguments"], first["arguments"], "{}", talk.what);
    }
    if attacked != Some(Cause::Tampered) {
        assert_eq!(params["requestState"], asked["requestState"], "{}: byte for byte", talk.what);
    }
    assert!(params["requestState"].is_string());
    let keys = |value: &Value| value.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&params["inputResponses"]), keys(&asked["inputRequests"]), "{}", talk.what);
}

/// The handshake comes first; what the server sends stands on the stream of the open call; each answer belongs to an ask.
fn earlier(talk: &Talk) {
    let mut stage = 0;
    let mut call: Option<u64> = None;
    let mut asked = BTreeSet::new();
    let mut begun = false;
    for frame in &talk.frames {
        let method = frame.body.as_ref().and_then(|body| body["method"].as_str());
        match (&frame.http, frame.body.as_ref(), method) {
            (Http::Post { .. }, Some(_), Some("initialize")) => {
                assert!(call.is_none(), "{}: a handshake in mid-call", talk.what);
                stage = 1;
            }
            (Http::Response { status: 200, .. }, Some(body), _) if stage == 1 => {
                assert_eq!(body["result"]["protocolVersion"], "2025-11-25");
                stage = 2;
            }
            (Http::Post { .. }, _, Some("notifications/initialized")) => {
                assert_eq!(stage, 2, "{}", talk.what);
                stage = 3;
            }
            (Http::Post { .. }, Some(body), Some("tools/call")) => {
                assert_eq!((stage, call), (3, None), "{}", talk.what);
                (call, begun) = (body["id"].as_u64(), false);
            }
            (Http::Post { .. }, Some(body), Some("notifications/cancelled")) => {
                assert_eq!(body["params"]["requestId"].as_u64(), call.take(), "{}", talk.what);
            }
            (Http::Post { .. }, Some(answer), None) => {
                assert!(asked.contains(&answer["id"].to_string()), "{}: {answer} answers nothing", talk.what);
            }
            (Http::Event { request, first }, Some(body), method) => {
                assert_eq!((Some(*request), *first), (call, !begun), "{}", talk.what);
                begun = true;
                match method {
                    Some(_) => assert!(asked.insert(body["id"].to_string())),
                    None => assert_eq!(body["id"].as_u64(), call.take(), "{}", talk.what),
                }
            }
            (Http::Response { status: 503, .. }, None, _) if !begun => call = None,
            (Http::Response { status: 202 | 404 | 503, .. }, None, _) => {}
            (Http::Closed { request }, None, _) => assert_eq!(Some(*request), call.take(), "{}", talk.what),
            (http, body, _) => panic!("{}: {http:?} {body:?}", talk.what),
        }
    }
    let over = !matches!(talk.record.end.outcome, Outcome::OpenAtEnd | Outcome::Abandoned);
    assert!(!over || call.is_none(), "{}: a call without an end", talk.what);
}
