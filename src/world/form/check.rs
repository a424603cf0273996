//! Answers held against a form: the same rules for the host before it sends and for the server when it receives, since a
//! client can send anything. Must never stop at the first mistake.

use std::collections::BTreeSet;

use serde_json::{Map, Number, Value};

use super::limits::{compare, is_whole};
use super::{AnswerProblem, Choice, ElicitResult, FieldKind, Form, TextFormat};
use crate::world::Action;

/// Choices that a problem lists; the rest is counted.
const LISTED: usize = 8;

impl Form {
    /// Whether `content` of an accept answers this form; all problems, fields first, then keys that are no field.
    pub fn check(&self, content: &Value) -> Result<(), Vec<AnswerProblem>> {
        let Some(content) = content.as_object() else {
            return Err(vec![AnswerProblem::new("content", "must be an object")]);
        };
        let mut problems = Vec::new();
        let mut answered = 0;
        for field in &self.fields {
            match content.get(&field.name) {
                None if field.required => problems.push(AnswerProblem::new(&field.name, "must be answered")),
                None => {}
                Some(value) => {
                    answered += 1;
                    let wrong = problems_of(&field.kind, value).into_iter();
                    problems.extend(wrong.map(|words| AnswerProblem::new(&field.name, words)));
                }
            }
        }
        if answered < content.len() {
            problems.extend(self.unknown(content));
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// Whether a result may stand as the end of this ask: only an accept is held against the form.
    pub fn check_result(&self, result: &ElicitResult) -> Result<(), Vec<AnswerProblem>> {
        match (result.action, &result.content) {
            (Action::Accept, Some(content)) => self.check(content),
            (Action::Accept, None) => self.check(&Value::Object(Map::new())),
            (Action::Decline | Action::Cancel, _) => Ok(()),
        }
    }

    /// What a client that supports defaults fills in before the person looks.
    pub fn prefilled(&self) -> Value {
        let defaults = self.fields.iter().filter_map(|field| Some((field.name.clone(), field.default.clone()?)));
        Value::Object(defaults.collect())
    }

    fn unknown(&self, content: &Map<String, Value>) -> Vec<AnswerProblem> {
        let names: BTreeSet<&str> = self.fields.iter().map(|field| field.name.as_str()).collect();
        let unknown = content.keys().filter(|key| !names.contains(key.as_str()));
        unknown.map(|key| AnswerProblem::new(key, "is not a field of this form")).collect()
    }
}

/// What keeps a value from being an answer of this kind, each in words that follow the name of the field.
pub(super) fn problems_of(kind: &FieldKind, value: &Value) -> Vec<String> {
    match (kind, value) {
        (FieldKind::Text { min_length, max_length, format }, Value::String(text)) => {
            text_problems(text, *min_length, *max_length, *format)
        }
        (FieldKind::Number { integer, minimum, maximum }, Value::Number(number)) => {
            number_problems(number, *integer, minimum.as_ref(), maximum.as_ref())
        }
        (FieldKind::Boolean, Value::Bool(_)) => Vec::new(),
        (FieldKind::Choice { options }, Value::String(text)) => {
            let offered = options.iter().any(|option| option.value == *text);
            if offered { Vec::new() } else { vec![must_be_one_of(options)] }
        }
        (FieldKind::MultiChoice { options, min_items, max_items }, Value::Array(items)) => {
            multi_choice_problems(items, options, *min_items, *max_items)
        }
        _ => vec![must_be(kind).to_owned()],
    }
}

fn must_be(kind: &FieldKind) -> &'static str {
    match kind {
        FieldKind::Text { .. } | FieldKind::Choice { .. } => "must be text",
        FieldKind::Number { integer: false, .. } => "must be a number",
        FieldKind::Number { integer: true, .. } => "must be a whole number",
        FieldKind::Boolean => "must be true or false",
        FieldKind::MultiChoice { .. } => "must be a list of text",
    }
}

fn text_problems(text: &str, least: Option<u64>, most: Option<u64>, format: Option<TextFormat>) -> Vec<String> {
    let length = text.chars().count() as u64;
    let mut problems = Vec::new();
    problems
        .extend(least.filter(|&least| length < least).map(|least| format!("must have at least {least} characters")));
    problems.extend(most.filter(|&most| length > most).map(|most| format!("must have at most {most} characters")));
    let format = format.filter(|format| !format.accepts(text));
    problems.extend(format.map(|format| format!("must be written as {}", format.name())));
    problems
}

fn number_problems(number: &Number, integer: bool, least: Option<&Number>, most: Option<&Number>) -> Vec<String> {
    let mut problems = Vec::new();
    if integer && !is_whole(number) {
        problems.push("must be a whole number".to_owned());
    }
    let below = least.filter(|least| compare(number, least).is_lt());
    problems.extend(below.map(|least| format!("must be at least {least}")));
    let above = most.filter(|most| compare(number, most).is_gt());
    problems.extend(above.map(|most| format!("must be at most {most}")));
    problems
}

fn multi_choice_problems(items: &[Value], options: &[Choice], least: Option<u64>, most: Option<u64>) -> Vec<String> {
    let count = items.len() as u64;
    let mut problems = Vec::new();
    problems.extend(least.filter(|&least| count < least).map(|least| format!("must name at least {least} choices")));
    problems.extend(most.filter(|&most| count > most).map(|most| format!("must name at most {most} choices")));
    if items.iter().any(|item| !item.is_string()) {
        problems.push("must be a list of text".to_owned());
    }
    let offered: BTreeSet<&str> = options.iter().map(|option| option.value.as_str()).collect();
    if items.iter().filter_map(Value::as_str).any(|item| !offered.contains(item)) {
        problems.push(must_be_one_of(options));
    }
    problems
}

fn must_be_one_of(options: &[Choice]) -> String {
    let listed: Vec<String> = options.iter().take(LISTED).map(|option| format!("`{}`", option.value)).collect();
    let more = match options.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" or {more} more"),
    };
    format!("must be one of {}{more}", listed.join(", "))
}
