//! `parked inspect URL...`: what a client would show of an address before it asks for consent. Must never print a given
//! address, only what its inspection shows of it.

use crate::cli::{Exit, Failure, Screen};
use crate::world::link::{Inspection, inspect};

/// Prints a block for each address; any that is blocked decides the exit code.
pub(super) fn inspect_addresses(
    addresses: &[String],
    server: Option<&str>,
    screen: &mut Screen,
) -> Result<Exit, Failure> {
    let inspections: Vec<Inspection> = addresses.iter().map(|address| inspect(address, server)).collect();
    let blocks: Vec<String> = inspections.iter().map(block).collect();
    screen.print(&blocks.join("\n"))?;
    Ok(if inspections.iter().all(Inspection::is_allowed) { Exit::Done } else { Exit::Refused })
}

fn block(inspection: &Inspection) -> String {
    let mut lines = vec![inspection.shown.clone()];
    // What is shown of an address with a host is ASCII, so bytes are columns.
    lines.extend(inspection.highlight.as_ref().map(|at| format!("{}{}", " ".repeat(at.start), "^".repeat(at.len()))));
    lines.push(format!("address: {}", if inspection.is_allowed() { "allowed" } else { "blocked" }));
    lines.extend(inspection.blocked.iter().map(|reason| format!("  {reason}")));
    lines.extend(inspection.warnings.iter().map(|warning| format!("  warning: {warning}")));
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Reads the host of a server as the command line gives it.
pub(super) fn server_host(text: &str) -> Result<String, String> {
    match url::Host::parse(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(error) => Err(format!("a host without scheme and port is needed ({error})")),
    }
}
