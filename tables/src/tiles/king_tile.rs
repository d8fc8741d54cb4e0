//! King tiles: 64 placements of a material, one king, the *swept* one, on each square of the
//! board in turn, the other king and all pieces fixed.
//!
//! The category of a position changes less with the square of a king than with the square of any
//! other piece, so most king tiles hold one category only. King tiles are numbered `[fixed
//! king][group][group]...`, the first the slowest: the square of the fixed king, turned to the
//! smallest of its images, then the groups of the [index](crate::index) in any order.

use crate::board::bitboard::Bitboard;
use crate::board::square::{SQUARES, Square};
use crate::board::symmetry::Symmetry;
use crate::index::Index;
use crate::index::combination::{rank, rank_of_two};
use crate::position::Position;
use crate::rules::piece::{Piece, Side};
use crate::tiles::order::KingTileOrder;
use std::sync::{Arc, Mutex, PoisonError};

/// Two kings turned so that the fixed king stands on one of [`FixedKings::squares`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CanonicalKings {
    /// The index of the fixed king's square.
    pub fixed_king: u8,
    /// The square of the swept king.
    pub swept: Square,
    /// The symmetry that maps the kings to these squares.
    pub symmetry: Symmetry,
}

/// The squares of a fixed king, one square for all its images. Materials with the same symmetries
/// share them.
#[derive(Debug)]
pub struct FixedKings {
    symmetries: Vec<Symmetry>,
    squares: Vec<Square>,
    /// The canonical kings by fixed king, then swept king.
    canonical: Vec<CanonicalKings>,
    /// Shared by the files of all materials, so that it stays in a cache of the processor.
    places: Mutex<Vec<(Bitboard, Arc<TransformedPlaces>)>>,
}

/// Index of each turned square among the squares where a piece may stand, by symmetry, then square;
/// [`NOWHERE`] for other squares.
#[derive(Debug)]
struct TransformedPlaces(Vec<[u8; SQUARES]>);

impl TransformedPlaces {
    fn new(places: Bitboard) -> TransformedPlaces {
        let place = |square: Square| match places.contains(square) {
            true => places.take_while(|&place| place < square).count() as u8,
            false => NOWHERE,
        };
        let turned = |symmetry: Symmetry| {
            std::array::from_fn(|index| place(symmetry.square(Square::wrapping(index))))
        };
        TransformedPlaces(Symmetry::all().map(turned).collect())
    }
}

impl FixedKings {
    /// The squares under these symmetries, which must form a group.
    pub fn new(symmetries: &[Symmetry]) -> FixedKings {
        let least = |fixed: Square, swept: Square| {
            let images = symmetries
                .iter()
                .map(|&symmetry| ([fixed, swept].map(|s| symmetry.square(s)), symmetry));
            images.min_by_key(|&(kings, _)| kings).unwrap_or(([fixed, swept], Symmetry::IDENTITY))
        };
        let mut squares: Vec<Square> =
            Square::all().map(|fixed| least(fixed, fixed).0[0]).collect();
        squares.sort();
        squares.dedup();
        let pairs = Square::all().flat_map(|fixed| Square::all().map(move |swept| (fixed, swept)));
        let canonical = pairs
            .map(|(fixed, swept)| {
                let ([fixed, swept], symmetry) = least(fixed, swept);
                let number = squares.partition_point(|&square| square < fixed);
                CanonicalKings { fixed_king: number as u8, swept, symmetry }
            })
            .collect();
        FixedKings { symmetries: symmetries.to_vec(), squares, canonical, places: Mutex::default() }
    }

    /// The symmetries.
    pub fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    /// The squares, lowest first.
    pub fn squares(&self) -> &[Square] {
        &self.squares
    }

    /// The smallest image of two kings, compared by the fixed king first, under the symmetry
    /// of the lowest number that gives it.
    #[inline]
    pub fn canonical(&self, fixed: Square, swept: Square) -> CanonicalKings {
        self.canonical[fixed.index() * SQUARES + swept.index()]
    }

    /// The turned places of pieces that may stand on these squares.
    fn places(&self, places: Bitboard) -> Arc<TransformedPlaces> {
        let mut all = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, turned)) = all.iter().find(|(of, _)| *of == places) {
            return Arc::clone(turned);
        }
        let turned = Arc::new(TransformedPlaces::new(places));
        all.push((places, Arc::clone(&turned)));
        turned
    }
}

/// The king tiles of a material.
#[derive(Clone, Debug)]
pub struct KingTiles {
    fixed_kings: Arc<FixedKings>,
    swept: Side,
    digits: Vec<KingTileDigit>,
    per_fixed_king: u64,
}

/// A group as a digit of a king tile's number.
#[derive(Clone, Debug)]
struct KingTileDigit {
    stride: u64,
    places: Arc<TransformedPlaces>,
    piece: Piece,
    count: u8,
    /// The index of the group.
    group: u8,
}

/// Marks a square where the piece cannot stand.
const NOWHERE: u8 = u8::MAX;

impl KingTiles {
    /// The king tiles of an index; `fixed_kings` must have the symmetries of the index.
    pub fn new(index: &Index, fixed_kings: Arc<FixedKings>, order: &KingTileOrder) -> KingTiles {
        let mut per_fixed_king = 1;
        let mut digits = Vec::new();
        for &number in order.groups.iter().rev() {
            let Some(group) = index.groups().get(number) else { continue };
            let places = fixed_kings.places(group.places().iter().copied().collect());
            digits.push(KingTileDigit {
                stride: per_fixed_king,
                places,
                piece: group.piece,
                count: group.count as u8,
                group: number as u8,
            });
            per_fixed_king *= group.combinations();
        }
        KingTiles { fixed_kings, swept: order.swept, digits, per_fixed_king }
    }

    /// The squares of the fixed king.
    pub fn fixed_kings(&self) -> &FixedKings {
        &self.fixed_kings
    }

    /// The side whose king is swept.
    pub fn swept(&self) -> Side {
        self.swept
    }

    /// The number of king tiles of each square of the fixed king.
    pub fn per_fixed_king(&self) -> u64 {
        self.per_fixed_king
    }

    /// The number of king tiles from one combination of a group to the next. `None` if the
    /// index has no such group.
    pub fn stride(&self, group: usize) -> Option<u64> {
        self.digits.iter().find(|digit| usize::from(digit.group) == group).map(|digit| digit.stride)
    }

    /// The index of the fixed king's square, the king tile counted from the first tile of that
    /// square, and the square of the swept king. `exchanged` is set if the position has the colours
    /// of the material exchanged. `None` if a piece stands on an impossible square.
    #[inline]
    pub fn locate(&self, position: &Position, exchanged: bool) -> Option<(usize, u64, Square)> {
        let seen = |side: Side| if exchanged { !side } else { side };
        let king = |side: Side| {
            let square = position.king(seen(side));
            if exchanged { square.flipped() } else { square }
        };
        let CanonicalKings { fixed_king, swept, symmetry } =
            self.fixed_kings.canonical(king(!self.swept), king(self.swept));
        let mut king_tile = 0;
        for digit in &self.digits {
            let pieces = position.pieces_of(Piece::new(seen(digit.piece.side), digit.piece.kind));
            let pieces = if exchanged { pieces.flipped() } else { pieces };
            king_tile += digit.rank(pieces, symmetry)? * digit.stride;
        }
        Some((fixed_king.into(), king_tile, swept))
    }
}

impl KingTileDigit {
    /// The rank of the combination of places of these pieces, turned.
    #[inline]
    fn rank(&self, mut pieces: Bitboard, symmetry: Symmetry) -> Option<u64> {
        let places = self.places.0.get(symmetry.index())?;
        let place = |square: Square| {
            let place = places[square.index()];
            (place != NOWHERE).then_some(u64::from(place))
        };
        let first = place(pieces.next()?)?;
        if self.count == 1 {
            return Some(first);
        }
        if self.count == 2 {
            let second = place(pieces.next()?)?;
            return Some(rank_of_two(first.min(second), first.max(second)));
        }
        let mut held = 1u64.checked_shl(u32::try_from(first).ok()?)?;
        for square in pieces {
            held |= 1u64.checked_shl(u32::try_from(place(square)?).ok()?)?;
        }
        Some(rank(held, self.count.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::MAKRUK;
    use std::collections::HashSet;

    #[test]
    fn every_placement_has_a_square_of_a_king_tile_of_its_own_or_its_twins() {
        for name in ["KRvK", "KSvK", "KPvK", "KMMvK"] {
            let index = Index::new(name.parse().unwrap(), &MAKRUK.rules);
            let fixed_kings = Arc::new(FixedKings::new(index.kings().symmetries()));
            assert_eq!(
                fixed_kings.squares().len(),
                if fixed_kings.symmetries().len() == 8 { 10 } else { 32 }
            );
            for order in Side::BOTH.into_iter().flat_map(|swept| KingTileOrder::all(&index, swept))
            {
                assert!(order.fits(&index));
                let king_tiles = KingTiles::new(&index, Arc::clone(&fixed_kings), &order);
                let mut seen = HashSet::new();
                let mut legal = 0;
                for slot in (0..index.slots()).map(crate::index::Slot) {
                    let placement = index.placement(slot);
                    let placed = index.placed(&placement);
                    let Ok(position) = Position::new(&MAKRUK, Side::White, placed) else {
                        continue;
                    };
                    // Twins: both kings on a line of symmetry.
                    if index.weight(slot) == fixed_kings.symmetries().len() as u64 {
                        legal += 1;
                        let (fixed_king, king_tile, swept) =
                            king_tiles.locate(&position, false).unwrap();
                        assert!(king_tile < king_tiles.per_fixed_king());
                        assert!(
                            seen.insert((fixed_king, king_tile, swept)),
                            "{name} {placement:?}"
                        );
                    }
                }
                assert_eq!(seen.len(), legal);
            }
        }
    }
}
