//! The table of oracles for the tests of this floor.
//!
//! Why it exists: the closed forms here are compared with numbers that other code made by other means, digit by digit.
//! What must never happen here: a tolerance wider than half a unit of the last printed digit, or a test that passes
//! because no row was found.

use super::think::Think;

const TABLE: &str = include_str!("../../../tests/suite/data/oracles.csv");

/// One row: its parameters and what was printed.
pub(super) struct Row {
    pub(super) parameters: String,
    values: Vec<String>,
}

impl Row {
    /// The number after `name=` (or after `name` and a blank), with the units h and d turned into seconds.
    pub(super) fn number(&self, name: &str) -> f64 {
        let words: Vec<&str> = self.parameters.split([' ', '=']).collect();
        let at = words.iter().position(|word| *word == name).expect("the row names the parameter");
        let (digits, unit) = match words[at + 1].strip_suffix('h') {
            Some(digits) => (digits, 3600.0),
            None => words[at + 1].strip_suffix('d').map_or((words[at + 1], 1.0), |digits| (digits, 86_400.0)),
        };
        digits.parse::<f64>().expect("a number") * unit
    }

    pub(super) fn count(&self, name: &str) -> u32 {
        self.number(name) as u32
    }

    /// The think time named in the parameters, such as EXP60, DET60 or LN60/1.2.
    pub(super) fn think(&self) -> Think {
        self.parameters.split(' ').find_map(think_named).expect("the row names a think time")
    }
}

/// The four reference shapes in the order of the columns EXP/DET/LN1.2/LN2.0.
pub(super) fn columns(f: impl Fn(Think) -> f64) -> Vec<f64> {
    ["EXP60", "DET60", "LN60/1.2", "LN60/2"].map(|name| f(think_named(name).expect("a shape"))).to_vec()
}

fn think_named(name: &str) -> Option<Think> {
    let number = |text: &str| text.parse::<f64>().expect("a number");
    if let Some(mean) = name.strip_prefix("EXP") {
        return Some(Think::Exponential { mean: number(mean) });
    }
    if let Some(value) = name.strip_prefix("DET") {
        return Some(Think::Constant { value: number(value) });
    }
    let (mean, sigma) = name.strip_prefix("LN")?.split_once('/')?;
    Some(Think::Lognormal { mean: number(mean), sigma: number(sigma) })
}

/// Every row of this id and quantity agrees with `ours`, value by value, to the printed digits.
pub(super) fn agree(id: &str, quantity: &str, ours: impl Fn(&Row) -> Vec<f64>) {
    agree_from(id, quantity, 0, ours);
}

/// As [`agree`], from the printed value number `first` on.
pub(super) fn agree_from(id: &str, quantity: &str, first: usize, ours: impl Fn(&Row) -> Vec<f64>) {
    let rows = rows(id, quantity);
    assert!(!rows.is_empty(), "no row {id} {quantity}");
    for row in rows {
        let ours = ours(&row);
        assert!(!ours.is_empty() && ours.len() <= row.values.len() - first, "{id} {quantity}: compares nothing");
        for (ours, printed) in ours.iter().zip(&row.values[first..]) {
            let (value, half_unit) = (printed.parse::<f64>().expect("a number"), half_unit(printed));
            let off = (ours - value).abs();
            assert!(off <= half_unit, "{id} {quantity} {}: {ours} is not {printed}", row.parameters);
        }
    }
}

fn rows(id: &str, quantity: &str) -> Vec<Row> {
    let mut reader = csv::Reader::from_reader(TABLE.as_bytes());
    let records: Vec<csv::StringRecord> = reader.records().map(|record| record.expect("a record")).collect();
    records
        .iter()
        .filter(|record| &record[0] == id && &record[1] == quantity)
        .map(|record| Row {
            parameters: record[2].to_owned(),
            values: record[3].split(' ').map(str::to_owned).collect(),
        })
        .collect()
}

/// Half a unit of the last printed digit, and a hair for a value that ends in a five just there.
fn half_unit(printed: &str) -> f64 {
    let (mantissa, exponent) = printed.split_once('e').unwrap_or((printed, "0"));
    let decimals = mantissa.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let exponent = exponent.parse::<f64>().expect("an exponent") - decimals as f64;
    0.5 * libm::pow(10.0, exponent) * (1.0 + 1e-6)
}

#[test]
fn half_a_unit_follows_the_printed_digits() {
    for (printed, expected) in [("300.000", 5e-4), ("1379.8", 0.05), ("48", 0.5), ("6.38443e-06", 5e-12)] {
        assert!((half_unit(printed) / expected - 1.0).abs() < 1e-5, "{printed}");
    }
}
