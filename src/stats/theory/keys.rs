//! Keys that are replaced while states are on their way.
//!
//! Why it exists: a state outlives the key that sealed it exactly when nobody planned for that, and the order in which
//! instances learn a key decides whether any call is lost.
//! What must never happen here: a state that is late counted as one whose key is gone; late comes first.

use super::quadrature::integrate;
use super::think::{PANELS, Think};

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

/// A swap without overlap, one instance after another: expected refusals when each of N instances forgets the old key and
/// takes the new one at once, `gap` seconds after the one before. Over pairs of instances, of which the later is d steps
/// behind and g = d·gap: rate/N²·(N·E\[W\] + Σ (N−d)·2·(g + E\[(W−g)⁺\])).
///
/// A state of the later instance is refused by the earlier from g before its own swap on, and those in flight: g + E\[W\].
/// A state of the earlier is refused by the later if it is old and comes back after g, E\[(W−g)⁺\], or new and comes back
/// before, g − E\[min(W, g)\]; together the two make 2·(g + E\[(W−g)⁺\]). With `gap` 0 it is rate·E\[W\]: all at once.
///
/// Conditions: Poisson arrivals, steady state, new calls and answers routed at random over `instances`, no refusal by age.
#[must_use]
pub fn ringless_refusals(rate: f64, think: Think, instances: u32, gap: f64) -> f64 {
    let count = f64::from(instances);
    let apart = |steps: u32| {
        let behind = f64::from(steps) * gap;
        2.0 * f64::from(instances - steps) * (behind + think.excess(behind))
    };
    rate / (count * count) * (count * think.mean() + (1..instances).map(apart).sum::<f64>())
}

/// How carried states end when their life and the life of their key compete, as shares of all states.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KeyedStates {
    /// In time, and their key still verified.
    pub accepted: f64,
    /// P(W > TTL), whatever became of the key.
    pub expired: f64,
    /// In time, but their key is gone.
    pub wrong_key: f64,
}

/// O11b: states of life `ttl` under keys that are replaced every `period` seconds and verified for `overlap` more. The
/// share whose key is gone is ∫ (P(W > u) − P(W > TTL)) du over \[overlap, min(TTL, P + overlap)\], divided by P: zero
/// from overlap = TTL on.
///
/// Conditions: states are sealed uniformly over the period, by the newest key, which all instances have; one round.
#[must_use]
pub fn keyed_states(think: Think, ttl: f64, period: f64, overlap: f64) -> KeyedStates {
    let expired = think.survival(ttl);
    let last = ttl.min(period + overlap);
    let wrong_key = if overlap < last {
        (think.excess(overlap) - think.excess(last) - (last - overlap) * expired) / period
    } else {
        0.0
    };
    KeyedStates { accepted: 1.0 - expired - wrong_key, expired, wrong_key }
}

#[cfg(test)]
mod tests {
    use super::super::oracles::{self, columns};
    use super::super::{lost_in_kill, periodic_loss_share};
    use super::*;

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
    fn states_under_keys_that_change_agree_with_the_oracle() {
        oracles::agree("O11b", "carrying: ok / expired / bad key, TTL 600, P=24h", |row| {
            let overlap = row.number("w");
            let KeyedStates { accepted, expired, wrong_key } = keyed_states(row.think(), 600.0, 86_400.0, overlap);
            if overlap < 600.0 {
                return vec![accepted, expired, wrong_key];
            }
            // What is printed there is the rounding error of another machine around zero.
            assert_eq!(wrong_key, 0.0);
            vec![accepted, expired]
        });
    }

    #[test]
    fn states_that_live_for_ever_lose_their_key_as_calls_lose_their_instance() {
        let think = Think::Lognormal { mean: 60.0, sigma: 1.2 };
        for (period, overlap) in [(3600.0, 0.0), (100.0, 30.0)] {
            let states = keyed_states(think, f64::INFINITY, period, overlap);
            let expected = periodic_loss_share(think, period, overlap);
            assert!((states.wrong_key - expected).abs() < 1e-15 && states.expired == 0.0, "{states:?}");
        }
    }

    #[test]
    fn a_swap_without_overlap_loses_more_the_slower_it_is() {
        let think = Think::Exponential { mean: 120.0 };
        assert_eq!(ringless_refusals(1.0, think, 4, 0.0), 120.0);
        // Made by other means, and cut after the point. Instance k of 4 changes at k/4 of the roll.
        for (roll, lost) in [(60.0, 122.0), (240.0, 146.0), (600.0, 233.0)] {
            let ours = ringless_refusals(1.0, think, 4, roll / 4.0);
            assert!((lost..lost + 1.0).contains(&ours), "{roll}: {ours}");
        }
    }

    #[test]
    fn a_swap_without_overlap_counts_every_pair_of_keys() {
        // One state a second, out for 60 s; A swaps at 0 s and B at 20 s. What comes back to its own instance: the 60 in
        // flight. From A to B: those sealed in the 40 s before 0. From B to A: those of the 80 s before 20.
        let think = Think::Constant { value: 60.0 };
        let expected = (60.0 + 60.0 + 40.0 + 80.0) / 4.0;
        assert!((ringless_refusals(1.0, think, 2, 20.0) - expected).abs() < 1e-12);
        assert_eq!(ringless_refusals(1.0, think, 1, 20.0), lost_in_kill(1.0, think, 0.0));
    }
}
