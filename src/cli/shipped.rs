//! The shipped scenarios, carried in the program so that they can be listed and reproduced wherever it runs.

use crate::scenario::{Files, Invalid, Scenario, Source, parse};

/// A scenario and the files it names.
pub(super) struct Shipped {
    /// Path below `scenarios/`.
    pub path: &'static str,
    text: &'static str,
    files: &'static [(&'static str, &'static str)],
}

macro_rules! shipped {
    ($($path:literal $(with $file:literal)*),* $(,)?) => {
        &[$(Shipped {
            path: $path,
            text: include_str!(concat!("../../scenarios/", $path)),
            files: &[$(($file, include_str!(concat!("../../scenarios/real/", $file))))*],
        }),*]
    };
}

/// Every shipped scenario, by path.
pub(super) static ALL: &[Shipped] = shipped![
    "instance-dies.toml",
    "own-keys.toml",
    "round-robin.toml",
    "real/c1.toml" with "c1.csv",
    "real/w1a.toml" with "w1a.csv",
    "seed/instance-dies.toml",
    "seed/other-instance.toml",
    "seed/other-key.toml",
    "seed/parked.toml",
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
        let file = self.files.iter().find(|(file, _)| *file == name);
        file.map(|(_, text)| text.as_bytes().to_vec()).ok_or_else(|| std::io::ErrorKind::NotFound.into())
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

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
