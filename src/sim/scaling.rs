//! A fleet that grows and shrinks by itself: every now and then it looks at what its instances do and decides how many it
//! wants (the rule of the Kubernetes Horizontal Pod Autoscaler). Must never look at a parked body: no autoscaler sees one.

use std::collections::VecDeque;
use std::future::Future;

use super::agenda::Turn;
use super::call::Stage;
use super::deploy::Job;
use super::sites::State;
use super::{Observer, Sim};
use crate::engine::SimTime;
use crate::scenario::{ScaleBy, Scaling};
use crate::tool::{MissingCapability, ToolResult};

/// What was seen since the last look, and what the looks before wanted.
#[derive(Debug, Default)]
pub(super) struct Scaler {
    /// Bodies that run.
    working: u32,
    since: SimTime,
    /// Time in which bodies ran since the last look, added up over them, ns.
    busy_ns: u128,
    /// What each look wanted, with its instant, as far back as anything is held.
    wanted: VecDeque<(SimTime, u32)>,
}

impl Scaler {
    /// A body goes from stage to stage.
    pub(super) fn moves(&mut self, from: Stage, to: Stage, now: SimTime) {
        let (from, to) = (from == Stage::Working, to == Stage::Working);
        if from != to {
            self.settle(now);
            self.working = self.working + u32::from(to) - u32::from(from);
        }
    }

    fn settle(&mut self, now: SimTime) {
        self.busy_ns += u128::from(self.working) * now.since(self.since).as_nanos();
        self.since = now;
    }

    /// The time in which bodies ran since the last look, s.
    fn busy_s(&mut self, now: SimTime) -> f64 {
        self.settle(now);
        std::mem::take(&mut self.busy_ns) as f64 / 1e9
    }

    /// How many the fleet should have, of `size` now, when this look wants `wanted`.
    fn decide(&mut self, scaling: &Scaling, now: SimTime, size: u32, wanted: u32) -> u32 {
        let held = scaling.hold_out.max(scaling.hold_in);
        self.wanted.push_back((now, wanted));
        while self.wanted.front().is_some_and(|&(at, _)| now.since(at) > held) {
            self.wanted.pop_front();
        }
        let within =
            |hold| self.wanted.iter().filter(move |&&(at, _)| now.since(at) <= hold).map(|&(_, wanted)| wanted);
        let fewest = within(scaling.hold_out).min().unwrap_or(wanted);
        let most = within(scaling.hold_in).max().unwrap_or(wanted);
        if size < fewest {
            fewest.min(size.saturating_add(scaling.most_out.unwrap_or(u32::MAX)))
        } else if size > most {
            most.max(size.saturating_sub(scaling.most_in.unwrap_or(u32::MAX)))
        } else {
            size
        }
    }
}

/// How many a fleet of this size wants that sees this much at each instance.
fn wanted(scaling: &Scaling, size: u32, seen: f64) -> u32 {
    let ratio = seen / scaling.target;
    let wanted =
        if (ratio - 1.0).abs() <= scaling.tolerance { f64::from(size) } else { (f64::from(size) * ratio).ceil() };
    // Beyond the largest number a cast stays at it.
    (wanted as u32).clamp(scaling.min, scaling.max)
}

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    pub(super) fn schedule_look(&mut self) {
        let Some(scaling) = &self.scenario.fleet.scaling else { return };
        if let Some(at) = self.before_the_end(scaling.interval) {
            self.plan(at, Turn::Look);
        }
    }

    /// Looks at the fleet and asks for another size if it wants one. While a deploy is under way it only looks.
    pub(super) fn look(&mut self) {
        self.schedule_look();
        let now = self.now();
        let (Some(scaling), Some(scaler)) = (&self.scenario.fleet.scaling, &mut self.scaler) else { return };
        let busy_s = scaler.busy_s(now);
        let up = self.sites.that_are(State::Used).filter(|&address| self.accepts(address));
        let (count, open) = up.fold((0_u32, 0_u64), |(count, open), address| {
            (count + 1, open + u64::from(self.balancer.open_at(address)))
        });
        if count == 0 || self.jobs.any() {
            return;
        }
        let seen = match scaling.by {
            ScaleBy::Cpu => busy_s / (scaling.interval.as_secs_f64() * f64::from(scaling.cores) * f64::from(count)),
            ScaleBy::InFlight => open as f64 / f64::from(count),
        };
        let size = self.fleet_size();
        let wanted = wanted(scaling, size, seen);
        let Some(scaler) = &mut self.scaler else { return };
        let to = scaler.decide(scaling, now, size, wanted);
        if to != size {
            self.ask_for(Job::Scale(to));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn scaling() -> Scaling {
        Scaling {
            by: ScaleBy::Cpu,
            target: 0.5,
            cores: 1,
            min: 1,
            max: 10,
            interval: Duration::from_secs(15),
            tolerance: 0.1,
            hold_out: Duration::ZERO,
            hold_in: Duration::from_secs(60),
            most_out: None,
            most_in: None,
        }
    }

    #[test]
    fn a_fleet_wants_its_size_times_what_is_seen_over_the_target_rounded_up() {
        let scaling = scaling();
        assert_eq!(wanted(&scaling, 4, 0.8), 7, "4 x 1.6 = 6.4");
        assert_eq!(wanted(&scaling, 4, 0.54), 4, "inside the tolerance");
        assert_eq!(wanted(&scaling, 4, 0.0), 1, "never below the fewest");
        assert_eq!(wanted(&scaling, 9, 5.0), 10, "never above the most");
    }

    #[test]
    fn a_fleet_shrinks_to_the_most_that_was_wanted_lately_and_grows_at_once() {
        let (mut scaler, scaling) = (Scaler::default(), scaling());
        let mut at = |s: u64, size, wanted| scaler.decide(&scaling, SimTime::from_ns(s * 1_000_000_000), size, wanted);
        assert_eq!(at(0, 5, 8), 8);
        assert_eq!(at(15, 8, 3), 8, "8 was wanted 15 s ago");
        assert_eq!(at(60, 8, 2), 8, "exactly 60 s ago still counts");
        assert_eq!(at(75, 8, 2), 3);
    }

    #[test]
    fn one_look_adds_and_takes_no_more_than_it_may() {
        let limited = Scaling { most_out: Some(2), most_in: Some(1), hold_in: Duration::ZERO, ..scaling() };
        let mut scaler = Scaler::default();
        assert_eq!(scaler.decide(&limited, SimTime::ZERO, 3, 9), 5);
        assert_eq!(scaler.decide(&limited, SimTime::from_ns(1), 5, 1), 4);
    }
}
