//! What the swarm draws of asking: the body and its steps, who can be asked and what is done where nobody can, what is
//! typed and who sees it. Each is switched by a draw of its own.

use super::{MS, Maker, S};

/// Forms that an ask can name: by file, what it holds, and a right and a wrong answer.
pub(super) const FORMS: [(&str, &str, &str, &str); 4] = [
    ("seat.json", SEAT, r#"{"seat":"window"}"#, r#"{"seat":"middle"}"#),
    // Wrong and yet legal: nobody can catch it.
    ("seat-too.json", SEAT, r#"{"seat":"window"}"#, r#"{"seat":"aisle"}"#),
    ("key.json", KEY, r#"{"value":"typed"}"#, "{}"),
    ("nested.json", NESTED, "{}", "{}"),
];

const SEAT: &str =
    r#"{"type":"object","properties":{"seat":{"type":"string","enum":["window","aisle"]}},"required":["seat"]}"#;
const KEY: &str = r#"{"message":"Paste your API key","requestedSchema":{"type":"object",
    "properties":{"value":{"type":"string"}},"required":["value"]}}"#;
const NESTED: &str = r#"{"type":"object","properties":{"a":{"type":"object","properties":{}}}}"#;

const EVERYTHING: &str =
    "{ elicitation = { form = {}, url = {} }, sampling = { tools = {}, context = {} }, roots = {} }";

/// A body described in steps.
#[derive(Default)]
struct Steps {
    lines: Vec<String>,
    asks: u64,
    asks_by_link: bool,
    /// Whether every ask so far is for a secret.
    all_secret: bool,
}

impl Maker {
    /// Any tool that can be described; more of those with links if `links` is set.
    pub(super) fn any_tool(&mut self, links: bool) {
        let bodies = ["submit_expense", "submit_expense", "choose_seat", "transfer_funds", "book_trip"];
        let body = match self.draw.below(8) {
            0..4 if links => "connect_calendar",
            0..5 => self.draw.one_of(&bodies),
            _ => "steps",
        };
        self.line(&format!("[tool]\nbody = \"{body}\""));
        if self.draw.coin() {
            self.line("amount.uniform = { from = 10, to = 500 }");
        }
        let mut policies = vec!["reject", "fail-open", "hide-tool"];
        match body {
            "steps" => {
                let steps = self.steps();
                self.line(&format!("step = [{}]", steps.lines.join(", ")));
                policies.extend(steps.asks_by_link.then_some("downgrade-to-form"));
                policies.extend(steps.all_secret.then_some("from-configuration"));
            }
            _ => self.work(),
        }
        match body {
            "submit_expense" => policies.extend(["tool-error-with-fallback", "host-approval"]),
            "connect_calendar" => policies.extend(["downgrade-to-form", "from-configuration"]),
            _ => {}
        }
        let (unable, on_invalid) = (self.draw.one_of(&policies), self.draw.one_of(&["refuse", "ask-again"]));
        let effects_in_state = self.draw.coin();
        self.line(&format!("unable = \"{unable}\"\non_invalid = \"{on_invalid}\""));
        self.line(&format!("effects_in_state = {effects_in_state}"));
        if self.draw.coin() {
            self.seen_by();
        }
    }

    fn seen_by(&mut self) {
        let parties = ["client-log", "host-trace", "model-context", "proxy", "server-log", "audit-trail"];
        let first = self.draw.one_of(&parties);
        let seen: Vec<&str> = parties.into_iter().filter(|&party| party == first || self.draw.coin()).collect();
        self.line(&format!("seen_by = {seen:?}"));
    }

    fn steps(&mut self) -> Steps {
        let secretive = self.draw.below(3) == 0;
        let mut steps = Steps { all_secret: true, ..Steps::default() };
        for _ in 0..=self.draw.below(6) {
            let step = match self.draw.below(4) {
                0 => {
                    let mean = self.draw.one_of(&[0, 5 * MS, 2 * S]);
                    format!("{{ work.exponential.mean = {} }}", self.time(mean))
                }
                1 => format!("{{ post = \"{}\" }}", self.draw.one_of(&["one", "other"])),
                _ => self.ask(&mut steps, secretive),
            };
            steps.lines.push(step);
        }
        steps
    }

    fn ask(&mut self, steps: &mut Steps, secretive: bool) -> String {
        steps.asks += 1;
        let kind = self.draw.one_of(&[
            "form",
            "form",
            "form",
            "form",
            "form",
            "url",
            "url",
            "sampling",
            "sampling-tools",
            "sampling-context",
            "roots",
        ]);
        steps.asks_by_link |= kind == "url";
        let sensitive = secretive || self.draw.below(4) == 0;
        steps.all_secret &= sensitive;
        let mut ask = format!("key = \"ask-{}\", kind = \"{kind}\", sensitive = {sensitive}", steps.asks);
        let form = self.draw.below(3) > 0 && kind == "form";
        let (file, _, typed, mistyped) = self.draw.one_of(&FORMS);
        if form && (file != "nested.json" || self.draw.below(3) == 0) {
            ask += &format!(", form = \"{file}\", typed = '{typed}', mistyped = '{mistyped}'");
        } else if self.draw.coin() {
            let message = self.draw.one_of(&["Go on?", "Type what is on the card", "Paste your access token"]);
            ask += &format!(", message = \"{message}\"");
        }
        format!("{{ ask = {{ {ask} }} }}")
    }

    /// How often people answer wrongly; only now and then at all.
    pub(super) fn wrong_tries(&mut self) {
        if self.draw.coin() {
            let tries = self.draw.one_of(&["constant = 1", "constant = 3", "uniform = { from = 0, to = 4 }"]);
            self.line(&format!("wrong_tries.{tries}"));
        }
    }

    /// What clients declare and what they really do.
    pub(super) fn any_clients(&mut self) {
        for key in self.kind(8) {
            self.line(&key);
        }
        if self.draw.coin() {
            let most = self.draw.below(4);
            self.line(&format!("max_reasks = {most}"));
        }
        for name in ["calls_again", "truthful"] {
            let share = self.draw.one_of(&["0.0", "0.5", "1.0", "1.0"]);
            self.line(&format!("model.{name} = {share}"));
        }
        if self.draw.coin() {
            let shares = self.draw.one_of(&[&["1"][..], &["0.5", "0.5"], &["0.25", "0.5", "0.25"], &["0.25"; 4]]);
            let mut kinds = Vec::new();
            for (place, share) in shares.iter().enumerate() {
                let said = [format!("name = \"kind-{place}\", share = {share}")].into_iter().chain(self.kind(2));
                kinds.push(format!("{{ {} }}", said.collect::<Vec<_>>().join(", ")));
            }
            self.line(&format!("mix = [{}]", kinds.join(", ")));
        }
    }

    /// What one kind of client says of itself; one in `says_what_it_does` says what it does with an ask.
    fn kind(&mut self, says_what_it_does: u64) -> Vec<String> {
        let mut said = Vec::new();
        if self.draw.below(3) > 0 {
            said.push(format!("capabilities = {}", self.capabilities()));
        }
        if self.draw.below(4) == 0 {
            said.push(format!("capabilities_on_retry = {}", self.capabilities()));
        }
        if self.draw.below(says_what_it_does) == 0 {
            let (hang, cancel) = (self.draw.one_of(&[10 * S, 60 * S, 180 * S]), self.draw.one_of(&[0, 50 * MS, 5 * S]));
            let does = match self.draw.below(4) {
                0..2 => "show = true".to_owned(),
                2 => format!("hang = {}", self.time(hang)),
                _ => format!("cancel = {}", self.time(cancel)),
            };
            said.push(format!("on_ask = {{ {does} }}"));
        }
        for name in ["checks_answers", "screens_forms", "inspects_links"] {
            if self.draw.coin() {
                said.push(format!("{name} = {}", self.draw.coin()));
            }
        }
        said
    }

    fn capabilities(&mut self) -> &'static str {
        self.draw.one_of(&[
            EVERYTHING,
            EVERYTHING,
            EVERYTHING,
            "{}",
            "{ elicitation = {} }",
            "{ elicitation = { form = {}, url = {} } }",
            "{ elicitation = { url = {} }, roots = {} }",
            "{ elicitation = {}, sampling = {} }",
            "{ elicitation = {}, sampling = { tools = {} }, roots = {} }",
        ])
    }
}
