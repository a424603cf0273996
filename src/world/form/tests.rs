//! The rules of forms and of answers, one sentence each, with the number of the rule in the file's first lines.

mod answers;
mod formats;
mod forms;
mod generate;
mod properties;
mod screening;

use serde_json::{Value, json};

use super::*;

/// `params` of a form with these fields.
fn params(properties: Value) -> Value {
    json!({ "message": "Please fill this in", "requestedSchema": { "type": "object", "properties": properties } })
}

/// The form of one field `a`.
fn field(schema: Value) -> Form {
    parse(&params(json!({ "a": schema }))).expect("a legal field")
}

/// What is wrong with a form of one field `a`.
fn wrong(schema: Value) -> Vec<String> {
    told(parse(&params(json!({ "a": schema }))))
}

/// All problems as they are shown.
fn told<T, P: ToString>(result: Result<T, Vec<P>>) -> Vec<String> {
    result.err().unwrap_or_default().iter().map(P::to_string).collect()
}

/// Whether the field `a` of this form takes the answer.
fn takes(form: &Form, answer: Value) -> bool {
    form.check(&json!({ "a": answer })).is_ok()
}
