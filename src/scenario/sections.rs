//! From the tables of the file to the tables of the model, and the rules that span several keys. Must never let two keys
//! stand that contradict each other. A key may be set before another one gives it an effect (a reaction to a reply that
//! is switched on later), since a sweep or `--set` switches one key at a time.

use super::arrivals::{self, sim_time};
use super::balancer;
use super::bill;
use super::change;
use super::clients;
use super::contradictions;
use super::distribution;
use super::faults::{self, Scene};
use super::fleet;
use super::links;
use super::model::*;
use super::presets::presets;
use super::section::Section;
use super::state;
use super::stationary;
use super::store;
use super::tool;
use super::values::{self, Wrong};
use crate::engine::SimTime;

/// Reads a whole file; `None` after problems were noted. Each table is read before any is missed.
pub(super) fn scenario(root: &Section<'_>) -> Option<Scenario> {
    let format = root.whole("format");
    let preset = root.choice("preset", &presets());
    root.context().preset.set(preset.unwrap_or_default());
    let name = root.get("name", |value| values::word(value).map(String::from));
    let question = root.get("question", |value| values::text(value).map(String::from));
    let designs = root.choices("designs", &Design::ALL);
    let seed = root.whole("seed");
    let replications = root.whole("replications").and_then(|n| u32::try_from(n).ok());
    let run_table = root.table("run");
    let horizon = run_table.duration("horizon").map(sim_time);
    let run = run(&run_table, horizon);
    let fleet_table = root.table("fleet");
    let addresses = fleet::addresses(&fleet_table);
    let balancer = balancer::read(&root.table("balancer"), addresses.as_ref().map(Vec::len));
    let recorded = balancer.as_ref().is_some_and(|balancer| balancer.policy == Policy::Recorded);
    let arrivals = arrivals::read(root, horizon, addresses.as_deref().filter(|_| recorded));
    let tool = tool::read(&root.table("tool"));
    let people = people(root);
    let zones = fleet::zones(&fleet_table, addresses.as_ref().map(Vec::len));
    let scene = Scene { horizon, addresses: addresses.as_deref(), zones: zones.as_deref() };
    let faults = faults::read(root, scene);
    let fleet = fleet::fleet(&fleet_table, addresses, zones);
    let clients = clients::read(&root.table("clients"));
    let state = state::read(&root.table("state"));
    let store = store::read(&root.table("store"));
    let links = links::read(&root.table("links"));
    let attack = links::attack(&root.table("attack"));
    let bill = bill::read(root);
    format?;
    preset?;
    let mut scenario = Scenario {
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
        store: store?,
        links: links?,
        attack: attack?,
        faults: faults?,
        bill: bill?,
    };
    scenario.fleet.spare = change::spare(root, &scenario)?;
    contradictions::judge(root, &scenario);
    stationary::judge(&run_table, &scenario).then_some(scenario)
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

fn people(root: &Section<'_>) -> Option<People> {
    let section = root.table("people");
    let think = distribution::read(&section, "think", true);
    let decide = decide(&section.table("decide"));
    let silent = section.get("silent", values::share);
    let users = section.whole_or("users").map(Result::ok);
    let wrong_tries = distribution::read(&section, "wrong_tries", false);
    let forms = section.choice("forms", &[Forms::Any, Forms::Queue, Forms::Overwrite, Forms::Refuse]);
    let [double_clicks, stale_tabs] = ["double_clicks", "stale_tabs"].map(|name| section.get(name, values::share));
    let stale_after = section.duration("stale_after");
    if root.table_quietly("arrivals").is_some_and(|arrivals| arrivals.contains_key("trace")) {
        for name in ["think", "decide", "silent"].into_iter().filter(|name| section.raw(name).is_some()) {
            let wrong = Wrong::new("has no effect: the rows of the trace bring it");
            let title = format!("`people.{name}` contradicts `arrivals.trace`");
            section.refuse(name, title, wrong.help("take out one of the two"));
        }
    }
    Some(People {
        think: think?,
        decide: decide?,
        silent: silent?,
        users: users?,
        wrong_tries: wrong_tries?,
        forms: forms?,
        double_clicks: double_clicks?,
        stale_tabs: stale_tabs?,
        stale_after: stale_after?,
    })
}

fn decide(section: &Section<'_>) -> Option<Decide> {
    let share = |name| section.get(name, values::share);
    let (accept, decline, cancel) = (share("accept"), share("decline"), share("cancel"));
    let decide = Decide { accept: accept?, decline: decline?, cancel: cancel? };
    let part = |name: &str, share: f64| {
        let default = if section.raw(name).is_some() { "" } else { " (default)" };
        (format!("{name} {share}{default}"), share)
    };
    let parts = [part("accept", decide.accept), part("decline", decide.decline), part("cancel", decide.cancel)];
    section.adds_up("people.decide", section.span(), &parts).then_some(decide)
}
