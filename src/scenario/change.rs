//! How the fleet is changed on purpose: how an address goes, when the fleet grows and shrinks, how many addresses may come
//! up beside those at the start. Must never let a time be promised that something else cuts short.

use std::ops::Range;

use super::contradictions::written_at;
use super::fleet::MOST_PROCESSES;
use super::model::{Fault, ScaleBy, Scaling, Scenario, Strategy, Termination};
use super::section::Section;
use super::values::{self, Wrong};

/// Reads `[fleet.termination]`.
pub(super) fn termination(section: &Section<'_>) -> Option<Termination> {
    let [removal_lag, pre_stop, grace] = ["removal_lag", "pre_stop", "grace"].map(|name| section.duration(name));
    let drain = section.duration_or("drain");
    let (removal_lag, pre_stop, drain, grace) = (removal_lag?, pre_stop?, drain?, grace?);
    if pre_stop > grace {
        let wrong = Wrong::new(format!("the kill comes first: `grace` is {grace:?}"));
        let help = "give `grace` at least the length of `pre_stop`; it begins with the order, not after the pause";
        section.refuse("pre_stop", "a pause longer than its grace", wrong.help(help));
        return None;
    }
    if drain.is_some_and(|drain| drain > grace - pre_stop) {
        let left = grace - pre_stop;
        let wrong = Wrong::new(format!("the kill comes first: {left:?} are left of a `grace` of {grace:?}"));
        let help = "give `grace` at least the length of `pre_stop` and `drain` together, or let `drain` be \"none\"";
        section.refuse("drain", "a drain longer than its grace", wrong.help(help));
        return None;
    }
    Some(Termination { removal_lag, pre_stop, drain, grace })
}

/// Reads `[fleet.scaling]`, if it is written; `addresses` is how many there are at the start, `None` if that was not
/// readable.
pub(super) fn scaling(fleet: &Section<'_>, addresses: Option<usize>) -> Option<Option<Scaling>> {
    if fleet.raw("scaling").is_none() {
        return Some(None);
    }
    let section = fleet.table("scaling");
    fleet.table_quietly("scaling")?;
    let by = section.choice("by", &[ScaleBy::Cpu, ScaleBy::InFlight]);
    let target = section.get("target", values::positive);
    let [cores, min, max] = ["cores", "min", "max"].map(|name| section.whole(name));
    let interval = section.duration("interval");
    let tolerance = section.get("tolerance", values::share);
    let [hold_out, hold_in] = ["hold_out", "hold_in"].map(|name| section.duration(name));
    let [most_out, most_in] = ["most_out", "most_in"].map(|name| section.whole_or(name).map(Result::ok));
    let scaling = Scaling {
        by: by?,
        target: target?,
        cores: u32::try_from(cores?).ok()?,
        min: u32::try_from(min?).ok()?,
        max: u32::try_from(max?).ok()?,
        interval: interval?,
        tolerance: tolerance?,
        hold_out: hold_out?,
        hold_in: hold_in?,
        most_out: most_out?,
        most_in: most_in?,
    };
    fits(&section, &scaling, addresses?).then_some(Some(scaling))
}

/// Whether the bounds hold the fleet at its start, and the target can be met; else the reason is noted.
fn fits(section: &Section<'_>, scaling: &Scaling, addresses: usize) -> bool {
    let Scaling { min, max, .. } = *scaling;
    let starts = format!("the fleet starts with {addresses} addresses");
    let bounds = "`min` <= `fleet.instances` <= `max`";
    let (name, title, wrong) = if min > max {
        ("min", "`min` must not be above `max`", Wrong::new(format!("`max` is {max}")))
    } else if min as usize > addresses {
        ("min", "`fleet.scaling` does not fit the fleet", Wrong::new(starts).help(bounds))
    } else if (max as usize) < addresses {
        ("max", "`fleet.scaling` does not fit the fleet", Wrong::new(starts).help(bounds))
    } else if scaling.by == ScaleBy::Cpu && scaling.target > 1.0 {
        let wrong = Wrong::new("no core works more than all the time");
        let help = "a share: 0.8 for 80 %; with `by = \"in-flight\"` a number of requests";
        ("target", "`fleet.scaling.target` can never be met", wrong.help(help))
    } else {
        return true;
    };
    section.refuse(name, title, wrong);
    false
}

/// How many addresses may run beside those at the start: what the fleet may grow by, and for each deploy that brings new
/// addresses up beside the old ones one generation, more if the next begins before the one before is surely done.
/// `None` after it was noted that they are too many.
pub(super) fn spare(root: &Section<'_>, scenario: &Scenario) -> Option<u32> {
    let fleet = &scenario.fleet;
    let first = fleet.instances.len() as u64 / u64::from(fleet.workers);
    let (mut most, mut at) = (first, root.span());
    if let Some(scaling) = fleet.scaling.as_ref().filter(|scaling| u64::from(scaling.max) > most) {
        (most, at) = (scaling.max.into(), written_at(root, "fleet.scaling.max").unwrap_or(root.span()));
    }
    for (place, fault) in scenario.faults.iter().enumerate() {
        match fault {
            Fault::Scale { to, .. } if u64::from(*to) > most => (most, at) = (u64::from(*to), fault_at(root, place)),
            _ => {}
        }
    }
    let mut all = most;
    fits_in_all(root, scenario, all, at)?;
    for (place, fault) in scenario.faults.iter().enumerate() {
        all = all.saturating_add(most.saturating_mul(generations(scenario, fault)));
        fits_in_all(root, scenario, all, fault_at(root, place))?;
    }
    u32::try_from(all - first).ok()
}

fn fits_in_all(root: &Section<'_>, scenario: &Scenario, addresses: u64, at: Range<usize>) -> Option<()> {
    let workers = u64::from(scenario.fleet.workers);
    if addresses.saturating_mul(workers) <= MOST_PROCESSES {
        return Some(());
    }
    let each = if workers == 1 { String::new() } else { format!(" with {workers} processes each") };
    let wrong = Wrong::new(format!("up to {addresses} addresses at a time{each}"));
    let help = "a smaller fleet, or deploys further apart, need fewer; `rolling` and `recreate` need none beside it";
    root.context().push(at, format!("a fleet has at most {MOST_PROCESSES} processes"), wrong.help(help));
    None
}

/// Whole fleets that a deploy brings up beside the one before: as many as may come and go at a time.
fn generations(scenario: &Scenario, fault: &Fault) -> u64 {
    let Fault::Deploy { at, every, strategy: Strategy::Surge | Strategy::BlueGreen, .. } = fault else { return 0 };
    let Some(every) = every.map(|every| every.as_nanos()) else { return 1 };
    let takes = scenario.fleet.boot.saturating_add(scenario.fleet.termination.grace).as_nanos();
    let deploys = 1 + u128::from(scenario.run.horizon.ns() - at.ns()) / every;
    u64::try_from((1 + takes.div_ceil(every)).min(deploys)).unwrap_or(u64::MAX)
}

/// Where a fault stands.
pub(super) fn fault_at(root: &Section<'_>, place: usize) -> Range<usize> {
    let elements = root.elements("fault").unwrap_or_default();
    elements.into_iter().nth(place).map_or(root.span(), |(span, _)| span)
}
