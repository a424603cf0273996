//! Scenarios of the swarm of ways with a fleet on top that is changed on purpose: deploys, sizes, reclaims, zones, keys and
//! clocks. Each is switched on by a draw of its own.

use parked::scenario::Scenario;

use super::Draw;
use super::ways::{Written, written};

/// The scenario of a seed, with what can be done to a fleet.
pub fn scenario(seed: u64) -> Scenario {
    let mut written = written(seed);
    written.name = format!("fleet-{seed}.toml");
    changes(&mut written);
    keys(&mut written);
    written.read()
}

fn time(seconds: u64) -> String {
    format!("\"{seconds}s\"")
}

fn changes(written: &mut Written) {
    let Written { text, sets, addresses, draw, .. } = written;
    // An address that comes up beside the fleet has no weight.
    sets.retain(|set| !set.starts_with("balancer.weights"));
    let mut fault = |of: String| text.push_str(&format!("[[fault]]\n{of}\n"));
    let mut set = |key: &str, value: String| sets.push(format!("{key}={value}"));
    let deploys = draw.below(3) > 0;
    if deploys {
        let strategy = draw.one_of(&["rolling", "surge", "blue-green", "recreate"]);
        let batch = match strategy {
            "rolling" | "surge" => format!(", batch = {}", 1 + draw.below(*addresses)),
            _ => String::new(),
        };
        let (at, every) = (draw.below(30), draw.one_of(&["never", "20s", "45s"]));
        fault(format!("deploy = {{ at = {}, every = \"{every}\", strategy = \"{strategy}\"{batch} }}", time(at)));
        if draw.coin() {
            set("designs", "[\"waiting\", \"carrying\", \"migrating\"]".to_owned());
        }
    }
    match draw.below(4) {
        0 => {
            for _ in 0..2 {
                fault(format!("scale = {{ at = {}, to = {} }}", time(draw.below(60)), 1 + draw.below(6)));
            }
        }
        1 => {
            let (by, target) = draw.one_of(&[("cpu", "0.05"), ("in-flight", "1.5"), ("in-flight", "6.0")]);
            let (least, most) = (1 + draw.below(*addresses), *addresses + draw.below(4));
            let hold = draw.one_of(&["0s", "20s"]);
            let limits = draw.one_of(&["", ", most_out = 1, most_in = 1"]);
            let range = format!("min = {least}, max = {most}, interval = \"5s\", hold_in = \"{hold}\"{limits}");
            set("fleet.scaling", format!("{{ by = \"{by}\", target = {target}, {range} }}"));
        }
        _ => {}
    }
    if draw.below(3) == 0 {
        let notice = draw.one_of(&["0s", "5s", "40s"]);
        let every = draw.one_of(&["exponential = { mean = \"60s\" }", "constant = \"37s\""]);
        fault(format!("reclaim = {{ every.{every}, notice = \"{notice}\" }}"));
    }
    if *addresses > 1 && draw.below(3) == 0 {
        set("fleet.zones", "[\"a\", \"b\"]".to_owned());
        let again = draw.one_of(&["never", "10s"]);
        let at = time(draw.below(60));
        fault(format!("kill = {{ at = {at}, select = \"zone:b\", restart_after = \"{again}\" }}"));
    }
    set("fleet.boot", draw.one_of(&["\"0s\"", "\"0s\"", "\"7s\""]).to_owned());
    set("fleet.victim", draw.one_of(&["\"newest\"", "\"oldest\"", "\"fewest\""]).to_owned());
    set("balancer.drains", draw.coin().to_string());
    termination(draw, &mut set);
}

fn termination(draw: &mut Draw, set: &mut impl FnMut(&str, String)) {
    let grace = draw.one_of(&[0, 5, 30]);
    let pause = draw.below(grace + 1).min(4);
    let drain = if draw.coin() { time((grace - pause).min(9)) } else { "\"none\"".to_owned() };
    let lag = draw.one_of(&[0, 0, 2, 60]);
    let ends =
        format!("removal_lag = {}, pre_stop = {}, drain = {drain}, grace = {}", time(lag), time(pause), time(grace));
    set("fleet.termination", format!("{{ {ends} }}"));
}

/// How keys come and go, by what clocks states are judged, and when the first processes come up.
fn keys(written: &mut Written) {
    let Written { text, sets, draw, .. } = written;
    let mut set = |key: &str, value: String| sets.push(format!("{key}={value}"));
    let keys = draw.one_of(&["shared", "shared", "per-process", "per-deploy", "found-or-minted"]);
    set("state.keys", format!("\"{keys}\""));
    if keys == "shared" && draw.below(4) > 0 {
        let every = draw.one_of(&[20, 61]);
        let order = draw.one_of(&["verify-first", "sign-first", "no-ring"]);
        let overlap = match order {
            "no-ring" => String::new(),
            _ => format!(", overlap = {}", time(draw.one_of(&[0, 5, 30, 90]))),
        };
        let (spread, turns) = (time(draw.one_of(&[0, 3, 10])), draw.one_of(&["random", "in-order"]));
        let roll = format!("order = \"{order}\"{overlap}, spread = {spread}, turns = \"{turns}\"");
        set("state.rotation", format!("{{ every = {}, {roll} }}", time(every)));
    }
    if keys == "found-or-minted" {
        set("state.key_lag", time(draw.one_of(&[0, 4])));
    }
    set("state.key_id", draw.coin().to_string());
    set("state.leeway", time(draw.one_of(&[0, 0, 8])));
    set("state.checks_issued", (draw.coin() && !text.contains("ttl = \"none\"")).to_string());
    set("fleet.clock_skew", time(draw.one_of(&[0, 0, 20])));
    set("fleet.start_spread", time(draw.one_of(&[0, 0, 15])));
}
