//! `parked trace`: the story of one call, message by message, under each design.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::{Exit, Failure, Overrides, Screen, load_all};
use crate::era::Design;
use crate::experiment;
use crate::report;

#[derive(clap::Args)]
pub(super) struct Trace {
    /// Scenario file.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Number of the call, in order of arrival from 0.
    #[arg(long, value_name = "N", default_value_t = 0)]
    call: u32,
    /// The design; every design of the scenario when not given.
    #[arg(long, value_name = "DESIGN", value_parser = designs())]
    design: Option<Design>,
    /// Replication, from 0.
    #[arg(long, value_name = "K", default_value_t = 0)]
    replication: u32,
    #[command(flatten)]
    overrides: Overrides,
}

/// The names of the designs, as words of the command line.
fn designs() -> impl TypedValueParser<Value = Design> {
    let named = |name: String| Design::ALL.into_iter().find(|design| design.name() == name);
    PossibleValuesParser::new(Design::ALL.map(Design::name)).map(move |name| named(name).expect("a possible value"))
}

impl Trace {
    pub(super) fn execute(self, screen: &mut Screen) -> Result<Exit, Failure> {
        let scenarios = load_all(std::slice::from_ref(&self.file), &self.overrides.words()?)?;
        let scenario = &scenarios[0];
        if self.replication >= scenario.replications {
            return Err(Failure::Usage(format!(
                "{} has {} replications, numbered from 0; --set replications=N asks for more",
                scenario.name, scenario.replications
            )));
        }
        let designs = self.design.map_or_else(|| scenario.designs.clone(), |design| vec![design]);
        for design in designs {
            let Some((steps, record)) = experiment::story(scenario, design, self.replication, self.call) else {
                return Err(Failure::Usage(format!(
                    "replication {} of {} has no call {}: calls are numbered from 0 in order of arrival",
                    self.replication, scenario.name, self.call
                )));
            };
            screen.print(&report::story(scenario, design, &steps, &record))?;
        }
        Ok(Exit::Done)
    }
}
