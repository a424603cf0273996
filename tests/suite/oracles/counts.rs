//! Laws, not only means: of the number parked at an instant, and of the number of calls that arrive.

use parked::era::Design;
use parked::experiment::simulate;
use parked::metrics::Record;
use parked::sim::Observer;
use parked::stats::theory::Think;
use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::{EXP60, ideal, in_words, started, tallies, within_five_sd, within_t};

/// Counts the calls under way at instants that are evenly spaced, for each instance.
struct Snapshots {
    first_ns: u64,
    gap_ns: u64,
    counts: Vec<Vec<f64>>,
}

impl Snapshots {
    fn new(instants: usize, first_s: u64, gap_s: u64, instances: usize) -> Snapshots {
        let counts = vec![vec![0.0; instances]; instants];
        Snapshots { first_ns: first_s * SECOND, gap_ns: gap_s * SECOND, counts }
    }
}

impl Observer for Snapshots {
    fn record(&mut self, record: &Record) {
        let Some(instance) = record.first_instance else { return };
        // The first instant that is not before the call.
        let from = record.arrived.ns().saturating_sub(self.first_ns).div_ceil(self.gap_ns);
        let instants = self.counts.iter_mut().enumerate().skip(usize::try_from(from).expect("few instants"));
        let under_way = |place: usize| self.first_ns + self.gap_ns * (place as u64) < record.ended.ns();
        instants.take_while(|(place, _)| under_way(*place)).for_each(|(_, count)| count[instance as usize] += 1.0);
    }
}

const SECOND: u64 = 1_000_000_000;

/// The number parked on each instance at `count` instants that are `gap` seconds apart. Nothing takes time but people, and
/// answers are sticky, so who is under way is parked, and where the call arrived.
fn snapshots(count: usize, gap: usize, instances: usize, lines: &str) -> Vec<Vec<f64>> {
    let horizon = 7200 + gap * count;
    let lines = format!(
        "run.horizon = \"{horizon}s\"\nfleet.instances = {instances}\nbalancer.stickiness = \"learned\"\n{lines}"
    );
    let mut taken = Snapshots::new(count, 7200, gap as u64, instances);
    simulate(&ideal(1, &lines), Design::Waiting, 0, &mut taken).expect("nobody interrupts");
    taken.counts
}

/// The bounds of variance over mean for so many Poisson counts: (n - 1) times it is chi-square with n - 1 degrees of
/// freedom, cut at the probability of five standard deviations.
fn dispersion_bounds(count: usize) -> [f64; 2] {
    let degrees = count as f64 - 1.0;
    let law = ChiSquared::new(degrees).expect("degrees of freedom");
    [0.285e-6, 1.0 - 0.285e-6].map(|probability| law.inverse_cdf(probability) / degrees)
}

#[test]
fn the_bounds_of_a_thousand_snapshots_are_those_of_the_plan() {
    let rounded = dispersion_bounds(1000).map(|bound| (bound * 1000.0).round() / 1000.0);
    assert_eq!(rounded, [0.792, 1.240]);
}

/// O2, A5 and M1: the number parked at an instant is Poisson, so its variance is its mean; 300 of mean 60 s at 5 calls a
/// second have the law of 300 of mean 30 s at 10. Nine hundred seconds are fifteen autocorrelation times of an
/// exponential think.
fn the_number_parked_at_an_instant_is_poisson(count: usize) {
    let twice_as_fast = Think::Exponential { mean: 30.0 };
    for (rate, think) in [(5, EXP60), (10, twice_as_fast)] {
        let lines = format!("arrivals.poisson.rate = \"{rate}/s\"\n{}", in_words(think));
        let counts = snapshots(count, 900, 1, &lines).concat();
        let n = count as f64;
        let mean = counts.iter().sum::<f64>() / n;
        let variance = counts.iter().map(|count| (count - mean) * (count - mean)).sum::<f64>() / (n - 1.0);
        within_five_sd(&format!("{think:?}"), mean, 300.0, (300.0 / n).sqrt(), 0.03);
        let [low, high] = dispersion_bounds(count);
        let ratio = variance / mean;
        assert!((low..=high).contains(&ratio), "{think:?}: variance over mean is {ratio}, not in [{low}, {high}]");
    }
}

lanes!(the_number_parked_at_an_instant_is_poisson, 100, 1000);

/// O17: of 300 calls parked on ten instances the fullest holds so many, and the variance of one instance is so large.
/// Random: the exact largest of ten Poisson counts. Round robin: every tenth call, whose variance is exact; the largest of
/// it and that of the others come from the Markov chain of the counts, simulated by other code for 3.6e7 s (standard
/// errors below 0.005 and 0.02).
fn the_fullest_instance_and_the_spread_are_those_of_the_policy(count: usize) {
    let sees = 2.5 / (count as f64).sqrt();
    for (policy, fullest, variance) in [
        ("random", 38.693_5, 30.0),
        ("round-robin", 36.056, 16.582_36),
        ("least-connections", 30.742, 3.352),
        ("two-choices", 31.852, 5.192),
    ] {
        // Seven minutes are seven autocorrelation times.
        let lines = format!("arrivals.poisson.rate = \"5/s\"\nbalancer.policy = \"{policy}\"\n{}", in_words(EXP60));
        let counts = snapshots(count, 420, 10, &lines);
        let largest: Vec<f64> = counts.iter().map(|on| on.iter().copied().fold(0.0, f64::max)).collect();
        within_t(&format!("fullest, {policy}"), &largest, fullest, sees);
        let spread = |on: &Vec<f64>| on.iter().map(|count| (count - 30.0) * (count - 30.0)).sum::<f64>() / 10.0;
        let spreads: Vec<f64> = counts.iter().map(spread).collect();
        within_t(&format!("variance, {policy}"), &spreads, variance, 4.0 * sees);
    }
}

lanes!(the_fullest_instance_and_the_spread_are_those_of_the_policy, 300, 5000);

/// A29: the number of arrivals of a Poisson source is Poisson, so over 200,000 s at 5 a second it is 1,000,000 within
/// 5,000; in a profile it is Poisson with the area under the rate.
fn as_many_calls_arrive_as_the_rate_says(size: u32) {
    let seconds = f64::from(12_500 * size);
    let half = seconds / 2.0;
    let poisson = "arrivals.poisson.rate = \"5/s\"\n".to_owned();
    let profile = format!(
        "arrivals.profile = [{{ until = \"{half}s\", rate = \"8/s\" }}, {{ until = \"{seconds}s\", rate = \"2/s\" }}]\n"
    );
    for arrivals in [poisson, profile] {
        // Nobody is asked about so little.
        let lines = format!("run.horizon = \"{seconds}s\"\ntool.amount.constant = 100\n{arrivals}");
        let calls = started(&tallies(&ideal(1, &lines), Design::Carrying));
        within_five_sd(&arrivals, calls, 5.0 * seconds, (5.0 * seconds).sqrt(), 0.021);
    }
}
lanes!(as_many_calls_arrive_as_the_rate_says);

#[test]
fn a_snapshot_counts_who_has_arrived_and_not_yet_ended() {
    // Of two calls a second that take 60 s, those of the last minute are under way, the one that ends now no more.
    let lines = "run.horizon = \"120s\"\narrivals.constant.rate = \"2/s\"\npeople.think.constant = \"60s\"\n\
                 fleet.instances = 2\nbalancer.stickiness = \"learned\"\n";
    let mut taken = Snapshots::new(3, 10, 45, 2);
    simulate(&ideal(1, lines), Design::Waiting, 0, &mut taken).expect("nobody interrupts");
    assert_eq!(taken.counts, [[10.0, 10.0], [55.0, 55.0], [60.0, 60.0]]);
}
