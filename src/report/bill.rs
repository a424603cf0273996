//! The bill of a run: what each design needs, what that costs, and what decides it. Shown where the scenario has prices.

use super::number::{plain, with_interval};
use super::table::columns;
use crate::experiment::{BillSummary, Measure, Point, Resource};

/// The bill as a table for a terminal of this width; nothing without prices.
pub(super) fn bill(point: &Point, terminal: Option<usize>) -> String {
    let bills: Vec<&BillSummary> = point.designs.values().filter_map(|design| design.bill.as_ref()).collect();
    if bills.is_empty() {
        return String::new();
    }
    let names = point.designs.keys().map(|design| design.name().to_owned());
    let header: Vec<String> = ["the bill".to_owned()].into_iter().chain(names).collect();
    let row = |label: &str, cell: &dyn Fn(&BillSummary) -> String| {
        let cells = bills.iter().map(|bill| cell(bill));
        [label.to_owned()].into_iter().chain(cells).collect::<Vec<String>>()
    };
    let measure = |of: &Measure| with_interval(of.mean, of.half_width);
    let mut rows = vec![row("instances", &|bill| bill.instances.to_string())];
    for resource in Resource::ALL {
        if bills.iter().any(|bill| bill.needed.contains_key(&resource)) {
            let needed = |bill: &BillSummary| bill.needed.get(&resource).map_or_else(String::new, measure);
            rows.push(row(&format!("  for {}", resource.name()), &needed));
        }
    }
    rows.push(row("decided by", &|bill| bill.decided_by.name().to_owned()));
    rows.push(row("instance hours", &|bill| plain(bill.instance_hours)));
    rows.push(row("instance hours as run", &|bill| measure(&bill.ran_hours)));
    rows.push(row("memory for what is held, bytes", &|bill| measure(&bill.memory_bytes)));
    rows.push(row("connections at the balancer", &|bill| measure(&bill.connections)));
    rows.push(row("bytes on the wire", &|bill| measure(&bill.wire_bytes)));
    rows.push(row("time of cores, s", &|bill| measure(&bill.cpu_s)));
    rows.push(row("money per hour", &|bill| plain(bill.per_hour)));
    rows.push(row("money per 1,000 completed", &|bill| {
        bill.per_1000_completed.as_ref().map_or_else(|| "-".to_owned(), measure)
    }));
    format!("\n{}", columns(&header, &rows, terminal))
}
