//! `--set key=value`: the words are edited into the text, which is then read like any file, so that an override can do
//! nothing that a file cannot, and every complaint about it points into text that the user can see. Must never change a
//! key that was not named, except the other variants of the same choice.

use toml_edit::{DocumentMut, InlineTable, Item, TableLike, Value};

use super::keys::{self, Key, Kind};
use super::problem::{Problem, shown};
use super::{Invalid, Source};

/// Most steps of a dotted key.
const DEEPEST: usize = 16;

/// The source with all overrides written into it. A text that is no TOML comes back as it was: its own errors come first.
pub(super) fn apply(source: Source, overrides: &[String]) -> Result<Source, Invalid> {
    if overrides.is_empty() {
        return Ok(source);
    }
    let Ok(mut document) = source.text.parse::<DocumentMut>() else {
        return Ok(source);
    };
    let mut words = Words::default();
    for word in overrides {
        let outcome = parse(word).and_then(|(path, value)| set(document.as_table_mut(), "", &path, value));
        words.note(word, outcome);
    }
    words.finish()?;
    let name = format!("{} (changed by the command line)", source.name);
    Ok(Source { name, text: document.to_string() })
}

/// The words as a text of their own, so that a bad one can be shown.
#[derive(Default)]
struct Words {
    text: String,
    problems: Vec<Problem>,
}

impl Words {
    fn note(&mut self, word: &str, outcome: Result<(), String>) {
        let start = self.text.len();
        self.text.push_str(&word.replace(['\n', '\r'], " "));
        if let Err(label) = outcome {
            self.problems.push(Problem {
                span: start..self.text.len(),
                title: format!("`--set {}` cannot be done", shown(word)),
                label,
                help: vec!["write key=value, such as --set people.think.lognormal.median=30s".into()],
            });
        }
        self.text.push('\n');
    }

    fn finish(self) -> Result<(), Invalid> {
        if self.problems.is_empty() {
            return Ok(());
        }
        Err(Invalid::new(Source { name: "--set".into(), text: self.text }, self.problems, 0))
    }
}

/// Steps of the key, and the value: TOML if it reads as such, else a bare text.
fn parse(word: &str) -> Result<(Vec<&str>, Value), String> {
    let (key, text) = word.split_once('=').ok_or("the `=` is missing")?;
    let path: Vec<&str> = key.trim().split('.').collect();
    let plain = |step: &&str| !step.is_empty() && step.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b));
    if path.len() > DEEPEST || !path.iter().all(plain) {
        return Err("the key must be plain words joined by dots".into());
    }
    let value = text.trim().parse::<Value>().unwrap_or_else(|_| Value::from(text.trim()));
    Ok((path, value.decorated(" ", "")))
}

/// Writes a value at `steps` below `table`, making the tables on the way; `path` is the key of `table`.
fn set(table: &mut dyn TableLike, path: &str, steps: &[&str], value: Value) -> Result<(), String> {
    let [step, rest @ ..] = steps else {
        return Err(format!("`{path}` is a table: name one of its keys"));
    };
    drop_other_variants(table, path, step);
    if rest.is_empty() {
        table.insert(step, Item::Value(value));
        return Ok(());
    }
    let path = if path.is_empty() { (*step).to_string() } else { format!("{path}.{step}") };
    if !table.contains_key(step) {
        if keys::find(keys::keys(), &path).is_some_and(|key| keys::meant(key).kind.is_list()) {
            return Err(format!("the scenario has no `{path}` yet: write the list, such as {path}=[{{..}}]"));
        }
        table.insert(step, Item::Value(Value::InlineTable(InlineTable::new())));
    }
    let Some(item) = table.get_mut(step) else {
        return Err(format!("`{path}` cannot be made"));
    };
    if let Some(table) = item.as_table_like_mut() {
        return set(table, &path, rest, value);
    }
    let place = rest[0].parse::<usize>();
    let element: Option<&mut dyn TableLike> = match (item, place) {
        (Item::ArrayOfTables(list), Ok(place)) => list.get_mut(place).map(|table| table as _),
        (Item::Value(Value::Array(list)), Ok(place)) => {
            list.get_mut(place).and_then(Value::as_inline_table_mut).map(|table| table as _)
        }
        (Item::ArrayOfTables(_) | Item::Value(Value::Array(_)), Err(_)) => {
            return Err(format!("`{path}` is a list: name an element by its number, `{path}.0`"));
        }
        _ => return Err(format!("`{path}` is not a table")),
    };
    let element = element.ok_or_else(|| format!("`{path}` has no element {}", rest[0]))?;
    set(element, &path, &rest[1..], value)
}

/// Takes out what `step` replaces: where exactly one variant may stand, the last word wins.
fn drop_other_variants(table: &mut dyn TableLike, path: &str, step: &str) {
    let key = keys::find(keys::keys(), path).map(keys::meant);
    let path = key.map_or(path, |key| key.path);
    let variants: Vec<&str> = match key.map(|key| key.kind) {
        Some(Kind::Variants | Kind::VariantsList) => keys::within(keys::keys(), path).map(Key::name).collect(),
        Some(Kind::Seconds | Kind::Numbers | Kind::DurationOrSeconds) => {
            keys::within(keys::distribution_keys(), "").map(Key::name).collect()
        }
        _ => return,
    };
    if variants.contains(&step) {
        for other in variants.into_iter().filter(|other| *other != step) {
            table.remove(other);
        }
    }
}
