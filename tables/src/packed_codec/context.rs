//! Which squares of a tile tell most about a square: those that come before it, the best
//! first.
//!
//! For a rook that is the square beside it, for a met the ones a diagonal step away, since
//! it never leaves its colour; which is best for a table is found by counting.

use crate::board::square::{SQUARES, Square, Step};
use crate::packed_codec::error::CodecError;

/// How many squares may be asked.
pub const STEPS: usize = 8;

/// The steps to the squares that may be asked, all of which come before.
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

/// How many of them are looked at.
pub const ASKED: usize = 6;

/// The squares to ask, for each square.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Neighbours {
    /// The numbers of the steps, the best first.
    order: [u8; STEPS],
    /// By square: where to look, the first square itself where there is nothing before.
    near: [[u8; ASKED]; SQUARES],
    /// By square: as far beyond it as the first to ask lies before it, or itself.
    beyond: [u8; SQUARES],
}

impl Neighbours {
    /// The squares to ask when the steps of [`BACK`] are tried in this order, each named
    /// once.
    pub fn new(order: [u8; STEPS]) -> Result<Neighbours, CodecError> {
        let mut sorted = order;
        sorted.sort_unstable();
        if sorted.iter().enumerate().any(|(place, &step)| usize::from(step) != place) {
            return Err(CodecError::Model("neighbours"));
        }
        let mut near = [[0; ASKED]; SQUARES];
        let mut beyond = [0; SQUARES];
        for square in Square::all() {
            let on_board = order.iter().filter_map(|&step| square.step(BACK[usize::from(step)]));
            let mut last = square;
            let mut found = on_board.inspect(|&near| last = near);
            let squares: [Option<Square>; ASKED] = std::array::from_fn(|_| found.next());
            drop(found);
            near[square.index()] = squares.map(|near| near.unwrap_or(last).index() as u8);
            // Some step of these always stays on the board, but from the first square.
            let first = Square::wrapping(near[square.index()][0].into());
            let onward = Step::new(
                square.file() as i8 - first.file() as i8,
                square.rank() as i8 - first.rank() as i8,
            );
            beyond[square.index()] = square.step(onward).unwrap_or(square).index() as u8;
        }
        Ok(Neighbours { order, near, beyond })
    }

    /// The numbers of the steps, the best first.
    pub fn order(&self) -> [u8; STEPS] {
        self.order
    }

    /// Where to look for a square, the best first.
    #[inline(always)]
    pub fn near(&self, square: usize) -> &[u8; ASKED] {
        &self.near[square % SQUARES]
    }

    /// As far beyond a square as the first to ask lies before it.
    #[inline(always)]
    pub fn beyond(&self, square: usize) -> usize {
        usize::from(self.beyond[square % SQUARES])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_comes_before() {
        let neighbours = Neighbours::new([5, 4, 3, 2, 1, 0, 7, 6]).unwrap();
        for square in 1..SQUARES {
            for &near in neighbours.near(square) {
                assert!(usize::from(near) < square);
            }
        }
        assert_eq!(neighbours.near(0), &[0; ASKED]);
        assert_eq!(neighbours.near(18)[0], 2);
        assert_eq!(neighbours.beyond(18), 34);
        assert_eq!(neighbours.beyond(60), 60);
    }

    #[test]
    fn orders_name_each_step_once() {
        assert!(Neighbours::new([0, 1, 2, 3, 4, 5, 6, 6]).is_err());
        assert!(Neighbours::new([0, 1, 2, 3, 4, 5, 6, 8]).is_err());
    }
}
