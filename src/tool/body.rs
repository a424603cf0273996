//! Where a suspended body lives. A polled `async fn` cannot be moved, copied or written to a file, so a call owns its
//! body in a pinned box that is reused: one allocation for each body ever suspended at once, none per call. Must never
//! know why a body is kept or dropped: that is the design's decision.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use super::need::poll_once;
use super::{Answers, Body, Cx, Entry, InputRequest, InputRequests, MissingCapability, Polled, Sheet, ToolResult};

/// Why a body stopped.
#[derive(Clone, Copy, Debug)]
pub enum Stop {
    /// It uses a thread for this long.
    Work(Duration),
    /// It uses a thread for as long as the scenario says of its work with this number.
    WorkOf(u8),
    /// It asks.
    Ask(InputRequests),
    /// It may not ask, and the server goes on as if these had been accepted.
    Pass(InputRequests),
    /// It awaits what a page behind a link has to bring, and it is not there.
    Unfinished(InputRequest),
    /// It makes an effect.
    Post(Entry),
    /// It ended.
    Done(Result<ToolResult, MissingCapability>),
}

/// The place of one call's suspended body: filled, emptied by [`clear`](BodySlot::clear), or without a box.
#[derive(Debug)]
pub struct BodySlot<F>(Option<Pin<Box<Option<F>>>>);

impl<F> BodySlot<F> {
    /// A place without a body.
    pub const EMPTY: BodySlot<F> = BodySlot(None);

    /// Whether a suspended body is kept here.
    pub fn filled(&self) -> bool {
        self.0.as_ref().is_some_and(|body| body.is_some())
    }
}

/// All that a design can do to a suspended body.
pub trait Slot {
    /// Drops the body.
    fn clear(&mut self);
}

impl<F> Slot for BodySlot<F> {
    fn clear(&mut self) {
        if let Some(body) = &mut self.0 {
            body.as_mut().set(None);
        }
    }
}

/// Makes bodies and keeps some boxes of those that ended; the box emptied last is filled next, while it is still in the
/// processor's cache.
#[derive(Debug)]
pub struct Bodies<F> {
    make: fn(Cx, Body) -> F,
    spare: Vec<Pin<Box<Option<F>>>>,
}

/// Most empty boxes that are kept: enough for the ups and downs of a steady state, not for the ebb of a whole run.
const MOST_SPARE: usize = 1 << 12;

impl<F: Future<Output = Result<ToolResult, MissingCapability>>> Bodies<F> {
    /// Bodies made by this function.
    pub fn new(make: fn(Cx, Body) -> F) -> Bodies<F> {
        Bodies { make, spare: Vec::new() }
    }

    /// Puts a new body, not yet started, into the place.
    pub fn fill(&mut self, slot: &mut BodySlot<F>, body: Body) {
        let mut place = slot.0.take().or_else(|| self.spare.pop()).unwrap_or_else(|| Box::pin(None));
        place.as_mut().set(Some((self.make)(Cx::new(), body)));
        slot.0 = Some(place);
    }

    /// Takes back the box of a place whose body was cleared or ended.
    pub fn reclaim(&mut self, slot: &mut BodySlot<F>) {
        slot.clear();
        let empty = slot.0.take();
        if self.spare.len() < MOST_SPARE {
            self.spare.extend(empty);
        }
    }

    /// Polls the body once and says what came of it. Panics when the place is empty.
    pub fn step(&self, slot: &mut BodySlot<F>, sheet: &Sheet, answers: &mut Answers) -> Polled {
        let body = slot.0.as_mut().and_then(|body| body.as_mut().as_pin_mut());
        poll_once(body.expect("a call without a body was stepped"), sheet, answers)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Action, Answer, Arguments, Ask, Fields, Finder, Program, Step};
    use super::*;
    use crate::world::{Capability, ClientCapabilities, Unable};

    fn text(_: &Arguments) -> String {
        String::new()
    }
    static SEAT: Ask = Ask::form(0, "seat", text, Fields::NONE);
    static MEAL: Ask = Ask::form(1, "meal", text, Fields::NONE);

    fn sheet(can_ask: bool, amount: u32) -> Sheet {
        let (work_before, work_after) = (Duration::from_millis(1), Duration::from_millis(2));
        let declared = [Capability::Form].into_iter().filter(|_| can_ask).collect();
        let arguments = Arguments { amount, confirmed: false };
        Sheet {
            declared,
            unable: Unable::Reject,
            arguments,
            work_before,
            work_after,
            program: Program::NONE,
            finder: Finder::PLAIN,
            granted: false,
        }
    }

    fn accept(ask: u8) -> Answer {
        Answer { ask, action: Action::Accept }
    }

    async fn trip(cx: Cx, _: Body) -> Result<ToolResult, MissingCapability> {
        static BOTH: [&Ask; 2] = [&SEAT, &MEAL];
        let [seat, meal] = cx.need_all(&BOTH).await?;
        let again = cx.need(&SEAT).await?;
        let all = [seat, meal, again].iter().all(|&a| a == Action::Accept);
        Ok(if all { ToolResult::Submitted } else { ToolResult::Declined })
    }

    #[test]
    fn a_kept_body_goes_on_and_a_dropped_one_starts_again_from_the_top() {
        let mut bodies = Bodies::new(super::super::run);
        let (mut slot, mut answers) = (BodySlot::EMPTY, Answers::NONE);
        let sheet = sheet(true, 500);
        bodies.fill(&mut slot, Body::SubmitExpense);
        let step = |slot: &mut BodySlot<_>, answers: &mut Answers| bodies.step(slot, &sheet, answers).stop;
        assert!(matches!(step(&mut slot, &mut answers), Stop::Work(d) if d == sheet.work_before));
        assert!(matches!(step(&mut slot, &mut answers), Stop::Ask(r) if r.iter().next().unwrap().ask == 0));
        answers.push(accept(0));
        assert!(matches!(step(&mut slot, &mut answers), Stop::Work(d) if d == sheet.work_after));
        bodies.reclaim(&mut slot);
        assert!(!slot.filled());
        bodies.fill(&mut slot, Body::SubmitExpense);
        answers.rewind();
        assert!(matches!(bodies.step(&mut slot, &sheet, &mut answers).stop, Stop::Work(d) if d == sheet.work_before));
        assert!(matches!(bodies.step(&mut slot, &sheet, &mut answers).stop, Stop::Work(d) if d == sheet.work_after));
        assert!(matches!(bodies.step(&mut slot, &sheet, &mut answers).stop, Stop::Post(e) if e.amount == 500));
        assert!(matches!(bodies.step(&mut slot, &sheet, &mut answers).stop, Stop::Done(Ok(ToolResult::Submitted))));
    }

    #[test]
    fn a_round_asks_only_for_the_answers_that_are_missing() {
        let mut bodies = Bodies::new(trip);
        let (mut slot, mut answers) = (BodySlot::EMPTY, Answers::NONE);
        bodies.fill(&mut slot, Body::SubmitExpense);
        let sheet = sheet(true, 1);
        let keys = |stop: Stop| match stop {
            Stop::Ask(round) => round.iter().map(|asked| (asked.ask, asked.answered_before)).collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        };
        assert_eq!(keys(bodies.step(&mut slot, &sheet, &mut answers).stop), [(0, 0), (1, 0)]);
        answers.push(accept(1));
        assert_eq!(keys(bodies.step(&mut slot, &sheet, &mut answers).stop), [(0, 0)]);
        answers.push(accept(0));
        assert_eq!(keys(bodies.step(&mut slot, &sheet, &mut answers).stop), [(0, 1)], "the second asking of one key");
        answers.push(accept(0));
        assert!(matches!(bodies.step(&mut slot, &sheet, &mut answers).stop, Stop::Done(Ok(ToolResult::Submitted))));
    }

    #[test]
    fn a_client_without_the_capability_is_never_asked() {
        let mut bodies = Bodies::new(super::super::run);
        let (mut slot, mut answers) = (BodySlot::EMPTY, Answers::NONE);
        bodies.fill(&mut slot, Body::SubmitExpense);
        assert!(matches!(bodies.step(&mut slot, &sheet(false, 500), &mut answers).stop, Stop::Work(_)));
        let stop = bodies.step(&mut slot, &sheet(false, 500), &mut answers).stop;
        assert!(matches!(stop, Stop::Done(Err(MissingCapability { needed: Capability::Form }))));
    }

    #[test]
    fn an_answer_that_is_there_needs_no_capability_any_more() {
        let mut bodies = Bodies::new(super::super::run);
        let (mut slot, mut answers) = (BodySlot::EMPTY, Answers::NONE);
        bodies.fill(&mut slot, Body::SubmitExpense);
        answers.push(accept(0));
        assert!(matches!(bodies.step(&mut slot, &sheet(false, 500), &mut answers).stop, Stop::Work(_)));
        let stop = bodies.step(&mut slot, &sheet(false, 500), &mut answers).stop;
        assert!(matches!(stop, Stop::Work(_)), "nothing is sent, so nothing is missing: {stop:?}");
    }

    #[test]
    fn a_server_that_fails_open_stops_to_say_so_and_goes_on_as_if_accepted() {
        let mut bodies = Bodies::new(super::super::run);
        let (mut slot, mut answers) = (BodySlot::EMPTY, Answers::NONE);
        bodies.fill(&mut slot, Body::SubmitExpense);
        let sheet = Sheet { unable: Unable::FailOpen, ..sheet(false, 500) };
        assert!(matches!(bodies.step(&mut slot, &sheet, &mut answers).stop, Stop::Work(_)));
        assert!(matches!(bodies.step(&mut slot, &sheet, &mut answers).stop, Stop::Pass(asks) if asks.len() == 1));
        answers.push(accept(0));
        assert!(matches!(bodies.step(&mut slot, &sheet, &mut answers).stop, Stop::Work(_)));
        assert!(matches!(bodies.step(&mut slot, &sheet, &mut answers).stop, Stop::Post(_)));
    }

    #[test]
    fn a_described_body_does_its_steps_in_order() {
        let mut bodies = Bodies::new(super::super::run);
        let (mut slot, mut answers) = (BodySlot::EMPTY, Answers::NONE);
        bodies.fill(&mut slot, Body::Steps);
        let steps = [Step::Work(0), Step::Ask(0, Capability::Url), Step::Post(1), Step::Work(1)];
        let declared = ClientCapabilities::NONE.with(Capability::Url);
        let sheet = Sheet { declared, program: Program::of(&steps), ..sheet(false, 7) };
        let mut next = || bodies.step(&mut slot, &sheet, &mut answers).stop;
        assert!(matches!(next(), Stop::WorkOf(0)));
        assert!(matches!(next(), Stop::Ask(asks) if asks.iter().all(|asked| asked.sent_as == Capability::Url)));
        answers.push(accept(0));
        let stop = bodies.step(&mut slot, &sheet, &mut answers).stop;
        assert!(matches!(stop, Stop::Unfinished(asked) if asked.ask == 0), "an accept of a link is no proof: {stop:?}");
        let sheet = Sheet { granted: true, ..sheet };
        let mut next = || bodies.step(&mut slot, &sheet, &mut answers).stop;
        assert!(matches!(next(), Stop::Post(e) if (e.ledger, e.amount) == (1, 7)));
        assert!(matches!(next(), Stop::WorkOf(1)));
        assert!(matches!(next(), Stop::Done(Ok(ToolResult::Submitted))));
    }

    #[test]
    fn small_amounts_pass_without_a_question() {
        let mut bodies = Bodies::new(super::super::run);
        let (mut slot, mut answers) = (BodySlot::EMPTY, Answers::NONE);
        bodies.fill(&mut slot, Body::SubmitExpense);
        for _ in 0..2 {
            assert!(matches!(bodies.step(&mut slot, &sheet(true, 100), &mut answers).stop, Stop::Work(_)));
        }
        assert!(matches!(bodies.step(&mut slot, &sheet(true, 100), &mut answers).stop, Stop::Post(_)));
    }

    #[test]
    fn a_panic_inside_a_body_leaves_the_desk_clean() {
        async fn broken(_: Cx, _: Body) -> Result<ToolResult, MissingCapability> {
            panic!("x")
        }
        let caught = std::panic::catch_unwind(|| {
            let mut bodies = Bodies::new(broken);
            let (mut slot, mut answers) = (BodySlot::EMPTY, Answers::NONE);
            bodies.fill(&mut slot, Body::SubmitExpense);
            bodies.step(&mut slot, &sheet(true, 1), &mut answers).stop
        });
        assert!(caught.is_err());
        a_client_without_the_capability_is_never_asked();
    }

    #[test]
    #[should_panic(expected = "outside a poll")]
    fn nothing_can_be_asked_outside_a_poll() {
        let _ = Cx::new().arguments();
    }

    #[test]
    fn a_suspended_body_is_small_and_can_change_threads() {
        fn send<T: Send>(_: &T) {}
        let body = super::super::run(Cx::new(), Body::SubmitExpense);
        send(&body);
        let bytes = std::mem::size_of_val(&body);
        assert!(bytes <= 40, "a suspended body takes {bytes} bytes");
    }
}
