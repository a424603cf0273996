//! Why a call did not complete. The list is closed and grows with what the simulator can show; how a call *ends* is
//! `metrics::Outcome`.

use serde::Serialize;

/// The first misfortune that met a call. Whether it would have completed without it is not tried out: a person who never
/// answers may be parked at an instance that dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// A message reached an instance that does not hold the call or its session.
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
    /// The client found the address behind a link dangerous and did not show it.
    BlockedLink,
    /// The page behind the link was never finished.
    PageUnfinished,
    /// No instance that the callback of the page reached knew of the sign-in.
    LinkUnknown,
    /// The page took longer than its sign-in lives.
    LinkExpired,
    /// Whoever came to the page was not who had started.
    LinkIdentity,
    /// Bytes of the state were changed.
    Tampered,
    /// The state came from another user than it was sealed for.
    OtherPrincipal,
    /// The state came with another call than it was sealed for.
    OtherRequest,
    /// The state had been used before.
    Replayed,
    /// The ledger of used states could not be asked.
    LedgerDown,
    /// The client's clock on one request ran out.
    RequestDeadline,
    /// The server waited no longer for the answer.
    ServerDeadline,
    /// The server's clock on the body ran out.
    ToolBudget,
    /// A proxy closed the open request because nothing was heard on it.
    IdleCut,
    /// The server ended a session in which the client had sent nothing for too long.
    SessionIdle,
    /// The answer came when the server took it no more.
    ApprovalExpired,
    /// The balancer had no connection left.
    SlotsFull,
    /// Another form took the place of this one on the screen of its person.
    FormReplaced,
    /// The client refused the form because its person had another on the screen.
    FormRefused,
    /// A deploy let the instance wait no longer for the calls that it held.
    Drain,
    /// The fleet shrank, and the instance waited no longer for the calls that it held.
    ScaleIn,
    /// The instance was taken back by whoever lent it.
    Reclaimed,
    /// The state says that it was sealed in the future.
    IssuedInFuture,
    /// The instance speaks another era of the protocol.
    OtherEra,
    /// The instance took more memory than it may, and was killed.
    OutOfMemory,
    /// The instance had no file descriptor left.
    DescriptorsFull,
    /// The instance had as many sessions as it takes.
    SessionsFull,
    /// The session ended to make room for another.
    SessionEvicted,
    /// The shared store could not be asked.
    StoreDown,
    /// The shared store had forgotten the call.
    StoreLost,
    /// The process that keeps the call did not answer another one.
    OwnerSilent,
    /// The call waited longer in line than it bears.
    QueueTimeout,
    /// No connection to the database came free in time.
    PoolTimeout,
    /// A request was lost on its way to a server.
    RequestLost,
    /// What a server had to say was lost on its way back.
    ReplyLost,
}

impl Cause {
    /// Every cause, in the order of tables.
    pub const ALL: [Cause; 50] = [
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
        Cause::BlockedLink,
        Cause::PageUnfinished,
        Cause::LinkUnknown,
        Cause::LinkExpired,
        Cause::LinkIdentity,
        Cause::Tampered,
        Cause::OtherPrincipal,
        Cause::OtherRequest,
        Cause::Replayed,
        Cause::LedgerDown,
        Cause::RequestDeadline,
        Cause::ServerDeadline,
        Cause::ToolBudget,
        Cause::IdleCut,
        Cause::SessionIdle,
        Cause::ApprovalExpired,
        Cause::SlotsFull,
        Cause::FormReplaced,
        Cause::FormRefused,
        Cause::Drain,
        Cause::ScaleIn,
        Cause::Reclaimed,
        Cause::IssuedInFuture,
        Cause::OtherEra,
        Cause::OutOfMemory,
        Cause::DescriptorsFull,
        Cause::SessionsFull,
        Cause::SessionEvicted,
        Cause::StoreDown,
        Cause::StoreLost,
        Cause::OwnerSilent,
        Cause::QueueTimeout,
        Cause::PoolTimeout,
        Cause::RequestLost,
        Cause::ReplyLost,
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
            Cause::BlockedLink => "blocked_link",
            Cause::PageUnfinished => "page_unfinished",
            Cause::LinkUnknown => "link_unknown",
            Cause::LinkExpired => "link_expired",
            Cause::LinkIdentity => "link_identity",
            Cause::Tampered => "tampered",
            Cause::OtherPrincipal => "other_principal",
            Cause::OtherRequest => "other_request",
            Cause::Replayed => "replayed",
            Cause::LedgerDown => "ledger_down",
            Cause::RequestDeadline => "request_deadline",
            Cause::ServerDeadline => "server_deadline",
            Cause::ToolBudget => "tool_budget",
            Cause::IdleCut => "idle_cut",
            Cause::SessionIdle => "session_idle",
            Cause::ApprovalExpired => "approval_expired",
            Cause::SlotsFull => "slots_full",
            Cause::FormReplaced => "form_replaced",
            Cause::FormRefused => "form_refused",
            Cause::Drain => "drain",
            Cause::ScaleIn => "scale_in",
            Cause::Reclaimed => "reclaimed",
            Cause::IssuedInFuture => "issued_in_future",
            Cause::OtherEra => "other_era",
            Cause::OutOfMemory => "out_of_memory",
            Cause::DescriptorsFull => "descriptors_full",
            Cause::SessionsFull => "sessions_full",
            Cause::SessionEvicted => "session_evicted",
            Cause::StoreDown => "store_down",
            Cause::StoreLost => "store_lost",
            Cause::OwnerSilent => "owner_silent",
            Cause::QueueTimeout => "queue_timeout",
            Cause::PoolTimeout => "pool_timeout",
            Cause::RequestLost => "request_lost",
            Cause::ReplyLost => "reply_lost",
        }
    }

    /// What a server can tell of a refusal, beside the truth: without a key id on the token another key and changed
    /// bytes are one thing to it. `None` of a cause that no server refuses for.
    pub fn server_view(self, key_id: bool) -> Option<&'static str> {
        match self {
            Cause::WrongKey | Cause::Tampered if !key_id => Some("invalid_state"),
            Cause::WrongKey
            | Cause::Tampered
            | Cause::Expired
            | Cause::OtherPrincipal
            | Cause::OtherRequest
            | Cause::Replayed
            | Cause::LedgerDown
            | Cause::ApprovalExpired
            | Cause::IssuedInFuture
            | Cause::OtherEra
            | Cause::StoreDown
            | Cause::StoreLost => Some(self.name()),
            _ => None,
        }
    }

    /// As a clause that goes on after "because".
    pub fn in_words(self) -> &'static str {
        match self {
            Cause::Misrouted => "a message reached another instance",
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
            Cause::BlockedLink => "the client found the address dangerous",
            Cause::PageUnfinished => "the page behind the link was not finished",
            Cause::LinkUnknown => "the callback reached an instance that did not know the sign-in",
            Cause::LinkExpired => "the sign-in had expired",
            Cause::LinkIdentity => "somebody else had opened the link",
            Cause::Tampered => "the state had been changed (bad signature)",
            Cause::OtherPrincipal => "the state belonged to another user",
            Cause::OtherRequest => "the state belonged to another call",
            Cause::Replayed => "the state had been used before",
            Cause::LedgerDown => "the ledger of used states was down",
            Cause::RequestDeadline => "a request was not answered in time",
            Cause::ServerDeadline => "the server waited no longer for the answer",
            Cause::ToolBudget => "the tool had used up its time",
            Cause::IdleCut => "a proxy closed the silent connection",
            Cause::SessionIdle => "the server ended the idle session",
            Cause::ApprovalExpired => "the answer came too late for the server",
            Cause::SlotsFull => "the balancer had no connection left",
            Cause::FormReplaced => "another form took its place on the screen",
            Cause::FormRefused => "the person had another form on the screen",
            Cause::Drain => "a deploy ended the instance",
            Cause::ScaleIn => "the fleet shrank and the instance ended",
            Cause::Reclaimed => "the instance was taken back",
            Cause::IssuedInFuture => "the state seemed to come from the future",
            Cause::OtherEra => "the instance speaks another era of the protocol",
            Cause::OutOfMemory => "the instance ran out of memory",
            Cause::DescriptorsFull => "the instance had no descriptor left",
            Cause::SessionsFull => "the instance took no more sessions",
            Cause::SessionEvicted => "the session ended to make room for another",
            Cause::StoreDown => "the shared store was down",
            Cause::StoreLost => "the shared store had forgotten the call",
            Cause::OwnerSilent => "the instance that holds the call said nothing",
            Cause::QueueTimeout => "it waited too long in line",
            Cause::PoolTimeout => "no connection to the database came free in time",
            Cause::RequestLost => "the request was lost on its way",
            Cause::ReplyLost => "the reply was lost on its way",
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
