//! A sign-in page behind a link: the one-time `state` that a server mints for it, who may finish it, and what its
//! callback is refused for (client/elicitation: P-01 to P-05). Must never take a signature for a person: it names who
//! started, not who is there.

use std::time::Duration;

use serde::Serialize;

use super::{Instance, InstanceId, KeyId};
use crate::engine::SimTime;

/// Where a server keeps the sign-ins that it has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pending {
    /// In a store that every instance reads.
    Shared,
    /// In the memory of the process that minted the link.
    Memory,
    /// Nowhere: the `state` itself is sealed, so it can be used more than once.
    Sealed,
}

/// Whom the page admits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PageCheck {
    /// Anybody.
    None,
    /// Anybody whose `state` has a good signature: again anybody.
    SignedStateOnly,
    /// Of those with a session in this browser, only who started; anybody without one.
    SessionIfPresent,
    /// Only who started; without a session in this browser one signs in first.
    SessionRequired,
}

/// Who is at the browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visitor {
    /// Whether it is the person who started the call.
    pub is_starter: bool,
    /// Whether they have a session with the server in this browser.
    pub has_session: bool,
}

impl PageCheck {
    /// Whether the visitor may go on.
    pub fn admits(self, visitor: Visitor) -> bool {
        match self {
            PageCheck::None | PageCheck::SignedStateOnly => true,
            PageCheck::SessionIfPresent => visitor.is_starter || !visitor.has_session,
            PageCheck::SessionRequired => visitor.is_starter,
        }
    }

    /// Whether the visitor must sign in to the server first.
    pub fn asks_to_sign_in(self, visitor: Visitor) -> bool {
        self == PageCheck::SessionRequired && !visitor.has_session
    }
}

/// What a server does for a call whose page is not finished yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unfinished {
    /// Answers that it is not finished; the client comes back by itself after this long.
    Poll(Duration),
    /// Answers that it is not finished; the person is asked again.
    Manual,
    /// Tells the client when it is, over the stream of a call that it keeps open
    /// (`notifications/elicitation/complete`, 2025-11-25 only); without one, the person is asked again.
    Notify,
    /// Holds the call until it is.
    Block,
}

/// Why a callback is refused. Nothing is stored then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CallbackRefusal {
    /// Nobody here minted this `state`.
    Unknown,
    /// It outlived its life.
    Expired,
    /// It was used before.
    Spent,
    /// Whoever came is not who started.
    OtherPerson,
}

/// One sign-in that a server has begun.
#[derive(Clone, Copy, Debug)]
pub struct SignIn {
    minted_at: (InstanceId, u32),
    key: KeyId,
    expires: SimTime,
    spent: bool,
}

impl SignIn {
    /// Begun at this instance now, good for this long by the clocks of instances; `None` = for ever.
    pub fn begin(at: &Instance, now: SimTime, life: Option<Duration>) -> SignIn {
        let expires = life.map_or(SimTime::MAX, |life| at.clock(now).saturating_add(life));
        SignIn { minted_at: (at.id, at.life), key: at.keys.sealing(), expires, spent: false }
    }

    /// Whether this instance knows it.
    pub fn is_known(&self, at: &Instance, pending: Pending) -> bool {
        match pending {
            Pending::Shared => true,
            Pending::Memory => self.minted_at == (at.id, at.life),
            Pending::Sealed => at.keys.opens(self.key),
        }
    }

    /// The callback reaches this instance: may the grant be stored? It can be spent once, unless nobody keeps it.
    pub fn callback(&mut self, at: &Instance, pending: Pending, now: SimTime) -> Result<(), CallbackRefusal> {
        if !self.is_known(at, pending) {
            return Err(CallbackRefusal::Unknown);
        }
        if at.clock(now) > self.expires {
            return Err(CallbackRefusal::Expired);
        }
        if self.spent && pending != Pending::Sealed {
            return Err(CallbackRefusal::Spent);
        }
        self.spent = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::KeyRing;

    fn instance(id: InstanceId, key: KeyId) -> Instance {
        Instance::new(id, KeyRing::of(key))
    }

    const LIFE: Option<Duration> = Some(Duration::from_nanos(10));

    #[test]
    fn a_state_is_refused_when_unknown_expired_or_spent_and_good_to_its_last_instant() {
        let (here, there) = (instance(0, 0), instance(1, 1));
        let now = SimTime::from_ns;
        let begun = || SignIn::begin(&here, now(0), LIFE);
        assert_eq!(begun().callback(&there, Pending::Memory, now(5)), Err(CallbackRefusal::Unknown));
        assert_eq!(begun().callback(&there, Pending::Sealed, now(5)), Err(CallbackRefusal::Unknown));
        for pending in [Pending::Shared, Pending::Memory, Pending::Sealed] {
            let mut state = begun();
            assert_eq!(begun().callback(&here, pending, now(11)), Err(CallbackRefusal::Expired));
            assert_eq!(state.callback(&here, pending, now(10)), Ok(()));
            let again = if pending == Pending::Sealed { Ok(()) } else { Err(CallbackRefusal::Spent) };
            assert_eq!(state.callback(&here, pending, now(10)), again);
        }
        assert_eq!(begun().callback(&there, Pending::Shared, now(5)), Ok(()));
    }

    #[test]
    fn a_signature_keeps_nobody_out_and_a_session_keeps_out_whoever_has_one() {
        let admitted = |check: PageCheck| {
            let visitor = |is_starter, has_session| check.admits(Visitor { is_starter, has_session });
            [visitor(true, true), visitor(true, false), visitor(false, true), visitor(false, false)]
        };
        assert_eq!(admitted(PageCheck::None), [true; 4]);
        assert_eq!(admitted(PageCheck::SignedStateOnly), [true; 4]);
        assert_eq!(admitted(PageCheck::SessionIfPresent), [true, true, false, true]);
        assert_eq!(admitted(PageCheck::SessionRequired), [true, true, false, false]);
    }
}
