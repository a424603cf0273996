//! What a body asks of a client. A body names its asks; the text of a form is made only when somebody looks at it.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::Arguments;
use crate::world::Capability;

/// One question that a tool can put to a client: a key that is unique within the tool, and what is asked.
#[derive(Clone, Debug)]
pub struct Ask {
    /// Number within the tool, below [`MOST_ASKS_OF_A_TOOL`](crate::world::MOST_ASKS_OF_A_TOOL): its place in
    /// [`Definition::asks`](super::Definition::asks).
    pub number: u8,
    /// Key in `inputRequests` and `inputResponses`.
    pub key: Cow<'static, str>,
    /// What the client must have declared; also says what kind of request it is.
    pub needs: Capability,
    /// Whether the answer is a secret. A fact of the model: nobody on the way knows it.
    pub sensitive: bool,
    /// What the person reads.
    pub message: Message,
    /// What the person fills in; of a form only.
    pub fields: Fields,
}

/// What the person reads: fixed, or made from the arguments alone, so that a body run again asks the same.
#[derive(Clone, Debug)]
pub enum Message {
    /// Made from the arguments.
    Of(fn(&Arguments) -> String),
    /// Always the same.
    Fixed(String),
}

/// The fields of a form, what a person types into them who gets it right, and what one types who does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fields {
    /// `requestedSchema`, JSON.
    pub schema: Cow<'static, str>,
    /// `content` of a right answer, JSON.
    pub typed: Cow<'static, str>,
    /// `content` of a wrong answer, JSON. Whether the form refuses it is for the form to say.
    pub mistyped: Cow<'static, str>,
}

impl Fields {
    /// A form without fields: only accept, decline and cancel.
    pub const NONE: Fields = Fields::of(r#"{"type":"object","properties":{}}"#, "{}", "{}");

    /// These fields; all three are JSON.
    pub const fn of(schema: &'static str, typed: &'static str, mistyped: &'static str) -> Fields {
        Fields { schema: Cow::Borrowed(schema), typed: Cow::Borrowed(typed), mistyped: Cow::Borrowed(mistyped) }
    }
}

/// A link asked for by a form instead: one field of free text.
static INSTEAD_OF_LINK: Fields = Fields::of(
    r#"{"type":"object","properties":{"value":{"type":"string"}},"required":["value"]}"#,
    r#"{"value":"typed"}"#,
    "{}",
);

impl Ask {
    /// A form.
    pub const fn form(number: u8, key: &'static str, message: fn(&Arguments) -> String, fields: Fields) -> Ask {
        let (key, message) = (Cow::Borrowed(key), Message::Of(message));
        Ask { number, key, needs: Capability::Form, sensitive: false, message, fields }
    }

    /// A link whose page takes a secret.
    pub const fn link(number: u8, key: &'static str, message: fn(&Arguments) -> String) -> Ask {
        Ask {
            number,
            key: Cow::Borrowed(key),
            needs: Capability::Url,
            sensitive: true,
            message: Message::Of(message),
            fields: Fields::NONE,
        }
    }

    /// First half of SHA-256, in hex, over all that is asked; a message that depends on the arguments stands as none.
    pub fn digest(&self) -> String {
        let message = match &self.message {
            Message::Of(_) => "",
            Message::Fixed(text) => text,
        };
        let mut hash = Sha256::new();
        for part in [&*self.key, self.needs.name(), message, &*self.fields.schema] {
            hash.update(part.as_bytes());
            hash.update([0]);
        }
        hash.finalize()[..16].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The text that the person reads.
    pub fn message(&self, arguments: &Arguments) -> String {
        match &self.message {
            Message::Of(make) => make(arguments),
            Message::Fixed(text) => text.clone(),
        }
    }

    /// The fields that it has when it is sent as a form, which a link only is by a server that downgrades it.
    pub fn fields_as_form(&self) -> &Fields {
        if self.needs == Capability::Url { &INSTEAD_OF_LINK } else { &self.fields }
    }

    /// `params` of `elicitation/create` in form mode (client/elicitation@2026-07-28). A schema that is no JSON stands as
    /// null, which no form is.
    pub fn params(&self, arguments: &Arguments) -> Value {
        let schema: Value = serde_json::from_str(&self.fields_as_form().schema).unwrap_or(Value::Null);
        json!({ "mode": "form", "message": self.message(arguments), "requestedSchema": schema })
    }
}

/// As what it asks; a message that depends on the arguments stands as null.
impl Serialize for Ask {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let message = match &self.message {
            Message::Of(_) => None,
            Message::Fixed(text) => Some(text),
        };
        (&self.key, self.needs, self.sensitive, message, &self.fields).serialize(serializer)
    }
}

/// Two asks are equal when they ask the same.
impl PartialEq for Ask {
    fn eq(&self, other: &Ask) -> bool {
        let same_message = match (&self.message, &other.message) {
            (Message::Fixed(one), Message::Fixed(other)) => one == other,
            (Message::Of(one), Message::Of(other)) => std::ptr::fn_addr_eq(*one, *other),
            _ => false,
        };
        let plain = |ask: &Ask| (ask.number, ask.needs, ask.sensitive);
        same_message && plain(self) == plain(other) && self.key == other.key && self.fields == other.fields
    }
}

/// Most asks that can travel in one round.
pub const MOST_ASKS: usize = 4;

/// One ask of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputRequest {
    /// Number of the ask within its tool.
    pub ask: u8,
    /// How often it was answered before: under its key it is the next occurrence.
    pub answered_before: u8,
    /// As what it is sent; differs from what the ask needs only when the server downgrades it.
    pub sent_as: Capability,
}

/// The asks of one round (`inputRequests`), in the order in which the body named them.
#[derive(Clone, Copy, Debug)]
pub struct InputRequests {
    len: u8,
    items: [Option<InputRequest>; MOST_ASKS],
}

impl InputRequests {
    pub(super) const NONE: InputRequests = InputRequests { len: 0, items: [None; MOST_ASKS] };

    /// A round of one ask.
    pub fn one(request: InputRequest) -> InputRequests {
        let mut round = InputRequests::NONE;
        round.push(request);
        round
    }

    pub(super) fn push(&mut self, request: InputRequest) {
        assert!(usize::from(self.len) < MOST_ASKS, "more than {MOST_ASKS} asks in one round");
        self.items[usize::from(self.len)] = Some(request);
        self.len += 1;
    }

    /// The asks.
    pub fn iter(&self) -> impl Iterator<Item = InputRequest> + '_ {
        self.items.iter().flatten().copied()
    }

    /// How many asks travel in this round.
    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Whether no ask travels: never true of a round that a body stopped for.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}
