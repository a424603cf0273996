//! The JSON Schema (draft 2020-12) of a scenario file, for editors and other tools. It follows from the list of keys, so it
//! must never know a key or a bound that reading does not. Rules that span several keys are not in it.

use serde_json::{Map, Value, json};

use super::distribution::part_keys;
use super::keys::{self, Key, Kind};

const DURATION: &str = r"^([0-9]+(\.[0-9]+)?(d|h|m|s|ms|us|ns))+$";
const RATE: &str = r"^[0-9]+(\.[0-9]+)?/(s|m|h|d)$";

const BYTES: &str = r"^[0-9]+(\.[0-9]+)?(B|kB|MB|GB|TB|KiB|MiB|GiB|TiB)$";

/// The schema of a scenario file, as a JSON value.
pub fn schema() -> Value {
    let mut root = object(keys::keys(), "", "seconds");
    let top = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "parked scenario",
        "required": ["name"],
        "$defs": {
            "duration": { "type": "string", "pattern": DURATION },
            "rate": { "type": "string", "pattern": RATE },
            "bytes": { "type": "string", "pattern": BYTES },
            "seconds": distribution("seconds"),
            "numbers": distribution("numbers"),
            "seconds-part": part("seconds"),
            "numbers-part": part("numbers"),
        },
    });
    merge(&mut root, top);
    root
}

fn merge(into: &mut Value, from: Value) {
    if let (Value::Object(into), Value::Object(from)) = (into, from) {
        into.extend(from);
    }
}

/// Exactly one of the variants of a distribution.
fn distribution(unit: &str) -> Value {
    let mut schema = object(keys::distribution_keys(), "", unit);
    merge(&mut schema, json!({ "minProperties": 1, "maxProperties": 1 }));
    schema
}

/// A weight and exactly one variant.
fn part(unit: &str) -> Value {
    let mut schema = object(part_keys(), "", unit);
    merge(&mut schema, json!({ "minProperties": 2, "maxProperties": 2, "required": ["weight"] }));
    schema
}

/// The table at `path`: its keys and no others.
fn object(all: &'static [Key], path: &str, unit: &str) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for key in keys::within(all, path) {
        properties.insert(key.name().into(), property(all, key, unit));
        if is_parameter(key) {
            required.push(key.name());
        }
    }
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if !required.is_empty() {
        merge(&mut schema, json!({ "required": required }));
    }
    schema
}

/// Whether a key must be written wherever its table is: it is no table, no variant and not optional. A lognormal takes two of four parameters.
fn is_parameter(key: &Key) -> bool {
    let table = matches!(key.kind, Kind::Table | Kind::TableList | Kind::VariantsList | Kind::Same(_));
    let optional = [
        "fleet.names",
        "fleet.zones",
        "fleet.queue_timeout",
        "fleet.request_work",
        "tool.step.ask.form",
        "balancer.weights",
        "balancer.idle",
    ];
    let optional = optional.contains(&key.path);
    let parent = keys::find(keys::keys(), key.parent()).map(|parent| parent.kind);
    let variant = matches!(parent, Some(Kind::Variants | Kind::VariantsList)) || key.parent() == "lognormal";
    key.default.is_none() && !table && !optional && !variant && !key.parent().is_empty()
}

fn property(all: &'static [Key], key: &'static Key, unit: &str) -> Value {
    let mut schema = kind(all, key, unit);
    let from = if key.source == "none" { String::new() } else { format!(" (default: {})", key.source) };
    merge(&mut schema, json!({ "description": format!("{}{from}", key.meaning) }));
    if let Some(default) = key.default.and_then(default_value) {
        merge(&mut schema, json!({ "default": default }));
    }
    schema
}

/// A default as JSON.
fn default_value(default: &str) -> Option<Value> {
    let document: toml::Table = toml::from_str(&format!("v = {default}")).ok()?;
    serde_json::to_value(document).ok()?.get("v").cloned()
}

fn kind(all: &'static [Key], key: &'static Key, unit: &str) -> Value {
    let words = |words: &[&str]| json!({ "enum": words });
    let duration = || json!({ "$ref": "#/$defs/duration" });
    let or = |schema: Value, word: &[&str]| json!({ "anyOf": [schema, words(word)] });
    let list = |items: Value| json!({ "type": "array", "items": items });
    match key.kind {
        Kind::Table if key.path == "lognormal" => {
            let mut schema = object(all, key.path, unit);
            let pairs = [["median", "p95"], ["median", "sigma"], ["mean", "sigma"]];
            let pairs = pairs.map(|pair| json!({ "required": pair }));
            merge(&mut schema, json!({ "maxProperties": 2, "anyOf": pairs }));
            schema
        }
        Kind::Table => object(all, key.path, unit),
        // Arrivals have a default within: an empty table means it.
        Kind::Variants => one_of(object(all, key.path, unit), u32::from(key.path != "arrivals")),
        Kind::VariantsList => list(one_of(object(all, key.path, unit), 1)),
        Kind::TableList if key.path == "mixture" => list(json!({ "$ref": format!("#/$defs/{unit}-part") })),
        Kind::TableList => list(object(all, key.path, unit)),
        Kind::Text | Kind::File => json!({ "type": "string" }),
        Kind::Word => json!({ "type": "string", "pattern": "^[a-z0-9-]{1,64}$" }),
        Kind::Flag if matches!(key.path, "never" | "clients.on_ask.show") => json!({ "const": true }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Whole { min, max } => json!({ "type": "integer", "minimum": min, "maximum": max }),
        Kind::WholeOr(word) => or(json!({ "type": "integer", "minimum": 1, "maximum": u32::MAX }), word),
        Kind::Share => json!({ "type": "number", "minimum": 0, "maximum": 1 }),
        Kind::Positive => json!({ "type": "number", "exclusiveMinimum": 0 }),
        Kind::NotNegative => json!({ "type": "number", "minimum": 0 }),
        Kind::Choice(all) => words(all),
        Kind::Choices(all) => {
            json!({ "type": "array", "items": words(all), "minItems": 1, "uniqueItems": true })
        }
        Kind::Duration | Kind::DurationAboveZero => duration(),
        Kind::DurationOr(word) => or(duration(), &[word]),
        Kind::Bytes => json!({ "$ref": "#/$defs/bytes" }),
        Kind::BytesOr(word) => or(json!({ "$ref": "#/$defs/bytes" }), &[word]),
        Kind::Rate | Kind::RateOrZero => json!({ "$ref": "#/$defs/rate" }),
        Kind::Instants | Kind::Durations => list(duration()),
        Kind::Wholes => list(json!({ "type": "integer", "minimum": 0, "maximum": 1000 })),
        Kind::Seconds => json!({ "$ref": "#/$defs/seconds" }),
        Kind::DurationOrSeconds => json!({ "anyOf": [duration(), { "$ref": "#/$defs/seconds" }] }),
        Kind::Numbers => json!({ "$ref": "#/$defs/numbers" }),
        Kind::Quantity if unit == "seconds" => duration(),
        Kind::Quantity => json!({ "type": "number", "minimum": 0 }),
        Kind::Names => list(json!({ "type": "string", "minLength": 1, "maxLength": 32 })),
        Kind::Same(_) => kind(all, keys::meant(key), unit),
        Kind::Target => json!({ "type": "string", "pattern": "^(all|count:[0-9]+|instance:.+|zone:.+)$" }),
    }
}

fn one_of(mut schema: Value, at_least: u32) -> Value {
    merge(&mut schema, json!({ "minProperties": at_least, "maxProperties": 1 }));
    schema
}
