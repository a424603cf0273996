//! Claims about the gate: what a client declared decides what it is sent, whatever it declared before.

use parked::era::Design::{Carrying, Waiting};
use parked::metrics::Outcome;
use parked::world::{Capability, Cause};

use super::super::common::{because, only_call, plainly};
use super::{ALONE, DESIGNS, assert_end, call, in_steps, told, with};

/// Declarations, and the kinds of asks that each lets through. Some two differ by one key alone.
const DECLARATIONS: [(&str, &[&str]); 12] = [
    ("{}", &[]),
    ("{ elicitation = {} }", &["form"]),
    ("{ elicitation = { form = {} } }", &["form"]),
    ("{ elicitation = { url = {} } }", &["url"]),
    ("{ elicitation = { form = {}, url = {} } }", &["form", "url"]),
    ("{ sampling = {} }", &["sampling"]),
    ("{ sampling = { tools = {} } }", &["sampling", "sampling-tools"]),
    ("{ sampling = { context = {} } }", &["sampling", "sampling-context"]),
    ("{ sampling = { tools = {}, context = {} } }", &["sampling", "sampling-tools", "sampling-context"]),
    ("{ roots = {} }", &["roots"]),
    ("{ elicitation = {}, sampling = {} }", &["form", "sampling"]),
    ("{ elicitation = {}, roots = {} }", &["form", "roots"]),
];

#[test]
pub fn an_ask_is_sent_to_a_client_that_declared_its_kind_and_to_no_other() {
    for design in DESIGNS {
        for (declared, served) in DECLARATIONS {
            for kind in Capability::ALL {
                let name = kind.name();
                let steps = format!(r#"{{ ask = {{ key = "a", kind = "{name}" }} }}, {{ post = "done" }}"#);
                let scenario = in_steps(&steps, "", &[&format!("clients.capabilities={declared}")]);
                let record = only_call(&scenario, design);
                let (end, asks) = match served.contains(&name) {
                    true => (plainly(Outcome::Completed), 1),
                    false => (because(Outcome::Unsupported, Cause::Capability), 0),
                };
                assert_eq!(record.end, end, "{name} to {declared}");
                // Roots are the client's own to tell: no person is asked.
                let prompts = if name == "roots" { 0 } else { asks };
                let counts = (record.asks, record.prompts, record.messages, record.entries);
                assert_eq!(counts, (asks, prompts, 1 + asks, asks), "{name} to {declared}");
            }
        }
    }
}

#[test]
fn a_refusal_says_in_an_object_what_the_client_would_have_had_to_declare() {
    for design in DESIGNS {
        for (kind, required) in [
            ("form", r#"{"elicitation":{"form":{}}}"#),
            ("url", r#"{"elicitation":{"url":{}}}"#),
            ("sampling", r#"{"sampling":{}}"#),
            ("sampling-tools", r#"{"sampling":{"tools":{}}}"#),
            ("sampling-context", r#"{"sampling":{"context":{}}}"#),
            ("roots", r#"{"roots":{}}"#),
        ] {
            let steps = format!(r#"{{ ask = {{ key = "a", kind = "{kind}" }} }}"#);
            let told = told(&in_steps(&steps, "", &["clients.capabilities={}"]), design);
            assert!(told.contains(&format!("error -32021, requires {required}")), "{told:?}");
        }
    }
}

const TWO_ROUNDS: &str = "tool.body=transfer_funds";

#[test]
pub fn a_declaration_that_shrinks_between_two_rounds_counts_when_carrying() {
    let shrinks = [ALONE, TWO_ROUNDS, "clients.capabilities_on_retry={}"];
    let waiting = call(Waiting, &shrinks);
    assert_eq!(waiting, call(Waiting, &[ALONE, TWO_ROUNDS]), "the handshake counts for the whole call");
    assert_end(&waiting, plainly(Outcome::Completed));
    assert_eq!((waiting.asks, waiting.prompts, waiting.messages, waiting.entries), (2, 2, 3, 2));
    let carrying = call(Carrying, &shrinks);
    assert_end(&carrying, because(Outcome::Unsupported, Cause::Capability));
    let counts = (carrying.asks, carrying.prompts, carrying.messages, carrying.entries);
    assert_eq!(counts, (1, 1, 2, 1), "refused in the second round, though the first was served");
    for design in DESIGNS {
        let same = [ALONE, TWO_ROUNDS, "clients.capabilities_on_retry={ elicitation = {} }"];
        assert_eq!(call(design, &same), call(design, &[ALONE, TWO_ROUNDS]), "absent, it is as capabilities");
    }
}

#[test]
fn what_a_retry_declares_does_not_help_a_first_request_that_declares_nothing() {
    for design in DESIGNS {
        let grows = [ALONE, "clients.capabilities={}", "clients.capabilities_on_retry={ elicitation = {} }"];
        assert_end(&call(design, &grows), because(Outcome::Unsupported, Cause::Capability));
    }
}

#[test]
fn a_declaration_that_grows_between_two_rounds_counts_when_carrying() {
    let steps = r#"{ ask = { key = "a" } }, { ask = { key = "b", kind = "url" } }, { post = "done" }"#;
    let grows = "clients.capabilities_on_retry={ elicitation = { form = {}, url = {} } }";
    let [waiting, carrying] = DESIGNS.map(|design| only_call(&in_steps(steps, "", &[grows]), design));
    assert_end(&waiting, because(Outcome::Unsupported, Cause::Capability));
    assert_eq!((waiting.asks, waiting.entries), (1, 0));
    assert_end(&carrying, plainly(Outcome::Completed));
    assert_eq!((carrying.asks, carrying.entries), (2, 1));
}

#[test]
fn an_answer_that_is_there_needs_no_declaration_any_more() {
    for design in DESIGNS {
        let shrinks = call(design, &[ALONE, "clients.capabilities_on_retry={}"]);
        assert_end(&shrinks, plainly(Outcome::Completed));
        assert_eq!(shrinks, call(design, &[ALONE]));
    }
}

#[test]
fn a_link_is_never_shown_as_a_form_to_a_client_that_declared_elicitation_and_no_mode() {
    let steps = r#"{ ask = { key = "a", kind = "url", sensitive = true } }"#;
    for design in DESIGNS {
        let record = only_call(&in_steps(steps, "", &["clients.capabilities={ elicitation = {} }"]), design);
        assert_end(&record, because(Outcome::Unsupported, Cause::Capability));
        assert_eq!((record.asks, record.prompts, super::seen_by(&record).len()), (0, 0, 0));
    }
}

#[test]
fn a_client_that_is_not_asked_can_declare_what_it_likes() {
    for design in DESIGNS {
        let small = ["tool.amount.constant=100", "clients.capabilities={}"];
        assert_eq!(call(design, &small), call(design, &small[..1]));
        assert!(told(&with(&small), design).iter().all(|what| !what.contains("-32021")));
    }
}
