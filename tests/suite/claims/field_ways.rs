//! Claims about the scenarios that came from the field: affinity, clocks and storms.

use parked::era::Design::{self, Carrying, Waiting};
use parked::metrics::{Incident, Outcome, Record};
use parked::world::Cause;

use super::super::common::{because, plainly};
use super::DESIGNS;
use super::field::{cells, shipped};

const SECOND: u64 = 1_000_000_000;

fn records(name: &str, design: Design, switches: &[&str]) -> Vec<Record> {
    cells(name, design, switches).into_iter().flat_map(|cell| cell.records).collect()
}

/// The count of calls that ended so lies within five standard deviations of its binomial law.
fn assert_share(records: &[Record], share: f64, ended_so: impl Fn(&Record) -> bool) {
    let (all, count) = (records.len() as f64, records.iter().filter(|record| ended_so(record)).count() as f64);
    let sd = (all * share * (1.0 - share)).sqrt();
    assert!((count - all * share).abs() <= 5.0 * sd, "{count} of {all}, expected {} +- {sd}", all * share);
}

fn completed(record: &Record) -> bool {
    record.end == plainly(Outcome::Completed)
}

#[test]
fn without_its_affinity_a_session_with_ten_follow_ups_survives_with_the_tenth_power_of_one_in_n() {
    let file = "the-affinity-is-gone-round.toml";
    for instances in 1..=4 {
        let fleet = format!("fleet.instances={instances}");
        let waiting = records(file, Waiting, &[&fleet]);
        assert_share(&waiting, libm::pow(f64::from(instances), -10.0), completed);
        let carrying = records(file, Carrying, &["replications=2", &fleet]);
        assert!(carrying.iter().all(completed) && carrying.len() > 3000);
    }
    // As it was meant to be: what binds the session is not gone round.
    let meant = records(file, Waiting, &["replications=1", "balancer.bypass=0.0"]);
    assert!(meant.iter().all(completed) && meant.len() > 1500);
    // A lone client under round robin never gets beyond its handshake.
    let alone = ["replications=1", "balancer.policy=round-robin", "arrivals={ at = [\"0s\"] }"];
    for instances in 2..=4 {
        let alone = records(file, Waiting, &[&alone[..], &[&format!("fleet.instances={instances}")]].concat());
        assert_eq!((alone.len(), alone[0].end), (1, because(Outcome::Failed, Cause::Misrouted)));
        assert_eq!((alone[0].messages, alone[0].prompts), (3, 0), "initialize, initialized, the end of the session");
    }
}

#[test]
fn the_shortest_clock_ends_the_call_whatever_longer_one_was_declared() {
    let file = "declared-ten-minutes.toml";
    let waiting = records(file, Waiting, &[]);
    let too_slow = because(Outcome::TimedOut, Cause::RequestDeadline);
    assert_share(&waiting, libm::exp(-0.5), |record| record.end == too_slow);
    assert!(waiting.iter().all(|record| completed(record) || record.end == too_slow));
    for record in waiting.iter().filter(|record| !completed(record)) {
        assert_eq!(record.ended.ns() - record.arrived.ns(), 60 * SECOND);
    }
    // Without the client's clock, and in the carrying design, whose requests are short, the declared one counts.
    let late = because(Outcome::Refused, Cause::ApprovalExpired);
    for (design, switch) in [(Waiting, "clients.request_timeout=none"), (Carrying, "clients.request_timeout=60s")] {
        let declared = records(file, design, &[switch]);
        assert_share(&declared, libm::exp(-5.0), |record| record.end == late);
        assert!(declared.iter().all(|record| completed(record) || record.end == late));
    }
}

#[test]
fn a_form_that_outlives_its_call_is_answered_in_vain_and_holds_up_the_next() {
    let file = "the-form-outlives-the-call.toml";
    let [first, second] = records(file, Waiting, &[])[..] else { panic!("two calls") };
    for record in [first, second] {
        assert_eq!(record.end, because(Outcome::TimedOut, Cause::RequestDeadline));
        assert_eq!((record.ended.ns() - record.arrived.ns(), record.entries), (60 * SECOND, 0));
        assert_eq!(record.incidents.count(Incident::AnswerWasted), 1);
    }
    let waited = |record: &Record| record.incidents.count(Incident::FormWaited);
    assert_eq!((waited(&first), waited(&second)), (0, 1));
    // The second form comes on the screen when the first has its answer.
    let (steps, _) = parked::experiment::story(&shipped(file, &[]), Waiting, 0, 1).expect("there are two calls");
    let shown = steps.iter().find(|step| step.what.starts_with("shows")).expect("it is shown in the end");
    assert_eq!(shown.at.ns(), 299_800_000_000);
    let carrying = records(file, Carrying, &[]);
    assert!(carrying.iter().all(|record| completed(record) && record.entries == 1));
    assert_eq!(carrying[0].ended.ns(), 299_800_000_000);
}

#[test]
fn the_hop_with_the_least_patience_cuts_a_silent_stream_and_one_heartbeat_satisfies_all() {
    let file = "the-edge-cuts-the-quiet-stream.toml";
    let cut = because(Outcome::Lost, Cause::IdleCut);
    let both = records(file, Waiting, &[]);
    assert_share(&both, libm::exp(-125.4 / 120.0), |record| record.end == cut);
    for record in both.iter().filter(|record| record.end == cut) {
        assert_eq!(record.ended.ns() - record.arrived.ns(), 125_400_000_000);
        assert_eq!((record.entries, record.incidents.count(Incident::HeldOn)), (0, 1));
        assert_eq!(record.parked_ns, 1800 * SECOND, "the server holds it until its own clock ends it");
    }
    let one = records(file, Waiting, &["balancer.idle=[\"300400ms\"]"]);
    assert_share(&one, libm::exp(-300.4 / 120.0), |record| record.end == cut);
    let beats = records(file, Waiting, &["replications=2", "fleet.heartbeat=25s"]);
    assert!(beats.iter().all(|record| record.end != cut) && beats.len() > 5000);
    assert!(records(file, Carrying, &["replications=2"]).iter().all(completed));
}

#[test]
fn hashing_on_an_id_that_is_not_minted_yet_strands_a_session_for_good_or_never() {
    let file = "hashed-before-it-is-minted.toml";
    for instances in [2, 3, 4] {
        let fleet = format!("fleet.instances={instances}");
        let waiting = records(file, Waiting, &[&fleet]);
        let stranded = because(Outcome::Failed, Cause::Misrouted);
        assert_share(&waiting, 1.0 - 1.0 / f64::from(instances), |record| record.end == stranded);
        for record in &waiting {
            // Of three answers all come home, or the first does not: nothing in between.
            let found = (record.answers, record.answers_home);
            assert_eq!(found, if completed(record) { (3, 3) } else { (1, 0) });
        }
        let cookie = ["replications=2", &fleet, "balancer.stickiness=cookie"];
        assert!(records(file, Waiting, &cookie).iter().all(completed));
    }
}

/// When each broken call of a storm was asked again, ns, ascending; the moment of the restart is 11 s.
fn asked_again(switches: &[&str]) -> Vec<(u64, u64)> {
    let cells = cells("a-restart-storm.toml", Waiting, &[&["replications=1"], switches].concat());
    let mut asked: Vec<u64> = cells[0].records.iter().map(|record| record.asked.expect("asked").ns()).collect();
    asked.sort_unstable();
    assert!(cells[0].records.iter().all(|record| completed(record) && record.prompts == 2));
    vec![(asked[0], asked[asked.len() - 1]), (asked.len() as u64, u64::from(cells[0].tally.queue.peak))]
}

#[test]
fn clients_that_come_back_after_the_same_pause_queue_up_at_once_and_jitter_spreads_them() {
    const WORK: u64 = 2_000_000;
    // All at 16 s: one works, all others are in line, and the last is through after M times the work.
    let [(first, last), (calls, peak)] = asked_again(&[])[..] else { unreachable!() };
    assert_eq!((first, last), (16 * SECOND + WORK, 16 * SECOND + calls * WORK));
    assert_eq!(peak, calls - 1);
    // Spread over 2 s at twice the capacity, the line grows to half of M; at half of it, it hardly grows.
    let spread = ["clients.retry.at_least=5s", "clients.retry.pause=2s", "clients.retry.jitter=full"];
    let line = |work: &str| {
        let work = format!("tool.work_before.constant={work}");
        let [(first, last), (calls, peak)] = asked_again(&[&spread[..], &[&work]].concat())[..] else { unreachable!() };
        assert!(first >= 16 * SECOND && last > 17 * SECOND);
        (calls as f64, peak as f64)
    };
    // (M / J - capacity) J of the fluid, within five standard deviations of the arrivals in J.
    let (calls, peak) = line("4ms");
    assert!((peak - (calls - 2.0 / 0.004)).abs() < 5.0 * calls.sqrt(), "{peak} of {calls}");
    let (_, peak) = line("1ms");
    assert!(peak < 30.0, "{peak}");
}

#[test]
fn a_restart_while_people_think_brings_nobody_back_when_nothing_is_held() {
    for design in DESIGNS {
        let cells = cells("a-restart-storm.toml", design, &["replications=1"]);
        let retried: u32 = cells[0].records.iter().map(|record| record.incidents.count(Incident::Retried)).sum();
        let broken = if design == Waiting { cells[0].records.len() as u32 } else { 0 };
        assert_eq!(retried, broken);
    }
}
