//! `parked check`: validates scenarios and runs nothing.

use std::path::PathBuf;

use super::{Exit, Failure, Overrides, Screen, load_all};

#[derive(clap::Args)]
pub(super) struct Check {
    /// Scenario files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    overrides: Overrides,
}

impl Check {
    pub(super) fn execute(self, screen: &mut Screen) -> Result<Exit, Failure> {
        let scenarios = load_all(&self.files, &self.overrides.words()?)?;
        for (file, scenario) in self.files.iter().zip(scenarios) {
            let question = if scenario.question.is_empty() { "no question" } else { &scenario.question };
            screen.print(&format!("{}: ok ({question})\n", file.display()))?;
        }
        Ok(Exit::Done)
    }
}
