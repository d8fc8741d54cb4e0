//! One side's codes of a solved table as tiles to be written.

use crate::output::packed::encoder::wanted::Wanted;
use crate::slots::one_ply::Quick;
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::tiles::tile::{TileNumber, Tiles};
use sakmak_tables::values::{Coding, Values};
use std::ops::Range;

/// One side's codes, and the look-ahead that tells where any code will do that the mover
/// likes at most as much.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    side: Side,
    values: &'a Values,
    quick: &'a Quick<'a>,
}

impl<'a> Source<'a> {
    /// The codes of a side of a table.
    pub fn new(quick: &'a Quick<'a>, side: Side, values: &'a Values) -> Source<'a> {
        Source { side, values, quick }
    }

    /// The side to move.
    pub fn side(&self) -> Side {
        self.side
    }

    /// How the codes are to be read.
    pub fn coding(&self) -> Coding {
        self.values.coding()
    }

    /// Some tiles as they are to be written.
    pub fn tiles(&self, tiles: &Tiles, numbers: Range<u64>) -> Vec<Wanted> {
        numbers.map(|number| self.tile(tiles, TileNumber(number))).collect()
    }

    fn tile(&self, tiles: &Tiles, number: TileNumber) -> Wanted {
        let tile = tiles.tile(number);
        let shape = tiles.shape(&tile, self.side);
        let mut wanted = Wanted { shape, ..Wanted::NOTHING };
        if shape.kept == 0 {
            return wanted;
        }
        let may_change = tiles.may_change(&tile, self.side) & Bitboard(shape.kept);
        let (coding, codes) = (self.values.coding(), self.values.codes());
        tiles.for_each_slot(&tile, |square, slot| {
            if shape.kept >> square.index() & 1 == 0 {
                return;
            }
            wanted.codes[square.index()] = coding.read(codes, slot.0 as usize).unwrap_or(0);
            if may_change.contains(square) {
                let board = self.quick.board(slot, &tiles.placement(&tile, square));
                let loose =
                    board.is_some_and(|board| self.quick.is_won_by_changing(&board, self.side));
                wanted.loose |= u64::from(loose) << square.index();
            }
        });
        wanted
    }
}
