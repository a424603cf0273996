//! The instances as a scenario has them, and what happens to them: plain values, nothing read and nothing decided.

use std::borrow::Cow;
use std::time::Duration;

use serde::Serialize;

use super::{AtCap, Memory, Misroute, Pool, Scaling, Select, Sessions, Strategy, Termination, Victim};
use crate::engine::SimTime;
use crate::random::Distribution;

/// The server instances.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fleet {
    /// Names of the processes, at least one, all different; draws follow the index, never the name. The processes of
    /// one address follow one another.
    pub instances: Vec<String>,
    /// Processes behind each address, at least 1.
    pub workers: u32,
    /// Worker threads of each instance; `None` = unlimited.
    pub threads: Option<u32>,
    /// Places in the waiting line of each instance; `None` = unlimited, 0 = no line.
    pub queue: Option<u32>,
    /// How long a call bears the waiting line, seconds; `None` = for ever.
    pub queue_timeout: Option<Distribution>,
    /// A wait for a thread or for a connection that is longer than this is called slow.
    pub slow: Duration,
    /// Thread time of each request that is served, before its body runs, seconds; `None` = none.
    pub request_work: Option<Distribution>,
    /// The pool of connections of each process, if it has one.
    pub pool: Option<Pool>,
    /// Whether a parked call keeps its worker thread; if not, its answer needs one to go on.
    pub parked_keeps_thread: bool,
    /// What an instance replies to an answer that it does not wait for.
    pub misroute: Misroute,
    /// Who knows the sessions.
    pub sessions: Sessions,
    /// Whether an answer to a parked call needs a free thread of its instance.
    pub answers_need_thread: bool,
    /// Sessions that a process takes; `None` = any number.
    pub session_cap: Option<u32>,
    /// What becomes of one more.
    pub at_session_cap: AtCap,
    /// What a process takes of the memory of its machine.
    pub memory: Memory,
    /// File descriptors of a process; `None` = unlimited.
    pub descriptors: Option<u32>,
    /// Those that an open request takes, at least 1.
    pub descriptors_per_call: u32,
    /// The server's clock on an ask that keeps its call open; `None` = none.
    pub answer_timeout: Option<Duration>,
    /// The server's clock on a session, from the client's last message; `None` = none.
    pub session_idle: Option<Duration>,
    /// Time between two comments on an open stream; `None` = none are sent.
    pub heartbeat: Option<Duration>,
    /// How far that time varies to either side, as a share of it.
    pub heartbeat_jitter: f64,
    /// Names of the zones, all different; address i lies in zone i modulo their number. Empty = one without a name.
    pub zones: Vec<String>,
    /// Addresses at which nothing runs at first, for those that are started beside or added.
    pub spare: u32,
    /// From the order to start a process to its first connection, where nothing else says so.
    pub boot: Duration,
    /// How an address that is told to go goes.
    pub termination: Termination,
    /// How the fleet grows and shrinks by itself, if it does.
    pub scaling: Option<Scaling>,
    /// Which addresses go first when it shrinks.
    pub victim: Victim,
    /// How far the clock of a process may be off to either side; each is off by its own, uniform over that.
    pub clock_skew: Duration,
    /// The processes of the fleet come up at instants of their own, uniform over this from the start of the run.
    pub start_spread: Duration,
}

impl Fleet {
    /// Name of a process; those beyond the first fleet have none of their own.
    pub fn name(&self, process: u32) -> Cow<'_, str> {
        match self.instances.get(process as usize) {
            Some(name) => Cow::Borrowed(name),
            None => {
                let beyond = process - self.instances.len() as u32;
                let (address, worker) = (beyond / self.workers + 1, beyond % self.workers + 1);
                Cow::Owned(if self.workers == 1 { format!("+{address}") } else { format!("+{address}/{worker}") })
            }
        }
    }

    /// Addresses at which something runs or can run.
    pub fn addresses(&self) -> u32 {
        self.instances.len() as u32 / self.workers + self.spare
    }
}

/// Something that goes wrong, or is done to the fleet.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The shared store of used states cannot be asked for some time.
    StoreOutage {
        /// From when; at or below the horizon.
        at: SimTime,
        /// For how long.
        lasts: Duration,
    },
    /// Each instance crashes again and again, with everything it holds, until the horizon.
    Crash {
        /// From the start of a process to its crash, seconds.
        mtbf: Distribution,
        /// From a crash to a new, empty process in the place, seconds.
        repair: Distribution,
    },
    /// The fleet is replaced by processes of the next version.
    Deploy {
        /// When; at or below the horizon.
        at: SimTime,
        /// Again after each such time, until the horizon; `None` = once.
        every: Option<Duration>,
        /// How.
        strategy: Strategy,
        /// Addresses that are replaced at a time, at least 1; of rolling and surge.
        batch: u32,
    },
    /// The fleet is brought to another size.
    Scale {
        /// When; at or below the horizon.
        at: SimTime,
        /// Addresses, at least 1.
        to: u32,
    },
    /// Each address is taken back by whoever lends it, again and again, until the horizon; a new one takes its place.
    Reclaim {
        /// From the start of an address to the notice, seconds.
        every: Distribution,
        /// From the notice to its death.
        notice: Duration,
    },
    /// The shared store crashes again and again, until the horizon.
    StoreCrash {
        /// From when it is up to its crash, seconds.
        mtbf: Distribution,
        /// From a crash to when it is up again, seconds.
        repair: Distribution,
    },
    /// Instances hear nothing more of what others pass on to them, and are up all the same.
    Deaf {
        /// When; at or below the horizon.
        at: SimTime,
        /// Which.
        select: Select,
    },
    /// Instances die at one instant, with everything they hold.
    Kill {
        /// When; at or below the horizon.
        at: SimTime,
        /// Which.
        select: Select,
        /// A new, empty process takes the place after this long; `None` = never.
        restart_after: Option<Duration>,
    },
}
