//! A game played through from its file: positions, legal moves, the count.

use crate::games::pgn::{PgnGame, PgnError};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::position::Position;
use sakmak_tables::position::fen::FenError;
use sakmak_tables::position::moves::Move;
use sakmak_tables::position::san::{self, SanError};
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants::MAKRUK;

/// Where a game of chess begins, the first field of FEN.
const CHESS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// A game played through, or as much of it as could be.
#[derive(Clone, Debug)]
pub struct Replay {
    /// Where it began. A count that may run there is taken to start there.
    pub start: Position,
    /// Its moves.
    pub moves: Vec<PlayedMove>,
    /// The position after the last of them.
    pub end: Position,
    /// Why the rest could not be played.
    pub broken: Option<GameError>,
}

/// A move of a game.
#[derive(Clone, Debug)]
pub struct PlayedMove {
    /// The position in which it was made, the count going on from the moves before.
    pub before: Position,
    /// The move; displayed it is UCI.
    pub uci: Move,
    /// The move in algebraic notation.
    pub san: String,
    /// The line it stands on, the first being 1.
    pub line: usize,
}

/// A game cannot be played through.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// Its text is broken.
    #[error(transparent)]
    Pgn(#[from] PgnError),
    /// Another game.
    #[error("line {line}: a game of '{name}': one of {} is expected", known())]
    Variant {
        /// The line of the tag.
        line: usize,
        /// What it is called.
        name: String,
    },
    /// Chess, for want of any other word.
    #[error("line {line}: a game of chess, as no Variant is named: one of {} is expected", known())]
    Chess {
        /// Where it begins.
        line: usize,
    },
    /// Its first position cannot be read.
    #[error("line {line}: {source}")]
    Fen {
        /// The line of the FEN.
        line: usize,
        /// Why not.
        source: FenError,
    },
    /// A move that cannot be played.
    #[error("line {line}, move {number}: {source}")]
    Move {
        /// The line of the move.
        line: usize,
        /// Its number, with three points for Black's.
        number: String,
        /// Why not.
        source: SanError,
    },
}

/// The variants, for people.
fn known() -> String {
    Variant::all().map(|variant| variant.name).join(", ")
}

impl GameError {
    /// The line it is on, the first being 1.
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
    /// Plays a game through. Where its file names no variant it is of the one that is
    /// counted by `asked`; a game of that variant is counted so, another in its usual way.
    ///
    /// # Errors
    ///
    /// When it is no game of a variant known, or its first position cannot be read; what
    /// is wrong later on is [`Replay::broken`].
    pub fn of(game: &PgnGame, asked: Option<&'static CountingRule>) -> Result<Replay, GameError> {
        if let (Some(error), true) = (&game.broken, game.moves.is_empty()) {
            return Err(error.clone().into());
        }
        let variant = variant_of(game, asked)?;
        let (fen, line) = match game.tag("FEN") {
            Some(tag) => (&*tag.value, tag.line),
            None => (variant.start, game.line),
        };
        let counting_rule = asked.filter(|counting_rule| counting_rule.variant() == variant);
        let counting_rule = counting_rule.unwrap_or(variant.counting());
        let start = Position::from_fen_counted(counting_rule, fen)
            .map_err(|source| GameError::Fen { line, source })?;
        Ok(Replay::from(game, start.with_count_running()))
    }

    /// Plays the moves of a game from here.
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
        Replay { start, moves, end: position, broken }
    }

    /// The position before the move of this place, the first being 0; the last one for
    /// every place past the moves.
    pub fn position(&self, place: usize) -> &Position {
        self.moves.get(place).map_or(&self.end, |played| &played.before)
    }

    /// The position before each move, and the last one.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = &Position> {
        self.moves.iter().map(|played| &played.before).chain([&self.end])
    }
}

impl PlayedMove {
    /// The position after it.
    pub fn after(&self) -> Position {
        self.before.play(self.uci)
    }

    /// The side that made it.
    pub fn side(&self) -> Side {
        self.before.side()
    }

    /// With its number: `12. Nd4`, `12... Md5`.
    pub fn numbered(&self) -> String {
        format!("{} {}", numbered(&self.before), self.san)
    }
}

/// The number of the move to be made: `12.` for White's, `12...` for Black's.
pub fn numbered(position: &Position) -> String {
    let points = match position.side() {
        Side::White => ".",
        Side::Black => "...",
    };
    format!("{}{points}", position.number())
}

/// The variant a game's tags name. Chess is what the standard takes where none is named;
/// a game that begins elsewhere is none.
fn variant_of(
    game: &PgnGame,
    asked: Option<&'static CountingRule>,
) -> Result<&'static Variant, GameError> {
    if let Some(tag) = game.tag("Variant").filter(|tag| !tag.value.trim().is_empty()) {
        let other = || GameError::Variant { line: tag.line, name: tag.value.clone() };
        return Variant::called(&tag.value).ok_or_else(other);
    }
    if let Some(counting_rule) = asked {
        return Ok(counting_rule.variant());
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
        // Bare kings: nothing is counted any more.
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
        assert!(error("[Variant \"Chess\"]\n1. e4").contains("'Chess': one of makruk, ouk"));
        assert!(error("[Variant \"Kar Ouk\"]\n1. e4").contains("'Kar Ouk'"));
        assert!(error("1. e4 e5").contains("a game of chess"));
        let fen = format!("[FEN \"{CHESS} w KQkq - 0 1\"]\n1. e4");
        assert!(error(&fen).contains("a game of chess"));
    }

    #[test]
    fn what_is_wrong_is_named_with_line_and_move() {
        let start = "[White \"A\"]\n[Variant \"Makruk\"]\n\n1. e4 e5\n2. ";
        let message = error(&format!("{start}Ne4 d5"));
        assert_eq!(message, "line 5, move 2.: 'Ne4' is no legal move here");
        let message = error(&format!("{start}d4 Rc3"));
        assert_eq!(message, "line 5, move 2...: 'Rc3' is no legal move here");
        let message = error(&format!("{start}d4 {{"));
        assert_eq!(message, "line 5: the comment that begins here is not closed");
        assert!(error("[Variant \"Makruk\"]\n[FEN \"x w\"]\n1. e4").contains("line 2: "));
    }

    #[test]
    fn the_real_game_is_played_to_its_end() {
        let replay = replay(include_str!("../../tests/data/krung-thep.pgn")).unwrap();
        assert!(replay.broken.is_none(), "{:?}", replay.broken);
        assert_eq!(replay.moves.len(), 2 * 92);
        // Said to be stalemate; but the king may still go to g2.
        assert_eq!(replay.end.fen(), "8/8/8/5m2/6m1/4knK1/4m3/8 w - 128 40 93");
        let left: Vec<String> = replay.end.legal_moves().iter().map(Move::to_string).collect();
        assert_eq!(left, ["g3g2"]);
        let six = replay.moves.iter().find(|played| played.before.occupied().len() <= 6).unwrap();
        assert_eq!(six.numbered(), "79. Kd8");
        assert_eq!(six.before.material().material.to_string(), "KNMMMvK");
    }
}
