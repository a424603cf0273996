//! The simulation: one event enum, one loop, one match. It wires people, clients, balancer and instances together and
//! must never name a design: whether something was kept is read off the body's slot.

mod agenda;
mod aside;
mod asking;
#[cfg(debug_assertions)]
mod audit;
mod births;
mod call;
mod client;
mod deploy;
mod effects;
mod fault;
mod fleet;
mod handshake;
mod keys;
mod ladder;
mod leaving;
mod line;
mod loss;
mod memory;
mod message;
mod page;
mod passing;
mod patience;
mod pool;
mod question;
mod replay;
mod retry;
mod round;
mod scaling;
mod screen;
mod server;
mod sessions;
mod sites;
mod start;
mod store;
mod story;
mod unable;
mod version;
mod way;
mod wire;

pub use story::{Party, Step, Story};
pub use wire::{Content, Given, Messages, Wire, WireKind};

use std::future::Future;
use std::time::Duration;

use agenda::Agenda;
use aside::Asides;
use births::{Birth, Births};
use call::Calls;
use deploy::Jobs;
use effects::Effects;
use keys::FleetKeys;
use ladder::Ladder;
use page::Pages;
use patience::ByAge;
use question::Question;
use scaling::Scaler;
use screen::Screens;
use sessions::SessionTable;
use sites::Sites;
use store::StoreState;
use way::Background;

use crate::engine::{Class, Engine, SimTime, Token};
use crate::era::Era;
use crate::metrics::{Fold, Fullest, Levels, Record, Tally, Window};
use crate::random::Streams;
use crate::scenario::{Scenario, Stop};
use crate::tool::{Ask, Bodies, Body, Cx, Finder, MissingCapability, ToolResult};
use crate::world::link::inspect;
use crate::world::{Balancer, Instance, InstanceId, Routing};

/// Everything that can happen. The number in each is a place: of a call, of a fault or of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    /// The next call of the source is sent.
    Arrive,
    /// The person answered, or the client did in their place.
    Answered(u32),
    /// The client sends its message again.
    Resend(u32),
    /// The browser of a person sends its next request.
    Browser(u32),
    /// A body's thread time is over.
    Worked(u32),
    /// The patience of the oldest call may be over.
    Patience,
    /// A clock on a call may have run out.
    Deadline(u32),
    /// A fault strikes.
    Strike(u32),
    /// A process crashes.
    Crash(u32),
    /// A new process is up.
    Restart(u32),
    /// The balancer looks at an address.
    Detect(u32),
    /// An address that was told to go has to be gone.
    Overdue(u32),
    /// The turn of an entry of the agenda has come.
    Turn(u32),
    /// The horizon: no arrival comes after it, and under `stop = "horizon"` everything stops.
    Close,
}

impl crate::engine::Event for Event {
    fn class(self) -> Class {
        match self {
            Event::Arrive | Event::Answered(_) | Event::Resend(_) | Event::Browser(_) => Class::Message,
            Event::Worked(_) => Class::Work,
            Event::Patience | Event::Deadline(_) => Class::Deadline,
            Event::Strike(_) | Event::Crash(_) | Event::Overdue(_) => Class::Death,
            Event::Restart(_) | Event::Detect(_) | Event::Turn(_) => Class::Change,
            Event::Close => Class::Sample,
        }
    }

    fn pack(self) -> u32 {
        let (kind, place) = match self {
            Event::Arrive => (0, 0),
            Event::Answered(call) => (1, call),
            Event::Resend(call) => (2, call),
            Event::Worked(call) => (3, call),
            Event::Patience => (4, 0),
            Event::Strike(fault) => (5, fault),
            Event::Restart(instance) => (6, instance),
            Event::Detect(instance) => (7, instance),
            Event::Close => (8, 0),
            Event::Browser(page) => (9, page),
            Event::Deadline(call) => (10, call),
            Event::Crash(instance) => (11, instance),
            Event::Overdue(address) => (12, address),
            Event::Turn(entry) => (13, entry),
        };
        assert!(place < 1 << PLACE_BITS, "more than {} calls at once", 1 << PLACE_BITS);
        kind << PLACE_BITS | place
    }

    fn unpack(packed: u32) -> Event {
        let place = packed & ((1 << PLACE_BITS) - 1);
        match packed >> PLACE_BITS {
            0 => Event::Arrive,
            1 => Event::Answered(place),
            2 => Event::Resend(place),
            3 => Event::Worked(place),
            4 => Event::Patience,
            5 => Event::Strike(place),
            6 => Event::Restart(place),
            7 => Event::Detect(place),
            8 => Event::Close,
            9 => Event::Browser(place),
            10 => Event::Deadline(place),
            11 => Event::Crash(place),
            12 => Event::Overdue(place),
            13 => Event::Turn(place),
            kind => unreachable!("an event of kind {kind} was never scheduled"),
        }
    }
}

const PLACE_BITS: u32 = 28;

impl Event {
    /// Largest place that an event can name.
    const LAST_PLACE: u32 = (1 << PLACE_BITS) - 1;
}

/// What a caller of a run may want beside the tally.
pub trait Observer {
    /// A call has ended. Calls outside the measuring window are shown too.
    fn record(&mut self, record: &Record);

    /// The call whose story is wanted, if any.
    fn followed(&self) -> Option<u32> {
        None
    }

    /// A step in the story of the followed call.
    fn step(&mut self, _: Step) {}

    /// A message of the followed call.
    fn message(&mut self, _: Wire) {}

    /// Asked now and then: whether the run should be given up.
    fn interrupted(&self) -> bool {
        false
    }
}

/// Looks at nothing.
impl Observer for () {
    fn record(&mut self, _: &Record) {}
}

/// Runs one replication of a scenario under one design with this body; what the body asks and where it enters is the
/// scenario's `tool.definition`. `None` when the observer gave it up.
pub fn run<O: Observer, F>(
    scenario: &Scenario,
    era: &dyn Era,
    replication: u64,
    body: fn(Cx, Body) -> F,
    observer: &mut O,
) -> Option<Tally>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    let mut sim = Sim::new(scenario, era, replication, Bodies::new(body), observer);
    sim.run_to_the_end().then(|| sim.finish())
}

/// One replication of one design, under way.
struct Sim<'a, O, F> {
    scenario: &'a Scenario,
    era: &'a dyn Era,
    observer: &'a mut O,
    followed: Option<u32>,
    window: Window,
    engine: Engine<Event>,
    streams: Streams,
    births: Births<'a>,
    /// The call that arrives next.
    next_birth: Option<Birth>,
    calls: Calls<F>,
    asides: Asides,
    pages: Pages,
    by_age: ByAge,
    /// What the rules of forms say of each ask of the tool, by number.
    questions: Vec<Question>,
    /// Whether a client that looks at the address of links refuses it.
    link_is_dangerous: bool,
    /// Whether such a client warns its person of it.
    link_is_doubtful: bool,
    /// Whether any ask of the tool is for a secret.
    has_secrets: bool,
    bodies: Bodies<F>,
    /// Effects that are known to have been made.
    effects: Effects,
    /// How bodies find their answers.
    finder: Finder,
    ladder: Ladder,
    screens: Screens,
    /// Whether a message has draws of its own.
    draws_by_message: bool,
    background: Background,
    balancer: Balancer,
    agenda: Agenda,
    sites: Sites,
    sessions: SessionTable,
    jobs: Jobs,
    scaler: Option<Scaler>,
    /// Deploys that have begun: the version of processes that start now.
    version: u32,
    /// The check of an address that was made last.
    checked_at: Option<(InstanceId, SimTime)>,
    instances: Vec<Instance>,
    store: StoreState,
    /// Instances that have a free thread and somebody in line.
    to_serve: Vec<InstanceId>,
    /// Instances that have a free connection and somebody who waits for it.
    to_connect: Vec<InstanceId>,
    /// Processes that took too much memory when they grew last.
    too_large: Vec<InstanceId>,
    keys: FleetKeys,
    fullest: Fullest,
    levels: Levels,
    fold: Fold,
    /// Logical events so far.
    events: u64,
}

/// How many scheduled events pass between two looks at whether the run should be given up.
const EVENTS_BETWEEN_LOOKS: u32 = 1 << 16;

impl<'a, O: Observer, F> Sim<'a, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    fn new(
        scenario: &'a Scenario,
        era: &'a dyn Era,
        replication: u64,
        bodies: Bodies<F>,
        observer: &'a mut O,
    ) -> Sim<'a, O, F> {
        let window = Window { from: scenario.run.warm_up, to: scenario.run.horizon };
        let (addresses, workers) = (scenario.fleet.addresses(), scenario.fleet.workers);
        let balancer = &scenario.balancer;
        let routing = Routing {
            policy: balancer.policy,
            ties: balancer.ties,
            hash: balancer.hash,
            // What comes up beside counts once.
            weights: (0..addresses as usize).map(|at| balancer.weights.get(at).copied().unwrap_or(1)).collect(),
            replicas: balancer.replicas,
        };
        let mut streams = Streams::new(scenario.seed, replication);
        let asks = &scenario.tool.definition.asks;
        let inspection = inspect(&scenario.links.address, Some(&scenario.links.server));
        let mut sim = Sim {
            scenario,
            era,
            followed: observer.followed(),
            observer,
            window,
            engine: Engine::new(),
            births: Births::new(scenario),
            next_birth: None,
            calls: Calls::new(),
            asides: Asides::default(),
            pages: Pages::default(),
            by_age: ByAge::NONE,
            questions: asks.iter().map(Question::of).collect(),
            link_is_dangerous: !inspection.is_allowed(),
            link_is_doubtful: !inspection.warnings.is_empty(),
            has_secrets: asks.iter().any(|ask: &Ask| ask.sensitive),
            bodies,
            effects: Effects::default(),
            finder: Finder::of(&scenario.tool.definition),
            ladder: Ladder::new(scenario),
            screens: Screens::new(scenario),
            draws_by_message: scenario.clients.reuse > 0.0 || balancer.replicas > 1 || scenario.fleet.workers > 1,
            background: Background::new(scenario, &mut streams),
            balancer: Balancer::new(routing),
            agenda: Agenda::default(),
            sites: Sites::new(addresses, addresses - scenario.fleet.spare),
            sessions: SessionTable::default(),
            jobs: Jobs::default(),
            scaler: scenario.fleet.scaling.as_ref().map(|_| Scaler::default()),
            version: 0,
            checked_at: None,
            streams,
            instances: Vec::with_capacity((addresses * workers) as usize),
            store: StoreState::default(),
            to_serve: Vec::new(),
            to_connect: Vec::new(),
            too_large: Vec::new(),
            keys: FleetKeys::default(),
            fullest: Fullest::default(),
            levels: Levels::new(scenario.bill.is_some()),
            fold: Fold::new(window, scenario.clients.kinds.len(), scenario.fleet.slow),
            events: 0,
        };
        sim.start_fleet();
        sim.engine.at(scenario.run.horizon, Event::Close);
        sim.schedule_faults();
        sim.schedule_look();
        sim.plan_rotation(1);
        sim.fill_fleet();
        sim.schedule_next_arrival();
        sim
    }

    /// Time moves here and only here.
    fn run_to_the_end(&mut self) -> bool {
        let mut until_look = EVENTS_BETWEEN_LOOKS;
        while let Some((event, token)) = self.engine.next() {
            if event == Event::Close && self.scenario.run.stop == Stop::Horizon {
                break;
            }
            self.handle(event, token);
            #[cfg(debug_assertions)]
            self.audit();
            until_look -= 1;
            if until_look == 0 {
                if self.observer.interrupted() {
                    return false;
                }
                until_look = EVENTS_BETWEEN_LOOKS;
            }
        }
        true
    }

    fn handle(&mut self, event: Event, token: Token) {
        match event {
            Event::Arrive => self.arrive(),
            Event::Answered(id) if self.calls[id].next == token => self.answered(id),
            Event::Resend(id) if self.calls[id].next == token => self.resend(id),
            Event::Browser(page) => self.browse(page),
            Event::Worked(id) if self.calls[id].next == token => self.worked(id),
            Event::Patience => self.look_at_patience(),
            Event::Deadline(id) => self.look_at_clocks(id, token),
            Event::Strike(fault) => self.strike(fault),
            Event::Crash(id) if self.instances[id as usize].crash == token => self.crash(id),
            Event::Restart(id) if self.instances[id as usize].restart == token => self.restart(id),
            Event::Overdue(address) => self.overdue(address, token),
            Event::Turn(entry) => self.take_turn(entry),
            Event::Detect(id) if self.instances[self.first_worker(id) as usize].detection == token => self.detect(id),
            // A timer that was overtaken: its owner no longer holds its token.
            Event::Answered(_) | Event::Resend(_) | Event::Worked(_) => {}
            Event::Crash(_) | Event::Restart(_) | Event::Detect(_) => {}
            // Under `stop = "cohort"` the run goes on; the clock has come at least this far.
            Event::Close => {}
        }
        while let Some(process) = self.too_large.pop() {
            self.kill_if_too_large(process);
        }
        while let Some(process) = self.to_connect.pop() {
            self.serve_pool(process);
        }
        while let Some(instance) = self.to_serve.pop() {
            self.serve_line(instance);
            while let Some(process) = self.to_connect.pop() {
                self.serve_pool(process);
            }
        }
        while let Some(address) = self.sites.may_go.pop() {
            self.go_if_idle(address);
        }
    }

    fn after(&mut self, pause: Duration, event: Event) -> Token {
        self.engine.after(pause, event)
    }

    fn now(&self) -> SimTime {
        self.engine.now()
    }

    /// Ends what is still open and sums up. The end of a run is the horizon or the last event, whichever is later.
    fn finish(mut self) -> Tally {
        self.end_open_calls();
        assert_eq!(self.levels.open.value(), 0, "requests were left open at the end of the run");
        assert_eq!(self.levels.threads_held.value(), 0, "threads were left held at the end of the run");
        let quantile = self.scenario.bill.map(|bill| bill.quantile);
        self.fold.finish(self.levels, self.events, quantile)
    }
}
