//! The answer about a position as people read it, 80 columns wide.

use super::super::board::drawn;
use super::super::capitalised;
use sakmak_probe::answer::{Answer, Count};
use sakmak_tables::counting::{Category, Honour};
use sakmak_tables::distance::Value;
use sakmak_tables::man::Side;
use sakmak_tables::position::{Outcome, Position};
use sakmak_tables::san::san;
use std::fmt::Write;

/// The most characters of a line of moves.
const COLUMNS: usize = 80;

/// The board, the verdict, the count, the moves and the line.
pub fn text(position: &Position, answer: &Answer) -> String {
    let mut text = format!(
        "{}, {}, {} to move\n\n{}\n",
        position.material().material,
        position.variant().name,
        position.side().name(),
        drawn(position)
    );
    let _ = writeln!(text, "Verdict: {}", capitalised(&verdict(position, answer)));
    if let Some(count) = answer.count.filter(|_| answer.outcome.is_none()) {
        let _ = writeln!(text, "Count:   {}", count_text(&count));
    }
    if !answer.moves.is_empty() {
        text += "\nMoves, best first:\n";
    }
    for rated in &answer.moves {
        let uci = rated.uci.to_string();
        let grade = grade(rated.category);
        let distance = distance(rated.value);
        let line = format!("  {:<8} {uci:<6} {grade:<14} {distance}", rated.san);
        text += line.trim_end();
        text.push('\n');
    }
    if !answer.line.is_empty() {
        let late = matches!(answer.category, Category::CursedWin | Category::BlessedLoss);
        let late = if late { ", too late for the count" } else { "" };
        let _ = writeln!(text, "\nLine to mate{late}:");
        text += &line(position, answer);
    }
    text
}

fn verdict(position: &Position, answer: &Answer) -> String {
    let (mover, other) = (position.side().name(), (!position.side()).name());
    let distance = distance(answer.value);
    let in_time = match answer.count.map(|count| count.honour) {
        Some(Honour::Pieces) => " in time",
        // The distance alone does not say what the board's count allows.
        Some(Honour::Boards) => " if nobody counts",
        None => "",
    };
    let late = |winner: &str| format!("draw by the count: {winner}'s {distance} comes too late");
    match (answer.outcome, answer.category) {
        (Some(Outcome::Checkmate), _) => format!("{mover} is checkmated"),
        (Some(Outcome::Stalemate), _) => format!("stalemate: a draw, {mover} has no move"),
        (None, Category::Win) => format!("{mover} wins{in_time}: {distance}"),
        (None, Category::Loss) => format!("{other} wins{in_time}: {distance}"),
        (None, Category::Draw) => "draw".to_string(),
        (None, Category::CursedWin) => late(mover),
        (None, Category::BlessedLoss) => late(other),
    }
}

/// The grade of a move. Only one side can mate where the count decides, so that nobody
/// need be told whose mate comes too late.
const fn grade(category: Category) -> &'static str {
    match category {
        Category::CursedWin | Category::BlessedLoss => "draw by count",
        other => other.name(),
    }
}

/// Nothing for a draw.
fn distance(value: Value) -> String {
    match (value.moves(), value.plies()) {
        (Some(moves), Some(plies)) => format!("mate in {moves} ({plies})"),
        _ => String::new(),
    }
}

fn count_text(count: &Count) -> String {
    let state = match count.running {
        true if count.clock.is_over() => "over",
        true => "running",
        false => "starting here",
    };
    format!(
        "{}, {state}: {} of {} called, {} has {} left",
        count.honour,
        count.called.0,
        count.limit.0,
        count.attacker.name(),
        count.moves_left
    )
}

/// The line with move numbers, broken into lines that fit.
fn line(position: &Position, answer: &Answer) -> String {
    let mut moves: Vec<String> = Vec::new();
    let mut position = *position;
    for (ply, &mv) in answer.line.iter().enumerate() {
        let number = match position.side() {
            Side::White => format!("{}. ", position.number()),
            Side::Black if ply == 0 => format!("{}... ", position.number()),
            Side::Black => String::new(),
        };
        moves.push(number + &san(&position, mv));
        position = position.play(mv);
    }
    let mut text = String::new();
    let mut column = COLUMNS;
    for mv in moves {
        if column + 1 + mv.len() > COLUMNS {
            text += if text.is_empty() { "  " } else { "\n  " };
            column = 2;
        } else {
            text.push(' ');
            column += 1;
        }
        text += &mv;
        column += mv.len();
    }
    text + "\n"
}
