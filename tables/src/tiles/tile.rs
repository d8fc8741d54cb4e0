//! The slots of a material as tiles: 64 at a time, one piece, the *runner*, on each square
//! in turn and all else fixed.
//!
//! Tiles are numbered `[white king][piece][piece]...`, the first the slowest: the groups of
//! pieces and the black king, but for the runner, in any order. Which piece runs and which
//! change next is chosen so that neighbouring codes are alike. Of like pieces the one on the
//! lowest place runs; the others are a combination, and the runner keeps below them. The
//! kings stand as in the canonical pairs of the index; tiles and squares with any other
//! pair hold no slot.

mod shape;

use crate::board::bitboard::Bitboard;
use crate::board::square::{SQUARES, Square};
use crate::index::kings::KingPair;
use crate::index::{Group, Index, MAX_OTHERS, Placement, Slot, choose};
use crate::material::MAX_MEN;
use crate::packed_codec::walk::Spot;
use crate::rules::piece::{Piece, PieceKind, Side};
use crate::tiles::order::{Arrangement, Swept};
use crate::variant::Variant;

/// The number of a tile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct TileNumber(pub u64);

/// The tiles of a material.
#[derive(Clone, Debug)]
pub struct Tiles {
    index: Index,
    variant: &'static Variant,
    runner: Swept,
    /// The fixed pieces, the slowest first.
    digits: Vec<Digit>,
    tiles_per_white: u64,
    /// By how many places a runner may take: their squares.
    lowest_places: Vec<Bitboard>,
    /// The squares of the white king, with the pairs that have it there.
    whites: Vec<White>,
    /// By square: the number of the white king there.
    number_of_white: [u8; SQUARES],
}

/// A square of the white king.
#[derive(Clone, Debug)]
struct White {
    square: Square,
    /// The black king's squares.
    blacks: Bitboard,
    /// By the black king's square: the first slot of the pair.
    first: [u64; SQUARES],
}

/// A fixed piece as a digit of a tile's number.
#[derive(Clone, Copy, Debug)]
struct Digit {
    piece: Swept,
    /// How many of its pieces are fixed, the highest.
    men: usize,
    /// How many squares or combinations of places they have.
    radix: u64,
    /// How many tiles further the next is.
    stride: u64,
}

/// A tile: its fixed pieces and where its slots are.
#[derive(Clone, Copy, Debug)]
pub struct Tile {
    white_number: usize,
    white: Square,
    /// The black king, unless it runs.
    black: Option<Square>,
    /// The fixed pieces but the kings.
    men: [(Piece, Square); MAX_MEN],
    count: usize,
    /// All men but the kings in the order of [`Index::men`]; the runner is not there yet.
    placed: [Square; MAX_OTHERS],
    /// The share in the slot of all pieces that are fixed, and of a runner on its first place.
    share: u64,
    /// How many places the runner may take, counted from the first.
    places: usize,
}

impl Tiles {
    /// The tiles of an index; nothing where the arrangement does not name its pieces.
    pub fn new(
        index: &Index,
        variant: &'static Variant,
        arrangement: &Arrangement,
    ) -> Option<Tiles> {
        if !Arrangement::all(index).contains(arrangement) {
            return None;
        }
        let mut tiles_per_white = 1;
        let mut digits = Vec::new();
        for &piece in arrangement.order.iter().rev() {
            let (men, radix) = match piece {
                Swept::King => (1, SQUARES as u64),
                Swept::Group(number) => {
                    let group = &index.groups()[number];
                    let men = group.count - usize::from(piece == arrangement.runner);
                    (men, choose(group.places().len() as u64, men))
                }
            };
            digits.insert(0, Digit { piece, men, radix, stride: tiles_per_white });
            tiles_per_white *= radix;
        }
        let mut whites: Vec<White> = Vec::new();
        let mut number_of_white = [0; SQUARES];
        for pair in (0..index.kings().len() as u16).map(KingPair) {
            // In ascending order of the white king, then of the black one.
            let [white, black] = index.kings().kings(pair);
            if whites.last().is_none_or(|last| last.square != white) {
                number_of_white[white.index()] = whites.len() as u8;
                whites.push(White { square: white, blacks: Bitboard::EMPTY, first: [0; SQUARES] });
            }
            if let Some(last) = whites.last_mut() {
                last.blacks.insert(black);
                last.first[black.index()] = u64::from(pair.0) * index.slots_per_pair();
            }
        }
        let mut lowest_places = vec![Bitboard::EMPTY];
        if let Swept::Group(number) = arrangement.runner {
            let mut squares = Bitboard::EMPTY;
            lowest_places.extend(index.groups()[number].places().iter().map(|&square| {
                squares.insert(square);
                squares
            }));
        }
        Some(Tiles {
            index: index.clone(),
            variant,
            runner: arrangement.runner,
            digits,
            tiles_per_white,
            lowest_places,
            whites,
            number_of_white,
        })
    }

    /// The index of the slots.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// How many tiles there are.
    pub fn len(&self) -> u64 {
        self.tiles_per_white * self.whites.len() as u64
    }

    /// Whether there is no tile; never so.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn group(&self, number: usize) -> &Group {
        &self.index.groups()[number]
    }

    fn swept_piece(&self) -> Piece {
        match self.runner {
            Swept::King => Piece::new(Side::Black, PieceKind::King),
            Swept::Group(number) => self.group(number).piece,
        }
    }

    /// The tile of a slot and the square on which its runner stands. Slots past the last
    /// wrap around.
    pub fn locate(&self, slot: Slot) -> (TileNumber, Square) {
        let slot = slot.0 % self.index.slots();
        let pair = KingPair((slot / self.index.slots_per_pair()) as u16);
        let [white, black] = self.index.kings().kings(pair);
        let white_number = self.number_of_white[white.index()];
        let mut tile = u64::from(white_number) * self.tiles_per_white;
        let rank = |group: &Group| slot / group.stride() % group.combinations();
        let (square, rest) = match self.runner {
            Swept::King => (Some(black), 0),
            Swept::Group(number) => {
                let group = self.group(number);
                let (lowest, rest) = without_lowest(rank(group), group.count);
                (group.places().get(lowest as usize).copied(), rest)
            }
        };
        for digit in &self.digits {
            let rank = match digit.piece {
                piece if piece == self.runner => rest,
                Swept::King => black.index() as u64,
                Swept::Group(number) => rank(self.group(number)),
            };
            tile += rank * digit.stride;
        }
        (TileNumber(tile), square.unwrap_or(Square::wrapping(0)))
    }

    /// A tile by its number. Numbers past the last wrap around.
    pub fn tile(&self, number: TileNumber) -> Tile {
        let number = number.0 % self.len();
        let white_number = (number / self.tiles_per_white) as usize;
        let white = self.whites[white_number].square;
        let places = match self.runner {
            Swept::King => SQUARES,
            Swept::Group(number) => self.group(number).places().len(),
        };
        let mut tile = Tile {
            white_number,
            white,
            black: None,
            men: [(self.swept_piece(), white); MAX_MEN],
            count: 0,
            placed: [white; MAX_OTHERS],
            share: 0,
            places,
        };
        for digit in &self.digits {
            let mut rank = number / digit.stride % digit.radix;
            let Swept::Group(number) = digit.piece else {
                tile.black = Some(Square::wrapping(rank as usize));
                continue;
            };
            let group = self.group(number);
            let is_runners = digit.piece == self.runner;
            tile.share += if is_runners { 0 } else { rank * group.stride() };
            let men = &mut tile.placed[group.first..group.first + digit.men];
            for (size, piece) in (1..=digit.men).rev().zip(men) {
                let place = highest(rank, size, group.places().len());
                rank -= choose(place as u64, size);
                if is_runners {
                    tile.share += choose(place as u64, size + 1) * group.stride();
                    tile.places = place;
                }
                let square = group.places().get(place).copied().unwrap_or(white);
                *piece = square;
                if let Some(piece) = tile.men.get_mut(tile.count) {
                    *piece = (group.piece, square);
                    tile.count += 1;
                }
            }
        }
        tile
    }

    /// The pieces of a tile with the runner on a square.
    pub fn placement(&self, tile: &Tile, runner: Square) -> Placement {
        let mut men = tile.placed;
        if let Swept::Group(number) = self.runner {
            let group = self.group(number);
            // Like pieces come highest first, and the runner is the lowest.
            men[group.first + group.count - 1] = runner;
        }
        Placement { kings: [tile.white, tile.black.unwrap_or(runner)], pieces: men }
    }

    /// The squares on which the runner has a slot in a tile.
    fn squares(&self, tile: &Tile) -> Bitboard {
        let blacks = self.whites[tile.white_number].blacks;
        match (self.runner, tile.black) {
            (Swept::Group(_), Some(black)) if blacks.contains(black) => {
                self.lowest_places.get(tile.places).copied().unwrap_or(Bitboard::EMPTY)
            }
            (Swept::King, _) => blacks,
            _ => Bitboard::EMPTY,
        }
    }

    /// Calls `visit` for each slot of a tile with the runner's square, in the order of
    /// squares.
    #[inline]
    pub fn for_each_slot(&self, tile: &Tile, mut visit: impl FnMut(Square, Slot)) {
        let White { blacks, first, .. } = &self.whites[tile.white_number];
        match (self.runner, tile.black) {
            (Swept::Group(number), Some(black)) if blacks.contains(black) => {
                let group = self.group(number);
                let (base, stride) = (first[black.index()] + tile.share, group.stride());
                for (&square, place) in group.places().iter().take(tile.places).zip(0..) {
                    visit(square, Slot(base + place * stride));
                }
            }
            (Swept::King, _) => {
                for black in *blacks {
                    visit(black, Slot(first[black.index()] + tile.share));
                }
            }
            _ => {}
        }
    }
}
/// The highest place whose number of combinations of `size` is at most `rank`.
fn highest(rank: u64, size: usize, places: usize) -> usize {
    if size == 1 {
        return rank as usize;
    }
    (0..places).rev().find(|&place| choose(place as u64, size) <= rank).unwrap_or(0)
}

/// The lowest of so many places, and the number of the combination of the others.
fn without_lowest(mut rank: u64, count: usize) -> (u64, u64) {
    let mut rest = 0;
    for size in (2..=count).rev() {
        let place = highest(rank, size, SQUARES) as u64;
        rank -= choose(place, size);
        rest += choose(place, size - 1);
    }
    (rank, rest)
}

/// The block of a tile and its spot there, for blocks of so many tiles.
pub fn block_of(tile: TileNumber, square: Square, tiles: u64) -> (u64, Spot) {
    let spot = Spot { tile: (tile.0 % tiles) as usize, square: square.index() };
    (tile.0 / tiles, spot)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::variants::MAKRUK;

    /// Every slot in one tile at the square located, and kept if and only if it is a legal
    /// position.
    #[test]
    fn tiles_hold_every_slot_and_keep_the_legal_ones() {
        for name in ["KRvK", "KSvK", "KPvKM", "KMMvK", "KRvKR", "KPPvK", "KSvKR", "KNNvK"] {
            let index = Index::new(name.parse().unwrap(), &MAKRUK.rules);
            for arrangement in Arrangement::all(&index) {
                let tiles = Tiles::new(&index, &MAKRUK, &arrangement).unwrap();
                let mut seen = vec![false; index.slots() as usize];
                let step = if index.groups().len() > 1 { 7 } else { 1 };
                for number in (0..tiles.len()).map(TileNumber) {
                    let tile = tiles.tile(number);
                    let looked_at = number.0 % step == 0;
                    let shapes = Side::BOTH.map(|side| tiles.shape(&tile, side));
                    let may_change = Side::BOTH.map(|side| tiles.may_change(&tile, side));
                    let mut kept = [0u64; 2];
                    tiles.for_each_slot(&tile, |square, slot| {
                        assert_eq!(tiles.locate(slot), (number, square), "{name}");
                        assert!(!std::mem::replace(&mut seen[slot.0 as usize], true), "{name}");
                        if looked_at {
                            let placement = index.placement(slot);
                            assert_eq!(tiles.placement(&tile, square), placement, "{name}");
                            for side in Side::BOTH {
                                let placed = index.placed(&placement);
                                let position = Position::new(&MAKRUK, side, placed);
                                let legal = position.ok().filter(|p| p.legality().is_ok());
                                let Some(position) = legal else { continue };
                                kept[side.index()] |= 1 << square.index();
                                let enemy = position.of(!side);
                                let moves = position.legal_moves();
                                let changes = |mv: &crate::position::moves::Move| {
                                    enemy.contains(mv.to) || mv.promotion.is_some()
                                };
                                let may = may_change[side.index()].contains(square);
                                assert!(may || !moves.iter().any(changes), "{name} {tile:?}");
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
