//! Scenarios of the swarm of ways in which messages are lost on top, with everything that stands between a message that
//! comes again and a second effect. Each is switched on by a draw of its own.

use parked::scenario::Scenario;

use super::ways::written;

/// The scenario of a seed, with what is lost and what knows of it.
pub fn scenario(seed: u64) -> Scenario {
    let mut written = written(seed);
    written.name = format!("effects-{seed}.toml");
    // Nobody stands in a steady state where messages are lost.
    let (draw, sets) = (&mut written.draw, &mut written.sets);
    let mut set = |key: &str, value: String| sets.push(format!("{key}={value}"));
    for key in ["balancer.lost_requests", "balancer.lost_replies"] {
        set(key, draw.one_of(&["0.0", "0.05", "0.3", "1.0"]).to_owned());
    }
    let by = draw.one_of(&["none", "request-id", "arguments", "state", "operation", "operation"]);
    set("tool.idempotency", format!("\"{by}\""));
    if by != "none" {
        set("tool.idempotency_scope", format!("\"{}\"", draw.one_of(&["shared", "shared", "per-instance"])));
    }
    let ledger = draw.one_of(&["none", "per-instance", "shared"]);
    set("state.ledger", format!("\"{ledger}\""));
    if ledger != "none" {
        set("state.spends", format!("\"{}\"", draw.one_of(&["before", "after"])));
        set("state.remembers", draw.coin().to_string());
    }
    set("state.on_outage", format!("\"{}\"", draw.one_of(&["closed", "open"])));
    if draw.below(3) == 0 {
        set("people.stale_tabs", draw.one_of(&["0.5", "1.0"]).to_owned());
        set("people.stale_after", draw.one_of(&["\"10s\"", "\"1m\"", "\"1h\""]).to_owned());
    }
    if draw.below(3) == 0 {
        let (at, lasts) = (draw.below(500), 1 + draw.below(200));
        written.text.push_str(&format!("[[fault]]\nstore-outage = {{ at = \"{at}s\", lasts = \"{lasts}s\" }}\n"));
    }
    written.read()
}
