//! The tables of all games, for the libraries that other languages link.

use crate::boards::answer::{
    Answer, AnswerError, RatedMove, distance, legal_position, line, rated_moves,
};
use crate::boards::tables::BoardTables;
use crate::error::ProbeError;
use crate::tablebase::Tablebase;
use sakmak_boards::list::{GameName, Visitor};
use sakmak_boards::notation::Notation;
use sakmak_boards::solvable::SolvableGame;
use sakmak_tables::distance::Value;

/// The tables of a game, for any number of threads. Positions are given as FENs.
pub trait OpenGame {
    /// The value of a position, without moves and line.
    ///
    /// # Errors
    ///
    /// If the FEN is not a legal position, or a file is missing or refused.
    fn value_of(&self, fen: &str) -> Result<Value, AnswerError>;

    /// All legal moves, the best first.
    ///
    /// # Errors
    ///
    /// The errors of [`OpenGame::value_of`].
    fn moves_of(&self, fen: &str) -> Result<Vec<RatedMove>, AnswerError>;

    /// Best play of both sides to the end; empty in a draw.
    ///
    /// # Errors
    ///
    /// The errors of [`OpenGame::value_of`].
    fn line_of(&self, fen: &str) -> Result<Vec<String>, AnswerError>;

    /// The answer, with best play if `lines` is set.
    ///
    /// # Errors
    ///
    /// The errors of [`OpenGame::value_of`].
    fn answer_of(&self, fen: &str, lines: bool) -> Result<Answer, AnswerError>;
}

impl<G: Notation> OpenGame for BoardTables<'_, G> {
    fn value_of(&self, fen: &str) -> Result<Value, AnswerError> {
        Ok(distance(self.value(&legal_position(self.game(), fen)?)?))
    }

    fn moves_of(&self, fen: &str) -> Result<Vec<RatedMove>, AnswerError> {
        Ok(rated_moves(self, &legal_position(self.game(), fen)?)?)
    }

    fn line_of(&self, fen: &str) -> Result<Vec<String>, AnswerError> {
        Ok(line(self, &legal_position(self.game(), fen)?)?)
    }

    fn answer_of(&self, fen: &str, lines: bool) -> Result<Answer, AnswerError> {
        Answer::new(self, fen, lines)
    }
}

impl Tablebase {
    /// The tables of a board game.
    ///
    /// # Errors
    ///
    /// If the process is a child of a fork.
    pub fn board_game(&self, game: GameName) -> Result<Box<dyn OpenGame + '_>, ProbeError> {
        self.in_own_process()?;
        Ok(game.visit(Opening(self)))
    }
}

/// Work that opens the tables of a game.
struct Opening<'a>(&'a Tablebase);

impl<'a> Visitor for Opening<'a> {
    type Output = Box<dyn OpenGame + 'a>;

    fn visit<G: Notation + SolvableGame>(self, game: &'static G) -> Box<dyn OpenGame + 'a> {
        Box::new(BoardTables::new(game, self.0))
    }
}
