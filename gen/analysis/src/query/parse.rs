//! The parser of conditions: from text to an [`Expression`].
//!
//! ```text
//! either    = each { "or" each }
//! each      = one { "and" one }
//! one       = "not" one | "(" either ")" | condition
//! condition = "side" is ("white" | "black")       the side to move
//!           | "winner" is ("white" | "black")     the side that can force mate, with no count
//!           | "win" | "draw" | "loss" | "mate"    the mover's result, with no count
//!           | "in_time" | "too_late"              mate can be forced, within the count or not
//!           | ("in_time" | "too_late") "(" RULE ")"   the same by another counting rule
//!           | "category" is NAME                  the mover's category under the count
//!           | ("dtm" | "counted") compared NUMBER the attacker's moves
//!           | "check"
//!           | "mutual_zugzwang" | "zugzwang"      two names of one condition
//!           | "stalemate" | "only_move" | "quiet"   the mover's moves, with no count
//!           | "late_capture"                      a capture that starts a count too short
//!           | "distance" "(" piece "," piece ")" compared NUMBER
//!           | ("same_colour" | "same_color") "(" piece { "," piece } ")"
//!           | "one_in" "(" NUMBER ")"             a random selection of one position in NUMBER
//!           | [ "all" ] piece ("on" | is) region { "|" region }
//! piece       = K R N S M P of White, k r n s m p of Black, or "white." or "black." and a letter
//! region    = SQUARE | "rank" 6-8 | "file" a-c | "corner" | "edge" | "centre" | "center" | "light"
//!           | "dark"
//! is        = "=" | "==" | "!="
//! ```

use crate::query::expression::{
    Condition, Expression, Measure, MenDistance, MoveTest, SharedCondition,
};
use crate::query::grammar;
use crate::query::language::Language;
use crate::query::parse_error::ParseError;
use crate::query::region::{Board, Squares};
use crate::query::words::Words;
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::SIDE_LENGTH;
use sakmak_tables::counting::Category;
use sakmak_tables::distance::Wdl;
use sakmak_tables::material::OrientedMaterial;
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};
use sakmak_tables::variants;

/// Parses a condition on positions of a material, with the colours of the material.
///
/// # Errors
///
/// If the text is not a condition, or names a piece that the material lacks.
pub fn parse(text: &str, material: impl Into<OrientedMaterial>) -> Result<Expression, ParseError> {
    grammar::parse(text, &ChessLanguage { material: material.into() })
}

/// The words for variants of chess.
struct ChessLanguage {
    material: OrientedMaterial,
}

impl Language for ChessLanguage {
    type Condition = Condition;
    type Piece = Piece;

    const CONDITIONS: &str = "side, winner, win, draw, loss, mate, in_time, too_late, category, dtm, \
        counted, check, mutual_zugzwang, stalemate, only_move, quiet, late_capture, distance, \
        same_colour, one_in, a piece or a parenthesis";
    const PIECES: &str = "S or white.S";
    const SYNONYMS: &[(&str, &str)] = &[("late", "too_late")];

    fn board(&self) -> Board {
        Board { files: SIDE_LENGTH, ranks: SIDE_LENGTH, has_colours: true }
    }

    fn material(&self) -> String {
        self.material.to_string()
    }

    fn shared(&self, condition: SharedCondition) -> Result<Condition, &'static str> {
        Ok(match condition {
            SharedCondition::Side(side) => Condition::Side(side),
            SharedCondition::Wdl(wdl) => Condition::Wdl(wdl),
            SharedCondition::Distance(comparison, moves) => {
                Condition::Distance(Measure::Mate, comparison, moves)
            }
            SharedCondition::Check => Condition::Check,
            SharedCondition::MutualZugzwang => Condition::MutualZugzwang,
            SharedCondition::OnlyMove => Condition::Moves(MoveTest::OnlyMove),
            SharedCondition::Quiet => Condition::Moves(MoveTest::Quiet),
            SharedCondition::OneIn(number) => Condition::OneIn(number),
        })
    }

    fn own(&self, words: &mut Words<'_>, word: &str) -> Option<Result<Expression, ParseError>> {
        let read: fn(&Self, &mut Words<'_>) -> Result<Expression, ParseError> = match word {
            "in_time" => |_, words| in_time(words),
            "too_late" => |_, words| {
                let drawn = Expression::Is(Condition::Wdl(Wdl::Draw));
                Ok(drawn.or(in_time(words)?).negated())
            },
            "stalemate" => |_, _| Ok(Expression::Is(Condition::Moves(MoveTest::Stalemate))),
            "late_capture" => |_, _| Ok(Expression::Is(Condition::Moves(MoveTest::LateCapture))),
            "category" => |_, words| category(words),
            "counted" => |_, words| {
                let (comparison, moves) = words.compared()?;
                Ok(Expression::Is(Condition::Distance(Measure::Counted, comparison, moves)))
            },
            "distance" => ChessLanguage::apart,
            "same_colour" | "same_color" => ChessLanguage::same_colour,
            _ => return None,
        };
        words.advance();
        Some(read(self, words))
    }

    fn piece(&self, side: Side, letter: char) -> Option<(Piece, bool)> {
        let letters = self.material.material.letters();
        let kind = PieceKind::ALL.into_iter().find(|kind| letters[kind.index()] == letter)?;
        let is_there = kind == PieceKind::King || self.material.army(side).count(kind) > 0;
        Some((Piece::new(side, kind), is_there))
    }

    fn on(&self, piece: Piece, squares: Squares) -> Condition {
        Condition::Piece(piece, Bitboard(squares as u64))
    }
}

impl ChessLanguage {
    fn apart(&self, words: &mut Words<'_>) -> Result<Expression, ParseError> {
        let men = self.pieces(words)?;
        let Ok(men) = <[Piece; 2]>::try_from(men) else {
            return Err(words.unexpected("two men in the parentheses, such as distance(k,M)"));
        };
        let (comparison, moves) = words.compared()?;
        Ok(Expression::Is(Condition::MenDistance(MenDistance { men, comparison, moves })))
    }

    /// Parses pieces in parentheses.
    fn pieces(&self, words: &mut Words<'_>) -> Result<Vec<Piece>, ParseError> {
        words.opened()?;
        let mut pieces = vec![self.named_piece(words)?];
        while words.takes(",") {
            pieces.push(self.named_piece(words)?);
        }
        match words.takes(")") {
            true => Ok(pieces),
            false => Err(words.unexpected("',' or ')'")),
        }
    }

    fn same_colour(&self, words: &mut Words<'_>) -> Result<Expression, ParseError> {
        let pieces = self.pieces(words)?;
        let none_on = |squares| {
            let on = |&piece| Expression::Is(self.on(piece, squares)).negated();
            Expression::All(pieces.iter().map(on).collect())
        };
        let light = self.board().named("light").unwrap_or_default();
        Ok(none_on(!light).or(none_on(light)))
    }
}

/// Parses the counting rule that may follow `in_time`.
fn in_time(words: &mut Words<'_>) -> Result<Expression, ParseError> {
    if !words.takes("(") {
        return Ok(Expression::Is(Condition::InTime));
    }
    let word = words.word();
    let Ok(rule) = variants::counting_rule(word) else {
        let known = variants::counting_rule_names();
        return Err(words.unexpected(&format!("a counting rule ({known})")));
    };
    words.advance();
    words.closed(Expression::Is(Condition::InTimeBy(rule)))
}

/// Parses a category after `category`.
fn category(words: &mut Words<'_>) -> Result<Expression, ParseError> {
    let negated = words.is_not()?;
    let in_time = Expression::Is(Condition::InTime);
    let result = |wdl| Expression::Is(Condition::Wdl(wdl));
    let of = |category| match category {
        Category::Win => result(Wdl::Win).and(in_time),
        Category::CursedWin => result(Wdl::Win).and(in_time.negated()),
        Category::Draw => result(Wdl::Draw),
        Category::BlessedLoss => result(Wdl::Loss).and(in_time.negated()),
        Category::Loss => result(Wdl::Loss).and(in_time),
    };
    let word = words.word();
    let Some(category) = Category::ALL.into_iter().find(|category| category.name() == word) else {
        return Err(words.unexpected("win, cursed-win, draw, blessed-loss or loss"));
    };
    words.advance();
    let category = of(category);
    Ok(if negated { category.negated() } else { category })
}

#[cfg(test)]
mod tests;
