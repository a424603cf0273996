//! The checks as a table of 80 columns. Must never round so far that the eye sees another verdict than the program.

use super::{FALSE_ALARM, Row};
use crate::report;

const CLOPPER_PEARSON: &str = "Clopper-Pearson";

/// A heading for each subject, two lines for each check, and what it all means.
pub(super) fn text(rows: &[Row]) -> String {
    let header = ["what is measured", "exact", "simulated", "interval", ""].map(str::to_owned);
    let cells: Vec<[String; 5]> = rows.iter().map(cells).collect();
    let table = report::columns(&header, &cells, None);
    let mut lines = table.lines();
    let mut text: String = lines.by_ref().take(2).map(|line| format!("{line}\n")).collect();
    let mut subject = "";
    for (row, line) in rows.iter().zip(lines) {
        if row.subject != subject {
            subject = row.subject;
            text += &format!("\n{}\n", subject.to_uppercase());
        }
        let method = if row.interval == CLOPPER_PEARSON { "C-P" } else { row.interval };
        text += &format!("{line}\n    {} ({method}): {}\n", row.closed_form, row.setting);
    }
    text + &summary(rows)
}

fn cells(row: &Row) -> [String; 5] {
    let width = 0.5 * (row.high - row.low);
    let rounded = |value: f64| report::rounded(value, width);
    [
        row.measured.to_owned(),
        report::rounded(row.exact, 0.1 * width),
        rounded(row.simulated),
        format!("{}..{}", rounded(row.low), rounded(row.high)),
        if row.agrees { "agrees" } else { "DISAGREES" }.to_owned(),
    ]
}

fn summary(rows: &[Row]) -> String {
    let agree = rows.iter().filter(|row| row.agrees).count();
    let verdict = match rows.len() - agree {
        0 => format!("All {agree} checks agree."),
        others => format!("{others} of {} checks DISAGREE.", rows.len()),
    };
    let (seed, miss) = rows.first().map_or((0, FALSE_ALARM), |row| (row.seed, row.miss));
    format!(
        "\n{verdict}\n\n\
         Each interval misses the true value with probability {miss:.1e} at most, so that\n\
         of a program without error at most one seed in {:.0} fails a check (Bonferroni).\n\
         Seed {seed}; `--seed N` takes another. t: Student's t over replications.\n\
         C-P (Clopper-Pearson) and Poisson: exact, for events without a common cause.\n",
        1.0 / FALSE_ALARM
    )
}
