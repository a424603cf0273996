//! The measures of asking, from calls to the summary. Scenarios are changed after they were read, so that a test says
//! only what it is about.

use std::time::Duration;

use super::*;
use crate::experiment::{Execution, run};
use crate::metrics::Outcome;
use crate::scenario::{ClientKind, Clients, Exposure, NoFiles, OnAsk, Source, Tool, Unable, parse};
use crate::tool::{Body, Definition};
use crate::world::{Capability, Cause, ClientCapabilities, SeenBy};

fn scenario(replications: u32) -> Scenario {
    let text = format!(
        "format = 1\nname = \"asking\"\nreplications = {replications}\nrun.horizon = \"10m\"\n\
         arrivals.poisson = {{ rate = \"1/s\" }}\npeople.think.constant = \"10s\"\nfleet.threads = \"unlimited\"\n\
         balancer.stickiness = \"learned\"\npeople.decide = {{ accept = 1.0, decline = 0.0, cancel = 0.0 }}\n"
    );
    parse(Source { name: "asking.toml".to_owned(), text }, &[], &NoFiles).expect("legal")
}

fn with_kinds(scenario: Scenario, kinds: Vec<ClientKind>) -> Scenario {
    Scenario { clients: Clients { kinds, ..scenario.clients }, ..scenario }
}

/// Clients that show what they are asked, that cannot be asked, and that cancel by themselves.
fn mix(replications: u32) -> Scenario {
    let scenario = scenario(replications);
    let shows = ClientKind { name: "shows".to_owned(), share: 0.5, ..scenario.clients.kinds[0].clone() };
    let (declares, on_ask) = (ClientCapabilities::NONE, OnAsk::Cancel(Duration::from_secs(1)));
    let mute = ClientKind { name: "mute".to_owned(), share: 0.3, declares, ..shows.clone() };
    let cancels = ClientKind { name: "cancels".to_owned(), share: 0.2, on_ask, ..shows.clone() };
    with_kinds(scenario, vec![shows, mute, cancels])
}

fn with_tool(scenario: Scenario, change: impl FnOnce(&mut Tool)) -> Scenario {
    let mut scenario = scenario;
    change(&mut scenario.tool);
    scenario
}

fn with_body(scenario: Scenario, body: Body) -> Scenario {
    with_tool(scenario, |tool| (tool.body, tool.definition) = (body, body.definition()))
}

fn summary(scenario: &Scenario) -> Summary {
    let cells = run(scenario, Execution { threads: Some(1), keep_records: false }, &()).expect("a thread");
    Summary::of(scenario, &cells)
}

fn of(summary: &Summary, design: Design) -> &DesignSummary {
    &summary.points[0].designs[&design]
}

fn difference(summary: &Summary, metric: &str) -> Option<f64> {
    let found = summary.points[0].differences.iter().find(|difference| difference.metric == metric);
    found.map(|difference| difference.mean)
}

#[test]
fn each_kind_of_client_has_its_share_and_its_own_ends_and_together_they_are_the_whole() {
    let summary = summary(&mix(5));
    for design in Design::PURE {
        let whole = of(&summary, design);
        let kinds: Vec<_> = whole.clients.iter().collect();
        assert_eq!(kinds.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["cancels", "mute", "shows"]);
        assert_eq!(kinds.iter().map(|(_, kind)| kind.started.total).sum::<f64>(), whole.started.total);
        for ((_, kind), (share, outcome, cause)) in kinds.into_iter().zip([
            (0.2, Outcome::Cancelled, Some(Cause::MachineCancel)),
            (0.3, Outcome::Unsupported, Some(Cause::Capability)),
            (0.5, Outcome::Completed, None),
        ]) {
            assert!((kind.share - share).abs() < 0.05, "{} for {share}", kind.share);
            assert_eq!(kind.share, kind.started.total / whole.started.total);
            assert!(kind.share_half_width.is_some_and(|half_width| half_width > 0.0));
            assert_eq!(kind.outcomes.keys().collect::<Vec<_>>(), [&outcome]);
            let count = &kind.outcomes[&outcome];
            assert_eq!((count.share, count.total as f64), (1.0, kind.started.total));
            assert_eq!(count.causes, cause.map(|cause| (cause, count.total)).into_iter().collect());
            assert_eq!(*count, whole.outcomes[&outcome].clone_with_share(1.0, Some(0.0)));
        }
    }
}

impl Count {
    /// The same calls as a share of others.
    fn clone_with_share(&self, share: f64, share_half_width: Option<f64>) -> Count {
        Count { share, share_half_width, ..self.clone() }
    }
}

#[test]
fn clients_of_one_kind_are_not_listed_beside_the_whole() {
    assert!(Design::PURE.iter().all(|&design| of(&summary(&scenario(1)), design).clients.is_empty()));
}

#[test]
fn a_mix_that_meets_no_call_has_no_shares() {
    let nobody = Scenario { arrivals: crate::scenario::Arrivals::At(Vec::new()), ..mix(2) };
    assert!(Design::PURE.iter().all(|&design| of(&summary(&nobody), design).clients.is_empty()));
}

#[test]
fn requests_are_counted_apart_from_prompts_and_machines_are_not_prompted() {
    let summary = summary(&mix(2));
    for design in Design::PURE {
        let whole = of(&summary, design);
        let started = |name: &str| whole.clients[name].started.total;
        assert_eq!(whole.asks.total, started("shows") + started("cancels"));
        assert_eq!(whole.prompts.total, started("shows"));
    }
    assert_eq!(difference(&summary, "asks"), Some(0.0));
}

#[test]
fn an_effect_between_two_questions_is_made_again_by_the_design_that_starts_again() {
    let plain = with_body(scenario(2), Body::TransferFunds);
    let recorded = with_tool(plain.clone(), |tool| tool.effects_in_state = true);
    let (plain, recorded) = (summary(&plain), summary(&recorded));
    let (waits, carries) = (of(&plain, Design::PURE[0]), of(&plain, Design::PURE[1]));
    assert_eq!((waits.entries.total, waits.entries_again.total), (2.0 * waits.started.total, 0.0));
    assert_eq!(
        (carries.entries.total, carries.entries_again.total),
        (3.0 * carries.started.total, carries.started.total)
    );
    assert_eq!(difference(&plain, "entries_again"), Some(-carries.started.mean));
    assert_eq!(of(&recorded, Design::PURE[1]).entries_again.total, 0.0);
    assert_eq!(difference(&recorded, "entries_again"), None);
}

#[test]
fn entries_of_calls_that_end_otherwise_are_orphaned() {
    let transfer = with_body(scenario(1), Body::TransferFunds);
    let mut decide = transfer.people.decide;
    (decide.accept, decide.decline) = (0.5, 0.5);
    let summary =
        summary(&Scenario { people: crate::scenario::People { decide, ..transfer.people.clone() }, ..transfer });
    let waits = of(&summary, Design::PURE[0]);
    let completed = waits.outcomes[&Outcome::Completed].total as f64;
    assert!(waits.entries_orphaned.total > 0.0);
    assert_eq!(waits.entries.total, 2.0 * completed + waits.entries_orphaned.total);
    assert!(waits.entries_orphaned.total < waits.outcomes[&Outcome::Declined].total as f64, "one each, of some");
}

#[test]
fn a_server_that_goes_on_without_asking_makes_unconfirmed_entries() {
    let open = with_tool(mix(1), |tool| tool.unable = Unable::FailOpen);
    for design in Design::PURE {
        let summary = summary(&open);
        let whole = of(&summary, design);
        assert_eq!(whole.entries_unconfirmed.total, whole.clients["mute"].started.total);
    }
}

#[test]
fn answers_that_do_not_fit_are_counted_where_they_are_stopped() {
    let seats = with_body(scenario(1), Body::ChooseSeat);
    let wrong_tries = crate::random::Distribution::constant(2.0).expect("a number");
    let seats = Scenario { people: crate::scenario::People { wrong_tries, ..seats.people.clone() }, ..seats };
    let careless = ClientKind { checks_answers: false, ..seats.clients.kinds[0].clone() };
    let careless = with_kinds(seats.clone(), vec![careless]);
    let at = |scenario: &Scenario| {
        let summary = summary(scenario);
        let whole = of(&summary, Design::PURE[0]);
        let per_call = |measure: Measure| measure.total / whole.started.total;
        (per_call(whole.invalid_at_client), per_call(whole.invalid_at_server))
    };
    assert_eq!((at(&seats), at(&careless)), ((2.0, 0.0), (0.0, 1.0)));
}

#[test]
fn a_secret_by_form_counts_its_calls_for_each_party_that_keeps_what_it_sees() {
    let seen_by: Exposure = [SeenBy::Client, SeenBy::ServerLog].into_iter().collect();
    let secret = |definition: &mut Definition, needs| {
        (definition.asks[0].sensitive, definition.asks[0].needs) = (true, needs);
    };
    let by = |needs| {
        with_tool(scenario(1), |tool| {
            tool.seen_by = seen_by;
            secret(&mut tool.definition, needs);
        })
    };
    let summary = summary(&by(Capability::Form));
    for design in Design::PURE {
        let whole = of(&summary, design);
        let calls: Vec<_> = whole.exposed.iter().map(|(party, calls)| (*party, calls.total)).collect();
        assert_eq!(calls, [(SeenBy::Client, whole.started.total), (SeenBy::ServerLog, whole.started.total)]);
    }
    assert_eq!(difference(&summary, "exposed.server-log"), Some(0.0));
    assert_eq!(difference(&summary, "exposed.proxy"), None);
}

#[test]
fn what_stops_a_call_at_a_machine_is_named_in_the_verdict() {
    let scenario = Scenario { designs: vec![Design::PURE[0]], ..scenario(2) };
    let on_ask = OnAsk::Cancel(Duration::ZERO);
    let cancels = ClientKind { on_ask, ..scenario.clients.kinds[0].clone() };
    let verdict = summary(&with_kinds(scenario, vec![cancels])).verdict;
    assert!(verdict.contains("did not complete because the client cancelled without asking anybody"), "{verdict}");
    assert!(verdict.contains("completes 0 of"), "{verdict}");
}
