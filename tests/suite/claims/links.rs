//! Claims about links and the pages behind them: what a client looks at before it shows an address, when a body goes on,
//! and what a callback is refused for.

use parked::era::Design::{self, Carrying, Waiting};
use parked::metrics::{Incident, Outcome, Record};
use parked::scenario::effective_hash;
use parked::world::Cause;

use super::super::common::{self, because, only_call, plainly};
use super::{ALONE, DESIGNS, assert_end, end, ended_ms, told, with};

/// A calendar that is connected by a link, whose page takes 7 s from the consent to its callback.
const LINKED: [&str; 3] =
    ["tool.body=connect_calendar", "clients.capabilities={ elicitation = { url = {} } }", "links.page.constant=7s"];

/// The server holds the call, so that a refused page is the only one of its call.
pub(super) const BLOCKS: &str = "links.unfinished={ block = true }";

/// The scenario of a call that needs a link, with these keys switched.
pub(super) fn linked(switches: &[&str]) -> parked::scenario::Scenario {
    with(&[&LINKED[..], switches].concat())
}

/// The record of a call that needs a link, with these keys switched.
pub(super) fn connect(design: Design, switches: &[&str]) -> Record {
    only_call(&linked(switches), design)
}

/// What happened to a call, with how often; looks at an unfinished page are left out.
pub(super) fn happened(record: &Record) -> Vec<(&'static str, u32)> {
    let all = record.incidents.happened().map(|(incident, count)| (incident.name(), count));
    all.filter(|&(name, _)| name != "not_finished").collect()
}

/// How often a body found its page not finished.
fn looks_too_early(record: &Record) -> u32 {
    record.incidents.count(parked::metrics::Incident::NotFinished)
}

const DANGEROUS: [&str; 4] = [
    "javascript:alert(1)",
    "http://mcp.example.com/connect",
    "https://mcp.example.com@evil.example/connect",
    "https:/mcp.example.com/connect",
];

#[test]
pub fn only_a_client_that_looks_at_addresses_keeps_a_dangerous_one_from_its_person() {
    for design in DESIGNS {
        for address in DANGEROUS {
            let address = format!("links.address={address:?}");
            let looks = connect(design, &[ALONE, &address]);
            assert_end(&looks, because(Outcome::Cancelled, Cause::BlockedLink));
            assert_eq!((looks.asks, looks.prompts, looks.entries), (1, 0, 0), "{address}");
            assert_eq!(happened(&looks), [], "{address}: nothing is opened");
            let trusts = connect(design, &[ALONE, &address, "clients.inspects_links=false"]);
            assert_eq!(trusts, connect(design, &[ALONE]), "{address} is opened like any other");
        }
    }
}

#[test]
pub fn a_kind_of_client_that_does_not_look_opens_what_the_others_keep_back() {
    let mix = r#"clients.mix=[
        { name = "looks", share = 0.5 },
        { name = "trusts", share = 0.5, inspects_links = false },
    ]"#;
    let switches = [ALONE, "links.address=\"javascript:alert(1)\"", mix, "arrivals.constant.rate=1/s"];
    let scenario = linked(&[&switches[..], &["fleet.threads=unlimited", "run.horizon=100s"]].concat());
    for design in DESIGNS {
        let records = common::cell(&scenario, design).records;
        assert_eq!(records.len(), 100);
        for record in &records {
            let expected = ["cancelled/blocked_link", "completed"][usize::from(record.client)];
            assert_eq!((end(record).as_str(), record.prompts), (expected, u32::from(record.client)));
        }
        assert!((0..2).all(|kind| records.iter().any(|record| record.client == kind)));
    }
}

#[test]
pub fn an_address_at_another_host_than_the_servers_is_warned_of_and_opened_all_the_same() {
    let elsewhere = "links.server=other.example";
    assert_ne!(effective_hash(&linked(&[])), effective_hash(&linked(&[elsewhere])));
    for design in DESIGNS {
        let own = connect(design, &[ALONE]);
        assert_end(&own, plainly(Outcome::Completed));
        assert_eq!(own.incidents.count(Incident::LinkWarned), 0);
        // A warning is no block: but for it, nothing differs.
        let warned = |switch: &str| {
            let record = connect(design, &[ALONE, switch]);
            assert_eq!(record.incidents.count(Incident::LinkWarned), 1, "{switch}");
            assert_eq!(Record { incidents: own.incidents, ..record }, own, "{switch}");
        };
        warned(elsewhere);
        for address in ["https://other.example/login", "https://mcp.example.com/connect?token=abc123"] {
            warned(&format!("links.address={address:?}"));
        }
    }
}

const POLLS: &str = "links.unfinished.poll=5s";

#[test]
pub fn a_call_goes_on_at_the_first_look_after_its_page_is_finished() {
    // The page, how often the body looked too early, and when the call ends: every look costs 2 ms when carrying.
    for (page, early, waiting, carrying) in [("7s", 2, 70_003, 70_009), ("12s", 3, 75_003, 75_011)] {
        for (design, ended) in [(Waiting, waiting), (Carrying, carrying)] {
            let page_time = format!("links.page.constant={page}");
            let switches = [ALONE, "tool.body=connect_calendar", LINKED[1], &page_time, POLLS];
            let record = only_call(&with(&switches), design);
            assert_end(&record, plainly(Outcome::Completed));
            assert_eq!((looks_too_early(&record), ended_ms(&record)), (early, ended), "{page}");
            assert_eq!((record.prompts, record.messages, record.entries), (1, 2 + early, 1), "{page}");
            assert_eq!(happened(&record), [("page_opened", 1), ("granted", 1)]);
        }
    }
}

#[test]
pub fn a_page_that_is_never_finished_leaves_its_call_to_the_clients_limits() {
    for design in DESIGNS {
        let never = |switches: &[&str]| {
            let common = [ALONE, LINKED[0], LINKED[1], "links.page.never=true"];
            only_call(&with(&[&common[..], switches].concat()), design)
        };
        let polled = never(&[POLLS]);
        assert_end(&polled, because(Outcome::Failed, Cause::PageUnfinished));
        assert_eq!((polled.prompts, polled.messages, polled.entries), (1, 2 + 9, 0), "ten rounds, nine of them polls");
        let held = never(&[BLOCKS]);
        assert_end(&held, because(Outcome::TimedOut, Cause::PageUnfinished));
        assert_eq!((ended_ms(&held), held.messages, held.entries), (300_000, 2, 0));
    }
}

#[test]
pub fn a_client_comes_back_as_often_as_it_polls() {
    for (poll, early, waiting, carrying) in [("2s", 4, 68_003, 68_013), ("6s", 2, 72_003, 72_009)] {
        for (design, ended) in [(Waiting, waiting), (Carrying, carrying)] {
            let record = connect(design, &[ALONE, &format!("links.unfinished.poll={poll}")]);
            assert_eq!((looks_too_early(&record), ended_ms(&record)), (early, ended), "{poll}");
            assert_eq!((record.prompts, record.messages), (1, 2 + early), "nobody is asked to poll");
        }
    }
}

#[test]
pub fn a_person_who_is_asked_again_needs_time_again_and_may_say_no() {
    for design in DESIGNS {
        let manual = "links.unfinished={ manual = true }";
        let record = connect(design, &[ALONE, manual]);
        assert_end(&record, plainly(Outcome::Completed));
        let again = if design == Waiting { 0 } else { 2 + 2 };
        assert_eq!(ended_ms(&record), 2 + 60_000 + 60_000 + 1 + again);
        assert_eq!((looks_too_early(&record), record.prompts, record.messages, record.entries), (1, 2, 3, 1));
        // Of those who agreed once, some say no when they are asked again.
        let decides = "people.decide={ accept = 0.5, decline = 0.5, cancel = 0.0 }";
        let busy = ["arrivals.constant.rate=1/s", "run.horizon=100s", "fleet.threads=unlimited", decides];
        let slow = [ALONE, manual, LINKED[0], LINKED[1], "links.page.constant=100s"];
        let records = common::cell(&with(&[&slow[..], &busy].concat()), design).records;
        for record in &records {
            let completed = end(record) == "completed";
            assert!(completed || end(record) == "declined", "{}", end(record));
            // Done after 100 s, the page is found at the third look, and a no that comes with it is heard.
            assert_eq!(record.entries, u32::from(completed), "{}", end(record));
            assert!(record.prompts == 3 || !completed, "{} prompts", record.prompts);
        }
        let declined = |prompts| records.iter().filter(|r| end(r) == "declined" && r.prompts == prompts).count();
        let declined = [declined(1), declined(2), declined(3)];
        assert!(declined[0] > 25 && declined[1] > 5 && declined[2] > 0, "{declined:?} of 100");
    }
}

#[test]
pub fn a_client_that_is_told_comes_back_at_the_callback_and_only_an_open_call_can_be_told() {
    let notify = "links.unfinished={ notify = true }";
    let waiting = connect(Waiting, &[ALONE, notify]);
    assert_end(&waiting, plainly(Outcome::Completed));
    assert_eq!(ended_ms(&waiting), 2 + 60_000 + 7_000 + 1);
    assert_eq!((looks_too_early(&waiting), waiting.prompts, waiting.messages, waiting.entries), (1, 1, 3, 1));
    assert_eq!(waiting.parked_ns, 67_000_000_000);
    // A carried call has no stream on which it could be told.
    let manual = connect(Carrying, &[ALONE, "links.unfinished={ manual = true }"]);
    assert_eq!(connect(Carrying, &[ALONE, notify]), manual);
    let refused = connect(Waiting, &[ALONE, notify, "links.forwarded=1.0"]);
    assert_end(&refused, because(Outcome::TimedOut, Cause::LinkIdentity));
    assert_eq!((ended_ms(&refused), refused.messages), (300_000, 2), "nothing ever comes");
}

#[test]
pub fn a_call_that_its_server_holds_is_parked_in_both_designs_until_its_page_is_finished() {
    for (design, parked_ms) in [(Waiting, 60_000 + 7_000), (Carrying, 7_000 - 2)] {
        let record = connect(design, &[ALONE, BLOCKS]);
        assert_end(&record, plainly(Outcome::Completed));
        assert_eq!(ended_ms(&record), 2 + 60_000 + 7_000 + 1, "at the callback, whoever had to look again");
        assert_eq!((looks_too_early(&record), record.prompts, record.messages, record.entries), (1, 1, 2, 1));
        assert_eq!(record.parked_ns, parked_ms * 1_000_000);
    }
}

#[test]
pub fn a_dying_instance_loses_a_call_that_it_holds_for_a_page_in_both_designs() {
    let dies = r#"fault=[{ kill = { at = "63s", select = "all", restart_after = "1s" } }]"#;
    for design in DESIGNS {
        let held = connect(design, &[ALONE, BLOCKS, dies]);
        assert_end(&held, because(Outcome::Lost, Cause::Crash));
        assert_eq!((ended_ms(&held), held.entries), (63_000, 0));
        let cell = common::cell(&linked(&[ALONE, BLOCKS, dies]), design);
        assert!(cell.tally.incidents_late.into_iter().eq([(parked::metrics::Incident::Granted, 1)]), "for nothing");
    }
    // A call that polls is nowhere in that second when carrying, and open all the time when waiting.
    assert_end(&connect(Carrying, &[ALONE, dies]), plainly(Outcome::Completed));
    assert_end(&connect(Waiting, &[ALONE, dies]), because(Outcome::Lost, Cause::Crash));
}

/// Two calls a second apart at two instances under round robin, each staying at its own, each with a page of half a
/// second. So each browser sends one request to its call's instance and the other to the other one.
fn two_calls(design: Design, switches: &[&str]) -> [Record; 2] {
    let apart = ["arrivals.at=[\"0s\", \"1s\"]", "balancer.stickiness=learned", LINKED[0], LINKED[1], BLOCKS];
    let scenario = with(&[&apart[..], &["links.page.constant=500ms"], switches].concat());
    common::cell(&scenario, design).records.try_into().expect("there are two calls")
}

#[test]
pub fn what_a_process_keeps_in_memory_no_other_instance_knows() {
    for design in DESIGNS {
        for switches in [&["links.pending=memory"][..], &["links.pending=sealed", "state.keys=per-process"]] {
            for record in two_calls(design, switches) {
                assert_end(&record, because(Outcome::TimedOut, Cause::LinkUnknown));
                assert_eq!(happened(&record), [("page_opened", 1), ("callback_unknown", 1)]);
                assert_eq!(record.entries, 0);
            }
        }
        for pending in ["links.pending=shared", "links.pending=sealed"] {
            for record in two_calls(design, &[pending]) {
                assert_end(&record, plainly(Outcome::Completed));
                assert_eq!(happened(&record), [("page_opened", 1), ("granted", 1)]);
            }
        }
        let alone = connect(design, &[ALONE, BLOCKS, "links.pending=memory"]);
        assert_end(&alone, plainly(Outcome::Completed));
        let restarts = r#"fault=[{ kill = { at = "30s", select = "all", restart_after = "0s" } }]"#;
        let forgotten = connect(Carrying, &[ALONE, BLOCKS, "links.pending=memory", restarts]);
        assert_end(&forgotten, because(Outcome::TimedOut, Cause::LinkUnknown));
    }
}

#[test]
pub fn a_callback_alone_takes_one_way_through_the_balancer_and_the_servers_page_another() {
    for design in DESIGNS {
        let [first, second] = two_calls(design, &["links.pending=memory", "links.hops=1"]);
        assert_end(&first, plainly(Outcome::Completed));
        assert_end(&second, plainly(Outcome::Completed));
        let both = two_calls(design, &["links.pending=shared", "links.hops=2"]);
        assert_eq!([first, second].map(|record| ended_ms(&record)), both.map(|record| ended_ms(&record)));
        // With both ways the first browser finds its page and is refused at the callback, the second at the page.
        let refused = two_calls(design, &["links.pending=memory", "links.hops=2"]);
        assert!(refused.iter().all(|record| record.end == because(Outcome::TimedOut, Cause::LinkUnknown)));
    }
}

#[test]
pub fn a_sign_in_is_good_up_to_its_last_instant() {
    for design in DESIGNS {
        // From the minting of the link: a minute to agree, 7 s for the page.
        let lives = |life: &str| connect(design, &[ALONE, BLOCKS, &format!("links.life={life}")]);
        for life in ["67s", "none"] {
            assert_end(&lives(life), plainly(Outcome::Completed));
        }
        let late = lives("66999999999ns");
        assert_end(&late, because(Outcome::TimedOut, Cause::LinkExpired));
        assert_eq!(happened(&late), [("page_opened", 1), ("callback_expired", 1)]);
        assert_eq!((ended_ms(&late), late.entries), (300_000, 0));
    }
}

#[test]
pub fn a_callback_that_comes_twice_is_refused_unless_nobody_keeps_what_was_used() {
    for design in DESIGNS {
        let twice = |pending: &str| connect(design, &[ALONE, "links.repeated=1.0", pending]);
        for kept in ["links.pending=shared", "links.pending=memory"] {
            let record = twice(kept);
            assert_end(&record, plainly(Outcome::Completed));
            assert_eq!(happened(&record), [("page_opened", 1), ("granted", 1), ("callback_spent", 1)]);
            assert_eq!(record.entries, 1);
        }
        let sealed = twice("links.pending=sealed");
        assert_eq!(happened(&sealed), [("page_opened", 1), ("granted", 2)], "stored twice");
        assert_eq!((end(&sealed).as_str(), sealed.entries), ("completed", 1));
    }
}

#[test]
fn after_an_unknown_and_an_expired_callback_nothing_is_stored_and_after_a_spent_one_nothing_again() {
    // The same person calls twice: who has a grant is not asked again.
    let one_person = ["people.users=1", "arrivals.at=[\"0s\", \"400s\"]", "balancer.stickiness=learned", BLOCKS];
    let calls = |design, switches: &[&str]| -> Vec<(String, u32)> {
        let cell = common::cell(&linked(&[&one_person[..], switches].concat()), design);
        cell.records.iter().map(|record| (end(record), record.prompts)).collect()
    };
    for design in DESIGNS {
        // The browser goes from the instance of the call to the other one.
        let unknown = calls(design, &["links.pending=memory"]);
        assert_eq!(unknown[0], ("timed_out/link_unknown".to_owned(), 1));
        assert_eq!(unknown[1].1, 1, "asked again");
        let expired = calls(design, &["links.life=61s"]);
        assert_eq!(expired, vec![("timed_out/link_expired".to_owned(), 1); 2]);
        let spent = calls(design, &["links.repeated=1.0"]);
        assert_eq!(spent, [("completed".to_owned(), 1), ("completed".to_owned(), 0)]);
        let cell = common::cell(&linked(&[&one_person[..], &["links.repeated=1.0"]].concat()), design);
        let count = |name: &str| {
            let all = cell.tally.incidents.iter().chain(&cell.tally.incidents_late);
            all.filter(|(incident, _)| incident.name() == name).map(|(_, count)| count).sum::<u64>()
        };
        assert_eq!((count("granted"), count("callback_spent")), (1, 1));
    }
}

#[test]
fn the_story_of_a_link_tells_of_its_consent_its_page_and_its_grant() {
    for design in DESIGNS {
        let steps = told(&linked(&[ALONE, BLOCKS]), design);
        let place =
            |what: &str| steps.iter().position(|step| step == what).unwrap_or_else(|| panic!("{what}: {steps:?}"));
        let places = [
            "shows connect: Connect your calendar",
            "opens the link",
            "holds the call until the page is finished",
            "calls back: the grant is stored",
            "enters 1 into ledger events",
        ]
        .map(place);
        assert!(places.is_sorted(), "{steps:?}");
    }
}
