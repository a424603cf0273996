//! What most calls have nothing of, kept beside the table of calls so that their lines stay short. Must never hold
//! anything that every call needs.

use std::collections::BTreeMap;

use crate::metrics::Incidents;
use crate::world::{Cause, Exposure, SignIn};

/// How it came that a body need not ask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Consent {
    /// It asks.
    #[default]
    ByAnswer,
    /// Somebody at the client asked the person, and the call says `confirmed`.
    Confirmed,
    /// Nobody asked, and the call says `confirmed` all the same.
    Claimed,
    /// Nobody could be asked, and the server went on.
    Waived,
}

/// How a call waits for the grant of its user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Waits {
    /// It does not.
    #[default]
    No,
    /// Its body is kept by its server, on its thread.
    Held,
    /// Its client waits to be told.
    ToBeTold,
}

/// What is noted of a call out of the common run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Aside {
    pub consent: Consent,
    /// Why the client cancelled by itself, so that it is never taken for a person's cancel.
    pub cancelled_by_machine: Option<Cause>,
    /// Answers typed so far.
    pub typed: u16,
    /// Times that the host asked again for the answer that the person is at.
    pub reasks: u8,
    pub invalid_at_client: u16,
    pub invalid_at_server: u16,
    /// Whether the round at the client was sent as something else than its asks need.
    pub downgraded: bool,
    /// Effects that this run of the body has come to, and those that are recorded for the next.
    pub effects: u16,
    pub effects_recorded: u16,
    /// Those that the state says are made.
    pub effects_sealed: u16,
    pub entries_again: u16,
    pub entries_unconfirmed: u16,
    pub exposed: Exposure,
    /// Whether the round at the client asks again for what was accepted before.
    pub asks_again: bool,
    /// The sign-in behind the link that was sent last.
    pub sign_in: Option<SignIn>,
    /// Pages opened so far, and whether one of them is open.
    pub pages: u8,
    pub page_is_open: bool,
    /// Whether the call waits for the grant of its user.
    pub waits: Waits,
    /// Whether what a page would bring came another way.
    pub needs_no_page: bool,
    pub incidents: Incidents,
}

/// What is noted, by the place of the call.
#[derive(Debug, Default)]
pub(super) struct Asides {
    noted: BTreeMap<u32, Aside>,
    /// What is noted of most calls.
    nothing: Aside,
}

impl Asides {
    /// What is noted of a call.
    pub(super) fn of(&self, id: u32) -> &Aside {
        self.noted.get(&id).unwrap_or(&self.nothing)
    }

    /// To note something of a call.
    pub(super) fn note(&mut self, id: u32) -> &mut Aside {
        self.noted.entry(id).or_default()
    }

    /// The call begins anew: what was noted of its rounds and of its state counts no more, what was counted stays.
    pub(super) fn begin_anew(&mut self, id: u32) {
        let Some(aside) = self.noted.get_mut(&id) else { return };
        (aside.effects_recorded, aside.effects_sealed, aside.reasks) = (0, 0, 0);
        (aside.downgraded, aside.asks_again, aside.needs_no_page) = (false, false, false);
        (aside.cancelled_by_machine, aside.sign_in) = (None, None);
    }

    /// The call is over: what was noted of it.
    pub(super) fn take(&mut self, id: u32) -> Aside {
        self.noted.remove(&id).unwrap_or_default()
    }
}
