//! What a scenario means once it has been read: no `Option` left undecided, no `String` left unparsed. Every other floor
//! reads these plain values; nothing here reads a file or knows how a scenario is spelled.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use crate::engine::SimTime;
use crate::random::Distribution;
pub use crate::tool::AnswerKeys;
use crate::tool::{Body, Definition};
use crate::world::Action;

mod bill;
mod fleet;

pub use crate::era::Design;
pub use crate::world::{
    AtCap, Attacks, Cancel, ClientKind, Decide, Detection, Exposure, Failure, Forms, Handshake, HashBy, Hashing,
    Idempotency, IdempotencyScope, Jitter, Keys, Memory, Misroute, Model, OnAsk, OnBroken, OnInvalid, OnNotFound,
    Order, PageCheck, Pending, Policy, Pool, Retry, Revision, Rotation, ScaleBy, Scaling, Scheme, Select, Sessions,
    Signing, SpentStates, Stickiness, Store, StoreRetries, Strategy, Termination, Ties, Turns, Unable, Unfinished,
    Victim,
};
pub use bill::Bill;
pub use fleet::{Fault, Fleet};

/// A validated scenario: one fleet, one population, one or more designs to hold against each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scenario {
    /// Name of the scenario and of its folder under `results/`.
    pub name: String,
    /// The question that the scenario answers, in one sentence.
    pub question: String,
    /// Designs to run on the same people, without repetition, in the order given.
    pub designs: Vec<Design>,
    /// Seed of every random number of the run.
    pub seed: u64,
    /// Independent replications per design, at least 1.
    pub replications: u32,
    /// When the run starts, what is measured, when it stops.
    pub run: Run,
    /// When calls reach the fleet.
    pub arrivals: Arrivals,
    /// The tool that is called.
    pub tool: Tool,
    /// The people who are asked.
    pub people: People,
    /// The programs that call on behalf of the people.
    pub clients: Clients,
    /// What stands between clients and instances.
    pub balancer: Balancer,
    /// The server instances.
    pub fleet: Fleet,
    /// The signed state that the carrying design hands out.
    pub state: State,
    /// The store that the processes share.
    pub store: Store,
    /// The links that tools ask people to open, and the pages behind them.
    pub links: Links,
    /// What is done to states on their way back.
    pub attack: Attacks,
    /// What goes wrong, in the order of the file.
    pub faults: Vec<Fault>,
    /// What the fleet is charged for, if anybody wants to know.
    pub bill: Option<Bill>,
}

/// When the run starts, what is measured, when it stops.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Run {
    /// What the fleet holds at the start.
    pub start: Start,
    /// What happens to calls that are open at the horizon.
    pub stop: Stop,
    /// Arrivals end here.
    pub horizon: SimTime,
    /// Calls that arrive before are not counted; levels are integrated over `[warm_up, horizon]`. Below `horizon`.
    pub warm_up: SimTime,
}

/// What the fleet holds at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// Nothing.
    Empty,
    /// As many people at their question as in the steady state, each with a remaining think time to match.
    Stationary,
}

/// What happens to calls that are open at the horizon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// Arrivals end, the run goes on until every call has its end.
    Cohort,
    /// Everything stops; open calls end as `open_at_end`.
    Horizon,
}

/// When calls reach the fleet.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arrivals {
    /// Poisson process with this rate per second.
    Poisson {
        /// Calls per second, above 0.
        rate_per_s: f64,
    },
    /// One call every `gap`, the first after one gap.
    Constant {
        /// Time between two calls, above 0.
        gap: Duration,
    },
    /// Poisson process whose rate is constant on each piece; pieces follow one another and cover the horizon.
    Profile(Vec<Piece>),
    /// Exactly these instants, ascending.
    At(Vec<SimTime>),
    /// Recorded calls: instants, think times and actions come from the rows.
    Trace(Arc<[TraceRow]>),
}

/// One piece of a rate profile.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Piece {
    /// End of the piece, ascending.
    pub until: SimTime,
    /// Calls per second on the piece, 0 or more.
    pub rate_per_s: f64,
}

/// One recorded call.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TraceRow {
    /// Arrival, ascending over the rows.
    pub arrived: SimTime,
    /// From the question to the answer.
    pub think: Duration,
    /// What the person did; `None` = never answered.
    pub action: Option<Action>,
    /// Where its messages went, under `policy = "recorded"`.
    pub route: Route,
}

/// The instances that the messages of a recorded call reached; `None` = not recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Route {
    /// Its first request: every message of the handshake, and the end of the session.
    pub first: Option<u16>,
    /// Its `tools/call`.
    pub call: Option<u16>,
    /// Its answers.
    pub answer: Option<u16>,
}

/// The tool that is called.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tool {
    /// Which body runs.
    pub body: Body,
    /// What the tool asks and where it enters.
    pub definition: Definition,
    /// The amount claimed, rounded to a whole number; amounts above 100 are asked about.
    pub amount: Distribution,
    /// Thread time before the question, seconds; spent again whenever the body runs again from the top.
    pub work_before: Distribution,
    /// Thread time after the question, seconds.
    pub work_after: Distribution,
    /// Thread time of each `work` step, seconds, by number; empty unless the body is described in steps.
    pub step_work: Vec<Distribution>,
    /// What the server does when it has to ask and the client cannot be asked.
    pub unable: Unable,
    /// What the server does with an answer that does not fit its form.
    pub on_invalid: OnInvalid,
    /// Whether an effect that was made is recorded in the state, so that a body run again does not make it again.
    pub effects_in_state: bool,
    /// What makes an effect a repeat of one that was made before.
    pub idempotency: Idempotency,
    /// Who knows which effects were made.
    pub idempotency_scope: IdempotencyScope,
    /// Who on the way of an answer keeps what they see.
    pub seen_by: Exposure,
    /// The server's clock on one run of the body; `None` = none.
    pub budget: Option<Duration>,
    /// Whether that clock pauses while a person is asked.
    pub budget_pauses: bool,
    /// How long an ask may be answered, from when it was sent; later answers are refused. `None` = for ever.
    pub approval_ttl: Option<Duration>,
}

/// The people who are asked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct People {
    /// From the question on the screen to the answer, seconds.
    pub think: Distribution,
    /// Shares of what those who answer do; they add up to 1.
    pub decide: Decide,
    /// Share of people who never answer, 0 to 1.
    pub silent: f64,
    /// How many people there are, each with their own sign-ins; `None` = each call has a person of its own.
    pub users: Option<u32>,
    /// How many answers of a call its person gets wrong before the first right one, rounded to a whole number.
    pub wrong_tries: Distribution,
    /// What becomes of a form that comes while its person has another.
    pub forms: Forms,
    /// Share of people who submit their last answer twice.
    pub double_clicks: f64,
    /// Share of people who answer once more in a tab that was left open, and how long after the end of their call.
    pub stale_tabs: f64,
    /// See `stale_tabs`.
    pub stale_after: Duration,
}

/// The programs that call on behalf of the people.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Clients {
    /// The client's clock on the whole call, from its arrival; `None` = waits for ever.
    pub patience: Option<Duration>,
    /// The client's clock on each request of a call that it holds open; `None` = none.
    pub request_timeout: Option<Duration>,
    /// What becomes of the cancel of a client that gives up.
    pub cancel: Cancel,
    /// How long a client that gave up goes on serving the question that is open.
    pub serves_after: Duration,
    /// Whether the form stays on the screen when its call is over.
    pub keeps_form: bool,
    /// What a client sends before its first call.
    pub handshake: Handshake,
    /// From one message of the handshake to the next, and to the call.
    pub handshake_pause: Duration,
    /// Share of clients that end their session when they are through with it.
    pub goodbye: f64,
    /// Calls that follow one another in the order of arrival and share a session, at least 1.
    pub calls_per_session: u32,
    /// Share of messages that go over the connection of the message before, and so to the same instance.
    pub reuse: f64,
    /// How many source addresses all clients share; `None` = each call has its own.
    pub sources: Option<u32>,
    /// What a client does with a message that failed.
    pub retry: Retry,
    /// What the client does when its answer is met with "not found".
    pub on_not_found: OnNotFound,
    /// What the client does when the connection of its open call breaks.
    pub on_broken: OnBroken,
    /// Pause before an answer is sent again under `on_not_found = resend`.
    pub resend_pause: Duration,
    /// Rounds of asking (re-initialised calls included) after which the client gives up, at least 1.
    pub max_rounds: u8,
    /// Times that one answer is sent again before the client gives up, at least 1.
    pub max_resends: u8,
    /// Times that a host asks again after an answer that does not fit the form, before it cancels.
    pub max_reasks: u8,
    /// The kinds of clients, at least one.
    pub kinds: Vec<ClientKind>,
    /// What the model behind a client does when it is told to ask and to call again.
    pub model: Model,
}

/// What stands between clients and instances.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Balancer {
    /// How an instance is picked for a message that nothing binds.
    pub policy: Policy,
    /// Which of several equally good instances is picked.
    pub ties: Ties,
    /// What is hashed, and how, under `policy = "hash"`.
    pub hash: Hashing,
    /// How often each address counts when one is picked, in the order of the addresses; 0 = never picked; empty = each
    /// once.
    pub weights: Vec<u32>,
    /// Balancer processes, each with a round-robin counter of its own; each message meets one of them. At least 1.
    pub replicas: u32,
    /// Requests per second beside the calls that move the same counters, 0 or more.
    pub background_per_s: f64,
    /// What binds the messages of a call to the instance that its last one reached, while that is in the rotation.
    pub stickiness: Stickiness,
    /// Share of calls whose messages go round what would bind them.
    pub bypass: f64,
    /// Whether a message whose connection is refused is tried at another instance.
    pub redispatch: bool,
    /// Whether a request whose connection breaks before anything came back is sent again to another instance.
    pub resends_broken: bool,
    /// Share of requests that are lost between the balancer and a server.
    pub lost_requests: f64,
    /// Share of replies that are lost between a server and the balancer.
    pub lost_replies: f64,
    /// How the death of an instance is noticed.
    pub detection: Detection,
    /// Longest silence that each hop on the way bears on an open request; empty = any.
    pub idle: Vec<Duration>,
    /// Connections that the balancer can hold; `None` = unlimited.
    pub connections: Option<u32>,
    /// Connections that one open request takes, at least 1.
    pub connections_per_call: u32,
    /// Whether an address that was taken out of the rotation on purpose still gets the messages that are bound to it.
    pub drains: bool,
}

impl Balancer {
    /// How it is set to route: the policy, and what binds.
    pub fn in_words(&self) -> String {
        let policy = match (self.policy, self.hash.by) {
            (Policy::RoundRobin, _) => "round-robin",
            (Policy::Random, _) => "random",
            (Policy::LeastConnections, _) => "least-connections",
            (Policy::TwoChoices, _) => "two-choices",
            (Policy::Recorded, _) => "recorded",
            (Policy::Hash, HashBy::Source) => "hash of source",
            (Policy::Hash, HashBy::Session) => "hash of session",
            (Policy::Hash, HashBy::User) => "hash of user",
        };
        let binds = match self.stickiness {
            Stickiness::None => "",
            Stickiness::Cookie => ", cookie",
            Stickiness::Learned { .. } => ", learned",
        };
        format!("{policy}{binds}")
    }
}

/// The signed state that the carrying design hands out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct State {
    /// Who shares a signing key.
    pub keys: Keys,
    /// From the minting of a key by a process that found none to the moment in which others find it.
    pub key_lag: Duration,
    /// How the shared key is replaced, if it is.
    pub rotation: Option<Rotation>,
    /// How far the clocks of two processes may differ before one refuses a state of the other for its time.
    pub leeway: Duration,
    /// Whether a state is refused that says that it was sealed in the future.
    pub checks_issued: bool,
    /// Life of a state, from its sealing; `None` = for ever.
    pub ttl: Option<Duration>,
    /// How many seals are made for real.
    pub signing: Signing,
    /// Whether a state is good for the user only to whom it was given.
    pub binds_principal: bool,
    /// Whether a state is good for the call only for which it was given.
    pub binds_request: bool,
    /// Whether a state names its key, so that a server can tell another key from changed bytes.
    pub key_id: bool,
    /// Who keeps which states were used.
    pub ledger: SpentStates,
    /// Whether a state that is good once is spent only when the body has run.
    pub spends_after: bool,
    /// Whether a state is served, or an effect made, that cannot be looked up because the shared store is down.
    pub outage_opens: bool,
    /// Thread time that each request of the modern era takes for its envelope and its state.
    pub work: Duration,
    /// Whether a state that was used before gets the result of its first use again, instead of a refusal.
    pub remembers: bool,
}

/// The links that tools ask people to open, and the pages behind them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Links {
    /// The address that people are shown.
    pub address: String,
    /// The host that the client knows the server by.
    pub server: String,
    /// From consent to the callback of the finished page, seconds.
    pub page: Distribution,
    /// What the server does for a call whose page is not finished yet.
    pub unfinished: Unfinished,
    /// Where the server keeps the sign-ins that it has begun.
    pub pending: Pending,
    /// Life of a sign-in; `None` = for ever.
    pub life: Option<Duration>,
    /// Requests that the browser sends to the fleet: 2 = the server's own page and the callback, 1 = the callback only.
    pub hops: u8,
    /// Whom the page admits.
    pub check: PageCheck,
    /// Share of people who have a session with the server in their browser.
    pub sessions: f64,
    /// Share of links that somebody else opens.
    pub forwarded: f64,
    /// Share of callbacks that come twice.
    pub repeated: f64,
}
