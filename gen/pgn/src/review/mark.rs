//! A move compared with the best move.

use sakmak_probe::Answer;
use sakmak_probe::RatedMove;
use sakmak_tables::counting::Category;
use sakmak_tables::distance::{Moves, Value, Wdl};
use sakmak_tables::position::moves::Move;
use sakmak_tables::rules::piece::Side;

/// The effect of a move on the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// No other move is better.
    Kept,
    /// The result is the same, but the mover mates later, or is mated sooner, by this many moves.
    Missed(Moves),
    /// A win became a draw or a loss, or a draw became a loss.
    ThrewAway,
}

/// The side that wins, or `None` for a draw; `result` is from the view of `mover`.
pub fn winner(result: Wdl, mover: Side) -> Option<Side> {
    match result {
        Wdl::Loss => Some(!mover),
        Wdl::Draw => None,
        Wdl::Win => Some(mover),
    }
}

/// A move compared with the best moves of its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveReview {
    /// The move played.
    pub played: RatedMove,
    /// The mover's value with the best move, and with the move played.
    pub value: [Value; 2],
    /// The mover's category with the best move, and with the move played.
    pub category: [Category; 2],
    /// The lengths compared under the count if the result is the same: the shortest mates in time
    /// with [`MoveReview::best`] and with the move played. If either length is unknown, the mates
    /// without a count.
    pub length: [Value; 2],
    /// The effect with no count.
    pub uncounted: Mark,
    /// The effect under the count.
    pub counted: Mark,
    /// The best move under the count: the quickest mate in time, or the slowest loss if all moves
    /// lose in time, else the first move of the answer. Among equal moves, the move played.
    pub best: RatedMove,
    /// The best move with no count. Among equal moves, the best move under the count.
    pub quickest: RatedMove,
    /// Whether no other move was as good under the count. False if no other move was legal.
    pub only: bool,
}

impl MoveReview {
    /// Compares a move with the other moves of its position. Returns `None` if the move is not
    /// among them.
    pub fn new(played: Move, answer: &Answer) -> Option<MoveReview> {
        let rated = answer.moves.iter().find(|rated| rated.mv == played)?;
        // The order of moves is by category first.
        let first = answer.moves.first()?;
        let result = |rated: &RatedMove| rated.category.wdl();
        let as_good = || answer.moves.iter().filter(|other| result(other) == result(first));
        let best = match result(first) {
            Wdl::Draw if result(rated) == Wdl::Draw => rated,
            Wdl::Draw => first,
            Wdl::Win | Wdl::Loss => {
                let known = as_good().all(|rated| rated.mate_in_time.is_some());
                let length = |rated: &RatedMove| {
                    rated.mate_in_time.filter(|_| known).unwrap_or(rated.dtm).preference()
                };
                let preference = as_good().map(length).max()?;
                let best = |other: &&RatedMove| length(other) == preference;
                let played = Some(rated).filter(|rated| result(rated) == result(first));
                played.filter(best).or_else(|| as_good().find(best))?
            }
        };
        let preference = answer.moves.iter().map(|rated| rated.dtm.preference()).max()?;
        let quickest = [best].into_iter().chain(&answer.moves);
        let quickest = quickest.into_iter().find(|rated| rated.dtm.preference() == preference)?;
        Some(MoveReview {
            played: rated.clone(),
            value: [quickest.dtm, rated.dtm],
            category: [first.category, rated.category],
            length: lengths(best, rated),
            uncounted: uncounted(quickest.dtm, rated.dtm),
            counted: counted(best, rated),
            best: best.clone(),
            quickest: quickest.clone(),
            only: as_good().count() == 1 && answer.moves.len() > 1,
        })
    }

    /// The moves lost without changing a result: by mates in time if they are known, else without a
    /// count.
    pub fn missed(&self) -> Option<Moves> {
        let decided = self.category.map(Category::wdl) != [Wdl::Draw; 2];
        match if decided { self.counted } else { self.uncounted } {
            Mark::Missed(moves) => Some(moves),
            Mark::Kept | Mark::ThrewAway => None,
        }
    }

    /// The worse of the two effects.
    pub fn worst(&self) -> Mark {
        match (self.counted, self.uncounted) {
            (Mark::ThrewAway, _) | (_, Mark::ThrewAway) => Mark::ThrewAway,
            (Mark::Missed(moves), _) | (_, Mark::Missed(moves)) => Mark::Missed(moves),
            (Mark::Kept, Mark::Kept) => Mark::Kept,
        }
    }
}

fn uncounted(best: Value, played: Value) -> Mark {
    let missed = |more: Moves, less: Moves| match more.0.saturating_sub(less.0) {
        0 => Mark::Kept,
        moves => Mark::Missed(Moves(moves)),
    };
    match (best, played) {
        (Value::Win(best), Value::Win(played)) => missed(played, best),
        (Value::Loss(best), Value::Loss(played)) => missed(best, played),
        (Value::Draw, Value::Draw) => Mark::Kept,
        _ => Mark::ThrewAway,
    }
}

fn counted(best: &RatedMove, played: &RatedMove) -> Mark {
    match [best, played].map(|rated| rated.category.wdl()) {
        [best, played] if best != played => Mark::ThrewAway,
        // A draw by the count is a draw, however long the mate takes.
        [Wdl::Draw, _] => Mark::Kept,
        _ => {
            let [best, played] = lengths(best, played);
            uncounted(best, played)
        }
    }
}

fn lengths(best: &RatedMove, played: &RatedMove) -> [Value; 2] {
    match (best.mate_in_time, played.mate_in_time) {
        (Some(best), Some(played)) => [best, played],
        _ => [best.dtm, played.dtm],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::tests::answer;
    use sakmak_tables::position::Position;
    use sakmak_tables::variants::MAKRUK;

    /// The review of a move in an answer with these moves, best first.
    fn review(played: usize, moves: &[(Category, Value)]) -> MoveReview {
        let fen = "8/8/8/3k4/8/8/4R3/4K3 w - - 0 1";
        let position = Position::from_fen(&MAKRUK, fen).unwrap();
        let legal = position.legal_moves();
        let rated = moves.iter().zip(&legal).map(|(&(category, value), &mv)| RatedMove {
            mv,
            san: mv.uci(&MAKRUK),
            dtm: value,
            counted: value,
            mate_in_time: matches!(category, Category::Win | Category::Loss).then_some(value),
            category,
            after: position.play(mv),
        });
        let answer = answer(position, moves[0], rated.collect());
        MoveReview::new(legal[played], &answer).unwrap()
    }

    fn win(moves: u32) -> Value {
        Value::Win(Moves(moves))
    }

    fn loss(moves: u32) -> Value {
        Value::Loss(Moves(moves))
    }

    #[test]
    fn a_move_is_compared_with_the_best_with_and_without_the_count() {
        use Category::{BlessedLoss, CursedWin, Draw, Loss, Win};
        use Mark::{Kept, Missed, ThrewAway};
        let moves = [(Win, win(3)), (Win, win(5)), (CursedWin, win(9)), (Draw, Value::Draw)];
        let moves = [&moves[..], &[(Loss, loss(2))]].concat();
        for (played, uncounted, counted) in [
            (0, Kept, Kept),
            (1, Missed(Moves(2)), Missed(Moves(2))),
            (2, Missed(Moves(6)), ThrewAway),
            (3, ThrewAway, ThrewAway),
            (4, ThrewAway, ThrewAway),
        ] {
            let review = review(played, &moves);
            assert_eq!((review.uncounted, review.counted), (uncounted, counted), "{played}");
            assert_eq!(review.value, [win(3), moves[played].1]);
            assert!(!review.only);
        }
        // The count saves the loser until it errs.
        let moves = [(BlessedLoss, loss(20)), (BlessedLoss, loss(18)), (Loss, loss(12))];
        for (played, uncounted, counted) in
            [(0, Kept, Kept), (1, Missed(Moves(2)), Kept), (2, Missed(Moves(8)), ThrewAway)]
        {
            let review = review(played, &moves);
            assert_eq!((review.uncounted, review.counted), (uncounted, counted), "{played}");
        }
    }

    #[test]
    fn the_best_move_under_the_count_need_not_be_the_quickest() {
        use Category::{CursedWin, Win};
        let moves = [(Win, win(9)), (Win, win(9)), (CursedWin, win(4))];
        let review = |played| review(played, &moves);
        // Among equal moves, the move played.
        assert_ne!(review(1).best.mv, review(0).best.mv);
        assert_eq!((review(1).counted, review(1).uncounted), (Mark::Kept, Mark::Missed(Moves(5))));
        assert_eq!((review(2).counted, review(2).uncounted), (Mark::ThrewAway, Mark::Kept));
        assert_eq!(review(1).quickest.dtm, win(4));
        assert_eq!(review(0).worst(), Mark::Missed(Moves(5)));
    }

    #[test]
    fn the_only_move_is_marked() {
        use Category::{Draw, Win};
        assert!(review(0, &[(Win, win(2)), (Draw, Value::Draw)]).only);
        assert!(!review(0, &[(Win, win(2)), (Win, win(7))]).only);
        assert!(!review(0, &[(Draw, Value::Draw)]).only);
    }
}
