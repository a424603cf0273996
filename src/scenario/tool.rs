//! The tool: which body runs, what it asks, and what its server does when it may not ask. Must never let a policy stand
//! that this tool cannot follow.

use super::asks;
use super::distribution;
use super::keys::{self, Kind};
use super::model::{OnInvalid, Tool, Unable};
use super::section::Section;
use super::values::{self, Wrong};
use crate::random::Distribution;
use crate::tool::{Ask, Body, Definition, MOST_STEPS, Program, Step};
use crate::world::{Capability, Exposure, MOST_ANSWERS, SeenBy};

/// Each ask is answered once, and a link that was accepted may be declined when it is asked for again.
const MOST_ASKS_OF_A_BODY: usize = MOST_ANSWERS - 1;

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
    let seen_by = section.choices("seen_by", &SeenBy::ALL[1..]);
    let described = body.and_then(|body| describe(section, body));
    let (definition, step_work) = described?;
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
        if section.raw("step").is_none() {
            return Some((body.definition(), Vec::new()));
        }
        let wrong = Wrong::new(format!("has no effect: the body is {}", body.name()));
        let title = "`tool.step` contradicts `tool.body`";
        section.refuse("step", title, wrong.help("write `body = \"steps\"`, or take the steps out"));
        return None;
    }
    for name in ["work_before", "work_after"].into_iter().filter(|name| section.raw(name).is_some()) {
        let wrong = Wrong::new("has no effect: steps say their own work");
        let title = format!("`tool.{name}` contradicts `body = \"steps\"`");
        section.refuse(name, title, wrong.help(format!("write a step `work`, or take `{name}` out")));
    }
    steps(section)
}

/// The steps as they are read.
#[derive(Default)]
struct Steps {
    order: Vec<Step>,
    work: Vec<Distribution>,
    asks: Vec<Ask>,
    ledgers: Vec<String>,
}

fn steps(section: &Section<'_>) -> Option<(Definition, Vec<Distribution>)> {
    let elements = section.elements("step")?;
    let count = elements.len();
    if count == 0 && section.context().whole {
        let at = if section.raw("step").is_some() { "step" } else { "body" };
        let wrong = Wrong::new("`body = \"steps\"` needs at least one step");
        let help = "write [[tool.step]] with one of `work`, `ask`, `post`";
        section.refuse(at, "`tool.step` is missing", wrong.help(help));
    }
    if let Some((span, _)) = elements.get(MOST_STEPS) {
        let wrong = Wrong::new(format!("a body has at most {MOST_STEPS} steps"));
        section.context().push(span.clone(), "too many steps", wrong);
        return None;
    }
    let mut steps = Steps::default();
    for (place, element) in elements.into_iter().enumerate() {
        let step = section.at(element, keys::keys(), "tool.step", format!("tool.step.{place}"));
        if let Some(step) = steps.read(&step) {
            steps.order.push(step);
        }
    }
    (count > 0 && steps.order.len() == count).then(|| steps.described())
}

impl Steps {
    fn read(&mut self, section: &Section<'_>) -> Option<Step> {
        match section.exactly_one(&[])? {
            "work" => {
                self.work.push(distribution::read(section, "work", false)?);
                Some(Step::Work(self.work.len() as u8 - 1))
            }
            "ask" => self.ask(&section.table("ask")),
            _ => {
                let ledger = section.get("post", |value| values::word(value).map(String::from))?;
                let known = self.ledgers.iter().position(|known| *known == ledger);
                let number = known.unwrap_or(self.ledgers.len());
                if known.is_none() {
                    self.ledgers.push(ledger);
                }
                Some(Step::Post(number as u8))
            }
        }
    }

    fn ask(&mut self, section: &Section<'_>) -> Option<Step> {
        let ask = asks::read(section, self.asks.len() as u8)?;
        if self.asks.iter().any(|other| other.key == ask.key) {
            section.wrong("key", Wrong::new("another ask has this key"));
            return None;
        }
        if self.asks.len() == MOST_ASKS_OF_A_BODY {
            let wrong = Wrong::new(format!("a body has at most {MOST_ASKS_OF_A_BODY} asks"));
            section.context().push(section.span(), "too many asks", wrong);
            return None;
        }
        let step = Step::Ask(ask.number, ask.needs);
        self.asks.push(ask);
        Some(step)
    }

    fn described(self) -> (Definition, Vec<Distribution>) {
        let program = Program::of(&self.order);
        let definition = Definition { asks: self.asks, ledgers: self.ledgers, program, ..Body::Steps.definition() };
        (definition, self.work)
    }
}
