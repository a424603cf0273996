//! What a design costs: how many instances hold what it needs most of the time, what they cost, and what each thousand
//! completed calls cost with that. A fleet is sized once, from the mean of what its replications needed.

use std::collections::BTreeMap;

use serde::Serialize;

use super::figure::{Measure, measure};
use crate::metrics::{Outcome, Sized, Tally};
use crate::scenario::{Bill, Scenario};

/// What a fleet can run out of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Resource {
    /// Worker threads.
    Threads,
    /// Memory.
    Memory,
    /// File descriptors.
    Descriptors,
    /// Time of cores.
    Cpu,
}

impl Resource {
    /// Every resource, in the order of tables.
    pub const ALL: [Resource; 4] = [Resource::Threads, Resource::Memory, Resource::Descriptors, Resource::Cpu];

    /// Name in tables and files.
    pub fn name(self) -> &'static str {
        match self {
            Resource::Threads => "threads",
            Resource::Memory => "memory",
            Resource::Descriptors => "descriptors",
            Resource::Cpu => "cpu",
        }
    }
}

/// The bill of one design.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BillSummary {
    /// Instances that each resource asks for; only resources that are limited.
    pub needed: BTreeMap<Resource, Measure>,
    /// The resource that asks for most.
    pub decided_by: Resource,
    /// Instances: what that asks for, rounded up, and the fewest that are run at least.
    pub instances: u64,
    /// Hours of instances in the window, of so many instances.
    pub instance_hours: f64,
    /// Hours of processes that the simulated fleet ran in the window, by address.
    pub ran_hours: Measure,
    /// Memory that the fleet takes for what it holds most of the time, bytes.
    pub memory_bytes: Measure,
    /// Connections at the balancer that do most of the time.
    pub connections: Measure,
    /// Bytes on the wire.
    pub wire_bytes: Measure,
    /// Time of cores, seconds.
    pub cpu_s: Measure,
    /// Money for an hour of the instances.
    pub per_hour: f64,
    /// Money for each thousand completed calls, wire included; none where none completed.
    pub per_1000_completed: Option<Measure>,
}

impl BillSummary {
    /// The bill of a design, if the scenario wants one; from finished replications.
    pub(super) fn of(scenario: &Scenario, tallies: &[&Tally]) -> Option<BillSummary> {
        let bill = scenario.bill?;
        if tallies.is_empty() {
            return None;
        }
        let hours = scenario.run.horizon.since(scenario.run.warm_up).as_secs_f64() / 3600.0;
        let of = |value: &dyn Fn(&Tally, &Sized) -> f64| {
            measure(tallies, |tally| tally.sized.as_ref().map_or(0.0, |sized| value(tally, sized)))
        };
        let memory = |sized: &Sized| {
            let held = scenario.fleet.memory;
            u64::from(sized.parked) * held.per_parked + u64::from(sized.sessions) * held.per_session
        };
        let mut needed = BTreeMap::new();
        for resource in Resource::ALL {
            let Some(each) = capacity(&bill, scenario, resource) else { continue };
            let per_descriptor = f64::from(scenario.fleet.descriptors_per_call);
            let measured = of(&|tally, sized| match resource {
                Resource::Threads => f64::from(sized.threads_held) / each,
                Resource::Memory => memory(sized) as f64 / each,
                Resource::Descriptors => f64::from(sized.open) * per_descriptor / each,
                Resource::Cpu => tally.working.mean / each,
            });
            needed.insert(resource, measured);
        }
        let by_need =
            |a: &(&Resource, &Measure), b: &(&Resource, &Measure)| a.1.mean.total_cmp(&b.1.mean).then(b.0.cmp(a.0));
        let (&decided_by, most) = needed.iter().max_by(by_need).expect("cores are limited");
        let instances = (libm::ceil(most.mean) as u64).max(u64::from(bill.least));
        let per_hour = instances as f64 * bill.instance;
        let wire = |tally: &Tally| tally.messages as f64 * bill.message as f64 + tally.state_bytes as f64;
        let money = |tally: &Tally| per_hour * hours + wire(tally) / 1e9 * bill.gigabyte;
        let completed = |tally: &Tally| tally.count(Outcome::Completed) as f64;
        let all_completed = tallies.iter().all(|tally| completed(tally) > 0.0);
        let workers = f64::from(scenario.fleet.workers);
        Some(BillSummary {
            decided_by,
            instances,
            instance_hours: instances as f64 * hours,
            ran_hours: of(&|tally, _| tally.processes.mean / workers * hours),
            memory_bytes: of(&|_, sized| memory(sized) as f64),
            connections: of(&|_, sized| f64::from(sized.open) * f64::from(scenario.balancer.connections_per_call)),
            wire_bytes: measure(tallies, |tally| wire(tally)),
            cpu_s: measure(tallies, |tally| tally.working.mean * hours * 3600.0),
            per_hour,
            per_1000_completed: all_completed.then(|| measure(tallies, |tally| money(tally) / completed(tally) * 1e3)),
            needed,
        })
    }
}

/// What one instance has of a resource; none where it is not limited. An empty process takes its memory first.
fn capacity(bill: &Bill, scenario: &Scenario, resource: Resource) -> Option<f64> {
    match resource {
        Resource::Threads => bill.threads.map(f64::from),
        Resource::Memory => bill.memory.map(|memory| memory.saturating_sub(scenario.fleet.memory.base).max(1) as f64),
        Resource::Descriptors => bill.descriptors.map(f64::from),
        Resource::Cpu => Some(bill.cores * bill.utilisation),
    }
}
