//! The words of conditions for games of tiers.
//!
//! ```text
//! own       = "moves" compared NUMBER           the mover's legal moves
//! piece     = a letter of the material, a capital one for White, or "white." or "black." and a letter
//! region    = SQUARE | "rank" 8-10 | "file" a-c | "corner" | "edge" | "centre" | "center"
//! ```

use crate::query::grammar::{self, Language, Parser};
use crate::query::{Comparison, Expression, ParseError, SharedCondition};
use sakmak_tables::distance::Wdl;
use sakmak_tables::rules::piece::Side;
use sakmak_tiers::notation::Notation;
use std::num::NonZeroU32;

/// A simple condition on a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TierCondition {
    /// The side to move.
    Side(Side),
    /// The mover's result with best play.
    Wdl(Wdl),
    /// The winner's moves compared with a number.
    Distance(Comparison, u32),
    /// The mover's legal moves compared with a number.
    Moves(Comparison, u32),
    /// The mover is in check.
    Check,
    /// Whoever is to move has a worse result than if the other side were to move, in a game that goes on.
    MutualZugzwang,
    /// One of several moves keeps the result.
    OnlyMove,
    /// A move that takes nothing keeps the result.
    Quiet,
    /// The slot is in a random selection of one in this number.
    OneIn(NonZeroU32),
    /// A man of this letter of FEN is on one of these squares, a bit each, file by file from the lowest
    /// rank.
    Man(char, u128),
}

impl TierCondition {
    /// Whether evaluating it needs the values after moves.
    pub(super) fn needs_smaller(self) -> bool {
        matches!(self, TierCondition::OnlyMove | TierCondition::Quiet)
    }
}

/// Parses a condition on positions of a material.
///
/// # Errors
///
/// If the text is not a condition, or one that the game does not have.
pub fn parse<G: Notation>(
    text: &str,
    game: &G,
    tier: G::Tier,
) -> Result<Expression<TierCondition>, ParseError> {
    let board = game.board();
    let material = tier.to_string();
    let (white, black) = material.split_once('v').unwrap_or((&material, ""));
    let language = TierLanguage {
        game,
        armies: [white, black.split('-').next().unwrap_or_default()].map(str::to_string),
        files: board.files,
        ranks: board.ranks,
        material,
    };
    grammar::parse(text, &language)
}

/// The words for a game.
struct TierLanguage<'a, G> {
    game: &'a G,
    /// The letters of the men of each side.
    armies: [String; 2],
    files: usize,
    ranks: usize,
    material: String,
}

impl<G> TierLanguage<'_, G> {
    /// The squares whose file and rank, counted from 0, satisfy a predicate.
    fn squares_of(&self, is: impl Fn(usize, usize) -> bool) -> u128 {
        let bit =
            |rank: usize, file: usize| u128::from(is(file, rank)) << (rank * self.files + file);
        (0..self.ranks)
            .flat_map(|rank| (0..self.files).map(move |file| (rank, file)))
            .fold(0, |squares, (rank, file)| squares | bit(rank, file))
    }
}

impl<G: Notation> Language for TierLanguage<'_, G> {
    type Condition = TierCondition;
    /// A letter of a material, and its side.
    type Piece = (char, Side);
    type Squares = u128;

    const CONDITIONS: &'static str = "side, winner, win, draw, loss, mate, dtm, moves, check, mutual_zugzwang, \
        only_move, quiet, one_in, a man or a parenthesis";
    const PIECES: &'static str = "K or white.K";

    fn regions(&self) -> (String, char, String) {
        let file = char::from(b'a' + self.files as u8 - 1);
        (self.ranks.to_string(), file, "corner, edge or centre".to_string())
    }

    fn shared(&self, condition: SharedCondition) -> Result<TierCondition, &'static str> {
        Ok(match condition {
            SharedCondition::Side(side) => TierCondition::Side(side),
            SharedCondition::Wdl(wdl) => TierCondition::Wdl(wdl),
            SharedCondition::Distance(comparison, moves) => {
                TierCondition::Distance(comparison, moves)
            }
            SharedCondition::Check if !self.game.has_check() => return Err("nobody is in check"),
            SharedCondition::Check => TierCondition::Check,
            SharedCondition::MutualZugzwang if !self.game.must_move() => {
                return Err("a side may pass, or must obey an order");
            }
            SharedCondition::MutualZugzwang => TierCondition::MutualZugzwang,
            SharedCondition::OnlyMove => TierCondition::OnlyMove,
            SharedCondition::Quiet => TierCondition::Quiet,
            SharedCondition::OneIn(number) => TierCondition::OneIn(number),
        })
    }

    fn own<'a>(
        parser: &mut Parser<'a, Self>,
        word: &str,
    ) -> Option<Result<Expression<TierCondition>, ParseError>> {
        let why = match word {
            "moves" => {
                return Some(parser.after_word(|parser| {
                    let (comparison, moves) = parser.compared()?;
                    Ok(Expression::Is(TierCondition::Moves(comparison, moves)))
                }));
            }
            "in_time" | "too_late" | "category" | "counted" | "late_capture" => {
                "no moves are counted"
            }
            "stalemate" => "moves=0 asks for a side without a move",
            "distance" => "no man moves as a king of chess",
            "same_colour" | "same_color" => "no man keeps to one colour",
            _ => return None,
        };
        Some(Err(parser.not_here(why)))
    }

    fn piece(&self, word: &str) -> Option<(Self::Piece, bool)> {
        let (named, letter) = match word.split_once('.') {
            Some((side, letter)) => {
                (Some(Side::BOTH.into_iter().find(|known| known.name() == side)?), letter)
            }
            None => (None, word),
        };
        let mut letters = letter.chars();
        let (letter, None) = (letters.next()?, letters.next()) else { return None };
        let by_case = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
        let (side, letter) = (named.unwrap_or(by_case), letter.to_ascii_uppercase());
        let is_letter = G::LETTERS.contains(letter);
        is_letter.then(|| ((letter, side), self.armies[side.index()].contains(letter)))
    }

    fn absent(&self, (letter, side): Self::Piece) -> (Side, char, String) {
        (side, letter, self.material.clone())
    }

    fn on(&self, (letter, side): Self::Piece, squares: u128) -> TierCondition {
        let letter = self.game.letter_in_fen(letter);
        let letter = if side == Side::White { letter } else { letter.to_ascii_lowercase() };
        TierCondition::Man(letter, squares)
    }

    fn ranks(&self, text: &str) -> Option<u128> {
        let number = |text: &str| text.parse::<usize>().ok()?.checked_sub(1);
        let (first, last) = range(text, self.ranks, number)?;
        Some(self.squares_of(|_, rank| (first..=last).contains(&rank)))
    }

    fn files(&self, text: &str) -> Option<u128> {
        let (first, last) = range(text, self.files, file)?;
        Some(self.squares_of(|file, _| (first..=last).contains(&file)))
    }

    fn squares(&self, name: &str) -> Option<u128> {
        let (files, ranks) = (self.files, self.ranks);
        let outer = |line: usize, lines: usize| line == 0 || line + 1 == lines;
        let middle = |line: usize, lines: usize| line == lines / 2 || line == (lines - 1) / 2;
        Some(match name {
            "corner" => self.squares_of(|file, rank| outer(file, files) && outer(rank, ranks)),
            "edge" => self.squares_of(|file, rank| outer(file, files) || outer(rank, ranks)),
            "centre" | "center" => {
                self.squares_of(|file, rank| middle(file, files) && middle(rank, ranks))
            }
            _ => {
                let (letter, number) = name.split_at_checked(1)?;
                self.files(letter)? & self.ranks(number)?
            }
        })
    }
}

/// The number of a file.
fn file(letter: &str) -> Option<usize> {
    let &[letter] = letter.as_bytes() else { return None };
    letter.checked_sub(b'a').map(usize::from)
}

/// The first and the last line of a range, or twice the only one.
fn range(text: &str, lines: usize, line: impl Fn(&str) -> Option<usize>) -> Option<(usize, usize)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (line(first)?, line(last)?);
    (first <= last && last < lines).then_some((first, last))
}
