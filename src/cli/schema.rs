//! `parked schema`: the JSON Schema of scenarios, for editors.

use super::{Exit, Failure, Screen};
use crate::scenario;

pub(super) fn execute(screen: &mut Screen) -> Result<Exit, Failure> {
    let schema = serde_json::to_string_pretty(&scenario::schema()).expect("a schema is plain data");
    screen.print(&format!("{schema}\n"))?;
    Ok(Exit::Done)
}
