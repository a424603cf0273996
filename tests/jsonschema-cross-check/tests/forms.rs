//! Two independent readings of the same rules: `parked::world::form` and the crate `jsonschema` with formats switched on
//! agree on 10,000 random legal forms with random answers, and where they differ on a format the reason is listed.

#[path = "../../../src/world/form/tests/generate.rs"]
mod generate;

use std::cell::Cell;

use jsonschema::{EmailOptions, Validator};
use parked::world::form::{TextFormat, parse};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};

use generate::{any_json, form_and_answer, nearly_formatted};

/// The independent reading of a schema.
fn independent(schema: &Value) -> Validator {
    let options = jsonschema::options().should_validate_formats(true);
    let options = options.with_email_options(EmailOptions::default().without_display_text());
    options.build(schema).expect("a legal form is a legal schema")
}

/// The schema of a form with the one rule said aloud that forms have beside JSON Schema: no key but the fields.
fn schema_of(params: &Value) -> Value {
    let mut schema = params["requestedSchema"].clone();
    schema["additionalProperties"] = false.into();
    schema
}

/// A value near what a field may take: at a bound, beside it, of another type, or anything.
fn value() -> impl Strategy<Value = Value> {
    let near = select(vec![
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(0.5),
        json!(1e300),
        json!(-0.0),
        json!(u64::MAX),
        json!(9007199254740993_u64),
        json!(""),
        json!("a"),
        json!([]),
        json!(["a"]),
        json!(["a", "a"]),
        json!({}),
    ]);
    let any_number = prop_oneof![any::<i64>().prop_map(Value::from), any::<f64>().prop_map(Value::from)];
    prop_oneof![
        near,
        any_number,
        select(TextFormat::ALL.to_vec()).prop_flat_map(|format| nearly_formatted(format.name())).prop_map(Value::from),
        any_json()
    ]
}

/// A legal answer with up to three slips.
fn form_and_random_answer() -> impl Strategy<Value = (Value, Value)> {
    let slips = proptest::collection::vec((any::<Index>(), 0..5, value(), -2..3_i64), 0..4);
    (form_and_answer(), slips).prop_map(|((params, mut answer), slips)| {
        let names: Vec<String> = fields(&params).map(|(name, _)| name.clone()).collect();
        for (place, slip, value, step) in slips {
            let name = if names.is_empty() { "a" } else { place.get(&names) };
            let content = answer.as_object_mut().expect("an object");
            let schema = &params["requestedSchema"]["properties"][name];
            match slip {
                0 => drop(content.remove(name)),
                1 => drop(content.insert("other".to_owned(), value)),
                2 => drop(content.insert(name.to_owned(), beside(schema, step))),
                _ => drop(content.insert(name.to_owned(), value)),
            }
        }
        (params, answer)
    })
}

fn fields(params: &Value) -> impl Iterator<Item = (&String, &Value)> {
    params["requestedSchema"]["properties"].as_object().into_iter().flatten()
}

/// A value a step from a bound of the field.
fn beside(schema: &Value, step: i64) -> Value {
    let number = |name: &str| schema.get(name).and_then(Value::as_i64).map(|bound| json!(bound.saturating_add(step)));
    let float = |name: &str| schema.get(name).and_then(Value::as_f64).map(|bound| json!(bound + step as f64));
    let count = |name: &str| schema.get(name).and_then(Value::as_i64).map(|bound| (bound + step).max(0) as usize);
    let text = |name: &str| count(name).map(|count| json!("é".repeat(count)));
    let first = || schema["items"]["enum"][0].as_str().or(schema["items"]["anyOf"][0]["const"].as_str());
    let items = |name: &str| count(name).map(|count| json!(vec![first().unwrap_or(""); count]));
    let bounds = [
        text("minLength"),
        text("maxLength"),
        items("minItems"),
        items("maxItems"),
        number("minimum"),
        number("maximum"),
        float("minimum"),
        float("maximum"),
    ];
    bounds.into_iter().flatten().nth(step.unsigned_abs() as usize % 2).unwrap_or(json!(step))
}

/// Runs the test on 10,000 cases, always the same, and shrinks what fails; the test says what both readings found, and
/// enough of the cases must be legal and illegal.
fn on_ten_thousand<S: Strategy>(cases: S, test: impl Fn(S::Value) -> Result<bool, TestCaseError>) {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(10_000) };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let (legal, illegal) = (Cell::new(0), Cell::new(0));
    let done = runner.run(&cases, |case| {
        let count = if test(case)? { &legal } else { &illegal };
        count.set(count.get() + 1);
        Ok(())
    });
    done.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(legal.get() > 2_000 && illegal.get() > 2_000, "{} legal, {} illegal", legal.get(), illegal.get());
}

#[test]
fn both_readings_agree_on_random_forms_and_answers() {
    on_ten_thousand(form_and_random_answer(), |(params, answer)| {
        let form = parse(&params).map_err(|problems| TestCaseError::fail(format!("{problems:?}")))?;
        let (ours, theirs) = (form.check(&answer), independent(&schema_of(&params)).is_valid(&answer));
        let format_is_listed = |(name, schema): (&String, &Value)| {
            let (format, text) = (schema["format"].as_str(), answer[name].as_str());
            format.zip(text).is_some_and(|(format, text)| is_listed(format, text, ours.is_ok(), theirs))
        };
        let listed = fields(&params).any(format_is_listed);
        prop_assert!(ours.is_ok() == theirs || listed, "{:?} against {theirs}: {}", ours, answer);
        Ok(ours.is_ok())
    });
}

#[test]
fn both_readings_agree_on_texts_near_a_format() {
    for format in TextFormat::ALL {
        let theirs = independent(&json!({ "type": "string", "format": format.name() }));
        on_ten_thousand(prop_oneof![9 => nearly_formatted(format.name()), 1 => any::<String>()], |text| {
            let (ours, theirs) = (format.accepts(&text), theirs.is_valid(&json!(text)));
            let listed = is_listed(format.name(), &text, ours, theirs);
            prop_assert!(ours == theirs || listed, "{}: {ours} against {theirs}: {text:?}", format.name());
            Ok(ours)
        });
    }
}

/// Where the two differ, and why; on everything else they agree.
///
/// - `uri`: RFC 3986 allows any port number, an empty host and escapes in a host. The URL standard, by which a browser
///   opens a link, does not; a form of ours must hold both.
/// - `email`: `jsonschema` holds the domain against the rules of registered international names, which keep `--` in the
///   third and fourth place of a label for themselves (RFC 5891). RFC 5321, which the format names, does not.
fn is_listed(format: &str, text: &str, ours: bool, theirs: bool) -> bool {
    match (format, ours, theirs) {
        ("uri", false, true) => url_standard_refuses(text),
        ("email", true, false) => {
            let domain = text.rsplit('@').next().unwrap_or("");
            domain.split('.').any(|label| label.get(2..4) == Some("--"))
        }
        _ => false,
    }
}

fn url_standard_refuses(text: &str) -> bool {
    use url::ParseError::{
        EmptyHost, IdnaError, InvalidDomainCharacter, InvalidIpv4Address, InvalidIpv6Address, InvalidPort,
    };
    let listed = [EmptyHost, IdnaError, InvalidDomainCharacter, InvalidIpv4Address, InvalidIpv6Address, InvalidPort];
    url::Url::parse(text).is_err_and(|error| listed.contains(&error))
}
