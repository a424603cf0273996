//! `parked new`: writes a commented scenario to start from.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::Path;

use super::{Exit, Failure, Screen};
use crate::scenario;

#[derive(clap::Args)]
pub(super) struct New {
    /// Name of the scenario: small letters, digits and hyphens; the file is NAME.toml.
    #[arg(value_name = "NAME")]
    name: String,
}

impl New {
    pub(super) fn execute(self, screen: &mut Screen) -> Result<Exit, Failure> {
        let name = self.name.strip_suffix(".toml").unwrap_or(&self.name);
        if !scenario::is_name(name) {
            return Err(Failure::Usage(format!(
                "{name:?} cannot be the name of a scenario: use small letters, digits and hyphens, such as my-fleet"
            )));
        }
        let path = format!("{name}.toml");
        write_new(Path::new(&path), &scenario::template(name))?;
        screen.print(&format!("wrote {path}; try: parked run {path}\n"))?;
        Ok(Exit::Done)
    }
}

/// Writes a file that must not exist yet.
fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let created = File::create_new(path).and_then(|mut file| file.write_all(text.as_bytes()));
    created.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => Failure::Usage(format!("{} exists already; it was left as it is", path.display())),
        _ => Failure::Io(format!("cannot write {}: {error}", path.display())),
    })
}
