//! Tries after a failure: who outlives an outage.
//!
//! Why it exists: pauses that double reach far, and jitter takes half of that away again; how much of it is left at the
//! length of a restart decides whether retries help.
//! What must never happen here: a mean pause taken for the law of a sum of pauses.

/// O15: the share of clients whose jittered pauses outlast an `outage`: P(U₁ + … + Uₙ > outage), Uᵢ uniform from 0 to
/// the i-th of `pauses`, in seconds. By inclusion and exclusion over the corners of the box,
/// P(sum ≤ x) = Σ over subsets S of (−1)^|S|·(x − Σ of S)₊ⁿ / (n!·Π pauses).
///
/// Conditions: the first try at the start of the outage, full jitter, pauses independent.
///
/// # Panics
/// Without pauses, with more than 20 of them, or with one that is not positive.
#[must_use]
pub fn outlives(pauses: &[f64], outage: f64) -> f64 {
    assert!((1..=20).contains(&pauses.len()), "from 1 to 20 pauses were expected, got {}", pauses.len());
    assert!(pauses.iter().all(|&pause| pause > 0.0), "positive pauses were expected, got {pauses:?}");
    let mut below = 0.0;
    for subset in 0..1_u32 << pauses.len() {
        let taken = pauses.iter().enumerate().filter(|(place, _)| subset >> place & 1 == 1);
        let left = outage - taken.map(|(_, &pause)| pause).sum::<f64>();
        if left > 0.0 {
            // (left)^n / (n! * product), factor by factor, so that nothing leaves the range of f64.
            let factors = pauses.iter().enumerate().map(|(place, pause)| left / (pause * (place + 1) as f64));
            let volume: f64 = factors.product();
            below += if subset.count_ones() % 2 == 0 { volume } else { -volume };
        }
    }
    (1.0 - below).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::super::oracles;
    use super::*;

    #[test]
    fn jittered_pauses_agree_with_the_oracle() {
        oracles::agree("O15", "P(6 tries, full jitter U(0,.5*2^i), outlive an outage of X s)", |row| {
            vec![outlives(&[0.5, 1.0, 2.0, 4.0, 8.0], row.number("X"))]
        });
    }

    #[test]
    fn one_pause_is_uniform_and_two_are_a_triangle() {
        assert!((outlives(&[4.0], 1.0) - 0.75).abs() < 1e-15);
        assert!((outlives(&[1.0, 1.0], 0.5) - 0.875).abs() < 1e-15);
        assert!((outlives(&[1.0, 1.0], 1.5) - 0.125).abs() < 1e-15);
    }

    #[test]
    fn nobody_is_too_early_for_no_outage_and_nobody_outlives_all_pauses() {
        assert_eq!((outlives(&[0.5, 1.0], 0.0), outlives(&[0.5, 1.0], 1.5)), (1.0, 0.0));
    }
}
