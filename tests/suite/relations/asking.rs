//! Relations between runs that differ in who can be asked, what is typed and what is looked at.

use parked::era::Design;
use parked::experiment::Cell;
use parked::metrics::Record;
use parked::random::Distribution;
use parked::scenario::{ClientKind, Clients, Exposure, People, Scenario, State, Tool, Unable};
use parked::tool::{Ask, Definition};
use parked::world::{Capability, SeenBy};

use super::{of, with_ample_threads, with_instances, with_kinds, without_work};
use crate::common::run;
use crate::invariants::swarm;

fn with_tool(scenario: &Scenario, change: impl FnOnce(Tool) -> Tool) -> Scenario {
    Scenario { tool: change(scenario.tool.clone()), ..scenario.clone() }
}

fn with_unable(scenario: &Scenario, unable: Unable) -> Scenario {
    with_tool(scenario, |tool| Tool { unable, ..tool })
}

fn with_wrong_tries(scenario: &Scenario, tries: f64) -> Scenario {
    let wrong_tries = Distribution::constant(tries).expect("a number of tries is a constant");
    let people = People { wrong_tries, ..scenario.people.clone() };
    Scenario { people, ..scenario.clone() }
}

/// Nothing happens to a call but what is asked and answered, and nothing takes time but people.
fn undisturbed(scenario: &Scenario) -> Scenario {
    let state = State { ttl: None, ..scenario.state.clone() };
    let scenario = Scenario { faults: Vec::new(), state, ..with_instances(scenario, 1) };
    without_work(with_ample_threads(scenario))
}

/// Every call of one run beside the same call of another.
fn pairs<'a>(one: &'a [Cell], other: &'a [Cell]) -> impl Iterator<Item = (&'a Record, &'a Record)> {
    one.iter().zip(other).flat_map(|(one, other)| {
        assert_eq!(one.records.len(), other.records.len(), "the same people call");
        one.records.iter().zip(&other.records)
    })
}

#[test]
fn clients_that_declare_everything_never_meet_the_policy_for_those_that_cannot_be_asked() {
    let mut matters = 0;
    for scenario in swarm::scenarios() {
        let declares = Capability::ALL.into_iter().collect();
        let able = with_kinds(&scenario, |kind| ClientKind { declares, declares_on_retry: declares, ..kind.clone() });
        let rejecting = run(&with_unable(&able, Unable::Reject));
        for unable in Unable::ALL {
            assert_eq!(rejecting, run(&with_unable(&able, unable)), "{} {unable:?}", scenario.name);
        }
        let as_it_is = |unable| run(&with_unable(&scenario, unable));
        matters += u32::from(as_it_is(Unable::Reject) != as_it_is(Unable::FailOpen));
    }
    assert!(matters >= 5, "the policy hardly ever mattered: {matters}");
}

#[test]
fn the_order_of_kinds_of_clients_that_are_alike_changes_nothing_but_their_names() {
    let mut mixed = 0;
    for scenario in swarm::scenarios().filter(|scenario| scenario.clients.kinds.len() > 1) {
        let first = scenario.clients.kinds[0].clone();
        let alike =
            with_kinds(&scenario, |kind| ClientKind { name: kind.name.clone(), share: kind.share, ..first.clone() });
        let kinds = alike.clients.kinds.iter().rev().cloned().collect();
        let reversed = Scenario { clients: Clients { kinds, ..alike.clients.clone() }, ..alike.clone() };
        let kinds = vec![ClientKind { share: 1.0, ..first }];
        let alone = Scenario { clients: Clients { kinds, ..alike.clients.clone() }, ..alike.clone() };
        let nameless = |record: &Record| Record { client: 0, ..*record };
        let alike = run(&alike);
        for other in [run(&reversed), run(&alone)] {
            for (one, other) in pairs(&alike, &other) {
                assert_eq!(nameless(one), nameless(other), "{}", scenario.name);
            }
        }
        mixed += alike[0].records.iter().filter(|record| record.client > 0).count();
    }
    assert!(mixed > 0, "no mix was mixed");
}

#[test]
fn more_wrong_tries_never_mean_fewer_prompts_while_the_host_may_ask_again() {
    let mut more = 0;
    for scenario in swarm::scenarios() {
        // A host that may not ask again cancels, and what would have been asked later never is.
        let clients = Clients { max_reasks: 10, ..scenario.clients.clone() };
        let scenario = undisturbed(&Scenario { clients, ..scenario });
        let scenario = with_kinds(&scenario, |kind| ClientKind { checks_answers: true, ..kind.clone() });
        let mut fewer = run(&with_wrong_tries(&scenario, 0.0));
        for tries in [1.0, 2.0, 10.0] {
            let wronger = run(&with_wrong_tries(&scenario, tries));
            for (fewer, wronger) in pairs(&fewer, &wronger) {
                assert!(fewer.prompts <= wronger.prompts, "{}: {fewer:?}\n{wronger:?}", scenario.name);
                more += wronger.prompts - fewer.prompts;
            }
            fewer = wronger;
        }
    }
    assert!(more > 0, "nobody was ever asked again");
}

#[test]
fn an_effect_that_the_state_records_is_never_made_again_by_a_carried_call() {
    let mut again = 0;
    for scenario in swarm::scenarios() {
        let recorded = with_tool(&scenario, |tool| Tool { effects_in_state: true, ..tool });
        let forgotten = with_tool(&scenario, |tool| Tool { effects_in_state: false, ..tool });
        let (recorded, forgotten) = (run(&recorded), run(&forgotten));
        for (recorded, forgotten) in pairs(&recorded, &forgotten) {
            // Only the length of the state differs, and nothing looks at that.
            let once = Record { state_bytes: 0, entries: recorded.entries - recorded.entries_again, ..*recorded };
            let all = Record { state_bytes: 0, entries: forgotten.entries - forgotten.entries_again, ..*forgotten };
            let without = |record: Record| Record { entries_again: 0, entries_unconfirmed: 0, ..record };
            assert_eq!(without(once), without(all), "{}", scenario.name);
            assert!(recorded.entries_unconfirmed <= forgotten.entries_unconfirmed, "{}", scenario.name);
        }
        for record in of(&recorded, Design::Carrying) {
            assert_eq!(record.entries_again, 0, "{}: {record:?}", scenario.name);
        }
        again += of(&forgotten, Design::Carrying).iter().map(|record| record.entries_again).sum::<u32>();
        let waiting = |cells: &[Cell]| of(cells, Design::Waiting);
        assert_eq!(waiting(&recorded), waiting(&forgotten), "{}: a kept body runs once", scenario.name);
    }
    assert!(again > 0, "nothing was ever made again");
}

#[test]
fn without_screening_no_call_has_fewer_prompts() {
    let mut more = 0;
    for scenario in (0..2 * swarm::MANY).map(swarm::scenario) {
        let screening = |on| {
            let scenario = with_kinds(&scenario, |kind| ClientKind { screens_forms: on, ..kind.clone() });
            run(&undisturbed(&scenario))
        };
        let (on, off) = (screening(true), screening(false));
        for (on, off) in pairs(&on, &off) {
            assert!(on.prompts <= off.prompts, "{}: {on:?}\n{off:?}", scenario.name);
            more += off.prompts - on.prompts;
        }
    }
    assert!(more > 0, "nothing was ever screened");
}

#[test]
fn where_nobody_types_wrong_it_does_not_matter_who_checks() {
    for scenario in swarm::scenarios() {
        let right = with_wrong_tries(&scenario, 0.0);
        let checking = |on| run(&with_kinds(&right, |kind| ClientKind { checks_answers: on, ..kind.clone() }));
        assert_eq!(checking(true), checking(false), "{}", scenario.name);
    }
}

#[test]
fn who_looks_and_whether_there_is_a_secret_to_see_change_nothing_but_what_is_seen() {
    let mut seen = 0;
    for scenario in swarm::scenarios() {
        let with = |sensitive: bool, seen_by: Exposure| {
            let secret = |ask: &Ask| Ask { sensitive, ..ask.clone() };
            let asks = scenario.tool.definition.asks.iter().map(secret).collect();
            let definition = Definition { asks, ..scenario.tool.definition.clone() };
            run(&with_tool(&scenario, |tool| Tool { definition, seen_by, ..tool }))
        };
        let (client, all) = ([SeenBy::Client].into_iter().collect(), SeenBy::ALL.into_iter().collect());
        let (nothing_to_see, few_look, all_look) = (with(false, all), with(true, client), with(true, all));
        let blind = |record: &Record| Record { exposed: Exposure::NONE, ..*record };
        for (one, other) in pairs(&nothing_to_see, &few_look).chain(pairs(&few_look, &all_look)) {
            assert_eq!(blind(one), blind(other), "{}", scenario.name);
            assert_eq!(one.exposed.and(other.exposed), one.exposed, "{}: fewer look and more see", scenario.name);
        }
        for (few, all) in pairs(&few_look, &all_look) {
            assert_eq!(few.exposed.has(SeenBy::Client), all.exposed.has(SeenBy::Client), "{}", scenario.name);
        }
        seen += all_look.iter().flat_map(|cell| &cell.records).filter(|r| r.exposed != Exposure::NONE).count();
        assert!(nothing_to_see.iter().flat_map(|cell| &cell.records).all(|r| r.exposed == Exposure::NONE));
    }
    assert!(seen > 0, "nobody ever saw a secret");
}
