//! `parked inspect URL...` as a server's author meets it: what is shown, every reason and warning, and the exit code.

use std::process::Command;

/// Exit code, standard output and standard error of an inspection with these words.
fn inspect(words: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_parked")).arg("inspect").args(words).output();
    let output = output.expect("the program can be started");
    let text = |bytes| String::from_utf8(bytes).expect("the program writes text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn of_the_server(address: &str) -> (Option<i32>, String) {
    let (code, out, err) = inspect(&[address, "--server", "mcp.example.com"]);
    assert_eq!(err, "");
    (code, out)
}

#[test]
fn the_real_host_behind_a_user_name_is_marked_and_named_and_the_exit_code_is_99() {
    let expected = "https://mcp.example.com@evil.example/connect
                        ^^^^^^^^^^^^
address: blocked
  user name: what stands before the @ is not the host; the real host is evil.example
  warning: not the server's host: the server's is mcp.example.com
";
    let address = "https://mcp.example.com@evil.example/connect";
    assert_eq!(of_the_server(address), (Some(99), expected.to_owned()));
}

#[test]
fn a_punycode_host_is_allowed_and_shown_in_unicode() {
    let expected = "https://xn--mcp-example-9ub.com/connect
        ^^^^^^^^^^^^^^^^^^^^^^^
address: allowed
  warning: punycode: the host reads mcp-\u{123}example.com
  warning: not the server's host: the server's is mcp.example.com
";
    assert_eq!(of_the_server("https://xn--mcp-example-9ub.com/connect"), (Some(0), expected.to_owned()));
}

#[test]
fn every_kind_of_address_gets_its_verdict() {
    let another = "  warning: not the server's host: the server's is mcp.example.com\n";
    let secret = "  warning: a secret in the address: the value of token\n";
    let scheme = |scheme| format!("  scheme: `{scheme}` is not allowed, only https, and http to this machine itself\n");
    let rows = [
        ("javascript:alert(1)", 99, format!("address: blocked\n{}", scheme("javascript"))),
        ("http://mcp.example.com/connect", 99, format!("address: blocked\n{}", scheme("http"))),
        ("https://other.example/login", 0, format!("address: allowed\n{another}")),
        ("https://mcp.example.com/connect?token=abc123", 0, format!("address: allowed\n{secret}")),
        ("https://mcp.example.com/connect", 0, "address: allowed\n".to_owned()),
        ("connect", 99, "address: blocked\n  no address: it cannot be read (relative URL without a base)\n".to_owned()),
    ];
    for (address, code, verdict) in rows {
        let (got, out) = of_the_server(address);
        assert!(got == Some(code) && out.starts_with(address) && out.ends_with(&verdict), "{out}");
    }
}

#[test]
fn each_address_has_a_block_and_one_that_is_blocked_decides_the_exit_code() {
    let allowed = "https://a.example/\n        ^^^^^^^^^\naddress: allowed\n";
    let (code, out, _) = inspect(&["https://a.example", "https://a.example/"]);
    assert_eq!((code, out), (Some(0), format!("{allowed}\n{allowed}")));
    let (code, out, _) = inspect(&["https://a.example", "file:///etc/passwd", "https://a.example/"]);
    assert!(code == Some(99) && out.matches("address: allowed").count() == 2, "{out}");
}

#[test]
fn characters_of_an_address_cannot_steer_the_terminal() {
    let (code, out) = of_the_server("https://a.example/\u{1b}[2J\u{202e}\naddress: allowed");
    assert!(code == Some(99) && !out.contains(['\u{1b}', '\u{202e}']), "{out:?}");
    assert!(!out.lines().any(|line| line == "address: allowed"), "{out:?}");
}

#[test]
fn addresses_or_a_form_must_be_given_and_never_both() {
    let wrong: [&[&str]; 5] = [
        &[],
        &["https://a.example/", "--form", "form.json"],
        &["https://a.example/", "--answer", "answer.json"],
        &["--form", "form.json", "--server", "a.example"],
        &["https://a.example/", "--server", "https://a.example/"],
    ];
    for words in wrong {
        let (code, out, err) = inspect(words);
        assert!(code == Some(2) && out.is_empty() && err.starts_with("error: "), "{words:?}: {err}");
    }
}
