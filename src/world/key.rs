//! Signing keys and who has which. A key is named by its number; its bytes are made from the number when a signature is
//! really computed.

use std::time::Duration;

use serde::Serialize;
use sha2::{Digest, Sha256};

/// Number of a signing key.
pub type KeyId = u32;

/// Who shares a signing key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Keys {
    /// One key for the whole fleet, which outlives a restart.
    Shared,
    /// Each process makes its own key when it starts.
    PerProcess,
    /// Each deploy makes a key for the processes that it starts; the first fleet has one of its own.
    PerDeploy,
    /// A process that starts takes the key that it finds in the store of the fleet, and mints one if it finds none.
    FoundOrMinted,
}

/// In which order the processes of a fleet learn a new key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// All learn to open what is sealed under it before the first seals under it.
    VerifyFirst,
    /// Each seals under it as soon as it knows it.
    SignFirst,
    /// Each has one key at a time: the new one takes the place of the old.
    NoRing,
}

/// When, within a roll, the turn of each process comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Turns {
    /// At an instant of its own, uniform over the roll.
    Random,
    /// One after another in the order of the fleet, the first at its beginning and equally far apart.
    InOrder,
}

/// How the shared key of a fleet is replaced.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rotation {
    /// Time between two rotations, the first after one of them; above 0.
    pub every: Duration,
    /// How long the old key still opens, from when the last process seals under the new one.
    pub overlap: Duration,
    /// In which order processes learn it.
    pub order: Order,
    /// How long it takes until all processes have had their turn; verify first takes two such rolls.
    pub spread: Duration,
    /// When the turn of each comes.
    pub turns: Turns,
}

/// How many seals are made for real.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Signing {
    /// Every state is sealed and opened with HMAC-SHA-256.
    Real,
    /// One call in 64, and both ways must agree.
    Checked,
    /// None: verdicts follow from what a signature decides.
    Symbolic,
}

impl Signing {
    /// Whether the states of this call are sealed and opened for real.
    pub fn is_real(self, call: u32) -> bool {
        match self {
            Signing::Real => true,
            Signing::Checked => call.is_multiple_of(64),
            Signing::Symbolic => false,
        }
    }
}

/// The keys of one process: one seals, all open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRing {
    sealing: KeyId,
    /// The further keys that open, newest first; the higher number is the newer key.
    others: Vec<KeyId>,
}

impl KeyRing {
    /// A ring of one key, which seals and opens.
    pub fn of(key: KeyId) -> KeyRing {
        KeyRing { sealing: key, others: Vec::new() }
    }

    /// The key that seals.
    pub fn sealing(&self) -> KeyId {
        self.sealing
    }

    /// Whether a state sealed under this key can be opened.
    #[inline]
    pub fn opens(&self, key: KeyId) -> bool {
        self.sealing == key || self.others.contains(&key)
    }

    /// How many keys are tried on a state sealed under this one that does not name it: the sealing key first, then
    /// the others from the newest, until one fits.
    #[inline]
    pub fn tried(&self, key: KeyId) -> usize {
        if self.sealing == key {
            return 1;
        }
        let found = self.others.iter().position(|&other| other == key);
        found.map_or(self.known(), |place| place + 2)
    }

    /// How many keys open.
    #[inline]
    pub fn known(&self) -> usize {
        self.others.len() + 1
    }

    /// Learns to open what is sealed under a key. Knowing it already changes nothing.
    pub fn learn(&mut self, key: KeyId) {
        if !self.opens(key) {
            let place = self.others.partition_point(|&other| other > key);
            self.others.insert(place, key);
        }
    }

    /// Seals under a key from now on, and opens what it sealed under before as well.
    pub fn seal_under(&mut self, key: KeyId) {
        if self.sealing == key {
            return;
        }
        let before = std::mem::replace(&mut self.sealing, key);
        self.others.retain(|&other| other != key);
        self.learn(before);
    }

    /// Forgets every key older than this one, but never the one that seals.
    pub fn forget_before(&mut self, oldest: KeyId) {
        self.others.retain(|&other| other >= oldest);
    }

    /// The bytes of every key that opens, in the order in which they are tried.
    pub fn keys(&self) -> impl Iterator<Item = Key> + '_ {
        std::iter::once(self.sealing).chain(self.others.iter().copied()).map(Key::of)
    }
}

/// The bytes of a signing key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key([u8; 32]);

impl Key {
    /// The key with this number.
    pub fn of(id: KeyId) -> Key {
        let mut hash = Sha256::new();
        hash.update(b"parked: signing key of a simulated server\0");
        hash.update(id.to_le_bytes());
        Key(hash.finalize().into())
    }

    pub(super) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_opens_what_it_learnt_until_it_forgets_it_and_seals_under_one_key() {
        let mut ring = KeyRing::of(0);
        assert_eq!((ring.opens(0), ring.opens(1), ring.known()), (true, false, 1));
        ring.learn(1);
        ring.learn(1);
        assert_eq!((ring.sealing(), ring.opens(1), ring.known()), (0, true, 2));
        ring.seal_under(1);
        ring.seal_under(1);
        assert_eq!((ring.sealing(), ring.opens(0), ring.known()), (1, true, 2));
        ring.forget_before(1);
        assert_eq!(ring, KeyRing::of(1));
        ring.forget_before(7);
        assert_eq!(ring, KeyRing::of(1), "what seals stays");
    }

    #[test]
    fn the_sealing_key_is_tried_first_then_the_others_from_the_newest() {
        let mut ring = KeyRing::of(3);
        for key in [1, 4, 2] {
            ring.learn(key);
        }
        assert_eq!([3, 4, 2, 1].map(|key| ring.tried(key)), [1, 2, 3, 4]);
        assert_eq!(ring.tried(9), 4, "all of them in vain");
        assert!(ring.keys().eq([3, 4, 2, 1].map(Key::of)));
    }
}
