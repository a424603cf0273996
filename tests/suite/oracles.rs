//! The simulator against closed forms that share no code with it. Seeds are fixed; a bound is five standard deviations
//! where the variance is known exactly, else Student's t at one in a million over at least 32 replications. A red oracle
//! is an error in the model or in the formula and must never be answered by a wider bound.
//!
//! Each oracle runs quickly by default and with sixteen times the replications in the slow lane
//! (`cargo test --release -- --ignored`). `full_size` holds, in the slow lane only, those of the plan of verification at
//! the sizes and with the bounds that it states. By the numbers of that plan:
//!
//! | number | what | quick and sixteenfold | at full size |
//! |---|---|---|---|
//! | A1, A2, A3 | mean parked, three shapes | `parked_calls::mean_parked_is_littles_law...` | `full_size::a1_a2_a3...` |
//! | A4 | the same from a stationary start, heavy tail | `parked_calls::a_stationary_start...` | `full_size::a4...` |
//! | A5 | variance over mean of snapshots | `counts::the_number_parked_at_an_instant...` | its slow lane |
//! | A6 | parked two minutes after empty starts | `parked_calls::the_number_parked_grows...` | `full_size::a6...` |
//! | A7 | time-outs | `losses::a_client_gives_up...` | `full_size::a7...` |
//! | A8 | loss under least connections | `threads::least_connections_loses...` | `full_size::a8...` |
//! | A9 | loss under random and round robin | `threads::random_routing_loses...`, `threads::round_robin_loses...` | `full_size::a9...` |
//! | A10 | waits at a line | `threads::a_waiting_line_is_erlang_c`, `lines::what_is_counted...` | its slow lane |
//! | A11 | callers who leave the line | `lines::callers_of_constant_patience...` | its slow lane |
//! | A12 | waits at one processor | `lines::one_processor...` | its slow lane |
//! | A13 | two visits of a carried call | `lines::a_carried_call_visits_twice...` | its slow lane |
//! | A14 | losses to crashes that share an instance | - | `full_size_losses::a14...` |
//! | A15 | the same, each call alone | `outages::a_waiting_call_ends_by_the_first...` | `full_size_losses::a15...` |
//! | A16 | one deploy | `deploys::a_deploy_beside...`, `deploys::a_rolling_deploy...` | `full_size_losses::a16...` |
//! | A17 | regular deploys | `deploys::regular_deploys...` | `full_size_losses::a17...` |
//! | A18 | regular new keys | `rotations::an_overlap_is_to_states...` | `full_size_losses::a18...` |
//! | A19 | expired states | `losses::a_state_expires...` | `full_size::a19...` |
//! | A20 | random hits, own keys refuse the others | `routing::random_routing_brings...` | `full_size::a20...` |
//! | A21 | hits of one round-robin counter | `routing::one_round_robin_counter...` | `full_size::a21...` |
//! | A22 | hits of least connections | `routing::least_connections_drives...` | `full_size::a22...` |
//! | A23 | sources moved when a fleet grows | `way::a_fleet_that_grows...` | its slow lane |
//! | A24 | effects made twice where messages are lost | `effects::at_least_once...` | its slow lane |
//! | A25 | jittered backoff against an outage | `outages::jittered_backoff...` | its slow lane |
//! | A26 | polls of an unfinished page | `links::a_client_polls...` | `full_size::a26...` |
//! | A27 | answer, patience or crash first | `outages::a_waiting_call_ends_by_the_first...` | its slow lane |
//! | A28 | means and laws of the samplers | unit tests of `random::distribution` | the same |
//! | A29 | number of arrivals | `counts::as_many_calls_arrive...` | its slow lane |
//! | A31 | censored means | `lines::a_mean_over_finished_calls...` | its slow lane |
//! | A33 | keys signed with too early | `rotations::signing_before_all_can_verify...` | `full_size_losses::a33...` |
//! | A34 | parked when answers go astray unnoticed | `parked_calls::swallowed_answers...` | `full_size::a34...` |

/// A quick and a slow test of `fn $oracle(size)`, where `size` multiplies the replications or is the sample.
macro_rules! lanes {
    ($oracle:ident) => {
        lanes!($oracle, 1, 16);
    };
    ($oracle:ident, $quick:expr, $slow:expr) => {
        mod $oracle {
            #[test]
            fn quick() {
                super::$oracle($quick);
            }

            #[test]
            #[ignore = "slow lane"]
            fn slow() {
                super::$oracle($slow);
            }
        }
    };
}

mod clocks;
mod counts;
mod deploys;
mod effects;
mod full_size;
mod full_size_losses;
mod holding;
mod lines;
mod links;
mod losses;
mod outages;
mod parked_calls;
mod rotations;
mod routing;
mod stores;
mod threads;
mod way;

use parked::era::Design;
use parked::experiment::{self, Cell, Execution};
use parked::metrics::{Outcome, Tally};
use parked::scenario::Scenario;
use parked::stats::theory::Think;
use parked::stats::{Estimate, student_quantile};

use crate::common::scenario;

/// What every oracle takes for granted unless it says otherwise: nothing takes time but people, everybody accepts, every
/// call is asked, nobody gives up, no state expires and there are threads for all. The extra lines come last.
fn ideal(replications: u32, lines: &str) -> Scenario {
    let fleet = if lines.contains("fleet.threads") { "" } else { "fleet.threads = \"unlimited\"\n" };
    let patience = if lines.contains("clients.patience") { "" } else { "clients.patience = \"none\"\n" };
    let ttl = if lines.contains("state.ttl") { "" } else { "state.ttl = \"none\"\n" };
    let work = if lines.contains("\"steps\"") {
        ""
    } else {
        "tool.work_before.constant = \"0s\"\ntool.work_after.constant = \"0s\"\n"
    };
    scenario(&format!(
        "replications = {replications}\n{work}\
         people.decide = {{ accept = 1.0, decline = 0.0, cancel = 0.0 }}\n{fleet}{patience}{ttl}{lines}"
    ))
}

/// Every replication of one design.
fn cells(scenario: &Scenario, design: Design, keep_records: bool) -> Vec<Cell> {
    let scenario = Scenario { designs: vec![design], ..scenario.clone() };
    let execution = Execution { threads: None, keep_records };
    experiment::run(&scenario, execution, &()).expect("threads can be started")
}

/// What every replication of one design came to.
fn tallies(scenario: &Scenario, design: Design) -> Vec<Tally> {
    cells(scenario, design, false).into_iter().map(|cell| cell.tally).collect()
}

/// The sum over replications of how many calls ended so.
fn total(tallies: &[Tally], outcome: Outcome) -> f64 {
    tallies.iter().map(|tally| tally.count(outcome)).sum::<u64>() as f64
}

/// Calls that started in all replications.
fn started(tallies: &[Tally]) -> f64 {
    tallies.iter().map(|tally| tally.started).sum::<u64>() as f64
}

/// The share of calls that ended so, by replication.
fn shares(tallies: &[Tally], outcome: Outcome) -> Vec<f64> {
    tallies.iter().map(|tally| tally.count(outcome) as f64 / tally.started as f64).collect()
}

/// `value` lies within five standard deviations `sd` of `expected`, and these are at most the share `sees` of it: the
/// smallest relative error that the test can see.
fn within_five_sd(what: &str, value: f64, expected: f64, sd: f64, sees: f64) {
    assert!(5.0 * sd <= sees * expected, "{what}: sees {} only, not {sees}", 5.0 * sd / expected);
    let off = (value - expected) / sd;
    assert!(off.abs() <= 5.0, "{what}: {value} is {off:.2} standard deviations from {expected} (one is {sd})");
}

/// A count of independent events of this probability: binomial.
fn within_binomial(what: &str, count: f64, of: f64, probability: f64, sees: f64) {
    let sd = (of * probability * (1.0 - probability)).sqrt();
    within_five_sd(what, count, of * probability, sd, sees);
}

/// The mean over replications agrees with `expected` by Student's t at one in a million, two-sided, and the bound is at
/// most the share `sees` of it.
fn within_t(what: &str, values: &[f64], expected: f64, sees: f64) {
    let count = values.len() as f64;
    assert!(count >= 32.0, "{what}: too few replications for a t bound at one in a million");
    let estimate = Estimate::of(values);
    let degrees = count - 1.0;
    let to_a_millionth = student_quantile(1.0 - 0.5e-6, degrees) / student_quantile(0.975, degrees);
    let bound = estimate.half_width.expect("many replications") * to_a_millionth;
    assert!(bound <= sees * expected, "{what}: sees {} only, not {sees}", bound / expected);
    let off = (estimate.mean - expected).abs();
    assert!(off <= bound, "{what}: {} is {off} from {expected}, allowed is {bound}", estimate.mean);
}

/// A think time in the words of a scenario.
fn in_words(think: Think) -> String {
    match think {
        Think::Exponential { mean } => format!("people.think.exponential = {{ mean = \"{mean}s\" }}\n"),
        Think::Constant { value } => format!("people.think.constant = \"{value}s\"\n"),
        Think::Lognormal { mean, sigma } => {
            format!("people.think.lognormal = {{ mean = \"{mean}s\", sigma = {sigma} }}\n")
        }
    }
}

const EXP60: Think = Think::Exponential { mean: 60.0 };
const DET60: Think = Think::Constant { value: 60.0 };
const LN60: Think = Think::Lognormal { mean: 60.0, sigma: 1.2 };
