//! The one list of all keys that a scenario may have: what each takes, its default, its meaning and where the default
//! comes from. Reading, error messages, the JSON Schema, the template and the documentation all follow from it, so a key
//! must never be read that is not listed here, and no default may stand anywhere else.

/// What a key takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A table of the keys that continue its path.
    Table,
    /// A table with exactly one of the keys that continue its path.
    Variants,
    /// A list of tables, each with exactly one of the keys that continue its path.
    VariantsList,
    /// A list of tables of the keys that continue its path.
    TableList,
    /// Any text.
    Text,
    /// A plain word: 1 to 64 of `a-z`, `0-9` and `-`.
    Word,
    /// `true` or `false`.
    Flag,
    /// A whole number.
    Whole {
        /// Smallest accepted.
        min: u64,
        /// Largest accepted.
        max: u64,
    },
    /// A whole number of at least 1, or one of these words.
    WholeOr(&'static [&'static str]),
    /// A number from 0 to 1.
    Share,
    /// A number above 0.
    Positive,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A list of these words, not empty and without repetition.
    Choices(&'static [&'static str]),
    /// A duration with its unit.
    Duration,
    /// A duration above zero.
    DurationAboveZero,
    /// A duration, or this word.
    DurationOr(&'static str),
    /// Calls per unit of time, above 0.
    Rate,
    /// Calls per unit of time, 0 or more.
    RateOrZero,
    /// A list of durations, ascending.
    Instants,
    /// A distribution of times.
    Seconds,
    /// A distribution of plain numbers.
    Numbers,
    /// Within a distribution: a duration if it is one of times, else a number of 0 or more.
    Quantity,
    /// A list of different printable names of 1 to 32 characters.
    Names,
    /// `all`, `count:N` or `instance:NAME`.
    Target,
    /// Name of a CSV file, relative to the scenario.
    File,
}

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
    Choice, Choices, Duration, DurationAboveZero, DurationOr, File, Flag, Instants, Names, Numbers, Positive, Quantity,
    Rate, RateOrZero, Seconds, Share, Table, TableList, Target, Text, Variants, VariantsList, Whole, WholeOr, Word,
};

/// Largest seed: the largest whole number of TOML.
const MAX_SEED: u64 = i64::MAX as u64;

#[rustfmt::skip]
static KEYS: &[Key] = keys! {
    "format": Whole { min: 1, max: 1 } => "1" [""] "version of the scenario language" <- "the only one so far";
    "name": Word => - [""] "name of the scenario and of its folder under results/" <- "none";
    "question": Text => "\"\"" [""] "the question that the scenario answers, in one sentence" <- "none";
    "designs": Choices(&["waiting", "carrying"]) => "[\"waiting\", \"carrying\"]" [""] "designs to hold against each other on the same people" <- "the two eras of MCP: up to 2025-11-25, and 2026-07-28";
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
    "arrivals.trace.file": File => - [""] "CSV file with the columns arrived_s, think_s, action (accept, decline, cancel, never)" <- "none";

    "tool": Table => "{}" [""] "the tool that is called" <- "none";
    "tool.body": Choice(&["submit_expense"]) => "\"submit_expense\"" [""] "which body runs" <- "the seed example";
    "tool.amount": Numbers => "{ constant = 500 }" ["amount"] "amount claimed, rounded to a whole number; above 100 a person is asked" <- "the seed example";
    "tool.work_before": Seconds => "{ exponential = { mean = \"5ms\" } }" ["time"] "thread time before the question, spent again whenever the body runs again from the top" <- "choice: between the measured 0.3 ms (Rust) and 4.3 ms (Python) per asked call, and real work";
    "tool.work_after": Seconds => "{ exponential = { mean = \"5ms\" } }" ["time"] "thread time after the question" <- "choice: as work_before";

    "people": Table => "{}" [""] "the people who are asked" <- "none";
    "people.think": Seconds => "{ lognormal = { median = \"45s\", p95 = \"4m\" } }" ["time"] "from the question on the screen to the answer" <- "belief: a small form, sigma about 1";
    "people.decide": Table => "{}" [""] "what those who answer do; the shares add up to 1" <- "none";
    "people.decide.accept": Share => "0.93" ["share"] "explicit yes" <- "93 % of Claude Code permission prompts accepted (Anthropic); not the same kind of question";
    "people.decide.decline": Share => "0.05" ["share"] "explicit no" <- "belief: split of the remaining 7 %";
    "people.decide.cancel": Share => "0.02" ["share"] "dismissed without a choice" <- "belief: split of the remaining 7 %";
    "people.silent": Share => "0.0" ["share"] "share of people who never answer" <- "choice; measured 0.04 at the keyboard (Duo), 0.15 on the phone (prompts of 12 studies)";

    "clients": Table => "{}" [""] "the programs that call on behalf of the people" <- "none";
    "clients.patience": DurationOr("none") => "\"5m\"" ["time"] "the client's clock on the whole call, from its arrival; none = waits for ever" <- "MCP Inspector 300 s; the Python client's stream read 300 s; TypeScript 60 s; Rust none";
    "clients.on_not_found": Choice(&["wait", "fail", "reinitialise", "resend"]) => "\"wait\"" [""] "reaction to a 404 on an answer" <- "TypeScript and Python clients ignore it and go on waiting; Rust re-initialises";
    "clients.on_broken": Choice(&["fail", "hang"]) => "\"fail\"" [""] "reaction to a broken connection of the open call: reports it at once, or notices nothing until its patience ends" <- "choice: TCP reset reaches the client";
    "clients.resend_pause": DurationAboveZero => "\"250ms\"" ["time"] "pause before an answer is sent again; only with on_not_found = \"resend\"" <- "retry pause of the TypeScript client, last step of Python and Rust";
    "clients.max_rounds": Whole { min: 1, max: 100 } => "10" ["rounds"] "rounds of asking, re-initialised calls included, after which the client gives up" <- "round cap of the TypeScript, Python, Rust and Go clients";
    "clients.max_resends": Whole { min: 1, max: 100 } => "10" ["times"] "times that one answer is sent again before the client gives up; only with on_not_found = \"resend\"" <- "choice: as the round cap";
    "clients.capabilities": Table => "{ elicitation = {} }" [""] "what the clients declare; an empty table = nothing, so they cannot be asked" <- "MCP client/elicitation";
    "clients.capabilities.elicitation": Table => - [""] "the client can be asked; empty means with a form" <- "MCP client/elicitation";
    "clients.capabilities.elicitation.form": Table => - [""] "said in full: asked with a form" <- "MCP client/elicitation";

    "balancer": Table => "{}" [""] "what stands between clients and instances" <- "none";
    "balancer.policy": Choice(&["round-robin", "random", "least-connections"]) => "\"round-robin\"" [""] "how an instance is picked for a message that nothing binds" <- "default of HAProxy, nginx and AWS";
    "balancer.stickiness": Choice(&["none", "learned"]) => "\"none\"" [""] "learned = messages of a call stay with the instance that its last one reached, while that is in the rotation" <- "default of the balancers";
    "balancer.redispatch": Flag => "true" [""] "a message whose connection is refused is tried at another instance" <- "choice: as HAProxy with option redispatch";
    "balancer.detection_lag": Duration => "\"10s\"" ["time"] "from the death of an instance to its removal from the rotation" <- "choice: two health checks of 5 s";

    "fleet": Table => "{}" [""] "the server instances" <- "none";
    "fleet.instances": Whole { min: 1, max: 65_535 } => "3" ["instances"] "number of instances" <- "choice: the smallest fleet that outlives one death with a choice left";
    "fleet.names": Names => - [""] "names of the instances, i1 .. iN if absent; gives their number where instances is absent" <- "none";
    "fleet.threads": WholeOr(&["unlimited"]) => "200" ["threads"] "worker threads of each instance" <- "default of Tomcat";
    "fleet.queue": WholeOr(&["unlimited", "none"]) => "\"unlimited\"" ["calls"] "places in the waiting line of each instance; none = refused at once" <- "choice: nobody is refused unasked";
    "fleet.misroute": Choice(&["swallowed", "not-found"]) => "\"swallowed\"" [""] "reply to an answer that the instance does not wait for: 202 and dropped, or 404" <- "the seed example";

    "state": Table => "{}" [""] "the signed state that the carrying design hands out" <- "none";
    "state.keys": Choice(&["shared", "per-process"]) => "\"shared\"" [""] "one key for the fleet, or each process makes its own when it starts" <- "the recommended set-up; the Python SDK's own default is per process";
    "state.ttl": DurationOr("none") => "\"10m\"" ["time"] "life of a state, from its sealing; none = for ever" <- "600 s in the TypeScript and Python SDKs";
    "state.signing": Choice(&["checked", "real", "symbolic"]) => "\"checked\"" [""] "checked = one call in 64 is sealed for real and must agree; real = all; symbolic = none" <- "choice: a real seal costs as much as several events";

    "fault": VariantsList => "[]" [""] "what goes wrong, in this order; each [[fault]] has one action" <- "none";
    "fault.kill": Table => - [""] "instances die at one instant, with everything they hold" <- "none";
    "fault.kill.at": Duration => - ["time"] "when; at or before the horizon" <- "none";
    "fault.kill.select": Target => - [""] "which: \"all\", \"count:2\" (drawn among those that are up) or \"instance:NAME\"" <- "none";
    "fault.kill.restart_after": DurationOr("never") => "\"never\"" ["time"] "a new, empty process takes the place after this long" <- "choice: nothing heals unasked";
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
