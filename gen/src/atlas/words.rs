//! Numbers, names and counts in the words of the pages.

use sakmak_tables::counting::{CountingRule, Phase};
use sakmak_tables::distance::Moves;
use sakmak_tables::material::{Army, Material};
use sakmak_tables::rules::piece::{PieceKind, Side};
use sakmak_tables::variants;

/// A number with its digits in groups of three.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share in percent with two decimals, or `None` if the whole is 0. A part is never shown as
/// nothing, and never as the whole.
pub fn percent(part: u64, whole: u64) -> Option<String> {
    percent_with(part, whole, ["less than ", "more than "])
}

/// The same, as short as a column of a wide table.
pub fn short_percent(part: u64, whole: u64) -> Option<String> {
    percent_with(part, whole, ["< ", "> "])
}

fn percent_with(part: u64, whole: u64, [below, above]: [&str; 2]) -> Option<String> {
    let share = (whole > 0).then(|| 100.0 * part as f64 / whole as f64)?;
    Some(match part {
        1.. if share < 0.01 => format!("{below}0.01 %"),
        part if part != whole && share > 99.99 => format!("{above}99.99 %"),
        _ => format!("{share:.2} %"),
    })
}

/// Names in a row: `Makruk and Ouk`.
pub fn listed(names: &[String]) -> String {
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// The text with a capital at the beginning.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The name of the variant of a counting rule.
pub fn game(counting_rule: &CountingRule) -> String {
    capital(variants::counted_by(counting_rule).name)
}

/// `White` or `Black`.
pub const fn side(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}

/// The pieces of a material by their Thai names: `khun, khon and met against khun`.
pub fn pieces(material: Material) -> String {
    let [white, black] = Side::BOTH.map(|side| army(material.army(side)));
    format!("{white} against {black}")
}

fn army(army: Army) -> String {
    let others = PieceKind::NON_KINGS.into_iter().flat_map(|kind| vec![kind; army.count(kind)]);
    let names: Vec<String> =
        [PieceKind::King].into_iter().chain(others).map(|kind| thai(kind).to_string()).collect();
    listed(&names)
}

/// The Thai name of a piece.
pub const fn thai(kind: PieceKind) -> &'static str {
    let [thai, _] = names(kind);
    thai
}

/// The names of a piece: Thai, and that of chess or, if chess lacks the piece, Khmer.
pub const fn names(kind: PieceKind) -> [&'static str; 2] {
    match kind {
        PieceKind::King => ["khun", "king"],
        PieceKind::Rook => ["ruea", "rook"],
        PieceKind::Knight => ["ma", "knight"],
        PieceKind::Khon => ["khon", "koul"],
        PieceKind::Met => ["met", "neang"],
        PieceKind::Pawn => ["bia", "pawn"],
    }
}

/// What a piece is, for those who do not know its Thai name.
pub fn explained(kind: PieceKind) -> String {
    let [_, name] = names(kind);
    match kind {
        PieceKind::King | PieceKind::Rook | PieceKind::Knight => name.to_string(),
        PieceKind::Khon => format!("{name}, one step diagonally or straight forward"),
        PieceKind::Met => format!("{name}, one step diagonally"),
        PieceKind::Pawn => format!("{name}, becomes a met"),
    }
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
        let clock = |to_move| counting_rule.clock_against(armies, attacker, to_move);
        let limit = match phase {
            Phase::Free => None,
            Phase::BoardsHonour => counting_rule.boards.map(|boards| boards.limit),
            Phase::PiecesHonour => counting_rule.limit(armies[attacker.index()]),
        };
        let (attacker_moves, runner_moves) = (clock(attacker), clock(!attacker));
        CountAgainst { phase, limit, attacker_moves, runner_moves }
    }

    /// The kind of count: `none`, `board` or `pieces`.
    pub const fn name(&self) -> &'static str {
        match self.phase {
            Phase::Free => "none",
            Phase::BoardsHonour => "board",
            Phase::PiecesHonour => "pieces",
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
        assert_eq!(percent(10_160_936, 12_170_304).as_deref(), Some("83.49 %"));
        assert_eq!(percent(0, 0), None);
        let shares = [(0, 9), (1, 1 << 40), (1, 10_000), (2, 3), ((1 << 40) - 1, 1 << 40), (9, 9)];
        let long =
            ["0.00 %", "less than 0.01 %", "0.01 %", "66.67 %", "more than 99.99 %", "100.00 %"];
        let short = ["0.00 %", "< 0.01 %", "0.01 %", "66.67 %", "> 99.99 %", "100.00 %"];
        assert_eq!(shares.map(|(part, whole)| percent(part, whole).unwrap()), long);
        assert_eq!(shares.map(|(part, whole)| short_percent(part, whole).unwrap()), short);
        assert_eq!(pieces("KSMvK".parse().unwrap()), "khun, khon and met against khun");
    }
}
