//! The index of a material: every placement of its pieces as a slot, and back.
//!
//! A slot is `[king pair][group][group]...`, the first the slowest. A group is all like
//! pieces of one side; its number is the combination of the places they hold, so that like
//! pieces are counted once, and the places are the squares on which such a piece may stand, so
//! that pawns take three ranks only. Groups come pawns first, then the larger, then the
//! stronger: a solver keeps the slow pieces fixed, and like ones are then a combination. In a
//! group the piece on the highest place is the slowest. The last two men therefore run
//! through a plane of slots, row by row. `FORMAT.md` gives the numbers byte by byte.

pub mod kings;

pub mod combination;

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

/// The most men besides the kings.
pub const MAX_OTHERS: usize = MAX_MEN - 2;

/// The number of a placement of all pieces, the same for either side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Slot(pub u64);

/// Squares for the pieces of a material.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placement {
    /// The white and the black king.
    pub kings: Kings,
    /// The other men, in the order of [`Index::pieces`]; the rest is not looked at.
    pub pieces: [Square; MAX_OTHERS],
}

impl Placement {
    /// These kings and pieces.
    ///
    /// Pieces beyond [`MAX_OTHERS`] are left out.
    pub fn new(kings: Kings, men: impl IntoIterator<Item = Square>) -> Placement {
        let mut placement = Placement { kings, pieces: [kings[0]; MAX_OTHERS] };
        for (place, square) in placement.pieces.iter_mut().zip(men) {
            *place = square;
        }
        placement
    }
}

/// Like pieces of one side.
#[derive(Clone, Debug)]
pub struct Group {
    /// What they are.
    pub piece: Piece,
    /// How many they are.
    pub count: usize,
    /// Place of the first of them in [`Index::pieces`].
    pub first: usize,
    /// The squares they may stand on, lowest first.
    places: Vec<Square>,
    /// By square: the number of the place, or of none.
    place_of: [Option<u8>; SQUARES],
    /// How many combinations of places there are.
    combinations: u64,
    /// How many slots further the next combination is.
    stride: u64,
    /// By turn, then square: how many slots further a lone piece there is than on the first
    /// place, or the number of the place for like pieces; [`NOWHERE`] where none may stand.
    turned: Vec<[u64; SQUARES]>,
}

/// No place.
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

    /// The group with combinations this many slots apart.
    fn with_stride(mut self, stride: u64) -> Group {
        self.stride = stride;
        let unit = if self.count == 1 { stride } else { 1 };
        let turned = |symmetry: Symmetry| {
            let mut distances = [NOWHERE; SQUARES];
            for (square, distance) in Square::all().zip(&mut distances) {
                if let Some(place) = self.place_of[symmetry.square(square).index()] {
                    *distance = u64::from(place) * unit;
                }
            }
            distances
        };
        self.turned = Symmetry::all().map(turned).collect();
        self
    }

    /// The squares on which these pieces may stand, lowest first.
    pub fn places(&self) -> &[Square] {
        &self.places
    }

    /// The number of the place a square is, if such a piece may stand there.
    pub fn place(&self, square: Square) -> Option<usize> {
        self.place_of[square.index()].map(usize::from)
    }

    /// How many combinations of places there are.
    pub fn combinations(&self) -> u64 {
        self.combinations
    }

    /// How many slots further the next combination is.
    pub fn stride(&self) -> u64 {
        self.stride
    }

    /// The number of the combination these squares are when turned; nothing for coinciding or
    /// impossible ones.
    pub fn rank(&self, squares: &[Square], symmetry: Symmetry) -> Option<u64> {
        Some(self.distance(squares, symmetry)? / self.stride)
    }

    /// How many slots further than the first these squares are; nothing for coinciding or
    /// impossible ones.
    #[inline(always)]
    fn distance(&self, squares: &[Square], symmetry: Symmetry) -> Option<u64> {
        match squares {
            [square] => self.place_after(*square, symmetry),
            _ => self.distance_of_like(squares, symmetry),
        }
    }

    /// By [`Group::turned`], if such a piece may stand there.
    #[inline(always)]
    fn place_after(&self, square: Square, symmetry: Symmetry) -> Option<u64> {
        let place = self.turned[symmetry.index()][square.index()];
        (place != NOWHERE).then_some(place)
    }

    /// [`Group::distance`] of more men than one.
    fn distance_of_like(&self, squares: &[Square], symmetry: Symmetry) -> Option<u64> {
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

    /// Puts the squares of a combination, the highest first; there must be room for
    /// [`Group::count`].
    pub fn unrank(&self, rank: u64, squares: &mut [Square]) {
        let places = combination::unrank(rank, self.count, self.places.len());
        for (square, place) in squares.iter_mut().zip(places) {
            *square = self.places[place];
        }
    }
}

/// An index with the kings in place: what many placements of the other pieces share.
#[derive(Clone, Copy, Debug)]
pub struct KingIndex<'a> {
    index: &'a Index,
    first: Slot,
    symmetry: Symmetry,
}

impl KingIndex<'_> {
    /// The slot of these men, in the order of [`Index::pieces`]; nothing as for
    /// [`Index::slot`].
    #[inline]
    pub fn slot(&self, men: &[Square]) -> Option<Slot> {
        let mut slot = self.first.0;
        for group in &self.index.groups {
            let squares = men.get(group.first..group.first + group.count)?;
            slot += group.distance(squares, self.symmetry)?;
        }
        Some(Slot(slot))
    }

    /// The slot with all pieces on their first places: where the shares of the groups begin.
    pub fn first(&self) -> Slot {
        self.first
    }

    /// What the slot is without the share of one group; nothing as for [`Index::slot`].
    #[inline]
    pub fn without(&self, slot: Slot, group: &Group, squares: &[Square]) -> Option<Slot> {
        slot.0.checked_sub(group.distance(squares, self.symmetry)?).map(Slot)
    }

    /// What such a slot is with a share of the group again; nothing as for
    /// [`Index::slot`].
    #[inline]
    pub fn with(&self, slot: Slot, group: &Group, squares: &[Square]) -> Option<Slot> {
        Some(Slot(slot.0 + group.distance(squares, self.symmetry)?))
    }
}

/// The index of one material under the rules that shape it.
#[derive(Clone, Debug)]
pub struct Index {
    material: Material,
    kings: Arc<KingPairs>,
    groups: Vec<Group>,
    men: Vec<Piece>,
    slots_per_pair: u64,
}

impl Index {
    /// The index of a material.
    pub fn new(material: Material, rules: &Rules) -> Index {
        let mut men: Vec<Piece> = material.pieces().collect();
        let like = |piece: &Piece| material.army(piece.side).count(piece.kind);
        men.sort_by_key(|piece| {
            (piece.kind != PieceKind::Pawn, Reverse(like(piece)), piece.kind, piece.side)
        });
        let mut groups: Vec<Group> = Vec::new();
        for (first, &piece) in men.iter().enumerate() {
            if first == 0 || men[first - 1] != piece {
                let count = men.iter().filter(|&&other| other == piece).count();
                groups.push(Group::new(piece, count, first, rules));
            }
        }
        let survives = |symmetry: &Symmetry| {
            men.iter()
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
        Index { material, kings, groups, men, slots_per_pair }
    }

    /// The material.
    pub fn material(&self) -> Material {
        self.material
    }

    /// The canonical king pairs.
    pub fn kings(&self) -> &KingPairs {
        &self.kings
    }

    /// The pieces besides the kings, the slowest first; like pieces are neighbours.
    pub fn pieces(&self) -> &[Piece] {
        &self.men
    }

    /// The groups of like pieces, the slowest first.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// How many slots each side to move has.
    pub fn slots(&self) -> u64 {
        self.kings.len() as u64 * self.slots_per_pair
    }

    /// How many slots one king pair has.
    pub fn slots_per_pair(&self) -> u64 {
        self.slots_per_pair
    }

    /// The slot of a placement, turned as need be.
    ///
    /// Nothing when the kings touch, a pawn stands where none may, or like pieces coincide.
    /// Other pieces may coincide: such slots exist and are no position.
    pub fn slot(&self, placement: &Placement) -> Option<Slot> {
        self.with_kings(placement.kings)?.slot(&placement.pieces)
    }

    /// The index with the kings in place; nothing when they touch.
    #[inline]
    pub fn with_kings(&self, kings: Kings) -> Option<KingIndex<'_>> {
        let (pair, symmetry) = self.kings.canonical(kings)?;
        let first = Slot(u64::from(pair.0) * self.slots_per_pair);
        Some(KingIndex { index: self, first, symmetry })
    }

    /// The placement a slot stands for, one of its turned images. Slots past the last
    /// wrap around.
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

    /// How many positions of the whole board, no symmetry folded, a legal slot stands for.
    ///
    /// Images under turns that leave both kings in place have slots of their own.
    pub fn weight(&self, slot: Slot) -> u64 {
        self.kings.images(KingPair((slot.0 / self.slots_per_pair) as u16))
    }

    /// The pieces of a placement with their squares, kings first.
    pub fn placed<'a>(
        &'a self,
        placement: &'a Placement,
    ) -> impl Iterator<Item = (Piece, Square)> + 'a {
        let kings = Side::BOTH.map(|side| Piece::new(side, PieceKind::King));
        kings.into_iter().zip(placement.kings).chain(self.men.iter().copied().zip(placement.pieces))
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
    }

    #[test]
    fn every_slot_of_three_men_and_like_men_comes_back() {
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
        fn turned_placements_share_a_slot_or_its_twin(number in any::<u64>(), which in 0usize..4) {
            let name = ["KRNvKM", "KNMMvK", "KRSvKP", "KPPPvK"][which];
            let index = index(name);
            let slot = Slot(number % index.slots());
            let placement = index.placement(slot);
            prop_assert_eq!(index.slot(&placement), Some(slot));
            let mirrored = Placement {
                kings: placement.kings.map(|king| Symmetry::MIRROR.square(king)),
                pieces: placement.pieces.map(|piece| Symmetry::MIRROR.square(piece)),
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
