//! The committed results are what an unchanged run writes, byte for byte; the README shows what the program prints.

use std::path::{Path, PathBuf};
use std::process::Command;

use parked::experiment::{self, Execution, Summary};
use parked::report::{self, Extras};
use parked::scenario;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn committed_results_are_what_an_unchanged_run_writes() {
    let mut compared = 0;
    for entry in std::fs::read_dir(root().join("scenarios")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let scenario = scenario::load(&path, &[]).unwrap();
        let cells = experiment::run(&scenario, Execution::default(), &()).unwrap();
        let fresh = tempfile::tempdir().unwrap();
        report::write(fresh.path(), &scenario, &Summary::of(&scenario, &cells), &Extras::default()).unwrap();
        let committed = root().join("results").join(&scenario.name);
        for name in ["manifest.toml", "summary.csv", "outcomes.svg"] {
            let read = |folder: &Path| std::fs::read_to_string(folder.join(name)).unwrap_or_default();
            assert_eq!(read(&committed), read(fresh.path()), "results/{}/{name}", scenario.name);
        }
        compared += 1;
    }
    assert!(compared >= 3, "only {compared} scenarios");
}

#[test]
fn the_readme_shows_the_table_that_reproduce_prints() {
    let ran = Command::new(env!("CARGO_BIN_EXE_parked")).arg("reproduce").output().unwrap();
    let printed = String::from_utf8(ran.stdout).unwrap();
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    assert!(
        readme.contains(&format!("<!-- reproduce -->\n```\n{printed}```")),
        "README.md shows another table than:\n{printed}"
    );
}

#[test]
fn the_readme_names_every_command_and_its_first_two_commands_are_the_promised_ones() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let help = Command::new(env!("CARGO_BIN_EXE_parked")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let commands: Vec<&str> = commands.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.len() > 5, "{help}");
    for command in commands.into_iter().filter(|command| *command != "help") {
        assert!(readme.contains(&format!("`parked {command}")), "README.md does not name `parked {command}`");
    }
    assert!(readme.contains("```\ncargo run --release -- run scenarios/instance-dies.toml\ncargo test\n```"));
}
