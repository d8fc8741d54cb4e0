//! The moves of a game, read in one dialect.

use crate::dialect::Dialect;
use crate::mets::MetOrigins;
use crate::pgn::PgnGame;
use sakmak_tables::position::Position;
use sakmak_tables::position::moves::Move;
use sakmak_tables::position::san::{self, SanError};
use sakmak_tables::rules::piece::Side;

/// A move of a replayed game.
#[derive(Clone, Debug)]
pub struct PlayedMove {
    /// The position before the move, with the running count.
    pub before: Position,
    /// Which mets of that position were pawns.
    pub mets: MetOrigins,
    /// The move.
    pub mv: Move,
    /// The move in algebraic notation, in the letters of this program.
    pub san: String,
    /// The line of the file, from 1.
    pub line: usize,
}

/// The moves of a game, read in one dialect up to the first that is not legal.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The dialect.
    pub dialect: Dialect,
    /// The moves.
    pub moves: Vec<PlayedMove>,
    /// The position after the last move.
    pub end: Position,
    /// The error that ended it, or `None`.
    pub refused: Option<SanError>,
}

impl Reading {
    /// Reads the moves of a game from a position.
    pub fn new(game: &PgnGame, dialect: Dialect, start: Position, mets: MetOrigins) -> Reading {
        let mut reading = Reading { dialect, moves: Vec::new(), end: start, refused: None };
        let mut mets = mets;
        for written in &game.moves {
            let before = reading.end;
            let mv = match dialect.read(&before, mets, &written.text) {
                Ok(mv) => mv,
                Err(refused) => {
                    reading.refused = Some(refused);
                    break;
                }
            };
            let san = san::san(&before, mv);
            reading.moves.push(PlayedMove { before, mets, mv, san, line: written.line });
            (reading.end, mets) = (before.play(mv), mets.after(mv));
        }
        reading
    }

    /// Whether all moves are legal.
    pub fn is_legal(&self) -> bool {
        self.refused.is_none()
    }

    /// Whether a met could be a promoted pawn before one of the moves.
    pub fn has_promoted(&self) -> bool {
        self.moves.iter().any(|played| played.mets != MetOrigins::NONE_PROMOTED)
    }

    /// The index of the first move that another reading reads as another one, or `None`.
    pub fn first_difference(&self, other: &Reading) -> Option<usize> {
        let mut moves = self.moves.iter().zip(&other.moves);
        moves.position(|(one, other)| one.mv != other.mv)
    }

    /// The dialect with the letters of the game.
    pub fn own_dialect(&self, game: &PgnGame) -> Dialect {
        let moves = self.moves.iter().zip(&game.moves);
        let moves = moves.map(|(played, written)| (&played.before, played.mv, &*written.text));
        self.dialect.with_habits(moves)
    }
}

impl PlayedMove {
    /// The position after the move.
    pub fn after(&self) -> Position {
        self.before.play(self.mv)
    }

    /// The side that made the move.
    pub fn side(&self) -> Side {
        self.before.side()
    }

    /// The move with its number: `12. Nd4`, `12... Md5`.
    pub fn numbered(&self) -> String {
        format!("{} {}", numbered(&self.before), self.san)
    }
}

/// The number of the next move: `12.` for White, `12...` for Black.
pub fn numbered(position: &Position) -> String {
    let points = match position.side() {
        Side::White => ".",
        Side::Black => "...",
    };
    format!("{}{points}", position.number())
}
