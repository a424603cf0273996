//! What must be true after every event: levels are what the stages say, instances hold what their calls hold. Compiled
//! into builds with debug assertions only; the cost of a full look is spread over events.

use std::future::Future;

use super::call::Stage;
use super::{Observer, Sim};
use crate::tool::{MissingCapability, ToolResult};

/// Events between two looks at every call.
const FULL_LOOK: u64 = 512;

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    pub(super) fn audit(&self) {
        let levels = &self.levels;
        let held = levels.threads_held.value() + levels.queue.value() + levels.parked.value();
        assert!(levels.open.value() <= held, "an open request holds a thread, a place or a body");
        if self.engine.scheduled().is_multiple_of(FULL_LOOK) {
            self.audit_instances();
            self.audit_calls();
        }
    }

    fn audit_instances(&self) {
        let fleet = &self.scenario.fleet;
        for instance in &self.instances {
            let (held, in_line) = (instance.threads_held, instance.in_line);
            assert!(fleet.threads.is_none_or(|threads| held <= threads), "more threads held than there are");
            assert!(fleet.queue.is_none_or(|places| in_line <= places), "more in line than there are places");
            assert!(instance.alive || held + in_line == 0, "a dead instance holds calls");
            let idle = fleet.threads.is_some_and(|threads| held < threads) && instance.alive;
            assert!(!idle || in_line == 0, "somebody waits in line at an instance with a free thread");
        }
    }

    fn audit_calls(&self) {
        let mut held = vec![(0, 0, 0, 0); self.instances.len()];
        let (mut parked, mut open) = (0, 0);
        for (_, call) in self.calls.under_way() {
            let at = || usize::from(call.at);
            let of = call.stage.held();
            parked += of.parked as u32;
            if of.open == 1 && !call.cut {
                open += 1;
                held[at()].3 += 1;
            }
            match call.stage {
                Stage::InLine => held[at()].1 += 1,
                Stage::Working | Stage::AtPool => held[at()].0 += 1,
                Stage::Parked => {
                    held[at()].0 += u32::from(self.scenario.fleet.parked_keeps_thread);
                    held[at()].2 += 1;
                    assert!(call.slot.filled(), "a parked call without a body");
                }
                Stage::Kept => {
                    held[at()].2 += 1;
                    assert!(call.slot.filled() && !call.cut, "a call without a body is kept, or a request of it open");
                }
                Stage::AtClient | Stage::AtHost | Stage::InConversation => {
                    assert!(!call.slot.filled(), "a body is kept for a call that nothing holds")
                }
                Stage::Over => unreachable!("a call that is over is not under way"),
            }
        }
        assert_eq!(parked, self.levels.parked.value(), "parked calls");
        assert_eq!(open, self.levels.open.value(), "open requests");
        for (instance, held) in self.instances.iter().zip(held) {
            let there = (instance.threads_held, instance.in_line, instance.parked, instance.open);
            assert_eq!(there, held, "instance {}", instance.id);
        }
    }
}
