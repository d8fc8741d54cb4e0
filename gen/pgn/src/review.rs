//! A review of a game, move by move.
//!
//! If the tables have a position, the move played is compared with the best move: its effect on the
//! result without a count, and under the count. Counts are followed from the first move, with or
//! without tables.

mod mark;
mod run;

pub use mark::{Mark, MoveReview, winner};
pub use run::CountRun;

use crate::pgn::GameResult;
use crate::replay::Replay;
use sakmak_probe::Answer;
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::position::{Outcome, Position};
use sakmak_tables::rules::piece::Side;
use std::collections::HashMap;

/// A review of a game. An index denotes a move and the position before it, from 0.
#[derive(Clone, Debug)]
pub struct Review {
    /// The game.
    pub replay: Replay,
    /// The answers for its positions, including the last; `None` if the tables lack a position.
    pub answers: Vec<Option<Answer>>,
    /// The reviews of its moves; `None` if the tables lack the position before.
    pub moves: Vec<Option<MoveReview>>,
    /// The counts of the game, in order.
    pub runs: Vec<CountRun>,
}

/// The ending of a game on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameEnding {
    /// The game is over by the rules of moves. The winner is `None` for a draw.
    Over(Outcome, Option<Side>),
    /// Only the kings are left.
    BareKings,
    /// The game could have continued.
    Open,
}

impl Review {
    /// Reviews a game; `probe` returns the answer for a position, or `None` if the tables lack it.
    pub fn of(replay: Replay, probe: impl FnMut(&Position) -> Option<Answer>) -> Review {
        let answers: Vec<Option<Answer>> = replay.positions().map(probe).collect();
        let answered = replay.moves.iter().zip(&answers);
        let moves = answered.map(|(played, answer)| MoveReview::new(played.mv, answer.as_ref()?));
        let moves = moves.collect();
        let runs = CountRun::all(&replay, &answers);
        Review { replay, answers, moves, runs }
    }

    /// The review of the move at this index, with the moves as the game writes them; `None` if the
    /// tables lack the position before.
    pub fn in_dialect(&self, index: usize) -> Option<MoveReview> {
        let played = self.replay.moves.get(index)?;
        let mut review = self.moves.get(index)?.clone()?;
        for rated in [&mut review.best, &mut review.quickest] {
            rated.san = self.replay.written(played, rated.mv);
        }
        Some(review)
    }

    /// The index of the first position that the tables have, or `None`.
    pub fn first_known(&self) -> Option<usize> {
        self.answers.iter().position(Option::is_some)
    }

    /// The count that runs in the position at this index, or `None`.
    pub fn run(&self, index: usize) -> Option<&CountRun> {
        self.runs.iter().find(|run| run.holds(index))
    }

    /// The number that the mover calls with the move at this index, or `None` if the mover does not
    /// count.
    pub fn called(&self, index: usize) -> Option<Moves> {
        let run = self.run(index).filter(|run| run.holds(index + 1))?;
        let played = self.replay.moves.get(index).filter(|played| played.side() == run.runner())?;
        // Past the limit no number is called: the draw is claimed.
        Some(run.called(&played.after())).filter(|&called| called <= run.limit)
    }

    /// The ending of the game on the board.
    pub fn ending(&self) -> GameEnding {
        let end = &self.replay.end;
        if self.replay.closing.is_some() {
            return GameEnding::Over(Outcome::BareKing, Some(!end.side()));
        }
        match end.outcome() {
            Some(outcome) => {
                let is_lost = end.final_value().is_some_and(|value| value != Value::Draw);
                GameEnding::Over(outcome, is_lost.then_some(!end.side()))
            }
            None if end.occupied().len() == Side::BOTH.len() => GameEnding::BareKings,
            None => GameEnding::Open,
        }
    }

    /// The result of the last position: on the board, or by the tables under the count. `None` if
    /// neither decides, or if the game could not be read to its end.
    pub fn due(&self) -> Option<GameResult> {
        let won = |side: Side| match side {
            Side::White => GameResult::White,
            Side::Black => GameResult::Black,
        };
        if self.replay.broken.is_some() {
            return None;
        }
        let winner = match self.ending() {
            GameEnding::Over(_, winner) => winner,
            GameEnding::BareKings => None,
            GameEnding::Open => {
                let answer = self.answers.last()?.as_ref()?;
                winner(answer.category.wdl(), self.replay.end.side())
            }
        };
        Some(winner.map_or(GameResult::Draw, won))
    }

    /// The first three indices of positions with the same pieces, side to move and leap rights.
    /// `None` if no position occurs three times.
    pub fn repetition(&self) -> Option<[usize; 3]> {
        let mut seen: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, position) in self.replay.positions().enumerate() {
            let fen = position.fen();
            // Board, side and leap rights, without the count and the number of the move.
            let setup: Vec<&str> = fen.split(' ').take(3).collect();
            let indices = seen.entry(setup.join(" ")).or_default();
            indices.push(index);
            if let &[first, second, third] = &indices[..] {
                return Some([first, second, third]);
            }
        }
        None
    }

    /// The moves that a side lost in the whole game without changing the result: it mated later
    /// or was mated sooner than necessary.
    pub fn lost_moves(&self, side: Side) -> Moves {
        let reviewed = self.replay.moves.iter().zip(&self.moves);
        let of_side = reviewed.filter(|(played, _)| played.side() == side);
        let lost = of_side.filter_map(|(_, review)| review.as_ref()?.missed());
        Moves(lost.map(|moves| moves.0).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Games;
    use sakmak_probe::RatedMove;
    use sakmak_tables::counting::{Category, Honour};
    use sakmak_tables::distance::Value;

    /// An answer with these moves, best first.
    pub(super) fn answer(
        position: Position,
        (category, dtm): (Category, Value),
        moves: Vec<RatedMove>,
    ) -> Answer {
        Answer {
            position,
            missing: None,
            notes: Vec::new(),
            outcome: None,
            dtm,
            counted: dtm,
            mate_in_time: None,
            category,
            count: None,
            moves,
            lines: None,
            solution: None,
        }
    }

    fn replayed(variant: &str, fen: &str, moves: &str) -> Replay {
        let text = format!("[Variant \"{variant}\"]\n[FEN \"{fen}\"]\n{moves}");
        let game = Games::of(&text).next().unwrap();
        let replay = Replay::of(&game, None).unwrap();
        assert!(replay.broken.is_none(), "{:?}", replay.broken);
        replay
    }

    /// A review without tables.
    fn reviewed(variant: &str, fen: &str, moves: &str) -> Review {
        Review::of(replayed(variant, fen, moves), |_| None)
    }

    fn called(review: &Review) -> Vec<Option<u32>> {
        (0..review.moves.len()).map(|index| review.called(index).map(|moves| moves.0)).collect()
    }

    #[test]
    fn the_runner_calls_its_moves_from_the_men_on() {
        // The rook takes the last piece; the limit of king and rook is 16, less three.
        let review = reviewed("makruk", "8/8/8/3k4/8/8/3mR3/4K3 w - - 0 1", "Rxd2 Ke5 Rd1 Ke4 Rd2");
        let [boards, pieces] = review.runs[..] else { panic!("{:?}", review.runs) };
        assert_eq!((boards.honour, boards.start, boards.end), (Honour::Boards, 0, 0));
        assert_eq!((pieces.honour, pieces.start, pieces.end), (Honour::Pieces, 1, 5));
        assert_eq!(
            (pieces.limit, pieces.first_call, pieces.runner()),
            (Moves(16), Moves(4), Side::Black)
        );
        assert_eq!(called(&review), [None, Some(4), None, Some(5), None]);
        assert_eq!(pieces.moves_left(&review.replay.end), Moves(11));
        assert_eq!((pieces.claim, review.ending()), (None, GameEnding::Open));
    }

    #[test]
    fn the_attacker_is_the_side_that_wins_in_the_first_position_that_is_no_draw() {
        use Value::{Draw, Loss, Win};
        let run_with = |values: [Value; 4]| {
            let replay = replayed("makruk", "8/8/8/3k4/8/m7/4R3/4K3 w - - 0 1", "Rf2 Ke5 Rg2");
            let mut values = values.into_iter();
            let review = Review::of(replay, |position| {
                Some(answer(*position, (Category::Draw, values.next()?), Vec::new()))
            });
            let [run] = review.runs[..] else { panic!("{:?}", review.runs) };
            (run.honour, run.attacker)
        };
        let (win, loss) = (Win(Moves(5)), Loss(Moves(5)));
        for (values, attacker) in [
            ([Draw, Draw, Draw, Draw], Side::White),
            ([Draw, win, Draw, loss], Side::Black),
            ([Draw, win, win, loss], Side::Black),
            ([loss, win, win, loss], Side::Black),
            ([Draw, loss, loss, win], Side::White),
        ] {
            assert_eq!(run_with(values), (Honour::Boards, attacker), "{values:?}");
        }
    }

    #[test]
    fn a_count_that_the_bare_king_starts_is_called_with_its_next_move() {
        let review = reviewed("makruk", "8/8/8/8/5P2/4k3/8/R6K b - - 0 1", "Kxf4 Ra5 Kf3 Kg1");
        assert_eq!(called(&review), [None, None, Some(4), None]);
        assert_eq!((review.runs.len(), review.runs[0].start), (1, 1));
        assert_eq!(review.runs[0].first_call, Moves(4));
    }

    #[test]
    fn the_draw_can_be_claimed_past_the_limit_unless_it_is_mate() {
        let start = "8/8/8/3k4/8/8/4R3/4K3 b - 32 30 14";
        let review = reviewed("makruk", start, "Kd4 Rd2+ Ke4 Re2+");
        assert_eq!(called(&review), [Some(16), None, None, None]);
        assert_eq!(review.runs[0].claim, Some(3));
        // In Ouk the limit itself is never called.
        let start = "8/8/8/3k4/8/8/4R3/4K3 b - 30 30 15";
        let review = reviewed("ouk", start, "Kd4 Rd2+");
        assert_eq!((called(&review), review.runs[0].claim), (vec![Some(16), None], Some(1)));
        // A mate in time, and a late mate.
        for count in [31, 33] {
            let start = format!("k7/8/1K6/8/8/8/8/7R w - 32 {count} 20");
            let review = reviewed("makruk", &start, "Rh8#");
            assert_eq!(review.ending(), GameEnding::Over(Outcome::Checkmate, Some(Side::White)));
            assert_eq!(review.runs[0].claim, (count > 32).then_some(0));
        }
    }

    #[test]
    fn the_end_is_told() {
        let stalemate = reviewed("makruk", "k7/7R/1K6/8/8/8/8/8 w - - 0 1", "Rb7");
        assert_eq!(stalemate.ending(), GameEnding::Over(Outcome::Stalemate, None));
        let bare = reviewed("makruk", "8/8/8/8/8/4k3/4R3/7K b - - 0 1", "Kxe2");
        assert_eq!(bare.ending(), GameEnding::BareKings);
        assert_eq!((bare.first_known(), bare.lost_moves(Side::White)), (None, Moves(0)));
    }

    #[test]
    fn the_board_tells_the_result_of_a_finished_game() {
        for (variant, fen, moves, due) in [
            ("makruk", "k7/8/1K6/8/8/8/8/7R w - - 0 1", "Rh8#", Some(GameResult::White)),
            ("makruk", "K7/8/1k6/8/8/8/8/7r b - - 0 1", "Rh8#", Some(GameResult::Black)),
            ("makruk", "k7/7R/1K6/8/8/8/8/8 w - - 0 1", "Rb7", Some(GameResult::Draw)),
            ("shatranj", "k7/7R/1K6/8/8/7p/7P/8 w - - 0 1", "Rb7", Some(GameResult::White)),
            ("makruk", "8/8/8/8/8/4k3/4R3/7K b - - 0 1", "Kxe2", Some(GameResult::Draw)),
            ("makruk", "k7/8/1K6/8/8/8/8/7R w - - 0 1", "Rh7", None),
        ] {
            assert_eq!(reviewed(variant, fen, moves).due(), due, "{variant} {moves}");
        }
    }

    #[test]
    fn a_position_that_occurs_three_times_is_found() {
        let start = "8/8/8/3k4/8/8/4R3/4K3 w - - 0 1";
        let back = "Kd1 Kd4 Ke1 Kd5 ";
        let review = |moves: &str| reviewed("makruk", start, moves);
        assert_eq!(review(&back.repeat(2)).repetition(), Some([0, 4, 8]));
        assert_eq!(review(back).repetition(), None);
        // Only the side to move differs.
        let other = review("Kd1 Kd4 Re1 Kd5 Re2 Kd4 Ke1 Kd5");
        assert_eq!(other.repetition(), None);
    }
}
