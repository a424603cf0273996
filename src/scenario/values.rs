//! From one TOML value to one plain value, or the reason why not. Must never round, guess or accept two spellings of which
//! one could be meant otherwise.

use toml::de::DeValue;

use super::keys::{self, Kind};
use super::problem::{nearest, quoted, shown};
use super::units::{self, BadDuration};

/// Why a value is not accepted: what stands at the caret, and the lines of help.
#[derive(Debug)]
pub(super) struct Wrong {
    pub label: String,
    pub help: Vec<String>,
}

impl Wrong {
    /// A reason without help.
    pub fn new(label: impl Into<String>) -> Self {
        Self { label: label.into(), help: Vec::new() }
    }

    /// The same with one more line of help.
    pub fn help(mut self, line: impl Into<String>) -> Self {
        self.help.push(line.into());
        self
    }
}

/// The value as the user would call it.
pub(super) fn called(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("text `{}`", shown(text)),
        DeValue::Integer(number) => format!("the number `{}`", shown(number.as_str())),
        DeValue::Float(number) => format!("the number `{}`", shown(number.as_str())),
        DeValue::Boolean(flag) => format!("`{flag}`"),
        DeValue::Datetime(_) => "a date or time".into(),
        DeValue::Array(_) => "a list".into(),
        DeValue::Table(_) => "a table".into(),
    }
}

fn found(value: &DeValue<'_>) -> Wrong {
    Wrong::new(format!("found {}", called(value)))
}

/// Any text.
pub(super) fn text<'v>(value: &'v DeValue<'_>) -> Result<&'v str, Wrong> {
    value.as_str().ok_or_else(|| found(value).help("text stands in quotes"))
}

/// A plain word, see [`Kind::Word`].
pub(super) fn word<'v>(value: &'v DeValue<'_>) -> Result<&'v str, Wrong> {
    let word = text(value)?;
    if is_name(word) {
        return Ok(word);
    }
    let label = match word.chars().find(|c| !is_name(c.encode_utf8(&mut [0; 4]))) {
        Some(c) => format!("`{}` is not allowed", shown(&c.to_string())),
        None if word.is_empty() => "the text is empty".into(),
        None => "longer than 64 characters".into(),
    };
    Err(Wrong::new(label).help("a name is 1 to 64 of the characters a-z, 0-9 and -"))
}

/// Whether this can name a scenario: a plain word, 1 to 64 of `a-z`, `0-9` and `-`.
pub fn is_name(word: &str) -> bool {
    (1..=64).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

/// `true` or `false`.
pub(super) fn flag(value: &DeValue<'_>) -> Result<bool, Wrong> {
    match value {
        DeValue::Boolean(flag) => Ok(*flag),
        DeValue::String(_) => Err(found(value).help("true and false stand without quotes")),
        _ => Err(found(value)),
    }
}

/// A whole number within both bounds.
pub(super) fn whole(value: &DeValue<'_>, min: u64, max: u64) -> Result<u64, Wrong> {
    let DeValue::Integer(number) = value else {
        let wrong = found(value);
        return Err(if value.is_str() { wrong.help("numbers stand without quotes") } else { wrong });
    };
    match i128::from_str_radix(number.as_str(), number.radix()) {
        Ok(n) if n < i128::from(min) => Err(Wrong::new(format!("the smallest accepted is {min}"))),
        Ok(n) => u64::try_from(n).ok().filter(|n| *n <= max).ok_or_else(|| too_large(max)),
        Err(_) => Err(too_large(max)),
    }
}

fn too_large(max: u64) -> Wrong {
    Wrong::new(format!("the largest accepted is {max}"))
}

/// A finite number.
pub(super) fn number(value: &DeValue<'_>) -> Result<f64, Wrong> {
    let parsed = match value {
        DeValue::Integer(number) if number.radix() == 10 => number.as_str().parse::<f64>().ok(),
        DeValue::Integer(_) => return Err(found(value).help("write the number in decimal")),
        DeValue::Float(number) => number.as_str().parse().ok(),
        DeValue::String(_) => return Err(found(value).help("numbers stand without quotes")),
        _ => return Err(found(value)),
    };
    // Minus zero becomes zero, so that equal scenarios have equal bytes.
    parsed.filter(|n| n.is_finite()).map(|n| n + 0.0).ok_or_else(|| Wrong::new("not a finite number"))
}

/// A number from 0 to 1.
pub(super) fn share(value: &DeValue<'_>) -> Result<f64, Wrong> {
    match number(value)? {
        n if (0.0..=1.0).contains(&n) => Ok(n),
        _ => Err(Wrong::new("outside of 0 to 1").help("a share is a number from 0 to 1: 0.05 for 5 %")),
    }
}

/// A number above 0.
pub(super) fn positive(value: &DeValue<'_>) -> Result<f64, Wrong> {
    Some(number(value)?).filter(|n| *n > 0.0).ok_or_else(|| Wrong::new("must be above 0"))
}

/// A number of 0 or more.
pub(super) fn not_negative(value: &DeValue<'_>) -> Result<f64, Wrong> {
    Some(number(value)?).filter(|n| *n >= 0.0).ok_or_else(|| Wrong::new("must not be below 0"))
}

/// Place of a word among the accepted ones.
pub(super) fn choice(value: &DeValue<'_>, words: &[&str]) -> Result<usize, Wrong> {
    let Some(text) = value.as_str() else {
        return Err(found(value).help(accepted(words)));
    };
    words.iter().position(|word| *word == text).ok_or_else(|| {
        let wrong = Wrong::new(format!("`{}` is not one of them", shown(text)));
        match nearest(text, words.iter().copied()) {
            Some(word) => wrong.help(format!("did you mean \"{word}\"?")),
            None => wrong,
        }
        .help(accepted(words))
    })
}

fn accepted(words: &[&str]) -> String {
    format!("accepted: {}", quoted(words.iter().copied()))
}

/// A duration in nanoseconds.
pub(super) fn duration(value: &DeValue<'_>) -> Result<u64, Wrong> {
    let (text, bare) = match value {
        DeValue::String(text) => (&**text, false),
        DeValue::Integer(number) => (number.as_str(), true),
        DeValue::Float(number) => (number.as_str(), true),
        _ => return Err(found(value).help(units::DURATIONS)),
    };
    let bad = match units::duration_ns(text) {
        // Whatever else a bare number is, its first fault is that it has no unit.
        _ if bare => BadDuration::NoUnit,
        Ok(ns) => return Ok(ns),
        Err(bad) => bad,
    };
    let mut wrong = Wrong::new(bad.reason());
    if bad == BadDuration::NoUnit && units::duration_ns(&format!("{text}s")).is_ok() {
        wrong = wrong.help(format!("for seconds write \"{}s\"", shown(text)));
    }
    if bad == BadDuration::UnknownUnit("M".into()) {
        wrong = wrong.help("a minute is \"m\"; months and years have no fixed length");
    }
    Err(wrong.help(units::DURATIONS))
}

/// A duration in nanoseconds, or `None` for this word.
pub(super) fn duration_or(value: &DeValue<'_>, word: &str) -> Result<Option<u64>, Wrong> {
    if value.as_str() == Some(word) {
        return Ok(None);
    }
    duration(value).map(Some).map_err(|wrong| wrong.help(format!("or the word \"{word}\"")))
}

/// A number of bytes.
pub(super) fn bytes(value: &DeValue<'_>) -> Result<u64, Wrong> {
    let text = match value {
        DeValue::String(text) => text,
        DeValue::Integer(_) | DeValue::Float(_) => return Err(Wrong::new("the unit is missing").help(units::BYTES)),
        _ => return Err(found(value).help(units::BYTES)),
    };
    units::bytes(text).map_err(|reason| Wrong::new(reason).help(units::BYTES))
}

/// A number of bytes, or `None` for this word.
pub(super) fn bytes_or(value: &DeValue<'_>, word: &str) -> Result<Option<u64>, Wrong> {
    if value.as_str() == Some(word) {
        return Ok(None);
    }
    bytes(value).map(Some).map_err(|wrong| wrong.help(format!("or the word \"{word}\"")))
}

/// Calls per second.
pub(super) fn rate(value: &DeValue<'_>, zero: bool) -> Result<f64, Wrong> {
    let text = match value {
        DeValue::String(text) => text,
        DeValue::Integer(_) | DeValue::Float(_) => {
            return Err(Wrong::new("the unit is missing").help(units::RATES));
        }
        _ => return Err(found(value).help(units::RATES)),
    };
    let rate = units::rate_per_s(text).map_err(|reason| Wrong::new(reason).help(units::RATES))?;
    if rate == 0.0 && !zero {
        return Err(Wrong::new("must be above 0"));
    }
    Ok(rate)
}

/// What a kind takes, as it stands in titles.
pub(super) fn takes(kind: Kind) -> String {
    match kind {
        Kind::Table => "a table".into(),
        Kind::Variants => "a table with exactly one key".into(),
        Kind::VariantsList | Kind::TableList => "a list of tables".into(),
        Kind::Text => "text".into(),
        Kind::Word => "a plain word".into(),
        Kind::Flag => "true or false".into(),
        Kind::Whole { min, max } if min == max => format!("the number {min}"),
        Kind::Whole { min, max } => format!("a whole number from {min} to {max}"),
        Kind::WholeOr(words) => format!("a whole number of at least 1, or {}", quoted(words.iter().copied())),
        Kind::Share => "a share from 0 to 1".into(),
        Kind::Positive => "a number above 0".into(),
        Kind::NotNegative => "a number of 0 or more".into(),
        Kind::Choice(words) if words.len() == 1 => quoted(words.iter().copied()),
        Kind::Choice(_) => "one of a few words".into(),
        Kind::Choices(_) => "a list of a few words".into(),
        Kind::Duration => "a duration".into(),
        Kind::DurationAboveZero => "a duration above zero".into(),
        Kind::DurationOr(word) => format!("a duration or \"{word}\""),
        Kind::Bytes => "a number of bytes".into(),
        Kind::BytesOr(word) => format!("a number of bytes or \"{word}\""),
        Kind::Rate => "a rate above 0".into(),
        Kind::RateOrZero => "a rate".into(),
        Kind::Instants => "a list of durations".into(),
        Kind::Durations => "a list of durations above zero".into(),
        Kind::Wholes => "a list of whole numbers from 0 to 1000".into(),
        Kind::Seconds => "a distribution of times".into(),
        Kind::DurationOrSeconds => "a duration or a distribution of times".into(),
        Kind::Numbers => "a distribution of numbers".into(),
        Kind::Quantity => "a duration or a number".into(),
        Kind::Names => "a list of names".into(),
        Kind::Target => "\"all\", \"count:N\", \"instance:NAME\" or \"zone:NAME\"".into(),
        Kind::File => "the name of a file".into(),
        Kind::Same(path) => keys::find(keys::keys(), path).map_or_else(String::new, |key| takes(key.kind)),
    }
}
