//! Processes that crash and come back: who outlives an outage by trying again, and which of death, patience and answer
//! comes first.

use parked::engine::SimTime;
use parked::era::Design;
use parked::metrics::{Outcome, Tally};
use parked::scenario::{Arrivals, Scenario};
use parked::stats::theory::{Think, competing_risks, outlives};

use super::{EXP60, LN60, ideal, in_words, started, tallies, total, within_binomial};

const SECOND: u64 = 1_000_000_000;

/// The scenario with calls at these instants.
fn with_arrivals(scenario: Scenario, at: impl Iterator<Item = u64>) -> Scenario {
    Scenario { arrivals: Arrivals::At(at.map(SimTime::from_ns).collect()), ..scenario }
}

/// Calls that all arrive just after the only instance has died, and try again while it is down.
fn in_an_outage(calls: u32, outage: &str, jitter: &str) -> Vec<Tally> {
    // Nobody is asked about so little.
    let lines = format!(
        "run.horizon = \"10s\"\nfleet.instances = 1\ntool.amount.constant = 100\n\
         clients.retry = {{ times = 5, pause = \"500ms\", factor = 2, cap = \"8s\", jitter = \"{jitter}\" }}\n\
         fault = [{{ kill = {{ at = \"1s\", select = \"all\", restart_after = \"{outage}\" }} }}]\n"
    );
    tallies(&with_arrivals(ideal(1, &lines), (0..calls).map(|_| SECOND + 1)), Design::Waiting)
}

/// O15 and A25: five pauses of at most 0.5, 1, 2, 4 and 8 s, each uniform, outlast an outage of 8 s with 0.46875. Without
/// jitter all outlast 15.5 s and nobody outlasts more.
fn jittered_backoff_outlives_an_outage_by_its_formula(size: u32) {
    let calls = 6250 * size;
    for (outage, seconds, sees) in [("2s", 2.0, 0.005), ("5s", 5.0, 0.03), ("8s", 8.0, 0.07), ("12s", 12.0, 0.27)] {
        let tallies = in_an_outage(calls, outage, "full");
        let share = outlives(&[0.5, 1.0, 2.0, 4.0, 8.0], seconds);
        let completed = total(&tallies, Outcome::Completed);
        assert_eq!(completed + total(&tallies, Outcome::Failed), f64::from(calls), "who gives up has failed");
        within_binomial(outage, completed, f64::from(calls), share, sees);
        if outage == "8s" && calls == 100_000 {
            assert!((46_086.0..=47_664.0).contains(&completed), "A25: {completed}");
        }
    }
    assert_eq!(total(&in_an_outage(100, "15500ms", "none"), Outcome::Completed), 100.0);
    assert_eq!(total(&in_an_outage(100, "15501ms", "none"), Outcome::Completed), 0.0);
}
lanes!(jittered_backoff_outlives_an_outage_by_its_formula);

/// So many calls, each alone on its instance while it lasts, under patience of 300 s and a mean time between crashes of an
/// hour. A thousand instances take turns, and each gets a call every 303 s.
fn isolated(calls: u64, think: Think) -> Vec<Tally> {
    let gap = 303 * SECOND / 1000;
    // Crashes go on until the last call is out of patience.
    let horizon = calls * gap / SECOND + 301;
    let lines = format!(
        "run.horizon = \"{horizon}s\"\nclients.patience = \"300s\"\nfleet.instances = 1000\n\
         balancer.stickiness = \"cookie\"\n\
         fault = [{{ crash = {{ mtbf.exponential = {{ mean = \"1h\" }}, repair = \"0s\" }} }}]\n{}",
        in_words(think)
    );
    tallies(&with_arrivals(ideal(1, &lines), (0..calls).map(|call| call * gap)), Design::Waiting)
}

/// O20 and A27: of answer, patience and crash the first decides.
fn a_waiting_call_ends_by_the_first_of_answer_patience_and_crash(size: u32) {
    for (think, sees) in [(EXP60, [0.0035, 0.3, 0.2]), (LN60, [0.005, 0.15, 0.2])] {
        let tallies = isolated(u64::from(62_500 * size), think);
        let risks = competing_risks(think, 300.0, 3600.0);
        let shares = [risks.answered, risks.timed_out, risks.crashed];
        let outcomes = [Outcome::Completed, Outcome::TimedOut, Outcome::Lost];
        for ((outcome, share), sees) in outcomes.into_iter().zip(shares).zip(sees) {
            within_binomial(
                &format!("{think:?} {outcome:?}"),
                total(&tallies, outcome),
                started(&tallies),
                share,
                sees,
            );
        }
        if think == EXP60 && started(&tallies) == 1e6 {
            let bounds = [[976_764.0, 978_247.0], [5811.0, 6595.0], [15_663.0, 16_929.0]];
            for (outcome, [low, high]) in outcomes.into_iter().zip(bounds) {
                let count = total(&tallies, outcome);
                assert!((low..=high).contains(&count), "A27 {outcome:?}: {count} is not in [{low}, {high}]");
            }
        }
    }
}
lanes!(a_waiting_call_ends_by_the_first_of_answer_patience_and_crash);
