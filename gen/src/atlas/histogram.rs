//! A histogram of distances with the clock drawn into it.

use crate::analysis::census::Histogram;
use crate::atlas::words::{grouped, percent};
use maud::{Markup, html};
use sakmak_tables::distance::Moves;

/// How large it is, and where its axes are.
const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 190.0;
const LEFT: f64 = 6.0;
const RIGHT: f64 = 414.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 168.0;
/// From one clock's words to those of the next.
const LINE: f64 = 14.0;
/// The fewest moves there is room for: a bar is a bar.
const LEAST: u32 = 12;

/// A clock drawn into a histogram.
#[derive(Clone, Debug)]
pub struct ClockMark {
    /// Whose it is.
    pub name: String,
    /// The moves it gives.
    pub moves: Moves,
}

/// Positions by distance, a bar for each number of moves; what is past all clocks is of
/// another shade, and nothing is where no clock says what is in time. `won` are those of
/// which a clock is told to leave time for a part.
pub fn histogram(title: &str, histogram: &Histogram, won: u64, clocks: &[ClockMark]) -> Markup {
    let highest = histogram.values().copied().max().unwrap_or(0);
    let longest = histogram.keys().next_back().copied().unwrap_or(Moves(0));
    let clock_moves = clocks.iter().map(|clock| clock.moves);
    let end = clock_moves.clone().chain([longest, Moves(LEAST)]).max().unwrap_or(longest).0 + 1;
    // Distances begin at 0 for a loss and at 1 for a win; both begin at the left.
    let wide = (RIGHT - LEFT) / f64::from(end + 1);
    let x = |moves: u32| LEFT + f64::from(moves) * wide;
    let tall = |count: u64| match highest {
        0 => 0.0,
        // What there is can be seen.
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
    // Where no clock is told there is no room for it either.
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
