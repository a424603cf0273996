//! The prices. Must never let an instance be so small that it holds nothing.

use super::model::Bill;
use super::section::Section;
use super::values::{self, Wrong};

/// Reads `[bill]`; `Some(None)` where it is not written.
pub(super) fn read(root: &Section<'_>) -> Option<Option<Bill>> {
    let section = root.table("bill");
    if root.raw("bill").is_none() {
        return Some(None);
    }
    let [instance, gigabyte] = ["instance", "gigabyte"].map(|name| section.get(name, values::not_negative));
    let cores = section.get("cores", values::positive);
    let [utilisation, quantile] = ["utilisation", "quantile"].map(|name| section.get(name, above_nought));
    let [threads, descriptors] = ["threads", "descriptors"].map(|name| section.whole_or(name).map(Result::ok));
    let memory = section.bytes_or("memory").and_then(|memory| match memory {
        Some(0) => {
            section.wrong("memory", Wrong::new("must be above 0"));
            None
        }
        memory => Some(memory),
    });
    let least = section.whole("least").and_then(|least| u32::try_from(least).ok());
    let message = section.get("message", values::bytes);
    root.table_quietly("bill")?;
    Some(Some(Bill {
        instance: instance?,
        cores: cores?,
        utilisation: utilisation?,
        threads: threads?,
        memory: memory?,
        descriptors: descriptors?,
        least: least?,
        quantile: quantile?,
        message: message?,
        gigabyte: gigabyte?,
    }))
}

fn above_nought(value: &toml::de::DeValue<'_>) -> Result<f64, Wrong> {
    Some(values::share(value)?).filter(|share| *share > 0.0).ok_or_else(|| Wrong::new("must be above 0"))
}
