//! The squares of a tile whose codes predict the code of a square: earlier squares, the most
//! similar first.
//!
//! For a rook the most similar square is the square beside it. For a met it is a diagonal
//! neighbour, since a met never leaves its colour. The best order for a table is found by counting.

use crate::error::CodecError;
use sakmak_tables::board::square::{SQUARES, Square, Step};

/// The number of [steps](BACK).
pub const STEPS: usize = 8;

/// Steps from a square to earlier squares.
pub const BACK: [Step; STEPS] = [
    Step::new(-1, 0),
    Step::new(0, -1),
    Step::new(-1, -1),
    Step::new(1, -1),
    Step::new(-2, 0),
    Step::new(0, -2),
    Step::new(-2, -1),
    Step::new(2, -1),
];

/// The number of earlier squares that a prediction reads.
pub const NEAR_SQUARES: usize = 6;

/// The squares that a prediction reads, for each square.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContextSquares {
    /// The indices of the steps, the most similar square first.
    order: [u8; STEPS],
    /// The squares of the first steps that stay on the board, by square. The last of them is
    /// repeated if they are too few; without any, the square itself is repeated.
    near: [[u8; NEAR_SQUARES]; SQUARES],
    /// The square opposite the nearest earlier square, or the square itself at the edge; by square.
    beyond: [u8; SQUARES],
}

impl ContextSquares {
    /// The squares for an order of the steps of [`BACK`].
    ///
    /// # Errors
    ///
    /// If the order does not name each step once.
    pub fn new(order: [u8; STEPS]) -> Result<ContextSquares, CodecError> {
        let mut sorted = order;
        sorted.sort_unstable();
        if sorted.iter().enumerate().any(|(index, &step)| usize::from(step) != index) {
            return Err(CodecError::Model("order of steps"));
        }
        let mut near = [[0; NEAR_SQUARES]; SQUARES];
        let mut beyond = [0; SQUARES];
        for square in Square::all() {
            let on_board = order.iter().filter_map(|&step| square.step(BACK[usize::from(step)]));
            let mut last = square;
            let mut earlier = on_board.inspect(|&near| last = near);
            let squares: [Option<Square>; NEAR_SQUARES] = std::array::from_fn(|_| earlier.next());
            drop(earlier);
            near[square.index()] = squares.map(|near| near.unwrap_or(last).index() as u8);
            // One of these steps always stays on the board, except from the first square.
            let nearest = Square::wrapping(near[square.index()][0].into());
            let onward = Step::new(
                square.file() as i8 - nearest.file() as i8,
                square.rank() as i8 - nearest.rank() as i8,
            );
            beyond[square.index()] = square.step(onward).unwrap_or(square).index() as u8;
        }
        Ok(ContextSquares { order, near, beyond })
    }

    /// The indices of the steps, the most similar square first.
    pub fn order(&self) -> [u8; STEPS] {
        self.order
    }

    /// The earlier squares that the prediction of a square reads, the most similar first.
    #[inline(always)]
    pub fn near(&self, square: usize) -> &[u8; NEAR_SQUARES] {
        &self.near[square % SQUARES]
    }

    /// The square opposite the nearest earlier square.
    #[inline(always)]
    pub fn beyond(&self, square: usize) -> usize {
        usize::from(self.beyond[square % SQUARES])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_squares_come_before() {
        let squares = ContextSquares::new([5, 4, 3, 2, 1, 0, 7, 6]).unwrap();
        for square in 1..SQUARES {
            for &near in squares.near(square) {
                assert!(usize::from(near) < square);
            }
        }
        assert_eq!(squares.near(0), &[0; NEAR_SQUARES]);
        assert_eq!(squares.near(18)[0], 2);
        assert_eq!(squares.beyond(18), 34);
        assert_eq!(squares.beyond(60), 60);
    }

    #[test]
    fn orders_name_each_step_once() {
        assert!(ContextSquares::new([0, 1, 2, 3, 4, 5, 6, 6]).is_err());
        assert!(ContextSquares::new([0, 1, 2, 3, 4, 5, 6, 8]).is_err());
    }
}
