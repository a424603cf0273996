//! `parked verify`: figures of the ordinary simulator, each beside the closed form that it must come to.
//!
//! Why it exists: whoever has to trust this program can ask it for the proof, on their own machine and with a seed of
//! their own choice.
//! What must never happen here: a value of theory that was made by the simulator; an interval chosen after the fact.

mod changes;
mod checks;
mod effects;
mod losses;
mod parked;
mod routing;
mod stores;
mod table;
mod threads;

use clap::ValueEnum;
use serde::Serialize;

use super::progress::{Signals, Style, Watch};
use super::{Exit, Failure, Overrides, Screen};
use crate::experiment::{self, Execution, Progress};
use crate::scenario::{LoadError, NoFiles, Scenario, Source, parse};
use crate::stats::Observed;
use checks::{Check, Read, all};

/// Holds what is simulated against closed forms of queueing theory and probability.
///
/// Each check gives its closed form, the exact value, and the simulated one with an interval. The intervals are so wide
/// that a program without error fails one check or more with at most one seed in a thousand. Ends with code 4 when a
/// check disagrees.
///
/// `--set` changes every scenario and no closed form: so it shows that a check can fail.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Verify {
    /// The same checks with a quarter of the replications.
    #[arg(long)]
    quick: bool,
    #[command(flatten)]
    overrides: Overrides,
    /// What is written to the standard output.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// The probability that a right program fails one check or more, over seeds. Shared out evenly (Bonferroni).
const FALSE_ALARM: f64 = 0.001;

/// One check and what came of it.
#[derive(Serialize)]
struct Row {
    subject: &'static str,
    measured: &'static str,
    closed_form: &'static str,
    setting: &'static str,
    exact: f64,
    simulated: f64,
    low: f64,
    high: f64,
    interval: &'static str,
    /// Probability that the interval misses the true value.
    miss: f64,
    agrees: bool,
    replications: u32,
    seed: u64,
    /// The scenario, before the words of the command line.
    scenario: String,
}

impl Verify {
    pub(super) fn execute(self, screen: &mut Screen) -> Result<Exit, Failure> {
        let checks = all();
        let signals = Signals::listen().map_err(|error| Failure::Io(format!("cannot listen to signals: {error}")))?;
        let scenarios = self.scenarios(&checks)?;
        let cells = scenarios.iter().map(|(_, scenario)| u64::from(scenario.replications)).sum();
        let watch = Watch::new(Style::Auto, "verify", cells, signals.clone());
        let rows = rows(&checks, &scenarios, &watch)?;
        watch.finish();
        if let Some(signal) = signals.heard() {
            screen.tell("interrupted: nothing was verified");
            return Ok(Exit::Interrupted(signal));
        }
        screen.print(&match self.format {
            Format::Text => table::text(&rows),
            Format::Json => format!("{}\n", serde_json::to_string_pretty(&rows).expect("plain data")),
        })?;
        Ok(exit(&rows))
    }

    /// Every check's scenario as a text and as what it means, with the words of the command line over it.
    fn scenarios(&self, checks: &[Check]) -> Result<Vec<(String, Scenario)>, Failure> {
        let words = self.overrides.words()?;
        let scenario = |check: &Check| {
            let text = check.text(self.quick);
            let source = Source { name: format!("the scenario of {:?}", check.measured), text: text.clone() };
            let scenario = parse(source, &words, &NoFiles);
            let scenario = scenario.map_err(|invalid| Failure::Scenarios(vec![LoadError::Invalid(invalid)]))?;
            if scenario.designs.len() == 1 && scenario.replications > 1 {
                return Ok((text, scenario));
            }
            Err(Failure::Usage("every check needs its one design and at least two replications".to_owned()))
        };
        checks.iter().map(scenario).collect()
    }
}

/// Makes these checks one after another, until the watch is told to stop.
fn rows(checks: &[Check], scenarios: &[(String, Scenario)], watch: &dyn Progress) -> Result<Vec<Row>, Failure> {
    let miss = FALSE_ALARM / checks.len() as f64;
    let mut rows = Vec::with_capacity(checks.len());
    for (check, (text, scenario)) in checks.iter().zip(scenarios) {
        let keep_records = matches!(check.read, Read::Cells(_));
        let execution = Execution { threads: None, keep_records };
        let cells = experiment::run(scenario, execution, watch).map_err(|error| Failure::Io(error.to_string()))?;
        if watch.interrupted() {
            break;
        }
        let observed = match check.read {
            Read::Cells(read) => read(scenario, &cells),
            Read::Tallies(read) => read(&cells.into_iter().map(|cell| cell.tally).collect::<Vec<_>>()),
        };
        rows.push(check.row(&observed, miss, text, scenario));
    }
    Ok(rows)
}

fn exit(rows: &[Row]) -> Exit {
    if rows.iter().all(|row| row.agrees) { Exit::Done } else { Exit::NotReproduced }
}

impl Check {
    fn row(&self, observed: &Observed, miss: f64, text: &str, scenario: &Scenario) -> Row {
        let (exact, interval) = ((self.exact)(), observed.interval(miss));
        Row {
            subject: self.subject,
            measured: self.measured,
            closed_form: self.form,
            setting: self.setting,
            exact,
            simulated: observed.value(),
            low: interval.low,
            high: interval.high,
            interval: observed.method(),
            miss,
            agrees: interval.contains(exact),
            replications: scenario.replications,
            seed: scenario.seed,
            scenario: text.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests;
