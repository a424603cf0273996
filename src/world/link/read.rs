//! From a text to an address. Must never repair: where parsers disagree, two programs would see two hosts.

use std::cell::Cell;

use icu_properties::CodePointSetData;
use icu_properties::props::DefaultIgnorableCodePoint;
use url::{SyntaxViolation, Url};

use super::Blocked;

/// Most bytes of an address.
pub const LONGEST: usize = 8 << 10;
/// Characters shown of a text that is longer.
const SHOWN: usize = 256;

/// The address, and whether anything stands before its host that could pass for it.
pub(super) fn read(text: &str) -> Result<(Url, bool), Blocked> {
    if text.len() > LONGEST {
        return Err(Blocked::TooLong { bytes: text.len() });
    }
    let unsafe_character = |c: char| c == '\\' || c.is_whitespace() || is_unprintable(c);
    if let Some(c) = text.chars().find(|&c| unsafe_character(c)) {
        return Err(Blocked::Character(c));
    }
    // The parsed address forgets an empty user name, and how many slashes there were.
    let (has_user, repaired) = (Cell::new(false), Cell::new(false));
    let note = |violation| match violation {
        SyntaxViolation::EmbeddedCredentials => has_user.set(true),
        SyntaxViolation::ExpectedDoubleSlash => repaired.set(true),
        _ => {}
    };
    let url = Url::options().syntax_violation_callback(Some(&note)).parse(text).map_err(Blocked::NotAnAddress)?;
    if repaired.get() { Err(Blocked::Slashes) } else { Ok((url, has_user.get())) }
}

/// The beginning of a text that is too long to show.
pub(super) fn beginning(text: &str) -> String {
    let beginning: String = text.chars().take(SHOWN).collect();
    format!("{}...", visible(&beginning))
}

/// The text in one line, with every character escaped that a terminal could obey or that cannot be seen.
pub(super) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if c != ' ' && (c.is_whitespace() || is_unprintable(c)) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Whether it is a control character, or one that cannot be seen; those that turn the direction of text are among them.
fn is_unprintable(c: char) -> bool {
    c.is_control() || CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
}
