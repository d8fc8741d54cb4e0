//! A game of a file, with its review.

use crate::cli::check::tables::GameTables;
use sakmak_pgn::game_error::GameError;
use sakmak_pgn::pgn::PgnGame;
use sakmak_pgn::replay::Replay;
use sakmak_pgn::review::Review;
use sakmak_tables::counting::CountingRule;

/// A game of a file, with its review.
pub struct CheckedGame {
    /// The number of the game in the file, from 1.
    pub number: usize,
    /// The game as written in the file.
    pub game: PgnGame,
    /// The review, or the error if the game cannot be replayed at all.
    pub review: Result<Review, GameError>,
    /// Notes about missing tables.
    pub notes: Vec<String>,
}

impl CheckedGame {
    /// Replays a game and reviews it.
    pub fn new(
        number: usize,
        game: PgnGame,
        counting_rule: Option<&'static CountingRule>,
        tables: &mut GameTables,
    ) -> CheckedGame {
        let replay = match Replay::of(&game, counting_rule) {
            Ok(replay) => replay,
            Err(error) => {
                return CheckedGame { number, game, review: Err(error), notes: Vec::new() };
            }
        };
        let mut notes = tables.make_missing(&replay);
        let review = Review::of(replay, |position| match tables.answer(position) {
            Ok(answer) => answer,
            Err(error) => {
                let note = error.to_string();
                if !notes.contains(&note) {
                    notes.push(note);
                }
                None
            }
        });
        CheckedGame { number, game, review: Ok(review), notes }
    }

    /// Notes on the count in the FEN, on moves that can be read in two ways and on a closing move.
    /// The notes are not written into the game; the FEN of the game gets the count that runs.
    pub fn replay_notes(&self) -> impl Iterator<Item = String> {
        let replay = || self.review.iter().map(|review| &review.replay);
        let fen = replay().flat_map(|replay| &replay.fen_notes).map(ToString::to_string);
        let others = replay().filter_map(|replay| replay.other_reading.clone());
        fen.chain(others).chain(replay().filter_map(Replay::closing_note))
    }

    /// Assumption about the game in one line, or `None`.
    pub fn assumption(&self) -> Option<String> {
        let replay = self.review.as_ref().ok().map(|review| &review.replay)?;
        replay.assumption.as_ref().map(ToString::to_string)
    }

    /// Returns the error in the game, or `None`.
    pub fn error(&self) -> Option<&GameError> {
        match &self.review {
            Ok(review) => review.replay.broken.as_ref(),
            Err(error) => Some(error),
        }
    }
}
