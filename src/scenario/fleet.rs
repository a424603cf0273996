//! The instances, and what goes wrong with them. Must never name an instance that does not exist, nor let a fault fall
//! outside of the run.

use std::collections::BTreeSet;

use super::arrivals::sim_time;
use super::distribution;
use super::keys;
use super::model::{Fault, Fleet, Misroute, Select, Sessions};
use super::problem::{nearest, quoted, shown, steers};
use super::section::Section;
use super::values::{self, Wrong};
use crate::engine::SimTime;

/// Reads `[fleet]`; `addresses` are their names, `None` if they were not readable.
pub(super) fn fleet(section: &Section<'_>, addresses: Option<Vec<String>>) -> Option<Fleet> {
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
    let workers = section.whole("workers").and_then(|workers| u32::try_from(workers).ok());
    let sessions = section.choice("sessions", &[Sessions::Memory, Sessions::Shared]);
    let parked_keeps_thread = section.get("parked_keeps_thread", values::flag);
    let answers_need_thread = section.get("answers_need_thread", values::flag);
    let [answer_timeout, session_idle, heartbeat] =
        ["answer_timeout", "session_idle", "heartbeat"].map(|name| section.duration_or(name));
    let heartbeat_jitter = section.get("heartbeat_jitter", values::share);
    let (addresses, workers) = (addresses?, workers?);
    Some(Fleet {
        instances: processes(section, addresses, workers)?,
        workers,
        threads: threads?,
        queue: queue?,
        parked_keeps_thread: parked_keeps_thread?,
        misroute: misroute?,
        sessions: sessions?,
        answers_need_thread: answers_need_thread?,
        answer_timeout: answer_timeout?,
        session_idle: session_idle?,
        heartbeat: heartbeat?,
        heartbeat_jitter: heartbeat_jitter?,
    })
}

/// Names of the processes behind the addresses.
fn processes(section: &Section<'_>, addresses: Vec<String>, workers: u32) -> Option<Vec<String>> {
    if workers == 1 {
        return Some(addresses);
    }
    let all = addresses.len() as u64 * u64::from(workers);
    if all > MOST_PROCESSES {
        let wrong = Wrong::new(format!("{} addresses with {workers} processes each", addresses.len()));
        section.refuse("workers", format!("a fleet has at most {MOST_PROCESSES} processes"), wrong);
        return None;
    }
    let of = |address: &String| (1..=workers).map(|worker| format!("{address}/{worker}")).collect::<Vec<_>>();
    Some(addresses.iter().flat_map(of).collect())
}

const MOST_PROCESSES: u64 = 65_535;

/// Names of the addresses.
pub(super) fn addresses(section: &Section<'_>) -> Option<Vec<String>> {
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
            Some("crash") => crash(&section.table("crash")),
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

fn crash(section: &Section<'_>) -> Option<Fault> {
    let repair = section.duration("repair");
    if section.raw("mtbf").is_none() {
        section.missing("mtbf");
        return None;
    }
    let mtbf = distribution::read(section, "mtbf", false)?;
    if mtbf.mean_if_ever() < SHORTEST_MEAN_LIFE_S {
        let wrong = Wrong::new("no process would live").help("on average a process lives for at least a second");
        section.refuse("mtbf", "`fault.crash.mtbf` is too short", wrong);
        return None;
    }
    Some(Fault::Crash { mtbf, repair: repair? })
}

/// Below this a run would do nothing but crash, seconds.
const SHORTEST_MEAN_LIFE_S: f64 = 1.0;

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
