//! Carrying: the suspended body is dropped and the client gets a signed `requestState` from which any instance that has
//! the key starts the body again from the top (2026-07-28, patterns/mrtr).

use std::time::Duration;

use super::{Era, Origin, Resume, Ticket};
use crate::engine::SimTime;
use crate::tool::Slot;
use crate::world::{
    Action, Cause, Claims, Clock, Instance, Key, Presented, Refusal, RequestState, Revision, Signing, SpentStates,
    UsedBefore, open, seal, sealed_len,
};

/// The carrying design.
#[derive(Clone, Copy, Debug)]
pub struct Carrying {
    /// Life of a state from its sealing; `None` = for ever.
    pub ttl: Option<Duration>,
    /// How far the clocks of two processes may differ before one refuses a state of the other for its time.
    pub leeway: Duration,
    /// Whether a state is refused that says that it was sealed in the future.
    pub checks_issued: bool,
    /// Whether a state names its key.
    pub key_id: bool,
    /// How many seals are made for real.
    pub signing: Signing,
    /// Whether a state is good for its own user only, and for its own call only.
    pub binds: Binds,
    /// Who keeps which states were used.
    pub ledger: SpentStates,
    /// Whether a state is served that cannot be looked up.
    pub outage_opens: bool,
}

/// What a state is bound to beside its key and its life.
#[derive(Clone, Copy, Debug)]
pub struct Binds {
    /// The user to whom it was given.
    pub principal: bool,
    /// The call for which it was given.
    pub request: bool,
}

impl Binds {
    /// Whether what comes back comes as it was given.
    pub(super) fn judge(self, presented: &Presented) -> Result<(), Cause> {
        match presented {
            Presented { with_its_call: false, .. } if self.request => Err(Cause::OtherRequest),
            Presented { by_its_user: false, .. } if self.principal => Err(Cause::OtherPrincipal),
            _ => Ok(()),
        }
    }
}

impl Era for Carrying {
    fn speaks(&self, _: Option<&Instance>, _: Revision) -> Revision {
        Revision::Modern
    }

    fn suspend(&self, slot: &mut dyn Slot, at: &Instance, _: Revision, now: SimTime) -> Ticket {
        slot.clear();
        let expires = self.ttl.map_or(SimTime::MAX, |ttl| at.clock(now).saturating_add(ttl));
        Ticket::Sealed { key: at.keys.sealing(), expires }
    }

    fn resume(
        &self,
        ticket: &Ticket,
        at: &Instance,
        origin: &Origin<'_>,
        presented: &Presented,
        now: SimTime,
    ) -> Resume {
        let Ticket::Sealed { key, expires } = *ticket else { return Resume::NotFound(Cause::Misrouted) };
        let in_time = self.clock(at, now).judge(expires);
        // What a signature decides: was it made by a key of this ring, and does what it covers still hold? A state that
        // is late would be refused under any key: its key is not to blame.
        let verdict = if !presented.intact {
            Err(Cause::Tampered)
        } else if in_time == Err(Refusal::Expired) {
            Err(Cause::Expired)
        } else if !at.keys.opens(key) {
            Err(Cause::WrongKey)
        } else if in_time.is_err() {
            Err(Cause::IssuedInFuture)
        } else {
            self.binds.judge(presented)
        };
        if self.signing.is_real(origin.call) {
            self.check(&verdict, ticket, at, origin, presented, now);
        }
        verdict.and_then(|()| self.single_use(presented)).map_or_else(Resume::Refused, |()| Resume::Run)
    }

    fn keys_tried(&self, ticket: &Ticket, at: &Instance, presented: &Presented) -> usize {
        let Ticket::Sealed { key, .. } = *ticket else { return 0 };
        match (self.key_id, presented.intact) {
            (true, _) => usize::from(at.keys.opens(key)),
            (false, true) => at.keys.tried(key),
            (false, false) => at.keys.known(),
        }
    }

    fn carried_bytes(&self, _: &Ticket, origin: &Origin<'_>) -> u32 {
        sealed_len(sealed_answers(origin).map(|(key, _)| key.len())) as u32
    }

    fn state_on_wire(&self, ticket: &Ticket, origin: &Origin<'_>, presented: &Presented) -> Option<RequestState> {
        let Ticket::Sealed { key, expires } = *ticket else { return None };
        let mut token = seal(&self.claims(origin, expires), &Key::of(key));
        if !presented.intact {
            // Another character of the same alphabet in the middle: a changed claim under the old signature.
            let middle = token.len() / 2;
            let other = if token.as_bytes()[middle] == b'A' { "B" } else { "A" };
            token.replace_range(middle..=middle, other);
        }
        Some(token)
    }
}

/// What the state says of an effect that was made: a key of its own, which the ask of no tool has.
const EFFECT: &str = "#effect";

/// What a state of this call holds: every answer under what its tool finds it by, and every effect that is recorded.
fn sealed_answers<'a>(origin: &'a Origin<'_>) -> impl Iterator<Item = (&'a str, Action)> + 'a {
    let answers = origin.answers.given().enumerate();
    let answers = answers.map(|(place, answer)| (origin.tool.sealed_as(place, answer.ask), answer.action));
    answers.chain((0..origin.effects).map(|_| (EFFECT, Action::Accept)))
}

impl Carrying {
    /// By what this process judges the time of a state.
    fn clock(&self, at: &Instance, now: SimTime) -> Clock {
        let checked_life = self.ttl.filter(|_| self.checks_issued);
        Clock { now: at.clock(now), leeway: self.leeway, checked_life }
    }

    /// What no signature gives: whether a state was used before (M-42).
    fn single_use(&self, presented: &Presented) -> Result<(), Cause> {
        match (self.ledger, presented.used_before) {
            (SpentStates::None, _) => Ok(()),
            (SpentStates::PerInstance, UsedBefore::Here) => Err(Cause::Replayed),
            (SpentStates::PerInstance, _) => Ok(()),
            (SpentStates::Shared, _) if !presented.store_is_up && self.outage_opens => Ok(()),
            (SpentStates::Shared, _) if !presented.store_is_up => Err(Cause::LedgerDown),
            (SpentStates::Shared, UsedBefore::No) => Ok(()),
            (SpentStates::Shared, _) => Err(Cause::Replayed),
        }
    }

    /// What a state of this call claims; what it is not bound to is the same in every state.
    fn claims<'a>(&self, origin: &'a Origin<'_>, expires: SimTime) -> Claims<'a> {
        let request = if self.binds.request { origin.tool.digest(&origin.arguments) } else { [0; 16] };
        Claims {
            principal: if self.binds.principal { u64::from(origin.call) } else { 0 },
            expires: Some(expires),
            request,
            answers: sealed_answers(origin).collect(),
        }
    }

    /// Seals and opens the state for real, as it is presented, and insists that the signature decides the same.
    fn check(
        &self,
        verdict: &Result<(), Cause>,
        ticket: &Ticket,
        at: &Instance,
        origin: &Origin<'_>,
        presented: &Presented,
        now: SimTime,
    ) {
        let Some(token) = self.state_on_wire(ticket, origin, presented) else { return };
        let mut expected = self.claims(origin, now);
        if self.binds.principal && !presented.by_its_user {
            expected.principal += 1;
        }
        if self.binds.request && !presented.with_its_call {
            expected.request[0] ^= 1;
        }
        let real = open(&token, at.keys.keys(), &expected, &self.clock(at, now));
        let agree = match (verdict, &real) {
            (Ok(()), Ok(answers)) => {
                answers.iter().map(|(key, action)| (key.as_str(), *action)).eq(expected.answers.iter().copied())
            }
            (Err(Cause::WrongKey | Cause::Tampered), Err(Refusal::BadSignature)) => true,
            (Err(Cause::Expired), Err(Refusal::Expired)) => true,
            // Nobody can read the expiry of a state whose key is gone.
            (Err(Cause::Expired), Err(Refusal::BadSignature)) => {
                !matches!(*ticket, Ticket::Sealed { key, .. } if at.keys.opens(key))
            }
            (Err(Cause::IssuedInFuture), Err(Refusal::IssuedInFuture)) => true,
            (Err(Cause::OtherRequest), Err(Refusal::OtherRequest)) => true,
            (Err(Cause::OtherPrincipal), Err(Refusal::OtherPrincipal)) => true,
            _ => false,
        };
        assert!(agree, "call {} at {now}: a signature says {real:?}, the model says {verdict:?}", origin.call);
    }
}
