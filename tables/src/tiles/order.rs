//! Which piece a tile sweeps, and in which order the fixed ones change from tile to tile.

use crate::index::Index;
use crate::rules::piece::Side;

/// A piece that a tile sweeps or fixes. The white king is none: it is fixed before all
/// others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TilePiece {
    /// The black king.
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

    /// Whether every move of Black without capture leads to the same tile or to one near it: a
    /// black piece is swept, and all other black pieces vary faster than White's.
    pub fn is_near_for_black(&self, index: &Index) -> bool {
        let is_black = |piece: &TilePiece| match piece {
            TilePiece::King => true,
            TilePiece::Group(number) => {
                index.groups().get(*number).is_some_and(|group| group.piece.side == Side::Black)
            }
        };
        is_black(&self.swept) && self.fixed.is_sorted_by_key(is_black)
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

/// The order of the [king tiles](crate::tiles::king_tile) of a material.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct KingTileOrder {
    /// The side whose king is swept.
    pub swept: Side,
    /// The numbers of all groups of the index, the slowest first.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::MAKRUK;

    #[test]
    fn orders_near_for_black_vary_white_pieces_slowest() {
        let index = Index::new("KNSvKM".parse().unwrap(), &MAKRUK.rules);
        let near =
            TileOrder::all(&index).into_iter().filter(|order| order.is_near_for_black(&index));
        let pieces = |order: &TileOrder| {
            let name = |piece: &TilePiece| match piece {
                TilePiece::King => 'k',
                TilePiece::Group(number) => {
                    let piece = index.groups()[*number].piece;
                    let letter = piece.kind.letter();
                    if piece.side == Side::Black { letter.to_ascii_lowercase() } else { letter }
                }
            };
            [&order.swept].into_iter().chain(&order.fixed).map(name).collect::<String>()
        };
        let mut near: Vec<String> = near.map(|order| pieces(&order)).collect();
        near.sort();
        assert_eq!(near, ["kNSm", "kSNm", "mNSk", "mSNk"]);
    }
}
