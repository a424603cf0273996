//! Messages that are lost, and effects that are made twice because of it; and the herd that comes back when a zone dies.

use parked::engine::SimTime;
use parked::era::Design;
use parked::experiment::Cell;
use parked::metrics::{Incident, Outcome, Record};
use parked::scenario::{Arrivals, Scenario};
use parked::stats::theory::{at_least_once, herd_backlog};

use super::{cells, ideal, tallies, total, within_binomial, within_five_sd, within_t};

/// So many calls, ten a second, of which nobody is asked unless the extra lines say so.
fn calls(count: u32, tries: u32, request: f64, reply: f64, lines: &str) -> Scenario {
    let times = tries - 1;
    let amount = if lines.contains("tool.amount") { "" } else { "tool.amount.constant = 100\n" };
    let scenario = ideal(
        1,
        &format!(
            "run.horizon = \"{count}s\"\nfleet.instances = 3\nbalancer.stickiness = \"cookie\"\n\
             balancer.lost_requests = {request:?}\nbalancer.lost_replies = {reply:?}\nclients.retry.times = {times}\n{amount}{lines}"
        ),
    );
    let at = (0..u64::from(count)).map(|call| SimTime::from_ns(call * 100_000_000)).collect();
    Scenario { arrivals: Arrivals::At(at), ..scenario }
}

fn count(cells: &[Cell], is: impl Fn(&Record) -> bool) -> f64 {
    cells.iter().flat_map(|cell| &cell.records).filter(|record| is(record)).count() as f64
}

fn entries(cells: &[Cell]) -> f64 {
    cells.iter().map(|cell| cell.tally.entries).sum::<u64>() as f64
}

/// How often a call makes its effect, try by try: the probability of each number of times.
fn law(request: f64, reply: f64, tries: usize) -> Vec<f64> {
    let (mut trying, mut done) = (vec![0.0; tries + 1], vec![0.0; tries + 1]);
    trying[0] = 1.0;
    for _ in 0..tries {
        let before = std::mem::replace(&mut trying, vec![0.0; tries + 1]);
        for (made, share) in before.into_iter().enumerate().filter(|(_, share)| *share > 0.0) {
            trying[made] += share * request;
            trying[made + 1] += share * (1.0 - request) * reply;
            done[made + 1] += share * (1.0 - request) * (1.0 - reply);
        }
    }
    trying.into_iter().zip(done).map(|(trying, done)| trying + done).collect()
}

/// O16 and A24: without a key what is tried again is done again, and some who hear of a failure have had their effect.
fn at_least_once_makes_effects_twice_by_its_formula_and_with_a_key_never(size: u32) {
    let all = 62_500 * size;
    for (share, sees) in [(0.05, [0.09, 0.75, 0.005]), (0.01, [0.2, 8.0, 0.002])] {
        let theory = at_least_once(share, share, 3);
        let cells_with = |lines| cells(&calls(all, 3, share, share, lines), Design::Carrying, true);
        let plain = cells_with("");
        let twice = count(&plain, |record| record.entries > 1);
        let unheard = count(&plain, |record| record.entries > 0 && record.end.outcome == Outcome::Lost);
        within_binomial("twice", twice, f64::from(all), theory.twice, sees[0]);
        within_binomial("unheard", unheard, f64::from(all), theory.unheard, sees[1]);
        let law = law(share, share, 3);
        let moment = |of: fn(f64) -> f64| law.iter().zip(0..).map(|(p, n)| p * of(f64::from(n))).sum::<f64>();
        let mean = moment(|n| n);
        let sd = ((moment(|n| n * n) - mean * mean) * f64::from(all)).sqrt();
        assert!((mean - theory.effects).abs() < 1e-12, "two ways to one mean");
        within_five_sd("effects", entries(&plain), theory.effects * f64::from(all), sd, sees[2]);
        if all == 1_000_000 && share == 0.05 {
            assert!((48_555.0..=50_727.0).contains(&twice), "A24: {twice}");
        }
        let keyed = cells_with("tool.idempotency = \"operation\"\n");
        assert_eq!(count(&keyed, |record| record.entries > 1), 0.0, "a key of the operation lets nothing happen twice");
        let still = count(&keyed, |record| record.entries > 0 && record.end.outcome == Outcome::Lost);
        assert_eq!(still, unheard, "and whoever heard of a failure hears of it still");
        // Each try has an id of its own.
        let by_id = cells_with("tool.idempotency = \"request-id\"\n");
        assert_eq!(count(&by_id, |record| record.entries > 1), twice);
    }
}
lanes!(at_least_once_makes_effects_twice_by_its_formula_and_with_a_key_never);

/// Replies are lost with p and the client sends up to R times more: a call that is asked makes (1 - p^(R+1)) / (1 - p)
/// entries once its answers travel; with a single-use state exactly one, and then its caller is refused, unless the result
/// is remembered.
fn a_lost_reply_costs_entries_or_refusals_as_what_stands_before_the_effect_has_it(size: u32) {
    let (all, p, more) = (20_000 * size, 0.2, 2);
    let run = |design, lines: &str| {
        let asked = "people.think.constant = \"1s\"\ntool.amount.constant = 500\n";
        cells(&calls(all, more + 1, 0.0, p, &format!("{asked}{lines}")), design, true)
    };
    let law = law(0.0, p, 3);
    let (mean, square) = (1..=3).fold((0.0, 0.0), |(mean, square), n| {
        let (times, share) = (f64::from(n), law[n as usize]);
        (mean + times * share, square + times * times * share)
    });
    assert!((mean - at_least_once(0.0, p, 3).effects).abs() < 1e-12);
    // The whole call is one request: every try asks and enters again.
    let waiting = run(Design::Waiting, "");
    let sd = ((square - mean * mean) * f64::from(all)).sqrt();
    within_five_sd("waiting", entries(&waiting), mean * f64::from(all), sd, 0.02);
    let prompts: u64 = waiting.iter().map(|cell| cell.tally.prompts).sum();
    assert_eq!(prompts as f64, entries(&waiting), "its person says yes as often as it enters");
    // Two requests: who is never shown the question makes no entry.
    let asked = 1.0 - p * p * p;
    let carrying = run(Design::Carrying, "");
    let sd = ((asked * square - asked * asked * mean * mean) * f64::from(all)).sqrt();
    within_five_sd("carrying", entries(&carrying), asked * mean * f64::from(all), sd, 0.02);
    assert_eq!(count(&carrying, |record| record.prompts > 1), 0.0, "nobody is asked twice");
    let once = run(Design::Carrying, "state.ledger = \"shared\"\n");
    assert_eq!(entries(&once), count(&once, |record| record.prompts == 1), "exactly one entry");
    let refused = count(&once, |record| record.end.outcome == Outcome::Refused);
    within_binomial("refused", refused, f64::from(all), asked * p, 0.1);
    let remembered = run(Design::Carrying, "state.ledger = \"shared\"\nstate.remembers = true\n");
    assert_eq!(entries(&remembered), count(&remembered, |record| record.prompts == 1));
    assert_eq!(count(&remembered, |record| record.end.outcome == Outcome::Refused), 0.0);
    let lost = count(&remembered, |record| record.end.outcome == Outcome::Lost && record.entries == 1);
    within_binomial("lost", lost, f64::from(all), asked * p * p * p, 0.45);
}
lanes!(a_lost_reply_costs_entries_or_refusals_as_what_stands_before_the_effect_has_it);

/// O24: a third of the parked calls comes back within `spread` seconds beside the load; the longest line is the fluid
/// backlog of those who came, up to what a finite herd adds.
fn herd(spread: u32) -> Vec<(f64, f64)> {
    // A thousand parked in the zone, 100 calls a second, and 500 a second that the two zones left can take.
    let mut scenario = ideal(
        32,
        &format!(
            "run = {{ horizon = \"170s\", warm_up = \"150s\", stop = \"horizon\" }}\narrivals.poisson.rate = \"100/s\"\n\
             people.think.exponential.mean = \"30s\"\nfleet.instances = 3\nfleet.threads = 10\n\
             fleet.parked_keeps_thread = false\n\
             balancer = {{ stickiness = \"learned\", detection = {{ lag = \"0s\" }} }}\n\
             clients.retry = {{ times = 1, pause = \"{spread}s\", cap = \"{spread}s\", jitter = \"full\" }}\n\
             fault = [{{ kill = {{ at = \"150s\", select = \"instance:i3\" }} }}]\n"
        ),
    );
    // The call takes its thread for 40 ms before it asks, and none after.
    scenario.tool.work_before = parked::random::Distribution::constant(0.04).expect("a time");
    let back = |cell: &Cell| cell.records.iter().map(|record| record.incidents.count(Incident::Retried)).sum::<u32>();
    let cells = cells(&scenario, Design::Waiting, true);
    let of = |cell: &Cell| {
        let fluid = herd_backlog(f64::from(back(cell)), f64::from(spread), 100.0, 500.0);
        (f64::from(cell.tally.queue.peak), fluid)
    };
    cells.iter().map(of).collect()
}

#[test]
fn a_herd_without_room_to_spread_waits_in_a_line_as_long_as_its_fluid_backlog() {
    let herds = herd(1);
    let shares: Vec<f64> = herds.iter().map(|(peak, fluid)| peak / fluid).collect();
    assert!(herds.iter().all(|&(_, fluid)| (450.0..750.0).contains(&fluid)), "{herds:?}");
    within_t("peak over fluid", &shares, 1.0, 0.05);
}

#[test]
fn a_herd_that_spreads_over_more_than_its_size_over_the_spare_capacity_hardly_waits() {
    // 1000 over 10 s are 100 a second beside 100, where 500 can be taken.
    let herds = herd(10);
    assert!(herds.iter().all(|&(_, fluid)| fluid == 0.0), "{herds:?}");
    assert!(herds.iter().all(|&(peak, _)| peak < 100.0), "{herds:?}");
}

#[test]
fn nothing_is_lost_where_no_share_says_so() {
    let lossless = calls(1000, 3, 0.0, 0.0, "");
    let tallies = tallies(&lossless, Design::Waiting);
    assert_eq!((total(&tallies, Outcome::Completed), tallies[0].incidents.len()), (1000.0, 0));
}
