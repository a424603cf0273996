//! The ladder of deadlines: whoever holds the clock, it ends the calls of the people who take longer, and the shortest ends
//! them first.

use parked::era::Design;
use parked::metrics::Outcome;
use parked::stats::theory::Think;
use parked::world::Cause;

use super::{DET60, EXP60, LN60, cells, ideal, in_words, within_binomial};

const CALLS: &str = "run.horizon = \"200s\"\narrivals.poisson.rate = \"100/s\"\nfleet.instances = 3\n\
                     balancer.stickiness = \"cookie\"\n";

/// What ended each call, if not its answer.
fn causes(replications: u32, design: Design, think: Think, lines: &str) -> Vec<Option<Cause>> {
    let scenario = ideal(replications, &format!("{CALLS}{lines}{}", in_words(think)));
    let records = cells(&scenario, design, true).into_iter().flat_map(|cell| cell.records);
    let end = |record: parked::metrics::Record| {
        assert_eq!(record.end.outcome == Outcome::Completed, record.end.cause.is_none(), "{record:?}");
        record.end.cause
    };
    records.map(end).collect()
}

/// Each clock that runs while a waiting call is parked, at this limit, and the cause that it gives.
fn clocks(limit: &str) -> [(String, Cause); 6] {
    [
        (format!("clients.patience = \"{limit}\"\n"), Cause::ClientDeadline),
        (format!("clients.request_timeout = \"{limit}\"\n"), Cause::RequestDeadline),
        (format!("fleet.answer_timeout = \"{limit}\"\n"), Cause::ServerDeadline),
        (format!("tool.budget = \"{limit}\"\n"), Cause::ToolBudget),
        (format!("tool.approval_ttl = \"{limit}\"\n"), Cause::ApprovalExpired),
        (format!("balancer.idle = [\"300h\", \"{limit}\"]\n"), Cause::IdleCut),
    ]
}

/// O4 and O16 of the field, O11: a clock of T ends the share P(W > T) of waiting calls, and every clock the same calls.
fn every_clock_ends_the_calls_of_the_people_who_take_longer(size: u32) {
    for (think, limit, sees) in [(EXP60, 60.0, 0.05), (LN60, 125.4, 0.1)] {
        let late = |(line, cause): (String, Cause)| -> Vec<bool> {
            let ended = causes(size, Design::Waiting, think, &line);
            assert!(ended.iter().all(|by| by.is_none_or(|by| by == cause)), "{line}");
            ended.iter().map(Option::is_some).collect()
        };
        let [first, others @ ..] = clocks(&format!("{limit}s"));
        let late_for_patience = late(first);
        let count = late_for_patience.iter().filter(|&&late| late).count() as f64;
        within_binomial(&format!("{think:?}"), count, late_for_patience.len() as f64, think.survival(limit), sees);
        for clock in others {
            let name = clock.1.name();
            assert_eq!(late(clock), late_for_patience, "{name}");
        }
    }
}
lanes!(every_clock_ends_the_calls_of_the_people_who_take_longer);

#[test]
fn an_answer_exactly_at_the_end_of_any_clock_is_in_time() {
    for (line, cause) in clocks("60s") {
        let ended = causes(1, Design::Waiting, DET60, &line);
        assert!(ended.iter().all(Option::is_none), "{}", cause.name());
    }
    for (line, cause) in clocks("59999999999ns") {
        let ended = causes(1, Design::Waiting, DET60, &line);
        assert!(ended.iter().all(|&by| by == Some(cause)), "{}", cause.name());
    }
}

/// FR-07: of several clocks the shortest decides, and nobody hears of the others.
#[test]
fn of_several_clocks_the_shortest_ends_the_call() {
    let all_but = |shortest: usize| -> String {
        let (long, short) = (clocks("600s"), clocks("50s"));
        (0..long.len()).map(|place| if place == shortest { &short[place].0 } else { &long[place].0 }.as_str()).collect()
    };
    for (shortest, (_, cause)) in clocks("50s").into_iter().enumerate() {
        let ended = causes(1, Design::Waiting, DET60, &all_but(shortest));
        assert!(ended.iter().all(|&by| by == Some(cause)), "{}", cause.name());
    }
}

#[test]
fn a_carried_call_has_no_stream_to_cut_and_no_open_request_that_could_last() {
    let hears = [Cause::ClientDeadline, Cause::ApprovalExpired];
    for (line, cause) in clocks("50s") {
        let expected = Some(cause).filter(|cause| hears.contains(cause));
        let ended = causes(1, Design::Carrying, DET60, &line);
        assert!(ended.iter().all(|&by| by == expected), "{}", cause.name());
    }
}

/// O16 and FR-14: a heartbeat below the shortest limit keeps every stream open, one above it none of those that last.
#[test]
fn a_heartbeat_counts_as_long_as_it_is_not_slower_than_the_shortest_limit() {
    let idle = "balancer.idle = [\"125.4s\", \"300.4s\"]\n";
    let think = Think::Constant { value: 200.0 };
    for (beat, cause) in
        [("25s", None), ("125.4s", None), ("126s", Some(Cause::IdleCut)), ("none", Some(Cause::IdleCut))]
    {
        let ended = causes(1, Design::Waiting, think, &format!("{idle}fleet.heartbeat = \"{beat}\"\n"));
        assert!(ended.iter().all(|&by| by == cause), "{beat}");
    }
    // The first gap lies between 94.05 and 156.75 s, too long for half of them; a second one would be cut after the answer.
    let jittered = "fleet.heartbeat = \"125.4s\"\nfleet.heartbeat_jitter = 0.25\n";
    let ended = causes(1, Design::Waiting, think, &format!("{idle}{jittered}"));
    let cut = ended.iter().flatten().count() as f64;
    within_binomial("jitter", cut, ended.len() as f64, 0.5, 0.05);
}
