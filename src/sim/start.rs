//! A run that starts in its steady state: people at their question, each met in mid-thought. Calls that stand at the
//! start are of no window: they fill the fleet and are never written down.

use std::future::Future;
use std::time::Duration;

use super::births::{self, Birth, FIRST_STANDING};
use super::call::{Call, Stage};
use super::way::Errand;
use super::{Observer, Sim};
use crate::engine::duration_from_secs;
use crate::random::{Kind, Lane, Purpose, unit};
use crate::scenario::{Arrivals, Start};
use crate::tool::{MissingCapability, Stop, ToolResult};
use crate::world::Fate;

/// What is drawn of one standing call.
struct Standing {
    /// The whole think time of its person; `None` = they never answer.
    think: Option<Duration>,
    /// What has passed of it.
    age: Duration,
}

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// Fills the fleet when the scenario starts stationary: a Poisson number of calls whose think times are
    /// length-biased and whose ages are uniform over them (M/G/infinity in steady state); with a patience, those older
    /// than it are gone already, and people who never answer stand at ages uniform over it.
    pub(super) fn fill_fleet(&mut self) {
        let (scenario, people) = (self.scenario, &self.scenario.people);
        let (Start::Stationary, Arrivals::Poisson { rate_per_s }) = (scenario.run.start, &scenario.arrivals) else {
            return;
        };
        let answering = (1.0 - people.silent) * (1.0 - people.think.never_share());
        let biased = people.think.length_biased().expect("a stationary scenario has a length-biased think time");
        let thinking = rate_per_s * answering * people.think.mean_if_ever();
        let mut standing = Vec::new();
        let next = self.stand(&mut standing, FIRST_STANDING, thinking, |sim, number, lane| {
            let think = biased.sample(&mut sim.streams.words(lane, u64::from(number), Purpose::Think, 0));
            let think = duration_from_secs(think.expect("a length-biased think time ends"));
            Standing { think: Some(think), age: sim.part_of(think, number) }
        });
        if let Some(patience) = scenario.clients.patience {
            let silent = rate_per_s * (1.0 - answering) * patience.as_secs_f64();
            let never = |sim: &mut Self, number, _: &Lane| Standing { think: None, age: sim.part_of(patience, number) };
            self.stand(&mut standing, next, silent, never);
        }
        // Patience is listed by age.
        standing.sort_by_key(|(age, _)| std::cmp::Reverse(*age));
        for (age, birth) in standing {
            self.stand_at_question(&birth, age);
        }
    }

    /// What has passed of a span: uniform over it.
    fn part_of(&mut self, span: Duration, number: u32) -> Duration {
        duration_from_secs(span.as_secs_f64() * unit(self.streams.more(u64::from(number), Purpose::Age, 0)))
    }

    /// Draws a Poisson number of standing calls with this mean: as many as unit exponential gaps fit into it. Says which
    /// number is free next: the one behind that whose gap did not fit.
    fn stand(
        &mut self,
        standing: &mut Vec<(Duration, Birth)>,
        from: u32,
        mean: f64,
        draw: impl Fn(&mut Self, u32, &Lane) -> Standing,
    ) -> u32 {
        let mut sum = 0.0;
        for number in from.. {
            let lane = self.streams.lane(Kind::Call, u64::from(number));
            sum -= libm::log(unit(lane[Purpose::Gap.word()]));
            if sum > mean {
                return number + 1;
            }
            let Standing { think, age } = draw(self, number, &lane);
            if self.scenario.clients.patience.is_some_and(|patience| age >= patience) {
                continue;
            }
            let fate = Fate {
                think: think.map_or(Duration::ZERO, |think| think.saturating_sub(age)),
                action: think.and_then(|_| self.scenario.people.decide.decision(0.0, lane[Purpose::Decide.word()])),
            };
            let born = births::born(self.scenario, &mut self.streams, number, self.engine.now(), &lane);
            standing.push((age, Birth { fate, ..born }));
        }
        unreachable!("more than 2^31 calls stand at the start")
    }

    /// Puts one standing call where its question left it; one that never asks is none.
    fn stand_at_question(&mut self, birth: &Birth, age: Duration) {
        let id = self.calls.insert(Call::of(birth));
        let at = self.route(id, Errand::Call, Some(birth.picks[0])).expect("every instance is up at the start");
        self.calls[id].at = at as u16;
        self.move_to(id, Stage::Working);
        self.bodies.fill(&mut self.calls[id].slot, self.scenario.tool.body);
        let asks = loop {
            match self.poll(id, at) {
                // What came before the question is over.
                Stop::Work(_) | Stop::WorkOf(_) | Stop::Post(_) => {
                    self.stops_again(id);
                }
                Stop::Pass(asks) => self.pass(id, &asks),
                Stop::Ask(asks) => break asks,
                Stop::Unfinished(_) | Stop::Done(_) => {
                    self.let_go(id);
                    self.asides.take(id);
                    return self.calls.free(id);
                }
            }
        };
        self.calls[id].arrived_ns = -i64::try_from(age.as_nanos()).expect("durations fit the simulated time");
        self.begin_patience(id);
        self.suspend(id, &asks, false);
        let call = &mut self.calls[id];
        call.ticket = call.ticket.map(|ticket| ticket.older_by(age));
    }
}
