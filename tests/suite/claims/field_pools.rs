//! Claims about the scenario from the field in which people hold the connections of a pool.

use parked::era::Design::{self, Carrying, Waiting};
use parked::metrics::Outcome;
use parked::stats::Estimate;
use parked::stats::theory::{queue_abandon_share, queue_wait_survival};
use parked::world::Cause;

use super::super::common::because;
use super::field::cells;

const POOL: &str = "an-approval-pins-a-connection.toml";

/// Share of calls of this amount whose connection did not come in time, by replication.
fn failed(design: Design, amount: u32, switches: &[&str]) -> Vec<f64> {
    let late = because(Outcome::Failed, Cause::PoolTimeout);
    let share = |cell: &parked::experiment::Cell| {
        let steady =
            cell.records.iter().filter(|record| record.amount == amount && record.arrived.ns() > 1800 * 1_000_000_000);
        let (failed, all) =
            steady.fold((0.0, 0.0), |(failed, all), record| (failed + f64::from(record.end == late), all + 1.0));
        failed / all
    };
    cells(POOL, design, switches).iter().map(share).collect()
}

fn about(what: &str, values: &[f64], exact: f64) {
    let Estimate { mean, half_width, .. } = Estimate::of(values);
    // Three half widths of 95 % over ten replications: one in ten thousand.
    let bound = 3.0 * half_width.expect("ten replications");
    assert!((mean - exact).abs() < bound && bound < 0.5 * exact, "{what}: {mean} ± {bound}, not {exact}");
}

#[test]
fn fifteen_connections_at_six_approvals_a_minute_are_erlang_c_or_m_m_c_d() {
    // What asks nobody holds its connection for no time, so that it sees the line and does not lengthen it.
    let (rate, mean) = (0.1, 120.0);
    let exact = queue_wait_survival(15, rate, mean, 30.0);
    assert!((exact - 0.15).abs() < 0.005, "{exact}");
    let slow: Vec<f64> = cells(POOL, Waiting, &["fleet.pool.timeout=none", "replications=60"])
        .iter()
        .map(|cell| cell.tally.pool.as_ref().map_or(0.0, |pool| pool.slow as f64 / pool.visits as f64))
        .collect();
    about("slow", &slow, exact);
    let exact = queue_abandon_share(15, rate, mean, 30.0);
    assert!((exact - 0.034).abs() < 0.001, "{exact}");
    about("approvals", &failed(Waiting, 500, &["replications=40"]), exact);
    about("unrelated calls", &failed(Waiting, 50, &["replications=40"]), exact);
}

#[test]
fn at_twelve_approvals_a_minute_more_than_a_third_fails_and_unrelated_calls_with_it() {
    let exact = queue_abandon_share(15, 0.2, 120.0, 30.0);
    assert!((exact - 0.38).abs() < 0.01, "{exact}");
    let twelve = ["arrivals={ poisson = { rate = \"24/m\" } }"];
    about("approvals", &failed(Waiting, 500, &twelve), exact);
    about("unrelated calls", &failed(Waiting, 50, &twelve), exact);
    for (design, switches) in
        [(Waiting, [twelve[0], "fleet.pool.held_during_ask=false"]), (Carrying, [twelve[0], "seed=1"])]
    {
        assert!(failed(design, 50, &switches).iter().all(|&share| share == 0.0), "{design:?}");
    }
}
