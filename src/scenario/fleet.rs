//! The instances, and what goes wrong with them. Must never name an instance that does not exist, nor let a fault fall
//! outside of the run.

use std::collections::BTreeSet;

use super::arrivals::sim_time;
use super::keys;
use super::model::{Fault, Fleet, Misroute, Select};
use super::problem::{nearest, quoted, shown, steers};
use super::section::Section;
use super::values::{self, Wrong};
use crate::engine::SimTime;

/// Reads `[fleet]`; `instances` are its names, `None` if they were not readable.
pub(super) fn fleet(section: &Section<'_>, instances: Option<Vec<String>>) -> Option<Fleet> {
    let threads = section.whole_or("threads").map(|threads| threads.ok());
    let queue = section.whole_or("queue").map(|queue| match queue {
        Ok(places) => Some(places),
        Err("none") => Some(0),
        Err(_) => None,
    });
    let misroute = section.choice("misroute", &[Misroute::Swallowed, Misroute::NotFound]);
    if let (Some(None), Some(Some(_))) = (threads, queue) {
        let wrong = Wrong::new("has no effect: no call ever waits for a thread");
        let title = "`fleet.queue` contradicts `fleet.threads = \"unlimited\"`";
        section.refuse("queue", title, wrong.help("give `threads` a number, or take `queue` out"));
    }
    Some(Fleet { instances: instances?, threads: threads?, queue: queue?, misroute: misroute? })
}

/// Names of the instances.
pub(super) fn instances(section: &Section<'_>) -> Option<Vec<String>> {
    let count = section.whole("instances");
    let listed = section.values("names", |value| {
        let name = values::text(value)?;
        let printable = !name.chars().any(steers) && name.trim() == name;
        let length = name.chars().count();
        match (1..=32).contains(&length) && printable {
            true => Ok(name.to_string()),
            false => Err(Wrong::new("a name has 1 to 32 printable characters, no space at its ends")),
        }
    });
    let (count, listed) = (count?, listed?);
    let Some(listed) = listed else {
        return Some((1..=count).map(|i| format!("i{i}")).collect());
    };
    let mut seen = BTreeSet::new();
    for (name, span) in &listed {
        if !seen.insert(name) {
            section.wrong_element("names", span.clone(), Wrong::new("stands in the list already"));
        }
    }
    if seen.len() < listed.len() {
        return None;
    }
    let names: Vec<String> = listed.into_iter().map(|(name, _)| name).collect();
    let written = section.raw("instances").is_some();
    if names.is_empty() || names.len() > 65_535 || (written && names.len() as u64 != count) {
        let wrong = Wrong::new(format!("{} names", names.len()));
        let help = if written { format!("`fleet.instances` is {count}") } else { "1 to 65535 names".into() };
        section.refuse("names", "`fleet.names` must name every instance", wrong.help(help));
        return None;
    }
    Some(names)
}

/// Reads every `[[fault]]`; `horizon` and the names of the instances are `None` if they were not readable.
pub(super) fn faults(root: &Section<'_>, horizon: Option<SimTime>, names: Option<&[String]>) -> Option<Vec<Fault>> {
    let elements = root.elements("fault")?;
    let written = elements.len();
    let mut faults = Vec::new();
    for (place, element) in elements.into_iter().enumerate() {
        let section = root.at(element, keys::keys(), "fault", format!("fault.{place}"));
        faults.extend(match section.exactly_one(&[]) {
            Some("kill") => kill(&section.table("kill"), horizon, names),
            Some(_) => store_outage(&section.table("store-outage"), horizon),
            None => None,
        });
    }
    (faults.len() == written).then_some(faults)
}

fn store_outage(section: &Section<'_>, horizon: Option<SimTime>) -> Option<Fault> {
    let at = within(section, horizon);
    let lasts = section.duration("lasts");
    Some(Fault::StoreOutage { at: at?, lasts: lasts? })
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

fn kill(section: &Section<'_>, horizon: Option<SimTime>, names: Option<&[String]>) -> Option<Fault> {
    let at = within(section, horizon);
    let select = section.get("select", |value| select(values::text(value)?, names));
    let restart_after = section.duration_or("restart_after");
    Some(Fault::Kill { at: at?, select: select?, restart_after: restart_after? })
}

/// The target of a fault; without readable names the size of the fleet and its names are left unjudged.
fn select(text: &str, names: Option<&[String]>) -> Result<Select, Wrong> {
    if text == "all" {
        return Ok(Select::All);
    }
    if let Some(count) = text.strip_prefix("count:") {
        let count = count.bytes().all(|b| b.is_ascii_digit()).then(|| count.parse::<u32>().ok()).flatten();
        return match (count, names) {
            (None | Some(0), _) => Err(Wrong::new("`count:` takes a whole number of at least 1")),
            (Some(n), Some(names)) if n as usize > names.len() => {
                Err(Wrong::new(format!("the fleet has {} instances", names.len())))
            }
            (Some(n), _) => Ok(Select::Count(n)),
        };
    }
    let Some(name) = text.strip_prefix("instance:") else {
        return Err(Wrong::new(format!("found text `{}`", shown(text))));
    };
    let Some(names) = names else {
        return Ok(Select::Instance(0));
    };
    if let Some(place) = names.iter().position(|known| known == name).and_then(|place| u32::try_from(place).ok()) {
        return Ok(Select::Instance(place));
    }
    let wrong = Wrong::new(format!("no instance is named `{}`", shown(name)));
    let wrong = match nearest(name, names.iter().map(String::as_str)) {
        Some(near) => wrong.help(format!("did you mean \"instance:{}\"?", shown(near))),
        None => wrong,
    };
    let more = if names.len() > 8 { ", .." } else { "" };
    Err(wrong.help(format!("instances: {}{more}", quoted(names.iter().take(8).map(String::as_str)))))
}
