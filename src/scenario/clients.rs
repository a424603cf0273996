//! The clients: how they wait, what they declare and what they really do. Must never mix up the two: a declaration is no
//! promise.

use std::collections::BTreeSet;

use super::keys;
use super::model::{
    Cancel, ClientKind, Clients, Failure, Handshake, Jitter, Model, OnAsk, OnBroken, OnNotFound, Retry, Revision,
};
use super::section::Section;
use super::values::{self, Wrong};
use crate::world::{Capability, ClientCapabilities};

/// Most kinds of clients: a call knows its kind by one byte.
const MOST_KINDS: usize = 255;

/// The revisions, in the order of their words.
const REVISIONS: [Revision; 2] = [Revision::Earlier, Revision::Modern];

/// Reads `[clients]`.
pub(super) fn read(section: &Section<'_>) -> Option<Clients> {
    let patience = section.duration_or("patience");
    let reactions = [OnNotFound::Wait, OnNotFound::Fail, OnNotFound::Reinitialise, OnNotFound::Resend];
    let on_not_found = section.choice("on_not_found", &reactions);
    let on_broken = section.choice("on_broken", &[OnBroken::Fail, OnBroken::Hang]);
    let resend_pause = section.duration("resend_pause");
    let small = |name| section.whole(name).and_then(|n| u8::try_from(n).ok());
    let (max_rounds, max_resends, max_reasks) = (small("max_rounds"), small("max_resends"), small("max_reasks"));
    let request_timeout = section.duration_or("request_timeout");
    let cancel = section.choice("cancel", &[Cancel::Reaches, Cancel::Routed, Cancel::Never]);
    let serves_after = section.duration("serves_after");
    let keeps_form = section.get("keeps_form", values::flag);
    let handshake = section.choice("handshake", &[Handshake::None, Handshake::Full, Handshake::Discover]);
    let handshake_pause = section.duration("handshake_pause");
    let goodbye = section.get("goodbye", values::share);
    let calls_per_session = section.whole("calls_per_session").and_then(|calls| u32::try_from(calls).ok());
    let reuse = section.get("reuse", values::share);
    let sources = section.whole_or("sources").map(Result::ok);
    let retry = retry(&section.table("retry"));
    let kinds = kinds(section);
    let model = model(&section.table("model"));
    Some(Clients {
        patience: patience?,
        request_timeout: request_timeout?,
        cancel: cancel?,
        serves_after: serves_after?,
        keeps_form: keeps_form?,
        handshake: handshake?,
        handshake_pause: handshake_pause?,
        goodbye: goodbye?,
        calls_per_session: calls_per_session?,
        reuse: reuse?,
        sources: sources?,
        retry: retry?,
        on_not_found: on_not_found?,
        on_broken: on_broken?,
        resend_pause: resend_pause?,
        max_rounds: max_rounds?,
        max_resends: max_resends?,
        max_reasks: max_reasks?,
        kinds: kinds?,
        model: model?,
    })
}

/// Reads `[clients.retry]`.
fn retry(section: &Section<'_>) -> Option<Retry> {
    let times = section.whole("times").and_then(|times| u8::try_from(times).ok());
    let on = section.choices("on", &[Failure::Unreachable, Failure::Broken, Failure::Full]);
    let [at_least, pause, cap] = ["at_least", "pause", "cap"].map(|name| section.duration(name));
    let factor = section.get("factor", |value| {
        let factor = values::positive(value)?;
        if factor >= 1.0 { Ok(factor) } else { Err(Wrong::new("below 1: the pauses would shrink")) }
    });
    let jitter = section.choice("jitter", &[Jitter::None, Jitter::Full]);
    let (pause, cap) = (pause?, cap?);
    if cap < pause {
        let name = if section.raw("cap").is_some() { "cap" } else { "pause" };
        let wrong =
            Wrong::new("the longest pause is below the first").help("give `cap` at least the length of `pause`");
        section.refuse(name, "`cap` contradicts `pause`", wrong);
        return None;
    }
    Some(Retry { times: times?, on: on?, at_least: at_least?, pause, factor: factor?, cap, jitter: jitter? })
}

fn model(section: &Section<'_>) -> Option<Model> {
    let (calls_again, truthful) = (section.get("calls_again", values::share), section.get("truthful", values::share));
    Some(Model { calls_again: calls_again?, truthful: truthful? })
}

/// What `[clients]` says of every kind that does not say it itself.
struct Common {
    speaks: Revision,
    declares: ClientCapabilities,
    declares_on_retry: Option<ClientCapabilities>,
    on_ask: OnAsk,
    checks_answers: bool,
    screens_forms: bool,
    inspects_links: bool,
}

/// One element of the mix: what it says itself.
struct Said {
    name: String,
    share: f64,
    speaks: Option<Revision>,
    declares: Option<ClientCapabilities>,
    declares_on_retry: Option<ClientCapabilities>,
    on_ask: Option<OnAsk>,
    checks_answers: Option<bool>,
    screens_forms: Option<bool>,
    inspects_links: Option<bool>,
}

impl Said {
    fn kind(self, common: &Common) -> ClientKind {
        let declares = self.declares.unwrap_or(common.declares);
        // A kind that says what it declares says it of its retries too, unless it says otherwise.
        let declares_on_retry = self.declares_on_retry.or(self.declares).or(common.declares_on_retry);
        ClientKind {
            name: self.name,
            share: self.share,
            speaks: self.speaks.unwrap_or(common.speaks),
            declares,
            declares_on_retry: declares_on_retry.unwrap_or(declares),
            on_ask: self.on_ask.unwrap_or(common.on_ask),
            checks_answers: self.checks_answers.unwrap_or(common.checks_answers),
            screens_forms: self.screens_forms.unwrap_or(common.screens_forms),
            inspects_links: self.inspects_links.unwrap_or(common.inspects_links),
        }
    }

    /// The only kind of a scenario without a mix.
    fn nothing() -> Said {
        let (speaks, declares, declares_on_retry) = (None, None, None);
        let (on_ask, checks_answers, screens_forms, inspects_links) = (None, None, None, None);
        let name = "client".into();
        Said {
            name,
            share: 1.0,
            speaks,
            declares,
            declares_on_retry,
            on_ask,
            checks_answers,
            screens_forms,
            inspects_links,
        }
    }
}

fn kinds(section: &Section<'_>) -> Option<Vec<ClientKind>> {
    let declares = section.with_table("capabilities", capabilities);
    let declares_on_retry = written(section, "capabilities_on_retry", |name| section.with_table(name, capabilities));
    let on_ask = section.with_table("on_ask", on_ask);
    let checks_answers = section.get("checks_answers", values::flag);
    let screens_forms = section.get("screens_forms", values::flag);
    let inspects_links = section.get("inspects_links", values::flag);
    let speaks = section.choice("speaks", &REVISIONS);
    let mix = mix(section);
    let common = Common {
        speaks: speaks?,
        declares: declares?,
        declares_on_retry: declares_on_retry?,
        on_ask: on_ask?,
        checks_answers: checks_answers?,
        screens_forms: screens_forms?,
        inspects_links: inspects_links?,
    };
    Some(mix?.into_iter().map(|said| said.kind(&common)).collect())
}

/// The kinds as they are written, or the only one.
fn mix(section: &Section<'_>) -> Option<Vec<Said>> {
    if section.raw("mix").is_none() {
        return Some(vec![Said::nothing()]);
    }
    let elements = section.elements("mix")?;
    if elements.is_empty() || elements.len() > MOST_KINDS {
        let wrong = Wrong::new(format!("{} kinds", elements.len()));
        section.refuse("mix", "`clients.mix` takes 1 to 255 kinds", wrong.help("without a mix there is one kind"));
        return None;
    }
    let count = elements.len();
    let (mut kinds, mut names) = (Vec::new(), BTreeSet::new());
    for (place, element) in elements.into_iter().enumerate() {
        let kind = section.at(element, keys::keys(), "clients.mix", format!("clients.mix.{place}"));
        let Some(said) = said(&kind) else { continue };
        if !names.insert(said.name.clone()) {
            kind.wrong("name", Wrong::new("another kind has this name"));
            continue;
        }
        kinds.push(said);
    }
    if kinds.len() < count {
        return None;
    }
    let parts: Vec<_> = kinds.iter().map(|kind| (format!("{} {}", kind.name, kind.share), kind.share)).collect();
    section.adds_up("clients.mix", section.span_of("mix")?, &parts).then_some(kinds)
}

fn said(kind: &Section<'_>) -> Option<Said> {
    let name = kind.get("name", |value| values::word(value).map(String::from));
    let share = kind.get("share", values::positive);
    let declares = written(kind, "capabilities", |name| kind.with_table(name, capabilities));
    let declares_on_retry = written(kind, "capabilities_on_retry", |name| kind.with_table(name, capabilities));
    let on_ask = written(kind, "on_ask", |name| kind.with_table(name, on_ask));
    let checks_answers = written(kind, "checks_answers", |name| kind.get(name, values::flag));
    let screens_forms = written(kind, "screens_forms", |name| kind.get(name, values::flag));
    let inspects_links = written(kind, "inspects_links", |name| kind.get(name, values::flag));
    let speaks = written(kind, "speaks", |_| spoken(kind));
    Some(Said {
        name: name?,
        share: share?,
        speaks: speaks?,
        declares: declares?,
        declares_on_retry: declares_on_retry?,
        on_ask: on_ask?,
        checks_answers: checks_answers?,
        screens_forms: screens_forms?,
        inspects_links: inspects_links?,
    })
}

/// What a kind says that it speaks.
fn spoken(kind: &Section<'_>) -> Option<Revision> {
    let keys::Kind::Choice(words) = keys::meant(kind.key("speaks")).kind else { panic!("`speaks` is a choice") };
    kind.get("speaks", |value| values::choice(value, words)).map(|place| REVISIONS[place])
}

/// The value of a key that need not be written; `None` after a problem was noted.
fn written<T>(section: &Section<'_>, name: &str, read: impl FnOnce(&str) -> Option<T>) -> Option<Option<T>> {
    if section.raw(name).is_none() { Some(None) } else { read(name).map(Some) }
}

/// What a client declares. Within `elicitation` an absent mode means the form.
fn capabilities(table: &Section<'_>) -> Option<ClientCapabilities> {
    let (elicitation, sampling) = (table.table("elicitation"), table.table("sampling"));
    let (form, url) = (declares(&elicitation, "form"), declares(&elicitation, "url"));
    let declared = [
        (Capability::Form, form || (table.raw("elicitation").is_some() && !url)),
        (Capability::Url, url),
        (Capability::Sampling, table.raw("sampling").is_some()),
        (Capability::SamplingTools, declares(&sampling, "tools")),
        (Capability::SamplingContext, declares(&sampling, "context")),
        (Capability::Roots, declares(table, "roots")),
    ];
    Some(declared.into_iter().filter_map(|(capability, declared)| declared.then_some(capability)).collect())
}

/// Whether an empty table stands here under this name.
fn declares(table: &Section<'_>, name: &str) -> bool {
    table.table(name);
    table.raw(name).is_some()
}

fn on_ask(table: &Section<'_>) -> Option<OnAsk> {
    match table.exactly_one(&[])? {
        "show" if table.get("show", values::flag)? => Some(OnAsk::Show),
        "show" => {
            table.wrong("show", Wrong::new("`show = false` says nothing").help("write `hang` or `cancel` instead"));
            None
        }
        "hang" => table.duration("hang").map(OnAsk::Hang),
        _ => table.duration("cancel").map(OnAsk::Cancel),
    }
}
