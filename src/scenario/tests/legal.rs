//! What a legal scenario means: defaults, spellings that say the same, and the hash over the meaning.

use std::time::Duration;

use super::*;
use crate::engine::SimTime;
use crate::random::Distribution;
use crate::scenario::*;
use crate::tool::Body;
use crate::world::{Capability, ClientCapabilities, SeenBy};

#[test]
fn the_smallest_scenario_has_every_default() {
    let scenario = legal(SMALLEST);
    let seconds = |s: u64| SimTime::from_ns(s * 1_000_000_000);
    assert_eq!((scenario.seed, scenario.replications), (20_260_728, 20));
    assert_eq!(scenario.designs, [Design::Waiting, Design::Carrying]);
    assert_eq!(
        scenario.run,
        Run { start: Start::Empty, stop: Stop::Cohort, horizon: seconds(3_600), warm_up: seconds(0) }
    );
    assert_eq!(scenario.arrivals, Arrivals::Poisson { rate_per_s: 5.0 });
    assert_eq!(scenario.tool.amount, Distribution::constant(500.0).unwrap());
    assert_eq!(scenario.tool.work_after, Distribution::exponential(0.005).unwrap());
    assert_eq!(scenario.people.think, Distribution::lognormal_median_p95(45.0, 240.0).unwrap());
    assert_eq!(scenario.people.silent, 0.0);
    assert_eq!(scenario.clients.patience, Some(Duration::from_secs(300)));
    assert_eq!(scenario.clients.resend_pause, Duration::from_millis(250));
    assert_eq!((scenario.clients.max_rounds, scenario.clients.max_resends), (10, 10));
    assert_eq!((scenario.clients.on_not_found, scenario.clients.on_broken), (OnNotFound::Wait, OnBroken::Fail));
    let declares = ClientCapabilities::NONE.with(Capability::Form);
    let client = ClientKind {
        speaks: Revision::Modern,
        name: "client".into(),
        share: 1.0,
        declares,
        declares_on_retry: declares,
        on_ask: OnAsk::Show,
        checks_answers: true,
        screens_forms: true,
        inspects_links: true,
    };
    assert_eq!(scenario.clients.kinds, [client]);
    assert_eq!((scenario.clients.max_reasks, scenario.clients.model), (3, Model { calls_again: 1.0, truthful: 1.0 }));
    assert_eq!((scenario.tool.body, scenario.tool.unable), (Body::SubmitExpense, Unable::Reject));
    assert_eq!((scenario.tool.on_invalid, scenario.tool.effects_in_state), (OnInvalid::Refuse, false));
    assert_eq!(scenario.tool.definition, Body::SubmitExpense.definition());
    assert_eq!(scenario.tool.seen_by, SeenBy::ALL.into_iter().collect());
    assert_eq!(scenario.people.wrong_tries, Distribution::constant(0.0).unwrap());
    let lag = Duration::from_secs(10);
    let balancer = Balancer {
        policy: Policy::RoundRobin,
        ties: Ties::Random,
        hash: Hashing { by: HashBy::Source, scheme: Scheme::Ring, points: 160 },
        weights: vec![],
        replicas: 1,
        background_per_s: 0.0,
        stickiness: Stickiness::None,
        bypass: 0.0,
        redispatch: true,
        resends_broken: false,
        lost_requests: 0.0,
        lost_replies: 0.0,
        detection: Detection::Lag(lag),
        idle: vec![],
        connections: None,
        connections_per_call: 2,
        drains: true,
    };
    assert_eq!(scenario.balancer, balancer);
    let retry = Retry {
        times: 0,
        on: vec![Failure::Unreachable, Failure::Broken],
        at_least: Duration::ZERO,
        pause: Duration::from_millis(500),
        factor: 2.0,
        cap: Duration::from_secs(8),
        jitter: Jitter::Full,
    };
    assert_eq!(scenario.clients.retry, retry);
    let clients = &scenario.clients;
    assert_eq!(
        (clients.request_timeout, clients.cancel, clients.serves_after),
        (None, Cancel::Reaches, Duration::ZERO)
    );
    assert_eq!((clients.keeps_form, clients.handshake, clients.reuse), (false, Handshake::None, 0.0));
    assert_eq!((clients.sources, scenario.people.forms, scenario.people.double_clicks), (None, Forms::Any, 0.0));
    let fleet = &scenario.fleet;
    assert_eq!((fleet.workers, fleet.sessions, fleet.answers_need_thread), (1, Sessions::Memory, false));
    assert!(fleet.parked_keeps_thread && scenario.clients.handshake_pause.is_zero());
    assert_eq!((fleet.answer_timeout, fleet.session_idle, fleet.heartbeat), (None, None, None));
    assert_eq!((fleet.heartbeat_jitter, scenario.tool.budget, scenario.tool.budget_pauses), (0.0, None, false));
    assert_eq!(scenario.tool.approval_ttl, None);
    let known = (scenario.tool.idempotency, scenario.tool.idempotency_scope);
    assert_eq!(known, (Idempotency::None, IdempotencyScope::Shared));
    assert_eq!((scenario.people.stale_tabs, scenario.people.stale_after), (0.0, Duration::from_secs(3600)));
    assert_eq!(scenario.fleet.instances, ["i1", "i2", "i3"]);
    assert_eq!((scenario.fleet.threads, scenario.fleet.queue), (Some(200), None));
    assert_eq!(scenario.fleet.misroute, Misroute::Swallowed);
    let goes = Termination {
        removal_lag: Duration::ZERO,
        pre_stop: Duration::ZERO,
        drain: None,
        grace: Duration::from_secs(30),
    };
    assert_eq!((&fleet.termination, fleet.boot, fleet.victim), (&goes, Duration::ZERO, Victim::Newest));
    assert!(fleet.zones.is_empty() && fleet.spare == 0 && fleet.scaling.is_none());
    let ttl = Some(Duration::from_secs(600));
    let state = State {
        keys: Keys::Shared,
        key_lag: Duration::ZERO,
        rotation: None,
        leeway: Duration::ZERO,
        checks_issued: false,
        ttl,
        signing: Signing::Checked,
        binds_principal: true,
        binds_request: true,
        key_id: false,
        ledger: SpentStates::None,
        spends_after: false,
        outage_opens: false,
        work: Duration::ZERO,
        remembers: false,
    };
    assert_eq!(scenario.state, state);
    assert_eq!((fleet.clock_skew, fleet.start_spread), (Duration::ZERO, Duration::ZERO));
    let memory = Memory { limit: None, base: 0, per_parked: 0, per_session: 0, restart: Duration::from_secs(10) };
    assert_eq!((fleet.memory, fleet.descriptors, fleet.descriptors_per_call), (memory, None, 1));
    assert_eq!((fleet.session_cap, fleet.at_session_cap), (None, AtCap::Refuse));
    assert_eq!((clients.goodbye, clients.calls_per_session), (1.0, 1));
    assert!(scenario.bill.is_none());
    assert!(!scenario.attack.any());
    assert_eq!(
        (scenario.links.unfinished, scenario.links.check),
        (Unfinished::Poll(Duration::from_secs(30)), PageCheck::SessionRequired)
    );
    assert!(scenario.faults.is_empty() && scenario.question.is_empty());
}

#[test]
fn the_template_parses_and_means_all_defaults() {
    assert_eq!(legal(&template("a")), legal(SMALLEST));
    assert!(template("a").starts_with("#:schema "));
}

#[test]
fn the_template_shows_every_key_with_its_meaning() {
    let template = template("a");
    for key in keys() {
        assert!(template.contains(key.meaning) && template.contains(key.name()), "{}", key.path);
    }
}

#[test]
#[should_panic(expected = "the name of a scenario")]
fn a_template_has_a_plain_name() {
    template("a\"\nseed = 1");
}

#[test]
fn every_commented_line_of_the_template_is_legal_too() {
    let line = |start: &str| {
        let template = template("a");
        let line = template.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{start}"));
        line.trim_start_matches("# ").to_string()
    };
    for variant in ["# constant", "# profile", "# at"] {
        legal(&format!("{SMALLEST}[arrivals]\n{}", line(variant)));
    }
    legal(&format!("{SMALLEST}[fleet]\n{}", line("# names")));
    legal(&format!("{SMALLEST}[tool]\nbody = \"steps\"\n{}", line("# step")));
    let deployed = "fault = [{ deploy.at = \"1m\" }]\n[tool]\nbody = \"steps\"\nstep = [{ post = \"a\" }]\n";
    legal(&format!("{SMALLEST}{deployed}{}", line("# next")));
    for optional in ["# capabilities_on_retry", "# mix"] {
        legal(&format!("{SMALLEST}[clients]\n{}", line(optional)));
    }
    for optional in ["# weights", "# idle"] {
        legal(&format!("{SMALLEST}[balancer]\n{}", line(optional)));
    }
    legal(&format!("{SMALLEST}[state]\n{}", line("# rotation")));
    for optional in ["# zones", "# scaling"] {
        legal(&format!("{SMALLEST}[fleet]\n{}", line(optional)));
    }
    for fault in ["# kill", "# crash", "# deploy", "# scale =", "# reclaim", "# store-outage"] {
        legal(&format!("{SMALLEST}[[fault]]\n{}", line(fault)));
    }
}

/// What a stationary start needs.
const STEADY: &str =
    "fleet = { threads = \"unlimited\", misroute = \"not-found\" }\nbalancer.stickiness = \"learned\"\n";

#[test]
fn every_word_of_every_choice_is_read_and_means_itself() {
    // What stands in a list, or in a table that needs more than one key, has tests of its own.
    let in_a_list = |key: &&Key| {
        ["tool.step.", "fault.", "fleet.scaling.", "fleet.pool.", "store."]
            .iter()
            .any(|list| key.path.starts_with(list))
    };
    for key in keys().iter().filter(|key| !in_a_list(key)) {
        let Kind::Choice(words) = key.kind else {
            continue;
        };
        for word in words {
            let needed = match *word {
                "stationary" => STEADY,
                "steps" => "tool.step = [{ post = \"a\" }]\n",
                "downgrade-to-form" => {
                    "tool.body = \"steps\"\ntool.step = [{ ask = { key = \"a\", kind = \"url\" } }]\n"
                }
                "from-configuration" => {
                    "tool.body = \"steps\"\ntool.step = [{ ask = { key = \"a\", sensitive = true } }]\n"
                }
                // Means nothing by itself.
                _ if key.path == "preset" => continue,
                // Is said of each kind of clients, and has tests of its own.
                _ if key.path == "clients.speaks" => continue,
                // Needs a file, and has a test of its own.
                "recorded" => continue,
                "first" => "balancer.policy = \"least-connections\"\n",
                "per-instance" if key.path == "tool.idempotency_scope" => "tool.idempotency = \"operation\"\n",
                "after" => "state.ledger = \"shared\"\n",
                _ if key.path == "fleet.at_session_cap" => "",
                "queue" | "overwrite" | "refuse" => "people.users = 9\n",
                _ if key.path == "fleet.sessions" => "clients.handshake = \"full\"\n",
                _ if key.path == "balancer.ties" => "balancer.policy = \"two-choices\"\n",
                _ if key.path.starts_with("state.rotation.") => "state.rotation.every = \"1h\"\n",
                _ if key.path.starts_with("balancer.hash.") => "balancer.policy = \"hash\"\n",
                _ => "",
            };
            let scenario = legal(&format!("{SMALLEST}{needed}{} = \"{word}\"\n", key.path));
            let json = serde_json::to_value(&scenario).unwrap();
            let found = match key.path {
                "balancer.stickiness" if *word == "learned" => "learned".into(),
                "tool.answer_keys" => json["tool"]["definition"]["answer_keys"].as_str().unwrap().to_string(),
                "state.on_outage" => if scenario.state.outage_opens { "open" } else { "closed" }.into(),
                "state.spends" => if scenario.state.spends_after { "after" } else { "before" }.into(),
                path => path.split('.').fold(&json, |json, name| &json[name]).as_str().unwrap().to_string(),
            };
            assert_eq!(found, *word, "{}", key.path);
        }
    }
}

#[test]
fn every_distribution_is_read_with_its_parameters() {
    let think = |text: &str| legal(&format!("{SMALLEST}people.think.{text}\n")).people.think;
    assert_eq!(think("constant = \"1m\""), Distribution::constant(60.0).unwrap());
    assert_eq!(think("uniform = { from = \"1s\", to = \"2s\" }"), Distribution::uniform(1.0, 2.0).unwrap());
    assert_eq!(think("exponential.mean = \"250ms\""), Distribution::exponential(0.25).unwrap());
    let median = Distribution::lognormal_median_sigma(45.0, 1.0).unwrap();
    assert_eq!(think("lognormal = { median = \"45s\", sigma = 1 }"), median);
    let mean = Distribution::lognormal_mean_sigma(45.0, 1.5).unwrap();
    assert_eq!(think("lognormal = { mean = \"45s\", sigma = 1.5 }"), mean);
    assert_eq!(think("weibull = { shape = 0.5, scale = \"1s\" }"), Distribution::weibull(0.5, 1.0).unwrap());
    assert_eq!(think("erlang = { k = 3, mean = \"3s\" }"), Distribution::erlang(3, 3.0).unwrap());
    assert_eq!(think("never = true"), Distribution::never());
    let parts = vec![(0.75, Distribution::constant(1.0).unwrap()), (0.25, Distribution::never())];
    let mixture = "mixture = [{ weight = 0.75, constant = \"1s\" }, { weight = 0.25, never = true }]";
    assert_eq!(think(mixture), Distribution::mixture(parts).unwrap());
    let amount = legal(&format!("{SMALLEST}tool.amount.uniform = {{ from = 10, to = 500.5 }}\n")).tool.amount;
    assert_eq!(amount, Distribution::uniform(10.0, 500.5).unwrap());
}

#[test]
fn words_for_without_and_numbers_beside_them_are_told_apart() {
    let text = "clients.patience = \"none\"\nstate.ttl = \"none\"\nfleet = { threads = 1, queue = \"none\" }\n";
    let scenario = legal(&format!("{SMALLEST}{text}"));
    assert_eq!((scenario.clients.patience, scenario.state.ttl), (None, None));
    assert_eq!((scenario.fleet.threads, scenario.fleet.queue), (Some(1), Some(0)));
    let scenario = legal(&format!("{SMALLEST}fleet.threads = \"unlimited\"\n"));
    assert_eq!((scenario.fleet.threads, scenario.fleet.queue), (None, None));
}

#[test]
fn faults_are_read_in_order_with_their_targets() {
    let text = "fleet.names = [\"A\", \"B\"]\n[[fault]]\nkill = { at = \"1m\", select = \"instance:B\" }\n\
                [[fault]]\nkill = { at = \"1h\", select = \"count:2\", restart_after = \"30s\" }\n";
    let at = SimTime::from_ns(60_000_000_000);
    let first = Fault::Kill { at, select: Select::Instance(1), restart_after: None };
    let at = SimTime::from_ns(3_600_000_000_000);
    let second = Fault::Kill { at, select: Select::Count(2), restart_after: Some(Duration::from_secs(30)) };
    assert_eq!(legal(&format!("{SMALLEST}{text}")).faults, [first, second]);
}

#[test]
fn a_rotation_is_read_with_its_defaults_and_all_of_its_keys() {
    let rotation = |text: &str| legal(&format!("{SMALLEST}state.rotation = {{ {text} }}\n")).state.rotation.unwrap();
    let seconds = Duration::from_secs;
    let plain = Rotation {
        every: seconds(86_400),
        overlap: seconds(600),
        order: Order::VerifyFirst,
        spread: seconds(0),
        turns: Turns::Random,
    };
    assert_eq!(rotation("every = \"1d\""), plain);
    let all = "every = \"1d\", overlap = \"0s\", order = \"sign-first\", spread = \"5m\", turns = \"in-order\"";
    let (overlap, order, spread, turns) = (seconds(0), Order::SignFirst, seconds(300), Turns::InOrder);
    assert_eq!(rotation(all), Rotation { overlap, order, spread, turns, ..plain });
}

#[test]
fn a_constant_rate_is_a_gap_to_the_nearest_nanosecond() {
    let gap = |rate: &str| legal(&format!("{SMALLEST}arrivals.constant.rate = \"{rate}\"\n")).arrivals;
    assert_eq!(gap("3/s"), Arrivals::Constant { gap: Duration::from_nanos(333_333_333) });
    assert_eq!(gap("1/d"), Arrivals::Constant { gap: Duration::from_secs(86_400) });
}

#[test]
fn the_hash_follows_the_meaning_and_not_the_spelling() {
    let hash = |text: &str| effective_hash(&legal(text));
    let plain = hash(SMALLEST);
    assert_eq!(plain.len(), 64);
    assert!(plain.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b)));
    assert_eq!(hash("# why\nname = 'a'\nrun = { horizon = \"60m\" }\narrivals.poisson.rate = \"300/m\"\n"), plain);
    assert_eq!(hash("name = \"a\"\npeople.silent = -0.0\n"), plain);
    assert_ne!(hash("name = \"a\"\nseed = 1\n"), plain);
    assert_ne!(hash("name = \"a\"\nquestion = \"why?\"\n"), plain);
}
