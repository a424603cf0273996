//! Settings that ask for an effect which another setting rules out. Each is refused where it stands, with the reason and
//! a way out; what merely waits for another setting to be switched on is legal.

use super::*;

/// Checks the whole of what is said: place and title, reason, way out.
fn contradicts(lines: &str, place: &str, key: &str, reason: &str, way_out: &str) {
    let said = only(&format!("{SMALLEST}{lines}\n"));
    assert_eq!(said, format!("{place} `{key}` contradicts the rest | {reason} | {way_out}"), "{lines}");
}

const ADD_WAITING: &str = "add `waiting` to `designs`, or take this out";

#[test]
fn a_heartbeat_needs_a_stream_that_stays_open_and_somebody_who_minds_its_silence() {
    let key = "fleet.heartbeat";
    let carrying = "designs = [\"carrying\"]\nbalancer.idle = [\"60s\"]\nfleet.heartbeat = \"25s\"";
    contradicts(carrying, "4:19", key, "no stream stays open in the carrying design", ADD_WAITING);
    contradicts(
        "fleet.heartbeat = \"25s\"",
        "2:19",
        key,
        "nobody on the way minds silence on a stream",
        "write `balancer.idle`, or take this out",
    );
    legal(&format!("{SMALLEST}balancer.idle = [\"60s\"]\nfleet.heartbeat = \"25s\"\n"));
}

#[test]
fn a_heartbeat_that_is_not_there_does_not_vary() {
    contradicts(
        "fleet.heartbeat_jitter = 0.1",
        "2:26",
        "fleet.heartbeat_jitter",
        "there is no heartbeat that could vary",
        "write `fleet.heartbeat`, or take this out",
    );
    let beats = "balancer.idle = [\"60s\"]\nfleet = { heartbeat = \"25s\", heartbeat_jitter = 0.1 }";
    legal(&format!("{SMALLEST}{beats}\n"));
}

#[test]
fn the_carrying_design_alone_has_no_session_to_end_or_to_hash() {
    let reason = "there are no sessions in the carrying design";
    let idle = "designs = [\"carrying\"]\nfleet.session_idle = \"5m\"";
    contradicts(idle, "3:22", "fleet.session_idle", reason, ADD_WAITING);
    let hash = "designs = [\"carrying\"]\nbalancer = { policy = \"hash\", hash.by = \"session\" }";
    contradicts(hash, "3:41", "balancer.hash.by", reason, "hash by `source` or `user`");
    for lines in [idle, hash] {
        legal(&format!("{SMALLEST}{}\n", lines.replace("[\"carrying\"]", "[\"waiting\", \"carrying\"]")));
    }
}

#[test]
fn sessions_that_nobody_mints_are_shared_by_nobody() {
    contradicts(
        "fleet.sessions = \"shared\"",
        "2:18",
        "fleet.sessions",
        "no session is minted without a handshake",
        "write `clients.handshake = \"full\"`, or take this out",
    );
    for handshake in ["full", "discover"] {
        legal(&format!("{SMALLEST}fleet.sessions = \"shared\"\nclients.handshake = \"{handshake}\"\n"));
    }
}

#[test]
fn an_answer_waits_for_a_thread_only_where_threads_end() {
    contradicts(
        "fleet = { threads = \"unlimited\", answers_need_thread = true }",
        "2:56",
        "fleet.answers_need_thread",
        "there are threads for all",
        "give `fleet.threads` a number, or take this out",
    );
    legal(&format!("{SMALLEST}fleet = {{ threads = 1, answers_need_thread = true }}\n"));
}

#[test]
fn what_binds_nothing_cannot_be_gone_round() {
    contradicts(
        "balancer.bypass = 0.5",
        "2:19",
        "balancer.bypass",
        "nothing binds a call that could be gone round",
        "give `balancer.stickiness` a value, or hash",
    );
    for binds in ["stickiness = \"cookie\"", "stickiness = \"learned\"", "policy = \"hash\""] {
        legal(&format!("{SMALLEST}balancer = {{ bypass = 0.5, {binds} }}\n"));
    }
}

#[test]
fn a_recorded_way_needs_rows() {
    contradicts(
        "balancer.policy = \"recorded\"",
        "2:19",
        "balancer.policy",
        "there are no rows that say where messages went",
        "write `arrivals.trace`, or another policy",
    );
}

#[test]
fn only_people_who_call_more_than_once_can_have_two_forms() {
    for forms in ["queue", "overwrite", "refuse"] {
        contradicts(
            &format!("people.forms = \"{forms}\""),
            "2:16",
            "people.forms",
            "each call has a person of its own, who never has two forms",
            "write `people.users`, or take this out",
        );
        legal(&format!("{SMALLEST}people = {{ users = 5, forms = \"{forms}\" }}\n"));
    }
}

#[test]
fn a_budget_that_is_not_there_does_not_pause() {
    contradicts(
        "tool.budget_pauses = true",
        "2:22",
        "tool.budget_pauses",
        "there is no budget that could pause",
        "write `tool.budget`, or take this out",
    );
    legal(&format!("{SMALLEST}tool = {{ budget = \"5m\", budget_pauses = true }}\n"));
}

#[test]
fn every_contradiction_of_a_file_is_said() {
    let lines =
        "people.forms = \"queue\"\nbalancer.bypass = 0.5\nfleet = { sessions = \"shared\", heartbeat_jitter = 0.5 }\n";
    let invalid = invalid(&format!("{SMALLEST}{lines}"));
    let titles: Vec<&str> = invalid.problems().iter().map(|problem| problem.title.as_str()).collect();
    let keys = ["people.forms", "balancer.bypass", "fleet.sessions", "fleet.heartbeat_jitter"];
    assert_eq!(titles, keys.map(|key| format!("`{key}` contradicts the rest")), "{invalid}");
}

#[test]
fn a_setting_may_wait_for_the_one_that_gives_it_an_effect() {
    for waits in [
        "balancer.ties = \"first\"",
        "balancer.hash = { by = \"user\", scheme = \"rendezvous\" }",
        "balancer = { replicas = 3, background = \"1/s\", policy = \"random\" }",
        "balancer.learned = { ttl = \"5m\", refresh = false }",
        "balancer.connections_per_call = 4",
        "clients = { cancel = \"never\", serves_after = \"2s\", keeps_form = true, reuse = 0.5, sources = 3 }",
        "clients.retry = { on = [\"full\"], jitter = \"none\" }",
    ] {
        legal(&format!("{SMALLEST}{waits}\n"));
    }
}
