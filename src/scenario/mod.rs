//! What the user wrote, turned into what it means: TOML with places in, a [`Scenario`] or every mistake of the file out.
//! Must never stop at the first mistake, never guess, and never let anything through that the simulator would have to ask
//! about again.

mod arrivals;
mod asks;
mod balancer;
mod bill;
mod change;
mod clients;
mod contradictions;
mod diagnostics;
mod distribution;
mod faults;
mod fleet;
mod keys;
mod links;
mod memory;
mod model;
mod overrides;
mod presets;
mod problem;
mod rows;
mod schema;
mod section;
mod sections;
mod state;
mod stationary;
mod steps;
mod store;
mod template;
mod tool;
mod typed;
mod units;
mod values;

#[cfg(test)]
mod tests;

use std::cell::{Cell, RefCell};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use toml::de::{DeTable, Error};

pub use diagnostics::{Invalid, Place};
pub use keys::{Key, Kind, distribution_keys, keys};
pub use model::*;
pub use presets::{Preset, presets};
pub use problem::Problem;
pub(crate) use problem::one_line;
pub use schema::schema;
pub use template::template;
pub use values::is_name;

use problem::Problems;
use section::{Context, Section};

/// Largest scenario file, bytes.
const LARGEST_FILE: u64 = 4 << 20;
/// Largest file of recorded rows, bytes.
const LARGEST_ROWS: u64 = 256 << 20;

/// The text of a scenario, and the name under which errors show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Name as shown in errors.
    pub name: String,
    /// TOML.
    pub text: String,
}

/// Where the files come from that a scenario names.
pub trait Files {
    /// The bytes of the file with this name, relative to the scenario.
    fn read(&self, name: &str) -> io::Result<Vec<u8>>;
}

/// Files of a folder on disk.
#[derive(Clone, Debug)]
pub struct Folder(pub PathBuf);

impl Files for Folder {
    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        read_at_most(&self.0.join(name), LARGEST_ROWS)
    }
}

/// No files at all: for scenarios that stand on their own.
#[derive(Clone, Copy, Debug)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _name: &str) -> io::Result<Vec<u8>> {
        Err(io::Error::new(io::ErrorKind::NotFound, "this scenario cannot read files"))
    }
}

/// Why a scenario could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file could not be read.
    #[error("cannot read {}: {source}", problem::one_line(&path.display().to_string()))]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file was read and is wrong.
    #[error(transparent)]
    Invalid(#[from] Invalid),
}

/// Reads a scenario file, with the `key=value` words of `--set` written over it. CSV files that it names are read
/// relative to its folder.
pub fn load(path: &Path, overrides: &[String]) -> Result<Scenario, LoadError> {
    let bytes = read_at_most(path, LARGEST_FILE).map_err(|source| LoadError::Io { path: path.into(), source })?;
    let name = path.display().to_string();
    let folder = Folder(path.parent().map(Path::to_path_buf).unwrap_or_default());
    let text = String::from_utf8(bytes).map_err(|error| not_utf8(name.clone(), &error))?;
    Ok(parse(Source { name, text }, overrides, &folder)?)
}

/// Reads a scenario, or finds everything that is wrong with it.
pub fn parse(source: Source, overrides: &[String], files: &dyn Files) -> Result<Scenario, Invalid> {
    if overrides.is_empty() {
        return read(source, files);
    }
    let changed = overrides::apply(source.clone(), overrides)?;
    // Mistakes that stand in the file are shown where they stand in the file.
    read(changed, files).map_err(|invalid| match read(source, files) {
        Ok(_) => invalid,
        Err(file) => invalid.beside(file),
    })
}

fn read(source: Source, files: &dyn Files) -> Result<Scenario, Invalid> {
    let (table, syntax) = DeTable::parse_recoverable(&source.text);
    let cx = Context { problems: RefCell::default(), files, whole: syntax.is_empty(), preset: Cell::new(&[]) };
    let scenario = sections::scenario(&Section::root(&cx, table.get_ref()));
    let problems = cx.problems.into_inner();
    match scenario {
        Some(scenario) if syntax.is_empty() && problems.is_empty() => Ok(scenario),
        _ => {
            let (problems, more) = with_syntax(&source.text, syntax, problems).into_sorted();
            assert!(!problems.is_empty(), "a scenario is refused for a reason");
            Err(Invalid::new(source, problems, more))
        }
    }
}

/// All problems of a text. What was read of a line that is no TOML is not judged, nor anything below a broken table
/// header, since it would be taken for part of another table.
fn with_syntax(text: &str, syntax: Vec<Error>, problems: Problems) -> Problems {
    if syntax.is_empty() {
        return problems;
    }
    let line_from = |at: usize| text.as_bytes()[..at.min(text.len())].iter().rposition(|b| *b == b'\n');
    let mut all = Problems::default();
    let (mut broken, mut header) = (Vec::new(), usize::MAX);
    let mut errors = syntax.into_iter();
    // One line can hold millions of errors, so the rest is counted without looking at its lines.
    while !all.is_full()
        && let Some(error) = errors.next()
    {
        let span = error.span().unwrap_or(0..0);
        let from = line_from(span.start);
        let line = text.get(from.map_or(0, |newline| newline + 1)..).unwrap_or_default();
        if line.trim_start_matches([' ', '\t']).starts_with('[') {
            header = header.min(span.start);
        }
        broken.push(from);
        let help = vec!["text stands in quotes: \"45s\"; tables open with [name]".into()];
        all.push(Problem { span, title: "this is not TOML".into(), label: error.message().into(), help });
    }
    all.count(errors.count());
    let kept = problems.into_sorted().0.into_iter();
    kept.filter(|problem| problem.span.start < header && !broken.contains(&line_from(problem.span.start)))
        .for_each(|problem| all.push(problem));
    all
}

fn read_at_most(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        let reason = format!("larger than {} MiB", limit >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    Ok(bytes)
}

/// The place of the first byte that is no text.
fn not_utf8(name: String, error: &std::string::FromUtf8Error) -> Invalid {
    let at = error.utf8_error().valid_up_to();
    let problem = Problem {
        span: at..at + '\u{fffd}'.len_utf8(),
        title: "this is not text".into(),
        label: "not UTF-8 from here on".into(),
        help: vec!["save the file as UTF-8".into()],
    };
    let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
    Invalid::new(Source { name, text }, vec![problem], 0)
}

/// Lower-case hex SHA-256 of the canonical JSON of a validated scenario: comments and spelling do not matter, recorded
/// rows do.
pub fn effective_hash(scenario: &Scenario) -> String {
    let json = serde_json::to_vec(scenario).expect("a scenario holds nothing that JSON cannot");
    Sha256::digest(json).iter().map(|byte| format!("{byte:02x}")).collect()
}
