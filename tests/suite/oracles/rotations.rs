//! Keys that are replaced while states are on their way.

use parked::era::Design;
use parked::experiment::Cell;
use parked::metrics::{Outcome, Tally};
use parked::scenario::Scenario;
use parked::stats::theory::{
    Think, keyed_states, over_rounds, periodic_loss_share, random_hit, ringless_refusals, sign_first_refusals,
};
use parked::world::Cause;

use super::{DET60, EXP60, LN60, cells, ideal, in_words, started, tallies, within_binomial, within_five_sd, within_t};
use crate::common::because;

/// How many calls were refused for this.
fn refused(tally: &Tally, cause: Cause) -> f64 {
    tally.ends.get(&because(Outcome::Refused, cause)).copied().unwrap_or(0) as f64
}

fn all_refused(tallies: &[Tally], cause: Cause) -> f64 {
    tallies.iter().map(|tally| refused(tally, cause)).sum()
}

/// A new key for all at once in every tenth minute, so that calls are sealed uniformly over the period of their key.
fn rotated(replications: u32, think: Think, lines: &str) -> Scenario {
    let calls = "run.horizon = \"100m\"\narrivals.poisson.rate = \"20/s\"\nfleet.instances = 4\n";
    ideal(replications, &format!("{calls}{}{lines}", in_words(think)))
}

fn carried(scenario: &Scenario) -> Vec<Tally> {
    tallies(scenario, Design::Carrying)
}

/// O10, A17 and A18: a state is refused when it comes back after the period of its key and the overlap.
fn an_overlap_is_to_states_what_a_drain_is_to_parked_calls(size: u32) {
    for (think, overlap, sees) in [
        (EXP60, 0.0, 0.05),
        (EXP60, 60.0, 0.1),
        (EXP60, 300.0, 0.7),
        (DET60, 0.0, 0.05),
        (LN60, 0.0, 0.05),
        (LN60, 60.0, 0.1),
        (LN60, 300.0, 0.2),
    ] {
        let rotation = format!("state.rotation = {{ every = \"10m\", overlap = \"{overlap}s\" }}\n");
        let tallies = carried(&rotated(size, think, &rotation));
        let share = periodic_loss_share(think, 600.0, overlap);
        let lost = all_refused(&tallies, Cause::WrongKey);
        within_binomial(&format!("{think:?}, w = {overlap}"), lost, started(&tallies), share, sees);
    }
    let even = carried(&rotated(size, DET60, "state.rotation = { every = \"10m\", overlap = \"60s\" }\n"));
    assert_eq!(all_refused(&even, Cause::WrongKey), 0.0, "an overlap of exactly the think time is enough");
}
lanes!(an_overlap_is_to_states_what_a_drain_is_to_parked_calls);

/// O11b: lives and keys compete, and what is late is late under any key.
fn a_state_is_accepted_or_late_or_its_key_is_gone(size: u32) {
    for (think, overlap, sees) in [(EXP60, 0.0, 0.06), (EXP60, 60.0, 0.15), (LN60, 0.0, 0.06), (LN60, 60.0, 0.15)] {
        let lines = format!("state.ttl = \"150s\"\nstate.rotation = {{ every = \"10m\", overlap = \"{overlap}s\" }}\n");
        let tallies = carried(&rotated(size, think, &lines));
        let expected = keyed_states(think, 150.0, 600.0, overlap);
        let all = started(&tallies);
        for (what, cause, share) in
            [("late", Cause::Expired, expected.expired), ("key", Cause::WrongKey, expected.wrong_key)]
        {
            within_binomial(&format!("{what}, {think:?}, {overlap}"), all_refused(&tallies, cause), all, share, sees);
        }
    }
}
lanes!(a_state_is_accepted_or_late_or_its_key_is_gone);

/// Refusals for each of the rotations of every replication: turns are shared by the calls of one, so they are no sample.
fn for_each_rotation(cells: &[Cell], rotations: f64) -> Vec<f64> {
    cells.iter().map(|cell| refused(&cell.tally, Cause::WrongKey) / rotations).collect()
}

/// O10b and A33: a process that seals under a key which others do not have yet loses what they get in the roll.
fn signing_before_all_can_verify_loses_what_the_others_get_in_the_roll(size: u32) {
    let fleet =
        "run.horizon = \"115m\"\narrivals.poisson.rate = \"5/s\"\nfleet.instances = 10\nbalancer.policy = \"random\"\n";
    let rotation = "every = \"10m\", overlap = \"12h\", spread = \"60s\"";
    for (think, sees) in [(EXP60, 0.2), (LN60, 0.2)] {
        let roll = |order: &str| format!("state.rotation = {{ {rotation}, order = \"{order}\" }}\n");
        let scenario = |order: &str| ideal(32 * size, &format!("{fleet}{}{}", in_words(think), roll(order)));
        let lost = for_each_rotation(&cells(&scenario("sign-first"), Design::Carrying, false), 11.0);
        within_t(&format!("{think:?}"), &lost, sign_first_refusals(5.0, think, 10, 60.0), sees);
        let none = for_each_rotation(&cells(&scenario("verify-first"), Design::Carrying, false), 11.0);
        assert!(none.iter().all(|&lost| lost == 0.0), "{think:?}");
    }
    // Nobody comes back within the roll in which the state was sealed.
    let even = format!("{fleet}{}state.rotation = {{ {rotation}, order = \"sign-first\" }}\n", in_words(DET60));
    assert_eq!(all_refused(&carried(&ideal(size, &even)), Cause::WrongKey), 0.0);
}
lanes!(signing_before_all_can_verify_loses_what_the_others_get_in_the_roll, 1, 4);

/// A swap without a ring, one process after another: what is sealed under either key meets processes with the other.
fn a_swap_without_a_ring_loses_more_the_longer_it_takes(size: u32) {
    for (think, spread) in [(EXP60, 0.0), (EXP60, 120.0), (EXP60, 480.0), (LN60, 240.0), (DET60, 480.0)] {
        let rotation = format!("every = \"30m\", order = \"no-ring\", spread = \"{spread}s\", turns = \"in-order\"");
        let fleet = "run.horizon = \"179m\"\narrivals.poisson.rate = \"5/s\"\nfleet.instances = 4\nbalancer.policy = \"random\"\n";
        let scenario = ideal(4 * size, &format!("{fleet}{}state.rotation = {{ {rotation} }}\n", in_words(think)));
        let expected = f64::from(4 * size * 5) * ringless_refusals(5.0, think, 4, spread / 4.0);
        let lost = all_refused(&carried(&scenario), Cause::WrongKey);
        within_five_sd(&format!("{think:?}, {spread} s"), lost, expected, expected.sqrt(), 0.08);
    }
}
lanes!(a_swap_without_a_ring_loses_more_the_longer_it_takes, 1, 4);

/// O14: keys of their own refuse 1 - N^-r of the calls with r rounds, each answered at a process of its own.
fn keys_of_their_own_refuse_more_with_every_round(size: u32) {
    let ask = |key: u32| format!("{{ ask = {{ key = \"q{key}\" }} }}");
    for rounds in 1..=3 {
        let steps: Vec<String> = (0..rounds).map(ask).collect();
        let body = format!("tool.body = \"steps\"\ntool.step = [{}, {{ post = \"a\" }}]\n", steps.join(", "));
        for (instances, sees) in [(2, 0.03), (3, 0.03), (10, 0.03)] {
            let fleet =
                format!("fleet.instances = {instances}\nbalancer.policy = \"random\"\nstate.keys = \"per-process\"\n");
            let calls = "run.horizon = \"1000s\"\narrivals.poisson.rate = \"100/s\"\n";
            let tallies = carried(&ideal(size, &format!("{calls}{fleet}{body}{}", in_words(EXP60))));
            let share = over_rounds(1.0 - random_hit(instances), rounds);
            let lost = all_refused(&tallies, Cause::WrongKey);
            within_binomial(&format!("N = {instances}, r = {rounds}"), lost, started(&tallies), share, sees);
        }
    }
}
lanes!(keys_of_their_own_refuse_more_with_every_round);
