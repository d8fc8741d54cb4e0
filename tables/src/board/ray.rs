//! Lines along which pieces slide: the squares ahead of each square, up to the first piece.

use crate::board::bitboard::Bitboard;
use crate::board::square::{SQUARES, Square, Step};

/// One direction: the squares ahead of every square, up to the edge.
#[derive(Clone, Debug)]
pub struct Ray {
    ahead: [Bitboard; SQUARES],
    /// Whether squares farther ahead have higher indices.
    ascending: bool,
}

impl Ray {
    /// Computes the squares ahead in the direction of `step`.
    pub fn new(step: Step) -> Ray {
        let ahead = std::array::from_fn(|index| {
            let start = Square::wrapping(index);
            std::iter::successors(start.step(step), |square| square.step(step)).collect()
        });
        // A step that stays on its rank ascends towards the h-file.
        let ascending = (step.ranks, step.files) > (0, 0);
        Ray { ahead, ascending }
    }

    /// The squares ahead on an empty board.
    pub fn ahead(&self, from: Square) -> Bitboard {
        self.ahead[from.index()]
    }

    /// The squares ahead, up to and including the first occupied one.
    pub fn slide(&self, from: Square, occupied: Bitboard) -> Bitboard {
        let ahead = self.ahead(from);
        // If no square ahead is occupied, the last corner in this direction serves as the first
        // piece: no square is ahead of it.
        let first = if self.ascending {
            let corner = 1 << (SQUARES - 1);
            ((ahead & occupied).0 | corner).trailing_zeros()
        } else {
            ((ahead & occupied).0 | 1).ilog2()
        };
        ahead - self.ahead(Square::wrapping(first as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slides_end_with_the_first_piece() {
        let occupied: Bitboard =
            ["b4", "g4", "d7", "d8", "a1"].map(|s| s.parse().unwrap()).into_iter().collect();
        let d4: Square = "d4".parse().unwrap();
        for (step, squares) in [
            ((1, 0), &["e4", "f4", "g4"][..]),
            ((-1, 0), &["c4", "b4"]),
            ((0, 1), &["d5", "d6", "d7"]),
            ((0, -1), &["d3", "d2", "d1"]),
            ((-1, -1), &["c3", "b2", "a1"]),
            ((-1, 1), &["c5", "b6", "a7"]),
        ] {
            let ray = Ray::new(Step::new(step.0, step.1));
            let expected: Bitboard = squares.iter().map(|s| s.parse::<Square>().unwrap()).collect();
            assert_eq!(ray.slide(d4, occupied), expected, "{step:?}");
        }
    }
}
