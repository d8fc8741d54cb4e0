//! One move held against the best.

use sakmak_probe::answer::Answer;
use sakmak_probe::answer::rated_move::RatedMove;
use sakmak_tables::counting::Category;
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::position::moves::Move;
use sakmak_tables::rules::piece::Side;

/// What a move did to the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// Nothing: as good as any other.
    Kept,
    /// The result is the same, but the mover mates so many moves later than it could, or
    /// is mated so many moves sooner than it need.
    Missed(Moves),
    /// A win became a draw or a loss, or a draw a loss.
    ThrewAway,
}

/// What a side gets, in the order in which it likes it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wdl {
    /// It is mated.
    Loss,
    /// Neither mates.
    Draw,
    /// It mates.
    Win,
}

impl Wdl {
    /// What a value is worth to the mover, with nothing counted.
    pub fn of_value(value: Value) -> Wdl {
        match value {
            Value::Loss(_) => Wdl::Loss,
            Value::Draw => Wdl::Draw,
            Value::Win(_) => Wdl::Win,
        }
    }

    /// What a grade is worth to the mover under the count: a win that comes too late is a
    /// draw.
    pub fn of_category(category: Category) -> Wdl {
        match category {
            Category::Loss => Wdl::Loss,
            Category::BlessedLoss | Category::Draw | Category::CursedWin => Wdl::Draw,
            Category::Win => Wdl::Win,
        }
    }

    /// The side that wins, if one does, where this is the worth for `mover`.
    pub fn winner(self, mover: Side) -> Option<Side> {
        match self {
            Wdl::Loss => Some(!mover),
            Wdl::Draw => None,
            Wdl::Win => Some(mover),
        }
    }
}

/// A move held against the best.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveReview {
    /// What the position was worth to the mover, and is after its move.
    pub value: [Value; 2],
    /// The same under the count.
    pub category: [Category; 2],
    /// What the move did with nothing counted.
    pub uncounted: Mark,
    /// What it did under the count.
    pub counted: Mark,
    /// The best move under the count: the quickest mate among those in time, the slowest
    /// where all are lost in time, else the first of the answer; of equals the one played.
    pub best: RatedMove,
    /// The best move with nothing counted, of equals the one that is best under the count.
    pub quickest: RatedMove,
    /// Whether there was no other move as good under the count, but other moves.
    pub only: bool,
}

impl MoveReview {
    /// Holds a move against the others of its position; nothing if it is not among them.
    pub fn new(played: Move, answer: &Answer) -> Option<MoveReview> {
        let rated = answer.moves.iter().find(|rated| rated.uci == played)?;
        // The order of moves is by category first.
        let first = answer.moves.first()?;
        let worth = |rated: &RatedMove| Wdl::of_category(rated.category);
        let as_good = || answer.moves.iter().filter(|other| worth(other) == worth(first));
        let best = match worth(first) {
            Wdl::Draw if worth(rated) == Wdl::Draw => rated,
            Wdl::Draw => first,
            Wdl::Win | Wdl::Loss => {
                let preference = as_good().map(|rated| rated.value.preference()).max()?;
                let best = |other: &&RatedMove| other.value.preference() == preference;
                let played = Some(rated).filter(|rated| worth(rated) == worth(first));
                played.filter(best).or_else(|| as_good().find(best))?
            }
        };
        let preference = answer.moves.iter().map(|rated| rated.value.preference()).max()?;
        let quickest = [best].into_iter().chain(&answer.moves);
        let quickest = quickest.into_iter().find(|rated| rated.value.preference() == preference)?;
        Some(MoveReview {
            value: [quickest.value, rated.value],
            category: [first.category, rated.category],
            uncounted: uncounted(quickest.value, rated.value),
            counted: counted(best, rated),
            best: best.clone(),
            quickest: quickest.clone(),
            only: as_good().count() == 1 && answer.moves.len() > 1,
        })
    }

    /// What the move did to the result that counts, for the better or worse of the two
    /// ways of looking at it.
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
    match [best, played].map(|rated| Wdl::of_category(rated.category)) {
        [best, played] if best != played => Mark::ThrewAway,
        // A draw by the count is a draw, however long the mate takes.
        [Wdl::Draw, _] => Mark::Kept,
        _ => uncounted(best.value, played.value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_probe::answer::line::{CountedLine, LineEnd};
    use sakmak_tables::position::Position;
    use sakmak_tables::variants::MAKRUK;

    /// An answer with these moves, best first, of king and rook at a place without a mate.
    fn judged(played: usize, moves: &[(Category, Value)]) -> MoveReview {
        let fen = "8/8/8/3k4/8/8/4R3/4K3 w - - 0 1";
        let position = Position::from_fen(&MAKRUK, fen).unwrap();
        let legal = position.legal_moves();
        let rated = moves.iter().zip(&legal).map(|(&(category, value), &uci)| RatedMove {
            uci,
            san: uci.to_string(),
            value,
            counted: value,
            category,
            after: position.play(uci),
        });
        let answer = Answer {
            outcome: None,
            value: moves[0].1,
            counted: moves[0].1,
            category: moves[0].0,
            count: None,
            moves: rated.collect(),
            line: Vec::new(),
            counted_line: CountedLine { moves: Vec::new(), end: LineEnd::Claim, last: position },
        };
        MoveReview::new(legal[played], &answer).unwrap()
    }

    fn win(moves: u32) -> Value {
        Value::Win(Moves(moves))
    }

    fn loss(moves: u32) -> Value {
        Value::Loss(Moves(moves))
    }

    #[test]
    fn a_move_is_held_against_the_best_with_and_without_the_count() {
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
            let judged = judged(played, &moves);
            assert_eq!((judged.uncounted, judged.counted), (uncounted, counted), "{played}");
            assert_eq!(judged.value, [win(3), moves[played].1]);
            assert!(!judged.only);
        }
        // The count saves the loser until it errs.
        let moves = [(BlessedLoss, loss(20)), (BlessedLoss, loss(18)), (Loss, loss(12))];
        for (played, uncounted, counted) in
            [(0, Kept, Kept), (1, Missed(Moves(2)), Kept), (2, Missed(Moves(8)), ThrewAway)]
        {
            let judged = judged(played, &moves);
            assert_eq!((judged.uncounted, judged.counted), (uncounted, counted), "{played}");
        }
    }

    #[test]
    fn the_best_move_under_the_count_need_not_be_the_quickest() {
        use Category::{CursedWin, Win};
        let moves = [(Win, win(9)), (Win, win(9)), (CursedWin, win(4))];
        let judged = |played| judged(played, &moves);
        // Of equals the one played.
        assert_ne!(judged(1).best.uci, judged(0).best.uci);
        assert_eq!((judged(1).counted, judged(1).uncounted), (Mark::Kept, Mark::Missed(Moves(5))));
        assert_eq!((judged(2).counted, judged(2).uncounted), (Mark::ThrewAway, Mark::Kept));
        assert_eq!(judged(1).quickest.value, win(4));
        assert_eq!(judged(0).worst(), Mark::Missed(Moves(5)));
    }

    #[test]
    fn the_only_move_is_told() {
        use Category::{Draw, Win};
        assert!(judged(0, &[(Win, win(2)), (Draw, Value::Draw)]).only);
        assert!(!judged(0, &[(Win, win(2)), (Win, win(7))]).only);
        assert!(!judged(0, &[(Draw, Value::Draw)]).only);
    }
}
