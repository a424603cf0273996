//! What the further designs have in common with the two that they are made of.

use std::collections::BTreeSet;

use parked::era::Design::{self, Carrying, FanOut, Forwarding, Handle, Shim, Storing, Waiting};
use parked::metrics::{Outcome, Record};
use parked::scenario::Scenario;

use crate::common::{cell, scenario};

const PLAIN: &str = "replications = 1\nrun.horizon = \"20m\"\narrivals.poisson.rate = \"1/s\"\n\
                     people.think.exponential.mean = \"60s\"\nclients.patience = \"none\"\nclients.on_not_found = \"fail\"\n\
                     tool.work_before.constant = \"0s\"\ntool.work_after.constant = \"0s\"\n\
                     fleet.threads = \"unlimited\"\nstate.ttl = \"none\"\n";

fn seeded(seed: u64, lines: &str) -> Scenario {
    Scenario { seed, ..scenario(&format!("{PLAIN}{lines}")) }
}

fn records(scenario: &Scenario, design: Design) -> Vec<Record> {
    cell(scenario, design).records
}

fn not_completed(records: &[Record]) -> BTreeSet<u32> {
    let well =
        |record: &&Record| matches!(record.end.outcome, Outcome::Completed | Outcome::Declined | Outcome::Cancelled);
    records.iter().filter(|record| !well(record)).map(|record| record.call).collect()
}

#[test]
fn at_one_instance_that_never_fails_every_design_ends_the_same_calls_at_the_same_times() {
    for seed in 0..8 {
        let scenario = seeded(seed, "fleet.instances = 1\n");
        let ends = |design| -> Vec<_> {
            records(&scenario, design)
                .iter()
                .map(|record| (record.call, record.end, record.ended, record.entries))
                .collect()
        };
        let waiting = ends(Waiting);
        assert!(waiting.len() > 1000);
        for design in Design::ALL {
            assert_eq!(ends(design), waiting, "{design:?}");
        }
    }
}

/// Deaths, restarts and deploys with a drain, under which whoever is bound to an address stays with it to its end.
fn troubled(seed: u64) -> Scenario {
    seeded(
        seed,
        "fleet.instances = 5\nbalancer = { policy = \"random\", stickiness = \"learned\" }\n\
         fleet.boot = \"10s\"\nfleet.termination = { grace = \"40s\" }\n\
         [[fault]]\ncrash = { mtbf.exponential = { mean = \"10m\" }, repair = \"20s\" }\n\
         [[fault]]\ndeploy = { at = \"7m\", strategy = \"rolling\" }\n\
         [[fault]]\nkill = { at = \"15m\", select = \"count:2\", restart_after = \"1s\" }\n",
    )
}

#[test]
fn a_continuation_under_a_handle_is_lost_exactly_where_a_waiting_call_is() {
    let mut lost = 0;
    for seed in 0..50 {
        let scenario = troubled(seed);
        let [waiting, handle] = [Waiting, Handle].map(|design| not_completed(&records(&scenario, design)));
        assert_eq!(handle, waiting, "seed {seed}");
        lost += waiting.len();
    }
    assert!(lost > 1000, "only {lost} calls were lost");
}

#[test]
fn what_is_kept_under_a_handle_is_parked_and_opens_nothing() {
    let scenario = troubled(7);
    let [waiting, handle, carrying] = [Waiting, Handle, Carrying].map(|design| cell(&scenario, design).tally);
    assert!(handle.parked.mean > 30.0 && handle.open.peak < waiting.open.peak / 4 && handle.threads_held.peak < 10);
    assert_eq!((carrying.parked.peak, handle.open.mean), (0, 0.0), "without work nothing is open for any time");
}

#[test]
fn under_random_routing_without_stickiness_a_handle_is_home_once_in_n_and_once_in_n_squared_twice() {
    let lines = "fleet.instances = 3\nbalancer.policy = \"random\"\nrun.horizon = \"1h\"\n\
                 people.decide = { accept = 1.0, decline = 0.0, cancel = 0.0 }\ntool.body = \"transfer_funds\"\n";
    let scenario = seeded(1, &lines.replace("run.horizon = \"1h\"\n", ""));
    let all = records(&scenario, Handle);
    let (asked_twice, done) = (
        all.iter().filter(|r| r.prompts == 2).count(),
        all.iter().filter(|r| r.end.outcome == Outcome::Completed).count(),
    );
    for (what, count, share) in [("first answer home", asked_twice, 1.0 / 3.0), ("both home", done, 1.0 / 9.0)] {
        let (count, of) = (count as f64, all.len() as f64);
        assert!((count - share * of).abs() < 5.0 * (of * share * (1.0 - share)).sqrt(), "{what}: {count} of {of}");
    }
}

#[test]
fn a_store_or_a_relay_saves_every_stray_answer_while_all_is_up() {
    for seed in 0..8 {
        let scenario = seeded(seed, "fleet.instances = 4\n");
        assert!(not_completed(&records(&scenario, Waiting)).len() > 500);
        for design in [Forwarding, FanOut, Storing, Carrying] {
            assert_eq!(not_completed(&records(&scenario, design)), BTreeSet::new(), "{design:?}");
        }
    }
}

#[test]
fn a_durable_store_that_is_up_loses_no_call_to_deaths_and_a_relay_loses_those_that_waiting_loses() {
    for seed in 0..20 {
        let scenario = troubled(seed);
        let [waiting, forwarding, storing] =
            [Waiting, Forwarding, Storing].map(|design| not_completed(&records(&scenario, design)));
        assert_eq!(forwarding, waiting, "seed {seed}");
        let unreachable = not_completed(&records(&scenario, Carrying));
        assert_eq!(storing, unreachable, "seed {seed}: what meets nobody fails under both");
    }
}

#[test]
fn losses_of_a_shim_are_those_of_waiting_among_its_old_clients() {
    for seed in 0..20 {
        let mix =
            "clients.mix = [{ name = \"old\", share = 0.3, speaks = \"earlier\" }, { name = \"new\", share = 0.7 }]\n";
        let shimmed = Scenario {
            seed,
            ..scenario(&format!(
                "designs = [\"waiting\", \"shim\"]\n{PLAIN}{mix}fleet.instances = 5\nbalancer = {{ policy = \"random\", stickiness = \"learned\" }}\n[[fault]]\nkill = {{ at = \"10m\", select = \"count:2\", restart_after = \"0s\" }}\n"
            ))
        };
        let old = |records: &[Record]| -> BTreeSet<u32> {
            let lost = not_completed(records);
            records
                .iter()
                .filter(|record| record.client == 0 && lost.contains(&record.call))
                .map(|record| record.call)
                .collect()
        };
        let [waiting, shim] = [Waiting, Shim].map(|design| records(&shimmed, design));
        assert_eq!(old(&shim), old(&waiting), "seed {seed}");
        assert_eq!(not_completed(&shim), old(&shim), "seed {seed}: no modern client loses anything");
    }
}
