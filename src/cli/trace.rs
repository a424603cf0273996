//! `parked trace`: the story of one call, message by message, under each design, in words or as it stands on the wire.

use std::path::PathBuf;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::{Value, json};

use super::{Exit, Failure, Overrides, Screen, load_all};
use crate::era::Design;
use crate::experiment;
use crate::report;
use crate::scenario::Scenario;

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
    /// Shows the JSON-RPC messages of the call, with their headers, instead of its story.
    #[arg(long)]
    wire: bool,
    /// What is written to the standard output.
    #[arg(long, value_enum, default_value_t = Format::Text, requires = "wire")]
    format: Format,
    #[command(flatten)]
    overrides: Overrides,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
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
        let mut all = Vec::new();
        for design in designs {
            match (self.wire, self.format) {
                (false, _) => screen.print(&self.story(scenario, design)?)?,
                (true, Format::Text) => screen.print(&self.messages(scenario, design)?.0)?,
                (true, Format::Json) => all.push(self.messages(scenario, design)?.1),
            }
        }
        if self.format == Format::Json {
            screen.print(&format!("{:#}\n", Value::from(all)))?;
        }
        Ok(Exit::Done)
    }

    fn story(&self, scenario: &Scenario, design: Design) -> Result<String, Failure> {
        let story = experiment::story(scenario, design, self.replication, self.call);
        let (steps, record) = story.ok_or_else(|| self.no_such_call(scenario))?;
        Ok(report::story(scenario, design, &steps, &record))
    }

    /// The messages of the call, as text and as JSON.
    fn messages(&self, scenario: &Scenario, design: Design) -> Result<(String, Value), Failure> {
        let messages = experiment::messages(scenario, design, self.replication, self.call);
        let (messages, record) = messages.ok_or_else(|| self.no_such_call(scenario))?;
        let spoken = report::spoken(design, &messages).ok_or_else(|| {
            Failure::Usage(format!(
                "call {} was asked by servers of both eras, which no single log of messages shows: leave --wire out",
                self.call
            ))
        })?;
        let frames = report::frames(scenario, spoken, &messages, &record);
        let json = json!({
            "design": design,
            "revision": report::revision(spoken),
            "call": record.call,
            "end": record.end,
            "messages": frames,
        });
        Ok((report::wire(scenario, spoken, &frames, &record), json))
    }

    fn no_such_call(&self, scenario: &Scenario) -> Failure {
        Failure::Usage(format!(
            "replication {} of {} has no call {}: calls are numbered from 0 in order of arrival",
            self.replication, scenario.name, self.call
        ))
    }
}
