//! Keys of effects, of lost messages and of tabs left open that contradict the rest, each refused where it stands.

use super::*;

/// Checks the whole of what is said, and that the way out is one.
fn contradicts(lines: &str, place: &str, key: &str, reason: &str, way_out: &str, legal_with: &str) {
    let said = only(&format!("{SMALLEST}{lines}\n"));
    assert_eq!(said, format!("{place} `{key}` contradicts the rest | {reason} | {way_out}"), "{lines}");
    legal(&format!("{SMALLEST}{legal_with}\n"));
}

#[test]
fn effects_go_by_a_state_only_where_one_is_carried() {
    contradicts(
        "designs = [\"waiting\"]\ntool.idempotency = \"state\"",
        "3:20",
        "tool.idempotency",
        "no request of the waiting design brings a state",
        "write another value, or add `carrying` to `designs`",
        "tool.idempotency = \"state\"",
    );
}

#[test]
fn who_knows_which_effects_were_made_needs_something_to_know_them_by() {
    contradicts(
        "tool.idempotency_scope = \"per-instance\"",
        "2:26",
        "tool.idempotency_scope",
        "nothing makes an effect a repeat",
        "write `tool.idempotency`, or take this out",
        "tool = { idempotency = \"operation\", idempotency_scope = \"per-instance\" }",
    );
}

#[test]
fn a_state_that_nobody_keeps_as_used_is_spent_neither_before_nor_after() {
    contradicts(
        "state.spends = \"after\"",
        "2:16",
        "state.spends",
        "no state is ever spent",
        "write `state.ledger`, or take this out",
        "state = { ledger = \"shared\", spends = \"after\" }",
    );
}

#[test]
fn a_tab_that_nobody_leaves_open_is_answered_at_no_time() {
    contradicts(
        "people.stale_after = \"5m\"",
        "2:22",
        "people.stale_after",
        "nobody leaves a tab open",
        "write `people.stale_tabs`, or take this out",
        "people = { stale_tabs = 0.1, stale_after = \"5m\" }",
    );
}

#[test]
fn a_stationary_start_knows_no_messages_that_are_lost() {
    let steady = "fleet = { threads = \"unlimited\", misroute = \"not-found\" }\nbalancer.stickiness = \"learned\"\n\
                  run.start = \"stationary\"";
    legal(&format!("{SMALLEST}{steady}\n"));
    for key in ["lost_requests", "lost_replies"] {
        let said = only(&format!("{SMALLEST}{steady}\nbalancer.{key} = 0.01\n"));
        assert!(said.contains("calls that are lost on their way"), "{said}");
    }
}
