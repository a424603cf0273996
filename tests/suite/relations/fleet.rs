//! Relations between runs of fleets that die or are changed on purpose.

use std::time::Duration;

use parked::era::Design;
use parked::metrics::{Outcome, Record};
use parked::random::Distribution;
use parked::scenario::{
    Arrivals, Attacks, Detection, Fault, Fleet, Keys, Scenario, Select, State, Strategy, Termination, Unfinished,
};
use parked::world::Cause;

use super::{of, with_ample_threads, without_work};
use crate::common::{run, scenario};
use crate::invariants::swarm;

/// A scenario of the swarm of fleets whose bodies take no time, with one key and states that live for ever, in which the
/// first address is never told to go and never dies.
fn with_one_always_up(seed: u64) -> Scenario {
    let scenario = with_ample_threads(without_work(swarm::fleet::scenario(seed)));
    let mut faults: Vec<Fault> = Vec::new();
    for fault in &scenario.faults {
        match fault {
            // Whoever comes up beside is up before anybody goes.
            Fault::Deploy { at, every, batch, .. } => {
                faults.push(Fault::Deploy { at: *at, every: *every, batch: *batch, strategy: Strategy::Surge });
            }
            Fault::Kill { at, restart_after, .. } => {
                let select = Select::Instance(scenario.fleet.instances.len() as u32 / scenario.fleet.workers - 1);
                faults.push(Fault::Kill { at: *at, select, restart_after: *restart_after });
            }
            Fault::Scale { .. } | Fault::StoreOutage { .. } | Fault::StoreCrash { .. } | Fault::Deaf { .. } => {
                faults.push(fault.clone());
            }
            Fault::Crash { .. } | Fault::Reclaim { .. } => {}
        }
    }
    let mut scenario = Scenario { faults, ..scenario };
    scenario.fleet.termination.removal_lag = Duration::ZERO;
    scenario.fleet.start_spread = Duration::ZERO;
    scenario.fleet.spare += 64;
    // A smaller fleet could be one of those that are killed, and no other.
    let shrinks =
        scenario.fleet.scaling.is_some() || scenario.faults.iter().any(|of| matches!(of, Fault::Scale { .. }));
    if shrinks || scenario.fleet.instances.len() as u32 / scenario.fleet.workers < 2 {
        scenario.faults.retain(|fault| !matches!(fault, Fault::Kill { .. }));
    }
    scenario.balancer.redispatch = true;
    // A balancer that checks whoever comes up has nobody for a while where a deploy is faster than its checks.
    scenario.balancer.detection = Detection::Lag(Duration::ZERO);
    scenario.balancer.weights = Vec::new();
    // A server that holds a call for its page has something to lose.
    if scenario.links.unfinished == Unfinished::Block {
        scenario.links.unfinished = Unfinished::Manual;
    }
    scenario.state = State { ttl: None, keys: Keys::Shared, rotation: None, ..scenario.state };
    scenario.attack = Attacks { tampered: 0.0, stolen: 0.0, other_call: 0.0, late: 0.0, replayed: 0.0, times: 1 };
    scenario
}

#[test]
fn m7_with_one_key_and_somebody_up_no_carried_call_is_lost_to_the_fleet() {
    let (mut compared, mut lost_when_waiting) = (0, 0);
    for seed in 0..swarm::MANY {
        let scenario = with_one_always_up(seed);
        let cells = run(&scenario);
        for record in of(&cells, Design::Carrying) {
            compared += 1;
            let by_fleet = [Cause::Crash, Cause::Drain, Cause::ScaleIn, Cause::Reclaimed, Cause::WrongKey];
            let blamed = record.end.cause.is_some_and(|cause| by_fleet.contains(&cause));
            assert!(!blamed, "{}: call {} ends {}", scenario.name, record.call, record.end);
        }
        lost_when_waiting +=
            of(&cells, Design::Waiting).iter().filter(|record| record.end.outcome == Outcome::Lost).count();
    }
    assert!(compared > 1000 && lost_when_waiting > 100, "{compared} calls, {lost_when_waiting} lost when waiting");
}

/// So many calls at the start, each alone at a process that starts with it.
fn isolated(calls: usize, mtbf_s: f64) -> Vec<Record> {
    let mut isolated = scenario(&format!(
        "run.horizon = \"1h\"\nreplications = 1\narrivals.at = [\"0s\"]\npeople.think.lognormal = {{ mean = \"60s\", sigma = \
         1.2 }}\nclients.patience = \"none\"\nfleet = {{ instances = {calls}, threads = \"unlimited\" }}\n\
         balancer.stickiness = \"cookie\"\nstate.ttl = \"none\"\n"
    ));
    isolated.arrivals = Arrivals::At(vec![parked::engine::SimTime::ZERO; calls]);
    let mtbf = Distribution::exponential(mtbf_s).expect("a mean above nought");
    let repair = Distribution::constant(0.0).expect("nought is a constant");
    isolated.faults = vec![Fault::Crash { mtbf, repair }];
    of(&run(&isolated), Design::Waiting)
}

#[test]
fn m10_rarer_crashes_on_the_same_draws_never_lose_an_isolated_call_more() {
    let is_lost = |record: &Record| record.end.outcome == Outcome::Lost;
    let mut before: Option<Vec<Record>> = None;
    for mtbf_s in [30.0, 60.0, 200.0, 1000.0] {
        let records = isolated(5000, mtbf_s);
        if let Some(before) = &before {
            let pairs = || before.iter().zip(&records);
            assert!(pairs().all(|(often, rarely)| is_lost(often) || !is_lost(rarely)), "{mtbf_s} s");
            assert!(pairs().any(|(often, rarely)| is_lost(often) && !is_lost(rarely)), "{mtbf_s} s changed nothing");
        }
        before = Some(records);
    }
}

/// A fleet that is replaced all at once again and again with no time to drain, in which each deploy makes a key.
fn replaced_at_once(seed: u64) -> Scenario {
    let mut scenario = scenario(&format!(
        "seed = {seed}\nreplications = 2\nrun.horizon = \"30m\"\narrivals.poisson.rate = \"1/s\"\n\
         clients.patience = \"none\"\nbalancer.stickiness = \"cookie\"\n\
         fleet = {{ instances = 4, threads = \"unlimited\", termination = {{ grace = \"0s\" }} }}\n\
         state = {{ ttl = \"none\", keys = \"per-deploy\" }}\n\
         fault = [{{ deploy = {{ at = \"301s\", every = \"7m\", strategy = \"blue-green\" }} }}]\n"
    ));
    scenario.fleet = Fleet { boot: Duration::from_secs(seed % 3), ..scenario.fleet };
    without_work(scenario)
}

#[test]
fn m11_a_key_minted_at_each_deploy_refuses_the_very_calls_that_no_drain_loses() {
    let mut refused_in_all = 0;
    for seed in 0..swarm::MANY {
        let cells = run(&replaced_at_once(seed));
        let calls = |design, outcome, cause| -> Vec<(usize, u32)> {
            let of_design = cells.iter().filter(|cell| cell.design == design).enumerate();
            let all = of_design.flat_map(|(place, cell)| cell.records.iter().map(move |record| (place, record)));
            let hit = all.filter(|(_, record)| record.end.outcome == outcome && record.end.cause == Some(cause));
            hit.map(|(place, record)| (place, record.call)).collect()
        };
        let lost = calls(Design::Waiting, Outcome::Lost, Cause::Drain);
        let refused = calls(Design::Carrying, Outcome::Refused, Cause::WrongKey);
        assert_eq!(lost, refused, "seed {seed}");
        refused_in_all += refused.len();
    }
    assert!(refused_in_all > 10_000, "{refused_in_all}");
}

/// M9 for drains: more time to drain, on the same people, loses no call that less time saves.
#[test]
fn m9_a_longer_drain_never_loses_a_call_that_a_shorter_one_saves() {
    for strategy in [Strategy::Rolling, Strategy::Surge, Strategy::BlueGreen] {
        let lost = |grace_s: u64| -> Vec<(u32, bool)> {
            let mut scenario = scenario(
                "replications = 1\nrun.horizon = \"20m\"\narrivals.poisson.rate = \"2/s\"\nclients.patience = \"none\"\n\
                 balancer.stickiness = \"cookie\"\nfleet = { instances = 1, threads = \"unlimited\" }\n\
                 state.ttl = \"none\"\nfault = [{ deploy = { at = \"10m\" } }]\n",
            );
            scenario.fleet.termination =
                Termination { grace: Duration::from_secs(grace_s), ..scenario.fleet.termination };
            scenario.faults = vec![Fault::Deploy {
                at: parked::engine::SimTime::from_ns(600_000_000_000),
                every: None,
                strategy,
                batch: 1,
            }];
            scenario.fleet.spare = 2;
            let records = of(&run(&without_work(scenario)), Design::Waiting);
            // Calls that arrive while nobody is there are another matter.
            records.iter().map(|record| (record.call, record.end.outcome == Outcome::Lost)).collect()
        };
        let (mut shorter, mut saved) = (lost(0), 0);
        for grace_s in [10, 60, 300] {
            let longer = lost(grace_s);
            for (before, after) in shorter.iter().zip(&longer) {
                assert!(before.1 || !after.1, "{strategy:?}, {grace_s} s: call {}", after.0);
                saved += u32::from(before.1 && !after.1);
            }
            shorter = longer;
        }
        assert!(saved > 20, "{strategy:?}: {saved}");
    }
}
