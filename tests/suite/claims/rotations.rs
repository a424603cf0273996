//! Claims about keys that come and go: who shares one, how it is replaced, how long the old one still opens.

use parked::era::Design::{Carrying, Waiting};
use parked::metrics::{End, Incident, Outcome, Record};
use parked::world::Cause;

use super::super::common::{because, plainly};
use super::{assert_end, call, cells};

/// The call is sealed by the first instance 2 ms after its arrival; its answer reaches the second one.
const WRONG_KEY: End = End { outcome: Outcome::Refused, cause: Some(Cause::WrongKey) };

fn completed() -> End {
    plainly(Outcome::Completed)
}

/// The call that arrives and is answered at these instants, under this rotation.
fn rotated(arrives: &str, thinks: &str, rotation: &str) -> Record {
    let switches = [
        &format!("arrivals.at=[\"{arrives}\"]")[..],
        &format!("people.think.constant={thinks}"),
        &format!("state.rotation={{ {rotation} }}"),
    ];
    assert_end(&call(Waiting, &[&switches[..], &["fleet.instances=1"]].concat()), completed());
    call(Carrying, &switches)
}

#[test]
pub fn a_key_is_replaced_at_every_multiple_of_its_period() {
    let every = |every: &str| rotated("0s", "60s", &format!("every = \"{every}\", overlap = \"0s\""));
    // The answer comes at 60.002 s; what comes at the very instant of a rotation comes before it.
    for (period, end) in [("60002ms", completed()), ("60001ms", WRONG_KEY), ("1h", completed()), ("20s", WRONG_KEY)] {
        assert_end(&every(period), end);
    }
    // Sealed after one rotation and answered before the next.
    assert_end(&rotated("40s", "39s", "every = \"40s\", overlap = \"0s\""), completed());
    assert_end(&rotated("39s", "10s", "every = \"40s\", overlap = \"0s\""), WRONG_KEY);
}

#[test]
pub fn an_old_key_opens_up_to_the_last_instant_of_the_overlap() {
    let overlap = |overlap: &str| rotated("0s", "60s", &format!("every = \"40s\", overlap = \"{overlap}\""));
    for (time, end) in [("20002ms", completed()), ("20001ms", WRONG_KEY), ("0s", WRONG_KEY), ("10m", completed())] {
        assert_end(&overlap(time), end);
    }
    let refused = overlap("0s");
    assert_eq!((refused.prompts, refused.entries, refused.messages), (1, 0, 2), "the person answered for nothing");
}

#[test]
pub fn an_overlap_beyond_the_next_rotation_keeps_several_old_keys() {
    // Sealed under the first of seven keys; the sixth rotation is at 60 s.
    assert_end(&rotated("0s", "60s", "every = \"10s\", overlap = \"50s\""), WRONG_KEY);
    let record = rotated("0s", "60s", "every = \"10s\", overlap = \"50003ms\"");
    assert_end(&record, completed());
    assert_eq!(record.incidents.count(Incident::FurtherKey), 6, "the oldest of seven is tried last");
}

/// The first instance has its turn at 60 s, the second at 75 s; in a second roll at 90 s and 105 s.
fn in_order(order: &str, arrives: &str, thinks: &str) -> End {
    let overlap = if order == "no-ring" { "" } else { "overlap = \"0s\"," };
    let roll = format!("every = \"60s\", {overlap} spread = \"30s\", turns = \"in-order\", order = \"{order}\"");
    rotated(arrives, thinks, &roll).end
}

#[test]
pub fn the_order_in_which_processes_learn_a_key_decides_what_is_lost_in_the_roll() {
    // Sealed by the first after its turn, answered at the second before its own.
    let too_early = |order| in_order(order, "61s", "5s");
    assert_eq!(too_early("sign-first"), WRONG_KEY);
    assert_eq!(too_early("no-ring"), WRONG_KEY);
    assert_eq!(too_early("verify-first"), completed());
    // Sealed by the first before its turn, answered at the second after its own.
    let too_late = |order| in_order(order, "50s", "30s");
    assert_eq!(too_late("sign-first"), completed());
    assert_eq!(too_late("no-ring"), WRONG_KEY);
    assert_eq!(too_late("verify-first"), completed());
    // Sealed under the old key and answered when the roll is over: at 90 s, or at 120 s with a second one.
    let over = |order, thinks| in_order(order, "59s", thinks);
    for order in ["sign-first", "no-ring"] {
        assert_eq!(over(order, "32s"), WRONG_KEY, "{order}");
    }
    assert_eq!(over("sign-first", "30998ms"), completed(), "the very end of the roll");
    assert_eq!(over("verify-first", "60998ms"), completed());
    assert_eq!(over("verify-first", "60999ms"), WRONG_KEY);
    // In the second roll the first seals under the key that the second has known for long.
    assert_eq!(in_order("verify-first", "91s", "5s"), completed());
}

#[test]
pub fn a_roll_takes_its_time_and_a_process_has_its_turn_within_it() {
    let spread = |spread: &str| {
        let rotation = format!("every = \"60s\", order = \"sign-first\", turns = \"in-order\", spread = \"{spread}\"");
        rotated("61s", "5s", &rotation).end
    };
    assert_eq!(spread("0s"), completed(), "all have their turn at once");
    // The second of two has its turn when half of the roll is over; the answer comes at 66.002 s.
    assert_eq!([spread("12003ms"), spread("12004ms")], [completed(), WRONG_KEY]);
}

#[test]
pub fn turns_come_at_random_or_one_after_another() {
    let turns = |turns: &str| {
        let rotation = format!("every = \"60s\", order = \"sign-first\", spread = \"30s\", turns = \"{turns}\"");
        let switches = [
            "replications=64",
            "arrivals.at=[\"70s\"]",
            "people.think.constant=5s",
            &format!("state.rotation={{ {rotation} }}"),
        ]
        .map(str::to_owned);
        let switches: Vec<&str> = switches.iter().map(String::as_str).collect();
        let cells = cells(Carrying, &switches);
        cells.iter().filter(|cell| cell.records[0].end == WRONG_KEY).count()
    };
    assert_eq!(turns("in-order"), 0, "the first seals from 60 s, and the second opens from 75 s");
    // Refused: the first has turned by 70 s, the second not by 75 s. Five standard deviations about 64/6.
    let random = turns("random");
    assert!((1..=25).contains(&random), "{random} of 64");
}

#[test]
fn a_process_that_starts_in_mid_roll_knows_what_its_fleet_knows() {
    let second_dies = "fault=[{ kill = { at = \"63s\", select = \"instance:i2\", restart_after = \"2s\" } }]";
    let switches = ["arrivals.at=[\"62s\"]", "people.think.constant=5s"];
    let rotation = "state.rotation={ every = \"60s\", order = \"sign-first\", spread = \"30s\", turns = \"in-order\" }";
    let record = |fault: &[&str]| call(Carrying, &[&switches[..], &[rotation], fault].concat());
    assert_eq!(record(&[]).end, WRONG_KEY);
    let reborn = record(&[second_dies]);
    assert_eq!((reborn.end, reborn.last_instance), (completed(), Some(1)));
}

#[test]
fn without_a_key_id_each_key_is_tried_and_with_one_only_that() {
    let tried = |switches: &[&str]| {
        let rotation = "state.rotation={ every = \"40s\", overlap = \"10m\" }";
        call(Carrying, &[&[rotation], switches].concat()).incidents.count(Incident::FurtherKey)
    };
    assert_eq!(tried(&[]), 1, "the new key in vain, then the old one");
    assert_eq!(tried(&["state.key_id=true"]), 0);
    assert_eq!(tried(&["attack.tampered=1.0"]), 1, "both in vain");
    assert_eq!(tried(&["attack.tampered=1.0", "state.key_id=true"]), 0);
}

#[test]
pub fn a_process_takes_the_key_that_it_finds_or_writes_its_own() {
    let keys = |switches: &[&str]| call(Carrying, &[&["state.keys=found-or-minted"], switches].concat()).end;
    assert_eq!(keys(&[]), completed(), "the second finds what the first wrote at the same instant");
    // Both start at once, so that even the shortest lag hides each key from the other.
    assert_eq!(keys(&["state.key_lag=1ns"]), WRONG_KEY);
    // A process that is started anew looks again, and finds the first key that was written.
    let again = "fault=[{ kill = { at = \"10s\", select = \"all\", restart_after = \"1s\" } }]";
    let late = ["arrivals.at=[\"20s\"]", again, "state.key_lag=11s"];
    assert_eq!(keys(&late), completed());
    assert_eq!(keys(&[late[0], late[1], "state.key_lag=11000000001ns"]), WRONG_KEY);
}

#[test]
fn a_rotation_signed_for_real_agrees_with_one_that_is_not() {
    let switches = [
        "run.horizon=300s",
        "arrivals.poisson.rate=2/s",
        "balancer.policy=random",
        "people.think.exponential.mean=60s",
        "state.rotation={ every = \"200s\", order = \"no-ring\", spread = \"20s\" }",
        "state.ttl=60s",
        "state.leeway=5s",
        "state.checks_issued=true",
        "fleet.clock_skew=20s",
        "fleet.start_spread=5s",
    ];
    let run = |signing| super::cell(Carrying, &[&switches[..], &[signing]].concat());
    let real = run("state.signing=real");
    for end in [WRONG_KEY, because(Outcome::Refused, Cause::Expired), because(Outcome::Refused, Cause::IssuedInFuture)]
    {
        assert!(real.records.iter().any(|record| record.end == end), "no call ended {end}");
    }
    assert_eq!(run("state.signing=symbolic"), real);
}
