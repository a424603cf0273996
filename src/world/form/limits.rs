//! Numbers of JSON compared exactly. Must never pass a whole number through a float: beyond 2^53 that would let an answer
//! slip over a bound.

use std::cmp::Ordering;

use serde_json::Number;

/// A number of JSON as `serde_json` keeps it.
enum Exact {
    Whole(i128),
    Float(f64),
}

impl Exact {
    fn of(number: &Number) -> Exact {
        let whole = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
        // Without the feature `arbitrary_precision` every number is one of the three.
        whole.map_or_else(|| Exact::Float(number.as_f64().unwrap_or(f64::NAN)), Exact::Whole)
    }
}

/// The order of two numbers by value: `1` and `1.0` are equal.
pub(super) fn compare(left: &Number, right: &Number) -> Ordering {
    match (Exact::of(left), Exact::of(right)) {
        (Exact::Whole(left), Exact::Whole(right)) => left.cmp(&right),
        // JSON has no number that is none; `total_cmp` would put -0.0 below a bound of 0.0.
        (Exact::Float(left), Exact::Float(right)) => left.partial_cmp(&right).unwrap_or(Ordering::Equal),
        (Exact::Whole(left), Exact::Float(right)) => whole_and_float(left, right),
        (Exact::Float(left), Exact::Whole(right)) => whole_and_float(right, left).reverse(),
    }
}

fn whole_and_float(whole: i128, float: f64) -> Ordering {
    // The conversion saturates far outside the 64 bits that a whole number has.
    whole.cmp(&(float.floor() as i128)).then(if float > float.floor() { Ordering::Less } else { Ordering::Equal })
}

/// Whether a number has no fraction: `1.0` has none.
pub(super) fn is_whole(number: &Number) -> bool {
    match Exact::of(number) {
        Exact::Whole(_) => true,
        Exact::Float(float) => float == float.floor(),
    }
}

/// A number of characters or items; beyond 64 bits it is as good as no bound.
pub(super) fn count(number: &Number) -> Option<u64> {
    match Exact::of(number) {
        Exact::Whole(whole) => u64::try_from(whole).ok(),
        Exact::Float(float) => (float >= 0.0 && float == float.floor()).then_some(float as u64),
    }
}

/// Whether a whole number lies between two bounds.
pub(super) fn some_whole_between(minimum: &Number, maximum: &Number) -> bool {
    match (Exact::of(minimum), Exact::of(maximum)) {
        (Exact::Float(low), Exact::Float(high)) => low.ceil() <= high.floor(),
        _ => compare(minimum, maximum).is_le(),
    }
}
