//! The bits of the first values of each distribution. A change here changes every published result and needs a record
//! in `docs/decisions/` that says so.

use super::*;
use crate::random::{Kind, Purpose, Streams};

fn first_bits(distribution: Result<Distribution, InvalidDistribution>) -> [Option<u64>; 5] {
    let mut streams = Streams::new(20_260_728, 0);
    [0, 1, 2, 3, 4].map(|call| {
        let lane = streams.lane(Kind::Call, call);
        let value = distribution.as_ref().unwrap().sample(&mut streams.words(&lane, call, Purpose::Think, 0));
        value.map(f64::to_bits)
    })
}

#[test]
fn the_first_values_of_a_uniform_never_change() {
    let expected = [
        0x4072_00be_fd02_fc0a,
        0x4054_130a_035f_78b4,
        0x406b_2d4d_d52c_7125,
        0x407d_c9a9_09b5_e251,
        0x407b_94ca_e370_451b,
    ];
    assert_eq!(first_bits(Distribution::uniform(10.0, 500.0)), expected.map(Some));
}

#[test]
fn the_first_values_of_an_exponential_never_change() {
    let expected = [
        0x4049_2423_e1e4_d360,
        0x4022_9546_8c7e_903b,
        0x4040_834a_c6f6_f6ac,
        0x4066_d050_80dd_833b,
        0x405f_d451_4f9f_52e8,
    ];
    assert_eq!(first_bits(Distribution::exponential(60.0)), expected.map(Some));
}

#[test]
fn the_first_values_of_a_lognormal_by_p95_never_change() {
    let expected = [
        0x404a_bf00_1892_745e,
        0x402e_7316_99b1_a4b9,
        0x4042_7a93_bf87_f9e6,
        0x406e_afd9_3194_6a08,
        0x4062_9dcf_6c60_a2fa,
    ];
    assert_eq!(first_bits(Distribution::lognormal_median_p95(45.0, 240.0)), expected.map(Some));
}

#[test]
fn the_first_values_of_a_lognormal_by_median_never_change() {
    let expected = [
        0x4026_791e_7fee_71df,
        0x3fee_6dee_558e_6205,
        0x4015_bb81_4353_5284,
        0x406c_0e4b_e186_bb2c,
        0x4055_0363_e4d5_fa42,
    ];
    assert_eq!(first_bits(Distribution::lognormal_median_sigma(8.0, 2.0)), expected.map(Some));
}

#[test]
fn the_first_values_of_a_lognormal_by_mean_never_change() {
    let expected = [
        0x4041_e77a_9f17_d06e,
        0x4020_4667_7499_5754,
        0x4037_2789_9896_31e0,
        0x406a_fd20_ae38_a190,
        0x405d_f116_18d2_aaae,
    ];
    assert_eq!(first_bits(Distribution::lognormal_mean_sigma(60.0, 1.2)), expected.map(Some));
}

#[test]
fn the_first_values_of_a_weibull_never_change() {
    let expected = [
        0x4035_11bc_aca4_4e67,
        0x3fe7_05aa_1051_a64d,
        0x4022_2da5_3b7d_47f4,
        0x4071_594f_c4d3_93b1,
        0x4060_e298_aae7_9fc0,
    ];
    assert_eq!(first_bits(Distribution::weibull(0.5, 30.0)), expected.map(Some));
}

#[test]
fn the_first_values_of_an_erlang_never_change() {
    let expected = [
        0x4017_4b02_89a9_ad30,
        0x401f_6114_2bc6_4580,
        0x401f_904a_5337_072f,
        0x4035_ada7_c287_362a,
        0x402f_33c1_f3a6_ad81,
    ];
    assert_eq!(first_bits(Distribution::erlang(3, 12.0)), expected.map(Some));
}

#[test]
fn the_first_values_of_an_empirical_never_change() {
    let expected = [
        0x3fd3_3333_3333_3333,
        0x3fb9_9999_9999_999a,
        0x3fc9_9999_9999_999a,
        0x3fd9_9999_9999_999a,
        0x3fd9_9999_9999_999a,
    ];
    assert_eq!(first_bits(Distribution::empirical(vec![0.4, 0.1, 0.2, 0.3])), expected.map(Some));
}

#[test]
fn the_first_values_of_a_mixture_never_change() {
    let parts = vec![
        (0.3, Distribution::lognormal_median_p95(6.0, 24.0).unwrap()),
        (0.3, Distribution::erlang(2, 300.0).unwrap()),
        (0.4, Distribution::never()),
    ];
    let expected = [Some(0x4079_f2f0_a56d_1cc6), Some(0x4016_eb7f_7c72_2c85), Some(0x4066_097f_500d_9a2b), None, None];
    assert_eq!(first_bits(Distribution::mixture(parts)), expected);
}
