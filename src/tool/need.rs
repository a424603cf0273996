//! The context that a body sees, and the desk behind it. A body asks, works and posts through [`Cx`]; what it stops for
//! lies on the desk, which is lent to this thread for the length of one poll. This is the project's only thread-local:
//! it keeps a suspended body free of pointers and [`Send`]. Nothing inside a poll may start another poll or enter a
//! thread pool.

use std::cell::RefCell;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use super::{Action, Answers, Arguments, Ask, Finder, InputRequest, InputRequests, Program, Step, Stop, ToolResult};
use crate::world::{Capability, ClientCapabilities, Gate, Unable, gate};

/// The client cannot be asked: it did not declare the capability that the ask needs (client/elicitation C-01..C-04).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the client did not declare `{}`", needed.name())]
pub struct MissingCapability {
    /// What it would have had to declare.
    pub needed: Capability,
}

/// Where effects that the outside can see are written down.
#[derive(Debug, PartialEq, Eq)]
pub struct Ledger {
    /// Number within the tool: its place in [`Definition::ledgers`](super::Definition::ledgers).
    pub number: u8,
    /// Its name.
    pub name: &'static str,
}

/// One line in a ledger: an effect that the outside can see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Number of the ledger within the tool.
    pub ledger: u8,
    /// The amount entered.
    pub amount: u32,
}

/// What is lent to a body for one poll.
#[derive(Clone, Copy, Debug)]
pub struct Sheet {
    /// What the client declared, as far as it counts for this poll.
    pub declared: ClientCapabilities,
    /// What the server does when it may not ask.
    pub unable: Unable,
    /// The call's arguments.
    pub arguments: Arguments,
    /// Thread time before the question.
    pub work_before: Duration,
    /// Thread time after the question.
    pub work_after: Duration,
    /// The steps of a body that a scenario describes.
    pub program: Program,
    /// How it finds its answers.
    pub finder: Finder,
    /// Whether what a page behind a link has to bring is there.
    pub granted: bool,
}

struct Desk {
    open: bool,
    sheet: Sheet,
    answers: Answers,
    misapplied: u16,
    stop: Option<Stop>,
}

impl Desk {
    /// The answer at this place, now used for this ask.
    fn take(&mut self, ask: u8, place: usize) -> Action {
        if self.answers.at(place).ask != ask {
            self.misapplied |= 1 << place;
        }
        self.answers.take(place)
    }
}

/// What came of one poll of a body.
#[derive(Clone, Copy, Debug)]
pub struct Polled {
    /// Why it stopped.
    pub stop: Stop,
    /// The places, as bits, of answers that it used for another ask than the one that they were given to.
    pub misapplied: u16,
}

const CLOSED: Desk = Desk {
    open: false,
    sheet: Sheet {
        declared: ClientCapabilities::NONE,
        unable: Unable::Reject,
        arguments: Arguments { amount: 0, confirmed: false },
        work_before: Duration::ZERO,
        work_after: Duration::ZERO,
        program: Program::NONE,
        finder: Finder::PLAIN,
        granted: false,
    },
    answers: Answers::NONE,
    misapplied: 0,
    stop: None,
};

// Without drop glue, so that the thread-local needs no destructor check at each use.
thread_local! { static DESK: RefCell<Desk> = const { RefCell::new(CLOSED) }; }

fn desk<R>(use_it: impl FnOnce(&mut Desk) -> R) -> R {
    DESK.with_borrow_mut(|desk| {
        assert!(desk.open, "a body's context was used outside a poll");
        use_it(desk)
    })
}

/// Closes the desk when a body panics, so that the next poll on this thread finds it clean.
struct CloseOnPanic;
impl Drop for CloseOnPanic {
    fn drop(&mut self) {
        DESK.with_borrow_mut(|desk| desk.open = false);
    }
}

/// Lends the sheet and the answers to `body`, polls it once, and says what came of it. Answers that the body used are
/// marked as used.
pub(super) fn poll_once<F>(body: Pin<&mut F>, sheet: &Sheet, answers: &mut Answers) -> Polled
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    DESK.with_borrow_mut(|desk| {
        assert!(!desk.open, "a poll inside a poll");
        *desk = Desk { open: true, sheet: *sheet, answers: *answers, misapplied: 0, stop: None };
    });
    let close = CloseOnPanic;
    let polled = body.poll(&mut Context::from_waker(Waker::noop()));
    std::mem::forget(close);
    DESK.with_borrow_mut(|desk| {
        desk.open = false;
        *answers = desk.answers;
        let stop = match polled {
            Poll::Ready(result) => Stop::Done(result),
            Poll::Pending => desk.stop.take().expect("a body pended without saying why"),
        };
        Polled { stop, misapplied: desk.misapplied }
    })
}

/// The context of a body. Empty and `Copy`: everything behind it is lent for one poll.
#[derive(Clone, Copy, Debug)]
pub struct Cx(PhantomData<()>);

impl Cx {
    pub(super) const fn new() -> Cx {
        Cx(PhantomData)
    }

    /// The call's arguments.
    pub fn arguments(self) -> Arguments {
        desk(|d| d.sheet.arguments)
    }

    /// Thread time that this call needs before its question.
    pub fn work_before(self) -> Duration {
        desk(|d| d.sheet.work_before)
    }

    /// Thread time that this call needs after its question.
    pub fn work_after(self) -> Duration {
        desk(|d| d.sheet.work_after)
    }

    /// The step at this place of a body that the scenario describes.
    pub(super) fn step(self, place: u8) -> Option<Step> {
        desk(|d| d.sheet.program.step(place))
    }

    /// Asks one question and waits for the answer.
    pub fn need(self, ask: &'static Ask) -> Need {
        self.need_of(ask.number, ask.needs)
    }

    /// Asks the question with this number.
    pub(super) fn need_of(self, ask: u8, needs: Capability) -> Need {
        Need { ask, needs }
    }

    /// Whether what a page behind a link has to bring is there: looked up, never taken from an answer.
    pub fn is_granted(self) -> bool {
        desk(|d| d.sheet.granted)
    }

    /// Whether the call brings an answer to this question that the running body has not used yet.
    pub fn is_answered(self, ask: &'static Ask) -> bool {
        desk(|d| d.sheet.finder.find_under_key(&d.answers, ask.number).is_some())
    }

    /// Waits until the page behind an accepted link has brought what it has to bring, or the person gives it up.
    pub fn finished(self, ask: &'static Ask) -> Finished {
        self.finished_of(ask.number, ask.needs)
    }

    /// The same for the link with this number.
    pub(super) fn finished_of(self, ask: u8, needs: Capability) -> Finished {
        Finished { ask, needs }
    }

    /// Asks several questions in one round; questions that are answered already are not asked again.
    pub fn need_all<const N: usize>(self, asks: &'static [&'static Ask; N]) -> NeedAll<N> {
        NeedAll(asks)
    }

    /// Uses a thread for this long.
    pub fn work(self, duration: Duration) -> Work {
        Work { time: Time::Of(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)), begun: false }
    }

    /// Uses a thread for as long as the scenario says of its work with this number.
    pub(super) fn work_of(self, number: u8) -> Work {
        Work { time: Time::OfStep(number), begun: false }
    }

    /// Makes an effect that the outside can see: an entry of this amount.
    pub fn post(self, ledger: &'static Ledger, amount: u32) -> Post {
        self.post_to(ledger.number, amount)
    }

    /// Makes an entry in the ledger with this number.
    pub(super) fn post_to(self, ledger: u8, amount: u32) -> Post {
        Post { entry: Entry { ledger, amount }, begun: false }
    }
}

/// The answer to one ask, later. The capability gate stands in front of it.
#[derive(Debug)]
#[must_use = "a question that is not awaited is not asked"]
pub struct Need {
    ask: u8,
    needs: Capability,
}

impl Future for Need {
    type Output = Result<Action, MissingCapability>;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        desk(|d| {
            let place = d.sheet.finder.find(&d.answers, self.ask);
            round(d, [(self.ask, self.needs)], [place]).map(|answered| answered.map(|[action]| action))
        })
    }
}

/// The end of a page behind a link, later: an accept when it has brought what it has to bring.
#[derive(Debug)]
#[must_use = "a page that is not awaited may not be finished"]
pub struct Finished {
    ask: u8,
    needs: Capability,
}

impl Future for Finished {
    type Output = Result<Action, MissingCapability>;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        desk(|d| {
            // Asked again, the person may have said no, and is heard also when the grant has come meanwhile.
            if let Some(place) = d.sheet.finder.find_under_key(&d.answers, self.ask) {
                return Poll::Ready(Ok(d.take(self.ask, place)));
            }
            if d.sheet.granted {
                return Poll::Ready(Ok(Action::Accept));
            }
            let answered_before = d.sheet.finder.answered(&d.answers, self.ask);
            let request = InputRequest { ask: self.ask, answered_before, sent_as: self.needs };
            d.stop = Some(match gate(self.needs, d.sheet.declared, d.sheet.unable) {
                Gate::Send(sent_as) => Stop::Unfinished(InputRequest { sent_as, ..request }),
                Gate::Pass => Stop::Pass(InputRequests::one(request)),
                Gate::Missing(needed) => return Poll::Ready(Err(MissingCapability { needed })),
            });
            Poll::Pending
        })
    }
}

/// The answers to several asks of one round, later.
#[derive(Debug)]
#[must_use = "questions that are not awaited are not asked"]
pub struct NeedAll<const N: usize>(&'static [&'static Ask; N]);

impl<const N: usize> Future for NeedAll<N> {
    type Output = Result<[Action; N], MissingCapability>;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        desk(|d| {
            let places = self.0.map(|ask| d.sheet.finder.find_under_key(&d.answers, ask.number));
            round(d, self.0.map(|ask| (ask.number, ask.needs)), places)
        })
    }
}

/// The desk: ready when every ask has found an answer, else the missing ones become the round, if the gate lets them.
fn round<const N: usize>(
    d: &mut Desk,
    asks: [(u8, Capability); N],
    places: [Option<usize>; N],
) -> Poll<Result<[Action; N], MissingCapability>> {
    if places.iter().all(Option::is_some) {
        let taken = std::array::from_fn(|n| d.take(asks[n].0, places[n].unwrap_or_default()));
        return Poll::Ready(Ok(taken));
    }
    let (mut missing, mut passed) = (InputRequests::NONE, InputRequests::NONE);
    for ((ask, needs), _) in asks.into_iter().zip(places).filter(|(_, place)| place.is_none()) {
        let request = InputRequest { ask, answered_before: d.sheet.finder.answered(&d.answers, ask), sent_as: needs };
        match gate(needs, d.sheet.declared, d.sheet.unable) {
            Gate::Send(sent_as) => missing.push(InputRequest { sent_as, ..request }),
            Gate::Pass => passed.push(request),
            Gate::Missing(needed) => return Poll::Ready(Err(MissingCapability { needed })),
        }
    }
    d.stop = Some(if passed.is_empty() { Stop::Ask(missing) } else { Stop::Pass(passed) });
    Poll::Pending
}

/// Thread time, later over. Spent again by a body that runs again from the top.
#[derive(Debug)]
#[must_use = "work that is not awaited takes no time"]
pub struct Work {
    time: Time,
    begun: bool,
}

/// How long work takes: this many ns, or what the scenario says of its work with this number.
#[derive(Clone, Copy, Debug)]
enum Time {
    Of(u64),
    OfStep(u8),
}

impl Future for Work {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.begun {
            return Poll::Ready(());
        }
        self.begun = true;
        let stop = match self.time {
            Time::Of(ns) => Stop::Work(Duration::from_nanos(ns)),
            Time::OfStep(number) => Stop::WorkOf(number),
        };
        desk(|d| d.stop = Some(stop));
        Poll::Pending
    }
}

/// An effect, later made.
#[derive(Debug)]
#[must_use = "an effect that is not awaited is not made"]
pub struct Post {
    entry: Entry,
    begun: bool,
}

impl Future for Post {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.begun {
            return Poll::Ready(());
        }
        self.begun = true;
        desk(|d| d.stop = Some(Stop::Post(self.entry)));
        Poll::Pending
    }
}
