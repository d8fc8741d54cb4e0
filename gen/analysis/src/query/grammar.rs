//! The grammar of conditions, which all games share: connectives, the words that mean the same in every
//! game, and men on squares. A [`Language`] has the words of one game.

use crate::query::expression::{Comparison, Expression, SharedCondition};
use crate::query::parse_error::{DEEPEST, ParseError};
use crate::query::token::{QueryToken, tokens};
use sakmak_tables::distance::Wdl;
use sakmak_tables::excerpt::Excerpt;
use sakmak_tables::rules::piece::Side;
use std::ops::{BitOr, Not};

/// Words of other query languages, and their equivalents here.
const MEANT: [(&str, &str); 22] = [
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
    ("white", "side=white' or 'winner=white"),
    ("black", "side=black' or 'winner=black"),
];

/// What a game adds to the grammar.
pub trait Language: Sized {
    /// A simple condition.
    type Condition: Copy;
    /// A kind of man of one side.
    type Piece: Copy;
    /// A set of squares.
    type Squares: Copy + BitOr<Output = Self::Squares> + Not<Output = Self::Squares>;

    /// The words of conditions, as errors list them.
    const CONDITIONS: &str;
    /// Examples of a piece.
    const PIECES: &str;
    /// Words of other query languages besides those of every game, and their equivalents here.
    const MEANT: &[(&str, &str)] = &[];

    /// The last rank and the last file, and the other regions.
    fn regions(&self) -> (String, char, String);

    /// A condition of every game.
    ///
    /// # Errors
    ///
    /// Why this game does not have it.
    fn shared(&self, condition: SharedCondition) -> Result<Self::Condition, &'static str>;

    /// Parses a condition of this game only, which begins with this word. Returns `None` for another
    /// word.
    fn own<'a>(
        parser: &mut Parser<'a, Self>,
        word: &str,
    ) -> Option<Result<Expression<Self::Condition>, ParseError>>;

    /// The piece of a word, and whether the material has it.
    fn piece(&self, word: &str) -> Option<(Self::Piece, bool)>;

    /// The side and the letter of a piece, and the material, for errors.
    fn absent(&self, piece: Self::Piece) -> (Side, char, String);

    /// The condition that a piece is on one of these squares.
    fn on(&self, piece: Self::Piece, squares: Self::Squares) -> Self::Condition;

    /// The squares of some ranks: `8` or `6-8`.
    fn ranks(&self, text: &str) -> Option<Self::Squares>;

    /// The squares of some files: `a` or `a-c`.
    fn files(&self, text: &str) -> Option<Self::Squares>;

    /// The squares of a region, or a square, by its name.
    fn squares(&self, name: &str) -> Option<Self::Squares>;
}

/// Parses a condition in the language of a game.
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
    let mut parser = Parser { tokens: &tokens, end, depth: 0, language };
    let expression = parser.either()?;
    match parser.tokens.first() {
        None => Ok(expression),
        Some(_) => Err(parser.unexpected("'and', 'or' or the end is")),
    }
}

/// The place in a text, and the language.
pub struct Parser<'a, L> {
    /// The tokens not yet parsed.
    tokens: &'a [QueryToken<'a>],
    /// The column after the text.
    end: usize,
    depth: usize,
    /// The language.
    pub language: &'a L,
}

/// A condition of a language, or the error in its place.
type Parsed<L> = Result<Expression<<L as Language>::Condition>, ParseError>;

impl<'a, L: Language> Parser<'a, L> {
    fn either(&mut self) -> Parsed<L> {
        let mut parts = vec![self.each()?];
        while self.takes("or") {
            parts.push(self.each()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expression::Any(parts) })
    }

    fn each(&mut self) -> Parsed<L> {
        let mut parts = vec![self.one()?];
        while self.takes("and") {
            parts.push(self.one()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expression::All(parts) })
    }

    fn one(&mut self) -> Parsed<L> {
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

    fn condition(&mut self) -> Parsed<L> {
        let word = self.word();
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
            "side" => return self.after_word(Self::side),
            "winner" => return self.after_word(Self::winner),
            "dtm" => {
                return self.after_word(|parser| {
                    let (comparison, moves) = parser.compared()?;
                    parser.shared(SharedCondition::Distance(comparison, moves))
                });
            }
            "one_in" => return self.after_word(Self::one_in),
            "all" => {
                return self.after_word(|parser| {
                    let piece = parser.named_piece()?;
                    parser.placed(piece, true)
                });
            }
            _ => match L::own(self, word) {
                Some(own) => return own,
                None => {
                    let piece = self.piece(&format!("{} is", L::CONDITIONS))?;
                    return self.placed(piece, false);
                }
            },
        };
        self.advance();
        Ok(simple)
    }

    /// The next word.
    pub fn word(&self) -> &'a str {
        self.tokens.first().map_or("", |token| token.text)
    }

    /// A condition of every game, which begins with the next word or the one before.
    fn shared(&self, condition: SharedCondition) -> Parsed<L> {
        self.language.shared(condition).map(Expression::Is).map_err(|why| self.not_here(why))
    }

    /// The error of a next word that this game does not have.
    pub fn not_here(&self, why: &'static str) -> ParseError {
        ParseError::NotHere { column: self.column(), found: Excerpt::of(self.word()), why }
    }

    fn wdl(&self, wdl: Wdl) -> Parsed<L> {
        self.shared(SharedCondition::Wdl(wdl))
    }

    fn side(&mut self) -> Parsed<L> {
        let (negated, side) = (self.is_not()?, self.white_or_black()?);
        self.shared(SharedCondition::Side(if negated { !side } else { side }))
    }

    fn winner(&mut self) -> Parsed<L> {
        let (negated, side) = (self.is_not()?, self.white_or_black()?);
        let moves = |side| self.shared(SharedCondition::Side(side));
        let won = moves(side)?.and(self.wdl(Wdl::Win)?);
        let winner = won.or(moves(!side)?.and(self.wdl(Wdl::Loss)?));
        Ok(if negated { winner.negated() } else { winner })
    }

    fn one_in(&mut self) -> Parsed<L> {
        self.opened()?;
        let Ok(number) = self.word().parse() else {
            return Err(self.unexpected("a number from 1 to 4294967295 is"));
        };
        self.advance();
        let condition = self.shared(SharedCondition::OneIn(number))?;
        self.closed(condition)
    }

    /// The rest of a condition on the squares of a piece.
    fn placed(&mut self, piece: L::Piece, all: bool) -> Parsed<L> {
        let negated = match self.takes("on") {
            true => false,
            false => self.is_not_or("'on', '=' or '!=' is")?,
        };
        let mut squares = self.region()?;
        while self.takes("|") {
            squares = squares | self.region()?;
        }
        let placed = match all {
            true => Expression::Is(self.language.on(piece, !squares)).negated(),
            false => Expression::Is(self.language.on(piece, squares)),
        };
        Ok(if negated { placed.negated() } else { placed })
    }

    fn region(&mut self) -> Result<L::Squares, ParseError> {
        let (last_rank, last_file, names) = self.language.regions();
        let (squares, expected) = match self.word() {
            "rank" => {
                self.advance();
                let expected = format!("a rank 1 to {last_rank}, or ranks such as 6-8, is");
                (self.language.ranks(self.word()), expected)
            }
            "file" => {
                self.advance();
                let expected = format!("a file a to {last_file}, or files such as a-c, is");
                (self.language.files(self.word()), expected)
            }
            name => (self.language.squares(name), format!("a square, rank, file, {names} is")),
        };
        let squares = squares.ok_or_else(|| self.unexpected(&expected))?;
        self.advance();
        Ok(squares)
    }

    /// Parses a piece.
    pub fn named_piece(&mut self) -> Result<L::Piece, ParseError> {
        self.piece(&format!("a piece such as {} is", L::PIECES))
    }

    fn piece(&mut self, expected: &str) -> Result<L::Piece, ParseError> {
        let found = self.language.piece(self.word());
        let (piece, is_there) = found.ok_or_else(|| self.unexpected(expected))?;
        if !is_there {
            let (side, letter, material) = self.language.absent(piece);
            let side = side.name();
            return Err(ParseError::NoSuchPiece { column: self.column(), side, letter, material });
        }
        self.advance();
        Ok(piece)
    }

    pub fn opened(&mut self) -> Result<(), ParseError> {
        if self.takes("(") { Ok(()) } else { Err(self.unexpected("'(' is")) }
    }

    /// The condition whose parenthesis ends here.
    pub fn closed(&mut self, condition: Expression<L::Condition>) -> Parsed<L> {
        if self.takes(")") { Ok(condition) } else { Err(self.unexpected("')' is")) }
    }

    /// Parses a comparison with a number of moves.
    pub fn compared(&mut self) -> Result<(Comparison, u32), ParseError> {
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

    fn white_or_black(&mut self) -> Result<Side, ParseError> {
        let side = Side::BOTH.into_iter().find(|side| self.takes(side.name()));
        side.ok_or_else(|| self.unexpected("white or black is"))
    }

    /// Parses `=` or `!=`; returns whether it is `!=`.
    pub fn is_not(&mut self) -> Result<bool, ParseError> {
        self.is_not_or("= or != is")
    }

    fn is_not_or(&mut self, expected: &str) -> Result<bool, ParseError> {
        let negated = self.takes("!=");
        match negated || self.takes("=") || self.takes("==") {
            true => Ok(negated),
            false => Err(self.unexpected(expected)),
        }
    }

    pub fn after_word<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        self.advance();
        read(self)
    }

    pub fn takes(&mut self, word: &str) -> bool {
        let takes = self.tokens.first().is_some_and(|token| token.text == word);
        if takes {
            self.advance();
        }
        takes
    }

    pub fn advance(&mut self) {
        self.tokens = self.tokens.get(1..).unwrap_or_default();
    }

    fn column(&self) -> usize {
        self.tokens.first().map_or(self.end, |token| token.column)
    }

    pub fn unexpected(&self, expected: &str) -> ParseError {
        let (column, expected) = (self.column(), expected.to_string());
        match self.tokens.first() {
            Some(token) => {
                let found = Excerpt::of(token.text);
                // After 'side' or 'category' such a word has no other spelling.
                let is_condition =
                    expected.starts_with(L::CONDITIONS) || expected.starts_with("'and'");
                let mut meant = MEANT.iter().chain(L::MEANT);
                let meant = meant.find(|(word, _)| is_condition && *word == token.text);
                match meant {
                    Some(&(_, meant)) => ParseError::Meant { column, found, meant },
                    None => ParseError::Unexpected { column, found, expected },
                }
            }
            None => ParseError::Ends { column, expected },
        }
    }
}
