//! What the value of a key may look like. Must never hold what a value means: that is for whoever reads it.

/// What a key takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A table of the keys that continue its path.
    Table,
    /// A table with exactly one of the keys that continue its path.
    Variants,
    /// A list of tables, each with exactly one of the keys that continue its path.
    VariantsList,
    /// A list of tables of the keys that continue its path.
    TableList,
    /// Any text.
    Text,
    /// A plain word: 1 to 64 of `a-z`, `0-9` and `-`.
    Word,
    /// `true` or `false`.
    Flag,
    /// A whole number.
    Whole {
        /// Smallest accepted.
        min: u64,
        /// Largest accepted.
        max: u64,
    },
    /// A whole number of at least 1, or one of these words.
    WholeOr(&'static [&'static str]),
    /// A number from 0 to 1.
    Share,
    /// A number above 0.
    Positive,
    /// A number of 0 or more.
    NotNegative,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A list of these words, not empty and without repetition.
    Choices(&'static [&'static str]),
    /// A duration with its unit.
    Duration,
    /// A duration above zero.
    DurationAboveZero,
    /// A duration, or this word.
    DurationOr(&'static str),
    /// A number of bytes with its unit.
    Bytes,
    /// A number of bytes with its unit, or this word.
    BytesOr(&'static str),
    /// Calls per unit of time, above 0.
    Rate,
    /// Calls per unit of time, 0 or more.
    RateOrZero,
    /// A list of durations, ascending.
    Instants,
    /// A list of durations above zero.
    Durations,
    /// A list of whole numbers from 0 to 1,000.
    Wholes,
    /// A distribution of times.
    Seconds,
    /// A duration, or a distribution of times.
    DurationOrSeconds,
    /// A distribution of plain numbers.
    Numbers,
    /// Within a distribution: a duration if it is one of times, else a number of 0 or more.
    Quantity,
    /// A list of different printable names of 1 to 32 characters.
    Names,
    /// `all`, `count:N`, `instance:NAME` or `zone:NAME`.
    Target,
    /// Name of a file, relative to the scenario.
    File,
    /// What the key with this path takes; without a default the value of that key stands.
    Same(&'static str),
}

impl Kind {
    /// Whether it is a list of tables.
    pub(in crate::scenario) fn is_list(self) -> bool {
        matches!(self, Kind::VariantsList | Kind::TableList)
    }
}
