//! The only source of randomness: named streams of words, and distributions that turn a word into a value.
//!
//! A draw depends on what it is for, never on when it is made, so two designs see the same people and the difference
//! between their results is not noise. What must never happen here: a generator shared between two purposes, a word
//! used twice, a `usize` sampled, or a transcendental function of the platform (its last bit differs between targets).

mod distribution;
mod normal;
mod streams;

pub use distribution::{Distribution, InvalidDistribution};
pub use normal::normal_quantile;
pub use streams::{Kind, Lane, Purpose, Streams, place, unit};
