//! Planned ends of instances: kills after a drain, rolling deploys, instances taken back by who rents them out.
//!
//! Why it exists: a drain is to parked calls what an overlap of keys is to carried state, so one formula serves both, and
//! for both the tail of the think time decides.
//! What must never happen here: a loss counted twice where the drain of one instance overlaps the next.

use libm::log;

use super::think::Think;

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

/// O22: the share of waiting calls lost when instances are taken back after a `notice` in which they drain,
/// E\[1 − exp(−(W−D)⁺/MTBF)\]: a call is lost when a notice falls into its think time, all but its last D seconds.
///
/// Conditions: notices are a Poisson process of one per `mtbf` seconds on each instance, new calls go elsewhere from the
/// notice on, answers reach their call, no timeout.
#[must_use]
pub fn reclaimed_share(think: Think, notice: f64, mtbf: f64) -> f64 {
    think.overtaken_after(1.0 / mtbf, notice)
}

/// O22: the mean time between reclaims of an instance of which the share `interrupted` (0 < share < 1) is taken back
/// within `period`, in the unit of `period`: −period/ln(1 − share).
///
/// Conditions: reclaims are a Poisson process.
#[must_use]
pub fn time_between_reclaims(interrupted: f64, period: f64) -> f64 {
    -period / log(1.0 - interrupted)
}

#[cfg(test)]
mod tests {
    use super::super::oracles::{self, columns};
    use super::*;

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
    fn a_grace_of_minutes_loses_few_calls_of_people_who_take_two() {
        // Made by other means.
        let think = Think::Exponential { mean: 120.0 };
        for (grace, lost, half_unit) in
            [(30.0, 93.5, 0.05), (60.0, 72.8, 0.05), (300.0, 9.9, 0.05), (600.0, 0.8, 0.05), (900.0, 0.07, 0.005)]
        {
            assert!((lost_in_kill(1.0, think, grace) - lost).abs() <= half_unit, "{grace}");
        }
    }

    #[test]
    fn reclaimed_instances_agree_with_the_oracle() {
        for (quantity, notice) in [
            ("spot: P(call lost), 120 s notice used as drain EXP/DET/LN1.2/LN2.0", 120.0),
            ("spot: same, 30 s notice", 30.0),
        ] {
            oracles::agree("O22", quantity, |row| {
                columns(|think| reclaimed_share(think, notice, 3600.0 * row.number("per")))
            });
        }
        oracles::agree("O22", "monthly interruption 5/20 % as mean hours between reclaims", |_| {
            [0.05, 0.2].map(|share| time_between_reclaims(share, 720.0)).to_vec()
        });
    }

    #[test]
    fn a_reclaim_without_notice_is_a_crash() {
        for think in [Think::Exponential { mean: 60.0 }, Think::Lognormal { mean: 60.0, sigma: 1.2 }] {
            assert!((reclaimed_share(think, 0.0, 3600.0) - super::super::crash_share(think, 3600.0)).abs() < 1e-15);
        }
    }
}
