//! Calls whose continuation lies in a store that all processes share.
//!
//! Why it exists: a store moves the failure, it does not remove it; how often it fails a call is a number.
//! What must never happen here: the availability of a store taken for the share of calls that it serves.

use super::availability;
use super::think::Think;

/// O21: shares of calls that a store fails which is up for an exponential time of mean `mtbf` and down for one of mean
/// `repair`, when each call is written down at its ask and looked up at its answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoreLosses {
    /// What it keeps outlives an outage, and nobody waits for it: 1 − A·(A + (1 − A)·L(1/mtbf + 1/repair)).
    pub durable: f64,
    /// What it keeps is gone after an outage, and nobody waits for it: 1 − A·L(1/mtbf).
    pub volatile: f64,
    /// Durable, and answers wait for it: 1 − A. With asks that wait too it is nought.
    pub answers_wait: f64,
}

/// O21 for this think time, whose Laplace transform is L; A = mtbf / (mtbf + repair).
///
/// Conditions: steady state, Poisson arrivals, one ask, a store without latency, no patience.
#[must_use]
pub fn store_losses(mtbf: f64, repair: f64, think: Think) -> StoreLosses {
    let up = availability(mtbf, repair);
    StoreLosses {
        durable: 1.0 - up * (up + (1.0 - up) * think.laplace(1.0 / mtbf + 1.0 / repair)),
        volatile: 1.0 - up * think.laplace(1.0 / mtbf),
        answers_wait: 1.0 - up,
    }
}

#[cfg(test)]
mod tests {
    use super::super::oracles;
    use super::*;

    #[test]
    fn losses_to_a_shared_store_agree_with_the_oracle() {
        let quantity = "shared store: P(fail) durable no retry / volatile / durable+answer retried";
        oracles::agree("O21", quantity, |row| {
            let mtbf = row.number("MTBF");
            let losses = store_losses(mtbf, row.number("repair"), row.think());
            vec![losses.durable, losses.volatile, losses.answers_wait]
        });
    }
}
