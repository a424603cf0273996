//! From the tables of the file to the tables of the model, and the rules that span several keys. Must never let two keys
//! stand that contradict each other. A key may be set before another one gives it an effect (a reaction to a reply that
//! is switched on later), since a sweep or `--set` switches one key at a time.

use super::arrivals::{self, sim_time};
use super::distribution;
use super::fleet;
use super::model::*;
use super::problem::quoted;
use super::section::Section;
use super::stationary;
use super::values::{self, Wrong};
use crate::engine::SimTime;
use crate::tool::Body;

/// Reads a whole file; `None` after problems were noted. Each table is read before any is missed.
pub(super) fn scenario(root: &Section<'_>) -> Option<Scenario> {
    let format = root.whole("format");
    let name = root.get("name", |value| values::word(value).map(String::from));
    let question = root.get("question", |value| values::text(value).map(String::from));
    let designs = designs(root);
    let seed = root.whole("seed");
    let replications = root.whole("replications").and_then(|n| u32::try_from(n).ok());
    let run_table = root.table("run");
    let horizon = run_table.duration("horizon").map(sim_time);
    let run = run(&run_table, horizon);
    let arrivals = arrivals::read(root, horizon);
    let tool = tool(&root.table("tool"));
    let people = people(root);
    let fleet_table = root.table("fleet");
    let names = fleet::instances(&fleet_table);
    let faults = fleet::faults(root, horizon, names.as_deref());
    let fleet = fleet::fleet(&fleet_table, names);
    let clients = clients(root);
    let balancer = balancer(&root.table("balancer"));
    let state = state(&root.table("state"));
    format?;
    let scenario = Scenario {
        name: name?,
        question: question?,
        designs: designs?,
        seed: seed?,
        replications: replications?,
        run: run?,
        arrivals: arrivals?,
        tool: tool?,
        people: people?,
        clients: clients?,
        balancer: balancer?,
        fleet: fleet?,
        state: state?,
        faults: faults?,
    };
    stationary::judge(&run_table, &scenario).then_some(scenario)
}

fn designs(root: &Section<'_>) -> Option<Vec<Design>> {
    let super::keys::Kind::Choices(words) = root.key("designs").kind else { panic!("`designs` is a list of words") };
    let Some(listed) = root.values("designs", |value| values::choice(value, words))? else {
        return Some(Design::ALL.to_vec());
    };
    if listed.is_empty() {
        root.wrong("designs", Wrong::new("the list is empty").help(format!("accepted: {}", quoted(words.to_vec()))));
        return None;
    }
    let mut designs = Vec::new();
    for (place, span) in &listed {
        if designs.contains(&Design::ALL[*place]) {
            root.wrong_element("designs", span.clone(), Wrong::new("stands in the list already"));
        } else {
            designs.push(Design::ALL[*place]);
        }
    }
    (designs.len() == listed.len()).then_some(designs)
}

fn run(section: &Section<'_>, horizon: Option<SimTime>) -> Option<Run> {
    let start = section.choice("start", &[Start::Empty, Start::Stationary]);
    let stop = section.choice("stop", &[Stop::Cohort, Stop::Horizon]);
    let warm_up = section.duration("warm_up").map(sim_time);
    let (warm_up, horizon) = (warm_up?, horizon?);
    if warm_up >= horizon {
        let wrong = Wrong::new("must be below the horizon");
        if section.raw("warm_up").is_some() {
            section.refuse("warm_up", "nothing would be measured", wrong);
        } else {
            section.refuse("horizon", "nothing would be measured", Wrong::new("must be above zero"));
        }
        return None;
    }
    Some(Run { start: start?, stop: stop?, horizon, warm_up })
}

fn tool(section: &Section<'_>) -> Option<Tool> {
    let body = section.choice("body", &[Body::SubmitExpense]);
    let amount = distribution::read(section, "amount", false);
    let work_before = distribution::read(section, "work_before", false);
    let work_after = distribution::read(section, "work_after", false);
    let body = body?;
    Some(Tool {
        body,
        definition: body.definition(),
        amount: amount?,
        work_before: work_before?,
        work_after: work_after?,
        step_work: Vec::new(),
        unable: Unable::Reject,
        on_invalid: OnInvalid::Refuse,
        effects_in_state: false,
        seen_by: crate::world::SeenBy::ALL.into_iter().collect(),
    })
}

fn people(root: &Section<'_>) -> Option<People> {
    let section = root.table("people");
    let think = distribution::read(&section, "think", true);
    let decide = decide(&section.table("decide"));
    let silent = section.get("silent", values::share);
    if root.table_quietly("arrivals").is_some_and(|arrivals| arrivals.contains_key("trace")) {
        for name in ["think", "decide", "silent"].into_iter().filter(|name| section.raw(name).is_some()) {
            let wrong = Wrong::new("has no effect: the rows of the trace bring it");
            let title = format!("`people.{name}` contradicts `arrivals.trace`");
            section.refuse(name, title, wrong.help("take out one of the two"));
        }
    }
    let wrong_tries = crate::random::Distribution::constant(0.0).expect("nought is a number");
    Some(People { think: think?, decide: decide?, silent: silent?, wrong_tries })
}

fn decide(section: &Section<'_>) -> Option<Decide> {
    let share = |name| section.get(name, values::share);
    let (accept, decline, cancel) = (share("accept"), share("decline"), share("cancel"));
    let decide = Decide { accept: accept?, decline: decline?, cancel: cancel? };
    let sum = decide.accept + decide.decline + decide.cancel;
    if (sum - 1.0).abs() > 1e-9 {
        let part = |name: &str, share: f64| {
            let default = if section.raw(name).is_some() { "" } else { " (default)" };
            format!("{name} {share}{default}")
        };
        let parts = [("accept", decide.accept), ("decline", decide.decline), ("cancel", decide.cancel)];
        let parts = parts.map(|(name, share)| part(name, share)).join(" + ");
        // Rounded for the eye: shares have few digits, their sum may not.
        let wrong = Wrong::new(format!("they add up to {}", (sum * 1e9).round() / 1e9));
        section.context().push(section.span(), "the shares of `people.decide` must add up to 1", wrong.help(parts));
        return None;
    }
    Some(decide)
}

fn clients(root: &Section<'_>) -> Option<Clients> {
    let section = &root.table("clients");
    let patience = section.duration_or("patience");
    let reactions = [OnNotFound::Wait, OnNotFound::Fail, OnNotFound::Reinitialise, OnNotFound::Resend];
    let on_not_found = section.choice("on_not_found", &reactions);
    let on_broken = section.choice("on_broken", &[OnBroken::Fail, OnBroken::Hang]);
    let resend_pause = section.duration("resend_pause");
    let small = |name| section.whole(name).and_then(|n| u8::try_from(n).ok());
    let (max_rounds, max_resends) = (small("max_rounds"), small("max_resends"));
    let elicitation = capabilities(section);
    Some(Clients {
        patience: patience?,
        on_not_found: on_not_found?,
        on_broken: on_broken?,
        resend_pause: resend_pause?,
        max_rounds: max_rounds?,
        max_resends: max_resends?,
        max_reasks: 3,
        kinds: vec![kind(elicitation?)],
        model: Model { calls_again: 1.0, truthful: 1.0 },
    })
}

fn kind(elicitation: bool) -> ClientKind {
    let declares = [crate::world::Capability::Form].into_iter().filter(|_| elicitation).collect();
    ClientKind {
        name: "client".to_owned(),
        share: 1.0,
        declares,
        declares_on_retry: declares,
        on_ask: OnAsk::Show,
        checks_answers: true,
        screens_forms: true,
    }
}

/// Whether the clients declare `elicitation`; inside, an absent mode means the form.
fn capabilities(section: &Section<'_>) -> Option<bool> {
    if section.raw("capabilities").is_none() {
        return Some(true);
    }
    let capabilities = section.table("capabilities");
    let elicitation = capabilities.table("elicitation");
    elicitation.table("form");
    Some(capabilities.raw("elicitation").is_some())
}

fn balancer(section: &Section<'_>) -> Option<Balancer> {
    let policy = section.choice("policy", &[Policy::RoundRobin, Policy::Random, Policy::LeastConnections]);
    let sticky = section.choice("stickiness", &[false, true]);
    let redispatch = section.get("redispatch", values::flag);
    let detection_lag = section.duration("detection_lag");
    Some(Balancer { policy: policy?, sticky: sticky?, redispatch: redispatch?, detection_lag: detection_lag? })
}

fn state(section: &Section<'_>) -> Option<State> {
    let keys = section.choice("keys", &[Keys::Shared, Keys::PerProcess]);
    let ttl = section.duration_or("ttl");
    let signing = section.choice("signing", &[Signing::Checked, Signing::Real, Signing::Symbolic]);
    Some(State { keys: keys?, ttl: ttl?, signing: signing? })
}
