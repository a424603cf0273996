//! What streams promise: the same words in any order of reading, no word twice, no correlation, no change of values.

use std::array::from_fn;

use super::*;

const SEED: u64 = 20_260_728;
const PURPOSES: [Purpose; 10] = [
    Purpose::Gap,
    Purpose::Amount,
    Purpose::Think,
    Purpose::Decide,
    Purpose::WorkBefore,
    Purpose::WorkAfter,
    Purpose::Pick,
    Purpose::PickSecond,
    Purpose::Redispatch,
    Purpose::Age,
];

fn streams() -> Streams {
    Streams::new(SEED, 0)
}

#[test]
fn the_words_of_a_seed_never_change() {
    let expected = [
        0xde21_b5ac_8102_4d78,
        0xa267_2d7d_cdc8_619d,
        0x9143_e2a5_30fb_1f2c,
        0x7c41_af75_f210_105d,
        0xc29d_1b9f_5986_bc61,
        0x3afb_ed54_f536_97ff,
        0x9469_12ec_6e7a_5307,
        0x4f11_0266_a3e7_7057,
    ];
    assert_eq!(streams().lane(Kind::Call, 0), expected);
    assert_eq!(Streams::new(SEED, 1).lane(Kind::Call, 0)[0], 0x8227_1ee0_cf02_bf17);
    assert_eq!(Streams::new(1, 0).lane(Kind::Call, 0)[0], 0x7181_5cec_2a7b_8667);
    assert_eq!(streams().lane(Kind::Call, 1)[0], 0x7aa0_e9a1_d547_86d7);
    assert_eq!(streams().lane(Kind::Call, u64::MAX)[0], 0x29d8_b648_6b35_00eb);
    assert_eq!(streams().lane(Kind::Fault, 0)[0], 0x829a_a101_1fe5_572e);
    assert_eq!(streams().more(0, Purpose::Pick, 2), 0xf583_33d9_5932_a160);
    assert_eq!(streams().more(1_000_000, Purpose::Redispatch, 3), 0xabef_89f0_ac8a_ffb1);
}

#[test]
fn a_lane_is_block_number_entity_of_the_cipher() {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&SEED.to_le_bytes());
    key[8..16].copy_from_slice(&3_u64.to_le_bytes());
    key[16..].copy_from_slice(b"parked streams 1");
    let mut cipher = ChaCha8Rng::from_seed(key);
    cipher.set_stream(3);
    cipher.set_word_pos(16 * 9);
    let expected: Lane = from_fn(|_| cipher.next_u64());
    assert_eq!(Streams::new(SEED, 3).lane(Kind::Fault, 9), expected);
}

#[test]
fn a_lane_is_the_same_in_sequence_and_in_any_other_order() {
    let mut in_sequence = streams();
    let lanes: Vec<Lane> = (0..1009).map(|entity| in_sequence.lane(Kind::Call, entity)).collect();
    let mut backwards = streams();
    for entity in (0..1009).rev() {
        assert_eq!(backwards.lane(Kind::Call, entity), lanes[entity as usize], "backwards, entity {entity}");
    }
    let mut jumping = streams();
    for step in 0..1009 {
        let entity = step * 620 % 1009;
        assert_eq!(jumping.lane(Kind::Call, entity), lanes[entity as usize], "jumping, entity {entity}");
        assert_eq!(streams().lane(Kind::Call, entity), lanes[entity as usize], "alone, entity {entity}");
    }
}

#[test]
fn reading_one_kind_does_not_move_another() {
    let (mut alone, mut mixed) = (streams(), streams());
    for entity in 0..100 {
        mixed.lane(Kind::Fault, entity * 7);
        mixed.more(entity, Purpose::Pick, 2);
        assert_eq!(mixed.lane(Kind::Call, entity), alone.lane(Kind::Call, entity), "entity {entity}");
    }
}

#[test]
fn the_last_entities_can_be_read_in_sequence_and_alone() {
    let mut in_sequence = streams();
    for entity in u64::MAX - 9..=u64::MAX {
        assert_eq!(in_sequence.lane(Kind::Call, entity), streams().lane(Kind::Call, entity), "entity {entity}");
    }
    assert_eq!(in_sequence.lane(Kind::Call, 0), streams().lane(Kind::Call, 0));
}

#[test]
fn no_word_is_used_twice() {
    let mut streams = streams();
    let mut words = Vec::new();
    for kind in [Kind::Call, Kind::Fault] {
        for entity in (0..20_000).chain(u64::MAX - 1000..=u64::MAX) {
            words.extend(streams.lane(kind, entity));
        }
    }
    for call in (0..200).chain((1 << 40) - 200..1 << 40) {
        for purpose in PURPOSES {
            words.extend((0..64).map(|index| streams.more(call, purpose, index)));
            words.push(streams.more(call, purpose, (1 << 23) - 1));
        }
    }
    let all = words.len();
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), all);
}

#[test]
fn no_two_addresses_of_more_are_equal() {
    let mut addresses = Vec::new();
    let powers = || (0..40).map(|bit| 1_u64 << bit);
    for call in powers().chain(powers().map(|power| power - 1)) {
        for purpose in PURPOSES {
            addresses.extend((0..23).map(|bit| (address(call, purpose, 1 << bit), call, purpose, 1 << bit)));
            addresses.push((address(call, purpose, 0), call, purpose, 0));
        }
    }
    addresses.sort_unstable();
    addresses.dedup();
    for pair in addresses.windows(2) {
        assert_ne!(pair[0].0, pair[1].0, "{pair:?}");
    }
}

#[test]
#[should_panic(expected = "call 1099511627776 has no words beyond its lane")]
fn a_call_beyond_the_packed_addresses_stops_the_run() {
    streams().more(1 << 40, Purpose::Pick, 2);
}

#[test]
#[should_panic(expected = "call 7 has no word 8388608 for Redispatch")]
fn an_index_beyond_the_packed_addresses_stops_the_run() {
    streams().more(7, Purpose::Redispatch, 1 << 23);
}

#[test]
#[should_panic(expected = "this purpose has no word in the lane")]
fn a_purpose_without_a_place_in_the_lane_is_refused() {
    let _ = Purpose::Redispatch.word();
}

#[test]
fn a_variate_takes_its_first_word_from_the_lane_and_no_two_runs_share_a_word() {
    let mut streams = streams();
    let lane = streams.lane(Kind::Call, 5);
    let mut words = Vec::new();
    for run in 0..100 {
        let mut next = streams.words(&lane, 5, Purpose::WorkBefore, run);
        words.extend((0..1024).map(|_| next()));
    }
    assert_eq!(words[0], lane[Purpose::WorkBefore.word()]);
    assert_eq!(words[1], streams.more(5, Purpose::WorkBefore, 1));
    assert_eq!(words[1024], streams.more(5, Purpose::WorkBefore, 1024));
    let all = words.len();
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), all);
}

#[test]
#[should_panic(expected = "takes too many words")]
fn a_variate_that_would_run_into_the_words_of_the_next_run_stops_the_run() {
    let mut streams = streams();
    let lane = streams.lane(Kind::Call, 5);
    let mut next = streams.words(&lane, 5, Purpose::WorkBefore, 0);
    for _ in 0..1025 {
        next();
    }
}

#[test]
fn a_unit_is_strictly_between_zero_and_one_and_its_complement_is_exact() {
    let step = 1.0 / (1_u64 << 53) as f64;
    assert_eq!(unit(0), step);
    assert_eq!(unit(u64::MAX), 1.0 - step);
    assert!(unit(u64::MAX) < 1.0);
    let mut streams = streams();
    for word in (0..1000).flat_map(|entity| streams.lane(Kind::Call, entity)) {
        assert_eq!(unit(word) + unit(!word), 1.0, "word {word}");
    }
}

#[test]
fn different_replications_kinds_purposes_and_entities_are_uncorrelated() {
    const PAIRS: u64 = 100_000;
    let column = |replication, kind, word: usize, from: u64| -> Vec<f64> {
        let mut streams = Streams::new(SEED, replication);
        (from..from + PAIRS).map(|entity| unit(streams.lane(kind, entity)[word])).collect()
    };
    let base = column(0, Kind::Call, 2, 0);
    for (name, other) in [
        ("replication", column(1, Kind::Call, 2, 0)),
        ("kind", column(0, Kind::Fault, 2, 0)),
        ("purpose", column(0, Kind::Call, 3, 0)),
        ("entity", column(0, Kind::Call, 2, 1)),
    ] {
        let r = correlation(&base, &other);
        assert!(r.abs() < 5.0 / (PAIRS as f64).sqrt(), "{name}: correlation {r}");
    }
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let product = |a: &[f64], b: &[f64]| -> f64 {
        let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
        let (mean_a, mean_b) = (mean(a), mean(b));
        a.iter().zip(b).map(|(x, y)| (x - mean_a) * (y - mean_b)).sum()
    };
    product(a, b) / (product(a, a) * product(b, b)).sqrt()
}
