//! The `parked` command: see `parked --help`.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    parked::cli::main()
}
