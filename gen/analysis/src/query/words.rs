//! The words of a condition, parsed one after another.

use crate::query::expression::Comparison;
use crate::query::parse_error::ParseError;
use crate::query::token::QueryToken;
use sakmak_tables::excerpt::Excerpt;
use sakmak_tables::rules::piece::Side;

/// Words of other query languages, and the words here.
const SYNONYMS: [(&str, &str); 22] = [
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

/// The words not parsed yet.
pub struct Words<'a> {
    /// The words and signs.
    pub tokens: &'a [QueryToken<'a>],
    /// The column after the text.
    pub end: usize,
    /// The words of conditions, as errors list them.
    pub conditions: &'static str,
    /// Words of other query languages with synonyms in this one, added to the common synonyms.
    pub synonyms: &'static [(&'static str, &'static str)],
}

impl<'a> Words<'a> {
    /// The next word.
    pub fn word(&self) -> &'a str {
        self.tokens.first().map_or("", |token| token.text)
    }

    /// The error of a next word that this variant lacks.
    pub fn not_here(&self, why: &'static str) -> ParseError {
        ParseError::NotHere { column: self.column(), found: Excerpt::of(self.word()), why }
    }

    /// Parses `(`.
    pub fn opened(&mut self) -> Result<(), ParseError> {
        if self.takes("(") { Ok(()) } else { Err(self.unexpected("'('")) }
    }

    /// Parses the `)` after `inside`.
    pub fn closed<T>(&mut self, inside: T) -> Result<T, ParseError> {
        if self.takes(")") { Ok(inside) } else { Err(self.unexpected("')'")) }
    }

    /// Parses a comparison with a number of moves.
    pub fn compared(&mut self) -> Result<(Comparison, u32), ParseError> {
        let comparison = match self.word() {
            "=" | "==" => Comparison::Equal,
            "!=" => Comparison::Unequal,
            "<" => Comparison::Less,
            "<=" => Comparison::AtMost,
            ">" => Comparison::More,
            ">=" => Comparison::AtLeast,
            _ => return Err(self.unexpected("=, !=, <, <=, > or >=")),
        };
        self.advance();
        let Ok(number) = self.word().parse() else {
            return Err(self.unexpected("a number of moves"));
        };
        self.advance();
        Ok((comparison, number))
    }

    /// Parses `white` or `black`.
    pub fn white_or_black(&mut self) -> Result<Side, ParseError> {
        let side = Side::BOTH.into_iter().find(|side| self.takes(side.name()));
        side.ok_or_else(|| self.unexpected("white or black"))
    }

    /// Parses `=` or `!=`; returns whether it is `!=`.
    pub fn is_not(&mut self) -> Result<bool, ParseError> {
        self.is_not_or("= or !=")
    }

    /// Parses `=` or `!=` like [`Words::is_not`]. The error says that `expected` was expected.
    pub fn is_not_or(&mut self, expected: &str) -> Result<bool, ParseError> {
        let negated = self.takes("!=");
        match negated || self.takes("=") || self.takes("==") {
            true => Ok(negated),
            false => Err(self.unexpected(expected)),
        }
    }

    /// Parses this word, if it comes next.
    pub fn takes(&mut self, word: &str) -> bool {
        let takes = self.tokens.first().is_some_and(|token| token.text == word);
        if takes {
            self.advance();
        }
        takes
    }

    /// Moves to the next word.
    pub fn advance(&mut self) {
        self.tokens = self.tokens.get(1..).unwrap_or_default();
    }

    /// The column of the next word.
    pub fn column(&self) -> usize {
        self.tokens.first().map_or(self.end, |token| token.column)
    }

    /// The error of an unexpected next word.
    pub fn unexpected(&self, expected: &str) -> ParseError {
        let (column, expected) = (self.column(), expected.to_string());
        match self.tokens.first() {
            Some(token) => {
                let found = Excerpt::of(token.text);
                // After 'side' or 'category' such a word has no synonym.
                let is_condition =
                    expected.starts_with(self.conditions) || expected.starts_with("'and'");
                let mut synonyms = SYNONYMS.iter().chain(self.synonyms);
                let synonym = synonyms.find(|(word, _)| is_condition && *word == token.text);
                match synonym {
                    Some(&(_, meant)) => ParseError::Synonym { column, found, meant },
                    None => ParseError::Unexpected { column, found, expected },
                }
            }
            None => ParseError::Ends { column, expected },
        }
    }
}
