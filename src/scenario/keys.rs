//! The one list of all keys that a scenario may have: what each takes, its default, its meaning and where the default
//! comes from. Reading, error messages, the JSON Schema, the template and the documentation all follow from it, so a key
//! must never be read that is not listed here, and no default may stand anywhere else.

mod kind;

pub use kind::Kind;

/// One key of the scenario language.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// Dotted path; `fault` and what continues it stand for each element of the list.
    pub path: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// Default as the user would write it; `None` = must be written (or stands for no value, where the meaning says so).
    pub default: Option<&'static str>,
    /// Unit of the value; empty = none.
    pub unit: &'static str,
    /// What it means, in one line.
    pub meaning: &'static str,
    /// Where the default comes from.
    pub source: &'static str,
}

impl Key {
    /// Last word of the path.
    pub fn name(&self) -> &'static str {
        self.path.rsplit('.').next().unwrap_or(self.path)
    }

    /// Path of the table that holds the key; empty = the top.
    pub fn parent(&self) -> &'static str {
        self.path.rsplit_once('.').map_or("", |(parent, _)| parent)
    }
}

/// The keys directly within the table at `path`.
pub(super) fn within<'a>(keys: &'static [Key], path: &'a str) -> impl Iterator<Item = &'static Key> + use<'a> {
    keys.iter().filter(move |key| key.parent() == path)
}

/// The key with this path.
pub(super) fn find(keys: &'static [Key], path: &str) -> Option<&'static Key> {
    keys.iter().find(|key| key.path == path)
}

/// The key that says what this one takes: itself, or the one that it is the same as.
pub(super) fn meant(key: &'static Key) -> &'static Key {
    match key.kind {
        Kind::Same(path) => find(KEYS, path).unwrap_or_else(|| panic!("`{path}` is not in the list of keys")),
        _ => key,
    }
}

/// Every key of a scenario, in the order of the documentation. Distributions continue with [`distribution_keys`].
pub fn keys() -> &'static [Key] {
    KEYS
}

/// Every key within a distribution; paths are relative to the key that takes the distribution.
pub fn distribution_keys() -> &'static [Key] {
    DISTRIBUTION
}

/// `path: kind = default [unit] "meaning" <- "source";`, where `-` stands for no default.
macro_rules! keys {
    (@default -) => { None };
    (@default $default:literal) => { Some($default) };
    ($($path:literal: $kind:expr => $default:tt [$unit:literal] $meaning:literal <- $source:literal;)*) => {
        &[$(Key {
            path: $path,
            kind: $kind,
            default: keys!(@default $default),
            unit: $unit,
            meaning: $meaning,
            source: $source,
        }),*]
    };
}

use Kind::{
    Bytes, BytesOr, Choice, Choices, Duration, DurationAboveZero, DurationOr, DurationOrSeconds, Durations, File, Flag,
    Instants, Names, NotNegative, Numbers, Positive, Quantity, Rate, RateOrZero, Same, Seconds, Share, Table,
    TableList, Target, Text, Variants, VariantsList, Whole, WholeOr, Wholes, Word,
};

/// Largest seed: the largest whole number of TOML.
const MAX_SEED: u64 = i64::MAX as u64;

#[rustfmt::skip]
static KEYS: &[Key] = keys! {
    "format": Whole { min: 1, max: 1 } => "1" [""] "version of the scenario language" <- "the only one so far";
    "name": Word => - [""] "name of the scenario and of its folder under results/" <- "none";
    "question": Text => "\"\"" [""] "the question that the scenario answers, in one sentence" <- "none";
    "preset": Choice(&["none", "rmcp-3.11", "python-2.3", "threads"]) => "\"none\"" [""] "takes the defaults of other keys from an SDK or a kind of server, as measured; a key that is written stands" <- "choice: the defaults that are listed";
    "designs": Choices(&["waiting", "carrying", "migrating", "forwarding", "fan-out", "storing", "handle", "shim"]) => "[\"waiting\", \"carrying\"]" [""] "designs to hold against each other on the same people; migrating = processes of the first version wait, those that a deploy starts carry; forwarding, fan-out = waiting, and stray answers are passed on; storing = the call is written down in a shared store; handle = its body is kept in memory, with nothing open; shim = carrying, with clients of the earlier era pushed to and waited for" <- "the two eras of MCP: up to 2025-11-25, and 2026-07-28";
    "seed": Whole { min: 0, max: MAX_SEED } => "20260728" [""] "seed of every random number" <- "date of the MCP release that brought carrying";
    "replications": Whole { min: 1, max: 100_000 } => "20" [""] "independent repetitions per design" <- "choice: intervals from 19 degrees of freedom";

    "run": Table => "{}" [""] "when the run starts, what is measured, when it stops" <- "none";
    "run.start": Choice(&["empty", "stationary"]) => "\"empty\"" [""] "what the fleet holds at the start: nothing, or as many people at their question as in the steady state" <- "choice: a run starts as it says";
    "run.stop": Choice(&["cohort", "horizon"]) => "\"cohort\"" [""] "after the horizon: cohort = every call gets its end; horizon = open calls end as open_at_end" <- "choice: no call is censored";
    "run.horizon": Duration => "\"1h\"" ["time"] "arrivals end here" <- "choice";
    "run.warm_up": Duration => "\"0s\"" ["time"] "calls that arrive before are not counted; below the horizon" <- "choice: nothing is left out unasked";

    "arrivals": Variants => "{ poisson = { rate = \"5/s\" } }" [""] "when calls reach the fleet" <- "reference system of the closed forms";
    "arrivals.poisson": Table => - [""] "Poisson process of one rate" <- "none";
    "arrivals.poisson.rate": Rate => "\"5/s\"" ["calls per time"] "mean number of calls per unit of time" <- "reference system of the closed forms";
    "arrivals.constant": Table => - [""] "one call every 1/rate, the first after one gap" <- "none";
    "arrivals.constant.rate": Rate => - ["calls per time"] "calls per unit of time" <- "none";
    "arrivals.profile": TableList => - [""] "Poisson process whose rate is constant on each piece; the pieces cover the horizon" <- "none";
    "arrivals.profile.until": Duration => - ["time"] "end of the piece, ascending" <- "none";
    "arrivals.profile.rate": RateOrZero => - ["calls per time"] "mean number of calls per unit of time on the piece" <- "none";
    "arrivals.at": Instants => - ["time"] "exactly these instants, ascending, at or before the horizon" <- "none";
    "arrivals.trace": Table => - [""] "recorded calls: instants, think times and actions come from the rows" <- "none";
    "arrivals.trace.file": File => - [""] "CSV file with the columns arrived_s, think_s, action (accept, decline, cancel, never); under balancer.policy = \"recorded\" also first_instance, leg1_instance, answer_instance" <- "none";

    "tool": Table => "{}" [""] "the tool that is called" <- "none";
    "tool.body": Choice(&["submit_expense", "choose_seat", "transfer_funds", "book_trip", "connect_calendar", "steps"]) => "\"submit_expense\"" [""] "which body runs; steps = what [[tool.step]] says" <- "the seed example";
    "tool.amount": Numbers => "{ constant = 500 }" ["amount"] "amount claimed, rounded to a whole number; above 100 a person is asked" <- "the seed example";
    "tool.work_before": Seconds => "{ exponential = { mean = \"5ms\" } }" ["time"] "thread time before the question, spent again whenever the body runs again from the top" <- "choice: between the measured 0.3 ms (Rust) and 4.3 ms (Python) per asked call, and real work";
    "tool.work_after": Seconds => "{ exponential = { mean = \"5ms\" } }" ["time"] "thread time after the question" <- "choice: as work_before";
    "tool.unable": Choice(&["reject", "tool-error-with-fallback", "host-approval", "fail-open", "hide-tool", "downgrade-to-form", "from-configuration"]) => "\"reject\"" [""] "what the server does when its tool has to ask and the client cannot be asked" <- "MCP patterns/mrtr: error -32021";
    "tool.on_invalid": Choice(&["refuse", "ask-again"]) => "\"refuse\"" [""] "what the server does with an answer that does not fit its form" <- "MCP patterns/mrtr: an answer of the wrong shape should be met with an error";
    "tool.effects_in_state": Flag => "false" [""] "an effect that was made is recorded in the state, so that a body run again does not make it again" <- "choice: nothing is recorded unasked";
    "tool.seen_by": Choices(&["client-log", "host-trace", "model-context", "proxy", "server-log", "audit-trail"]) => "[\"client-log\", \"host-trace\", \"model-context\", \"proxy\", \"server-log\", \"audit-trail\"]" [""] "who keeps what they see of a typed answer, beside the client, which always sees it" <- "choice: whoever can see it keeps it";
    "tool.idempotency": Choice(&["none", "request-id", "arguments", "state", "operation"]) => "\"none\"" [""] "what makes an effect a repeat of one that was made before, which then stands: the id of the request, the arguments of the call, the state that the request brings, or a key that the client makes once for the call and sends with every try" <- "choice: nothing is recognised unasked; MCP names no key";
    "tool.idempotency_scope": Choice(&["shared", "per-instance"]) => "\"shared\"" [""] "who knows which effects were made: one store for the fleet, which fault.store-outage takes away (see state.on_outage), or each process until it dies; only with tool.idempotency" <- "choice: a key that one process knows is no key for a fleet";
    "tool.budget": DurationOr("none") => "\"none\"" ["time"] "the server's clock on one run of the body" <- "choice; Cloud Run 300 s for a request";
    "tool.budget_pauses": Flag => "false" [""] "whether that clock pauses while a person is asked; only with a budget" <- "choice; the Codex client's clock does";
    "tool.approval_ttl": DurationOr("none") => "\"none\"" ["time"] "how long an ask may be answered, from when it was sent; the server refuses later answers" <- "choice; push approvals 40 s to 60 s (PingID, Duo)";
    "tool.step": VariantsList => - [""] "what the body does, in this order; 1 to 16 steps, only with body = \"steps\"" <- "none";
    "tool.step.work": Seconds => - ["time"] "thread time, spent again whenever the body runs again from the top" <- "none";
    "tool.step.ask": Table => - [""] "a question; the call ends unless the answer is an accept; at most 9 of them" <- "none";
    "tool.step.ask.key": Word => - [""] "key of the ask in inputRequests, different from those of other asks" <- "none";
    "tool.step.ask.kind": Choice(&["form", "url", "sampling", "sampling-tools", "sampling-context", "roots"]) => "\"form\"" [""] "what is asked for, and so what the client must have declared" <- "MCP client/elicitation: mode form";
    "tool.step.ask.message": Text => "\"\"" [""] "what the person reads; not beside a form that brings its own" <- "none";
    "tool.step.ask.form": File => - [""] "JSON file of the form: an elicitation/create request, its params, or a requestedSchema; no fields if absent" <- "none";
    "tool.step.ask.typed": Text => "\"{}\"" [""] "content of a right answer, a JSON object" <- "none";
    "tool.step.ask.mistyped": Text => "\"{}\"" [""] "content of a wrong answer, a JSON object; whether the form refuses it is for the form to say" <- "none";
    "tool.step.ask.sensitive": Flag => "false" [""] "the answer is a secret; nobody on the way knows it" <- "none";
    "tool.step.post": Word => - [""] "an entry in the ledger of this name" <- "none";
    "tool.next": Table => - [""] "the next version of the tool, which every process runs that a deploy starts or that starts after a deploy began; only with body = \"steps\"" <- "none";
    "tool.next.step": Same("tool.step") => - [""] "what the body of the next version does, in this order" <- "none";
    "tool.answer_keys": Choice(&["named", "sequence", "text"]) => "\"named\"" [""] "by what a body that runs again from the top finds its answers, and what stands for their asks in a state: the key, the running number, or a digest of all that was asked" <- "MCP 2026-07-28 patterns/mrtr: inputResponses go by the keys of inputRequests";

    "people": Table => "{}" [""] "the people who are asked" <- "none";
    "people.think": Seconds => "{ lognormal = { median = \"45s\", p95 = \"4m\" } }" ["time"] "from the question on the screen to the answer" <- "belief: a small form, sigma about 1";
    "people.decide": Table => "{}" [""] "what those who answer do; the shares add up to 1" <- "none";
    "people.decide.accept": Share => "0.93" ["share"] "explicit yes" <- "93 % of Claude Code permission prompts accepted (Anthropic); not the same kind of question";
    "people.decide.decline": Share => "0.05" ["share"] "explicit no" <- "belief: split of the remaining 7 %";
    "people.decide.cancel": Share => "0.02" ["share"] "dismissed without a choice" <- "belief: split of the remaining 7 %";
    "people.silent": Share => "0.0" ["share"] "share of people who never answer" <- "choice; measured 0.04 at the keyboard (Duo), 0.15 on the phone (prompts of 12 studies)";
    "people.users": WholeOr(&["unlimited"]) => "\"unlimited\"" ["people"] "how many people there are, whose sign-ins last from call to call; unlimited = each call has a person of its own" <- "choice: nothing is remembered unasked";
    "people.wrong_tries": Numbers => "{ constant = 0 }" ["answers"] "how many answers of a call its person gets wrong before the first right one" <- "choice: nobody errs unasked";

    "people.forms": Choice(&["any", "queue", "overwrite", "refuse"]) => "\"any\"" [""] "what becomes of a form while its person has another: both are shown, it waits, it takes the other's place, or its client refuses it; others than any only with people.users" <- "choice: people are not held up unasked";
    "people.double_clicks": Share => "0.0" ["share"] "people who submit their last answer twice" <- "choice: nobody errs unasked";
    "people.stale_tabs": Share => "0.0" ["share"] "people who answer once more in a tab that was left open when their call had completed" <- "choice: nobody errs unasked";
    "people.stale_after": Duration => "\"1h\"" ["time"] "how long after the end of the call; only with people.stale_tabs" <- "choice: longer than a state lives";

    "clients": Table => "{}" [""] "the programs that call on behalf of the people" <- "none";
    "clients.patience": DurationOr("none") => "\"5m\"" ["time"] "the client's clock on the whole call, from its arrival; none = waits for ever" <- "MCP Inspector 300 s; the Python client's stream read 300 s; TypeScript 60 s; Rust none";
    "clients.request_timeout": DurationOr("none") => "\"none\"" ["time"] "the client's clock on each request that it holds open: the whole of a waiting call, or one leg of a carried one" <- "none in the Rust and Python clients; TypeScript 60 s";
    "clients.cancel": Choice(&["reaches", "routed", "never"]) => "\"reaches\"" [""] "the cancel of a client that gives up: reaches whoever holds the call, is routed like any message, or is never sent; where closing the stream cancels (2026-07-28) it decides nothing" <- "choice: the ideal; MCP 2025-11-25 basic/utilities/cancellation: a notification";
    "clients.serves_after": Duration => "\"0s\"" ["time"] "how long a client that gave up on a call goes on serving its open question" <- "none but the Rust client (2 s)";
    "clients.keeps_form": Flag => "false" [""] "whether a form stays on the screen when its call is over, so that its person answers in vain" <- "choice: hosts clean up";
    "clients.handshake": Choice(&["none", "full", "discover"]) => "\"none\"" [""] "what a client sends before its call, each a routed message: nothing, what its era asks for, or that after a server/discover that finds out the era" <- "choice: a call is one request";
    "clients.handshake_pause": Duration => "\"0s\"" ["time"] "from one message of the handshake to the next, and to the call" <- "choice: messages take no time; measured about 1 ms on loopback";
    "clients.goodbye": Share => "1.0" ["share"] "clients that end their session when they are through with it; only with a handshake" <- "MCP 2025-11-25 basic/transports: clients should send a DELETE; 8 % do (prowler, 115 of 1398)";
    "clients.calls_per_session": Whole { min: 1, max: 1_000_000 } => "1" ["calls"] "calls that follow one another in the order of arrival and share a session; only with a handshake" <- "choice: each call has a client of its own";
    "clients.reuse": Share => "0.0" ["share"] "messages that go over the connection of the message before, and so to the same process" <- "choice: the balancer picks for each request";
    "clients.sources": WholeOr(&["unlimited"]) => "\"unlimited\"" ["addresses"] "source addresses that all calls share, as behind a proxy; unlimited = each call has its own" <- "choice";
    "clients.retry": Table => "{}" [""] "what a client does with a message that failed" <- "none";
    "clients.retry.times": Whole { min: 0, max: 50 } => "0" ["times"] "times that one message is tried again" <- "none in the SDKs";
    "clients.retry.on": Choices(&["unreachable", "broken", "full"]) => "[\"unreachable\", \"broken\"]" [""] "what is tried again: no instance took it, its connection broke, there was no room" <- "choice: as most HTTP clients";
    "clients.retry.at_least": Duration => "\"0s\"" ["time"] "least pause before a try, beside what follows" <- "choice";
    "clients.retry.pause": DurationAboveZero => "\"500ms\"" ["time"] "pause before the first try" <- "choice: five of them outlive 15.5 s";
    "clients.retry.factor": Positive => "2.0" [""] "what the pause is multiplied by for each further try, at least 1" <- "exponential backoff";
    "clients.retry.cap": DurationAboveZero => "\"8s\"" ["time"] "longest pause, before it varies" <- "choice: the fifth of them";
    "clients.retry.jitter": Choice(&["none", "full"]) => "\"full\"" [""] "full = each pause is uniform from nothing to its length" <- "the usual advice against herds";
    "clients.on_not_found": Choice(&["wait", "fail", "reinitialise", "resend"]) => "\"wait\"" [""] "reaction to a 404 on an answer" <- "TypeScript and Python clients ignore it and go on waiting; Rust re-initialises";
    "clients.on_broken": Choice(&["fail", "hang"]) => "\"fail\"" [""] "reaction to a broken connection of the open call: reports it at once, or notices nothing until its patience ends" <- "choice: TCP reset reaches the client";
    "clients.resend_pause": DurationAboveZero => "\"250ms\"" ["time"] "pause before an answer is sent again; only with on_not_found = \"resend\"" <- "retry pause of the TypeScript client, last step of Python and Rust";
    "clients.max_rounds": Whole { min: 1, max: 100 } => "10" ["rounds"] "rounds of asking, re-initialised calls included, after which the client gives up" <- "round cap of the TypeScript, Python, Rust and Go clients";
    "clients.max_resends": Whole { min: 1, max: 100 } => "10" ["times"] "times that one answer is sent again before the client gives up; only with on_not_found = \"resend\"" <- "choice: as the round cap";
    "clients.max_reasks": Whole { min: 0, max: 10 } => "3" ["times"] "times that a client which checks answers asks again for one that does not fit, before it cancels" <- "choice";
    "clients.capabilities": Table => "{ elicitation = {} }" [""] "what the clients declare; an empty table = nothing, so they cannot be asked" <- "MCP client/elicitation";
    "clients.capabilities.elicitation": Table => - [""] "the client can be asked; empty means with a form" <- "MCP client/elicitation";
    "clients.capabilities.elicitation.form": Table => - [""] "asked with a form; must be said where url is" <- "MCP client/elicitation";
    "clients.capabilities.elicitation.url": Table => - [""] "asked to open a link; alone it means no forms" <- "MCP client/elicitation";
    "clients.capabilities.sampling": Table => - [""] "the client's model can be asked; empty means plain" <- "MCP client/sampling";
    "clients.capabilities.sampling.tools": Table => - [""] "its model may be given tools" <- "MCP client/sampling";
    "clients.capabilities.sampling.context": Table => - [""] "its model may be given context of servers" <- "MCP client/sampling";
    "clients.capabilities.roots": Table => - [""] "the client can be asked for its roots" <- "MCP client/roots";
    "clients.capabilities_on_retry": Same("clients.capabilities") => - [""] "what every request that brings answers declares; as capabilities if absent" <- "MCP 2026-07-28: each request declares anew";
    "clients.on_ask": Variants => "{ show = true }" [""] "what the clients really do with an ask, whatever they declare" <- "choice: clients do what they declare";
    "clients.on_ask.show": Flag => - [""] "true: the person is shown it" <- "none";
    "clients.on_ask.hang": DurationAboveZero => - ["time"] "nothing is shown, and the call is given up after this long" <- "none";
    "clients.on_ask.cancel": Duration => - ["time"] "nothing is shown, and cancel is answered by itself after this long" <- "none";
    "clients.checks_answers": Flag => "true" [""] "the clients hold an answer against the form before they send it" <- "MCP client/elicitation: clients should validate";
    "clients.screens_forms": Flag => "true" [""] "the clients do not show a form whose words ask for a secret, and cancel" <- "choice: MCP forbids such forms, and names no check";
    "clients.inspects_links": Flag => "true" [""] "whether the client looks at the address of a link and refuses a dangerous one" <- "MCP 2026-07-28 security best practices: allow-list of schemes, real host shown";
    "clients.speaks": Choice(&["earlier", "modern"]) => "\"modern\"" [""] "latest revision that the clients speak: up to 2025-11-25, or 2026-07-28; designs other than shim decide it by themselves" <- "choice: clients are up to date";
    "clients.mix": TableList => - [""] "kinds of clients, at most 255; what a kind does not say stands in [clients]; one kind named client if absent" <- "none";
    "clients.mix.name": Word => - [""] "name of the kind, different from the others" <- "none";
    "clients.mix.share": Positive => - ["share"] "share of all calls, above 0; the shares add up to 1" <- "none";
    "clients.mix.capabilities": Same("clients.capabilities") => - [""] "as clients.capabilities, for this kind" <- "none";
    "clients.mix.capabilities_on_retry": Same("clients.capabilities") => - [""] "as clients.capabilities_on_retry, for this kind" <- "none";
    "clients.mix.on_ask": Same("clients.on_ask") => - [""] "as clients.on_ask, for this kind" <- "none";
    "clients.mix.checks_answers": Same("clients.checks_answers") => - [""] "as clients.checks_answers, for this kind" <- "none";
    "clients.mix.screens_forms": Same("clients.screens_forms") => - [""] "as clients.screens_forms, for this kind" <- "none";
    "clients.mix.inspects_links": Same("clients.inspects_links") => - [""] "as clients.inspects_links, for this kind" <- "none";
    "clients.mix.speaks": Same("clients.speaks") => - [""] "as clients.speaks, for this kind" <- "none";
    "clients.model": Table => "{}" [""] "what the model does when a tool error tells it to ask and to call again; only with tool.unable = \"tool-error-with-fallback\"" <- "none";
    "clients.model.calls_again": Share => "1.0" ["share"] "share of calls that it makes again" <- "belief";
    "clients.model.truthful": Share => "1.0" ["share"] "share of those for which it really asks the person before" <- "belief";

    "balancer": Table => "{}" [""] "what stands between clients and instances" <- "none";
    "balancer.policy": Choice(&["round-robin", "random", "least-connections", "two-choices", "hash", "recorded"]) => "\"round-robin\"" [""] "how an address is picked for a message that nothing binds; recorded = where the rows of the trace say" <- "default of HAProxy, nginx and AWS";
    "balancer.ties": Choice(&["random", "first"]) => "\"random\"" [""] "which of several addresses with equally few requests is picked; only with least-connections or two-choices" <- "choice: a first-in-list rule sends every lone call to one address";
    "balancer.hash": Table => "{}" [""] "what is hashed, and how; only with policy = \"hash\"" <- "none";
    "balancer.hash.by": Choice(&["source", "session", "user"]) => "\"source\"" [""] "source address, session id (which the first message does not have yet, nor any message of the carrying design) or user; a message without it is routed by round robin" <- "nginx ip_hash; HAProxy balance hdr() goes round robin where the header is absent";
    "balancer.hash.scheme": Choice(&["modulo", "ring", "rendezvous"]) => "\"ring\"" [""] "from a hash to an address" <- "consistent hashing of nginx, HAProxy and Envoy";
    "balancer.hash.points": Whole { min: 1, max: 10_000 } => "160" ["points"] "points of each address on the ring; only with scheme = \"ring\"" <- "160 in ketama, so in nginx hash .. consistent";
    "balancer.weights": Wholes => - [""] "how often each address counts, for every policy; 0 = never picked; all 1 if absent" <- "none";
    "balancer.replicas": Whole { min: 1, max: 1_000 } => "1" ["processes"] "balancer processes with a round-robin counter each; every message meets one of them" <- "choice: one HAProxy process has one counter";
    "balancer.background": RateOrZero => "\"0/s\"" ["requests per time"] "Poisson requests beside the calls that move the same round-robin counters, and nothing else" <- "choice: nothing is there unasked";
    "balancer.stickiness": Choice(&["none", "cookie", "learned"]) => "\"none\"" [""] "cookie, learned = messages of a call stay with the address that its last one reached, while that is in the rotation" <- "default of the balancers";
    "balancer.learned": Table => "{}" [""] "the table behind stickiness = \"learned\"" <- "none";
    "balancer.learned.ttl": DurationOr("none") => "\"none\"" ["time"] "life of a line; none = for ever" <- "choice: longer than any call";
    "balancer.learned.refresh": Flag => "true" [""] "whether each message begins that life anew" <- "HAProxy stick-table expire: from the last match";
    "balancer.bypass": Share => "0.0" ["share"] "calls whose messages go round what would bind or hash them: an affinity that is configured and not effective" <- "choice: what is configured works";
    "balancer.redispatch": Flag => "true" [""] "a message whose connection is refused is tried at another address" <- "choice: as HAProxy with option redispatch";
    "balancer.resends_broken": Flag => "false" [""] "a request whose connection breaks before anything came back is sent again, so that work and effects may happen twice" <- "HAProxy retry-on conn-failure, nginx proxy_next_upstream without non_idempotent";
    "balancer.lost_requests": Share => "0.0" ["share"] "requests that are lost between balancer and server, the call itself and the answers to its questions: nothing happens at the server, and the client sees a broken connection" <- "choice: nothing is lost unasked";
    "balancer.lost_replies": Share => "0.0" ["share"] "replies that are lost between server and balancer, results and questions with which a request ends: the server has done everything, and the client sees a broken connection" <- "choice: nothing is lost unasked";
    "balancer.detection": Variants => "{ lag = \"10s\" }" [""] "how the death of an address is noticed" <- "choice: two health checks of 5 s";
    "balancer.detection.lag": Duration => - ["time"] "this long after the death; a new process gets messages at once" <- "none";
    "balancer.detection.checks": Table => - [""] "by checks of every address" <- "none";
    "balancer.detection.checks.interval": DurationAboveZero => "\"5s\"" ["time"] "time between two checks of an address" <- "choice: between HAProxy's 2 s and AWS's 30 s";
    "balancer.detection.checks.fall": Whole { min: 1, max: 100 } => "2" ["checks"] "failed checks in a row that take an address out" <- "AWS UnhealthyThresholdCount 2; HAProxy 3";
    "balancer.detection.checks.rise": Whole { min: 1, max: 100 } => "2" ["checks"] "passed checks in a row that put it back" <- "HAProxy 2";
    "balancer.detection.checks.phase": Duration => "\"0s\"" ["time"] "instant of the first check, below the interval" <- "choice";
    "balancer.idle": Durations => - ["time"] "longest silence on an open request, one limit for each hop on the way; the smallest cuts; none if absent" <- "choice; AWS and nginx 60 s, Envoy 300 s";
    "balancer.connections": WholeOr(&["unlimited"]) => "\"unlimited\"" ["connections"] "connections that the balancer can hold; a call beyond is turned away" <- "choice; Debian's nginx 768";
    "balancer.connections_per_call": Whole { min: 1, max: 100 } => "2" ["connections"] "connections that one open request takes, to the client and to the server" <- "a proxy's two sides; measured 4 for a waiting call with its GET stream";
    "balancer.drains": Flag => "true" [""] "whether an address that was taken out of the rotation on purpose still gets the messages that are bound to it; if not, they go elsewhere" <- "HAProxy drain mode; false where Kubernetes removes an endpoint";

    "fleet": Table => "{}" [""] "the server instances" <- "none";
    "fleet.instances": Whole { min: 1, max: 65_535 } => "3" ["addresses"] "number of addresses" <- "choice: the smallest fleet that outlives one death with a choice left";
    "fleet.names": Names => - [""] "names of the addresses, i1 .. iN if absent; gives their number where instances is absent" <- "none";
    "fleet.workers": Whole { min: 1, max: 1_000 } => "1" ["processes"] "processes behind each address; a message that reaches the address meets one of them at random" <- "choice: one process";
    "fleet.threads": WholeOr(&["unlimited"]) => "200" ["threads"] "worker threads of each process" <- "default of Tomcat";
    "fleet.queue": WholeOr(&["unlimited", "none"]) => "\"unlimited\"" ["calls"] "places in the waiting line of each process; none = refused at once" <- "choice: nobody is refused unasked";
    "fleet.queue_timeout": DurationOrSeconds => - ["time"] "how long a call bears the waiting line before it turns away, drawn anew each time; for ever if absent; only with finite threads" <- "choice: nobody turns away unasked";
    "fleet.slow": DurationAboveZero => "\"30s\"" ["time"] "a wait for a thread or for a connection that is longer than this is counted as slow" <- "SQLAlchemy pool_timeout 30 s";
    "fleet.request_work": DurationOrSeconds => - ["time"] "thread time of each request that is served, before its body runs or goes on, drawn anew for each; none if absent" <- "choice; measured 0.15 ms in the Rust SDK, 2.1 ms in Python";
    "fleet.pool": Table => - [""] "a pool of connections to a database, one for each process" <- "none";
    "fleet.pool.size": Whole { min: 1, max: 1_000_000 } => - ["connections"] "connections of each process; a body takes one before it runs" <- "none; SQLAlchemy 5 and 10 more";
    "fleet.pool.held_during_ask": Flag => "true" [""] "whether a body that is kept while a person is asked keeps its connection too" <- "preloop pull 346: one refresh after a commit was enough";
    "fleet.pool.timeout": DurationOr("none") => "\"30s\"" ["time"] "how long a body waits for a connection before its call fails" <- "SQLAlchemy pool_timeout";
    "fleet.parked_keeps_thread": Flag => "true" [""] "whether a parked call keeps its worker thread; if not (asynchronous servers), its body needs a free one to go on with its answer" <- "the seed example; measured: none kept by the Rust SDK, 3 threads with 10,000 parked";
    "fleet.misroute": Choice(&["swallowed", "not-found"]) => "\"swallowed\"" [""] "reply to an answer that the instance does not wait for: 202 and dropped, or 404" <- "the seed example";
    "fleet.sessions": Choice(&["memory", "shared"]) => "\"memory\"" [""] "who knows a session: the process that minted it, so that all others answer 404, or all; only with a handshake" <- "default of the Python, TypeScript, Rust and Go SDKs";
    "fleet.answers_need_thread": Flag => "false" [""] "whether an answer to a parked call needs a free thread of its instance, and waits in line until there is one" <- "choice: answers are handled beside the pool";
    "fleet.answer_timeout": DurationOr("none") => "\"none\"" ["time"] "the server's clock on an ask that keeps its call open" <- "none in the Rust and Python SDKs; TypeScript 60 s";
    "fleet.session_idle": DurationOr("none") => "\"none\"" ["time"] "the server's clock on a session, from the client's last message; it ends a parked call and tells nobody" <- "off in the Python and Go SDKs; Rust 300 s";
    "fleet.session_cap": WholeOr(&["unlimited"]) => "\"unlimited\"" ["sessions"] "sessions that a process takes; not with sessions = \"shared\"" <- "choice: the SDKs have no cap";
    "fleet.at_session_cap": Choice(&["refuse", "evict"]) => "\"refuse\"" [""] "what becomes of one more: it is turned away, or the oldest ends with all that it holds and its client is not told" <- "choice: nobody is thrown out unasked";
    "fleet.memory": Table => "{}" [""] "what a process takes of the memory of its machine" <- "none";
    "fleet.memory.limit": BytesOr("unlimited") => "\"unlimited\"" ["bytes"] "what a process may take; one that takes more is killed with all that it holds" <- "choice: nobody is killed unasked";
    "fleet.memory.base": Bytes => "\"0B\"" ["bytes"] "what an empty process takes; at most the limit" <- "choice";
    "fleet.memory.per_parked": Bytes => "\"0B\"" ["bytes"] "what each suspended body takes, with all that belongs to it" <- "choice: nothing is counted unasked; presets bring what was measured";
    "fleet.memory.per_session": Bytes => "\"0B\"" ["bytes"] "what each session takes; only with a handshake" <- "choice; measured 77 KiB in the Rust SDK";
    "fleet.memory.restart": Duration => "\"10s\"" ["time"] "from a kill for memory to a new, empty process in the place" <- "Kubernetes: the first restart comes after 10 s";
    "fleet.descriptors": WholeOr(&["unlimited"]) => "\"unlimited\"" ["descriptors"] "file descriptors of each process; a call beyond is turned away" <- "choice; 1024 under ulimit -n";
    "fleet.descriptors_per_call": Whole { min: 1, max: 100 } => "1" ["descriptors"] "descriptors that one open request takes" <- "one socket; measured 2 for a waiting call with its GET stream";
    "fleet.heartbeat": DurationOr("none") => "\"none\"" ["time"] "time between two comments on an open stream" <- "an option of the SDKs; Rust 15 s";
    "fleet.heartbeat_jitter": Share => "0.0" ["share"] "how far that time varies to either side, uniformly, as a share of it" <- "choice: a fixed period";
    "fleet.zones": Names => - [""] "names of the zones, to which the addresses belong in turn; one zone without a name if absent" <- "none";
    "fleet.boot": Duration => "\"0s\"" ["time"] "from the order to start a process to its first connection, where a deploy, scaling or a reclaim starts it" <- "choice: nothing takes time unasked";
    "fleet.termination": Table => "{}" [""] "how an address goes that is told to go" <- "none";
    "fleet.termination.removal_lag": Duration => "\"0s\"" ["time"] "from the order to the moment from which the balancer gives it no new calls" <- "choice: the ideal; endpoint controllers take seconds";
    "fleet.termination.pre_stop": Duration => "\"0s\"" ["time"] "how long it goes on as if nothing had happened" <- "Kubernetes: no preStop hook";
    "fleet.termination.drain": DurationOr("none") => "\"none\"" ["time"] "how long after that it waits for the calls that it holds; none = as long as it is let" <- "choice: a server that finishes what it began";
    "fleet.termination.grace": Duration => "\"30s\"" ["time"] "from the order to the kill, whatever it still holds" <- "Kubernetes terminationGracePeriodSeconds";
    "fleet.scaling": Table => - [""] "the fleet grows and shrinks by itself, as under the Kubernetes HPA" <- "none";
    "fleet.scaling.by": Choice(&["cpu", "in-flight"]) => "\"cpu\"" [""] "what is looked at: how busy the cores are, or how many requests are open; each as a mean over the addresses that are up" <- "Kubernetes HPA";
    "fleet.scaling.target": Positive => - ["share or requests"] "what that should be for each address" <- "none";
    "fleet.scaling.cores": Whole { min: 1, max: 1_024 } => "1" ["cores"] "cores of an address; only with by = \"cpu\"" <- "choice: one core";
    "fleet.scaling.min": Whole { min: 1, max: 65_535 } => "1" ["addresses"] "fewest addresses" <- "Kubernetes HPA minReplicas";
    "fleet.scaling.max": Whole { min: 1, max: 65_535 } => - ["addresses"] "most addresses" <- "none";
    "fleet.scaling.interval": DurationAboveZero => "\"15s\"" ["time"] "time between two looks" <- "Kubernetes horizontal-pod-autoscaler-sync-period";
    "fleet.scaling.tolerance": Share => "0.1" ["share"] "how far from the target, as a share of it, nothing is done" <- "Kubernetes horizontal-pod-autoscaler-tolerance";
    "fleet.scaling.hold_out": Duration => "\"0s\"" ["time"] "no address is added beyond the fewest that any look this far back wanted" <- "Kubernetes HPA scaleUp.stabilizationWindowSeconds";
    "fleet.scaling.hold_in": Duration => "\"5m\"" ["time"] "no address is taken below the most that any look this far back wanted" <- "Kubernetes HPA scaleDown.stabilizationWindowSeconds";
    "fleet.scaling.most_out": WholeOr(&["unlimited"]) => "\"unlimited\"" ["addresses"] "most addresses that one look adds" <- "choice; Kubernetes doubles or adds 4 in 15 s";
    "fleet.scaling.most_in": WholeOr(&["unlimited"]) => "\"unlimited\"" ["addresses"] "most addresses that one look takes" <- "Kubernetes HPA: all within 15 s";
    "fleet.victim": Choice(&["newest", "oldest", "fewest"]) => "\"newest\"" [""] "which addresses go when the fleet shrinks: those that came up last, those that came up first, or those with the fewest open requests" <- "Kubernetes ReplicaSet";
    "fleet.clock_skew": Duration => "\"0s\"" ["time"] "how far the clock of a process may be off to either side; each is off by its own amount, uniform over that, from its start to its end" <- "choice: clocks that are kept by NTP";
    "fleet.start_spread": Duration => "\"0s\"" ["time"] "the first processes come up at instants of their own, uniform over this from the start of the run, and take no connections before" <- "choice: the fleet is up";

    "state": Table => "{}" [""] "the signed state that the carrying design hands out" <- "none";
    "state.keys": Choice(&["shared", "per-process", "per-deploy", "found-or-minted"]) => "\"shared\"" [""] "one key for the fleet; each process makes its own when it starts; each deploy makes one for the processes that it starts; or a process that starts takes the key that it finds in the store of the fleet, and writes its own if it finds none" <- "the recommended set-up; the Python SDK's own default is per process";
    "state.key_lag": Duration => "\"0s\"" ["time"] "from the writing of a key by a process that found none to when others find it; only with keys = \"found-or-minted\"" <- "choice: a store without lag";
    "state.rotation": Table => - [""] "how the shared key is replaced; never if absent; only with keys = \"shared\"" <- "none";
    "state.rotation.every": DurationAboveZero => - ["time"] "time between two rotations, the first after one of them" <- "none";
    "state.rotation.overlap": Duration => "\"10m\"" ["time"] "how long the old key still opens once every process seals under the new one; not with order = \"no-ring\"" <- "the Python SDK's guide: one life of a state";
    "state.rotation.order": Choice(&["verify-first", "sign-first", "no-ring"]) => "\"verify-first\"" [""] "all learn to open what is sealed under the new key before the first seals under it, in two rolls; each seals under it as soon as it knows it; or the new key takes the place of the old" <- "the Python SDK's guide: [old, new], then [new, old], then [new]";
    "state.rotation.spread": Duration => "\"0s\"" ["time"] "how long a roll takes, until every process has had its turn" <- "choice: all at once";
    "state.rotation.turns": Choice(&["random", "in-order"]) => "\"random\"" [""] "the turn of each process in a roll: at an instant of its own, uniform over it, or one after another, equally far apart, the first at its beginning" <- "choice";
    "state.leeway": Duration => "\"0s\"" ["time"] "how far the clocks of two processes may differ before one refuses a state of the other for its time; lengthens every life that ends" <- "choice: none; MCP 2026-07-28 leaves it open";
    "state.checks_issued": Flag => "false" [""] "whether a state is refused that says that it was sealed in the future, by more than the leeway; only with a ttl" <- "choice: the SDKs look at the expiry alone";
    "state.ttl": DurationOr("none") => "\"10m\"" ["time"] "life of a state, from its sealing; none = for ever" <- "600 s in the TypeScript and Python SDKs";
    "state.signing": Choice(&["checked", "real", "symbolic"]) => "\"checked\"" [""] "checked = one call in 64 is sealed for real and must agree; real = all; symbolic = none" <- "choice: a real seal costs as much as several events";

    "state.binds_principal": Flag => "true" [""] "whether a state is good only for the user to whom it was given" <- "MCP 2026-07-28 client/elicitation: bound to client and user identity";
    "state.binds_request": Flag => "true" [""] "whether a state is good only for the call for which it was given" <- "MCP 2026-07-28 patterns/mrtr: originating request";
    "state.key_id": Flag => "false" [""] "whether a state names its key, so that a server can tell another key from changed bytes; changes what the server sees, never what it does" <- "choice: the TypeScript, Python and Rust SDKs give one text for every cause";
    "state.ledger": Choice(&["none", "per-instance", "shared"]) => "\"none\"" [""] "who keeps which states were used, so that none is used twice" <- "MCP 2026-07-28 patterns/mrtr: single use is the server's own job";
    "state.work": Duration => "\"0s\"" ["time"] "thread time that each request of the modern era takes for its envelope, for sealing and for opening, beside fleet.request_work" <- "choice; measured 40 us in the Rust SDK";
    "state.spends": Choice(&["before", "after"]) => "\"before\"" [""] "when a state is spent that is good once: before the body runs, or once it has run; only with state.ledger" <- "choice: no effect twice";
    "state.on_outage": Choice(&["closed", "open"]) => "\"closed\"" [""] "with ledger = \"shared\", and of effects with tool.idempotency: what becomes of a state or an effect while the store cannot be asked: refused, or served" <- "choice: no effect twice";
    "state.remembers": Flag => "false" [""] "whether a state that was used before gets the result of its first use again, instead of a refusal" <- "choice";

    "store": Table => "{}" [""] "the store that the processes share, under designs that use one" <- "none";
    "store.latency": Duration => "\"0s\"" ["time"] "how long each look-up and each writing takes" <- "choice: the ideal; about 1 ms in one zone";
    "store.keeps": Choice(&["durable", "volatile"]) => "\"durable\"" [""] "whether what is written outlives an outage; storing and forwarding only" <- "choice: nothing is lost unasked";
    "store.on_outage": Choice(&["closed", "open"]) => "\"closed\"" [""] "what becomes of an ask that cannot be written down: its call fails, or it goes out all the same; storing and forwarding only" <- "choice: nobody is asked in vain";
    "store.retries": Choice(&["none", "answers", "both"]) => "\"none\"" [""] "who waits for a store that is down instead of failing: nobody, answers that are looked up, or asks that are written down too" <- "choice: a request fails when what it needs does";
    "store.hop": Duration => "\"0s\"" ["time"] "from the look-up of an owner to the arrival there of what is passed on; forwarding and fan-out only" <- "choice: messages take no time";
    "store.owner_ttl": DurationAboveZero => "\"300s\"" ["time"] "how long the store names a process as an owner after its last sign of life; forwarding only" <- "IBM mcp-context-forge: 300 s";
    "store.heartbeat": DurationAboveZero => "\"30s\"" ["time"] "time between two signs of life of a process, the first when it starts; forwarding only" <- "IBM mcp-context-forge: 30 s";
    "store.forward_timeout": DurationAboveZero => "\"30s\"" ["time"] "how long who passes an answer on waits for an owner that says nothing; forwarding only" <- "IBM mcp-context-forge: 30 s";
    "links": Table => "{}" [""] "the links that tools ask people to open, and the pages behind them" <- "none";
    "links.address": Text => "\"https://mcp.example.com/connect\"" [""] "the address that people are shown" <- "choice: the server's own page";
    "links.server": Text => "\"mcp.example.com\"" [""] "the host that the client knows the server by" <- "choice";
    "links.page": Seconds => "{ lognormal = { median = \"60s\", sigma = 0.8 } }" ["time"] "from consent to the callback of the finished page" <- "belief: a sign-in in the browser";
    "links.unfinished": Variants => "{ poll = \"30s\" }" [""] "what happens to a call whose page is not finished yet" <- "choice: ten rounds last longer than the patience; MCP 2026-07-28 client/elicitation leaves it open";
    "links.unfinished.poll": DurationAboveZero => - ["time"] "the server says so, and the client comes back by itself after this long" <- "none";
    "links.unfinished.manual": Flag => - [""] "the server says so, and the person is asked again" <- "none";
    "links.unfinished.notify": Flag => - [""] "the server tells the client when it is, over the open stream of a call that it keeps; where it keeps none, the person is asked again" <- "none";
    "links.unfinished.block": Flag => - [""] "the server holds the call until the page is finished" <- "none";
    "links.pending": Choice(&["shared", "memory", "sealed"]) => "\"shared\"" [""] "where the server keeps the sign-ins that it has begun: in a store of the fleet, in the process that minted the link, or nowhere but in the sealed state itself" <- "choice: no instance matters";
    "links.life": DurationOr("none") => "\"10m\"" ["time"] "life of a sign-in, from the minting of its link; none = for ever" <- "authorization codes live at most 10 minutes";
    "links.hops": Whole { min: 1, max: 2 } => "2" ["requests"] "requests of the browser to the fleet, each routed on its own: 2 = the server's page and the callback, 1 = the callback only" <- "MCP client/elicitation: the server's own connect page";
    "links.check": Choice(&["none", "signed-state-only", "session-if-present", "session-required"]) => "\"session-required\"" [""] "whom the page admits: anybody, anybody with a signed state, whoever started if there is a session, or only who started" <- "MCP client/elicitation: the server must verify who opened the link";
    "links.sessions": Share => "1.0" ["share"] "people who have a session with the server in their browser" <- "choice: nobody signs in twice unasked";
    "links.forwarded": Share => "0.0" ["share"] "links that somebody else opens" <- "choice: nobody attacks unasked";
    "links.repeated": Share => "0.0" ["share"] "callbacks that come twice" <- "choice: nobody attacks unasked";

    "attack": Table => "{}" [""] "shares of calls whose state is attacked on its way back, each in one way; they add up to at most 1" <- "none";
    "attack.tampered": Share => "0.0" ["share"] "its bytes are changed" <- "choice: nobody attacks unasked";
    "attack.stolen": Share => "0.0" ["share"] "another user sends it" <- "choice: nobody attacks unasked";
    "attack.other_call": Share => "0.0" ["share"] "it is sent with another call" <- "choice: nobody attacks unasked";
    "attack.late": Share => "0.0" ["share"] "it is held back until its life is over" <- "choice: nobody attacks unasked";
    "attack.replayed": Share => "0.0" ["share"] "it is sent again after the call has completed" <- "choice: nobody attacks unasked";
    "attack.times": Whole { min: 1, max: 200 } => "1" ["times"] "how often a replayed state is sent again" <- "choice";

    "bill": Table => - [""] "what the fleet is charged for; no bill is made if absent" <- "none";
    "bill.instance": NotNegative => "0.096" ["money per hour"] "an hour of an instance" <- "AWS m5.large, 2 vCPU and 8 GiB, on demand";
    "bill.cores": Positive => "2.0" ["cores"] "cores of an instance" <- "of the instance priced";
    "bill.utilisation": Share => "0.6" ["share"] "how much of its cores may be busy; above 0" <- "belief: the usual target of scaling by cpu";
    "bill.threads": WholeOr(&["unlimited"]) => "200" ["threads"] "worker threads of an instance" <- "default of Tomcat";
    "bill.memory": BytesOr("unlimited") => "\"8GiB\"" ["bytes"] "memory of an instance" <- "of the instance priced";
    "bill.descriptors": WholeOr(&["unlimited"]) => "\"unlimited\"" ["descriptors"] "file descriptors of an instance" <- "choice; 1024 under ulimit -n";
    "bill.least": Whole { min: 1, max: 65_535 } => "2" ["instances"] "fewest instances, whatever is needed" <- "choice: one may die";
    "bill.quantile": Share => "0.999" ["share"] "share of the time for which the fleet must do; above 0" <- "choice: all but a minute and a half a day";
    "bill.message": Bytes => "\"1KiB\"" ["bytes"] "a message and its reply, without a state" <- "belief";
    "bill.gigabyte": NotNegative => "0.0" ["money"] "10^9 bytes on the wire" <- "choice: within one zone; AWS 0.09 to the internet";
    "fault": VariantsList => "[]" [""] "what goes wrong, in this order; each [[fault]] has one action" <- "none";
    "fault.store-outage": Table => - [""] "the shared store, that of used states too, cannot be asked for some time" <- "none";
    "fault.store-outage.at": Duration => - ["time"] "from when; at or before the horizon" <- "none";
    "fault.store-outage.lasts": DurationAboveZero => - ["time"] "for how long" <- "none";
    "fault.store-crash": Table => - [""] "the shared store crashes again and again, until the horizon" <- "none";
    "fault.store-crash.mtbf": Seconds => - ["time"] "from when it is up to its crash" <- "none; belief 30 days";
    "fault.store-crash.repair": DurationOrSeconds => "\"30s\"" ["time"] "from a crash to when it is up again" <- "Redis Sentinel waits 30 s before it acts";
    "fault.deaf": Table => - [""] "processes hear nothing more of what others pass on to them, and are up all the same; forwarding and fan-out only" <- "none";
    "fault.deaf.at": Duration => - ["time"] "when; at or before the horizon" <- "none";
    "fault.deaf.select": Target => - [""] "which, as fault.kill.select" <- "none";
    "fault.crash": Table => - [""] "every process crashes again and again, with everything it holds, until the horizon" <- "none";
    "fault.crash.mtbf": Seconds => - ["time"] "from the start of a process to its crash" <- "none";
    "fault.crash.repair": DurationOrSeconds => "\"30s\"" ["time"] "from a crash to a new, empty process in the place" <- "belief";
    "fault.kill": Table => - [""] "instances die at one instant, with everything they hold" <- "none";
    "fault.kill.at": Duration => - ["time"] "when; at or before the horizon" <- "none";
    "fault.kill.select": Target => - [""] "which: \"all\", \"count:2\" (drawn among those that are up), \"instance:NAME\" or \"zone:NAME\"" <- "none";
    "fault.kill.restart_after": DurationOr("never") => "\"never\"" ["time"] "a new, empty process takes the place after this long" <- "choice: nothing heals unasked";
    "fault.deploy": Table => - [""] "every process is replaced by one of the next version" <- "none";
    "fault.deploy.at": Duration => - ["time"] "when; at or before the horizon" <- "none";
    "fault.deploy.every": DurationOr("never") => "\"never\"" ["time"] "again after each such time, up to the horizon; at least 1 s" <- "choice: once";
    "fault.deploy.strategy": Choice(&["rolling", "surge", "blue-green", "recreate"]) => "\"rolling\"" [""] "rolling = an old address goes, then a new one takes its place; surge = a new one comes up beside, then an old one goes; blue-green = the same with the whole fleet; recreate = the whole fleet goes, then a new one comes up" <- "Kubernetes RollingUpdate";
    "fault.deploy.batch": Whole { min: 1, max: 65_535 } => "1" ["addresses"] "addresses that are replaced at a time; only with rolling and surge" <- "choice: one at a time; Kubernetes 25 % of the fleet";
    "fault.scale": Table => - [""] "the fleet is brought to another size" <- "none";
    "fault.scale.at": Duration => - ["time"] "when; at or before the horizon" <- "none";
    "fault.scale.to": Whole { min: 1, max: 65_535 } => - ["addresses"] "to so many addresses" <- "none";
    "fault.reclaim": Table => - [""] "every address is taken back by whoever lends it, again and again, until the horizon; each time a new one takes its place" <- "none";
    "fault.reclaim.every": Seconds => - ["time"] "from the start of an address to the notice" <- "none";
    "fault.reclaim.notice": Duration => "\"120s\"" ["time"] "from the notice to its death" <- "AWS spot instances; 30 s at Google Cloud and Azure";
};

#[rustfmt::skip]
static DISTRIBUTION: &[Key] = keys! {
    "constant": Quantity => - [""] "always the same value" <- "none";
    "uniform": Table => - [""] "uniform between two values" <- "none";
    "uniform.from": Quantity => - [""] "lower end" <- "none";
    "uniform.to": Quantity => - [""] "upper end" <- "none";
    "exponential": Table => - [""] "exponential" <- "none";
    "exponential.mean": Quantity => - [""] "mean" <- "none";
    "lognormal": Table => - [""] "lognormal, by { median, p95 }, { median, sigma } or { mean, sigma }" <- "none";
    "lognormal.median": Quantity => - [""] "median" <- "none";
    "lognormal.p95": Quantity => - [""] "95 % of the values are below" <- "none";
    "lognormal.mean": Quantity => - [""] "mean" <- "none";
    "lognormal.sigma": Positive => - [""] "standard deviation of the natural logarithm" <- "none";
    "weibull": Table => - [""] "Weibull" <- "none";
    "weibull.shape": Positive => - [""] "shape; below 1 = heavier tail than exponential" <- "none";
    "weibull.scale": Quantity => - [""] "scale: 63 % of the values are below" <- "none";
    "erlang": Table => - [""] "sum of k equal exponentials" <- "none";
    "erlang.k": Whole { min: 1, max: 1_000 } => - [""] "number of exponentials" <- "none";
    "erlang.mean": Quantity => - [""] "mean of the sum" <- "none";
    "empirical": Table => - [""] "values drawn from a column of a file; times in decimal seconds" <- "none";
    "empirical.file": File => - [""] "CSV file with a header" <- "none";
    "empirical.column": Text => - [""] "name of the column" <- "none";
    "mixture": TableList => - [""] "each value comes from one part; a part is a weight and a distribution" <- "none";
    "mixture.weight": Positive => - [""] "share of the values that come from this part; the weights add up to 1" <- "none";
    "never": Flag => - [""] "no value ever comes; only where a person thinks" <- "none";
};
