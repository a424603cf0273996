//! Relations between runs that differ in how long a clock runs: no call fails by it only because it runs longer.

use std::time::Duration;

use parked::era::Design;
use parked::metrics::Record;
use parked::scenario::{Clients, Fleet, Scenario, State, Tool};
use parked::world::Cause;

use super::{each_for_itself, of, without_attacks};
use crate::common::run;
use crate::invariants::swarm;

/// The calls that this cause ended under a clock of so many seconds are among those that it ended under one of half as
/// many, and sometimes it makes a difference.
fn a_longer_clock_ends_no_further_call(
    cause: Cause,
    designs: &[Design],
    with: impl Fn(&Scenario, Duration) -> Scenario,
) {
    let mut saved = 0;
    for scenario in swarm::scenarios() {
        let under = |seconds| run(&each_for_itself(with(&scenario, Duration::from_secs(seconds))));
        let (short, long) = (under(20), under(40));
        for &design in designs {
            let ended = |record: &Record| record.end.cause == Some(cause);
            let (short, long) = (of(&short, design), of(&long, design));
            assert_eq!(short.len(), long.len(), "the same people call");
            for (short, long) in short.iter().zip(&long) {
                assert!(!ended(long) || ended(short), "{} {}: {short:?}\n{long:?}", scenario.name, design.name());
                saved += u32::from(ended(short) && !ended(long));
            }
        }
    }
    assert!(saved > 0, "{} never mattered", cause.name());
}

#[test]
fn m9_no_call_times_out_only_because_its_client_has_more_patience() {
    a_longer_clock_ends_no_further_call(Cause::ClientDeadline, &Design::PURE, |scenario, clock| {
        let clients = Clients { patience: Some(clock), ..scenario.clients.clone() };
        Scenario { clients, ..scenario.clone() }
    });
}

#[test]
fn m9_no_state_expires_only_because_states_live_longer() {
    a_longer_clock_ends_no_further_call(Cause::Expired, &[Design::Carrying], |scenario, clock| {
        let state = State { ttl: Some(clock), ..scenario.state.clone() };
        without_attacks(&Scenario { state, ..scenario.clone() })
    });
}

#[test]
fn m9_no_request_times_out_only_because_its_client_waits_longer_for_it() {
    a_longer_clock_ends_no_further_call(Cause::RequestDeadline, &Design::PURE, |scenario, clock| {
        let clients = Clients { request_timeout: Some(clock), ..scenario.clients.clone() };
        Scenario { clients, ..scenario.clone() }
    });
}

#[test]
fn m9_no_ask_times_out_only_because_its_server_waits_longer_for_the_answer() {
    a_longer_clock_ends_no_further_call(Cause::ServerDeadline, &[Design::Waiting], |scenario, clock| {
        let fleet = Fleet { answer_timeout: Some(clock), ..scenario.fleet.clone() };
        Scenario { fleet, ..scenario.clone() }
    });
}

#[test]
fn m9_no_approval_expires_only_because_approvals_live_longer() {
    a_longer_clock_ends_no_further_call(Cause::ApprovalExpired, &Design::PURE, |scenario, clock| {
        let tool = Tool { approval_ttl: Some(clock), ..scenario.tool.clone() };
        Scenario { tool, ..scenario.clone() }
    });
}

#[test]
fn m9_no_run_of_a_body_exceeds_its_budget_only_because_that_is_larger() {
    a_longer_clock_ends_no_further_call(Cause::ToolBudget, &Design::PURE, |scenario, clock| {
        let tool = Tool { budget: Some(clock), budget_pauses: false, ..scenario.tool.clone() };
        Scenario { tool, ..scenario.clone() }
    });
}

#[test]
fn m9_no_stream_is_cut_only_because_the_hops_bear_a_longer_silence() {
    a_longer_clock_ends_no_further_call(Cause::IdleCut, &Design::PURE, |scenario, clock| {
        let mut scenario = scenario.clone();
        scenario.balancer.idle = vec![clock, 2 * clock];
        scenario
    });
}
