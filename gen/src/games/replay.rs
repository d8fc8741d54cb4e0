//! Replays a game from its file: positions, legal moves, the count.

use crate::games::pgn::{PgnError, PgnGame};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::position::Position;
use sakmak_tables::position::fen::{FenError, FenNote};
use sakmak_tables::position::moves::Move;
use sakmak_tables::position::san::{self, SanError};
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants::{self, MAKRUK};

/// The start position of chess, first field of its FEN.
const CHESS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// A replayed game, up to its end or to its first error.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The start position. A count that may run there starts there.
    pub start: Position,
    /// Notes on the count in the FEN of that position.
    pub fen_notes: Vec<FenNote>,
    /// The moves.
    pub moves: Vec<PlayedMove>,
    /// The position after the last move.
    pub end: Position,
    /// The error that ended the replay, or `None`.
    pub broken: Option<GameError>,
}

/// A move of a replayed game.
#[derive(Clone, Debug)]
pub struct PlayedMove {
    /// The position before the move, with the running count.
    pub before: Position,
    /// The move; its display is UCI.
    pub uci: Move,
    /// The move in algebraic notation.
    pub san: String,
    /// The line of the file, from 1.
    pub line: usize,
}

/// A game that cannot be replayed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The text cannot be parsed.
    #[error(transparent)]
    Pgn(#[from] PgnError),
    /// The tag names an unknown variant.
    #[error("line {line}: unknown variant '{name}': {} expected", known())]
    Variant {
        /// The line of the tag.
        line: usize,
        /// The value of the tag.
        name: String,
    },
    /// The file names no variant, so the game is chess.
    #[error("line {line}: a game without a Variant tag is chess: Variant {} expected", known())]
    Chess {
        /// The line where the game begins.
        line: usize,
    },
    /// The start position is not a FEN.
    #[error("line {line}: {source}")]
    Fen {
        /// The line of the FEN.
        line: usize,
        /// The reason.
        source: FenError,
    },
    /// A move that is not legal.
    #[error("line {line}, move {number}: {source}")]
    Move {
        /// The line of the move.
        line: usize,
        /// Its number, with three dots for Black.
        number: String,
        /// The reason.
        source: SanError,
    },
}

/// The names of the variants, for messages.
fn known() -> String {
    variants::all().map(|variant| variant.name).join(" or ")
}

impl GameError {
    /// The line of the error, from 1.
    pub fn line(&self) -> usize {
        match self {
            GameError::Pgn(error) => error.line(),
            GameError::Chess { line }
            | GameError::Variant { line, .. }
            | GameError::Fen { line, .. }
            | GameError::Move { line, .. } => *line,
        }
    }
}

impl Replay {
    /// Replays a game. If the file names no variant, the variant is that of `counting_rule`. A
    /// game of that variant is counted by `counting_rule`, any other by its usual rule.
    ///
    /// # Errors
    ///
    /// If the variant is unknown, or the start position cannot be read. Errors in later moves
    /// are in [`Replay::broken`].
    pub fn of(
        game: &PgnGame,
        counting_rule: Option<&'static CountingRule>,
    ) -> Result<Replay, GameError> {
        if let (Some(error), true) = (&game.broken, game.moves.is_empty()) {
            return Err(error.clone().into());
        }
        let variant = variant_of(game, counting_rule)?;
        let (fen, line) = match game.tag("FEN") {
            Some(tag) => (&*tag.value, tag.line),
            None => (variant.start, game.line),
        };
        let counting_rule = counting_rule
            .filter(|counting_rule| variants::counted_by(counting_rule) == variant)
            .unwrap_or(variant.counting());
        let (start, fen_notes) = Position::from_fen_noted(counting_rule, fen)
            .map_err(|source| GameError::Fen { line, source })?;
        Ok(Replay { fen_notes, ..Replay::from(game, start.with_count_running()) })
    }

    /// Replays the moves of a game from a position.
    fn from(game: &PgnGame, start: Position) -> Replay {
        let mut moves = Vec::new();
        let mut broken = None;
        let mut position = start;
        for written in &game.moves {
            let uci = match san::read(&position, &written.text) {
                Ok(uci) => uci,
                Err(source) => {
                    let number = numbered(&position);
                    broken = Some(GameError::Move { line: written.line, number, source });
                    break;
                }
            };
            let san = san::san(&position, uci);
            moves.push(PlayedMove { before: position, uci, san, line: written.line });
            position = position.play(uci);
        }
        let broken = broken.or_else(|| game.broken.clone().map(GameError::Pgn));
        Replay { start, fen_notes: Vec::new(), moves, end: position, broken }
    }

    /// The position before the move at this place, from 0; past the moves, the last position.
    pub fn position(&self, place: usize) -> &Position {
        self.moves.get(place).map_or(&self.end, |played| &played.before)
    }

    /// The position before each move, then the last position.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = &Position> {
        self.moves.iter().map(|played| &played.before).chain([&self.end])
    }
}

impl PlayedMove {
    /// The position after the move.
    pub fn after(&self) -> Position {
        self.before.play(self.uci)
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

/// The variant of a game, by its tags. By the PGN standard a game without a Variant tag is
/// chess, unless it starts from another position.
fn variant_of(
    game: &PgnGame,
    counting_rule: Option<&'static CountingRule>,
) -> Result<&'static Variant, GameError> {
    if let Some(tag) = game.tag("Variant").filter(|tag| !tag.value.trim().is_empty()) {
        let other = |_| GameError::Variant { line: tag.line, name: tag.value.clone() };
        return variants::named(&tag.value).map_err(other);
    }
    if let Some(counting_rule) = counting_rule {
        return Ok(variants::counted_by(counting_rule));
    }
    match game.tag("FEN") {
        Some(fen) if fen.value.split_whitespace().next() != Some(CHESS) => Ok(&MAKRUK),
        Some(fen) => Err(GameError::Chess { line: fen.line }),
        None => Err(GameError::Chess { line: game.line }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::pgn::Games;
    use sakmak_tables::counting::Honour;
    use sakmak_tables::distance::Plies;

    fn replay(text: &str) -> Result<Replay, GameError> {
        Replay::of(&Games::of(text).next().unwrap(), None)
    }

    fn error(text: &str) -> String {
        let error = match replay(text) {
            Ok(replay) => replay.broken.unwrap(),
            Err(error) => error,
        };
        let message = error.to_string();
        assert!(message.starts_with(&format!("line {}", error.line())), "{message}");
        message
    }

    #[test]
    fn a_game_is_played_from_the_start_of_its_variant() {
        for (name, moves) in [
            ("Makruk", "1. Me2? 1. e4 d5 2. exd5 exd5"),
            ("thai chess", "d4 d5"),
            ("Ouk Chatrang", "Kb2 d5"),
            ("cambodian", "Kf2 Kc7"),
        ] {
            let replay = replay(&format!("[Variant \"{name}\"]\n{moves}")).unwrap();
            let stopped = replay.broken.is_some();
            assert_eq!(stopped, moves.contains('?'), "{:?}", replay.broken);
        }
    }

    #[test]
    fn counts_start_and_run_on() {
        let replay =
            replay("[FEN \"8/8/8/8/5p2/4k3/8/R6K w - - 0 9\"]\nRa3+ Kd4 Ra4+ Ke3 Rxf4 Kxf4");
        let replay = replay.unwrap();
        assert!(replay.broken.is_none() && replay.start.clock().is_none());
        let clocks: Vec<_> = replay.positions().map(|position| position.clock()).collect();
        assert!(clocks[..5].iter().all(Option::is_none));
        let clock = clocks[5].unwrap();
        assert_eq!(
            (clock.honour(), clock.limit(), clock.count()),
            (Honour::Pieces, Plies(32), Plies(6))
        );
        // Bare kings: no count runs.
        assert!(clocks[6].is_none());
        assert_eq!(replay.moves[5].numbered(), "11... Kxf4");
    }

    #[test]
    fn a_count_that_may_run_starts_with_the_game() {
        let replay = replay("[FEN \"8/8/8/3k4/8/8/4R3/4K3 w - - 0 1\"]\nRe3 Kd4").unwrap();
        let counts = replay.positions().map(|position| position.clock().unwrap().count().0);
        assert_eq!(counts.collect::<Vec<_>>(), [5, 6, 7]);
    }

    #[test]
    fn other_games_are_refused_by_name() {
        assert!(
            error("[Variant \"Chess\"]\n1. e4")
                .contains("unknown variant 'Chess': makruk or ouk expected")
        );
        assert!(error("[Variant \"Kar Ouk\"]\n1. e4").contains("'Kar Ouk'"));
        assert!(error("1. e4 e5").contains("is chess: Variant makruk or ouk expected"));
        let fen = format!("[FEN \"{CHESS} w KQkq - 0 1\"]\n1. e4");
        assert!(error(&fen).contains("is chess: Variant makruk or ouk expected"));
    }

    #[test]
    fn what_is_wrong_is_named_with_line_and_move() {
        let start = "[White \"A\"]\n[Variant \"Makruk\"]\n\n1. e4 e5\n2. ";
        let message = error(&format!("{start}Ne4 d5"));
        assert_eq!(message, "line 5, move 2.: 'Ne4' is not a legal move here");
        let message = error(&format!("{start}d4 Rc3"));
        assert_eq!(message, "line 5, move 2...: 'Rc3' is not a legal move here");
        let message = error(&format!("{start}d4 {{"));
        assert_eq!(message, "line 5: the comment that begins here is not closed");
        assert!(error("[Variant \"Makruk\"]\n[FEN \"x w\"]\n1. e4").contains("line 2: "));
    }

    #[test]
    fn the_real_game_is_played_to_its_end() {
        let replay = replay(include_str!("../../tests/data/krung-thep.pgn")).unwrap();
        assert!(replay.broken.is_none(), "{:?}", replay.broken);
        assert_eq!(replay.moves.len(), 2 * 92);
        // Published as stalemate, but the king can still go to g2.
        assert_eq!(replay.end.fen(), "8/8/8/5m2/6m1/4knK1/4m3/8 w - 128 40 93");
        let left: Vec<String> = replay.end.legal_moves().iter().map(Move::to_string).collect();
        assert_eq!(left, ["g3g2"]);
        let six = replay.moves.iter().find(|played| played.before.occupied().len() <= 6).unwrap();
        assert_eq!(six.numbered(), "79. Kd8");
        assert_eq!(six.before.material().material.to_string(), "KNMMMvK");
    }
}
