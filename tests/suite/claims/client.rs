//! Claims about what a client does when nothing, or the wrong thing, comes back.

use parked::era::Design::{Carrying, Waiting};
use parked::metrics::{Outcome, Record};
use parked::world::Cause;

use super::super::common::{because, plainly};
use super::{WHOLE_MS, assert_end, call, end, ended_ms};

#[test]
pub fn patience_ends_a_call_unless_it_ends_at_that_instant() {
    for (design, whole_ms) in [(Waiting, WHOLE_MS), (Carrying, WHOLE_MS + 2)] {
        let within = |ns: u64| call(design, &["fleet.instances=1", &format!("clients.patience={ns}ns")]);
        let just = within(whole_ms * 1_000_000);
        assert_end(&just, plainly(Outcome::Completed));
        let short = within(whole_ms * 1_000_000 - 1);
        assert_end(&short, because(Outcome::TimedOut, Cause::ClientDeadline));
        assert_eq!((short.ended.ns(), short.entries), (whole_ms * 1_000_000 - 1, 0));
        assert_end(&call(design, &["fleet.instances=1", "clients.patience=none"]), plainly(Outcome::Completed));
    }
}

/// What the client sees of a call whose answer went astray among two instances.
fn astray(switches: &[&str]) -> Record {
    let switches: Vec<&str> = switches.iter().copied().chain(["fleet.misroute=not-found"]).collect();
    call(Waiting, &switches)
}

#[test]
pub fn a_client_meets_not_found_in_four_ways() {
    let swallowed = call(Waiting, &[]);
    assert_end(&swallowed, because(Outcome::TimedOut, Cause::Misrouted));
    assert_eq!(
        astray(&["clients.on_not_found=wait"]),
        swallowed,
        "a client that ignores a 404 might as well get a 202"
    );

    let failed = astray(&["clients.on_not_found=fail"]);
    assert_end(&failed, because(Outcome::Failed, Cause::Misrouted));
    assert_eq!((ended_ms(&failed), failed.prompts, failed.messages, failed.entries), (60_002, 1, 2, 0));
    assert_eq!(failed.parked_ns, 60_000_000_000, "its cancel frees the thread that was parked");

    let resent = astray(&["clients.on_not_found=resend"]);
    assert_end(&resent, plainly(Outcome::Completed));
    assert_eq!((ended_ms(&resent), resent.prompts, resent.messages, resent.entries), (WHOLE_MS + 250, 1, 3, 1));

    // Round robin alternates in lock step: the call starts again at the first instance each time, its answer goes to
    // the second one each time, and the person is asked once a minute until patience ends.
    let again = astray(&["clients.on_not_found=reinitialise"]);
    assert_end(&again, because(Outcome::TimedOut, Cause::Misrouted));
    assert_eq!((ended_ms(&again), again.prompts, again.messages, again.entries), (300_000, 5, 9, 0));
}

#[test]
fn a_call_that_starts_again_completes_once_its_answer_comes_home() {
    // Drawn picks: some of these calls come home at the first try, some at a later one.
    let mut asked_again = 0;
    for seed in 0..20 {
        let switches = ["balancer.policy=random", "clients.on_not_found=reinitialise", "clients.patience=none"];
        let seed = format!("seed={seed}");
        let record = astray(&[switches[0], switches[1], switches[2], &seed]);
        assert_end(&record, plainly(Outcome::Completed));
        assert_eq!((record.entries, record.messages), (1, 2 * record.prompts), "one entry, however often it was asked");
        asked_again += u32::from(record.prompts > 1);
    }
    assert!(asked_again > 0);
}

#[test]
fn nothing_is_not_found_when_carrying() {
    let plain = call(Carrying, &[]);
    for reaction in ["wait", "fail", "reinitialise", "resend"] {
        for misroute in ["swallowed", "not-found"] {
            let (reaction, misroute) =
                (format!("clients.on_not_found={reaction}"), format!("fleet.misroute={misroute}"));
            assert_eq!(call(Carrying, &[&reaction, &misroute]), plain, "{reaction} {misroute}");
        }
    }
}

#[test]
pub fn a_client_gives_up_when_it_was_asked_in_too_many_rounds() {
    let rounds = |most: u32| {
        let most = format!("clients.max_rounds={most}");
        astray(&["clients.on_not_found=reinitialise", "clients.patience=none", &most])
    };
    for most in [1, 3, 100] {
        let record = rounds(most);
        assert_end(&record, because(Outcome::Failed, Cause::Misrouted));
        assert_eq!((record.prompts, record.messages, record.entries), (most, 2 * most + 1, 0));
    }
}

#[test]
pub fn a_client_gives_up_when_it_sent_an_answer_too_often() {
    let resends = |most: u32| {
        let most = format!("clients.max_resends={most}");
        astray(&["clients.on_not_found=resend", "fleet.instances=4", &most])
    };
    // The call at the first instance, its answer at the second, the third and the fourth, then home.
    let few = resends(2);
    assert_end(&few, because(Outcome::Failed, Cause::Misrouted));
    assert_eq!((few.messages, few.entries, ended_ms(&few)), (4, 0, 60_002 + 2 * 250));
    let enough = resends(3);
    assert_end(&enough, plainly(Outcome::Completed));
    assert_eq!((enough.messages, enough.entries, ended_ms(&enough)), (5, 1, WHOLE_MS + 3 * 250));
}

#[test]
pub fn an_answer_is_sent_again_after_the_pause_until_it_comes_home() {
    for pause_ms in [1, 250, 5000] {
        let pause = format!("clients.resend_pause={pause_ms}ms");
        let record = astray(&["clients.on_not_found=resend", "fleet.instances=3", &pause]);
        assert_end(&record, plainly(Outcome::Completed));
        assert_eq!((ended_ms(&record), record.messages, record.prompts), (WHOLE_MS + 2 * pause_ms, 4, 1));
    }
}

const DIES: &str = r#"fault=[{ kill = { at = "30s", select = "instance:i1" } }]"#;

#[test]
pub fn a_broken_connection_is_reported_at_once_or_hangs_until_patience_ends() {
    let lost = call(Waiting, &[DIES, "clients.on_broken=fail"]);
    assert_end(&lost, because(Outcome::Lost, Cause::Crash));
    assert_eq!((ended_ms(&lost), lost.messages), (30_000, 1));
    let hangs = call(Waiting, &[DIES, "clients.on_broken=hang"]);
    assert_end(&hangs, because(Outcome::TimedOut, Cause::Crash));
    assert_eq!((ended_ms(&hangs), hangs.messages, hangs.entries), (300_000, 2, 0), "the person answers all the same");
    for record in [lost, hangs] {
        assert_eq!(record.parked_ns, (30_000 - 2) * 1_000_000, "nothing is parked at a dead instance");
    }
}

#[test]
fn a_client_that_hangs_for_ever_keeps_its_call_open() {
    let record = call(Waiting, &[DIES, "clients.on_broken=hang", "clients.patience=none"]);
    assert_eq!(end(&record), "open_at_end/crash");
}

#[test]
fn a_broken_connection_is_no_matter_between_two_messages_when_carrying() {
    let plain = call(Carrying, &[DIES]);
    assert_end(&plain, plainly(Outcome::Completed));
    assert_eq!(call(Carrying, &[DIES, "clients.on_broken=hang"]), plain);
}
