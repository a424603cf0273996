//! Carrying: the suspended body is dropped and the client gets a signed `requestState` from which any instance that has
//! the key starts the body again from the top (2026-07-28, patterns/mrtr).

use std::time::Duration;

use super::{Era, Lifecycle, Origin, Resume, Ticket};
use crate::engine::SimTime;
use crate::tool::BodySlot;
use crate::world::{
    Action, Cause, Claims, ClientCapabilities, Instance, Key, Presented, Refusal, RequestState, Signing, SpentStates,
    UsedBefore, open, seal, sealed_len,
};

/// The carrying design.
#[derive(Clone, Copy, Debug)]
pub struct Carrying {
    /// Life of a state from its sealing; `None` = for ever.
    pub ttl: Option<Duration>,
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

impl Era for Carrying {
    fn handshake(&self) -> &'static [Lifecycle] {
        &[Lifecycle::Discover]
    }

    fn drop_cancels(&self) -> bool {
        true
    }

    fn declared(&self, _: ClientCapabilities, this_request: ClientCapabilities) -> ClientCapabilities {
        this_request
    }

    fn answers_together(&self) -> bool {
        true
    }

    fn suspend<F>(&self, slot: &mut BodySlot<F>, at: &Instance, now: SimTime) -> Ticket {
        slot.clear();
        Ticket::Sealed { key: at.keys.sealing(), expires: self.ttl.map_or(SimTime::MAX, |ttl| now.saturating_add(ttl)) }
    }

    fn resume(
        &self,
        ticket: &Ticket,
        at: &Instance,
        origin: &Origin<'_>,
        presented: &Presented,
        now: SimTime,
    ) -> Resume {
        let Ticket::Sealed { key, expires } = *ticket else { return Resume::NotFound };
        // What a signature decides: was it made by a key of this ring, and does what it covers still hold?
        let verdict = if !presented.intact {
            Err(Cause::Tampered)
        } else if !at.keys.opens(key) {
            Err(Cause::WrongKey)
        } else if now > expires {
            Err(Cause::Expired)
        } else if self.binds.request && !presented.with_its_call {
            Err(Cause::OtherRequest)
        } else if self.binds.principal && !presented.by_its_user {
            Err(Cause::OtherPrincipal)
        } else {
            Ok(())
        };
        if self.signing.is_real(origin.call) {
            self.check(&verdict, ticket, at, origin, presented, now);
        }
        verdict.and_then(|()| self.single_use(presented)).map_or_else(Resume::Refused, |()| Resume::Run)
    }

    fn carried_bytes(&self, origin: &Origin<'_>) -> u32 {
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

/// What a state of this call holds: every answer by key, and every effect that is recorded.
fn sealed_answers<'a>(origin: &'a Origin<'_>) -> impl Iterator<Item = (&'a str, Action)> + 'a {
    let answers = origin.answers.given().map(|answer| (&*origin.tool.ask(answer.ask).key, answer.action));
    answers.chain((0..origin.effects).map(|_| (EFFECT, Action::Accept)))
}

impl Carrying {
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
        let real = open(&token, at.keys.keys(), &expected, now);
        let agree = match (verdict, &real) {
            (Ok(()), Ok(answers)) => {
                answers.iter().map(|(key, action)| (key.as_str(), *action)).eq(expected.answers.iter().copied())
            }
            (Err(Cause::WrongKey | Cause::Tampered), Err(Refusal::BadSignature)) => true,
            (Err(Cause::Expired), Err(Refusal::Expired)) => true,
            (Err(Cause::OtherRequest), Err(Refusal::OtherRequest)) => true,
            (Err(Cause::OtherPrincipal), Err(Refusal::OtherPrincipal)) => true,
            _ => false,
        };
        assert!(agree, "call {} at {now}: a signature says {real:?}, the model says {verdict:?}", origin.call);
    }
}
