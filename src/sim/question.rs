//! What the rules of forms say of each ask of the tool and of what people type into it. Looked at once, before the run:
//! a form and its two kinds of answer are the same in every call, so the real checker decides and nothing is drawn.

use serde_json::Value;

use crate::tool::{Arguments, Ask};
use crate::world::form;

/// What is known of one ask when it is sent as a form.
#[derive(Clone, Debug)]
pub(super) struct Question {
    /// Whether it may be sent; if not, every reason.
    pub legal: Result<(), String>,
    /// The words of a secret in it, if any.
    pub suspicious: Option<String>,
    /// Whether a right and a wrong answer fit it.
    pub typed_fits: bool,
    pub mistyped_fits: bool,
}

impl Question {
    pub(super) fn of(ask: &Ask) -> Question {
        // A message depends on the amount in its figures only, and screening looks at words.
        let arguments = Arguments { amount: 0, confirmed: false };
        let fields = ask.fields_as_form();
        let content = |text: &str| serde_json::from_str(text).unwrap_or(Value::Null);
        match form::parse(&ask.params(&arguments)) {
            Ok(form) => Question {
                legal: Ok(()),
                suspicious: form.sensitive_words().first().map(ToString::to_string),
                typed_fits: form.check(&content(&fields.typed)).is_ok(),
                mistyped_fits: form.check(&content(&fields.mistyped)).is_ok(),
            },
            Err(problems) => {
                let words: Vec<String> = problems.iter().map(ToString::to_string).collect();
                Question { legal: Err(words.join("; ")), suspicious: None, typed_fits: true, mistyped_fits: true }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::Body;

    #[test]
    fn every_ask_of_a_shipped_body_is_a_legal_form_that_its_right_answer_fits() {
        for body in Body::ALL {
            for ask in body.definition().asks {
                let question = Question::of(&ask);
                assert_eq!(question.legal, Ok(()), "{}: {}", body.name(), ask.key);
                assert!(question.typed_fits && question.suspicious.is_none(), "{}: {}", body.name(), ask.key);
            }
        }
    }

    #[test]
    fn a_seat_in_the_middle_does_not_fit() {
        let definition = Body::ChooseSeat.definition();
        assert!(!Question::of(definition.ask(0)).mistyped_fits);
    }
}
