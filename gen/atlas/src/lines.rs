//! The longest wins, as boards with lines to play through.

use crate::board::board;
use crate::config::AtlasConfig;
use crate::play::PlayedLine;
use crate::unknown;
use crate::words::{listed, mover, moves as in_moves, side};
use maud::{Markup, html};
use sakmak_probe::{LineEnd, Outcome};
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variants;

/// The lines, side by side. Without the script a page shows the first board and the moves.
pub fn lines(config: &AtlasConfig, longest_wins: &[PlayedLine]) -> Markup {
    html! {
        @if !longest_wins.is_empty() {
            section {
                h2 { (config.text("atlas.lines")) }
                div class="games" { @for line in longest_wins { (played(config, line)) } }
            }
        }
    }
}

fn played(config: &AtlasConfig, shown: &PlayedLine) -> Markup {
    let language = config.language;
    let winner = side(language, shown.winner);
    let moves = shown.moves.0;
    let takes = match shown.to_mate {
        true => config.format("atlas.line.mate", &[("count", &moves)]),
        false => {
            let moves = in_moves(language, moves.into());
            config.format("atlas.line.count", &[("moves", &moves)])
        }
    };
    let names: Vec<String> =
        shown.counted_as.iter().map(|counting_rule| config.game(counting_rule)).collect();
    let names = listed(language, "atlas.and", &names);
    let title = match (shown.longest, shown.counted_as.is_empty()) {
        (true, true) => "atlas.line.longest",
        (true, false) => "atlas.line.both",
        (false, _) => "atlas.line.in-time",
    };
    let title =
        language.format(title, &[("winner", &winner), ("games", &names), ("takes", &takes)]);
    let positions = [&shown.start].into_iter().chain(shown.steps.iter().map(|(_, after)| after));
    // A line without a bound by a count continues past the end of counts; its positions have no
    // count.
    let counted = !shown.counted_as.is_empty();
    let fen = |position: &Position| match counted {
        true => position.fen(),
        false => position.with_clock(None).fen(),
    };
    let fens: Vec<String> = positions.map(fen).collect();
    let anchor = anchor(shown);
    let to_move = mover(language, shown.start.side());
    let label = language.format("atlas.line.board", &[("title", &title), ("mover", &to_move)]);
    html! {
        article class="game" id=(anchor) data-fens=(fens.join("|")) {
            h3 { (title) }
            (board(language, &shown.start, &label, &anchor))
            @if let Some(missing) = shown.missing {
                p class="note" { (language.format("atlas.line.missing", &[("table", &missing)])) " " (unknown::command_for(config, missing)) }
            } @else {
                p class="moves" {
                    @for (ply, (name, _)) in shown.steps.iter().enumerate() {
                        (number_before(&shown.start, ply))
                        span class="move" data-ply=(ply + 1) { (name) }
                        " "
                    }
                    @if let Some(end) = shown.end { (config.text(end_text(config, end))) }
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

/// The key of the text of a line's end.
fn end_text(config: &AtlasConfig, end: LineEnd) -> &'static str {
    match end {
        LineEnd::Over(Outcome::Checkmate) if config.end().check_loses => "atlas.line.end.check",
        LineEnd::Over(Outcome::Checkmate) => "atlas.line.end.mate",
        LineEnd::Over(Outcome::Stalemate) => "atlas.line.end.stalemate",
        LineEnd::Over(Outcome::BareKing) => "atlas.line.end.bare-king",
        LineEnd::BareKings => "atlas.line.end.bare",
        LineEnd::Claim => "atlas.line.end.claim",
        LineEnd::Repetition => "atlas.line.end.repetition",
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
