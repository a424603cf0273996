//! What contradicts among the shared store, those who use it, and clients of several eras.

use super::Rule;
use crate::era::Design;
use crate::scenario::model::*;

const ADD_STORE: &str = "add `storing`, `forwarding` or `fan-out` to `designs`, or take this out";

/// Settings of the store that no design of the scenario looks at.
pub(super) fn rules(scenario: &Scenario) -> [Rule; 6] {
    let any = |of: fn(&Design) -> bool| scenario.designs.iter().any(of);
    let store = &scenario.store;
    let [uses, writes, passes] =
        [any(|design| design.uses_store()), any(|design| design.writes_down()), any(|design| design.passes_on())];
    let unused = |is_set: bool, is_used: bool, path| {
        (is_set && !is_used, path, "no design of this scenario looks at it", ADD_STORE)
    };
    let earlier = scenario.clients.kinds.iter().any(|kind| kind.speaks == Revision::Earlier);
    [
        unused(!store.latency.is_zero(), uses, "store.latency"),
        unused(store.forgets, writes, "store.keeps"),
        unused(store.outage_opens, writes, "store.on_outage"),
        unused(store.retries != StoreRetries::None, uses, "store.retries"),
        unused(!store.hop.is_zero(), passes, "store.hop"),
        (
            earlier && !any(|design| design.serves_both_eras()),
            "clients.speaks",
            "each design but the shim decides by itself what is spoken",
            "add `shim` to `designs`, or take this out",
        ),
    ]
}
