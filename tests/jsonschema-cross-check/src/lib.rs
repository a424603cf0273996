//! Nothing ships from here: `tests/forms.rs` is all of it.
