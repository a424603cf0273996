//! Random legal scenarios, one from each seed. Every mechanism is switched on or off by a draw of its own, so that none
//! hides another. The text goes through the parser, so the scenario language is exercised too. Must never draw from
//! anything but the seed.
//!
//! Scenarios of even seeds have the one body that asks once and clients that are all alike; those of odd seeds have
//! everything that can be said of asking, too, and every second of these also of links and of what is done to states.

mod asking;
pub mod effects;
pub mod fleet;
mod links;
pub mod versions;
pub mod ways;

use std::fmt::Write as _;
use std::io;

use parked::scenario::{Files, Scenario, Source, parse};

/// How many scenarios a relation is tried on.
pub const MANY: u64 = 50;

/// Scenarios of the seeds `0..MANY`.
pub fn scenarios() -> impl Iterator<Item = Scenario> {
    (0..MANY).map(scenario)
}

/// The same number of scenarios in which the one tool asks once, with a form that nobody gets wrong, and all clients are
/// alike and show what they are asked.
pub fn plain_scenarios() -> impl Iterator<Item = Scenario> {
    (0..2 * MANY).step_by(2).map(scenario)
}

/// The scenario of a seed: a few hundred calls at most, two replications of both designs.
pub fn scenario(seed: u64) -> Scenario {
    stretched(seed, 1)
}

/// The scenario of a seed with all durations multiplied and all rates divided by `stretch`.
pub fn stretched(seed: u64, stretch: u64) -> Scenario {
    let mut maker = Maker { draw: Draw(seed), stretch, text: String::new(), rows: String::new() };
    maker.write(seed);
    let source = Source { name: format!("swarm-{seed}.toml"), text: maker.text };
    let rows = Rows(maker.rows);
    // Few scenarios have a steady state that can be drawn, so all of those start in it but for every fourth.
    if maker.draw.below(4) > 0
        && let Ok(stationary) = parse(source.clone(), &["run.start=stationary".to_owned()], &rows)
    {
        return stationary;
    }
    let text = source.text.clone();
    parse(source, &[], &rows).unwrap_or_else(|invalid| panic!("{}\n{text}", invalid.render(false)))
}

/// The files that a scenario of the swarm can name: the forms, and one with rows.
struct Rows(String);

impl Files for Rows {
    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        let form = asking::FORMS.into_iter().find(|(file, ..)| *file == name).map(|(_, form, ..)| form);
        Ok(form.unwrap_or(&self.0).as_bytes().to_vec())
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Draw(u64);

impl Draw {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.word() % bound
    }

    fn coin(&mut self) -> bool {
        self.below(2) == 0
    }

    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }
}

const MS: u64 = 1_000_000;
const S: u64 = 1000 * MS;
const HORIZON: u64 = 600 * S;

struct Maker {
    draw: Draw,
    stretch: u64,
    text: String,
    rows: String,
}

impl Maker {
    fn line(&mut self, line: &str) {
        writeln!(self.text, "{line}").expect("text grows");
    }

    fn time(&self, ns: u64) -> String {
        format!("\"{}ns\"", ns * self.stretch)
    }

    fn write(&mut self, seed: u64) {
        self.line(&format!("format = 1\nname = \"swarm-{seed}\"\nquestion = \"What holds whatever is drawn?\""));
        let key = self.draw.word() >> 2;
        self.line(&format!("seed = {key}\nreplications = 2"));
        self.run();
        let traced = self.arrivals();
        let (asks_anyhow, links_anyhow) = (seed % 2 == 1, seed % 4 == 3);
        match asks_anyhow {
            true => self.any_tool(links_anyhow),
            false => self.tool(),
        }
        self.line("[people]");
        if !traced {
            self.people();
        }
        if asks_anyhow {
            self.wrong_tries();
        }
        if links_anyhow {
            self.users();
        }
        let misroute = self.clients(asks_anyhow);
        self.balancer();
        let names = self.fleet(misroute);
        self.state();
        match links_anyhow {
            true => self.bindings_links_and_attacks(),
            false => self.plain_links(),
        }
        self.faults(&names);
        if links_anyhow {
            self.outage();
        }
    }

    fn run(&mut self) {
        let stop = self.draw.one_of(&["cohort", "horizon"]);
        let warm_up = self.draw.one_of(&[0, 120 * S]);
        let (horizon, warm_up) = (self.time(HORIZON), self.time(warm_up));
        self.line(&format!("[run]\nstop = \"{stop}\"\nhorizon = {horizon}\nwarm_up = {warm_up}"));
    }

    /// Calls per minute as a rate whose gap is a whole number of nanoseconds.
    fn rate(&mut self) -> String {
        let per_minute = self.draw.one_of(&[10, 12, 15, 20, 30]);
        format!("\"{}/m\"", f64::from(per_minute) / self.stretch as f64)
    }

    /// Whether the calls come from a trace, which brings its own people.
    fn arrivals(&mut self) -> bool {
        let kind = self.draw.below(7);
        let value = match kind {
            0..3 => format!("poisson = {{ rate = {} }}", self.rate()),
            3 => format!("constant = {{ rate = {} }}", self.rate()),
            4 => {
                let (first, second) = (self.rate(), self.rate());
                let (middle, end) = (self.time(HORIZON / 3), self.time(HORIZON));
                format!("profile = [{{ until = {middle}, rate = {first} }}, {{ until = {end}, rate = {second} }}]")
            }
            5 => {
                // Whole seconds, so that several calls arrive at one instant.
                let mut instants: Vec<u64> = (0..150).map(|_| self.draw.below(601) * S).collect();
                instants.sort_unstable();
                let instants: Vec<String> = instants.into_iter().map(|ns| self.time(ns)).collect();
                format!("at = [{}]", instants.join(", "))
            }
            _ => {
                self.rows = self.recorded();
                "trace = { file = \"rows.csv\" }".to_owned()
            }
        };
        self.line(&format!("[arrivals]\n{value}"));
        kind == 6
    }

    fn recorded(&mut self) -> String {
        let mut instants: Vec<u64> = (0..150).map(|_| self.draw.below(HORIZON / MS)).collect();
        instants.sort_unstable();
        let mut rows = String::from("arrived_s,think_s,action\n");
        for arrived in instants {
            let think = self.draw.below(60_000);
            let action = self.draw.one_of(&["accept", "accept", "decline", "cancel", "never"]);
            let seconds = |ms: u64| format!("{}.{:03}", ms * self.stretch / 1000, ms * self.stretch % 1000);
            writeln!(rows, "{},{},{action}", seconds(arrived), seconds(think)).expect("text grows");
        }
        rows
    }

    fn tool(&mut self) {
        self.line("[tool]");
        if self.draw.coin() {
            self.line("amount.uniform = { from = 10, to = 500 }");
        }
        self.work();
    }

    fn work(&mut self) {
        for name in ["work_before", "work_after"] {
            let mean = self.draw.one_of(&[0, 5 * MS, 2 * S]);
            let mean = self.time(mean);
            let family = self.draw.one_of(&["constant = MEAN", "exponential = { mean = MEAN }"]);
            self.line(&format!("{name}.{}", family.replace("MEAN", &mean)));
        }
    }

    fn people(&mut self) {
        let think = self.think();
        self.line(&format!("think.{think}"));
        if self.draw.coin() {
            let decide = self.draw.one_of(&[(0.5, 0.25), (1.0, 0.0), (0.0, 1.0), (0.7, 0.0)]);
            let (accept, decline) = decide;
            let cancel = 1.0 - accept - decline;
            self.line(&format!("decide = {{ accept = {accept:?}, decline = {decline:?}, cancel = {cancel:?} }}"));
        }
        if self.draw.coin() {
            self.line("silent = 0.125");
        }
    }

    fn think(&mut self) -> String {
        let mean = self.draw.one_of(&[S, 10 * S, 30 * S, 60 * S]);
        let (mean, twice) = (self.time(mean), self.time(2 * mean));
        match self.draw.below(11) {
            0 => "constant = \"0s\"".to_owned(),
            1 => format!("constant = {mean}"),
            2 => format!("uniform = {{ from = \"0s\", to = {twice} }}"),
            3 => format!("exponential = {{ mean = {mean} }}"),
            4 => format!("lognormal = {{ median = {mean}, p95 = {twice} }}"),
            5 => format!("lognormal = {{ median = {mean}, sigma = 1.5 }}"),
            6 => format!("lognormal = {{ mean = {mean}, sigma = 0.5 }}"),
            7 => format!("weibull = {{ shape = 0.7, scale = {mean} }}"),
            8 => format!("erlang = {{ k = 3, mean = {mean} }}"),
            9 => format!(
                "mixture = [{{ weight = 0.5, constant = {mean} }}, {{ weight = 0.25, exponential = {{ mean = {twice} }} \
                 }}, {{ weight = 0.25, never = true }}]"
            ),
            _ => {
                self.rows = format!("t\n{}\n{}\n{}\n", 2 * self.stretch, 20 * self.stretch, 90 * self.stretch);
                "empirical = { file = \"rows.csv\", column = \"t\" }".to_owned()
            }
        }
    }

    /// The reply to an answer that is not waited for.
    fn clients(&mut self, asks_anyhow: bool) -> &'static str {
        self.line("[clients]");
        let patience = self.draw.one_of(&[0, 0, 40 * S, 120 * S, 300 * S]);
        let patience = if patience == 0 { "\"none\"".to_owned() } else { self.time(patience) };
        self.line(&format!("patience = {patience}"));
        let on_broken = self.draw.one_of(&["fail", "hang"]);
        self.line(&format!("on_broken = \"{on_broken}\""));
        if self.draw.coin() {
            let most = 1 + self.draw.below(4);
            self.line(&format!("max_rounds = {most}"));
        }
        if asks_anyhow {
            self.any_clients();
        } else if self.draw.below(8) == 0 {
            self.line("capabilities = {}");
        }
        if self.draw.below(3) == 0 {
            return "swallowed";
        }
        let reaction = self.draw.one_of(&["wait", "fail", "reinitialise", "resend"]);
        self.line(&format!("on_not_found = \"{reaction}\""));
        if reaction == "resend" {
            let (pause, most) = (self.draw.one_of(&[250 * MS, 5 * S]), 1 + self.draw.below(5));
            let pause = self.time(pause);
            self.line(&format!("resend_pause = {pause}\nmax_resends = {most}"));
        }
        "not-found"
    }

    fn balancer(&mut self) {
        let policy = self.draw.one_of(&["round-robin", "random", "least-connections"]);
        let stickiness = self.draw.one_of(&["none", "learned"]);
        let redispatch = self.draw.coin();
        let lag = self.draw.one_of(&[0, 10 * S, 60 * S]);
        let lag = self.time(lag);
        self.line(&format!("[balancer]\npolicy = \"{policy}\"\nstickiness = \"{stickiness}\""));
        self.line(&format!("redispatch = {redispatch}\ndetection = {{ lag = {lag} }}"));
    }

    fn fleet(&mut self, misroute: &str) -> Vec<String> {
        let count = 1 + self.draw.below(5);
        self.line(&format!("[fleet]\nmisroute = \"{misroute}\"\ninstances = {count}"));
        let mut names: Vec<String> = (1..=count).map(|i| format!("i{i}")).collect();
        if self.draw.coin() {
            names = (1..=count).map(|i| format!("node {i}")).collect();
            self.line(&format!("names = {names:?}"));
        }
        if self.draw.coin() {
            let threads = 1 + self.draw.below(20);
            let queue = self.draw.one_of(&["\"unlimited\"", "\"none\"", "1", "5"]);
            self.line(&format!("threads = {threads}\nqueue = {queue}"));
        } else {
            self.line("threads = \"unlimited\"");
        }
        names
    }

    fn state(&mut self) {
        let keys = self.draw.one_of(&["shared", "per-process"]);
        let signing = self.draw.one_of(&["checked", "real", "symbolic"]);
        let ttl = self.draw.one_of(&[0, 30 * S, 600 * S]);
        let ttl = if ttl == 0 { "\"none\"".to_owned() } else { self.time(ttl) };
        self.line(&format!("[state]\nkeys = \"{keys}\"\nsigning = \"{signing}\"\nttl = {ttl}"));
    }

    fn faults(&mut self, names: &[String]) {
        if self.draw.coin() {
            return;
        }
        for _ in 0..=self.draw.below(3) {
            let at = self.draw.below(601) * S;
            let at = self.time(at);
            let count = 1 + self.draw.below(names.len() as u64);
            let name = &names[self.draw.below(names.len() as u64) as usize];
            let select = match self.draw.below(3) {
                0 => "all".to_owned(),
                1 => format!("count:{count}"),
                _ => format!("instance:{name}"),
            };
            let restart = self.draw.one_of(&[None, Some(0), Some(20 * S)]);
            let restart = restart.map_or("\"never\"".to_owned(), |ns| self.time(ns));
            self.line(&format!("[[fault]]\nkill = {{ at = {at}, select = \"{select}\", restart_after = {restart} }}"));
        }
    }
}
