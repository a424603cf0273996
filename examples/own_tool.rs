//! A tool of one's own: one `async fn` over `need`, run under both designs with nothing else written.
//!
//! `cargo run --release --example own_tool`
#![expect(clippy::print_stdout, reason = "an example shows its result")]

use parked::era::Design;
use parked::experiment;
use parked::metrics::Outcome;
use parked::scenario::{NoFiles, Source, parse};
use parked::tool::{Action, Arguments, Ask, Cx, Definition, Fields, Ledger, MissingCapability, ToolResult};

static APPROVE: Ask = Ask::form(0, "approve", approve, Fields::NONE);
static REFUNDS: Ledger = Ledger { number: 0, name: "refunds" };

fn approve(arguments: &Arguments) -> String {
    format!("Refund {} to the customer?", arguments.amount)
}

async fn refund(cx: Cx) -> Result<ToolResult, MissingCapability> {
    cx.work(cx.work_before()).await;
    if cx.need(&APPROVE).await? != Action::Accept {
        return Ok(ToolResult::Declined);
    }
    cx.post(&REFUNDS, cx.arguments().amount).await;
    Ok(ToolResult::Submitted)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = "format = 1\nname = \"refunds\"\nquestion = \"How many refunds get through behind round robin?\"\n";
    let mut scenario = parse(Source { name: "refunds".to_owned(), text: text.to_owned() }, &[], &NoFiles)?;
    scenario.tool.definition = Definition::of("refund", &[&APPROVE], &[&REFUNDS]);
    println!("{}", scenario.question);
    for design in Design::PURE {
        let tally = experiment::simulate_body(&scenario, design, 0, |cx, _| refund(cx), &mut ());
        let tally = tally.ok_or("nobody interrupts this run")?;
        println!("{:>9}: {} of {}", design.name(), tally.count(Outcome::Completed), tally.started);
    }
    Ok(())
}
