//! Tries after a failure: who outlives an outage, and what is done twice where a message may be lost either way.
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

/// What comes of a call that is tried until its client hears of it, see [`at_least_once`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AtLeastOnce {
    /// P(the effect is made twice or more).
    pub twice: f64,
    /// Mean number of times that it is made.
    pub effects: f64,
    /// P(it is made, and the client hears of a failure all the same).
    pub unheard: f64,
}

/// O16: a request is lost with probability `request`, the reply to one that arrived with `reply`, and the client tries at
/// most `tries` times. With a = (1−q)(1−r), e = (1−q)r: P(twice) = 1 − qⁿ − a(1−qⁿ)/(1−q) − n·e·qⁿ⁻¹, the mean is
/// (1−q)(1−(1−a)ⁿ)/a, and P(made, not heard) = (e+q)ⁿ − qⁿ.
///
/// Conditions: losses independent, no idempotency key, nothing else fails. With q = 0 the mean is (1−rⁿ)/(1−r).
///
/// # Panics
/// Without tries, or with a probability outside [0, 1).
#[must_use]
pub fn at_least_once(request: f64, reply: f64, tries: i32) -> AtLeastOnce {
    assert!(tries >= 1, "at least one try was expected");
    assert!([request, reply].iter().all(|share| (0.0..1.0).contains(share)), "shares below 1 were expected");
    let power = |base: f64, times: i32| libm::pow(base, f64::from(times));
    let (heard, done) = ((1.0 - request) * (1.0 - reply), (1.0 - request) * reply);
    let never = power(request, tries);
    let once_and_heard = heard * (1.0 - never) / (1.0 - request);
    let once_and_unheard = f64::from(tries) * done * power(request, tries - 1);
    AtLeastOnce {
        twice: 1.0 - never - once_and_heard - once_and_unheard,
        effects: (1.0 - request) * (1.0 - power(1.0 - heard, tries)) / heard,
        unheard: power(done + request, tries) - never,
    }
}

/// O24: the backlog when `calls` come back within `spread` seconds, uniformly, beside a load of `rate`, and the fleet takes
/// `capacity` a second; in the fluid limit, reached at the end of the spread.
#[must_use]
pub fn herd_backlog(calls: f64, spread: f64, rate: f64, capacity: f64) -> f64 {
    ((calls / spread + rate - capacity) * spread).max(0.0)
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
    fn what_is_done_twice_agrees_with_the_oracle() {
        oracles::agree("O16", "P(executed>=2), E executions, P(effect but client saw failure)", |row| {
            // Both shares stand after the word "loss".
            let words: Vec<&str> = row.parameters.split(' ').collect();
            let [request, reply] = [2, 5].map(|place| words[place].parse().expect("a share"));
            let AtLeastOnce { twice, effects, unheard } = at_least_once(request, reply, row.count("tries") as i32);
            vec![twice, effects, unheard]
        });
    }

    #[test]
    fn a_herd_agrees_with_the_oracle() {
        let what = "zone loss (1/3 of 300 parked re-issue inside J s), fluid: peak rate, backlog, drain s";
        oracles::agree("O24", what, |row| {
            let capacity: f64 = row.parameters.split([' ', '/']).nth(1).expect("a rate").parse().expect("a number");
            let spread = row.number("J");
            let backlog = herd_backlog(100.0, spread, 10.0, capacity);
            vec![100.0 / spread + 10.0, backlog, backlog / (capacity - 10.0)]
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
