//! What a link to a position shows elsewhere: the verdict of the board, in the language of the reader.

use sakmak_atlas::language::Language;
use sakmak_probe::{Answer, Moves, Outcome, Side, Value};
use sakmak_tables::counting::Category;
use std::fmt::Display;

/// The verdict on a position, in a sentence with its reason, as the board has it.
pub fn verdict(language: Language, answer: &Answer) -> String {
    let side = answer.position.side();
    let named = |side: Side| match side {
        Side::White => language.text("side.white"),
        Side::Black => language.text("side.black"),
    };
    let moves = |plies: u64| {
        let count = plies.div_ceil(2);
        language.format(if count == 1 { "moves.one" } else { "moves.many" }, &[("count", &count)])
    };
    let (lost, end) = (answer.category == Category::Loss, answer.position.variant().rules.end);
    match answer.outcome {
        Some(Outcome::Checkmate) if !end.check_loses => {
            return language.format("verdict.mate", &[("winner", &named(!side))]);
        }
        Some(_) if lost => return language.format("verdict.won", &[("winner", &named(!side))]),
        Some(Outcome::Stalemate) => return language.text("verdict.stalemate").to_string(),
        _ => {}
    }
    if answer.position.has_bare_kings() {
        return language.text("verdict.bare").to_string();
    }
    let left = |one: &'static str, many: &'static str, left: Moves| {
        language.format(if left.0 == 1 { one } else { many }, &[("count", &left.0)])
    };
    let count = answer.count.as_ref();
    if let Some(count) = count.filter(|count| count.clock.is_over()) {
        return language.format("verdict.over", &[("runner", &named(count.runner()))]);
    }
    let goal = end.goal();
    let found = |family: &str| language.found(&format!("{family}.{goal}")).unwrap_or(goal);
    let winner = match answer.category {
        Category::Win | Category::CursedWin => side,
        Category::Loss | Category::BlessedLoss => !side,
        Category::Draw => return language.format("verdict.draw", &[("goal", &found("goal"))]),
    };
    let in_time = matches!(answer.category, Category::Win | Category::Loss);
    let value = if in_time && count.is_some() { answer.mate_in_time } else { Some(answer.dtm) };
    let plies = |value: Value| value.signed_plies().unwrap_or(0).unsigned_abs();
    let needed = value.map_or_else(|| plies(answer.dtm), plies);
    let (winner, takes) = (named(winner), moves(needed));
    let said = |key: &'static str, left: &dyn Display| {
        let (goal, goals) = (found("goal"), found("goals"));
        let holes: [(&str, &dyn Display); 5] = [
            ("winner", &winner),
            ("moves", &takes),
            ("goal", &goal),
            ("goals", &goals),
            ("left", left),
        ];
        language.format(key, &holes)
    };
    let fits = |moves: Moves| needed.div_ceil(2) <= u64::from(moves.0);
    match (in_time, count) {
        (true, _) if value.is_none() => said("verdict.win.least", &""),
        (true, None) => said("verdict.win", &""),
        (true, Some(count)) if fits(count.moves_left) => {
            said("verdict.win.left", &left("left.one", "left.many", count.moves_left))
        }
        (true, Some(_)) => said("verdict.win.change", &""),
        (false, Some(count)) if !fits(count.moves_left) => {
            said("verdict.late.left", &left("only.one", "only.many", count.moves_left))
        }
        (false, _) => said("verdict.late.change", &""),
    }
}
