//! What is done to a fleet on purpose, as it is written: what it means, and what cannot be.

use std::time::Duration;

use super::*;
use crate::engine::SimTime;
use crate::random::Distribution;
use crate::scenario::{Fault, ScaleBy, Scaling, Select, Strategy, Termination, Victim};

/// Checks the whole of what is said.
fn says(lines: &str, expected: &str) {
    assert_eq!(only(&format!("{SMALLEST}{lines}\n")), expected, "{lines}");
}

/// The faults of this list.
fn faults(list: &str) -> Vec<Fault> {
    legal(&format!("{SMALLEST}fault = [{list}]\n")).faults
}

/// How many addresses may run beside the three of the fleet.
fn spare(lines: &str) -> u32 {
    legal(&format!("{SMALLEST}{lines}\n")).fleet.spare
}

const S: fn(u64) -> Duration = Duration::from_secs;

#[test]
fn each_thing_that_is_done_to_a_fleet_is_read_with_its_defaults() {
    let minute = SimTime::from_ns(60_000_000_000);
    let deploy = |every, strategy, batch| Fault::Deploy { at: minute, every, strategy, batch };
    assert_eq!(faults("{ deploy = { at = \"1m\" } }"), [deploy(None, Strategy::Rolling, 1)]);
    let often = "{ deploy = { at = \"1m\", every = \"1h\", strategy = \"surge\", batch = 3 } }";
    assert_eq!(faults(often), [deploy(Some(S(3_600)), Strategy::Surge, 3)]);
    for (word, strategy) in [("blue-green", Strategy::BlueGreen), ("recreate", Strategy::Recreate)] {
        let at_once = format!("{{ deploy = {{ at = \"1m\", strategy = \"{word}\" }} }}");
        assert_eq!(faults(&at_once), [deploy(None, strategy, 1)]);
    }
    assert_eq!(faults("{ scale = { at = \"1m\", to = 9 } }"), [Fault::Scale { at: minute, to: 9 }]);
    let every = Distribution::exponential(72_000.0).unwrap();
    let reclaim = |notice| Fault::Reclaim { every: every.clone(), notice };
    assert_eq!(faults("{ reclaim = { every.exponential = { mean = \"20h\" } } }"), [reclaim(S(120))]);
    assert_eq!(faults("{ reclaim = { every.exponential.mean = \"20h\", notice = \"30s\" } }"), [reclaim(S(30))]);
}

#[test]
fn a_repair_is_a_duration_or_a_distribution() {
    let repair = |repair: &str| {
        let crash = faults(&format!("{{ crash = {{ mtbf.constant = \"1h\"{repair} }} }}"));
        let [Fault::Crash { repair, .. }] = &crash[..] else { panic!("{crash:?}") };
        repair.clone()
    };
    assert_eq!(repair(""), Distribution::constant(30.0).unwrap());
    assert_eq!(repair(", repair = \"1500ms\""), Distribution::constant(1.5).unwrap());
    assert_eq!(repair(", repair.exponential.mean = \"9s\""), Distribution::exponential(9.0).unwrap());
    let said = only(&format!("{SMALLEST}fault = [{{ crash = {{ mtbf.constant = \"1h\", repair = 30 }} }}]\n"));
    let start = "2:53 `fault.0.crash.repair` takes a duration or a distribution of times | the unit is missing";
    assert!(said.starts_with(start), "{said}");
}

#[test]
fn a_termination_and_a_scaling_are_read_with_their_defaults() {
    let text = "fleet.termination = { removal_lag = \"5s\", pre_stop = \"10s\", drain = \"15s\" }\nfleet.boot = \"20s\"\n\
                fleet.victim = \"fewest\"\nfleet.scaling = { by = \"in-flight\", target = 40, max = 9 }\n";
    let fleet = legal(&format!("{SMALLEST}{text}")).fleet;
    let goes = Termination { removal_lag: S(5), pre_stop: S(10), drain: Some(S(15)), grace: S(30) };
    assert_eq!((fleet.termination, fleet.boot, fleet.victim), (goes, S(20), Victim::Fewest));
    let scaling = Scaling {
        by: ScaleBy::InFlight,
        target: 40.0,
        cores: 1,
        min: 1,
        max: 9,
        interval: S(15),
        tolerance: 0.1,
        hold_out: Duration::ZERO,
        hold_in: S(300),
        most_out: None,
        most_in: None,
    };
    assert_eq!(fleet.scaling, Some(scaling));
    let by_cpu = legal(&format!("{SMALLEST}fleet.scaling = {{ target = 0.8, max = 3, most_in = 1 }}\n")).fleet;
    let by_cpu = by_cpu.scaling.expect("it is written");
    assert_eq!((by_cpu.by, by_cpu.most_in, by_cpu.most_out), (ScaleBy::Cpu, Some(1), None));
}

#[test]
fn a_drain_longer_than_its_grace_is_refused() {
    let help = "give `grace` at least the length of `pre_stop` and `drain` together, or let `drain` be \"none\"";
    says(
        "fleet.termination.drain = \"31s\"",
        &format!(
            "2:27 a drain longer than its grace | the kill comes first: 30s are left of a `grace` of 30s | {help}"
        ),
    );
    says(
        "fleet.termination = { pre_stop = \"10s\", drain = \"20001ms\" }",
        &format!(
            "2:49 a drain longer than its grace | the kill comes first: 20s are left of a `grace` of 30s | {help}"
        ),
    );
    let help = "give `grace` at least the length of `pre_stop`; it begins with the order, not after the pause";
    says(
        "fleet.termination = { pre_stop = \"10s\", grace = \"9s\" }",
        &format!("2:34 a pause longer than its grace | the kill comes first: `grace` is 9s | {help}"),
    );
    for fits in ["pre_stop = \"10s\", drain = \"20s\"", "pre_stop = \"30s\"", "drain = \"0s\", grace = \"0s\""] {
        legal(&format!("{SMALLEST}fleet.termination = {{ {fits} }}\n"));
    }
}

#[test]
fn a_zone_without_instances_is_refused() {
    let help = "addresses belong to the zones in turn; name as many zones as addresses at most";
    says(
        "fleet.zones = [\"a\", \"b\", \"c\", \"d\"]",
        &format!("2:15 a zone without instances | nothing runs in \"d\": 4 zones for 3 addresses | {help}"),
    );
    says(
        "fleet.zones = []",
        "2:15 a zone without instances | the list is empty | take it out, or name one zone at least",
    );
    says(
        "fleet.zones = [\"a\", \"b\", \"a\"]",
        "2:26 `fleet.zones` takes a list of names | stands in the list already",
    );
    assert_eq!(legal(&format!("{SMALLEST}fleet.zones = [\"a\", \"b\"]\n")).fleet.zones, ["a", "b"]);
}

#[test]
fn a_kill_strikes_a_zone_that_has_a_name() {
    let kill = |select: &str| format!("fault = [{{ kill = {{ at = \"1m\", select = \"{select}\" }} }}]");
    let zones = "fleet.zones = [\"eu-1\", \"eu-2\"]\n";
    let scenario = legal(&format!("{SMALLEST}{zones}{}\n", kill("zone:eu-2")));
    let [Fault::Kill { select, .. }] = &scenario.faults[..] else { panic!("{:?}", scenario.faults) };
    assert_eq!(select, &Select::Zone { zone: 1, of: 2 });
    let title = "`fault.0.kill.select` takes \"all\", \"count:N\", \"instance:NAME\" or \"zone:NAME\"";
    says(
        &kill("zone:eu-1"),
        &format!("2:41 {title} | the fleet has no zones | name them: `fleet.zones = [\"a\", \"b\"]`"),
    );
    says(
        &format!("{zones}{}", kill("zone:eu-3")),
        &format!("3:41 {title} | no zone is named `eu-3` | did you mean \"zone:eu-1\"? | zones: \"eu-1\", \"eu-2\""),
    );
    says(&kill("zon:eu-1"), &format!("2:41 {title} | found text `zon:eu-1`"));
}

#[test]
fn a_fleet_scales_between_bounds_that_hold_it_at_its_start() {
    let scaling = |keys: &str| format!("fleet.scaling = {{ target = 0.5, {keys} }}");
    let fit = "`fleet.scaling` does not fit the fleet | the fleet starts with 3 addresses | \
               `min` <= `fleet.instances` <= `max`";
    says(&scaling("max = 2"), &format!("2:39 {fit}"));
    says(&scaling("max = 9, min = 4"), &format!("2:48 {fit}"));
    says(&scaling("max = 4, min = 5"), "2:48 `min` must not be above `max` | `max` is 4");
    says(
        "fleet.scaling = { target = 80, max = 9 }",
        "2:28 `fleet.scaling.target` can never be met | no core works more than all the time | \
         a share: 0.8 for 80 %; with `by = \"in-flight\"` a number of requests",
    );
    let said = only(&format!("{SMALLEST}fleet.scaling = {{ max = 9 }}\n"));
    assert!(said.starts_with("2:17 `fleet.scaling.target` is missing"), "{said}");
    assert_eq!(spare(&scaling("max = 9, min = 3")), 6);
}

#[test]
fn the_size_of_a_fleet_is_in_one_hand() {
    let scale = "fault = [{ scale = { at = \"1m\", to = 5 } }]";
    says(
        &format!("{scale}\nfleet.scaling = {{ target = 0.5, max = 9 }}"),
        "2:10 `fault.scale` contradicts `fleet.scaling` | the fleet grows and shrinks by itself | take out one of the two",
    );
    assert_eq!(spare(scale), 2);
    assert_eq!(spare(&scale.replace('5', "2")), 0);
}

#[test]
fn a_batch_is_a_part_of_the_fleet_and_only_of_one_that_is_replaced_by_parts() {
    let deploy = |keys: &str| format!("fault = [{{ deploy = {{ at = \"1m\", {keys} }} }}]");
    says(
        &deploy("batch = 4"),
        "2:42 `fault.deploy.batch` is larger than the fleet | the fleet has 3 addresses | \
         a batch is a part of the fleet; `strategy = \"blue-green\"` replaces all at once",
    );
    for strategy in ["blue-green", "recreate"] {
        let said = only(&format!("{SMALLEST}{}\n", deploy(&format!("batch = 1, strategy = \"{strategy}\""))));
        let expected = "2:42 `fault.deploy.batch` has no effect here | this strategy replaces all addresses at once | \
                        write `strategy = \"rolling\"` or `\"surge\"`, or take this out";
        assert_eq!(said, expected);
    }
    legal(&format!("{SMALLEST}{}\n", deploy("batch = 3")));
}

#[test]
fn what_happens_again_and_again_leaves_time_between() {
    says(
        "fault = [{ deploy = { at = \"1m\", every = \"999ms\" } }]",
        "2:42 `fault.deploy.every` is too short | below a second | no deploy would ever be done",
    );
    says(
        "fault = [{ reclaim = { every.constant = \"999ms\" } }]",
        "2:24 `fault.reclaim.every` is too short | no address would stay | \
         on average an address stays for at least a second",
    );
    let said = only(&format!("{SMALLEST}fault = [{{ reclaim = {{ notice = \"30s\" }} }}]\n"));
    assert!(said.starts_with("2:22 `fault.0.reclaim.every` is missing"), "{said}");
    for (action, at) in [("deploy = { at = \"61m\" }", "2:28"), ("scale = { to = 1, at = \"61m\" }", "2:35")] {
        let said = only(&format!("{SMALLEST}fault = [{{ {action} }}]\n"));
        assert!(said.starts_with(at) && said.contains("after the horizon"), "{said}");
    }
}

#[test]
fn a_deploy_beside_the_fleet_needs_a_fleet_of_spare_addresses_and_one_in_its_place_needs_none() {
    let deploys = |keys: &str| format!("fault = [{{ deploy = {{ at = \"0s\", {keys} }} }}]");
    for (strategy, generations) in [("rolling", 0), ("recreate", 0), ("surge", 1), ("blue-green", 1)] {
        assert_eq!(spare(&deploys(&format!("strategy = \"{strategy}\""))), 3 * generations, "{strategy}");
    }
    // Each takes 30 s of grace at most: the next begins at the end of the one before, or before that.
    let often = |every: &str| spare(&deploys(&format!("strategy = \"surge\", every = \"{every}\"")));
    assert_eq!([often("1h"), often("30s"), often("29s"), often("10s")], [6, 6, 9, 12]);
    assert_eq!(spare(&deploys("strategy = \"surge\", every = \"61m\"")), 3, "there is only one");
    let boots = format!("fleet.boot = \"31s\"\n{}", deploys("strategy = \"surge\", every = \"1m\""));
    assert_eq!(spare(&boots), 9);
    let two = "fault = [{ deploy = { at = \"0s\", strategy = \"surge\" } }, { deploy = { at = \"1s\", strategy = \"surge\" } }, \
               { scale = { at = \"5m\", to = 5 } }]";
    assert_eq!(spare(two), 2 + 5 + 5, "several deploys add up, each with as many as the fleet may have");
}

#[test]
fn a_fleet_that_may_need_more_processes_than_can_be_numbered_is_refused() {
    let help = "a smaller fleet, or deploys further apart, need fewer; `rolling` and `recreate` need none beside it";
    let title = "a fleet has at most 65535 processes";
    says(
        "fault = [{ deploy = { at = \"0s\", strategy = \"surge\" } }]\nfleet = { instances = 40000 }",
        &format!("2:10 {title} | up to 80000 addresses at a time | {help}"),
    );
    says(
        "fleet = { workers = 10, scaling = { max = 6554, target = 1 } }",
        &format!("2:43 {title} | up to 6554 addresses at a time with 10 processes each | {help}"),
    );
    assert_eq!(spare("fleet = { workers = 10, scaling = { max = 6553, target = 1 } }"), 6_550);
}

#[test]
fn weights_are_for_a_fleet_that_keeps_its_addresses() {
    let said = only(&format!(
        "{SMALLEST}balancer.weights = [1, 2, 1]\nfault = [{{ deploy = {{ at = \"1m\", strategy = \"surge\" }} }}]\n"
    ));
    let expected = "2:20 `balancer.weights` contradicts the rest | addresses that come up beside the fleet have no weight \
                    | take this out, or let nothing come up beside: `strategy = \"rolling\"`, no scaling";
    assert_eq!(said, expected);
    legal(&format!("{SMALLEST}balancer.weights = [1, 2, 1]\nfault = [{{ deploy = {{ at = \"1m\" }} }}]\n"));
}

#[test]
fn only_a_fleet_whose_size_is_known_starts_in_its_steady_state() {
    let steady = "run.start = \"stationary\"\nfleet = { threads = \"unlimited\", misroute = \"not-found\" }\n\
                  balancer.stickiness = \"learned\"\n";
    for later in [
        "{ deploy = { at = \"1m\" } }",
        "{ scale = { at = \"1m\", to = 1 } }",
        "{ reclaim = { every.exponential.mean = \"20h\" } }",
    ] {
        legal(&format!("{SMALLEST}{steady}fault = [{later}]\n"));
    }
    let scaling = steady.replace("threads =", "scaling = { target = 0.5, max = 9 }, threads =");
    says(
        &scaling,
        "2:13 `run.start = \"stationary\"` is not possible here | \
         a fleet that grows and shrinks by itself has no size that is known at the start | take `fleet.scaling` out",
    );
}
