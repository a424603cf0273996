//! What a body asks of a person. Asks are static: a body names them, and the text of a form is made only when somebody
//! looks at it.

use super::Arguments;

/// One question that a tool can put to a person: a key that is unique within the tool and a form made from the arguments.
#[derive(Debug)]
pub struct Ask {
    /// Number within the tool, below [`MOST_ASKS_OF_A_TOOL`](crate::world::MOST_ASKS_OF_A_TOOL); two asks of one tool
    /// never share it.
    pub number: u8,
    /// Key in `inputRequests` and `inputResponses`.
    pub key: &'static str,
    /// The form shown, a function of the arguments alone, so that a body run again asks the same.
    pub request: fn(&Arguments) -> ElicitRequest,
}

/// `params` of `elicitation/create` in form mode (client/elicitation@2026-07-28).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElicitRequest {
    /// What the person reads.
    pub message: String,
}

/// Most asks that can travel in one round.
pub const MOST_ASKS: usize = 4;

/// The asks of one round (`inputRequests`), each with how often its key was answered before.
#[derive(Clone, Copy, Debug)]
pub struct InputRequests {
    len: u8,
    items: [Option<(&'static Ask, u8)>; MOST_ASKS],
}

impl InputRequests {
    pub(super) const NONE: InputRequests = InputRequests { len: 0, items: [None; MOST_ASKS] };

    pub(super) fn push(&mut self, ask: &'static Ask, answered_before: u8) {
        assert!(usize::from(self.len) < MOST_ASKS, "more than {MOST_ASKS} asks in one round");
        self.items[usize::from(self.len)] = Some((ask, answered_before));
        self.len += 1;
    }

    /// The asks in the order in which the body named them, each with how often it was answered before.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Ask, u8)> + '_ {
        self.items.iter().flatten().copied()
    }

    /// How many asks travel in this round.
    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Whether no ask travels: never true of a round that a body stopped for.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}
