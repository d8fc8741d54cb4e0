//! One side's codes of a solved table as tiles to encode.

use crate::output::packed::encoder::target_tile::TargetTile;
use crate::slots::one_ply::OnePly;
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::tiles::tile::{TileNumber, Tiles};
use sakmak_tables::values::{Coding, Values};
use std::ops::Range;

/// One side's codes, and the look-ahead of one ply that finds the don't-care squares.
#[derive(Clone, Copy, Debug)]
pub struct PackSource<'a> {
    side: Side,
    values: &'a Values,
    one_ply: &'a OnePly<'a>,
}

impl<'a> PackSource<'a> {
    /// The codes of a side of a table.
    pub fn new(one_ply: &'a OnePly<'a>, side: Side, values: &'a Values) -> PackSource<'a> {
        PackSource { side, values, one_ply }
    }

    /// The side to move.
    pub fn side(&self) -> Side {
        self.side
    }

    /// The coding of the codes.
    pub fn coding(&self) -> Coding {
        self.values.coding()
    }

    /// A range of tiles to encode.
    pub fn tiles(&self, tiles: &Tiles, numbers: Range<u64>) -> Vec<TargetTile> {
        numbers.map(|number| self.tile(tiles, TileNumber(number))).collect()
    }

    fn tile(&self, tiles: &Tiles, number: TileNumber) -> TargetTile {
        let tile = tiles.tile(number);
        let mut target = TargetTile::new(tiles, &tile, self.side, self.values);
        let kept = Bitboard(target.shape.kept);
        if kept.is_empty() {
            return target;
        }
        let may_change = tiles.may_change(&tile, self.side) & kept;
        if may_change.is_empty() {
            return target;
        }
        tiles.for_each_slot(&tile, |square, slot| {
            if may_change.contains(square) {
                let board = self.one_ply.board(slot, &tiles.placement(&tile, square));
                let dont_care =
                    board.is_some_and(|board| self.one_ply.is_won_by_changing(&board, self.side));
                target.dont_care |= u64::from(dont_care) << square.index();
            }
        });
        target
    }
}
