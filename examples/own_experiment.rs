//! The simulator as a library: one scenario in text, both designs on the same people, one question answered.
//!
//! `cargo run --release --example own_experiment`
#![expect(clippy::print_stdout, reason = "an example shows its result")]

use parked::era::Design;
use parked::experiment::{self, Execution, Summary};
use parked::scenario::{NoFiles, Source, parse};

const SCENARIO: &str = r#"
format = 1
name = "own-experiment"
question = "How many threads does a minute of thinking park?"
replications = 10
people.think.exponential.mean = "60s"
clients.patience = "none"
balancer.stickiness = "learned"
fleet.threads = "unlimited"
run = { warm_up = "15m", horizon = "2h" }
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let source = Source { name: "own-experiment".to_owned(), text: SCENARIO.to_owned() };
    let scenario = parse(source, &[], &NoFiles)?;
    let cells = experiment::run(&scenario, Execution::default(), &())?;
    let summary = Summary::of(&scenario, &cells);
    println!("{}", summary.question);
    for design in Design::PURE {
        let parked = summary.points[0].designs[&design].parked;
        println!("{:>9}: {:.1} ± {:.1}", design.name(), parked.mean, parked.half_width.unwrap_or(0.0));
    }
    println!("Little's law for waiting: 5 calls per second x 60 s = 300");
    Ok(())
}
