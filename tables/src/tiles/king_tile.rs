//! The placements of a material as king tiles: one king, the *runner*, on each square of the
//! board in turn, the other king, which is *at home*, and all pieces fixed.
//!
//! What a position is worth changes less with the square of a king than with that of any
//! other piece, so most king tiles are of one colour. KingTiles are numbered
//! `[home][group][group]...`, the first the slowest: the square of the king at home, turned
//! to the smallest of its images, then the groups of the [index](crate::index) in any order.

use crate::board::bitboard::Bitboard;
use crate::board::square::{SQUARES, Square};
use crate::board::symmetry::Symmetry;
use crate::index::{Index, choose};
use crate::position::Position;
use crate::rules::piece::{Piece, Side};
use std::sync::{Arc, Mutex, PoisonError};

/// Kings with the one at home turned to a square that stands for its images.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FixedKing {
    /// The number of the square at home.
    pub home: u8,
    /// Where the runner is after the turn.
    pub runner: Square,
    /// The turn.
    pub symmetry: Symmetry,
}

/// Where a king at home may stand, one square for all its turned images; the same for all
/// materials with the same turns.
#[derive(Debug)]
pub struct FixedKings {
    symmetries: Vec<Symmetry>,
    squares: Vec<Square>,
    /// By home, then runner.
    at_home: Vec<FixedKing>,
    /// What files of other materials ask for too, so that it stays near the processor.
    places: Mutex<Vec<(Bitboard, Arc<TransformedPlaces>)>>,
}

/// For pieces who may stand on some squares only: by turn, then square, the number of the place
/// they have when turned, [`NOWHERE`] where they may not stand.
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
    /// The homes under these turns, which must form a group.
    pub fn new(symmetries: &[Symmetry]) -> FixedKings {
        let least = |home: Square, runner: Square| {
            let images = symmetries
                .iter()
                .map(|&symmetry| ([home, runner].map(|s| symmetry.square(s)), symmetry));
            images.min_by_key(|&(kings, _)| kings).unwrap_or(([home, runner], Symmetry::IDENTITY))
        };
        let mut squares: Vec<Square> = Square::all().map(|home| least(home, home).0[0]).collect();
        squares.sort();
        squares.dedup();
        let everywhere =
            Square::all().flat_map(|home| Square::all().map(move |runner| (home, runner)));
        let at_home = everywhere
            .map(|(home, runner)| {
                let ([home, runner], symmetry) = least(home, runner);
                let number = squares.partition_point(|&square| square < home);
                FixedKing { home: number as u8, runner, symmetry }
            })
            .collect();
        FixedKings { symmetries: symmetries.to_vec(), squares, at_home, places: Mutex::default() }
    }

    /// The turns.
    pub fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    /// The squares at home, lowest first.
    pub fn squares(&self) -> &[Square] {
        &self.squares
    }

    /// These kings turned: the smallest of their images, compared by the king at home first,
    /// by the turn of the lowest number that leads there.
    #[inline]
    pub fn symmetry(&self, home: Square, runner: Square) -> FixedKing {
        self.at_home[home.index() * SQUARES + runner.index()]
    }

    /// The turned places of pieces who may stand on these squares.
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

/// Which king runs, and in which order the groups come.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Hanging {
    /// Whose king runs.
    pub runner: Side,
    /// The numbers of all groups of the index, the slowest first.
    pub order: Vec<usize>,
}

impl Hanging {
    /// With this king running: each group the quickest in turn, the others in the order of
    /// the index.
    pub fn all(index: &Index, runner: Side) -> Vec<Hanging> {
        let groups = 0..index.groups().len();
        let with = |quickest: usize| {
            let slow = groups.clone().filter(move |&group| group != quickest);
            Hanging { runner, order: slow.chain([quickest]).collect() }
        };
        groups.clone().rev().map(with).collect()
    }

    /// Whether each group of the index is named once.
    pub fn is_of(&self, index: &Index) -> bool {
        let mut order = self.order.clone();
        order.sort_unstable();
        order.into_iter().eq(0..index.groups().len())
    }
}

/// The king tiles of a material.
#[derive(Clone, Debug)]
pub struct KingTiles {
    homes: Arc<FixedKings>,
    runner: Side,
    digits: Vec<Digit>,
    per_home: u64,
}

/// A group as a digit of a king tile's number.
#[derive(Clone, Debug)]
struct Digit {
    stride: u64,
    places: Arc<TransformedPlaces>,
    piece: Piece,
    count: u8,
    /// The number of the group.
    group: u8,
}

/// No place.
const NOWHERE: u8 = u8::MAX;

impl KingTiles {
    /// The king tiles of an index; `homes` must be those of its turns.
    pub fn new(index: &Index, homes: Arc<FixedKings>, hanging: &Hanging) -> KingTiles {
        let mut per_home = 1;
        let mut digits = Vec::new();
        for &number in hanging.order.iter().rev() {
            let Some(group) = index.groups().get(number) else { continue };
            let places = homes.places(group.places().iter().copied().collect());
            let (piece, count) = (group.piece, group.count as u8);
            digits.push(Digit { piece, count, places, stride: per_home, group: number as u8 });
            per_home *= group.combinations();
        }
        KingTiles { homes, runner: hanging.runner, digits, per_home }
    }

    /// Where the king at home may stand.
    pub fn homes(&self) -> &FixedKings {
        &self.homes
    }

    /// Whose king runs.
    pub fn runner(&self) -> Side {
        self.runner
    }

    /// How many king tiles each home has.
    pub fn per_home(&self) -> u64 {
        self.per_home
    }

    /// How many king tiles further the next combination of a group is.
    pub fn stride(&self, group: usize) -> Option<u64> {
        self.digits.iter().find(|digit| usize::from(digit.group) == group).map(|digit| digit.stride)
    }

    /// The home of a position, its king tile counted from the first of that home, and the
    /// square of the runner; `exchanged` says that the sides are those of the material with
    /// colours changed. Nothing where a piece stands where none may.
    #[inline]
    pub fn locate(&self, position: &Position, exchanged: bool) -> Option<(usize, u64, Square)> {
        let seen = |side: Side| if exchanged { !side } else { side };
        let king = |side: Side| {
            let square = position.king(seen(side));
            if exchanged { square.flipped() } else { square }
        };
        let FixedKing { home, runner, symmetry } =
            self.homes.symmetry(king(!self.runner), king(self.runner));
        let mut king_tile = 0;
        for digit in &self.digits {
            let men = position.pieces_of(Piece::new(seen(digit.piece.side), digit.piece.kind));
            let men = if exchanged { men.flipped() } else { men };
            king_tile += digit.number(men, symmetry)? * digit.stride;
        }
        Some((home.into(), king_tile, runner))
    }
}

impl Digit {
    /// The number of the combination these pieces hold when turned.
    #[inline]
    fn number(&self, mut men: Bitboard, symmetry: Symmetry) -> Option<u64> {
        let places = self.places.0.get(symmetry.index())?;
        let place = |square: Square| {
            let place = places[square.index()];
            (place != NOWHERE).then_some(u64::from(place))
        };
        let first = place(men.next()?)?;
        if self.count == 1 {
            return Some(first);
        }
        if self.count == 2 {
            let second = place(men.next()?)?;
            return Some(choose(first.max(second), 2) + first.min(second));
        }
        let mut held = 1u64.checked_shl(u32::try_from(first).ok()?)?;
        for square in men {
            held |= 1u64.checked_shl(u32::try_from(place(square)?).ok()?)?;
        }
        let places = std::iter::successors(Some(held), |held| Some(held & held.wrapping_sub(1)));
        let sizes = 1..=usize::from(self.count);
        Some(
            places
                .zip(sizes)
                .map(|(held, size)| choose(u64::from(held.trailing_zeros()), size))
                .sum(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::MAKRUK;
    use std::collections::HashSet;

    #[test]
    fn every_placement_has_a_spot_of_its_own_or_its_twins() {
        for name in ["KRvK", "KSvK", "KPvK", "KMMvK"] {
            let index = Index::new(name.parse().unwrap(), &MAKRUK.rules);
            let homes = Arc::new(FixedKings::new(index.kings().symmetries()));
            assert_eq!(homes.squares().len(), if homes.symmetries().len() == 8 { 10 } else { 32 });
            for hanging in Side::BOTH.into_iter().flat_map(|runner| Hanging::all(&index, runner)) {
                assert!(hanging.is_of(&index));
                let king_tiles = KingTiles::new(&index, Arc::clone(&homes), &hanging);
                let mut seen = HashSet::new();
                let mut legal = 0;
                for slot in (0..index.slots()).map(crate::index::Slot) {
                    let placement = index.placement(slot);
                    let placed = index.placed(&placement);
                    let Ok(position) = Position::new(&MAKRUK, Side::White, placed) else {
                        continue;
                    };
                    // Twins: both kings on a line of symmetry.
                    if index.weight(slot) == homes.symmetries().len() as u64 {
                        legal += 1;
                        let (home, king_tile, runner) =
                            king_tiles.locate(&position, false).unwrap();
                        assert!(king_tile < king_tiles.per_home());
                        assert!(seen.insert((home, king_tile, runner)), "{name} {placement:?}");
                    }
                }
                assert_eq!(seen.len(), legal);
            }
        }
    }
}
