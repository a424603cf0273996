//! What a scheme promises: the picks of a scan, the keys that a change of the fleet moves, the spread of a ring.

use super::super::policy::HashBy;
use super::*;

const SCHEMES: [Scheme; 3] = [Scheme::Modulo, Scheme::Ring, Scheme::Rendezvous];
const KEYS: u64 = 100_000;

fn hashing(scheme: Scheme, points: u32) -> Hashing {
    Hashing { by: HashBy::User, scheme, points }
}

fn hashes(scheme: Scheme, points: u32, fleet: u32) -> Hashes {
    let rotation: Vec<InstanceId> = (0..fleet).collect();
    Hashes::new(hashing(scheme, points), &rotation, &vec![1; fleet as usize])
}

fn home(hashes: &Hashes, key: u64) -> InstanceId {
    hashes.of(key, |_| true).unwrap()
}

/// Where each key that moves came from and went.
fn moves(before: &Hashes, after: &Hashes) -> Vec<(InstanceId, InstanceId)> {
    (0..KEYS).map(|key| (home(before, key), home(after, key))).filter(|(from, to)| from != to).collect()
}

/// Relative standard deviation of the parts of a ring of N addresses with v points each.
fn spread(n: u32, v: u32) -> f64 {
    (f64::from(n - 1) / (f64::from(n) * f64::from(v) + 1.0)).sqrt()
}

#[test]
fn a_scheme_picks_what_a_scan_of_all_copies_would_pick() {
    let (weights, rotation) = ([2, 0, 1, 3, 1], [0, 1, 3, 4]);
    for key in 0..2000 {
        let hashed = hash(key, KEY);
        let expected = [
            [0, 0, 3, 3, 3, 4][(hashed % 6) as usize],
            // The first point that is met on the way up from the key.
            *[(0u64, 14u64), (3, 21), (4, 7)]
                .iter()
                .flat_map(|&(id, points)| (0..points).map(move |point| (hash(id << 32 | point, POINT), id)))
                .map(|(point, id)| (point.wrapping_sub(hashed), id))
                .min()
                .map(|(_, id)| id)
                .as_ref()
                .unwrap(),
            [0u64, 1, 3 << 32, (3 << 32) + 1, (3 << 32) + 2, 4 << 32]
                .map(|copy| (hash(copy, hashed), copy >> 32))
                .into_iter()
                .max()
                .unwrap()
                .1,
        ];
        for (scheme, expected) in SCHEMES.into_iter().zip(expected) {
            let picked = home(&Hashes::new(hashing(scheme, 7), &rotation, &weights), key);
            assert_eq!(u64::from(picked), expected, "{scheme:?}, key {key}");
        }
    }
}

/// O13 and A23 of the closed forms: within five standard deviations of 1/11 and of 10/11.
#[test]
fn an_eleventh_address_moves_one_key_in_eleven_by_rendezvous_and_ten_by_modulo() {
    let [ten, eleven] = [10, 11].map(|fleet| hashes(Scheme::Rendezvous, 1, fleet));
    let moved = moves(&ten, &eleven);
    assert!((8640..=9549).contains(&moved.len()), "{}", moved.len());
    assert!(moved.iter().all(|&(_, to)| to == 10));
    let [ten, eleven] = [10, 11].map(|fleet| hashes(Scheme::Modulo, 1, fleet));
    let moved = moves(&ten, &eleven);
    assert!((90_451..=91_360).contains(&moved.len()), "{}", moved.len());
}

/// The part of the new address has the spread of O13, and the keys in it that of a binomial: five of each together.
#[test]
fn a_ring_moves_keys_to_the_new_address_only_and_its_part_of_them() {
    for points in [1, 10, 100, 1000] {
        let [ten, eleven] = [10, 11].map(|fleet| hashes(Scheme::Ring, points, fleet));
        let moved = moves(&ten, &eleven);
        assert!(moved.iter().all(|&(_, to)| to == 10));
        let (expected, variance) = (KEYS as f64 / 11.0, KEYS as f64 * 10.0 / 121.0);
        let sees = 5.0 * (expected * spread(11, points)).hypot(variance.sqrt());
        assert!((moved.len() as f64 - expected).abs() < sees, "{points} points: {} +- {sees}", moved.len());
    }
}

/// A23 backwards, five standard deviations of 1/10.
#[test]
fn a_removed_address_moves_its_own_keys_and_no_others() {
    for (scheme, spread) in [(Scheme::Ring, spread(10, 100)), (Scheme::Rendezvous, 0.0)] {
        let (ten, mut nine) = (hashes(scheme, 100, 10), hashes(scheme, 100, 10));
        nine.remove(4);
        let (moved, own) = (moves(&ten, &nine), (0..KEYS).filter(|&key| home(&ten, key) == 4).count());
        assert!(moved.iter().all(|&(from, _)| from == 4) && moved.len() == own, "{scheme:?}");
        assert!((own as f64 - 10_000.0).abs() < 5.0 * (10_000.0 * spread).hypot(9000f64.sqrt()), "{scheme:?}: {own}");
    }
}

/// O13: the relative standard deviation of the parts is sqrt((N-1)/(Nv+1)). One of N parts that are gamma of shape v is
/// known to sqrt((2 + 6/v)/N)/2; four times that.
#[test]
fn more_points_spread_a_ring_more_evenly_as_the_closed_form_says() {
    const FLEET: u32 = 500;
    for points in [1, 10, 100] {
        let ring = hashes(Scheme::Ring, points, FLEET).copies;
        let mut parts = vec![0.0; FLEET as usize];
        let mut last = ring.last().unwrap().0;
        for &(point, id) in &ring {
            parts[id as usize] += point.wrapping_sub(last) as f64 / libm::pow(2.0, 64.0);
            last = point;
        }
        let n = f64::from(FLEET);
        let square = |part: &f64| (part * n - 1.0) * (part * n - 1.0);
        let sd = (parts.iter().map(square).sum::<f64>() / n).sqrt();
        let sees = 4.0 * ((2.0 + 6.0 / f64::from(points)) / n).sqrt() / 2.0;
        let expected = spread(FLEET, points);
        assert!((sd / expected - 1.0).abs() < sees, "{points} points: {sd}, not {expected} +- {sees}");
    }
}

#[test]
fn a_rotation_that_changed_is_the_one_that_was_built_so() {
    for scheme in SCHEMES {
        let weights = [2, 1, 0, 3];
        let mut changed = Hashes::new(hashing(scheme, 20), &[0, 3], &weights);
        for (id, weight) in [(1, 1), (2, 0)] {
            changed.insert(id, weight);
        }
        changed.remove(0);
        assert_eq!(changed.copies, Hashes::new(hashing(scheme, 20), &[1, 2, 3], &weights).copies, "{scheme:?}");
        changed.insert(0, 2);
        assert_eq!(changed.copies, Hashes::new(hashing(scheme, 20), &[0, 1, 2, 3], &weights).copies, "{scheme:?}");
    }
}

/// Five standard deviations of a binomial, and for the ring of its parts.
#[test]
fn an_address_gets_keys_by_its_weight_and_none_without_any() {
    for scheme in SCHEMES {
        let hashes = Hashes::new(hashing(scheme, 1000), &[0, 1, 2], &[3, 1, 0]);
        let mut count = [0u64; 3];
        (0..KEYS).for_each(|key| count[home(&hashes, key) as usize] += 1);
        // The part of one out of four times a thousand points: 1/4, give or take spread(4, 1000)/4.
        let spread = if scheme == Scheme::Ring { spread(4, 1000) / 4.0 } else { 0.0 };
        let sees = 5.0 * spread.hypot((0.1875 / KEYS as f64).sqrt());
        assert!(count[2] == 0 && (count[1] as f64 / KEYS as f64 - 0.25).abs() < sees, "{scheme:?} {count:?}");
    }
}

#[test]
fn a_refused_key_goes_where_it_would_go_without_the_address_that_refused() {
    for scheme in SCHEMES {
        let all = hashes(scheme, 50, 6);
        let mut fewer = hashes(scheme, 50, 6);
        fewer.remove(2);
        for key in (0..3000).filter(|&key| home(&all, key) == 2) {
            assert_eq!(all.of(key, |id| id != 2), Some(home(&fewer, key)), "{scheme:?}, key {key}");
        }
    }
}

#[test]
fn nobody_has_a_key_in_an_empty_rotation_or_where_nobody_accepts() {
    for scheme in SCHEMES {
        assert_eq!(hashes(scheme, 3, 0).of(7, |_| true), None);
        assert_eq!(hashes(scheme, 3, 4).of(7, |_| false), None);
    }
}
