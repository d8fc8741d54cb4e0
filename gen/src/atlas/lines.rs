//! The longest wins, as boards with lines to play through.

use crate::atlas::board::board;
use crate::atlas::play::{LongestWins, PlayedLine};
use crate::atlas::unknown;
use crate::atlas::words::{game, side};
use maud::{Markup, html};
use sakmak_probe::LineEnd;
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variants;

/// The lines, side by side. Without the script a page shows the first board and the moves.
pub fn lines(longest_wins: &LongestWins) -> Markup {
    html! {
        @if !longest_wins.lines.is_empty() {
            section {
                h2 { "Longest wins" }
                div class="games" { @for line in &longest_wins.lines { (played(line)) } }
            }
        }
    }
}

fn played(shown: &PlayedLine) -> Markup {
    let winner = side(shown.winner);
    let moves = shown.moves.0;
    let takes = match shown.to_mate {
        true => format!("mate in {moves}"),
        false => format!("{} to mate or to another count", shown.moves),
    };
    let names: Vec<String> =
        shown.counted_as.iter().map(|counting_rule| game(counting_rule)).collect();
    let names = names.join(" and ");
    let title = match (shown.longest, shown.counted_as.is_empty()) {
        (true, true) => format!("{winner}'s longest win: {takes}"),
        (true, false) => format!("{winner}'s longest win, in time in {names}: {takes}"),
        (false, _) => format!("{winner}'s longest win in time, {names}: {takes}"),
    };
    let positions = [&shown.start].into_iter().chain(shown.steps.iter().map(|(_, after)| after));
    // A line that no count bounds runs past the end of counts; its positions have none.
    let counted = !shown.counted_as.is_empty();
    let fen = |position: &Position| match counted {
        true => position.fen(),
        false => position.with_clock(None).fen(),
    };
    let fens: Vec<String> = positions.map(fen).collect();
    let anchor = anchor(shown);
    html! {
        article class="game" id=(anchor) data-fens=(fens.join("|")) {
            h3 { (title) }
            (board(&shown.start, &format!("{}, {} to move", title, side(shown.start.side())), &anchor))
            @if let Some(missing) = shown.missing {
                p class="note" { "No line: the table " (missing) " is missing. " (unknown::command_for(missing)) }
            } @else {
                p class="moves" {
                    @for (ply, (name, _)) in shown.steps.iter().enumerate() {
                        (number_before(&shown.start, ply))
                        span class="move" data-ply=(ply + 1) { (name) }
                        " "
                    }
                    (end(shown.end))
                }
            }
        }
    }
}

/// The move number, before a move of White and at the start of the line.
fn number_before(start: &Position, ply: usize) -> String {
    let black = usize::from(start.side() == Side::Black);
    let number = (ply + black) / 2 + 1;
    match ((ply + black).is_multiple_of(2), ply) {
        (true, _) => format!("{number}.\u{a0}"),
        (false, 0) => format!("{number}…\u{a0}"),
        _ => String::new(),
    }
}

fn end(end: Option<LineEnd>) -> &'static str {
    match end {
        Some(LineEnd::Checkmate) => "Mate.",
        Some(LineEnd::Stalemate) => "Stalemate.",
        Some(LineEnd::BareKing) => "A bare khun.",
        Some(LineEnd::BareKings) => "Bare khuns.",
        Some(LineEnd::Claim) => "The draw is claimed.",
        Some(LineEnd::Repetition) => "Repetition.",
        None => "",
    }
}

/// The id of a line: `longest-white`, `in-time-white-makruk`.
fn anchor(shown: &PlayedLine) -> String {
    let winner = shown.winner.name();
    match shown.counted_as.first() {
        Some(counting_rule) if !shown.longest => {
            format!("in-time-{winner}-{}", variants::counted_by(counting_rule).name)
        }
        _ => format!("longest-{winner}"),
    }
}
