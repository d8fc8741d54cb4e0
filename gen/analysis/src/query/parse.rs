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

use crate::query::expression::{Apart, Condition, Expression, Measure, MoveTest, SharedCondition};
use crate::query::grammar::{self, Language, Parser};
use crate::query::parse_error::ParseError;
use crate::query::region;
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::counting::Category;
use sakmak_tables::distance::Wdl;
use sakmak_tables::material::OrientedMaterial;
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};
use sakmak_tables::variants;

/// Parses a condition on positions of a material. White has the pieces of its White.
///
/// # Errors
///
/// If the text is not a condition, or names a piece that the material does not have.
pub fn parse(text: &str, material: impl Into<OrientedMaterial>) -> Result<Expression, ParseError> {
    grammar::parse(text, &ChessLanguage { material: material.into() })
}

/// The words for games of chess.
struct ChessLanguage {
    material: OrientedMaterial,
}

impl Language for ChessLanguage {
    type Condition = Condition;
    type Piece = Piece;
    type Squares = Bitboard;

    const CONDITIONS: &str = "side, winner, win, draw, loss, mate, in_time, too_late, category, dtm, \
        counted, check, mutual_zugzwang, stalemate, only_move, quiet, late_capture, distance, \
        same_colour, one_in, a piece or a parenthesis";
    const PIECES: &str = "S or white.S";
    const MEANT: &[(&str, &str)] = &[("late", "too_late")];

    fn regions(&self) -> (String, char, String) {
        let [names @ .., last] = region::NAMES;
        ("8".to_string(), 'h', format!("{} or {last}", names.join(", ")))
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

    fn own<'a>(
        parser: &mut Parser<'a, Self>,
        word: &str,
    ) -> Option<Result<Expression, ParseError>> {
        let read: fn(&mut Parser<'a, Self>) -> Result<Expression, ParseError> = match word {
            "in_time" => Parser::in_time,
            "too_late" => |parser| {
                let drawn = Expression::Is(Condition::Wdl(Wdl::Draw));
                Ok(drawn.or(parser.in_time()?).negated())
            },
            "stalemate" => |_| Ok(Expression::Is(Condition::Moves(MoveTest::Stalemate))),
            "late_capture" => |_| Ok(Expression::Is(Condition::Moves(MoveTest::LateCapture))),
            "category" => Parser::category,
            "counted" => Parser::counted,
            "distance" => Parser::apart,
            "same_colour" | "same_color" => Parser::same_colour,
            _ => return None,
        };
        Some(parser.after_word(read))
    }

    fn piece(&self, word: &str) -> Option<(Piece, bool)> {
        let piece = piece(word)?;
        let army = self.material.army(piece.side);
        Some((piece, piece.kind == PieceKind::King || army.count(piece.kind) > 0))
    }

    fn absent(&self, piece: Piece) -> (Side, char, String) {
        (piece.side, piece.kind.letter(), self.material.to_string())
    }

    fn on(&self, piece: Piece, squares: Bitboard) -> Condition {
        Condition::Piece(piece, squares)
    }

    fn ranks(&self, text: &str) -> Option<Bitboard> {
        region::ranks(text)
    }

    fn files(&self, text: &str) -> Option<Bitboard> {
        region::files(text)
    }

    fn squares(&self, name: &str) -> Option<Bitboard> {
        region::named(name).or_else(|| name.parse().ok().map(Bitboard::of))
    }
}

impl Parser<'_, ChessLanguage> {
    /// Parses the counting rule that may follow `in_time`.
    fn in_time(&mut self) -> Result<Expression, ParseError> {
        if !self.takes("(") {
            return Ok(Expression::Is(Condition::InTime));
        }
        let word = self.word();
        let Ok(rule) = variants::counting_rule(word) else {
            let known = variants::counting_rule_names();
            return Err(self.unexpected(&format!("a counting rule ({known}) is")));
        };
        self.advance();
        self.closed(Expression::Is(Condition::InTimeBy(rule)))
    }

    fn category(&mut self) -> Result<Expression, ParseError> {
        let negated = self.is_not()?;
        let in_time = Expression::Is(Condition::InTime);
        let result = |wdl| Expression::Is(Condition::Wdl(wdl));
        let of = |category| match category {
            Category::Win => result(Wdl::Win).and(in_time),
            Category::CursedWin => result(Wdl::Win).and(in_time.negated()),
            Category::Draw => result(Wdl::Draw),
            Category::BlessedLoss => result(Wdl::Loss).and(in_time.negated()),
            Category::Loss => result(Wdl::Loss).and(in_time),
        };
        let word = self.word();
        let Some(category) = Category::ALL.into_iter().find(|category| category.name() == word)
        else {
            return Err(self.unexpected("win, cursed-win, draw, blessed-loss or loss is"));
        };
        self.advance();
        let category = of(category);
        Ok(if negated { category.negated() } else { category })
    }

    fn counted(&mut self) -> Result<Expression, ParseError> {
        let (comparison, moves) = self.compared()?;
        Ok(Expression::Is(Condition::Distance(Measure::Counted, comparison, moves)))
    }

    fn apart(&mut self) -> Result<Expression, ParseError> {
        let men = self.pieces()?;
        let Ok(men) = <[Piece; 2]>::try_from(men) else {
            return Err(self.unexpected("two men in the parentheses, such as distance(k,M), are"));
        };
        let (comparison, moves) = self.compared()?;
        Ok(Expression::Is(Condition::Apart(Apart { men, comparison, moves })))
    }

    /// Parses pieces in parentheses.
    fn pieces(&mut self) -> Result<Vec<Piece>, ParseError> {
        self.opened()?;
        let mut pieces = vec![self.named_piece()?];
        while self.takes(",") {
            pieces.push(self.named_piece()?);
        }
        match self.takes(")") {
            true => Ok(pieces),
            false => Err(self.unexpected("',' or ')' is")),
        }
    }

    fn same_colour(&mut self) -> Result<Expression, ParseError> {
        let pieces = self.pieces()?;
        let all_on = |squares: Bitboard| {
            Expression::All(
                pieces.iter().map(|&piece| Expression::all_on(piece, squares)).collect(),
            )
        };
        let light = region::named("light").unwrap_or_default();
        Ok(all_on(light).or(all_on(!light)))
    }
}

/// The piece of a word such as `S`, `s`, `white.S` or `black.s`; `None` if it is another word.
fn piece(word: &str) -> Option<Piece> {
    let (side, letter) = match word.split_once('.') {
        Some((side, letter)) => {
            (Some(Side::BOTH.into_iter().find(|known| known.name() == side)?), letter)
        }
        None => (None, word),
    };
    let mut letters = letter.chars();
    let (letter, None) = (letters.next()?, letters.next()) else { return None };
    let kind =
        PieceKind::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_uppercase())?;
    let by_case = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
    Some(Piece::new(side.unwrap_or(by_case), kind))
}

#[cfg(test)]
mod tests;
