//! The steps of a body that the scenario describes, of this version of the tool and of the next. Must never give two asks
//! of one version the same key, nor let a call gather more answers than it can.

use super::asks;
use super::distribution;
use super::keys;
use super::section::Section;
use super::values::{self, Wrong};
use crate::random::Distribution;
use crate::tool::{Ask, Body, Definition, MOST_STEPS, Program, Step};
use crate::world::MOST_ANSWERS;

/// Each ask is answered once, and a link that was accepted may be declined when it is asked for again.
const MOST_ASKS: usize = MOST_ANSWERS - 1;

/// Reads `step` of the tool and of its next version: what they ask and do, and the times of their steps.
pub(super) fn read(tool: &Section<'_>) -> Option<(Definition, Vec<Distribution>)> {
    let mut steps = Steps::default();
    let program = steps.version(tool, "body");
    let next = match tool.raw("next") {
        None => Some(None),
        Some(_) => {
            let next = tool.table("next");
            tool.table_quietly("next").and_then(|_| steps.version(&next, "step")).map(Some)
        }
    };
    let (program, next) = (program?, next?);
    let definition = Definition { asks: steps.asks, ledgers: steps.ledgers, program, next, ..Body::Steps.definition() };
    Some((definition, steps.work))
}

/// The steps as they are read, those of the next version after those of this one. What both ask alike is one ask.
#[derive(Default)]
struct Steps {
    /// Of the version that is read.
    order: Vec<Step>,
    work: Vec<Distribution>,
    asks: Vec<Ask>,
    ledgers: Vec<String>,
}

impl Steps {
    /// Reads the steps of one version; `at` is where it is said that there are none.
    fn version(&mut self, section: &Section<'_>, at: &str) -> Option<Program> {
        self.order.clear();
        let elements = section.elements("step")?;
        let count = elements.len();
        if count == 0 && section.context().whole {
            let at = if section.raw("step").is_some() { "step" } else { at };
            let title = format!("`{}` is missing", section.shown("step"));
            let wrong = Wrong::new("`body = \"steps\"` needs at least one step");
            let help = format!("write [[{}]] with one of `work`, `ask`, `post`", section.shown("step"));
            section.refuse(at, title, wrong.help(help));
        }
        if let Some((span, _)) = elements.get(MOST_STEPS) {
            let wrong = Wrong::new(format!("a body has at most {MOST_STEPS} steps"));
            section.context().push(span.clone(), "too many steps", wrong);
            return None;
        }
        for (place, element) in elements.into_iter().enumerate() {
            let shown = format!("{}.{place}", section.shown("step"));
            let step = section.at(element, keys::keys(), "tool.step", shown);
            if let Some(step) = self.read(&step) {
                self.order.push(step);
            }
        }
        (count > 0 && self.order.len() == count).then(|| Program::of(&self.order))
    }

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
        let is_asked = |number| self.order.iter().any(|step| matches!(step, Step::Ask(asked, _) if *asked == number));
        if self.asks.iter().any(|other| other.key == ask.key && is_asked(other.number)) {
            section.wrong("key", Wrong::new("another ask has this key"));
            return None;
        }
        let is_same = |other: &&Ask| Ask { number: other.number, ..ask.clone() } == **other;
        if let Some(same) = self.asks.iter().find(is_same) {
            return Some(Step::Ask(same.number, same.needs));
        }
        if self.asks.len() == MOST_ASKS {
            let of_one = self.order.iter().filter(|step| matches!(step, Step::Ask(..))).count() == MOST_ASKS;
            let wrong = match of_one {
                true => Wrong::new(format!("a body has at most {MOST_ASKS} asks")),
                false => Wrong::new(format!("both versions together have at most {MOST_ASKS} different asks")),
            };
            section.context().push(section.span(), "too many asks", wrong);
            return None;
        }
        let step = Step::Ask(ask.number, ask.needs);
        self.asks.push(ask);
        Some(step)
    }
}
