//! The values of a section by the kind of their keys. Must never read a kind that the list of keys does not say.

use std::ops::Range;
use std::time::Duration;

use toml::de::DeValue;

use super::keys::{Kind, meant};
use super::problem::quoted;
use super::section::Section;
use super::values::{self, Wrong};

/// Shares that are listed where they do not add up.
const SHOWN_PARTS: usize = 8;

impl Section<'_> {
    /// A whole number within the bounds of its key.
    pub fn whole(&self, name: &str) -> Option<u64> {
        let Kind::Whole { min, max } = self.key(name).kind else { panic!("`{name}` is no whole number") };
        self.get(name, |value| values::whole(value, min, max))
    }

    /// A whole number of at least 1, or the word in its place.
    pub fn whole_or(&self, name: &str) -> Option<Result<u32, &'static str>> {
        let Kind::WholeOr(words) = self.key(name).kind else { panic!("`{name}` takes no word") };
        self.get(name, |value| {
            if value.is_str() {
                return values::choice(value, words).map(|place| Err(words[place]));
            }
            values::whole(value, 1, u64::from(u32::MAX)).map(|n| Ok(n as u32))
        })
    }

    /// The meaning of a word; `meanings` stand in the order of the words.
    pub fn choice<T: Copy>(&self, name: &str, meanings: &[T]) -> Option<T> {
        let Kind::Choice(words) = self.key(name).kind else { panic!("`{name}` is no choice") };
        assert_eq!(words.len(), meanings.len(), "each word of `{name}` has one meaning");
        self.get(name, |value| values::choice(value, words)).map(|place| meanings[place])
    }

    /// The meanings of a list of words, not empty and without repetition; `meanings` stand in the order of the words.
    pub fn choices<T: Copy>(&self, name: &str, meanings: &[T]) -> Option<Vec<T>> {
        let Kind::Choices(words) = self.key(name).kind else { panic!("`{name}` is no list of words") };
        assert_eq!(words.len(), meanings.len(), "each word of `{name}` has one meaning");
        let read = |value: &DeValue<'_>| values::choice(value, words);
        let Some(listed) = self.values(name, read)? else {
            let default = self.default(name)?;
            let listed = default.get_ref().as_array().unwrap_or_else(|| panic!("default of `{name}` is a list"));
            return listed.iter().map(|word| Some(meanings[read(word.get_ref()).ok()?])).collect();
        };
        if listed.is_empty() {
            let accepted = format!("accepted: {}", quoted(words.to_vec()));
            self.wrong(name, Wrong::new("the list is empty").help(accepted));
            return None;
        }
        let mut places = Vec::new();
        for (place, span) in &listed {
            if places.contains(place) {
                self.wrong_element(name, span.clone(), Wrong::new("stands in the list already"));
            } else {
                places.push(*place);
            }
        }
        (places.len() == listed.len()).then(|| places.into_iter().map(|place| meanings[place]).collect())
    }

    /// A duration.
    pub fn duration(&self, name: &str) -> Option<Duration> {
        let above_zero = meant(self.key(name)).kind == Kind::DurationAboveZero;
        self.get(name, |value| match values::duration(value)? {
            0 if above_zero => Err(Wrong::new("must be above zero")),
            ns => Ok(Duration::from_nanos(ns)),
        })
    }

    /// A duration, or `Some(None)` for the word that means there is none.
    pub fn duration_or(&self, name: &str) -> Option<Option<Duration>> {
        let Kind::DurationOr(word) = self.key(name).kind else { panic!("`{name}` takes no word") };
        Some(self.get(name, |value| values::duration_or(value, word))?.map(Duration::from_nanos))
    }

    /// A number of bytes, or `Some(None)` for the word that means there is no limit.
    pub fn bytes_or(&self, name: &str) -> Option<Option<u64>> {
        let Kind::BytesOr(word) = self.key(name).kind else { panic!("`{name}` takes no word") };
        self.get(name, |value| values::bytes_or(value, word))
    }

    /// Whether shares add up to 1; if not, it is noted where they stand. Each part comes with how it is written.
    pub fn adds_up(&self, of: &str, span: Range<usize>, parts: &[(String, f64)]) -> bool {
        let sum: f64 = parts.iter().map(|(_, share)| share).sum();
        if (sum - 1.0).abs() <= 1e-9 {
            return true;
        }
        let written: Vec<&str> = parts.iter().take(SHOWN_PARTS).map(|(written, _)| written.as_str()).collect();
        let more = if parts.len() > SHOWN_PARTS { " + .." } else { "" };
        // Rounded for the eye: shares have few digits, their sum may not.
        let wrong = Wrong::new(format!("they add up to {}", (sum * 1e9).round() / 1e9));
        let help = format!("{}{more}", written.join(" + "));
        self.context().push(span, format!("the shares of `{of}` must add up to 1"), wrong.help(help));
        false
    }
}
