//! Random legal forms, each with a legal answer; also read by `tests/jsonschema-cross-check`, so it must name nothing of
//! this crate.

use std::collections::{BTreeMap, BTreeSet};

use proptest::collection::{btree_map, btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};
use serde_json::{Map, Value, json};

/// A field and a legal answer to it.
type Case = (Value, Value);

/// `params` of a legal form, and the content of a legal accept.
pub fn form_and_answer() -> impl Strategy<Value = (Value, Value)> {
    let name = prop_oneof!["[a-z]{1,4}", "\\PC{0,4}"];
    let fields = btree_map(name, (field(), any::<bool>(), any::<bool>()), 0..6);
    (fields, "\\PC{0,20}").prop_map(|(fields, message)| {
        let (mut properties, mut content) = (Map::new(), Map::new());
        let mut required = Vec::new();
        for (name, ((schema, answer), is_required, is_answered)) in fields {
            if is_required {
                required.push(name.clone());
            }
            if is_required || is_answered {
                content.insert(name.clone(), answer);
            }
            properties.insert(name, schema);
        }
        let schema = json!({ "type": "object", "properties": properties, "required": required });
        (json!({ "mode": "form", "message": message, "requestedSchema": schema }), content.into())
    })
}

fn field() -> impl Strategy<Value = Case> {
    let kind = prop_oneof![text(), formatted(), number(), integer(), boolean(), choice(), multi_choice()];
    let words = (option::of("\\PC{0,8}"), option::of("\\PC{0,8}"), any::<bool>());
    (kind, words).prop_map(|((mut schema, answer), (title, description, has_default))| {
        put(&mut schema, "title", title);
        put(&mut schema, "description", description);
        put(&mut schema, "default", has_default.then(|| answer.clone()));
        (schema, answer)
    })
}

fn put(schema: &mut Value, name: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        schema[name] = value.into();
    }
}

fn text() -> BoxedStrategy<Case> {
    let characters = vec(prop_oneof![any::<char>(), select(vec!['a', 'é', '漢', '🦀', '\u{301}'])], 0..10);
    let slack = (option::of(0..4_usize), option::of(0..4_usize));
    let case = (characters, slack).prop_map(|(characters, (below, above))| {
        let mut schema = json!({ "type": "string" });
        put(&mut schema, "minLength", below.map(|below| characters.len().saturating_sub(below)));
        put(&mut schema, "maxLength", above.map(|above| characters.len() + above));
        (schema, characters.into_iter().collect::<String>().into())
    });
    case.boxed()
}

/// A text in one of the four formats, and the format's name.
fn formatted() -> BoxedStrategy<Case> {
    let format = select(vec!["email", "uri", "date", "date-time"]);
    let case = format.prop_flat_map(|format| {
        written_as(format).prop_map(move |text| (json!({ "type": "string", "format": format }), Value::from(text)))
    });
    case.boxed()
}

/// Texts in this format.
fn written_as(format: &str) -> BoxedStrategy<String> {
    let date = (0..10_000, 1..13, 1..29).prop_map(|(y, m, d)| format!("{y:04}-{m:02}-{d:02}")).boxed();
    match format {
        "email" => "[a-z0-9]{1,8}([.+_-][a-z0-9]{1,8})?@[a-z0-9]{1,8}(-[a-z0-9]{1,4})?(\\.[a-z]{2,5})?".boxed(),
        "uri" => {
            let authority = "(https?|ftp|urn|foo)://[a-z]{1,4}(-[a-z0-9]{1,3})?(\\.[a-z]{2,4})?(:[1-9][0-9]{1,3})?";
            let path = "(/[a-z0-9._~!$&'()*+,;=:@-]{0,8}(%[0-9A-F]{2})?){0,3}(\\?[a-z=&/?]{0,8})?(#[a-z/?]{0,5})?";
            (authority, path).prop_map(|(authority, path)| authority + &path).boxed()
        }
        "date" => date,
        _ => {
            let clock = (0..24, 0..60, 0..60).prop_map(|(h, m, s)| format!("{h:02}:{m:02}:{s:02}"));
            let offset = prop_oneof![Just("Z".to_owned()), "[+-](0[0-9]|1[0-9]|2[0-3]):[0-5][0-9]"];
            let parts = (date, clock, "(\\.[0-9]{1,12})?", offset);
            parts.prop_map(|(date, clock, fraction, offset)| format!("{date}T{clock}{fraction}{offset}")).boxed()
        }
    }
}

fn number() -> BoxedStrategy<Case> {
    let finite = prop_oneof![-1e6..1e6_f64, any::<f64>().prop_filter("finite", |number| number.is_finite())];
    let slack = (option::of(0.0..10.0_f64), option::of(0.0..10.0_f64));
    let case = (finite, slack).prop_map(|(number, (below, above))| {
        let mut schema = json!({ "type": "number" });
        put(&mut schema, "minimum", below.map(|below| number - below));
        put(&mut schema, "maximum", above.map(|above| number + above));
        (schema, number.into())
    });
    case.boxed()
}

fn integer() -> BoxedStrategy<Case> {
    let slack = (option::of(0..5_u64), option::of(0..5_u64));
    let positive = (prop_oneof![0..10_u64, (1_u64 << 53) - 4..(1 << 53) + 4, any::<u64>()], slack.clone());
    let positive = positive.prop_map(|(number, (below, above))| {
        let mut schema = json!({ "type": "integer" });
        put(&mut schema, "minimum", below.map(|below| number.saturating_sub(below)));
        put(&mut schema, "maximum", above.map(|above| number.saturating_add(above)));
        (schema, Value::from(number))
    });
    let signed = (any::<i64>(), slack).prop_map(|(number, (below, above))| {
        let mut schema = json!({ "type": "integer" });
        put(&mut schema, "minimum", below.map(|below| number.saturating_sub_unsigned(below)));
        put(&mut schema, "maximum", above.map(|above| number.saturating_add_unsigned(above)));
        (schema, Value::from(number))
    });
    let written_as_float = (-1000..1000).prop_map(|number| (json!({ "type": "integer" }), f64::from(number).into()));
    prop_oneof![positive, signed, written_as_float].boxed()
}

fn boolean() -> BoxedStrategy<Case> {
    any::<bool>().prop_map(|yes| (json!({ "type": "boolean" }), yes.into())).boxed()
}

/// What is offered: values with titles.
fn options() -> impl Strategy<Value = BTreeMap<String, String>> {
    let values: BoxedStrategy<BTreeSet<String>> = btree_set("\\PC{0,5}", 1..6).boxed();
    values.prop_flat_map(|values| {
        let titles = vec("\\PC{0,5}", values.len());
        titles.prop_map(move |titles| values.iter().cloned().zip(titles).collect())
    })
}

fn titled(options: &BTreeMap<String, String>) -> Value {
    options.iter().map(|(value, title)| json!({ "const": value, "title": title })).collect()
}

fn choice() -> BoxedStrategy<Case> {
    let case = (options(), any::<Index>(), 0..3).prop_map(|(options, pick, writing)| {
        let values: Vec<&String> = options.keys().collect();
        let titles: Vec<&String> = options.values().collect();
        let schema = match writing {
            0 => json!({ "type": "string", "enum": values }),
            1 => json!({ "type": "string", "enum": values, "enumNames": titles }),
            _ => json!({ "type": "string", "oneOf": titled(&options) }),
        };
        (schema, Value::from(pick.get(&values).as_str()))
    });
    case.boxed()
}

fn multi_choice() -> BoxedStrategy<Case> {
    let picked = options().prop_flat_map(|options| {
        let values: Vec<String> = options.keys().cloned().collect();
        let picks = subsequence(values.clone(), 0..=values.len());
        (Just(options), picks)
    });
    let case = (picked, any::<bool>(), option::of(0..3_usize), option::of(0..3_usize));
    let case = case.prop_map(|((options, picks), with_titles, below, above)| {
        let values: Vec<&String> = options.keys().collect();
        let items = match with_titles {
            true => json!({ "anyOf": titled(&options) }),
            false => json!({ "type": "string", "enum": values }),
        };
        let mut schema = json!({ "type": "array", "items": items });
        put(&mut schema, "minItems", below.map(|below| picks.len().saturating_sub(below)));
        put(&mut schema, "maxItems", above.map(|above| picks.len() + above));
        (schema, picks.into())
    });
    case.boxed()
}

/// Any JSON, also such as looks like a form.
pub fn any_json() -> impl Strategy<Value = Value> {
    let word = select(vec![
        "mode",
        "form",
        "message",
        "requestedSchema",
        "type",
        "object",
        "properties",
        "required",
        "string",
        "number",
        "integer",
        "boolean",
        "array",
        "items",
        "enum",
        "enumNames",
        "oneOf",
        "anyOf",
        "const",
        "title",
        "default",
        "minimum",
        "maximum",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "format",
        "email",
        "uri",
        "date",
        "date-time",
        "a",
        "action",
        "accept",
        "content",
    ]);
    let word = prop_oneof![3 => word.prop_map(str::to_owned), 1 => any::<String>()];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 64, 8, move |inner| {
        let object = vec((word.clone(), inner.clone()), 0..8);
        prop_oneof![
            vec(inner, 0..6).prop_map(Value::from),
            object.prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// A text that nearly is in this format, or is.
pub fn nearly_formatted(format: &str) -> impl Strategy<Value = String> + use<> {
    let sign =
        prop_oneof![select("0123456789-:.TtZz+@[]%/?#\\\"<> aA_é\u{200b}".chars().collect::<Vec<_>>()), any::<char>()];
    let slips = vec((any::<Index>(), 0..3, sign), 0..3);
    (written_as(format), slips).prop_map(|(text, slips)| {
        let mut characters: Vec<char> = text.chars().collect();
        for (place, slip, sign) in slips {
            let place = place.index(characters.len() + 1);
            match slip {
                0 => characters.insert(place, sign),
                1 if place < characters.len() => characters[place] = sign,
                _ => drop(characters.drain(place.min(characters.len())..(place + 1).min(characters.len()))),
            }
        }
        characters.into_iter().collect()
    })
}
