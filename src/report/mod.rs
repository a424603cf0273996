//! Draws what was summed up: tables, CSV, JSON, a chart, the story of a call and its messages, and the folder of results. Computes no
//! figure of its own; every file it writes is complete or absent.

mod bill;
mod chart;
mod csv;
mod files;
mod number;
mod story;
mod table;
mod text;
mod wire;

pub use self::csv::summary_csv;
pub use files::{Extras, WriteError, folder, write};
pub use number::rounded;
pub use story::story;
pub use table::columns;
pub use text::text;
pub use wire::{Frame, Headers, Http, frames, revision, spoken, wire};
