//! A chart of how calls ended under each design, as SVG: stacked shares, one bar per design. Text is drawn by the
//! reader's own font, so the bytes are the same on every machine.

use plotters::prelude::*;
use plotters::style::FontDesc;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::era::Design;
use crate::experiment::{DesignSummary, Summary};
use crate::metrics::Outcome;

const WIDTH: u32 = 900;
const LEFT: u32 = 110;
const BAR: u32 = 70;
const TITLE_LINE: u32 = 24;
const LEGEND_LINE: u32 = 26;
const LEGEND_TOP: u32 = 12;
const AXIS: u32 = 52;
/// Characters of a title line; room is left at the right, since the reader's font may be wider.
const TITLE_CHARS: usize = 95;
const LEGEND_COLUMNS: usize = 6;

/// Colours that stay apart in grey and for colour-blind readers (after Okabe and Ito), by outcome.
fn colour(outcome: Outcome) -> RGBColor {
    match outcome {
        Outcome::Completed => RGBColor(0, 114, 178),
        Outcome::Declined => RGBColor(153, 204, 230),
        Outcome::Cancelled => RGBColor(200, 226, 240),
        Outcome::TimedOut => RGBColor(213, 94, 0),
        Outcome::Lost => RGBColor(90, 20, 20),
        Outcome::Refused => RGBColor(204, 121, 167),
        Outcome::Unsupported => RGBColor(240, 228, 66),
        Outcome::Rejected => RGBColor(230, 159, 0),
        Outcome::Failed => RGBColor(120, 60, 100),
        Outcome::Abandoned => RGBColor(170, 170, 170),
        Outcome::OpenAtEnd => RGBColor(220, 220, 220),
    }
}

fn font(size: u32) -> FontDesc<'static> {
    ("sans-serif", size).into_font()
}

/// The chart of a run's first point.
pub(super) fn outcomes_svg(summary: &Summary) -> String {
    let designs: Vec<_> = summary.points[0].designs.iter().collect();
    let legend: Vec<Outcome> = Outcome::ALL
        .into_iter()
        .filter(|outcome| designs.iter().any(|(_, design)| design.outcomes.contains_key(outcome)))
        .collect();
    let title = wrapped(&summary.question, TITLE_CHARS);
    let head = 16 + TITLE_LINE * title.len() as u32;
    let body = BAR * designs.len() as u32 + AXIS;
    let foot = 2 * LEGEND_TOP + LEGEND_LINE * legend.len().div_ceil(LEGEND_COLUMNS) as u32;
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, (WIDTH, head + body + foot)).into_drawing_area();
    let (upper, rest) = area.split_vertically(head);
    let (middle, lower) = rest.split_vertically(body);
    let drawn = area
        .fill(&WHITE)
        .and_then(|()| draw_title(&upper, &title))
        .and_then(|()| draw_bars(&middle, &designs))
        .and_then(|()| draw_legend(&lower, &legend))
        .and_then(|()| area.present());
    drawn.expect("drawing into memory cannot fail");
    drop((area, upper, rest, middle, lower));
    svg
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Drawn<'a> = Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;

fn draw_title<'a>(area: &Area<'a>, lines: &[String]) -> Drawn<'a> {
    for (place, line) in lines.iter().enumerate() {
        let y = 12 + TITLE_LINE as i32 * place as i32;
        area.draw(&Text::new(line.clone(), (20, y), font(17).color(&BLACK)))?;
    }
    Ok(())
}

fn draw_bars<'a>(area: &Area<'a>, designs: &[(&Design, &DesignSummary)]) -> Drawn<'a> {
    let rows = designs.len() as f64;
    let mut chart = ChartBuilder::on(area)
        .margin_right(40)
        .x_label_area_size(AXIS)
        .y_label_area_size(LEFT)
        .build_cartesian_2d(0.0..100.0, 0.0..rows)?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .disable_y_axis()
        .light_line_style(TRANSPARENT)
        .x_labels(11)
        .x_label_formatter(&|percent| format!("{percent:.0}"))
        .x_desc("share of calls, %")
        .label_style(font(15))
        .axis_desc_style(font(15))
        .draw()?;
    for (place, (design, summary)) in designs.iter().enumerate() {
        let top = rows - place as f64;
        let mut left = 0.0;
        for (outcome, count) in &summary.outcomes {
            let right = left + 100.0 * count.share;
            let corners = [(left, top - 0.85), (right, top - 0.15)];
            chart.draw_series(std::iter::once(Rectangle::new(corners, colour(*outcome).filled())))?;
            left = right;
        }
        let (x, y) = (LEFT as i32 - 10, (BAR * place as u32 + BAR / 2) as i32);
        let style = font(15).color(&BLACK).pos(Pos::new(HPos::Right, VPos::Center));
        area.draw(&Text::new(design.name(), (x, y), style))?;
    }
    Ok(())
}

fn draw_legend<'a>(area: &Area<'a>, legend: &[Outcome]) -> Drawn<'a> {
    for (place, outcome) in legend.iter().enumerate() {
        let x = LEFT as i32 + 130 * (place % LEGEND_COLUMNS) as i32;
        let y = LEGEND_TOP as i32 + LEGEND_LINE as i32 * (place / LEGEND_COLUMNS) as i32;
        let corners = [(x, y), (x + 14, y + 14)];
        area.draw(&Rectangle::new(corners, colour(*outcome).filled()))?;
        area.draw(&Rectangle::new(corners, BLACK))?;
        area.draw(&Text::new(outcome.name().replace('_', " "), (x + 20, y + 1), font(14).color(&BLACK)))?;
    }
    Ok(())
}

/// The words of a text in lines of at most so many characters; a longer word has a line of its own.
fn wrapped(text: &str, chars: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is a line");
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > chars {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_breaks_between_words() {
        assert_eq!(wrapped("one two  three", 7), ["one two", "three"]);
        assert_eq!(wrapped("", 7), [""]);
        assert_eq!(wrapped("seventeen x", 7), ["seventeen", "x"]);
    }
}
