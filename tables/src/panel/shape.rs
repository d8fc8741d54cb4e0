//! What is known of a panel before any of its codes.

use super::{Panel, Panels};
use crate::codec::walk::Shape;
use crate::man::{Kind, Man, Side};
use crate::set::Set;
use crate::square::Square;

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
}
