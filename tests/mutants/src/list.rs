//! The errors that the suite must find, each with the tests that must find it. A text must stand exactly once in its file:
//! whoever moves it moves it here too.

/// One error.
pub struct Mutant {
    /// What is wrong, in a few words.
    pub name: &'static str,
    /// File, from the root of the project.
    pub file: &'static str,
    /// What stands there.
    pub text: &'static str,
    /// What is put in its place.
    pub becomes: &'static str,
    /// Tests of the suite that must fail, each of them.
    pub killers: &'static [&'static str],
}

pub const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "answers do not advance round robin",
        file: "src/sim/way.rs",
        text: "        self.balancer.pick(Draw { key, replica, word })",
        becomes: "        let picked = self.balancer.pick(Draw { key, replica, word });
        if message > 0 {
            self.balancer.pass(replica, u64::from(self.scenario.fleet.addresses()) - 1);
        }
        picked",
        killers: &["oracles::routing::one_round_robin_counter_brings_answers_home_as_its_formula_says::quick"],
    },
    Mutant {
        name: "median used as mean",
        file: "src/random/distribution/lognormal.rs",
        text: "median: mean * libm::exp(-sigma * sigma / 2.0)",
        becomes: "median: mean",
        killers: &["oracles::parked_calls::mean_parked_is_littles_law_for_every_shape_and_with_silent_people::quick"],
    },
    Mutant {
        name: "warm-up ignored",
        file: "src/sim/mod.rs",
        text: "Window { from: scenario.run.warm_up, to",
        becomes: "Window { from: SimTime::ZERO, to",
        killers: &["oracles::parked_calls::mean_parked_is_littles_law_for_every_shape_and_with_silent_people::quick"],
    },
    Mutant {
        name: "kill at the start of the drain",
        file: "src/sim/sites.rs",
        text: "self.after(most, Event::Overdue(address))",
        becomes: "self.after(most.min(Duration::ZERO), Event::Overdue(address))",
        killers: &["oracles::deploys::a_deploy_beside_the_fleet_loses_the_calls_that_outlast_the_drain::quick"],
    },
    Mutant {
        name: "overlap of keys ignored",
        file: "src/sim/keys.rs",
        text: "self.now().saturating_add(rotation.overlap)",
        becomes: "self.now().saturating_add(rotation.overlap.min(Duration::ZERO))",
        killers: &["oracles::rotations::an_overlap_is_to_states_what_a_drain_is_to_parked_calls::quick"],
    },
    Mutant {
        name: "life of a state counted from when it comes back",
        file: "src/era/carrying.rs",
        text: "self.clock(at, now).judge(expires)",
        becomes: "self.clock(at, now).judge(expires.max(at.clock(now)))",
        killers: &["oracles::losses::a_state_expires_on_the_people_who_take_longer::quick"],
    },
    Mutant {
        name: "a crash spares calls older than a minute",
        file: "src/sim/fault.rs",
        text: "        let broken: Vec<u32> = broken.map(|(call, _)| call).collect();",
        becomes: "        let now = self.engine.now().ns() as i64;
        let broken = broken.filter(|(_, call)| now - call.arrived_ns < 60_000_000_000);
        let broken: Vec<u32> = broken.map(|(call, _)| call).collect();",
        killers: &["oracles::losses::the_death_of_one_instance_loses_its_share_of_the_parked_calls::quick"],
    },
    Mutant {
        name: "no patience in the line",
        file: "src/sim/line.rs",
        text: "        self.start_clock(id, Rung::Line, span);",
        becomes: "        self.start_clock(id, Rung::Line, span.filter(|span| span.is_zero()));",
        killers: &["oracles::lines::callers_of_constant_patience_leave_the_line_as_m_m_c_d::quick"],
    },
    Mutant {
        name: "least connections ignores parked calls",
        file: "src/sim/server.rs",
        text: "        match after.open - before.open {",
        becomes: "        match (after.open - after.parked) - (before.open - before.parked) {",
        killers: &[
            "oracles::threads::least_connections_loses_as_one_pool_by_erlang_b_whatever_the_shape::quick",
            "oracles::routing::least_connections_drives_answers_away_from_home::quick",
        ],
    },
    Mutant {
        name: "retries keep the draw of the first try",
        file: "src/sim/retry.rs",
        text: "number * MOST_TRIES + in_all % MOST_TRIES",
        becomes: "number * MOST_TRIES + in_all * 0",
        killers: &["oracles::outages::jittered_backoff_outlives_an_outage_by_its_formula::quick"],
    },
    Mutant {
        name: "open calls dropped from the tally",
        file: "src/metrics/tally.rs",
        text: "        if !self.window.contains(record.arrived) {",
        becomes: "        if !self.window.contains(record.arrived) || record.end.outcome == Outcome::OpenAtEnd {",
        killers: &["invariants::every_call_that_starts_ends_exactly_once"],
    },
    Mutant {
        name: "effects known by the request instead of the operation",
        file: "src/sim/effects.rs",
        text: "Idempotency::Operation => Some((call.number, 0))",
        becomes: "Idempotency::Operation => Some((call.number, u32::from(call.messages)))",
        killers: &[
            "oracles::effects::at_least_once_makes_effects_twice_by_its_formula_and_with_a_key_never::quick",
            "claims::effects::a_state_that_is_spent_first_may_buy_nothing_and_one_that_is_spent_last_may_buy_twice",
        ],
    },
    Mutant {
        name: "one generator for everything",
        file: "src/random/streams.rs",
        text: "        self.kinds[kind as usize - 1].lane(entity)",
        becomes: "        let next = self.kinds[0].start.wrapping_add(WINDOW + (kind as u64).min(entity).min(0));
        self.kinds[0].lane(next)",
        killers: &["relations::m8_both_designs_meet_the_same_people"],
    },
    Mutant {
        name: "a key of each process called shared",
        file: "src/sim/keys.rs",
        text: "Keys::Shared => self.keys.shared(),",
        becomes: "Keys::Shared => KeyRing::of(own),",
        killers: &["relations::m7_with_a_shared_key_and_somebody_always_up_carrying_loses_nothing_to_deaths"],
    },
];
