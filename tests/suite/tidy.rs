//! The house rules that no compiler checks: floors, first lines, who may do what, and that the documents say what the
//! code says.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use parked::scenario::{distribution_keys, keys, load};

use crate::common::files_below;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A source file of the crate: its path below `src` and its text.
struct Module {
    path: String,
    text: String,
}

impl Module {
    /// The module of the crate that it belongs to.
    fn floor(&self) -> &str {
        self.path.split(['/', '.']).next().expect("a path has a first part")
    }

    /// The lines that ship, without comments and without tests, numbered from 1. Tests within a file come last.
    fn code(&self) -> Vec<(usize, &str)> {
        let mut code = Vec::new();
        let mut lines = self.text.lines().zip(1..).peekable();
        while let Some((line, number)) = lines.next() {
            let next = lines.peek().map_or("", |(line, _)| line.trim_start());
            if line.trim_start().starts_with("#[cfg(test)]") && next.starts_with("mod ") {
                if next.ends_with('{') {
                    break;
                }
                lines.next();
                continue;
            }
            code.push((number, line.split("//").next().unwrap_or("")));
        }
        code
    }

    /// The modules that are declared for tests only.
    fn test_modules(&self) -> Vec<String> {
        let lines: Vec<&str> = self.text.lines().map(str::trim).collect();
        let declared = lines.windows(2).filter(|pair| pair[0] == "#[cfg(test)]");
        declared.filter_map(|pair| pair[1].strip_prefix("mod ")?.strip_suffix(';').map(str::to_owned)).collect()
    }
}

/// Every file of `src`.
fn every_file() -> Vec<Module> {
    let paths = files_below(&root().join("src"), "rs");
    let src = root().join("src");
    let module = |path: PathBuf| Module {
        path: path.strip_prefix(&src).expect("below src").to_string_lossy().replace('\\', "/"),
        text: std::fs::read_to_string(&path).expect("a source file can be read"),
    };
    let files: Vec<Module> = paths.into_iter().map(module).collect();
    assert!(files.len() > 50, "the sources were not found");
    files
}

/// Every file of `src` that ships: those that only tests use are left out.
fn shipped_files() -> Vec<Module> {
    let all = every_file();
    let mut only_tests = Vec::new();
    for module in &all {
        let (folder, file) = module.path.rsplit_once('/').map_or(("", &*module.path), |(folder, file)| (folder, file));
        let own = match file {
            "mod.rs" | "lib.rs" | "main.rs" => folder.to_owned(),
            _ => format!("{folder}/{}", file.trim_end_matches(".rs")),
        };
        only_tests.extend(module.test_modules().iter().map(|name| format!("{own}/{name}")));
    }
    let tests = |path: &str| {
        only_tests.iter().any(|test| path.strip_prefix(&**test).is_some_and(|rest| rest.starts_with(['.', '/'])))
    };
    all.into_iter().filter(|module| !tests(&module.path)).collect()
}

/// The floors as `src/lib.rs` lists them, from the top to the ground, with their height.
fn floors() -> BTreeMap<String, usize> {
    let text = std::fs::read_to_string(root().join("src/lib.rs")).expect("lib.rs can be read");
    let names = text.lines().filter_map(|line| line.trim().strip_prefix("pub mod ")?.strip_suffix(';'));
    let names: Vec<String> = names.map(str::to_owned).collect();
    let height = names.len();
    names.into_iter().zip((0..height).rev()).collect()
}

/// The first names of the paths `crate::x` and `crate::{x::.., y}` in a text.
fn uses(text: &str) -> Vec<String> {
    let name = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut found = Vec::new();
    for (at, _) in text.match_indices("crate::") {
        let rest = &text[at + "crate::".len()..];
        let Some(list) = rest.strip_prefix('{') else {
            found.push(name(rest));
            continue;
        };
        let (mut depth, mut fresh) = (1, true);
        for (at, c) in list.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 1 => fresh = true,
                c if fresh && (c.is_alphabetic() || c == '_') => {
                    found.push(name(&list[at..]));
                    fresh = false;
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    found
}

#[test]
fn paths_into_the_crate_are_found_in_every_form() {
    assert_eq!(uses("use crate::era::Era;\nlet x = crate::stats::ratio(a, b);"), ["era", "stats"]);
    assert_eq!(uses("use crate::{\n    era::{Era, Ticket},\n    world,\n};"), ["era", "world"]);
}

#[test]
fn every_floor_uses_only_floors_below_it_in_the_order_of_lib_rs() {
    let floors = floors();
    let mut upward = Vec::new();
    for module in shipped_files() {
        let Some(&own) = floors.get(module.floor()) else { continue };
        let code: Vec<&str> = module.code().into_iter().map(|(_, line)| line).collect();
        for used in uses(&code.join("\n")) {
            let Some(&height) = floors.get(&used) else { panic!("src/{}: `crate::{used}` is no floor", module.path) };
            if height > own {
                upward.push(format!("src/{}: {} uses {used}", module.path, module.floor()));
            }
        }
    }
    assert!(upward.is_empty(), "src/lib.rs lists the floors from the top to the ground, and\n{}", upward.join("\n"));
}

#[test]
fn no_two_floors_need_each_other() {
    let floors = floors();
    let mut below: BTreeMap<String, Vec<String>> = floors.keys().map(|floor| (floor.clone(), Vec::new())).collect();
    for module in shipped_files().iter().filter(|module| floors.contains_key(module.floor())) {
        let code: Vec<&str> = module.code().into_iter().map(|(_, line)| line).collect();
        let others = uses(&code.join("\n")).into_iter().filter(|used| used != module.floor());
        below.get_mut(module.floor()).expect("a floor").extend(others);
    }
    // Floors that need no other are taken away until nothing is left, or a circle is.
    while !below.is_empty() {
        let ground: Vec<String> = below.iter().filter(|(_, needs)| needs.is_empty()).map(|(f, _)| f.clone()).collect();
        assert!(!ground.is_empty(), "a circle among {:?}", below.keys());
        below.retain(|floor, _| !ground.contains(floor));
        below.values_mut().for_each(|needs| needs.retain(|need| !ground.contains(need)));
    }
}

#[test]
fn every_module_says_in_its_first_lines_why_it_exists() {
    for module in every_file() {
        let first = module.text.lines().next().unwrap_or("");
        assert!(first.starts_with("//! ") && first.len() > 20, "src/{} opens with {first:?}", module.path);
    }
}

#[test]
fn no_source_file_is_longer_than_450_lines() {
    for module in every_file() {
        let lines = module.text.lines().count();
        assert!(lines <= 450, "src/{} has {lines} lines", module.path);
    }
}

/// Every shipped line with one of these words, outside the floors that may have it.
fn lines_with(words: &[&str], allowed: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for module in shipped_files().iter().filter(|module| !allowed.contains(&module.floor())) {
        for (number, line) in module.code() {
            if words.iter().any(|word| has_word(line, word)) {
                found.push(format!("src/{}:{number}: {}", module.path, line.trim()));
            }
        }
    }
    found
}

/// Whether the line has these characters, not as a part of a longer name.
fn has_word(line: &str, word: &str) -> bool {
    let part_of_a_name = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        let ends_open = !word.ends_with(part_of_a_name);
        !before.is_some_and(part_of_a_name) && (ends_open || !after.is_some_and(part_of_a_name))
    })
}

#[test]
fn a_word_is_found_only_as_a_whole() {
    assert!(has_word("use rand::Rng;", "rand") && has_word("Design::Waiting", "Waiting"));
    assert!(!has_word("use rand_chacha::X;", "rand") && !has_word("InWaiting", "Waiting"));
    assert!(has_word("std::fs::write(a, b)", "fs::write") && !has_word("eprintln!()", "println!"));
}

#[test]
fn the_floors_below_the_designs_name_no_design() {
    let designs = ["Waiting", "Carrying", "Forwarding", "FanOut", "Storing", "Design"];
    let may = ["cli", "report", "experiment", "scenario", "era", "stats", "lib", "main"];
    assert_eq!(lines_with(&designs, &may), Vec::<String>::new());
}

#[test]
fn one_design_is_singled_out_only_where_its_name_becomes_it_or_its_words_and_where_its_measurements_are_known() {
    let may = ["src/experiment/mod.rs", "src/report/wire.rs", "src/cli/measurements.rs"];
    let found = lines_with(&["Waiting", "Carrying", "Forwarding", "FanOut", "Storing", "Shim"], &["era"]);
    let found: Vec<&String> = found.iter().filter(|line| !may.iter().any(|file| line.starts_with(file))).collect();
    assert!(found.is_empty(), "{found:#?}");
    let known = lines_with(&["Waiting"], &["era"]);
    assert!(may.iter().all(|file| known.iter().any(|line| line.starts_with(file))), "the search finds nothing");
}

#[test]
fn only_experiment_starts_threads() {
    let threads = ["rayon", "thread::spawn", "thread::scope", "thread::Builder", "crossbeam"];
    // Signals are awaited, and progress is drawn, beside the run; no result passes there.
    let found = lines_with(&threads, &["experiment"]);
    let found: Vec<&String> = found.iter().filter(|line| !line.starts_with("src/cli/")).collect();
    assert!(found.is_empty(), "{found:#?}");
    assert!(!lines_with(&["rayon"], &["experiment"]).iter().any(|line| line.starts_with("src/cli/")));
}

#[test]
fn only_random_makes_random_numbers() {
    let makers = ["rand", "rand_chacha", "ChaCha8Rng", "RandomState", "getrandom"];
    assert_eq!(lines_with(&makers, &["random"]), Vec::<String>::new());
}

#[test]
fn only_report_and_cli_write_files() {
    let writes = [
        "fs::write",
        "File::create",
        "File::create_new",
        "create_dir",
        "create_dir_all",
        "OpenOptions",
        "fs::rename",
        "fs::copy",
        "remove_file",
        "remove_dir_all",
        "tempfile",
    ];
    assert_eq!(lines_with(&writes, &["report", "cli"]), Vec::<String>::new());
}

#[test]
fn nothing_prints_by_macro_and_only_cli_touches_the_screen_or_the_environment() {
    let prints = ["println!", "eprintln!", "print!", "eprint!", "dbg!"];
    assert_eq!(lines_with(&prints, &[]), Vec::<String>::new());
    let outside = ["stdout", "stderr", "stdin", "env::var", "env::args", "Instant::now", "SystemTime"];
    assert_eq!(lines_with(&outside, &["cli"]), Vec::<String>::new());
}

#[test]
fn no_container_of_random_order_is_used() {
    assert_eq!(lines_with(&["HashMap", "HashSet"], &[]), Vec::<String>::new());
}

#[test]
fn every_shipped_scenario_opens_with_its_format_and_asks_one_question() {
    let files = files_below(&root().join("scenarios"), "toml");
    assert!(!files.is_empty(), "no scenario was found");
    for file in files {
        let shown = file.display();
        let text = std::fs::read_to_string(&file).expect("a scenario can be read");
        let lines: Vec<&str> = text.lines().take(3).collect();
        assert_eq!(lines[0], "format = 1", "{shown}");
        assert!(lines[1].starts_with("name = \"") && lines[2].starts_with("question = \""), "{shown}: {lines:?}");
        let scenario = load(&file, &[]).unwrap_or_else(|error| panic!("{error}"));
        assert!(scenario.question.ends_with('?') && scenario.question.len() > 20, "{shown}: {}", scenario.question);
    }
}

fn model_page() -> String {
    std::fs::read_to_string(root().join("docs/MODEL.md")).expect("docs/MODEL.md can be read")
}

/// The first two cells of every row of every table of the page.
fn rows(page: &str) -> Vec<(String, String)> {
    let cell = |cell: &str| cell.trim().trim_matches('`').to_owned();
    let rows = page.lines().filter_map(|line| line.strip_prefix('|')?.split_once('|'));
    rows.map(|(first, rest)| (cell(first), cell(rest.split('|').next().unwrap_or("")))).collect()
}

#[test]
fn the_model_page_names_every_key_with_its_default_and_none_that_does_not_exist() {
    let page = model_page();
    let rows = rows(&page);
    let mut missing = Vec::new();
    for key in keys() {
        let default = key.default.unwrap_or("-");
        if !rows.iter().any(|(path, says)| path == key.path && says == default) {
            missing.push(format!("{} = {default}", key.path));
        }
    }
    let in_a_row = |path: &str| page.lines().any(|line| line.starts_with('|') && line.contains(&format!("`{path}`")));
    missing.extend(distribution_keys().iter().filter(|key| !in_a_row(key.path)).map(|key| key.path.to_owned()));
    assert!(missing.is_empty(), "docs/MODEL.md has no row for\n{}", missing.join("\n"));
    let tables: Vec<&str> = keys().iter().map(|key| key.path).filter(|path| path.contains('.')).collect();
    let sections: Vec<&str> = tables.iter().filter_map(|path| path.split('.').next()).collect();
    for (path, _) in rows {
        let section = path.split_once('.').map_or("", |(section, _)| section);
        let like_a_key = path.chars().all(|c| c.is_ascii_lowercase() || c == '.' || c == '_');
        assert!(
            !like_a_key || !sections.contains(&section) || tables.contains(&path.as_str()),
            "docs/MODEL.md has a row for `{path}`, which is no key"
        );
    }
}
