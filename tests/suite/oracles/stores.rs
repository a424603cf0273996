//! O21: calls that a shared store fails, by what it keeps and who waits for it.

use parked::era::Design;
use parked::metrics::Outcome;
use parked::stats::theory::{Think, store_losses};

use super::{ideal, in_words, tallies, within_t};

const EXPONENTIAL: Think = Think::Exponential { mean: 60.0 };
const LOGNORMAL: Think = Think::Lognormal { mean: 60.0, sigma: 1.2 };

/// A store with a mean life of ten minutes and a mean repair of a minute.
fn a_shared_store_fails_as_many_calls_as_its_transform_says(size: u32) {
    for think in [EXPONENTIAL, LOGNORMAL] {
        let exact = store_losses(600.0, 60.0, think);
        for (keeps, retries, expected) in [
            ("durable", "none", exact.durable),
            ("volatile", "none", exact.volatile),
            ("durable", "answers", exact.answers_wait),
            ("durable", "both", 0.0),
        ] {
            let lines = format!(
                "designs = [\"storing\"]\nrun = {{ warm_up = \"2000s\", horizon = \"12000s\" }}\n\
                 arrivals.poisson.rate = \"0.2/s\"\nfleet.instances = 2\nstore.keeps = \"{keeps}\"\n\
                 store.retries = \"{retries}\"\n{}\n[[fault]]\n\
                 store-crash = {{ mtbf.exponential = {{ mean = \"10m\" }}, repair.exponential = {{ mean = \"1m\" }} }}\n",
                in_words(think)
            );
            let tallies = tallies(&ideal(40 * size, &lines), Design::Storing);
            let lost: Vec<f64> = tallies
                .iter()
                .map(|tally| 1.0 - tally.count(Outcome::Completed) as f64 / tally.started as f64)
                .collect();
            match retries {
                "both" => assert!(lost.iter().all(|&share| share == 0.0), "{think:?}: {lost:?}"),
                _ => within_t(&format!("{think:?} {keeps} {retries}"), &lost, expected, 0.5),
            }
        }
    }
}
lanes!(a_shared_store_fails_as_many_calls_as_its_transform_says);
