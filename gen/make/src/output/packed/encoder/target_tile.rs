//! A tile to encode.

use sakmak_codec::scale::Scale;
use sakmak_solve::slots::code_run::CodeRun;
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::tiles::tile::TileCodes;
use sakmak_tables::tiles::tile::shape::TileShape;
use sakmak_tables::tiles::tile::{GroupSlots, Tile, Tiles};

/// A tile to encode.
#[derive(Clone, Debug)]
pub struct TargetTile {
    /// The shape, which the decoder has too.
    pub shape: TileShape,
    /// The codes, by the square of the swept piece; those of squares that are not kept are not
    /// read.
    pub codes: TileCodes,
    /// A bit for each don't-care square: every code is allowed that is at most as good for the
    /// mover, since a probe finds the value through a capture or promotion.
    pub dont_care: u64,
}

impl TargetTile {
    /// A tile without a kept square.
    pub const EMPTY: TargetTile = TargetTile {
        shape: TileShape { kept: 0, attacked: 0, guarding: 0 },
        codes: [0; SQUARES],
        dont_care: 0,
    };

    /// Returns a tile of one side's codes, without don't-care squares. The run must have its slots.
    pub fn new(tiles: &Tiles, tile: &Tile, side: Side, codes: &CodeRun<'_>) -> TargetTile {
        let mut target = TargetTile { shape: tiles.shape(tile, side), ..TargetTile::EMPTY };
        if target.shape.kept == 0 {
            return target;
        }
        if let Some(GroupSlots { first, squares, stride: 1 }) = tiles.group_slots(tile) {
            let run = codes.codes(first.0..first.0 + squares.len() as u64);
            for (place, square) in squares.iter().enumerate() {
                target.codes[square.index()] = codes.coding().read(run, place).unwrap_or(0);
            }
            return target;
        }
        tiles.for_each_slot(tile, |square, slot| {
            if target.shape.kept >> square.index() & 1 != 0 {
                target.codes[square.index()] = codes.code(slot).unwrap_or(0);
            }
        });
        target
    }

    /// Returns the squares whose exact code is kept.
    pub fn exact(&self) -> u64 {
        self.shape.kept & !self.dont_care
    }

    /// Whether one code is allowed on all kept squares.
    pub fn allows_throughout(&self, code: u16, scale: Scale) -> bool {
        let others = self.codes.iter().rev();
        let others = others.fold(0, |bits, &other| bits << 1 | u64::from(other != code));
        let mut others = Bitboard(others & self.shape.kept).into_iter();
        others.all(|square| self.allows(square.index(), code, scale))
    }

    /// Whether a code is allowed in place of the code of a kept square.
    #[inline(always)]
    pub fn allows(&self, square: usize, code: u16, scale: Scale) -> bool {
        let exact = self.codes[square % SQUARES];
        let dont_care = self.dont_care >> (square % SQUARES) & 1 != 0;
        scale.holds(code) && (code == exact || dont_care && scale.is_at_most(code, exact))
    }
}

/// Returns the first exact code of a block. `None` if the block has none.
pub fn first_exact_code(block: &[TargetTile]) -> Option<u16> {
    let tile = block.iter().find(|tile| tile.exact() != 0)?;
    tile.codes.get(tile.exact().trailing_zeros() as usize).copied()
}
