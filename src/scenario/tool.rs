//! The tool: which body runs, what it asks, and what its server does when it may not ask. Must never let a policy stand
//! that this tool cannot follow.

use super::distribution;
use super::keys::Kind;
use super::model::{AnswerKeys, Idempotency, IdempotencyScope, OnInvalid, Tool, Unable};
use super::section::Section;
use super::steps;
use super::values::{self, Wrong};
use crate::random::Distribution;
use crate::tool::{Body, Definition};
use crate::world::{Capability, Exposure, SeenBy};

/// Reads `[tool]`.
pub(super) fn read(section: &Section<'_>) -> Option<Tool> {
    let body = section.choice("body", &Body::ALL);
    let amount = distribution::read(section, "amount", false);
    let work_before = distribution::read(section, "work_before", false);
    let work_after = distribution::read(section, "work_after", false);
    let unable = section.choice("unable", &Unable::ALL);
    let on_invalid = section.choice("on_invalid", &[OnInvalid::Refuse, OnInvalid::AskAgain]);
    let effects_in_state = section.get("effects_in_state", values::flag);
    let [budget, approval_ttl] = ["budget", "approval_ttl"].map(|name| section.duration_or(name));
    let budget_pauses = section.get("budget_pauses", values::flag);
    let idempotency = section.choice("idempotency", &Idempotency::ALL);
    let scopes = [IdempotencyScope::Shared, IdempotencyScope::PerInstance];
    let idempotency_scope = section.choice("idempotency_scope", &scopes);
    let seen_by = section.choices("seen_by", &SeenBy::ALL[1..]);
    let answer_keys = section.choice("answer_keys", &[AnswerKeys::Named, AnswerKeys::Sequence, AnswerKeys::Text]);
    let described = body.and_then(|body| describe(section, body));
    let (definition, step_work) = described?;
    let definition = definition.with_answer_keys(answer_keys?);
    let unable = unable?;
    if !may_follow(section, unable, &definition) {
        return None;
    }
    Some(Tool {
        body: body?,
        definition,
        amount: amount?,
        work_before: work_before?,
        work_after: work_after?,
        step_work,
        unable,
        on_invalid: on_invalid?,
        effects_in_state: effects_in_state?,
        idempotency: idempotency?,
        idempotency_scope: idempotency_scope?,
        // Whoever shows a form sees what is typed into it.
        seen_by: seen_by?.into_iter().collect::<Exposure>().or([SeenBy::Client].into_iter().collect()),
        budget: budget?,
        budget_pauses: budget_pauses?,
        approval_ttl: approval_ttl?,
    })
}

/// Whether this tool can follow the policy; if not, it is noted.
fn may_follow(section: &Section<'_>, unable: Unable, definition: &Definition) -> bool {
    let asks = &definition.asks;
    let (can, reason, help) = match unable {
        Unable::Reject | Unable::FailOpen | Unable::HideTool => return true,
        Unable::ToolErrorWithFallback | Unable::HostApproval => (
            definition.fallback.is_some(),
            "this tool has no argument that says the person has agreed",
            "`body = \"submit_expense\"` has one: confirmed",
        ),
        Unable::DowngradeToForm => (
            asks.iter().any(|ask| ask.needs == Capability::Url),
            "this tool asks nothing by a link",
            "give a `[[tool.step]]` an ask with `kind = \"url\"`",
        ),
        Unable::FromConfiguration => (
            asks.iter().all(|ask| ask.sensitive),
            "a confirmation cannot come from a configuration",
            "a tool all of whose asks are `sensitive = true` can follow it",
        ),
    };
    if !can {
        let Kind::Choice(words) = section.key("unable").kind else { panic!("`unable` is a choice") };
        let title = format!("`tool.unable = \"{}\"` is not possible here", words[unable as usize]);
        section.refuse("unable", title, Wrong::new(reason).help(help));
    }
    can
}

/// What the tool asks and does, and the times of its steps.
fn describe(section: &Section<'_>, body: Body) -> Option<(Definition, Vec<Distribution>)> {
    if body != Body::Steps {
        let described: Vec<_> = ["step", "next"].into_iter().filter(|name| section.raw(name).is_some()).collect();
        for name in &described {
            let wrong = Wrong::new(format!("has no effect: the body is {}", body.name()));
            let title = format!("`tool.{name}` contradicts `tool.body`");
            section.refuse(name, title, wrong.help("write `body = \"steps\"`, or take the steps out"));
        }
        return described.is_empty().then(|| (body.definition(), Vec::new()));
    }
    for name in ["work_before", "work_after"].into_iter().filter(|name| section.raw(name).is_some()) {
        let wrong = Wrong::new("has no effect: steps say their own work");
        let title = format!("`tool.{name}` contradicts `body = \"steps\"`");
        section.refuse(name, title, wrong.help(format!("write a step `work`, or take `{name}` out")));
    }
    steps::read(section)
}
