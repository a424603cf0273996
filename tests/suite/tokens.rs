//! What a hostile client can make of states that it was given: no bytes whatsoever panic, and nothing that differs from
//! a state of its own opens as one. Seeds are fixed.

use parked::engine::SimTime;
use parked::world::{Action, Claims, Clock, Key, Refusal, open, seal};

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Words(u64);

impl Words {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

fn claims(answers: Vec<(&'static str, Action)>) -> Claims<'static> {
    Claims { principal: 7, expires: Some(SimTime::from_ns(600)), request: [9; 16], answers }
}

/// States of one user and one call that say different things, all good.
fn states() -> Vec<(Claims<'static>, String)> {
    let sets = [
        vec![],
        vec![("confirm", Action::Accept)],
        vec![("confirm", Action::Decline)],
        vec![("connect", Action::Accept), ("connect", Action::Cancel), ("seat", Action::Accept)],
    ];
    sets.map(claims).map(|claims| (claims.clone(), seal(&claims, &Key::of(0)))).into()
}

fn opened(token: &str) -> Result<Vec<(String, Action)>, Refusal> {
    // What a server expects does not say what was answered.
    open(token, [Key::of(0), Key::of(5)].into_iter(), &claims(vec![]), &Clock::exact(SimTime::from_ns(600)))
}

/// A state with some of its bits flipped.
fn flip(words: &mut Words, state: &str) -> Vec<u8> {
    let mut bytes = state.as_bytes().to_vec();
    for _ in 0..=words.below(4) {
        let place = words.below(bytes.len());
        bytes[place] ^= 1 << words.below(8);
    }
    bytes
}

/// The beginning of a state, or what is left without it.
fn cut(words: &mut Words, state: &str) -> Vec<u8> {
    let (head, tail) = state.split_at(words.below(state.len()));
    if words.below(2) == 0 { head } else { tail }.as_bytes().to_vec()
}

/// The beginning of one state before a piece of another.
fn splice(words: &mut Words, state: &str, other: &str) -> Vec<u8> {
    let head = &state[..words.below(state.len() + 1)];
    let tail = &other[words.below(other.len() + 1)..];
    [head, tail].concat().into_bytes()
}

/// The claims of one state under the signature of another, whole.
fn swap(state: &str, other: &str) -> Vec<u8> {
    let (claims, _) = state.rsplit_once('.').expect("a signature stands after a dot");
    let (_, signature) = other.rsplit_once('.').expect("a signature stands after a dot");
    format!("{claims}.{signature}").into_bytes()
}

#[test]
fn of_a_hundred_thousand_flips_cuts_and_splices_of_states_none_is_accepted() {
    let states = states();
    for (claims, state) in &states {
        let answers: Vec<(&str, Action)> = claims.answers.clone();
        let back = opened(state).expect("an unchanged state is good");
        assert!(back.iter().map(|(key, action)| (key.as_str(), *action)).eq(answers));
    }
    let (mut words, mut tried, mut by_kind) = (Words(1), 0, [0; 4]);
    while tried < 100_000 {
        let (one, other) = (words.below(states.len()), words.below(states.len()));
        let (state, other) = (&states[one].1, &states[other].1);
        let kind = words.below(4);
        let changed = match kind {
            0 => flip(&mut words, state),
            1 => cut(&mut words, state),
            2 => splice(&mut words, state, other),
            _ => swap(state, other),
        };
        // What arrives over HTTP as JSON is text.
        let changed = String::from_utf8_lossy(&changed);
        if states.iter().any(|(_, state)| *state == changed) {
            continue;
        }
        assert_eq!(opened(&changed), Err(Refusal::BadSignature), "{changed:?} from {state}");
        tried += 1;
        by_kind[kind] += 1;
    }
    assert!(by_kind.iter().all(|&tries| tries > 10_000), "{by_kind:?}");
}

#[test]
fn no_bytes_whatsoever_panic_or_are_taken_for_a_state() {
    let alphabet = b"ABab01-_.=+/v1 \0\"\n\\%\xff\xc3\xa9";
    let mut words = Words(2);
    for round in 0..50_000 {
        let len = words.below(200);
        let bytes: Vec<u8> = (0..len)
            .map(|_| match round % 3 {
                0 => words.next() as u8,
                1 => alphabet[words.below(alphabet.len())],
                _ => b"ABCDwxyz0189-_."[words.below(15)],
            })
            .collect();
        let text = String::from_utf8_lossy(&bytes);
        for token in [text.to_string(), format!("v1.{text}"), format!("v1.{text}.{}", "A".repeat(43))] {
            assert_eq!(opened(&token), Err(Refusal::BadSignature), "{token:?}");
        }
    }
    for token in ["", ".", "..", "v1.", "v1..", "v1...", "v2.AAAA.AAAA", "\u{0}", "\u{10ffff}."] {
        assert_eq!(opened(token), Err(Refusal::BadSignature), "{token:?}");
    }
    assert_eq!(opened(&"A".repeat(1 << 20)), Err(Refusal::BadSignature));
    assert_eq!(opened(&".".repeat(1 << 20)), Err(Refusal::BadSignature));
}
