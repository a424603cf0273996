//! What the swarm draws of links and the pages behind them, and of what is done to states on their way back. Each is
//! switched by a draw of its own.

use super::{HORIZON, Maker, S};

const SAFE: &str = "https://mcp.example.com/connect";
const DANGEROUS: [&str; 2] = ["https://mcp.example.com@evil.example/connect", "javascript:alert(1)"];

impl Maker {
    /// Links whose pages are finished soon, by who was asked. Times are said, so that they stretch.
    pub(super) fn plain_links(&mut self) {
        let (page, poll, life) = (self.time(2 * S), self.time(5 * S), self.time(600 * S));
        self.line(&format!("[links]\npage.exponential.mean = {page}\nunfinished.poll = {poll}\nlife = {life}"));
    }

    /// How many people there are.
    pub(super) fn users(&mut self) {
        if self.draw.coin() {
            let users = self.draw.one_of(&[1, 5, 40]);
            self.line(&format!("users = {users}"));
        }
    }

    /// The rest of `[state]`, then everything that can be said of links and attacks.
    pub(super) fn bindings_links_and_attacks(&mut self) {
        for name in ["binds_principal", "binds_request", "key_id", "remembers"] {
            if self.draw.below(3) == 0 {
                let bound = self.draw.coin();
                self.line(&format!("{name} = {bound}"));
            }
        }
        let ledger = self.draw.one_of(&["none", "per-instance", "shared"]);
        let on_outage = self.draw.one_of(&["closed", "open"]);
        self.line(&format!("ledger = \"{ledger}\"\non_outage = \"{on_outage}\""));
        self.any_links();
        if self.draw.coin() {
            self.attack();
        }
    }

    fn any_links(&mut self) {
        let page = self.page();
        let pause = self.draw.one_of(&[S, 5 * S, 25 * S]);
        let unfinished = match self.draw.below(4) {
            0 | 1 => format!("poll = {}", self.time(pause)),
            2 => self.draw.one_of(&["manual = true", "notify = true"]).to_owned(),
            _ => "block = true".to_owned(),
        };
        self.line(&format!("[links]\npage.{page}\nunfinished = {{ {unfinished} }}"));
        let pending = self.draw.one_of(&["shared", "memory", "sealed"]);
        let check = self.draw.one_of(&["none", "signed-state-only", "session-if-present", "session-required"]);
        let life = self.draw.one_of(&[0, 20 * S, 600 * S]);
        let life = if life == 0 { "\"none\"".to_owned() } else { self.time(life) };
        let hops = 1 + self.draw.below(2);
        self.line(&format!("pending = \"{pending}\"\ncheck = \"{check}\"\nlife = {life}\nhops = {hops}"));
        for name in ["sessions", "forwarded", "repeated"] {
            if self.draw.coin() {
                let share = self.draw.one_of(&["0.0", "0.25", "0.5", "1.0"]);
                self.line(&format!("{name} = {share}"));
            }
        }
        let address = if self.draw.below(6) == 0 { self.draw.one_of(&DANGEROUS) } else { SAFE };
        self.line(&format!("address = \"{address}\""));
    }

    fn page(&mut self) -> String {
        let mean = self.draw.one_of(&[S, 10 * S, 30 * S]);
        let mean = self.time(mean);
        match self.draw.below(5) {
            0 => "constant = \"0s\"".to_owned(),
            1 => format!("constant = {mean}"),
            2 => format!("exponential = {{ mean = {mean} }}"),
            3 => format!("lognormal = {{ median = {mean}, sigma = 0.8 }}"),
            _ => format!(
                "mixture = [{{ weight = 0.75, exponential = {{ mean = {mean} }} }}, {{ weight = 0.25, never = true }}]"
            ),
        }
    }

    fn attack(&mut self) {
        self.line("[attack]");
        for name in ["tampered", "stolen", "other_call", "late", "replayed"] {
            if self.draw.coin() {
                let share = self.draw.one_of(&["0.0625", "0.125", "0.2"]);
                self.line(&format!("{name} = {share}"));
            }
        }
        let times = 1 + self.draw.below(4);
        self.line(&format!("times = {times}"));
    }

    /// When the shared store of used states cannot be asked.
    pub(super) fn outage(&mut self) {
        if self.draw.below(3) == 0 {
            let (at, lasts) = (self.draw.below(601) * S, self.draw.one_of(&[30 * S, HORIZON]));
            let (at, lasts) = (self.time(at), self.time(lasts));
            self.line(&format!("[[fault]]\nstore-outage = {{ at = {at}, lasts = {lasts} }}"));
        }
    }
}
