//! Forms that a server may show to a person: the restricted schema of form mode elicitation, the answers to it, and what
//! a host sees of its wording. Must never do I/O, never panic on any input, and never repeat the value of an answer in a
//! problem: a value may be long, hostile or private.
//!
//! The rules are those of `client/elicitation@2026-07-28` and of `schema.ts` of that revision. Where both are silent:
//!
//! - A member that constrains an answer and is not of its kind of field is refused (`pattern`, `multipleOf`, `$ref`, or
//!   `minLength` on a number): a client does not know it, so the person would be held to a rule that no one checks. Any
//!   other unknown member is ignored and listed in [`Form::ignored`], because the interfaces of the schema are open.
//! - `oneOf` names the choices of a single choice and `anyOf` those of a multiple choice; the schema has no other place.
//! - A form that no answer can satisfy (`minimum` above `maximum`, a required name without a field, an empty `enum`, a
//!   choice offered twice, more `minItems` than choices) is refused, and so is one whose default is not a legal answer.
//! - An answer with a key that is not a field is refused. The same choice twice in a multiple choice is legal: the schema
//!   has no `uniqueItems`.

mod check;
mod file;
mod format;
mod limits;
mod member;
mod parse;
mod result;
mod sensitive;

#[cfg(test)]
mod tests;

use std::fmt;

use serde_json::{Number, Value};

pub use file::{LARGEST_FILE, NotJson, params, read_json};
pub use format::TextFormat;
pub use parse::parse;
pub use result::{ElicitResult, elicit_result};
pub(super) use sensitive::names_a_secret;
pub use sensitive::{SENSITIVE_PHRASES, Suspicion};

/// A legal form: `params` of `elicitation/create` in form mode.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// What the person is told.
    pub message: String,
    /// Heading, from the schema.
    pub title: Option<String>,
    /// Explanation, from the schema.
    pub description: Option<String>,
    /// The fields in the order in which `serde_json` keeps them.
    pub fields: Vec<Field>,
    /// Members that mean nothing in a form and that no client shows.
    pub ignored: Vec<FormProblem>,
}

/// One question of a form.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Key of the answer in `content`.
    pub name: String,
    /// Label; the name stands for it when there is none.
    pub title: Option<String>,
    /// Explanation.
    pub description: Option<String>,
    /// Whether an accept must answer it.
    pub required: bool,
    /// What an answer must be.
    pub kind: FieldKind,
    /// What a client fills in beforehand: a legal answer.
    pub default: Option<Value>,
}

/// What the answer to a field must be. Every bound is inclusive.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldKind {
    /// Free text; lengths are in Unicode characters.
    Text {
        /// Fewest characters.
        min_length: Option<u64>,
        /// Most characters.
        max_length: Option<u64>,
        /// How the text must be written.
        format: Option<TextFormat>,
    },
    /// A number.
    Number {
        /// Whether it must be whole; `1.0` is.
        integer: bool,
        /// Smallest.
        minimum: Option<Number>,
        /// Largest.
        maximum: Option<Number>,
    },
    /// Yes or no.
    Boolean,
    /// One of several values.
    Choice {
        /// What is offered: not empty, each value once.
        options: Vec<Choice>,
    },
    /// Any of several values.
    MultiChoice {
        /// What is offered: not empty, each value once.
        options: Vec<Choice>,
        /// Fewest values.
        min_items: Option<u64>,
        /// Most values.
        max_items: Option<u64>,
    },
}

/// One value that is offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What the answer holds.
    pub value: String,
    /// What the person reads; the value stands for it when there is none.
    pub title: Option<String>,
}

/// Why a form is refused, or what of it is ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormProblem {
    /// Where: `params`, `requestedSchema`, a field (`a`) or a part of it (`a.items`).
    pub path: String,
    /// What is wrong.
    pub words: String,
}

/// Why an answer is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerProblem {
    /// The field, `content`, or `action`.
    pub path: String,
    /// What is wrong; never the value itself.
    pub words: String,
}

impl fmt::Display for FormProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.words)
    }
}

impl fmt::Display for AnswerProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.words)
    }
}

impl AnswerProblem {
    fn new(path: &str, words: impl Into<String>) -> AnswerProblem {
        AnswerProblem { path: path.to_owned(), words: words.into() }
    }
}
