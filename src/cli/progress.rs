//! How far a run is, on the standard error: a bar on a terminal once a second has passed, else a plain line at each
//! tenth. Also the ear for signals.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use signal_hook::consts::{SIGINT, SIGTERM};

use crate::experiment;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Style {
    /// A bar on a terminal, plain lines elsewhere.
    Auto,
    /// Not at all.
    None,
    /// A bar, redrawn in place.
    Bar,
    /// A line at each tenth.
    Plain,
    /// One JSON object per line.
    Json,
}

/// Signals that end a run early. The second one ends the process at once.
#[derive(Clone)]
pub(super) struct Signals(Arc<AtomicUsize>);

impl Signals {
    /// Starts to listen.
    pub(super) fn listen() -> std::io::Result<Signals> {
        let (heard, again) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        for signal in [SIGINT, SIGTERM] {
            signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, again.clone())?;
            signal_hook::flag::register(signal, again.clone())?;
            signal_hook::flag::register_usize(signal, heard.clone(), signal as usize)?;
        }
        Ok(Signals(heard))
    }

    /// The signal that was heard, if any.
    pub(super) fn heard(&self) -> Option<u8> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            signal => Some(signal as u8),
        }
    }
}

/// Progress of one scenario.
pub(super) struct Watch {
    style: Style,
    name: String,
    total: u64,
    done: AtomicU64,
    bar: ProgressBar,
    signals: Signals,
}

const FIRST_SHOWN_AFTER: Duration = Duration::from_secs(1);

impl Watch {
    pub(super) fn new(style: Style, name: &str, total: u64, signals: Signals) -> Watch {
        let style = match style {
            Style::Auto if std::io::stderr().is_terminal() => Style::Bar,
            Style::Auto => Style::Plain,
            given => given,
        };
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden());
        let template = "{prefix} [{wide_bar}] {pos}/{len} {eta}";
        bar.set_style(ProgressStyle::with_template(template).expect("a valid template"));
        bar.set_prefix(name.to_owned());
        Watch { style, name: name.to_owned(), total, done: AtomicU64::new(0), bar, signals }
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn line(&self, done: u64) -> String {
        match self.style {
            Style::Json => format!("{{\"scenario\":\"{}\",\"done\":{done},\"total\":{}}}", self.name, self.total),
            _ => format!("{}: {done} of {} cells", self.name, self.total),
        }
    }
}

impl experiment::Progress for Watch {
    fn done(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        self.bar.inc(1);
        if self.style == Style::None || self.bar.elapsed() < FIRST_SHOWN_AFTER {
            return;
        }
        if self.style == Style::Bar {
            if self.bar.is_hidden() {
                self.bar.set_draw_target(ProgressDrawTarget::stderr());
            }
            return;
        }
        let tenth = |cells: u64| cells * 10 / self.total;
        if tenth(done) > tenth(done - 1) {
            let _ = writeln!(std::io::stderr(), "{}", self.line(done));
        }
    }

    fn interrupted(&self) -> bool {
        self.signals.heard().is_some()
    }
}
