//! The store that the processes share. Must never read a default from anywhere but the list of keys.

use super::model::{Store, StoreRetries};
use super::section::Section;

/// Reads `[store]`.
pub(super) fn read(section: &Section<'_>) -> Option<Store> {
    let [latency, hop, owner_ttl, heartbeat, forward_timeout] =
        ["latency", "hop", "owner_ttl", "heartbeat", "forward_timeout"].map(|name| section.duration(name));
    let forgets = section.choice("keeps", &[false, true]);
    let outage_opens = section.choice("on_outage", &[false, true]);
    let retries = section.choice("retries", &[StoreRetries::None, StoreRetries::Answers, StoreRetries::Both]);
    Some(Store {
        latency: latency?,
        forgets: forgets?,
        outage_opens: outage_opens?,
        retries: retries?,
        hop: hop?,
        owner_ttl: owner_ttl?,
        heartbeat: heartbeat?,
        forward_timeout: forward_timeout?,
    })
}
