//! What holds for every call and every level whatever the scenario: conservation, limits, no effect without a yes. Each
//! claim is tried on random scenarios under both designs.

pub mod swarm;

use parked::engine::SimTime;
use parked::era::Design;
use parked::experiment::{self, Cell};
use parked::metrics::{End, Outcome, Record};
use parked::scenario::{Arrivals, Keys, OnBroken, OnNotFound, Run, Scenario, Start, Stop};
use parked::sim::Party;
use parked::world::{Action, Capability, Cause};

use crate::common::{run, scenario};

/// Shows every cell of every scenario of the swarm to `check`, with a name for it.
fn each(check: impl Fn(&Scenario, &Cell, &str)) {
    for scenario in swarm::scenarios() {
        for cell in run(&scenario) {
            let place = format!("{} {} replication {}", scenario.name, cell.design.name(), cell.replication);
            check(&scenario, &cell, &place);
        }
    }
}

/// Shows every call to `check`.
fn each_call(check: impl Fn(&Scenario, &Cell, &Record, &str)) {
    each(|scenario, cell, place| {
        for record in &cell.records {
            check(scenario, cell, record, &format!("{place}: {record:?}"));
        }
    });
}

#[test]
fn every_call_that_starts_ends_exactly_once() {
    each(|scenario, cell, place| {
        let numbers: Vec<u32> = cell.records.iter().map(|record| record.call).collect();
        assert!(numbers.iter().copied().eq(0..numbers.len() as u32), "{place}: a call is missing or ended twice");
        let within =
            |record: &&Record| record.arrived >= scenario.run.warm_up && record.arrived <= scenario.run.horizon;
        let started = cell.records.iter().filter(within).count() as u64;
        assert_eq!(cell.tally.started, started, "{place}");
        assert_eq!(Outcome::ALL.iter().map(|&outcome| cell.tally.count(outcome)).sum::<u64>(), started, "{place}");
        match &scenario.arrivals {
            Arrivals::At(instants) => assert_eq!(numbers.len(), instants.len(), "{place}"),
            Arrivals::Trace(rows) => assert_eq!(numbers.len(), rows.len(), "{place}"),
            _ => assert!(!numbers.is_empty(), "{place}"),
        }
    });
}

#[test]
fn a_tally_is_the_sum_of_the_records_of_its_window() {
    each(|scenario, cell, place| {
        let sum = |value: fn(&Record) -> u64| -> u64 {
            cell.records.iter().filter(|record| record.arrived >= scenario.run.warm_up).map(value).sum()
        };
        let tally = &cell.tally;
        assert_eq!(tally.entries, sum(|record| u64::from(record.entries)), "{place}");
        assert_eq!(tally.prompts, sum(|record| u64::from(record.prompts)), "{place}");
        assert_eq!(tally.messages, sum(|record| u64::from(record.messages)), "{place}");
        assert_eq!(tally.state_bytes, sum(|record| u64::from(record.state_bytes)), "{place}");
    });
}

#[test]
fn threads_and_waiting_lines_never_exceed_what_the_fleet_has() {
    each(|scenario, cell, place| {
        let instances = scenario.fleet.instances.len() as u32;
        let tally = &cell.tally;
        if let Some(threads) = scenario.fleet.threads {
            assert!(tally.threads_held.peak <= instances * threads, "{place}");
        } else {
            assert_eq!(tally.queue.peak, 0, "{place}: a call waited for one of unlimited threads");
        }
        if let Some(places) = scenario.fleet.queue {
            assert!(tally.queue.peak <= instances * places, "{place}");
        }
    });
}

#[test]
fn every_open_request_holds_a_thread_or_a_place_in_line() {
    each(|_, cell, place| {
        let tally = &cell.tally;
        assert!(tally.parked.peak <= tally.threads_held.peak && tally.threads_held.peak <= tally.open.peak, "{place}");
        let sum = tally.threads_held.mean + tally.queue.mean;
        // Three divisions and one sum, each rounded once: relative 2^-53 each.
        assert!((tally.open.mean - sum).abs() <= 4.0 * sum * f64::EPSILON, "{place}: {} is not {sum}", tally.open.mean);
    });
}

/// Whether the person answered while the client still cared: a message is handled before anything else of its instant.
fn answered(record: &Record) -> bool {
    let think = record.think_ns.zip(record.asked);
    think.is_some_and(|(think, asked)| asked.ns() + think <= record.ended.ns())
}

#[test]
fn a_call_without_second_tries_sends_one_request_and_one_message_per_answer() {
    each_call(|scenario, cell, record, place| {
        let tries_again = matches!(scenario.clients.on_not_found, OnNotFound::Reinitialise | OnNotFound::Resend);
        if cell.design == Design::Carrying || !tries_again {
            assert_eq!(record.messages, 1 + u32::from(answered(record)), "{place}");
        }
    });
}

#[test]
fn messages_prompts_and_entries_are_those_of_the_story() {
    for scenario in swarm::scenarios() {
        for design in Design::ALL {
            for call in (0..100).step_by(9) {
                let Some((steps, record)) = experiment::story(&scenario, design, 0, call) else { continue };
                let count = |from: Option<Party>, to| {
                    let steps = steps.iter().filter(|step| step.to == to && from.is_none_or(|from| step.from == from));
                    steps.count() as u32
                };
                let place = format!("{} {} call {call}: {steps:#?}", scenario.name, design.name());
                assert_eq!(record.messages, count(Some(Party::Client), Party::Balancer), "{place}");
                assert_eq!(record.prompts, count(None, Party::Person), "{place}");
                assert_eq!(record.entries, count(None, Party::Ledger), "{place}");
            }
        }
    }
}

#[test]
fn a_second_try_costs_one_message_and_no_client_tries_more_often_than_it_may() {
    each_call(|scenario, cell, record, place| {
        let (rounds, resends) = (u32::from(scenario.clients.max_rounds), u32::from(scenario.clients.max_resends));
        assert!(record.prompts <= rounds, "{place}");
        if cell.design == Design::Carrying {
            return assert!(record.prompts <= 1, "{place}");
        }
        match scenario.clients.on_not_found {
            OnNotFound::Resend => assert!(record.messages <= 2 + resends, "{place}"),
            // Each round is a request and an answer; after the last round one more request meets the cap.
            OnNotFound::Reinitialise => assert!(record.messages <= 2 * rounds + 1, "{place}"),
            OnNotFound::Wait | OnNotFound::Fail => assert!(record.messages <= 2, "{place}"),
        }
    });
}

#[test]
fn exactly_the_completed_calls_have_one_entry_and_all_others_have_none() {
    each_call(|_, _, record, place| {
        assert_eq!(record.entries, u32::from(record.end.outcome == Outcome::Completed), "{place}");
    });
}

#[test]
fn a_call_asked_once_ends_by_what_its_person_said() {
    each_call(|scenario, _, record, place| {
        let asks = can_ask(scenario) && record.amount > 100;
        assert!(asks || record.prompts == 0, "{place}: a person was asked");
        let by = match record.end.outcome {
            Outcome::Completed => Action::Accept,
            Outcome::Declined => Action::Decline,
            Outcome::Cancelled => Action::Cancel,
            _ => return,
        };
        assert_eq!(record.prompts == 0, record.amount <= 100, "{place}");
        if record.prompts == 1 {
            assert_eq!(record.action, Some(by), "{place}");
            assert!(answered(record), "{place}: it ended by an answer that nobody gave");
        }
    });
}

#[test]
fn a_carried_call_is_never_parked() {
    each(|_, cell, place| {
        if cell.design == Design::Carrying {
            assert_eq!((cell.tally.parked.peak, cell.tally.parked.mean), (0, 0.0), "{place}");
            assert!(cell.records.iter().all(|record| record.parked_ns == 0), "{place}");
        }
    });
}

#[test]
fn a_call_that_waits_carries_no_state_and_does_no_work_twice_unless_it_is_started_again() {
    each_call(|_, cell, record, place| {
        if cell.design == Design::Waiting {
            assert_eq!(record.state_bytes, 0, "{place}");
            assert!(record.repeated_ns == 0 || record.messages > 2, "{place}");
        }
    });
}

#[test]
fn the_integral_of_the_parked_level_is_the_sum_of_the_parked_times_to_the_nanosecond() {
    let mut parked_at_all = 0;
    for scenario in swarm::scenarios() {
        // Every stay begins with a call that has a record and is clipped at the horizon, and none at a warm-up.
        let run_to_horizon =
            Run { start: Start::Empty, stop: Stop::Horizon, warm_up: SimTime::ZERO, ..scenario.run.clone() };
        let scenario = Scenario { run: run_to_horizon, ..scenario };
        for cell in run(&scenario) {
            let sum: u64 = cell.records.iter().map(|record| record.parked_ns).sum();
            // Below 2^52 two integrals that differ by one nanosecond have quotients that differ, and the sum is exact.
            assert!(sum < 1 << 52);
            let mean = sum as f64 / scenario.run.horizon.ns() as f64;
            assert_eq!(cell.tally.parked.mean, mean, "{} {}", scenario.name, cell.design.name());
            parked_at_all += u32::from(sum > 0);
        }
    }
    assert!(parked_at_all > 50, "the swarm hardly parks");
}

#[test]
fn what_is_parked_for_ever_stays_parked_until_the_horizon() {
    let text = "run.horizon = \"10m\"\narrivals.at = [\"0s\"]\npeople.silent = 1.0\nclients.patience = \"none\"\n\
                tool.work_before.constant = \"0s\"";
    for stop in ["cohort", "horizon"] {
        let scenario = scenario(&format!("{text}\nrun.stop = \"{stop}\"\nreplications = 1"));
        let cell = &run(&scenario)[0];
        assert_eq!(
            cell.tally.parked.mean, 1.0,
            "stop = {stop}: the body was parked from the first instant to the last"
        );
    }
}

#[test]
fn no_call_is_asked_before_it_arrived_or_ends_before_it_was_asked() {
    each_call(|_, _, record, place| {
        let asked = record.asked.unwrap_or(record.arrived);
        assert!(record.arrived <= asked && asked <= record.ended, "{place}");
        assert_eq!(record.asked.is_some(), record.prompts > 0, "{place}");
        assert!(record.parked_ns <= record.ended.ns() - record.arrived.ns(), "{place}");
    });
}

#[test]
fn no_call_outlives_its_clients_patience_and_a_timeout_comes_at_its_very_end() {
    each_call(|scenario, _, record, place| {
        let lasted = record.ended.since(record.arrived);
        match scenario.clients.patience {
            Some(patience) if record.end.outcome == Outcome::TimedOut => assert_eq!(lasted, patience, "{place}"),
            Some(patience) => assert!(lasted <= patience, "{place}"),
            None => assert_ne!(record.end.outcome, Outcome::TimedOut, "{place}"),
        }
    });
}

#[test]
fn nothing_ends_after_the_horizon_when_the_run_stops_there() {
    each_call(|scenario, _, record, place| {
        assert!(record.arrived <= scenario.run.horizon, "{place}");
        if scenario.run.stop == Stop::Horizon {
            assert!(record.ended <= scenario.run.horizon, "{place}");
        }
    });
}

/// A way to end that can happen: how, why, under which designs, and in which scenarios.
type Legal = (Outcome, Option<Cause>, &'static [Design], fn(&Scenario) -> bool);

const BOTH: &[Design] = &Design::ALL;
const WAITING: &[Design] = &[Design::Waiting];
const CARRYING: &[Design] = &[Design::Carrying];

fn can_ask(s: &Scenario) -> bool {
    s.clients.kinds.iter().any(|kind| kind.declares.has(Capability::Form))
}

fn has_patience(s: &Scenario) -> bool {
    s.clients.patience.is_some()
}

fn kills(s: &Scenario) -> bool {
    !s.faults.is_empty()
}

fn hangs(s: &Scenario) -> bool {
    kills(s) && s.clients.on_broken == OnBroken::Hang
}

fn breaks(s: &Scenario) -> bool {
    kills(s) && s.clients.on_broken == OnBroken::Fail
}

/// An answer can reach another process than the one that asked.
fn strays(s: &Scenario) -> bool {
    can_ask(s) && (kills(s) || !s.balancer.sticky && s.fleet.instances.len() > 1)
}

/// A call can be started again from its beginning.
fn starts_again(s: &Scenario) -> bool {
    strays(s) && s.clients.on_not_found == OnNotFound::Reinitialise
}

/// Every legal pair of outcome and cause. With one question per call a cap on rounds is only met by a call that was
/// started again, so it is never the first cause.
const LEGAL: &[Legal] = &[
    (Outcome::Completed, None, BOTH, |_| true),
    (Outcome::Declined, None, BOTH, can_ask),
    (Outcome::Cancelled, None, BOTH, can_ask),
    (Outcome::TimedOut, Some(Cause::ClientDeadline), BOTH, has_patience),
    (Outcome::TimedOut, Some(Cause::PersonSilent), BOTH, |s| has_patience(s) && can_ask(s)),
    (Outcome::TimedOut, Some(Cause::Misrouted), WAITING, |s| has_patience(s) && strays(s)),
    (Outcome::TimedOut, Some(Cause::Crash), BOTH, |s| has_patience(s) && hangs(s)),
    (Outcome::Lost, Some(Cause::Crash), BOTH, breaks),
    (Outcome::Lost, Some(Cause::Misrouted), WAITING, |s| breaks(s) && strays(s)),
    (Outcome::Refused, Some(Cause::WrongKey), CARRYING, |s| strays(s) && s.state.keys == Keys::PerProcess),
    (Outcome::Refused, Some(Cause::Expired), CARRYING, |s| can_ask(s) && s.state.ttl.is_some()),
    (Outcome::Unsupported, Some(Cause::Capability), BOTH, |s| !can_ask(s)),
    (Outcome::Rejected, Some(Cause::ThreadsFull), BOTH, |s| s.fleet.queue == Some(0)),
    (Outcome::Rejected, Some(Cause::QueueFull), BOTH, |s| s.fleet.queue.is_some_and(|places| places > 0)),
    (Outcome::Rejected, Some(Cause::Misrouted), WAITING, |s| starts_again(s) && s.fleet.queue.is_some()),
    (Outcome::Rejected, Some(Cause::Crash), WAITING, |s| starts_again(s) && hangs(s) && s.fleet.queue.is_some()),
    (Outcome::Failed, Some(Cause::Crash), BOTH, kills),
    (Outcome::Failed, Some(Cause::Misrouted), WAITING, |s| strays(s) && s.clients.on_not_found != OnNotFound::Wait),
    (Outcome::Abandoned, Some(Cause::PersonSilent), CARRYING, can_ask),
    (Outcome::OpenAtEnd, None, BOTH, |_| true),
    (Outcome::OpenAtEnd, Some(Cause::PersonSilent), WAITING, can_ask),
    (Outcome::OpenAtEnd, Some(Cause::Misrouted), WAITING, strays),
    (Outcome::OpenAtEnd, Some(Cause::Crash), BOTH, hangs),
];

#[test]
fn every_call_ends_in_a_legal_pair_of_outcome_and_cause() {
    each_call(|scenario, cell, record, place| {
        let legal = LEGAL.iter().any(|&(outcome, cause, designs, when)| {
            record.end == End { outcome, cause } && designs.contains(&cell.design) && when(scenario)
        });
        assert!(legal, "{place}");
    });
}

#[test]
fn the_swarm_reaches_every_legal_end_under_every_design() {
    let mut missing: Vec<(End, Design)> = Vec::new();
    for &(outcome, cause, designs, _) in LEGAL {
        missing.extend(designs.iter().map(|&design| (End { outcome, cause }, design)));
    }
    let mut stationary = 0;
    for seed in 0..5000 {
        let scenario = swarm::scenario(seed);
        stationary += u32::from(scenario.run.start == Start::Stationary);
        for cell in run(&scenario) {
            missing.retain(|(end, design)| *design != cell.design || !cell.tally.ends.contains_key(end));
        }
        if missing.is_empty() && stationary > 0 {
            return;
        }
    }
    panic!("{stationary} stationary starts, and never seen: {missing:?}");
}
