//! Relations between runs that differ in what is done to states, and in what stands against it.

use parked::era::Design;
use parked::metrics::{Incident, Incidents, Record};
use parked::scenario::{Attacks, Fault, Scenario, SpentStates, State};

use super::{of, without_attacks};
use crate::common::run;
use crate::invariants::swarm;

fn with_state(scenario: &Scenario, change: impl FnOnce(State) -> State) -> Scenario {
    Scenario { state: change(scenario.state.clone()), ..scenario.clone() }
}

/// As many scenarios as elsewhere, of those that draw what is done to states.
fn scenarios() -> impl Iterator<Item = Scenario> {
    (3..4 * swarm::MANY).step_by(4).map(swarm::scenario)
}

/// The scenario in which the store of used states can always be asked.
fn with_store_up(scenario: &Scenario) -> Scenario {
    let kills = scenario.faults.iter().filter(|fault| matches!(fault, Fault::Kill { .. }));
    Scenario { faults: kills.cloned().collect(), ..scenario.clone() }
}

/// The scenario in which some states are attacked in each way.
fn attacked(scenario: &Scenario) -> Scenario {
    let (tampered, stolen, other_call, late, replayed) = (0.125, 0.125, 0.125, 0.125, 0.5);
    let attack = Attacks { tampered, stolen, other_call, late, replayed, times: 3 };
    Scenario { attack, ..scenario.clone() }
}

#[test]
fn a_shared_ledger_never_lets_more_through_than_one_of_each_instance_and_that_never_more_than_none() {
    let mut kept = [0, 0];
    for scenario in scenarios() {
        let entries = |ledger| {
            let scenario = with_state(&with_store_up(&attacked(&scenario)), |state| State { ledger, ..state });
            run(&scenario).into_iter().flat_map(|cell| cell.records).collect::<Vec<Record>>()
        };
        let ledgers = [SpentStates::Shared, SpentStates::PerInstance, SpentStates::None].map(entries);
        // Copies are routed whoever serves them, so nothing else differs.
        let once = |record: &Record| Record { incidents: Incidents::NONE, entries: 0, ..*record };
        for (step, pair) in ledgers.windows(2).enumerate() {
            assert_eq!(pair[0].len(), pair[1].len(), "the same people call");
            for (stricter, laxer) in pair[0].iter().zip(&pair[1]) {
                assert_eq!(once(stricter), once(laxer), "{}", scenario.name);
                assert!(stricter.entries <= laxer.entries, "{}: {stricter:?}\n{laxer:?}", scenario.name);
                kept[step] += laxer.entries - stricter.entries;
            }
        }
    }
    assert!(kept.iter().all(|&kept| kept > 0), "a ledger never mattered: {kept:?}");
}

#[test]
fn a_ledger_that_can_be_asked_changes_nothing_where_nothing_is_sent_again() {
    for scenario in scenarios() {
        let kept = |ledger| {
            let scenario = with_store_up(&without_attacks(&scenario));
            run(&with_state(&scenario, |state| State { ledger, ..state }))
        };
        let nobody = kept(SpentStates::None);
        assert_eq!(nobody, kept(SpentStates::PerInstance), "{}", scenario.name);
        assert_eq!(nobody, kept(SpentStates::Shared), "{}", scenario.name);
    }
}

#[test]
fn no_attack_on_states_changes_a_call_that_waits() {
    let mut copies = 0;
    for scenario in scenarios() {
        let (calm, attacked) = (run(&without_attacks(&scenario)), run(&attacked(&scenario)));
        assert_eq!(of(&calm, Design::Waiting), of(&attacked, Design::Waiting), "{}", scenario.name);
        let carried = of(&attacked, Design::Carrying);
        copies += carried.iter().map(|record| record.incidents.count(Incident::Replay)).sum::<u32>();
    }
    assert!(copies > 0, "nothing was ever sent again");
}

#[test]
fn a_key_that_a_state_names_changes_what_the_server_sees_and_nothing_that_happens() {
    for scenario in scenarios() {
        let named = |key_id| run(&with_state(&attacked(&scenario), |state| State { key_id, ..state }));
        assert_eq!(named(true), named(false), "{}", scenario.name);
    }
}
