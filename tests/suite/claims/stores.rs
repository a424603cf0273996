//! Claims about the shared store and the designs that use it, and about clients of two eras.

use parked::era::Design::{self, Carrying, FanOut, Forwarding, Shim, Storing, Waiting};
use parked::metrics::{Incident, Outcome, Record};
use parked::world::Cause;

use super::super::common::{because, only_call, plainly};
use super::{ALONE, WHOLE_MS, assert_end, ended_ms, with};

/// The only call under a design, with these keys switched. Two instances in turn: the answer reaches the other one.
fn call(design: Design, switches: &[&str]) -> Record {
    let name = format!("designs=[\"{}\"]", design.name());
    only_call(&with(&[&[name.as_str()], switches].concat()), design)
}

/// Work before the question that is done again.
const AGAIN_MS: u64 = 2;

fn outage(at: &str, lasts: &str) -> String {
    format!(r#"fault=[{{ store-outage = {{ at = "{at}", lasts = "{lasts}" }} }}]"#)
}

const OWNER_DIES: &str = r#"fault=[{ kill = { at = "30s", select = "instance:i1" } }]"#;
const NOTICES_NOTHING: [&str; 2] = ["clients.on_broken=hang", "clients.on_not_found=fail"];

fn orphan(switches: &[&str]) -> Record {
    call(Forwarding, &[&NOTICES_NOTHING[..], &[OWNER_DIES], switches].concat())
}

#[test]
pub fn each_use_of_the_store_takes_its_time_and_an_answer_that_is_passed_on_its_hop() {
    for (latency, hop) in [(0, 0), (7, 0), (7, 100)] {
        let takes = [format!("store.latency={latency}ms"), format!("store.hop={hop}ms")];
        let [latency_is, hop_is] = [&takes[0], &takes[1]].map(String::as_str);
        let stored = call(Storing, &[latency_is]);
        assert_end(&stored, plainly(Outcome::Completed));
        assert_eq!(ended_ms(&stored), WHOLE_MS + AGAIN_MS + 2 * latency, "written down and looked up");
        let forwarded = call(Forwarding, &[latency_is, hop_is]);
        assert_eq!(ended_ms(&forwarded), WHOLE_MS + 2 * latency + hop, "and passed on");
        let fanned_out = call(FanOut, &[latency_is, hop_is]);
        assert_eq!(ended_ms(&fanned_out), WHOLE_MS + latency + hop, "nothing is written down");
        for record in [forwarded, fanned_out] {
            assert_end(&record, plainly(Outcome::Completed));
            assert_eq!((record.incidents.count(Incident::PassedOn), record.answers_home), (1, 0));
        }
        // At home nobody is asked.
        let home = call(Forwarding, &[latency_is, hop_is, ALONE]);
        assert_eq!((ended_ms(&home), home.incidents.count(Incident::PassedOn)), (WHOLE_MS + latency, 0));
    }
}

#[test]
pub fn what_a_volatile_store_keeps_is_gone_after_an_outage() {
    let between = outage("30s", "1s");
    for (keeps, storing, forwarding) in [
        ("durable", plainly(Outcome::Completed), plainly(Outcome::Completed)),
        ("volatile", because(Outcome::Refused, Cause::StoreLost), because(Outcome::Failed, Cause::StoreLost)),
    ] {
        let keeps = format!("store.keeps={keeps}");
        assert_end(&call(Storing, &[&keeps, &between]), storing);
        assert_end(&call(Forwarding, &[&keeps, &between, "clients.on_not_found=fail"]), forwarding);
        assert_end(&call(Forwarding, &[&keeps, &between, ALONE]), plainly(Outcome::Completed));
        assert_end(&call(Storing, &[&keeps, &outage("0s", "1ms")]), plainly(Outcome::Completed));
    }
}

#[test]
pub fn an_ask_that_cannot_be_written_down_fails_or_goes_out_all_the_same() {
    let at_the_ask = outage("0s", "10s");
    for design in [Storing, Forwarding] {
        let closed = call(design, &[&at_the_ask]);
        assert_end(&closed, because(Outcome::Failed, Cause::StoreDown));
        assert_eq!((closed.prompts, ended_ms(&closed)), (0, 2));
    }
    let open = call(Storing, &[&at_the_ask, "store.on_outage=open"]);
    assert_end(&open, because(Outcome::Refused, Cause::StoreLost));
    assert_eq!((open.prompts, open.entries), (1, 0));
    let at_home = call(Forwarding, &[&at_the_ask, "store.on_outage=open", ALONE]);
    assert_end(&at_home, plainly(Outcome::Completed));
}

#[test]
pub fn who_waits_for_the_store_is_served_when_it_is_back() {
    let (at_the_ask, at_the_answer) = (outage("0s", "10s"), outage("55s", "10s"));
    for (retries, at_ask, at_answer) in
        [("none", None, None), ("answers", None, Some(65_000)), ("both", Some(10_000), Some(65_000))]
    {
        let retries = format!("store.retries={retries}");
        for (outage, back, cause) in [
            (&at_the_ask, at_ask.map(|back| back + 60_000), because(Outcome::Failed, Cause::StoreDown)),
            (&at_the_answer, at_answer, because(Outcome::Refused, Cause::StoreDown)),
        ] {
            let record = call(Storing, &[&retries, outage]);
            match back {
                Some(back) => {
                    assert_end(&record, plainly(Outcome::Completed));
                    assert_eq!(ended_ms(&record), back + AGAIN_MS + 1, "{retries} {outage}");
                }
                None => assert_end(&record, cause),
            }
        }
    }
    // A published answer needs the store as well.
    let lost = call(FanOut, &[&at_the_answer, "clients.on_not_found=fail"]);
    assert_end(&lost, because(Outcome::Failed, Cause::StoreDown));
}

#[test]
pub fn an_answer_to_a_dead_owner_hangs_while_the_store_names_it_and_not_a_moment_longer() {
    let ended = |switches: &[&str]| {
        let record = orphan(switches);
        assert_end(&record, because(Outcome::Failed, Cause::Crash));
        (ended_ms(&record), record.incidents.count(Incident::PassedInVain))
    };
    // It answers after a minute and 2 ms; its owner died at 30 s, having given its last sign of life then.
    assert_eq!(ended(&[]), (60_002 + 30_000, 1));
    assert_eq!(ended(&["store.forward_timeout=5s"]), (60_002 + 5_000, 1));
    assert_eq!(ended(&["store.owner_ttl=30002ms"]), (60_002 + 30_000, 1), "named to the last instant");
    assert_eq!(ended(&["store.owner_ttl=30001ms"]), (60_002, 0));
    assert_eq!(ended(&["store.owner_ttl=50s"]), (60_002 + 30_000, 1));
    assert_eq!(ended(&["store.owner_ttl=50s", "store.heartbeat=40s"]), (60_002, 0), "its last sign was its first");
    // Nobody hears a published answer, and nobody knows.
    let published = call(FanOut, &[&NOTICES_NOTHING[..], &[OWNER_DIES]].concat());
    assert_end(&published, because(Outcome::TimedOut, Cause::Crash));
    // A client that notices the broken stream does not come back.
    let noticed = call(Forwarding, &[OWNER_DIES]);
    assert_end(&noticed, because(Outcome::Lost, Cause::Crash));
}

#[test]
fn an_owner_that_came_up_beside_the_fleet_is_named_after_its_death_like_any_other() {
    // A surge brings a process up at a spare place, which has had none before; it takes the call and is killed.
    let lines = [
        "fleet.instances=1",
        "fleet.termination={ grace = \"0s\" }",
        "arrivals.at=[\"10s\"]",
        r#"fault=[{ deploy = { at = "1s", strategy = "surge" } }, { kill = { at = "30s", select = "all", restart_after = "1s" } }]"#,
    ];
    let record = call(Forwarding, &[&NOTICES_NOTHING[..], &lines].concat());
    assert_end(&record, because(Outcome::Failed, Cause::Crash));
    assert_eq!(record.incidents.count(Incident::PassedInVain), 1);
    assert_eq!(ended_ms(&record), 70_002 + 30_000);
}

#[test]
pub fn a_deaf_owner_is_named_for_ever_and_hears_nothing_of_what_is_passed_on() {
    let deaf = |at: &str, select: &str| format!(r#"fault=[{{ deaf = {{ at = "{at}", select = "{select}" }} }}]"#);
    let asks = ["clients.on_not_found=fail", "store.owner_ttl=1s"];
    let record = call(Forwarding, &[&asks[..], &[&deaf("30s", "instance:i1")]].concat());
    assert_end(&record, because(Outcome::Failed, Cause::OwnerSilent));
    assert_eq!((ended_ms(&record), record.incidents.count(Incident::PassedInVain)), (60_002 + 30_000, 1));
    for heard in [deaf("30s", "instance:i2"), deaf("61s", "instance:i1")] {
        assert_end(&call(Forwarding, &[&asks[..], &[&heard]].concat()), plainly(Outcome::Completed));
    }
    // What reaches it by itself it hears.
    assert_end(&call(Forwarding, &[&asks[..], &[&deaf("30s", "all"), ALONE]].concat()), plainly(Outcome::Completed));
}

#[test]
pub fn a_store_crashes_after_its_life_and_is_up_after_its_repair() {
    let crashes = |mtbf: &str, repair: &str| {
        call(Storing, &[&format!(r#"fault=[{{ store-crash = {{ mtbf.constant = "{mtbf}", repair = "{repair}" }} }}]"#)])
    };
    assert_end(&crashes("59s", "10s"), because(Outcome::Refused, Cause::StoreDown));
    assert_end(&crashes("59s", "1s"), plainly(Outcome::Completed));
    assert_end(&crashes("61s", "10s"), plainly(Outcome::Completed));
    // Up for 20 s, down for 10 s, and so on: down from 50 s to 60 s, and up when the answer comes.
    assert_end(&crashes("20s", "10s"), plainly(Outcome::Completed));
    assert_end(&crashes("20s", "10003ms"), because(Outcome::Refused, Cause::StoreDown));
}

#[test]
pub fn a_shim_pushes_to_clients_of_the_earlier_era_and_runs_the_body_again() {
    let modern = call(Shim, &[]);
    assert_eq!(modern, call(Carrying, &[]), "what it is to a modern client");
    let earlier = call(Shim, &["clients.speaks=earlier", ALONE]);
    assert_end(&earlier, plainly(Outcome::Completed));
    assert_eq!((earlier.parked_ns, earlier.state_bytes), (60_000_000_000, 0));
    assert_eq!((ended_ms(&earlier), earlier.repeated_ns), (WHOLE_MS + AGAIN_MS, AGAIN_MS * 1_000_000));
    let waiting = call(Waiting, &[ALONE]);
    assert_eq!(Record { ended: waiting.ended, repeated_ns: 0, ..earlier }, waiting);
    let astray = call(Shim, &["clients.speaks=earlier"]);
    assert_end(&astray, because(Outcome::TimedOut, Cause::Misrouted));
    // Each kind of a mix for itself.
    let kinds = |old: &str| {
        let mix = format!(
            r#"clients.mix=[{{ name = "old", share = 0.999999999, speaks = "{old}" }}, {{ name = "new", share = 1e-9 }}]"#
        );
        call(Shim, &[&mix, ALONE]).parked_ns
    };
    assert_eq!((kinds("earlier"), kinds("modern")), (60_000_000_000, 0));
}
