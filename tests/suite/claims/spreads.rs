//! Claims about how calls spread over the addresses: by weight, by hash, and as far as there are connections.

use parked::era::Design::{self, Carrying, Waiting};
use parked::experiment::Cell;
use parked::metrics::Record;
use parked::world::InstanceId;

use super::{cell, ends};

/// 600 calls, one each second, of one message each.
const ONE_MESSAGE: [&str; 3] = ["tool.amount.constant=50", "arrivals.constant.rate=1/s", "run.horizon=600s"];

/// Where each of these calls went.
fn went(switches: &[&str]) -> Vec<InstanceId> {
    let cell = cell(Carrying, &[&ONE_MESSAGE, switches].concat());
    assert_eq!(cell.records.len(), 600);
    cell.records.iter().map(|record| record.first_instance.expect("somebody is up")).collect()
}

/// How many went to each of the first `N` addresses.
fn counts<const N: usize>(went: &[InstanceId]) -> [usize; N] {
    let mut counts = [0; N];
    went.iter().for_each(|&to| counts[to as usize] += 1);
    counts
}

#[test]
pub fn an_address_counts_as_often_as_its_weight_says() {
    let weighted = |policy: &str, weights: &str| {
        let (policy, weights) = (format!("balancer.policy={policy}"), format!("balancer.weights={weights}"));
        went(&["fleet.instances=3", &policy, &weights])
    };
    assert_eq!(weighted("round-robin", "[2, 1, 0]")[..6], [0, 1, 0, 0, 1, 0], "as spread as nginx does it");
    assert_eq!(weighted("round-robin", "[1, 1, 1]")[..6], [0, 1, 2, 0, 1, 2]);
    // Five standard deviations of a binomial count are 58 of 600, and a ring is no more even than its points.
    for policy in ["round-robin", "random", "hash", "least-connections", "two-choices"] {
        let [two, one, none] = counts(&weighted(policy, "[2, 1, 0]"));
        assert!(none == 0 && two.abs_diff(400) <= 90, "{policy}: {two} {one} {none}");
        let even: [usize; 3] = counts(&weighted(policy, "[1, 1, 1]"));
        assert!(even.iter().all(|count| count.abs_diff(200) <= 90), "{policy}: {even:?}");
    }
}

#[test]
fn an_address_of_twice_the_weight_holds_twice_the_requests_under_least_connections() {
    // All are parked while they arrive.
    let held = |weights: &str| {
        let arrive = ["arrivals.constant.rate=1/s", "run.horizon=30s", "balancer.policy=least-connections"];
        let cell = cell(Waiting, &[&arrive[..], &[&format!("balancer.weights={weights}")]].concat());
        let went: Vec<InstanceId> = cell.records.iter().filter_map(|record| record.first_instance).collect();
        counts::<2>(&went)
    };
    assert_eq!((held("[1, 1]"), held("[2, 1]"), held("[1, 2]")), ([15, 15], [20, 10], [10, 20]));
}

const HASH: &str = "balancer.policy=hash";

#[test]
pub fn as_many_addresses_are_hashed_as_calls_come_from() {
    let sources = |sources: &str| {
        let went = went(&["fleet.instances=10", HASH, &format!("clients.sources={sources}")]);
        counts::<10>(&went).into_iter().filter(|&count| count > 0).count()
    };
    assert_eq!((sources("1"), sources("unlimited")), (1, 10));
    assert!(sources("2") <= 2 && sources("10") < 10, "ten sources do not hit each of ten addresses");
}

#[test]
pub fn what_is_hashed_is_the_source_or_the_user_or_the_session() {
    let by = |design: Design, by: &str, switches: &[&str]| -> Vec<Record> {
        let fixed = ["people.users=1", "arrivals.constant.rate=1/s", "run.horizon=100s", "fleet.instances=4", HASH];
        cell(design, &[&fixed[..], &[&format!("balancer.hash.by={by}")], switches].concat()).records
    };
    let home = |records: &[Record]| records.iter().filter(|record| record.answers_home == 1).count();
    let places = |records: &[Record]| {
        let went: Vec<InstanceId> = records.iter().filter_map(|record| record.first_instance).collect();
        counts::<4>(&went).into_iter().filter(|&count| count > 0).count()
    };
    for design in [Waiting, Carrying] {
        let (source, user) = (by(design, "source", &[]), by(design, "user", &[]));
        assert_eq!((home(&source), places(&source)), (100, 4));
        assert_eq!((home(&user), places(&user)), (100, 1), "one user, one address");
    }
    // The first message has no session yet and goes in turn; the answer goes where the session is hashed to.
    let session = by(Waiting, "session", &[]);
    let hits = home(&session);
    assert!(
        (4..=46).contains(&hits) && places(&session) == 4,
        "{hits} of 100, five standard deviations about a quarter"
    );
    let shaken = by(Waiting, "session", &["clients.handshake=full", "fleet.sessions=shared"]);
    assert_eq!((home(&shaken), places(&shaken)), (100, 4), "call and answer belong to one session");
    let carried = by(Carrying, "session", &[]);
    let turns = |records: &[Record]| records.iter().map(|record| record.first_instance).collect::<Vec<_>>();
    assert_eq!(turns(&carried)[..6], [0, 1, 2, 3, 0, 1].map(Some), "there are no sessions, so all go in turn");
}

/// Of the calls that four addresses serve, those that go elsewhere when there is a fifth, and where these go.
fn moved_by_a_fifth(scheme: &str) -> Vec<InstanceId> {
    let scheme = format!("balancer.hash.scheme={scheme}");
    let [four, five] = ["fleet.instances=4", "fleet.instances=5"].map(|fleet| went(&[HASH, &scheme, fleet]));
    four.into_iter().zip(five).filter(|(before, after)| before != after).map(|(_, after)| after).collect()
}

#[test]
pub fn a_fifth_address_moves_its_own_calls_on_a_ring_and_by_rendezvous_and_most_by_modulo() {
    // A fifth of 600 with five standard deviations, on the ring also of what one address has of it.
    for (scheme, spread) in [("ring", 65), ("rendezvous", 49)] {
        let moved = moved_by_a_fifth(scheme);
        assert!(moved.iter().all(|&to| to == 4) && moved.len().abs_diff(120) <= spread, "{scheme}: {}", moved.len());
    }
    let moved = moved_by_a_fifth("modulo");
    assert!(moved.len().abs_diff(480) <= 49 && moved.iter().any(|&to| to != 4), "{}", moved.len());
}

#[test]
pub fn more_points_spread_a_ring_more_evenly() {
    let largest = |points: u32| {
        let counts = counts::<5>(&went(&["fleet.instances=5", HASH, &format!("balancer.hash.points={points}")]));
        counts.into_iter().max().expect("five addresses")
    };
    // Of 120 on average: within five standard deviations of 9.8 calls with many points, far beyond with one.
    assert!(largest(10_000) <= 120 + 55 && largest(1) > 240, "{} {}", largest(10_000), largest(1));
}

/// How calls end that arrive while those before them are parked.
fn three(design: Design, switches: &[&str]) -> Vec<String> {
    let fixed = [r#"arrivals.at=["0s", "1s", "2s"]"#, "fleet.instances=1"];
    let cell: Cell = cell(design, &[&fixed[..], switches].concat());
    ends(&cell)
}

#[test]
pub fn an_open_request_takes_its_connections_while_there_are_any() {
    let (done, full) = ("completed", "rejected/slots_full");
    for (connections, per_call, ends) in [
        ("unlimited", 100, [done; 3]),
        ("6", 2, [done; 3]),
        ("5", 2, [done, done, full]),
        ("4", 2, [done, done, full]),
        ("3", 2, [done, full, full]),
        ("3", 1, [done; 3]),
        ("1", 2, [full; 3]),
        ("7", 4, [done, full, full]),
    ] {
        let (all, each) =
            (format!("balancer.connections={connections}"), format!("balancer.connections_per_call={per_call}"));
        assert_eq!(three(Waiting, &[&all, &each]), ends, "{connections} {per_call}");
        let carried = if ends[0] == full { ends } else { [done; 3] };
        assert_eq!(three(Carrying, &[&all, &each]), carried, "a carried call is open for a moment only");
    }
}
