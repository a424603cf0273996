//! Signing keys and who has which. A key is named by its number; its bytes are made from the number when a signature is
//! really computed.

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

/// The keys of one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyRing(KeyId);

impl KeyRing {
    /// A ring of one key, which seals and opens.
    pub fn of(key: KeyId) -> KeyRing {
        KeyRing(key)
    }

    /// The key that seals.
    pub fn sealing(self) -> KeyId {
        self.0
    }

    /// Whether a state sealed under this key can be opened.
    pub fn opens(self, key: KeyId) -> bool {
        self.0 == key
    }

    /// The bytes of every key that opens.
    pub fn keys(self) -> impl Iterator<Item = Key> {
        std::iter::once(Key::of(self.0))
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
