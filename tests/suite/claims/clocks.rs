//! Claims about the ladder of deadlines: whose clock ends a call, and at which instant. At a limit is in time.

use parked::era::Design::{self, Carrying, Waiting};
use parked::metrics::{Incident, Outcome, Record};
use parked::world::Cause;

use super::super::common::{because, plainly};
use super::{ALONE, DESIGNS, WHOLE_MS, assert_end, call, cells, ended_ms};

const MS: u64 = 1_000_000;
const SECOND: u64 = 1000 * MS;

/// When the only question is sent, and when its answer is.
const ASKED: u64 = 2 * MS;
const ANSWERED: u64 = ASKED + 60 * SECOND;

/// The only call at one instance, with this limit of so many ns and these keys.
fn limited(design: Design, key: &str, ns: u64, switches: &[&str]) -> Record {
    call(design, &[&[ALONE, &format!("{key}={ns}ns")], switches].concat())
}

/// With this limit the call completes; with one nanosecond less it ends so, at this instant, and without an entry.
fn assert_limit(design: Design, key: &str, limit: u64, (outcome, cause): (Outcome, Cause), at: u64) {
    assert_end(&limited(design, key, limit, &[]), plainly(Outcome::Completed));
    let short = limited(design, key, limit - 1, &[]);
    assert_end(&short, because(outcome, cause));
    assert_eq!((short.ended.ns(), short.entries), (at, 0), "{design:?} {key}");
}

#[test]
pub fn a_clock_on_requests_ends_a_waiting_call_and_only_a_leg_of_a_carried_one() {
    let key = "clients.request_timeout";
    let late = (Outcome::TimedOut, Cause::RequestDeadline);
    let sixty = limited(Waiting, key, 60 * SECOND, &[]);
    assert_end(&sixty, because(late.0, late.1));
    assert_eq!((ended_ms(&sixty), sixty.entries, sixty.parked_ns), (60_000, 0, 60 * SECOND - ASKED));
    assert_limit(Waiting, key, WHOLE_MS * MS, late, WHOLE_MS * MS - 1);
    // While the person thinks no request is open: the longest leg is the second one, 2 ms and 1 ms of work.
    let plain = call(Carrying, &[ALONE]);
    assert_eq!(limited(Carrying, key, 60 * SECOND, &[]), plain);
    assert_limit(Carrying, key, 3 * MS, late, ANSWERED + 3 * MS - 1);
    assert_eq!(limited(Carrying, key, 2 * MS - 1, &[]).ended.ns(), 2 * MS - 1, "in its first leg");
}

#[test]
pub fn a_server_waits_for_an_answer_as_long_as_its_clock_says_where_it_waits_at_all() {
    let key = "fleet.answer_timeout";
    assert_limit(Waiting, key, 60 * SECOND, (Outcome::TimedOut, Cause::ServerDeadline), ANSWERED - 1);
    assert_eq!(limited(Waiting, key, 10 * SECOND, &[]).parked_ns, 10 * SECOND);
    assert_eq!(limited(Carrying, key, 1, &[]), call(Carrying, &[ALONE]), "nothing waits at a server");
}

#[test]
pub fn a_budget_is_for_one_run_of_the_body() {
    let over = (Outcome::TimedOut, Cause::ToolBudget);
    assert_limit(Waiting, "tool.budget", WHOLE_MS * MS, over, WHOLE_MS * MS - 1);
    // The run that began from the top is the longer one.
    assert_limit(Carrying, "tool.budget", 3 * MS, over, ANSWERED + 3 * MS - 1);
}

#[test]
pub fn a_budget_that_pauses_counts_no_time_of_the_person() {
    let key = "tool.budget";
    for (budget, end) in
        [(3 * MS, plainly(Outcome::Completed)), (3 * MS - 1, because(Outcome::TimedOut, Cause::ToolBudget))]
    {
        let paused = limited(Waiting, key, budget, &["tool.budget_pauses=true"]);
        assert_end(&paused, end);
        assert_eq!(paused.ended.ns(), ANSWERED + budget - ASKED, "what was left when the question went out is left");
        let runs_on = limited(Waiting, key, budget, &["tool.budget_pauses=false"]);
        assert_end(&runs_on, because(Outcome::TimedOut, Cause::ToolBudget));
        assert_eq!(runs_on.ended.ns(), budget);
        let [pauses, goes_on] =
            ["true", "false"].map(|pauses| limited(Carrying, key, budget, &[&format!("tool.budget_pauses={pauses}")]));
        assert_eq!(pauses, goes_on, "no run of a carried body lasts while a person is asked");
    }
}

#[test]
pub fn an_answer_is_good_up_to_the_last_instant_of_its_approval() {
    for design in DESIGNS {
        let late = (Outcome::Refused, Cause::ApprovalExpired);
        assert_limit(design, "tool.approval_ttl", 60 * SECOND, late, ANSWERED);
        assert_end(&call(design, &[ALONE, "tool.approval_ttl=none"]), plainly(Outcome::Completed));
    }
}

#[test]
fn who_does_not_know_the_ask_does_not_know_its_age_either() {
    let astray = |ttl: &str| call(Waiting, &[&format!("tool.approval_ttl={ttl}")]);
    assert_end(&astray("1s"), because(Outcome::TimedOut, Cause::Misrouted));
    assert_eq!(astray("1s"), astray("none"), "an answer at the wrong instance is dropped, however late");
    let own_key = ["state.keys=per-process", "tool.approval_ttl=1s"];
    assert_end(&call(Carrying, &own_key), because(Outcome::Refused, Cause::WrongKey));
}

#[test]
pub fn the_shortest_limit_of_the_hops_cuts_a_silent_request() {
    // From the question to the result nothing is sent on the open request: 60 s and 1 ms of work.
    let silence = 60 * SECOND + MS;
    let idle = |design, limits: &str, switches: &[&str]| {
        call(design, &[&[ALONE, &format!("balancer.idle={limits}")], switches].concat())
    };
    assert_end(&idle(Waiting, &format!("[\"{silence}ns\"]"), &[]), plainly(Outcome::Completed));
    for (limits, at) in [
        (format!("[\"{}ns\"]", silence - 1), ASKED + silence - 1),
        (r#"["125.4s", "59s"]"#.to_owned(), ASKED + 59 * SECOND),
        (r#"["59s", "125.4s"]"#.to_owned(), ASKED + 59 * SECOND),
    ] {
        let cut = idle(Waiting, &limits, &[]);
        assert_end(&cut, because(Outcome::Lost, Cause::IdleCut));
        assert_eq!(cut.ended.ns(), at, "{limits}");
    }
    assert_end(&idle(Waiting, r#"["125.4s", "300.4s"]"#, &[]), plainly(Outcome::Completed));
    assert_eq!(idle(Carrying, r#"["3ms"]"#, &[]), call(Carrying, &[ALONE]), "no leg is silent for longer");
    let cut = idle(Carrying, r#"["2999999ns"]"#, &[]);
    assert_end(&cut, because(Outcome::Lost, Cause::IdleCut));
    assert_eq!((cut.ended.ns(), cut.entries), (ANSWERED + 3 * MS - 1, 0));
}

#[test]
fn after_a_cut_a_waiting_server_holds_the_call_on_and_a_carrying_one_drops_it() {
    let until = "fleet.answer_timeout=2m";
    let held = call(Waiting, &[ALONE, until, r#"balancer.idle=["30s"]"#]);
    assert_end(&held, because(Outcome::Lost, Cause::IdleCut));
    assert_eq!((held.ended.ns(), held.parked_ns), (ASKED + 30 * SECOND, 120 * SECOND));
    assert_eq!((held.incidents.count(Incident::HeldOn), held.entries), (1, 0));
    let slow = ["tool.work_before.constant=10s", r#"balancer.idle=["9s"]"#];
    let dropped = call(Carrying, &[ALONE, until, slow[0], slow[1]]);
    assert_end(&dropped, because(Outcome::Lost, Cause::IdleCut));
    assert_eq!((dropped.ended.ns(), dropped.incidents.count(Incident::HeldOn), dropped.prompts), (9 * SECOND, 0, 0));
    // Cut in mid-work a waiting server works on, and nobody is there to be asked.
    let works_on = call(Waiting, &[ALONE, until, slow[0], slow[1]]);
    assert_eq!((works_on.ended, works_on.incidents.count(Incident::HeldOn), works_on.prompts), (dropped.ended, 1, 0));
}

#[test]
fn a_client_that_does_not_notice_the_cut_answers_and_never_hears_of_its_entry() {
    let hangs = call(Waiting, &[ALONE, "clients.on_broken=hang", r#"balancer.idle=["30s"]"#]);
    assert_end(&hangs, because(Outcome::TimedOut, Cause::IdleCut));
    assert_eq!((ended_ms(&hangs), hangs.entries, hangs.parked_ns), (300_000, 1, 60 * SECOND));
    assert_eq!(hangs.incidents.count(Incident::LateEntry), 0, "the client had not given up when it was made");
}

#[test]
pub fn a_heartbeat_keeps_an_open_stream_up_to_a_gap_of_the_limit() {
    let beats = |design, heartbeat: &str| {
        let heartbeat = format!("fleet.heartbeat={heartbeat}");
        call(design, &[ALONE, "people.think.constant=250s", r#"balancer.idle=["60s"]"#, &heartbeat])
    };
    for below_or_equal in ["1s", "25s", "59999999999ns", "60s"] {
        assert_end(&beats(Waiting, below_or_equal), plainly(Outcome::Completed));
    }
    for above in ["60000000001ns", "10m", "none"] {
        let cut = beats(Waiting, above);
        assert_end(&cut, because(Outcome::Lost, Cause::IdleCut));
        assert_eq!(cut.ended.ns(), ASKED + 60 * SECOND, "{above}");
        assert_eq!(beats(Carrying, above), beats(Carrying, "25s"), "no stream stays open");
    }
}

#[test]
pub fn a_heartbeat_that_varies_is_too_late_as_often_as_its_gap_exceeds_the_limit() {
    let beats = |jitter: &str, limit: &str| {
        let (jitter, limit) = (format!("fleet.heartbeat_jitter={jitter}"), format!("balancer.idle=[\"{limit}\"]"));
        let fixed = ["replications=400", ALONE, "people.think.constant=100s", "fleet.heartbeat=50s"];
        cells(Waiting, &[&fixed[..], &[&jitter, &limit]].concat())
            .iter()
            .map(|cell| cell.records[0])
            .collect::<Vec<_>>()
    };
    for (jitter, limit) in [("0.0", "50s"), ("0.1", "55s")] {
        assert!(
            beats(jitter, limit).iter().all(|record| record.end == plainly(Outcome::Completed)),
            "{jitter} {limit}"
        );
    }
    // Half of the gaps are longer than 50 s; two of them lie between the question and the answer.
    let records = beats("0.1", "50s");
    let cut: Vec<u64> = records
        .iter()
        .filter(|record| record.end.cause == Some(Cause::IdleCut))
        .map(|r| r.ended.ns() - ASKED)
        .collect();
    let at_first = cut.iter().filter(|&&at| at == 50 * SECOND).count();
    // Five standard deviations about three quarters and about half of 400.
    assert!((257..=343).contains(&cut.len()) && (150..=250).contains(&at_first), "{} {at_first}", cut.len());
    let later = 95 * SECOND..=100 * SECOND;
    assert!(cut.iter().all(|at| *at == 50 * SECOND || later.contains(at)), "one gap of 45 s to 50 s, then the limit");
}

#[test]
pub fn a_session_that_its_server_ends_leaves_the_client_hanging() {
    let key = "fleet.session_idle";
    assert_end(&limited(Waiting, key, ANSWERED, &[]), plainly(Outcome::Completed));
    let ended = limited(Waiting, key, ANSWERED - 1, &[]);
    assert_end(&ended, because(Outcome::TimedOut, Cause::SessionIdle));
    assert_eq!((ended_ms(&ended), ended.entries, ended.messages), (300_000, 0, 2), "the person answers all the same");
    assert_eq!(ended.parked_ns, 60 * SECOND - 1, "nothing is held for it any more");
    assert_eq!(limited(Carrying, key, SECOND, &[]), call(Carrying, &[ALONE]), "there are no sessions");
}

#[test]
fn an_answer_that_went_astray_is_no_sign_of_life_to_whoever_holds_the_session() {
    let astray = call(Waiting, &["fleet.session_idle=100s"]);
    assert_end(&astray, because(Outcome::TimedOut, Cause::Misrouted));
    assert_eq!(astray.parked_ns, 100 * SECOND - ASKED);
}
