//! A form as it stands in a file: the shapes that a server's author has at hand. Must never judge a form: whether it is
//! legal is for [`parse`](fn@super::parse) to say.

use serde_json::{Value, json};

/// Largest file of a form or an answer, bytes: the limit of a request body in the SDKs.
pub const LARGEST_FILE: u64 = 4 << 20;

/// Why a file is no JSON, and where; both numbers from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotJson {
    /// Line.
    pub line: usize,
    /// Column.
    pub column: usize,
    /// What is wrong there.
    pub words: String,
}

/// The JSON of a file. A byte order mark is no character of the text.
pub fn read_json(bytes: &[u8]) -> Result<Value, NotJson> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    serde_json::from_slice(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let words = error.to_string();
        let place = format!(" at line {line} column {column}");
        NotJson { line, column, words: words.strip_suffix(&place).unwrap_or(&words).to_owned() }
    })
}

/// The `params` of `elicitation/create` in a whole request, by themselves, or around a `requestedSchema` that stands
/// alone, which comes with an empty message. Only a request of another method is refused here.
pub fn params(json: &Value) -> Result<Value, String> {
    match json.get("method") {
        Some(method) if method == "elicitation/create" => Ok(json["params"].clone()),
        Some(_) => Err("method: must be `elicitation/create`".to_owned()),
        None if json.get("properties").is_some() && json.get("requestedSchema").is_none() => {
            Ok(json!({ "message": "", "requestedSchema": json }))
        }
        None => Ok(json.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_its_params_and_its_schema_are_one_form() {
        let schema = json!({ "type": "object", "properties": {} });
        let inner = json!({ "message": "", "requestedSchema": schema });
        let request = json!({ "method": "elicitation/create", "params": inner });
        for shape in [&schema, &inner, &request] {
            assert_eq!(params(shape), Ok(inner.clone()));
        }
        assert!(params(&json!({ "method": "tools/call", "params": inner })).is_err());
    }

    #[test]
    fn what_is_no_json_is_placed_and_a_byte_order_mark_is_no_part_of_it() {
        assert_eq!(read_json(b"\xef\xbb\xbf{}"), Ok(json!({})));
        let wrong = read_json(b"{\n  x").unwrap_err();
        assert_eq!((wrong.line, wrong.column, wrong.words.as_str()), (2, 3, "key must be a string"));
    }
}
