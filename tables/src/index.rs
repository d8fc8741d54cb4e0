//! The index of a material: every placement of its pieces as a slot, and back.
//!
//! ```text
//! slot = [king pair][group][group]...      the first varies slowest
//! ```
//!
//! A group is all like pieces of one side. Its number is the rank of the combination of their
//! places, so that placements that differ by exchanging like pieces share a slot. The places are
//! the squares on which the piece can stand: three ranks for pawns, all squares for others.
//!
//! Groups are ordered: pawns first, then larger groups, then stronger pieces. Within a group the
//! piece on the highest place varies slowest. A solver fixes the slow pieces and lets the last two
//! run through a plane of slots, row by row. `FORMAT.md` defines the numbers.

#[cfg_attr(not(feature = "internal"), doc(hidden))]
pub mod kings;

#[cfg_attr(not(feature = "internal"), doc(hidden))]
pub mod combination;

#[cfg_attr(not(feature = "internal"), doc(hidden))]
pub mod address;

use crate::board::square::{SQUARES, Square};
use crate::board::symmetry::Symmetry;
use crate::index::combination::{choose, rank_of_two};
use crate::index::kings::{KingPair, KingPairs, Kings};
use crate::material::{MAX_MEN, Material};
use crate::rules::Rules;
use crate::rules::piece::{Piece, PieceKind, Side};
use std::cmp::Reverse;
use std::sync::Arc;

/// The greatest number of pieces besides the kings.
pub const MAX_OTHERS: usize = MAX_MEN - 2;

/// The index of a placement of all pieces. It does not depend on the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Slot(pub u64);

/// The squares of the pieces of a material.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placement {
    /// The squares of the white and the black king.
    pub kings: Kings,
    /// The squares of the other pieces, in the order of [`Index::pieces`]. Further entries are
    /// ignored.
    pub pieces: [Square; MAX_OTHERS],
}

impl Placement {
    /// A placement of these kings and pieces. Pieces beyond [`MAX_OTHERS`] are dropped.
    pub fn new(kings: Kings, pieces: impl IntoIterator<Item = Square>) -> Placement {
        let mut placement = Placement { kings, pieces: [kings[0]; MAX_OTHERS] };
        for (place, square) in placement.pieces.iter_mut().zip(pieces) {
            *place = square;
        }
        placement
    }
}

/// Like pieces of one side.
#[derive(Clone, Debug)]
pub struct Group {
    /// The piece.
    pub piece: Piece,
    /// The number of pieces.
    pub count: usize,
    /// The index of the first piece in [`Index::pieces`].
    pub first: usize,
    /// The squares on which the piece can stand, ascending.
    places: Vec<Square>,
    /// The index of the place of each square. `None` if the piece cannot stand there.
    place_of: [Option<u8>; SQUARES],
    /// The number of combinations of places.
    combinations: u64,
    /// Slots from one combination to the next.
    stride: u64,
    /// Values by symmetry, then square: for a single piece, slots from its first place to the place
    /// of the image of the square; for like pieces, the index of the place of the image.
    /// [`NOWHERE`] if the piece cannot stand there.
    turned: Vec<[u64; SQUARES]>,
}

/// Marks an impossible square in [`Group::turned`].
const NOWHERE: u64 = u64::MAX;

impl Group {
    fn new(piece: Piece, count: usize, first: usize, rules: &Rules) -> Group {
        let places: Vec<Square> = rules.domain(piece).collect();
        let mut place_of = [None; SQUARES];
        for (number, square) in (0..).zip(&places) {
            place_of[square.index()] = Some(number);
        }
        let combinations = choose(places.len() as u64, count);
        Group { piece, count, first, places, place_of, combinations, stride: 1, turned: Vec::new() }
    }

    /// The group with this stride.
    fn with_stride(mut self, stride: u64) -> Group {
        self.stride = stride;
        let unit = if self.count == 1 { stride } else { 1 };
        let turned = |symmetry: Symmetry| {
            let mut offsets = [NOWHERE; SQUARES];
            for (square, offset) in Square::all().zip(&mut offsets) {
                if let Some(place) = self.place_of[symmetry.square(square).index()] {
                    *offset = u64::from(place) * unit;
                }
            }
            offsets
        };
        self.turned = Symmetry::all().map(turned).collect();
        self
    }

    /// The squares on which the piece can stand, ascending.
    pub fn places(&self) -> &[Square] {
        &self.places
    }

    /// The index of the place of a square in [`Group::places`]. `None` if the piece cannot stand
    /// there.
    pub fn place(&self, square: Square) -> Option<usize> {
        self.place_of[square.index()].map(usize::from)
    }

    /// The number of combinations of places.
    pub fn combinations(&self) -> u64 {
        self.combinations
    }

    /// Slots from one combination to the next.
    pub fn stride(&self) -> u64 {
        self.stride
    }

    /// The rank of the combination of the images of these squares. `None` if squares coincide or
    /// the piece cannot stand on one.
    pub fn rank(&self, squares: &[Square], symmetry: Symmetry) -> Option<u64> {
        Some(self.offset(squares, symmetry)? / self.stride)
    }

    /// Slots from the first combination to the combination of the images of these squares. `None`
    /// in the cases of [`Group::rank`].
    #[inline(always)]
    fn offset(&self, squares: &[Square], symmetry: Symmetry) -> Option<u64> {
        match squares {
            [square] => self.place_after(*square, symmetry),
            _ => self.offset_of_like(squares, symmetry),
        }
    }

    /// The entry of [`Group::turned`]. `None` if the piece cannot stand there.
    #[inline(always)]
    fn place_after(&self, square: Square, symmetry: Symmetry) -> Option<u64> {
        let place = self.turned[symmetry.index()][square.index()];
        (place != NOWHERE).then_some(place)
    }

    /// Computes [`Group::offset`] of two or more pieces.
    fn offset_of_like(&self, squares: &[Square], symmetry: Symmetry) -> Option<u64> {
        if let &[one, other] = squares {
            let (one, other) =
                (self.place_after(one, symmetry)?, self.place_after(other, symmetry)?);
            let (low, high) = (one.min(other), one.max(other));
            return (low < high).then(|| rank_of_two(low, high) * self.stride);
        }
        let mut held = 0u64;
        for &square in squares {
            let place = self.place_after(square, symmetry)?;
            let bit = 1u64.checked_shl(u32::try_from(place).ok()?)?;
            if held & bit != 0 {
                return None;
            }
            held |= bit;
        }
        Some(combination::rank(held, squares.len()) * self.stride)
    }

    /// Writes the squares of a combination, highest first, to the first [`Group::count`] elements
    /// of `squares`.
    pub fn unrank(&self, rank: u64, squares: &mut [Square]) {
        let places = combination::unrank(rank, self.count, self.places.len());
        for (square, place) in squares.iter_mut().zip(places) {
            *square = self.places[place];
        }
    }
}

/// An index with the kings fixed: the part of a lookup that many placements share.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "internal"), doc(hidden))]
pub struct KingIndex<'a> {
    index: &'a Index,
    first: Slot,
    symmetry: Symmetry,
}

impl KingIndex<'_> {
    /// The slot of pieces on these squares, in the order of [`Index::pieces`]. `None` as for
    /// [`Index::slot`].
    #[inline]
    pub fn slot(&self, pieces: &[Square]) -> Option<Slot> {
        let mut slot = self.first.0;
        for group in &self.index.groups {
            let squares = pieces.get(group.first..group.first + group.count)?;
            slot += group.offset(squares, self.symmetry)?;
        }
        Some(Slot(slot))
    }

    /// The slot with all other pieces on their first places.
    pub fn first(&self) -> Slot {
        self.first
    }

    /// A slot minus the offset of one group on these squares. `None` in the cases of
    /// [`Index::slot`].
    #[inline]
    pub fn without(&self, slot: Slot, group: &Group, squares: &[Square]) -> Option<Slot> {
        slot.0.checked_sub(group.offset(squares, self.symmetry)?).map(Slot)
    }

    /// A slot of [`KingIndex::without`] plus the offset of the group on these squares. `None` as
    /// for [`Index::slot`].
    #[inline]
    pub fn with(&self, slot: Slot, group: &Group, squares: &[Square]) -> Option<Slot> {
        Some(Slot(slot.0 + group.offset(squares, self.symmetry)?))
    }
}

/// The index of a material under rules, which decide its symmetries and the squares of pawns.
#[derive(Clone, Debug)]
pub struct Index {
    material: Material,
    kings: Arc<KingPairs>,
    groups: Vec<Group>,
    pieces: Vec<Piece>,
    slots_per_pair: u64,
}

impl Index {
    /// The index of a material.
    pub fn new(material: Material, rules: &Rules) -> Index {
        let material = material.written_in(rules.material_letters);
        let mut pieces: Vec<Piece> = material.pieces().collect();
        let like = |piece: &Piece| material.army(piece.side).count(piece.kind);
        pieces.sort_by_key(|piece| {
            (piece.kind != PieceKind::Pawn, Reverse(like(piece)), piece.kind, piece.side)
        });
        let mut groups: Vec<Group> = Vec::new();
        for (first, &piece) in pieces.iter().enumerate() {
            if first == 0 || pieces[first - 1] != piece {
                let count = pieces.iter().filter(|&&other| other == piece).count();
                groups.push(Group::new(piece, count, first, rules));
            }
        }
        let survives = |symmetry: &Symmetry| {
            pieces
                .iter()
                .map(|piece| piece.kind)
                .chain([PieceKind::King])
                .all(|kind| rules.survives(kind, *symmetry))
        };
        let kings = KingPairs::shared(Symmetry::all().filter(survives).collect());
        let mut slots_per_pair = 1;
        for group in groups.iter_mut().rev() {
            *group = group.clone().with_stride(slots_per_pair);
            slots_per_pair *= group.combinations;
        }
        Index { material, kings, groups, pieces, slots_per_pair }
    }

    /// The material.
    pub fn material(&self) -> Material {
        self.material
    }

    /// The canonical king pairs.
    pub fn kings(&self) -> &KingPairs {
        &self.kings
    }

    /// The pieces besides the kings, slowest first. Like pieces are adjacent.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The groups of like pieces, slowest first.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The number of slots of each side to move.
    pub fn slots(&self) -> u64 {
        self.kings.len() as u64 * self.slots_per_pair
    }

    /// The number of slots of each king pair.
    pub fn slots_per_pair(&self) -> u64 {
        self.slots_per_pair
    }

    /// The slot of a placement or of its canonical image.
    ///
    /// `None` if the kings touch, a pawn stands on a square that it can never stand on, or like
    /// pieces coincide. If other pieces coincide there is a slot, which is not a position.
    pub fn slot(&self, placement: &Placement) -> Option<Slot> {
        self.with_kings(placement.kings)?.slot(&placement.pieces)
    }

    /// The index with the kings fixed. `None` if they touch.
    #[inline]
    pub fn with_kings(&self, kings: Kings) -> Option<KingIndex<'_>> {
        let (pair, symmetry) = self.kings.canonical(kings)?;
        let first = Slot(u64::from(pair.0) * self.slots_per_pair);
        Some(KingIndex { index: self, first, symmetry })
    }

    /// A placement of a slot; its symmetric images share the slot. Slots past the last wrap around.
    pub fn placement(&self, slot: Slot) -> Placement {
        let mut rest = slot.0 % self.slots();
        let pair = KingPair((rest / self.slots_per_pair) as u16);
        let mut placement = Placement::new(self.kings.kings(pair), []);
        for group in self.groups.iter().rev() {
            let squares = &mut placement.pieces[group.first..group.first + group.count];
            group.unrank(rest % group.combinations, squares);
            rest /= group.combinations;
        }
        placement
    }

    /// The number of positions on the whole board that a legal slot represents.
    ///
    /// Images under symmetries that leave both kings in place have slots of their own.
    pub fn weight(&self, slot: Slot) -> u64 {
        self.kings.images(KingPair((slot.0 / self.slots_per_pair) as u16))
    }

    /// The pieces of a placement and their squares, kings first.
    pub fn placed<'a>(
        &'a self,
        placement: &'a Placement,
    ) -> impl Iterator<Item = (Piece, Square)> + 'a {
        let kings = Side::BOTH.map(|side| Piece::new(side, PieceKind::King));
        kings
            .into_iter()
            .zip(placement.kings)
            .chain(self.pieces.iter().copied().zip(placement.pieces))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::MAKRUK;
    use proptest::prelude::*;

    fn index(name: &str) -> Index {
        Index::new(name.parse().unwrap(), &MAKRUK.rules)
    }

    #[test]
    fn sizes_are_pairs_times_combinations() {
        assert_eq!(index("KRvK").slots(), 462 * 64);
        assert_eq!(index("KSvK").slots(), 1806 * 64);
        assert_eq!(index("KMMvK").slots(), 462 * 2016);
        assert_eq!(index("KPPvKP").slots(), 1806 * 276 * 24);
        assert_eq!(index("KRNvKM").slots(), 462 * 64 * 64 * 64);
        assert_eq!(index("KMMMMMvK").slots(), 462 * 7_624_512);
        assert_eq!(index("KRNSMvKP").slots(), 1806 * 24 * 64u64.pow(4));
    }

    #[test]
    fn every_slot_of_three_men_and_of_like_pieces_comes_back() {
        for name in ["KRvK", "KSvK", "KPvK", "KMMvK", "KPPvK"] {
            let index = index(name);
            for slot in (0..index.slots()).map(Slot) {
                let placement = index.placement(slot);
                assert_eq!(index.slot(&placement), Some(slot), "{name} {placement:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn symmetric_placements_share_a_slot_or_its_twin(number in any::<u64>(), which in 0usize..8) {
            let name = [
                "KRNvKM", "KNMMvK", "KRSvKP", "KPPPvK", "KMMMMMvK", "KPPPPPvK", "KMMMvKNN",
                "KRNSMvKP",
            ][which];
            let index = index(name);
            let slot = Slot(number % index.slots());
            let placement = index.placement(slot);
            prop_assert_eq!(index.slot(&placement), Some(slot));
            let mirror = Symmetry::all().nth(1).unwrap();
            let mirrored = Placement {
                kings: placement.kings.map(|king| mirror.square(king)),
                pieces: placement.pieces.map(|piece| mirror.square(piece)),
            };
            let twin = index.slot(&mirrored);
            if index.weight(slot) == index.kings().symmetries().len() as u64 {
                prop_assert_eq!(twin, Some(slot));
            } else {
                prop_assert!(twin.is_some());
            }
        }
    }
}
