//! The way of a message: connections that are used again, several counters, other traffic, several processes behind one
//! address, weights and hashes, each against its closed form.

use parked::era::Design;
use parked::experiment::Cell;
use parked::metrics::{Outcome, Record};
use parked::scenario::Scenario;
use parked::stats::theory::{background_hit, random_hit, replicas_hit, reused_hit};

use super::{cells, ideal, shares, tallies, total, within_binomial, within_t};

/// A miss ends the call, so that nothing lingers: waiting by "not found" and a cancel that reaches the owner, carrying
/// by a key that only the sealing process has.
const A_MISS_ENDS_THE_CALL: &str =
    "clients.on_not_found = \"fail\"\nfleet.misroute = \"not-found\"\nstate.keys = \"per-process\"\n";

/// Ten thousand calls on average, of people who think for a second.
const CALLS: &str = "run.horizon = \"100s\"\narrivals.poisson.rate = \"100/s\"\npeople.think.constant = \"1s\"\n";

fn records(cells: Vec<Cell>) -> Vec<Record> {
    cells.into_iter().flat_map(|cell| cell.records).collect()
}

/// In both designs the same calls come home, and their share is binomial around `hit`.
fn comes_home(what: &str, scenario: &Scenario, hit: f64, sees: f64) {
    let of = |design| -> Vec<bool> {
        records(cells(scenario, design, true)).iter().map(|call| call.end.outcome == Outcome::Completed).collect()
    };
    let waiting = of(Design::Waiting);
    assert_eq!(waiting, of(Design::Carrying), "{what}: the same calls in both designs");
    let home = waiting.iter().filter(|&&home| home).count() as f64;
    match hit {
        1.0 => assert!(waiting.iter().all(|&home| home), "{what}: {home} of {}", waiting.len()),
        _ => within_binomial(what, home, waiting.len() as f64, hit, sees),
    }
}

/// O3 of the field: with a share r of messages over the connection of the message before, r + (1 - r)/N come home.
fn a_connection_that_is_used_again_brings_its_share_home(size: u32) {
    for (instances, reuse, sees) in [(2, 0.5, 0.03), (4, 0.5, 0.04), (10, 0.9, 0.02), (4, 0.0, 0.09), (4, 1.0, 1e-9)] {
        let lines = format!(
            "{CALLS}{A_MISS_ENDS_THE_CALL}fleet.instances = {instances}\nbalancer.policy = \"random\"\n\
             clients.reuse = {reuse:?}\n"
        );
        let hit = reused_hit(reuse, instances);
        comes_home(&format!("N = {instances}, r = {reuse}"), &ideal(size, &lines), hit, sees);
    }
}
lanes!(a_connection_that_is_used_again_brings_its_share_home);

/// A call of a person who thinks for six seconds in the mean, every hundred seconds: nobody ever meets another.
fn alone(size: u32, calls: u32, lines: &str) -> Scenario {
    let horizon = 100 * calls;
    ideal(
        size,
        &format!(
            "run.horizon = \"{horizon}s\"\narrivals.constant.rate = \"0.01/s\"\n\
             people.think.exponential = {{ mean = \"6s\" }}\n{A_MISS_ENDS_THE_CALL}{lines}"
        ),
    )
}

/// O2 of the field: between a call and its answer pass geometrically many others, so that the answer of a lone client
/// comes home with (1 - q) q^(N-1) / (1 - q^N).
fn other_traffic_through_the_counter_brings_a_lone_client_home(size: u32) {
    for (instances, per_s, calls, sees) in
        [(2, 0.2, 5000, 0.1), (3, 0.2, 5000, 0.17), (2, 1.0, 5000, 0.08), (3, 1.0, 5000, 0.12), (2, 10.0, 2000, 0.12)]
    {
        let lines = format!("fleet.instances = {instances}\nbalancer.background = \"{per_s:?}/s\"\n");
        let hit = background_hit(per_s, 6.0, instances);
        comes_home(&format!("N = {instances}, {per_s}/s"), &alone(size, calls, &lines), hit, sees);
    }
    // Without it nobody ever comes home.
    let nobody = tallies(&alone(size, 500, "fleet.instances = 2\n"), Design::Waiting);
    assert_eq!(total(&nobody, Outcome::Completed), 0.0);
}
lanes!(other_traffic_through_the_counter_brings_a_lone_client_home);

/// R counters, of which each message meets one at random: a lone client comes home with (1 - 1/R)/N from three counters
/// on. Two of them start at the same place, and calls and answers move them in pairs, so on two instances they stand at
/// the same place before each call: an answer comes home just when it meets the other one.
fn several_counters_bring_a_lone_client_home(size: u32) {
    for (replicas, instances, hit, sees) in [
        (1, 2, 0.0, 1e-9),
        (2, 2, 0.5, 0.05),
        (3, 2, replicas_hit(3, 2), 0.08),
        (3, 3, replicas_hit(3, 3), 0.09),
        (8, 4, replicas_hit(8, 4), 0.09),
    ] {
        let lines =
            format!("run.warm_up = \"10000s\"\nfleet.instances = {instances}\nbalancer.replicas = {replicas}\n");
        let home = shares(&tallies(&alone(40 * size, 600, &lines), Design::Waiting), Outcome::Completed);
        match hit {
            0.0 => assert!(home.iter().all(|&home| home == 0.0), "one counter brings nobody home"),
            hit => within_t(&format!("{replicas} counters on {instances}"), &home, hit, sees),
        }
    }
}
lanes!(several_counters_bring_a_lone_client_home);

/// Stickiness binds to an address, and of the W processes behind it a message meets one at random: 1/W come home, and
/// without stickiness 1/(N W).
fn a_cookie_for_an_address_is_none_for_the_processes_behind_it(size: u32) {
    for (workers, stickiness, hit, sees) in [
        (1, "cookie", 1.0, 1e-9),
        (2, "cookie", random_hit(2), 0.06),
        (4, "cookie", random_hit(4), 0.1),
        (4, "learned", random_hit(4), 0.1),
        (2, "none", random_hit(6), 0.12),
    ] {
        let lines = format!(
            "{CALLS}{A_MISS_ENDS_THE_CALL}fleet.instances = 3\nfleet.workers = {workers}\n\
             balancer = {{ policy = \"random\", stickiness = \"{stickiness}\" }}\n"
        );
        comes_home(&format!("{workers} processes, {stickiness}"), &ideal(size, &lines), hit, sees);
    }
}
lanes!(a_cookie_for_an_address_is_none_for_the_processes_behind_it);

/// An address of weight w counts as w addresses: it gets w/W of the calls, and answers come home with the sum of squares.
fn weights_share_out_calls_and_answers(size: u32) {
    let lines = |policy: &str| {
        format!(
            "{CALLS}{A_MISS_ENDS_THE_CALL}fleet.instances = 3\nbalancer = {{ policy = \"{policy}\", weights = [2, 1, 0] }}\n"
        )
    };
    let random = ideal(size, &lines("random"));
    let calls = records(cells(&random, Design::Carrying, true));
    let first = |place: u32| calls.iter().filter(|call| call.first_instance == Some(place)).count() as f64;
    within_binomial("two thirds", first(0), calls.len() as f64, 2.0 / 3.0, 0.04);
    assert_eq!(first(2), 0.0, "nothing is picked that weighs nothing");
    comes_home("weights of 2 and 1", &random, 5.0 / 9.0, 0.05);
    // Round robin shares out exactly. Nobody is asked about so little, so only calls are routed.
    let scenario = ideal(size, &format!("{}tool.amount.constant = 100\n", lines("round-robin")));
    for cell in cells(&scenario, Design::Waiting, true) {
        let to = |place: u32| cell.records.iter().filter(|call| call.first_instance == Some(place)).count();
        let thirds = [cell.records.len() / 3, cell.records.len().div_ceil(3)];
        assert!(thirds.contains(&to(1)) && to(2) == 0, "{} of {}", to(1), cell.records.len());
    }
}
lanes!(weights_share_out_calls_and_answers);

/// FR-16: a hash of a session id that the first message does not have yet strands 1 - 1/N of the sessions for good: of
/// three answers each brings home all or none.
fn a_hash_of_the_session_id_strands_whole_sessions(size: u32) {
    for (instances, sees) in [(2, 0.05), (3, 0.08), (4, 0.09)] {
        for scheme in ["modulo", "ring", "rendezvous"] {
            let text = format!(
                "{CALLS}fleet.misroute = \"not-found\"\nfleet.instances = {instances}\nbalancer.policy = \"hash\"\n\
                 balancer.hash = {{ by = \"session\", scheme = \"{scheme}\" }}\nclients.on_not_found = \"fail\"\n\
                 tool.body = \"steps\"\n\
                 tool.step = [{{ ask.key = \"a\" }}, {{ ask.key = \"b\" }}, {{ ask.key = \"c\" }}]\n"
            );
            let scenario = ideal(size, &text);
            let calls = records(cells(&scenario, Design::Waiting, true));
            let home = |answers| calls.iter().filter(|call| call.answers_home == answers).count() as f64;
            assert_eq!(home(0) + home(3), calls.len() as f64, "all or nothing");
            within_binomial(
                &format!("{scheme} on {instances}"),
                home(3),
                calls.len() as f64,
                random_hit(instances),
                sees,
            );
        }
    }
}
lanes!(a_hash_of_the_session_id_strands_whole_sessions);

/// A23: of 100,000 sources a fleet that grows from 10 to 11 moves 1/11 under rendezvous hashing and 10/11 under modulo;
/// under rendezvous and on a ring whoever moves goes to the new one.
fn a_fleet_that_grows_moves_as_many_sources_as_the_scheme_says(size: u32) {
    let sources = f64::from(6250 * size);
    let to = |scheme: &str, instances: u32| {
        // Nobody is asked about so little.
        let lines = format!(
            "run.horizon = \"{sources}s\"\narrivals.constant.rate = \"1/s\"\ntool.amount.constant = 100\n\
             fleet.instances = {instances}\nbalancer.policy = \"hash\"\nbalancer.hash.scheme = \"{scheme}\"\n"
        );
        let calls = records(cells(&ideal(1, &lines), Design::Carrying, true));
        calls.iter().map(|call| call.first_instance.expect("everybody is served")).collect::<Vec<_>>()
    };
    for (scheme, moved) in [("rendezvous", Some(1.0 / 11.0)), ("modulo", Some(10.0 / 11.0)), ("ring", None)] {
        let (before, after) = (to(scheme, 10), to(scheme, 11));
        assert_eq!(before.len() as f64, sources);
        let moves: Vec<u32> = before.iter().zip(&after).filter(|(a, b)| a != b).map(|(_, b)| *b).collect();
        assert!(scheme == "modulo" || moves.iter().all(|&to| to == 10), "{scheme}: moved between old instances");
        if let Some(moved) = moved {
            within_binomial(scheme, moves.len() as f64, sources, moved, 0.21);
        }
    }
}
lanes!(a_fleet_that_grows_moves_as_many_sources_as_the_scheme_says);
