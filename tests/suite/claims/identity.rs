//! Claims about who comes to a page and whose account is connected: a signature names who started, not who is there.

use parked::era::Design;
use parked::metrics::{Outcome, Record};
use parked::world::Cause;

use super::super::common::{self, because, plainly};
use super::links::{BLOCKS, connect, happened, linked};
use super::{ALONE, DESIGNS, assert_end, told};

/// A call whose link is opened by who started or by somebody else, with or without a session in that browser.
fn visited(design: Design, check: &str, by_other: bool, has_session: bool) -> Record {
    let share = |yes: bool| if yes { "1.0" } else { "0.0" };
    let (forwarded, sessions) = (share(by_other), share(has_session));
    let keys =
        [format!("links.check={check}"), format!("links.forwarded={forwarded}"), format!("links.sessions={sessions}")];
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    connect(design, &[&[ALONE, BLOCKS], &keys[..]].concat())
}

#[test]
pub fn each_check_admits_refuses_and_sends_to_sign_in_whom_it_says() {
    let (own, other, refused) = ("granted", "granted_to_other", "visitor_refused");
    // What comes of a page: by who started, then by somebody else; each with a session and without one.
    let table = [
        ("none", [own, own, other, other], false),
        ("signed-state-only", [own, own, other, other], false),
        ("session-if-present", [own, own, refused, other], false),
        ("session-required", [own, own, refused, refused], true),
    ];
    for design in DESIGNS {
        for (check, comes_of, asks_to_sign_in) in table {
            let visits = [(false, true), (false, false), (true, true), (true, false)];
            for ((by_other, has_session), expected) in visits.into_iter().zip(comes_of) {
                let record = visited(design, check, by_other, has_session);
                let mut happens = vec![("page_opened", 1)];
                if asks_to_sign_in && !has_session {
                    happens.push(("sign_in_first", 1));
                }
                happens.push((expected, 1));
                let visit = format!("{check}, by another {by_other}, with a session {has_session}");
                assert_eq!(happened(&record), happens, "{visit}");
                if expected == refused {
                    assert_end(&record, because(Outcome::TimedOut, Cause::LinkIdentity));
                    assert_eq!(record.entries, 0, "{visit}");
                } else {
                    // A call that goes on under the wrong account looks like any other.
                    assert_end(&record, plainly(Outcome::Completed));
                    assert_eq!(record.entries, 1, "{visit}");
                }
            }
        }
    }
}

#[test]
fn the_story_of_a_link_passed_on_says_who_opened_it_and_what_they_met() {
    for design in DESIGNS {
        let by_other = |check: &str| told(&linked(&[ALONE, BLOCKS, "links.forwarded=1.0", check]), design);
        let let_in = by_other("links.check=none");
        assert!(let_in.iter().any(|step| step == "passes the link on, and somebody else opens it"), "{let_in:?}");
        assert!(let_in.iter().any(|step| step == "calls back: the grant is stored, for somebody else's account"));
        let kept_out = by_other("links.check=session-required");
        assert!(kept_out.iter().any(|step| step == "is refused: this link was issued to someone else"), "{kept_out:?}");
        assert!(!kept_out.iter().any(|step| step.starts_with("calls back")));
    }
}

#[test]
pub fn a_connected_person_is_not_asked_again_and_everybody_else_is() {
    let twice = ["fleet.instances=1", "arrivals.at=[\"0s\", \"100s\"]"];
    for design in DESIGNS {
        let second = |users: &str| {
            let records = common::cell(&linked(&[&twice[..], &[users]].concat()), design).records;
            assert_end(&records[0], plainly(Outcome::Completed));
            assert_eq!(records[0].prompts, 1);
            records[1]
        };
        let connected = second("people.users=1");
        assert_end(&connected, plainly(Outcome::Completed));
        let counts = |record: &Record| (record.asks, record.prompts, record.messages, record.entries);
        assert_eq!(counts(&connected), (0, 0, 1, 1));
        assert_eq!(connected.ended.ns(), 100_000_000_000 + 3_000_000, "only the work");
        assert_eq!(second("people.users=unlimited").prompts, 1, "a person of its own");
        // What was not finished is not remembered.
        let refused = ["links.forwarded=1.0", BLOCKS, "people.users=1", "clients.patience=90s"];
        let records = common::cell(&linked(&[&twice[..], &refused].concat()), design).records;
        assert!(records.iter().all(|record| record.prompts == 1 && record.entries == 0));
    }
}

#[test]
fn as_many_calls_are_asked_as_there_are_people_who_call() {
    let rare = [ALONE, "arrivals.constant.rate=1/m", "people.think.constant=1s", "run.horizon=600m", "people.users=50"];
    for design in DESIGNS {
        let records = common::cell(&linked(&rare), design).records;
        assert_eq!(records.len(), 600);
        let asked: u32 = records.iter().map(|record| record.prompts).sum();
        // Of 50 people, one is missing among 600 calls with a chance of 50 (1 - 1/50)^600 = 3e-4.
        assert_eq!(asked, 50);
        assert!(records.iter().all(|record| record.end == plainly(Outcome::Completed) && record.entries == 1));
    }
}
