//! What a client does when the protocol leaves it alone: SDKs differ, so each reaction is a setting.

use std::time::Duration;

use serde::Serialize;

use super::ClientCapabilities;

/// The client's reaction to "not found" in reply to an answer (protocol: 404 on the answer POST differs by SDK).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnNotFound {
    /// Ignores it and goes on waiting for the call.
    Wait,
    /// Ends the call at once; what becomes of its cancel is a setting of its own.
    Fail,
    /// Opens a new session and starts the call again, so the person is asked again.
    Reinitialise,
    /// Sends the same answer again after a pause.
    Resend,
}

/// The client's reaction to a broken connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnBroken {
    /// Ends the call at once, as lost.
    Fail,
    /// Notices nothing and hangs until its patience ends.
    Hang,
}

/// What becomes of the cancel of a client that gives up while a server may hold its call. Where a closed stream is a
/// cancel by itself (2026-07-28 basic/patterns/cancellation), none is sent and this decides nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cancel {
    /// It reaches whoever holds the call.
    Reaches,
    /// It is a message like any other, and may reach an instance that does not hold the call.
    Routed,
    /// None is sent.
    Never,
}

/// An era of the protocol, and how a client and a server behave to each other that speak it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Revision {
    /// Up to 2025-11-25: sessions, and servers that send requests of their own.
    Earlier,
    /// 2026-07-28: requests that stand by themselves.
    Modern,
}

impl Revision {
    /// Whether the end of a connection is a cancel (2026-07-28 basic/patterns/cancellation).
    pub fn drop_cancels(self) -> bool {
        self == Revision::Modern
    }

    /// Whose declaration counts when a server wants to ask: that of the handshake, or that of the request in hand?
    pub fn declared(self, handshake: ClientCapabilities, this_request: ClientCapabilities) -> ClientCapabilities {
        match self {
            Revision::Earlier => handshake,
            Revision::Modern => this_request,
        }
    }

    /// Whether the answers of one round come back together, in one message.
    pub fn answers_together(self) -> bool {
        self == Revision::Modern
    }
}

/// What a client sends before its first call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Handshake {
    /// Nothing: a call is one request, each round of answers another message.
    None,
    /// What its era asks for, each a routed message.
    Full,
    /// The same, after a `server/discover` that finds out the era.
    Discover,
}

/// How a message can fail so that a client may try it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Failure {
    /// No instance took it.
    Unreachable,
    /// The connection broke.
    Broken,
    /// The instance or the balancer had no room.
    Full,
}

/// How the pauses between tries vary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Jitter {
    /// Not at all.
    None,
    /// Uniform from nothing to the whole pause ("full jitter").
    Full,
}

/// What a client does with a message that failed: it tries again after a pause that grows with each try.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Retry {
    /// Times that one message is tried again; 0 = never.
    pub times: u8,
    /// What is tried again.
    pub on: Vec<Failure>,
    /// Least pause before any try.
    pub at_least: Duration,
    /// Pause before the first of them, beyond the least.
    pub pause: Duration,
    /// What that pause is multiplied by for each further try, at least 1.
    pub factor: f64,
    /// Longest such pause.
    pub cap: Duration,
    /// How such pauses vary.
    pub jitter: Jitter,
}

/// What a client really does with an ask, whatever it declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnAsk {
    /// Shows it to the person.
    Show,
    /// Shows nothing and gives the call up after this long.
    Hang(Duration),
    /// Shows nothing and answers `cancel` by itself after this long.
    Cancel(Duration),
}

/// One kind of client: what it declares and what it really does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClientKind {
    /// The latest revision that it speaks.
    pub speaks: Revision,
    /// Its name.
    pub name: String,
    /// Its share of all calls; the shares of all kinds add up to 1.
    pub share: f64,
    /// What it declares: in the handshake, and with the first request of a call.
    pub declares: ClientCapabilities,
    /// What it declares with every request that brings answers.
    pub declares_on_retry: ClientCapabilities,
    /// What it really does with an ask.
    pub on_ask: OnAsk,
    /// Whether it holds an answer against the form before it sends it (F-12).
    pub checks_answers: bool,
    /// Whether it refuses to show a form whose words ask for a secret.
    pub screens_forms: bool,
    /// Whether it looks at the address of a link before it shows it.
    pub inspects_links: bool,
}

/// What the model behind a client does when a tool tells it to ask in the conversation and to call again.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Model {
    /// Share of calls that it makes again.
    pub calls_again: f64,
    /// Share of those for which it really asks the person before.
    pub truthful: f64,
}

/// What a server does with an answer that does not fit the form it asked with (F-12, M-34).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnInvalid {
    /// Refuses it with an error, which ends the call.
    Refuse,
    /// Asks the same again.
    AskAgain,
}
