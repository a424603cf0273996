//! The floor of speed and memory of the full model, in release builds only. Measured in a process of its own and in time
//! on the processor, so that tests that run beside it neither slow it down by waiting nor add to its memory.

use std::process::Command;

use parked::engine::SimTime;
use parked::era::Design;
use parked::experiment::simulate;
use parked::scenario::{Run, Scenario};
use parked::stats::theory::Think;

use super::in_words;
use crate::common::scenario;

/// Set for the process that measures.
const ALONE: &str = "PARKED_TEST_MEASURES_ALONE";

const OWN_NAME: &str = "oracles::speed::the_full_model_handles_two_million_events_a_second_on_one_core_and_a_parked_call_\
                        takes_at_most_256_bytes";

/// Most memory that this process ever held, bytes; `None` where the system does not say.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib << 10)
}

/// Time that this thread has spent on a processor, seconds; `None` where the system does not say.
fn on_processor_s() -> Option<f64> {
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    times.split_whitespace().next()?.parse::<f64>().ok().map(|ns| ns / 1e9)
}

#[test]
#[ignore = "slow lane: cargo test --release -- --ignored speed"]
fn the_full_model_handles_two_million_events_a_second_on_one_core_and_a_parked_call_takes_at_most_256_bytes() {
    if std::env::var_os(ALONE).is_some() {
        return measure();
    }
    let myself = std::env::current_exe().expect("a test knows its own file");
    let run = Command::new(myself).args(["--ignored", "--exact", "--nocapture", OWN_NAME]).env(ALONE, "1").output();
    let run = run.expect("a test can start itself");
    let said = String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success() && said.contains("1 passed"), "{said}");
}

#[expect(clippy::disallowed_methods, reason = "speed is measured by a clock, and no result depends on it")]
fn measure() {
    // 3,400 calls a second, each parked for 30 s in the mean: 600,000 calls, 100,000 parked once the start is over.
    let text = format!(
        "run = {{ stop = \"horizon\", horizon = \"177s\" }}\narrivals.poisson.rate = \"3400/s\"\n\
         clients.patience = \"none\"\nbalancer.stickiness = \"learned\"\nfleet = {{ instances = 100, threads = 3000 }}\n\
         state.signing = \"checked\"\n{}",
        in_words(Think::Exponential { mean: 30.0 })
    );
    let scenario = scenario(&text);
    // The pages of the program itself are memory, too, and come with the first run.
    let short =
        Scenario { run: Run { horizon: SimTime::from_ns(1_000_000_000), ..scenario.run.clone() }, ..scenario.clone() };
    simulate(&short, Design::Waiting, 0, &mut ()).expect("nobody interrupts");
    for design in Design::ALL {
        let before = peak_memory();
        let (clock, start) = (std::time::Instant::now(), on_processor_s());
        let tally = simulate(&scenario, design, 0, &mut ()).expect("nobody interrupts");
        let took = start.zip(on_processor_s()).map_or(clock.elapsed().as_secs_f64(), |(start, end)| end - start);
        let rate = tally.events as f64 / took;
        assert!(tally.started >= 590_000, "{} calls", tally.started);
        assert!(rate >= 2e6, "{}: {rate:.0} logical events per second", design.name());
        // The most memory ever held only grows, so only the first design, waiting, can be measured.
        if let (Design::Waiting, Some(before), Some(after)) = (design, before, peak_memory()) {
            let bytes = (after - before) as f64 / f64::from(tally.parked.peak);
            assert!(tally.parked.peak >= 100_000 && bytes <= 256.0, "{bytes:.0} bytes per parked call");
        }
    }
}
