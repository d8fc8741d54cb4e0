//! A histogram of distances, with the clocks as vertical lines.

use crate::analysis::census::Histogram;
use crate::atlas::words::{grouped, percent};
use maud::{Markup, html};
use sakmak_tables::distance::Moves;

/// The size, and the positions of the axes.
const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 190.0;
const LEFT: f64 = 6.0;
const RIGHT: f64 = 414.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 168.0;
/// The line height of the labels of clocks.
const LINE: f64 = 14.0;
/// The least length of the axis in moves, so that few bars are not too wide.
const LEAST: u32 = 12;

/// A clock in a histogram.
#[derive(Clone, Debug)]
pub struct ClockMark {
    /// Its label.
    pub name: String,
    /// The moves that it leaves.
    pub moves: Moves,
}

/// Positions by distance, with a bar for each number of moves. Bars past all clocks are pale.
/// `won` is the number of positions of which the label of a clock gives the share.
pub fn histogram(title: &str, histogram: &Histogram, won: u64, clocks: &[ClockMark]) -> Markup {
    let highest = histogram.values().copied().max().unwrap_or(0);
    let longest = histogram.keys().next_back().copied().unwrap_or(Moves(0));
    let clock_moves = clocks.iter().map(|clock| clock.moves);
    let end = clock_moves.clone().chain([longest, Moves(LEAST)]).max().unwrap_or(longest).0 + 1;
    // Distances start at 0 for a loss and at 1 for a win; both start at the left.
    let wide = (RIGHT - LEFT) / f64::from(end + 1);
    let x = |moves: u32| LEFT + f64::from(moves) * wide;
    let tall = |count: u64| match highest {
        0 => 0.0,
        // The smallest bar is still visible.
        highest => ((BOTTOM - TOP) * count as f64 / highest as f64).max(0.7),
    };
    let in_time = clock_moves.max();
    let step = match end {
        0..=12 => 1,
        13..=30 => 5,
        31..=110 => 10,
        _ => 50,
    };
    let most = histogram.iter().max_by_key(|(_, count)| **count).map(|(moves, _)| *moves);
    // Without clocks, no room is left for their labels.
    let above = if clocks.is_empty() { TOP - LINE } else { 0.0 };
    html! {
        figure class="chart" {
            figcaption { (title) }
            svg viewBox=(format!("0 {above} {WIDTH} {}", HEIGHT - above)) role="img" aria-label=(title) {
                @for (moves, &count) in histogram {
                    @let class = if in_time.is_some_and(|clock| *moves > clock) { "late" } else { "bar" };
                    rect class=(class) x=(point(x(moves.0))) y=(point(BOTTOM - tall(count)))
                        width=(point((wide * 0.86).max(0.5))) height=(point(tall(count))) {
                        title { (moves.0) " moves: " (grouped(count)) }
                    }
                }
                path class="axis" d=(format!("M{LEFT} {BOTTOM}H{RIGHT}")) {}
                @for tick in (0..=end).step_by(step) {
                    text class="tick" x=(point(x(tick) + wide * 0.43)) y=(BOTTOM + 14.0) { (tick) }
                }
                @for (number, clock) in clocks.iter().enumerate() {
                    @let at = x(clock.moves.0 + 1) - wide * 0.07;
                    @let y = 12.0 + LINE * number as f64;
                    @let within = histogram.range(..=clock.moves).map(|(_, count)| count).sum();
                    @let share = percent(within, won).map_or(String::new(), |share| format!(", {share} within"));
                    path class="clock" d=(format!("M{at:.1} {:.1}V{BOTTOM}", y + 3.0)) {}
                    text class=(if at > WIDTH / 2.0 { "clock before" } else { "clock" })
                        x=(point(if at > WIDTH / 2.0 { at + 3.0 } else { at - 3.0 })) y=(y) {
                        (clock.name) ": " (clock.moves.0) " moves" (share)
                    }
                }
            }
            @if let Some(most) = most {
                p class="note" { "Tallest bar: " (grouped(highest)) " positions, " (most) "." }
            }
        }
    }
}

fn point(number: f64) -> String {
    format!("{number:.1}")
}
