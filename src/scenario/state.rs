//! The signed state of the carrying design, and how the keys under which it is signed come and go. Must never read a
//! default from anywhere but the list of keys.

use super::model::*;
use super::section::Section;
use super::values::{self, Wrong};

/// Reads `[state]`.
pub(super) fn read(section: &Section<'_>) -> Option<State> {
    let keys = section.choice("keys", &[Keys::Shared, Keys::PerProcess, Keys::PerDeploy, Keys::FoundOrMinted]);
    let [key_lag, leeway] = ["key_lag", "leeway"].map(|name| section.duration(name));
    let ttl = section.duration_or("ttl");
    let signing = section.choice("signing", &[Signing::Checked, Signing::Real, Signing::Symbolic]);
    let [checks_issued, binds_principal, binds_request, key_id, remembers] =
        ["checks_issued", "binds_principal", "binds_request", "key_id", "remembers"]
            .map(|name| section.get(name, values::flag));
    let ledger = section.choice("ledger", &[SpentStates::None, SpentStates::PerInstance, SpentStates::Shared]);
    let work = section.duration("work");
    let spends_after = section.choice("spends", &[false, true]);
    let outage_opens = section.choice("on_outage", &[false, true]);
    let table = section.table("rotation");
    let rotation = match (section.raw("rotation"), section.table_quietly("rotation")) {
        (None, _) => Some(None),
        (Some(_), None) => None,
        (Some(_), Some(_)) => rotation(&table).map(Some),
    };
    Some(State {
        keys: keys?,
        key_lag: key_lag?,
        rotation: rotation?,
        leeway: leeway?,
        checks_issued: checks_issued?,
        ttl: ttl?,
        signing: signing?,
        binds_principal: binds_principal?,
        binds_request: binds_request?,
        key_id: key_id?,
        ledger: ledger?,
        spends_after: spends_after?,
        outage_opens: outage_opens?,
        work: work?,
        remembers: remembers?,
    })
}

fn rotation(section: &Section<'_>) -> Option<Rotation> {
    let [every, overlap, spread] = ["every", "overlap", "spread"].map(|name| section.duration(name));
    let order = section.choice("order", &[Order::VerifyFirst, Order::SignFirst, Order::NoRing]);
    let turns = section.choice("turns", &[Turns::Random, Turns::InOrder]);
    let (every, order, spread) = (every?, order?, spread?);
    let rolls = if order == Order::VerifyFirst { 2 } else { 1 };
    if spread.saturating_mul(rolls) > every {
        let label = match rolls {
            1 => "longer than the time between two rotations",
            _ => "two rolls are longer than the time between two rotations: all learn the key before the first seals",
        };
        let wrong = Wrong::new(label).help("a rotation ends before the next begins: shorten this, or lengthen `every`");
        section.refuse("spread", "`state.rotation.spread` contradicts `state.rotation.every`", wrong);
        return None;
    }
    if order == Order::NoRing && section.raw("overlap").is_some() {
        let wrong = Wrong::new("without a ring a process has one key at a time");
        let title = "`state.rotation.overlap` contradicts `state.rotation.order`";
        section.refuse("overlap", title, wrong.help("write another `order`, or take this out"));
        return None;
    }
    Some(Rotation { every, overlap: overlap?, order, spread, turns: turns? })
}
