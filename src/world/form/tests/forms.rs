//! What a form may hold: F-01 to F-08, F-10, F-11, F-14, and the frame around the fields.

use super::*;

#[test]
fn a_text_field_has_lengths_a_format_and_a_default() {
    let words = json!({ "type": "string", "title": "T", "description": "D", "minLength": 1, "maxLength": 10.0,
        "format": "date", "default": "2026-07-28" });
    let field = &field(words).fields[0];
    assert_eq!((field.title.as_deref(), field.description.as_deref()), (Some("T"), Some("D")));
    let text = FieldKind::Text { min_length: Some(1), max_length: Some(10), format: Some(TextFormat::Date) };
    assert_eq!((&field.kind, &field.default), (&text, &Some(json!("2026-07-28"))));
}

#[test]
fn a_text_field_has_no_pattern() {
    assert_eq!(wrong(json!({ "type": "string", "pattern": "^a" })), ["a: `pattern` is not allowed in a text field"]);
}

#[test]
fn a_format_beside_the_four_is_refused() {
    for format in [json!("password"), json!("ipv4"), json!("DATE"), json!(1)] {
        let told = wrong(json!({ "type": "string", "format": format }));
        assert_eq!(told, ["a: `format` must be one of \"email\", \"uri\", \"date\", \"date-time\""]);
    }
}

#[test]
fn a_number_field_has_bounds_and_no_others() {
    let form = field(json!({ "type": "integer", "minimum": 1, "maximum": 2.5, "default": 2 }));
    assert!(matches!(form.fields[0].kind, FieldKind::Number { integer: true, .. }));
    assert_eq!(form.fields[0].default, Some(json!(2)));
    let told = wrong(json!({ "type": "number", "exclusiveMinimum": 0, "multipleOf": 2, "minLength": 1 }));
    assert_eq!(told.len(), 3, "{told:?}");
}

#[test]
fn a_boolean_field_has_a_default_of_its_own_type_only() {
    assert_eq!(field(json!({ "type": "boolean", "default": false })).fields[0].kind, FieldKind::Boolean);
    let told = wrong(json!({ "type": "boolean", "default": "yes" }));
    assert_eq!(told, ["a: `default` is not a legal answer: it must be true or false"]);
}

/// The choices of a field with their titles.
fn choices(form: &Form) -> Vec<(&str, Option<&str>)> {
    let (FieldKind::Choice { options } | FieldKind::MultiChoice { options, .. }) = &form.fields[0].kind else {
        panic!("{:?} is no choice", form.fields[0].kind)
    };
    options.iter().map(|option| (option.value.as_str(), option.title.as_deref())).collect()
}

#[test]
fn a_single_choice_is_written_with_enum() {
    let form = field(json!({ "type": "string", "enum": ["window", "aisle"], "default": "aisle" }));
    assert_eq!(choices(&form), [("window", None), ("aisle", None)]);
}

#[test]
fn a_single_choice_with_titles_is_written_with_one_of() {
    let one_of = json!([{ "const": "w", "title": "Window" }, { "const": "a", "title": "Aisle" }]);
    let form = field(json!({ "type": "string", "oneOf": one_of }));
    assert_eq!(choices(&form), [("w", Some("Window")), ("a", Some("Aisle"))]);
    assert_eq!(wrong(json!({ "type": "string", "anyOf": one_of })), ["a: `anyOf` is not allowed in a text field"]);
}

#[test]
fn a_titled_choice_needs_both_its_value_and_its_title() {
    let told = wrong(json!({ "type": "string", "oneOf": [{ "const": "w" }, { "title": "Aisle" }, 7] }));
    assert_eq!(
        told,
        [
            "a.oneOf[0]: `title` must be there, and text",
            "a.oneOf[1]: `const` must be there, and text",
            "a: `oneOf` must be a list of objects with `const` and `title`",
        ]
    );
}

#[test]
fn a_multiple_choice_is_written_with_items_of_an_enum() {
    let items = json!({ "type": "string", "enum": ["a", "b", "c"] });
    let form = field(json!({ "type": "array", "items": items, "minItems": 1, "maxItems": 2, "default": ["a"] }));
    assert_eq!(choices(&form), [("a", None), ("b", None), ("c", None)]);
    assert!(matches!(form.fields[0].kind, FieldKind::MultiChoice { min_items: Some(1), max_items: Some(2), .. }));
}

#[test]
fn a_multiple_choice_with_titles_is_written_with_any_of() {
    let titled = json!([{ "const": "a", "title": "A" }]);
    assert_eq!(choices(&field(json!({ "type": "array", "items": { "anyOf": titled } }))), [("a", Some("A"))]);
    let told = wrong(json!({ "type": "array", "items": { "oneOf": titled } }));
    assert_eq!(told, ["a.items: arrays other than a multiple choice are not allowed"]);
}

#[test]
fn a_legacy_choice_has_one_name_for_each_value() {
    let form = field(json!({ "type": "string", "enum": ["w", "a"], "enumNames": ["Window", "Aisle"] }));
    assert_eq!(choices(&form), [("w", Some("Window")), ("a", Some("Aisle"))]);
    for names in [json!(["Window"]), json!("Window"), json!(["Window", 1])] {
        let told = wrong(json!({ "type": "string", "enum": ["w", "a"], "enumNames": names }));
        assert_eq!(told, ["a: `enumNames` must be a list of text, as long as `enum`"]);
    }
}

#[test]
fn a_nested_object_is_refused_in_the_words_of_the_seed() {
    let object = json!({ "type": "object", "properties": { "b": { "type": "string" } } });
    assert_eq!(wrong(object), ["a: nested objects are not allowed"]);
    assert_eq!(wrong(json!({ "type": "object" })), ["a: nested objects are not allowed"]);
    assert_eq!(wrong(json!({ "properties": {} })), ["a: nested objects are not allowed"]);
}

#[test]
fn an_array_other_than_a_multiple_choice_is_refused() {
    let array = |items: Value| wrong(json!({ "type": "array", "items": items }));
    assert_eq!(array(json!({ "type": "object" })), ["a.items: nested objects are not allowed"]);
    assert_eq!(array(json!({ "type": "array" })), ["a.items: nested arrays are not allowed"]);
    let told = ["a.items: arrays other than a multiple choice are not allowed"];
    assert_eq!(array(json!({ "type": "string" })), told);
    assert_eq!(array(json!({ "type": "number" })), told);
    let told = ["a: arrays other than a multiple choice are not allowed"];
    assert_eq!(array(json!([{ "type": "string", "enum": ["a"] }])), told);
    assert_eq!(wrong(json!({ "type": "array" })), told);
    assert_eq!(array(json!({ "type": "number", "enum": ["1"] })), ["a.items: `type` must be \"string\""]);
    assert_eq!(array(json!({ "enum": ["1"] })), ["a.items: `type` must be \"string\""]);
}

#[test]
fn a_field_of_no_known_type_is_refused() {
    let told = "a: `type` must be one of \"string\", \"number\", \"integer\", \"boolean\", \"array\"";
    for kind in [json!("null"), json!("text"), json!(["string", "null"]), Value::Null] {
        assert_eq!(wrong(json!({ "type": kind })), [told]);
    }
    assert_eq!(wrong(json!({ "$ref": "#/$defs/Seat" })), [told, "a: `$ref` is not allowed in a form"]);
    assert_eq!(wrong(json!(true)), ["a: a field must be an object that describes it"]);
}

#[test]
fn defaults_are_filled_in_before_the_person_looks_and_answer_the_form() {
    let form = parse(&params(json!({
        "a": { "type": "string", "enum": ["window", "aisle"], "default": "aisle" },
        "b": { "type": "number", "default": 1.5 },
        "c": { "type": "boolean" },
    })))
    .expect("a legal form");
    assert_eq!(form.prefilled(), json!({ "a": "aisle", "b": 1.5 }));
    assert_eq!(form.check(&form.prefilled()), Ok(()));
}

#[test]
fn a_default_that_is_no_legal_answer_refuses_the_form() {
    let illegal = [
        json!({ "type": "string", "maxLength": 1, "default": "ab" }),
        json!({ "type": "string", "format": "date", "default": "today" }),
        json!({ "type": "integer", "default": 1.5 }),
        json!({ "type": "number", "minimum": 1, "default": 0 }),
        json!({ "type": "string", "enum": ["a"], "default": "b" }),
        json!({ "type": "array", "items": { "type": "string", "enum": ["a"] }, "default": "a" }),
        json!({ "type": "string", "default": null }),
    ];
    for schema in illegal {
        let told = wrong(schema.clone());
        assert_eq!(told.len(), 1, "{schema}: {told:?}");
        assert!(told[0].starts_with("a: `default` is not a legal answer: it must "), "{told:?}");
    }
}

#[test]
fn a_link_in_the_words_of_a_field_stays_plain_text_and_refuses_nothing() {
    let form = field(json!({ "type": "boolean", "title": "https://example.com/terms" }));
    assert_eq!(form.fields[0].title.as_deref(), Some("https://example.com/terms"));
}

#[test]
fn a_field_that_no_answer_can_satisfy_refuses_the_form() {
    let impossible = [
        json!({ "type": "string", "minLength": 2, "maxLength": 1 }),
        json!({ "type": "number", "minimum": 2, "maximum": 1.5 }),
        json!({ "type": "integer", "minimum": 1.2, "maximum": 1.8 }),
        json!({ "type": "array", "items": { "type": "string", "enum": ["a"] }, "minItems": 2 }),
        json!({ "type": "array", "items": { "type": "string", "enum": ["a"] }, "minItems": 1, "maxItems": 0 }),
    ];
    for schema in impossible {
        let told = wrong(schema);
        assert!(told.len() == 1 && told[0].starts_with("a: no answer can satisfy it: "), "{told:?}");
    }
    assert_eq!(wrong(json!({ "type": "string", "enum": [] })), ["a: `enum` must be a list that is not empty"]);
    assert_eq!(wrong(json!({ "type": "string", "enum": ["b", "c", "b"] })), ["a: `b` is offered twice"]);
}

#[test]
fn a_bound_must_be_of_its_type() {
    for bound in [json!(-1), json!(1.5), json!("1"), Value::Null] {
        let told = wrong(json!({ "type": "string", "minLength": bound }));
        assert_eq!(told, ["a: `minLength` must be a whole number from 0"]);
    }
    assert_eq!(wrong(json!({ "type": "number", "maximum": "9" })), ["a: `maximum` must be a number"]);
    assert_eq!(wrong(json!({ "type": "boolean", "title": 1 })), ["a: `title` must be text"]);
    assert_eq!(wrong(json!({ "type": "boolean", "description": [] })), ["a: `description` must be text"]);
}

#[test]
fn a_member_that_constrains_nothing_is_ignored_and_named() {
    let form = field(json!({ "type": "boolean", "x-hint": 1, "examples": [true] }));
    let notes: Vec<String> = form.ignored.iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "a: `x-hint` means nothing in a boolean field and is ignored",
            "a: `examples` means nothing in a boolean field and is ignored",
        ]
    );
}

#[test]
fn the_frame_of_a_form_is_checked_too() {
    let frame = |params: Value| told(parse(&params));
    let schema = json!({ "type": "object", "properties": {} });
    assert!(parse(&json!({ "mode": "form", "message": "", "requestedSchema": schema })).is_ok());
    assert!(parse(&json!({ "message": "", "requestedSchema": schema })).is_ok(), "no mode is form mode");
    assert_eq!(frame(json!([])), ["params: must be an object"]);
    assert_eq!(
        frame(json!({ "mode": "url", "url": "https://example.com" })),
        [
            "params: `mode` must be \"form\" or missing",
            "params: `message` must be there, and text",
            "params: `requestedSchema` must be there, and an object",
        ]
    );
    assert_eq!(
        frame(json!({ "message": "", "requestedSchema": { "type": "string", "required": "a", "$schema": 1,
            "patternProperties": {}, "additionalProperties": true } })),
        [
            "requestedSchema: `patternProperties` is not allowed in a form",
            "requestedSchema: `type` must be \"object\"",
            "requestedSchema: `additionalProperties` can only be false in a form",
            "requestedSchema: `$schema` must be text",
            "requestedSchema: `properties` must be there, and an object",
        ]
    );
}

#[test]
fn required_names_each_field_once_and_nothing_else() {
    let schema =
        json!({ "type": "object", "properties": { "a": { "type": "boolean" } }, "required": ["a", "a", "b", 1] });
    assert_eq!(
        told(parse(&json!({ "message": "", "requestedSchema": schema }))),
        [
            "requestedSchema: `required` names `a` twice",
            "requestedSchema: no answer can satisfy it: `required` names `b`, which is not a field",
            "requestedSchema: `required` must be a list of names",
        ]
    );
}

#[test]
fn every_problem_of_every_field_comes_back_at_once() {
    let told = told(parse(&params(json!({
        "a": { "type": "object" },
        "b": { "type": "string", "pattern": "x", "minLength": -1, "title": 3 },
        "c": { "type": "array", "items": { "type": "object" } },
        "d": { "type": "boolean" },
    }))));
    let paths: Vec<&str> = told.iter().filter_map(|line| line.split(':').next()).collect();
    assert_eq!(paths, ["a", "b", "b", "b", "c.items"]);
}
