//! A message that failed is tried again: by the client after a pause that grows, by the proxy at once. Must never keep
//! what a dead process held: who lost its body begins from the top, who carries its state sends that again.

use std::future::Future;
use std::time::Duration;

use super::call::Stage;
use super::ladder::Rung;
use super::story::Party;
use super::{Event, Observer, Sim};
use crate::engine::duration_from_secs;
use crate::metrics::Incident;
use crate::random::{Kind, unit};
use crate::scenario::{Failure, Jitter, Retry};
use crate::tool::{MissingCapability, ToolResult};

/// Pause before try number `tries` (from 0) with this random word: `at_least` plus the backoff, jittered.
fn pause(retry: &Retry, tries: u8, word: u64) -> Duration {
    let grown = retry.pause.as_secs_f64() * libm::pow(retry.factor, f64::from(tries));
    let backoff = grown.min(retry.cap.as_secs_f64());
    let jittered = match retry.jitter {
        Jitter::None => backoff,
        Jitter::Full => backoff * unit(word),
    };
    retry.at_least.saturating_add(duration_from_secs(jittered))
}

/// Tries of one call that have a word of their own.
const MOST_TRIES: u64 = 1 << 16;

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// Whether the client tries the message that failed again. If so, it lets go of all that was held for it.
    pub(super) fn try_again(&mut self, id: u32, failure: Failure) -> bool {
        // A kept body that answers cannot reach is held until somebody's clock ends it; one that broke is gone.
        let stage = self.calls[id].stage;
        let kept = self.calls[id].slot.filled() && (failure == Failure::Unreachable || stage == Stage::Kept);
        self.try_again_with(id, failure, kept)
    }

    /// As [`Sim::try_again`], where it is known whether a body is `kept` that the message was for.
    pub(super) fn try_again_with(&mut self, id: u32, failure: Failure, kept: bool) -> bool {
        let retry = &self.scenario.clients.retry;
        let aside = self.asides.of(id);
        let tries = if kept { aside.tries_of_answer } else { aside.tries };
        if tries == retry.times || !retry.on.contains(&failure) || aside.ended.is_some() {
            return false;
        }
        let in_all = u64::from(aside.tries_in_all);
        let number = u64::from(self.calls[id].number);
        let word = self.streams.lane(Kind::Retry, number * MOST_TRIES + in_all % MOST_TRIES)[0];
        let pause = pause(retry, tries, word);
        let aside = self.asides.note(id);
        *(if kept { &mut aside.tries_of_answer } else { &mut aside.tries }) = tries + 1;
        aside.tries_in_all += 1;
        aside.copies = 0;
        aside.incidents.note(Incident::Retried);
        if failure == Failure::Full {
            // Who has no room has not looked at the state.
            aside.served_at = None;
        }
        self.stop_passing(id);
        if !kept {
            self.let_go(id);
            self.stop_waiting(id);
            self.restore_message(id);
            if self.calls[id].ticket.is_some_and(|ticket| ticket.dies_with_process()) {
                self.forget(id);
            }
        }
        self.tell(id, Party::Client, Party::Client, || format!("tries again in {} s", pause.as_secs_f64()));
        self.calls[id].next = self.after(pause, Event::Resend(id));
        true
    }

    /// The request that the client was at has its response: the next one has tries of its own. One that arrived and
    /// failed all the same is still the one that is tried again, and so is a call whose body is kept.
    pub(super) fn request_served(&mut self, id: u32) {
        let aside = self.asides.of(id);
        if self.calls[id].stage != Stage::Parked && (aside.tries > 0 || aside.copies > 0) {
            let aside = self.asides.note(id);
            (aside.tries, aside.copies) = (0, 0);
        }
    }

    /// An answer to a body that is kept has arrived: the next one has tries of its own.
    pub(super) fn answer_arrived(&mut self, id: u32) {
        let aside = self.asides.of(id);
        if self.calls[id].slot.filled() && (aside.tries_of_answer > 0 || aside.copies > 0) {
            let aside = self.asides.note(id);
            (aside.tries_of_answer, aside.copies) = (0, 0);
        }
    }

    /// Whether a request can be sent again in this scenario after its server has read it.
    pub(super) fn may_be_sent_again(&self) -> bool {
        self.scenario.clients.retry.times > 0 || self.scenario.balancer.resends_broken
    }

    /// A server is about to take answers out of a message that may have to be sent again as it was.
    pub(super) fn remember_before_taking(&mut self, id: u32) {
        let carries = self.calls[id].ticket.is_some_and(|ticket| !ticket.dies_with_process());
        if carries && self.may_be_sent_again() {
            let call = &self.calls[id];
            let before = (call.answers, call.round);
            self.asides.note(id).before_taking = Some(before);
        }
    }

    /// The message is sent again as it was: nothing of what a server made of it counts.
    fn restore_message(&mut self, id: u32) {
        if let Some((answers, round)) = self.asides.of(id).before_taking {
            let call = &mut self.calls[id];
            (call.answers, call.round) = (answers, round);
            self.asides.note(id).before_taking = None;
        }
    }

    /// Whether the proxy sends the call's request again whose connection broke: nothing has come back on it yet.
    pub(super) fn sent_again_by_proxy(&mut self, id: u32) -> bool {
        let kept = self.calls[id].ticket.is_some_and(|ticket| ticket.dies_with_process());
        if !self.scenario.balancer.resends_broken || kept {
            return false;
        }
        self.asides.note(id).incidents.note(Incident::ProxyRetried);
        self.tell(id, Party::Balancer, Party::Balancer, || "sends the request again".to_owned());
        self.stop_waiting(id);
        // The client notices nothing: its clock on the request runs on.
        let clock = self.clock(id, Rung::Request);
        self.let_go(id);
        self.restore_message(id);
        self.send(id);
        self.keep_clock(id, Rung::Request, clock);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn retry(jitter: Jitter) -> Retry {
        let millis = Duration::from_millis;
        let (on, at_least, pause, cap) = (vec![], millis(100), millis(500), millis(3000));
        Retry { times: 9, on, at_least, pause, factor: 2.0, cap, jitter }
    }

    #[test]
    fn pauses_double_up_to_the_cap() {
        let pauses = [0, 1, 2, 3, 9].map(|tries| pause(&retry(Jitter::None), tries, 0).as_millis());
        assert_eq!(pauses, [600, 1100, 2100, 3100, 3100]);
    }

    #[test]
    fn full_jitter_is_uniform_over_the_capped_pause() {
        let of = |word| pause(&retry(Jitter::Full), 9, word).as_secs_f64();
        assert!((of(0) - 0.1).abs() < 1e-9 && (of(u64::MAX) - 3.1).abs() < 1e-9 && (of(1 << 63) - 1.6).abs() < 1e-9);
    }
}
