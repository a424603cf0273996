//! What is wrong with a scenario, and where. Must never stop at the first problem, never grow without bound on a hostile
//! file, and never keep text that a terminal could obey: `one_line` is the door for every word of the user.

use std::ops::Range;

/// Problems kept of one file; the rest is counted only.
const KEPT: usize = 200;
/// Characters kept of one word of the user.
const SHOWN: usize = 60;

/// One thing that is wrong, with the place in the source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Byte range in the source text.
    pub span: Range<usize>,
    /// What is wrong, in one line that names the key.
    pub title: String,
    /// What stands at the caret.
    pub label: String,
    /// What would be accepted, one line each.
    pub help: Vec<String>,
}

/// The problems of one file, in the order in which they were found.
#[derive(Debug, Default)]
pub(super) struct Problems {
    list: Vec<Problem>,
    dropped: usize,
}

impl Problems {
    /// Notes one problem.
    pub fn push(&mut self, problem: Problem) {
        if self.list.len() < KEPT {
            self.list.push(problem);
        } else {
            self.dropped += 1;
        }
    }

    /// Counts problems that are not worth describing any more, see [`is_full`](Self::is_full).
    pub fn count(&mut self, more: usize) {
        self.dropped += more;
    }

    /// Whether further problems are counted only.
    pub fn is_full(&self) -> bool {
        self.list.len() == KEPT
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The problems in the order of the text, and how many more were only counted.
    pub fn into_sorted(mut self) -> (Vec<Problem>, usize) {
        self.list.sort_by_key(|problem| (problem.span.start, problem.span.end));
        (self.list, self.dropped)
    }
}

/// A word of the user as it may be shown: one line, short, and safe as in [`one_line`].
pub(super) fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", one_line(&text[..end])),
        None => one_line(text),
    }
}

/// A text without line ends and without characters that steer a terminal or turn text round; those are written out.
pub(crate) fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if steers(c) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}

/// Whether a terminal could obey this character, or hide or turn the text around it.
pub(super) fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// The candidate nearest to `word`, if it is near enough to be a slip of the pen.
pub(super) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A word this long is no slip, and the distance takes the product of both lengths.
    if word.chars().count() > 64 {
        return None;
    }
    let lower = word.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= 1.max(candidate.chars().count() / 3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// `"a", "b", "c"`: words as a user would write them.
pub(super) fn quoted<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(|word| format!("\"{}\"", shown(word))).collect::<Vec<_>>().join(", ")
}
