//! A chart of how calls ended under each design, as SVG: stacked shares, one bar per design. Text is drawn by the
//! reader's own font, so the bytes are the same on every machine.

use plotters::prelude::*;
use plotters::style::FontDesc;

use crate::experiment::Summary;
use crate::metrics::Outcome;

const SIZE: (u32, u32) = (900, 330);

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

/// The chart of a run's first point. Panics only if memory cannot be drawn into.
pub(super) fn outcomes_svg(summary: &Summary) -> String {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        draw(&area, summary).expect("drawing into memory");
        area.present().expect("drawing into memory");
    }
    svg
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Drawn<'a> = Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;

fn draw<'a>(area: &Area<'a>, summary: &Summary) -> Drawn<'a> {
    area.fill(&WHITE)?;
    let point = &summary.points[0];
    let designs: Vec<_> = point.designs.iter().collect();
    area.draw(&Text::new(summary.question.clone(), (20, 14), font(17).color(&BLACK)))?;
    let (upper, lower) = area.split_vertically(SIZE.1 - 70);
    let mut chart = ChartBuilder::on(&upper)
        .margin_top(44)
        .margin_right(40)
        .x_label_area_size(44)
        .y_label_area_size(100)
        .build_cartesian_2d(0.0..100.0, (0..designs.len()).into_segmented())?;
    let name = |place: &SegmentValue<usize>| match place {
        SegmentValue::CenterOf(i) if *i < designs.len() => designs[designs.len() - 1 - i].0.name().to_owned(),
        _ => String::new(),
    };
    chart
        .configure_mesh()
        .disable_y_mesh()
        .x_desc("share of calls, %")
        .y_label_formatter(&name)
        .label_style(font(15))
        .axis_desc_style(font(15))
        .draw()?;
    for (place, (_, design)) in designs.iter().rev().enumerate() {
        let mut left = 0.0;
        for (outcome, count) in &design.outcomes {
            let right = left + 100.0 * count.share;
            let (low, high) = (SegmentValue::Exact(place), SegmentValue::Exact(place + 1));
            let mut bar = Rectangle::new([(left, low), (right, high)], colour(*outcome).filled());
            bar.set_margin(8, 8, 0, 0);
            chart.draw_series(std::iter::once(bar))?;
            left = right;
        }
    }
    legend(&lower, summary)
}

fn legend<'a>(area: &Area<'a>, summary: &Summary) -> Drawn<'a> {
    let designs = || summary.points[0].designs.values();
    let occurred = Outcome::ALL.into_iter().filter(|o| designs().any(|design| design.outcomes.contains_key(o)));
    for (place, outcome) in occurred.enumerate() {
        let (x, y) = (100 + 130 * (place as i32 % 6), 8 + 26 * (place as i32 / 6));
        area.draw(&Rectangle::new([(x, y), (x + 14, y + 14)], colour(outcome).filled()))?;
        area.draw(&Rectangle::new([(x, y), (x + 14, y + 14)], BLACK))?;
        area.draw(&Text::new(outcome.name().replace('_', " "), (x + 20, y + 1), font(14).color(&BLACK)))?;
    }
    Ok(())
}
