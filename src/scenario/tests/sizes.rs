//! Sizes that no machine would bear, and starts in a steady state that depend on how a call is bound.

use super::*;

fn says(lines: &str, expected: &str) {
    assert_eq!(only(&format!("{SMALLEST}{lines}\n")), expected, "{lines}");
}

#[test]
fn weights_count_as_addresses_and_there_are_no_more_of_those_than_in_any_fleet() {
    let weights = |fleet: usize, first: u32| {
        let rest = vec!["1000"; fleet - 1].join(", ");
        format!("fleet.instances = {fleet}\nbalancer.weights = [{first}, {rest}]")
    };
    says(
        &weights(66, 536),
        "3:20 `balancer.weights` add up to more than 65535 | they add up to 65536 | \
         smaller weights of the same proportions do the same",
    );
    legal(&format!("{SMALLEST}{}\n", weights(66, 535)));
}

#[test]
fn a_ring_holds_no_more_points_than_can_be_sorted_at_every_change() {
    let ring = |addresses: u32, more: &str| {
        format!("fleet.instances = {addresses}\nbalancer.policy = \"hash\"\nbalancer.hash.points = 10000\n{more}")
    };
    let said = |points: u32| {
        format!(
            "4:24 too many points on the ring | {points} points in all | \
             at most 16777216; `scheme = \"rendezvous\"` needs none"
        )
    };
    says(&ring(1_678, ""), &said(16_780_000));
    says(&ring(2, "balancer.weights = [1000, 678]"), &said(16_780_000));
    legal(&format!("{SMALLEST}{}", ring(1_677, "")));
    // By address, however many processes are behind each.
    legal(&format!("{SMALLEST}{}", ring(1_000, "fleet.workers = 2")));
    legal(&format!("{SMALLEST}{}", ring(1_678, "").replace("\"hash\"", "\"random\"")));
}

#[test]
fn no_more_requests_pass_beside_the_calls_than_can_be_drawn() {
    let background = |rate: &str| format!("run.horizon = \"2000s\"\nbalancer.background = \"{rate}\"");
    says(
        &background("1000001/s"),
        "3:23 too many requests | 2000002000 requests per replication up to the horizon | \
         at most 2000000000 of them",
    );
    legal(&format!("{SMALLEST}{}\n", background("1000000/s")));
}

/// A stationary start that leaves it to `more` to bind a call to one process.
fn steady(more: &str) -> String {
    let fleet = "threads = \"unlimited\", misroute = \"not-found\"";
    format!("{SMALLEST}run.start = \"stationary\"\nfleet = {{ {fleet} }}\n{more}\n")
}

#[test]
fn a_hash_binds_as_stickiness_does_unless_it_needs_a_session() {
    for by in ["source", "user"] {
        legal(&steady(&format!("balancer = {{ policy = \"hash\", hash.by = \"{by}\" }}")));
    }
    legal(&steady("balancer.stickiness = \"cookie\""));
    for unbound in [
        "balancer = { policy = \"hash\", hash.by = \"session\" }",
        "balancer = { policy = \"hash\", bypass = 0.5 }",
        "balancer = { stickiness = \"cookie\", bypass = 0.5 }",
        "balancer = { stickiness = \"learned\", learned.ttl = \"1h\" }",
    ] {
        let said = invalid(&steady(unbound)).render(false);
        assert!(said.contains("loses answers in a pattern") && said.contains("leaves its call parked"), "{said}");
        let said = only(&steady(&format!("{unbound}\nclients.on_not_found = \"fail\"")));
        assert!(said.starts_with("2:13 ") && said.contains("loses answers in a pattern"), "{said}");
    }
}

#[test]
fn what_is_bound_to_an_address_is_not_bound_to_one_of_its_processes() {
    let workers = |on_not_found: &str| {
        let fleet = "fleet = { threads = \"unlimited\", misroute = \"not-found\", workers = 2 }";
        let bound = "balancer.stickiness = \"cookie\"";
        format!("{SMALLEST}run.start = \"stationary\"\n{fleet}\n{bound}\nclients.on_not_found = \"{on_not_found}\"\n")
    };
    let said = only(&workers("wait"));
    assert!(said.starts_with("2:13 ") && said.contains("with `fleet.workers = 1`"), "{said}");
    legal(&workers("fail"));
}
