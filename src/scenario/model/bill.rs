//! What a fleet is charged for, as a scenario has it: plain values.

use serde::Serialize;

/// Prices, and what one instance can hold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bill {
    /// Money for an hour of an instance.
    pub instance: f64,
    /// Its cores.
    pub cores: f64,
    /// The share of its cores that may be busy.
    pub utilisation: f64,
    /// Its worker threads; `None` = any number.
    pub threads: Option<u32>,
    /// Its memory, bytes; `None` = any amount.
    pub memory: Option<u64>,
    /// Its file descriptors; `None` = any number.
    pub descriptors: Option<u32>,
    /// Fewest instances, whatever is needed, at least 1.
    pub least: u32,
    /// Share of the time for which the fleet must do, above 0.
    pub quantile: f64,
    /// Bytes of a message and its reply, without a state.
    pub message: u64,
    /// Money for 10^9 bytes on the wire.
    pub gigabyte: f64,
}
