//! What every policy promises.

use super::*;

fn routing(policy: Policy, weights: &[u32]) -> Routing {
    let hash = Hashing { by: HashBy::User, scheme: Scheme::Ring, points: 100 };
    Routing { policy, ties: Ties::Random, hash, weights: weights.to_vec(), replicas: 1 }
}

fn balancer(policy: Policy, addresses: usize) -> Balancer {
    Balancer::new(routing(policy, &vec![1; addresses]))
}

fn with(word: u64) -> Draw<impl FnOnce() -> u64> {
    Draw { key: Some(word), replica: 0, word: move || word }
}

/// Words that look random.
fn words() -> impl Iterator<Item = u64> {
    std::iter::successors(Some(1u64), |word| {
        Some(word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407))
    })
    .map(|word| word ^ word >> 29)
}

const ALL: [Policy; 6] =
    [Policy::RoundRobin, Policy::Random, Policy::LeastConnections, Policy::TwoChoices, Policy::Hash, Policy::Recorded];

#[test]
fn an_empty_rotation_picks_nobody_and_recovers() {
    for policy in ALL {
        let mut balancer = balancer(policy, 2);
        balancer.remove(0);
        balancer.remove(1);
        assert_eq!(balancer.pick(with(0)), None);
        balancer.insert(1);
        assert_eq!([balancer.pick(with(0)), balancer.pick(with(u64::MAX))], [Some(1); 2], "{policy:?}");
    }
}

#[test]
fn a_redispatch_never_reaches_an_address_that_refuses() {
    for policy in ALL {
        let mut balancer = balancer(policy, 3);
        balancer.opened(0);
        for word in [0, 1 << 62, u64::MAX] {
            let id = balancer.pick_again(|id| id != 1, with(word)).unwrap();
            assert_ne!(id, 1, "{policy:?}");
        }
        assert_eq!(balancer.pick_again(|_| false, with(0)), None);
    }
}

#[test]
fn an_address_without_weight_is_never_picked_and_changes_nothing_for_the_others() {
    for (policy, weight, ties) in ALL.iter().flat_map(|&policy| {
        [(1, Ties::Random), (2, Ties::Random), (2, Ties::First)].map(|(weight, ties)| (policy, weight, ties))
    }) {
        let balancer = |weights: &[u32]| Balancer::new(Routing { ties, ..routing(policy, weights) });
        let (mut two, mut three) = (balancer(&[weight, 1]), balancer(&[weight, 1, 0]));
        for (step, word) in words().take(3000).enumerate() {
            match step % 100 {
                50 => three.remove(2),
                60 => three.insert(2),
                70 => [&mut two, &mut three].into_iter().for_each(|balancer| balancer.remove(0)),
                80 => [&mut two, &mut three].into_iter().for_each(|balancer| balancer.insert(0)),
                _ => {}
            }
            let picked = two.pick(with(word)).unwrap();
            assert_eq!(three.pick(with(word)), Some(picked), "{policy:?}");
            let again = two.pick_again(|id| id != picked, with(word));
            assert_eq!(three.pick_again(|id| id != picked, with(word)), again, "{policy:?}");
            [&mut two, &mut three].into_iter().for_each(|balancer| balancer.opened(picked));
        }
        assert!(three.in_rotation(2));
    }
}

#[test]
fn an_address_without_weight_is_not_picked_when_it_is_alone() {
    for policy in ALL {
        let mut balancer = Balancer::new(routing(policy, &[1, 0]));
        balancer.remove(0);
        assert_eq!([balancer.pick(with(0)), balancer.pick_again(|_| true, with(0))], [None; 2], "{policy:?}");
    }
}

#[test]
fn random_picks_each_of_the_weighted_addresses_for_the_same_number_of_words() {
    let mut balancer = Balancer::new(routing(Policy::Random, &[3, 0, 1, 4]));
    let picks: Vec<u32> = (0..16).map(|word| balancer.pick(with(word << 60)).unwrap()).collect();
    assert_eq!(picks, [0, 0, 0, 0, 0, 0, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3]);
    balancer.remove(3);
    assert_eq!([0, 1, 2, 3].map(|word| balancer.pick(with(word << 62))), [0, 0, 0, 2].map(Some));
}

/// Equal quotients of small whole numbers are equal as `f64`, so dividing is another way to compare.
#[test]
fn least_connections_picks_among_those_with_fewest_requests_for_their_weight() {
    let weights = [3, 1, 2, 0, 1];
    for ties in [Ties::Random, Ties::First] {
        let mut balancer = Balancer::new(Routing { ties, ..routing(Policy::LeastConnections, &weights) });
        for (step, word) in words().take(5000).enumerate() {
            let id = (word >> 40) as u32 % 5;
            match step % 9 {
                0 if id != 4 => balancer.remove(id),
                1 | 2 => balancer.insert(id),
                _ if balancer.open[id as usize] > 0 && word >> 63 == 0 => balancer.closed(id),
                _ => balancer.opened(id),
            }
            let load = |id: u32| f64::from(balancer.open[id as usize]) / f64::from(weights[id as usize]);
            let heavy = balancer.rotation.iter().copied().filter(|&id| weights[id as usize] > 0);
            let least = heavy.clone().map(load).fold(f64::INFINITY, f64::min);
            let lightest: Vec<u32> = heavy.filter(|&id| load(id) == least).collect();
            let picked = balancer.pick(with(word)).unwrap();
            assert!(lightest.contains(&picked), "step {step}");
            assert!(ties == Ties::Random || picked == lightest[0], "step {step}");
        }
    }
}

#[test]
fn a_tie_of_least_connections_is_broken_by_weight() {
    let mut balancer = Balancer::new(routing(Policy::LeastConnections, &[3, 1]));
    assert_eq!([0, 1, 2, 3].map(|word| balancer.pick(with(word << 62))), [0, 0, 0, 1].map(Some));
    (0..3).for_each(|_| balancer.opened(0));
    balancer.opened(1);
    assert_eq!([0, 1, 2, 3].map(|word| balancer.pick(with(word << 62))), [0, 0, 0, 1].map(Some));
    balancer.opened(0);
    assert_eq!(balancer.pick(with(0)), Some(1));
}

#[test]
fn least_connections_picks_what_a_scan_of_all_addresses_would_pick() {
    let mut balancer = balancer(Policy::LeastConnections, 7);
    for (step, word) in words().take(5000).enumerate() {
        let id = (word >> 40) as u32 % 7;
        match step % 9 {
            0 if balancer.rotation.len() > 1 => balancer.remove(id),
            1 | 2 => balancer.insert(id),
            _ if balancer.open[id as usize] > 0 && word >> 63 == 0 => balancer.closed(id),
            _ => balancer.opened(id),
        }
        let least = balancer.rotation.iter().map(|&id| balancer.open[id as usize]).min().unwrap();
        let picked = balancer.pick(with(word)).unwrap();
        assert!(balancer.in_rotation(picked) && balancer.open[picked as usize] == least, "step {step}");
    }
}

#[test]
fn ties_of_least_connections_are_broken_uniformly_or_by_the_first() {
    let mut any = balancer(Policy::LeastConnections, 3);
    any.opened(1);
    let n = 1 << 12;
    let zeros = (0..n).filter(|i| any.pick(with(i << 52)) == Some(0)).count();
    assert_eq!(zeros, n as usize / 2);
    let mut first = Balancer::new(Routing { ties: Ties::First, ..routing(Policy::LeastConnections, &[1; 3]) });
    assert!(words().take(100).all(|word| first.pick(with(word)) == Some(0)));
    first.opened(0);
    assert!(words().take(100).all(|word| first.pick(with(word)) == Some(1)));
}

/// The words 1/2^16 apart: every pair of n addresses gets its share of them, but for 2 at its ends.
fn counts_of_all_words(balancer: &mut Balancer) -> Vec<f64> {
    let mut counts = vec![0u32; balancer.open.len()];
    (0..1 << 16).for_each(|word| counts[balancer.pick(with(word << 48)).unwrap() as usize] += 1);
    counts.into_iter().map(f64::from).collect()
}

#[test]
fn two_choices_over_equal_loads_are_uniform() {
    let counts = counts_of_all_words(&mut balancer(Policy::TwoChoices, 5));
    assert!(counts.iter().all(|n| (n - 65_536.0 / 5.0).abs() <= 2.0), "{counts:?}");
}

#[test]
fn two_choices_take_the_lighter_of_two_different_addresses() {
    let mut balancer = balancer(Policy::TwoChoices, 5);
    for id in 0..5 {
        (0..[3, 0, 4, 1, 2][id as usize]).for_each(|_| balancer.opened(id));
    }
    // Of the 20 ordered pairs, an address is the lighter one in 2 for each that is heavier.
    let counts = counts_of_all_words(&mut balancer);
    for (id, share) in [2.0, 8.0, 0.0, 6.0, 4.0].into_iter().enumerate() {
        assert!((counts[id] - share / 20.0 * 65_536.0).abs() <= share * 2.0, "{counts:?}");
    }
}

#[test]
fn two_choices_break_ties_by_the_first_drawn_or_the_first_of_the_fleet() {
    let mut first = Balancer::new(Routing { ties: Ties::First, ..routing(Policy::TwoChoices, &[1; 5]) });
    let counts = counts_of_all_words(&mut first);
    for (id, share) in [8.0, 6.0, 4.0, 2.0, 0.0].into_iter().enumerate() {
        assert!((counts[id] - share / 20.0 * 65_536.0).abs() <= share * 2.0, "{counts:?}");
    }
    first.opened(0);
    assert_eq!(first.pick(with(0)), Some(1), "0 and 1 are drawn, and that is no tie");
    first.opened(3);
    assert_eq!(first.pick(with(u64::MAX)), Some(4), "4 and 3 are drawn, and that is no tie");
    let mut any = balancer(Policy::TwoChoices, 5);
    assert_eq!([0, u64::MAX].map(|word| any.pick(with(word))), [Some(0), Some(4)]);
}

/// Of weights 2, 1 and 1: the first drawn is the heavy one in 1/2; another one is drawn then for certain.
#[test]
fn two_choices_count_a_heavy_address_twice_and_compare_loads_for_weights() {
    let mut balancer = Balancer::new(routing(Policy::TwoChoices, &[2, 1, 1]));
    let counts = counts_of_all_words(&mut balancer);
    assert!([0.5, 0.25, 0.25].iter().zip(&counts).all(|(p, n)| (n - p * 65_536.0).abs() <= 12.0), "{counts:?}");
    // One request for a weight of 2 is lighter than one for 1, and wins when drawn: 1/2 + 1/2 * 2/3.
    (0..3).for_each(|id| balancer.opened(id));
    let counts = counts_of_all_words(&mut balancer);
    assert!((counts[0] - 5.0 / 6.0 * 65_536.0).abs() <= 12.0, "{counts:?}");
    // Two for 2 is a tie with one for 1.
    balancer.opened(0);
    let counts = counts_of_all_words(&mut balancer);
    assert!((counts[0] - 0.5 * 65_536.0).abs() <= 12.0, "{counts:?}");
    balancer.opened(0);
    assert_eq!(counts_of_all_words(&mut balancer)[0], 0.0, "the heaviest is never drawn twice");
}

fn hashing(scheme: Scheme) -> Balancer {
    let hash = Hashing { by: HashBy::User, scheme, points: 100 };
    Balancer::new(Routing { hash, ..routing(Policy::Hash, &[1; 4]) })
}

#[test]
fn a_hash_sends_a_key_to_one_address_and_what_has_none_round_robin() {
    for scheme in [Scheme::Modulo, Scheme::Ring, Scheme::Rendezvous] {
        let mut balancer = hashing(scheme);
        let homes: Vec<_> = (0..100).map(|key| balancer.pick(with(key))).collect();
        for (key, home) in homes.into_iter().enumerate() {
            assert_eq!(balancer.pick(with(key as u64)), home);
            let keyless = balancer.pick(Draw { key: None, ..with(0) });
            assert_eq!(keyless, Some(key as u32 % 4), "a message with a key takes no turn");
        }
    }
}

#[test]
fn a_refused_key_is_tried_where_it_goes_once_its_home_has_left() {
    for scheme in [Scheme::Modulo, Scheme::Ring, Scheme::Rendezvous] {
        let mut balancer = hashing(scheme);
        for key in 0..100 {
            let home = balancer.pick(with(key)).unwrap();
            let refuge = balancer.pick_again(|id| id != home, with(key));
            balancer.remove(home);
            assert_eq!(balancer.pick(with(key)), refuge, "{scheme:?}");
            balancer.insert(home);
            assert_eq!(balancer.pick(with(key)), Some(home), "{scheme:?}");
        }
    }
}

#[test]
fn replicas_have_counters_of_their_own_that_background_requests_move_too() {
    let mut balancer = Balancer::new(Routing { replicas: 2, ..routing(Policy::RoundRobin, &[1; 3]) });
    let at = |balancer: &mut Balancer, replica| balancer.pick(Draw { replica, ..with(0) }).unwrap();
    assert_eq!([0, 0, 1, 0, 1].map(|replica| at(&mut balancer, replica)), [0, 1, 0, 2, 1]);
    balancer.pass(1, 3_000_000_001);
    assert_eq!([0, 1, 1].map(|replica| at(&mut balancer, replica)), [0, 0, 1]);
    balancer.remove(2);
    assert_eq!([0, 1].map(|replica| at(&mut balancer, replica)), [1, 0], "each counter stays where it is");
}

#[test]
fn a_redispatch_by_turns_takes_the_turns_of_those_that_refuse() {
    for policy in [Policy::RoundRobin, Policy::Recorded] {
        let mut balancer = balancer(policy, 4);
        assert_eq!(balancer.pick_again(|id| id == 2, with(0)), Some(2));
        assert_eq!(balancer.pick(with(0)), Some(3));
    }
}

#[test]
#[should_panic(expected = "more requests closed than opened")]
fn an_address_cannot_close_what_it_never_opened() {
    balancer(Policy::Random, 1).closed(0);
}
