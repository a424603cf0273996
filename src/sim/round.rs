//! The round of asks that a client is at: what is still open, what was answered and travels, what arrived.

use crate::tool::{InputRequests, MOST_ASKS};
use crate::world::{Action, Capability};

/// What became of one ask of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// Not answered yet.
    Open,
    /// Answered so; the answer travels with the next message.
    Given(Action),
    /// Accepted with content that does not fit the form, and sent all the same.
    Misfit,
    /// At the body.
    Arrived,
    /// Sent, and dropped on the way.
    Lost,
}

/// One ask of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    /// Number within the tool.
    pub ask: u8,
    pub reply: Reply,
}

/// The asks of one round in order, those beyond its length blank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round([Asked; MOST_ASKS]);

const BLANK: Asked = Asked { ask: u8::MAX, reply: Reply::Arrived };

impl Round {
    pub(super) const NONE: Round = Round([BLANK; MOST_ASKS]);

    pub(super) fn of(asks: &InputRequests) -> Round {
        let mut round = Round::NONE;
        for (place, asked) in round.0.iter_mut().zip(asks.iter()) {
            *place = Asked { ask: asked.ask, reply: Reply::Open };
        }
        round
    }

    /// The ask that the client is at: the first open one.
    pub(super) fn open(&mut self) -> Option<&mut Asked> {
        self.0.iter_mut().find(|asked| asked.reply == Reply::Open)
    }

    /// The asks whose answers travel with the next message.
    pub(super) fn travelling(self) -> impl Iterator<Item = Asked> {
        self.0.into_iter().filter(|asked| matches!(asked.reply, Reply::Given(_) | Reply::Misfit))
    }

    /// What became of the answers that travelled.
    pub(super) fn travelled(&mut self, reply: Reply) {
        for asked in self.0.iter_mut().filter(|asked| matches!(asked.reply, Reply::Given(_) | Reply::Misfit)) {
            asked.reply = reply;
        }
    }

    /// Whether every answer is at the body.
    pub(super) fn is_complete(self) -> bool {
        self.0.iter().all(|asked| asked.reply == Reply::Arrived)
    }
}

/// Whether any of a round was sent as something else than what its ask needs.
pub(super) fn is_downgraded(asks: &InputRequests, needs: impl Fn(u8) -> Capability) -> bool {
    asks.iter().any(|asked| asked.sent_as != needs(asked.ask))
}
