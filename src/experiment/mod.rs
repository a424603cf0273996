//! Replications of every design on the same people, in parallel, folded in a fixed order. The only floor that starts
//! threads; it prints nothing and writes no file.

mod summary;
mod verdict;

pub use summary::{
    BillSummary, Causes, ClientSummary, Count, DesignSummary, Difference, LevelEstimate, Measure, Point, Proportion,
    Quantiles, Resource, Summary, WaitsEstimate,
};

use std::future::Future;

use rayon::prelude::*;

use crate::era::{Binds, Carrying, Design, FanOut, Forwarding, Handle, Migrating, Shim, Storing, Waiting};
use crate::metrics::{Record, Tally};
use crate::scenario::{Scenario, State};
use crate::sim::{self, Observer, Step, Wire};
use crate::tool::{self, Body, Cx, MissingCapability, ToolResult};

/// One replication of one design.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The design.
    pub design: Design,
    /// The replication, from 0.
    pub replication: u32,
    /// What it came to.
    pub tally: Tally,
    /// The record of every call by number, when they were asked for.
    pub records: Vec<Record>,
}

/// Told of progress, and asked whether to go on.
pub trait Progress: Sync {
    /// One more cell is done.
    fn done(&self) {}

    /// Whether the run should end now, with what is finished.
    fn interrupted(&self) -> bool {
        false
    }
}

/// Watches nothing.
impl Progress for () {}

/// How a run is carried out; nothing here changes a result.
#[derive(Clone, Copy, Debug, Default)]
pub struct Execution {
    /// Worker threads; `None` = one per core.
    pub threads: Option<usize>,
    /// Whether the records of all calls are kept.
    pub keep_records: bool,
}

/// Threads could not be started.
#[derive(Debug, thiserror::Error)]
#[error("cannot start worker threads: {0}")]
pub struct NoThreads(#[from] rayon::ThreadPoolBuildError);

/// Runs every replication of every design. The finished cells come back by replication, then design; a replication that
/// was interrupted under one design is left out under all of them.
pub fn run(scenario: &Scenario, execution: Execution, progress: &dyn Progress) -> Result<Vec<Cell>, NoThreads> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(execution.threads.unwrap_or(0)).build()?;
    let designs = &scenario.designs;
    let cells: Vec<(u32, Design)> =
        (0..scenario.replications).flat_map(|k| designs.iter().map(move |&design| (k, design))).collect();
    let ran: Vec<Option<Cell>> = pool.install(|| {
        let one = |&(replication, design): &(u32, Design)| {
            let cell = cell(scenario, design, replication, execution.keep_records, progress);
            cell.inspect(|_| progress.done())
        };
        cells.par_iter().with_max_len(1).map(one).collect()
    });
    let mut finished = Vec::with_capacity(ran.len());
    let mut ran = ran.into_iter();
    for _ in 0..scenario.replications {
        let of_all: Option<Vec<Cell>> = ran.by_ref().take(designs.len()).collect::<Vec<_>>().into_iter().collect();
        finished.extend(of_all.unwrap_or_default());
    }
    Ok(finished)
}

fn cell(
    scenario: &Scenario,
    design: Design,
    replication: u32,
    keep_records: bool,
    progress: &dyn Progress,
) -> Option<Cell> {
    if progress.interrupted() {
        return None;
    }
    let mut watch = Watch { keep_records, records: Vec::new(), progress };
    let tally = simulate(scenario, design, replication, &mut watch)?;
    let mut records = watch.records;
    records.sort_unstable_by_key(|record| record.call);
    Some(Cell { design, replication, tally, records })
}

/// Runs one replication of one design under an observer.
pub fn simulate<O: Observer>(scenario: &Scenario, design: Design, replication: u32, observer: &mut O) -> Option<Tally> {
    simulate_body(scenario, design, replication, tool::run, observer)
}

/// The same with a body of one's own, whose `tool.definition` the scenario holds: where a design's name becomes the
/// design.
pub fn simulate_body<O: Observer, F>(
    scenario: &Scenario,
    design: Design,
    replication: u32,
    body: fn(Cx, Body) -> F,
    observer: &mut O,
) -> Option<Tally>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    let replication = u64::from(replication);
    match design {
        Design::Waiting => sim::run(scenario, &waiting(scenario), replication, body, observer),
        Design::Carrying => sim::run(scenario, &carrying(scenario), replication, body, observer),
        Design::Migrating => {
            let era = Migrating { before: waiting(scenario), after: carrying(scenario) };
            sim::run(scenario, &era, replication, body, observer)
        }
        Design::Forwarding => {
            let era = Forwarding { at_home: waiting(scenario) };
            sim::run(scenario, &era, replication, body, observer)
        }
        Design::FanOut => sim::run(scenario, &FanOut { at_home: waiting(scenario) }, replication, body, observer),
        Design::Storing => sim::run(scenario, &Storing { binds: binds(scenario) }, replication, body, observer),
        Design::Handle => sim::run(scenario, &Handle { binds: binds(scenario) }, replication, body, observer),
        Design::Shim => {
            let era = Shim { before: waiting(scenario), after: carrying(scenario) };
            sim::run(scenario, &era, replication, body, observer)
        }
    }
}

fn waiting(scenario: &Scenario) -> Waiting {
    Waiting { misroute: scenario.fleet.misroute }
}

fn carrying(scenario: &Scenario) -> Carrying {
    let State { ttl, leeway, checks_issued, key_id, signing, ledger, outage_opens, .. } = scenario.state;
    Carrying { ttl, leeway, checks_issued, key_id, signing, binds: binds(scenario), ledger, outage_opens }
}

fn binds(scenario: &Scenario) -> Binds {
    Binds { principal: scenario.state.binds_principal, request: scenario.state.binds_request }
}

/// The story of one call under one design, and how it ended; `None` when the replication has no such call.
pub fn story(scenario: &Scenario, design: Design, replication: u32, call: u32) -> Option<(Vec<Step>, Record)> {
    let mut story = sim::Story::of(call);
    simulate(scenario, design, replication, &mut story)?;
    let record = story.record?;
    Some((story.steps, record))
}

/// The messages of one call under one design, in the order in which they were routed, and how it ended; `None` when the
/// replication has no such call.
pub fn messages(scenario: &Scenario, design: Design, replication: u32, call: u32) -> Option<(Vec<Wire>, Record)> {
    let mut followed = sim::Messages::of(call);
    simulate(scenario, design, replication, &mut followed)?;
    let record = followed.record?;
    Some((followed.messages, record))
}

struct Watch<'a> {
    keep_records: bool,
    records: Vec<Record>,
    progress: &'a dyn Progress,
}

impl Observer for Watch<'_> {
    fn record(&mut self, record: &Record) {
        if self.keep_records {
            self.records.push(*record);
        }
    }

    fn interrupted(&self) -> bool {
        self.progress.interrupted()
    }
}
