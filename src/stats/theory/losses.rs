//! Calls and states that do not survive: crashes, kills, replaced keys, expiry.
//!
//! Why it exists: this is the bill of each design. A drain is to parked threads what an overlap of keys is to carried
//! state, so one formula serves both.
//! What must never happen here: two causes of loss added up as if they could not overtake each other.

use libm::{exp, expm1, log1p};
use serde::Serialize;

use super::quadrature::integrate;
use super::think::{PANELS, Think};

/// O8: the share of waiting calls that a crash of their instance overtakes, 1 − E\[exp(−W/MTBF)\].
///
/// Conditions: crashes are a Poisson process of one per `mtbf` seconds of running time on each instance, independent of
/// the calls; the answer reaches its call; no timeout.
#[must_use]
pub fn crash_share(think: Think, mtbf: f64) -> f64 {
    think.overtaken(1.0 / mtbf)
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

/// O9 and O9b: expected calls lost in one planned kill after `drain` seconds without new calls, rate·E\[(W−D)⁺\]; the
/// number lost is Poisson. `rate` is that of what is killed: the fleet's for a surge or blue-green deploy, the fleet's
/// over N for one instance scaled in.
///
/// Conditions: Poisson arrivals, steady state before the drain, unlimited threads, no timeout, answers reach their call.
#[must_use]
pub fn lost_in_kill(rate: f64, think: Think, drain: f64) -> f64 {
    rate * think.excess(drain)
}

/// O9 and O10: the share lost when everything is replaced at once every `period` seconds, and the old goes on for
/// `grace` seconds: (E\[min(W, P+g)\] − E\[min(W, g)\])/P. Grace is the drain of a deploy that kills parked calls, or the
/// overlap for which an old key still verifies carried state.
///
/// Conditions: calls are born uniformly over the period and belong to the generation of their birth; one round per call;
/// nothing else ends a call.
#[must_use]
pub fn periodic_loss_share(think: Think, period: f64, grace: f64) -> f64 {
    (think.excess(grace) - think.excess(period + grace)) / period
}

/// O9, rolling deploy, one instance at a time: expected calls lost. Step k of N stops taking calls at t = k·(D+boot), is
/// killed D later and is back after `boot`; it loses rate/(N−1)·∫ P(W > u+D) du over \[0, t\], when one of the others
/// was down, and rate/N·∫ P(W > u+D) du over \[t, ∞).
///
/// Conditions: as for [`lost_in_kill`] with new calls routed at random over the instances that are up, answers sticky.
///
/// # Panics
/// Below two instances: then nobody is left to take the calls.
#[must_use]
pub fn lost_in_rolling(rate: f64, think: Think, instances: u32, drain: f64, boot: f64) -> f64 {
    assert!(instances >= 2, "a rolling deploy needs at least two instances, got {instances}");
    let count = f64::from(instances);
    let step = |index: u32| {
        let since_the_end_of_the_first = f64::from(index) * (drain + boot) + drain;
        let older = think.excess(since_the_end_of_the_first);
        rate / (count - 1.0) * (think.excess(drain) - older) + rate / count * older
    };
    (0..instances).map(step).sum()
}

/// O10b, sign-first key switch: expected refusals when each instance starts to sign and verify with the new key at its
/// own uniform time within `spread` seconds: rate·(N−1)/N · ∫ (t/s)·E\[(1−(t+W)/s)⁺\] dt over \[0, s\].
///
/// Conditions: the old key is still verified everywhere; new calls and answers routed at random over `instances`.
#[must_use]
pub fn sign_first_refusals(rate: f64, think: Think, instances: u32, spread: f64) -> f64 {
    // With v = s − t and E[(v−W)+] = v − E[min(W,v)]; split at the kink of a constant think.
    let weighted = |v: f64| (spread - v) * (v - think.mean_min(v)) / (spread * spread);
    let kink = think.mean().min(spread);
    let area = integrate(weighted, 0.0, kink, PANELS) + integrate(weighted, kink, spread, PANELS);
    let count = f64::from(instances);
    rate * (count - 1.0) / count * area
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
    fn losses_of_one_kill_agree_with_the_oracle_for_a_fleet_and_for_one_instance() {
        oracles::agree("O9", "calls lost per blue-green/surge deploy: rate*E[(W-D)+] EXP/DET/LN1.2/LN2.0", |row| {
            columns(|think| lost_in_kill(row.number("rate"), think, row.number("D")))
        });
        oracles::agree("O9b", "calls lost per scale-in of one of 10 instances EXP/DET/LN1.2/LN2.0", |row| {
            columns(|think| lost_in_kill(row.number("rate") / 10.0, think, row.number("D")))
        });
    }

    #[test]
    fn periodic_losses_agree_with_the_oracle_for_deploys_and_for_keys() {
        let quantity = "share of calls lost, one deploy per P (exact, all-at-once) EXP/DET/LN1.2/LN2.0";
        oracles::agree("O9", quantity, |row| {
            columns(|think| periodic_loss_share(think, row.number("P"), row.number("D")))
        });
        oracles::agree("O10", "share refused by key rotation each P=24h with overlap w EXP/DET/LN1.2/LN2.0", |row| {
            columns(|think| periodic_loss_share(think, 86_400.0, row.number("w")))
        });
    }

    #[test]
    fn a_rolling_deploy_agrees_with_the_oracle() {
        oracles::agree("O9", "calls lost per rolling deploy, one at a time EXP/DET/LN1.2/LN2.0", |row| {
            let (drain, boot) = (row.number("D"), row.number("boot"));
            columns(|think| lost_in_rolling(row.number("rate"), think, row.count("N"), drain, boot))
        });
    }

    #[test]
    fn a_sign_first_switch_agrees_with_the_oracle() {
        let shapes = |row: &oracles::Row| {
            columns(|think| sign_first_refusals(row.number("rate"), think, row.count("N"), row.number("s")))
        };
        oracles::agree("O10b", "refusals per naive key switch, spread U(0,s) EXP/DET/LN1.2", |row| {
            shapes(row)[..3].to_vec()
        });
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
