//! Problems as they are shown: the line, a caret, what is wrong, what would be accepted; as cargo does. Must never panic
//! on any text or span, never send a control character of the user to a terminal, and never show a line without end.

use std::fmt;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::Source;
use super::problem::{Problem, one_line, steers};

/// Bytes shown of one line, around the caret.
const WINDOW: usize = 200;
/// Characters shown of the name of a source.
const NAME: usize = 400;

/// A scenario that cannot be used: its text, and everything that is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    source: Source,
    problems: Vec<Problem>,
    more: usize,
    /// What is wrong with the file itself, where `source` is the file as the command line changed it.
    file: Option<Box<Invalid>>,
}

/// A place in a text, both from 1; the column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line.
    pub line: usize,
    /// Column.
    pub column: usize,
}

impl Invalid {
    pub(super) fn new(source: Source, problems: Vec<Problem>, more: usize) -> Self {
        Self { source, problems, more, file: None }
    }

    /// The same, with what stands in the untouched file shown there: what is left is what the changes brought.
    pub(super) fn beside(mut self, file: Invalid) -> Self {
        let known =
            |problem: &Problem| file.problems.iter().any(|p| (&p.title, &p.label) == (&problem.title, &problem.label));
        self.problems.retain(|problem| !known(problem));
        if self.problems.is_empty() {
            return file;
        }
        self.file = Some(Box::new(file));
        self
    }

    /// The text that the problems point into.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// All problems in the order of the text; of more than 200 the first 200 found.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Line and column of a problem.
    pub fn place(&self, problem: &Problem) -> Place {
        let line = Line::of(&self.source.text, &problem.span);
        Place { line: line.number, column: line.column }
    }

    /// All problems as text for a person, each ended by an empty line, then how many there are.
    pub fn render(&self, colour: bool) -> String {
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        let name = one_line(&self.source.name.chars().take(NAME).collect::<String>());
        let mut out = self.file.as_ref().map_or_else(String::new, |file| format!("{}\n", file.render(colour)));
        for problem in &self.problems {
            out.push_str(&self.render_one(&renderer, &name, problem));
            out.push_str("\n\n");
        }
        let count = self.problems.len() + self.more;
        let problems = if count == 1 { "1 problem".into() } else { format!("{count} problems") };
        let shown =
            if self.more > 0 { format!(", the first {} found are shown", self.problems.len()) } else { String::new() };
        out.push_str(&format!("{problems} in {name}{shown}\n"));
        out
    }

    fn render_one(&self, renderer: &Renderer, name: &str, problem: &Problem) -> String {
        let line = Line::of(&self.source.text, &problem.span);
        let (shown, span, cut) = line.window();
        let snippet = Snippet::source(shown)
            .line_start(line.number)
            .fold(false)
            .annotation(AnnotationKind::Primary.span(span).label(one_line(&problem.label)));
        let title = Level::ERROR.primary_title(one_line(&problem.title));
        let group = Group::with_title(title);
        let group = if cut {
            // The column in the shown part of the line is not the column in the file.
            group.element(Origin::path(name).line(line.number).char_column(line.column)).element(snippet)
        } else {
            group.element(snippet.path(name))
        };
        let group = problem.help.iter().fold(group, |group, help| group.element(Level::HELP.message(one_line(help))));
        renderer.render(&[group])
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for Invalid {}

/// The first line of a span.
struct Line<'t> {
    text: &'t str,
    number: usize,
    column: usize,
    /// Within `text`, on character boundaries.
    span: Range<usize>,
}

impl<'t> Line<'t> {
    fn of(text: &'t str, span: &Range<usize>) -> Self {
        let start = text.floor_char_boundary(span.start);
        let end = text.floor_char_boundary(span.end).max(start);
        let from = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let number = 1 + text[..from].bytes().filter(|b| *b == b'\n').count();
        let to = text[start..].find('\n').map_or(text.len(), |length| start + length);
        // A byte order mark is no character of the first line.
        let from = if text[from..].starts_with('\u{feff}') && from == 0 { '\u{feff}'.len_utf8() } else { from };
        let line = text[from.min(to)..to].trim_end_matches('\r');
        let start = start.saturating_sub(from).min(line.len());
        let end = end.saturating_sub(from).clamp(start, line.len());
        Self { text: line, number, column: 1 + line[..start].chars().count(), span: start..end }
    }

    /// The part of the line around the span that is shown, the span within it, and whether its beginning was cut off.
    fn window(&self) -> (String, Range<usize>, bool) {
        let from = self.text.floor_char_boundary(self.span.start.saturating_sub(WINDOW));
        let to = self.text.floor_char_boundary(self.span.start.saturating_add(WINDOW));
        let (mut shown, mut start, mut end) = (String::new(), None, None);
        if from > 0 {
            shown.push('…');
        }
        for (place, c) in self.text[from..to].char_indices() {
            if from + place >= self.span.start {
                start = start.or(Some(shown.len()));
            }
            if from + place >= self.span.end {
                end = end.or(Some(shown.len()));
            }
            shown.push(if steers(c) && c != '\t' { '\u{fffd}' } else { c });
        }
        let start = start.unwrap_or(shown.len());
        let end = end.unwrap_or(shown.len()).max(start);
        if to < self.text.len() {
            shown.push('…');
        }
        (shown, start..end, from > 0)
    }
}
