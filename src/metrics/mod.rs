//! What is written down while a run goes on: one [`Record`] per call, time-weighted [`Level`]s, and the [`Tally`] of a
//! replication into which both are folded as they come. Must never draw a number or change what happens: a run with
//! metrics read or unread is the same run.

mod fullest;
mod incident;
mod level;
mod outcome;
mod record;
mod tally;
mod waits;

pub use fullest::Fullest;
pub use incident::{Incident, Incidents};
pub use level::{Level, Window};
pub use outcome::{End, Outcome};
pub use record::Record;
pub(crate) use tally::Fold;
pub use tally::{ClientTally, Ends, Latency, LevelSummary, Levels, Sized, Tally};
pub use waits::Waits;
