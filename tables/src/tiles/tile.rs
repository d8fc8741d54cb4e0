//! The slots of a material as panels: 64 at a time, one piece, the *runner*, on each square
//! in turn and all else fixed.
//!
//! Panels are numbered `[white king][piece][piece]...`, the first the slowest: the groups of
//! men and the black king, but for the runner, in any order. Which piece runs and which
//! change next is chosen so that neighbouring codes are alike. Of like men the one on the
//! lowest place runs; the others are a combination, and the runner keeps below them. The
//! kings stand as in the canonical pairs of the index; panels and squares with any other
//! pair hold no slot.

mod shape;

use crate::packed_codec::walk::Spot;
use crate::index::{Group, Index, MAX_OTHERS, Placement, Slot, choose};
use crate::index::kings::KingPair;
use crate::rules::piece::{Kind, Man, Side};
use crate::material::MAX_MEN;
use crate::board::bitboard::Set;
use crate::board::square::{SQUARES, Square};
use crate::variant::Variant;
use crate::tiles::order::{Arrangement, Piece};

/// The number of a panel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct PanelNumber(pub u64);

/// The panels of a material.
#[derive(Clone, Debug)]
pub struct Panels {
    index: Index,
    variant: &'static Variant,
    runner: Piece,
    /// The fixed pieces, the slowest first.
    digits: Vec<Digit>,
    panels_per_white: u64,
    /// By how many places a runner may take: their squares.
    lowest_places: Vec<Set>,
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
    blacks: Set,
    /// By the black king's square: the first slot of the pair.
    first: [u64; SQUARES],
}

/// A fixed piece as a digit of a panel's number.
#[derive(Clone, Copy, Debug)]
struct Digit {
    piece: Piece,
    /// How many of its men are fixed, the highest.
    men: usize,
    /// How many squares or combinations of places they have.
    radix: u64,
    /// How many panels further the next is.
    stride: u64,
}

/// A panel: its fixed pieces and where its slots are.
#[derive(Clone, Copy, Debug)]
pub struct Panel {
    white_number: usize,
    white: Square,
    /// The black king, unless it runs.
    black: Option<Square>,
    /// The fixed men but the kings.
    men: [(Man, Square); MAX_MEN],
    count: usize,
    /// All men but the kings in the order of [`Index::men`]; the runner is not there yet.
    placed: [Square; MAX_OTHERS],
    /// The share in the slot of all men that are fixed, and of a runner on its first place.
    share: u64,
    /// How many places the runner may take, counted from the first.
    places: usize,
}

impl Panels {
    /// The panels of an index; nothing where the arrangement does not name its pieces.
    pub fn new(
        index: &Index,
        variant: &'static Variant,
        arrangement: &Arrangement,
    ) -> Option<Panels> {
        if !Arrangement::all(index).contains(arrangement) {
            return None;
        }
        let mut panels_per_white = 1;
        let mut digits = Vec::new();
        for &piece in arrangement.order.iter().rev() {
            let (men, radix) = match piece {
                Piece::King => (1, SQUARES as u64),
                Piece::Group(number) => {
                    let group = &index.groups()[number];
                    let men = group.count - usize::from(piece == arrangement.runner);
                    (men, choose(group.places().len() as u64, men))
                }
            };
            digits.insert(0, Digit { piece, men, radix, stride: panels_per_white });
            panels_per_white *= radix;
        }
        let mut whites: Vec<White> = Vec::new();
        let mut number_of_white = [0; SQUARES];
        for pair in (0..index.kings().len() as u16).map(KingPair) {
            // In ascending order of the white king, then of the black one.
            let [white, black] = index.kings().kings(pair);
            if whites.last().is_none_or(|last| last.square != white) {
                number_of_white[white.index()] = whites.len() as u8;
                whites.push(White { square: white, blacks: Set::EMPTY, first: [0; SQUARES] });
            }
            if let Some(last) = whites.last_mut() {
                last.blacks.insert(black);
                last.first[black.index()] = u64::from(pair.0) * index.slots_per_pair();
            }
        }
        let mut lowest_places = vec![Set::EMPTY];
        if let Piece::Group(number) = arrangement.runner {
            let mut squares = Set::EMPTY;
            lowest_places.extend(index.groups()[number].places().iter().map(|&square| {
                squares.insert(square);
                squares
            }));
        }
        Some(Panels {
            index: index.clone(),
            variant,
            runner: arrangement.runner,
            digits,
            panels_per_white,
            lowest_places,
            whites,
            number_of_white,
        })
    }

    /// The index of the slots.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// How many panels there are.
    pub fn len(&self) -> u64 {
        self.panels_per_white * self.whites.len() as u64
    }

    /// Whether there is no panel; never so.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn group(&self, number: usize) -> &Group {
        &self.index.groups()[number]
    }

    fn runner_man(&self) -> Man {
        match self.runner {
            Piece::King => Man::new(Side::Black, Kind::King),
            Piece::Group(number) => self.group(number).man,
        }
    }

    /// The panel of a slot and the square on which its runner stands. Slots past the last
    /// wrap around.
    pub fn locate(&self, slot: Slot) -> (PanelNumber, Square) {
        let slot = slot.0 % self.index.slots();
        let pair = KingPair((slot / self.index.slots_per_pair()) as u16);
        let [white, black] = self.index.kings().kings(pair);
        let white_number = self.number_of_white[white.index()];
        let mut panel = u64::from(white_number) * self.panels_per_white;
        let rank = |group: &Group| slot / group.stride() % group.combinations();
        let (square, rest) = match self.runner {
            Piece::King => (Some(black), 0),
            Piece::Group(number) => {
                let group = self.group(number);
                let (lowest, rest) = without_lowest(rank(group), group.count);
                (group.places().get(lowest as usize).copied(), rest)
            }
        };
        for digit in &self.digits {
            let rank = match digit.piece {
                piece if piece == self.runner => rest,
                Piece::King => black.index() as u64,
                Piece::Group(number) => rank(self.group(number)),
            };
            panel += rank * digit.stride;
        }
        (PanelNumber(panel), square.unwrap_or(Square::wrapping(0)))
    }

    /// A panel by its number. Numbers past the last wrap around.
    pub fn panel(&self, number: PanelNumber) -> Panel {
        let number = number.0 % self.len();
        let white_number = (number / self.panels_per_white) as usize;
        let white = self.whites[white_number].square;
        let places = match self.runner {
            Piece::King => SQUARES,
            Piece::Group(number) => self.group(number).places().len(),
        };
        let mut panel = Panel {
            white_number,
            white,
            black: None,
            men: [(self.runner_man(), white); MAX_MEN],
            count: 0,
            placed: [white; MAX_OTHERS],
            share: 0,
            places,
        };
        for digit in &self.digits {
            let mut rank = number / digit.stride % digit.radix;
            let Piece::Group(number) = digit.piece else {
                panel.black = Some(Square::wrapping(rank as usize));
                continue;
            };
            let group = self.group(number);
            let is_runners = digit.piece == self.runner;
            panel.share += if is_runners { 0 } else { rank * group.stride() };
            let men = &mut panel.placed[group.first..group.first + digit.men];
            for (size, man) in (1..=digit.men).rev().zip(men) {
                let place = highest(rank, size, group.places().len());
                rank -= choose(place as u64, size);
                if is_runners {
                    panel.share += choose(place as u64, size + 1) * group.stride();
                    panel.places = place;
                }
                let square = group.places().get(place).copied().unwrap_or(white);
                *man = square;
                if let Some(man) = panel.men.get_mut(panel.count) {
                    *man = (group.man, square);
                    panel.count += 1;
                }
            }
        }
        panel
    }

    /// The men of a panel with the runner on a square.
    pub fn placement(&self, panel: &Panel, runner: Square) -> Placement {
        let mut men = panel.placed;
        if let Piece::Group(number) = self.runner {
            let group = self.group(number);
            // Like men come highest first, and the runner is the lowest.
            men[group.first + group.count - 1] = runner;
        }
        Placement { kings: [panel.white, panel.black.unwrap_or(runner)], men }
    }

    /// The squares on which the runner has a slot in a panel.
    fn squares(&self, panel: &Panel) -> Set {
        let blacks = self.whites[panel.white_number].blacks;
        match (self.runner, panel.black) {
            (Piece::Group(_), Some(black)) if blacks.contains(black) => {
                self.lowest_places.get(panel.places).copied().unwrap_or(Set::EMPTY)
            }
            (Piece::King, _) => blacks,
            _ => Set::EMPTY,
        }
    }

    /// Calls `visit` for each slot of a panel with the runner's square, in the order of
    /// squares.
    #[inline]
    pub fn for_each_slot(&self, panel: &Panel, mut visit: impl FnMut(Square, Slot)) {
        let White { blacks, first, .. } = &self.whites[panel.white_number];
        match (self.runner, panel.black) {
            (Piece::Group(number), Some(black)) if blacks.contains(black) => {
                let group = self.group(number);
                let (base, stride) = (first[black.index()] + panel.share, group.stride());
                for (&square, place) in group.places().iter().take(panel.places).zip(0..) {
                    visit(square, Slot(base + place * stride));
                }
            }
            (Piece::King, _) => {
                for black in *blacks {
                    visit(black, Slot(first[black.index()] + panel.share));
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

/// The block of a panel and its spot there, for blocks of so many panels.
pub fn block_of(panel: PanelNumber, square: Square, panels: u64) -> (u64, Spot) {
    let spot = Spot { panel: (panel.0 % panels) as usize, square: square.index() };
    (panel.0 / panels, spot)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::variants::MAKRUK;

    /// Every slot in one panel at the square located, and kept if and only if it is a legal
    /// position.
    #[test]
    fn panels_hold_every_slot_and_keep_the_legal_ones() {
        for name in ["KRvK", "KSvK", "KPvKM", "KMMvK", "KRvKR", "KPPvK", "KSvKR", "KNNvK"] {
            let index = Index::new(name.parse().unwrap(), &MAKRUK.rules);
            for arrangement in Arrangement::all(&index) {
                let panels = Panels::new(&index, &MAKRUK, &arrangement).unwrap();
                let mut seen = vec![false; index.slots() as usize];
                let step = if index.groups().len() > 1 { 7 } else { 1 };
                for number in (0..panels.len()).map(PanelNumber) {
                    let panel = panels.panel(number);
                    let looked_at = number.0 % step == 0;
                    let shapes = Side::BOTH.map(|side| panels.shape(&panel, side));
                    let may_change = Side::BOTH.map(|side| panels.may_change(&panel, side));
                    let mut kept = [0u64; 2];
                    panels.for_each_slot(&panel, |square, slot| {
                        assert_eq!(panels.locate(slot), (number, square), "{name}");
                        assert!(!std::mem::replace(&mut seen[slot.0 as usize], true), "{name}");
                        if looked_at {
                            let placement = index.placement(slot);
                            assert_eq!(panels.placement(&panel, square), placement, "{name}");
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
                                assert!(may || !moves.iter().any(changes), "{name} {panel:?}");
                            }
                        }
                    });
                    if looked_at {
                        assert_eq!(shapes.map(|shape| shape.kept), kept, "{name} {panel:?}");
                    }
                }
                assert!(seen.into_iter().all(|seen| seen), "{name}");
            }
        }
    }
}
