//! What must stay the same when something changes that should not matter, and what must not get worse when something
//! gets better. Each relation is exact and tried on random scenarios, switched to where it applies.

mod asking;
mod clocks;
mod designs;
mod fleet;
mod links;
mod rotations;
mod splitting;
mod states;
mod way;

use std::time::Duration;

use parked::era::Design;
use parked::experiment::Cell;
use parked::metrics::{End, Incident, Outcome, Record};
use parked::random::Distribution;
use parked::scenario::{
    Arrivals, Attacks, Balancer, Clients, Decide, Fault, Fleet, Keys, Links, OnAsk, OnBroken, Pending, People, Policy,
    Run, Scenario, Select, Signing, Start, State, Stickiness, Tool, Unable, Unfinished,
};
use parked::tool::Body;
use parked::world::{Capability, Cause, ClientCapabilities, ClientKind};

use crate::common::run;
use crate::invariants::{facts, swarm};

/// The records of every replication of one design.
fn of(cells: &[Cell], design: Design) -> Vec<Record> {
    cells.iter().filter(|cell| cell.design == design).flat_map(|cell| cell.records.iter().copied()).collect()
}

/// The kind of client with nothing declared.
fn deaf(kind: &ClientKind) -> ClientKind {
    let declares = ClientCapabilities::NONE;
    ClientKind { declares, declares_on_retry: declares, ..kind.clone() }
}

/// The scenario with every kind of client changed.
fn with_kinds(scenario: &Scenario, change: impl FnMut(&ClientKind) -> ClientKind) -> Scenario {
    let kinds = scenario.clients.kinds.iter().map(change).collect();
    let clients = Clients { kinds, ..scenario.clients.clone() };
    Scenario { clients, ..scenario.clone() }
}

fn nothing() -> Distribution {
    Distribution::constant(0.0).expect("0 is a constant")
}

/// The scenario with bodies that take no thread time.
fn without_work(scenario: Scenario) -> Scenario {
    let step_work = scenario.tool.step_work.iter().map(|_| nothing()).collect();
    let tool = Tool { work_before: nothing(), work_after: nothing(), step_work, ..scenario.tool };
    Scenario { tool, ..scenario }
}

/// The scenario with so many threads that nobody waits for one.
fn with_ample_threads(scenario: Scenario) -> Scenario {
    let fleet = Fleet { threads: None, queue: None, ..scenario.fleet };
    Scenario { fleet, ..scenario }
}

fn with_instances(scenario: &Scenario, count: usize) -> Scenario {
    let instances = (0..count).map(|place| format!("i{place}")).collect();
    let fleet = Fleet { instances, workers: 1, ..scenario.fleet.clone() };
    let balancer = Balancer { weights: Vec::new(), ..scenario.balancer.clone() };
    Scenario { fleet, balancer, ..scenario.clone() }
}

fn with_balancer(scenario: Scenario, policy: Policy, sticky: bool) -> Scenario {
    let stickiness = if sticky { Stickiness::Cookie } else { Stickiness::None };
    let balancer = Balancer { policy, stickiness, ..scenario.balancer };
    Scenario { balancer, ..scenario }
}

/// The scenario in which nobody does anything to a state.
fn without_attacks(scenario: &Scenario) -> Scenario {
    let (tampered, stolen, other_call, late, replayed) = (0.0, 0.0, 0.0, 0.0, 0.0);
    let attack = Attacks { tampered, stolen, other_call, late, replayed, ..scenario.attack };
    Scenario { attack, ..scenario.clone() }
}

/// The scenario in which every instance knows of every sign-in.
fn with_shared_sign_ins(scenario: &Scenario) -> Scenario {
    let links = Links { pending: Pending::Shared, ..scenario.links.clone() };
    Scenario { links, ..scenario.clone() }
}

/// The scenario in which each call has a person of its own.
fn with_a_person_each(scenario: &Scenario) -> Scenario {
    let people = People { users: None, ..scenario.people.clone() };
    Scenario { people, ..scenario.clone() }
}

/// The record without the instances that served it.
fn nowhere(record: &Record) -> Record {
    Record { first_instance: None, last_instance: None, answers_home: 0, ..*record }
}

/// Whether a call ended by what happened to messages, processes and clocks, not by what was asked and answered.
fn is_misfortune(end: &End) -> bool {
    let by_asking = [
        Cause::NeverShown,
        Cause::InvalidAnswer,
        Cause::RoundsExceeded,
        Cause::IllegalForm,
        Cause::PageUnfinished,
        Cause::LinkExpired,
        Cause::LinkIdentity,
    ];
    let failed = matches!(end.outcome, Outcome::Lost | Outcome::TimedOut | Outcome::Failed | Outcome::Refused);
    failed && !end.cause.is_some_and(|cause| by_asking.contains(&cause)) || end.cause == Some(Cause::Misrouted)
}

#[test]
fn m1_a_world_in_which_everything_takes_twice_as_long_is_the_same_world() {
    for seed in 0..swarm::MANY {
        let scenario = swarm::scenario(seed);
        let works = |record: &Record| {
            let path = facts::path(&scenario, record.amount);
            path.iter().filter(|does| **does == facts::Does::Work).count() as u64
        };
        let (once, twice) = (run(&scenario), run(&swarm::stretched(seed, 2)));
        for (once, twice) in once.iter().zip(&twice) {
            assert_eq!(once.tally.ends, twice.tally.ends, "swarm-{seed} {}", once.design.name());
            // Every duration is rounded once when it is drawn, by at most one nanosecond in the longer world: a gap, a
            // think time for each prompt and the works of each run of the body, of which each message may start one; of
            // each call that may have come or waited before another, at worst of all.
            // Pages are drawn, too, and a state that is held back comes one nanosecond late.
            let pages = |record: &Record| u64::from(record.incidents.count(Incident::PageOpened));
            let people = |record: &Record| 1 + 2 * u64::from(record.prompts) + pages(record);
            let spans = |record: &Record| people(record) + works(record) * u64::from(record.messages);
            let most = 2 * (4 + once.records.iter().map(spans).sum::<u64>());
            for (a, b) in once.records.iter().zip(&twice.records) {
                let counts =
                    |r: &Record| (r.call, r.end, r.messages, r.asks, r.prompts, r.entries, r.exposed, r.incidents);
                assert_eq!(counts(a), counts(b), "swarm-{seed}: {a:?}\n{b:?}");
                let call = a.call;
                for (a, b) in [(a.arrived, b.arrived), (a.ended, b.ended)] {
                    assert!(b.ns().abs_diff(2 * a.ns()) <= most, "swarm-{seed} call {call}: {a} is not half of {b}");
                }
            }
        }
    }
}

#[test]
fn m2_the_names_of_the_instances_change_nothing() {
    for scenario in swarm::scenarios() {
        let names = (0..scenario.fleet.instances.len()).rev().map(|place| format!("other {place}")).collect();
        let fleet = Fleet { instances: names, ..scenario.fleet.clone() };
        let renamed = Scenario { fleet, ..scenario.clone() };
        assert_eq!(run(&scenario), run(&renamed), "{}", scenario.name);
    }
}

#[test]
fn m4_people_who_answer_at_once_make_both_designs_the_same() {
    for (place, scenario) in swarm::scenarios().enumerate() {
        let people = People { think: nothing(), silent: 0.0, ..scenario.people.clone() };
        let poisson = Arrivals::Poisson { rate_per_s: 0.4 };
        let traced = matches!(scenario.arrivals, Arrivals::Trace(_));
        let arrivals = if traced { poisson } else { scenario.arrivals.clone() };
        let run_from_empty = Run { start: Start::Empty, ..scenario.run.clone() };
        // What a client does by itself takes time too, what it declares with its answers is for one design, and an
        // effect before a question is repeated in one unless it is recorded.
        let prompt =
            |kind: &ClientKind| ClientKind { on_ask: OnAsk::Show, declares_on_retry: kind.declares, ..kind.clone() };
        let scenario = with_kinds(&scenario, prompt);
        let tool = Tool { effects_in_state: true, ..scenario.tool.clone() };
        let scenario = Scenario { tool, ..scenario };
        let scenario = without_work(Scenario { run: run_from_empty, people, arrivals, ..scenario });
        // Calls of one instant could meet in a waiting line, and a parked call of no length would hold its thread there.
        let scenario = with_ample_threads(scenario);
        // A page takes time, and what is done to a state is for one design.
        let scenario = without_attacks(&scenario);
        let scenario = match place % 2 {
            _ if facts::asks_by_link(&scenario) => Scenario { faults: Vec::new(), ..with_instances(&scenario, 1) },
            0 => Scenario { faults: Vec::new(), ..with_instances(&scenario, 1) },
            // Calls of one instant would meet in the count of connections, too.
            _ if matches!(scenario.arrivals, Arrivals::At(_)) => with_balancer(scenario, Policy::Random, true),
            _ => with_balancer(scenario.clone(), scenario.balancer.policy, true),
        };
        let cells = run(&scenario);
        // Answers of one round are one message or several.
        let one_by_one = scenario.tool.body == Body::BookTrip;
        // While a page is open, one design has the call parked.
        let takes_time = facts::asks_by_link(&scenario);
        let without_state = |record: Record| {
            let (messages, answers, answers_home) =
                if one_by_one { (0, 0, 0) } else { (record.messages, record.answers, record.answers_home) };
            let parked_ns = if takes_time { 0 } else { record.parked_ns };
            Record { state_bytes: 0, messages, answers, answers_home, parked_ns, ..record }
        };
        let waiting = of(&cells, Design::Waiting).into_iter().map(without_state);
        let carrying = of(&cells, Design::Carrying).into_iter().map(without_state);
        for (waiting, carrying) in waiting.zip(carrying) {
            assert_eq!(waiting, carrying, "{}", scenario.name);
        }
    }
}

#[test]
fn m5_waiting_on_one_instance_without_faults_or_patience_loses_nothing() {
    for scenario in swarm::scenarios() {
        let clients = Clients { patience: None, ..scenario.clients.clone() };
        let scenario = Scenario { clients, faults: Vec::new(), ..with_instances(&scenario, 1) };
        for cell in run(&scenario).iter().filter(|cell| cell.design == Design::Waiting) {
            assert!(cell.tally.ends.keys().all(|end| !is_misfortune(end)), "{}: {:?}", scenario.name, cell.tally.ends);
        }
    }
}

#[test]
fn m7_with_a_shared_key_and_somebody_always_up_carrying_loses_nothing_to_deaths() {
    for scenario in swarm::scenarios() {
        let state = State { keys: Keys::Shared, ttl: None, ..scenario.state.clone() };
        let instances = with_instances(&scenario, 4);
        let balancer = Balancer { redispatch: true, ..instances.balancer.clone() };
        let mut faults = Vec::new();
        for fault in &scenario.faults {
            let (Fault::Kill { at, .. } | Fault::StoreOutage { at, .. }) = *fault else { continue };
            faults.push(Fault::Kill { at, select: Select::Count(2), restart_after: Some(Duration::ZERO) });
        }
        let scenario = without_work(with_ample_threads(Scenario { state, balancer, faults, ..instances }));
        let mut scenario = without_attacks(&with_shared_sign_ins(&scenario));
        // A server that holds a call for its page does not carry it.
        if scenario.links.unfinished == Unfinished::Block {
            scenario.links.unfinished = Unfinished::Manual;
        }
        for record in of(&run(&scenario), Design::Carrying) {
            let in_time = record.end.outcome != Outcome::TimedOut;
            assert!(!(in_time && is_misfortune(&record.end)), "{}: {record:?}", scenario.name);
            assert_ne!(record.end.cause, Some(Cause::Crash), "{}: {record:?}", scenario.name);
        }
    }
}

#[test]
fn m8_both_designs_meet_the_same_people() {
    for scenario in swarm::scenarios() {
        let cells = run(&scenario);
        let people = |design| {
            let person = |r: Record| (r.call, r.arrived, r.think_ns, r.action, r.amount, r.client);
            of(&cells, design).into_iter().map(person).collect::<Vec<_>>()
        };
        assert_eq!(people(Design::Waiting), people(Design::Carrying), "{}", scenario.name);
    }
}

/// The scenario with routing under which no call can change what happens to another.
fn each_for_itself(scenario: Scenario) -> Scenario {
    let clients = Clients { on_broken: OnBroken::Fail, ..scenario.clients.clone() };
    let scenario = with_a_person_each(&scenario);
    with_balancer(with_ample_threads(Scenario { clients, ..scenario }), Policy::Random, true)
}

/// Entries that a call can have made, each counted once, before a person was asked.
fn before_the_first_ask(scenario: &Scenario, record: &Record) -> u32 {
    let path = facts::path(scenario, record.amount);
    // A client answers for its roots by itself.
    let by_person = |&ask: &u8| scenario.tool.definition.ask(ask).needs != Capability::Roots;
    let asks = |does: &facts::Does| matches!(does, facts::Does::Ask(asks) if asks.iter().any(by_person));
    facts::posts_at(&path, asks).first().copied().unwrap_or(facts::posts(&path))
}

#[test]
fn m12_a_call_that_everybody_declines_makes_no_entry_behind_the_first_question() {
    for scenario in swarm::scenarios().filter(|scenario| !matches!(scenario.arrivals, Arrivals::Trace(_))) {
        let decide = Decide { accept: 0.0, decline: 1.0, cancel: 0.0 };
        let amount = Distribution::constant(500.0).expect("500 is a constant");
        // Under these nobody needs to be asked.
        let passes = facts::passes(&scenario) || scenario.clients.model.truthful < 1.0;
        let unable = if passes { Unable::Reject } else { scenario.tool.unable };
        let tool = Tool { amount, unable, ..scenario.tool.clone() };
        let people = People { decide, ..scenario.people.clone() };
        let scenario = Scenario { tool, people, ..scenario.clone() };
        let asks = scenario.tool.definition.asks.iter().any(|ask| ask.needs != Capability::Roots);
        for record in run(&scenario).iter().flat_map(|cell| &cell.records) {
            let first = record.entries - record.entries_again - record.incidents.count(Incident::EntryReplayed);
            assert!(first <= before_the_first_ask(&scenario, record), "{}: {record:?}", scenario.name);
            assert!(!asks || record.end.outcome != Outcome::Completed, "{}: {record:?}", scenario.name);
        }
    }
}

#[test]
fn m12_a_client_that_cannot_be_asked_makes_no_entry_behind_the_first_question_and_is_never_prompted() {
    for scenario in swarm::scenarios() {
        let stands_in = facts::passes(&scenario) || facts::asks_beside(&scenario);
        let tool =
            Tool { unable: if stands_in { Unable::Reject } else { scenario.tool.unable }, ..scenario.tool.clone() };
        let scenario = with_kinds(&Scenario { tool, ..scenario.clone() }, deaf);
        for record in run(&scenario).iter().flat_map(|cell| &cell.records) {
            assert_eq!((record.prompts, record.asks), (0, 0), "{}: {record:?}", scenario.name);
            // Not even for its roots.
            let path = facts::path(&scenario, record.amount);
            let most = facts::posts_at(&path, |does| matches!(does, facts::Does::Ask(_))).first().copied();
            assert!(record.entries <= most.unwrap_or(facts::posts(&path)), "{}: {record:?}", scenario.name);
        }
    }
}

#[test]
fn m14_a_carried_call_ends_the_same_however_many_instances_share_the_key() {
    for scenario in swarm::scenarios() {
        let state = State { keys: Keys::Shared, ..scenario.state.clone() };
        // A sign-in or a list of used states that one process keeps makes a fleet of it.
        let scenario = without_attacks(&with_shared_sign_ins(&Scenario { state, faults: Vec::new(), ..scenario }));
        let scenario = with_balancer(with_ample_threads(without_work(scenario)), Policy::Random, false);
        let records = |count| -> Vec<Record> {
            of(&run(&with_instances(&scenario, count)), Design::Carrying).iter().map(nowhere).collect()
        };
        let one = records(1);
        assert!(one == records(2) && one == records(5), "{}", scenario.name);
    }
}

#[test]
fn m15_sticky_answers_come_home_and_a_fleet_with_ample_threads_is_one_instance() {
    for scenario in swarm::scenarios() {
        let scenario = without_attacks(&with_shared_sign_ins(&Scenario { faults: Vec::new(), ..scenario }));
        let sticky = with_balancer(scenario, Policy::LeastConnections, true);
        let records = of(&run(&sticky), Design::Waiting);
        assert!(records.iter().all(|record| record.end.cause != Some(Cause::Misrouted)), "{}", sticky.name);
        assert!(records.iter().all(|record| record.first_instance == record.last_instance), "{}", sticky.name);
        let ample = with_ample_threads(sticky);
        for design in Design::PURE {
            let records =
                |scenario: &Scenario| -> Vec<Record> { of(&run(scenario), design).iter().map(nowhere).collect() };
            // One instance has one key, so a shared key is the same as its own.
            assert_eq!(records(&ample), records(&with_instances(&ample, 1)), "{} {}", ample.name, design.name());
        }
    }
}

#[test]
fn real_checked_and_symbolic_signatures_give_the_same_results_byte_for_byte() {
    for scenario in swarm::scenarios() {
        let tallies = |signing| {
            let state = State { signing, ..scenario.state.clone() };
            let cells = run(&Scenario { state, ..scenario.clone() });
            let tallies: Vec<_> = cells.iter().map(|cell| &cell.tally).collect();
            serde_json::to_string(&tallies).expect("a tally is plain data")
        };
        let real = tallies(Signing::Real);
        assert_eq!(real, tallies(Signing::Checked), "{}", scenario.name);
        assert_eq!(real, tallies(Signing::Symbolic), "{}", scenario.name);
    }
}
