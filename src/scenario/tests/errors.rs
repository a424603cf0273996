//! One sentence per kind of mistake in a single key: what is said, where, and which word is offered instead.

use super::*;

/// Checks `start`, and that each of `parts` is said.
fn says(text: &str, start: &str, parts: &[&str]) {
    let said = only(text);
    assert!(said.starts_with(start), "{text}\nsaid: {said}\nnot:  {start}");
    for part in parts {
        assert!(said.contains(part), "{text}\nsaid: {said}\nnot:  {part}");
    }
}

/// A scenario whose second line is `line`.
fn with(line: &str) -> String {
    format!("{SMALLEST}{line}\n")
}

#[test]
fn one_error_is_rendered_as_cargo_does() {
    let expected = r#"error: `run.horizon` takes a duration
 --> x.toml:3:11
  |
3 | horizon = 60 # é
  |           ^^ the unit is missing
  |
  = help: for seconds write "60s"
  = help: a duration is a number with a unit (ns, us, ms, s, m, h, d), also combined: "250ms", "45s", "1h30m"

1 problem in x.toml
"#;
    assert_eq!(invalid("name = \"a\"\n[run]\nhorizon = 60 # é\n").render(false), expected);
}

#[test]
fn a_file_with_eight_errors_reports_all_eight() {
    let text = "nam = \"a\"\nseed = -1\n[run]\nhorizon = 60\nstop = \"cohrt\"\n[people]\nsilent = 2\n\
                [balancer]\nredispatch = \"yes\"\n[[fault]]\nkill = { at = \"1s\", select = \"some\" }\n";
    let invalid = invalid(text);
    let lines: Vec<usize> = invalid.problems().iter().map(|problem| invalid.place(problem).line).collect();
    assert_eq!(lines, [1, 1, 2, 4, 5, 7, 9, 11], "{invalid}");
}

#[test]
fn a_missing_name_is_reported() {
    says("", "1:1 `name` is missing", &["a plain word"]);
}

#[test]
fn a_name_that_is_no_plain_word_is_refused() {
    says("name = \"A b\"", "1:8 `name` takes a plain word | `A` is not allowed", &["a-z"]);
    says("name = \"\"", "1:8 `name` takes a plain word | the text is empty", &[]);
    says(&format!("name = \"{}\"", "a".repeat(65)), "1:8 `name` takes a plain word | longer than 64", &[]);
    says("name = \"../a\"", "1:8 `name`", &["`.` is not allowed"]);
}

#[test]
fn an_unknown_key_is_met_with_the_nearest_and_with_all() {
    says(&with("sed = 1"), "2:1 unknown key `sed` at the top", &["did you mean `seed`?", "`replications`"]);
    says(&with("run.horizn = \"1h\""), "2:5 unknown key `horizn` in `run`", &["did you mean `horizon`?", "`warm_up`"]);
    says(&with("threads = 1"), "2:1 unknown key `threads` at the top", &["did you mean `fleet.threads`?"]);
    says(&with("people.think.gamma = {}"), "2:14 unknown key `gamma` in `people.think`", &["`lognormal`"]);
    says(&with("clients.capabilities = { samplin = {} }"), "2:26 unknown key `samplin`", &["did you mean `sampling`?"]);
    says(&with("clients.capabilities.elicitation = { link = {} }"), "2:38 unknown key `link`", &["`form`"]);
}

#[test]
fn an_unknown_word_is_met_with_the_nearest_and_with_all() {
    says(
        &with("run.stop = \"cohrt\""),
        "2:12 `run.stop` takes one of a few words | `cohrt` is not one of them",
        &["did you mean \"cohort\"?", "\"horizon\""],
    );
    says(&with("designs = [\"waiting\", \"carying\"]"), "2:23 `designs`", &["did you mean \"carrying\"?"]);
    says(&with("fleet.queue = \"non\""), "2:15 `fleet.queue`", &["did you mean \"none\"?"]);
}

#[test]
fn a_value_of_another_type_is_named() {
    says(&with("seed = \"7\""), "2:8 `seed` takes a whole number", &["found text `7`", "without quotes"]);
    says(&with("seed = 1.5"), "2:8 `seed`", &["found the number `1.5`"]);
    says(&with("question = 1"), "2:12 `question` takes text | found the number `1`", &["quotes"]);
    says(&with("run = 1"), "2:7 `run` takes a table | found the number `1`", &[]);
    says(&with("designs = \"waiting\""), "2:11 `designs` takes a list", &["found text"]);
    says(
        &with("balancer.redispatch = \"true\""),
        "2:23 `balancer.redispatch` takes true or false",
        &["without quotes"],
    );
    says(&with("fault = 1"), "2:9 `fault` takes a list of tables", &[]);
    says(&with("fault = [1]"), "2:10 `fault` takes a list of tables", &[]);
    says(&with("people.think = \"45s\""), "2:16 `people.think` takes a distribution of times", &["constant"]);
    says(&with("run.stop = 1979-05-27"), "2:12 `run.stop`", &["a date or time"]);
}

#[test]
fn numbers_out_of_bounds_are_refused_with_the_bound() {
    says(&with("seed = -1"), "2:8 `seed`", &["the smallest accepted is 0"]);
    says(&with("seed = 9223372036854775808"), "2:8 `seed`", &["the largest accepted is 9223372036854775807"]);
    says(&with("format = 2"), "2:10 `format` takes the number 1", &[]);
    says(&with("replications = 0"), "2:16 `replications`", &["the smallest accepted is 1"]);
    says(&with("replications = 100001"), "2:16 `replications`", &["the largest accepted is 100000"]);
    says(&with("fleet.instances = 65536"), "2:19 `fleet.instances`", &["65535"]);
    says(&with("fleet.threads = 0"), "2:17 `fleet.threads`", &["the smallest accepted is 1"]);
    says(&with("people.silent = 1.5"), "2:17 `people.silent` takes a share", &["0.05 for 5 %"]);
    says(&with("people.silent = nan"), "2:17 `people.silent`", &["not a finite number"]);
    says(&with("clients.max_rounds = 101"), "2:22 `clients.max_rounds`", &["100"]);
    says(
        &with("clients.resend_pause = \"0s\"\nclients.on_not_found = \"resend\"\nfleet.misroute = \"not-found\""),
        "2:24 `clients.resend_pause`",
        &["above zero"],
    );
}

#[test]
fn a_duration_without_a_known_unit_is_refused() {
    says(&with("run.horizon = 60"), "2:15 `run.horizon` takes a duration | the unit is missing", &["\"60s\""]);
    says(&with("run.horizon = \"60\""), "2:15 `run.horizon` takes a duration | the unit is missing", &["\"60s\""]);
    says(&with("run.horizon = \"1M\""), "2:15 `run.horizon`", &["`M` is not a unit", "a minute is \"m\""]);
    says(&with("run.horizon = \"-5s\""), "2:15 `run.horizon`", &["cannot be negative"]);
    says(&with("run.horizon = \"10000d\""), "2:15 `run.horizon`", &["nine years"]);
    says(&with("state.ttl = \"never\""), "2:13 `state.ttl` takes a duration or \"none\"", &["the word \"none\""]);
}

#[test]
fn a_rate_without_a_unit_or_of_zero_is_refused() {
    let rate = |rate: &str| with(&format!("arrivals.poisson.rate = {rate}"));
    says(&rate("5"), "2:25 `arrivals.poisson.rate` takes a rate above 0 | the unit is missing", &["\"5/s\""]);
    says(&rate("\"5\""), "2:25 `arrivals.poisson.rate`", &["the unit is missing"]);
    says(&rate("\"0/s\""), "2:25 `arrivals.poisson.rate`", &["must be above 0"]);
    says(&rate("\"5/w\""), "2:25 `arrivals.poisson.rate`", &["`/w` is not a unit of rates"]);
}

#[test]
fn an_impossible_distribution_is_refused_at_its_variant() {
    says(
        &with("people.think.uniform = { from = \"9s\", to = \"1s\" }"),
        "2:24 `people.think.uniform` is not a possible",
        &[],
    );
    says(&with("people.think = {}"), "2:16 `people.think` takes exactly one", &["`lognormal`"]);
    says(
        &with("people.think = { constant = \"1s\", never = true }"),
        "2:35 `people.think` takes exactly one",
        &["keep"],
    );
    says(&with("people.think.lognormal = { median = \"1s\" }"), "2:26 `people.think.lognormal`", &["has median"]);
    says(&with("people.think.constant = 45"), "2:25 `people.think.constant`", &["the unit is missing"]);
    says(&with("tool.amount.constant = \"45s\""), "2:24 `tool.amount.constant`", &["found text"]);
    says(&with("tool.work_before.never = true"), "2:6 `tool.work_before`", &["`never` has no meaning here"]);
    says(&with("people.think.never = false"), "2:22 `people.think.never`", &["says nothing"]);
    says(
        &with("people.think.mixture = [{ weight = 0, constant = \"1s\" }]"),
        "2:36 `people.think.mixture.0.weight` takes a number above 0",
        &[],
    );
    says(
        &with("people.think.mixture = [{ constant = \"1s\" }]"),
        "2:25 `people.think.mixture.0.weight` is missing",
        &[],
    );
}

#[test]
fn text_that_is_no_toml_is_reported_with_every_broken_line() {
    let invalid = invalid("name = \"a\"\nseed = \nreplications = x\n[run]\nhorizon = 1h\nstop = \"x\"\n");
    let lines: Vec<_> = invalid.problems().iter().map(|problem| invalid.place(problem).line).collect();
    assert_eq!(lines, [2, 3, 5, 6], "{invalid}");
}

#[test]
fn below_a_broken_header_nothing_is_judged() {
    says("name = \"a\"\n[run\nhorizon = \"2h\"\n", "2:", &["unclosed table"]);
}

#[test]
fn a_key_written_twice_is_refused() {
    says("name = \"a\"\nname = \"b\"\n", "2:1 this is not TOML | duplicate key", &[]);
}

#[test]
fn columns_count_characters_and_survive_windows_line_ends_and_a_byte_order_mark() {
    says("\u{feff}name = \"a\"\r\nquestion = \"é?\"\r\nseed = -1\r\n", "3:8 `seed`", &[]);
    says("\u{feff}name = 1", "1:8 `name`", &[]);
    says(&with("run = { stop = \"cohort\", horizon = \"é\" }"), "2:36 `run.horizon`", &[]);
    says(&with("people = { decide = { \"é\" = 1 }, silent = 0 }"), "2:23 unknown key `é`", &[]);
    assert_eq!(legal("\u{feff}name = \"a\"\r\n[run]\r\nhorizon = \"1h\"\r\n"), legal(SMALLEST));
}

#[test]
fn nothing_of_the_user_reaches_a_terminal_as_a_command() {
    let text = "name = \"a\"\n\"\u{1b}[2J\\u001b[31m\\u202e\" = 1 # \u{9b}31m\u{202e}\u{7}\n";
    let source = Source { name: "evil\u{1b}]0;x\u{7}\n\u{202e}.toml".into(), text: text.into() };
    let shown = parse(source, &[], &NoFiles).unwrap_err().render(false);
    let bad = shown.chars().find(|c| super::super::problem::steers(*c) && *c != '\n');
    assert_eq!(bad, None, "{shown:?}");
}

#[test]
fn a_line_without_end_is_shown_in_part_and_its_column_is_right() {
    let text = format!("name = \"a\"\nquestion = \"{}\" x\n", "é".repeat(100_000));
    let shown = invalid(&text).render(false);
    assert!(shown.contains("x.toml:2:100015") && shown.len() < 5_000, "{}", shown.len());
}

#[test]
fn colour_is_added_only_when_asked_for() {
    let invalid = invalid("");
    assert!(invalid.render(true).contains('\u{1b}') && !invalid.render(false).contains('\u{1b}'));
}

#[test]
fn of_very_many_problems_the_first_are_shown_and_all_are_counted() {
    let text: String = (0..1_000).map(|i| format!("k{i} = 1\n")).collect();
    let invalid = invalid(&text);
    assert_eq!(invalid.problems().len(), 200);
    assert!(invalid.render(false).ends_with("1001 problems in x.toml, the first 200 found are shown\n"));
}
