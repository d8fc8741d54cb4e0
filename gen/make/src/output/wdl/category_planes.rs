//! The categories of 64 king tiles as planes of bits, from categories by king tile and to what king
//! tiles allow.

use crate::output::transposed::transpose_bits;
use crate::output::wdl::allowed_categories::{AllowedCategories, CATEGORIES};
use crate::output::wdl::code_categories::{CATEGORY_BITS, EACH_BYTE, NO_CATEGORY};
use sakmak_solve::solver::Kernel;
use sakmak_tables::board::square::{SQUARES, Square};
use sakmak_tables::format::wdl::GROUP_TILES;

/// The king tiles of a tile group.
pub const TILES: usize = GROUP_TILES as usize;

/// The indices of the categories of 64 king tiles, bit by bit: in each plane a bit for each king
/// tile.
pub type CategoryPlanes = [u64; CATEGORY_BITS];

/// The planes of tiles without a legal position.
pub const NO_CATEGORIES: CategoryPlanes = [u64::MAX; CATEGORY_BITS];

/// Puts the categories of a square of the swept king into planes.
pub struct PlanesKernel<'a> {
    /// Index of the category, by king tile.
    pub of_pair: &'a [u8],
    pub swept: Square,
    /// Planes, indexed by tile group and square of the swept king.
    pub categories: &'a mut [CategoryPlanes],
}

impl Kernel for PlanesKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (of_tile_groups, _) = self.of_pair.as_chunks::<TILES>();
        let places = self.categories.iter_mut().skip(self.swept.index()).step_by(SQUARES);
        for (planes, bytes) in places.zip(of_tile_groups) {
            *planes = planes_of(bytes);
        }
    }
}

/// Returns the planes of the indices of some categories.
#[inline(always)]
fn planes_of(categories: &[u8; TILES]) -> CategoryPlanes {
    // Moves the lowest bit of each byte to the highest byte, the first byte to the lowest bit.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let mut planes = [0; CATEGORY_BITS];
    for (number, bytes) in categories.as_chunks::<8>().0.iter().enumerate() {
        let word = u64::from_le_bytes(*bytes);
        for (bit, plane) in planes.iter_mut().enumerate() {
            let gathered = (word >> bit & EACH_BYTE).wrapping_mul(GATHER) >> 56;
            *plane |= gathered << (8 * number);
        }
    }
    planes
}

/// Computes the categories that each king tile of a tile group allows.
pub struct TileGroupKernel<'a> {
    /// Planes, indexed by square of the swept king.
    pub planes: &'a [CategoryPlanes; SQUARES],
}

impl Kernel for TileGroupKernel<'_> {
    type Output = Vec<AllowedCategories>;

    #[inline(always)]
    fn run(self) -> Vec<AllowedCategories> {
        // By bit of the index, then king tile: the squares that have it.
        let mut squares = [[0; TILES]; CATEGORY_BITS];
        for (bit, rows) in squares.iter_mut().enumerate() {
            for (row, planes) in rows.iter_mut().zip(self.planes) {
                *row = planes[bit];
            }
            transpose_bits(rows);
        }
        let mut all = vec![AllowedCategories([0; CATEGORIES]); TILES];
        for (king_tile, allowed) in all.iter_mut().enumerate() {
            let with = |index: usize| {
                let mut with = u64::MAX;
                for (bit, squares) in squares.iter().enumerate() {
                    with &= squares[king_tile] ^ ((index >> bit & 1) as u64).wrapping_sub(1);
                }
                with
            };
            let any = with(NO_CATEGORY.into());
            for (category, mask) in allowed.0.iter_mut().enumerate() {
                *mask = with(category) | any;
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sakmak_solve::solver::Width;

    proptest! {
        #[test]
        fn king_tiles_allow_their_categories(
            groups in proptest::collection::vec(
                proptest::collection::vec(prop_oneof![0..CATEGORIES as u8, Just(NO_CATEGORY)], SQUARES * TILES),
                1..3,
            ),
        ) {
            for width in Width::available() {
                let mut planes = vec![NO_CATEGORIES; groups.len() * SQUARES];
                for swept in Square::all() {
                    let of_group = |group: &Vec<u8>| group[swept.index() * TILES..][..TILES].to_vec();
                    let of_pair: Vec<u8> = groups.iter().flat_map(of_group).collect();
                    width.run(PlanesKernel { of_pair: &of_pair, swept, categories: &mut planes });
                }
                for (group, planes) in groups.iter().zip(planes.as_chunks().0) {
                    let allowed = width.run(TileGroupKernel { planes });
                    for (king_tile, allowed) in allowed.iter().enumerate() {
                        for swept in Square::all() {
                            let here = group[swept.index() * TILES + king_tile];
                            for (category, mask) in (0..).zip(allowed.0) {
                                let is_allowed = here == category || here == NO_CATEGORY;
                                prop_assert_eq!(mask >> swept.index() & 1 != 0, is_allowed);
                            }
                        }
                    }
                }
            }
        }
    }
}
