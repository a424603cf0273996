//! Claims about what a client sends before its call, and who knows the session that it begins.

use parked::era::Design::{self, Carrying, Waiting};
use parked::metrics::{Outcome, Record};
use parked::world::Cause;

use super::super::common::{because, plainly};
use super::{ALONE, WHOLE_MS, assert_end, call, ended_ms};

fn shakes(design: Design, handshake: &str, switches: &[&str]) -> Record {
    call(design, &[&[format!("clients.handshake={handshake}").as_str()], switches].concat())
}

#[test]
pub fn every_message_of_the_handshake_is_routed_and_a_session_has_an_end() {
    for (design, handshake, messages) in [
        (Waiting, "none", 2),
        (Carrying, "none", 2),
        // initialize, initialized, the stream, the call, the answer, the end of the session.
        (Waiting, "full", 6),
        // server/discover, the call, the answer.
        (Carrying, "full", 3),
        (Waiting, "discover", 7),
        (Carrying, "discover", 3),
    ] {
        let record = shakes(design, handshake, &[ALONE]);
        assert_end(&record, plainly(Outcome::Completed));
        assert_eq!((record.messages, record.answers, record.answers_home), (messages, 1, 1), "{design:?} {handshake}");
        assert_eq!(record.ended, shakes(design, "none", &[ALONE]).ended, "messages take no time");
    }
}

#[test]
pub fn a_pause_comes_after_each_message_of_the_handshake() {
    for (design, handshake, pauses) in [
        (Waiting, "full", 3),
        (Waiting, "discover", 4),
        (Carrying, "full", 1),
        (Carrying, "discover", 1),
        (Waiting, "none", 0),
    ] {
        for ms in [0, 1000, 1500] {
            let record = shakes(design, handshake, &[ALONE, &format!("clients.handshake_pause={ms}ms")]);
            assert_end(&record, plainly(Outcome::Completed));
            let repeated = if design == Carrying { 2 } else { 0 };
            assert_eq!(ended_ms(&record), pauses * ms + WHOLE_MS + repeated, "{design:?} {handshake}");
        }
    }
}

#[test]
pub fn a_session_is_known_to_the_process_that_minted_it_or_to_all() {
    let tries = ["fleet.misroute=not-found", "clients.on_not_found=resend"];
    let known = |sessions: &str, switches: &[&str]| {
        shakes(Waiting, "full", &[&[format!("fleet.sessions={sessions}").as_str()], switches].concat())
    };
    // Two instances in turn: the second message already goes to the other one.
    let lost = known("memory", &[]);
    assert_end(&lost, because(Outcome::Failed, Cause::Misrouted));
    assert_eq!((ended_ms(&lost), lost.messages, lost.prompts), (0, 3, 0), "initialize, initialized, the end");
    // Round robin alternates in lock step, so each of ten new sessions is lost like the first.
    let again = known("memory", &tries);
    assert_end(&again, because(Outcome::Failed, Cause::Misrouted));
    assert_eq!((ended_ms(&again), again.prompts), (10 * 250, 0));
    let shared = known("shared", &tries);
    assert_end(&shared, plainly(Outcome::Completed));
    // The call at the second instance, its answer at the first, and once more at the second.
    assert_eq!((shared.messages, shared.answers, ended_ms(&shared)), (7, 2, WHOLE_MS + 250));
    assert_end(&known("shared", &[]), because(Outcome::TimedOut, Cause::Misrouted));
    // Where all messages go to one process nobody need share anything.
    for home in [ALONE, "balancer.stickiness=cookie", "clients.reuse=1.0"] {
        let [memory, shared] = ["memory", "shared"].map(|sessions| known(sessions, &[home]));
        assert_end(&memory, plainly(Outcome::Completed));
        assert_eq!(memory, shared, "{home}");
    }
}

#[test]
fn a_new_process_knows_no_session_of_the_old_one_unless_sessions_are_shared() {
    let dies = r#"fault=[{ kill = { at = "500ms", select = "all", restart_after = "100ms" } }]"#;
    let knows = |sessions: &str| {
        let sessions = format!("fleet.sessions={sessions}");
        shakes(Waiting, "full", &[ALONE, "clients.handshake_pause=1s", dies, &sessions])
    };
    assert_end(&knows("memory"), because(Outcome::Failed, Cause::Misrouted));
    assert_eq!(ended_ms(&knows("memory")), 1000);
    assert_end(&knows("shared"), plainly(Outcome::Completed));
}

#[test]
fn there_is_no_session_to_lose_when_carrying() {
    let [memory, shared] =
        ["memory", "shared"].map(|sessions| shakes(Carrying, "full", &[&format!("fleet.sessions={sessions}")]));
    assert_end(&memory, plainly(Outcome::Completed));
    assert_eq!(memory, shared);
}
