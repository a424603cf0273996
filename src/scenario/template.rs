//! The scenario that `parked new` writes: every key with its default and its meaning. It follows from the list of keys, so
//! it must never show a default that is not the default.

use super::keys::{self, Key, Kind};
use super::values::is_name;

/// A commented scenario that means the same as one with the name alone.
///
/// # Panics
/// If `name` is not a plain word: 1 to 64 of `a-z`, `0-9` and `-`.
pub fn template(name: &str) -> String {
    assert!(is_name(name), "the name of a scenario is 1 to 64 of the characters a-z, 0-9 and -");
    let mut out = String::from("#:schema ./scenario.schema.json\n");
    out.push_str("# Write the schema for your editor with: parked schema scenario > scenario.schema.json\n");
    out.push_str("# Every line shows a default; a line that is taken out means the same.\n");
    out.push_str("# Units are always written: ns us ms s m h d (\"1h30m\"), rates /s /m /h /d (\"5/s\").\n\n");
    for key in keys::within(keys::keys(), "") {
        match key.kind {
            Kind::Table | Kind::Variants => section(&mut out, key),
            Kind::VariantsList => list(&mut out, key),
            Kind::Word => line(&mut out, "", key.name(), &format!("\"{name}\""), key),
            _ => line(&mut out, "", key.name(), key.default.unwrap_or_default(), key),
        }
    }
    out.push_str(DISTRIBUTIONS);
    out
}

const DISTRIBUTIONS: &str = r#"
# Wherever a distribution stands, one of these may (amounts are plain numbers instead of times):
#   think.constant = "60s"
#   think.uniform = { from = "10s", to = "2m" }
#   think.exponential = { mean = "1m" }
#   think.lognormal = { median = "45s", p95 = "4m" }    or { median, sigma }, or { mean, sigma }
#   think.weibull = { shape = 0.7, scale = "1m" }
#   think.erlang = { k = 3, mean = "1m" }
#   think.empirical = { file = "x.csv", column = "think_s" }
#   think.mixture = [{ weight = 0.9, exponential = { mean = "1m" } }, { weight = 0.1, never = true }]
"#;

/// `key = value  # meaning`, the key after `before`.
fn line(out: &mut String, before: &str, name: &str, value: &str, key: &Key) {
    let written = format!("{before}{name} = {value}");
    out.push_str(&format!("{written:<58} # {}\n", meaning(key)));
}

fn meaning(key: &Key) -> String {
    let takes = match key.kind {
        Kind::Choice(words) if words.len() > 1 => format!(" [{}]", words.join(", ")),
        Kind::WholeOr(words) => format!(" [1 .., {}]", words.join(", ")),
        Kind::DurationOr(word) | Kind::BytesOr(word) => format!(" [or \"{word}\"]"),
        _ => String::new(),
    };
    format!("{}{takes}", key.meaning)
}

fn section(out: &mut String, table: &Key) {
    let optional = table.default.is_none();
    let header = if optional { "# " } else { "" };
    out.push_str(&format!("\n{header}[{}] # {}\n", table.path, table.meaning));
    for key in keys::within(keys::keys(), table.path) {
        let before = if stands(key) && !optional { "" } else { "# " };
        line(out, before, key.name(), &value(key), key);
        inner(out, key, 2);
    }
}

/// What stands within a key, level by level.
fn inner(out: &mut String, table: &Key, indent: usize) {
    for key in keys::within(keys::keys(), table.path) {
        let default = key.default.map_or(String::new(), |default| format!(", default {default}"));
        out.push_str(&format!("#{:indent$} {}: {}{default}\n", "", key.name(), meaning(key)));
        inner(out, key, indent + 2);
    }
}

/// Whether a line stands by itself: the others are alternatives or optional.
fn stands(key: &Key) -> bool {
    key.default.is_some() || key.path == "arrivals.poisson"
}

/// The value that is shown: the default, or an example where there is none.
fn value(key: &Key) -> String {
    let example = match key.path {
        "people.decide" | "clients.model" => {
            let share = |key: &Key| format!("{} = {}", key.name(), key.default.unwrap_or_default());
            let shares: Vec<_> = keys::within(keys::keys(), key.path).map(share).collect();
            return format!("{{ {} }}", shares.join(", "));
        }
        "arrivals.poisson" | "arrivals.constant" => "{ rate = \"5/s\" }",
        "arrivals.profile" => "[{ until = \"30m\", rate = \"1/s\" }, { until = \"1h\", rate = \"9/s\" }]",
        "arrivals.at" => "[\"0s\", \"5s\"]",
        "arrivals.trace" => "{ file = \"x.csv\" }",
        "tool.step" => "[{ ask = { key = \"confirm\" } }, { post = \"entries\" }]",
        "tool.next" => "{ step = [{ ask = { key = \"confirm\" } }, { ask = { key = \"reason\" } }] }",
        "clients.capabilities_on_retry" => "{ elicitation = {} }",
        "clients.mix" => "[{ name = \"desk\", share = 0.9 }, { name = \"script\", share = 0.1, capabilities = {} }]",
        "balancer.weights" => "[1, 1, 1]",
        "balancer.idle" => "[\"60s\"]",
        "fault.kill" => "{ at = \"30m\", select = \"count:1\", restart_after = \"never\" }",
        "fault.crash" => "{ mtbf.exponential = { mean = \"7d\" }, repair = \"30s\" }",
        "fault.store-crash" => "{ mtbf.exponential = { mean = \"30d\" }, repair = \"30s\" }",
        "fault.deaf" => "{ at = \"30m\", select = \"count:1\" }",
        "fault.deploy" => "{ at = \"30m\", strategy = \"surge\" }",
        "fault.scale" => "{ at = \"30m\", to = 2 }",
        "fault.reclaim" => "{ every.exponential = { mean = \"20h\" }, notice = \"120s\" }",
        "fault.store-outage" => "{ at = \"30m\", lasts = \"1m\" }",
        "state.rotation" => "{ every = \"1d\", overlap = \"10m\", spread = \"1m\" }",
        "fleet.names" => "[\"A\", \"B\", \"C\"]",
        "fleet.zones" => "[\"a\", \"b\", \"c\"]",
        "fleet.scaling" => "{ target = 0.8, max = 10 }",
        _ => key.default.unwrap_or_default(),
    };
    example.into()
}

fn list(out: &mut String, list: &Key) {
    out.push_str(&format!("\n# {}\n# [[{}]]\n", list.meaning, list.path));
    for key in keys::within(keys::keys(), list.path) {
        line(out, "# ", key.name(), &value(key), key);
        inner(out, key, 2);
    }
}
