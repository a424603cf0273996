//! Claims about the bill: each price, each capacity and each floor is seen in it.

use parked::era::Design::{self, Carrying, Waiting};
use parked::experiment::{BillSummary, Resource, Summary};

use parked::scenario::Scenario;

use super::super::common::{run, scenario};

/// Sixty calls, one a second, whose people think for ten seconds: ten are parked from the tenth second on.
const STEADY: &str = "arrivals.constant.rate = \"1/s\"\nrun = { horizon = \"70s\", warm_up = \"10s\" }\nreplications = 2\n\
                      people.think.constant = \"10s\"\npeople.decide = { accept = 1.0, decline = 0.0, cancel = 0.0 }\n\
                      tool.work_before.constant = \"100ms\"\ntool.work_after.constant = \"100ms\"\n\
                      balancer.stickiness = \"cookie\"\nfleet.threads = \"unlimited\"\n";

fn bill(design: Design, lines: &str) -> BillSummary {
    let scenario = scenario(&format!("{STEADY}{lines}"));
    Summary::of(&scenario, &run(&scenario)).points[0].designs[&design].bill.clone().expect("there are prices")
}

#[test]
pub fn the_bill_is_for_what_is_held_most_of_the_time_and_for_the_time_of_cores() {
    let waiting = bill(Waiting, "bill = { threads = 4, least = 1 }\n");
    // Ten parked and one that works on top for a fifth of the time: eleven for 0.999 of it, ten for half of it.
    assert_eq!(waiting.needed[&Resource::Threads].mean, 11.0 / 4.0);
    assert_eq!((waiting.decided_by, waiting.instances), (Resource::Threads, 3));
    let half = bill(Waiting, "bill = { threads = 4, least = 1, quantile = 0.5 }\n");
    assert_eq!(half.needed[&Resource::Threads].mean, 10.0 / 4.0);
    // A fifth of a core for each call a second, and half as much again where the first part runs twice.
    // Of the call at the end of the window nothing has run, and of the one that answers then no second part.
    assert!((waiting.cpu_s.mean - 11.9).abs() < 1e-9);
    assert!((waiting.needed[&Resource::Cpu].mean - 11.9 / 60.0 / 1.2).abs() < 1e-12);
    let carrying = bill(Carrying, "bill = { threads = 4, least = 1 }\n");
    assert!((carrying.cpu_s.mean - 17.8).abs() < 1e-9, "{}", carrying.cpu_s.mean);
    assert_eq!(carrying.instances, 1);
    let slow = bill(Carrying, "bill = { threads = \"unlimited\", cores = 0.5, utilisation = 0.2, least = 1 }\n");
    assert_eq!((slow.decided_by, slow.instances, slow.needed.len()), (Resource::Cpu, 3, 2));
}

#[test]
pub fn memory_and_descriptors_ask_for_instances_like_threads() {
    let held = "fleet.memory = { base = \"20kB\", per_parked = \"10kB\" }\n";
    let small = bill(Waiting, &format!("{held}bill = {{ threads = \"unlimited\", memory = \"50kB\" }}\n"));
    let needed = small.needed[&Resource::Memory].mean;
    assert!((needed - 110_000.0 / 30_000.0).abs() < 0.4 && small.instances == libm::ceil(needed) as u64, "{needed}");
    assert_eq!(small.memory_bytes.mean, needed * 30_000.0);
    let few = bill(Waiting, "fleet.descriptors_per_call = 2\nbill = { threads = \"unlimited\", descriptors = 4 }\n");
    assert_eq!((few.needed[&Resource::Descriptors].mean, few.decided_by), (11.0 * 2.0 / 4.0, Resource::Descriptors));
    let none = bill(Waiting, "bill = { memory = \"unlimited\" }\n");
    assert!(!none.needed.contains_key(&Resource::Memory) && !none.needed.contains_key(&Resource::Descriptors));
}

#[test]
pub fn an_instance_and_a_gigabyte_cost_what_they_cost() {
    let plain = bill(Waiting, "bill = { instance = 6.0 }\n");
    assert_eq!((plain.instances, plain.per_hour), (2, 12.0), "two are run at least");
    // A minute of two instances for sixty calls: 0.2 for 60, and so 3.33 for a thousand.
    let hours = 60.0 / 3600.0;
    assert!((plain.instance_hours - 2.0 * hours).abs() < 1e-12 && (plain.ran_hours.mean - 3.0 * hours).abs() < 1e-12);
    let each = |bill: &BillSummary| bill.per_1000_completed.expect("calls completed").mean;
    let calls = 12.0 * hours / each(&plain) * 1e3;
    assert!((calls - 61.0).abs() < 1e-9, "those from the tenth second to the seventieth: {calls}");
    let six = bill(Waiting, "bill = { instance = 6.0, least = 6 }\n");
    assert!((each(&six) / each(&plain) - 3.0).abs() < 1e-12);
    // Two messages of each call, of a thousand bytes with their replies, and a state twice.
    let wire = bill(Waiting, "bill = { instance = 0.0, gigabyte = 1e6, message = \"1kB\" }\n");
    assert!((wire.wire_bytes.mean - 61.0 * 2000.0).abs() < 1e-9 && (each(&wire) - 2000.0).abs() < 1e-9);
    let carried = bill(Carrying, "bill = { instance = 0.0, gigabyte = 1e6, message = \"0B\" }\n");
    assert!(carried.wire_bytes.mean > 0.0 && (each(&carried) - carried.wire_bytes.mean / 61.0).abs() < 1e-9);
}

/// Thread time of one asked call without work of its own, ms, and memory of one that is parked, KiB, under a preset.
fn measured(preset: &str, design: Design, handshake: &str, calls_per_session: u32) -> (f64, f64) {
    let calls = calls_per_session.max(2);
    let at: Vec<String> = (0..calls).map(|call| format!("\"{call}s\"")).collect();
    let lines = format!(
        "preset = \"{preset}\"\ndesigns = [\"{}\"]\narrivals.at = [{}]\nrun.horizon = \"3m\"\n\
         people.think.constant = \"60s\"\npeople.decide = {{ accept = 1.0, decline = 0.0, cancel = 0.0 }}\n\
         tool.work_before.constant = \"0s\"\ntool.work_after.constant = \"0s\"\nfleet.instances = 1\n\
         clients = {{ handshake = \"{handshake}\", calls_per_session = {} }}\nbill = {{ quantile = 1.0 }}\n",
        design.name(),
        at.join(", "),
        if handshake == "none" { 1 } else { calls_per_session }
    );
    let scenario = scenario(&lines);
    let summary =
        Summary::of(&Scenario { replications: 1, ..scenario.clone() }, &run(&Scenario { replications: 1, ..scenario }));
    let bill = summary.points[0].designs[&design].bill.clone().expect("there are prices");
    (bill.cpu_s.mean * 1e3 / f64::from(calls), bill.memory_bytes.mean / 1024.0 / f64::from(calls))
}

#[test]
fn presets_reproduce_the_measured_memory_and_time_of_cores_of_a_call() {
    let near = |what: &str, value: f64, from: f64, to: f64| assert!((from..=to).contains(&value), "{what}: {value}");
    let (cpu, memory) = measured("rmcp-3.11", Waiting, "full", 1);
    near("Rust, waiting, session warm, ms", cpu, 0.30, 0.32);
    near("Rust, one call a session, KiB", memory, 117.0, 120.0);
    near("Rust, ten calls a session, KiB", measured("rmcp-3.11", Waiting, "full", 10).1, 47.0, 48.0);
    let (cpu, memory) = measured("rmcp-3.11", Carrying, "full", 1);
    near("Rust, carrying, two legs, ms", cpu, 0.37, 0.51);
    assert_eq!(memory, 0.0);
    let (cpu, memory) = measured("python-2.3", Waiting, "full", 1);
    near("Python, waiting, ms", cpu, 4.1, 4.3);
    assert_eq!(memory, 185.0);
    near("Python, carrying, ms", measured("python-2.3", Carrying, "full", 1).0, 4.1, 4.3);
    assert_eq!(measured("threads", Waiting, "none", 1).1, 72.0);
}
