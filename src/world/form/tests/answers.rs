//! What an answer must be: F-12, F-13 and the bounds of F-01 to F-08, and the three actions.

use super::*;
use crate::world::Action;

#[test]
fn lengths_count_unicode_characters() {
    let form = field(json!({ "type": "string", "minLength": 2, "maxLength": 2 }));
    for two in ["ab", "é漢", "🦀🦀", "e\u{301}"] {
        assert!(takes(&form, two.into()), "{two}");
    }
    assert!(!takes(&form, "🦀".into()) && !takes(&form, "abc".into()));
}

#[test]
fn bounds_are_inclusive() {
    let form = field(json!({ "type": "number", "minimum": 1, "maximum": 2.5 }));
    assert!(takes(&form, json!(1)) && takes(&form, json!(1.0)) && takes(&form, json!(2.5)));
    assert!(!takes(&form, json!(0.9999999999999999)) && !takes(&form, json!(2.5000000000000004)));
    let form = field(json!({ "type": "number", "minimum": 0.0 }));
    assert!(takes(&form, json!(-0.0)), "there is one zero");
}

#[test]
fn bounds_hold_exactly_beyond_the_whole_numbers_of_a_float() {
    let form = field(json!({ "type": "integer", "maximum": 9007199254740992_u64 }));
    assert!(takes(&form, json!(9007199254740992_u64)) && !takes(&form, json!(9007199254740993_u64)));
    let form = field(json!({ "type": "integer", "maximum": 9007199254740992.0 }));
    assert!(takes(&form, json!(9007199254740992_u64)) && !takes(&form, json!(9007199254740993_u64)));
    let form = field(json!({ "type": "integer", "minimum": -9007199254740992.0 }));
    assert!(!takes(&form, json!(-9007199254740993_i64)));
    let form = field(json!({ "type": "number", "maximum": u64::MAX }));
    assert!(takes(&form, json!(u64::MAX)) && !takes(&form, json!(1e300)) && takes(&form, json!(-1e300)));
}

#[test]
fn a_whole_number_may_be_written_with_a_fraction_of_nothing() {
    let form = field(json!({ "type": "integer" }));
    assert!(takes(&form, json!(3.0)) && takes(&form, json!(1e30)) && !takes(&form, json!(3.5)));
}

#[test]
fn an_answer_is_of_the_type_of_its_field() {
    let values = [json!("a"), json!(1.5), json!(true), json!(["a"]), json!({}), Value::Null, json!([1]), json!([[]])];
    let fields = [
        (json!({ "type": "string" }), "a: must be text"),
        (json!({ "type": "number" }), "a: must be a number"),
        (json!({ "type": "boolean" }), "a: must be true or false"),
        (json!({ "type": "array", "items": { "type": "string", "enum": ["a"] } }), "a: must be a list of text"),
    ];
    for (own, (schema, words)) in fields.into_iter().enumerate() {
        let form = field(schema);
        for (place, value) in values.iter().enumerate() {
            let told = told(form.check(&json!({ "a": value })));
            if place == own { assert!(told.is_empty(), "{told:?}") } else { assert_eq!(told, [words], "{value}") }
        }
    }
}

#[test]
fn a_choice_is_one_of_those_offered() {
    let form = field(json!({ "type": "string", "oneOf": [{ "const": "w", "title": "Window" }] }));
    assert!(takes(&form, "w".into()));
    assert_eq!(told(form.check(&json!({ "a": "Window" }))), ["a: must be one of `w`"], "a title is no value");
    let many: Vec<String> = (0..10).map(|number| number.to_string()).collect();
    let form = field(json!({ "type": "string", "enum": many }));
    let listed = "a: must be one of `0`, `1`, `2`, `3`, `4`, `5`, `6`, `7` or 2 more";
    assert_eq!(told(form.check(&json!({ "a": "x" }))), [listed]);
}

#[test]
fn a_multiple_choice_holds_as_many_as_it_may() {
    let items = json!({ "type": "string", "enum": ["a", "b", "c"] });
    let form = field(json!({ "type": "array", "items": items, "minItems": 1, "maxItems": 2 }));
    assert!(takes(&form, json!(["a"])) && takes(&form, json!(["a", "c"])));
    assert!(takes(&form, json!(["a", "a"])), "the schema has no uniqueItems");
    assert!(!takes(&form, json!([])) && !takes(&form, json!(["a", "b", "c"])) && !takes(&form, json!(["d"])));
}

#[test]
fn a_required_field_must_be_answered_and_a_key_must_be_a_field() {
    let schema = json!({ "type": "object", "required": ["a"],
        "properties": { "a": { "type": "string" }, "b": { "type": "string" } } });
    let form = parse(&json!({ "message": "", "requestedSchema": schema })).expect("a legal form");
    assert_eq!(form.check(&json!({ "a": "" })), Ok(()));
    assert_eq!(
        told(form.check(&json!({ "b": "", "c": "" }))),
        ["a: must be answered", "c: is not a field of this form"]
    );
    for content in [Value::Null, json!([]), json!("a"), json!(1)] {
        assert_eq!(told(form.check(&content)), ["content: must be an object"]);
    }
}

#[test]
fn a_problem_never_repeats_the_value() {
    let items = json!({ "type": "string", "enum": ["a"] });
    let kinds = [
        json!({ "type": "string", "maxLength": 1 }),
        json!({ "type": "string", "format": "email" }),
        json!({ "type": "string", "enum": ["a"] }),
        json!({ "type": "boolean" }),
        json!({ "type": "array", "items": items }),
    ];
    for schema in kinds {
        for value in [json!("hunter2"), json!(["hunter2"])] {
            let told = told(field(schema.clone()).check(&json!({ "a": value })));
            assert!(!told.is_empty() && !told.concat().contains("hunter2"), "{told:?}");
        }
    }
}

#[test]
fn a_middle_seat_typed_twice_takes_three_prompts() {
    let form = field(json!({ "type": "string", "enum": ["window", "aisle"] }));
    let mut typed = ["middle", "middle", "window"].into_iter();
    let prompts = 1 + typed.by_ref().take_while(|&seat| !takes(&form, seat.into())).count();
    assert_eq!((prompts, typed.next()), (3, None));
}

#[test]
fn a_result_names_one_of_three_actions() {
    let actions = ["accept", "decline", "cancel"].map(|action| elicit_result(&json!({ "action": action })));
    let actions = actions.map(|result| result.expect("a legal result").action);
    assert_eq!(actions, [Action::Accept, Action::Decline, Action::Cancel]);
    for action in [json!("Accept"), json!("reject"), json!(""), Value::Null, json!(["accept"])] {
        let told = told(elicit_result(&json!({ "action": action })));
        assert_eq!(told, ["action: must be one of `accept`, `decline`, `cancel`"]);
    }
    assert_eq!(told(elicit_result(&json!({}))), ["action: must be one of `accept`, `decline`, `cancel`"]);
    assert_eq!(told(elicit_result(&json!("accept"))), ["result: must be an object"]);
}

#[test]
fn only_an_accept_is_held_against_the_form() {
    let schema = json!({ "type": "object", "properties": { "a": { "type": "boolean" } }, "required": ["a"] });
    let form = parse(&json!({ "message": "", "requestedSchema": schema })).expect("a legal form");
    let end = |result: Value| told(elicit_result(&result).and_then(|result| form.check_result(&result)));
    assert!(end(json!({ "action": "accept", "content": { "a": true } })).is_empty());
    assert_eq!(end(json!({ "action": "accept", "content": { "a": 1 } })), ["a: must be true or false"]);
    assert_eq!(end(json!({ "action": "accept" })), ["a: must be answered"]);
    assert_eq!(end(json!({ "action": "accept", "content": null })), ["content: must be an object"]);
    for action in ["decline", "cancel"] {
        for content in [Value::Null, json!({ "a": 1 }), json!([{ "deep": [] }])] {
            assert!(end(json!({ "action": action, "content": content })).is_empty());
        }
    }
}
