//! `requestState`: what a server seals for the client to carry, and what it checks when it comes back
//! (patterns/mrtr@2026-07-28, M-40, M-41, M-43). Everything about a token that comes in is hostile until its signature
//! holds; nothing that a client sends may make this code panic.
//!
//! A token is `v1.<claims>.<mac>`: claims in a compact binary form and HMAC-SHA-256 over everything before the last
//! dot, both in base64url without padding. The claims are, in order: principal (8 bytes), expiry in ns (8, all ones =
//! never), digest of the request (16), number of answers (1), then for each answer its action (1), the length of its
//! key (1) and the key.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use super::{Action, Key};
use crate::engine::SimTime;

const PREFIX: &str = "v1.";
const MAC_CHARS: usize = 43;
const FIXED: usize = 8 + 8 + 16 + 1;
const NEVER: u64 = u64::MAX;

/// A sealed state as it travels: opaque to the client.
pub type RequestState = String;

/// What a server seals: whom it talks to, until when, about which request, and every answer so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims<'a> {
    /// The authenticated principal.
    pub principal: u64,
    /// Last instant at which the state is good; `None` = for ever.
    pub expires: Option<SimTime>,
    /// Digest of method, tool and arguments.
    pub request: [u8; 16],
    /// Every answer so far, declines and cancels too, by key and in order.
    pub answers: Vec<(&'a str, Action)>,
}

/// Why a server refuses a state, as far as the server itself can tell. Without a key id on the token it cannot tell
/// another key from changed bytes: both are a bad signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// No key of the ring made this signature, or the token is none.
    #[error("bad signature")]
    BadSignature,
    /// The state outlived its life.
    #[error("expired")]
    Expired,
    /// The state says that it was sealed in the future.
    #[error("issued in the future")]
    IssuedInFuture,
    /// The state was sealed for another request.
    #[error("another request")]
    OtherRequest,
    /// The state was sealed for another principal.
    #[error("another principal")]
    OtherPrincipal,
}

/// By what a server judges the time of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// What its clock says.
    pub now: SimTime,
    /// How far its clock and that of whoever sealed may differ before that counts.
    pub leeway: Duration,
    /// The life that states get, where one is refused that was sealed in the future. The instant of its sealing is its
    /// expiry less this.
    pub checked_life: Option<Duration>,
}

impl Clock {
    /// A clock that all servers share.
    pub fn exact(now: SimTime) -> Clock {
        Clock { now, leeway: Duration::ZERO, checked_life: None }
    }

    /// Whether a state that is good up to `expires` may be served now: it may at its last instant.
    pub fn judge(&self, expires: SimTime) -> Result<(), Refusal> {
        let latest = self.now.saturating_add(self.leeway);
        if self.now > expires.saturating_add(self.leeway) {
            Err(Refusal::Expired)
        } else if self.checked_life.is_some_and(|life| latest.saturating_add(life) < expires) {
            Err(Refusal::IssuedInFuture)
        } else {
            Ok(())
        }
    }
}

fn mac(signed: &str, key: &Key) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key.bytes()).expect("HMAC takes a key of any length");
    mac.update(signed.as_bytes());
    mac
}

/// Seals the claims under a key. Keys of asks are at most 255 bytes long, answers at most 255.
pub fn seal(claims: &Claims<'_>, key: &Key) -> RequestState {
    let mut bytes = Vec::with_capacity(64);
    bytes.extend(claims.principal.to_le_bytes());
    bytes.extend(claims.expires.map_or(NEVER, SimTime::ns).to_le_bytes());
    bytes.extend(claims.request);
    bytes.push(u8::try_from(claims.answers.len()).expect("more than 255 answers in a state"));
    for (name, action) in &claims.answers {
        bytes.push(*action as u8);
        bytes.push(u8::try_from(name.len()).expect("the key of an ask is longer than 255 bytes"));
        bytes.extend(name.as_bytes());
    }
    let mut token = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(&bytes));
    let mac = mac(&token, key).finalize().into_bytes();
    token.push('.');
    URL_SAFE_NO_PAD.encode_string(mac, &mut token);
    token
}

/// Length of a token in bytes, without making it, for answers under keys of these lengths.
pub fn sealed_len(key_lens: impl Iterator<Item = usize>) -> usize {
    let bytes = FIXED + key_lens.map(|len| 2 + len).sum::<usize>();
    PREFIX.len() + (4 * bytes).div_ceil(3) + 1 + MAC_CHARS
}

/// Bytes of what a handle stands for: nobody guesses 128 bits.
const HANDLE: usize = 16;

/// A handle to what a server keeps for a call: no claims and no signature, as many bits as nobody guesses. With a
/// changed character if it is not intact.
pub fn handle(call: u32, intact: bool) -> RequestState {
    let digest = Sha256::digest(call.to_be_bytes());
    let mut handle = URL_SAFE_NO_PAD.encode(&digest[..HANDLE]);
    if !intact {
        let other = if handle.starts_with('A') { "B" } else { "A" };
        handle.replace_range(0..1, other);
    }
    handle
}

/// Length of a handle in bytes.
pub fn handle_len() -> usize {
    (4 * HANDLE).div_ceil(3)
}

/// Opens a token with the keys of a ring and checks, in this order, signature, expiry, issue, request and principal. Answers
/// come back as key and action, in the order in which they were sealed.
pub fn open(
    token: &str,
    mut keys: impl Iterator<Item = Key>,
    expected: &Claims<'_>,
    clock: &Clock,
) -> Result<Vec<(String, Action)>, Refusal> {
    let (signed, signature) = token.rsplit_once('.').ok_or(Refusal::BadSignature)?;
    let signature = URL_SAFE_NO_PAD.decode(signature).map_err(|_| Refusal::BadSignature)?;
    if !keys.any(|key| mac(signed, &key).verify_slice(&signature).is_ok()) {
        return Err(Refusal::BadSignature);
    }
    let sealed = signed.strip_prefix(PREFIX).and_then(|claims| URL_SAFE_NO_PAD.decode(claims).ok());
    let sealed = sealed.as_deref().and_then(unpack).ok_or(Refusal::BadSignature)?;
    sealed.expires.map_or(Ok(()), |expires| clock.judge(expires))?;
    if sealed.request != expected.request {
        Err(Refusal::OtherRequest)
    } else if sealed.principal != expected.principal {
        Err(Refusal::OtherPrincipal)
    } else {
        Ok(sealed.answers.into_iter().map(|(name, action)| (name.to_owned(), action)).collect())
    }
}

/// Reads claims; `None` when the bytes are not exactly one set of claims.
fn unpack(bytes: &[u8]) -> Option<Claims<'_>> {
    let (principal, rest) = bytes.split_first_chunk::<8>()?;
    let (expires, rest) = rest.split_first_chunk::<8>()?;
    let (request, rest) = rest.split_first_chunk::<16>()?;
    let (&count, mut rest) = rest.split_first()?;
    let mut answers = Vec::with_capacity(usize::from(count));
    for _ in 0..count {
        let (&[action, len], tail) = rest.split_first_chunk::<2>()?;
        let (name, tail) = tail.split_at_checked(usize::from(len))?;
        answers.push((std::str::from_utf8(name).ok()?, *Action::ALL.get(usize::from(action))?));
        rest = tail;
    }
    let expires = u64::from_le_bytes(*expires);
    rest.is_empty().then_some(Claims {
        principal: u64::from_le_bytes(*principal),
        expires: (expires != NEVER).then(|| SimTime::from_ns(expires)),
        request: *request,
        answers,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims() -> Claims<'static> {
        let answers = vec![("confirm", Action::Accept), ("connect", Action::Decline), ("connect", Action::Cancel)];
        Claims { principal: 7, expires: Some(SimTime::from_ns(600)), request: [9; 16], answers }
    }

    fn opened(token: &str, expected: &Claims<'_>, now: u64) -> Result<Vec<(String, Action)>, Refusal> {
        open(token, std::iter::once(Key::of(0)), expected, &Clock::exact(SimTime::from_ns(now)))
    }

    #[test]
    fn a_state_gives_back_its_answers_under_its_key_up_to_its_last_instant() {
        let token = seal(&claims(), &Key::of(0));
        let answers = opened(&token, &claims(), 600).unwrap();
        assert_eq!(answers.len(), 3);
        assert!(answers.iter().zip(claims().answers).all(|(got, put)| (got.0.as_str(), got.1) == put));
        assert_eq!(opened(&token, &claims(), 601), Err(Refusal::Expired));
    }

    #[test]
    fn leeway_forgives_clocks_that_differ_up_to_its_last_nanosecond() {
        let token = seal(&claims(), &Key::of(0));
        let at = |now, leeway, life: Option<u64>| {
            let (leeway, checked_life) = (Duration::from_nanos(leeway), life.map(Duration::from_nanos));
            let clock = Clock { now: SimTime::from_ns(now), leeway, checked_life };
            open(&token, std::iter::once(Key::of(0)), &claims(), &clock).map(|answers| answers.len())
        };
        assert_eq!([at(650, 50, None), at(651, 50, None)], [Ok(3), Err(Refusal::Expired)]);
        // Sealed at 500 with a life of 100.
        assert_eq!([at(500, 0, Some(100)), at(499, 0, Some(100))], [Ok(3), Err(Refusal::IssuedInFuture)]);
        assert_eq!([at(450, 50, Some(100)), at(449, 50, Some(100))], [Ok(3), Err(Refusal::IssuedInFuture)]);
        assert_eq!(at(449, 50, None), Ok(3), "nobody looks");
    }

    #[test]
    fn another_key_another_principal_and_another_request_are_refused() {
        let token = seal(&claims(), &Key::of(0));
        let other_key = open(&token, std::iter::once(Key::of(1)), &claims(), &Clock::exact(SimTime::ZERO));
        assert_eq!(other_key, Err(Refusal::BadSignature));
        let somebody = Claims { principal: 8, ..claims() };
        assert_eq!(opened(&token, &somebody, 0), Err(Refusal::OtherPrincipal));
        let elsewhere = Claims { request: [8; 16], ..claims() };
        assert_eq!(opened(&token, &elsewhere, 0), Err(Refusal::OtherRequest));
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_a_bad_signature() {
        let token = seal(&claims(), &Key::of(0));
        for place in 0..token.len() {
            for bit in 0..7 {
                let mut bytes = token.clone().into_bytes();
                bytes[place] ^= 1 << bit;
                let changed = String::from_utf8(bytes).expect("seven-bit text stays seven-bit text");
                assert_eq!(opened(&changed, &claims(), 0), Err(Refusal::BadSignature), "byte {place}, bit {bit}");
            }
            assert_eq!(opened(&token[..place], &claims(), 0), Err(Refusal::BadSignature), "cut at {place}");
        }
    }

    #[test]
    fn the_length_is_known_without_making_the_token() {
        for n in 0..=claims().answers.len() {
            let some = Claims { answers: claims().answers[..n].to_vec(), ..claims() };
            let lens = some.answers.iter().map(|(name, _)| name.len());
            assert_eq!(seal(&some, &Key::of(3)).len(), sealed_len(lens));
        }
    }

    #[test]
    fn a_token_is_the_same_bytes_on_every_machine() {
        let none = Claims { principal: 0, expires: None, request: [0; 16], answers: vec![] };
        let token = seal(&none, &Key::of(0));
        assert_eq!(token, include_str!("../../tests/suite/data/state-v1.txt").trim_end());
    }

    proptest::proptest! {
        #[test]
        fn no_text_whatsoever_panics_or_opens(token in ".{0,200}") {
            proptest::prop_assert_eq!(opened(&token, &claims(), 0), Err(Refusal::BadSignature));
        }

        #[test]
        fn no_signed_bytes_whatsoever_panic(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..80)) {
            let _ = unpack(&bytes);
        }
    }
}
