//! A tile to encode of each lane.

use crate::output::packed::encoder::target_tile::TargetTile;
use sakmak_codec::lane_prediction::{LaneCodes, LaneScale};
use sakmak_codec::lane_walk::LaneSquares;
use sakmak_codec::lanes::{LANES, LaneMask, LaneRow, Lanes};
use sakmak_tables::board::square::SQUARES;

/// A tile to encode of each lane.
#[derive(Clone, Debug)]
pub struct LaneTarget {
    codes: LaneCodes,
    dont_care: LaneSquares,
}

impl LaneTarget {
    /// A lane without a tile.
    pub const EMPTY: LaneTarget =
        LaneTarget { codes: [LaneRow([0; LANES]); SQUARES], dont_care: LaneSquares::EMPTY };

    /// Sets the tile of a lane.
    pub fn set(&mut self, lane: usize, tile: Option<&TargetTile>) {
        self.dont_care.set(lane, tile.map_or(0, |tile| tile.dont_care));
        // Codes are read where a square is kept.
        if let Some(tile) = tile.filter(|tile| tile.shape.kept != 0) {
            for (row, &code) in self.codes.iter_mut().zip(&tile.codes) {
                row.0[lane % LANES] = code.into();
            }
        }
    }

    /// Returns the codes allowed in place of those of a square.
    #[inline(always)]
    pub fn allowed<L: Lanes>(&self, square: usize, scale: LaneScale<L>) -> AllowedCodes<L> {
        AllowedCodes {
            exact: L::load(&self.codes[square % SQUARES]),
            dont_care: self.dont_care.lanes_with::<L>(square),
            scale,
        }
    }
}

/// The codes allowed in place of those of a square, see [`TargetTile::allows`].
#[derive(Clone, Copy)]
pub struct AllowedCodes<L: Lanes> {
    /// The codes of the square.
    pub exact: L,
    dont_care: L::Mask,
    scale: LaneScale<L>,
}

impl<L: Lanes> AllowedCodes<L> {
    /// Whether in all of these lanes only the code of the square is allowed.
    #[inline(always)]
    pub fn are_exact(&self, lanes: L::Mask) -> bool {
        !(lanes & self.dont_care).any()
    }

    /// Returns the lanes whose codes are allowed in place of those of the square.
    #[inline(always)]
    pub fn contain(&self, codes: L) -> L::Mask {
        self.scale.holds(codes) & self.contain_values(codes)
    }

    /// Returns the same for codes that have a value.
    #[inline(always)]
    pub fn contain_values(&self, codes: L) -> L::Mask {
        let exact = codes.equals(self.exact);
        if !self.dont_care.any() {
            return exact;
        }
        exact | self.dont_care & self.scale.is_at_most(codes, self.exact)
    }
}
