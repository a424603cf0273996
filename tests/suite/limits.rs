//! Claims about clocks where they meet something else: another clock, a client that has noticed nothing, a process that
//! does not hold the call, a page that is waited for, a balancer without room.

use parked::era::Design::{Carrying, Waiting};
use parked::experiment;
use parked::metrics::Outcome;
use parked::report::{Http, frames};
use parked::world::Cause;

use super::common::{because, cell, only_call, plainly, scenario};

const QUICK: &str = "tool.work_before.constant = \"0s\"\ntool.work_after.constant = \"0s\"\n";

#[test]
fn of_two_clocks_at_one_instant_the_clients_patience_comes_first_whoever_else_is_under_way() {
    let text = "arrivals.at = [\"0s\", \"10s\", \"25s\"]\npeople.think.constant = \"5m\"\n\
                clients = { patience = \"60s\", request_timeout = \"60s\" }\nfleet.answer_timeout = \"60s\"\n";
    let records = cell(&scenario(&format!("{QUICK}{text}")), Waiting).records;
    for record in &records {
        assert_eq!(record.end, because(Outcome::TimedOut, Cause::ClientDeadline), "call {}", record.call);
    }
    assert_eq!(records.iter().map(|record| record.ended.as_secs_f64()).collect::<Vec<_>>(), [60.0, 70.0, 85.0]);
}

#[test]
fn a_client_that_has_noticed_nothing_still_looks_at_the_clock_on_its_request() {
    let text = "arrivals.at = [\"0s\"]\npeople.think.constant = \"5m\"\nfleet.instances = 1\n\
                clients = { patience = \"10m\", request_timeout = \"60s\", on_broken = \"hang\" }\n";
    for (happens, cause) in [
        ("fault = [{ kill = { at = \"30s\", select = \"all\" } }]", Cause::Crash),
        ("fleet.session_idle = \"30s\"", Cause::SessionIdle),
        ("balancer.idle = [\"30s\"]", Cause::IdleCut),
    ] {
        let record = only_call(&scenario(&format!("{QUICK}{text}{happens}\n")), Waiting);
        assert_eq!(record.end, because(Outcome::TimedOut, cause), "{happens}");
        assert_eq!(record.ended.as_secs_f64(), 60.0, "{happens}");
    }
    let works = "tool.work_before.constant = \"2m\"\nfault = [{ kill = { at = \"30s\", select = \"all\" } }]\n";
    let record = only_call(&scenario(&format!("{text}{works}")), Carrying);
    assert_eq!((record.end, record.ended.as_secs_f64()), (because(Outcome::TimedOut, Cause::Crash), 60.0));
}

#[test]
fn only_who_waits_for_an_answer_can_find_that_it_comes_too_late() {
    let text = "arrivals.at = [\"0s\"]\npeople = { think.constant = \"60s\", decide = { accept = 1.0, decline = 0.0, cancel = 0.0 } }\n\
                fleet.instances = 2\ntool.approval_ttl = \"30s\"\n";
    let astray = only_call(&scenario(&format!("{QUICK}{text}")), Waiting);
    assert_eq!((astray.end, astray.ended.as_secs_f64()), (because(Outcome::TimedOut, Cause::Misrouted), 300.0));
    let at_home = only_call(&scenario(&format!("{QUICK}{text}balancer.stickiness = \"cookie\"\n")), Waiting);
    assert_eq!((at_home.end, at_home.ended.as_secs_f64()), (because(Outcome::Refused, Cause::ApprovalExpired), 60.0));
}

#[test]
fn a_server_that_waits_for_a_page_sends_nothing_that_a_proxy_could_hear() {
    let text = "arrivals.at = [\"0s\"]\npeople = { think.constant = \"30s\", decide = { accept = 1.0, decline = 0.0, cancel = 0.0 } }\n\
                tool.body = \"connect_calendar\"\nlinks = { page.constant = \"2m\", unfinished = { block = true } }\n\
                clients.capabilities.elicitation.url = {}\nbalancer = { idle = [\"50s\"], stickiness = \"cookie\" }\n";
    let record = only_call(&scenario(&format!("{QUICK}{text}")), Waiting);
    assert_eq!((record.end, record.ended.as_secs_f64()), (because(Outcome::Lost, Cause::IdleCut), 50.0));
    // A notice is heard: 30 s after the last question the page is finished, and the work ends 50 s after the notice.
    let told = text.replace("block", "notify").replace("\"2m\"", "\"30s\"");
    let record = only_call(
        &scenario(&format!("{told}tool.work_before.constant = \"0s\"\ntool.work_after.constant = \"50s\"\n")),
        Waiting,
    );
    assert_eq!((record.end, record.ended.as_secs_f64()), (plainly(Outcome::Completed), 110.0));
}

#[test]
fn who_finds_no_connection_is_told_so() {
    let text = "arrivals.at = [\"0s\"]\nbalancer.connections = 1\n";
    let scenario = scenario(&format!("{QUICK}{text}"));
    for design in [Waiting, Carrying] {
        let (messages, record) = experiment::messages(&scenario, design, 0, 0).expect("there is a call");
        assert_eq!(record.end, because(Outcome::Rejected, Cause::SlotsFull));
        let last = frames(&scenario, design, &messages, &record).pop().expect("a call is written down");
        assert!(matches!(last.http, Http::Response { status: 503, .. }), "{design:?}: {last:?}");
    }
}

#[test]
fn whatever_a_call_meets_on_its_way_its_messages_can_be_written_down() {
    let busy = "run.horizon = \"2m\"\narrivals.poisson.rate = \"0.5/s\"\npeople.think.exponential.mean = \"20s\"\npeople.users = 5\n\
                fault = [{ crash = { mtbf.exponential = { mean = \"30s\" }, repair = \"5s\" } }]\n";
    for (lines, design) in [
        "clients = { handshake = \"full\", on_not_found = \"reinitialise\", retry.times = 3 }",
        "clients = { handshake = \"discover\", on_not_found = \"wait\" }\nfleet.sessions = \"shared\"",
        "clients = { cancel = \"routed\", request_timeout = \"15s\", serves_after = \"5s\", keeps_form = true }",
        "balancer = { idle = [\"15s\"], resends_broken = true }\nfleet.heartbeat = \"14s\"\nfleet.heartbeat_jitter = 0.2",
        "clients.on_broken = \"hang\"\nbalancer.idle = [\"15s\"]\nfleet.session_idle = \"25s\"",
        "fleet = { threads = 1, queue = 1, answers_need_thread = true, answer_timeout = \"20s\" }\nclients.retry = { times = 2, on = [\"full\"] }",
        "tool = { budget = \"15s\", approval_ttl = \"10s\" }\nbalancer.connections = 6\nclients.cancel = \"never\"",
        "people.forms = \"queue\"\ntool.budget = \"30s\"",
        "people.forms = \"overwrite\"\ntool.budget = \"30s\"",
        "people.forms = \"refuse\"",
    ]
    .into_iter()
    .flat_map(|lines| [(lines, Waiting), (lines, Carrying)])
    {
        let scenario = scenario(&format!("{busy}{lines}\n"));
        let calls = cell(&scenario, design).records.len() as u32;
        assert!(calls > 20, "{lines}");
        for call in 0..calls {
            let (messages, record) = experiment::messages(&scenario, design, 0, call).expect("there is a call");
            assert!(record.messages > 0 && !frames(&scenario, design, &messages, &record).is_empty(), "{lines}");
        }
    }
}

const YES: &str = "decide = { accept = 1.0, decline = 0.0, cancel = 0.0 }";

/// A call at 0 s whose server holds it for a page that takes 200 s.
fn held_for_its_page(rest: &str) -> String {
    format!(
        "{QUICK}arrivals.at = [\"0s\"]\npeople = {{ think.constant = \"10s\", {YES} }}\ntool.body = \"connect_calendar\"\n\
         links = {{ page.constant = \"200s\", unfinished = {{ block = true }} }}\n\
         clients.capabilities.elicitation.url = {{}}\n{rest}\n"
    )
}

#[test]
fn a_call_that_its_server_dropped_is_not_woken_when_its_page_is_finished() {
    let cut = "fleet.instances = 1\nbalancer.idle = [\"60s\"]\nclients.on_broken = \"hang\"\ntool.budget = \"100s\"";
    let record = only_call(&scenario(&held_for_its_page(cut)), Waiting);
    assert_eq!((record.end, record.entries), (because(Outcome::TimedOut, Cause::IdleCut), 0));
    let again = "balancer.resends_broken = true\nfleet = { instances = 2, threads = 1 }\n\
                 fault = [{ kill = { at = \"100s\", select = \"count:1\" } }]";
    for seed in 0..4 {
        let record = only_call(&scenario(&format!("seed = {seed}\n{}", held_for_its_page(again))), Carrying);
        assert_eq!((record.end, record.ended.as_secs_f64()), (plainly(Outcome::Completed), 210.0));
    }
}

#[test]
fn a_form_that_waits_at_the_end_of_the_run_was_never_shown() {
    let text = "run = { stop = \"horizon\", horizon = \"1m\" }\narrivals.at = [\"0s\", \"1s\", \"2s\"]\n\
                people = { users = 1, forms = \"queue\", silent = 1.0 }\nclients.patience = \"none\"\n";
    for design in [Waiting, Carrying] {
        let records = cell(&scenario(&format!("{QUICK}{text}")), design).records;
        assert_eq!(records.iter().map(|record| record.prompts).collect::<Vec<_>>(), [1, 0, 0]);
        for record in &records[1..] {
            assert_eq!(record.end, plainly(Outcome::OpenAtEnd), "{design:?}");
        }
    }
}

#[test]
fn a_model_that_gave_up_does_not_call_again() {
    let text = "arrivals.at = [\"0s\"]\nclients = { patience = \"5s\", cancel = \"never\", capabilities = {} }\n\
                tool = { unable = \"tool-error-with-fallback\", work_before.constant = \"10s\" }\n";
    let record = only_call(&scenario(text), Waiting);
    assert_eq!((record.end, record.entries), (because(Outcome::TimedOut, Cause::ClientDeadline), 0));
    assert_eq!(record.messages, 1);
}

#[test]
fn an_effect_that_no_state_records_is_made_again_by_a_body_that_begins_again() {
    let text = "arrivals.at = [\"0s\"]\nfleet.instances = 2\nbalancer.resends_broken = true\n\
                tool = { body = \"steps\", effects_in_state = true, step = [{ post = \"a\" }, { work.constant = \"10s\" }, \
                { ask = { key = \"q\" } }] }\n\
                fault = [{ kill = { at = \"5s\", select = \"instance:i1\" } }]\n";
    for design in [Waiting, Carrying] {
        let record = only_call(&scenario(&format!("people = {{ think.constant = \"1s\", {YES} }}\n{text}")), design);
        assert_eq!((record.entries, record.entries_again), (2, 1), "{design:?}");
    }
}

#[test]
fn a_request_that_the_proxy_sends_again_is_one_request_to_the_clients_clock() {
    let text = "arrivals.at = [\"0s\"]\nfleet.instances = 2\nbalancer.resends_broken = true\nclients.request_timeout = \"10s\"\n\
                tool.work_before.constant = \"8s\"\nfault = [{ kill = { at = \"5s\", select = \"instance:i1\" } }]\n";
    for design in [Waiting, Carrying] {
        let record = only_call(&scenario(text), design);
        assert_eq!(record.end.outcome, Outcome::TimedOut, "{design:?}");
        assert_eq!(record.ended.as_secs_f64(), 10.0);
    }
}

#[test]
fn a_state_that_is_tried_again_is_the_one_that_the_server_gave() {
    let text = "arrivals.at = [\"0s\", \"11s\"]\npeople = { think.constant = \"10s\", {YES} }\nfleet = { instances = 1, threads = 1, queue = \"none\" }\n\
                tool.work_before.constant = \"2s\"\nclients.retry = { times = 3, on = [\"full\"], pause = \"5s\", jitter = \"none\" }\n";
    let scenario = scenario(&text.replace("{YES}", YES));
    let records = cell(&scenario, Carrying).records;
    let tried = records.iter().find(|record| record.answers > 1).expect("the first answer meets a busy thread");
    let plain = records.iter().find(|record| record.answers == 1).expect("the other one finds it free");
    assert_eq!(tried.end, plainly(Outcome::Completed));
    assert_eq!(tried.answers, tried.answers_home);
    // Each state travels once to the client and once back with each answer, as long as it was when it was sealed.
    assert_eq!(plain.state_bytes % 2, 0);
    assert_eq!(tried.state_bytes, plain.state_bytes / 2 * (1 + tried.answers));
}
