//! Who has seen a secret that a person typed. Must never hold the secret: what counts is where it went.

use serde::{Serialize, Serializer};

/// A party on the way of an answer that may see and keep what was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum SeenBy {
    /// The client: it shows the form.
    Client,
    /// The client's log.
    ClientLog,
    /// The host's trace of tool calls.
    HostTrace,
    /// The context of the model that made the call.
    ModelContext,
    /// A proxy or balancer that ends TLS.
    Proxy,
    /// The server's log of requests.
    ServerLog,
    /// The audit trail of the tool.
    AuditTrail,
}

impl SeenBy {
    /// Every party, in the order in which an answer meets them.
    pub const ALL: [SeenBy; 7] = [
        SeenBy::Client,
        SeenBy::ClientLog,
        SeenBy::HostTrace,
        SeenBy::ModelContext,
        SeenBy::Proxy,
        SeenBy::ServerLog,
        SeenBy::AuditTrail,
    ];

    /// Word in scenarios, tables and files.
    pub fn name(self) -> &'static str {
        match self {
            SeenBy::Client => "client",
            SeenBy::ClientLog => "client-log",
            SeenBy::HostTrace => "host-trace",
            SeenBy::ModelContext => "model-context",
            SeenBy::Proxy => "proxy",
            SeenBy::ServerLog => "server-log",
            SeenBy::AuditTrail => "audit-trail",
        }
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A set of parties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exposure(u8);

impl Exposure {
    /// Nobody.
    pub const NONE: Exposure = Exposure(0);

    /// Those at the client's side: they see an answer as soon as it is typed.
    pub fn at_client() -> Exposure {
        [SeenBy::Client, SeenBy::ClientLog, SeenBy::HostTrace, SeenBy::ModelContext].into_iter().collect()
    }

    /// Those at the server's side: they see an answer that has reached an instance.
    pub fn at_server() -> Exposure {
        [SeenBy::ServerLog, SeenBy::AuditTrail].into_iter().collect()
    }

    /// Whether this party is among them.
    pub fn has(self, party: SeenBy) -> bool {
        self.0 & party.bit() != 0
    }

    /// Those who are in either.
    #[must_use]
    pub fn or(self, other: Exposure) -> Exposure {
        Exposure(self.0 | other.0)
    }

    /// Those who are in both.
    #[must_use]
    pub fn and(self, other: Exposure) -> Exposure {
        Exposure(self.0 & other.0)
    }

    /// The parties, in order.
    pub fn parties(self) -> impl Iterator<Item = SeenBy> {
        SeenBy::ALL.into_iter().filter(move |&party| self.has(party))
    }

    /// One bit for each party, in the order of [`SeenBy::ALL`].
    pub fn bits(self) -> u8 {
        self.0
    }
}

impl FromIterator<SeenBy> for Exposure {
    fn from_iter<I: IntoIterator<Item = SeenBy>>(parties: I) -> Exposure {
        Exposure(parties.into_iter().fold(0, |bits, party| bits | party.bit()))
    }
}

/// As the list of their words.
impl Serialize for Exposure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.parties())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_party_is_listed_once_under_its_serialised_word_and_sits_on_one_side_or_between() {
        for (place, party) in SeenBy::ALL.into_iter().enumerate() {
            assert_eq!(party as usize, place);
            assert_eq!(serde_json::to_string(&party).unwrap(), format!("\"{}\"", party.name()));
        }
        assert_eq!(Exposure::at_client().and(Exposure::at_server()), Exposure::NONE);
        let between: Exposure = [SeenBy::Proxy].into_iter().collect();
        let all = Exposure::at_client().or(between).or(Exposure::at_server());
        assert!(all.parties().eq(SeenBy::ALL));
    }
}
