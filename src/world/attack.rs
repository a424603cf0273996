//! What somebody does to the state that a client carries, and what comes with a state when it returns. A state is opaque
//! to honest clients; nothing here is ever done by one.

use serde::Serialize;

use super::{Found, Owner};

/// What happens to a state on its way back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Attack {
    /// Some of its bytes are changed.
    Tampered,
    /// Another user sends it.
    Stolen,
    /// It is sent with another call.
    OtherCall,
    /// It is held back until its life is over.
    Late,
    /// It is sent again after the call has completed.
    Replayed,
}

/// Shares of calls whose state is attacked, each in one way; together at most 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Attacks {
    /// By changed bytes.
    pub tampered: f64,
    /// By another user.
    pub stolen: f64,
    /// With another call.
    pub other_call: f64,
    /// Held back.
    pub late: f64,
    /// Sent again.
    pub replayed: f64,
    /// How often a replayed state is sent again.
    pub times: u8,
}

impl Attacks {
    /// Whether anything is ever attacked.
    pub fn any(&self) -> bool {
        self.tampered + self.stolen + self.other_call + self.late + self.replayed > 0.0
    }

    /// The attack at this place of the unit interval, if any.
    pub fn at(&self, place: f64) -> Option<Attack> {
        let kinds = [
            (Attack::Tampered, self.tampered),
            (Attack::Stolen, self.stolen),
            (Attack::OtherCall, self.other_call),
            (Attack::Late, self.late),
            (Attack::Replayed, self.replayed),
        ];
        let mut below = 0.0;
        kinds.into_iter().find_map(|(attack, share)| {
            below += share;
            (place < below).then_some(attack)
        })
    }
}

/// Who keeps which states were used (M-42: single use is the server's own job).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SpentStates {
    /// Nobody.
    None,
    /// Each process for itself.
    PerInstance,
    /// One store for the fleet.
    Shared,
}

/// Where a returning state was used before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsedBefore {
    /// Nowhere.
    No,
    /// In this process.
    Here,
    /// In another one.
    Elsewhere,
}

/// How a state comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Presented {
    /// Whether its bytes are those that were sealed.
    pub intact: bool,
    /// Whether its own user sends it.
    pub by_its_user: bool,
    /// Whether it comes with its own call.
    pub with_its_call: bool,
    /// Whether it was used before.
    pub used_before: UsedBefore,
    /// Whether the shared store of used states can be asked.
    pub store_is_up: bool,
    /// What the shared store says of the call, where it is asked.
    pub found: Found,
    /// What becomes of what is passed on to the process that keeps the call, where anything is.
    pub owner: Owner,
}

impl Presented {
    /// As an honest client presents it.
    pub const HONESTLY: Presented = Presented {
        intact: true,
        by_its_user: true,
        with_its_call: true,
        used_before: UsedBefore::No,
        store_is_up: true,
        found: Found::Kept,
        owner: Owner::Alive,
    };
}
