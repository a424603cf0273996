//! What a scenario says of its calls, read off without running it: which way a body takes, who can be asked for what, and
//! what a client does with it. The only other place where these rules are written is the product.

use parked::era::Design;
use parked::metrics::Record;
use parked::random::Distribution;
use parked::scenario::{
    ClientKind, Fault, Keys, OnAsk, OnBroken, OnInvalid, OnNotFound, PageCheck, Pending, Scenario, Stickiness, Unable,
    Unfinished,
};
use parked::tool::{Arguments, Ask, Body};
use parked::world::form::{Form, parse};
use parked::world::link::inspect;
use parked::world::{Capability, ClientCapabilities};

/// What a body does at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Does {
    Work,
    /// Asks these in one round, each by its number.
    Ask(Vec<u8>),
    Post,
}

/// What the scenario's body does with a call of this amount whose every answer is an accept.
pub fn path(s: &Scenario, amount: u32) -> Vec<Does> {
    use Does::{Ask, Post, Work};
    let ask = |number| Ask(vec![number]);
    match s.tool.body {
        Body::SubmitExpense if amount <= 100 => vec![Work, Work, Post],
        Body::SubmitExpense | Body::ChooseSeat | Body::ConnectCalendar => vec![Work, ask(0), Work, Post],
        Body::TransferFunds => vec![Work, ask(0), Post, ask(1), Work, Post],
        Body::BookTrip => vec![Work, Ask(vec![0, 1, 2]), Work, Post, Post, Post],
        Body::Steps => steps(s),
    }
}

/// The steps of a described body, read off its serialised form.
fn steps(s: &Scenario) -> Vec<Does> {
    let program = serde_json::to_value(s.tool.definition.program).expect("a program is plain data");
    let (len, steps) = (program["len"].as_u64(), program["steps"].as_array());
    let steps = steps.into_iter().flatten().take(len.expect("a program has a length") as usize);
    let does = |step: &serde_json::Value| match (step.get("work"), step.get("ask")) {
        (Some(_), _) => Does::Work,
        (_, Some(ask)) => Does::Ask(vec![ask[0].as_u64().expect("an ask has a number") as u8]),
        _ => Does::Post,
    };
    steps.map(does).collect()
}

/// How many entries a path makes.
pub fn posts(path: &[Does]) -> u32 {
    path.iter().filter(|does| **does == Does::Post).count() as u32
}

/// How many entries a path has made at each place of this sort.
pub fn posts_at(path: &[Does], at: impl Fn(&Does) -> bool) -> Vec<u32> {
    let places = path.iter().enumerate().filter(|(_, does)| at(does));
    places.map(|(place, _)| posts(&path[..place])).collect()
}

/// The kind of client of a call.
pub fn kind<'a>(s: &'a Scenario, record: &Record) -> &'a ClientKind {
    &s.clients.kinds[usize::from(record.client)]
}

/// Whether a server may send this ask to a client that declared this.
pub fn may_send(s: &Scenario, declared: ClientCapabilities, ask: u8) -> bool {
    let needs = s.tool.definition.ask(ask).needs;
    let as_form = s.tool.unable == Unable::DowngradeToForm && needs == Capability::Url;
    declared.has(needs) || as_form && declared.has(Capability::Form)
}

/// Whether the server goes on as if accepted where it may not ask.
pub fn passes(s: &Scenario) -> bool {
    matches!(s.tool.unable, Unable::FailOpen | Unable::FromConfiguration)
}

/// Whether host or model may ask the person in place of the tool.
pub fn asks_beside(s: &Scenario) -> bool {
    matches!(s.tool.unable, Unable::HostApproval | Unable::ToolErrorWithFallback)
}

/// Whether the client declared, with its first message, all that the tool may ask for.
pub fn declares_all(s: &Scenario, kind: &ClientKind) -> bool {
    s.tool.definition.asks.iter().all(|ask| kind.declares.has(ask.needs))
}

/// Whether a call of this kind and amount can have anything sent to its client: the first ask that is not passed.
pub fn can_be_sent_to(s: &Scenario, kind: &ClientKind, amount: u32) -> bool {
    let hidden = matches!(s.tool.unable, Unable::HideTool | Unable::HostApproval) && !declares_all(s, kind);
    let rounds = path(s, amount).into_iter().filter_map(|does| match does {
        Does::Ask(asks) => Some(asks.iter().all(|&ask| may_send(s, kind.declares, ask))),
        _ => None,
    });
    // The first that is not sent ends the call, unless it is passed.
    let reached = if passes(s) { usize::MAX } else { 1 };
    !hidden && rounds.take(reached).any(|sent| sent)
}

/// An amount that every body asks about.
const LARGE: u32 = 500;

pub fn can_ask(s: &Scenario) -> bool {
    s.clients.kinds.iter().any(|kind| can_be_sent_to(s, kind, LARGE))
}

/// Whether anybody can be shown anything.
pub fn shows(s: &Scenario) -> bool {
    let shown = |kind: &ClientKind| kind.on_ask == OnAsk::Show && can_be_sent_to(s, kind, LARGE);
    asks_beside(s) || s.clients.kinds.iter().any(shown)
}

pub fn any_kind(s: &Scenario, is: impl Fn(&ClientKind) -> bool) -> bool {
    s.clients.kinds.iter().any(|kind| can_be_sent_to(s, kind, LARGE) && is(kind))
}

pub fn hangs_on_ask(kind: &ClientKind) -> bool {
    matches!(kind.on_ask, OnAsk::Hang(_))
}

pub fn cancels_on_ask(kind: &ClientKind) -> bool {
    matches!(kind.on_ask, OnAsk::Cancel(_))
}

/// Some kind of client did not declare, for some message, all that the tool may ask for.
pub fn lacks(s: &Scenario) -> bool {
    let lacks = |declared: ClientCapabilities| s.tool.definition.asks.iter().any(|ask| !declared.has(ask.needs));
    s.clients.kinds.iter().any(|kind| lacks(kind.declares) || lacks(kind.declares_on_retry))
}

/// The form of an ask; every reason against it where no server may send it.
pub fn form(ask: &Ask) -> Result<Form, String> {
    parse(&ask.params(&Arguments { amount: 0, confirmed: false })).map_err(|problems| format!("{problems:?}"))
}

pub fn has_illegal_form(s: &Scenario) -> bool {
    s.tool.definition.asks.iter().any(|ask| ask.needs == Capability::Form && form(ask).is_err())
}

/// Some form, or link that may be sent as one, names a secret.
pub fn names_a_secret(s: &Scenario) -> bool {
    let as_form =
        |needs| needs == Capability::Form || needs == Capability::Url && s.tool.unable == Unable::DowngradeToForm;
    let suspicious = |ask: &Ask| form(ask).is_ok_and(|form| !form.sensitive_words().is_empty());
    s.tool.definition.asks.iter().any(|ask| as_form(ask.needs) && suspicious(ask))
}

/// Some person types something wrong.
pub fn errs(s: &Scenario) -> bool {
    s.people.wrong_tries != Distribution::constant(0.0).expect("nought is a number")
}

pub fn has_patience(s: &Scenario) -> bool {
    s.clients.patience.is_some()
}

pub fn kills(s: &Scenario) -> bool {
    s.faults.iter().any(|fault| matches!(fault, Fault::Kill { .. }))
}

/// The shared store of used states cannot be asked for some time.
pub fn loses_store(s: &Scenario) -> bool {
    s.faults.iter().any(|fault| matches!(fault, Fault::StoreOutage { .. }))
}

/// Whether the body asks for a link here.
pub fn asks_link(s: &Scenario, does: &Does) -> bool {
    let is_link = |&ask: &u8| s.tool.definition.ask(ask).needs == Capability::Url;
    matches!(does, Does::Ask(asks) if asks.iter().any(is_link))
}

pub fn asks_by_link(s: &Scenario) -> bool {
    s.tool.definition.asks.iter().any(|ask| ask.needs == Capability::Url)
}

/// Whether a body does not ask any more once another call of its user has brought the grant.
pub fn is_skipped_once_granted(s: &Scenario) -> bool {
    s.tool.body == Body::ConnectCalendar && s.people.users.is_some()
}

/// A client that looks at the address would stop it.
pub fn is_dangerous(s: &Scenario) -> bool {
    !inspect(&s.links.address, Some(&s.links.server)).is_allowed()
}

/// Whether a client of this kind can be sent links and shows them.
pub fn shows_links(s: &Scenario, kind: &ClientKind) -> bool {
    let declares = kind.declares.has(Capability::Url) || kind.declares_on_retry.has(Capability::Url);
    let may = |ask: &Ask| ask.needs == Capability::Url && declares;
    kind.on_ask == OnAsk::Show && s.tool.definition.asks.iter().any(may) && !(kind.inspects_links && is_dangerous(s))
}

/// Some page can open.
pub fn opens_pages(s: &Scenario) -> bool {
    s.clients.kinds.iter().any(|kind| shows_links(s, kind))
}

/// A body that awaits its page asks again in a further round.
pub fn asks_until_finished(s: &Scenario) -> bool {
    opens_pages(s) && s.links.unfinished != Unfinished::Block
}

/// A browser can reach another process than the one that minted its link.
fn browser_strays(s: &Scenario) -> bool {
    kills(s) || s.fleet.instances.len() > 1
}

/// Some instance may not know a sign-in, or none may be there to ask.
pub fn forgets_sign_ins(s: &Scenario) -> bool {
    match s.links.pending {
        Pending::Shared => kills(s),
        Pending::Memory => browser_strays(s),
        Pending::Sealed => kills(s) || browser_strays(s) && s.state.keys == Keys::PerProcess,
    }
}

/// The page can admit somebody else than who started.
pub fn lets_others_in(s: &Scenario) -> bool {
    let admitted = match s.links.check {
        PageCheck::None | PageCheck::SignedStateOnly => true,
        PageCheck::SessionIfPresent => s.links.sessions < 1.0,
        PageCheck::SessionRequired => false,
    };
    s.links.forwarded > 0.0 && admitted
}

/// The page can refuse somebody else than who started.
pub fn keeps_others_out(s: &Scenario) -> bool {
    let refused = match s.links.check {
        PageCheck::None | PageCheck::SignedStateOnly => false,
        PageCheck::SessionIfPresent => s.links.sessions > 0.0,
        PageCheck::SessionRequired => true,
    };
    s.links.forwarded > 0.0 && refused
}

pub fn hangs(s: &Scenario) -> bool {
    kills(s) && s.clients.on_broken == OnBroken::Hang
}

pub fn breaks(s: &Scenario) -> bool {
    kills(s) && s.clients.on_broken == OnBroken::Fail
}

/// An answer can reach another process than the one that asked.
pub fn strays(s: &Scenario) -> bool {
    can_ask(s) && (kills(s) || s.balancer.stickiness == Stickiness::None && s.fleet.instances.len() > 1)
}

/// A call can be started again from its beginning.
pub fn starts_again(s: &Scenario) -> bool {
    strays(s) && s.clients.on_not_found == OnNotFound::Reinitialise
}

/// A call can come to more than one round without having been started again.
pub fn has_rounds(s: &Scenario) -> bool {
    let asks = path(s, LARGE).iter().filter(|does| matches!(does, Does::Ask(_))).count();
    asks > 1 || errs(s) && s.tool.on_invalid == OnInvalid::AskAgain || asks_until_finished(s)
}

/// Whether a run of the body after the first is one that the design or the client makes.
pub fn runs_again(s: &Scenario, design: Design) -> bool {
    design == Design::Carrying || s.clients.on_not_found == OnNotFound::Reinitialise
}

/// Somebody can be at a page that they never finish.
pub fn leaves_pages(s: &Scenario) -> bool {
    opens_pages(s) && s.links.page.never_share() > 0.0
}

/// Somebody can be at a page whose sign-in is not known.
pub fn loses_pages(s: &Scenario) -> bool {
    opens_pages(s) && forgets_sign_ins(s)
}

/// Somebody can be at a page for longer than its sign-in lives.
pub fn outlives_links(s: &Scenario) -> bool {
    opens_pages(s) && s.links.life.is_some()
}

/// Somebody can be at a page who is not let in.
pub fn refuses_visitors(s: &Scenario) -> bool {
    opens_pages(s) && keeps_others_out(s)
}
