//! Whatever is read, nothing panics; every legal form takes a legal answer and refuses each way to spoil it.

use proptest::prelude::*;
use serde_json::{Map, Number};

use super::generate::{any_json, form_and_answer, nearly_formatted};
use super::*;

/// Values that are no answer of this kind.
fn spoiled(kind: &FieldKind) -> Vec<Value> {
    let mut values = vec![Value::Null, json!({}), json!([[]]), json!([1]), json!({ "a": "b" })];
    match kind {
        FieldKind::Text { min_length, max_length, format } => {
            values.extend([json!(1), json!(true), json!([])]);
            values.extend(min_length.filter(|&least| least > 0).map(|least| text_of(least - 1)));
            values.extend(max_length.map(|most| text_of(most + 1)));
            values.extend(format.map(|_| json!("no such thing")));
        }
        FieldKind::Number { integer, minimum, maximum } => {
            values.extend([json!("1"), json!(true), json!([])]);
            values.extend(integer.then(|| json!(0.5)));
            values.extend(minimum.as_ref().map(|_| json!(f64::MIN)).filter(|low| minimum != &low.as_number().cloned()));
            values
                .extend(minimum.as_ref().and_then(Number::as_i64).and_then(|low| low.checked_sub(1)).map(Value::from));
            values
                .extend(maximum.as_ref().map(|_| json!(f64::MAX)).filter(|high| maximum != &high.as_number().cloned()));
            values.extend(
                maximum.as_ref().and_then(Number::as_u64).and_then(|high| high.checked_add(1)).map(Value::from),
            );
        }
        FieldKind::Boolean => values.extend([json!(0), json!("true"), json!([])]),
        FieldKind::Choice { options } => {
            let longest = options.iter().map(|option| &*option.value).max_by_key(|value| value.len()).unwrap_or("");
            values.extend([json!(1), json!(true), json!([]), json!([longest]), json!(format!("{longest}x"))]);
        }
        FieldKind::MultiChoice { options, min_items, max_items } => {
            let first = &options[0].value;
            let longest = options.iter().map(|option| &*option.value).max_by_key(|value| value.len()).unwrap_or("");
            let times = |times: u64| Value::from(vec![first.as_str(); times as usize]);
            values.extend([json!(1), json!(first), json!([first, 1]), json!([first, format!("{longest}x")])]);
            values.extend(min_items.filter(|&least| least > 0).map(|least| times(least - 1)));
            values.extend(max_items.map(|most| times(most + 1)));
        }
    }
    values
}

fn text_of(length: u64) -> Value {
    "é".repeat(length as usize).into()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn no_json_whatsoever_makes_the_reader_panic(json in any_json()) {
        let _ = parse(&json);
        let _ = elicit_result(&json);
        let _ = parse(&params(json.clone()));
        let _ = parse(&params(json!({ "a": json })));
    }

    #[test]
    fn no_json_whatsoever_makes_a_legal_form_panic((params, _) in form_and_answer(), json in any_json()) {
        let form = parse(&params).expect("a legal form");
        let _ = form.check(&json);
        let all = form.fields.iter().map(|field| (field.name.clone(), json.clone()));
        let _ = form.check(&Value::Object(all.collect::<Map<_, _>>()));
    }

    #[test]
    fn no_bytes_whatsoever_make_the_reader_panic(bytes in any::<Vec<u8>>()) {
        if let Ok(json) = serde_json::from_slice::<Value>(&bytes) {
            let _ = parse(&json);
        }
    }

    #[test]
    fn no_text_whatsoever_makes_a_format_panic(
        any in any::<String>(),
        near in proptest::sample::select(TextFormat::ALL.to_vec()).prop_flat_map(|format| nearly_formatted(format.name())),
    ) {
        for format in TextFormat::ALL {
            let _ = (format.accepts(&any), format.accepts(&near));
        }
    }

    #[test]
    fn no_text_whatsoever_makes_the_screening_panic(text in any::<String>()) {
        let mut params = params(json!({ text.clone(): { "type": "boolean", "title": text } }));
        params["message"] = text.into();
        let _ = parse(&params).expect("a legal form").sensitive_words();
    }

    #[test]
    fn every_legal_form_takes_its_legal_answer((params, answer) in form_and_answer()) {
        let form = parse(&params).map_err(|problems| TestCaseError::fail(format!("{problems:?}")))?;
        prop_assert_eq!(form.check(&answer), Ok(()));
        let required = form.fields.iter().filter(|field| field.required && field.default.is_none());
        prop_assert_eq!(form.check(&form.prefilled()).map_err(|problems| problems.len()), match required.count() {
            0 => Ok(()),
            missing => Err(missing),
        });
    }

    #[test]
    fn every_way_to_spoil_one_answer_is_refused_at_its_field((params, answer) in form_and_answer()) {
        let form = parse(&params).expect("a legal form");
        for field in &form.fields {
            for value in spoiled(&field.kind) {
                let mut spoiled = answer.clone();
                spoiled[&field.name] = value.clone();
                let problems = form.check(&spoiled).err();
                let problems = problems.ok_or_else(|| TestCaseError::fail(format!("{:?} took {value}", field.kind)))?;
                prop_assert!(problems.iter().all(|problem| problem.path == field.name), "{:?}", problems);
            }
            let mut without = answer.clone();
            without.as_object_mut().expect("an object").remove(&field.name);
            prop_assert_eq!(form.check(&without).is_err(), field.required);
        }
        let mut more = answer.clone();
        more["a key that is no field"] = Value::Null;
        prop_assert_eq!(form.check(&more).map_err(|problems| problems.len()), Err(1));
    }
}
