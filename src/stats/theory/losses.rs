//! Calls and states that do not survive what nobody planned: crashes, patience, expiry. Planned ends are in `deploys`,
//! replaced keys in `keys`.
//!
//! Why it exists: this is the bill of each design.
//! What must never happen here: two causes of loss added up as if they could not overtake each other.

use libm::{exp, expm1, log1p};
use serde::Serialize;

use super::think::{PANELS, Think};

/// O8: the share of waiting calls that a crash of their instance overtakes, 1 − E\[exp(−W/MTBF)\].
///
/// Conditions: crashes are a Poisson process of one per `mtbf` seconds of running time on each instance, independent of
/// the calls; the answer reaches its call; no timeout.
#[must_use]
pub fn crash_share(think: Think, mtbf: f64) -> f64 {
    think.overtaken(1.0 / mtbf)
}

/// O8: the share MTBF/(MTBF + repair) of the time in which an instance is up, in seconds both; of N instances
/// (1 − share)^N of the time none is.
///
/// Conditions: instances independent, both times of any law with these means.
#[must_use]
pub fn availability(mtbf: f64, repair: f64) -> f64 {
    mtbf / (mtbf + repair)
}

/// O8: by how much the variance of a number of calls lost to crashes exceeds that of as many independent losses,
/// 1 + rate·E\[W\]/N: one crash takes the Poisson number that its instance holds. Its root is by how much an interval
/// that takes the losses for independent is too narrow.
///
/// Conditions: those of [`crash_share`], unlimited threads, crashes rare beside the think time; `held` is the mean number
/// parked in one instance.
#[must_use]
pub fn clump_inflation(held: f64) -> f64 {
    1.0 + held
}

/// How waiting calls end when timeout and crash compete, as shares of all calls.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CompetingRisks {
    /// E\[exp(−W/MTBF); W ≤ T\].
    pub answered: f64,
    /// exp(−T/MTBF)·P(W > T).
    pub timed_out: f64,
    /// The rest.
    pub crashed: f64,
}

/// O20: competing risks of a waiting call with patience T and crashes. Conditions of [`crash_share`], with the timeout.
#[must_use]
pub fn competing_risks(think: Think, patience: f64, mtbf: f64) -> CompetingRisks {
    let rate = 1.0 / mtbf;
    let answered = think.expect(|w| exp(-rate * w), patience, PANELS);
    let timed_out = exp(-rate * patience) * think.survival(patience);
    // Overtaken before the answer, or before T by those who would have been late.
    let overtaken = think.expect(|w| -expm1(-rate * w), patience, PANELS);
    let crashed = overtaken - expm1(-rate * patience) * think.survival(patience);
    CompetingRisks { answered, timed_out, crashed }
}

/// O11: the share of carried states that come back later than `ttl` seconds, P(W > TTL), in one round. With r rounds
/// and the clock started again in each: [`over_rounds`] of it.
#[must_use]
pub fn expired_share(think: Think, ttl: f64) -> f64 {
    think.survival(ttl)
}

/// 1 − (1−p)^r: the share hit at least once in `rounds` independent rounds of probability `p` each. O11 over rounds, and
/// O14: keys of their own on N instances under random routing refuse `over_rounds(1 − 1/N, r)`.
#[must_use]
pub fn over_rounds(p: f64, rounds: u32) -> f64 {
    if rounds == 0 { 0.0 } else { -expm1(f64::from(rounds) * log1p(-p)) }
}

#[cfg(test)]
mod tests {
    use super::super::oracles::{self, columns};
    use super::*;

    #[test]
    fn crash_shares_agree_with_the_oracle() {
        oracles::agree("O8", "P(call's instance crashes during think) EXP/DET/LN1.2/LN2.0", |row| {
            columns(|think| crash_share(think, row.number("MTBF")))
        });
    }

    #[test]
    fn availability_and_clumps_agree_with_the_oracle() {
        oracles::agree("O8", "availability; P(all 2 down); P(all 3 down)", |row| {
            let up = availability(row.number("MTBF"), row.number("repair"));
            let down = 1.0 - up;
            vec![up, down * down, down * down * down]
        });
        oracles::agree("O8", "variance inflation of lost count (1+rho_i); CI too narrow by", |row| {
            let inflation = clump_inflation(row.number("rho_i"));
            vec![inflation, inflation.sqrt()]
        });
    }

    #[test]
    fn competing_risks_agree_with_the_oracle() {
        oracles::agree("O20", "competing risks: answered, timed out, crashed", |row| {
            let CompetingRisks { answered, timed_out, crashed } =
                competing_risks(row.think(), row.number("T"), row.number("MTBF"));
            vec![answered, timed_out, crashed]
        });
    }

    #[test]
    fn competing_risks_share_out_every_call() {
        for (sigma, patience) in [(0.5, 1.0), (1.2, 60.0), (2.0, 1e5)] {
            let risks = competing_risks(Think::Lognormal { mean: 60.0, sigma }, patience, 300.0);
            assert!((risks.answered + risks.timed_out + risks.crashed - 1.0).abs() < 1e-12, "{risks:?}");
        }
    }

    #[test]
    fn expiry_agrees_with_the_oracle() {
        oracles::agree("O11", "P(W>ttl) EXP/DET/LN1.2/LN2.0", |row| {
            columns(|think| expired_share(think, row.number("ttl")))
        });
    }

    #[test]
    fn keys_of_their_own_refuse_as_the_oracle_says_over_rounds() {
        oracles::agree("O14", "refused share, per-instance keys, random routing, 1 and 2 and 3 rounds", |row| {
            [1, 2, 3].map(|rounds| over_rounds(1.0 - 1.0 / row.number("N"), rounds)).to_vec()
        });
        assert_eq!((over_rounds(0.3, 0), over_rounds(1.0, 2)), (0.0, 1.0));
    }
}
