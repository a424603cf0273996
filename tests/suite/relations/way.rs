//! Relations between runs that differ in the way of a message: who is picked, what binds, what stands idle.

use std::time::Duration;

use parked::experiment::Cell;
use parked::scenario::{Balancer, Fault, HashBy, Hashing, Policy, Scenario, Scheme, Select, Stickiness, Ties};

use super::with_instances;
use crate::common::run;
use crate::invariants::swarm;

const POLICIES: [Policy; 5] =
    [Policy::RoundRobin, Policy::Random, Policy::LeastConnections, Policy::TwoChoices, Policy::Hash];

/// The scenario with the next policy, hash and rule for ties of all that there are.
fn with_any_policy(place: usize, scenario: &Scenario) -> Scenario {
    let schemes = [Scheme::Modulo, Scheme::Ring, Scheme::Rendezvous];
    let by = [HashBy::Source, HashBy::Session, HashBy::User][place / 15 % 3];
    let hash = Hashing { by, scheme: schemes[place / 5 % 3], points: 20 };
    let ties = if place.is_multiple_of(2) { Ties::Random } else { Ties::First };
    let balancer = Balancer { policy: POLICIES[place % 5], ties, hash, ..scenario.balancer.clone() };
    Scenario { balancer, ..scenario.clone() }
}

/// The scenario with one more address, the last, that is never picked.
fn with_an_idle_address(scenario: &Scenario) -> Scenario {
    let mut scenario = scenario.clone();
    let workers = scenario.fleet.workers as usize;
    // No weights are all alike.
    scenario.balancer.weights.resize(scenario.fleet.instances.len() / workers, 1);
    scenario.balancer.weights.push(0);
    scenario.fleet.instances.extend((0..workers).map(|worker| format!("idle/{worker}")));
    scenario
}

/// The scenario in which no fault draws whom it strikes: one more address would be among them.
fn without_drawn_victims(scenario: &Scenario) -> Scenario {
    let named = |fault: &Fault| match fault {
        Fault::Kill { at, select: Select::Count(_), restart_after } => {
            Fault::Kill { at: *at, select: Select::All, restart_after: *restart_after }
        }
        other => other.clone(),
    };
    Scenario { faults: scenario.faults.iter().map(named).collect(), ..scenario.clone() }
}

/// What a scenario comes to, apart from the number of processes that run.
fn ran(scenario: &Scenario) -> Vec<Cell> {
    let mut cells = run(scenario);
    for cell in &mut cells {
        cell.tally.processes = cell.tally.queue;
    }
    cells
}

#[test]
fn m3_an_address_of_no_weight_changes_nothing() {
    for (place, scenario) in swarm::scenarios().enumerate() {
        let scenario = with_any_policy(place, &without_drawn_victims(&scenario));
        assert_eq!(ran(&scenario), ran(&with_an_idle_address(&scenario)), "{}", scenario.name);
    }
    for scenario in (0..swarm::MANY).map(swarm::ways::scenario) {
        let scenario = without_drawn_victims(&scenario);
        assert_eq!(ran(&scenario), ran(&with_an_idle_address(&scenario)), "{}", scenario.name);
    }
}

#[test]
fn m15_a_cookie_binds_as_a_learned_line_that_lives_for_ever() {
    let mut binds = 0;
    for (place, scenario) in swarm::scenarios().enumerate() {
        let scenario = with_any_policy(place, &scenario);
        let bound = |stickiness| {
            run(&Scenario { balancer: Balancer { stickiness, ..scenario.balancer.clone() }, ..scenario.clone() })
        };
        let cookie = bound(Stickiness::Cookie);
        assert_eq!(cookie, bound(Stickiness::Learned { ttl: None, refresh: true }), "{}", scenario.name);
        binds += u32::from(cookie != bound(Stickiness::None));
    }
    assert!(binds > 0, "stickiness never mattered");
}

#[test]
fn a_learned_line_that_outlives_the_run_binds_for_ever() {
    for (place, scenario) in swarm::scenarios().enumerate() {
        let scenario = with_any_policy(place, &scenario);
        let bound = |stickiness| {
            run(&Scenario { balancer: Balancer { stickiness, ..scenario.balancer.clone() }, ..scenario.clone() })
        };
        let for_ever = bound(Stickiness::Learned { ttl: None, refresh: false });
        for refresh in [false, true] {
            let long = Some(Duration::from_secs(1_000_000));
            assert_eq!(for_ever, bound(Stickiness::Learned { ttl: long, refresh }), "{}", scenario.name);
        }
    }
}

#[test]
fn calls_that_all_go_round_what_binds_are_bound_by_nothing() {
    for (place, scenario) in swarm::scenarios().enumerate() {
        let scenario = with_any_policy(place, &scenario);
        let with = |stickiness, bypass| {
            let balancer = Balancer { stickiness, bypass, ..scenario.balancer.clone() };
            run(&Scenario { balancer, ..scenario.clone() })
        };
        // A hash binds, too, and is gone round as well.
        if scenario.balancer.policy != Policy::Hash {
            assert_eq!(with(Stickiness::Cookie, 1.0), with(Stickiness::None, 0.0), "{}", scenario.name);
        }
        assert_eq!(with(Stickiness::Cookie, 0.0), with(Stickiness::Cookie, 1e-300), "{}", scenario.name);
    }
}

#[test]
fn one_address_takes_everything_whatever_picks_and_binds_and_however_connections_are_used() {
    for (place, scenario) in swarm::scenarios().enumerate() {
        let scenario = without_drawn_victims(&with_instances(&scenario, 1));
        let plain = run(&Scenario { faults: Vec::new(), ..scenario.clone() });
        let mut other = with_any_policy(place, &scenario);
        other.faults = Vec::new();
        other.balancer.replicas = 1 + place as u32 % 3;
        other.balancer.background_per_s = 0.5;
        other.clients.reuse = 0.5;
        other.balancer.bypass = 0.25;
        assert_eq!(plain, run(&other), "{}", scenario.name);
    }
}
