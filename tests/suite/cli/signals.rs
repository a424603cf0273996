//! A run that is interrupted keeps what was finished.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::{Desk, Said};

/// Starts a run that would take minutes, and waits until it has finished its first cells.
fn long_run(desk: &Desk) -> Child {
    let words = ["run", "short.toml", "--replications", "100000", "--set", "run.horizon=5m", "--threads", "1"];
    let mut command = desk.command(&words);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the program can be started");
    std::thread::sleep(Duration::from_secs(1));
    child
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill can be started");
    assert!(sent.success());
}

fn ended(child: Child) -> Said {
    Said::of(child.wait_with_output().expect("the program ends"))
}

fn folder(desk: &Desk) -> String {
    let files = desk.files("results");
    let manifest = files.iter().find(|file| file.ends_with("manifest.toml")).expect("a manifest");
    format!("results/{}", Path::new(manifest).parent().expect("a folder").display())
}

#[test]
fn an_interrupted_run_keeps_what_was_finished_and_says_so() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let desk = Desk::with_short();
        let child = long_run(&desk);
        send(signal, &child);
        let said = ended(child);
        assert_eq!(said.code, Some(code), "{}", said.err);
        assert!(said.out.contains("interrupted"), "{}", said.out);
        let manifest: toml::Table = desk.read(&format!("{}/manifest.toml", folder(&desk))).parse().expect("TOML");
        assert_eq!(manifest["complete"].as_bool(), Some(false));
        assert_eq!(manifest["replications_wanted"].as_integer(), Some(100_000));
        let finished = manifest["replications"].as_integer().expect("a number");
        assert!(0 < finished && finished < 100_000, "{finished}");
    }
}

#[test]
fn an_interrupted_run_leaves_a_complete_result_alone() {
    let desk = Desk::with_short();
    desk.parked(&["run", "short.toml"]).done();
    let complete = desk.read("results/short/manifest.toml");
    desk.put("short.toml", &desk.read("short.toml").replace("replications = ", "replications = 99999 # "));
    let mut command = desk.command(&["run", "short.toml", "--threads", "1"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program can be started");
    std::thread::sleep(Duration::from_secs(1));
    send("-INT", &child);
    assert_eq!(ended(child).code, Some(130));
    assert_eq!(desk.read("results/short/manifest.toml"), complete);
    let partial =
        desk.files("results/short").into_iter().find(|file| file.contains('/') && file.ends_with("manifest.toml"));
    let partial = desk.read(&format!("results/short/{}", partial.expect("a folder of its own")));
    assert!(partial.contains("complete = false") && partial.contains("99998"), "{partial}");
}
