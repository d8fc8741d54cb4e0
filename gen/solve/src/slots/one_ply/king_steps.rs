//! King steps: the slots after the kings' moves, shared by neighbouring slots.
//!
//! A king's move changes every piece's share in the slot, since the board may be turned. In a row
//! of slots only the last group of like pieces moves. So all other shares stay the same for each
//! square the king may go to; their sums are kept here.

use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::{SQUARES, Square};
use sakmak_tables::index::{Group, Index, KingIndex, Slot};
use sakmak_tables::material::MAX_MEN;
use sakmak_tables::rules::piece::{Piece, Side};
use sakmak_tables::rules::reach::Reach;

use crate::slots::one_ply::arrival::KINGS;

/// The row of a slot.
#[derive(Debug)]
pub struct KingSteps<'a> {
    index: &'a Index,
    reach: &'a Reach,
    /// The last group of like pieces, and the index of its first piece.
    last: Option<(&'a Group, usize)>,
    /// The squares of the kings and of all pieces outside the last group, once known.
    slower: Option<[Square; MAX_MEN]>,
    /// The slot after a king's move, without the share of the last group; by side, then target
    /// square.
    after: [[Option<(KingIndex<'a>, Slot)>; SQUARES]; 2],
}

impl<'a> KingSteps<'a> {
    /// Starts without a row.
    pub fn new(index: &'a Index, reach: &'a Reach) -> KingSteps<'a> {
        let last = index.groups().last().map(|group| (group, KINGS + group.first));
        KingSteps { index, reach, last, slower: None, after: [[None; SQUARES]; 2] }
    }

    /// Makes this the row of the pieces on these squares, by index.
    #[inline]
    pub fn enter(&mut self, squares: &[Square; MAX_MEN]) {
        let slower = self.last.map_or(MAX_MEN, |(_, first)| first);
        if self.slower.is_none_or(|known| known[..slower] != squares[..slower]) {
            self.work_out(squares);
        }
    }

    fn work_out(&mut self, squares: &[Square; MAX_MEN]) {
        self.slower = Some(*squares);
        self.after = [[None; SQUARES]; 2];
        for (king, side) in Side::BOTH.into_iter().enumerate() {
            let piece = Piece::new(side, sakmak_tables::rules::piece::PieceKind::King);
            for to in self.reach.targets(piece, squares[king], Bitboard::EMPTY, Bitboard::EMPTY) {
                let mut squares = *squares;
                squares[king] = to;
                self.after[side.index()][to.index()] = self.without_last(&squares);
            }
        }
    }

    fn without_last(&self, squares: &[Square; MAX_MEN]) -> Option<(KingIndex<'a>, Slot)> {
        let facing = self.index.with_kings([squares[0], squares[1]])?;
        let (_, slower) = self.index.groups().split_last()?;
        let mut slot = facing.first();
        for group in slower {
            let first = KINGS + group.first;
            slot = facing.with(slot, group, &squares[first..first + group.count])?;
        }
        Some((facing, slot))
    }

    /// The slot of the pieces on these squares, by index, after this side's king has moved to a
    /// neighbouring square. `None` in the cases of [`Index::slot`].
    #[inline]
    pub fn after_king(&self, squares: &[Square; MAX_MEN], side: Side, to: Square) -> Option<Slot> {
        let (facing, slot) = self.after[side.index()][to.index()]?;
        let (group, first) = self.last?;
        facing.with(slot, group, &squares[first..first + group.count])
    }
}
