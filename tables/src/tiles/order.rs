//! Orders of tiles: the piece that a tile sweeps, and the order in which the fixed pieces change.

use crate::index::Index;
use crate::rules::piece::Side;

/// A piece that a tile sweeps or fixes. Excludes the white king, which is fixed before all others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TilePiece {
    /// The black king.
    King,
    /// The pieces of a group, by its index in [`Index::groups`].
    Group(usize),
}

/// The order of the [tiles](crate::tiles::tile) of a material.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TileOrder {
    /// The swept piece; in a group, the piece on the lowest place.
    pub swept: TilePiece,
    /// The fixed pieces, the slowest first. A swept group of several pieces is among them.
    pub fixed: Vec<TilePiece>,
}

/// The byte of the black king; other bytes are indices of groups.
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

    /// The order as bytes: the swept piece, then the fixed pieces.
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

/// The order of the [king tiles](crate::tiles::king_tile) of a material.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct KingTileOrder {
    /// The side whose king is swept.
    pub swept: Side,
    /// The indices of all groups of the index, the slowest first.
    pub groups: Vec<usize>,
}

impl KingTileOrder {
    /// The orders that are tried for a swept king: each group the fastest in turn, the others
    /// in the order of the index.
    pub fn all(index: &Index, swept: Side) -> Vec<KingTileOrder> {
        let groups = 0..index.groups().len();
        let with = |fastest: usize| {
            let slow = groups.clone().filter(move |&group| group != fastest);
            KingTileOrder { swept, groups: slow.chain([fastest]).collect() }
        };
        groups.clone().rev().map(with).collect()
    }

    /// Whether the order names each group of the index once.
    pub fn fits(&self, index: &Index) -> bool {
        let mut groups = self.groups.clone();
        groups.sort_unstable();
        groups.into_iter().eq(0..index.groups().len())
    }
}
