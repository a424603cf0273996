//! What a client does when the protocol leaves it alone: SDKs differ, so each reaction is a setting.

use serde::Serialize;

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
