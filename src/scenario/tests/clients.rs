//! What clients declare, what they really do, and how a mix of them is said.

use std::time::Duration;

use super::*;
use crate::scenario::{ClientKind, OnAsk, effective_hash};
use crate::world::{Capability, ClientCapabilities, Revision};

fn kinds(lines: &str) -> Vec<ClientKind> {
    legal(&format!("{SMALLEST}{lines}\n")).clients.kinds
}

fn says(line: &str, start: &str, part: &str) {
    let said = only(&format!("{SMALLEST}{line}\n"));
    assert!(said.starts_with(start) && said.contains(part), "{line}\nsaid: {said}");
}

fn set(capabilities: &[Capability]) -> ClientCapabilities {
    capabilities.iter().copied().collect()
}

#[test]
fn a_mode_that_is_not_named_is_declared_only_where_none_is() {
    use Capability::{Form, Roots, Sampling, SamplingContext, SamplingTools, Url};
    for (written, declared) in [
        ("{}", &[][..]),
        ("{ elicitation = {} }", &[Form]),
        ("{ elicitation = { form = {} } }", &[Form]),
        ("{ elicitation = { url = {} } }", &[Url]),
        ("{ elicitation = { form = {}, url = {} } }", &[Form, Url]),
        ("{ sampling = {} }", &[Sampling]),
        ("{ sampling = { tools = {} } }", &[Sampling, SamplingTools]),
        ("{ sampling = { context = {} }, roots = {} }", &[Sampling, SamplingContext, Roots]),
    ] {
        let kind = &kinds(&format!("clients.capabilities = {written}"))[0];
        assert_eq!(kind.declares, set(declared), "{written}");
        assert_eq!(kind.declares_on_retry, set(declared), "{written}: the same again unless said otherwise");
        let kind = &kinds(&format!("clients.capabilities_on_retry = {written}"))[0];
        assert_eq!((kind.declares, kind.declares_on_retry), (set(&[Form]), set(declared)), "{written}");
    }
    says("clients.capabilities = { roots = 1 }", "2:34 `clients.capabilities.roots` takes a table", "`1`");
    says(
        "clients.capabilities_on_retry = { x = {} }",
        "2:35 unknown key `x` in `clients.capabilities_on_retry`",
        "`roots`",
    );
}

#[test]
fn what_a_client_does_with_an_ask_is_one_of_three() {
    let on_ask = |written: &str| kinds(&format!("clients.on_ask = {written}"))[0].on_ask;
    assert_eq!(on_ask("{ show = true }"), OnAsk::Show);
    assert_eq!(on_ask("{ hang = \"3m\" }"), OnAsk::Hang(Duration::from_secs(180)));
    assert_eq!(on_ask("{ cancel = \"0s\" }"), OnAsk::Cancel(Duration::ZERO));
    says("clients.on_ask = {}", "2:18 `clients.on_ask` takes exactly one", "`hang`");
    says("clients.on_ask = 1", "2:18 `clients.on_ask` takes a table with exactly one key", "the number `1`");
    says("clients.on_ask = { show = true, hang = \"1s\" }", "2:33 `clients.on_ask` takes exactly one", "keep");
    says("clients.on_ask.show = false", "2:23 `clients.on_ask.show`", "says nothing");
    says("clients.on_ask.hang = \"0s\"", "2:23 `clients.on_ask.hang` takes a duration above zero", "above zero");
}

#[test]
fn a_kind_of_the_mix_takes_from_the_clients_what_it_does_not_say() {
    let common =
        "clients.capabilities = { roots = {} }\nclients.checks_answers = false\nclients.on_ask.cancel = \"1s\"\n";
    let mix = "clients.mix = [{ name = \"a\", share = 0.25 }, { name = \"b\", share = 0.75, screens_forms = false, \
               checks_answers = true, on_ask.show = true, capabilities = { elicitation = {} } }]";
    let kinds = kinds(&format!("{common}{mix}"));
    let roots = set(&[Capability::Roots]);
    let form = set(&[Capability::Form]);
    let a = ClientKind {
        speaks: Revision::Modern,
        name: "a".into(),
        share: 0.25,
        declares: roots,
        declares_on_retry: roots,
        on_ask: OnAsk::Cancel(Duration::from_secs(1)),
        checks_answers: false,
        screens_forms: true,
        inspects_links: true,
    };
    let b = ClientKind {
        speaks: Revision::Modern,
        name: "b".into(),
        share: 0.75,
        declares: form,
        declares_on_retry: form,
        on_ask: OnAsk::Show,
        checks_answers: true,
        screens_forms: false,
        inspects_links: true,
    };
    assert_eq!(kinds, [a, b]);
}

#[test]
fn a_retry_declares_what_the_kind_says_of_it_or_of_itself_else_what_the_clients_say() {
    let on_retry = |common: &str, own: &str| {
        let mix = format!("clients.mix = [{{ name = \"a\", share = 1{own} }}]");
        kinds(&format!("{common}\n{mix}"))[0].declares_on_retry
    };
    let (sampling, roots) = ("clients.capabilities_on_retry = { sampling = {} }", ", capabilities.roots = {}");
    assert_eq!(on_retry("", ""), set(&[Capability::Form]));
    assert_eq!(on_retry("", roots), set(&[Capability::Roots]));
    assert_eq!(on_retry(sampling, ""), set(&[Capability::Sampling]));
    assert_eq!(on_retry(sampling, roots), set(&[Capability::Roots]));
    assert_eq!(on_retry(sampling, ", capabilities_on_retry = {}"), ClientCapabilities::NONE);
}

#[test]
fn a_mix_has_different_names_and_shares_that_add_up_to_one() {
    let mix = |kinds: &str| format!("clients.mix = [{kinds}]");
    says(
        &mix("{ name = \"a\", share = 0.5 }, { name = \"b\", share = 0.6 }"),
        "2:15 the shares of `clients.mix` must add up to 1 | they add up to 1.1 | a 0.5 + b 0.6",
        "",
    );
    says(
        &mix("{ name = \"a\", share = 0.5 }, { name = \"a\", share = 0.5 }"),
        "2:54 `clients.mix.1.name`",
        "another kind has this name",
    );
    says(&mix("{ name = \"a\", share = 0 }"), "2:38 `clients.mix.0.share` takes a number above 0", "above 0");
    says(&mix("{ name = \"a\" }"), "2:16 `clients.mix.0.share` is missing", "a number above 0");
    says(&mix("{ share = 1 }"), "2:16 `clients.mix.0.name` is missing", "a plain word");
    says(
        &mix("{ name = \"a\", share = 1, checks_answers = 1 }"),
        "2:58 `clients.mix.0.checks_answers` takes true or false",
        "`1`",
    );
    says(
        &mix("{ name = \"a\", share = 1, on_ask = { hang = \"0s\" } }"),
        "2:59 `clients.mix.0.on_ask.hang` takes a duration above zero",
        "above zero",
    );
    says(&mix(""), "2:15 `clients.mix` takes 1 to 255 kinds", "0 kinds");
    let many = |count: usize| {
        let kind = |number| format!("{{ name = \"k{number}\", share = {} }}", 1.0 / count as f64);
        mix(&(0..count).map(kind).collect::<Vec<_>>().join(", "))
    };
    assert_eq!(kinds(&many(255)).len(), 255);
    says(&many(256), "2:15 `clients.mix` takes 1 to 255 kinds", "256 kinds");
}

#[test]
fn one_kind_of_a_mix_is_not_the_clients_themselves() {
    let hash = |text: &str| effective_hash(&legal(&format!("{SMALLEST}{text}\n")));
    assert_eq!(hash("clients.mix = [{ name = \"client\", share = 1.0 }]"), hash(""));
    assert_ne!(hash("clients.mix = [{ name = \"other\", share = 1.0 }]"), hash(""));
}
