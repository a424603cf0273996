//! Claims about the scenarios that came from the field: keys that are replaced.

use parked::era::Design::Carrying;
use parked::experiment::Cell;
use parked::metrics::{Incident, Outcome};
use parked::stats::theory::{Think, ringless_refusals, sign_first_refusals};
use parked::stats::{Estimate, student_quantile};
use parked::world::Cause;

use super::super::common::because;
use super::field::cells;

const ORDER: &str = "keys-in-the-wrong-order.toml";
const SWAPPED: &str = "a-key-swapped-replica-by-replica.toml";

fn refused(cell: &Cell) -> u64 {
    cell.tally.ends.get(&because(Outcome::Refused, Cause::WrongKey)).copied().unwrap_or(0)
}

fn all_refused(cells: &[Cell]) -> u64 {
    cells.iter().map(refused).sum()
}

#[test]
fn a_key_swapped_one_replica_after_another_loses_more_than_one_swapped_everywhere_at_once() {
    let think = Think::Exponential { mean: 120.0 };
    for (spread, rounded) in [(0, 120.0), (60, 122.0), (240, 147.0), (600, 233.0)] {
        let expected = ringless_refusals(1.0, think, 4, f64::from(spread) / 4.0);
        assert_eq!(expected.round(), rounded, "{spread} s");
        let cells = cells(SWAPPED, Carrying, &[&format!("state.rotation.spread={spread}s")]);
        // Turns are fixed, so the calls of 20 times nine rotations are lost independently: Poisson.
        let (lost, expected) = (all_refused(&cells) as f64, 180.0 * expected);
        assert!((lost - expected).abs() <= 5.0 * expected.sqrt(), "{spread} s: {lost}, expected {expected}");
    }
}

#[test]
fn replicas_that_sign_before_all_can_verify_lose_a_few_calls_in_each_rotation() {
    let cells = cells(ORDER, Carrying, &[]);
    let each: Vec<f64> = cells.iter().map(|cell| refused(cell) as f64 / 5.0).collect();
    let estimate = Estimate::of(&each);
    let degrees = each.len() as f64 - 1.0;
    let wider = student_quantile(1.0 - 0.5e-6, degrees) / student_quantile(0.975, degrees);
    let expected = sign_first_refusals(5.0, Think::Exponential { mean: 60.0 }, 10, 60.0);
    let bound = wider * estimate.half_width.expect("many replications");
    assert!((estimate.mean - expected).abs() <= bound && bound < 0.25 * expected, "{estimate:?}, expected {expected}");
}

#[test]
fn no_call_is_lost_when_all_can_verify_before_the_first_signs() {
    let first = "state.rotation.order=verify-first";
    for (file, every) in [(ORDER, "10m"), (SWAPPED, "30m")] {
        for spread in ["0s", "1m", "4m"] {
            let spread = format!("state.rotation.spread={spread}");
            let overlap = "state.rotation.overlap=1h";
            let every = format!("state.rotation.every={every}");
            let cells = cells(file, Carrying, &["replications=3", first, overlap, &every, &spread]);
            assert_eq!(all_refused(&cells), 0, "{file} {spread}");
        }
    }
}

#[test]
fn without_a_key_id_further_keys_are_tried_on_states_that_an_old_key_sealed() {
    let further = |switch: &str| {
        let cells = cells(ORDER, Carrying, &["replications=2", "state.rotation.order=verify-first", switch]);
        let tries: u64 = cells.iter().filter_map(|cell| cell.tally.incidents.get(&Incident::FurtherKey)).sum();
        let answers: u64 = cells.iter().map(|cell| cell.tally.answers).sum();
        tries as f64 / answers as f64
    };
    // Of the ten minutes of a key, the states of about the last one come back under the next, which is tried first.
    let share = further("state.key_id=false");
    assert!((0.05..0.2).contains(&share), "{share}");
    assert_eq!(further("state.key_id=true"), 0.0);
}
