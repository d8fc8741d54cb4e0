//! A histogram of distances, with the clocks as vertical lines.

use crate::language::Language;
use crate::words::{grouped, listed, moves as in_moves, percent};
use maud::{Markup, html};
use sakmak_make::census::Histogram;
use sakmak_tables::distance::Moves;

/// The size, and the positions of the axes.
const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 196.0;
const LEFT: f64 = 34.0;
const RIGHT: f64 = 414.0;
const TOP: f64 = 24.0;
const BOTTOM: f64 = 164.0;
/// The least length of the axis in moves, so that few bars are not too wide.
const LEAST: u32 = 12;
/// The maximum number of marks above 0 on the axis of positions.
const MARKS: u64 = 4;

/// A clock in a histogram.
#[derive(Clone, Debug)]
pub struct ClockMark {
    /// The game.
    pub name: String,
    /// The moves that it leaves.
    pub moves: Moves,
}

/// Returns a histogram of positions by distance, with a bar for each number of moves; a single bar
/// is a sentence. Bars beyond all clocks are pale. The key of a clock shows its share of `won`
/// positions.
pub fn histogram(
    language: Language,
    title: &str,
    histogram: &Histogram,
    won: u64,
    clocks: &[ClockMark],
) -> Markup {
    let clocks = joined(language, clocks);
    let keys: Vec<String> =
        clocks.iter().map(|clock| clock_key(language, histogram, won, clock)).collect();
    if let (1, Some((moves, &count))) = (histogram.len(), histogram.first_key_value()) {
        let moves = in_moves(language, moves.0.into());
        return html! {
            p class="single" {
                b { (title) ":" } " "
                (language.format("atlas.chart.single", &[("count", &grouped(count)), ("moves", &moves)]))
                @for key in keys { " " (key) "." }
            }
        };
    }
    html! {
        figure class="chart" {
            figcaption { (title) }
            @if !clocks.is_empty() {
                ul class="keys" {
                    @for (number, key) in keys.iter().enumerate() {
                        li {
                            svg class="swatch" viewBox="0 0 24 8" aria-hidden="true" {
                                path class=(clock_class(number)) d="M0 4H24" {}
                            }
                            " " (key)
                        }
                    }
                }
            }
            (chart(language, title, histogram, &clocks))
        }
    }
}

/// Returns the key of a clock: its game, its moves and its share of the won positions.
fn clock_key(language: Language, histogram: &Histogram, won: u64, clock: &ClockMark) -> String {
    let within = histogram.range(..=clock.moves).map(|(_, count)| count).sum();
    match percent(language, within, won) {
        Some(share) => language.format(
            "atlas.chart.clock.share",
            &[("game", &clock.name), ("count", &clock.moves.0), ("share", &share)],
        ),
        None => language
            .format("atlas.chart.clock", &[("game", &clock.name), ("count", &clock.moves.0)]),
    }
}

/// Returns the drawing: axes, bars, and a line for each clock.
fn chart(language: Language, title: &str, histogram: &Histogram, clocks: &[ClockMark]) -> Markup {
    let highest = histogram.values().copied().max().unwrap_or(0);
    let longest = histogram.keys().next_back().copied().unwrap_or(Moves(0));
    let clock_moves = clocks.iter().map(|clock| clock.moves);
    let end = clock_moves.clone().chain([longest, Moves(LEAST)]).max().unwrap_or(longest).0 + 1;
    // Distances start at 0 for a loss and at 1 for a win; both start at the left.
    let wide = (RIGHT - LEFT) / f64::from(end + 1);
    let x = |moves: u32| LEFT + f64::from(moves) * wide;
    let tall = |count: u64| (BOTTOM - TOP) * count as f64 / highest.max(1) as f64;
    let in_time = clock_moves.max();
    let bar_class = |moves: Moves| match in_time.is_some_and(|clock| moves > clock) {
        true => "late",
        false => "bar",
    };
    let bar_title = |moves: Moves, count: u64| {
        let moves = in_moves(language, moves.0.into());
        language.format("atlas.chart.bar", &[("moves", &moves), ("count", &grouped(count))])
    };
    let step = match end {
        0..=12 => 1,
        13..=30 => 5,
        31..=110 => 10,
        _ => 50,
    };
    let scale = PositionScale::of(highest);
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(title) {
            text class="unit" x="0" y="11" { (language.text(scale.unit)) }
            @for mark in scale.marks(highest) {
                @let y = BOTTOM - tall(mark);
                path class="grid" d=(format!("M{LEFT} {y:.1}H{RIGHT}")) {}
                text class="mark" x=(LEFT - 5.0) y=(point(y + 4.0)) { (scale.label(mark)) }
            }
            @for (&moves, &count) in histogram {
                // The smallest bar is still visible.
                @let tall = tall(count).max(0.7);
                rect class=(bar_class(moves)) x=(point(x(moves.0))) y=(point(BOTTOM - tall))
                    width=(point((wide * 0.86).max(0.5))) height=(point(tall)) {
                    title { (bar_title(moves, count)) }
                }
            }
            path class="axis" d=(format!("M{LEFT} {TOP}V{BOTTOM}H{RIGHT}")) {}
            @for tick in (0..=end).step_by(step) {
                text class="tick" x=(point(x(tick) + wide * 0.43)) y=(BOTTOM + 14.0) { (tick) }
            }
            text class="unit end" x=(RIGHT) y=(BOTTOM + 29.0) { (language.text("atlas.chart.moves")) }
            @for (number, clock) in clocks.iter().enumerate() {
                @let at = x(clock.moves.0 + 1) - wide * 0.07;
                path class=(clock_class(number)) d=(format!("M{at:.1} {TOP}V{BOTTOM}")) {}
            }
        }
    }
}

/// The clocks; clocks with equally many moves are joined.
fn joined(language: Language, clocks: &[ClockMark]) -> Vec<ClockMark> {
    let mut lengths: Vec<Moves> = Vec::new();
    for clock in clocks {
        if !lengths.contains(&clock.moves) {
            lengths.push(clock.moves);
        }
    }
    let names = |moves: Moves| -> Vec<String> {
        let equal = clocks.iter().filter(|clock| clock.moves == moves);
        equal.map(|clock| clock.name.clone()).collect()
    };
    lengths
        .into_iter()
        .map(|moves| ClockMark { name: listed(language, "atlas.and", &names(moves)), moves })
        .collect()
}

/// Clocks differ by the pattern of their lines.
const fn clock_class(number: usize) -> &'static str {
    if number == 0 { "clock" } else { "clock other" }
}

/// The axis of positions: its unit, and the distance of its marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct PositionScale {
    /// The key of its name.
    unit: &'static str,
    /// Positions in one unit.
    divisor: u64,
    /// The number of positions between two marks: 1, 2 or 5 with zeros.
    step: u64,
}

impl PositionScale {
    fn of(highest: u64) -> PositionScale {
        let (unit, divisor) = match highest {
            2_000_000.. => ("atlas.chart.millions", 1_000_000),
            2_000.. => ("atlas.chart.thousands", 1_000),
            _ => ("atlas.chart.positions", 1),
        };
        let mut power = 1;
        let step = loop {
            if let Some(step) = [1, 2, 5]
                .map(|digit| digit * power)
                .into_iter()
                .find(|step| highest / step <= MARKS)
            {
                break step;
            }
            power *= 10;
        };
        PositionScale { unit, divisor, step }
    }

    /// The marks from 0 to the highest bar.
    fn marks(self, highest: u64) -> impl Iterator<Item = u64> {
        (0..=highest / self.step).map(move |mark| mark * self.step)
    }

    /// A mark in units.
    fn label(self, mark: u64) -> String {
        match mark % self.divisor {
            0 => grouped(mark / self.divisor),
            _ => format!("{:.1}", mark as f64 / self.divisor as f64),
        }
    }
}

fn point(number: f64) -> String {
    format!("{number:.1}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(name: &str, moves: u32) -> ClockMark {
        ClockMark { name: name.to_string(), moves: Moves(moves) }
    }

    #[test]
    fn the_axis_of_positions_has_round_marks() {
        let labels = |highest| {
            let scale = PositionScale::of(highest);
            let labels = scale.marks(highest).map(|mark| scale.label(mark));
            (Language::English.text(scale.unit), labels.collect::<Vec<_>>().join(" "))
        };
        assert_eq!(labels(1), ("positions", "0 1".to_string()));
        assert_eq!(labels(1616), ("positions", "0 500 1,000 1,500".to_string()));
        assert_eq!(labels(4014), ("thousand positions", "0 1 2 3 4".to_string()));
        assert_eq!(labels(783_628), ("thousand positions", "0 200 400 600".to_string()));
        assert_eq!(labels(2_100_000), ("million positions", "0 0.5 1 1.5 2".to_string()));
        assert_eq!(labels(95_575_624), ("million positions", "0 20 40 60 80".to_string()));
    }

    #[test]
    fn one_bar_is_a_sentence_and_equal_clocks_are_one() {
        let clocks = [marked("Makruk", 14), marked("Ouk", 14)];
        let one = Histogram::from([(Moves(1), 4014)]);
        let text = histogram(Language::English, "Black wins", &one, 4014, &clocks).0;
        assert!(!text.contains("<svg") && text.contains("4,014 positions, all at 1 move."));
        assert!(text.contains("Makruk and Ouk: 14 moves, 100.00 % in time."), "{text}");
        let two = Histogram::from([(Moves(1), 4014), (Moves(15), 1)]);
        let text = histogram(Language::English, "Black wins", &two, 4015, &clocks).0;
        assert_eq!((text.matches("<rect").count(), text.matches("<li>").count()), (2, 1));
        assert!(text.contains("thousand positions") && text.contains(">moves</text>"));
    }
}
