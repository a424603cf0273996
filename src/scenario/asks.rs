//! One ask of a body that the scenario describes: what the person reads, the form from its file, and what is typed into
//! it. A form that no server may send is let through, since it is the simulated server that refuses it; a file that is
//! no form at all never is.

use std::borrow::Cow;

use serde_json::Value;

use super::distribution::file;
use super::problem::shown;
use super::section::Section;
use super::values::{self, Wrong};
use crate::tool::{Arguments, Ask, Fields, Message};
use crate::world::Capability;
use crate::world::form::{LARGEST_FILE, params, parse, read_json};

/// Problems of an answer that are shown; the rest is counted.
const SHOWN_PROBLEMS: usize = 20;
/// Characters shown of one of them.
const SHOWN_CHARACTERS: usize = 200;

/// Reads `ask` of a step, the ask with this number.
pub(super) fn read(section: &Section<'_>, number: u8) -> Option<Ask> {
    let key = section.get("key", |value| values::word(value).map(String::from));
    let needs = section.choice("kind", &Capability::ALL);
    let message = section.get("message", |value| values::text(value).map(String::from));
    let sensitive = section.get("sensitive", values::flag);
    let fields = match needs {
        Some(Capability::Form) => fields(section),
        Some(other) => no_fields(section, other),
        None => None,
    };
    let (fields, of_form) = fields?;
    let written = section.raw("message").is_some();
    if written && of_form.is_some() {
        let wrong = Wrong::new("has no effect: the form brings its message");
        let title = format!("`{}` contradicts `form`", section.shown("message"));
        section.refuse("message", title, wrong.help("take out one of the two"));
        return None;
    }
    let message = Message::Fixed(of_form.unwrap_or(message?));
    let ask = Ask { number, key: Cow::Owned(key?), needs: needs?, sensitive: sensitive?, message, fields };
    is_answered(section, &ask).then_some(ask)
}

/// What only a form has is not written beside another kind.
fn no_fields(section: &Section<'_>, kind: Capability) -> Option<(Fields, Option<String>)> {
    let written: Vec<_> =
        ["form", "typed", "mistyped"].into_iter().filter(|name| section.raw(name).is_some()).collect();
    for name in &written {
        let wrong = Wrong::new("has no effect: only a form has fields");
        let title = format!("`{}` contradicts `kind = \"{}\"`", section.shown(name), kind.name());
        section.refuse(name, title, wrong.help(format!("take `{name}` out, or ask with `kind = \"form\"`")));
    }
    written.is_empty().then_some((Fields::NONE, None))
}

/// The fields of the form, and the message that it brings.
fn fields(section: &Section<'_>) -> Option<(Fields, Option<String>)> {
    let (typed, mistyped) = (section.get("typed", object), section.get("mistyped", object));
    let (schema, message) = match section.raw("form") {
        None => (Fields::NONE.schema, None),
        Some(_) => {
            let (schema, message) = form(section)?;
            (Cow::Owned(schema), message)
        }
    };
    Some((Fields { schema, typed: Cow::Owned(typed?), mistyped: Cow::Owned(mistyped?) }, message))
}

/// A text that is the JSON of an object, compact: spelling does not matter.
fn object(value: &toml::de::DeValue<'_>) -> Result<String, Wrong> {
    let example = "write it in single quotes: '{\"seat\":\"window\"}'";
    match serde_json::from_str::<Value>(values::text(value)?) {
        Ok(object @ Value::Object(_)) => Ok(object.to_string()),
        Ok(_) => Err(Wrong::new("not a JSON object").help(example)),
        Err(error) => Err(Wrong::new(format!("this is not JSON: {}", shown(&error.to_string()))).help(example)),
    }
}

/// `requestedSchema` of the form in the file, compact JSON, and its message if it brings one.
fn form(section: &Section<'_>) -> Option<(String, Option<String>)> {
    let (name, bytes) = file(section, "form")?;
    schema_and_message(&name, &bytes)
        .map_err(|wrong| {
            let title = format!("the file of `{}` cannot be used", section.shown("form"));
            section.refuse("form", title, wrong);
        })
        .ok()
}

fn schema_and_message(name: &str, bytes: &[u8]) -> Result<(String, Option<String>), Wrong> {
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(Wrong::new(format!("larger than {} MiB", LARGEST_FILE >> 20)));
    }
    let json = read_json(bytes).map_err(|not_json| {
        let place = format!("{}:{}:{}", shown(name), not_json.line, not_json.column);
        Wrong::new("this is not JSON").help(format!("{place}: {}", shown(&not_json.words)))
    })?;
    let params = params(&json).map_err(|reason| Wrong::new(reason).help(SHAPES))?;
    let Some(schema) = params.get("requestedSchema") else {
        return Err(Wrong::new("it holds no form").help(SHAPES));
    };
    if params.get("mode").is_some_and(|mode| mode != "form") {
        return Err(
            Wrong::new("its `mode` is not \"form\"").help("a link is asked with `kind = \"url\"`, without a file")
        );
    }
    let message = match params.get("message") {
        None => None,
        Some(Value::String(message)) => Some(message.clone()).filter(|message| !message.is_empty()),
        Some(_) => return Err(Wrong::new("its `message` is not text")),
    };
    Ok((schema.to_string(), message))
}

const SHAPES: &str = "the file holds an elicitation/create request, its `params`, or a `requestedSchema`, as `parked inspect --form` reads it";

/// Whether a right answer fits the form, where the form is one; if not, it is noted.
fn is_answered(section: &Section<'_>, ask: &Ask) -> bool {
    let Ok(form) = parse(&ask.params(&Arguments { amount: 0, confirmed: false })) else { return true };
    let typed = serde_json::from_str(&ask.fields_as_form().typed).unwrap_or(Value::Null);
    let Err(problems) = form.check(&typed) else { return true };
    let mut lines =
        problems.iter().map(|problem| problem.to_string().chars().take(SHOWN_CHARACTERS).collect::<String>());
    let mut wrong = Wrong::new(lines.next().unwrap_or_default());
    for line in lines.take(SHOWN_PROBLEMS) {
        wrong = wrong.help(line);
    }
    let at = if section.raw("typed").is_some() { "typed" } else { "form" };
    section.refuse(at, format!("`{}` does not answer the form", section.shown("typed")), wrong);
    false
}
