//! What many replications say together: means with intervals, paired differences, ratios, and the closed forms they
//! are held against.
//!
//! Why it exists: one run proves nothing. Every number a report prints is folded here from one value per replication,
//! and stands beside the value theory gives wherever there is one.
//! What must never happen here: a call used as the unit of analysis where calls share anything (crashes, deploys, queues:
//! an interval over such calls is too narrow); a result that depends on the order in which replications
//! finished; input, output or a random number; another floor of the project.

pub mod estimate;
pub mod interval;
pub mod student;
pub mod theory;

pub use estimate::{Estimate, Paired, ratio};
pub use interval::{Interval, Observed};
pub use student::student_quantile;
