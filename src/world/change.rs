//! How a fleet is changed on purpose: how a process that is told to go goes, how a deploy replaces what runs, when a
//! fleet grows and shrinks by itself. Plain data.

use std::time::Duration;

use serde::Serialize;

/// How an address that is told to go goes: out of the rotation, through its preStop pause, through its drain, dead.
/// From the end of the pause on it takes only messages of calls that it holds, and it goes as soon as it holds none.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Termination {
    /// From the order to the moment in which the balancer gives it no new calls.
    pub removal_lag: Duration,
    /// How long it goes on as if nothing had happened (preStop).
    pub pre_stop: Duration,
    /// How long after that it waits for the calls that it holds; `None` = as long as it is let.
    pub drain: Option<Duration>,
    /// From the order to the kill, whatever it still holds.
    pub grace: Duration,
}

impl Termination {
    /// From the order to the death of an address that still holds calls, with this much notice at most.
    pub fn at_most(&self, notice: Option<Duration>) -> Duration {
        let drained = self.drain.map_or(Duration::MAX, |drain| self.pre_stop.saturating_add(drain));
        drained.min(self.grace).min(notice.unwrap_or(Duration::MAX))
    }
}

/// How a deploy replaces the processes of a fleet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// Address by address: the old process goes, a new one takes its place, then the next (maxUnavailable).
    Rolling,
    /// Address by address: a new process comes up beside, then an old one goes (maxSurge).
    Surge,
    /// A whole new fleet comes up beside, then the whole old one goes.
    BlueGreen,
    /// The whole old fleet goes, then the whole new one comes up.
    Recreate,
}

/// What a fleet that grows and shrinks by itself looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScaleBy {
    /// Share of time in which a core of an instance works; a parked body works not.
    Cpu,
    /// Open requests of an instance.
    InFlight,
}

/// Which addresses go when a fleet shrinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Victim {
    /// Those that came up last.
    Newest,
    /// Those that came up first.
    Oldest,
    /// Those with the fewest open requests.
    Fewest,
}

/// A fleet that grows and shrinks by itself: wanted = ceil(instances * seen / target), as the Kubernetes HPA has it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scaling {
    /// What is looked at.
    pub by: ScaleBy,
    /// What it should be for each instance, above 0.
    pub target: f64,
    /// Cores of an instance, at least 1; what its work is held against.
    pub cores: u32,
    /// Fewest addresses, at least 1.
    pub min: u32,
    /// Most addresses.
    pub max: u32,
    /// Time between two looks, above 0.
    pub interval: Duration,
    /// Share of the target by which what is seen may differ with nothing done about it.
    pub tolerance: f64,
    /// Nothing is added beyond the fewest that any look this far back wanted.
    pub hold_out: Duration,
    /// Nothing is taken below the most that any look this far back wanted.
    pub hold_in: Duration,
    /// Most addresses that one look adds.
    pub most_out: Option<u32>,
    /// Most addresses that one look takes.
    pub most_in: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drain_ends_with_the_smallest_of_its_own_end_the_grace_and_the_notice() {
        let s = Duration::from_secs;
        let of = |drain, grace| Termination { removal_lag: s(0), pre_stop: s(10), drain, grace: s(grace) };
        assert_eq!(of(None, 30).at_most(None), s(30), "an endless drain is cut by the grace");
        assert_eq!(of(Some(s(15)), 30).at_most(None), s(25));
        assert_eq!(of(Some(s(15)), 30).at_most(Some(s(20))), s(20));
        assert_eq!(of(Some(s(60)), 30).at_most(None), s(30));
    }
}
