//! When calls are born and what is theirs from birth: the person, the amount, the work. All of it is drawn from the
//! call's own lane, so both designs meet the same calls.

use std::time::Duration;

use crate::engine::{SimTime, duration_from_secs};
use crate::random::{Distribution, Kind, Lane, Purpose, Streams, unit};
use crate::scenario::{Arrivals, ClientKind, Model, Piece, Scenario};
use crate::world::{Attack, Fate};

/// Calls that stand at the start of a run are numbered from here on, those that arrive below.
pub(super) const FIRST_STANDING: u32 = 1 << 31;

/// A call about to arrive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Birth {
    pub number: u32,
    pub at: SimTime,
    pub amount: u32,
    pub client: u8,
    pub fate: Fate,
    pub work_before: Duration,
    pub work_after: Duration,
    pub picks: [u32; 2],
}

/// The source of calls.
#[derive(Debug)]
pub(super) struct Births<'a> {
    scenario: &'a Scenario,
    /// Number of the next call.
    number: u32,
    /// Arrival of the last call.
    last: SimTime,
}

impl<'a> Births<'a> {
    pub(super) fn new(scenario: &'a Scenario) -> Births<'a> {
        Births { scenario, number: 0, last: SimTime::ZERO }
    }

    /// The next call; `None` when the source is dry or the next arrival lies beyond the horizon.
    pub(super) fn next(&mut self, streams: &mut Streams) -> Option<Birth> {
        let number = self.number;
        let lane = streams.lane(Kind::Call, u64::from(number));
        let at = arrival(&self.scenario.arrivals, number, self.last, &lane)?;
        if at > self.scenario.run.horizon {
            return None;
        }
        assert!(number < FIRST_STANDING, "more than {FIRST_STANDING} calls in one replication");
        self.number += 1;
        self.last = at;
        Some(born(self.scenario, streams, number, at, &lane))
    }
}

/// A call with its person, its amount and its work, all from its lane.
pub(super) fn born(scenario: &Scenario, streams: &mut Streams, number: u32, at: SimTime, lane: &Lane) -> Birth {
    let mut draw = |distribution: &Distribution, purpose| {
        let value = distribution.sample(&mut streams.words(lane, u64::from(number), purpose, 0));
        value.expect("a scenario never draws `never` where a value is needed")
    };
    let tool = &scenario.tool;
    let amount = draw(&tool.amount, Purpose::Amount);
    let work_before = duration_from_secs(draw(&tool.work_before, Purpose::WorkBefore));
    let work_after = duration_from_secs(draw(&tool.work_after, Purpose::WorkAfter));
    Birth {
        number,
        at,
        amount: amount.clamp(0.0, f64::from(u32::MAX)).round() as u32,
        client: client(&scenario.clients.kinds, streams, number),
        fate: fate(scenario, streams, number, 0, lane),
        work_before,
        work_after,
        picks: [Purpose::Pick, Purpose::PickSecond].map(|pick| (lane[pick.word()] >> 32) as u32),
    }
}

/// The word for the balancer's pick of the first message of call `number`.
pub(super) fn first_pick(streams: &mut Streams, number: u32) -> u32 {
    (streams.lane(Kind::Call, u64::from(number))[Purpose::Pick.word()] >> 32) as u32
}

/// Which kind of client sends call `number`.
fn client(kinds: &[ClientKind], streams: &mut Streams, number: u32) -> u8 {
    if kinds.len() == 1 {
        return 0;
    }
    let word = unit(streams.more(u64::from(number), Purpose::Client, 0));
    let mut below = 0.0;
    let chosen = kinds.iter().position(|kind| {
        below += kind.share;
        word < below
    });
    // Shares add up to 1 within rounding only, so the last kind takes what is left.
    chosen.unwrap_or(kinds.len() - 1) as u8
}

/// How many answers of call `number` its person gets wrong before the first right one.
pub(super) fn wrong_tries(scenario: &Scenario, streams: &mut Streams, number: u32) -> u16 {
    let mut words = streams.words(&[0; 8], u64::from(number), Purpose::WrongTries, 1);
    let tries = scenario.people.wrong_tries.sample(&mut words);
    tries.expect("a number of tries is a number").round().clamp(0.0, f64::from(u16::MAX)) as u16
}

/// Thread time of the `work` step with this number.
pub(super) fn step_work(scenario: &Scenario, streams: &mut Streams, number: u32, step: u8) -> Duration {
    let mut words = streams.words(&[0; 8], u64::from(number), Purpose::StepWork, 1 + u32::from(step));
    let time = scenario.tool.step_work[usize::from(step)].sample(&mut words);
    duration_from_secs(time.expect("a scenario never draws `never` where a value is needed"))
}

/// What the model behind call `number` does when it is told to ask and to call again.
pub(super) fn model(model: &Model, streams: &mut Streams, number: u32) -> ModelDoes {
    let mut hit = |share, index| unit(streams.more(u64::from(number), Purpose::Model, index)) < share;
    match (hit(model.calls_again, 0), hit(model.truthful, 1)) {
        (false, _) => ModelDoes::Nothing,
        (true, true) => ModelDoes::Ask,
        (true, false) => ModelDoes::Claim,
    }
}

/// Places that a call has among the links: for its pages, and the last for its user.
pub(super) const PLACES_OF_LINKS: u8 = 16;

/// Place of a page of call `number` among the links.
pub(super) fn place_of_link(number: u32, page: u8) -> u64 {
    u64::from(number) * u64::from(PLACES_OF_LINKS) + u64::from(page)
}

/// Whose call this is. Without a number of people each call is its own person's.
pub(super) fn user(scenario: &Scenario, streams: &mut Streams, number: u32) -> u32 {
    let Some(users) = scenario.people.users else { return number };
    let word = streams.lane(Kind::Link, place_of_link(number, PLACES_OF_LINKS - 1))[0];
    ((u128::from(word) * u128::from(users)) >> 64) as u32
}

/// What is done to the state of call `number`, if anything.
pub(super) fn attack(scenario: &Scenario, streams: &mut Streams, number: u32) -> Option<Attack> {
    let any = scenario.attack.any();
    any.then(|| scenario.attack.at(unit(streams.lane(Kind::Attack, u64::from(number))[0])))?
}

/// What a model does that is told to ask in the conversation and to call again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ModelDoes {
    /// It leaves it at that.
    Nothing,
    /// It asks the person.
    Ask,
    /// It asks nobody and calls again.
    Claim,
}

/// When call `number` arrives, given the arrival of the one before it.
fn arrival(arrivals: &Arrivals, number: u32, last: SimTime, lane: &Lane) -> Option<SimTime> {
    // Unit exponential gap of a Poisson process, by inversion.
    let unit_gap = || -libm::log(unit(lane[Purpose::Gap.word()]));
    match arrivals {
        Arrivals::Poisson { rate_per_s } => Some(last.saturating_add(duration_from_secs(unit_gap() / rate_per_s))),
        Arrivals::Constant { gap } => Some(last.saturating_add(*gap)),
        Arrivals::Profile(pieces) => along_profile(pieces, last, unit_gap()),
        Arrivals::At(times) => times.get(number as usize).copied(),
        Arrivals::Trace(rows) => rows.get(number as usize).map(|row| row.arrived),
    }
}

/// The instant at which the integral of the rate since `from` reaches `amount` (inversion of the cumulated rate).
fn along_profile(pieces: &[Piece], from: SimTime, mut amount: f64) -> Option<SimTime> {
    let mut start = from;
    for piece in pieces.iter().skip_while(|piece| piece.until <= from) {
        let length = piece.until.since(start).as_secs_f64();
        if amount <= piece.rate_per_s * length {
            return Some(start.saturating_add(duration_from_secs(amount / piece.rate_per_s)));
        }
        amount -= piece.rate_per_s * length;
        start = piece.until;
    }
    None
}

/// What the person behind a call does with their `ask`-th question, from 0. A recorded person does the same again. The
/// call's lane decides the first ask only; any other is drawn from words of its own.
pub(super) fn fate(scenario: &Scenario, streams: &mut Streams, number: u32, ask: u32, lane: &Lane) -> Fate {
    if let Arrivals::Trace(rows) = &scenario.arrivals {
        let row = &rows[number as usize];
        return Fate { think: row.think, action: row.action };
    }
    let (people, call) = (&scenario.people, u64::from(number));
    let think = people.think.sample(&mut streams.words(lane, call, Purpose::Think, ask));
    let decide = streams.words(lane, call, Purpose::Decide, ask)();
    match (think, people.decide.decision(people.silent, decide)) {
        (Some(think), Some(action)) => Fate { think: duration_from_secs(think), action: Some(action) },
        _ => Fate { think: Duration::ZERO, action: None },
    }
}
