//! What query and fragment carry. Must never repeat a value, which may be the secret.

use url::{Url, form_urlencoded};

use super::read::visible;
use crate::world::form::names_a_secret;

/// Whole names, in lower case, that mean a secret in an address though the words of a form may use them freely.
const SECRET_NAMES: [&str; 10] =
    ["auth", "authorization", "code", "jsessionid", "key", "pass", "phpsessid", "session", "sessionid", "sid"];
/// Characters shown of a name.
const SHOWN: usize = 64;
/// Families of parameters that make up a signature: one reported as a whole.
const OF_A_SIGNATURE: [&str; 2] = ["x-amz-", "x-goog-"];

/// The names of parameters that look like secrets and have a value, each once.
pub(super) fn secrets(url: &Url) -> Vec<String> {
    let query = url.query().unwrap_or_default();
    // Programs in pages keep a path of their own in the fragment, and a query behind it.
    let fragment = url.fragment().unwrap_or_default();
    let fragment = fragment.rsplit_once('?').map_or(fragment, |(_, query)| query);
    let mut names = Vec::new();
    for (name, value) in [query, fragment].into_iter().flat_map(|text| form_urlencoded::parse(text.as_bytes())) {
        let shown = visible(&name.chars().take(SHOWN).collect::<String>());
        if !value.is_empty() && is_secret(&name) && !names.contains(&shown) {
            names.push(shown);
        }
    }
    names
}

fn is_secret(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let of_a_signature = OF_A_SIGNATURE.iter().any(|family| lower.starts_with(family));
    !of_a_signature && (SECRET_NAMES.contains(&lower.as_str()) || names_a_secret(name))
}

/// The parameter in which a signed address of a large cloud carries its signature.
pub(super) fn signature(url: &Url) -> Option<&'static str> {
    let names: Vec<String> = url.query_pairs().map(|(name, _)| name.to_ascii_lowercase()).collect();
    let has = |wanted: &str| names.iter().any(|name| name == wanted);
    if has("x-amz-signature") {
        Some("X-Amz-Signature")
    } else if has("x-goog-signature") {
        Some("X-Goog-Signature")
    } else if has("sig") && (has("se") || has("sv")) {
        Some("sig")
    } else if has("signature") && (has("expires") || has("policy")) {
        Some("Signature")
    } else {
        None
    }
}
