//! From `think.lognormal = { median = "45s", p95 = "4m" }` to a distribution. Must never let a time without a unit through,
//! nor a distribution that may never end where something has to end.

use std::sync::LazyLock;

use toml::de::DeValue;

use super::keys::{self, Key, Kind};
use super::section::Section;
use super::values::{self, Wrong, called};
use crate::random::Distribution;

/// Reads the distribution at a key, or its default; `None` after a problem was noted.
pub(super) fn read(parent: &Section<'_>, name: &str, may_never_end: bool) -> Option<Distribution> {
    let key = parent.key(name);
    let times = matches!(key.kind, Kind::Seconds | Kind::DurationOrSeconds);
    let shown = parent.shown(name);
    let Some(value) = parent.raw(name) else {
        let value = parent.default(name).unwrap_or_else(|| panic!("`{shown}` has a default"));
        let DeValue::Table(table) = value.get_ref() else { panic!("default of `{shown}` is a table") };
        return variant(&parent.at((0..0, table), keys::distribution_keys(), "", shown), times);
    };
    let DeValue::Table(table) = value.get_ref() else {
        let example = if times { "{ constant = \"45s\" }" } else { "{ constant = 500 }" };
        parent.wrong(name, Wrong::new(format!("found {}", called(value.get_ref()))).help(format!("write {example}")));
        return None;
    };
    let section = parent.at((value.span(), table), keys::distribution_keys(), "", shown);
    let distribution = variant(&section, times)?;
    if !may_never_end && distribution.never_share() > 0.0 {
        parent.wrong(name, Wrong::new("`never` has no meaning here").help("only people may never answer"));
        return None;
    }
    Some(distribution)
}

/// Reads the distribution of times at a key, which may be written as one duration.
pub(super) fn read_or_plain(parent: &Section<'_>, name: &str) -> Option<Distribution> {
    if parent.table_quietly(name).is_some() {
        return read(parent, name, false);
    }
    let ns = parent.get(name, values::duration)?;
    Some(Distribution::constant(ns as f64 / 1e9).expect("a duration is a number"))
}

/// The one variant that is written in a section.
fn variant(section: &Section<'_>, times: bool) -> Option<Distribution> {
    let name = section.exactly_one(&["weight"])?;
    let made = match name {
        "constant" => Distribution::constant(quantity(section, "constant", times)?),
        "mixture" => Distribution::mixture(parts(section, times)?),
        "never" => return never(section),
        "empirical" => Distribution::empirical(empirical(&section.table(name), times)?),
        _ => parametric(&section.table(name), name, times)?,
    };
    made.map_err(|error| {
        let title = format!("`{}` is not a possible distribution", section.shown(name));
        section.refuse(name, title, Wrong::new(error.to_string()));
    })
    .ok()
}

type Made = Result<Distribution, crate::random::InvalidDistribution>;

/// Distributions of one or two parameters. Every parameter is read before any is missed, so that all problems are noted.
fn parametric(table: &Section<'_>, name: &str, times: bool) -> Option<Made> {
    let quantity = |name| quantity(table, name, times);
    let positive = |name| table.get(name, values::positive);
    Some(match name {
        "uniform" => {
            let (from, to) = (quantity("from"), quantity("to"));
            Distribution::uniform(from?, to?)
        }
        "exponential" => Distribution::exponential(quantity("mean")?),
        "weibull" => {
            let (shape, scale) = (positive("shape"), quantity("scale"));
            Distribution::weibull(shape?, scale?)
        }
        "erlang" => {
            let (k, mean) = (table.whole("k"), quantity("mean"));
            Distribution::erlang(u32::try_from(k?).ok()?, mean?)
        }
        _ => return lognormal(table, times),
    })
}

fn lognormal(table: &Section<'_>, times: bool) -> Option<Made> {
    let names: Vec<_> = table.written().into_iter().map(|(name, _)| name).collect();
    let has = |name| names.contains(&name);
    let quantity = |name| quantity(table, name, times);
    let sigma = || table.get("sigma", values::positive);
    match (has("median"), has("p95"), has("mean"), has("sigma")) {
        (true, true, false, false) => {
            let (median, p95) = (quantity("median"), quantity("p95"));
            Some(Distribution::lognormal_median_p95(median?, p95?))
        }
        (true, false, false, true) => {
            let (median, sigma) = (quantity("median"), sigma());
            Some(Distribution::lognormal_median_sigma(median?, sigma?))
        }
        (false, false, true, true) => {
            let (mean, sigma) = (quantity("mean"), sigma());
            Some(Distribution::lognormal_mean_sigma(mean?, sigma?))
        }
        _ => {
            let label = if names.is_empty() { "has none".into() } else { format!("has {}", names.join(", ")) };
            let help = "write { median, p95 }, { median, sigma } or { mean, sigma }";
            let title = format!("`{}` takes two parameters that fit together", table.shown_here());
            table.context().push(table.span(), title, Wrong::new(label).help(help));
            None
        }
    }
}

/// A parameter in seconds, or a plain number.
fn quantity(section: &Section<'_>, name: &str, times: bool) -> Option<f64> {
    section.get(name, |value| {
        if times { values::duration(value).map(|ns| ns as f64 / 1e9) } else { values::not_negative(value) }
    })
}

fn never(section: &Section<'_>) -> Option<Distribution> {
    if section.get("never", values::flag)? {
        return Some(Distribution::never());
    }
    section.wrong("never", Wrong::new("`never = false` says nothing").help("write the distribution instead"));
    None
}

fn empirical(table: &Section<'_>, times: bool) -> Option<Vec<f64>> {
    let (bytes, column) = (file(table, "file"), table.get("column", |value| values::text(value).map(String::from)));
    let ((name, bytes), column) = (bytes?, column?);
    super::rows::column(&name, &bytes, &column, times).map_err(|bad| refuse_rows(table, "file", bad)).ok()
}

/// Name and bytes of the file that a key names.
pub(super) fn file(table: &Section<'_>, name: &str) -> Option<(String, Vec<u8>)> {
    let file = table.get(name, |value| values::text(value).map(String::from))?;
    match table.context().files.read(&file) {
        Ok(bytes) => Some((file, bytes)),
        Err(error) => {
            let wrong = Wrong::new(super::problem::shown(&error.to_string()));
            let title = format!("the file of `{}` cannot be read", table.shown(name));
            table.refuse(name, title, wrong.help("file names are relative to the scenario"));
            None
        }
    }
}

/// Notes the bad rows of the file that a key names.
pub(super) fn refuse_rows(table: &Section<'_>, name: &str, bad: super::rows::BadRows) {
    let title = format!("the file of `{}` cannot be used", table.shown(name));
    table.refuse(name, title, Wrong { label: bad.label, help: bad.lines });
}

/// The keys of one part of a mixture: a weight beside any distribution but a mixture.
pub(super) fn part_keys() -> &'static [Key] {
    static PART: LazyLock<Vec<Key>> = LazyLock::new(|| {
        let all = keys::distribution_keys().iter();
        let (mixture, rest): (Vec<Key>, Vec<Key>) = all.partition(|key| key.path.starts_with("mixture"));
        let weight = mixture.into_iter().filter(|key| key.name() == "weight");
        weight.map(|key| Key { path: key.name(), ..key }).chain(rest).collect()
    });
    &PART
}

/// The parts of a mixture.
fn parts(section: &Section<'_>, times: bool) -> Option<Vec<(f64, Distribution)>> {
    let mut parts = Vec::new();
    let mut complete = true;
    for (place, element) in section.elements("mixture")?.into_iter().enumerate() {
        let part = section.at(element, part_keys(), "", format!("{}.{place}", section.shown("mixture")));
        let weight = part.get("weight", values::positive);
        let distribution = variant(&part, times);
        complete &= weight.is_some() && distribution.is_some();
        parts.extend(weight.zip(distribution));
    }
    complete.then_some(parts)
}
