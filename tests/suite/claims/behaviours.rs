//! Claims about what a client really does with an ask, whatever it declared, and about ends that must not be mixed up.

use parked::era::Design::Waiting;
use parked::metrics::Outcome;
use parked::world::Cause;

use super::super::common::{because, plainly};
use super::{ALONE, DESIGNS, WHOLE_MS, assert_end, call, end, ended_ms};

const SECOND: u64 = 1_000_000_000;

#[test]
pub fn a_client_shows_an_ask_or_hangs_or_cancels() {
    for design in DESIGNS {
        let does = |on_ask: &str| call(design, &[ALONE, &format!("clients.on_ask={on_ask}")]);
        // What carrying spends a second time.
        let again = if design == Waiting { 0 } else { 2 };
        let shows = does("{ show = true }");
        assert_eq!(shows, call(design, &[ALONE]));
        assert_end(&shows, plainly(Outcome::Completed));
        assert_eq!((shows.asks, shows.prompts, shows.entries, ended_ms(&shows)), (1, 1, 1, WHOLE_MS + again));
        for (hangs, s) in [("{ hang = \"60s\" }", 60), ("{ hang = \"180s\" }", 180)] {
            let hangs = does(hangs);
            assert_end(&hangs, because(Outcome::TimedOut, Cause::NeverShown));
            assert_eq!((hangs.asks, hangs.prompts, hangs.messages, hangs.entries), (1, 0, 1, 0));
            assert_eq!((hangs.asked, ended_ms(&hangs)), (None, 2 + s * 1000));
            assert_eq!(hangs.parked_ns, if design == Waiting { s * SECOND } else { 0 });
        }
        for (cancels, ms) in [("{ cancel = \"0s\" }", 0), ("{ cancel = \"50ms\" }", 50)] {
            let cancels = does(cancels);
            assert_end(&cancels, because(Outcome::Cancelled, Cause::MachineCancel));
            assert_eq!((cancels.asks, cancels.prompts, cancels.messages, cancels.entries), (1, 0, 2, 0));
            assert_eq!((cancels.asked, ended_ms(&cancels)), (None, 2 + ms + again));
            assert_eq!(cancels.parked_ns, if design == Waiting { ms * 1_000_000 } else { 0 });
        }
    }
}

#[test]
fn the_patience_of_a_client_may_end_before_it_gives_up_by_itself() {
    for design in DESIGNS {
        let hangs = call(design, &[ALONE, "clients.on_ask.hang=10m"]);
        assert_end(&hangs, because(Outcome::TimedOut, Cause::NeverShown));
        assert_eq!((ended_ms(&hangs), hangs.prompts), (300_000, 0));
        let cancels = call(design, &[ALONE, "clients.on_ask.cancel=10m"]);
        assert_end(&cancels, because(Outcome::TimedOut, Cause::ClientDeadline));
        assert_eq!((ended_ms(&cancels), cancels.prompts), (300_000, 0));
    }
}

#[test]
fn a_machines_cancel_a_persons_cancel_a_decline_and_a_time_out_are_four_different_ends() {
    for design in DESIGNS {
        let ends = [
            "clients.on_ask.cancel=50ms",
            "people.decide={ accept = 0.0, decline = 0.0, cancel = 1.0 }",
            "people.decide={ accept = 0.0, decline = 1.0, cancel = 0.0 }",
            "people.silent=1.0",
        ]
        .map(|switch| call(design, &[ALONE, switch]));
        let expected = ["cancelled/machine_cancel", "cancelled", "declined", "timed_out/person_silent"];
        assert_eq!(ends.map(|record| end(&record)), expected);
        assert_eq!(ends.map(|record| (record.asks, record.entries)), [(1, 0); 4]);
        assert_eq!(ends.map(|record| record.prompts), [0, 1, 1, 1], "only the machine asked nobody");
    }
}

#[test]
fn what_a_client_does_with_an_ask_is_no_matter_where_nothing_is_asked() {
    for design in DESIGNS {
        for on_ask in ["clients.on_ask.hang=60s", "clients.on_ask.cancel=50ms"] {
            for switch in ["tool.amount.constant=100", "clients.capabilities={}"] {
                assert_eq!(call(design, &[ALONE, switch, on_ask]), call(design, &[ALONE, switch]));
            }
        }
    }
}
