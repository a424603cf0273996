//! Claims about asks that change their kind, are passed over or asked for again in the middle of a call: nobody's silence
//! is a yes.

use parked::metrics::{Incident, Outcome};

use super::super::common::{self, only_call, plainly};
use super::{ALONE, DESIGNS, assert_end, with};

const CALENDAR: &str = "tool.body=connect_calendar";
const LINKS: &str = "clients.capabilities={ elicitation = { url = {} } }";
const SLOW_PAGE: &str = "links.page.constant=10m";

#[test]
fn a_link_asked_for_by_a_form_is_answered_only_by_content_that_fits() {
    for design in DESIGNS {
        let switches = [
            ALONE,
            CALENDAR,
            "tool.unable=downgrade-to-form",
            "tool.on_invalid=ask-again",
            "clients.checks_answers=false",
            "people.wrong_tries.constant=1",
        ];
        let record = only_call(&with(&switches), design);
        assert_end(&record, plainly(Outcome::Completed));
        let counts = (record.asks, record.prompts, record.invalid_at_server, record.entries);
        assert_eq!(counts, (2, 2, 1, 1), "the person is asked again before anything is entered");
    }
}

#[test]
fn a_link_that_becomes_a_form_at_the_second_look_is_shown_to_the_person() {
    let switches = [
        ALONE,
        CALENDAR,
        LINKS,
        SLOW_PAGE,
        "tool.unable=downgrade-to-form",
        "clients.capabilities_on_retry={ elicitation = {} }",
    ];
    let record = only_call(&with(&switches), DESIGNS[1]);
    assert_end(&record, plainly(Outcome::Completed));
    assert_eq!((record.asks, record.prompts, record.entries), (2, 2, 1));
    assert!(record.exposed.parties().count() > 0, "what is typed into the form is seen");
    // When waiting the handshake counts, so the link stays a link, and its page is never finished in time.
    assert_eq!(only_call(&with(&switches), DESIGNS[0]).exposed.parties().count(), 0);
}

#[test]
fn a_server_that_fails_open_at_an_unfinished_page_enters_what_nobody_confirmed() {
    let switches = [ALONE, CALENDAR, LINKS, SLOW_PAGE, "tool.unable=fail-open", "clients.capabilities_on_retry={}"];
    let record = only_call(&with(&switches), DESIGNS[1]);
    assert_end(&record, plainly(Outcome::Completed));
    assert_eq!((record.entries, record.entries_unconfirmed), (1, 1));
}

#[test]
fn a_link_that_is_asked_for_again_after_its_grant_opens_no_second_page() {
    for design in DESIGNS {
        // The page is done while the person looks at the second question.
        let switches = [ALONE, CALENDAR, LINKS, "links.page.constant=10s", "links.unfinished={ manual = true }"];
        let record = only_call(&with(&switches), design);
        assert_end(&record, plainly(Outcome::Completed));
        let count = |incident| record.incidents.count(incident);
        assert_eq!((record.prompts, count(Incident::PageOpened), count(Incident::Granted)), (2, 1, 1));
    }
}

#[test]
fn a_sign_in_that_expired_is_begun_anew_when_the_link_is_sent_again() {
    for design in DESIGNS {
        // Each page takes longer than its sign-in lives, so each is refused, and each is a new one.
        let life = ["links.life=1m", "links.page.constant=61s", "links.unfinished={ manual = true }"];
        let record = only_call(&with(&[&[ALONE, CALENDAR, LINKS, "clients.max_rounds=3"], &life[..]].concat()), design);
        let count = |incident| record.incidents.count(incident);
        assert!(count(Incident::CallbackExpired) >= 1 && count(Incident::Granted) == 0, "{record:?}");
        assert_eq!(count(Incident::CallbackSpent), 0);
    }
}

#[test]
fn a_grant_wakes_no_call_that_took_the_place_of_one_that_waited() {
    // Blocked calls hang when their instance dies; their pages are finished while others block in their places.
    let switches = [
        CALENDAR,
        LINKS,
        ALONE,
        "arrivals.constant.rate=1/s",
        "run.horizon=40s",
        "people.think.constant=1s",
        "clients.patience=20s",
        "clients.on_broken=hang",
        "links.page.constant=30s",
        "links.unfinished={ block = true }",
        r#"fault=[{ kill = { at = "5500ms", select = "all", restart_after = "100ms" } }]"#,
    ];
    let records = common::cell(&with(&switches), DESIGNS[0]).records;
    assert_eq!(records.len(), 40);
    let looks = records.iter().map(|record| record.incidents.count(Incident::NotFinished));
    assert!(looks.max() == Some(1), "somebody was woken for nothing");
}
