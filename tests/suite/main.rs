//! The claims of the project, kind by kind; each test's name is the sentence it shows.

mod claims;
mod cli;
mod common;
mod determinism;
mod forms;
mod golden;
mod invariants;
mod limits;
mod links;
mod mutants;
mod oracles;
mod real;
mod relations;
mod results;
mod tidy;
mod tokens;
mod wire;
