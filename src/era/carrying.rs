//! Carrying: the suspended body is dropped and the client gets a signed `requestState` from which any instance that has
//! the key starts the body again from the top (2026-07-28, patterns/mrtr).

use std::time::Duration;

use super::{Era, Origin, Resume, Ticket};
use crate::engine::SimTime;
use crate::tool::BodySlot;
use crate::world::{
    Action, Cause, Claims, ClientCapabilities, Instance, Key, Refusal, RequestState, Signing, open, seal, sealed_len,
};

/// The carrying design.
#[derive(Clone, Copy, Debug)]
pub struct Carrying {
    /// Life of a state from its sealing; `None` = for ever.
    pub ttl: Option<Duration>,
    /// How many seals are made for real.
    pub signing: Signing,
}

impl Era for Carrying {
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

    fn resume(&self, ticket: &Ticket, at: &Instance, origin: &Origin<'_>, now: SimTime) -> Resume {
        let Ticket::Sealed { key, expires } = *ticket else { return Resume::NotFound };
        // What a signature decides: was it made by a key of this ring, and does what it covers still hold?
        let verdict = if !at.keys.opens(key) {
            Err(Cause::WrongKey)
        } else if now > expires {
            Err(Cause::Expired)
        } else {
            Ok(())
        };
        if self.signing.is_real(origin.call) {
            check(&verdict, ticket, at, origin, now);
        }
        verdict.map_or_else(Resume::Refused, |()| Resume::Run)
    }

    fn carried_bytes(&self, origin: &Origin<'_>) -> u32 {
        sealed_len(sealed_answers(origin).map(|(key, _)| key.len())) as u32
    }
}

/// What the state says of an effect that was made: a key of its own, which the ask of no tool has.
const EFFECT: &str = "#effect";

/// What a state of this call holds: every answer by key, and every effect that is recorded.
fn sealed_answers<'a>(origin: &'a Origin<'_>) -> impl Iterator<Item = (&'a str, Action)> + 'a {
    let answers = origin.answers.given().map(|answer| (&*origin.tool.ask(answer.ask).key, answer.action));
    answers.chain((0..origin.effects).map(|_| (EFFECT, Action::Accept)))
}

fn claims<'a>(origin: &'a Origin<'_>, expires: SimTime) -> Claims<'a> {
    Claims {
        principal: u64::from(origin.call),
        expires: Some(expires),
        request: origin.tool.digest(&origin.arguments),
        answers: sealed_answers(origin).collect(),
    }
}

/// The bytes behind a ticket, made when somebody looks at them.
fn wire(ticket: &Ticket, origin: &Origin<'_>) -> Option<RequestState> {
    match *ticket {
        Ticket::Sealed { key, expires } => Some(seal(&claims(origin, expires), &Key::of(key))),
        Ticket::Held { .. } => None,
    }
}

/// Seals and opens the state for real and insists that the signature decides the same.
fn check(verdict: &Result<(), Cause>, ticket: &Ticket, at: &Instance, origin: &Origin<'_>, now: SimTime) {
    let Some(token) = wire(ticket, origin) else { return };
    let expected = claims(origin, now);
    let real = open(&token, at.keys.keys(), &expected, now);
    let agree = match (verdict, &real) {
        (Ok(()), Ok(answers)) => {
            answers.iter().map(|(key, action)| (key.as_str(), *action)).eq(expected.answers.iter().copied())
        }
        (Err(Cause::WrongKey), Err(Refusal::BadSignature)) => true,
        (Err(Cause::Expired), Err(Refusal::Expired)) => true,
        _ => false,
    };
    assert!(agree, "call {} at {now}: a signature says {real:?}, the model says {verdict:?}", origin.call);
}
