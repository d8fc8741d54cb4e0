//! The grammar of conditions, shared by all variants: connectives, words with the same meaning in
//! every variant, and men on squares. A [`Language`] has the words of one family of variants.

use crate::query::expression::{Comparison, Expression, SharedCondition};
use crate::query::language::Language;
use crate::query::parse_error::{DEEPEST, ParseError};
use crate::query::region::{Board, Squares};
use crate::query::token::tokens;
use crate::query::words::Words;
use sakmak_tables::distance::Wdl;

/// Parses a condition in a language.
///
/// # Errors
///
/// If the text is not a condition.
pub fn parse<L: Language>(
    text: &str,
    language: &L,
) -> Result<Expression<L::Condition>, ParseError> {
    let tokens = tokens(text);
    let end = text.chars().count() + 1;
    let words = Words { tokens: &tokens, end, conditions: L::CONDITIONS, synonyms: L::SYNONYMS };
    let mut parser = Parser { words, depth: 0, language };
    let expression = parser.either()?;
    match parser.words.tokens.first() {
        None => Ok(expression),
        Some(_) => Err(parser.words.unexpected("'and', 'or' or the end")),
    }
}

/// The position in a text, and the language.
struct Parser<'a, L> {
    words: Words<'a>,
    depth: usize,
    language: &'a L,
}

/// A condition of a language, or an error.
type ParseResult<L> = Result<Expression<<L as Language>::Condition>, ParseError>;

impl<L: Language> Parser<'_, L> {
    fn either(&mut self) -> ParseResult<L> {
        let mut parts = vec![self.each()?];
        while self.words.takes("or") {
            parts.push(self.each()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expression::Any(parts) })
    }

    fn each(&mut self) -> ParseResult<L> {
        let mut parts = vec![self.one()?];
        while self.words.takes("and") {
            parts.push(self.one()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expression::All(parts) })
    }

    fn one(&mut self) -> ParseResult<L> {
        let column = self.words.column();
        let nested = ["not", "("].into_iter().find(|word| self.words.takes(word));
        let Some(nested) = nested else { return self.condition() };
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(ParseError::Deep { column });
        }
        let inner = match nested {
            "not" => self.one()?.negated(),
            _ => {
                let inner = self.either()?;
                if !self.words.takes(")") {
                    return Err(self.words.unexpected("'and', 'or' or ')'"));
                }
                inner
            }
        };
        self.depth -= 1;
        Ok(inner)
    }

    fn condition(&mut self) -> ParseResult<L> {
        let word = self.words.word();
        let simple = match word {
            "win" => self.wdl(Wdl::Win)?,
            "draw" => self.wdl(Wdl::Draw)?,
            "loss" => self.wdl(Wdl::Loss)?,
            "mate" => {
                let now = SharedCondition::Distance(Comparison::Equal, 0);
                self.wdl(Wdl::Loss)?.and(self.shared(now)?)
            }
            "check" => self.shared(SharedCondition::Check)?,
            "mutual_zugzwang" | "zugzwang" => self.shared(SharedCondition::MutualZugzwang)?,
            "only_move" => self.shared(SharedCondition::OnlyMove)?,
            "quiet" => self.shared(SharedCondition::Quiet)?,
            "side" => return self.side(),
            "winner" => return self.winner(),
            "dtm" => {
                self.words.advance();
                let (comparison, moves) = self.words.compared()?;
                return self.shared(SharedCondition::Distance(comparison, moves));
            }
            "one_in" => return self.one_in(),
            "all" => {
                self.words.advance();
                let piece = self.language.named_piece(&mut self.words)?;
                return self.placed(piece, true);
            }
            _ => match self.language.own(&mut self.words, word) {
                Some(own) => return own,
                None => {
                    let piece = self.language.piece_or(&mut self.words, L::CONDITIONS)?;
                    return self.placed(piece, false);
                }
            },
        };
        self.words.advance();
        Ok(simple)
    }

    /// A condition of every language, which begins with the next word or the word before.
    fn shared(&self, condition: SharedCondition) -> ParseResult<L> {
        self.language.shared(condition).map(Expression::Is).map_err(|why| self.words.not_here(why))
    }

    fn wdl(&self, wdl: Wdl) -> ParseResult<L> {
        self.shared(SharedCondition::Wdl(wdl))
    }

    fn side(&mut self) -> ParseResult<L> {
        self.words.advance();
        let (negated, side) = (self.words.is_not()?, self.words.white_or_black()?);
        self.shared(SharedCondition::Side(if negated { !side } else { side }))
    }

    fn winner(&mut self) -> ParseResult<L> {
        self.words.advance();
        let (negated, side) = (self.words.is_not()?, self.words.white_or_black()?);
        let moves = |side| self.shared(SharedCondition::Side(side));
        let won = moves(side)?.and(self.wdl(Wdl::Win)?);
        let winner = won.or(moves(!side)?.and(self.wdl(Wdl::Loss)?));
        Ok(if negated { winner.negated() } else { winner })
    }

    fn one_in(&mut self) -> ParseResult<L> {
        self.words.advance();
        self.words.opened()?;
        let Ok(number) = self.words.word().parse() else {
            return Err(self.words.unexpected("a number from 1 to 4294967295"));
        };
        self.words.advance();
        let condition = self.shared(SharedCondition::OneIn(number))?;
        self.words.closed(condition)
    }

    /// The rest of a condition on the squares of a piece.
    fn placed(&mut self, piece: L::Piece, all: bool) -> ParseResult<L> {
        let negated = match self.words.takes("on") {
            true => false,
            false => self.words.is_not_or("'on', '=' or '!='")?,
        };
        let mut squares = self.region()?;
        while self.words.takes("|") {
            squares |= self.region()?;
        }
        let placed = match all {
            true => Expression::Is(self.language.on(piece, !squares)).negated(),
            false => Expression::Is(self.language.on(piece, squares)),
        };
        Ok(if negated { placed.negated() } else { placed })
    }

    fn region(&mut self) -> Result<Squares, ParseError> {
        let board = self.language.board();
        let (squares, expected) = match self.words.word() {
            "rank" => {
                self.words.advance();
                let expected = format!("a rank 1 to {}, or ranks such as 6-8,", board.ranks);
                (board.on_ranks(self.words.word()), expected)
            }
            "file" => {
                self.words.advance();
                let last = Board::file_name(board.files - 1);
                let expected = format!("a file a to {last}, or files such as a-c,");
                (board.on_files(self.words.word()), expected)
            }
            name => {
                let (last, others) = board.names().split_last().unwrap_or((&"", &[]));
                let others = others.join(", ");
                (board.named(name), format!("a square, rank, file, {others} or {last}"))
            }
        };
        let squares = squares.ok_or_else(|| self.words.unexpected(&expected))?;
        self.words.advance();
        Ok(squares)
    }
}
