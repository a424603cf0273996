//! The folder of results. Each file is written beside its place and moved there when it is whole; the manifest leaves
//! first and comes last, so a folder with a manifest holds exactly what the manifest says.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::chart::outcomes_svg;
use super::csv::{calls_csv, summary_csv};
use crate::experiment::{Cell, Summary};
use crate::scenario::Scenario;

/// A file of the results could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {path}: {source}")]
pub struct WriteError {
    path: String,
    source: io::Error,
}

/// What manifest.toml says.
#[derive(Serialize)]
struct Manifest<'a> {
    program: &'a str,
    version: &'a str,
    scenario: &'a str,
    scenario_hash: &'a str,
    seed: u64,
    designs: Vec<&'a str>,
    replications: u32,
    replications_wanted: u32,
    complete: bool,
    digest: &'a str,
}

/// The folder for the results of a run: `base/<name>`, or `base/<name>/<first 8 of the scenario's hash>` when the
/// scenario was changed from the command line.
pub fn folder(base: &Path, summary: &Summary, overridden: bool) -> PathBuf {
    let folder = base.join(&summary.scenario);
    if overridden { folder.join(&summary.scenario_hash[..8]) } else { folder }
}

/// Writes the results of a run into the folder, which is made if need be. `calls` are the cells whose records go into
/// calls.csv.
pub fn write(folder: &Path, scenario: &Scenario, summary: &Summary, calls: Option<&[Cell]>) -> Result<(), WriteError> {
    let failed = |path: &Path| {
        let path = path.display().to_string();
        move |source| WriteError { path, source }
    };
    std::fs::create_dir_all(folder).map_err(failed(folder))?;
    for stale in ["manifest.toml", "calls.csv"] {
        let path = folder.join(stale);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(&path)(error)),
            _ => {}
        }
    }
    let mut files = vec![("summary.csv", summary_csv(summary, true)), ("outcomes.svg", outcomes_svg(summary))];
    files.extend(calls.map(|cells| ("calls.csv", calls_csv(scenario, cells))));
    files.push(("manifest.toml", manifest(scenario, summary)));
    for (name, text) in files {
        let path = folder.join(name);
        write_whole(folder, &path, &text).map_err(failed(&path))?;
    }
    Ok(())
}

fn manifest(scenario: &Scenario, summary: &Summary) -> String {
    toml::to_string(&Manifest {
        program: env!("CARGO_PKG_NAME"),
        version: summary.version,
        scenario: &summary.scenario,
        scenario_hash: &summary.scenario_hash,
        seed: summary.seed,
        designs: scenario.designs.iter().map(|design| design.name()).collect(),
        replications: summary.replications,
        replications_wanted: summary.replications_wanted,
        complete: summary.replications == summary.replications_wanted,
        digest: &summary.digest,
    })
    .expect("a manifest is plain data")
}

fn write_whole(folder: &Path, path: &Path, text: &str) -> io::Result<()> {
    let mut file = tempfile::Builder::new().prefix(".unfinished-").tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // A temporary file is private to its owner; a result is for everybody to read.
        file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
