//! Claims about how the balancer notices by checks that an address is down, and that it is up again.

use parked::era::Design::Carrying;
use parked::world::InstanceId;

use super::{cell, ends};

/// The first in the list gets every call while it is in the rotation, and nobody tries elsewhere: a call tells at its
/// arrival who is in the rotation and whether they are up.
const LONE: [&str; 4] = [
    "balancer.policy=least-connections",
    "balancer.ties=first",
    "balancer.redispatch=false",
    "tool.amount.constant=50",
];

/// What calls that arrive at these instants meet, with these deaths of the first instance and these checks.
fn met(deaths: &str, checks: &str, at: &[String]) -> Vec<Option<InstanceId>> {
    let at = format!("arrivals.at=[{}]", at.join(", "));
    let (deaths, checks) = (format!("fault=[{deaths}]"), format!("balancer.detection={{ checks = {{ {checks} }} }}"));
    let cell = cell(Carrying, &[&LONE[..], &[&deaths, &checks, &at]].concat());
    for (end, record) in ends(&cell).iter().zip(&cell.records) {
        assert_eq!(end, if record.first_instance.is_some() { "completed" } else { "failed/crash" });
    }
    cell.records.iter().map(|record| record.first_instance).collect()
}

fn kill(at: &str, restart_after: &str) -> String {
    format!(r#"{{ kill = {{ at = "{at}", select = "instance:i1", restart_after = "{restart_after}" }} }}"#)
}

/// Who takes calls until an instant (included) and right after it.
fn around(deaths: &str, checks: &str, seconds: u64) -> [Option<InstanceId>; 2] {
    let ns = seconds * 1_000_000_000;
    let met = met(deaths, checks, &[format!("\"{ns}ns\""), format!("\"{}ns\"", ns + 1)]);
    [met[0], met[1]]
}

const REFUSED: Option<InstanceId> = None;
const FIRST: Option<InstanceId> = Some(0);
const SECOND: Option<InstanceId> = Some(1);

/// The first instance dies at 12 s and a new one is up at 33 s.
fn assert_noticed(checks: &str, out: u64, back: u64) {
    let dies = kill("12s", "21s");
    assert_eq!(around(&dies, checks, out), [REFUSED, SECOND], "out at {out} s: {checks}");
    assert_eq!(around(&dies, checks, back), [SECOND, FIRST], "back at {back} s: {checks}");
}

#[test]
pub fn checks_come_at_every_interval() {
    assert_noticed(r#"fall = 2, rise = 2, interval = "5s""#, 20, 40);
    assert_noticed(r#"fall = 2, rise = 2, interval = "7s""#, 21, 42);
    assert_noticed(r#"fall = 2, rise = 2, interval = "4s""#, 16, 40);
}

#[test]
pub fn so_many_failed_checks_in_a_row_take_an_address_out() {
    for (fall, out) in [(1, 15), (2, 20), (3, 25)] {
        assert_noticed(&format!(r#"fall = {fall}, rise = 2, interval = "5s""#), out, 40);
    }
    // A new process passes the check between the two that fail.
    let twice = [kill("12s", "6s"), kill("22s", "never")].join(", ");
    assert_eq!(around(&twice, r#"fall = 2, rise = 2, interval = "5s""#, 25), [REFUSED; 2]);
    assert_eq!(around(&twice, r#"fall = 2, rise = 2, interval = "5s""#, 30), [REFUSED, SECOND]);
}

#[test]
pub fn so_many_passed_checks_in_a_row_put_an_address_back() {
    for (rise, back) in [(1, 35), (2, 40), (4, 50)] {
        assert_noticed(&format!(r#"fall = 2, rise = {rise}, interval = "5s""#), 20, back);
    }
    // It fails the check between the two that it passes.
    let twice = [kill("12s", "21s"), kill("36s", "6s")].join(", ");
    assert_eq!(around(&twice, r#"fall = 2, rise = 2, interval = "5s""#, 45), [SECOND; 2]);
    assert_eq!(around(&twice, r#"fall = 2, rise = 2, interval = "5s""#, 50), [SECOND, FIRST]);
}

#[test]
pub fn the_phase_moves_every_check() {
    // A death and a new process at the instant of a check are seen by it: at 12 s with phase 2, at 33 s with phase 3.
    for (phase, out, back) in [(0, 20, 35), (2, 17, 37), (3, 18, 33), (4, 19, 34)] {
        assert_noticed(&format!(r#"fall = 2, rise = 1, interval = "5s", phase = "{phase}s""#), out, back);
    }
}

#[test]
fn a_process_that_dies_at_the_instant_of_a_check_fails_it() {
    let checks = r#"fall = 1, rise = 1, interval = "5s""#;
    assert_eq!(met(&kill("15s", "never"), checks, &["\"15000000001ns\"".to_owned()]), [SECOND]);
    assert_eq!(around(&kill("15000000001ns", "never"), checks, 20), [REFUSED, SECOND]);
}
