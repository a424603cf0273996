//! Rules that span several keys: each contradiction is refused with its place and its reason.

use super::*;
use crate::scenario::{Misroute, OnNotFound, Start};

fn says(line: &str, start: &str, part: &str) {
    let said = only(&format!("{SMALLEST}{line}\n"));
    assert!(said.starts_with(start) && said.contains(part), "{line}\nsaid: {said}");
}

#[test]
fn warm_up_must_end_before_the_horizon() {
    says("run = { horizon = \"1m\", warm_up = \"1m\" }", "2:35 nothing would be measured", "below the horizon");
    says("run.horizon = \"0s\"", "2:15 nothing would be measured", "above zero");
    legal(&format!("{SMALLEST}run = {{ horizon = \"1m\", warm_up = \"59s\" }}"));
}

#[test]
fn shares_of_decisions_add_up_to_one() {
    says("people.decide = { accept = 0.5, decline = 0.3 }", "2:17 the shares of", "cancel 0.02 (default)");
    let decide =
        legal(&format!("{SMALLEST}people.decide = {{ accept = 0.7, decline = 0.2, cancel = 0.1 }}")).people.decide;
    assert_eq!(decide.accept, 0.7);
}

#[test]
fn exactly_one_kind_of_arrivals_is_taken() {
    says("arrivals = { at = [\"0s\"], poisson = {} }", "2:27 `arrivals` takes exactly one", "`at` is written already");
}

#[test]
fn a_profile_ascends_covers_the_horizon_and_is_not_silent() {
    let profile = |pieces: &str| format!("arrivals.profile = [{pieces}]");
    let full = r#"{ until = "30m", rate = "0/s" }, { until = "1h", rate = "2/s" }"#;
    legal(&format!("{SMALLEST}{}", profile(full)));
    says(&profile(r#"{ until = "30m", rate = "1/s" }"#), "2:20 `arrivals.profile` does not cover", "run.horizon");
    says(&profile(r#"{ until = "1h", rate = "0/s" }"#), "2:20 no call would ever arrive", "every rate");
    let back = r#"{ until = "1h", rate = "1/s" }, { until = "1h", rate = "1/s" }"#;
    says(&profile(back), "2:63 `arrivals.profile.1.until`", "not after the end of the piece before");
    says("arrivals.profile = []", "2:20 `arrivals.profile` does not cover", "");
}

#[test]
fn instants_ascend_and_stay_within_the_run() {
    says("arrivals.at = [\"5s\", \"1s\"]", "2:22 `arrivals.at`", "must ascend");
    says("arrivals.at = [\"2h\"]", "2:16 `arrivals.at`", "after the horizon");
    says("arrivals.at = []", "2:15 no call would ever arrive", "empty");
    let at = legal(&format!("{SMALLEST}arrivals.at = [\"1s\", \"1s\", \"1h\"]")).arrivals;
    assert!(matches!(at, crate::scenario::Arrivals::At(instants) if instants.len() == 3));
}

#[test]
fn more_calls_than_can_be_numbered_are_refused() {
    says("run.horizon = \"5s\"\narrivals.poisson.rate = \"1000000000/s\"", "3:25 too many calls", "5000000000 calls");
    legal(&format!("{SMALLEST}run.horizon = \"2s\"\narrivals.poisson.rate = \"1000000000/s\""));
}

#[test]
fn a_queue_where_nobody_waits_is_refused() {
    says("fleet = { threads = \"unlimited\", queue = 5 }", "2:42 `fleet.queue` contradicts", "no call ever waits");
    says(
        "fleet = { threads = \"unlimited\", queue = \"none\" }",
        "2:42 `fleet.queue` contradicts",
        "no call ever waits",
    );
    // The same as leaving it out, so it contradicts nothing.
    legal(&format!("{SMALLEST}fleet = {{ threads = \"unlimited\", queue = \"unlimited\" }}"));
}

#[test]
fn a_reaction_can_be_set_before_the_reply_that_it_reacts_to() {
    // A sweep or `--set` may switch the reply on later.
    let scenario = legal(&format!("{SMALLEST}clients = {{ on_not_found = \"fail\", max_resends = 3 }}"));
    assert_eq!((scenario.clients.on_not_found, scenario.clients.max_resends), (OnNotFound::Fail, 3));
    assert_eq!(scenario.fleet.misroute, Misroute::Swallowed);
}

#[test]
fn a_list_without_repetition_has_none() {
    says("designs = [\"waiting\", \"waiting\"]", "2:23 `designs`", "already");
    says("designs = []", "2:11 `designs`", "empty");
    says("fleet.names = [\"A\", \"A\"]", "2:21 `fleet.names`", "already");
}

#[test]
fn names_fit_the_number_of_instances() {
    says("fleet = { instances = 3, names = [\"A\", \"B\"] }", "2:34 `fleet.names` must name every", "is 3");
    says("fleet.names = [\"\"]", "2:16 `fleet.names`", "1 to 32 printable");
    says("fleet.names = [\"a\\u001b\"]", "2:16 `fleet.names`", "1 to 32 printable");
    says("fleet.names = []", "2:15 `fleet.names` must name every", "0 names");
    assert_eq!(legal(&format!("{SMALLEST}fleet.names = [\"A\", \"Ünï\"]")).fleet.instances, ["A", "Ünï"]);
}

#[test]
fn a_fault_hits_instances_that_exist_within_the_run() {
    let kill = |at: &str, select: &str| format!("fault = [{{ kill = {{ at = \"{at}\", select = \"{select}\" }} }}]");
    says(&kill("2h", "all"), "2:26 `fault.0.kill.at`", "after the horizon");
    says(&kill("1h", "count:4"), "2:41 `fault.0.kill.select`", "the fleet has 3 instances");
    says(&kill("1h", "count:0"), "2:41 `fault.0.kill.select`", "at least 1");
    says(&kill("1h", "count:+1"), "2:41 `fault.0.kill.select`", "at least 1");
    says(&kill("1h", "instance:i4"), "2:41 `fault.0.kill.select`", "did you mean \"instance:i1\"?");
    says("fault = [{}]", "2:10 `fault.0` takes exactly one", "`kill`");
    says("fault = [{ kill = { at = \"1s\" } }]", "2:19 `fault.0.kill.select` is missing", "");
}

#[test]
fn what_a_wrong_key_touches_is_left_unjudged() {
    // The instant lies after the default horizon, but nobody knows which horizon was meant.
    says("run.horizon = \"9\"\narrivals.at = [\"5h\"]\nrun.warm_up = \"3h\"", "2:15 `run.horizon`", "unit");
}

#[test]
fn a_stationary_start_is_refused_where_the_steady_state_is_not_known() {
    let steady = "run.start = \"stationary\"\nfleet = { threads = \"unlimited\", misroute = \"not-found\" }\n\
                  balancer.stickiness = \"learned\"\n";
    assert_eq!(legal(&format!("{SMALLEST}{steady}")).run.start, Start::Stationary);
    for (line, reason) in [
        ("arrivals.constant = { rate = \"5/s\" }", "only Poisson arrivals"),
        ("people = { silent = 0.1 }\nclients.patience = \"none\"", "pile up"),
        ("people.think.weibull = { shape = 0.7, scale = \"1m\" }", "no closed form"),
        ("people.wrong_tries.constant = 1", "answers wrongly thinks again"),
        ("clients.on_ask.hang = \"60s\"", "clients that show nothing"),
        ("clients.capabilities = { elicitation = { url = {} } }", "cannot be asked"),
        ("tool.body = \"transfer_funds\"", "several questions"),
        (
            "tool = { body = \"steps\", step = [{ ask = { key = \"a\", message = \"Your password?\" } }] }",
            "reaches no person",
        ),
    ] {
        let said = only(&format!("{SMALLEST}{steady}{line}\n"));
        assert!(said.starts_with("2:13 ") && said.contains(reason), "{said}");
    }
    let rooted = "clients.capabilities.roots = {}\ntool = { body = \"steps\", step = [{ ask = { key = \"a\", kind = \"roots\" } }] }";
    let said = only(&format!("{SMALLEST}{steady}{rooted}\n"));
    assert!(said.contains("reaches no person"), "{said}");
    let unscreened = "clients.screens_forms = false\ntool = { body = \"steps\", step = [{ ask = { key = \"a\", message = \"Your password?\" } }] }";
    legal(&format!("{SMALLEST}{steady}{unscreened}\n"));
    for (with, without, reason) in [
        ("threads = \"unlimited\"", "threads = 9", "finite threads"),
        ("misroute = \"not-found\"", "misroute = \"swallowed\"", "swallowed answer"),
        ("stickiness = \"learned\"", "policy = \"random\"", "leaves its call parked"),
        ("stickiness = \"learned\"", "stickiness = \"none\"\nclients.on_not_found = \"fail\"", "round robin"),
    ] {
        let said = only(&format!("{SMALLEST}{}", steady.replace(with, without)));
        assert!(said.contains(reason), "{said}");
    }
}

#[test]
fn a_kill_is_judged_although_the_rest_of_the_fleet_is_wrong() {
    let text = "fleet.threads = 0\n[[fault]]\nkill = { at = \"1m\", select = \"instance:i9\" }\n";
    let said = invalid(&format!("{SMALLEST}{text}")).render(false);
    assert!(said.contains("no instance is named `i9`") && said.contains("`fleet.threads`"), "{said}");
}

#[test]
fn a_server_is_named_by_its_host_alone() {
    for bad in ["", "a b", "https://mcp.example.com", "mcp.example.com/connect"] {
        says(&format!("links.server = \"{bad}\""), "2:16 `links.server` takes text", "this is no host");
    }
}

#[test]
fn no_more_calls_are_attacked_than_there_are() {
    says("attack = { tampered = 0.7, stolen = 0.4 }", "2:10 the shares of `attack` must add up to at most 1", "1.1");
    legal(&format!("{SMALLEST}attack = {{ tampered = 0.7, stolen = 0.3 }}\n"));
}

#[test]
fn an_unfinished_page_is_met_in_one_way() {
    says("links.unfinished = {}", "2:20 `links.unfinished` takes exactly one of its keys", "none of them");
    says("links.unfinished = { manual = false }", "2:31 `links.unfinished.manual`", "says nothing");
    says(
        "links.unfinished = { poll = \"0s\" }",
        "2:29 `links.unfinished.poll` takes a duration above zero",
        "above zero",
    );
}
