//! Mistakes in what a message meets on its way: weights, hops, checks, tries, processes, crashes, recorded rows.

use super::*;

/// Checks the whole of what is said.
fn says(line: &str, expected: &str) {
    assert_eq!(only(&format!("{SMALLEST}{line}\n")), expected, "{line}");
}

#[test]
fn points_stand_on_a_ring_only() {
    for scheme in ["modulo", "rendezvous"] {
        let said = only(&format!("{SMALLEST}balancer.hash = {{ points = 8, scheme = \"{scheme}\" }}\n"));
        let expected = "2:28 `balancer.hash.points` has no effect here | only a ring has points | \
                        write `scheme = \"ring\"`, or take this out";
        assert_eq!(said, expected);
    }
    assert_eq!(legal(&format!("{SMALLEST}balancer.hash.points = 8\n")).balancer.hash.points, 8);
}

#[test]
fn there_is_one_weight_for_each_address_and_one_above_zero() {
    let title = "2:20 `balancer.weights` does not fit the fleet";
    let help = "one weight for each address, at least one of them above 0";
    says("balancer.weights = [1, 2]", &format!("{title} | 2 weights for 3 addresses | {help}"));
    says("balancer.weights = []", &format!("{title} | 0 weights for 3 addresses | {help}"));
    says("balancer.weights = [0, 0, 0]", &format!("{title} | no address would ever be picked | {help}"));
    let workers = legal(&format!("{SMALLEST}balancer.weights = [2, 1]\nfleet = {{ instances = 2, workers = 4 }}\n"));
    assert_eq!(
        (workers.balancer.weights, workers.fleet.instances.len()),
        (vec![2, 1], 8),
        "by address, not by process"
    );
}

#[test]
fn a_weight_is_a_whole_number_up_to_a_thousand() {
    for (weight, reason) in
        [("-1", "the smallest accepted is 0"), ("1001", "the largest accepted is 1000"), ("0.5", "the number `0.5`")]
    {
        let said = only(&format!("{SMALLEST}balancer.weights = [1, {weight}, 1]\n"));
        assert!(said.starts_with("2:24 `balancer.weights`") && said.contains(reason), "{said}");
    }
}

#[test]
fn a_hop_that_bears_no_silence_is_refused() {
    let said = only(&format!("{SMALLEST}balancer.idle = [\"60s\", \"0s\"]\n"));
    assert!(said.starts_with("2:25 `balancer.idle`") && said.contains("no request would live"), "{said}");
    let said = only(&format!("{SMALLEST}balancer.idle = [60]\n"));
    assert!(said.starts_with("2:18 `balancer.idle`") && said.contains("the unit is missing"), "{said}");
}

#[test]
fn the_first_check_is_made_within_the_first_interval() {
    let checks = |checks: &str| format!("balancer.detection.checks = {{ {checks} }}");
    let reason = "`phase` must be below `interval` | not below the interval | \
                  the phase is where in its interval the first check is made";
    says(&checks("interval = \"2s\", phase = \"2s\""), &format!("2:56 {reason}"));
    says(&checks("phase = \"5s\""), &format!("2:39 {reason}"));
    legal(&format!("{SMALLEST}{}\n", checks("interval = \"2s\", phase = \"1999ms\"")));
}

#[test]
fn a_death_is_noticed_in_one_way() {
    let says = |line: &str, start: &str, part: &str| {
        let said = only(&format!("{SMALLEST}{line}\n"));
        assert!(said.starts_with(start) && said.contains(part), "{said}");
    };
    says("balancer.detection = {}", "2:22 `balancer.detection` takes exactly one", "`lag`");
    says("balancer.detection = { lag = \"1s\", checks = {} }", "2:36 `balancer.detection` takes exactly one", "keep");
    says("balancer.detection.checks.fall = 0", "2:34 `balancer.detection.checks.fall`", "the smallest accepted is 1");
    says("balancer.detection_lag = \"1s\"", "2:10 unknown key `detection_lag` in `balancer`", "`detection`");
}

#[test]
fn pauses_between_tries_do_not_shrink() {
    let said = only(&format!("{SMALLEST}clients.retry.factor = 0.5\n"));
    assert!(
        said.starts_with("2:24 `clients.retry.factor`") && said.contains("below 1: the pauses would shrink"),
        "{said}"
    );
    let reason = "`cap` contradicts `pause` | the longest pause is below the first | \
                  give `cap` at least the length of `pause`";
    says("clients.retry = { cap = \"1s\", pause = \"2s\" }", &format!("2:25 {reason}"));
    says("clients.retry.pause = \"9s\"", &format!("2:23 {reason}"));
    legal(&format!("{SMALLEST}clients.retry = {{ cap = \"2s\", pause = \"2s\", factor = 1 }}\n"));
}

#[test]
fn a_fleet_has_no_more_processes_than_can_be_numbered() {
    says(
        "fleet = { workers = 1000, instances = 66 }",
        "2:21 a fleet has at most 65535 processes | 66 addresses with 1000 processes each",
    );
    let most = legal(&format!("{SMALLEST}fleet = {{ workers = 1000, instances = 65 }}\n")).fleet;
    assert_eq!((most.instances.len(), &*most.instances[0], &*most.instances[64_999]), (65_000, "i1/1", "i65/1000"));
}

#[test]
fn a_fault_names_addresses_however_many_processes_they_have() {
    let kill = |select: &str| {
        let fleet = "fleet = { instances = 2, workers = 4 }";
        format!("{fleet}\nfault = [{{ kill = {{ at = \"1s\", select = \"{select}\" }} }}]")
    };
    legal(&format!("{SMALLEST}{}\n", kill("instance:i2")));
    for (select, reason) in [
        ("instance:i2/1", "no instance is named `i2/1` | instances: \"i1\", \"i2\""),
        ("count:3", "the fleet has 2 instances"),
    ] {
        let said = only(&format!("{SMALLEST}{}\n", kill(select)));
        assert!(said.starts_with("3:41 `fault.0.kill.select`") && said.contains(reason), "{said}");
    }
}

#[test]
fn a_process_that_crashes_lives_for_a_second_on_average() {
    says(
        "fault = [{ crash = { mtbf.exponential = { mean = \"999ms\" } } }]",
        "2:22 `fault.crash.mtbf` is too short | no process would live | \
         on average a process lives for at least a second",
    );
    legal(&format!("{SMALLEST}fault = [{{ crash = {{ mtbf.exponential = {{ mean = \"1s\" }} }} }}]\n"));
    let said = only(&format!("{SMALLEST}fault = [{{ crash = {{ repair = \"1s\" }} }}]\n"));
    assert!(said.starts_with("2:20 `fault.0.crash.mtbf` is missing"), "{said}");
}

#[test]
fn recorded_rows_name_addresses_of_the_fleet() {
    let text =
        "name = \"a\"\narrivals.trace.file = \"x.csv\"\nbalancer.policy = \"recorded\"\nfleet.names = [\"A\", \"B\"]\n";
    let header = "arrived_s,think_s,action,first_instance,leg1_instance,answer_instance";
    let csv = format!("{header}\n1,2,accept,A,B,A\n2,2,accept,,,\n3,2,accept,A,C,a\n");
    let said = one_of(&read_with(text, &csv).unwrap_err());
    assert!(said.starts_with("2:23 the file of `arrivals.trace.file` cannot be used | 2 bad rows"), "{said}");
    for part in [
        "x.csv:4: column leg1_instance: the fleet has no address named C",
        "x.csv:4: column answer_instance: the fleet has no address named a",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    let said = one_of(&read_with(text, "arrived_s,think_s,action\n1,2,accept\n").unwrap_err());
    assert!(said.contains("the header has no column `first_instance`"), "{said}");
    // Under any other policy these columns are not read.
    assert!(read_with(&text.replace("recorded", "random"), &csv).is_ok());
}
