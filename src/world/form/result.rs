//! What comes back for an ask (`ElicitResult`). Must never look into the content of anything but an accept.

use serde_json::Value;

use super::AnswerProblem;
use crate::world::Action;

/// A well-formed answer to an ask (`ElicitResult`, schema@2026-07-28).
#[derive(Clone, Debug, PartialEq)]
pub struct ElicitResult {
    /// What the person did.
    pub action: Action,
    /// What the person filled in: an object, of an accept only; not held against a form yet.
    pub content: Option<Value>,
}

/// Reads a result. Whatever a decline or a cancel carries beside its action is dropped unread.
pub fn elicit_result(value: &Value) -> Result<ElicitResult, Vec<AnswerProblem>> {
    let Some(object) = value.as_object() else {
        return Err(vec![AnswerProblem::new("result", "must be an object")]);
    };
    let action = object.get("action");
    let Some(action) = Action::ALL.into_iter().find(|known| action.is_some_and(|word| word == known.name())) else {
        return Err(vec![AnswerProblem::new("action", "must be one of `accept`, `decline`, `cancel`")]);
    };
    let content = object.get("content").filter(|_| action == Action::Accept);
    if content.is_some_and(|content| !content.is_object()) {
        return Err(vec![AnswerProblem::new("content", "must be an object")]);
    }
    Ok(ElicitResult { action, content: content.cloned() })
}
