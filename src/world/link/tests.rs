//! The verdicts on addresses, one sentence each. The server of all is mcp.example.com.

mod properties;

use super::*;

const SERVER: &str = "mcp.example.com";

fn inspected(address: &str) -> Inspection {
    inspect(address, Some(SERVER))
}

/// The names of the reasons to block it.
fn blocked(address: &str) -> Vec<&'static str> {
    inspected(address).blocked.iter().map(Blocked::name).collect()
}

/// The names of the warnings of an address that is allowed.
fn warned(address: &str) -> Vec<&'static str> {
    let inspection = inspected(address);
    assert_eq!(inspection.blocked, [], "{address}");
    inspection.warnings.iter().map(Warning::name).collect()
}

fn highlighted(inspection: &Inspection) -> &str {
    &inspection.shown[inspection.highlight.clone().expect("there is a host")]
}

#[test]
fn a_user_name_before_the_host_is_blocked_and_the_real_host_named() {
    let address = "https://mcp.example.com@evil.example/connect";
    let inspection = inspected(address);
    assert_eq!(inspection.blocked, [Blocked::UserName { real_host: "evil.example".to_owned() }]);
    assert!(inspection.blocked[0].to_string().ends_with("the real host is evil.example"));
    assert_eq!((inspection.shown.as_str(), highlighted(&inspection)), (address, "evil.example"));
    for other in ["https://a:b@mcp.example.com/", "https://@mcp.example.com/", "https://:@mcp.example.com/"] {
        assert_eq!(blocked(other), ["user name"], "{other}");
    }
    assert_eq!(warned("https://mcp.example.com/@evil.example"), [""; 0], "an @ in the path is part of the path");
}

#[test]
fn a_punycode_host_is_allowed_with_its_unicode_form_and_warned_of() {
    let inspection = inspected("https://xn--mcp-example-9ub.com/connect");
    assert!(inspection.is_allowed());
    assert_eq!(inspection.host.as_deref(), Some("xn--mcp-example-9ub.com"));
    let unicode = "mcp-\u{123}example.com".to_owned();
    assert_eq!(inspection.unicode_host.as_ref(), Some(&unicode));
    let another = Warning::AnotherHost { server: SERVER.to_owned() };
    assert_eq!(inspection.warnings, [Warning::Punycode { unicode }, another]);
}

#[test]
fn a_host_given_in_unicode_is_shown_as_the_punycode_that_it_stands_for() {
    let inspection = inspected("https://ex\u{e4}mple.com/\u{e4}");
    assert_eq!(inspection.shown, "https://xn--exmple-cua.com/%C3%A4");
    assert_eq!(inspection.unicode_host.as_deref(), Some("ex\u{e4}mple.com"));
}

#[test]
fn only_https_may_be_opened_and_http_to_this_machine() {
    for address in ["javascript:alert(1)", "http://mcp.example.com/connect", "file:///etc/passwd", "data:text/html,x"] {
        assert_eq!(blocked(address), ["scheme"], "{address}");
    }
    for address in ["http://localhost:8000/", "http://127.0.0.1/", "http://127.255.0.9/", "http://[::1]:80/"] {
        assert_eq!(warned(address), ["not the server's host"], "{address}");
    }
    for address in ["http://localhost.evil.example/", "http://128.0.0.1/", "http://[::2]/", "http://0.0.0.0/"] {
        assert_eq!(blocked(address), ["scheme"], "{address}");
    }
    let ftp = inspected("ftp://me@evil.example/");
    let both = ["scheme", "user name"];
    assert_eq!(ftp.blocked.iter().map(Blocked::name).collect::<Vec<_>>(), both, "every reason is told");
}

#[test]
fn the_server_s_host_and_its_subdomains_are_the_server_s_and_no_other() {
    assert_eq!(warned("https://mcp.example.com/connect"), [""; 0]);
    assert_eq!(warned("https://MCP.Example.COM:8443/connect"), [""; 0]);
    assert_eq!(warned("https://login.mcp.example.com/"), [""; 0]);
    for address in ["https://other.example/login", "https://example.com/", "https://xmcp.example.com/"] {
        assert_eq!(warned(address), ["not the server's host"], "{address}");
    }
    assert_eq!(warned("https://mcp.example.com.evil.example/"), ["not the server's host"]);
    assert_eq!(inspect("https://other.example/login", None).warnings, [], "no server, no comparison");
    let nonsense = inspect("https://mcp.example.com/", Some("no host"));
    assert_eq!(nonsense.warnings, [Warning::AnotherHost { server: "no host".to_owned() }]);
}

#[test]
fn a_parameter_that_is_named_like_a_secret_is_warned_of_without_its_value() {
    let inspection = inspected("https://mcp.example.com/connect?token=abc123");
    assert_eq!(inspection.warnings, [Warning::Secret { names: vec!["token".to_owned()] }]);
    assert_eq!(inspection.warnings[0].to_string(), "a secret in the address: the value of token");
    let secret =
        ["?apiKey=1", "?user[password]=1", "?x=1&code=2", "#access_token=1", "#/page?client_secret=1", "?SID=1"];
    for end in secret {
        assert_eq!(warned(&format!("https://mcp.example.com/{end}")), ["a secret in the address"], "{end}");
    }
    let harmless = ["?token=", "?token", "?code_challenge=1&state=2", "?q=token", "token=1", "?next=%2Fa"];
    for end in harmless {
        assert_eq!(warned(&format!("https://mcp.example.com/{end}")), [""; 0], "{end}");
    }
}

#[test]
fn a_signed_address_of_a_large_cloud_is_pre_authenticated() {
    let signed = [
        "X-Amz-Algorithm=a&X-Amz-Credential=b&X-Amz-Expires=60&X-Amz-Signature=c",
        "X-Goog-Credential=b&X-Goog-Signature=c",
        "sv=2024-11-04&se=2026-08-01&sp=r&sig=c",
        "Expires=1&Signature=c&Key-Pair-Id=d",
        "Policy=b&Signature=c",
    ];
    for query in signed {
        assert_eq!(warned(&format!("https://mcp.example.com/file?{query}")), ["pre-authenticated"], "{query}");
    }
    for query in ["sig=c", "Expires=1", "sv=1&se=2", "Signature=c", "X-Amz-Expires=60"] {
        assert_eq!(warned(&format!("https://mcp.example.com/file?{query}")), [""; 0], "{query}");
    }
}

#[test]
fn what_parsers_disagree_about_is_blocked_and_no_host_is_claimed() {
    let characters = ["https://evil.example\\@mcp.example.com/", "https://mcp.example.com/a b", " https://a.example"];
    let hidden = ["https://mcp.example.com/\r\n", "https://mcp.exa\u{ad}mple.com/", "https://a.example/\u{202e}moc"];
    for address in characters.into_iter().chain(hidden) {
        assert_eq!(blocked(address), ["character"], "{address:?}");
        let inspection = inspected(address);
        assert_eq!((inspection.host, inspection.highlight), (None, None), "{address:?}");
    }
    for address in ["https:mcp.example.com", "https:/mcp.example.com", "https:///mcp.example.com"] {
        assert_eq!(blocked(address), ["slashes"], "{address}");
    }
    assert_eq!(inspected("https://a.example/\u{1b}[2J").shown, "https://a.example/\\u{1b}[2J");
}

#[test]
fn what_is_no_address_is_blocked() {
    for text in ["", "connect", "//mcp.example.com/", "https://", "https://?x", "https://a:99999/", "https://xn--a/"] {
        assert_eq!(blocked(text), ["no address"], "{text}");
    }
    let longest = format!("https://mcp.example.com/{}", "a".repeat(LONGEST - 24));
    assert_eq!(warned(&longest), [""; 0]);
    let longer = inspected(&format!("{longest}a"));
    assert_eq!(longer.blocked, [Blocked::TooLong { bytes: LONGEST + 1 }]);
    assert!(longer.shown.len() < 300 && longer.shown.ends_with("aaa..."));
}

#[test]
fn one_label_in_several_scripts_is_warned_of_and_one_language_is_not() {
    let mixed = "https://p\u{430}ypal.com/";
    assert_eq!(warned(mixed), ["punycode", "mixed scripts", "not the server's host"]);
    let single = [
        "\u{440}\u{430}\u{443}.com",
        "\u{65e5}\u{672c}\u{306e}\u{30ab}.jp",
        "b\u{fc}cher-24.de",
        "\u{d55c}\u{6f22}.kr",
    ];
    for host in single {
        assert_eq!(warned(&format!("https://{host}/")), ["punycode", "not the server's host"], "{host}");
    }
}
