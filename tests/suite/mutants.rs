//! The list of mutants must not rot: what each changes stands once where it is looked for, and its killers are there.

#[path = "../mutants/src/list.rs"]
mod list;

use std::path::Path;

use list::MUTANTS;

use crate::common::files_below;

#[test]
fn every_mutant_changes_one_place_and_names_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &Path| std::fs::read_to_string(path).expect("a file of the project can be read");
    let suite: String = files_below(&root.join("tests/suite"), "rs").iter().map(|path| read(path)).collect();
    assert!(MUTANTS.len() >= 14, "mutants were lost");
    for mutant in MUTANTS {
        let places = read(&root.join(mutant.file)).matches(mutant.text).count();
        assert_eq!(places, 1, "{}: {} in {}", mutant.name, mutant.text, mutant.file);
        assert_ne!(mutant.text, mutant.becomes, "{}", mutant.name);
        assert!(!mutant.killers.is_empty(), "{}", mutant.name);
        for killer in mutant.killers {
            let parts: Vec<&str> = killer.split("::").collect();
            let name = parts.iter().rev().find(|part| !["quick", "slow"].contains(*part)).expect("a name");
            let is_there = [format!("fn {name}("), format!("::{name},")].iter().any(|text| suite.contains(text));
            assert!(is_there, "{}: no test is called {name}", mutant.name);
        }
    }
}
