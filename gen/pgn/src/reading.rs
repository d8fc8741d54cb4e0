//! The moves of a game, read in one dialect.

use crate::dialect::Dialect;
use crate::mets::MetOrigins;
use crate::pgn::PgnGame;
use sakmak_tables::excerpt::Excerpt;
use sakmak_tables::position::Position;
use sakmak_tables::position::moves::Move;
use sakmak_tables::position::san::{self, SanError};
use sakmak_tables::rules::piece::Side;

/// A move of a replayed game.
#[derive(Clone, Debug)]
pub struct PlayedMove {
    /// The position before the move, with the running count.
    pub before: Position,
    /// The origins of the mets of that position.
    pub mets: MetOrigins,
    /// The move.
    pub mv: Move,
    /// The move in algebraic notation, in the letters of this program.
    pub san: String,
    /// The line of the file, from 1.
    pub line: usize,
}

/// The moves of a game, read in one dialect up to the first illegal move.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The dialect.
    pub dialect: Dialect,
    /// The moves.
    pub moves: Vec<PlayedMove>,
    /// The position after the last of these moves.
    pub end: Position,
    /// The closing move after the last position, or `None`.
    pub closing: Option<PlayedMove>,
    /// The error that ended the reading, or `None`.
    pub refused: Option<SanError>,
}

impl Reading {
    /// Reads the moves of a game from a position.
    pub fn new(game: &PgnGame, dialect: Dialect, start: Position, mets: MetOrigins) -> Reading {
        let (moves, end) = (Vec::new(), start);
        let mut reading = Reading { dialect, moves, end, closing: None, refused: None };
        let mut mets = mets;
        for written in &game.moves {
            let before = reading.end;
            let played = |mv: Move| {
                let san = san::san(&before, mv);
                PlayedMove { before, mets, mv, san, line: written.line }
            };
            if reading.closing.is_some() {
                reading.refused = Some(SanError::Over(Excerpt::of(&written.text)));
                break;
            }
            let castling = castling(&before, &written.text);
            match castling.map_or_else(|| dialect.read(&before, mets, &written.text), Ok) {
                Ok(mv) => {
                    reading.moves.push(played(mv));
                    (reading.end, mets) = (before.play(mv), mets.after(mv));
                }
                Err(refused) => match dialect.read_closing(&before, mets, &written.text) {
                    Ok(mv) => reading.closing = Some(played(mv)),
                    Err(_) => {
                        reading.refused = Some(refused);
                        break;
                    }
                },
            }
        }
        reading
    }

    /// The number of moves read, a closing move included.
    pub fn moves_read(&self) -> usize {
        self.moves.len() + usize::from(self.closing.is_some())
    }

    /// The position after the moves read, a closing move included.
    pub fn last(&self) -> Position {
        self.closing.as_ref().map_or(self.end, PlayedMove::after)
    }

    /// Whether all moves are legal.
    pub fn is_legal(&self) -> bool {
        self.refused.is_none()
    }

    /// Whether a met could be a promoted pawn before one of the moves.
    pub fn has_promoted(&self) -> bool {
        self.moves.iter().any(|played| played.mets != MetOrigins::NONE_PROMOTED)
    }

    /// The index of the first move on which the two readings differ, or `None`.
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

/// The king's move of a text that denotes castling, where it is possible.
fn castling(position: &Position, text: &str) -> Option<Move> {
    match text.trim_end_matches(['+', '#', '!', '?']) {
        "O-O" | "0-0" => position.castling(true),
        "O-O-O" | "0-0-0" => position.castling(false),
        _ => None,
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
