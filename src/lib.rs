//! `parked`: a deterministic discrete-event simulator of servers that must ask a person in the middle of a call.
//!
//! The modules, from the top floor to the ground; each uses only floors below it.
#![forbid(unsafe_code)]

pub mod cli;
pub mod engine;
pub mod era;
pub mod experiment;
pub mod metrics;
pub mod random;
pub mod report;
pub mod scenario;
pub mod sim;
pub mod stats;
pub mod tool;
pub mod world;
