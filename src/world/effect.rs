//! What makes two effects of a tool the same, and who knows. A client that hears nothing tries again; whether that makes a
//! second effect is for these to say.

use serde::Serialize;

/// What makes an effect a repeat of one that was made before, beside its number within the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Idempotency {
    /// Nothing.
    None,
    /// The id of the request: a proxy copies it, a client that tries again takes another.
    RequestId,
    /// The arguments of the call, whoever made it.
    Arguments,
    /// The state that the request brings; a request without one brings nothing.
    State,
    /// A key that the client makes once for the call and sends with every try.
    Operation,
}

impl Idempotency {
    /// All of them, in the order of the documentation.
    pub const ALL: [Idempotency; 5] =
        [Idempotency::None, Idempotency::RequestId, Idempotency::Arguments, Idempotency::State, Idempotency::Operation];
}

/// Who knows which effects were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum IdempotencyScope {
    /// One store for the fleet.
    Shared,
    /// Each process for itself, until it dies.
    PerInstance,
}
