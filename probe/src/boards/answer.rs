//! The answer about a position of a board game, for people and programs.

use crate::boards::tables::{BoardProbeError, BoardTables};
use sakmak_boards::notation::{Notation, NotationError};
use sakmak_boards::value;
use sakmak_tables::distance::{Plies, Value};

/// Maximum plies of a line.
const LINE: usize = 400;

/// The answer for a position, for the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Name of the variant.
    pub variant: String,
    /// Name of the material.
    pub material: String,
    /// The position.
    pub fen: String,
    /// The distance to the end with best play.
    pub value: Value,
    /// All legal moves, the best first.
    pub moves: Vec<RatedMove>,
    /// Best play of both sides to the end, empty in a draw; `None` if it was not requested.
    pub line: Option<Vec<String>>,
}

/// A move with its value for the side that makes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RatedMove {
    /// The origin and the target of the man; equal squares are a pass. In `min-rek-chanh-called`,
    /// `!` marks an order to rek, as in `a2a3!`.
    pub text: String,
    /// The value for the side that makes the move.
    pub value: Value,
    /// The position after the move. `None` if the move ends the game.
    pub fen: Option<String>,
}

/// The reason why a position has no answer.
#[derive(Debug, thiserror::Error)]
pub enum AnswerError {
    /// A text that is not the FEN of a position.
    #[error(transparent)]
    Fen(#[from] NotationError),
    /// A position that no legal move leads to.
    #[error("not a position: the side to move could take the general")]
    Illegal,
    /// A lookup failed.
    #[error(transparent)]
    Probe(#[from] BoardProbeError),
}

impl Answer {
    /// The answer for the position of a FEN, with best play if `lines` is set.
    ///
    /// # Errors
    ///
    /// If the FEN is not a legal position, or a file is missing or refused.
    pub fn new<G: Notation>(
        board_tables: &BoardTables<'_, G>,
        fen: &str,
        lines: bool,
    ) -> Result<Answer, AnswerError> {
        let game = board_tables.game();
        let position = legal_position(game, fen)?;
        Ok(Answer {
            variant: game.name(),
            material: game.material(&position).to_string(),
            fen: game.fen(&position),
            value: distance(board_tables.value(&position)?),
            moves: rated_moves(board_tables, &position)?,
            line: lines.then(|| line(board_tables, &position)).transpose()?,
        })
    }
}

/// The value of a legal position.
pub(crate) fn distance(value: value::Value) -> Value {
    // Wins take an odd number of plies, losses an even number.
    value.plies().map_or(Value::Draw, |plies| Value::from_plies(Plies(plies.into())))
}

/// The position of a FEN.
///
/// # Errors
///
/// If the FEN is not a legal position.
pub(crate) fn legal_position<G: Notation>(game: &G, fen: &str) -> Result<G::Position, AnswerError> {
    let position = game.position(fen)?;
    if game.is_illegal(&position) { Err(AnswerError::Illegal) } else { Ok(position) }
}

/// Best play of both sides to the end, as texts; empty in a draw.
///
/// # Errors
///
/// If a file is missing or refused.
pub fn line<G: Notation>(
    board_tables: &BoardTables<'_, G>,
    position: &G::Position,
) -> Result<Vec<String>, BoardProbeError> {
    let (game, mut at) = (board_tables.game(), *position);
    let texts = board_tables.line(position, LINE)?.into_iter().map(|played| {
        let text = game.text(&at, played);
        at = game.play(&at, played);
        text
    });
    Ok(texts.collect())
}

/// All legal moves, the best first.
///
/// # Errors
///
/// If a file is missing or refused.
pub(crate) fn rated_moves<G: Notation>(
    board_tables: &BoardTables<'_, G>,
    position: &G::Position,
) -> Result<Vec<RatedMove>, BoardProbeError> {
    let game = board_tables.game();
    let rated = board_tables.rated(position)?.into_iter().map(|(played, value, after)| RatedMove {
        text: game.text(position, played),
        value: distance(value),
        fen: after.map(|after| game.fen(&after)),
    });
    Ok(rated.collect())
}
