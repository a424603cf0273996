//! The page behind an accepted link: the person's browser comes to the fleet on a path of its own, which no stickiness of
//! the client covers. A page lives on when its call has ended: nobody calls a person back from a browser.

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::time::Duration;

use super::aside::{Aside, Waits};
use super::births;
use super::call::Stage;
use super::story::Party;
use super::wire::WireKind;
use super::{Event, Observer, Sim};
use crate::engine::{Token, duration_from_secs};
use crate::metrics::Incident;
use crate::random::{Kind, Purpose, unit};
use crate::tool::{MissingCapability, ToolResult};
use crate::world::{CallbackRefusal, Cause, InstanceId, SignIn, Visitor};

/// A page that a browser is at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page {
    /// The call that asked for it, by place and number.
    call: u32,
    number: u32,
    user: u32,
    visitor: Visitor,
    sign_in: SignIn,
    /// From consent to the callback; `None` = never.
    time: Option<Duration>,
    /// Whether the callback comes twice.
    twice: bool,
    /// Words for the balancer's picks, one for each request.
    picks: [u64; 3],
    /// Requests that this browser has sent.
    requests: u8,
}

/// All pages that are open, and what finished ones have brought.
#[derive(Debug, Default)]
pub(super) struct Pages {
    open: BTreeMap<u32, Page>,
    next: u32,
    /// Users with a grant.
    grants: BTreeSet<u32>,
    /// Calls that wait for a grant, held by their server or by their client: by user and place.
    waiting: BTreeSet<(u32, u32)>,
}

/// Most pages of one call that have words of their own.
const MOST_PAGES: u8 = births::PLACES_OF_LINKS - 1;

impl<O: Observer, F> Sim<'_, O, F>
where
    F: Future<Output = Result<ToolResult, MissingCapability>>,
{
    /// Whether what a page has to bring is there for this call.
    pub(super) fn is_granted(&mut self, id: u32) -> bool {
        let needs_no_page = self.asides.of(id).needs_no_page;
        if needs_no_page || self.pages.grants.is_empty() {
            return needs_no_page;
        }
        let user = self.user(id);
        self.pages.grants.contains(&user)
    }

    pub(super) fn user(&mut self, id: u32) -> u32 {
        births::user(self.scenario, &mut self.streams, self.calls[id].number)
    }

    /// The person has accepted a link: its page opens, unless one is open already.
    pub(super) fn open_page(&mut self, id: u32) {
        let &Aside { sign_in: Some(sign_in), page_is_open: false, pages, .. } = self.asides.of(id) else { return };
        if pages == MOST_PAGES || self.is_granted(id) {
            return;
        }
        let (number, user) = (self.calls[id].number, self.user(id));
        let lane = self.streams.lane(Kind::Link, births::place_of_link(number, pages));
        let links = &self.scenario.links;
        let visitor =
            Visitor { is_starter: unit(lane[0]) >= links.forwarded, has_session: unit(lane[1]) < links.sessions };
        let time = {
            let page = 1 + u32::from(pages);
            let mut words = self.streams.words(&[0; 8], u64::from(number), Purpose::Page, page);
            links.page.sample(&mut words).map(duration_from_secs)
        };
        let twice = unit(lane[2]) < links.repeated;
        let picks = [lane[3], lane[4], lane[5]];
        let page = Page { call: id, number, user, visitor, sign_in, time, twice, picks, requests: 0 };
        let aside = self.asides.note(id);
        (aside.page_is_open, aside.pages) = (true, pages + 1);
        aside.incidents.note(Incident::PageOpened);
        if time.is_none() {
            self.calls[id].blame(Cause::PageUnfinished);
        }
        self.tell(id, Party::Person, Party::Browser, || {
            if visitor.is_starter { "opens the link" } else { "passes the link on, and somebody else opens it" }
                .to_owned()
        });
        let until_first = if links.hops == 1 { time } else { Some(Duration::ZERO) };
        if let Some(pause) = until_first {
            let place = self.pages.next;
            self.pages.next = place.wrapping_add(1) & Event::LAST_PLACE;
            assert!(self.pages.open.insert(place, page).is_none(), "more pages are open at once than have a place");
            self.after(pause, Event::Browser(place));
        }
    }

    /// The browser sends its next request: for the server's page, or the callback.
    pub(super) fn browse(&mut self, place: u32) {
        self.events += 1;
        let Some(mut page) = self.pages.open.remove(&place) else { return };
        let Some(at) = self.route_browser(&mut page) else {
            return self.refuse(&page, CallbackRefusal::Unknown);
        };
        let is_callback = self.scenario.links.hops == 1 || page.requests == 2;
        if page.requests == 1 && !self.is_admitted(&page, at) {
            return;
        }
        if is_callback {
            return self.call_back(page, at);
        }
        if let Some(id) = self.call_of(&page) {
            self.tell(id, Party::Browser, Party::Instance(at), || "asks for the page".to_owned());
        }
        if let Some(time) = page.time {
            self.pages.open.insert(place, page);
            self.after(time, Event::Browser(place));
        }
    }

    /// The instance that the browser's next request reaches; nothing binds it.
    fn route_browser(&mut self, page: &mut Page) -> Option<InstanceId> {
        let word = page.picks[usize::from(page.requests)];
        page.requests += 1;
        self.route_freely(word)
    }

    /// Whether the page lets the visitor go on at this instance.
    fn is_admitted(&mut self, page: &Page, at: InstanceId) -> bool {
        let links = &self.scenario.links;
        if !page.sign_in.is_known(&self.instances[at as usize], links.pending) {
            self.refuse(page, CallbackRefusal::Unknown);
            return false;
        }
        if links.check.asks_to_sign_in(page.visitor) {
            self.note_of_page(page, Incident::SignInFirst);
        }
        let admitted = links.check.admits(page.visitor);
        if !admitted {
            self.refuse(page, CallbackRefusal::OtherPerson);
        }
        admitted
    }

    /// The page is finished and calls back.
    fn call_back(&mut self, mut page: Page, at: InstanceId) {
        let now = self.now();
        let pending = self.scenario.links.pending;
        if let Err(refusal) = page.sign_in.callback(&self.instances[at as usize], pending, now) {
            return self.refuse(&page, refusal);
        }
        self.grant(&page, at);
        if page.twice {
            page.twice = false;
            let Some(again) = self.route_browser(&mut page) else { return };
            match page.sign_in.callback(&self.instances[again as usize], pending, now) {
                Ok(()) => self.grant(&page, again),
                // The grant is there: a second callback takes nothing away.
                Err(refusal) => self.note_of_page(&page, incident_of(refusal)),
            }
        }
    }

    fn grant(&mut self, page: &Page, at: InstanceId) {
        self.pages.grants.insert(page.user);
        let incident = if page.visitor.is_starter { Incident::Granted } else { Incident::GrantedToOther };
        self.note_of_page(page, incident);
        if let Some(id) = self.call_of(page) {
            self.tell(id, Party::Browser, Party::Instance(at), || {
                let whose = if page.visitor.is_starter { "" } else { ", for somebody else's account" };
                format!("calls back: the grant is stored{whose}")
            });
            self.asides.note(id).page_is_open = false;
        }
        self.wake(page.user);
    }

    /// The call waits for a grant of its user, and nothing else moves it on.
    pub(super) fn wait_for_grant(&mut self, id: u32, waits: Waits) {
        let user = self.user(id);
        self.pages.waiting.insert((user, id));
        self.asides.note(id).waits = waits;
        self.calls[id].next = Token::NONE;
    }

    /// The call waits for a grant no more. How it did.
    pub(super) fn stop_waiting(&mut self, id: u32) -> Waits {
        let waits = self.asides.of(id).waits;
        if waits != Waits::No {
            let user = self.user(id);
            self.pages.waiting.remove(&(user, id));
            self.asides.note(id).waits = Waits::No;
        }
        waits
    }

    /// A user has a grant: every call of theirs that waits for one goes on.
    fn wake(&mut self, user: u32) {
        let of_user: Vec<_> = self.pages.waiting.range((user, 0)..=(user, u32::MAX)).copied().collect();
        for (_, id) in of_user {
            match self.stop_waiting(id) {
                Waits::No => {}
                Waits::Held => self.go_on_kept(id),
                // Nobody is there to be told any more.
                Waits::ToBeTold if self.asides.of(id).ended.is_some() || self.calls[id].cut => {}
                Waits::ToBeTold => {
                    self.tell_from(id, Party::Client, || "says that the page is finished".to_owned());
                    self.reply_at(id, |_| WireKind::PageFinished);
                    self.heard_if_open(id);
                    self.calls[id].next = self.after(Duration::ZERO, Event::Answered(id));
                }
            }
        }
    }

    /// The browser is refused; nothing is stored.
    fn refuse(&mut self, page: &Page, refusal: CallbackRefusal) {
        let (cause, words) = match refusal {
            CallbackRefusal::Unknown => (Cause::LinkUnknown, "no such sign-in here"),
            CallbackRefusal::Expired => (Cause::LinkExpired, "the sign-in has expired"),
            CallbackRefusal::OtherPerson => (Cause::LinkIdentity, "this link was issued to someone else"),
            CallbackRefusal::Spent => unreachable!("a sign-in is used by one page, which has its grant from then on"),
        };
        self.note_of_page(page, incident_of(refusal));
        if let Some(id) = self.call_of(page) {
            self.calls[id].blame(cause);
            self.asides.note(id).page_is_open = false;
            self.tell(id, Party::Browser, Party::Browser, || format!("is refused: {words}"));
        }
    }

    fn note_of_page(&mut self, page: &Page, incident: Incident) {
        match self.call_of(page) {
            Some(id) => self.asides.note(id).incidents.note(incident),
            None => self.fold.late(incident),
        }
    }

    /// The call that asked for a page, unless it has ended.
    fn call_of(&self, page: &Page) -> Option<u32> {
        let call = &self.calls[page.call];
        (call.stage != Stage::Over && call.number == page.number).then_some(page.call)
    }

    /// The server holds a call until its page is finished.
    pub(super) fn block(&mut self, id: u32) {
        self.wait_for_grant(id, Waits::Held);
        self.tell_at(id, || "holds the call until the page is finished".to_owned());
        self.move_to(id, Stage::Parked);
    }
}

fn incident_of(refusal: CallbackRefusal) -> Incident {
    match refusal {
        CallbackRefusal::Unknown => Incident::CallbackUnknown,
        CallbackRefusal::Expired => Incident::CallbackExpired,
        CallbackRefusal::Spent => Incident::CallbackSpent,
        CallbackRefusal::OtherPerson => Incident::VisitorRefused,
    }
}
