//! The floor of speed and memory of the full model, in release builds only. A test program of its own, with one test, so
//! that nothing runs beside it in this process; time is that of the processor.
//!
//! A machine says nothing about the program: the floor is stated for a machine on which the yardstick, a bare event loop
//! over as many parked calls, takes [`YARDSTICK_NS`] an event, and falls with the speed of a slower one.

#![expect(clippy::print_stdout, reason = "a measurement that says nothing teaches nothing")]

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;

use parked::engine::SimTime;
use parked::era::Design;
use parked::experiment::simulate;
use parked::scenario::{NoFiles, Run, Scenario, Source, parse};

/// Logical events per second and core, where the yardstick is as long as that.
const FLOOR_PER_S: f64 = 2e6;
const YARDSTICK_NS: f64 = 180.0;

/// Most bytes of a parked call.
const MOST_BYTES: f64 = 256.0;

/// The machine does other things, too: the best of so many rounds counts, for the yardstick as for the model.
const ROUNDS: usize = 5;

const PARKED: u64 = 100_000;

/// 3,400 calls a second, each parked for 30 s in the mean: 600,000 calls, 100,000 parked once the start is over.
const SCENARIO: &str = r#"
    format = 1
    name = "speed"
    run = { stop = "horizon", horizon = "177s" }
    arrivals.poisson.rate = "3400/s"
    people.think.exponential.mean = "30s"
    clients.patience = "none"
    balancer.stickiness = "learned"
    fleet = { instances = 100, threads = 3000 }
    state.signing = "checked"
"#;

/// Most memory that this process ever held, bytes; `None` where the system does not say.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib << 10)
}

/// Time that this thread has spent on a processor, seconds; time on the clock where the system does not say.
#[expect(clippy::disallowed_methods, reason = "speed is measured by a clock, and no result depends on it")]
fn seconds(work: impl FnOnce()) -> f64 {
    let on_processor = || {
        let times = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        times.split_whitespace().next()?.parse::<f64>().ok().map(|ns| ns / 1e9)
    };
    let (clock, start) = (std::time::Instant::now(), on_processor());
    work();
    start.zip(on_processor()).map_or(clock.elapsed().as_secs_f64(), |(start, end)| end - start)
}

/// Nanoseconds that an event takes in a loop with nothing in it: the earliest of 100,000 pending comes off the standard
/// heap, 152 bytes of its call are touched, and it goes back in later.
fn yardstick() -> f64 {
    const EVENTS: u32 = 2_000_000;
    let mut calls = vec![[0_u64; 19]; PARKED as usize];
    let mut word = 1_u64;
    let mut random = || {
        word ^= word << 13;
        word ^= word >> 7;
        word ^= word << 17;
        word
    };
    let mut heap: BinaryHeap<Reverse<(u64, u64)>> = (0..PARKED).map(|call| Reverse((random() >> 24, call))).collect();
    let took = seconds(|| {
        for _ in 0..EVENTS {
            let Some(Reverse((at, call))) = heap.pop() else { unreachable!("as many go in as come off") };
            for field in &mut calls[call as usize] {
                *field = field.wrapping_add(at);
            }
            heap.push(Reverse((at + (random() >> 24), call)));
        }
    });
    black_box(calls);
    took * 1e9 / f64::from(EVENTS)
}

#[test]
#[ignore = "slow lane: cargo test --release --test speed -- --ignored"]
fn the_full_model_handles_two_million_events_a_second_on_one_core_and_a_parked_call_takes_at_most_256_bytes() {
    let source = Source { name: "speed.toml".to_owned(), text: SCENARIO.to_owned() };
    let scenario = parse(source, &[], &NoFiles).unwrap_or_else(|invalid| panic!("{}", invalid.render(false)));
    // The pages of the program itself are memory, too, and come with the first run.
    let short =
        Scenario { run: Run { horizon: SimTime::from_ns(1_000_000_000), ..scenario.run.clone() }, ..scenario.clone() };
    simulate(&short, Design::Waiting, 0, &mut ()).expect("nobody interrupts");
    let before = peak_memory();
    let tally = simulate(&scenario, Design::Waiting, 0, &mut ()).expect("nobody interrupts");
    if let Some((before, after)) = before.zip(peak_memory()) {
        let bytes = (after - before) as f64 / f64::from(tally.parked.peak);
        println!("waiting: {bytes:.0} bytes per parked call");
        assert!(u64::from(tally.parked.peak) >= PARKED && bytes <= MOST_BYTES, "{bytes:.0} bytes per parked call");
    }

    let (mut best, mut bare) = ([0.0_f64; 2], f64::INFINITY);
    for _ in 0..ROUNDS {
        bare = bare.min(yardstick());
        for (best, design) in best.iter_mut().zip([Design::Waiting, Design::Carrying]) {
            let mut events = 0;
            let took = seconds(|| {
                let tally = simulate(&scenario, design, 0, &mut ()).expect("nobody interrupts");
                assert!(tally.started >= 590_000, "{} calls", tally.started);
                events = tally.events;
            });
            *best = best.max(events as f64 / took);
        }
    }
    let floor = FLOOR_PER_S * (YARDSTICK_NS / bare).min(1.0);
    let [waiting, carrying] = best;
    let said = format!(
        "waiting {waiting:.0}, carrying {carrying:.0} events/s; floor {floor:.0}, where the yardstick takes {bare:.0} ns"
    );
    println!("{said}");
    assert!(waiting >= floor && carrying >= floor, "{said}");
}
