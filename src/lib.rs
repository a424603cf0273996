//! `parked`: a deterministic discrete-event simulator of servers that must ask a person in the middle of a call.
//!
//! The modules, from the top floor to the ground; each uses only floors below it. `docs/ARCHITECTURE.md` is the map,
//! `docs/MODEL.md` says what is simulated.
#![forbid(unsafe_code)]

pub mod cli;
pub mod report;
pub mod experiment;
pub mod stats;
pub mod sim;
pub mod scenario;
pub mod metrics;
pub mod era;
pub mod tool;
pub mod world;
pub mod random;
pub mod engine;
