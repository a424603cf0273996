//! The host's screening of a form for secrets, which no form may ask for (client/elicitation@2026-07-28: passwords, API
//! keys, access tokens, payment credentials). Must never be taken for knowledge: it sees words, not what they mean.
//!
//! It misses every secret that is not named (the field `value_2`, "Paste the value we emailed you"), named in another
//! language, or written with look-alike letters; and it stops harmless forms that only speak of a secret ("We never ask
//! for your password", "How many tokens?").

use std::fmt;

use super::Form;

/// The words that the screening knows, in lower case. A phrase is found as whole words, also in the plural and written
/// as one (`apiKey`, `API_KEYS`, `apikey`); when it has six letters or more, also at the end of a word (`newpassword`).
pub const SENSITIVE_PHRASES: &[&str] = &[
    "password",
    "passwd",
    "pwd",
    "passphrase",
    "passcode",
    "pin",
    "secret",
    "credential",
    "token",
    "bearer",
    "jwt",
    "api key",
    "access key",
    "account key",
    "encryption key",
    "private key",
    "signing key",
    "ssh key",
    "connection string",
    "one time code",
    "one time password",
    "otp",
    "totp",
    "verification code",
    "authentication code",
    "2fa code",
    "mfa code",
    "sms code",
    "login code",
    "recovery code",
    "backup code",
    "recovery phrase",
    "seed phrase",
    "mnemonic",
    "card number",
    "credit card",
    "debit card",
    "card verification",
    "security code",
    "cvv",
    "cvv2",
    "cvc",
    "cvc2",
];

/// Wording that asks for a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspicion {
    /// Where it stands: `message`, `requestedSchema`, or a field.
    pub path: String,
    /// Which of [`SENSITIVE_PHRASES`] it is.
    pub phrase: &'static str,
}

impl fmt::Display for Suspicion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: \"{}\" names a secret, and no form may ask for one", self.path, self.phrase)
    }
}

impl Form {
    /// What the host's screening finds in the message, the titles, the names and the descriptions: each phrase once for
    /// each place. The words of choices are not looked at, since nobody types them.
    pub fn sensitive_words(&self) -> Vec<Suspicion> {
        let heading = [self.title.as_deref(), self.description.as_deref()];
        let mut found = suspicions("message", &[Some(&self.message)]);
        found.extend(suspicions("requestedSchema", &heading));
        for field in &self.fields {
            let texts = [Some(field.name.as_str()), field.title.as_deref(), field.description.as_deref()];
            found.extend(suspicions(&field.name, &texts));
        }
        found
    }
}

fn suspicions(path: &str, texts: &[Option<&str>]) -> Vec<Suspicion> {
    let texts: Vec<Vec<String>> = texts.iter().flatten().map(|text| words_of(text)).collect();
    let found = SENSITIVE_PHRASES.iter().filter(|phrase| texts.iter().any(|words| says(words, phrase)));
    found.map(|phrase| Suspicion { path: path.to_owned(), phrase }).collect()
}

/// Whether a name of anything is one of a secret.
pub(in crate::world) fn names_a_secret(name: &str) -> bool {
    let words = words_of(name);
    SENSITIVE_PHRASES.iter().any(|phrase| says(&words, phrase))
}

/// The words of a text in lower case; `cardNumber` and `card_number` are two words each.
fn words_of(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_lower_case = false;
    for c in text.chars() {
        let word_ends = !c.is_alphanumeric() || after_lower_case && c.is_uppercase();
        if word_ends && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        after_lower_case = c.is_lowercase();
    }
    words
}

fn says(words: &[String], phrase: &str) -> bool {
    let apart: Vec<&str> = phrase.split(' ').collect();
    let together = apart.concat();
    let singular = |word: &str, end: &str| word == end || word.strip_suffix('s') == Some(end);
    let ends_with =
        |word: &str| word.ends_with(&together) || word.strip_suffix('s').is_some_and(|w| w.ends_with(&together));
    let (last, first) = (apart[apart.len() - 1], &apart[..apart.len() - 1]);
    words.iter().any(|word| singular(word, &together) || together.len() >= 6 && ends_with(word))
        || words.windows(apart.len()).any(|window| {
            let (end, start) = (&window[window.len() - 1], &window[..window.len() - 1]);
            singular(end, last) && start.iter().zip(first).all(|(word, wanted)| word == wanted)
        })
}
