//! Keys and clocks that contradict each other, each refused where it stands.

use super::*;

/// What is said of a scenario with these lines.
fn said(lines: &str) -> String {
    only(&format!("{SMALLEST}{lines}\n"))
}

#[test]
fn only_a_key_that_the_fleet_shares_is_rotated() {
    for keys in ["per-process", "per-deploy", "found-or-minted"] {
        let lines = format!("state.keys = \"{keys}\"\nstate.rotation = {{ every = \"1d\", overlap = \"10m\" }}");
        let reason = "only a key that the fleet shares is rotated";
        let way_out = "write `state.keys = \"shared\"`, or take this out";
        assert_eq!(said(&lines), format!("3:18 `state.rotation` contradicts the rest | {reason} | {way_out}"));
    }
    legal(&format!("{SMALLEST}state.rotation.every = \"1d\"\n"));
}

#[test]
fn a_key_lags_only_where_processes_look_for_one() {
    let said = said("state.key_lag = \"5s\"");
    let way_out = "write `state.keys = \"found-or-minted\"`, or take this out";
    let reason = "no process looks for a key that another wrote";
    assert_eq!(said, format!("2:17 `state.key_lag` contradicts the rest | {reason} | {way_out}"));
    legal(&format!("{SMALLEST}state = {{ key_lag = \"5s\", keys = \"found-or-minted\" }}\n"));
}

#[test]
fn a_state_that_lives_for_ever_holds_no_time_that_could_be_in_the_future() {
    let said = said("state = { ttl = \"none\", checks_issued = true }");
    let way_out = "give `state.ttl` a time, or take this out";
    let reason = "a state that lives for ever holds no time";
    assert_eq!(said, format!("2:41 `state.checks_issued` contradicts the rest | {reason} | {way_out}"));
}

#[test]
fn a_rotation_ends_before_the_next_begins() {
    let title = "`state.rotation.spread` contradicts `state.rotation.every`";
    let way_out = "a rotation ends before the next begins: shorten this, or lengthen `every`";
    let one = said("state.rotation = { every = \"60s\", order = \"sign-first\", spread = \"61s\" }");
    assert_eq!(one, format!("2:66 {title} | longer than the time between two rotations | {way_out}"));
    let two = said("state.rotation = { every = \"60s\", spread = \"31s\" }");
    let reason = "two rolls are longer than the time between two rotations: all learn the key before the first seals";
    assert_eq!(two, format!("2:44 {title} | {reason} | {way_out}"));
    for fits in ["order = \"no-ring\", spread = \"60s\"", "spread = \"30s\", overlap = \"1h\""] {
        legal(&format!("{SMALLEST}state.rotation = {{ every = \"60s\", {fits} }}\n"));
    }
}

#[test]
fn without_a_ring_no_two_keys_overlap() {
    let said = said("state.rotation = { every = \"1d\", order = \"no-ring\", overlap = \"0s\" }");
    let title = "`state.rotation.overlap` contradicts `state.rotation.order`";
    let reason = "without a ring a process has one key at a time";
    assert_eq!(said, format!("2:63 {title} | {reason} | write another `order`, or take this out"));
}

#[test]
fn a_rotation_says_how_often() {
    let said = said("state.rotation = { overlap = \"1m\" }");
    assert!(said.starts_with("2:18 `state.rotation.every` is missing"), "{said}");
    let found = self::said("state.rotation = \"1d\"");
    assert!(found.starts_with("2:18 `state.rotation` takes"), "{found}");
}

#[test]
fn rotations_that_no_machine_would_bear_are_refused() {
    let turns = said("state.rotation.every = \"1us\"");
    assert_eq!(
        turns,
        "2:24 too many rotations | 21600000000 turns of processes per replication up to the horizon | at most 100000000"
    );
    let keys = said("state.rotation = { every = \"1s\", overlap = \"10m\" }");
    assert_eq!(keys, "2:44 too many keys at once | a process would have 602 keys at once | at most 256");
    legal(&format!("{SMALLEST}state.rotation = {{ every = \"1s\", overlap = \"4m\" }}\n"));
}

#[test]
fn a_clock_is_set() {
    let said = said("fleet.clock_skew = \"366d\"");
    let reason = "a clock that is off by more than a year has not been set";
    assert_eq!(said, format!("2:20 `fleet.clock_skew` contradicts the rest | {reason} | at most \"365d\""));
    legal(&format!("{SMALLEST}fleet.clock_skew = \"365d\"\n"));
}

#[test]
fn nobody_stands_at_a_process_that_has_yet_to_come_up() {
    let steady = "fleet = { threads = \"unlimited\", misroute = \"not-found\", start_spread = \"1s\" }\n\
                  balancer.stickiness = \"learned\"\nrun.start = \"stationary\"";
    assert!(said(steady).contains("nobody stands at a process that has yet to come up"), "{}", said(steady));
}
