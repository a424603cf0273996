//! `parked inspect --form` as a server's author meets it in CI: what is shown, every reason, and the exit code.

use std::process::Command;

use serde_json::{Value, json};

/// Exit code and standard output, then standard error, of an inspection of these files.
fn inspect(form: &[u8], answer: Option<&[u8]>) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let put =
        |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).expect("a file can be written");
    put("form.json", form);
    let mut command = Command::new(env!("CARGO_BIN_EXE_parked"));
    command.current_dir(folder.path()).args(["inspect", "--form", "form.json"]);
    if let Some(answer) = answer {
        put("answer.json", answer);
        command.args(["--answer", "answer.json"]);
    }
    let output = command.output().expect("the program can be started");
    let text = |bytes| String::from_utf8(bytes).expect("the program writes text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn inspect_json(form: &Value, answer: Option<&Value>) -> (Option<i32>, String) {
    let answer = answer.map(Value::to_string);
    let (code, out, err) = inspect(form.to_string().as_bytes(), answer.as_deref().map(str::as_bytes));
    assert_eq!(err, "");
    (code, out)
}

/// A whole request with a form for a seat.
fn seat() -> Value {
    json!({ "jsonrpc": "2.0", "id": "srv-7", "method": "elicitation/create", "params": {
        "mode": "form", "message": "Where would you like to sit?",
        "requestedSchema": { "type": "object", "required": ["seat"], "properties": {
            "extras": { "type": "array", "items": { "type": "string", "enum": ["meal", "bag"] }, "maxItems": 2 },
            "mail": { "type": "string", "format": "email", "description": "For the ticket", "maxLength": 40 },
            "seat": { "type": "string", "title": "Seat", "default": "w",
                "oneOf": [{ "const": "w", "title": "Window" }, { "const": "a", "title": "Aisle" }] },
            "years": { "type": "integer", "minimum": 0 },
            "yes": { "type": "boolean", "x-hint": "tick" },
        } },
    } })
}

#[test]
fn a_legal_form_is_shown_field_by_field_as_a_person_sees_it() {
    let expected = "  Where would you like to sit?
- extras (optional)
    any of: meal, bag, at most 2 of them
- mail (optional)
    For the ticket
    text as email, at most 40 characters
- Seat (seat, required)
    one of: Window (w), Aisle (a)
    filled in: \"w\"
- years (optional)
    whole number, at least 0
- yes (optional)
    yes or no
note: yes: `x-hint` means nothing in a boolean field and is ignored
form: ok
";
    assert_eq!(inspect_json(&seat(), None), (Some(0), expected.to_owned()));
    assert_eq!(inspect_json(&seat()["params"], None), (Some(0), expected.to_owned()), "bare params are the same form");
}

#[test]
fn a_schema_alone_is_a_form_without_a_message() {
    let (code, out) = inspect_json(&seat()["params"]["requestedSchema"], None);
    assert!(code == Some(0) && out.starts_with("- extras (optional)\n"), "{out}");
}

#[test]
fn a_refused_form_gives_every_reason_and_exit_code_99() {
    let schema = json!({ "type": "object", "properties": {
        "a": { "type": "object" }, "b": { "type": "string", "pattern": "x", "minLength": -1 } } });
    let expected = "form: refused
  a: nested objects are not allowed
  b: `pattern` is not allowed in a text field
  b: `minLength` must be a whole number from 0
";
    assert_eq!(inspect_json(&schema, None), (Some(99), expected.to_owned()));
    let url = json!({ "method": "sampling/createMessage", "params": {} });
    let expected = "form: refused\n  method: must be `elicitation/create`\n";
    assert_eq!(inspect_json(&url, None), (Some(99), expected.to_owned()));
    assert_eq!(inspect_json(&json!([1]), None), (Some(99), "form: refused\n  params: must be an object\n".to_owned()));
}

#[test]
fn a_form_that_names_a_secret_is_shown_and_refused() {
    let schema = json!({ "type": "object", "title": "Paste your cloud API key",
        "properties": { "value": { "type": "string" } } });
    let (code, out) = inspect_json(&schema, None);
    let reason = "form: refused\n  requestedSchema: \"api key\" names a secret, and no form may ask for one\n";
    assert!(code == Some(99) && out.ends_with(reason) && out.contains("- value (optional)"), "{out}");
    let unnamed = json!({ "type": "object",
        "properties": { "value_2": { "type": "string", "description": "Paste the value we emailed you" } } });
    assert_eq!(inspect_json(&unnamed, None).0, Some(0), "a heuristic sees words only");
}

#[test]
fn an_answer_is_inspected_as_a_response_a_result_or_content() {
    let content = json!({ "seat": "a" });
    let result = json!({ "action": "accept", "content": content });
    let response = json!({ "jsonrpc": "2.0", "id": "srv-7", "result": result });
    for answer in [&content, &result, &response] {
        let (code, out) = inspect_json(&seat(), Some(answer));
        assert!(code == Some(0) && out.ends_with("form: ok\nanswer: ok (accept)\n"), "{out}");
    }
    let (code, out) = inspect_json(&seat(), Some(&json!({ "action": "decline", "content": 7 })));
    assert!(code == Some(0) && out.ends_with("answer: ok (decline)\n"), "{out}");
}

#[test]
fn a_refused_answer_gives_every_reason_and_exit_code_99() {
    let (code, out) = inspect_json(&seat(), Some(&json!({ "mail": "nobody", "other": 1 })));
    let reasons = "form: ok
answer: refused
  mail: must be written as email
  seat: must be answered
  other: is not a field of this form
";
    assert!(code == Some(99) && out.ends_with(reasons), "{out}");
    let (code, out) = inspect_json(&seat(), Some(&json!({ "action": "agree" })));
    assert!(code == Some(99) && out.ends_with("  action: must be one of `accept`, `decline`, `cancel`\n"), "{out}");
}

#[test]
fn a_form_with_a_field_named_action_takes_content_with_it() {
    let schema = json!({ "type": "object", "properties": { "action": { "type": "string", "enum": ["buy", "sell"] } } });
    assert_eq!(inspect_json(&schema, Some(&json!({ "action": "buy" }))).0, Some(0));
    assert_eq!(inspect_json(&schema, Some(&json!({ "action": "accept" }))).0, Some(99));
}

#[test]
fn a_file_that_is_no_json_is_told_with_its_line_and_column_and_exit_code_2() {
    let told = inspect(b"{\n  \"type\": object\n}", None);
    let expected = "error: form.json:2:11: this is not JSON: expected value\n";
    assert_eq!(told, (Some(2), String::new(), expected.to_owned()));
    assert_eq!(inspect(b"{}", Some(b"")).0, Some(2));
    assert_eq!(inspect(b"\xff\x00", None).0, Some(2));
    let with_mark = [b"\xef\xbb\xbf", seat().to_string().as_bytes()].concat();
    assert_eq!(inspect(&with_mark, None).0, Some(0), "a byte order mark is no mistake");
}

#[test]
fn a_file_that_cannot_be_read_ends_with_exit_code_1() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_parked"));
    let output = command.current_dir(folder.path()).args(["inspect", "--form", "none.json"]).output();
    let output = output.expect("the program can be started");
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && err.starts_with("error: cannot read none.json: "), "{err}");
}

#[test]
fn words_of_the_file_cannot_steer_the_terminal() {
    let message = "\u{1b}[2JHello\u{202e}\nform: ok";
    let schema = json!({ "type": "object", "properties": { "\u{1b}]0;x\u{7}": { "type": "boolean" } } });
    let (_, out) = inspect_json(&json!({ "message": message, "requestedSchema": schema }), None);
    assert!(!out.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{out:?}");
    assert_eq!(out.lines().filter(|line| line.starts_with("form: ")).count(), 1, "{out:?}");
}
