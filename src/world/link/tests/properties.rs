//! Whatever the text: no panic, nothing that steers a terminal, and nothing allowed that has no safe way to be opened.

use std::net::{Ipv4Addr, Ipv6Addr};

use proptest::prelude::*;

use super::*;

/// Texts near to addresses: most can be opened, and every kind of flaw comes up.
fn nearly_an_address() -> impl Strategy<Value = String> {
    let one_of = |texts: &'static [&'static str]| prop::sample::select(texts);
    let scheme = prop_oneof![
        6 => one_of(&["https://", "HTTPS://", "http://"]),
        1 => one_of(&["https:/", "javascript:", "ws://", ""]),
    ];
    let user = prop_oneof![8 => Just(""), 1 => one_of(&["a@", "a:@", "@", "mcp.example.com@"])];
    let host =
        one_of(&["mcp.example.com", "localhost", "127.1", "[::1]", "xn--bcher-kva.de", "\u{430}b.c", "a.b.", ""]);
    const HARMLESS: [&str; 12] =
        ["/", "/", "?", "#", "&", "token=1", "%00", "%0a=%1b", "%E2%80%AEkey=1", "sig=1&sv=2", ":80", "\u{e4}"];
    let piece = prop_oneof![
        12 => prop::sample::select(&HARMLESS[..]).prop_map(str::to_owned),
        1 => one_of(&["\u{202e}", "\u{1b}", "\\", " ", "\n", "\u{ad}", "xn--"]).prop_map(str::to_owned),
        1 => ".{0,3}",
    ];
    (scheme, user, host, prop::collection::vec(piece, 0..5))
        .prop_map(|(scheme, user, host, rest)| format!("{scheme}{user}{host}{}", rest.concat()))
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "\\PC{0,40}", nearly_an_address(), nearly_an_address()]
}

fn steers(c: char) -> bool {
    let turns = ['\u{61c}', '\u{200e}', '\u{200f}', '\u{2028}', '\u{2029}', '\u{feff}', '\u{200b}'];
    c.is_control()
        || turns.contains(&c)
        || ('\u{202a}'..='\u{202e}').contains(&c)
        || ('\u{2066}'..='\u{2069}').contains(&c)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_text_panics_and_nothing_shown_steers_a_terminal(text in any_text(), server in prop::option::of(any_text())) {
        let inspection = inspect(&text, server.as_deref());
        let words = inspection.blocked.iter().map(Blocked::to_string);
        let words = words.chain(inspection.warnings.iter().map(Warning::to_string));
        let words = words.chain(inspection.unicode_host.clone()).chain([inspection.shown.clone()]);
        for shown in words {
            prop_assert!(!shown.chars().any(steers), "{shown:?}");
        }
        if let Some(highlight) = inspection.highlight.clone() {
            prop_assert_eq!(inspection.shown.get(highlight), inspection.host.as_deref());
        }
        prop_assert_eq!(inspection.highlight.is_some(), inspection.host.is_some());
    }

    #[test]
    fn what_is_allowed_has_a_host_and_is_https_or_http_to_this_machine(text in nearly_an_address()) {
        let inspection = inspect(&text, None);
        if !inspection.is_allowed() {
            return Ok(());
        }
        let host = inspection.host.expect("a host");
        let here = host == "localhost"
            || host.parse::<Ipv4Addr>().is_ok_and(|address| address.octets()[0] == 127)
            || host.trim_matches(['[', ']']).parse() == Ok(Ipv6Addr::LOCALHOST);
        let scheme = inspection.shown.split("://").next();
        prop_assert!(!host.is_empty() && (scheme == Some("https") || scheme == Some("http") && here), "{text:?}");
        prop_assert!(inspection.shown.chars().all(|c| c.is_ascii_graphic()), "{:?}", inspection.shown);
    }

    #[test]
    fn what_is_shown_is_inspected_like_what_was_given(text in nearly_an_address()) {
        let inspection = inspect(&text, Some(SERVER));
        if inspection.is_allowed() {
            prop_assert_eq!(inspect(&inspection.shown, Some(SERVER)), inspection);
        }
    }
}
