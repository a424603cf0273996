//! How a call ends, from the caller's view. Closed and short; *why* is [`Cause`].

use serde::Serialize;

use crate::world::Cause;

/// How a call ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The tool did its work.
    Completed,
    /// The person said no.
    Declined,
    /// The person dismissed the question.
    Cancelled,
    /// The caller's clock ran out.
    TimedOut,
    /// The connection of the open call broke.
    Lost,
    /// The server refused what came back.
    Refused,
    /// The client cannot be asked.
    Unsupported,
    /// The server had no room.
    Rejected,
    /// The caller got an error.
    Failed,
    /// Nothing is held anywhere and nobody will come back.
    Abandoned,
    /// The call was open when the run ended.
    OpenAtEnd,
}

impl Outcome {
    /// Every outcome, in the order of tables.
    pub const ALL: [Outcome; 11] = [
        Outcome::Completed,
        Outcome::Declined,
        Outcome::Cancelled,
        Outcome::TimedOut,
        Outcome::Lost,
        Outcome::Refused,
        Outcome::Unsupported,
        Outcome::Rejected,
        Outcome::Failed,
        Outcome::Abandoned,
        Outcome::OpenAtEnd,
    ];

    /// Name in tables and files.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Completed => "completed",
            Outcome::Declined => "declined",
            Outcome::Cancelled => "cancelled",
            Outcome::TimedOut => "timed_out",
            Outcome::Lost => "lost",
            Outcome::Refused => "refused",
            Outcome::Unsupported => "unsupported",
            Outcome::Rejected => "rejected",
            Outcome::Failed => "failed",
            Outcome::Abandoned => "abandoned",
            Outcome::OpenAtEnd => "open_at_end",
        }
    }
}

/// How a call ended and, when it was by misfortune, why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct End {
    /// How.
    pub outcome: Outcome,
    /// The first cause; `None` for calls that ended by a person's accept, decline or cancel, or without a question.
    pub cause: Option<Cause>,
}

impl End {
    /// What the server could tell of why it refused, beside the truth; empty for any other end.
    pub fn server_view(&self, key_id: bool) -> &'static str {
        let refused = self.cause.filter(|_| self.outcome == Outcome::Refused);
        refused.and_then(|cause| cause.server_view(key_id)).unwrap_or("")
    }
}

/// As `outcome` or `outcome/cause`, so that it can be a key.
impl Serialize for End {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.outcome.name())?;
        self.cause.map_or(Ok(()), |cause| write!(f, "/{}", cause.name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outcome_is_listed_once_under_its_serialised_name() {
        for (place, outcome) in Outcome::ALL.into_iter().enumerate() {
            assert_eq!(outcome as usize, place);
            assert_eq!(serde_json::to_string(&outcome).unwrap(), format!("\"{}\"", outcome.name()));
        }
    }
}
