//! The paired difference of two designs on the same people, metric by metric. Must never compare replications that are
//! not of the same number.

use serde::Serialize;

use crate::era::Design;
use crate::metrics::{Incident, Outcome, Tally};
use crate::stats::{Estimate, Paired};
use crate::world::SeenBy;

/// A paired difference of one metric.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Name of the metric.
    pub metric: String,
    /// The design from whose value ...
    pub of: Design,
    /// ... this one's is subtracted, replication by replication.
    pub minus: Design,
    /// Mean of the differences.
    pub mean: f64,
    /// Half width of its 95 % interval; none below two replications.
    pub half_width: Option<f64>,
    /// Correlation of the two designs over replications; what pairing gained.
    pub correlation: Option<f64>,
}

/// The paired difference of every metric that occurred, first design minus second.
pub(super) fn all(a: Design, of: &[&Tally], b: Design, minus: &[&Tally]) -> Vec<Difference> {
    let mut all = Vec::new();
    let mut pair = |metric: &str, value: &dyn Fn(&Tally) -> Option<f64>| {
        let both = of.iter().zip(minus).filter_map(|(x, y)| value(x).zip(value(y)));
        let (x, y): (Vec<f64>, Vec<f64>) = both.unzip();
        if !x.is_empty() && x.iter().chain(&y).any(|&value| value != 0.0) {
            let Paired { difference, correlation } = Paired::of(&x, &y);
            let Estimate { mean, half_width, .. } = difference;
            all.push(Difference { metric: metric.to_owned(), of: a, minus: b, mean, half_width, correlation });
        }
    };
    for outcome in Outcome::ALL {
        pair(outcome.name(), &|tally| Some(tally.count(outcome) as f64));
    }
    pair("parked", &|tally| Some(tally.parked.mean));
    pair("threads_held", &|tally| Some(tally.threads_held.mean));
    pair("queue", &|tally| Some(tally.queue.mean));
    pair("open", &|tally| Some(tally.open.mean));
    let mut total = |metric: &str, value: fn(&Tally) -> u64| pair(metric, &|tally| Some(value(tally) as f64));
    total("entries", |tally| tally.entries);
    total("entries_again", |tally| tally.entries_again);
    total("entries_unconfirmed", |tally| tally.entries_unconfirmed);
    total("entries_orphaned", |tally| tally.entries_orphaned);
    total("asks", |tally| tally.asks);
    total("prompts", |tally| tally.prompts);
    total("invalid_at_client", |tally| tally.invalid_at_client);
    total("invalid_at_server", |tally| tally.invalid_at_server);
    total("messages", |tally| tally.messages);
    total("state_bytes", |tally| tally.state_bytes);
    for party in SeenBy::ALL {
        let calls = |tally: &Tally| tally.exposed.get(&party).map_or(0.0, |&calls| calls as f64);
        pair(&format!("exposed.{}", party.name()), &|tally| Some(calls(tally)));
    }
    for incident in Incident::ALL {
        let count = |tally: &Tally| tally.incidents.get(&incident).map_or(0.0, |&count| count as f64);
        pair(&format!("incidents.{}", incident.name()), &|tally| Some(count(tally)));
    }
    pair("repeated_s", &|tally| Some(tally.repeated_s));
    pair("latency_s", &|tally| tally.latency_s.map(|latency| latency.mean));
    all
}
