//! The work of many waiting people: an open Poisson stream of calls, each parked for 30 s on average. Prints logical
//! events per second (arrival, question, answer, end: four per call) and peak memory per parked call for both designs.
//!
//! `cargo bench` measures 1,000 and 100,000 parked; `cargo bench -- 1000000` measures the given number instead. Each is
//! measured without a patience of the clients and with one of five minutes, which hardly anybody reaches.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::process::Command;

use parked::era::Design;
use parked::experiment::simulate;
use parked::scenario::{NoFiles, Scenario, Source, parse};

/// Calls per measurement and per person waiting at once.
const CALLS: u64 = 600_000;
const CALLS_PER_PARKED: u64 = 3;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    // Each measurement is a process of its own, since the peak memory of a process never falls.
    if let [mode, parked, design, patience] = &words[..]
        && mode == "measure"
    {
        return measure(parked.parse().expect("a number"), design, patience);
    }
    let sizes = if words.is_empty() { vec!["1000".to_owned(), "100000".to_owned()] } else { words };
    println!("{:>10}  {:<9} {:<9} million events/s  ns/event  bytes per parked", "parked", "design", "patience");
    for parked in &sizes {
        for (design, patience) in Design::PURE.into_iter().flat_map(|design| [(design, "none"), (design, "5m")]) {
            let this = std::env::current_exe().expect("this program has a path");
            let ran = Command::new(this).args(["measure", parked, design.name(), patience]).status();
            assert!(ran.expect("this program can be started").success());
        }
    }
}

fn measure(parked: u64, name: &str, patience: &str) {
    let scenario = scenario(parked, patience);
    let design = Design::PURE.into_iter().find(|design| design.name() == name).expect("the name of a design");
    let at_rest = peak_memory();
    let began = now();
    let tally = simulate(&scenario, design, 0, &mut ()).expect("nobody interrupts");
    let seconds = began.elapsed().as_secs_f64();
    let per_event = seconds * 1e9 / tally.events as f64;
    let speed = 1e3 / per_event;
    let memory = peak_memory().zip(at_rest).map_or("-".to_owned(), |(peak, rest)| ((peak - rest) / parked).to_string());
    println!("{parked:>10}  {name:<9} {patience:<9} {speed:>16.2}  {per_event:>8.0}  {memory:>16}");
}

fn scenario(parked: u64, patience: &str) -> Scenario {
    let calls = CALLS.max(CALLS_PER_PARKED * parked);
    let text = format!(
        r#"
        format = 1
        name = "parked-calls"
        run.horizon = "{horizon}s"
        arrivals.poisson.rate = "{rate}/s"
        people = {{ think.exponential.mean = "30s", decide = {{ accept = 1.0, decline = 0.0, cancel = 0.0 }} }}
        clients.patience = "{patience}"
        balancer.stickiness = "learned"
        fleet = {{ instances = {instances}, threads = 3000 }}
        state.ttl = "1h"
        "#,
        horizon = calls * 30 / parked,
        rate = parked as f64 / 30.0,
        instances = (parked / 1000).max(10),
    );
    let source = Source { name: "parked-calls".to_owned(), text };
    parse(source, &[], &NoFiles).unwrap_or_else(|invalid| panic!("{}", invalid.render(false)))
}

#[expect(clippy::disallowed_methods, reason = "a bench measures time; no result depends on it")]
fn now() -> std::time::Instant {
    std::time::Instant::now()
}

/// Peak resident memory of this process so far, bytes; known on Linux only.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}
