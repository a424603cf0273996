//! Finite threads: who is rejected, who waits in the line, and for how long.
//!
//! Why it exists: a parked call holds a thread, so the telephone engineers' formulas say where a waiting server breaks.
//! What must never happen here: factorials or powers that overflow; every formula is a recursion or a ratio.

use libm::{exp, expm1, log, log1p};

/// O3, Erlang B: the share of calls rejected by `threads` servers without a queue at this offered load (rate·E\[hold\]).
///
/// Conditions: Poisson arrivals, any law of the time held (with patience T the load is rate·E\[min(W, T)\]), steady
/// state. Least-connections over N instances of c threads rejects only when all are full: it is one pool of N·c. Random
/// routing is N pools at a/N.
#[must_use]
pub fn erlang_b(threads: u32, offered: f64) -> f64 {
    (1..=threads).fold(1.0, |blocked, held| offered * blocked / (f64::from(held) + offered * blocked))
}

/// O4, Erlang C: the share of calls that wait in an unlimited queue. It is 1 when the offered load reaches the threads.
///
/// Conditions: Poisson arrivals, exponential time held, nobody gives up, steady state.
#[must_use]
pub fn erlang_c(threads: u32, offered: f64) -> f64 {
    let load = offered / f64::from(threads);
    if load >= 1.0 {
        return 1.0;
    }
    let blocked = erlang_b(threads, offered);
    blocked / (1.0 - load * (1.0 - blocked))
}

/// O4: mean wait in the queue in seconds over all calls, those that do not wait included; infinite when the offered
/// load rate·mean reaches the threads. Conditions of [`erlang_c`].
#[must_use]
pub fn queue_wait_mean(threads: u32, rate: f64, mean: f64) -> f64 {
    let spare = spare_rate(threads, rate, mean);
    if spare > 0.0 { erlang_c(threads, rate * mean) / spare } else { f64::INFINITY }
}

/// O4: P(wait > t) = C·exp(−(c/m − rate)·t). Conditions of [`erlang_c`].
#[must_use]
pub fn queue_wait_survival(threads: u32, rate: f64, mean: f64, t: f64) -> f64 {
    erlang_c(threads, rate * mean) * exp(-spare_rate(threads, rate, mean).max(0.0) * t)
}

/// O4: the wait in seconds that a share `p` (0 < p < 1) of the calls does not exceed. Conditions of [`erlang_c`].
#[must_use]
pub fn queue_wait_quantile(threads: u32, rate: f64, mean: f64, p: f64) -> f64 {
    let spare = spare_rate(threads, rate, mean);
    if spare > 0.0 { (log(erlang_c(threads, rate * mean) / (1.0 - p)) / spare).max(0.0) } else { f64::INFINITY }
}

fn spare_rate(threads: u32, rate: f64, mean: f64) -> f64 {
    f64::from(threads) / mean - rate
}

/// O3, GI/M/c/c (Palm, Takács): the share rejected when new calls go round robin over `instances` of `threads` each,
/// without a queue: 1/Σ C(c,j)·Π (1−f(i/m))/f(i/m), where f(s) = (rate/(rate+s))^N is the transform of an Erlang-N gap.
///
/// Conditions: Poisson arrivals of `rate` to the whole fleet, exponential time held of this `mean`, answers sticky (only
/// new calls move the counter), a rejected call moves it too, steady state.
#[must_use]
pub fn round_robin_loss(threads: u32, rate: f64, mean: f64, instances: u32) -> f64 {
    let mut term = 1.0;
    let mut sum = 1.0;
    for held in 1..=threads {
        let left = f64::from(threads - held + 1) / f64::from(held);
        term *= left * expm1(f64::from(instances) * log1p(f64::from(held) / (rate * mean)));
        sum += term;
    }
    1.0 / sum
}

/// O5, M/M/c+D: the share that gives up when everybody in the queue has the same `patience` in seconds. With
/// J = ∫ exp(rate·min(x, T) − c·x/m) dx and E = 1/B(c−1, a) it is (1 + (rate − c/m)·J)/(E + rate·J).
///
/// Conditions: Poisson arrivals, exponential time held of this `mean`, patience counts only in the queue, steady state;
/// stable at any load.
///
/// # Panics
/// Without any thread.
#[must_use]
pub fn queue_abandon_share(threads: u32, rate: f64, mean: f64, patience: f64) -> f64 {
    assert!(threads > 0, "a queue in front of no thread never moves");
    let service = f64::from(threads) / mean;
    let spare = service - rate;
    let before = if spare == 0.0 { patience } else { -expm1(-spare * patience) / spare };
    let area = before + exp(-spare * patience) / service;
    // 1 − spare·J without its cancellation.
    let given_up = exp(-spare * patience) * rate / service;
    given_up / (1.0 / erlang_b(threads - 1, rate * mean) + rate * area)
}

/// O6, Pollaczek-Khinchine: mean wait in seconds before one processor of service time `mean` with squared coefficient
/// of variation `scv`: rate·E\[S²\]/(2(1−u)). Infinite when u = rate·mean reaches 1.
///
/// Conditions: Poisson arrivals, first come first served, independent service times, steady state.
#[must_use]
pub fn pollaczek_khinchine(rate: f64, mean: f64, scv: f64) -> f64 {
    let spare = 1.0 - rate * mean;
    if spare > 0.0 { rate * mean * mean * (1.0 + scv) / (2.0 * spare) } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::super::oracles;
    use super::*;

    #[test]
    fn erlang_b_agrees_with_the_oracle_pooled_and_per_instance() {
        oracles::agree("O3", "Erlang B, pooled (= least-connections over 10 instances)", |row| {
            vec![erlang_b(row.count("c"), row.number("rho"))]
        });
        oracles::agree("O3", "Erlang B per instance, random routing", |row| {
            vec![erlang_b(row.count("c"), row.number("rho_i"))]
        });
    }

    #[test]
    fn erlang_b_sees_only_the_mean_time_held() {
        oracles::agree("O3", "Erlang B pooled with whole-call timeout T=60 (service time min(W,60))", |row| {
            vec![erlang_b(row.count("c"), row.number("rate") * row.think().mean_min(60.0))]
        });
    }

    #[test]
    fn no_thread_rejects_all_and_no_load_rejects_none() {
        assert_eq!(erlang_b(0, 5.0), 1.0);
        assert_eq!(erlang_b(3, 0.0), 0.0);
    }

    #[test]
    fn round_robin_loss_agrees_with_the_oracle() {
        oracles::agree("O3", "GI/M/c/c per instance, round-robin over 10", |row| {
            vec![round_robin_loss(row.count("c"), 5.0, 60.0, 10)]
        });
    }

    #[test]
    fn round_robin_over_one_instance_is_erlang_b() {
        for threads in [1, 30, 400] {
            let (ours, theirs) = (round_robin_loss(threads, 5.0, 60.0, 1), erlang_b(threads, 300.0));
            assert!((ours / theirs - 1.0).abs() < 1e-11, "{threads}: {ours} is not {theirs}");
        }
    }

    #[test]
    fn erlang_c_agrees_with_the_oracle_pooled_and_per_instance() {
        oracles::agree("O4", "Erlang C pooled: P(wait), E wait, P(wait>10s), p99 wait", |row| {
            let (c, rate, mean) = (row.count("c"), 5.0, 60.0);
            let (late, p99) = (queue_wait_survival(c, rate, mean, 10.0), queue_wait_quantile(c, rate, mean, 0.99));
            vec![erlang_c(c, rate * mean), queue_wait_mean(c, rate, mean), late, p99]
        });
        oracles::agree("O4", "Erlang C per instance: P(wait), E wait, p99 wait", |row| {
            let (c, rate, mean) = (row.count("c"), 0.5, 60.0);
            vec![erlang_c(c, rate * mean), queue_wait_mean(c, rate, mean), queue_wait_quantile(c, rate, mean, 0.99)]
        });
    }

    #[test]
    fn a_full_house_lets_everybody_wait_for_ever() {
        assert_eq!((erlang_c(30, 30.0), erlang_c(30, 31.0)), (1.0, 1.0));
        assert_eq!(queue_wait_mean(30, 0.5, 60.0), f64::INFINITY);
        assert_eq!(queue_wait_quantile(30, 0.5, 60.0, 0.5), f64::INFINITY);
        assert_eq!(queue_wait_survival(30, 0.6, 60.0, 1e6), 1.0);
    }

    #[test]
    fn who_rarely_waits_has_the_quantile_zero() {
        assert_eq!(queue_wait_quantile(40, 0.5, 60.0, 0.9), 0.0);
    }

    #[test]
    fn giving_up_agrees_with_the_oracle() {
        oracles::agree_from("O5", "M/M/c+D 30 s patience in queue: P(wait) P(abandon) E queue time", 1, |row| {
            vec![queue_abandon_share(row.count("c"), row.number("rate"), 60.0, 30.0)]
        });
    }

    #[test]
    fn without_patience_giving_up_is_erlang_b() {
        for threads in [1, 290, 300, 310] {
            let (ours, theirs) = (queue_abandon_share(threads, 5.0, 60.0, 0.0), erlang_b(threads, 300.0));
            assert!((ours / theirs - 1.0).abs() < 1e-12, "{threads}: {ours} is not {theirs}");
        }
    }

    #[test]
    fn the_wait_for_one_processor_agrees_with_the_oracle() {
        let milliseconds = |row: &oracles::Row, scv: f64| vec![1e3 * pollaczek_khinchine(row.number("lam"), 0.01, scv)];
        oracles::agree("O6", "M/M/1 mean wait ms, mean sojourn ms, p99 sojourn ms", |row| milliseconds(row, 1.0));
        oracles::agree("O6", "M/D/1 mean wait ms, p99 wait ms", |row| milliseconds(row, 0.0));
        oracles::agree("O6", "M/G/1 (SCV 4) mean wait ms", |row| milliseconds(row, 4.0));
        assert_eq!(pollaczek_khinchine(100.0, 0.01, 1.0), f64::INFINITY);
    }
}
