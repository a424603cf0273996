//! Why a call did not complete. The list is closed and grows with what the simulator can show; how a call *ends* is
//! `metrics::Outcome`.

use serde::Serialize;

/// The first misfortune that met a call. Whether it would have completed without it is not tried out: a person who never
/// answers may be parked at an instance that dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The answer reached an instance that does not hold the call.
    Misrouted,
    /// The client's clock ran out while nothing else was wrong.
    ClientDeadline,
    /// The instance died with the call or was dead when a message reached it.
    Crash,
    /// The state was sealed under a key that the instance does not have.
    WrongKey,
    /// The state outlived its life.
    Expired,
    /// The client did not declare that it can be asked.
    Capability,
    /// No worker thread was free and there is no waiting line.
    ThreadsFull,
    /// The waiting line was full.
    QueueFull,
    /// The client's cap on rounds of asking was reached.
    RoundsExceeded,
    /// The person never answered.
    PersonSilent,
    /// The client cancelled by itself: nobody was shown anything.
    MachineCancel,
    /// The client never showed the question and gave the call up.
    NeverShown,
    /// The host saw the words of a secret in a form and did not show it.
    Screened,
    /// The answer did not fit the form.
    InvalidAnswer,
    /// The form is none that may be sent.
    IllegalForm,
}

impl Cause {
    /// Every cause, in the order of tables.
    pub const ALL: [Cause; 15] = [
        Cause::Misrouted,
        Cause::ClientDeadline,
        Cause::Crash,
        Cause::WrongKey,
        Cause::Expired,
        Cause::Capability,
        Cause::ThreadsFull,
        Cause::QueueFull,
        Cause::RoundsExceeded,
        Cause::PersonSilent,
        Cause::MachineCancel,
        Cause::NeverShown,
        Cause::Screened,
        Cause::InvalidAnswer,
        Cause::IllegalForm,
    ];

    /// Name in tables and files.
    pub fn name(self) -> &'static str {
        match self {
            Cause::Misrouted => "misrouted",
            Cause::ClientDeadline => "client_deadline",
            Cause::Crash => "crash",
            Cause::WrongKey => "wrong_key",
            Cause::Expired => "expired",
            Cause::Capability => "capability",
            Cause::ThreadsFull => "threads_full",
            Cause::QueueFull => "queue_full",
            Cause::RoundsExceeded => "rounds_exceeded",
            Cause::PersonSilent => "person_silent",
            Cause::MachineCancel => "machine_cancel",
            Cause::NeverShown => "never_shown",
            Cause::Screened => "screened",
            Cause::InvalidAnswer => "invalid_answer",
            Cause::IllegalForm => "illegal_form",
        }
    }

    /// As a clause that goes on after "because".
    pub fn in_words(self) -> &'static str {
        match self {
            Cause::Misrouted => "the answer reached another instance",
            Cause::ClientDeadline => "the client's patience ended",
            Cause::Crash => "the instance died",
            Cause::WrongKey => "the instance has another key (bad signature)",
            Cause::Expired => "the state had expired",
            Cause::Capability => "the client cannot be asked",
            Cause::ThreadsFull => "no worker thread was free",
            Cause::QueueFull => "the waiting line was full",
            Cause::RoundsExceeded => "the client had been asked too often",
            Cause::PersonSilent => "the person never answered",
            Cause::MachineCancel => "the client cancelled without asking anybody",
            Cause::NeverShown => "the client never showed the question",
            Cause::Screened => "the host saw the words of a secret in the form",
            Cause::InvalidAnswer => "the answer did not fit the form",
            Cause::IllegalForm => "no server may send such a form",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cause_is_listed_once_under_its_serialised_name() {
        for (place, cause) in Cause::ALL.into_iter().enumerate() {
            assert_eq!(cause as usize, place, "{} is out of place", cause.name());
            assert_eq!(serde_json::to_string(&cause).unwrap(), format!("\"{}\"", cause.name()));
        }
    }
}
