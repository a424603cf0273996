//! What the host's screening sees (S-01), and what it cannot see.

use super::*;

/// The phrases found in a form with this message and this field.
fn found(message: &str, name: &str, title: &str, description: &str) -> Vec<&'static str> {
    let mut params = params(json!({ name: { "type": "string", "title": title, "description": description } }));
    params["message"] = message.into();
    let form = parse(&params).expect("a legal form");
    form.sensitive_words().into_iter().map(|suspicion| suspicion.phrase).collect()
}

#[test]
fn a_form_titled_paste_your_cloud_api_key_is_caught() {
    let mut params = params(json!({ "value": { "type": "string" } }));
    params["requestedSchema"]["title"] = "Paste your cloud API key".into();
    let found = parse(&params).expect("a legal form").sensitive_words();
    assert_eq!(found, [Suspicion { path: "requestedSchema".to_owned(), phrase: "api key" }]);
    assert_eq!(found[0].to_string(), "requestedSchema: \"api key\" names a secret, and no form may ask for one");
}

#[test]
fn a_secret_that_is_not_named_is_not_caught() {
    assert!(found("One more step", "value_2", "", "Paste the value we emailed you").is_empty());
}

#[test]
fn words_are_seen_in_the_message_the_name_the_title_and_the_description() {
    assert_eq!(found("Your password?", "a", "", ""), ["password"]);
    assert_eq!(found("", "accessToken", "", ""), ["token"]);
    assert_eq!(found("", "a", "One-time code", ""), ["one time code"]);
    assert_eq!(found("", "a", "", "the CVV on the back"), ["cvv"]);
}

#[test]
fn a_phrase_is_seen_in_every_usual_writing() {
    for name in ["api_key", "apiKey", "API-KEY", "APIKey", "apikeys", "my_api_keys", "cloudapikey"] {
        assert_eq!(found("", name, "", ""), ["api key"], "{name}");
    }
    assert_eq!(found("", "newpassword", "", ""), ["password"]);
    assert_eq!(found("", "a", "PIN", ""), ["pin"]);
}

#[test]
fn a_word_that_only_contains_a_phrase_is_none() {
    for word in ["pinned", "opinion", "shipping", "secretary", "tokenizer", "passwordless", "keyapi", "key api", "otpx"]
    {
        assert!(found("", "a", word, "").is_empty(), "{word}");
    }
    assert!(found("Ship 40 crates to Oslo?", "email", "Your e-mail address", "User name or address").is_empty());
}

#[test]
fn a_form_that_only_speaks_of_a_secret_is_caught_too() {
    assert_eq!(found("We never ask for your password", "a", "", ""), ["password"]);
}

#[test]
fn every_known_phrase_is_found_by_itself() {
    for phrase in SENSITIVE_PHRASES {
        assert!(found(phrase, "a", "", "").contains(phrase), "{phrase}");
        assert_eq!(phrase.to_lowercase(), *phrase);
    }
}
