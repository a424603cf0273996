//! That a check can fail, and that its table can be read.

use super::*;

fn quick(set: &[&str]) -> Verify {
    let set = set.iter().map(|&word| word.to_owned()).collect();
    Verify { quick: true, overrides: Overrides { set, seed: None }, format: Format::Text }
}

/// What comes of these checks.
fn made(checks: &[Check], set: &[&str]) -> Vec<Row> {
    rows(checks, &quick(set).scenarios(checks).unwrap(), &()).unwrap()
}

fn check(measured: &str) -> Check {
    all().into_iter().find(|check| check.measured == measured).expect("there is such a check")
}

#[test]
fn a_closed_form_that_is_wrong_by_two_percent_disagrees_and_ends_with_code_4() {
    let right = check("parked, constant think");
    let wrong = Check { exact: || 1.02 * 1200.0, ..right };
    let rows = made(&[right, wrong], &[]);
    assert_eq!(rows.iter().map(|row| row.agrees).collect::<Vec<_>>(), [true, false]);
    assert_eq!((exit(&rows[..1]), exit(&rows)), (Exit::Done, Exit::NotReproduced));
    let text = table::text(&rows);
    assert!(text.lines().any(|line| line.ends_with("agrees")) && text.contains("1 of 2 checks DISAGREE."), "{text}");
    assert_eq!(text.lines().filter(|line| line.ends_with("DISAGREES")).count(), 1, "{text}");
}

#[test]
fn a_simulation_of_something_else_disagrees() {
    let of = |measured, set: &[&str]| made(&[check(measured)], set)[0].agrees;
    assert!(of("given up after a minute", &[]));
    assert!(!of("given up after a minute", &["clients.patience=59s"]));
    assert!(of("refused over two questions", &[]));
    assert!(!of("refused over two questions", &["fleet.instances=5"]));
}

#[test]
fn a_value_agrees_when_it_lies_in_the_interval_and_only_then() {
    let check = check("given up after a minute");
    let (text, scenario) = quick(&[]).scenarios(&[check]).unwrap().remove(0);
    let observed = Observed::Share { hits: 37, of: 100 };
    let interval = observed.interval(0.001);
    assert!(interval.contains(interval.low) && interval.contains(interval.high));
    let agrees = |exact: fn() -> f64| Check { exact, ..check }.row(&observed, 0.001, &text, &scenario).agrees;
    assert!(agrees(|| 0.37) && agrees(|| 0.5));
    assert!(!agrees(|| 0.2) && !agrees(|| 0.55) && !agrees(|| f64::NAN));
}

#[test]
fn every_interval_misses_so_rarely_that_all_hold_together_with_999_seeds_in_1000() {
    let checks = [check("given up after a minute"), check("refused over two questions")];
    let rows = made(&checks, &[]);
    assert_eq!(rows.iter().map(|row| row.miss).sum::<f64>(), 0.001);
}

#[test]
fn there_are_checks_of_every_subject_and_each_stands_once() {
    let checks = all();
    let mut subjects: Vec<&str> = checks.iter().map(|check| check.subject).collect();
    subjects.dedup();
    let mut once = subjects.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), subjects.len(), "checks of one subject stand together: {subjects:?}");
    let mut measured: Vec<&str> = checks.iter().map(|check| check.measured).collect();
    measured.sort_unstable();
    measured.dedup();
    assert!(measured.len() == checks.len() && checks.len() >= 25, "{measured:?}");
    assert!(checks.iter().all(|check| check.replications % 4 == 0 && check.replications >= 8));
}

#[test]
fn no_line_is_wider_than_80_columns() {
    let scenarios = quick(&["replications=2"]).scenarios(&all()).unwrap();
    let row = |(check, (text, scenario)): (&Check, &(String, Scenario))| {
        let exact = (check.exact)();
        let observed = Observed::Means(vec![0.999 * exact, 1.001 * exact]);
        Row { low: 0.99 * exact, high: 1.01 * exact, agrees: false, ..check.row(&observed, 0.5, text, scenario) }
    };
    let rows: Vec<Row> = all().iter().zip(&scenarios).map(row).collect();
    for line in table::text(&rows).lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}
