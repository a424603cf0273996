//! `parked schema`: JSON Schemas, for editors.

use clap::ValueEnum;

use super::{Exit, Failure, Screen};
use crate::scenario;

#[derive(clap::Args)]
pub(super) struct Schema {
    /// Of what.
    #[arg(value_enum, default_value_t = What::Scenario)]
    what: What,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// Scenario files.
    Scenario,
}

impl Schema {
    pub(super) fn execute(self, screen: &mut Screen) -> Result<Exit, Failure> {
        let schema = match self.what {
            What::Scenario => scenario::schema(),
        };
        let text = serde_json::to_string_pretty(&schema).expect("a schema is plain data");
        screen.print(&format!("{text}\n"))?;
        Ok(Exit::Done)
    }
}
