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
    /// Ends the call at once; the cancel reaches the instance that still holds it.
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
