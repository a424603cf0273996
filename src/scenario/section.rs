//! One table of the file, read key by key. Must never read a key that is not in the list of keys, and never give up after
//! a mistake: a wrong value is noted and comes back as `None`, so that everything that depends on it is left unjudged.

use std::cell::{Cell, RefCell};
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Files;
use super::keys::{self, Key};
use super::presets::Preset;
use super::problem::{Problem, Problems, nearest, quoted, shown};
use super::values::{self, Wrong, takes};

/// What all sections of one file share.
pub(super) struct Context<'a> {
    pub problems: RefCell<Problems>,
    pub files: &'a dyn Files,
    /// Whether the text could be read to its end; if not, nothing can be called missing.
    pub whole: bool,
    /// Defaults that stand before those of the keys.
    pub preset: Cell<&'static [Preset]>,
}

impl Context<'_> {
    /// Notes one problem.
    pub fn push(&self, span: Range<usize>, title: impl Into<String>, wrong: Wrong) {
        let (title, Wrong { label, help }) = (title.into(), wrong);
        self.problems.borrow_mut().push(Problem { span, title, label, help });
    }
}

/// Values of a list, each with its place.
pub(super) type Listed<T> = Vec<(T, Range<usize>)>;

/// A table of the file, or the place where it could stand.
#[derive(Clone)]
pub(super) struct Section<'a> {
    cx: &'a Context<'a>,
    table: Option<&'a DeTable<'a>>,
    /// Where a missing key is reported.
    span: Range<usize>,
    keys: &'static [Key],
    /// Path within `keys`.
    path: String,
    /// Path as the user would write it.
    shown: String,
}

fn join(parent: &str, name: &str) -> String {
    if parent.is_empty() { name.into() } else { format!("{parent}.{name}") }
}

impl<'a> Section<'a> {
    /// The whole file.
    pub fn root(cx: &'a Context<'a>, table: &'a DeTable<'a>) -> Self {
        let section =
            Self { cx, table: Some(table), span: 0..0, keys: keys::keys(), path: String::new(), shown: String::new() };
        section.refuse_unknown();
        section
    }

    /// A table that stands at a key of this one, described by `keys` from `path` on.
    pub fn at(&self, value: (Range<usize>, &'a DeTable<'a>), keys: &'static [Key], path: &str, shown: String) -> Self {
        let (span, table) = value;
        let section = Self { cx: self.cx, table: Some(table), span, keys, path: path.into(), shown };
        section.refuse_unknown();
        section
    }

    /// The table `name` within this one; an absent or misplaced one reads as empty.
    pub fn table(&self, name: &str) -> Self {
        let (path, shown) = (keys::meant(self.key(name)).path.to_owned(), join(&self.shown, name));
        if let Some(value) = self.raw(name) {
            match value.get_ref() {
                DeValue::Table(table) => {
                    return self.at((value.span(), table), self.keys, &path, shown);
                }
                other => self.wrong(name, Wrong::new(format!("found {}", values::called(other)))),
            }
        }
        Self { cx: self.cx, table: None, span: self.span.clone(), keys: self.keys, path, shown }
    }

    /// What is read from the table `name`, or from its default; `None` if something else stands there.
    pub fn with_table<T>(&self, name: &str, read: impl FnOnce(&Section<'_>) -> Option<T>) -> Option<T> {
        if self.raw(name).is_some() {
            let table = self.table(name);
            self.table_quietly(name)?;
            return read(&table);
        }
        let default = self.default(name).unwrap_or_else(|| panic!("`{name}` has a default"));
        let table = default.get_ref().as_table().unwrap_or_else(|| panic!("default of `{name}` is a table"));
        let path = keys::meant(self.key(name)).path;
        read(&self.at((self.span(), table), self.keys, path, self.shown(name)))
    }

    /// The table `name` as written, for rules that look across; nothing is noted.
    pub fn table_quietly(&self, name: &str) -> Option<&'a DeTable<'a>> {
        self.raw(name)?.get_ref().as_table()
    }

    /// Whether nothing at all is written here.
    pub fn is_empty(&self) -> bool {
        self.table.is_none_or(|table| table.is_empty())
    }

    /// What all sections of the file share.
    pub fn context(&self) -> &'a Context<'a> {
        self.cx
    }

    /// Path of a key as the user would write it.
    pub fn shown(&self, name: &str) -> String {
        join(&self.shown, name)
    }

    /// Where the section stands.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The value as written.
    pub fn raw(&self, name: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.table?.get(name)
    }

    /// Where the value of a key stands, if it is written.
    pub fn span_of(&self, name: &str) -> Option<Range<usize>> {
        self.raw(name).map(Spanned::span)
    }

    /// The known keys that are written here, in the order of the text, each with the place of its name.
    pub fn written(&self) -> Vec<(&'static str, Range<usize>)> {
        let Some(table) = self.table else {
            return Vec::new();
        };
        let mut found: Vec<_> = keys::within(self.keys, &self.path)
            .filter_map(|key| Some((key.name(), table.get_key_value(key.name())?.0.span())))
            .collect();
        found.sort_by_key(|(_, span)| span.start);
        found
    }

    /// Path of this section as the user would write it.
    pub fn shown_here(&self) -> &str {
        &self.shown
    }

    /// The one known key that is written here, `beside` not counted; `None` after a problem was noted.
    pub fn exactly_one(&self, beside: &[&str]) -> Option<&'static str> {
        let written: Vec<_> = self.written().into_iter().filter(|(name, _)| !beside.contains(name)).collect();
        let title = format!("`{}` takes exactly one of its keys", self.shown);
        match written.as_slice() {
            [(name, _)] => return Some(name),
            // What is missing cannot be told in a broken text, and a misspelt key was noted already.
            [] if !self.cx.whole || self.has_unknown() => {}
            [] => {
                let names = keys::within(self.keys, &self.path).map(Key::name).filter(|name| !beside.contains(name));
                let help =
                    format!("write one of: {}", names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "));
                self.cx.push(self.span(), title, Wrong::new("none of them is written").help(help));
            }
            [(first, _), (second, span), ..] => {
                let wrong = Wrong::new(format!("`{first}` is written already"));
                self.cx.push(span.clone(), title, wrong.help(format!("keep `{first}` or `{second}`")));
            }
        }
        None
    }

    /// The tables of a list, each with its place; an absent list is empty, `None` after a problem was noted.
    pub fn elements(&self, name: &str) -> Option<Vec<(Range<usize>, &'a DeTable<'a>)>> {
        let Some(value) = self.raw(name) else {
            return Some(Vec::new());
        };
        let DeValue::Array(list) = value.get_ref() else {
            self.wrong(name, Wrong::new(format!("found {}", values::called(value.get_ref()))));
            return None;
        };
        let mut tables = Vec::new();
        for element in list.iter() {
            if let DeValue::Table(table) = element.get_ref() {
                tables.push((element.span(), table));
            } else {
                let wrong = Wrong::new(format!("found {}", values::called(element.get_ref())));
                self.wrong_element(name, element.span(), wrong);
            }
        }
        (tables.len() == list.len()).then_some(tables)
    }

    /// The values of a list, each read by `read`; `None` after a problem was noted. An absent list is `Some(None)`.
    pub fn values<T>(&self, name: &str, read: impl Fn(&DeValue<'_>) -> Result<T, Wrong>) -> Option<Option<Listed<T>>> {
        let Some(value) = self.raw(name) else {
            return Some(None);
        };
        let DeValue::Array(list) = value.get_ref() else {
            self.wrong(name, Wrong::new(format!("found {}", values::called(value.get_ref()))));
            return None;
        };
        let mut read_values = Vec::new();
        for element in list.iter() {
            match read(element.get_ref()) {
                Ok(value) => read_values.push((value, element.span())),
                Err(wrong) => self.wrong_element(name, element.span(), wrong),
            }
        }
        (read_values.len() == list.len()).then_some(Some(read_values))
    }

    /// Notes what is wrong with one element of a list.
    pub fn wrong_element(&self, name: &str, span: Range<usize>, wrong: Wrong) {
        let title = format!("`{}` takes {}", self.shown(name), takes(self.key(name).kind));
        self.cx.push(span, title, wrong);
    }

    /// The entry of a key in the list.
    pub fn key(&self, name: &str) -> &'static Key {
        let path = join(&self.path, name);
        keys::find(self.keys, &path).unwrap_or_else(|| panic!("`{path}` is read but not in the list of keys"))
    }

    /// Notes what is wrong with the value of a key, which must be written.
    pub fn wrong(&self, name: &str, wrong: Wrong) {
        let title = format!("`{}` takes {}", self.shown(name), takes(self.key(name).kind));
        self.cx.push(self.span_of(name).unwrap_or(self.span()), title, wrong);
    }

    /// Notes that a key, which must be written, contradicts another.
    pub fn refuse(&self, name: &str, title: impl Into<String>, wrong: Wrong) {
        self.cx.push(self.span_of(name).unwrap_or(self.span()), title, wrong);
    }

    /// Notes that a key is missing.
    pub fn missing(&self, name: &str) {
        if !self.cx.whole {
            return;
        }
        let key = self.key(name);
        let wrong = Wrong::new(format!("`{name}` must be written here")).help(format!(
            "`{name}` takes {}: {}",
            takes(key.kind),
            key.meaning
        ));
        self.cx.push(self.span(), format!("`{}` is missing", self.shown(name)), wrong);
    }

    /// Reads one key: the written value, else the default; `None` after a problem was noted.
    pub fn get<T>(&self, name: &str, read: impl Fn(&DeValue<'_>) -> Result<T, Wrong>) -> Option<T> {
        if let Some(value) = self.raw(name) {
            return read(value.get_ref()).map_err(|wrong| self.wrong(name, wrong)).ok();
        }
        let Some(value) = self.default(name) else {
            self.missing(name);
            return None;
        };
        Some(read(value.get_ref()).unwrap_or_else(|wrong| panic!("default of `{name}`: {}", wrong.label)))
    }

    /// The default of a key, if it has one.
    pub fn default(&self, name: &str) -> Option<Spanned<DeValue<'static>>> {
        let key = self.key(name);
        let preset = self.cx.preset.get().iter().find(|preset| preset.path == key.path);
        let default = preset.map(|preset| preset.default).or(key.default)?;
        Some(DeValue::parse(default).unwrap_or_else(|error| panic!("default of `{name}`: {error}")))
    }

    /// Whether a key is written here that is not in the list.
    fn has_unknown(&self) -> bool {
        let known = |name: &str| keys::within(self.keys, &self.path).any(|key| key.name() == name);
        self.table.is_some_and(|table| table.keys().any(|key| !known(key.get_ref())))
    }

    /// Notes every key that is not in the list.
    fn refuse_unknown(&self) {
        let accepted: Vec<_> = keys::within(self.keys, &self.path).map(Key::name).collect();
        for key in self.table.into_iter().flat_map(|table| table.keys()) {
            let name: &str = key.get_ref();
            if accepted.contains(&name) {
                continue;
            }
            // Describing a million keys takes seconds, and nobody reads them.
            if self.cx.problems.borrow().is_full() {
                self.cx.problems.borrow_mut().count(1);
            } else {
                self.refuse_key(name, key.span(), &accepted);
            }
        }
    }

    fn refuse_key(&self, name: &str, span: Range<usize>, accepted: &[&str]) {
        let place = if self.shown.is_empty() { "at the top".into() } else { format!("in `{}`", self.shown) };
        let mut wrong = Wrong::new("this key is not known here");
        let elsewhere = keys::keys().iter().find(|key| key.name() == name && !key.parent().is_empty());
        if let Some(near) = nearest(name, accepted.iter().copied()) {
            wrong = wrong.help(format!("did you mean `{near}`?"));
        } else if let Some(key) = elsewhere {
            wrong = wrong.help(format!("did you mean `{}`?", key.path));
        }
        wrong = wrong.help(match accepted {
            [] => "nothing can be set here".into(),
            _ => format!("accepted {place}: {}", quoted(accepted.iter().copied()).replace('"', "`")),
        });
        self.cx.push(span, format!("unknown key `{}` {place}", shown(name)), wrong);
    }
}
