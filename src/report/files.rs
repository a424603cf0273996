//! The folder of results. Each file is written beside its place and moved there when it is whole; the manifest leaves
//! first and comes last, so a folder with a manifest holds exactly what the manifest says.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::chart::outcomes_svg;
use super::csv::{summary_csv, write_calls};
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
    /// What the command line changed of the scenario.
    overrides: &'a [String],
    seed: u64,
    designs: Vec<&'a str>,
    replications: u32,
    replications_wanted: u32,
    complete: bool,
    /// Replications that an interruption left out: first and last of each gap.
    missing: &'a [(u32, u32)],
    digest: &'a str,
}

/// What is written beside the summary.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extras<'a> {
    /// What the command line changed of the scenario, as `key=value`.
    pub overrides: &'a [String],
    /// Cells whose records go into calls.csv.
    pub calls: Option<&'a [Cell]>,
}

/// The folder for the results of a run. `base/<name>` holds complete runs of the unchanged scenario only; a run that the
/// command line changed, or that was interrupted, has `base/<name>/<first 8 of the scenario's hash>`.
pub fn folder(base: &Path, summary: &Summary, extras: &Extras<'_>) -> PathBuf {
    let folder = base.join(&summary.scenario);
    let plain = extras.overrides.is_empty() && summary.missing.is_empty();
    if plain { folder } else { folder.join(&summary.scenario_hash[..8]) }
}

/// Writes the results of a run into the folder, which is made if need be.
pub fn write(folder: &Path, scenario: &Scenario, summary: &Summary, extras: &Extras<'_>) -> Result<(), WriteError> {
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
    let put = |name: &str, fill: &dyn Fn(&mut dyn Write) -> io::Result<()>| {
        let path = folder.join(name);
        write_whole(folder, &path, fill).map_err(failed(&path))
    };
    put("summary.csv", &|file| file.write_all(summary_csv(summary, true).as_bytes()))?;
    put("outcomes.svg", &|file| file.write_all(outcomes_svg(summary).as_bytes()))?;
    if let Some(cells) = extras.calls {
        put("calls.csv", &|file| write_calls(scenario, cells, file))?;
    }
    put("manifest.toml", &|file| file.write_all(manifest(scenario, summary, extras.overrides).as_bytes()))
}

fn manifest(scenario: &Scenario, summary: &Summary, overrides: &[String]) -> String {
    toml::to_string(&Manifest {
        program: env!("CARGO_PKG_NAME"),
        version: summary.version,
        scenario: &summary.scenario,
        scenario_hash: &summary.scenario_hash,
        overrides,
        seed: summary.seed,
        designs: scenario.designs.iter().map(|design| design.name()).collect(),
        replications: summary.replications,
        replications_wanted: summary.replications_wanted,
        complete: summary.missing.is_empty(),
        missing: &summary.missing,
        digest: &summary.digest,
    })
    .expect("a manifest is plain data")
}

fn write_whole(folder: &Path, path: &Path, fill: &dyn Fn(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = tempfile::Builder::new().prefix(".unfinished-").tempfile_in(folder)?;
    fill(file.as_file_mut())?;
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
