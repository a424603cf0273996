//! What goes wrong with the fleet, and what is done to it. Must never name an instance or a zone that does not exist, nor
//! let a fault fall outside of the run.

use std::time::Duration;

use super::arrivals::sim_time;
use super::distribution;
use super::keys;
use super::model::{Fault, Select, Strategy};
use super::problem::{nearest, quoted, shown};
use super::section::Section;
use super::values::{self, Wrong};
use crate::engine::SimTime;
use crate::random::Distribution;

/// What faults happen to; each part is `None` if it was not readable, and then left unjudged.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    /// The instant up to which faults happen.
    pub horizon: Option<SimTime>,
    /// Names of the addresses.
    pub addresses: Option<&'a [String]>,
    /// Names of the zones.
    pub zones: Option<&'a [String]>,
}

/// Below this a run would do nothing but crash or be taken back, seconds.
const SHORTEST_MEAN_LIFE_S: f64 = 1.0;

/// Below this a run would do nothing but deploy.
const SHORTEST_BETWEEN_DEPLOYS: Duration = Duration::from_secs(1);

/// Reads every `[[fault]]`.
pub(super) fn read(root: &Section<'_>, scene: Scene<'_>) -> Option<Vec<Fault>> {
    let elements = root.elements("fault")?;
    let written = elements.len();
    let mut faults = Vec::new();
    for (place, element) in elements.into_iter().enumerate() {
        let section = root.at(element, keys::keys(), "fault", format!("fault.{place}"));
        let Some(action) = section.exactly_one(&[]) else { continue };
        let table = section.table(action);
        faults.extend(match action {
            "kill" => kill(&table, scene),
            "crash" => crash(&table),
            "deploy" => deploy(&table, scene),
            "scale" => scale(&table, scene.horizon),
            "reclaim" => reclaim(&table),
            "store-crash" => store_crash(&table),
            "deaf" => deaf(&table, scene),
            _ => store_outage(&table, scene.horizon),
        });
    }
    (faults.len() == written).then_some(faults)
}

fn store_outage(section: &Section<'_>, horizon: Option<SimTime>) -> Option<Fault> {
    let at = within(section, horizon);
    let lasts = section.duration("lasts");
    Some(Fault::StoreOutage { at: at?, lasts: lasts? })
}

fn store_crash(section: &Section<'_>) -> Option<Fault> {
    let repair = distribution::read_or_plain(section, "repair");
    let mtbf = again_and_again(section, "mtbf", "the store would never be up", "on average the store is up");
    Some(Fault::StoreCrash { mtbf: mtbf?, repair: repair? })
}

fn crash(section: &Section<'_>) -> Option<Fault> {
    let repair = distribution::read_or_plain(section, "repair");
    let mtbf = again_and_again(section, "mtbf", "no process would live", "on average a process lives");
    Some(Fault::Crash { mtbf: mtbf?, repair: repair? })
}

fn reclaim(section: &Section<'_>) -> Option<Fault> {
    let notice = section.duration("notice");
    let every = again_and_again(section, "every", "no address would stay", "on average an address stays");
    Some(Fault::Reclaim { every: every?, notice: notice? })
}

/// The time after which the same happens to each again and again.
fn again_and_again(section: &Section<'_>, name: &str, too_short: &str, lasts: &str) -> Option<Distribution> {
    if section.raw(name).is_none() {
        section.missing(name);
        return None;
    }
    let every = distribution::read(section, name, false)?;
    if every.mean_if_ever() < SHORTEST_MEAN_LIFE_S {
        let wrong = Wrong::new(too_short).help(format!("{lasts} for at least a second"));
        section.refuse(name, format!("`{}` is too short", section.key(name).path), wrong);
        return None;
    }
    Some(every)
}

fn scale(section: &Section<'_>, horizon: Option<SimTime>) -> Option<Fault> {
    let at = within(section, horizon);
    let to = section.whole("to").and_then(|to| u32::try_from(to).ok());
    Some(Fault::Scale { at: at?, to: to? })
}

fn deploy(section: &Section<'_>, scene: Scene<'_>) -> Option<Fault> {
    let at = within(section, scene.horizon);
    let every = section.duration_or("every");
    let strategies = [Strategy::Rolling, Strategy::Surge, Strategy::BlueGreen, Strategy::Recreate];
    let strategy = section.choice("strategy", &strategies);
    let batch = section.whole("batch").and_then(|batch| u32::try_from(batch).ok());
    let (at, every, strategy, batch) = (at?, every?, strategy?, batch?);
    let at_once = matches!(strategy, Strategy::BlueGreen | Strategy::Recreate);
    let addresses = scene.addresses.map(<[String]>::len);
    let (name, title, wrong) = if every.is_some_and(|every| every < SHORTEST_BETWEEN_DEPLOYS) {
        let wrong = Wrong::new("below a second").help("no deploy would ever be done");
        ("every", "`fault.deploy.every` is too short", wrong)
    } else if at_once && section.raw("batch").is_some() {
        let wrong = Wrong::new("this strategy replaces all addresses at once");
        let title = "`fault.deploy.batch` has no effect here";
        ("batch", title, wrong.help("write `strategy = \"rolling\"` or `\"surge\"`, or take this out"))
    } else if let Some(addresses) = addresses.filter(|&addresses| batch as usize > addresses) {
        let wrong = Wrong::new(format!("the fleet has {addresses} addresses"));
        let help = "a batch is a part of the fleet; `strategy = \"blue-green\"` replaces all at once";
        ("batch", "`fault.deploy.batch` is larger than the fleet", wrong.help(help))
    } else {
        return Some(Fault::Deploy { at, every, strategy, batch });
    };
    section.refuse(name, title, wrong);
    None
}

/// The instant of a fault, at or before the horizon.
fn within(section: &Section<'_>, horizon: Option<SimTime>) -> Option<SimTime> {
    let at = section.duration("at").map(sim_time)?;
    if horizon.is_some_and(|horizon| at > horizon) {
        section.wrong("at", Wrong::new("after the horizon").help("a fault happens at or before `run.horizon`"));
        return None;
    }
    Some(at)
}

fn kill(section: &Section<'_>, scene: Scene<'_>) -> Option<Fault> {
    let at = within(section, scene.horizon);
    let select = section.get("select", |value| select(values::text(value)?, scene));
    let restart_after = section.duration_or("restart_after");
    Some(Fault::Kill { at: at?, select: select?, restart_after: restart_after? })
}

fn deaf(section: &Section<'_>, scene: Scene<'_>) -> Option<Fault> {
    let at = within(section, scene.horizon);
    let select = section.get("select", |value| select(values::text(value)?, scene));
    Some(Fault::Deaf { at: at?, select: select? })
}

/// The target of a fault.
fn select(text: &str, scene: Scene<'_>) -> Result<Select, Wrong> {
    if text == "all" {
        return Ok(Select::All);
    }
    let wrong = || Wrong::new(format!("found text `{}`", shown(text)));
    let (what, which) = text.split_once(':').ok_or_else(wrong)?;
    match what {
        "count" => count(which, scene.addresses).map(Select::Count),
        "instance" => {
            let known = scene.addresses.unwrap_or_default();
            named(which, what, scene.addresses.is_some(), known).map(Select::Instance)
        }
        "zone" if scene.zones.is_some_and(<[String]>::is_empty) => {
            Err(Wrong::new("the fleet has no zones").help("name them: `fleet.zones = [\"a\", \"b\"]`"))
        }
        "zone" => {
            let known = scene.zones.unwrap_or_default();
            let of = known.len().max(1) as u32;
            named(which, what, scene.zones.is_some(), known).map(|zone| Select::Zone { zone, of })
        }
        _ => Err(wrong()),
    }
}

/// How many are drawn.
fn count(text: &str, addresses: Option<&[String]>) -> Result<u32, Wrong> {
    let count = text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse::<u32>().ok()).flatten();
    match (count, addresses) {
        (None | Some(0), _) => Err(Wrong::new("`count:` takes a whole number of at least 1")),
        (Some(n), Some(names)) if n as usize > names.len() => {
            Err(Wrong::new(format!("the fleet has {} instances", names.len())))
        }
        (Some(n), _) => Ok(n),
    }
}

/// Place of a name; any name is as good as another where they were not readable.
fn named(name: &str, what: &str, readable: bool, known: &[String]) -> Result<u32, Wrong> {
    let place = known.iter().position(|known| known == name).and_then(|place| u32::try_from(place).ok());
    match place {
        Some(place) => return Ok(place),
        None if !readable => return Ok(0),
        None => {}
    }
    let wrong = Wrong::new(format!("no {what} is named `{}`", shown(name)));
    let wrong = match nearest(name, known.iter().map(String::as_str)) {
        Some(near) => wrong.help(format!("did you mean \"{what}:{}\"?", shown(near))),
        None => wrong,
    };
    let more = if known.len() > 8 { ", .." } else { "" };
    Err(wrong.help(format!("{what}s: {}{more}", quoted(known.iter().take(8).map(String::as_str)))))
}
