//! Closed forms: what a run must come out at when the assumptions of a formula hold.
//!
//! Why it exists: a simulator that is only compared with itself proves nothing. Reports draw these values beside the
//! estimates, and checks hold the two against each other.
//! What must never happen here: code shared with the simulation; a formula without its name and its conditions; a
//! function without a test against `tests/suite/data/oracles.csv`, whose numbers were made by other means.
//!
//! Units: seconds, calls per second, and probabilities from 0 to 1. Labels such as O1 are the ids of that file.

mod deploys;
mod holding;
mod keys;
mod losses;
#[cfg(test)]
mod oracles;
mod parked;
mod quadrature;
mod retries;
mod routing;
mod store;
mod think;
mod threads;

pub use deploys::{lost_in_kill, lost_in_rolling, periodic_loss_share, reclaimed_share, time_between_reclaims};
pub use holding::{fullest, fullest_quantile, fullest_thrown, instances_needed, round_robin_variance, sessions_left};
pub use keys::{KeyedStates, keyed_states, ringless_refusals, sign_first_refusals};
pub use losses::{
    CompetingRisks, availability, clump_inflation, competing_risks, crash_share, expired_share, over_rounds,
};
pub use parked::{
    autocorrelation_time, mean_parked, mean_parked_misrouted, mean_parked_with_silent, parked_from_empty,
    poisson_quantile, start_up_time, time_average_sd,
};
pub use retries::{AtLeastOnce, at_least_once, herd_backlog, outlives};
pub use routing::{background_hit, random_hit, replicas_hit, reused_hit, round_robin_hit, round_robin_hit_for};
pub use store::{StoreLosses, store_losses};
pub use think::Think;
pub use threads::{
    erlang_b, erlang_c, pollaczek_khinchine, queue_abandon_share, queue_wait_mean, queue_wait_quantile,
    queue_wait_survival, round_robin_loss,
};
