//! Links and states against closed forms: how often a browser finds its sign-in, how often somebody else is bound, how
//! often a client polls, how often a state is used.

use parked::era::Design;
use parked::experiment::Cell;
use parked::metrics::{Incident, Tally};

use super::{cells, ideal, started, tallies, within_binomial, within_five_sd};

/// 20,000 calls on average that each need a link, of which each opens one page; nobody gives up.
const LINKED: &str = "run.horizon = \"200s\"\narrivals.poisson.rate = \"100/s\"\npeople.think.constant = \"1s\"\n\
                      tool.body = \"connect_calendar\"\nclients.capabilities = { elicitation = { url = {} } }\n";

/// The server holds each call, so that a refused page is not opened again.
const HELD: &str = "links.unfinished = { block = true }\nlinks.page.exponential = { mean = \"10s\" }\n\
                    balancer = { policy = \"random\", stickiness = \"learned\" }\n";

fn count(tallies: &[Tally], incident: Incident) -> f64 {
    let of = |tally: &Tally| {
        let all = [&tally.incidents, &tally.incidents_late];
        all.map(|counts| counts.get(&incident).copied().unwrap_or(0)).into_iter().sum::<u64>()
    };
    tallies.iter().map(of).sum::<u64>() as f64
}

/// O23 and E11: per link that somebody else opens, wrong bindings are 1, 1, 1 - b, 0, where b has a session; of honest
/// people 1 - b sign in first where a session is required. With a share f passed on, wrong bindings are f times that.
fn wrong_bindings_follow_the_check_and_the_share_of_sessions(size: u32) {
    const SESSIONS: f64 = 0.7;
    for design in Design::PURE {
        let run = |check: &str, forwarded: f64| {
            let lines = format!(
                "{LINKED}{HELD}links.check = \"{check}\"\nlinks.sessions = {SESSIONS}\nlinks.forwarded = {forwarded:?}\n"
            );
            tallies(&ideal(size, &lines), design)
        };
        for (check, wrongly) in [("none", 1.0), ("signed-state-only", 1.0), ("session-required", 0.0)] {
            let tallies = run(check, 1.0);
            let opened = count(&tallies, Incident::PageOpened);
            assert_eq!(opened, started(&tallies));
            assert_eq!(count(&tallies, Incident::GrantedToOther), wrongly * opened, "{check}");
            assert_eq!(count(&tallies, Incident::VisitorRefused), (1.0 - wrongly) * opened, "{check}");
        }
        let some = run("session-if-present", 1.0);
        let bound = count(&some, Incident::GrantedToOther);
        within_binomial("session-if-present", bound, started(&some), 1.0 - SESSIONS, 0.06);
        let few = run("session-if-present", 0.2);
        let bound = count(&few, Incident::GrantedToOther);
        within_binomial("one link in five", bound, started(&few), 0.2 * (1.0 - SESSIONS), 0.15);
        let honest = run("session-required", 0.0);
        assert_eq!(count(&honest, Incident::Granted), started(&honest));
        let first = count(&honest, Incident::SignInFirst);
        within_binomial("sign in first", first, started(&honest), 1.0 - SESSIONS, 0.06);
    }
}
lanes!(wrong_bindings_follow_the_check_and_the_share_of_sessions);

/// O1 for the browser: over h random hops a sign-in kept in memory is found with N^-h, whatever binds the client; one in
/// a shared store or sealed under a shared key always is.
fn a_callback_finds_its_sign_in_over_every_hop_or_not_at_all(size: u32) {
    let granted = |cells: &[Cell]| cells.iter().map(|cell| cell.tally.clone()).collect::<Vec<Tally>>();
    for (instances, hops, sees) in [(2, 1, 0.04), (2, 2, 0.07), (3, 2, 0.11), (4, 2, 0.15)] {
        let lines = format!("{LINKED}{HELD}fleet.instances = {instances}\nlinks.hops = {hops}\n");
        let run = |more: &str, design| granted(&cells(&ideal(size, &format!("{lines}{more}")), design, false));
        let found = libm::pow(f64::from(instances), -f64::from(hops));
        let memory = "links.pending = \"memory\"\n";
        let of = |tallies: &[Tally]| count(tallies, Incident::Granted);
        let carrying = run(memory, Design::Carrying);
        within_binomial(&format!("{hops} hops of {instances}"), of(&carrying), started(&carrying), found, sees);
        assert_eq!(of(&run(memory, Design::Waiting)), of(&carrying), "the same browsers in both designs");
        for pending in ["shared", "sealed"] {
            let all = run(&format!("links.pending = \"{pending}\"\n"), Design::Carrying);
            assert_eq!(of(&all), started(&all), "{pending}");
        }
    }
}
lanes!(a_callback_finds_its_sign_in_over_every_hop_or_not_at_all);

/// Mean and variance of the smaller of a geometric number with failure `q` and a cap: E[M^2] = sum (2k - 1) P(M >= k).
fn capped_geometric(q: f64, cap: u32) -> (f64, f64) {
    let (mut mean, mut square, mut tail) = (0.0, 0.0, 1.0);
    for k in 1..=cap {
        mean += tail;
        square += (2.0 * f64::from(k) - 1.0) * tail;
        tail *= q;
    }
    (mean, square - mean * mean)
}

/// O23 and A26: a client that polls every h finds an exponential page of mean g after 1/(1 - exp(-h/g)) polls on average;
/// where it gives up after c polls, (1 - q^c)/(1 - q) with q = exp(-h/g).
fn a_client_polls_until_the_page_is_finished_or_its_rounds_are_over(size: u32) {
    let q = libm::exp(-5.0 / 60.0);
    assert!((1.0 / (1.0 - q) - 12.506_94).abs() < 5e-6);
    for (max_rounds, expected) in [(100, 12.50), (11, 7.07)] {
        let lines = format!(
            "{LINKED}links.unfinished = {{ poll = \"5s\" }}\nlinks.page.exponential = {{ mean = \"60s\" }}\n\
             clients.max_rounds = {max_rounds}\nfleet.instances = 1\n"
        );
        // The first round is the one in which the person agrees.
        let (mean, variance) = capped_geometric(q, max_rounds - 1);
        assert!((mean - expected).abs() < 5e-3, "{mean}");
        for design in Design::PURE {
            let tallies = tallies(&ideal(size, &lines), design);
            let calls = started(&tallies);
            let messages: u64 = tallies.iter().map(|tally| tally.messages).sum();
            let polls = (messages as f64 - 2.0 * calls) / calls;
            within_five_sd(&format!("{max_rounds} rounds"), polls, mean, (variance / calls).sqrt(), 0.04);
        }
    }
}
lanes!(a_client_polls_until_the_page_is_finished_or_its_rounds_are_over);

/// Of r uses at random instances, r are served without a ledger, one with a shared one, and
/// N (1 - (1 - 1/N)^r) with one for each instance: as many as the instances met.
fn a_state_is_served_once_for_each_ledger_that_it_meets(size: u32) {
    const USES: f64 = 10.0;
    for instances in [2_u32, 3, 5] {
        let n = f64::from(instances);
        let run = |ledger: &str| {
            tallies(
                &ideal(
                    size,
                    &format!(
                        "run.horizon = \"100s\"\narrivals.poisson.rate = \"100/s\"\npeople.think.constant = \"1s\"\n\
                         balancer.policy = \"random\"\nfleet.instances = {instances}\nstate.ledger = \"{ledger}\"\n\
                         attack = {{ replayed = 1.0, times = 9 }}\n"
                    ),
                ),
                Design::Carrying,
            )
        };
        let entries = |tallies: &[Tally]| tallies.iter().map(|tally| tally.entries).sum::<u64>() as f64;
        let none = run("none");
        assert_eq!(entries(&none), USES * started(&none));
        let shared = run("shared");
        assert_eq!(entries(&shared), started(&shared));
        let each = run("per-instance");
        // Instances missed: pairs of them are missed with (1 - 2/N)^r.
        let (one, two) = (libm::pow(1.0 - 1.0 / n, USES), libm::pow(1.0 - 2.0 / n, USES));
        let mean = n * (1.0 - one);
        let variance = n * one * (1.0 - one) + n * (n - 1.0) * (two - one * one);
        let sd = (variance / started(&each)).sqrt();
        within_five_sd(&format!("N = {instances}"), entries(&each) / started(&each), mean, sd, 0.02);
    }
}
lanes!(a_state_is_served_once_for_each_ledger_that_it_meets);
