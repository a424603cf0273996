//! Sessions as things of their own: the process that minted one keeps it until its client says goodbye, its clock runs
//! out, another takes its place or the process dies. Must never decide where a message goes.

use std::collections::BTreeMap;
use std::future::Future;

use super::agenda::Turn;
use super::story::Party;
use super::way::Errand;
use super::{Observer, Sim};
use crate::engine::SimTime;
use crate::era::Lifecycle;
use crate::metrics::Incident;
use crate::random::{Kind, unit};
use crate::tool::{MissingCapability, ToolResult};
use crate::world::{AtCap, Cause, InstanceId};

/// A session, by the process that minted it and its number.
pub(super) type SessionId = (InstanceId, u64);

/// A session.
#[derive(Debug)]
struct Session {
    /// The group of calls that share it.
    group: u32,
    /// The calls of its client that are under way, by place and number.
    calls: Vec<(u32, u32)>,
    /// Calls that its client has yet to make.
    to_come: u32,
    /// Since when no call of it is under way.
    idle_since: SimTime,
}

/// All sessions, those of one process beside each other, the oldest first.
#[derive(Debug, Default)]
pub(super) struct SessionTable {
    all: BTreeMap<SessionId, Session>,
    minted: u64,
    /// The session that the next call of a group joins.
    of_group: BTreeMap<u32, SessionId>,
}

/// More messages than any handshake has: it is over.
const GREETED: u8 = u8::MAX;

/// A life that no process has: nobody knows a session that it minted.
const NO_LIFE: u32 = u32::MAX;

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// The client of a call uses the session that it has, if it has one. Whether it has.
    pub(super) fn joins_session(&mut self, id: u32) -> bool {
        let group = self.group(id);
        let Some(&session) = self.sessions.of_group.get(&group) else { return false };
        let number = self.calls[id].number;
        let Some(joined) = self.sessions.all.get_mut(&session) else { return false };
        joined.calls.push((id, number));
        joined.to_come = joined.to_come.saturating_sub(1);
        let (at, life) = (session.0, self.instances[session.0 as usize].life);
        let aside = self.asides.note(id);
        (aside.session, aside.session_id) = (Some((at, life)), Some(session));
        aside.greeted = GREETED;
        self.calls[id].last = at as u16;
        true
    }

    /// The calls that share a session with this one.
    fn group(&self, id: u32) -> u32 {
        self.calls[id].number / self.scenario.clients.calls_per_session
    }

    /// A process mints a session for a call. `false` when it takes no more.
    pub(super) fn mint_session(&mut self, id: u32, at: InstanceId) -> bool {
        let fleet = &self.scenario.fleet;
        if fleet.session_cap.is_some_and(|cap| self.instances[at as usize].sessions >= cap) {
            match fleet.at_session_cap {
                AtCap::Refuse => return false,
                AtCap::Evict => self.evict_oldest(at),
            }
        }
        let (group, number) = (self.group(id), self.calls[id].number);
        let session = (at, self.sessions.minted);
        self.sessions.minted += 1;
        let to_come = self.scenario.clients.calls_per_session - 1 - number % self.scenario.clients.calls_per_session;
        let minted = Session { group, calls: vec![(id, number)], to_come, idle_since: SimTime::MAX };
        self.sessions.all.insert(session, minted);
        if self.scenario.clients.calls_per_session > 1 {
            self.sessions.of_group.insert(group, session);
        }
        let life = self.instances[at as usize].life;
        let aside = self.asides.note(id);
        (aside.session, aside.session_id) = (Some((at, life)), Some(session));
        self.count_sessions(at, 1);
        self.grew(at);
        true
    }

    fn count_sessions(&mut self, at: InstanceId, by: i32) {
        let process = &mut self.instances[at as usize];
        process.sessions = process.sessions.checked_add_signed(by).expect("sessions are counted");
        self.levels.sessions.change(by, self.engine.now(), &self.window);
    }

    /// A session is no more.
    fn end_of_session(&mut self, session: SessionId) -> Option<Session> {
        let ended = self.sessions.all.remove(&session)?;
        if self.sessions.of_group.get(&ended.group) == Some(&session) {
            self.sessions.of_group.remove(&ended.group);
        }
        self.count_sessions(session.0, -1);
        Some(ended)
    }

    /// The oldest session of a process ends with all that is held for it, and tells nobody.
    fn evict_oldest(&mut self, at: InstanceId) {
        let Some((&oldest, _)) = self.sessions.all.range((at, 0)..=(at, u64::MAX)).next() else { return };
        let evicted = self.end_of_session(oldest).expect("it was just found");
        for (id, _) in evicted.calls {
            let aside = self.asides.note(id);
            aside.session = Some((at, NO_LIFE));
            aside.session_id = None;
            self.calls[id].blame(Cause::SessionEvicted);
            if self.is_held(id) {
                self.tell_at(id, || "ends the oldest session, and the call with it".to_owned());
                self.hang(id);
                self.settle(id);
            }
        }
    }

    /// The server drops a session whose clock ran out, with the call that it held.
    pub(super) fn drop_session(&mut self, id: u32) {
        if let Some(session) = self.asides.of(id).session_id {
            self.asides.note(id).session_id = None;
            self.end_of_session(session);
        }
    }

    /// The client of a call has lost its session, which its process may keep.
    pub(super) fn detach_session(&mut self, id: u32) {
        let Some(session) = self.asides.of(id).session_id else { return };
        let (number, now) = (self.calls[id].number, self.engine.now());
        if let Some(session) = self.sessions.all.get_mut(&session) {
            session.calls.retain(|&call| call != (id, number));
            session.idle_since = now;
        }
        self.watch_idle(id);
        self.asides.note(id).session_id = None;
    }

    /// A process is no more, and no session of it.
    pub(super) fn sessions_die(&mut self, at: InstanceId) {
        let of: Vec<SessionId> = self.sessions.all.range((at, 0)..=(at, u64::MAX)).map(|(&id, _)| id).collect();
        for session in of {
            self.end_of_session(session);
        }
    }

    /// A call is through with its session. Its client says goodbye if it is through with it too, or forgets to.
    pub(super) fn leave_session(&mut self, id: u32) {
        let Some((minted_at, _)) = self.asides.of(id).session else { return };
        let session = self.asides.of(id).session_id;
        let number = self.calls[id].number;
        if let Some(session) = session.and_then(|session| self.sessions.all.get_mut(&session)) {
            session.calls.retain(|&call| call != (id, number));
            session.idle_since = self.engine.now();
            if !session.calls.is_empty() || session.to_come > 0 {
                return self.watch_idle(id);
            }
        }
        if !self.says_goodbye(id) {
            self.asides.note(id).incidents.note(Incident::SessionLeft);
            return self.watch_idle(id);
        }
        self.tell(id, Party::Client, Party::Balancer, || Lifecycle::Delete.name().to_owned());
        let to = self.route(id, Errand::Lifecycle(Lifecycle::Delete), None);
        match session {
            Some(session) if to == Some(minted_at) => drop(self.end_of_session(session)),
            _ => self.watch_idle(id),
        }
    }

    /// Whether the client of a call ends its session.
    fn says_goodbye(&mut self, id: u32) -> bool {
        let share = self.scenario.clients.goodbye;
        share >= 1.0 || unit(self.streams.lane(Kind::Way, u64::from(self.calls[id].number))[4]) < share
    }

    /// The clock on a session of which no call is under way.
    fn watch_idle(&mut self, id: u32) {
        let (Some(idle), Some(session)) = (self.scenario.fleet.session_idle, self.asides.of(id).session_id) else {
            return;
        };
        let now = self.now();
        if self.sessions.all.get(&session).is_some_and(|session| session.calls.is_empty()) {
            self.plan(now.saturating_add(idle), Turn::Session(session, now));
        }
    }

    /// The clock on a session has run out, unless a call of it has been under way since then.
    pub(super) fn session_idle(&mut self, session: SessionId, since: SimTime) {
        let idle = |session: &Session| session.calls.is_empty() && session.idle_since == since;
        if self.sessions.all.get(&session).is_some_and(idle) {
            self.end_of_session(session);
        }
    }
}
