//! The four formats of text. Must never be wider than the RFC behind the word: what the crates accept beyond it is
//! refused here.

use std::net::{Ipv4Addr, Ipv6Addr};

use email_address::{EmailAddress, Options};
use jiff::civil::Date;
use url::Url;

/// How a text must be written (`format` of a string field).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextFormat {
    /// A mailbox of RFC 5321, in ASCII and without a display name.
    Email,
    /// An absolute URI of RFC 3986 that the URL standard can also read.
    Uri,
    /// `full-date` of RFC 3339: `2026-07-28`.
    Date,
    /// `date-time` of RFC 3339: `2026-07-28T12:00:00Z`.
    DateTime,
}

impl TextFormat {
    /// All formats in the order of the specification.
    pub const ALL: [TextFormat; 4] = [TextFormat::Email, TextFormat::Uri, TextFormat::Date, TextFormat::DateTime];

    /// The specification's word for it.
    pub fn name(self) -> &'static str {
        match self {
            TextFormat::Email => "email",
            TextFormat::Uri => "uri",
            TextFormat::Date => "date",
            TextFormat::DateTime => "date-time",
        }
    }

    /// Whether the text is written this way.
    pub fn accepts(self, text: &str) -> bool {
        match self {
            TextFormat::Email => is_email(text),
            TextFormat::Uri => is_uri(text),
            TextFormat::Date => is_date(text),
            TextFormat::DateTime => is_date_time(text),
        }
    }
}

fn is_email(text: &str) -> bool {
    let options = Options::default().without_display_text();
    text.is_ascii()
        && EmailAddress::parse_with_options(text, options).is_ok()
        && text.rsplit_once('@').is_some_and(|(_, domain)| is_mail_domain(domain))
}

/// A host name of letters, digits and hyphens, or an address in brackets. The crate also lets every other sign of an
/// atom through.
fn is_mail_domain(domain: &str) -> bool {
    match domain.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        None => domain.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.'),
        Some(literal) => match literal.split_at_checked("IPv6:".len()) {
            Some((tag, address)) if tag.eq_ignore_ascii_case("IPv6:") => address.parse::<Ipv6Addr>().is_ok(),
            _ => literal.parse::<Ipv4Addr>().is_ok(),
        },
    }
}

/// The URL standard repairs blanks, backslashes and unfinished escapes; RFC 3986 does not know them.
fn is_uri(text: &str) -> bool {
    let sign = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#@!$&'()*+,;=%[]".contains(&byte);
    text.bytes().all(sign)
        && text.matches('#').count() <= 1
        && has_whole_escapes(text)
        && has_a_plain_authority(text)
        && Url::parse(text).is_ok()
}

fn has_whole_escapes(text: &str) -> bool {
    let hex = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_hexdigit);
    text.split('%').skip(1).map(str::as_bytes).all(|rest| hex(rest.first()) && hex(rest.get(1)))
}

/// Brackets stand around the address of a host only, and one sign at most parts the user from it.
fn has_a_plain_authority(text: &str) -> bool {
    let brackets = |text: &str| text.contains(['[', ']']);
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let Some(rest) = rest.strip_prefix("//") else { return !brackets(text) };
    let (authority, after) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    let outside = match host.strip_prefix('[').and_then(|host| host.split_once(']')) {
        Some((_, port)) => port,
        None => host,
    };
    !user.contains('@') && ![scheme, user, outside, after].into_iter().any(brackets)
}

/// The calendar is the crate's; the writing is narrower than what it reads (`20260728`, `+002026-07-28`).
fn is_date(text: &str) -> bool {
    is_written(text, "0000-00-00") && text.parse::<Date>().is_ok()
}

fn is_date_time(text: &str) -> bool {
    let Some((date, rest)) = text.split_at_checked("0000-00-00".len()) else { return false };
    let Some((time, rest)) = rest.split_at_checked("T00:00:00".len()) else { return false };
    let Some(offset) = without_fraction(rest).and_then(minutes_of_offset) else { return false };
    if !is_date(date) || !is_written(&time.to_ascii_uppercase(), "T00:00:00") {
        return false;
    }
    let (hour, minute, second) = (two_digits(&time[1..]), two_digits(&time[4..]), two_digits(&time[7..]));
    // A leap second is the last second of a day of UTC (RFC 3339, section 5.7).
    let last_minute = (hour * 60 + minute - offset).rem_euclid(24 * 60) == 24 * 60 - 1;
    hour < 24 && minute < 60 && (second < 60 || second == 60 && last_minute)
}

/// What follows the fraction of a second; `None` when the fraction has no digit.
fn without_fraction(text: &str) -> Option<&str> {
    let Some(fraction) = text.strip_prefix('.') else { return Some(text) };
    let rest = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
    (rest.len() < fraction.len()).then_some(rest)
}

/// Minutes by which the clock is ahead of UTC.
fn minutes_of_offset(text: &str) -> Option<i32> {
    if text.eq_ignore_ascii_case("z") {
        return Some(0);
    }
    let (sign, clock) = match text.strip_prefix('-') {
        Some(clock) => (-1, clock),
        None => (1, text.strip_prefix('+')?),
    };
    let (hour, minute) = is_written(clock, "00:00").then(|| (two_digits(clock), two_digits(&clock[3..])))?;
    (hour < 24 && minute < 60).then_some(sign * (hour * 60 + minute))
}

/// Whether the text is the pattern with any digits where the pattern has a zero.
fn is_written(text: &str, pattern: &str) -> bool {
    let fits = |(byte, sign): (u8, u8)| if sign == b'0' { byte.is_ascii_digit() } else { byte == sign };
    text.len() == pattern.len() && text.bytes().zip(pattern.bytes()).all(fits)
}

/// The number that a text which [`is_written`] with digits begins with.
fn two_digits(text: &str) -> i32 {
    text.bytes().take(2).fold(0, |number, digit| number * 10 + i32::from(digit & 15))
}
