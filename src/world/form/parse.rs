//! From the JSON of `elicitation/create` to a form, or to everything that is wrong with it. Must never let a form
//! through that a person cannot answer.

mod choices;

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::check::problems_of;
use super::limits::{compare, some_whole_between};
use super::member::{Findings, Members};
use super::{Field, FieldKind, Form, FormProblem, TextFormat};

const NESTED: &str = "nested objects are not allowed";
const MEMBERS_OF_ALL: [&str; 4] = ["type", "title", "description", "default"];

/// Reads `params` of `elicitation/create` in form mode. All problems come back at once, each with its path; a form whose
/// wording asks for a secret is legal here, see [`Form::sensitive_words`].
pub fn parse(params: &Value) -> Result<Form, Vec<FormProblem>> {
    let mut findings = Findings::default();
    let form = params_of(params, &mut findings);
    match form {
        Some(form) if findings.problems.is_empty() => Ok(Form { ignored: findings.ignored, ..form }),
        _ => Err(findings.problems),
    }
}

fn params_of(params: &Value, findings: &mut Findings) -> Option<Form> {
    let Some(object) = params.as_object() else {
        findings.problems.push(FormProblem { path: "params".to_owned(), words: "must be an object".to_owned() });
        return None;
    };
    let mut members = Members { path: "params", object, findings };
    members.no_others(&["mode", "message", "requestedSchema", "_meta", "task"], "a form");
    if object.get("mode").is_some_and(|mode| mode != "form") {
        members.refuse("`mode` must be \"form\" or missing");
    }
    let message = members.needed_text("message");
    let Some(schema) = object.get("requestedSchema").and_then(Value::as_object) else {
        members.refuse("`requestedSchema` must be there, and an object");
        return None;
    };
    let mut members = Members { path: "requestedSchema", object: schema, findings };
    let (title, description) = (members.text("title"), members.text("description"));
    let fields = fields_of(&mut members);
    Some(Form { message: message?, title, description, fields: fields?, ignored: Vec::new() })
}

fn fields_of(members: &mut Members) -> Option<Vec<Field>> {
    let schema = members.object;
    let known = ["$schema", "type", "title", "description", "properties", "required", "additionalProperties"];
    members.no_others(&known, "a form");
    if schema.get("type").is_none_or(|kind| kind != "object") {
        members.refuse("`type` must be \"object\"");
    }
    // What an answer may hold beside the fields is nothing anyway, so saying so does no harm.
    if schema.get("additionalProperties").is_some_and(|others| others != false) {
        members.refuse("`additionalProperties` can only be false in a form");
    }
    members.text("$schema");
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        members.refuse("`properties` must be there, and an object");
        return None;
    };
    let required = required_of(members, properties);
    let findings = &mut *members.findings;
    let mut field =
        |(name, value): (&String, &Value)| field_of(name, value, required.contains(name.as_str()), &mut *findings);
    // Every field is read, also after one that is refused.
    let fields: Vec<Option<Field>> = properties.iter().map(&mut field).collect();
    fields.into_iter().collect()
}

fn required_of<'a>(members: &mut Members<'a>, properties: &Map<String, Value>) -> BTreeSet<&'a str> {
    let mut required = BTreeSet::new();
    let object: &'a Map<String, Value> = members.object;
    let Some(list) = object.get("required") else { return required };
    let Some(names) = list.as_array() else {
        members.refuse("`required` must be a list of names");
        return required;
    };
    for name in names {
        match name.as_str() {
            None => members.refuse("`required` must be a list of names"),
            Some(name) if !properties.contains_key(name) => {
                members.refuse(format!("no answer can satisfy it: `required` names `{name}`, which is not a field"));
            }
            Some(name) if !required.insert(name) => members.refuse(format!("`required` names `{name}` twice")),
            Some(_) => {}
        }
    }
    required
}

fn field_of(name: &str, value: &Value, required: bool, findings: &mut Findings) -> Option<Field> {
    let Some(object) = value.as_object() else {
        let words = "a field must be an object that describes it".to_owned();
        findings.problems.push(FormProblem { path: name.to_owned(), words });
        return None;
    };
    let mut members = Members { path: name, object, findings };
    let before = members.findings.problems.len();
    let kind = kind_of(&mut members);
    let (title, description) = (members.text("title"), members.text("description"));
    let (kind, default) = (kind?, object.get("default").cloned());
    // A default is held against bounds that make sense only.
    if let Some(default) = default.as_ref().filter(|_| members.findings.problems.len() == before) {
        for words in problems_of(&kind, default) {
            members.refuse(format!("`default` is not a legal answer: it {words}"));
        }
    }
    Some(Field { name: name.to_owned(), title, description, required, kind, default })
}

fn kind_of(members: &mut Members) -> Option<FieldKind> {
    let object = members.object;
    let has = |name: &str| object.contains_key(name);
    match object.get("type").map(|kind| kind.as_str().unwrap_or("")) {
        Some("string") if has("enum") || has("enumNames") || has("oneOf") => choices::single(members),
        Some("string") => text(members),
        Some(kind @ ("number" | "integer")) => number(members, kind == "integer"),
        Some("boolean") => {
            members.no_others(&MEMBERS_OF_ALL, "a boolean field");
            Some(FieldKind::Boolean)
        }
        Some("array") => choices::multiple(members),
        Some("object") => {
            members.refuse(NESTED);
            None
        }
        None if has("properties") => {
            members.refuse(NESTED);
            None
        }
        _ => {
            members.refuse("`type` must be one of \"string\", \"number\", \"integer\", \"boolean\", \"array\"");
            // Whatever the kind, these are wrong in it.
            let some_kind_has = ["minLength", "maxLength", "format", "minimum", "maximum", "enum", "enumNames"];
            let of_choices = ["oneOf", "items", "minItems", "maxItems"];
            members.no_others(&[&MEMBERS_OF_ALL[..], &some_kind_has, &of_choices].concat(), "a form");
            None
        }
    }
}

fn text(members: &mut Members) -> Option<FieldKind> {
    members.no_others(&[&MEMBERS_OF_ALL[..], &["minLength", "maxLength", "format"]].concat(), "a text field");
    let (min_length, max_length) = members.counts("minLength", "maxLength");
    let format = match members.object.get("format") {
        None => None,
        Some(word) => {
            let format = TextFormat::ALL.into_iter().find(|format| word == format.name());
            if format.is_none() {
                members.refuse("`format` must be one of \"email\", \"uri\", \"date\", \"date-time\"");
            }
            format
        }
    };
    Some(FieldKind::Text { min_length, max_length, format })
}

fn number(members: &mut Members, integer: bool) -> Option<FieldKind> {
    members.no_others(&[&MEMBERS_OF_ALL[..], &["minimum", "maximum"]].concat(), "a number field");
    let (minimum, maximum) = (members.number("minimum"), members.number("maximum"));
    if let (Some(low), Some(high)) = (&minimum, &maximum) {
        if compare(low, high).is_gt() {
            members.refuse("no answer can satisfy it: `minimum` is above `maximum`");
        } else if integer && !some_whole_between(low, high) {
            members.refuse("no answer can satisfy it: no whole number lies between `minimum` and `maximum`");
        }
    }
    Some(FieldKind::Number { integer, minimum, maximum })
}
