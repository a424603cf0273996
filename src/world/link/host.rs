//! Hosts: whose they are, and how they read. Must never take two hosts for one because they look alike.

use icu_properties::props::Script;
use icu_properties::script::ScriptWithExtensions;
use url::{Host, Url};

use super::read::visible;

/// Scripts that one language writes in one word (UTS 39, section 5.1).
const WRITTEN_TOGETHER: [&[Script]; 3] = [
    &[Script::Han, Script::Hiragana, Script::Katakana],
    &[Script::Han, Script::Bopomofo],
    &[Script::Han, Script::Hangul],
];

/// Whether it leads to this machine, without asking anyone what a name means.
pub(super) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// A host as addresses write it; `None` for what is no host.
pub(super) fn written(host: &str) -> Option<String> {
    Host::parse(host).ok().map(|host| host.to_string())
}

/// Whether the host is the server's or a subdomain of it; both as [`written`].
pub(super) fn belongs_to(host: &str, server: &str) -> bool {
    host == server || host.strip_suffix(server).is_some_and(|front| front.ends_with('.'))
}

/// How a host with a punycode label reads; `None` for one without.
pub(super) fn unicode_of(host: &str) -> Option<String> {
    let encoded = host.split('.').any(|label| label.starts_with("xn--"));
    // The parser has refused what does not decode.
    encoded.then(|| visible(&idna::domain_to_unicode(host).0))
}

/// Whether the letters of a label belong to no single way of writing.
pub(super) fn mixes_scripts(label: &str) -> bool {
    let scripts = ScriptWithExtensions::new();
    let of_letters: Vec<Vec<Script>> = label
        .chars()
        .map(|c| scripts.get_script_extensions_val(c).iter().collect())
        .filter(|of_one: &Vec<Script>| !of_one.iter().any(|s| [Script::Common, Script::Inherited].contains(s)))
        .collect();
    let Some(first) = of_letters.first() else { return false };
    let writes_all = |way: &[Script]| of_letters.iter().all(|of_one| of_one.iter().any(|script| way.contains(script)));
    !first.iter().map(std::slice::from_ref).chain(WRITTEN_TOGETHER).any(writes_all)
}
