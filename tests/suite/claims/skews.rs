//! Claims about clocks that differ, about what a server forgives, and about processes that come up one after another.

use parked::era::Design::{Carrying, Waiting};
use parked::experiment::Cell;
use parked::metrics::{End, Outcome};
use parked::world::Cause;

use super::super::common::{because, plainly};
use super::{assert_end, call, cells};

const EXPIRED: End = End { outcome: Outcome::Refused, cause: Some(Cause::Expired) };
const FUTURE: End = End { outcome: Outcome::Refused, cause: Some(Cause::IssuedInFuture) };

/// Of 64 calls with clocks of their own, how many ended so. The answer comes 60 s after the sealing, at another process.
fn of_64(end: End, switches: &[&str]) -> usize {
    let cells: Vec<Cell> = cells(Carrying, &[&["replications=64"], switches].concat());
    cells.iter().filter(|cell| cell.records[0].end == end).count()
}

#[test]
pub fn a_state_at_the_end_of_its_life_is_expired_by_every_second_clock() {
    let ttl = "state.ttl=60s";
    assert_eq!(of_64(EXPIRED, &[ttl]), 0);
    let skewed = of_64(EXPIRED, &[ttl, "fleet.clock_skew=10s"]);
    // The clock of the second is ahead of that of the first for one in two: five standard deviations.
    assert!((12..=52).contains(&skewed), "{skewed} of 64");
    let home = [ttl, "fleet.clock_skew=10s", "balancer.stickiness=learned"];
    assert_eq!(of_64(EXPIRED, &home), 0, "a process agrees with itself");
    // Two clocks are 20 s apart at most.
    assert_eq!(of_64(EXPIRED, &["state.ttl=80s", "fleet.clock_skew=10s"]), 0);
    let waiting = |skew| call(Waiting, &["fleet.instances=1", skew]);
    assert_eq!(waiting("fleet.clock_skew=10s"), waiting("fleet.clock_skew=0s"));
}

#[test]
pub fn a_leeway_lengthens_a_life_to_its_last_instant_and_covers_twice_the_skew() {
    let end = |leeway: &str| call(Carrying, &["state.ttl=50s", &format!("state.leeway={leeway}")]);
    assert_end(&end("10s"), plainly(Outcome::Completed));
    assert_end(&end("9999999999ns"), EXPIRED);
    assert_eq!(of_64(EXPIRED, &["state.ttl=60s", "fleet.clock_skew=10s", "state.leeway=20s"]), 0);
    // Held back by an attacker, a state has expired all the same.
    let held = ["state.ttl=60s", "fleet.clock_skew=10s", "state.leeway=20s", "attack.late=1.0"];
    assert_eq!(of_64(EXPIRED, &held), 64);
}

#[test]
pub fn a_state_from_the_future_is_refused_only_by_who_looks() {
    let skew = "fleet.clock_skew=100s";
    assert_eq!(of_64(plainly(Outcome::Completed), &[skew]), 64);
    let refused = of_64(FUTURE, &[skew, "state.checks_issued=true"]);
    // The first is more than 60 s ahead of the second with probability 0.7^2 / 2: five standard deviations.
    assert!((1..=32).contains(&refused), "{refused} of 64");
    assert_eq!(of_64(FUTURE, &[skew, "state.checks_issued=true", "state.leeway=140s"]), 0);
    assert_eq!(of_64(FUTURE, &["state.checks_issued=true"]), 0, "clocks that agree");
}

#[test]
pub fn a_process_takes_no_connection_before_it_has_come_up() {
    assert_end(&call(Carrying, &["fleet.start_spread=1h"]), because(Outcome::Failed, Cause::Crash));
    let late = ["arrivals.at=[\"5m\"]", "fleet.start_spread=5m"];
    for design in super::DESIGNS {
        let up = call(design, &[&late[..], &["fleet.instances=1"]].concat());
        assert_end(&up, plainly(Outcome::Completed));
    }
}

#[test]
fn processes_that_come_up_one_after_another_find_the_key_that_the_first_wrote() {
    let found = |lag: &str, spread: &str| {
        let (lag, spread) = (format!("state.key_lag={lag}"), format!("fleet.start_spread={spread}"));
        let switches = ["state.keys=found-or-minted", "arrivals.at=[\"5m\"]", &lag, &spread];
        of_64(plainly(Outcome::Completed), &switches)
    };
    assert_eq!([found("0s", "0s"), found("1s", "0s"), found("5m", "5m")], [64, 0, 0]);
    assert_eq!(found("0s", "5m"), 64);
    // The second comes up more than 100 s after the first with probability (2/3)^2: five standard deviations.
    let lagged = found("100s", "5m");
    assert!((9..=48).contains(&lagged), "{lagged} of 64");
}
