//! Scenarios in which deploys bring another version of the tool: questions that come, go, change their words or their
//! place, answers that are found by each kind of key.

use parked::scenario::{Scenario, Source, parse};

use super::{Draw, Rows};

/// What two versions of a tool can ask: two keys in two wordings each, and two more.
const ASKS: [(&str, &str); 6] =
    [("pay", "Pay?"), ("pay", "Pay twice?"), ("who", "Who?"), ("who", "Whoever?"), ("why", "Why?"), ("when", "When?")];

/// The scenario of a seed.
pub fn scenario(seed: u64) -> Scenario {
    let mut draw = Draw(seed);
    let keys = draw.one_of(&["named", "sequence", "text"]);
    let this = steps(&mut draw);
    // Now and then a release changes nothing.
    let next = if draw.below(5) == 0 { this.clone() } else { steps(&mut draw) };
    let text = format!(
        "name = \"versions-{seed}\"\nseed = {seed}\nreplications = 2\nrun = {{ horizon = \"10m\", stop = \"{}\" }}\n\
         arrivals.poisson.rate = \"{}/m\"\npeople.think.exponential.mean = \"{}s\"\npeople.silent = {}\n\
         fleet = {{ instances = {}, boot = \"{}s\" }}\nbalancer.stickiness = \"{}\"\n\
         clients.retry.times = {}\nclients.on_not_found = \"{}\"\n\
         [tool]\nbody = \"steps\"\nanswer_keys = \"{keys}\"\neffects_in_state = {}\nstep = [{this}]\nnext.step = [{next}]\n\
         [[fault]]\ndeploy = {{ at = \"{}s\", every = \"{}\", strategy = \"{}\" }}\n",
        draw.one_of(&["cohort", "horizon"]),
        draw.one_of(&[10, 30]),
        draw.one_of(&[5, 30, 60]),
        draw.one_of(&["0.0", "0.1"]),
        1 + draw.below(4),
        draw.one_of(&[0, 7]),
        draw.one_of(&["none", "cookie", "learned"]),
        draw.below(3),
        draw.one_of(&["wait", "fail", "reinitialise"]),
        draw.coin(),
        draw.below(400),
        draw.one_of(&["never", "100s"]),
        draw.one_of(&["rolling", "surge", "blue-green", "recreate"]),
    );
    let source = Source { name: format!("versions-{seed}.toml"), text: text.clone() };
    let read = parse(source, &[], &Rows(String::new()));
    read.unwrap_or_else(|invalid| panic!("{}\n{text}", invalid.render(false)))
}

/// One to three asks with different keys, an entry before each now and then, and one at the end.
fn steps(draw: &mut Draw) -> String {
    let mut left = ASKS.to_vec();
    let mut steps = Vec::new();
    for _ in 0..1 + draw.below(3) {
        let (key, message) = left.swap_remove(draw.below(left.len() as u64) as usize);
        left.retain(|(other, _)| *other != key);
        if draw.below(4) == 0 {
            steps.push("{ post = \"drafts\" }".to_owned());
        }
        steps.push(format!("{{ ask = {{ key = \"{key}\", message = \"{message}\" }} }}"));
    }
    steps.push("{ post = \"payments\" }".to_owned());
    steps.join(", ")
}
