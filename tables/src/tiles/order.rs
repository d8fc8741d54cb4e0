//! Orders of tiles: the piece that a tile sweeps, and the order in which the fixed ones change.

use crate::index::Index;
use crate::rules::piece::Side;

/// A piece that a tile sweeps or fixes. The king that is fixed before all others is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum TilePiece {
    /// The other king: in [tiles](crate::tiles::tile) the black one.
    King,
    /// The pieces of a group, by its number in [`Index::groups`].
    Group(usize),
}

/// The order of the [tiles](crate::tiles::tile) of a material.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TileOrder {
    /// The swept piece; of a group the piece on the lowest place.
    pub swept: TilePiece,
    /// The fixed pieces, the slowest first. A swept group of several pieces is among them.
    pub fixed: Vec<TilePiece>,
}

/// The byte of the black king; other bytes are numbers of groups.
const KING: u8 = u8::MAX;

impl TileOrder {
    /// All orders for an index.
    pub fn all(index: &Index) -> Vec<TileOrder> {
        let groups = index.groups();
        let pieces = || (0..groups.len()).map(TilePiece::Group).chain([TilePiece::King]);
        let several =
            |piece: TilePiece| matches!(piece, TilePiece::Group(group) if groups[group].count > 1);
        let sweeping = |swept: TilePiece| {
            let fixed: Vec<TilePiece> = pieces().filter(|&p| p != swept || several(p)).collect();
            permutations(&fixed).into_iter().map(move |fixed| TileOrder { swept, fixed })
        };
        pieces().flat_map(sweeping).collect()
    }

    /// The order as bytes: the swept piece, then the fixed ones.
    pub fn encode(&self) -> Vec<u8> {
        let byte = |piece: &TilePiece| match piece {
            TilePiece::King => KING,
            TilePiece::Group(group) => *group as u8,
        };
        [&self.swept].into_iter().chain(&self.fixed).map(byte).collect()
    }
}

fn permutations(pieces: &[TilePiece]) -> Vec<Vec<TilePiece>> {
    if pieces.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for &first in pieces {
        let others: Vec<TilePiece> =
            pieces.iter().copied().filter(|&other| other != first).collect();
        for mut permutation in permutations(&others) {
            permutation.insert(0, first);
            all.push(permutation);
        }
    }
    all
}

/// A digit of the number of a [cell](crate::tiles::cells): the square of a piece, or its rank or its
/// file. Like pieces have one digit, the number of their combination.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct CellDigit {
    /// The piece: a group, or the swept king.
    pub piece: TilePiece,
    /// What of its square.
    pub part: SquarePart,
}

/// A square as one digit, or one of its two digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum SquarePart {
    /// The square, or the combination of like pieces.
    Whole,
    /// Its rank.
    Rank,
    /// Its file.
    File,
}

impl SquarePart {
    /// All parts.
    pub const ALL: [SquarePart; 3] = [SquarePart::Whole, SquarePart::Rank, SquarePart::File];
}

/// The order of the [cells](crate::tiles::cells) of a material.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct CellOrder {
    /// The side whose king is swept.
    pub swept: Side,
    /// All groups of the index and the swept king, each in one digit or in two, the slowest first.
    pub digits: Vec<CellDigit>,
}

impl CellOrder {
    /// The first order: the groups in the order of the index, then the swept king.
    pub fn first(index: &Index, swept: Side) -> CellOrder {
        let pieces = (0..index.groups().len()).map(TilePiece::Group).chain([TilePiece::King]);
        let whole = |piece| CellDigit { piece, part: SquarePart::Whole };
        CellOrder { swept, digits: pieces.map(whole).collect() }
    }

    /// The orders that are tried for a swept king, the first order first. One group after the other
    /// is the last before the king, or last behind it, or has its rank before the king and its file
    /// behind.
    pub fn all(index: &Index, swept: Side) -> Vec<CellOrder> {
        let whole = |piece| CellDigit { piece, part: SquarePart::Whole };
        let king = whole(TilePiece::King);
        let (mut last_before, mut last, mut around) = (Vec::new(), Vec::new(), Vec::new());
        for fastest in (0..index.groups().len()).rev() {
            let with = |end: &[CellDigit]| {
                let slow = (0..index.groups().len()).filter(|&group| group != fastest);
                let slow = slow.map(|group| whole(TilePiece::Group(group)));
                CellOrder { swept, digits: slow.chain(end.iter().copied()).collect() }
            };
            let piece = TilePiece::Group(fastest);
            last_before.push(with(&[whole(piece), king]));
            last.push(with(&[king, whole(piece)]));
            if index.groups()[fastest].count == 1 {
                let [rank, file] =
                    [SquarePart::Rank, SquarePart::File].map(|part| CellDigit { piece, part });
                around.push(with(&[rank, king, file]));
            }
        }
        last_before.into_iter().chain(last).chain(around).collect()
    }

    /// Whether the order has the swept king and each group of the index once, single pieces perhaps in
    /// two digits.
    pub fn fits(&self, index: &Index) -> bool {
        let groups = (0..index.groups().len()).map(TilePiece::Group);
        let pieces: Vec<TilePiece> = groups.chain([TilePiece::King]).collect();
        let is_single = |piece: TilePiece| match piece {
            TilePiece::King => true,
            TilePiece::Group(group) => index.groups()[group].count == 1,
        };
        let has_once = |&piece: &TilePiece| {
            let count = |part| {
                let digit = CellDigit { piece, part };
                self.digits.iter().filter(|&&other| other == digit).count()
            };
            match SquarePart::ALL.map(count) {
                [1, 0, 0] => true,
                [0, 1, 1] => is_single(piece),
                _ => false,
            }
        };
        pieces.iter().all(has_once) && self.digits.iter().all(|digit| pieces.contains(&digit.piece))
    }
}
