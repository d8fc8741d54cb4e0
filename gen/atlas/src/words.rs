//! Numbers, sides and counts in the words of the pages.

use crate::language::Language;
use sakmak_tables::counting::{CountingRule, Phase};
use sakmak_tables::distance::Moves;
use sakmak_tables::material::Material;
use sakmak_tables::rules::piece::Side;

/// A number with its digits in groups of three.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A fraction in percent with two decimals, or `None` if the whole is 0. A part is never shown as 0
/// % and, if less than the whole, never as 100 %.
pub fn percent(language: Language, part: u64, whole: u64) -> Option<String> {
    percent_with(part, whole, |is_upper, share| {
        let key = if is_upper { "atlas.less" } else { "atlas.greater" };
        language.format(key, &[("share", &share)])
    })
}

/// The fraction, as short as a column of a wide table.
pub fn short_percent(part: u64, whole: u64) -> Option<String> {
    percent_with(part, whole, |is_upper, share| {
        format!("{} {share}", if is_upper { '<' } else { '>' })
    })
}

/// The fraction. `bounded` writes a bound of it, whether upper or lower, for a fraction that rounds
/// to 0 or 100 %.
fn percent_with(part: u64, whole: u64, bounded: impl Fn(bool, &str) -> String) -> Option<String> {
    let share = (whole > 0).then(|| 100.0 * part as f64 / whole as f64)?;
    Some(match part {
        1.. if share < 0.01 => bounded(true, "0.01 %"),
        part if part != whole && share > 99.99 => bounded(false, "99.99 %"),
        _ => format!("{share:.2} %"),
    })
}

/// Names in a row: `Makruk and Ouk`. `last_two` is the text key that joins the last two.
pub fn listed(language: Language, last_two: &'static str, names: &[String]) -> String {
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => {
            language.format(last_two, &[("first", &rest.join(", ")), ("last", last)])
        }
        _ => names.concat(),
    }
}

/// The text with a capital at the beginning.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// `White` or `Black`.
pub fn side(language: Language, side: Side) -> &'static str {
    language.text(match side {
        Side::White => "side.white",
        Side::Black => "side.black",
    })
}

/// The wins of a side: `White wins`.
pub fn wins(language: Language, side: &str) -> String {
    language.format("atlas.column.wins", &[("side", &side)])
}

/// The side to move: `White to move`.
pub fn mover(language: Language, to_move: Side) -> String {
    language.format("mover", &[("side", &side(language, to_move))])
}

/// A number of moves: `1 move`, `14 moves`.
pub fn moves(language: Language, count: u64) -> String {
    let key = if count == 1 { "moves.one" } else { "moves.many" };
    language.format(key, &[("count", &count)])
}

/// The count against an attacker: its kind, its limit, and the moves that a count starting now
/// leaves the attacker.
#[derive(Clone, Copy, Debug)]
pub struct CountAgainst {
    pub phase: Phase,
    pub limit: Option<Moves>,
    /// Moves left with the attacker to move.
    pub attacker_moves: Option<Moves>,
    /// Moves left with the runner to move.
    pub runner_moves: Option<Moves>,
}

impl CountAgainst {
    /// The count against an attacker in a material.
    pub fn of(material: Material, counting_rule: &CountingRule, attacker: Side) -> CountAgainst {
        let armies = Side::BOTH.map(|side| material.army(side));
        let phase = counting_rule.phase_against(armies, attacker);
        let clock = |to_move| counting_rule.moves_left(armies, attacker, to_move);
        let limit = match phase {
            Phase::Free => None,
            Phase::BoardsHonour => counting_rule.boards.map(|boards| boards.limit),
            Phase::PiecesHonour => counting_rule.limit(armies[attacker.index()]),
            Phase::FiftyMoves => {
                counting_rule.fifty_moves.map(|plies| counting_rule.limit_in_moves(plies))
            }
        };
        let (attacker_moves, runner_moves) = (clock(attacker), clock(!attacker));
        CountAgainst { phase, limit, attacker_moves, runner_moves }
    }

    /// The kind of the count: `none`, `board`, `pieces` or `fifty-moves`.
    pub const fn name(&self) -> &'static str {
        match self.phase {
            Phase::Free => "none",
            Phase::BoardsHonour => "board",
            Phase::PiecesHonour => "pieces",
            Phase::FiftyMoves => "fifty-moves",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_shares_rounded() {
        let numbers = [0, 12, 999, 1000, 10_160_936].map(grouped);
        assert_eq!(numbers, ["0", "12", "999", "1,000", "10,160,936"]);
        let percent = |part, whole| percent(Language::English, part, whole);
        assert_eq!(percent(10_160_936, 12_170_304).as_deref(), Some("83.49 %"));
        assert_eq!(percent(0, 0), None);
        let shares = [(0, 9), (1, 1 << 40), (1, 10_000), (2, 3), ((1 << 40) - 1, 1 << 40), (9, 9)];
        let long =
            ["0.00 %", "less than 0.01 %", "0.01 %", "66.67 %", "more than 99.99 %", "100.00 %"];
        let short = ["0.00 %", "< 0.01 %", "0.01 %", "66.67 %", "> 99.99 %", "100.00 %"];
        assert_eq!(shares.map(|(part, whole)| percent(part, whole).unwrap()), long);
        assert_eq!(shares.map(|(part, whole)| short_percent(part, whole).unwrap()), short);
    }
}
