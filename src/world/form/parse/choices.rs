//! Single and multiple choices in all their writings: `enum`, `enum` with `enumNames`, `oneOf`, and `anyOf` of items.
//! Must never offer a value twice: a person could not tell which of the two an answer means.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::member::Members;
use super::super::{Choice, FieldKind};
use super::{MEMBERS_OF_ALL, NESTED};

const NO_CHOICE: &str = "arrays other than a multiple choice are not allowed";

pub(super) fn single(members: &mut Members) -> Option<FieldKind> {
    let titled = members.object.contains_key("oneOf");
    let own: &[&str] = if titled { &["oneOf"] } else { &["enum", "enumNames"] };
    members.no_others(&[&MEMBERS_OF_ALL, own].concat(), "a single choice");
    let options = if titled { with_titles(members, "oneOf") } else { values(members) };
    Some(FieldKind::Choice { options: options? })
}

pub(super) fn multiple(members: &mut Members) -> Option<FieldKind> {
    members.no_others(&[&MEMBERS_OF_ALL[..], &["items", "minItems", "maxItems"]].concat(), "a multiple choice");
    let (min_items, max_items) = members.counts("minItems", "maxItems");
    let Some(items) = members.object.get("items").and_then(Value::as_object) else {
        members.refuse(NO_CHOICE);
        return None;
    };
    let path = format!("{}.items", members.path);
    let mut items = Members { path: &path, object: items, findings: &mut *members.findings };
    let options = options_of(&mut items)?;
    if min_items.is_some_and(|least| least > options.len() as u64) {
        members.refuse("no answer can satisfy it: `minItems` is above the number of choices");
    }
    Some(FieldKind::MultiChoice { options, min_items, max_items })
}

fn options_of(items: &mut Members) -> Option<Vec<Choice>> {
    let object = items.object;
    let kind = object.get("type");
    let titled = object.contains_key("anyOf");
    if kind.is_some_and(|kind| kind == "object") || kind.is_none() && object.contains_key("properties") {
        items.refuse(NESTED);
        return None;
    }
    if kind.is_some_and(|kind| kind == "array") {
        items.refuse("nested arrays are not allowed");
        return None;
    }
    if !titled && !object.contains_key("enum") {
        items.refuse(NO_CHOICE);
        return None;
    }
    if kind.map_or(!titled, |kind| kind != "string") {
        items.refuse("`type` must be \"string\"");
    }
    items.no_others(&["type", if titled { "anyOf" } else { "enum" }], "the items of a multiple choice");
    if titled { with_titles(items, "anyOf") } else { values(items) }
}

/// `enum`, with the titles that `enumNames` gives (legacy).
fn values(members: &mut Members) -> Option<Vec<Choice>> {
    let list = members.some_of("enum")?;
    let names = match members.object.get("enumNames") {
        Some(Value::Array(names)) if names.len() == list.len() => names.iter().map(Some).collect(),
        None => vec![None; list.len()],
        Some(_) => {
            members.refuse("`enumNames` must be a list of text, as long as `enum`");
            vec![None; list.len()]
        }
    };
    let mut options = Vec::with_capacity(list.len());
    for (value, name) in list.iter().zip(names) {
        match (value.as_str(), name.map(Value::as_str)) {
            (None, _) => members.refuse("`enum` must be a list of text"),
            (_, Some(None)) => members.refuse("`enumNames` must be a list of text, as long as `enum`"),
            (Some(value), name) => {
                options.push(Choice { value: value.to_owned(), title: name.flatten().map(str::to_owned) });
            }
        }
    }
    refuse_repeated(members, &options);
    Some(options)
}

/// `oneOf` or `anyOf`: a list of `const` with `title`.
fn with_titles(members: &mut Members, list: &str) -> Option<Vec<Choice>> {
    let entries = members.some_of(list)?;
    let mut options = Vec::with_capacity(entries.len());
    for (place, entry) in entries.iter().enumerate() {
        let path = format!("{}.{list}[{place}]", members.path);
        let Some(object) = entry.as_object() else {
            members.refuse(format!("`{list}` must be a list of objects with `const` and `title`"));
            continue;
        };
        let mut members = Members { path: &path, object, findings: &mut *members.findings };
        members.no_others(&["const", "title"], "a titled choice");
        let (value, title) = (members.needed_text("const"), members.needed_text("title"));
        options.extend(value.map(|value| Choice { value, title }));
    }
    refuse_repeated(members, &options);
    Some(options)
}

fn refuse_repeated(members: &mut Members, options: &[Choice]) {
    let mut seen = BTreeSet::new();
    for option in options {
        if !seen.insert(&option.value) {
            members.refuse(format!("`{}` is offered twice", option.value));
        }
    }
}
