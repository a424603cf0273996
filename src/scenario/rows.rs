//! Recorded rows from CSV files: calls of a trace, and one column of values. Must never skip a row that it cannot read:
//! a bad row is reported with its line, its column and the reason.

use std::sync::Arc;
use std::time::Duration;

use csv::StringRecord;

use super::model::{Route, TraceRow};
use super::problem::shown;
use super::units::seconds_ns;
use crate::engine::SimTime;
use crate::world::Action;

/// Bad rows shown of one file; the rest is counted.
const SHOWN_ROWS: usize = 20;

/// Why a file of rows cannot be used: a headline, and the lines below it.
#[derive(Debug)]
pub(super) struct BadRows {
    pub label: String,
    pub lines: Vec<String>,
}

impl BadRows {
    fn whole_file(label: impl Into<String>) -> Self {
        Self { label: label.into(), lines: Vec::new() }
    }
}

/// One reason per bad row, as far as they are shown.
struct Bad<'n> {
    name: &'n str,
    lines: Vec<String>,
    count: usize,
}

impl Bad<'_> {
    fn note(&mut self, line: u64, column: &str, reason: &str) {
        self.count += 1;
        if self.count <= SHOWN_ROWS {
            self.lines.push(format!("{}:{line}: column {}: {reason}", shown(self.name), shown(column)));
        }
    }

    fn result<T>(mut self, rows: Vec<T>) -> Result<Vec<T>, BadRows> {
        if self.count == 0 && rows.is_empty() {
            return Err(BadRows::whole_file("the file has a header and no row"));
        }
        if self.count == 0 {
            return Ok(rows);
        }
        if self.count > SHOWN_ROWS {
            self.lines.push(format!("and {} more", self.count - SHOWN_ROWS));
        }
        let s = if self.count == 1 { "" } else { "s" };
        Err(BadRows { label: format!("{} bad row{s} in this file", self.count), lines: self.lines })
    }
}

/// Reads the rows of a file through `read`, which notes what is wrong with a row.
fn rows<T>(
    name: &str,
    bytes: &[u8],
    columns: &[&str],
    mut read: impl FnMut(&[&str], &mut dyn FnMut(&str, String)) -> Option<T>,
) -> Result<Vec<T>, BadRows> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|b| **b == b'\n').count();
        BadRows::whole_file(format!("line {line} is not UTF-8 text"))
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| BadRows::whole_file(error.to_string()))?.clone();
    let places = columns.iter().map(|column| place(&header, column)).collect::<Result<Vec<_>, _>>()?;
    let mut bad = Bad { name, lines: Vec::new(), count: 0 };
    let mut out = Vec::new();
    let mut record = StringRecord::new();
    while reader.read_record(&mut record).map_err(|error| BadRows::whole_file(error.to_string()))? {
        let line = line_of(text, &record);
        let fields: Option<Vec<&str>> = places.iter().map(|place| record.get(*place)).collect();
        match fields {
            None => bad.note(line, columns[columns.len() - 1], "the row has too few columns"),
            Some(fields) => {
                out.extend(read(&fields, &mut |column, reason| bad.note(line, column, &reason)));
            }
        }
    }
    bad.result(out)
}

/// Line of a record, from 1: the reader counts empty lines before a record to it.
fn line_of(text: &str, record: &StringRecord) -> u64 {
    let Some(position) = record.position() else {
        return 1;
    };
    let from = usize::try_from(position.byte()).unwrap_or(usize::MAX);
    let skipped = text.as_bytes().get(from..).unwrap_or_default().iter();
    let empty = skipped.take_while(|b| matches!(b, b'\n' | b'\r')).filter(|b| **b == b'\n').count();
    position.line() + empty as u64
}

fn place(header: &StringRecord, column: &str) -> Result<usize, BadRows> {
    let mut places = header.iter().enumerate().filter(|(_, name)| *name == column).map(|(place, _)| place);
    match (places.next(), places.next()) {
        (Some(place), None) => Ok(place),
        (Some(_), Some(_)) => Err(BadRows::whole_file(format!("the header has the column `{}` twice", shown(column)))),
        (None, _) => {
            let names = header.iter().take(SHOWN_ROWS).map(|name| format!("`{}`", shown(name))).collect::<Vec<_>>();
            Err(BadRows {
                label: format!("the header has no column `{}`", shown(column)),
                lines: vec![format!("the first line of the file must name its columns; it has {}", names.join(", "))],
            })
        }
    }
}

/// The address with this name; an empty cell is none.
fn address(name: &str, addresses: &[String], column: &str, note: &mut dyn FnMut(&str, String)) -> Option<u16> {
    let place = addresses.iter().position(|address| address == name);
    if place.is_none() && !name.is_empty() {
        note(column, format!("the fleet has no address named {}", shown(name)));
    }
    place.and_then(|place| u16::try_from(place).ok())
}

/// Recorded calls, ascending, none after the horizon (unless that is not known); with where their messages went, if
/// these are the names of the `addresses`.
pub(super) fn trace(
    name: &str,
    bytes: &[u8],
    horizon: Option<SimTime>,
    addresses: Option<&[String]>,
) -> Result<Arc<[TraceRow]>, BadRows> {
    let mut last = SimTime::ZERO;
    let columns = ["arrived_s", "think_s", "action", "first_instance", "leg1_instance", "answer_instance"];
    let read = if addresses.is_some() { &columns[..] } else { &columns[..3] };
    let rows = rows(name, bytes, read, |fields, note| {
        let mut at = |place: usize| address(fields.get(place)?, addresses?, columns[place], note);
        let route = Route { first: at(3), call: at(4), answer: at(5) };
        let action = action(fields[2], note);
        let arrived = seconds(columns[0], fields[0], note).map(SimTime::from_ns);
        // Whoever never answers has no think time to record.
        let silent = action == Some(None) && fields[1].is_empty();
        let think = if silent { Some(0) } else { seconds(columns[1], fields[1], note) };
        let arrived = arrived?;
        if arrived < last {
            note(columns[0], format!("{} is before the row above", fields[0]));
        }
        last = arrived.max(last);
        if horizon.is_some_and(|horizon| arrived > horizon) {
            note(columns[0], format!("{} is after the horizon", fields[0]));
        }
        Some(TraceRow { arrived, think: Duration::from_nanos(think?), action: action?, route })
    })?;
    Ok(rows.into())
}

fn action(field: &str, note: &mut dyn FnMut(&str, String)) -> Option<Option<Action>> {
    match field {
        "accept" => Some(Some(Action::Accept)),
        "decline" => Some(Some(Action::Decline)),
        "cancel" => Some(Some(Action::Cancel)),
        "never" => Some(None),
        other => {
            note("action", format!("`{}` is not accept, decline, cancel or never", shown(other)));
            None
        }
    }
}

fn seconds(column: &str, field: &str, note: &mut dyn FnMut(&str, String)) -> Option<u64> {
    let ns = seconds_ns(field);
    if ns.is_none() {
        note(column, format!("`{}` is not plain decimal seconds from 0 to nine years, such as 12.5", shown(field)));
    }
    ns
}

/// One column of values: decimal seconds if `times`, else plain numbers of 0 or more.
pub(super) fn column(name: &str, bytes: &[u8], column: &str, times: bool) -> Result<Vec<f64>, BadRows> {
    rows(name, bytes, &[column], |fields, note| {
        if times {
            return seconds(column, fields[0], note).map(|ns| ns as f64 / 1e9);
        }
        let number = fields[0].parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
        if number.is_none() {
            note(column, format!("`{}` is not a number of 0 or more", shown(fields[0])));
        }
        number
    })
}
