//! The answer for a position as text, at most 80 columns wide.

use crate::cli::paragraph::{COLUMNS, paragraph};
use crate::cli::probe::count_words::count_lines;
use crate::cli::{StyledText, Tone, capitalised};
use sakmak_probe::{Answer, Count, RatedMove};
use sakmak_tables::board::square::{SIDE_LENGTH, Square};
use sakmak_tables::counting::{Category, Honour};
use sakmak_tables::distance::Value;
use sakmak_tables::position::moves::Move;
use sakmak_tables::position::san::san;
use sakmak_tables::position::{Outcome, Position};
use sakmak_tables::rules::piece::Side;
use std::fmt::Write;

/// Returns the board, the result, the count, the moves and the line.
pub fn text(answer: &Answer) -> StyledText {
    let position = &answer.position;
    let mut text = StyledText::new();
    let _ = writeln!(
        text,
        "{}, {}, {} to move\n\n{}",
        position.material().material,
        position.counting_rule().name,
        position.side().name(),
        board(position)
    );
    text += "Result:  ";
    text.push(tone(answer.category), &capitalised(&result(position, answer)));
    text += "\n";
    let goal = position.variant().rules.end.goal();
    if let Some(uncounted) = uncounted(answer, goal) {
        let _ = writeln!(text, "         {uncounted}");
    }
    let shows_needed = shows_needed(position, answer);
    if answer.outcome.is_none() {
        text += &field("Count:", &count_lines(position, answer));
    }
    if shows_needed {
        let _ = writeln!(text, "Needed:  {}", needed_text(answer, goal));
    }
    for note in &answer.notes {
        text.push(Tone::Doubtful, &paragraph("Note:    ", 9, note));
    }
    if answer.has_unknown_mate() {
        text += &paragraph("Note:    ", 9, &or_more(goal));
    }
    if !answer.moves.is_empty() {
        text += "\nMoves, best first:\n";
    }
    for rated in &answer.moves {
        push_move(&mut text, answer, rated, shows_needed, goal);
    }
    if let Some(heading) = heading(answer, goal) {
        let moves = answer.lines.iter().map(|lines| &lines.counted.moves);
        for moves in moves.filter(|moves| !moves.is_empty()) {
            let _ = writeln!(text, "\n{heading}:");
            text += &line(position, moves);
        }
    }
    text
}

/// Appends the line of a move.
fn push_move(
    text: &mut StyledText,
    answer: &Answer,
    rated: &RatedMove,
    shows_needed: bool,
    goal: &str,
) {
    let uci = rated.mv.uci(rated.after.variant());
    let (category, distance) = match rated.category {
        Category::Win | Category::Loss => {
            let mate = rated.mate_in_time.map(|mate| distance(mate, goal));
            let mate = mate.unwrap_or_else(|| at_least(rated.dtm, goal));
            (answer.category_name_of(rated), mate)
        }
        other => (category(other), distance(rated.dtm, goal)),
    };
    let keeps = (rated.category == answer.category).then_some(Tone::Strong);
    let needed = match (shows_needed, rated.counted.moves()) {
        (true, Some(moves)) => format!("{:>3} needed  ", moves.0),
        (true, None) => " ".repeat(12),
        (false, _) => String::new(),
    };
    *text += "  ";
    text.push(keeps, &rated.san);
    let _ = write!(text, "{:1$} {uci:<6} ", "", 8_usize.saturating_sub(rated.san.len()));
    text.push(tone(rated.category), category);
    let rest = format!("{:1$} {needed}{distance}", "", 16_usize.saturating_sub(category.len()));
    let _ = writeln!(text, "{}", rest.trim_end());
}

/// Returns the heading of the best line; `None` if no line is shown.
fn heading(answer: &Answer, goal: &str) -> Option<String> {
    match answer.category {
        Category::Win | Category::Loss => Some(format!("Line to {goal}")),
        // Without the count the line continues to mate.
        Category::CursedWin | Category::BlessedLoss => {
            answer.missing.is_none().then(|| "Line until the draw may be claimed".to_string())
        }
        Category::Draw => None,
    }
}

fn result(position: &Position, answer: &Answer) -> String {
    let (mover, other) = (position.side().name(), (!position.side()).name());
    let end = position.variant().rules.end;
    let goal = end.goal();
    let distance = distance(answer.dtm, goal);
    let rule = match position.counting_rule().fifty_moves {
        Some(_) => "fifty-move rule",
        None => "count",
    };
    let late = |winner: &str| format!("draw by the {rule}: {winner}'s {distance} comes too late");
    match (answer.outcome, answer.category) {
        (Some(Outcome::Checkmate), _) if end.check_loses => {
            format!("{other} wins, {mover} is in check")
        }
        (Some(Outcome::Checkmate), _) => format!("{mover} is checkmated"),
        (Some(Outcome::BareKing), _) => format!("{other} wins: the king of {mover} is bare"),
        (Some(Outcome::Stalemate), Category::Draw) if end.bare_king_loses => format!(
            "stalemate: a draw, {mover} has no move; the game was over when {other}'s king was bared"
        ),
        (Some(Outcome::Stalemate), Category::Draw) => {
            format!("stalemate: a draw, {mover} has no move")
        }
        (Some(Outcome::Stalemate), _) => format!("stalemate: {other} wins, {mover} has no move"),
        (None, Category::Win | Category::Loss) => {
            let winner = if answer.category == Category::Win { mover } else { other };
            let mate = mate_in_time(answer, goal);
            match answer.winner() {
                _ if !position.counting_rule().counts() => format!("{winner} wins{mate}"),
                Some(_) => format!("{winner} wins in time{mate}"),
                None => format!("if nobody counts, {winner} wins{mate}"),
            }
        }
        (None, Category::Draw) => "draw".to_string(),
        (None, Category::CursedWin) => late(mover),
        (None, Category::BlessedLoss) => late(other),
    }
}

/// Returns the shortest mate in time, or a lower bound if its length is unknown.
fn mate_in_time(answer: &Answer, goal: &str) -> String {
    match answer.mate_in_time {
        Some(mate) => format!(": {}", distance(mate, goal)),
        None => format!(": {}", at_least(answer.dtm, goal)),
    }
}

/// Explains "or more" in the text.
fn or_more(goal: &str) -> String {
    format!(
        "\"or more\": no {goal} in time is quicker, but the exact number of moves takes a longer \
         search than this one, because the count ends too soon for the quickest {goal}."
    )
}

/// Returns a lower bound of a mate in time: the mate without a count.
fn at_least(value: Value, goal: &str) -> String {
    value.moves().map(|moves| format!("{goal} in {moves} or more")).unwrap_or_default()
}

/// Returns the mate without a count, if it is quicker than the shortest mate in time.
fn uncounted(answer: &Answer, goal: &str) -> Option<String> {
    let later = answer.mate_in_time.is_some_and(|mate| mate != answer.dtm);
    later.then(|| format!("with nothing counted: {}, too late", distance(answer.dtm, goal)))
}

/// Returns whether to show the moves needed of the count: mate can be forced, and the number may
/// differ from the moves to mate.
fn shows_needed(position: &Position, answer: &Answer) -> bool {
    let decided = position.counting_rule().is_decided_by_mate(position.armies());
    let open = answer.outcome.is_none() && answer.dtm != Value::Draw;
    open && !decided && answer.missing.is_none()
}

fn needed_text(answer: &Answer, goal: &str) -> String {
    match (answer.counted.moves(), answer.count) {
        (Some(moves), Some(Count { honour: Honour::FiftyMoves, .. })) => {
            format!("{moves} of this clock, to {goal} or to a capture that wins")
        }
        (Some(moves), Some(_)) => {
            format!("{moves} of this count, to {goal} or to a win under the next count")
        }
        (Some(moves), None) => format!("{moves}, to {goal} or to a win under a count yet to start"),
        (None, _) => "more moves than any count leaves".to_string(),
    }
}

/// Returns the word for a category.
const fn category(category: Category) -> &'static str {
    match category {
        Category::CursedWin | Category::BlessedLoss => "draw (too late)",
        other => other.name(),
    }
}

/// Returns the tone of a category.
const fn tone(category: Category) -> Option<Tone> {
    match category {
        Category::Win => Some(Tone::Good),
        Category::CursedWin | Category::BlessedLoss => Some(Tone::Doubtful),
        Category::Loss => Some(Tone::Bad),
        Category::Draw => None,
    }
}

/// Returns the distance in words; empty for a draw. `goal` is the event that wins.
fn distance(value: Value, goal: &str) -> String {
    match (value.moves(), value.plies()) {
        (Some(moves), Some(plies)) => format!("{goal} in {moves} ({plies})"),
        _ => String::new(),
    }
}

/// Returns lines with a name before the first; empty without lines.
fn field(name: &str, lines: &[String]) -> String {
    let names = [name].into_iter().chain(std::iter::repeat(""));
    names.zip(lines).map(|(name, line)| format!("{name:<8} {line}\n")).collect()
}

/// Returns a line of moves with their numbers, broken at the width of the text.
fn line(position: &Position, line: &[Move]) -> String {
    let mut moves: Vec<String> = Vec::new();
    let mut position = *position;
    for (ply, &mv) in line.iter().enumerate() {
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

/// Returns the board with White at the bottom: a line per rank, and one for the files.
fn board(position: &Position) -> String {
    let mut text = String::new();
    for rank in (0..SIDE_LENGTH).rev() {
        text += &format!("  {}", rank + 1);
        for file in 0..SIDE_LENGTH {
            let piece = Square::at(file, rank).and_then(|square| position.at(square));
            text.push(' ');
            text.push(piece.map_or('.', |piece| position.variant().letter(piece)));
        }
        text.push('\n');
    }
    text += "   ";
    for file in 0..SIDE_LENGTH {
        text.push(' ');
        text.push((b'a' + file as u8) as char);
    }
    text.push('\n');
    text
}
