//! The verdict on a position in the language of the reader, for previews of links.

use sakmak_atlas::language::Language;
use sakmak_probe::{Answer, Outcome, Side};
use sakmak_tables::counting::Category;
use std::fmt::Display;

/// The verdict on a position, in a sentence with its reason. The board page shows the same
/// sentence.
pub fn verdict(language: Language, answer: &Answer) -> String {
    if let Some(verdict) = final_verdict(language, answer) {
        return verdict;
    }
    let (side, goal) = (answer.position.side(), answer.position.variant().rules.end.goal());
    let goal_text = |family: &str| language.found(&format!("{family}.{goal}")).unwrap_or(goal);
    let winner = match answer.category {
        Category::Win | Category::CursedWin => side,
        Category::Loss | Category::BlessedLoss => !side,
        Category::Draw => return language.format("verdict.draw", &[("goal", &goal_text("goal"))]),
    };
    let count = answer.count.as_ref();
    let in_time = matches!(answer.category, Category::Win | Category::Loss);
    let value = if in_time && count.is_some() { answer.mate_in_time } else { Some(answer.dtm) };
    let plies = value.unwrap_or(answer.dtm).signed_plies().unwrap_or(0).unsigned_abs();
    let needed = plies.div_ceil(2);
    let counted = |one: &'static str, many: &'static str, moves: u64| {
        language.format(if moves == 1 { one } else { many }, &[("count", &moves)])
    };
    let (winner, takes) = (named(language, winner), counted("moves.one", "moves.many", needed));
    let said = |key: &'static str, left: &dyn Display| {
        let holes: [(&str, &dyn Display); 5] = [
            ("winner", &winner),
            ("moves", &takes),
            ("goal", &goal_text("goal")),
            ("goals", &goal_text("goals")),
            ("left", left),
        ];
        language.format(key, &holes)
    };
    let left = count.map(|count| u64::from(count.moves_left.0));
    match (in_time, left) {
        (true, _) if value.is_none() => said("verdict.win.least", &""),
        (true, None) => said("verdict.win", &""),
        (true, Some(left)) if needed <= left => {
            said("verdict.win.left", &counted("left.one", "left.many", left))
        }
        (true, Some(_)) => said("verdict.win.change", &""),
        (false, Some(left)) if needed > left => {
            said("verdict.late.left", &counted("only.one", "only.many", left))
        }
        (false, _) => said("verdict.late.change", &""),
    }
}

/// The verdict on a position that no move changes: the game or the count is over, or only kings are
/// left. `None` for other positions.
fn final_verdict(language: Language, answer: &Answer) -> Option<String> {
    let (position, end) = (&answer.position, answer.position.variant().rules.end);
    let winner = [("winner", &named(language, !position.side()) as &dyn Display)];
    match answer.outcome {
        Some(Outcome::Checkmate) if !end.check_loses => {
            return Some(language.format("verdict.mate", &winner));
        }
        Some(_) if answer.category == Category::Loss => {
            return Some(language.format("verdict.won", &winner));
        }
        Some(Outcome::Stalemate) => return Some(language.text("verdict.stalemate").to_string()),
        _ if position.has_bare_kings() => return Some(language.text("verdict.bare").to_string()),
        _ => {}
    }
    let count = answer.count.as_ref().filter(|count| count.clock.is_over())?;
    Some(language.format("verdict.over", &[("runner", &named(language, count.runner()))]))
}

fn named(language: Language, side: Side) -> &'static str {
    match side {
        Side::White => language.text("side.white"),
        Side::Black => language.text("side.black"),
    }
}
