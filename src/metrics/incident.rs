//! What may happen to a call beside its way to its end, counted: pages behind links, and what is done to states. Most
//! calls have nothing of it.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// One kind of what is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Incident {
    /// A client warned its person of the address of a link.
    LinkWarned,
    /// A link was accepted, and its page opened.
    PageOpened,
    /// A visitor had to sign in to the server before the page.
    SignInFirst,
    /// A callback was accepted and its grant stored.
    Granted,
    /// A grant was stored that belongs to somebody else than the user it is stored under.
    GrantedToOther,
    /// A callback or page was refused: no such sign-in.
    CallbackUnknown,
    /// A callback was refused: the sign-in had expired.
    CallbackExpired,
    /// A callback was refused: the sign-in was used.
    CallbackSpent,
    /// A visitor was refused: not who had started.
    VisitorRefused,
    /// A body found its page not finished.
    NotFinished,
    /// A state was served that another user sent, or that was sent with another call.
    Hijacked,
    /// A state was sent again after its call had completed.
    Replay,
    /// Such a state was refused.
    ReplayRefused,
    /// Such a state got the result of its first use again.
    ReplayRemembered,
    /// An entry was made by such a state.
    EntryReplayed,
    /// A person answered when the answer was of no use any more.
    AnswerWasted,
    /// An entry was made after the caller had its end.
    LateEntry,
    /// A server held a call on when its caller had its end.
    HeldOn,
    /// A cancel reached an instance that does not hold its call.
    CancelAstray,
    /// A client sent a message again that had failed.
    Retried,
    /// A proxy sent a request again whose connection had broken.
    ProxyRetried,
    /// A form waited for another of the same person.
    FormWaited,
    /// A person submitted the same answer twice.
    DoubleClick,
    /// A server tried a further key on a state, after one that did not fit.
    FurtherKey,
    /// A body used an answer for another question than the one that the person had answered.
    Misapplied,
    /// A question went out that the version of the tool that asked the call first does not have.
    ExtraAsk,
    /// A client went away without ending its session.
    SessionLeft,
    /// A process passed an answer on to another; each copy counts.
    PassedOn,
    /// A process passed an answer on to one that said nothing.
    PassedInVain,
    /// A request was lost on its way to a server.
    RequestLost,
    /// What a server had to say was lost on its way back.
    ReplyLost,
    /// A server knew an effect, or a whole request, for one that was made before, and did not make it again.
    Deduplicated,
    /// An effect was taken for a repeat that another call had made.
    FalseDuplicate,
    /// A person answered once more in a tab that was left open.
    StaleAnswer,
}

/// Number of kinds.
const KINDS: usize = 34;

impl Incident {
    /// Every kind, in the order of tables.
    pub const ALL: [Incident; KINDS] = [
        Incident::LinkWarned,
        Incident::PageOpened,
        Incident::SignInFirst,
        Incident::Granted,
        Incident::GrantedToOther,
        Incident::CallbackUnknown,
        Incident::CallbackExpired,
        Incident::CallbackSpent,
        Incident::VisitorRefused,
        Incident::NotFinished,
        Incident::Hijacked,
        Incident::Replay,
        Incident::ReplayRefused,
        Incident::ReplayRemembered,
        Incident::EntryReplayed,
        Incident::AnswerWasted,
        Incident::LateEntry,
        Incident::HeldOn,
        Incident::CancelAstray,
        Incident::Retried,
        Incident::ProxyRetried,
        Incident::FormWaited,
        Incident::DoubleClick,
        Incident::FurtherKey,
        Incident::Misapplied,
        Incident::ExtraAsk,
        Incident::SessionLeft,
        Incident::PassedOn,
        Incident::PassedInVain,
        Incident::RequestLost,
        Incident::ReplyLost,
        Incident::Deduplicated,
        Incident::FalseDuplicate,
        Incident::StaleAnswer,
    ];

    /// In words, for tables.
    pub fn in_words(self) -> &'static str {
        match self {
            Incident::LinkWarned => "warnings of an address",
            Incident::PageOpened => "pages opened",
            Incident::SignInFirst => "visitors who signed in first",
            Incident::Granted => "grants",
            Incident::GrantedToOther => "grants of somebody else's account",
            Incident::CallbackUnknown => "callbacks refused: unknown",
            Incident::CallbackExpired => "callbacks refused: expired",
            Incident::CallbackSpent => "callbacks refused: spent",
            Incident::VisitorRefused => "visitors refused: not who started",
            Incident::NotFinished => "looks at an unfinished page",
            Incident::Hijacked => "states hijacked",
            Incident::Replay => "states sent again",
            Incident::ReplayRefused => "  refused",
            Incident::ReplayRemembered => "  answered as before",
            Incident::EntryReplayed => "  entries made by them",
            Incident::AnswerWasted => "answers wasted",
            Incident::LateEntry => "entries after the end",
            Incident::HeldOn => "calls held on after their end",
            Incident::CancelAstray => "cancels gone astray",
            Incident::Retried => "messages tried again",
            Incident::ProxyRetried => "requests sent again by the proxy",
            Incident::FormWaited => "forms that waited for another",
            Incident::DoubleClick => "answers submitted twice",
            Incident::FurtherKey => "further keys tried",
            Incident::Misapplied => "answers used for another question",
            Incident::ExtraAsk => "questions of another version",
            Incident::SessionLeft => "sessions left behind",
            Incident::PassedOn => "answers passed on",
            Incident::PassedInVain => "answers passed on in vain",
            Incident::RequestLost => "requests lost on their way",
            Incident::ReplyLost => "replies lost on their way",
            Incident::Deduplicated => "repeats recognised",
            Incident::FalseDuplicate => "  wrongly: another call's effect",
            Incident::StaleAnswer => "answers from tabs left open",
        }
    }

    /// Name in tables and files.
    pub fn name(self) -> &'static str {
        match self {
            Incident::LinkWarned => "link_warned",
            Incident::PageOpened => "page_opened",
            Incident::SignInFirst => "sign_in_first",
            Incident::Granted => "granted",
            Incident::GrantedToOther => "granted_to_other",
            Incident::CallbackUnknown => "callback_unknown",
            Incident::CallbackExpired => "callback_expired",
            Incident::CallbackSpent => "callback_spent",
            Incident::VisitorRefused => "visitor_refused",
            Incident::NotFinished => "not_finished",
            Incident::Hijacked => "hijacked",
            Incident::Replay => "replay",
            Incident::ReplayRefused => "replay_refused",
            Incident::ReplayRemembered => "replay_remembered",
            Incident::EntryReplayed => "entry_replayed",
            Incident::AnswerWasted => "answer_wasted",
            Incident::LateEntry => "late_entry",
            Incident::HeldOn => "held_on",
            Incident::CancelAstray => "cancel_astray",
            Incident::Retried => "retried",
            Incident::ProxyRetried => "proxy_retried",
            Incident::FormWaited => "form_waited",
            Incident::DoubleClick => "double_click",
            Incident::FurtherKey => "further_key",
            Incident::Misapplied => "misapplied",
            Incident::ExtraAsk => "extra_ask",
            Incident::SessionLeft => "session_left",
            Incident::PassedOn => "passed_on",
            Incident::PassedInVain => "passed_in_vain",
            Incident::RequestLost => "request_lost",
            Incident::ReplyLost => "reply_lost",
            Incident::Deduplicated => "deduplicated",
            Incident::FalseDuplicate => "false_duplicate",
            Incident::StaleAnswer => "stale_answer",
        }
    }
}

const WORDS: usize = KINDS.div_ceil(4);

/// How often each happened to one call; a count stays at 65,535.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Incidents([u16; KINDS]);

impl Default for Incidents {
    fn default() -> Incidents {
        Incidents::NONE
    }
}

impl Incidents {
    /// None.
    pub const NONE: Incidents = Incidents([0; KINDS]);

    /// One more.
    pub fn note(&mut self, incident: Incident) {
        let count = &mut self.0[incident as usize];
        *count = count.saturating_add(1);
    }

    /// So many more.
    pub fn note_times(&mut self, incident: Incident, times: usize) {
        let count = &mut self.0[incident as usize];
        *count = count.saturating_add(u16::try_from(times).unwrap_or(u16::MAX));
    }

    /// How often this one happened.
    pub fn count(&self, incident: Incident) -> u32 {
        u32::from(self.0[incident as usize])
    }

    /// Those that happened, with how often.
    pub fn happened(&self) -> impl Iterator<Item = (Incident, u32)> + '_ {
        Incident::ALL.into_iter().map(|incident| (incident, self.count(incident))).filter(|&(_, count)| count > 0)
    }

    /// All counts, four to a word.
    pub(super) fn words(&self) -> [u64; WORDS] {
        let mut words = [0; WORDS];
        for (place, &count) in self.0.iter().enumerate() {
            words[place / 4] |= u64::from(count) << (16 * (place % 4));
        }
        words
    }
}

/// As a map of those that happened.
impl Serialize for Incidents {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (incident, count) in self.happened() {
            map.serialize_entry(incident.name(), &count)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_incident_is_listed_once_under_its_serialised_name() {
        for (place, incident) in Incident::ALL.into_iter().enumerate() {
            assert_eq!(incident as usize, place);
            assert_eq!(serde_json::to_string(&incident).unwrap(), format!("\"{}\"", incident.name()));
        }
    }

    #[test]
    fn different_incidents_have_different_words() {
        let words = Incident::ALL.map(|incident| {
            let mut incidents = Incidents::NONE;
            incidents.note(incident);
            incidents.words()
        });
        for (place, one) in words.iter().enumerate() {
            assert!(*one != [0; WORDS] && words[..place].iter().all(|other| other != one));
        }
    }
}
