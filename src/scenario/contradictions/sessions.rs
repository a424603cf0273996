//! What contradicts among sessions and those who would have them.

use super::Rule;
use crate::scenario::model::*;

const SHAKE_HANDS: &str = "write `clients.handshake = \"full\"`, or take this out";
const ADD_WAITING: &str = "add `waiting` to `designs`, or take this out";

/// Settings of sessions that ask for an effect which another one rules out.
pub(super) fn rules(scenario: &Scenario) -> [Rule; 7] {
    let Scenario { clients, fleet, .. } = scenario;
    let none_minted = clients.handshake == Handshake::None;
    let carries_only = !scenario.designs.iter().any(|design| design.has_sessions());
    let [cap, goodbye, shared] = [fleet.session_cap.is_some(), clients.goodbye < 1.0, clients.calls_per_session > 1];
    let minted =
        |is_set: bool, key| (is_set && none_minted, key, "no session is minted without a handshake", SHAKE_HANDS);
    let there = |is_set: bool, key| {
        (is_set && !none_minted && carries_only, key, "there are no sessions in the carrying design", ADD_WAITING)
    };
    [
        minted(fleet.sessions == Sessions::Shared, "fleet.sessions"),
        minted(cap, "fleet.session_cap"),
        minted(goodbye, "clients.goodbye"),
        minted(shared, "clients.calls_per_session"),
        there(cap, "fleet.session_cap"),
        there(goodbye, "clients.goodbye"),
        there(shared, "clients.calls_per_session"),
    ]
}
