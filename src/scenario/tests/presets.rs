//! Presets change defaults and nothing else.

use std::time::Duration;

use super::*;
use crate::scenario::{Design, Handshake, Keys, Kind, Misroute, OnBroken, OnNotFound, effective_hash, keys, presets};

/// The words of the key, each with what it stands for.
fn named() -> Vec<(&'static str, &'static [crate::scenario::Preset])> {
    let Kind::Choice(words) = keys().iter().find(|key| key.path == "preset").unwrap().kind else { panic!("words") };
    words.iter().copied().zip(presets()).collect()
}

#[test]
fn a_preset_names_keys_once_each_and_changes_their_default() {
    for (name, preset) in named() {
        for (place, default) in preset.iter().enumerate() {
            let key = keys().iter().find(|key| key.path == default.path);
            let key = key.unwrap_or_else(|| panic!("{name}: `{}` is no key", default.path));
            assert_ne!(key.default, Some(default.default), "{name}: {}", key.path);
            assert!(preset[..place].iter().all(|other| other.path != default.path), "{name}: {} twice", key.path);
            assert!(!default.source.is_empty());
        }
    }
    assert!(named()[0] == ("none", &[][..]) && named()[1..].iter().all(|(_, preset)| !preset.is_empty()));
}

#[test]
fn a_preset_means_the_same_as_its_keys_written() {
    let hash = |text: String| effective_hash(&legal(&text));
    // A heartbeat is written only where somebody minds silence.
    let before = format!("{SMALLEST}balancer.idle = [\"60s\"]\n");
    for (name, preset) in named() {
        let lines: String = preset.iter().map(|line| format!("{} = {}\n", line.path, line.default)).collect();
        assert_eq!(hash(format!("{before}preset = \"{name}\"\n")), hash(format!("{before}{lines}")), "{name}");
        for designs in [Design::PURE.len(), 1] {
            let designs = &["carrying", "waiting"][..designs];
            legal(&format!("{SMALLEST}preset = \"{name}\"\ndesigns = {designs:?}\n"));
        }
    }
}

#[test]
fn what_is_written_stands_before_a_preset() {
    let rmcp = legal(&format!("{SMALLEST}preset = \"rmcp-3.11\"\nclients.on_broken = \"fail\"\n"));
    let clients = &rmcp.clients;
    assert_eq!((clients.patience, clients.serves_after), (None, Duration::from_secs(2)));
    assert_eq!((clients.handshake, clients.on_not_found), (Handshake::Full, OnNotFound::Fail));
    assert_eq!((clients.on_broken, rmcp.fleet.misroute), (OnBroken::Fail, Misroute::NotFound));
    assert_eq!(rmcp.fleet.session_idle, Some(Duration::from_secs(300)));
    assert_eq!((rmcp.fleet.heartbeat, rmcp.state.ttl), (Some(Duration::from_secs(15)), None));
    let python = legal(&format!("{SMALLEST}fleet.misroute = \"swallowed\"\npreset = \"python-2.3\"\n"));
    assert_eq!((python.state.keys, python.fleet.misroute), (Keys::PerProcess, Misroute::Swallowed));
    assert_eq!(python.clients.patience, Some(Duration::from_secs(300)));
    let said = only(&format!("{SMALLEST}preset = \"rmcp\"\n"));
    assert!(said.starts_with("2:10 `preset` takes one of a few words") && said.contains("\"rmcp-3.11\""), "{said}");
}
