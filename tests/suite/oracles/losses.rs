//! What is lost: to deaths, to patience, to expiry.

use parked::era::Design;
use parked::metrics::Outcome;
use parked::stats::theory::{expired_share, mean_parked};

use super::{DET60, EXP60, LN60, ideal, in_words, started, tallies, total, within_binomial, within_five_sd};

const KILLS: u32 = 10;

/// Ten deaths, 301 s apart, each followed at once by a new process. No call lives longer than 300 s, so each death
/// meets a stationary system that no earlier death has thinned, and the numbers lost are independent and Poisson.
fn deaths(select: &str) -> String {
    let kill = |k: u32| {
        format!("{{ kill = {{ at = \"{}s\", select = \"{select}\", restart_after = \"0s\" }} }}", 301 * (k + 1))
    };
    let kills: Vec<String> = (0..KILLS).map(kill).collect();
    format!(
        "run.horizon = \"3010s\"\narrivals.poisson.rate = \"5/s\"\nclients.patience = \"300s\"\nfleet.instances = 10\n\
         balancer = {{ policy = \"random\", stickiness = \"learned\" }}\nfault = [{}]\n",
        kills.join(", ")
    )
}

/// O8 and O9b with D = 0: the death of one of N instances loses whoever is parked there, Poisson(rate/N E[min(W, T)]).
fn the_death_of_one_instance_loses_its_share_of_the_parked_calls(size: u32) {
    for think in [EXP60, LN60] {
        let scenario = ideal(20 * size, &format!("{}{}", deaths("count:1"), in_words(think)));
        let lost = total(&tallies(&scenario, Design::Waiting), Outcome::Lost);
        let expected = f64::from(20 * size * KILLS) * mean_parked(0.5, think, Some(300.0));
        within_five_sd(&format!("{think:?}"), lost, expected, expected.sqrt(), 0.07);
        assert_eq!(total(&tallies(&scenario, Design::Carrying), Outcome::Lost), 0.0, "carrying has nothing to lose");
    }
}
lanes!(the_death_of_one_instance_loses_its_share_of_the_parked_calls);

/// O9 and A16 with D = 0: when all die at once every parked call is lost, Poisson(rate E[min(W, T)]).
fn the_death_of_all_instances_loses_every_parked_call(size: u32) {
    for think in [EXP60, DET60, LN60] {
        let scenario = ideal(5 * size, &format!("{}{}", deaths("all"), in_words(think)));
        let lost = total(&tallies(&scenario, Design::Waiting), Outcome::Lost);
        let expected = f64::from(5 * size * KILLS) * mean_parked(5.0, think, Some(300.0));
        within_five_sd(&format!("{think:?}"), lost, expected, expected.sqrt(), 0.045);
        assert_eq!(total(&tallies(&scenario, Design::Carrying), Outcome::Lost), 0.0, "carrying has nothing to lose");
    }
}
lanes!(the_death_of_all_instances_loses_every_parked_call);

const MANY_CALLS: &str = "run.horizon = \"1200s\"\narrivals.poisson.rate = \"100/s\"\nfleet.instances = 3\n\
                          balancer.stickiness = \"learned\"\n";

/// A7: a call times out when its person takes longer than its client's patience, in both designs alike.
fn a_client_gives_up_on_the_people_who_take_longer(size: u32) {
    for (think, patience, sees) in [(EXP60, 60.0, 0.02), (LN60, 300.0, 0.1)] {
        let lines = format!("{MANY_CALLS}clients.patience = \"{patience}s\"\n{}", in_words(think));
        let scenario = ideal(size, &lines);
        let waiting = tallies(&scenario, Design::Waiting);
        let late = total(&waiting, Outcome::TimedOut);
        within_binomial(&format!("{think:?}"), late, started(&waiting), think.survival(patience), sees);
        assert_eq!(total(&tallies(&scenario, Design::Carrying), Outcome::TimedOut), late);
    }
}
lanes!(a_client_gives_up_on_the_people_who_take_longer);

/// O11 and A19: a carried state is refused when its person takes longer than it lives.
fn a_state_expires_on_the_people_who_take_longer(size: u32) {
    for (think, ttl, sees) in [(EXP60, 60.0, 0.02), (EXP60, 300.0, 0.2), (LN60, 300.0, 0.1), (DET60, 59.0, 0.001)] {
        let scenario = ideal(size, &format!("{MANY_CALLS}state.ttl = \"{ttl}s\"\n{}", in_words(think)));
        let carrying = tallies(&scenario, Design::Carrying);
        let (refused, all) = (total(&carrying, Outcome::Refused), started(&carrying));
        match expired_share(think, ttl) {
            1.0 => assert_eq!(refused, all, "everybody is late"),
            share => within_binomial(&format!("{think:?} {ttl}"), refused, all, share, sees),
        }
        assert_eq!(total(&tallies(&scenario, Design::Waiting), Outcome::Completed), all, "waiting has no state");
    }
}
lanes!(a_state_expires_on_the_people_who_take_longer);

#[test]
fn an_answer_exactly_at_the_end_of_a_states_life_or_of_patience_is_in_time() {
    let lines = format!("{MANY_CALLS}state.ttl = \"60s\"\nclients.patience = \"60s\"\n{}", in_words(DET60));
    for design in Design::PURE {
        let tallies = tallies(&ideal(1, &lines), design);
        assert_eq!(total(&tallies, Outcome::Completed), started(&tallies), "{}", design.name());
    }
}
