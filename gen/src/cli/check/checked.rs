//! A game of a file, and what came of it.

use sakmak_gen::games::pgn::PgnGame;
use sakmak_gen::games::replay::GameError;
use sakmak_gen::games::review::Review;

/// A game of a file, and what came of it.
pub struct CheckedGame {
    /// Its place in the file, the first being 1.
    pub number: usize,
    /// As it stands there.
    pub game: PgnGame,
    /// What the tables say of it, or why it could not be played at all.
    pub review: Result<Review, GameError>,
    /// What is to be said of the tables it needs.
    pub notes: Vec<String>,
}

impl CheckedGame {
    /// What could not be read.
    pub fn error(&self) -> Option<&GameError> {
        match &self.review {
            Ok(review) => review.replay.broken.as_ref(),
            Err(error) => Some(error),
        }
    }
}
