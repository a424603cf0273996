//! What holds for all families: how they are written down, how many words they take, when they are too wide.

use super::*;

fn json(distribution: Distribution) -> String {
    serde_json::to_string(&distribution).unwrap()
}

#[test]
fn a_distribution_serialises_as_its_canonical_parameters() {
    assert_eq!(json(Distribution::never()), r#""never""#);
    assert_eq!(json(Distribution::constant(-0.0).unwrap()), r#"{"constant":0.0}"#);
    assert_eq!(json(Distribution::uniform(1.0, 2.5).unwrap()), r#"{"uniform":{"from":1.0,"to":2.5}}"#);
    assert_eq!(json(Distribution::exponential(60.0).unwrap()), r#"{"exponential":{"mean":60.0}}"#);
    assert_eq!(json(Distribution::weibull(0.5, 3.0).unwrap()), r#"{"weibull":{"shape":0.5,"scale":3.0}}"#);
    assert_eq!(json(Distribution::erlang(3, 6.0).unwrap()), r#"{"erlang":{"k":3,"mean":6.0}}"#);
    assert_eq!(json(Distribution::empirical(vec![2.0, 1.0]).unwrap()), r#"{"empirical":[1.0,2.0]}"#);
    let lognormal = Distribution::lognormal_median_sigma(45.0, 1.5).unwrap();
    assert_eq!(json(lognormal), r#"{"lognormal":{"median":45.0,"sigma":1.5}}"#);
    let parts =
        vec![(0.25, Distribution::never()), (0.0, Distribution::never()), (0.75, Distribution::constant(1.0).unwrap())];
    let expected = r#"{"mixture":[{"weight":0.25,"of":"never"},{"weight":0.75,"of":{"constant":1.0}}]}"#;
    assert_eq!(json(Distribution::mixture(parts).unwrap()), expected);
}

#[test]
fn a_constant_and_never_take_no_word() {
    let mut none = || -> u64 { panic!("a word was taken") };
    assert_eq!(Distribution::constant(2.5).unwrap().sample(&mut none), Some(2.5));
    assert_eq!(Distribution::never().sample(&mut none), None);
}

#[test]
fn never_has_an_infinite_mean_and_a_share_of_one() {
    assert_eq!(Distribution::never().mean(), f64::INFINITY);
    assert_eq!(Distribution::never().never_share(), 1.0);
    assert_eq!(Distribution::constant(1.0).unwrap().never_share(), 0.0);
}

#[test]
fn a_negative_or_infinite_constant_is_refused() {
    let negative = InvalidDistribution::Negative { parameter: "value", value: -1.0 };
    assert_eq!(Distribution::constant(-1.0), Err(negative));
    let infinite = InvalidDistribution::NotFinite { parameter: "value", value: f64::INFINITY };
    assert_eq!(Distribution::constant(f64::INFINITY), Err(infinite));
}

#[test]
fn a_mean_or_a_largest_value_beyond_all_numbers_is_refused() {
    let refused = |made: Result<Distribution, InvalidDistribution>, name| match made {
        Err(InvalidDistribution::TooLarge { family, .. }) => family == name,
        _ => false,
    };
    assert!(refused(Distribution::exponential(1e307), "exponential"));
    assert!(refused(Distribution::erlang(2, 1e307), "erlang"));
    assert!(refused(Distribution::weibull(0.001, 1.0), "weibull"));
    assert!(refused(Distribution::lognormal_median_sigma(1.0, 40.0), "lognormal"));
    assert!(refused(Distribution::lognormal_mean_sigma(1.0, 100.0), "lognormal"));
    assert!(refused(Distribution::empirical(vec![1e308, 1e308]), "empirical"));
}
