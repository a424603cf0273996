//! The shipped scenarios, carried in the program so that they can be listed and reproduced wherever it runs.

use crate::scenario::{Files, Invalid, Scenario, Source, parse};

/// A scenario and the files it names.
pub(super) struct Shipped {
    /// Path below `scenarios/`.
    pub path: &'static str,
    text: &'static str,
    /// Path below `scenarios/` and text of each.
    files: &'static [(&'static str, &'static str)],
}

macro_rules! shipped {
    ($($path:literal $(with $file:literal)*),* $(,)?) => {
        &[$(Shipped {
            path: $path,
            text: include_str!(concat!("../../scenarios/", $path)),
            files: &[$(($file, include_str!(concat!("../../scenarios/", $file))))*],
        }),*]
    };
}

/// Every shipped scenario, by path.
pub(super) static ALL: &[Shipped] = shipped![
    "everything-at-once.toml",
    "instance-dies.toml",
    "own-keys.toml",
    "round-robin.toml",
    "the-whole-bill.toml",
    "field/a-grace-shorter-than-the-stream.toml",
    "field/a-key-for-each-process.toml",
    "field/a-key-swapped-replica-by-replica.toml",
    "field/a-release-asks-one-question-more.toml",
    "field/a-reply-that-never-came.toml",
    "field/a-restart-storm.toml",
    "field/a-state-used-again.toml",
    "field/an-approval-pins-a-connection.toml",
    "field/callback-at-another-instance.toml",
    "field/declared-ten-minutes.toml",
    "field/hashed-before-it-is-minted.toml",
    "field/keys-in-the-wrong-order.toml",
    "field/modern-outside-parked-inside.toml",
    "field/no-connection-left.toml",
    "field/nobody-says-goodbye.toml",
    "field/runs-again-from-the-top.toml",
    "field/says-yes-and-cannot-ask.toml",
    "field/somebody-else-opens-the-link.toml",
    "field/the-affinity-is-gone-round.toml",
    "field/the-edge-cuts-the-quiet-stream.toml",
    "field/the-form-outlives-the-call.toml",
    "field/the-ledger-is-out.toml",
    "field/the-owner-in-the-store-is-dead.toml",
    "real/c1.toml" with "real/c1.csv",
    "real/c2b.toml" with "real/c2b.csv",
    "real/c4.toml" with "real/c4.csv",
    "real/c6.toml" with "real/c6.csv",
    "real/w1a.toml" with "real/w1a.csv",
    "real/w3.toml" with "real/w3.csv",
    "real/w5.toml" with "real/w5.csv",
    "seed/attacked-state.toml",
    "seed/book-trip.toml",
    "seed/callback.toml",
    "seed/cloud-key.toml" with "seed/cloud-key.json",
    "seed/confirmed.toml",
    "seed/declares-less.toml",
    "seed/forwarded-link.toml",
    "seed/instance-dies.toml",
    "seed/link-to-empty-elicitation.toml",
    "seed/link-to-forms-only.toml",
    "seed/link.toml",
    "seed/malicious-client.toml",
    "seed/nested-form.toml" with "seed/nested-form.json",
    "seed/no-elicitation.toml",
    "seed/other-instance.toml",
    "seed/other-key.toml",
    "seed/parked.toml",
    "seed/sampling-undeclared.toml",
    "seed/sampling-without-tools.toml",
    "seed/secret-by-link.toml",
    "seed/three-answers.toml" with "seed/three-answers.csv",
    "seed/transfer-funds-recorded.toml",
    "seed/transfer-funds.toml",
    "seed/value-2.toml" with "seed/value-2.json",
    "seed/wrong-seat.toml",
];

impl Shipped {
    /// The shipped scenario at this path below `scenarios/`.
    pub(super) fn at(path: &str) -> Option<&'static Shipped> {
        ALL.iter().find(|shipped| shipped.path == path)
    }

    pub(super) fn scenario(&self, overrides: &[String]) -> Result<Scenario, Invalid> {
        let source = Source { name: format!("scenarios/{}", self.path), text: self.text.to_owned() };
        parse(source, overrides, self)
    }
}

impl Files for Shipped {
    fn read(&self, name: &str) -> std::io::Result<Vec<u8>> {
        let path = beside(self.path, name);
        let file = self.files.iter().find(|(file, _)| *file == path);
        file.map(|(_, text)| text.as_bytes().to_vec()).ok_or_else(|| std::io::ErrorKind::NotFound.into())
    }
}

/// Path below `scenarios/` of the file that the scenario at `path` calls `name`.
fn beside(path: &str, name: &str) -> String {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut steps = Vec::new();
    for step in folder.split('/').chain(name.split('/')) {
        match step {
            "" | "." => {}
            ".." => drop(steps.pop()),
            step => steps.push(step),
        }
    }
    steps.join("/")
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn a_file_is_named_from_the_folder_of_its_scenario() {
        assert_eq!(beside("a.toml", "x.csv"), "x.csv");
        assert_eq!(beside("real/c1.toml", "./c1.csv"), "real/c1.csv");
        assert_eq!(beside("seed/a.toml", "../forms/seat.json"), "forms/seat.json");
        let shipped = Shipped::at("real/c1.toml").unwrap();
        assert!(shipped.read("c1.csv").is_ok() && shipped.read("real/c1.csv").is_err());
    }

    #[test]
    fn every_scenario_of_the_folder_is_shipped_is_legal_and_opens_with_its_question() {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("scenarios");
        let mut found = Vec::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "toml") {
                    found.push(path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/"));
                }
            }
        }
        found.sort();
        let mut shipped: Vec<&str> = ALL.iter().map(|shipped| shipped.path).collect();
        shipped.sort();
        assert_eq!(found, shipped);
        for shipped in ALL {
            let scenario = shipped.scenario(&[]).unwrap_or_else(|invalid| panic!("{}", invalid.render(false)));
            assert!(scenario.question.ends_with('?'), "{}: {}", shipped.path, scenario.question);
        }
    }
}
