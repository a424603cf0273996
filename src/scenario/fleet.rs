//! The instances: who they are, what each can hold. Must never let two of them have one name, nor a zone be without any.

use std::collections::BTreeSet;
use std::time::Duration;

use super::change;
use super::distribution;
use super::memory;
use super::model::{Fleet, Misroute, Pool, Sessions, Victim};
use super::problem::{quoted, steers};
use super::section::Section;
use super::values::{self, Wrong};
use crate::random::Distribution;

/// Reads `[fleet]`; the names of the addresses and of the zones are `None` if they were not readable. How many may come
/// up beside them is left at nought.
pub(super) fn fleet(
    section: &Section<'_>,
    addresses: Option<Vec<String>>,
    zones: Option<Vec<String>>,
) -> Option<Fleet> {
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
    let session_cap = memory::sessions(section, sessions);
    let memory = memory::memory(&section.table("memory"));
    let descriptors = section.whole_or("descriptors").map(Result::ok);
    let descriptors_per_call = section.whole("descriptors_per_call").and_then(|each| u32::try_from(each).ok());
    let waits = waits(section, threads);
    let parked_keeps_thread = section.get("parked_keeps_thread", values::flag);
    let answers_need_thread = section.get("answers_need_thread", values::flag);
    let [answer_timeout, session_idle, heartbeat] =
        ["answer_timeout", "session_idle", "heartbeat"].map(|name| section.duration_or(name));
    let [clock_skew, start_spread] = ["clock_skew", "start_spread"].map(|name| section.duration(name));
    let heartbeat_jitter = section.get("heartbeat_jitter", values::share);
    let boot = section.duration("boot");
    let termination = change::termination(&section.table("termination"));
    let scaling = change::scaling(section, addresses.as_ref().map(Vec::len));
    let victim = section.choice("victim", &[Victim::Newest, Victim::Oldest, Victim::Fewest]);
    let (addresses, workers) = (addresses?, workers?);
    let (session_cap, at_session_cap) = session_cap?;
    let (queue_timeout, slow, request_work, pool) = waits?;
    Some(Fleet {
        instances: processes(section, addresses, workers)?,
        workers,
        threads: threads?,
        queue: queue?,
        queue_timeout,
        slow,
        request_work,
        pool,
        parked_keeps_thread: parked_keeps_thread?,
        misroute: misroute?,
        sessions: sessions?,
        answers_need_thread: answers_need_thread?,
        session_cap,
        at_session_cap,
        memory: memory?,
        descriptors: descriptors?,
        descriptors_per_call: descriptors_per_call?,
        answer_timeout: answer_timeout?,
        session_idle: session_idle?,
        heartbeat: heartbeat?,
        heartbeat_jitter: heartbeat_jitter?,
        zones: zones?,
        spare: 0,
        boot: boot?,
        termination: termination?,
        scaling: scaling?,
        victim: victim?,
        clock_skew: clock_skew?,
        start_spread: start_spread?,
    })
}

/// What a call waits for beside a thread: how long it bears the line, what is slow, what a request takes, the pool.
type Waits = (Option<Distribution>, Duration, Option<Distribution>, Option<Pool>);

fn waits(section: &Section<'_>, threads: Option<Option<u32>>) -> Option<Waits> {
    let optional = |name: &str| match section.raw(name) {
        None => Some(None),
        Some(_) => distribution::read_or_plain(section, name).map(Some),
    };
    let (bears, slow) = (optional("queue_timeout"), section.duration("slow"));
    let request_work = match (section.raw("request_work"), section.default("request_work")) {
        (None, None) => Some(None),
        _ => distribution::read_or_plain(section, "request_work").map(Some),
    };
    let pool = match section.raw("pool") {
        None => Some(None),
        Some(_) => pool(&section.table("pool")).map(Some),
    };
    if let (Some(Some(_)), Some(None)) = (&bears, threads) {
        let wrong = Wrong::new("has no effect: no call ever waits for a thread");
        let title = "`fleet.queue_timeout` contradicts `fleet.threads = \"unlimited\"`";
        section.refuse("queue_timeout", title, wrong.help("give `threads` a number, or take this out"));
    }
    Some((bears?, slow?, request_work?, pool?))
}

fn pool(section: &Section<'_>) -> Option<Pool> {
    if section.raw("size").is_none() {
        section.missing("size");
        return None;
    }
    let size = section.whole("size").and_then(|size| u32::try_from(size).ok());
    let held_during_ask = section.get("held_during_ask", values::flag);
    let timeout = section.duration_or("timeout");
    Some(Pool { size: size?, held_during_ask: held_during_ask?, timeout: timeout? })
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

/// Processes that can be numbered.
pub(super) const MOST_PROCESSES: u64 = 65_535;

/// Names of the addresses.
pub(super) fn addresses(section: &Section<'_>) -> Option<Vec<String>> {
    let count = section.whole("instances");
    let listed = names(section, "names");
    let (count, listed) = (count?, listed?);
    let Some(names) = listed else {
        return Some((1..=count).map(|i| format!("i{i}")).collect());
    };
    let written = section.raw("instances").is_some();
    if names.is_empty() || names.len() > 65_535 || (written && names.len() as u64 != count) {
        let wrong = Wrong::new(format!("{} names", names.len()));
        let help = if written { format!("`fleet.instances` is {count}") } else { "1 to 65535 names".into() };
        section.refuse("names", "`fleet.names` must name every instance", wrong.help(help));
        return None;
    }
    Some(names)
}

/// Names of the zones, which have one address each at least; `addresses` is how many there are, `None` if that was not
/// readable.
pub(super) fn zones(section: &Section<'_>, addresses: Option<usize>) -> Option<Vec<String>> {
    let Some(zones) = names(section, "zones")? else { return Some(Vec::new()) };
    let wrong = match addresses? {
        _ if zones.is_empty() => Wrong::new("the list is empty").help("take it out, or name one zone at least"),
        addresses if zones.len() > addresses => {
            let last = quoted(zones.last().map(String::as_str));
            Wrong::new(format!("nothing runs in {last}: {} zones for {addresses} addresses", zones.len()))
                .help("addresses belong to the zones in turn; name as many zones as addresses at most")
        }
        _ => return Some(zones),
    };
    section.refuse("zones", "a zone without instances", wrong);
    None
}

/// The names in a list, all different; `Some(None)` where nothing is written.
fn names(section: &Section<'_>, key: &str) -> Option<Option<Vec<String>>> {
    let listed = section.values(key, |value| {
        let name = values::text(value)?;
        let printable = !name.chars().any(steers) && name.trim() == name;
        let length = name.chars().count();
        match (1..=32).contains(&length) && printable {
            true => Ok(name.to_string()),
            false => Err(Wrong::new("a name has 1 to 32 printable characters, no space at its ends")),
        }
    });
    let Some(listed) = listed? else { return Some(None) };
    let mut seen = BTreeSet::new();
    for (name, span) in &listed {
        if !seen.insert(name) {
            section.wrong_element(key, span.clone(), Wrong::new("stands in the list already"));
        }
    }
    (seen.len() == listed.len()).then(|| Some(listed.into_iter().map(|(name, _)| name).collect()))
}
