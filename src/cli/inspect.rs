//! `parked inspect`: holds addresses, or a form and an answer to it, against the rules of elicitation. Must never send a
//! character of a file or an address to the terminal that the terminal could obey.

mod address;

use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{Exit, Failure, Screen};
use crate::scenario::one_line;
use crate::world::form::{
    Choice, Field, FieldKind, Form, LARGEST_FILE, NotJson, elicit_result, params, parse, read_json,
};

/// Choices shown of a field.
const SHOWN: usize = 20;

#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("what").args(["form", "addresses"]).required(true))]
pub(super) struct Inspect {
    /// JSON of a form: a whole `elicitation/create` request, its `params`, or a `requestedSchema` alone.
    #[arg(long, value_name = "FILE")]
    form: Option<PathBuf>,
    /// JSON of an answer to it: a whole response, an `ElicitResult`, or its `content` alone.
    #[arg(long, value_name = "FILE", conflicts_with = "addresses")]
    answer: Option<PathBuf>,
    /// Addresses that a server asks a person to open.
    #[arg(value_name = "URL")]
    addresses: Vec<String>,
    /// Host of that server: any other, except its subdomains, is warned of.
    #[arg(long, value_name = "HOST", conflicts_with = "form", value_parser = address::server_host)]
    server: Option<String>,
}

impl Inspect {
    pub(super) fn execute(self, screen: &mut Screen) -> Result<Exit, Failure> {
        let Some(form) = self.form else {
            return address::inspect_addresses(&self.addresses, self.server.as_deref(), screen);
        };
        let json = read(&form)?;
        let answer = self.answer.as_deref().map(read).transpose()?;
        let params = match params(&json) {
            Ok(params) => params,
            Err(reason) => return refused(screen, "form", &[reason]),
        };
        let form = match parse(&params) {
            Ok(form) => form,
            Err(problems) => return refused(screen, "form", &problems),
        };
        screen.print(&shown(&form))?;
        let suspicions = form.sensitive_words();
        if !suspicions.is_empty() {
            return refused(screen, "form", &suspicions);
        }
        screen.print("form: ok\n")?;
        match answer {
            Some(answer) => inspect_answer(&form, &answer, screen),
            None => Ok(Exit::Done),
        }
    }
}

fn inspect_answer(form: &Form, json: &Value, screen: &mut Screen) -> Result<Exit, Failure> {
    let checked = elicit_result(&result(form, json)).and_then(|result| {
        form.check_result(&result)?;
        Ok(result.action)
    });
    match checked {
        Ok(action) => screen.print(&format!("answer: ok ({})\n", action.name())).map(|()| Exit::Done),
        Err(problems) => refused(screen, "answer", &problems),
    }
}

fn refused(screen: &mut Screen, what: &str, reasons: &[impl ToString]) -> Result<Exit, Failure> {
    let lines = reasons.iter().map(|reason| format!("  {}\n", one_line(&reason.to_string())));
    screen.print(&format!("{what}: refused\n{}", lines.collect::<String>()))?;
    Ok(Exit::Refused)
}

fn read(file: &Path) -> Result<Value, Failure> {
    let name = one_line(&file.display().to_string());
    let mut bytes = Vec::new();
    let opened = std::fs::File::open(file).and_then(|file| file.take(LARGEST_FILE + 1).read_to_end(&mut bytes));
    opened.map_err(|error| Failure::Io(format!("cannot read {name}: {error}")))?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(Failure::Io(format!("cannot read {name}: larger than {} MiB", LARGEST_FILE >> 20)));
    }
    read_json(&bytes).map_err(|NotJson { line, column, words }| {
        Failure::Usage(format!("{name}:{line}:{column}: this is not JSON: {}", one_line(&words)))
    })
}

/// The result in a response, by itself, or around content that stands alone. Content is known by a form that has a field
/// `action`, or by having no such member.
fn result(form: &Form, json: &Value) -> Value {
    let is_field = |name: &str| form.fields.iter().any(|field| field.name == name);
    if json.get("jsonrpc").is_some() && !is_field("jsonrpc") {
        json["result"].clone()
    } else if json.get("action").is_some() && !is_field("action") {
        json.clone()
    } else {
        json!({ "action": "accept", "content": json })
    }
}

/// The form as a person sees it.
fn shown(form: &Form) -> String {
    let mut lines = Vec::new();
    lines.extend(form.title.as_deref().map(one_line));
    lines.extend(form.message.lines().map(|line| format!("  {}", one_line(line))));
    lines.extend(form.description.as_deref().map(|text| format!("  {}", one_line(text))));
    for field in &form.fields {
        lines.extend(field_lines(field));
    }
    lines.extend(form.ignored.iter().map(|note| format!("note: {}", one_line(&note.to_string()))));
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn field_lines(field: &Field) -> Vec<String> {
    let needed = if field.required { "required" } else { "optional" };
    let name = one_line(&field.name);
    let label = match &field.title {
        Some(title) => format!("- {} ({name}, {needed})", one_line(title)),
        None => format!("- {name} ({needed})"),
    };
    let mut lines = vec![label];
    lines.extend(field.description.as_deref().map(|text| format!("    {}", one_line(text))));
    lines.push(format!("    {}", kind_words(&field.kind)));
    lines.extend(field.default.as_ref().map(|default| format!("    filled in: {}", one_line(&default.to_string()))));
    lines
}

fn kind_words(kind: &FieldKind) -> String {
    match kind {
        FieldKind::Text { min_length, max_length, format } => {
            let format = format.map_or(String::new(), |format| format!(" as {}", format.name()));
            format!("text{format}{}", between(min_length.as_ref(), max_length.as_ref(), " characters"))
        }
        FieldKind::Number { integer, minimum, maximum } => {
            let what = if *integer { "whole number" } else { "number" };
            format!("{what}{}", between(minimum.as_ref(), maximum.as_ref(), ""))
        }
        FieldKind::Boolean => "yes or no".to_owned(),
        FieldKind::Choice { options } => format!("one of: {}", offered(options)),
        FieldKind::MultiChoice { options, min_items, max_items } => {
            format!("any of: {}{}", offered(options), between(min_items.as_ref(), max_items.as_ref(), " of them"))
        }
    }
}

fn between<T: std::fmt::Display>(least: Option<&T>, most: Option<&T>, unit: &str) -> String {
    match (least, most) {
        (None, None) => String::new(),
        (Some(least), None) => format!(", at least {least}{unit}"),
        (None, Some(most)) => format!(", at most {most}{unit}"),
        (Some(least), Some(most)) => format!(", {least} to {most}{unit}"),
    }
}

fn offered(options: &[Choice]) -> String {
    let word = |option: &Choice| match &option.title {
        Some(title) => format!("{} ({})", one_line(title), one_line(&option.value)),
        None => one_line(&option.value),
    };
    let words: Vec<String> = options.iter().take(SHOWN).map(word).collect();
    let more = match options.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", words.join(", "))
}
