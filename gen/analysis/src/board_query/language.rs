//! The words of conditions for board games.
//!
//! ```text
//! own       = "moves" compared NUMBER           the mover's legal moves
//! piece     = a letter of the material, a capital one for White, or "white." or "black." and a letter
//! region    = SQUARE | "rank" 8-10 | "file" a-c | "corner" | "edge" | "centre" | "center"
//! ```

use crate::query::grammar;
use crate::query::language::Language;
use crate::query::region::{Board, Squares};
use crate::query::words::Words;
use crate::query::{Comparison, Expression, ParseError, SharedCondition};
use sakmak_boards::notation::{self, Notation};
use sakmak_boards::solvable::SolvableGame;
use sakmak_tables::distance::Wdl;
use sakmak_tables::rules::piece::Side;
use std::num::NonZeroU32;

/// A simple condition on a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoardCondition {
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
    /// The mover has several moves, and exactly one keeps the result.
    OnlyMove,
    /// A move that takes nothing keeps the result.
    Quiet,
    /// The slot is in a random selection of one in this number.
    OneIn(NonZeroU32),
    /// A man of this letter of FEN is on one of these squares, a bit each, rank by rank from the lowest.
    Man(char, Squares),
}

impl BoardCondition {
    /// Whether evaluating it needs the values after moves.
    pub(super) fn needs_subtables(self) -> bool {
        matches!(self, BoardCondition::OnlyMove | BoardCondition::Quiet)
    }
}

/// Parses a condition on positions of a material.
///
/// # Errors
///
/// If the text is not a condition, or one that the game does not have.
pub fn parse<G: Notation + SolvableGame>(
    text: &str,
    game: &G,
    material: G::Material,
) -> Result<Expression<BoardCondition>, ParseError> {
    let notation::Board { files, ranks, .. } = game.board();
    let material = material.to_string();
    let (white, black) = material.split_once('v').unwrap_or((&material, ""));
    let language = BoardLanguage {
        game,
        armies: [white, black.split('-').next().unwrap_or_default()].map(str::to_string),
        board: Board { files, ranks, has_colours: false },
        material,
    };
    grammar::parse(text, &language)
}

/// The words for a game.
struct BoardLanguage<'a, G> {
    game: &'a G,
    /// The letters of the men of each side.
    armies: [String; 2],
    board: Board,
    material: String,
}

impl<G: Notation + SolvableGame> Language for BoardLanguage<'_, G> {
    type Condition = BoardCondition;
    /// A letter of a material, and its side.
    type Piece = (char, Side);

    const CONDITIONS: &'static str = "side, winner, win, draw, loss, mate, dtm, moves, check, mutual_zugzwang, \
        only_move, quiet, one_in, a man or a parenthesis";
    const PIECES: &'static str = "K or white.K";

    fn board(&self) -> Board {
        self.board
    }

    fn material(&self) -> String {
        self.material.clone()
    }

    fn shared(&self, condition: SharedCondition) -> Result<BoardCondition, &'static str> {
        Ok(match condition {
            SharedCondition::Side(side) => BoardCondition::Side(side),
            SharedCondition::Wdl(wdl) => BoardCondition::Wdl(wdl),
            SharedCondition::Distance(comparison, moves) => {
                BoardCondition::Distance(comparison, moves)
            }
            SharedCondition::Check if !self.game.has_check() => return Err("nobody is in check"),
            SharedCondition::Check => BoardCondition::Check,
            SharedCondition::MutualZugzwang if !self.game.must_move() => {
                return Err("a side may pass, or must obey an order");
            }
            SharedCondition::MutualZugzwang => BoardCondition::MutualZugzwang,
            SharedCondition::OnlyMove => BoardCondition::OnlyMove,
            SharedCondition::Quiet => BoardCondition::Quiet,
            SharedCondition::OneIn(number) => BoardCondition::OneIn(number),
        })
    }

    fn own(
        &self,
        words: &mut Words<'_>,
        word: &str,
    ) -> Option<Result<Expression<BoardCondition>, ParseError>> {
        let why = match word {
            "moves" => {
                words.advance();
                let is =
                    |(comparison, moves)| Expression::Is(BoardCondition::Moves(comparison, moves));
                return Some(words.compared().map(is));
            }
            "in_time" | "too_late" | "category" | "counted" | "late_capture" => {
                "no moves are counted"
            }
            "stalemate" => "moves=0 asks for a side without a move",
            "distance" => "no man moves as a king of chess",
            "same_colour" | "same_color" => "no man keeps to one colour",
            _ => return None,
        };
        Some(Err(words.not_here(why)))
    }

    fn piece(&self, side: Side, letter: char) -> Option<(Self::Piece, bool)> {
        let is_letter = G::LETTERS.contains(letter);
        is_letter.then(|| ((letter, side), self.armies[side.index()].contains(letter)))
    }

    fn on(&self, (letter, side): Self::Piece, squares: Squares) -> BoardCondition {
        let letter = self.game.letter_in_fen(letter);
        let letter = if side == Side::White { letter } else { letter.to_ascii_lowercase() };
        BoardCondition::Man(letter, squares)
    }
}
