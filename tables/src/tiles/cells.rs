//! Cells: the placements of a material, numbered for WDL files.
//!
//! A cell is a square of one king, the *swept* one, with the other king and all pieces fixed. Cells are
//! numbered `[fixed king][digit][digit]...`, the first the slowest: the square of the fixed king,
//! turned to the smallest of its images, then in any order the groups of the
//! [index](crate::index) and the square of the swept king, each perhaps split into rank and file. The category of a position changes less with
//! the square of a king than with that of any other piece, so the swept king is mostly the last.

use crate::board::bitboard::Bitboard;
use crate::board::square::{SIDE_LENGTH, SQUARES, Square};
use crate::board::symmetry::Symmetry;
use crate::index::Index;
use crate::index::combination::{rank, rank_of_two};
use crate::position::Position;
use crate::rules::piece::{Piece, Side};
use crate::tiles::order::{CellOrder, SquarePart, TilePiece};
use std::sync::{Arc, Mutex, PoisonError};

/// Two kings turned so that the fixed one stands on one of [`FixedKings::squares`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CanonicalKings {
    /// The number of the fixed king's square.
    pub fixed_king: u8,
    /// The square of the swept king.
    pub swept: Square,
    /// The symmetry that turns the kings so.
    pub symmetry: Symmetry,
}

/// The squares of a fixed king, one for all its images; the same for all materials with the
/// same symmetries.
#[derive(Debug)]
pub struct FixedKings {
    symmetries: Vec<Symmetry>,
    squares: Vec<Square>,
    /// By fixed king, then swept king.
    canonical: Vec<CanonicalKings>,
    /// Shared by the files of all materials, so that it stays in a cache of the processor.
    places: Mutex<Vec<(Bitboard, Arc<TransformedPlaces>)>>,
}

/// For pieces that may stand on some squares only: by symmetry, then square, the number of the
/// turned square among those, [`NOWHERE`] for other squares.
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

/// The cells of a material.
#[derive(Clone, Debug)]
pub struct Cells {
    fixed_kings: Arc<FixedKings>,
    swept: Side,
    swept_steps: Steps,
    groups: Vec<GroupCells>,
    per_fixed_king: u64,
}

/// The part of a cell's number that a group gives.
#[derive(Clone, Debug)]
struct GroupCells {
    steps: Steps,
    places: Arc<TransformedPlaces>,
    piece: Piece,
    count: u8,
}

/// From the number of a square, or of a combination, to its part of a cell's number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Steps {
    /// Cells from one rank to the next.
    pub rank: u64,
    /// Cells from one file to the next.
    pub file: u64,
}

impl Steps {
    /// The part of this number.
    #[inline]
    pub fn of(self, number: u64) -> u64 {
        number / SIDE_LENGTH as u64 * self.rank + number % SIDE_LENGTH as u64 * self.file
    }
}

/// The steps of the swept king and of all groups, and the number of cells in all, with the digits in
/// this order. Digits for which `has` is false are left out.
pub fn steps(
    index: &Index,
    order: &CellOrder,
    has: impl Fn(TilePiece) -> bool,
) -> (Steps, Vec<Steps>, u64) {
    let (mut king, mut groups, mut all) = (Steps::default(), Vec::new(), 1);
    groups.resize(index.groups().len(), Steps::default());
    for digit in order.digits.iter().rev().filter(|digit| has(digit.piece)) {
        let (steps, numbers) = match digit.piece {
            TilePiece::King => (&mut king, SQUARES as u64),
            TilePiece::Group(group) => match index.groups().get(group) {
                Some(of) => (&mut groups[group], of.combinations()),
                None => continue,
            },
        };
        let side = SIDE_LENGTH as u64;
        all *= match digit.part {
            SquarePart::Whole => {
                *steps = Steps { rank: side * all, file: all };
                numbers
            }
            SquarePart::Rank => {
                steps.rank = all;
                numbers / side
            }
            SquarePart::File => {
                steps.file = all;
                side
            }
        };
    }
    (king, groups, all)
}

/// No place.
const NOWHERE: u8 = u8::MAX;

impl Cells {
    /// The cells of an index; `fixed_kings` must have the symmetries of the index.
    pub fn new(index: &Index, fixed_kings: Arc<FixedKings>, order: &CellOrder) -> Cells {
        let (swept_steps, groups, per_fixed_king) = steps(index, order, |_| true);
        let groups = index.groups().iter().zip(groups).map(|(group, steps)| GroupCells {
            steps,
            places: fixed_kings.places(group.places().iter().copied().collect()),
            piece: group.piece,
            count: group.count as u8,
        });
        let groups = groups.collect();
        Cells { fixed_kings, swept: order.swept, swept_steps, groups, per_fixed_king }
    }

    /// The squares of the fixed king.
    pub fn fixed_kings(&self) -> &FixedKings {
        &self.fixed_kings
    }

    /// The side whose king is swept.
    pub fn swept(&self) -> Side {
        self.swept
    }

    /// The number of cells of each square of the fixed king.
    pub fn per_fixed_king(&self) -> u64 {
        self.per_fixed_king
    }

    /// The steps of the swept king.
    pub fn swept_steps(&self) -> Steps {
        self.swept_steps
    }

    /// The steps of a group.
    pub fn group_steps(&self, group: usize) -> Steps {
        self.groups.get(group).map_or(Steps::default(), |group| group.steps)
    }

    /// The number of the fixed king's square, and the cell counted from the first of that square.
    /// `exchanged` is set if the position has the colours of the material exchanged. `None` if a
    /// piece stands where it cannot.
    #[inline]
    pub fn locate(&self, position: &Position, exchanged: bool) -> Option<(usize, u64)> {
        let seen = |side: Side| if exchanged { !side } else { side };
        let king = |side: Side| {
            let square = position.king(seen(side));
            if exchanged { square.flipped() } else { square }
        };
        let CanonicalKings { fixed_king, swept, symmetry } =
            self.fixed_kings.canonical(king(!self.swept), king(self.swept));
        let mut cell = self.swept_steps.of(swept.index() as u64);
        for group in &self.groups {
            let pieces = position.pieces_of(Piece::new(seen(group.piece.side), group.piece.kind));
            let pieces = if exchanged { pieces.flipped() } else { pieces };
            cell += group.steps.of(group.rank(pieces, symmetry)?);
        }
        Some((fixed_king.into(), cell))
    }
}

impl GroupCells {
    /// The rank of the combination of places these pieces have when turned.
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
    fn every_placement_has_a_cell_of_its_own_or_its_twins() {
        for name in ["KRvK", "KSvK", "KPvK", "KMMvK"] {
            let index = Index::new(name.parse().unwrap(), &MAKRUK.rules);
            let fixed_kings = Arc::new(FixedKings::new(index.kings().symmetries()));
            assert_eq!(
                fixed_kings.squares().len(),
                if fixed_kings.symmetries().len() == 8 { 10 } else { 32 }
            );
            for order in Side::BOTH.into_iter().flat_map(|swept| CellOrder::all(&index, swept)) {
                assert!(order.fits(&index));
                let cells = Cells::new(&index, Arc::clone(&fixed_kings), &order);
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
                        let (fixed_king, cell) = cells.locate(&position, false).unwrap();
                        assert!(cell < cells.per_fixed_king());
                        assert!(seen.insert((fixed_king, cell)), "{name} {placement:?}");
                    }
                }
                assert_eq!(seen.len(), legal);
            }
        }
    }
}
