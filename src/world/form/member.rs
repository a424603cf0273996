//! The members of one object of a form: read by name, each mistake noted, none left unseen. Must never stop at the first
//! mistake.

use serde_json::{Map, Number, Value};

use super::FormProblem;
use super::limits::count;

/// Words of JSON Schema (2020-12 and what came before) that constrain an answer.
const CONSTRAINING: &[&str] = &[
    "$dynamicRef",
    "$recursiveRef",
    "$ref",
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "contains",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "disallow",
    "divisibleBy",
    "else",
    "enum",
    "enumNames",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "extends",
    "format",
    "if",
    "items",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "patternProperties",
    "prefixItems",
    "properties",
    "propertyNames",
    "required",
    "then",
    "type",
    "unevaluatedItems",
    "unevaluatedProperties",
    "uniqueItems",
];

/// What was found in a form so far.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub problems: Vec<FormProblem>,
    pub ignored: Vec<FormProblem>,
}

/// One object of a form, its path, and where its mistakes are noted.
pub(super) struct Members<'a> {
    pub path: &'a str,
    pub object: &'a Map<String, Value>,
    pub findings: &'a mut Findings,
}

impl Members<'_> {
    /// Notes what is wrong with this object.
    pub fn refuse(&mut self, words: impl Into<String>) {
        self.findings.problems.push(FormProblem { path: self.path.to_owned(), words: words.into() });
    }

    fn wrong<T>(&mut self, name: &str, must_be: &str) -> Option<T> {
        self.refuse(format!("`{name}` must be {must_be}"));
        None
    }

    /// Text that may be missing.
    pub fn text(&mut self, name: &str) -> Option<String> {
        match self.object.get(name)? {
            Value::String(text) => Some(text.clone()),
            _ => self.wrong(name, "text"),
        }
    }

    /// Text that must be there.
    pub fn needed_text(&mut self, name: &str) -> Option<String> {
        if self.object.contains_key(name) { self.text(name) } else { self.wrong(name, "there, and text") }
    }

    /// A list that must be there and not be empty.
    pub fn some_of(&mut self, name: &str) -> Option<Vec<Value>> {
        match self.object.get(name) {
            Some(Value::Array(list)) if !list.is_empty() => Some(list.clone()),
            _ => self.wrong(name, "a list that is not empty"),
        }
    }

    /// A number that may be missing.
    pub fn number(&mut self, name: &str) -> Option<Number> {
        match self.object.get(name)? {
            Value::Number(number) => Some(number.clone()),
            _ => self.wrong(name, "a number"),
        }
    }

    /// A number of characters or items that may be missing.
    pub fn count(&mut self, name: &str) -> Option<u64> {
        match self.object.get(name)?.as_number().and_then(count) {
            Some(count) => Some(count),
            None => self.wrong(name, "a whole number from 0"),
        }
    }

    /// A smallest and a largest number of characters or items.
    pub fn counts(&mut self, least: &str, most: &str) -> (Option<u64>, Option<u64>) {
        let (from, to) = (self.count(least), self.count(most));
        if from.zip(to).is_some_and(|(from, to)| from > to) {
            self.refuse(format!("no answer can satisfy it: `{least}` is above `{most}`"));
        }
        (from, to)
    }

    /// Every member beside the known ones is refused when it constrains an answer, else noted as ignored.
    pub fn no_others(&mut self, known: &[&str], what: &str) {
        let object = self.object;
        for name in object.keys().filter(|name| !known.contains(&name.as_str())) {
            if CONSTRAINING.contains(&name.as_str()) {
                self.refuse(format!("`{name}` is not allowed in {what}"));
            } else {
                let words = format!("`{name}` means nothing in {what} and is ignored");
                self.findings.ignored.push(FormProblem { path: self.path.to_owned(), words });
            }
        }
    }
}
