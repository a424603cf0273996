//! `--set key=value`.

use super::*;
use crate::engine::SimTime;
use crate::random::Distribution;
use crate::scenario::Arrivals;
use crate::scenario::Place;

fn set(text: &str, words: &[&str]) -> Result<Scenario, Invalid> {
    let words: Vec<String> = words.iter().map(|word| (*word).to_string()).collect();
    parse(source(text), &words, &NoFiles)
}

fn meant(text: &str, words: &[&str]) -> Scenario {
    set(text, words).unwrap_or_else(|invalid| panic!("{invalid}"))
}

#[test]
fn an_override_means_what_the_file_would() {
    let file =
        "name = \"a\"\nseed = 7\n[run]\nhorizon = \"2h\"\n[fleet]\nnames = [\"A\"]\n[clients]\npatience = \"none\"\n";
    let words = ["seed=7", "run.horizon=2h", "fleet.names=[\"A\"]", "clients.patience=none"];
    assert_eq!(meant(SMALLEST, &words), legal(file));
    assert_eq!(meant(file, &["run.horizon=3h"]).run.horizon, SimTime::from_ns(10_800_000_000_000));
}

#[test]
fn the_last_of_two_overrides_wins() {
    assert_eq!(meant(SMALLEST, &["seed=1", "seed=2"]).seed, 2);
}

#[test]
fn an_override_replaces_the_other_variants_of_the_same_choice() {
    let file =
        "name = \"a\"\npeople.think.lognormal = { median = \"1s\", sigma = 1 }\n[arrivals]\npoisson.rate = \"1/s\"\n";
    let scenario = meant(file, &["people.think.constant=60s", "arrivals.at=[\"1s\"]"]);
    assert_eq!(scenario.people.think, Distribution::constant(60.0).unwrap());
    assert_eq!(scenario.arrivals, Arrivals::At(vec![SimTime::from_ns(1_000_000_000)]));
    let scenario = meant(file, &["people.think.lognormal.median=30s"]);
    assert_eq!(scenario.people.think, Distribution::lognormal_median_sigma(30.0, 1.0).unwrap());
}

#[test]
fn an_element_of_a_list_is_named_by_its_number() {
    let file = "name = \"a\"\n[[fault]]\nkill = { at = \"1m\", select = \"all\" }\n";
    let inline = "name = \"a\"\nfault = [{ kill = { at = \"2m\", select = \"all\" } }]\n";
    assert_eq!(meant(file, &["fault.0.kill.at=2m"]), legal(inline));
    assert_eq!(meant(inline, &["fault.0.kill.at=1m"]), legal(file));
    let said = one_of(&set(file, &["fault.kill.at=2m"]).unwrap_err());
    assert!(said.contains("name an element by its number, `fault.0`"), "{said}");
    assert!(set(file, &["fault.1.kill.at=2m"]).is_err());
    assert!(set(file, &["fault.0=2m"]).is_err());
}

#[test]
fn an_override_reaches_into_kinds_of_clients_and_steps() {
    let mix = |kind: &str| format!("name = \"a\"\nclients.mix = [{{ name = \"a\", share = 1{kind} }}]\n");
    let words = ["clients.mix.0.on_ask.hang=60s", "clients.mix.0.capabilities.roots={}"];
    let kind = ", on_ask.hang = \"60s\", capabilities = { elicitation = {}, roots = {} }";
    assert_eq!(meant(&mix(", on_ask.show = true, capabilities.elicitation = {}"), &words), legal(&mix(kind)));
    let steps = |step: &str| format!("name = \"a\"\ntool.body = \"steps\"\n[[tool.step]]\n{step}\n");
    assert_eq!(meant(&steps("post = \"a\""), &["tool.step.0.ask.key=b"]), legal(&steps("ask.key = \"b\"")));
    let said = one_of(&set(SMALLEST, &["clients.mix.0.share=1"]).unwrap_err());
    assert!(said.contains("the scenario has no `clients.mix` yet"), "{said}");
}

#[test]
fn a_bad_word_is_shown_as_a_problem() {
    for word in ["seed", "=1", "a..b=1", "name.x=1", "é=1", "", &"a.".repeat(99)] {
        let invalid = set(SMALLEST, &["seed=1", word]).expect_err(word);
        assert_eq!(invalid.source().name, "--set");
        assert!(one_of(&invalid).starts_with("2:1 `--set "), "{invalid}");
    }
}

#[test]
fn problems_of_an_override_point_into_the_edited_text() {
    let invalid = set("name = \"a\"\n[run]\n", &["run.horizon=60", "bogus=1"]).unwrap_err();
    assert_eq!(invalid.source().name, "x.toml (changed by the command line)");
    for problem in invalid.problems() {
        let at = &invalid.source().text[problem.span.clone()];
        assert!(at == "60" || at == "bogus", "{at}");
    }
    assert_eq!(invalid.problems().len(), 2);
}

#[test]
fn a_file_that_is_no_toml_is_reported_before_its_overrides() {
    let invalid = set("name = \n", &["seed=1"]).unwrap_err();
    assert_eq!(invalid.source().name, "x.toml");
    assert!(one_of(&invalid).starts_with("1:"));
}

#[test]
fn a_mistake_of_the_file_is_shown_where_it_stands_in_the_file() {
    let text = "name = \"a\"\nreplications = 2\n\n[fleet]\ninstances = 0\n";
    let words = ["replications=3".to_string()];
    let invalid = parse(source(text), &words, &NoFiles).unwrap_err();
    assert_eq!(invalid.source().name, "x.toml", "nothing that the command line changed is wrong");
    assert_eq!(invalid.place(&invalid.problems()[0]), Place { line: 5, column: 13 });
    let words = ["replications=0".to_string()];
    let both = parse(source(text), &words, &NoFiles).unwrap_err().render(false);
    assert!(both.contains(" x.toml:5:13") && both.contains(" x.toml (changed by the command line):2:"), "{both}");
}
