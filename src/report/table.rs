//! Text in columns, and what becomes of columns when the terminal is too narrow for them.

/// Between two columns.
pub(super) const GAP: &str = "  ";

fn width_of(text: &str) -> usize {
    text.chars().count()
}

fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(width_of(text))))
}

/// A header and rows in columns, the first line underlined. Where the terminal is narrower than that, each row becomes a
/// small block of `column: value` lines.
pub fn columns<const N: usize>(header: &[String; N], rows: &[[String; N]], terminal: Option<usize>) -> String {
    let all = || std::iter::once(header).chain(rows);
    let widths: [usize; N] = std::array::from_fn(|i| all().map(|row| width_of(&row[i])).max().unwrap_or(0));
    let total = widths.iter().sum::<usize>() + GAP.len() * (N - 1);
    if terminal.is_some_and(|columns| total > columns) {
        return blocks(header, rows);
    }
    let line = |row: &[String; N]| {
        let cells: [String; N] = std::array::from_fn(|i| padded(&row[i], widths[i]));
        format!("{}\n", cells.join(GAP).trim_end())
    };
    let rule = "-".repeat(total);
    format!("{}{rule}\n{}", line(header), rows.iter().map(line).collect::<String>())
}

fn blocks<const N: usize>(header: &[String; N], rows: &[[String; N]]) -> String {
    let block = |row: &[String; N]| {
        let rest = (1..N).filter(|&i| !row[i].trim().is_empty());
        let lines = rest.map(|i| format!("  {}{}\n", label(&header[i]), row[i].trim_start()));
        format!("{}\n{}", row[0], lines.collect::<String>())
    };
    rows.iter().map(block).collect()
}

fn label(header: &str) -> String {
    if header.is_empty() { String::new() } else { format!("{header}: ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(terminal: Option<usize>) -> String {
        let row = |cells: [&str; 3]| cells.map(str::to_owned);
        columns(&row(["", "a", "b"]), &[row(["x", "1 ± 2", "3"]), row(["yy", "", "44"])], terminal)
    }

    #[test]
    fn columns_line_up_and_a_narrow_terminal_gets_blocks() {
        assert_eq!(table(None), "    a      b\n-------------\nx   1 ± 2  3\nyy         44\n");
        assert_eq!(table(Some(13)), table(None));
        assert_eq!(table(Some(12)), "x\n  a: 1 ± 2\n  b: 3\nyy\n  b: 44\n");
    }
}
