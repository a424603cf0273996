//! The ladder of deadlines: every clock on a call but its client's patience, each with an owner and a span of its own.
//! At one instant the client's patience comes first, then the earlier rung of the list. Must never cost a call anything in
//! a scenario without such clocks.

use std::future::Future;
use std::time::Duration;

use super::aside::Waits;
use super::call::{Stage, instance};
use super::story::Party;
use super::wire::WireKind;
use super::{Event, Observer, Sim};
use crate::engine::{SimTime, Token, duration_from_secs};
use crate::metrics::Outcome;
use crate::random::{Kind, unit};
use crate::scenario::{OnBroken, Scenario};
use crate::tool::{MissingCapability, ToolResult};
use crate::world::{Cause, InstanceId};

/// One clock on a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rung {
    /// The client's, on a request that is open.
    Request,
    /// The client's, on serving its open question after it gave up.
    Serving,
    /// The server's, on the answer to an ask that keeps its call open.
    Answer,
    /// The server's, on one run of the body.
    Budget,
    /// The server's, on a session in which the client sends nothing.
    Session,
    /// The proxy's, on silence on an open request.
    Silence,
    /// The call's, on its place in line.
    Line,
    /// The server's, on the wait for a connection of the pool.
    Pool,
}

const RUNGS: [Rung; 8] =
    [Rung::Request, Rung::Serving, Rung::Answer, Rung::Budget, Rung::Session, Rung::Silence, Rung::Line, Rung::Pool];

/// When each clock of one call runs out.
#[derive(Clone, Copy, Debug)]
struct Clocks {
    due: [SimTime; RUNGS.len()],
    /// The scheduled look at the earliest of them.
    armed: SimTime,
    token: Token,
    /// What is left of the budget while its clock pauses.
    paused: Option<Duration>,
    /// Comments on the open stream so far.
    heartbeats: u32,
    /// Whether no comment comes before the silence has lasted too long.
    quiet: bool,
}

const STOPPED: Clocks = Clocks {
    due: [SimTime::MAX; RUNGS.len()],
    armed: SimTime::MAX,
    token: Token::NONE,
    paused: None,
    heartbeats: 0,
    quiet: false,
};

/// The clocks of all calls, by place.
#[derive(Debug)]
pub(super) struct Ladder {
    calls: Vec<Clocks>,
    is_there: bool,
    /// Longest silence that every hop bears.
    silence: Option<Duration>,
}

/// Comments of one call that have words of their own.
const MOST_HEARTBEATS: u64 = 1 << 24;

impl Ladder {
    pub(super) fn new(scenario: &Scenario) -> Ladder {
        let (clients, fleet, tool) = (&scenario.clients, &scenario.fleet, &scenario.tool);
        let heartbeat = fleet.heartbeat.map(|gap| gap.mul_f64(1.0 + fleet.heartbeat_jitter));
        let least = scenario.balancer.idle.iter().min().copied();
        // A limit that every gap keeps is none.
        let silence = least.filter(|&least| heartbeat.is_none_or(|longest| longest > least));
        let clocks = [clients.request_timeout, fleet.answer_timeout, tool.budget, fleet.session_idle, silence];
        let in_line = fleet.queue_timeout.is_some() || fleet.pool.is_some_and(|pool| pool.timeout.is_some());
        let is_there = clocks.iter().any(Option::is_some) || !clients.serves_after.is_zero() || in_line;
        Ladder { calls: Vec::new(), is_there, silence }
    }

    /// Whether the scenario has any clock.
    pub(super) fn is_there(&self) -> bool {
        self.is_there
    }

    fn of(&mut self, id: u32) -> &mut Clocks {
        let place = id as usize;
        if self.calls.len() <= place {
            self.calls.resize(place + 1, STOPPED);
        }
        &mut self.calls[place]
    }
}

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// A clock starts, unless it is none.
    pub(super) fn start_clock(&mut self, id: u32, rung: Rung, span: Option<Duration>) {
        let Some(span) = span else { return };
        let due = self.now().saturating_add(span);
        self.ladder.of(id).due[rung as usize] = due;
        self.arm_ladder(id);
    }

    pub(super) fn stop_clock(&mut self, id: u32, rung: Rung) {
        if self.ladder.is_there {
            self.ladder.of(id).due[rung as usize] = SimTime::MAX;
        }
    }

    /// Every clock stops: the call is over.
    pub(super) fn stop_clocks(&mut self, id: u32) {
        if self.ladder.is_there {
            *self.ladder.of(id) = STOPPED;
        }
    }

    fn arm_ladder(&mut self, id: u32) {
        let clocks = self.ladder.of(id);
        let earliest = clocks.due.into_iter().min().expect("there are rungs");
        if earliest < clocks.armed {
            let token = self.engine.at(earliest, Event::Deadline(id));
            let clocks = self.ladder.of(id);
            (clocks.armed, clocks.token) = (earliest, token);
        }
    }

    /// A clock of the call may have run out.
    pub(super) fn look_at_clocks(&mut self, id: u32, token: Token) {
        let now = self.now();
        let clocks = self.ladder.of(id);
        if clocks.token != token {
            return;
        }
        clocks.armed = SimTime::MAX;
        match RUNGS.into_iter().find(|&rung| clocks.due[rung as usize] <= now) {
            // Its own timer may come later, as other calls have it.
            Some(_) if self.is_out_of_patience(id) => self.out_of_patience(id),
            Some(rung) => {
                self.stop_clock(id, rung);
                self.run_out(id, rung);
            }
            None => {}
        }
        if self.calls[id].stage != Stage::Over {
            self.arm_ladder(id);
        }
    }

    fn run_out(&mut self, id: u32, rung: Rung) {
        match rung {
            Rung::Request => {
                self.tell(id, Party::Client, Party::Client, || "its clock on the request runs out".to_owned());
                self.out_of_time(id, Cause::RequestDeadline);
            }
            // An answer that came in time is served to its end.
            Rung::Serving if self.calls[id].stage == Stage::Working => self.leave_held(id),
            Rung::Serving => self.leave(id),
            Rung::Answer => self.stopped_by_server(id, Cause::ServerDeadline),
            Rung::Budget => self.stopped_by_server(id, Cause::ToolBudget),
            Rung::Session => self.end_session(id),
            Rung::Silence => self.fell_silent(id),
            Rung::Line => self.tired_of_line(id),
            Rung::Pool => self.pool_timed_out(id),
        }
    }

    /// The server ends the call with an error.
    fn stopped_by_server(&mut self, id: u32, cause: Cause) {
        self.calls[id].blame(cause);
        if self.reaches_nobody(id) {
            return;
        }
        self.reply_at(id, |_| WireKind::ServerTimeout);
        self.tell_from(id, Party::Client, || format!("error: {}", cause.in_words()));
        self.end(id, Outcome::TimedOut);
    }

    /// The server ends the session with all that it holds for it, and tells nobody.
    fn end_session(&mut self, id: u32) {
        if !self.is_held(id) {
            return;
        }
        self.calls[id].blame(Cause::SessionIdle);
        self.tell_at(id, || "ends the idle session, and the call with it".to_owned());
        self.drop_session(id);
        self.hang(id);
        self.settle(id);
    }

    /// A call has moved from stage to stage: by how much its open requests and its parked bodies changed, and whether a
    /// server still holds it.
    pub(super) fn clocks_follow(&mut self, id: u32, open: i32, parked: i32, is_held: bool) {
        match open {
            1 => {
                self.start_clock(id, Rung::Request, self.scenario.clients.request_timeout);
                self.heard(id);
            }
            -1 => {
                self.stop_clock(id, Rung::Request);
                self.stop_clock(id, Rung::Silence);
            }
            _ => {}
        }
        match parked {
            1 if is_held => self.begin_to_keep(id),
            -1 if is_held => self.stop_keeping(id),
            _ => {}
        }
        if !is_held {
            self.ladder.of(id).paused = None;
            for rung in [Rung::Answer, Rung::Budget, Rung::Session, Rung::Line, Rung::Pool] {
                self.stop_clock(id, rung);
            }
        }
    }

    /// The request is gone, and its client waits for it all the same: what it does not know stops no clock of its own.
    pub(super) fn lose_request(&mut self, id: u32) {
        let clock = self.clock(id, Rung::Request);
        self.let_go(id);
        self.keep_clock(id, Rung::Request, clock);
    }

    /// When a clock runs out, if it runs.
    pub(super) fn clock(&self, id: u32, rung: Rung) -> Option<SimTime> {
        let due = self.ladder.calls.get(id as usize)?.due[rung as usize];
        (due != SimTime::MAX).then_some(due)
    }

    /// A clock that was not to stop runs on.
    pub(super) fn keep_clock(&mut self, id: u32, rung: Rung, due: Option<SimTime>) {
        if let Some(due) = due
            && self.calls[id].stage != Stage::Over
            && self.asides.of(id).ended.is_none()
        {
            self.ladder.of(id).due[rung as usize] = due;
            self.arm_ladder(id);
        }
    }

    /// Something was sent on the open request.
    fn heard(&mut self, id: u32) {
        let Some(limit) = self.ladder.silence else { return };
        let Some(heartbeat) = self.scenario.fleet.heartbeat else {
            return self.start_clock(id, Rung::Silence, Some(limit));
        };
        let number = u64::from(self.calls[id].number);
        let clocks = self.ladder.of(id);
        let place = number * MOST_HEARTBEATS + u64::from(clocks.heartbeats) % MOST_HEARTBEATS;
        clocks.heartbeats = clocks.heartbeats.wrapping_add(1);
        let jitter = self.scenario.fleet.heartbeat_jitter;
        let part = 1.0 + jitter * (2.0 * unit(self.streams.lane(Kind::Heartbeat, place)[0]) - 1.0);
        let gap = duration_from_secs(heartbeat.as_secs_f64() * part);
        self.start_clock(id, Rung::Silence, Some(gap.min(limit)));
        self.ladder.of(id).quiet = gap > limit;
    }

    /// Either the next comment is due, or the silence has lasted too long.
    fn fell_silent(&mut self, id: u32) {
        if self.scenario.fleet.heartbeat.is_some() && !self.ladder.of(id).quiet {
            return self.heard(id);
        }
        self.calls[id].blame(Cause::IdleCut);
        self.tell(id, Party::Balancer, Party::Client, || "closes the silent connection".to_owned());
        match self.scenario.clients.on_broken {
            OnBroken::Fail => {
                self.message(id, Party::Balancer, Party::Client, |_| WireKind::Broken);
                self.caller_ends(id, Outcome::Lost);
                // A client whose stream broke sends no cancel.
                match self.drop_cancels(id) {
                    true => self.leave(id),
                    false => self.leave_held(id),
                }
            }
            OnBroken::Hang if self.drop_cancels(id) => self.hang(id),
            OnBroken::Hang => self.close_connection(id),
        }
    }

    /// The clocks of the server while it keeps the body, from the moment at which it asked.
    fn begin_to_keep(&mut self, id: u32) {
        // Who waits for a page asks nothing.
        if self.asides.of(id).waits != Waits::Held {
            self.start_clock(id, Rung::Answer, self.scenario.fleet.answer_timeout);
            self.heard_if_open(id);
        }
        if self.scenario.tool.budget_pauses {
            let now = self.now();
            let clocks = self.ladder.of(id);
            let due = std::mem::replace(&mut clocks.due[Rung::Budget as usize], SimTime::MAX);
            clocks.paused = (due != SimTime::MAX).then(|| due.since(now));
        }
    }

    /// The server has sent something, if there still is a connection to send it on.
    pub(super) fn heard_if_open(&mut self, id: u32) {
        if !self.calls[id].cut {
            self.heard(id);
        }
    }

    /// The kept body goes on.
    fn stop_keeping(&mut self, id: u32) {
        self.stop_clock(id, Rung::Answer);
        let paused = self.ladder.of(id).paused.take();
        self.start_clock(id, Rung::Budget, paused);
    }

    /// The client has sent something within a session to this process: its clock begins anew, if it knows the session.
    pub(super) fn session_used(&mut self, id: u32, at: InstanceId) {
        let holder = instance(self.calls[id].at).filter(|_| self.is_held(id));
        if self.has_session_at(id, at) && holder.is_none_or(|holder| holder == at) {
            self.start_clock(id, Rung::Session, self.scenario.fleet.session_idle);
        }
    }
}
