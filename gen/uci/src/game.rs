//! The game so far: its position and the positions before it.

use crate::command::PositionCommand;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::excerpt::Excerpt;
use sakmak_tables::position::Position;
use sakmak_tables::position::fen::FenError;
use sakmak_tables::position::moves::{Move, MoveError};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The number of occurrences of a position that draws the game.
pub const REPETITIONS: usize = 3;

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Game {
    /// The position on the board, with the count that runs.
    pub position: Position,
    /// The keys of all positions so far, the current one last.
    pub keys: Vec<u64>,
}

/// Text that is not a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GameTextError {
    /// A bad FEN.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move that cannot be read.
    #[error("move {number}: {source}")]
    Move {
        /// The number of the move, from 1.
        number: usize,
        /// The error.
        source: MoveError,
    },
    /// A move that is not legal.
    #[error("move {number}: {mv} is not a legal move of {fen}")]
    Illegal {
        /// The number of the move, from 1.
        number: usize,
        /// The move, as written.
        mv: Excerpt,
        /// The position in which it was played.
        fen: String,
    },
}

impl Game {
    /// A game that starts here.
    pub fn new(position: Position) -> Game {
        Game { position, keys: vec![repetition_key(&position)] }
    }

    /// Reads a game.
    ///
    /// # Errors
    ///
    /// If the FEN is invalid or a move is not legal.
    pub fn read(
        counting_rule: &'static CountingRule,
        command: &PositionCommand,
    ) -> Result<Game, GameTextError> {
        let mut game = Game::new(Position::from_fen_counted(counting_rule, &command.start)?);
        for (text, number) in command.moves.iter().zip(1..) {
            let mv = Move::from_uci(game.position.variant(), text)
                .map_err(|source| GameTextError::Move { number, source })?;
            let closing =
                || game.position.closing_moves().iter().find(|&&closing| closing == mv).copied();
            let legal = legal_move(&game.position, mv).or_else(closing);
            let legal = legal.ok_or_else(|| GameTextError::Illegal {
                number,
                mv: Excerpt::of(text),
                fen: game.position.fen(),
            })?;
            game.position = game.position.play(legal);
            game.keys.push(repetition_key(&game.position));
        }
        Ok(game)
    }

    /// The number of times that this position has occurred.
    pub fn occurrences(&self, position: &Position) -> usize {
        let key = repetition_key(position);
        self.keys.iter().filter(|&&earlier| earlier == key).count()
    }

    /// Whether this position, after a move from the current one, draws the game by repetition.
    pub fn is_drawn_by(&self, after: &Position) -> bool {
        self.occurrences(after) + 1 >= REPETITIONS
    }

    /// Whether the opponent can draw by repetition after a move to this position.
    pub fn may_be_drawn_after(&self, after: &Position) -> bool {
        after.legal_moves().iter().any(|&mv| self.is_drawn_by(&after.play(mv)))
    }
}

/// The legal move that `mv` denotes. A promotion may be omitted if it is no choice.
pub fn legal_move(position: &Position, mv: Move) -> Option<Move> {
    let no_choice = position.variant().rules.promotes_to.len() == 1;
    let same = |legal: &&Move| {
        (legal.from, legal.to) == (mv.from, mv.to)
            && (mv.promotion.is_none() && no_choice || legal.promotion == mv.promotion)
    };
    position.legal_moves().iter().find(same).copied()
}

/// A hash of pieces, side to move and leap rights: equal for repetitions of a position.
pub fn repetition_key(position: &Position) -> u64 {
    let mut hasher = DefaultHasher::new();
    position.with_clock(None).hash(&mut hasher);
    position.leaps().hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::variants::{MAKRUK, OUK};

    fn game(rule: &'static CountingRule, start: &str, moves: &str) -> Result<Game, GameTextError> {
        let moves = moves.split_whitespace().map(str::to_string).collect();
        Game::read(rule, &PositionCommand { start: start.to_string(), moves })
    }

    #[test]
    fn the_count_goes_on_through_the_moves() {
        let read = game(MAKRUK.counting(), "8/8/8/3k4/8/8/8/R3K3 w - 32 5 1", "a1a2 d5e5").unwrap();
        assert_eq!(read.position.fen(), "8/8/8/4k3/8/8/R7/4K3 w - 32 7 2");
    }

    #[test]
    fn a_third_occurrence_is_seen_one_ply_ahead() {
        let start = "8/8/8/3k4/8/8/8/R3K3 w - 32 5 1";
        let around = "a1a2 d5d6 a2a1 d6d5 ";
        let twice = game(MAKRUK.counting(), start, around).unwrap();
        assert_eq!(twice.occurrences(&twice.position), 2);
        let after = |mv: &str| twice.position.play(Move::from_uci(&MAKRUK, mv).unwrap());
        assert!(!twice.is_drawn_by(&after("a1a2")) && !twice.may_be_drawn_after(&after("a1a2")));
        let more = game(MAKRUK.counting(), start, "a1a2 d5d6 a2b2 d6d7 b2a2 d7d6 a2b2 d6d5");
        let more = more.unwrap();
        let after = |mv: &str| more.position.play(Move::from_uci(&MAKRUK, mv).unwrap());
        assert!(!more.is_drawn_by(&after("b2a2")) && more.may_be_drawn_after(&after("b2a2")));
        let again = game(MAKRUK.counting(), start, &[around, around].concat()).unwrap();
        assert!(again.is_drawn_by(&after("b2a2")) && !again.is_drawn_by(&after("b2b1")));
    }

    #[test]
    fn leap_rights_make_positions_different() {
        let held = Position::from_fen(&OUK, "4k3/8/8/8/8/8/8/3K3R w D - 0 1").unwrap();
        let lost = Position::from_fen(&OUK, "4k3/8/8/8/8/8/8/3K3R w - - 0 1").unwrap();
        assert_ne!(repetition_key(&held), repetition_key(&lost));
    }

    #[test]
    fn bad_games_are_refused_with_the_place() {
        let start = "8/8/4P3/3k4/8/8/8/R3K3 w - 32 5 1";
        assert!(matches!(game(MAKRUK.counting(), start, ""), Err(GameTextError::Fen(_))));
        let start = "8/8/8/P2k4/8/8/8/R3K3 w - - 0 1";
        assert!(matches!(
            game(MAKRUK.counting(), start, "a1a2 x"),
            Err(GameTextError::Move { number: 2, .. })
        ));
        assert!(matches!(
            game(MAKRUK.counting(), start, "a1b2"),
            Err(GameTextError::Illegal { number: 1, .. })
        ));
        for promotion in ["a5a6m", "a5a6q", "a5a6"] {
            let fen = game(MAKRUK.counting(), start, promotion).unwrap().position.fen();
            assert!(fen.starts_with("8/8/M7/"), "{fen}");
        }
    }
}
