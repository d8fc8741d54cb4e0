//! Parts of blocks, and their codes.

use sakmak_codec::lane_decode::LaneDecoder;
use sakmak_tables::tiles::tile::TileCodes;
use sakmak_tables::tiles::tile::TileSquare;

/// A part of a block: all squares up to the last one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockPart {
    /// The block.
    pub block: u64,
    /// The last square.
    pub last: TileSquare,
}

/// The codes of a part.
#[derive(Clone, Copy, Debug)]
pub enum PartCodes<'a> {
    /// A part decoded alone: its tiles.
    Tiles(&'a [TileCodes]),
    /// A part decoded with others: the lane.
    Lane(&'a LaneDecoder, usize),
    /// A part of a block without bytes: the code of all squares.
    Same(u16),
}

impl PartCodes<'_> {
    /// The code at a square up to the last. `None` if the part has no such square.
    #[inline]
    pub fn code(self, square: TileSquare) -> Option<u16> {
        match self {
            PartCodes::Tiles(tiles) => tiles.get(square.tile)?.get(square.square).copied(),
            PartCodes::Lane(lanes, lane) => lanes.code(lane, square),
            PartCodes::Same(code) => Some(code),
        }
    }

    /// Copies the first tiles, all of which are in the part.
    pub fn copy_tiles(self, to: &mut [TileCodes]) {
        match self {
            PartCodes::Tiles(tiles) => {
                for (to, from) in to.iter_mut().zip(tiles) {
                    *to = *from;
                }
            }
            PartCodes::Lane(lanes, lane) => lanes.copy_tiles(lane, to),
            PartCodes::Same(code) => to.as_flattened_mut().fill(code),
        }
    }
}
