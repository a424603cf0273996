//! Claims about the signed state that the carrying design hands out.

use parked::era::Design::{Carrying, Waiting};
use parked::metrics::Outcome;
use parked::scenario::Scenario;
use parked::world::{Cause, Signing};

use super::super::common::{self, because, plainly};
use super::{assert_end, call, with};

#[test]
pub fn a_key_for_each_process_opens_nothing_that_another_sealed() {
    let shared = call(Carrying, &["state.keys=shared"]);
    assert_end(&shared, plainly(Outcome::Completed));
    let own = call(Carrying, &["state.keys=per-process"]);
    assert_end(&own, because(Outcome::Refused, Cause::WrongKey));
    assert_eq!((own.prompts, own.entries, own.messages), (1, 0, 2), "the person answered for nothing");
    let home = call(Carrying, &["state.keys=per-process", "balancer.stickiness=learned"]);
    assert_end(&home, plainly(Outcome::Completed));
    assert_eq!(call(Waiting, &["state.keys=per-process"]), call(Waiting, &["state.keys=shared"]));
}

#[test]
pub fn a_state_is_good_up_to_its_last_instant() {
    let ttl = |ttl: &str| call(Carrying, &[&format!("state.ttl={ttl}")]);
    assert_end(&ttl("60s"), plainly(Outcome::Completed));
    let late = ttl("59999999999ns");
    assert_end(&late, because(Outcome::Refused, Cause::Expired));
    assert_eq!((late.prompts, late.entries), (1, 0));
    assert_eq!(late.ended.ns(), 60_002_000_000, "the refusal comes with the answer, not when the state expires");
    assert_end(&ttl("none"), plainly(Outcome::Completed));
    let waiting = |ttl| call(Waiting, &["fleet.instances=1", ttl]);
    assert_eq!(waiting("state.ttl=1s"), waiting("state.ttl=none"), "a call that waits carries no state");
}

#[test]
pub fn how_many_states_are_signed_for_real_changes_no_call() {
    let busy = with(&[
        "run.horizon=200s",
        "arrivals.poisson.rate=2/s",
        "balancer.policy=random",
        "people.think.exponential.mean=60s",
        "state.keys=per-process",
        "state.ttl=60s",
    ]);
    let run = |signing| {
        let scenario = Scenario { state: parked::scenario::State { signing, ..busy.state.clone() }, ..busy.clone() };
        common::cell(&scenario, Carrying)
    };
    let real = run(Signing::Real);
    for cause in ["refused/wrong_key", "refused/expired", "completed"] {
        assert!(real.records.iter().any(|record| record.end.to_string() == cause), "no call ended {cause}");
    }
    assert_eq!(run(Signing::Checked), real);
    assert_eq!(run(Signing::Symbolic), real);
}

#[test]
fn a_state_is_carried_there_and_back_and_nothing_is_carried_when_waiting() {
    let [waiting, carrying] = [Waiting, Carrying].map(|design| call(design, &["fleet.instances=1"]).state_bytes);
    // No answer yet: 33 bytes of claims are 44 characters, after `v1.` and before a dot and 43 characters of signature.
    let one_way = 3 + 44 + 1 + 43;
    assert_eq!((waiting, carrying), (0, 2 * one_way));
    assert_eq!(call(Carrying, &["people.silent=1.0"]).state_bytes, one_way, "without an answer it never comes back");
}
