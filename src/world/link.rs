//! Addresses that a server asks a person to open (URL mode elicitation): what a client must show before consent, and what
//! it must stop or warn of. Must never do I/O (a client must not prefetch), never panic on any text, and never show a
//! character that a terminal could obey.
//!
//! The rules are those of `client/elicitation@2026-07-28`; the allow-list of schemes is that of the security practices of
//! the same revision. Where both are silent:
//!
//! - What is shown is the address as the URL standard writes it, in ASCII. A client must open that text and not the given
//!   one: parsers disagree about the latter.
//! - The server's own host and every subdomain of it count as the server's; any other is warned of. Without a list of
//!   public suffixes nothing better is known, so a server on a shared parent (`github.io`) vouches for its neighbours.
//! - Letters of several scripts in one label are warned of, as in UTS 39 without its exception for Latin. A label that
//!   imitates another within one script is only seen as punycode.
//! - Secrets are found by the names of parameters in query and fragment, never by their values; the path and an address
//!   within the address are not searched, and neither are personal data.

mod host;
mod parameters;
mod read;

#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Range;

use url::{Position, Url};

pub use read::LONGEST;
use read::visible;

/// What a client knows of an address before it asks for consent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inspection {
    /// The full address to show, and to open: ASCII, as the URL standard writes it. An address that could not be read is
    /// shown as it was given, with its unprintable characters escaped, and one that is too long with its beginning.
    pub shown: String,
    /// The real host, in ASCII; `None` when the address could not be read or has none.
    pub host: Option<String>,
    /// How the host reads when it is punycode.
    pub unicode_host: Option<String>,
    /// Where the host stands in `shown`, in bytes: what a client highlights.
    pub highlight: Option<Range<usize>>,
    /// Why it must not be opened; empty when it may, once the person agrees.
    pub blocked: Vec<Blocked>,
    /// What the person must be told before agreeing.
    pub warnings: Vec<Warning>,
}

/// Why an address must not be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blocked {
    /// More bytes than [`LONGEST`].
    TooLong {
        /// How many.
        bytes: usize,
    },
    /// A control character, whitespace, a backslash or an invisible character: parsers disagree about them.
    Character(char),
    /// Not exactly two slashes before the host: some parsers repair that and others do not.
    Slashes,
    /// It cannot be read as an absolute URL.
    NotAnAddress(url::ParseError),
    /// Another scheme than https, or http to another machine.
    Scheme(String),
    /// A user name or password stands before the host and can pass for it.
    UserName {
        /// Where the address really leads.
        real_host: String,
    },
}

/// What a person must know of an address before agreeing to open it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// The host has letters beyond ASCII and may look like another.
    Punycode {
        /// How it reads.
        unicode: String,
    },
    /// Letters of several scripts in one label of the host.
    MixedScripts {
        /// The label, in Unicode.
        label: String,
    },
    /// Neither the server's host nor a subdomain of it.
    AnotherHost {
        /// The server's.
        server: String,
    },
    /// Parameters that are named like secrets and have a value.
    Secret {
        /// Their names, each once, in the order in which they stand there.
        names: Vec<String>,
    },
    /// The signature of a cloud: whoever has the address has what it leads to.
    PreAuthenticated {
        /// The parameter that carries it.
        parameter: &'static str,
    },
}

/// Inspects an address that a server asks to open; `server_host` is the host of that server, without a port, and nothing
/// is held against it when there is none. Every reason and every warning comes back, in the order of the enums; of what
/// cannot be read, only the first reason.
pub fn inspect(address: &str, server_host: Option<&str>) -> Inspection {
    let (url, has_user) = match read::read(address) {
        Ok(read) => read,
        Err(reason) => return unread(address, reason),
    };
    let host = url.host_str().filter(|host| !host.is_empty());
    let mut blocked = Vec::new();
    if url.scheme() != "https" && !(url.scheme() == "http" && host::is_loopback(&url)) {
        blocked.push(Blocked::Scheme(url.scheme().to_owned()));
    }
    if has_user {
        blocked.push(Blocked::UserName { real_host: host.unwrap_or_default().to_owned() });
    }
    let unicode_host = host.and_then(host::unicode_of);
    Inspection {
        host: host.map(str::to_owned),
        highlight: host.map(|_| url[..Position::BeforeHost].len()..url[..Position::AfterHost].len()),
        warnings: warnings(&url, host, unicode_host.as_deref(), server_host),
        unicode_host,
        blocked,
        shown: url.into(),
    }
}

fn unread(address: &str, reason: Blocked) -> Inspection {
    let shown = match reason {
        Blocked::TooLong { .. } => read::beginning(address),
        _ => visible(address),
    };
    Inspection { shown, host: None, unicode_host: None, highlight: None, blocked: vec![reason], warnings: Vec::new() }
}

fn warnings(url: &Url, host: Option<&str>, unicode: Option<&str>, server: Option<&str>) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if let Some(unicode) = unicode {
        warnings.push(Warning::Punycode { unicode: unicode.to_owned() });
        let mixed = unicode.split('.').filter(|label| host::mixes_scripts(label));
        warnings.extend(mixed.map(|label| Warning::MixedScripts { label: label.to_owned() }));
    }
    if let (Some(host), Some(server)) = (host, server) {
        let known = host::written(server);
        if !known.as_deref().is_some_and(|server| host::belongs_to(host, server)) {
            warnings.push(Warning::AnotherHost { server: known.unwrap_or_else(|| visible(server)) });
        }
    }
    let names = parameters::secrets(url);
    if !names.is_empty() {
        warnings.push(Warning::Secret { names });
    }
    warnings.extend(parameters::signature(url).map(|parameter| Warning::PreAuthenticated { parameter }));
    warnings
}

impl Inspection {
    /// Whether it may be opened once the person agrees.
    pub fn is_allowed(&self) -> bool {
        self.blocked.is_empty()
    }
}

impl Blocked {
    /// The kind of reason in one or two words, as tables name it.
    pub fn name(&self) -> &'static str {
        match self {
            Blocked::TooLong { .. } => "length",
            Blocked::Character(_) => "character",
            Blocked::Slashes => "slashes",
            Blocked::NotAnAddress(_) => "no address",
            Blocked::Scheme(_) => "scheme",
            Blocked::UserName { .. } => "user name",
        }
    }
}

impl Warning {
    /// The kind of warning in a few words, as tables name it.
    pub fn name(&self) -> &'static str {
        match self {
            Warning::Punycode { .. } => "punycode",
            Warning::MixedScripts { .. } => "mixed scripts",
            Warning::AnotherHost { .. } => "not the server's host",
            Warning::Secret { .. } => "a secret in the address",
            Warning::PreAuthenticated { .. } => "pre-authenticated",
        }
    }
}

impl fmt::Display for Blocked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.name())?;
        match self {
            Blocked::TooLong { bytes } => write!(f, "{bytes} bytes, and {LONGEST} are the most"),
            Blocked::Character(c) => write!(f, "U+{:04X} is not allowed in an address", u32::from(*c)),
            Blocked::Slashes => write!(f, "exactly two slashes must stand before the host"),
            Blocked::NotAnAddress(error) => write!(f, "it cannot be read ({error})"),
            Blocked::Scheme(scheme) => {
                write!(f, "`{scheme}` is not allowed, only https, and http to this machine itself")
            }
            Blocked::UserName { real_host } => {
                write!(f, "what stands before the @ is not the host; the real host is {real_host}")
            }
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.name())?;
        match self {
            Warning::Punycode { unicode } => write!(f, "the host reads {unicode}"),
            Warning::MixedScripts { label } => write!(f, "`{label}` has letters of several scripts"),
            Warning::AnotherHost { server } => write!(f, "the server's is {server}"),
            Warning::Secret { names } => write!(f, "the value of {}", names.join(", ")),
            Warning::PreAuthenticated { parameter } => {
                write!(f, "{parameter} lets in whoever has the address")
            }
        }
    }
}
