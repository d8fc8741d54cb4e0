//! The slots of a material as tiles: 64 slots, one piece, the *swept* one, on each square of
//! the board in turn and all other pieces fixed.
//!
//! Tiles are numbered `[white king][piece][piece]...`, the first the slowest: the groups of
//! pieces and the black king, without the swept piece, in any order. A packed table takes the
//! [order](crate::tiles::order) in which neighbouring codes are most alike. Among like pieces the
//! piece on the lowest place is swept; the others are a combination, and the swept piece stays
//! below them. The kings stand as in the canonical pairs of the index; tiles and squares with any
//! other pair hold no slot.

pub mod shape;

use crate::board::bitboard::Bitboard;
use crate::board::square::{SQUARES, Square};
use crate::index::combination::{choose, rank, split_lowest, unrank};
use crate::index::kings::KingPair;
use crate::index::{Group, Index, MAX_OTHERS, Placement, Slot};
use crate::material::MAX_MEN;
use crate::rules::piece::{Piece, PieceKind, Side};
use crate::tiles::order::{TileOrder, TilePiece};
use crate::variant::Variant;
use std::ops::Range;

/// The codes of a tile, by the square of the swept piece.
pub type TileCodes = [u16; SQUARES];

/// The number of a tile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct TileNumber(pub u64);

impl TileNumber {
    /// The block that holds the tile, and the square there, in blocks of `tiles` tiles.
    pub fn in_block(self, square: Square, tiles: u64) -> (u64, TileSquare) {
        let tile = (self.0 % tiles) as usize;
        (self.0 / tiles, TileSquare { tile, square: square.index() })
    }
}

/// A square of a tile of a block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TileSquare {
    /// The tile, counted from the first of the block.
    pub tile: usize,
    /// The square of the swept piece.
    pub square: usize,
}

/// The tiles of a material.
#[derive(Clone, Debug)]
pub struct Tiles {
    index: Index,
    variant: &'static Variant,
    swept: TilePiece,
    /// The fixed pieces, the slowest first.
    digits: Vec<TileDigit>,
    tiles_per_white_king: u64,
    /// The squares of the lowest places open to the swept piece, indexed by their number.
    lowest_places: Vec<Bitboard>,
    /// The squares of the white king, with the pairs that have it there.
    white_kings: Vec<WhiteKing>,
    /// The index of the white king in `white_kings`, by its square.
    number_of_white_king: [u8; SQUARES],
}

/// A square of the white king.
#[derive(Clone, Debug)]
struct WhiteKing {
    square: Square,
    /// The squares of the black king.
    blacks: Bitboard,
    /// The first slot of the pair, by the square of the black king.
    first: [u64; SQUARES],
}

/// A fixed piece as a digit of a tile's number.
#[derive(Clone, Copy, Debug)]
struct TileDigit {
    piece: TilePiece,
    /// The number of fixed pieces of the group: its highest pieces.
    count: usize,
    /// The number of squares of the piece, or of combinations of squares of the group.
    radix: u64,
    /// The number of tiles from one combination to the next.
    stride: u64,
}

/// The digit of a tile's number that belongs to the fastest group of the index: tiles that differ
/// in it alone hold successive slots on each square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SlotDigit {
    /// The number of its values.
    pub radix: u64,
    /// The number of tiles from one value to the next.
    pub stride: u64,
}

/// The slots of a tile that sweeps a group.
#[derive(Clone, Copy, Debug)]
pub struct GroupSlots<'a> {
    /// The slot with the swept piece on the first square.
    pub first: Slot,
    /// The squares of the swept piece, ascending.
    pub squares: &'a [Square],
    /// Slots from one square to the next.
    pub stride: u64,
}

/// A tile: its fixed pieces and where its slots are.
#[derive(Clone, Copy, Debug)]
pub struct Tile {
    white_king_number: usize,
    white_king: Square,
    /// The black king, unless it is swept.
    black_king: Option<Square>,
    /// The fixed pieces besides the kings.
    fixed: [(Piece, Square); MAX_MEN],
    fixed_count: usize,
    /// All pieces besides the kings in the order of [`Index::pieces`], without the square of
    /// the swept one.
    squares: [Square; MAX_OTHERS],
    /// The slot with the swept piece on its first place.
    offset: u64,
    /// The number of places open to the swept piece, counted from the first.
    places: usize,
}

impl Tiles {
    /// The tiles of an index. `None` if the order is not one of its pieces.
    pub fn new(index: &Index, variant: &'static Variant, order: &TileOrder) -> Option<Tiles> {
        if !TileOrder::all(index).contains(order) {
            return None;
        }
        let mut tiles_per_white_king = 1;
        let mut digits = Vec::new();
        for &piece in order.fixed.iter().rev() {
            let (count, radix) = match piece {
                TilePiece::King => (1, SQUARES as u64),
                TilePiece::Group(number) => {
                    let group = &index.groups()[number];
                    let count = group.count - usize::from(piece == order.swept);
                    (count, choose(group.places().len() as u64, count))
                }
            };
            digits.insert(0, TileDigit { piece, count, radix, stride: tiles_per_white_king });
            tiles_per_white_king *= radix;
        }
        let mut white_kings: Vec<WhiteKing> = Vec::new();
        let mut number_of_white_king = [0; SQUARES];
        for pair in (0..index.kings().len() as u16).map(KingPair) {
            // In ascending order of the white king, then of the black one.
            let [square, black] = index.kings().kings(pair);
            if white_kings.last().is_none_or(|last| last.square != square) {
                number_of_white_king[square.index()] = white_kings.len() as u8;
                let (blacks, first) = (Bitboard::EMPTY, [0; SQUARES]);
                white_kings.push(WhiteKing { square, blacks, first });
            }
            if let Some(last) = white_kings.last_mut() {
                last.blacks.insert(black);
                last.first[black.index()] = u64::from(pair.0) * index.slots_per_pair();
            }
        }
        let mut lowest_places = vec![Bitboard::EMPTY];
        if let TilePiece::Group(number) = order.swept {
            let mut squares = Bitboard::EMPTY;
            lowest_places.extend(index.groups()[number].places().iter().map(|&square| {
                squares.insert(square);
                squares
            }));
        }
        Some(Tiles {
            index: index.clone(),
            variant,
            swept: order.swept,
            digits,
            tiles_per_white_king,
            lowest_places,
            white_kings,
            number_of_white_king,
        })
    }

    /// The index of the slots.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The number of tiles.
    pub fn len(&self) -> u64 {
        self.tiles_per_white_king * self.white_kings.len() as u64
    }

    /// Whether there is no tile; always `false`.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of tiles that each white king has, which is even. They are successive.
    pub fn tiles_per_white_king(&self) -> u64 {
        self.tiles_per_white_king
    }

    /// All slots of the white kings of these tiles. White kings are in the order of their slots.
    pub fn slots_of_white_kings(&self, tiles: &Range<u64>) -> Range<u64> {
        let first = |number: u64| {
            let king = self.white_kings.get(number as usize)?;
            Some(king.first[king.blacks.first()?.index()])
        };
        let kings =
            tiles.start / self.tiles_per_white_king..tiles.end.div_ceil(self.tiles_per_white_king);
        let slots = self.index.slots();
        first(kings.start).unwrap_or(slots)..first(kings.end).unwrap_or(slots)
    }

    /// The digit of the fastest group of the index. `None` if that group is swept: then the slots
    /// of each tile are successive.
    pub fn slot_digit(&self) -> Option<SlotDigit> {
        let fastest = TilePiece::Group(self.index.groups().len().checked_sub(1)?);
        let digit = self.digits.iter().find(|digit| digit.piece == fastest)?;
        let TileDigit { radix, stride, .. } = *digit;
        (self.swept != fastest).then_some(SlotDigit { radix, stride })
    }

    /// The swept piece.
    pub fn swept(&self) -> TilePiece {
        self.swept
    }

    fn group(&self, number: usize) -> &Group {
        &self.index.groups()[number]
    }

    fn swept_piece(&self) -> Piece {
        match self.swept {
            TilePiece::King => Piece::new(Side::Black, PieceKind::King),
            TilePiece::Group(number) => self.group(number).piece,
        }
    }

    /// The tile of a slot and the square of its swept piece. Slots past the last wrap around.
    pub fn locate(&self, slot: Slot) -> (TileNumber, Square) {
        let slot = slot.0 % self.index.slots();
        let pair = KingPair((slot / self.index.slots_per_pair()) as u16);
        let [white, black] = self.index.kings().kings(pair);
        let white_king_number = self.number_of_white_king[white.index()];
        let mut tile = u64::from(white_king_number) * self.tiles_per_white_king;
        let rank = |group: &Group| slot / group.stride() % group.combinations();
        let (square, others) = match self.swept {
            TilePiece::King => (Some(black), 0),
            TilePiece::Group(number) => {
                let group = self.group(number);
                let (lowest, others) = split_lowest(rank(group), group.count);
                (group.places().get(lowest as usize).copied(), others)
            }
        };
        for digit in &self.digits {
            let rank = match digit.piece {
                piece if piece == self.swept => others,
                TilePiece::King => black.index() as u64,
                TilePiece::Group(number) => rank(self.group(number)),
            };
            tile += rank * digit.stride;
        }
        (TileNumber(tile), square.unwrap_or(Square::wrapping(0)))
    }

    /// The tile of a placement or of its canonical image, and the square of its swept piece: the
    /// same result as [`Tiles::locate`] for its slot. `None` in the cases of [`Index::slot`].
    #[inline]
    pub fn locate_placement(&self, placement: &Placement) -> Option<(TileNumber, Square)> {
        let (pair, symmetry) = self.index.kings().canonical(placement.kings)?;
        let [white, black] = self.index.kings().kings(pair);
        let white_king_number = self.number_of_white_king[white.index()];
        let mut tile = u64::from(white_king_number) * self.tiles_per_white_king;
        let mut square = black;
        if let TilePiece::Group(number) = self.swept {
            let group = self.group(number);
            let image = symmetry.square(*placement.pieces.get(group.first)?);
            group.place(image)?;
            square = image;
        }
        for digit in &self.digits {
            let rank = match digit.piece {
                TilePiece::King => black.index() as u64,
                TilePiece::Group(number) => {
                    let group = self.group(number);
                    let squares = placement.pieces.get(group.first..group.first + group.count)?;
                    if let [only] = squares {
                        group.place(symmetry.square(*only))? as u64
                    } else {
                        let mut held = 0u64;
                        for &piece in squares {
                            held |= 1 << group.place(symmetry.square(piece))?;
                        }
                        if held.count_ones() as usize != group.count {
                            return None;
                        }
                        if digit.piece == self.swept {
                            square = *group.places().get(held.trailing_zeros() as usize)?;
                            held &= held - 1;
                        }
                        rank(held, digit.count)
                    }
                }
            };
            tile += rank * digit.stride;
        }
        Some((TileNumber(tile), square))
    }

    /// The tile of a number. Numbers past the last wrap around.
    pub fn tile(&self, number: TileNumber) -> Tile {
        let number = number.0 % self.len();
        let white_king_number = (number / self.tiles_per_white_king) as usize;
        let white_king = self.white_kings[white_king_number].square;
        let places = match self.swept {
            TilePiece::King => SQUARES,
            TilePiece::Group(number) => self.group(number).places().len(),
        };
        let mut tile = Tile {
            white_king_number,
            white_king,
            black_king: None,
            fixed: [(self.swept_piece(), white_king); MAX_MEN],
            fixed_count: 0,
            squares: [white_king; MAX_OTHERS],
            offset: 0,
            places,
        };
        let mut rest = number % self.tiles_per_white_king;
        for digit in &self.digits {
            // The rest is less than the digit's radix times its stride: the slowest digit comes
            // first.
            let rank = rest / digit.stride;
            rest -= rank * digit.stride;
            let TilePiece::Group(number) = digit.piece else {
                tile.black_king = Some(Square::wrapping(rank as usize));
                continue;
            };
            let group = self.group(number);
            let is_swept = digit.piece == self.swept;
            tile.offset += if is_swept { 0 } else { rank * group.stride() };
            let squares = &mut tile.squares[group.first..group.first + digit.count];
            let places = unrank(rank, digit.count, group.places().len());
            for ((size, place), to) in (1..=digit.count).rev().zip(places).zip(squares) {
                if is_swept {
                    tile.offset += choose(place as u64, size + 1) * group.stride();
                    tile.places = place;
                }
                let square = group.places().get(place).copied().unwrap_or(white_king);
                *to = square;
                if let Some(fixed) = tile.fixed.get_mut(tile.fixed_count) {
                    *fixed = (group.piece, square);
                    tile.fixed_count += 1;
                }
            }
        }
        tile
    }

    /// The pieces of a tile with the swept piece on a square.
    pub fn placement(&self, tile: &Tile, swept: Square) -> Placement {
        let mut pieces = tile.squares;
        if let TilePiece::Group(number) = self.swept {
            let group = self.group(number);
            // Like pieces come highest first, and the swept one is the lowest.
            pieces[group.first + group.count - 1] = swept;
        }
        Placement { kings: [tile.white_king, tile.black_king.unwrap_or(swept)], pieces }
    }

    /// The squares of the swept piece that have a slot in a tile.
    fn squares(&self, tile: &Tile) -> Bitboard {
        let blacks = self.white_kings[tile.white_king_number].blacks;
        match (self.swept, tile.black_king) {
            (TilePiece::Group(_), Some(black)) if blacks.contains(black) => {
                self.lowest_places.get(tile.places).copied().unwrap_or(Bitboard::EMPTY)
            }
            (TilePiece::King, _) => blacks,
            _ => Bitboard::EMPTY,
        }
    }

    /// The slots of a tile that sweeps a group. `None` if a king is swept or the tile holds no
    /// slot.
    #[inline]
    pub fn group_slots(&self, tile: &Tile) -> Option<GroupSlots<'_>> {
        let WhiteKing { blacks, first, .. } = &self.white_kings[tile.white_king_number];
        let (TilePiece::Group(number), Some(black)) = (self.swept, tile.black_king) else {
            return None;
        };
        let group = self.group(number);
        let places = group.places();
        blacks.contains(black).then_some(GroupSlots {
            first: Slot(first[black.index()] + tile.offset),
            squares: places.get(..tile.places).unwrap_or(places),
            stride: group.stride(),
        })
    }

    /// Calls `visit` with each slot of a tile and the square of its swept piece, in the order
    /// of squares.
    #[inline]
    pub fn for_each_slot(&self, tile: &Tile, mut visit: impl FnMut(Square, Slot)) {
        if let Some(GroupSlots { first, squares, stride }) = self.group_slots(tile) {
            for (&square, place) in squares.iter().zip(0..) {
                visit(square, Slot(first.0 + place * stride));
            }
        } else if self.swept == TilePiece::King {
            let WhiteKing { blacks, first, .. } = &self.white_kings[tile.white_king_number];
            for black in *blacks {
                visit(black, Slot(first[black.index()] + tile.offset));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::variants::MAKRUK;

    /// Every slot is in one tile at its located square, and kept if and only if it is a legal
    /// position.
    #[test]
    fn tiles_hold_every_slot_and_keep_the_legal_ones() {
        for name in ["KRvK", "KSvK", "KPvKM", "KMMvK", "KRvKR", "KPPvK", "KSvKR", "KNNvK"] {
            let index = Index::new(name.parse().unwrap(), &MAKRUK.rules);
            for order in TileOrder::all(&index) {
                let tiles = Tiles::new(&index, &MAKRUK, &order).unwrap();
                assert!(tiles.tiles_per_white_king().is_multiple_of(2), "{name}");
                let mut seen = vec![false; index.slots() as usize];
                let step = if index.groups().len() > 1 { 7 } else { 1 };
                for number in (0..tiles.len()).map(TileNumber) {
                    let tile = tiles.tile(number);
                    let looked_at = number.0 % step == 0;
                    let shapes = Side::BOTH.map(|side| tiles.shape(&tile, side));
                    let mut kept = [0u64; 2];
                    let slots = tiles.slots_of_white_kings(&(number.0..number.0 + 1));
                    tiles.for_each_slot(&tile, |square, slot| {
                        assert!(slots.contains(&slot.0), "{name}");
                        assert_eq!(tiles.locate(slot), (number, square), "{name}");
                        if looked_at {
                            let placement = index.placement(slot);
                            let located = tiles.locate_placement(&placement);
                            assert_eq!(located, Some((number, square)), "{name}");
                        }
                        assert!(!std::mem::replace(&mut seen[slot.0 as usize], true), "{name}");
                        if looked_at {
                            let placement = index.placement(slot);
                            assert_eq!(tiles.placement(&tile, square), placement, "{name}");
                            for side in Side::BOTH {
                                let placed = index.placed(&placement);
                                let position = Position::new(&MAKRUK, side, placed);
                                let legal = position.ok().filter(|p| p.legality().is_ok());
                                kept[side.index()] |= u64::from(legal.is_some()) << square.index();
                            }
                        }
                    });
                    if looked_at {
                        assert_eq!(shapes.map(|shape| shape.kept), kept, "{name} {tile:?}");
                    }
                }
                assert!(seen.into_iter().all(|seen| seen), "{name}");
            }
        }
    }
}
