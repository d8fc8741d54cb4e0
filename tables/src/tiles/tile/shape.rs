//! What is known of a panel before any of its codes.

use crate::tiles::tile::{Panel, Panels};
use crate::packed_codec::walk::Shape;
use crate::rules::piece::{Kind, Man, Side};
use crate::board::bitboard::Set;
use crate::board::square::Square;

impl Panels {
    /// What is known of a panel from its men, with this side to move. Kept are the legal
    /// positions.
    ///
    /// Of a king that runs, guarding are the squares from which it attacks a man.
    pub fn shape(&self, panel: &Panel, mover: Side) -> Shape {
        let men = &panel.men[..panel.count.min(panel.men.len())];
        let (reach, strikers) = (&self.variant.reach, &self.variant.strikers);
        let runner = self.runner_man();
        let mut occupied = Set::of(panel.white);
        let mut squares = self.squares(panel);
        if let Some(black) = panel.black {
            occupied.insert(black);
        }
        for &(_, square) in men {
            if occupied.contains(square) {
                return Shape::default();
            }
            occupied.insert(square);
        }
        squares = squares - occupied;
        let mut kept = squares;
        let (mut struck, mut guarding) = (Set::EMPTY, Set::EMPTY);
        // The square of the king that must not stand in check, unless it runs.
        let waiting = match mover {
            Side::White => panel.black,
            Side::Black => Some(panel.white),
        };
        if let Some(waiting) = waiting.filter(|_| runner.side == mover) {
            kept = kept - strikers.strikers(runner, waiting, occupied);
        }
        for &(man, square) in men {
            let strikes = reach.strikes(man, square, occupied);
            if man.side != runner.side {
                struck |= strikes;
            }
            if (man.side != runner.side) == (runner.kind == Kind::King) {
                guarding |= strikers.strikers(runner, square, occupied);
            }
            if man.side != mover {
                continue;
            }
            match waiting {
                // The king that runs.
                None => kept = kept - strikes,
                Some(waiting) if strikes.contains(waiting) => {
                    // Only where the runner stands between.
                    let blocks = |&square_of_runner: &Square| {
                        let occupied = occupied | Set::of(square_of_runner);
                        !reach.strikes(man, square, occupied).contains(waiting)
                    };
                    kept = kept & (kept & strikes).filter(blocks).collect();
                }
                Some(_) => {}
            }
        }
        let enemy = match runner.side {
            Side::White => panel.black,
            Side::Black => Some(panel.white),
        };
        if let Some(square) = enemy {
            struck |= reach.strikes(Man::new(!runner.side, Kind::King), square, occupied);
        }
        Shape { kept: kept.0, struck: struck.0, guarding: guarding.0 }
    }

    /// The squares of the runner with which this side may have a move that takes or
    /// promotes: all with which it has one are among them.
    pub fn may_change(&self, panel: &Panel, mover: Side) -> Set {
        let Panel { men, count, white, black, .. } = panel;
        let (reach, strikers) = (&self.variant.reach, &self.variant.strikers);
        let promotion = self.variant.rules.promotion_squares(mover);
        // A king that is taken by none is left out of the enemies.
        let king = match mover {
            Side::White => Some(*white),
            Side::Black => *black,
        };
        let king = king.map(|square| (Man::new(mover, Kind::King), square));
        let men = || men[..(*count).min(men.len())].iter().copied().chain(king);
        let set_of = |side: Side| -> Set {
            men().filter(|(man, _)| man.side == side).map(|(_, square)| square).collect()
        };
        let enemies = set_of(!mover);
        let kings: Set = [Some(*white), *black].into_iter().flatten().collect();
        let occupied = enemies | set_of(mover) | kings;
        let promotes = |man: Man, square: Square| {
            let ahead = reach.targets(man, square, Set::EMPTY, Set::EMPTY);
            man.kind == Kind::Pawn && !(ahead & promotion).is_empty()
        };
        let runner = self.runner_man();
        let mut squares = Set::EMPTY;
        for (man, square) in men().filter(|(man, _)| man.side == mover) {
            let strikes = reach.strikes(man, square, occupied);
            if !(strikes & enemies).is_empty() || promotes(man, square) {
                return !Set::EMPTY;
            }
            if runner.side != mover {
                squares |= strikes;
            }
        }
        if runner.side == mover {
            for square in enemies {
                squares |= strikers.strikers(runner, square, occupied);
            }
            squares |= self.squares(panel).filter(|&square| promotes(runner, square)).collect();
        }
        squares
    }
}
