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

use crate::query::expression::{Apart, Comparison, Condition, Expression, Measure, MoveTest};
use crate::query::region;
use crate::query::token::{QueryToken, tokens};
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::counting::Category;
use sakmak_tables::distance::Wdl;
use sakmak_tables::excerpt::Excerpt;
use sakmak_tables::material::OrientedMaterial;
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};
use sakmak_tables::variants;

/// The deepest nesting of parentheses and negations.
const DEEPEST: usize = 100;

/// Words of other query languages, and their equivalents here.
const MEANT: [(&str, &str); 23] = [
    ("&&", "and"),
    ("&", "and"),
    ("||", "or"),
    ("!", "not"),
    ("<>", "!="),
    ("AND", "and"),
    ("OR", "or"),
    ("NOT", "not"),
    ("won", "win"),
    ("wins", "win"),
    ("WIN", "win"),
    ("lost", "loss"),
    ("lose", "loss"),
    ("loses", "loss"),
    ("LOSS", "loss"),
    ("drawn", "draw"),
    ("DRAW", "draw"),
    ("mated", "mate"),
    ("checkmate", "mate"),
    ("DTM", "dtm"),
    ("late", "too_late"),
    ("white", "side=white' or 'winner=white"),
    ("black", "side=black' or 'winner=black"),
];

const CONDITIONS: &str = "side, winner, win, draw, loss, mate, in_time, too_late, category, dtm, \
    counted, check, mutual_zugzwang, stalemate, only_move, quiet, late_capture, distance, same_colour, one_in, a piece or a parenthesis";

/// A text that is not a condition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// An unexpected word.
    #[error("column {column}: unexpected '{found}': {expected} expected")]
    Unexpected {
        /// The column of its first letter, counted from 1.
        column: usize,
        /// The word.
        found: Excerpt,
        /// The expectation, with `is` or `are`.
        expected: String,
    },
    /// A word of another language.
    #[error("column {column}: '{found}' is written '{meant}'")]
    Meant {
        /// The column of its first letter, counted from 1.
        column: usize,
        /// The word.
        found: Excerpt,
        /// The equivalent here.
        meant: &'static str,
    },
    /// The text ends too soon.
    #[error("column {column}: the condition ends here: {expected} expected")]
    Ends {
        /// One past the last letter, counted from 1.
        column: usize,
        /// The expectation, with `is` or `are`.
        expected: String,
    },
    /// A piece that the material does not have.
    #[error("column {column}: {material} has no {side} {kind}", side = piece.side.name(), kind = piece.kind.letter())]
    NoSuchPiece {
        /// The column of its first letter, counted from 1.
        column: usize,
        /// The piece.
        piece: Piece,
        /// The material.
        material: OrientedMaterial,
    },
    /// The nesting is too deep.
    #[error("column {column}: more than {DEEPEST} nested parentheses or 'not'")]
    Deep {
        /// The column where one too many begins, counted from 1.
        column: usize,
    },
}

/// Parses a condition on positions of a material. White has the pieces of its White.
///
/// # Errors
///
/// If the text is not a condition, or names a piece that the material does not have.
pub fn parse(text: &str, material: impl Into<OrientedMaterial>) -> Result<Expression, ParseError> {
    let material = material.into();
    let tokens = tokens(text);
    let end = text.chars().count() + 1;
    let mut parser = Parser { tokens: &tokens, end, depth: 0, material };
    let expression = parser.either()?;
    match parser.tokens.first() {
        None => Ok(expression),
        Some(_) => Err(parser.unexpected("'and', 'or' or the end is")),
    }
}

struct Parser<'a> {
    /// The tokens not yet parsed.
    tokens: &'a [QueryToken<'a>],
    /// The column after the text.
    end: usize,
    depth: usize,
    material: OrientedMaterial,
}

impl<'a> Parser<'a> {
    fn either(&mut self) -> Result<Expression, ParseError> {
        let mut parts = vec![self.each()?];
        while self.takes("or") {
            parts.push(self.each()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expression::Any(parts) })
    }

    fn each(&mut self) -> Result<Expression, ParseError> {
        let mut parts = vec![self.one()?];
        while self.takes("and") {
            parts.push(self.one()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expression::All(parts) })
    }

    fn one(&mut self) -> Result<Expression, ParseError> {
        let column = self.column();
        let nested = ["not", "("].into_iter().find(|word| self.takes(word));
        let Some(nested) = nested else { return self.condition() };
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(ParseError::Deep { column });
        }
        let inner = match nested {
            "not" => self.one()?.negated(),
            _ => {
                let inner = self.either()?;
                if !self.takes(")") {
                    return Err(self.unexpected("'and', 'or' or ')' is"));
                }
                inner
            }
        };
        self.depth -= 1;
        Ok(inner)
    }

    fn condition(&mut self) -> Result<Expression, ParseError> {
        let word = self.tokens.first().map_or("", |token| token.text);
        let result = |wdl| Expression::Is(Condition::Wdl(wdl));
        let simple = match word {
            "win" => result(Wdl::Win),
            "draw" => result(Wdl::Draw),
            "loss" => result(Wdl::Loss),
            "mate" => {
                let now = Condition::Distance(Measure::Mate, Comparison::Equal, 0);
                result(Wdl::Loss).and(Expression::Is(now))
            }
            "in_time" => return self.after_word(Self::in_time),
            "too_late" => {
                let in_time = self.after_word(Self::in_time)?;
                return Ok(result(Wdl::Draw).or(in_time).negated());
            }
            "check" => Expression::Is(Condition::Check),
            "mutual_zugzwang" | "zugzwang" => Expression::Is(Condition::MutualZugzwang),
            "stalemate" => Expression::Is(Condition::Moves(MoveTest::Stalemate)),
            "only_move" => Expression::Is(Condition::Moves(MoveTest::OnlyMove)),
            "quiet" => Expression::Is(Condition::Moves(MoveTest::Quiet)),
            "late_capture" => Expression::Is(Condition::Moves(MoveTest::LateCapture)),
            "side" => return self.after_word(Self::side),
            "winner" => return self.after_word(Self::winner),
            "category" => return self.after_word(Self::category),
            "dtm" => return self.after_word(|parser| parser.moves(Measure::Mate)),
            "counted" => return self.after_word(|parser| parser.moves(Measure::Counted)),
            "distance" => return self.after_word(Self::apart),
            "one_in" => return self.after_word(Self::one_in),
            "same_colour" | "same_color" => return self.after_word(Self::same_colour),
            "all" => {
                return self.after_word(|parser| {
                    let piece = parser.piece("a piece such as S or white.S is")?;
                    parser.placed(piece, true)
                });
            }
            _ => {
                let piece = self.piece(&format!("{CONDITIONS} is"))?;
                return self.placed(piece, false);
            }
        };
        self.advance();
        Ok(simple)
    }

    /// Parses the counting rule that may follow `in_time`.
    fn in_time(&mut self) -> Result<Expression, ParseError> {
        if !self.takes("(") {
            return Ok(Expression::Is(Condition::InTime));
        }
        let word = self.tokens.first().map_or("", |token| token.text);
        let Ok(rule) = variants::counting_rule(word) else {
            let known = variants::counting_rule_names();
            return Err(self.unexpected(&format!("a counting rule ({known}) is")));
        };
        self.advance();
        self.closed(Expression::Is(Condition::InTimeBy(rule)))
    }

    fn side(&mut self) -> Result<Expression, ParseError> {
        let (negated, side) = (self.is_not()?, self.white_or_black()?);
        Ok(Expression::Is(Condition::Side(if negated { !side } else { side })))
    }

    fn winner(&mut self) -> Result<Expression, ParseError> {
        let (negated, side) = (self.is_not()?, self.white_or_black()?);
        let moves = |side| Expression::Is(Condition::Side(side));
        let result = |wdl| Expression::Is(Condition::Wdl(wdl));
        let won = moves(side).and(result(Wdl::Win));
        let winner = won.or(moves(!side).and(result(Wdl::Loss)));
        Ok(if negated { winner.negated() } else { winner })
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
        let word = self.tokens.first().map_or("", |token| token.text);
        let Some(category) = Category::ALL.into_iter().find(|category| category.name() == word)
        else {
            return Err(self.unexpected("win, cursed-win, draw, blessed-loss or loss is"));
        };
        self.advance();
        let category = of(category);
        Ok(if negated { category.negated() } else { category })
    }

    fn moves(&mut self, measure: Measure) -> Result<Expression, ParseError> {
        let (comparison, moves) = self.compared()?;
        Ok(Expression::Is(Condition::Distance(measure, comparison, moves)))
    }

    fn apart(&mut self) -> Result<Expression, ParseError> {
        let men = self.pieces()?;
        let Ok(men) = <[Piece; 2]>::try_from(men) else {
            return Err(self.unexpected("two men in the parentheses, such as distance(k,M), are"));
        };
        let (comparison, moves) = self.compared()?;
        Ok(Expression::Is(Condition::Apart(Apart { men, comparison, moves })))
    }

    fn one_in(&mut self) -> Result<Expression, ParseError> {
        self.opened()?;
        let Some(Ok(number)) = self.tokens.first().map(|token| token.text.parse()) else {
            return Err(self.unexpected("a number from 1 to 4294967295 is"));
        };
        self.advance();
        self.closed(Expression::Is(Condition::OneIn(number)))
    }

    fn opened(&mut self) -> Result<(), ParseError> {
        if self.takes("(") { Ok(()) } else { Err(self.unexpected("'(' is")) }
    }

    /// The condition whose parenthesis ends here.
    fn closed(&mut self, condition: Expression) -> Result<Expression, ParseError> {
        if self.takes(")") { Ok(condition) } else { Err(self.unexpected("')' is")) }
    }

    /// Parses a comparison with a number of moves.
    fn compared(&mut self) -> Result<(Comparison, u32), ParseError> {
        let comparison = match self.tokens.first().map_or("", |token| token.text) {
            "=" | "==" => Comparison::Equal,
            "!=" => Comparison::Unequal,
            "<" => Comparison::Less,
            "<=" => Comparison::AtMost,
            ">" => Comparison::More,
            ">=" => Comparison::AtLeast,
            _ => return Err(self.unexpected("=, !=, <, <=, > or >= is")),
        };
        self.advance();
        let Some(Ok(number)) = self.tokens.first().map(|token| token.text.parse()) else {
            return Err(self.unexpected("a number of moves is"));
        };
        self.advance();
        Ok((comparison, number))
    }

    /// Parses pieces in parentheses.
    fn pieces(&mut self) -> Result<Vec<Piece>, ParseError> {
        self.opened()?;
        let mut pieces = vec![self.piece("a piece such as S or white.S is")?];
        while self.takes(",") {
            pieces.push(self.piece("a piece such as S or white.S is")?);
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

    /// The rest of a condition on the squares of a piece.
    fn placed(&mut self, piece: Piece, all: bool) -> Result<Expression, ParseError> {
        let negated = match self.takes("on") {
            true => false,
            false => self.is_not_or("'on', '=' or '!=' is")?,
        };
        let mut squares = self.region()?;
        while self.takes("|") {
            squares |= self.region()?;
        }
        let placed = match all {
            true => Expression::all_on(piece, squares),
            false => Expression::Is(Condition::Piece(piece, squares)),
        };
        Ok(if negated { placed.negated() } else { placed })
    }

    fn region(&mut self) -> Result<Bitboard, ParseError> {
        let lines = |parser: &mut Self, read: fn(&str) -> Option<Bitboard>, expected| {
            parser.advance();
            let read = parser.tokens.first().and_then(|token| read(token.text));
            let squares = read.ok_or_else(|| parser.unexpected(expected))?;
            parser.advance();
            Ok(squares)
        };
        let word = self.tokens.first().map_or("", |token| token.text);
        match word {
            "rank" => return lines(self, region::ranks, "a rank 1 to 8, or ranks such as 6-8, is"),
            "file" => return lines(self, region::files, "a file a to h, or files such as a-c, is"),
            _ => {}
        }
        let square = || word.parse().ok().map(Bitboard::of);
        let Some(squares) = region::named(word).or_else(square) else {
            let [names @ .., last] = region::NAMES;
            let names = format!("{} or {last}", names.join(", "));
            return Err(self.unexpected(&format!("a square, rank, file, {names} is")));
        };
        self.advance();
        Ok(squares)
    }

    fn piece(&mut self, expected: &str) -> Result<Piece, ParseError> {
        let column = self.column();
        let word = self.tokens.first().map_or("", |token| token.text);
        let piece = piece(word).ok_or_else(|| self.unexpected(expected))?;
        let there =
            piece.kind == PieceKind::King || self.material.army(piece.side).count(piece.kind) > 0;
        if !there {
            return Err(ParseError::NoSuchPiece { column, piece, material: self.material });
        }
        self.advance();
        Ok(piece)
    }

    fn white_or_black(&mut self) -> Result<Side, ParseError> {
        let side = Side::BOTH.into_iter().find(|side| self.takes(side.name()));
        side.ok_or_else(|| self.unexpected("white or black is"))
    }

    /// Parses `=` or `!=`; returns whether it is `!=`.
    fn is_not(&mut self) -> Result<bool, ParseError> {
        self.is_not_or("= or != is")
    }

    fn is_not_or(&mut self, expected: &str) -> Result<bool, ParseError> {
        let negated = self.takes("!=");
        match negated || self.takes("=") || self.takes("==") {
            true => Ok(negated),
            false => Err(self.unexpected(expected)),
        }
    }

    fn after_word<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        self.advance();
        read(self)
    }

    fn takes(&mut self, word: &str) -> bool {
        let takes = self.tokens.first().is_some_and(|token| token.text == word);
        if takes {
            self.advance();
        }
        takes
    }

    fn advance(&mut self) {
        self.tokens = self.tokens.get(1..).unwrap_or_default();
    }

    fn column(&self) -> usize {
        self.tokens.first().map_or(self.end, |token| token.column)
    }

    fn unexpected(&self, expected: &str) -> ParseError {
        let (column, expected) = (self.column(), expected.to_string());
        match self.tokens.first() {
            Some(token) => {
                let found = Excerpt::of(token.text);
                // After 'side' or 'category' such a word has no other spelling.
                let is_condition =
                    expected.starts_with(CONDITIONS) || expected.starts_with("'and'");
                let meant = MEANT.into_iter().find(|(word, _)| is_condition && *word == token.text);
                match meant {
                    Some((_, meant)) => ParseError::Meant { column, found, meant },
                    None => ParseError::Unexpected { column, found, expected },
                }
            }
            None => ParseError::Ends { column, expected },
        }
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
