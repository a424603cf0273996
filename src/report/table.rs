//! Text in columns, and what becomes of columns when the terminal is too narrow for them.

/// Between two columns.
pub(super) const GAP: &str = "  ";

fn width_of(text: &str) -> usize {
    text.chars().count()
}

fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(width_of(text))))
}

/// A header and rows of as many cells in columns, the first line underlined. Where the terminal is narrower than that,
/// each row becomes a small block of `column: value` lines.
pub fn columns<R: AsRef<[String]>>(header: &[String], rows: &[R], terminal: Option<usize>) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| &row.as_ref()[column]).chain([&header[column]]);
        cells.map(|cell| width_of(cell)).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let total = widths.iter().sum::<usize>() + GAP.len() * (header.len() - 1);
    if terminal.is_some_and(|columns| total > columns) {
        return blocks(header, rows);
    }
    let line = |row: &[String]| {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, &width)| padded(cell, width)).collect();
        format!("{}\n", cells.join(GAP).trim_end())
    };
    let rule = "-".repeat(total);
    format!("{}{rule}\n{}", line(header), rows.iter().map(|row| line(row.as_ref())).collect::<String>())
}

fn blocks<R: AsRef<[String]>>(header: &[String], rows: &[R]) -> String {
    let block = |row: &[String]| {
        let cells = header.iter().zip(row).skip(1).filter(|(_, cell)| !cell.trim().is_empty());
        let lines = cells.map(|(header, cell)| format!("  {}{}\n", label(header), cell.trim_start()));
        format!("{}\n{}", row[0], lines.collect::<String>())
    };
    rows.iter().map(|row| block(row.as_ref())).collect()
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
