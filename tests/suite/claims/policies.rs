//! Claims about what a server does when its tool has to ask and the client cannot be asked.

use parked::era::Design;
use parked::metrics::{Outcome, Record};
use parked::world::Cause;

use super::super::common::{because, only_call, plainly};
use super::{ALONE, DESIGNS, assert_end, call, cell, end, ended_ms, in_steps, seen_by, told, with};

const CANNOT: &str = "clients.capabilities={}";

/// The policies that a confirmation can have.
const OF_A_CONFIRMATION: [&str; 5] = ["reject", "tool-error-with-fallback", "host-approval", "fail-open", "hide-tool"];

fn under(design: Design, policy: &str, switches: &[&str]) -> Record {
    let policy = format!("tool.unable={policy}");
    call(design, &[&[ALONE, CANNOT, &policy], switches].concat())
}

/// A secret asked for by a link, of a client that declares this.
fn link(design: Design, policy: &str, declared: &str) -> Record {
    let steps = r#"{ ask = { key = "a", kind = "url", message = "Sign in", sensitive = true } }, { post = "done" }"#;
    let (policy, declared) = (format!("tool.unable={policy}"), format!("clients.capabilities={declared}"));
    only_call(&in_steps(steps, "", &[&policy, &declared]), design)
}

/// End, asks sent, prompts, messages, entries, entries that nobody confirmed.
fn figures(record: &Record) -> (String, u32, u32, u32, u32, u32) {
    let Record { asks, prompts, messages, entries, entries_unconfirmed, .. } = *record;
    (end(record), asks, prompts, messages, entries, entries_unconfirmed)
}

#[test]
pub fn each_policy_sends_enters_and_prompts_as_it_says_when_the_client_cannot_be_asked() {
    for design in DESIGNS {
        for (policy, ends, asks, prompts, messages, entries, unconfirmed) in [
            ("reject", "unsupported/capability", 0, 0, 1, 0, 0),
            ("tool-error-with-fallback", "completed", 0, 1, 2, 1, 0),
            ("host-approval", "completed", 0, 1, 1, 1, 0),
            ("fail-open", "completed", 0, 0, 1, 1, 1),
            ("hide-tool", "unsupported/capability", 0, 0, 0, 0, 0),
        ] {
            let expected = (ends.to_owned(), asks, prompts, messages, entries, unconfirmed);
            assert_eq!(figures(&under(design, policy, &[])), expected, "{policy}");
        }
        for (policy, ends, asks, prompts, messages, entries, unconfirmed) in [
            ("reject", "unsupported/capability", 0, 0, 1, 0, 0),
            ("downgrade-to-form", "completed", 1, 1, 2, 1, 0),
            ("from-configuration", "completed", 0, 0, 1, 1, 0),
            ("fail-open", "completed", 0, 0, 1, 1, 1),
        ] {
            let expected = (ends.to_owned(), asks, prompts, messages, entries, unconfirmed);
            assert_eq!(figures(&link(design, policy, "{ elicitation = {} }")), expected, "{policy}");
        }
    }
}

#[test]
fn a_call_ends_when_its_policy_lets_it() {
    for design in DESIGNS {
        let times = OF_A_CONFIRMATION.map(|policy| ended_ms(&under(design, policy, &[])));
        // The tool error is followed by a second call that works from the top; the host asks before any work.
        assert_eq!(times, [2, 2 + 60_000 + 2 + 1, 60_000 + 2 + 1, 2 + 1, 0]);
        assert_eq!(OF_A_CONFIRMATION.map(|policy| under(design, policy, &[]).parked_ns), [0; 5], "nothing is parked");
    }
}

#[test]
fn a_client_that_can_be_asked_is_asked_whatever_the_policy() {
    for design in DESIGNS {
        for policy in OF_A_CONFIRMATION {
            assert_eq!(call(design, &[ALONE, &format!("tool.unable={policy}")]), call(design, &[ALONE]), "{policy}");
        }
        let both = "{ elicitation = { form = {}, url = {} } }";
        for policy in ["fail-open", "hide-tool", "downgrade-to-form", "from-configuration"] {
            assert_eq!(link(design, policy, both), link(design, "reject", both), "{policy}");
        }
        assert_end(&link(design, "reject", both), plainly(Outcome::Completed));
    }
}

#[test]
fn where_nothing_is_asked_only_the_policies_that_look_at_the_tool_as_a_whole_have_a_say() {
    for design in DESIGNS {
        let small = |policy: &str| figures(&under(design, policy, &["tool.amount.constant=100"]));
        let passes = ("completed".to_owned(), 0, 0, 1, 1, 0);
        for policy in ["reject", "tool-error-with-fallback", "fail-open"] {
            assert_eq!(small(policy), passes, "{policy}");
        }
        // The host cannot know which calls the tool would ask about.
        assert_eq!(small("host-approval"), ("completed".to_owned(), 0, 1, 1, 1, 0));
        assert_eq!(small("hide-tool"), ("unsupported/capability".to_owned(), 0, 0, 0, 0, 0));
    }
}

#[test]
fn a_host_that_approves_asks_before_the_first_message_and_a_no_sends_none() {
    for design in DESIGNS {
        let decides = |switch: &str| under(design, "host-approval", &[switch]);
        let accept = decides("people.silent=0.0");
        assert_eq!((accept.asked.map(|at| at.ns()), accept.messages), (Some(0), 1));
        let said = told(&with(&[ALONE, CANNOT, "tool.unable=host-approval"]), design);
        assert_eq!(said[0], "asks before it sends the call: allow it?");
        assert_eq!(said[1], "tools/call, amount 500, confirmed=true");
        for (switch, ends, ms) in [
            ("people.decide={ accept = 0.0, decline = 1.0, cancel = 0.0 }", "declined", 60_000),
            ("people.decide={ accept = 0.0, decline = 0.0, cancel = 1.0 }", "cancelled", 60_000),
            ("people.silent=1.0", "timed_out/person_silent", 300_000),
        ] {
            let record = decides(switch);
            assert_eq!(figures(&record), (ends.to_owned(), 0, 1, 0, 0, 0));
            assert_eq!((ended_ms(&record), record.first_instance, record.parked_ns), (ms, None, 0));
        }
    }
}

#[test]
fn the_tool_error_tells_the_model_to_ask_and_what_the_person_says_then_counts() {
    for design in DESIGNS {
        let fallback = |switch: &str| under(design, "tool-error-with-fallback", &[switch]);
        let said = told(&with(&[ALONE, CANNOT, "tool.unable=tool-error-with-fallback"]), design);
        let error = "tool error: Amounts above 100 need the user's confirmation and this client cannot ask. Ask the user \
                     in the conversation; if they agree, call submit_expense again with confirmed=true";
        assert!(said.iter().any(|what| what == error), "{said:?}");
        assert!(said.iter().all(|what| !what.contains("-32021")));
        for (switch, ends) in [
            ("people.decide={ accept = 0.0, decline = 1.0, cancel = 0.0 }", "declined"),
            ("people.decide={ accept = 0.0, decline = 0.0, cancel = 1.0 }", "cancelled"),
            ("people.silent=1.0", "timed_out/person_silent"),
        ] {
            let record = fallback(switch);
            assert_eq!(figures(&record), (ends.to_owned(), 0, 1, 1, 0, 0), "and it is not called again");
        }
    }
}

#[test]
pub fn a_model_that_asks_nobody_makes_an_unconfirmed_entry() {
    for design in DESIGNS {
        let model = |truthful: &str, more: &str| {
            let truthful = format!("clients.model.truthful={truthful}");
            figures(&under(design, "tool-error-with-fallback", &[&truthful, more]))
        };
        assert_eq!(model("1.0", "seed=1"), ("completed".to_owned(), 0, 1, 2, 1, 0));
        assert_eq!(model("0.0", "seed=1"), ("completed".to_owned(), 0, 0, 2, 1, 1));
        let declines = "people.decide={ accept = 0.0, decline = 1.0, cancel = 0.0 }";
        assert_eq!(model("1.0", declines), ("declined".to_owned(), 0, 1, 1, 0, 0));
        assert_eq!(model("0.0", declines), ("completed".to_owned(), 0, 0, 2, 1, 1), "a no that nobody heard");
    }
}

#[test]
pub fn a_model_that_does_not_call_again_leaves_the_call_unsupported() {
    for design in DESIGNS {
        let model = |again: &str, truthful: &str| {
            let (again, truthful) =
                (format!("clients.model.calls_again={again}"), format!("clients.model.truthful={truthful}"));
            figures(&under(design, "tool-error-with-fallback", &[&again, &truthful]))
        };
        for truthful in ["0.0", "1.0"] {
            assert_eq!(model("0.0", truthful), ("unsupported/capability".to_owned(), 0, 0, 1, 0, 0));
        }
        assert_eq!(model("1.0", "1.0").0, "completed");
    }
}

/// 20,000 calls of people who accept, under the tool error with fallback.
const MANY: [&str; 6] = [
    ALONE,
    CANNOT,
    "tool.unable=tool-error-with-fallback",
    "run.horizon=20000s",
    "arrivals.constant.rate=1/s",
    "fleet.threads=unlimited",
];

#[test]
fn the_share_of_unconfirmed_entries_is_that_of_the_calls_of_untruthful_models() {
    let slack = |share: f64| 5.0 * (share * (1.0 - share) * 20_000.0).sqrt();
    for design in DESIGNS {
        let shares = ["clients.model.truthful=0.5", "clients.model.calls_again=0.8"];
        for (switches, again) in [(&shares[..1], 1.0), (&shares[..], 0.8)] {
            let tally = cell(design, &[&MANY, switches].concat()).tally;
            assert_eq!(tally.started, 20_000);
            let near = |count: u64, share: f64| {
                let off = (count as f64 - share * 20_000.0).abs();
                assert!(off <= slack(share), "{count} of 20,000 instead of {share}");
            };
            near(tally.entries, again);
            near(tally.entries_unconfirmed, again * 0.5);
            near(tally.count(Outcome::Unsupported), 1.0 - again);
            assert_eq!(tally.entries, tally.prompts + tally.entries_unconfirmed, "each was asked about or was not");
            assert_eq!(tally.entries + tally.count(Outcome::Unsupported), tally.started);
            assert_eq!((tally.asks, tally.messages), (0, tally.started + tally.entries));
        }
    }
}

#[test]
fn a_secret_that_is_downgraded_to_a_form_is_seen_on_the_way_and_by_no_other_policy() {
    for design in DESIGNS {
        let forms_only = "{ elicitation = { form = {} } }";
        assert_eq!(seen_by(&link(design, "downgrade-to-form", forms_only)).len(), 7);
        for policy in ["reject", "fail-open", "hide-tool", "from-configuration"] {
            assert_eq!(seen_by(&link(design, policy, forms_only)), [""; 0], "{policy}");
        }
        let nothing = link(design, "downgrade-to-form", "{}");
        assert_end(&nothing, because(Outcome::Unsupported, Cause::Capability));
        assert_eq!((nothing.asks, seen_by(&nothing).len()), (0, 0), "where no form may be sent, none is");
    }
}

#[test]
fn a_call_that_its_host_approved_is_routed_as_it_would_have_been_without() {
    let routed = |policy: &str| {
        let policy = format!("tool.unable={policy}");
        let many = ["fleet.instances=5", "balancer.policy=random", "arrivals.constant.rate=1/s", "run.horizon=50s"];
        let cell = cell(Design::Carrying, &[&many[..], &[CANNOT, &policy]].concat());
        cell.records.iter().map(|record| record.first_instance).collect::<Vec<_>>()
    };
    assert_eq!(routed("host-approval"), routed("reject"));
}
