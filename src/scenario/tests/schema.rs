//! The schema accepts and refuses the same files as reading does, as far as one key at a time goes.

use serde_json::Value;

use super::*;
use crate::scenario::{distribution_keys, keys, schema, template};

/// As much of JSON Schema as ours uses; patterns are left out.
fn accepts(root: &Value, schema: &Value, value: &Value) -> bool {
    let Some(schema) = schema.as_object() else {
        return false;
    };
    schema.iter().all(|(word, rule)| match word.as_str() {
        "$ref" => accepts(root, root.pointer(rule.as_str().unwrap().trim_start_matches('#')).unwrap(), value),
        "type" => match rule.as_str().unwrap() {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_u64() || value.is_i64(),
            _ => value.is_number(),
        },
        "enum" => rule.as_array().unwrap().contains(value),
        "const" => rule == value,
        "anyOf" => rule.as_array().unwrap().iter().any(|any| accepts(root, any, value)),
        "items" => value.as_array().is_none_or(|all| all.iter().all(|item| accepts(root, rule, item))),
        "minItems" => value.as_array().is_none_or(|all| all.len() as u64 >= rule.as_u64().unwrap()),
        "minimum" => value.as_f64().is_none_or(|n| n >= rule.as_f64().unwrap()),
        "maximum" => value.as_f64().is_none_or(|n| n <= rule.as_f64().unwrap()),
        "exclusiveMinimum" => value.as_f64().is_none_or(|n| n > rule.as_f64().unwrap()),
        "required" => value
            .as_object()
            .is_none_or(|o| rule.as_array().unwrap().iter().all(|k| o.contains_key(k.as_str().unwrap()))),
        "minProperties" => value.as_object().is_none_or(|o| o.len() as u64 >= rule.as_u64().unwrap()),
        "maxProperties" => value.as_object().is_none_or(|o| o.len() as u64 <= rule.as_u64().unwrap()),
        "properties" => {
            value.as_object().is_none_or(|o| o.iter().all(|(k, v)| rule.get(k).is_none_or(|s| accepts(root, s, v))))
        }
        "additionalProperties" => {
            value.as_object().is_none_or(|o| o.keys().all(|k| schema["properties"].get(k).is_some()))
        }
        "minLength" | "maxLength" | "uniqueItems" | "pattern" => true,
        "$schema" | "$defs" | "title" | "description" | "default" => true,
        other => panic!("the schema uses `{other}`"),
    })
}

fn schema_accepts(text: &str) -> bool {
    let table: toml::Table = toml::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let schema = schema();
    accepts(&schema, &schema, &serde_json::to_value(table).unwrap())
}

#[test]
fn schema_and_reader_accept_the_same_good_files() {
    for line in [
        "",
        "seed = 0",
        "designs = [\"carrying\"]",
        "people.think.lognormal = { mean = \"45s\", sigma = 1 }",
        "people.think.mixture = [{ weight = 0.25, constant = \"1s\" }, { weight = 0.75, never = true }]",
        "people.think.weibull = { shape = 1, scale = \"1s\" }",
        "tool.amount.constant = 5",
        "arrivals = {}",
        "arrivals.constant.rate = \"1/s\"",
        "arrivals.at = [\"1s\"]",
        "arrivals.profile = [{ until = \"1h\", rate = \"1/s\" }]",
        "fault = [{ kill = { at = \"1m\", select = \"all\", restart_after = \"never\" } }]",
        "clients.capabilities = { elicitation = { form = {} } }",
        "clients.capabilities = { elicitation = { url = {} }, sampling = { tools = {}, context = {} }, roots = {} }",
        "clients.capabilities_on_retry = {}",
        "clients.on_ask.cancel = \"0s\"",
        "clients.mix = [{ name = \"a\", share = 1, on_ask.hang = \"60s\", checks_answers = false, capabilities = {} }]",
        "clients.model = { calls_again = 0.5 }",
        "people.wrong_tries.uniform = { from = 0, to = 2 }",
        "tool = { body = \"steps\", step = [{ work.constant = \"1s\" }, { ask = { key = \"a\" } }, { post = \"b\" }] }",
        "tool.seen_by = [\"proxy\"]",
        "clients.patience = \"none\"",
        "fleet = { threads = 5, queue = \"none\", names = [\"A\"] }",
    ] {
        let text = format!("{SMALLEST}{line}\n");
        legal(&text);
        assert!(schema_accepts(&text), "{text}");
    }
    assert!(schema_accepts(&template("a")));
}

#[test]
fn schema_and_reader_refuse_the_same_bad_files() {
    assert!(!schema_accepts("seed = 1"));
    for line in [
        "sed = 1",
        "run.horizn = \"1h\"",
        "seed = -1",
        "seed = \"1\"",
        "replications = 0",
        "format = 2",
        "run = 1",
        "run.horizon = 60",
        "run.stop = \"cohrt\"",
        "designs = []",
        "designs = [\"x\"]",
        "people.silent = 1.5",
        "people.think = \"45s\"",
        "people.think = {}",
        "people.think.never = false",
        "people.think = { constant = \"1s\", never = true }",
        "people.think.constant = 1",
        "people.think.exponential = {}",
        "people.think.lognormal = { median = \"1s\" }",
        "people.think.lognormal = { mean = \"2s\", p95 = \"3s\" }",
        "people.think.mixture = [{ constant = \"1s\" }]",
        "people.think.mixture = [{ weight = 1 }]",
        "people.think.mixture = [{ weight = 1, mixture = [] }]",
        "tool.amount.constant = \"45s\"",
        "tool.amount.constant = -1",
        "arrivals = { at = [\"1s\"], poisson = {} }",
        "arrivals.constant = {}",
        "arrivals.profile = [{ until = \"1h\" }]",
        "fault = [{}]",
        "fault = [{ kill = { at = \"1m\" } }]",
        "clients.capabilities.tools = {}",
        "clients.capabilities_on_retry.tools = {}",
        "clients.on_ask = {}",
        "clients.on_ask.show = false",
        "clients.on_ask = { show = true, hang = \"1s\" }",
        "clients.max_reasks = 11",
        "clients.mix = [{ name = \"a\" }]",
        "clients.mix = [{ share = 1 }]",
        "clients.mix = [{ name = \"a\", share = 0 }]",
        "clients.mix = [{ name = \"a\", share = 1, on_ask = {} }]",
        "clients.mix = [{ name = \"a\", share = 1, checks_answers = 1 }]",
        "clients.mix = [{ name = \"a\", share = 1, capabilities = { elicitation = { x = {} } } }]",
        "clients.model.truthful = 2",
        "tool.seen_by = []",
        "tool.seen_by = [\"client\"]",
        "tool = { body = \"steps\", step = [{}] }",
        "tool = { body = \"steps\", step = [{ post = \"a\", work.constant = \"1s\" }] }",
        "tool = { body = \"steps\", step = [{ ask = {} }] }",
        "tool = { body = \"steps\", step = [{ ask = { key = \"a\", kind = \"link\" } }] }",
        "fleet.threads = 0",
        "fleet.threads = \"none\"",
        "clients.max_rounds = 101",
        "balancer.redispatch = \"true\"",
    ] {
        let text = format!("{SMALLEST}{line}\n");
        invalid(&text);
        assert!(!schema_accepts(&text), "{text}");
    }
}

#[test]
fn every_key_is_in_the_schema_with_its_meaning() {
    let text = schema().to_string();
    for key in keys().iter().chain(distribution_keys()) {
        let meaning = serde_json::to_string(key.meaning).unwrap();
        assert!(text.contains(meaning.trim_matches('"')), "{}", key.path);
    }
}

#[test]
fn paths_of_keys_are_different_and_their_tables_are_listed_before_them() {
    for list in [keys(), distribution_keys()] {
        for (place, key) in list.iter().enumerate() {
            let before = &list[..place];
            assert!(before.iter().all(|other| other.path != key.path), "{}", key.path);
            assert!(key.parent().is_empty() || before.iter().any(|other| other.path == key.parent()), "{}", key.path);
        }
    }
}
