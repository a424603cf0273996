//! Scenarios of the swarm with everything on top that a message can meet on its way: policies, workers, health, clocks,
//! clients that give up and try again, people with several forms. Each is switched on by a draw of its own.

use parked::scenario::{Scenario, Source, parse};

use super::{Draw, MS, Maker, Rows, S};

/// The text of a scenario, the keys that are set over it, and the rows that it names.
pub(super) struct Written {
    pub name: String,
    pub text: String,
    pub sets: Vec<String>,
    pub addresses: u64,
    pub draw: Draw,
    pub rows: String,
}

impl Written {
    pub(super) fn read(self) -> Scenario {
        let Written { name, text, sets, rows, .. } = self;
        let source = Source { name, text: text.clone() };
        let read = parse(source, &sets, &Rows(rows));
        read.unwrap_or_else(|invalid| panic!("{}\n{sets:#?}\n{text}", invalid.render(false)))
    }
}

/// The scenario of a seed, with what can be met on the way.
pub fn scenario(seed: u64) -> Scenario {
    written(seed).read()
}

pub(super) fn written(seed: u64) -> Written {
    let mut maker = Maker { draw: Draw(seed), stretch: 1, text: String::new(), rows: String::new() };
    maker.write(seed);
    let mut draw = Draw(!seed);
    let threads = maker.text.lines().any(|line| line.starts_with("threads = ") && !line.contains("unlimited"));
    let addresses = count_of(&maker.text);
    if draw.below(4) == 0 {
        let mtbf = draw.one_of(&["{ exponential = { mean = \"5m\" } }", "{ constant = \"100s\" }"]);
        let repair = draw.one_of(&["\"0s\"", "\"20s\""]);
        maker.line(&format!("[[fault]]\ncrash = {{ mtbf = {mtbf}, repair = {repair} }}"));
    }
    let mut sets = Vec::new();
    routing(&mut draw, addresses, &mut sets);
    health(&mut draw, threads, &mut sets);
    clocks(&mut draw, &mut sets);
    clients(&mut draw, &mut sets);
    Written { name: format!("ways-{seed}.toml"), text: maker.text, sets, addresses, draw, rows: maker.rows }
}

fn count_of(text: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix("instances = ")).expect("the fleet says its size");
    line.parse().expect("a number")
}

fn time(ns: u64) -> String {
    format!("\"{ns}ns\"")
}

fn routing(draw: &mut Draw, addresses: u64, sets: &mut Vec<String>) {
    let mut set = |key: &str, value: String| sets.push(format!("balancer.{key}={value}"));
    match draw.below(6) {
        0 => set("policy", "\"two-choices\"".to_owned()),
        1 | 2 => {
            let (by, scheme) =
                (draw.one_of(&["source", "session", "user"]), draw.one_of(&["modulo", "ring", "rendezvous"]));
            set("policy", "\"hash\"".to_owned());
            set("hash", format!("{{ by = \"{by}\", scheme = \"{scheme}\" }}"));
            set("bypass", draw.one_of(&["0.0", "0.5"]).to_owned());
        }
        _ => {}
    }
    if draw.below(4) == 0 {
        let weights: Vec<String> =
            (0..addresses).map(|place| (u64::from(place == 0) + draw.below(3)).to_string()).collect();
        set("weights", format!("[{}]", weights.join(", ")));
    }
    if draw.below(4) == 0 {
        set("ties", "\"first\"".to_owned());
    }
    if draw.below(4) == 0 {
        set("replicas", "3".to_owned());
        set("background", "\"1/s\"".to_owned());
    }
    match draw.below(5) {
        0 => {
            set("stickiness", "\"cookie\"".to_owned());
            set("bypass", draw.one_of(&["0.0", "0.25", "1.0"]).to_owned());
        }
        1 => {
            set("stickiness", "\"learned\"".to_owned());
            let refresh = draw.coin();
            set("learned", format!("{{ ttl = \"20s\", refresh = {refresh} }}"));
        }
        _ => {}
    }
}

fn health(draw: &mut Draw, threads: bool, sets: &mut Vec<String>) {
    let mut set = |key: &str, value: String| sets.push(format!("{key}={value}"));
    if draw.coin() {
        let (interval, phase) = (draw.one_of(&[5 * S, 500 * MS]), draw.below(500) * MS);
        let (fall, rise) = (1 + draw.below(3), 1 + draw.below(3));
        let checks = format!("interval = {}, fall = {fall}, rise = {rise}, phase = {}", time(interval), time(phase));
        set("balancer.detection", format!("{{ checks = {{ {checks} }} }}"));
    }
    if draw.below(4) == 0 {
        set("balancer.resends_broken", "true".to_owned());
    }
    if draw.below(3) == 0 {
        set("balancer.idle", "[\"30s\", \"12s\"]".to_owned());
        let beat = draw.one_of(&[None, Some(5 * S), Some(12 * S), Some(20 * S)]);
        if let Some(beat) = beat {
            set("fleet.heartbeat", time(beat));
            set("fleet.heartbeat_jitter", draw.one_of(&["0.0", "0.5"]).to_owned());
        }
    }
    if draw.below(6) == 0 {
        set("balancer.connections", "10".to_owned());
    }
    if draw.below(4) == 0 {
        set("fleet.workers", "2".to_owned());
    }
    if draw.below(4) == 0 {
        set("fleet.parked_keeps_thread", "false".to_owned());
    } else if threads && draw.below(3) == 0 {
        set("fleet.answers_need_thread", "true".to_owned());
    }
}

fn clocks(draw: &mut Draw, sets: &mut Vec<String>) {
    for key in
        ["clients.request_timeout", "fleet.answer_timeout", "fleet.session_idle", "tool.budget", "tool.approval_ttl"]
    {
        if draw.below(4) == 0 {
            // Whole seconds, so that several clocks run out at one instant.
            sets.push(format!("{key}={}", time((1 + draw.below(60)) * S)));
            if key == "tool.budget" && draw.coin() {
                sets.push("tool.budget_pauses=true".to_owned());
            }
        }
    }
}

fn clients(draw: &mut Draw, sets: &mut Vec<String>) {
    let mut set = |key: &str, value: &str| sets.push(format!("{key}={value}"));
    set("clients.cancel", draw.one_of(&["\"reaches\"", "\"reaches\"", "\"routed\"", "\"never\""]));
    if draw.below(4) == 0 {
        set("clients.serves_after", "\"2s\"");
    }
    if draw.below(4) == 0 {
        set("clients.keeps_form", "true");
    }
    if draw.below(3) == 0 {
        set("clients.handshake", draw.one_of(&["\"full\"", "\"discover\""]));
        set("clients.handshake_pause", draw.one_of(&["\"0s\"", "\"1ms\""]));
        set("fleet.sessions", draw.one_of(&["\"memory\"", "\"shared\""]));
    }
    if draw.below(4) == 0 {
        set("clients.reuse", draw.one_of(&["0.5", "1.0"]));
    }
    if draw.below(4) == 0 {
        set("clients.sources", "4");
    }
    if draw.coin() {
        let (times, jitter) = (1 + draw.below(4), draw.one_of(&["none", "full"]));
        let on =
            draw.one_of(&["[\"unreachable\", \"broken\"]", "[\"unreachable\", \"broken\", \"full\"]", "[\"full\"]"]);
        set("clients.retry", &format!("{{ times = {times}, jitter = \"{jitter}\", on = {on} }}"));
    }
    if draw.below(3) == 0 {
        set("people.users", draw.one_of(&["1", "5", "50"]));
        set("people.forms", draw.one_of(&["\"any\"", "\"queue\"", "\"overwrite\"", "\"refuse\""]));
    }
    if draw.below(4) == 0 {
        set("people.double_clicks", "0.5");
    }
}
