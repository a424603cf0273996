//! `parked list`: the shipped scenarios with their questions.

use super::shipped::ALL;
use super::{Exit, Failure, Screen};

pub(super) fn execute(screen: &mut Screen) -> Result<Exit, Failure> {
    let widest = ALL.iter().map(|shipped| shipped.path.len()).max().unwrap_or(0);
    for shipped in ALL {
        let scenario = shipped.scenario(&[]).expect("a shipped scenario is legal");
        screen.print(&format!("scenarios/{:<widest$}  {}\n", shipped.path, scenario.question))?;
    }
    Ok(Exit::Done)
}
