//! The planes of a material and their numbering.
//!
//! Planes are numbered `[king pair][outer placement]`. The last two pieces of the index run through
//! a plane; the outer pieces before them are fixed in it. Outer pieces of the same kind and side are
//! numbered as a combination. An outer pawn also has planes for its promotion rank, to which it moves
//! from the rank before. These planes hold the values of the material with a promoted piece.
//!
//! A pawn that has just advanced two squares is represented on the square behind its first rank, on
//! which no pawn ever stands: its *passing square*. So a double step is a move to that slot, and the
//! slot has the value of the position in which the opponent may capture in passing.

use crate::planes::bits::{Plane, Shift};
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::{SQUARES, Square, Step};
use sakmak_tables::board::symmetry::Symmetry;
use sakmak_tables::index::kings::{KingPair, Kings};
use sakmak_tables::index::{Index, MAX_OTHERS, combination};
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::end_rule::EndRule;
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};

/// The maximum number of outer pieces.
pub const MAX_OUTER: usize = MAX_OTHERS - 2;

/// Moves of a piece, in steps on the board: Black's are flipped.
#[derive(Clone, Debug)]
pub struct OrientedMovement {
    pub steps: Vec<Step>,
    pub slides: Vec<Step>,
    pub advances: Vec<Step>,
    pub captures: Vec<Step>,
}

impl OrientedMovement {
    fn new(piece: Piece, rules: &Rules) -> OrientedMovement {
        let movement = rules.movement(piece.kind);
        let oriented = |steps: &[Step]| match piece.side {
            Side::White => steps.to_vec(),
            Side::Black => steps.iter().map(|step| step.flipped()).collect(),
        };
        OrientedMovement {
            steps: oriented(movement.steps),
            slides: oriented(movement.slides),
            advances: oriented(movement.advances),
            captures: oriented(movement.captures),
        }
    }
}

/// A piece of the material, as the kernels use it.
#[derive(Clone, Debug)]
pub struct PlanePiece {
    pub side: Side,
    pub movement: OrientedMovement,
    /// The steps within a word.
    pub step_shifts: Vec<Shift>,
    /// The slides within a word.
    pub slide_shifts: Vec<Shift>,
    /// The squares where it may stand in a position.
    pub domain: Bitboard,
    /// The squares where it is promoted.
    pub promotion: Bitboard,
    /// The double step, if it has one.
    pub double_step: Option<DoubleStep>,
}

/// The double step of a pawn.
#[derive(Clone, Copy, Debug)]
pub struct DoubleStep {
    /// The squares that represent the pawn when it has just advanced two squares.
    pub passing: Bitboard,
    /// The step forward.
    ahead: Step,
}

impl DoubleStep {
    /// The double step of a pawn that may advance two squares from its first rank.
    fn new(piece: Piece, rules: &Rules) -> Option<DoubleStep> {
        let ahead = piece.side.forward();
        let starts = Square::all().filter(|&from| rules.double_step_of(piece, from).is_some());
        let behind = |from: Square| from.step(Step::new(0, -ahead.ranks));
        let passing: Bitboard = starts.filter_map(behind).collect();
        (!passing.is_empty()).then_some(DoubleStep { passing, ahead })
    }

    /// The square this many ranks ahead.
    fn after(self, square: Square, ranks: i8) -> Option<Square> {
        square.step(Step::new(0, ranks * self.ahead.ranks))
    }

    /// The square from which the pawn has advanced, given its passing square, and the two squares
    /// ahead. `None` for other squares.
    pub fn path(self, passing: Square) -> Option<[Square; 3]> {
        let ahead = |ranks| self.after(passing, ranks);
        Some([ahead(1)?, ahead(2)?, ahead(3)?]).filter(|_| self.passing.contains(passing))
    }

    /// The passing square of a pawn on its first rank. `None` for other squares.
    pub fn passing_from(self, from: Square) -> Option<Square> {
        self.after(from, -1).filter(|&passing| self.passing.contains(passing))
    }

    /// The slots with a column pawn on a passing square, each with the bit of the slot in which the
    /// pawn stands on the square it has advanced to.
    pub fn carried_columns(self, plane: &Plane) -> Plane {
        let shift = Shift::new(Step::new(0, 3 * self.ahead.ranks));
        Plane(plane.0.map(|word| shift.back(word) & self.passing.0))
    }

    /// The slots with a row pawn on a passing square, each with the bit of the slot in which the pawn
    /// stands on the square it has advanced to.
    pub fn carried_rows(self, plane: &Plane) -> Plane {
        let mut carried = Plane::EMPTY;
        for passing in self.passing {
            if let Some([.., to]) = self.path(passing) {
                carried.0[passing.index()] = plane.0[to.index()];
            }
        }
        carried
    }

    /// The squares from which a double step over `empty` squares leads to passing squares among
    /// `targets`.
    #[inline(always)]
    pub fn back(self, targets: u64, empty: u64) -> u64 {
        let free = |ranks| Shift::new(Step::new(0, ranks * self.ahead.ranks)).back(empty);
        let behind = Shift::new(Step::new(0, -self.ahead.ranks));
        behind.back(targets & self.passing.0) & free(1) & free(2)
    }
}

impl PlanePiece {
    /// The squares that represent it when it has just advanced two squares.
    pub fn passing(&self) -> Bitboard {
        self.double_step.map_or(Bitboard::EMPTY, |double_step| double_step.passing)
    }

    fn new(piece: Piece, rules: &Rules) -> PlanePiece {
        let promotion = if piece.kind == PieceKind::Pawn {
            rules.promotion_squares(piece.side)
        } else {
            Bitboard::EMPTY
        };
        let movement = OrientedMovement::new(piece, rules);
        let shifts = |steps: &[Step]| steps.iter().map(|&step| Shift::new(step)).collect();
        PlanePiece {
            side: piece.side,
            step_shifts: shifts(&movement.steps),
            slide_shifts: shifts(&movement.slides),
            movement,
            domain: rules.domain(piece),
            promotion,
            double_step: DoubleStep::new(piece, rules),
        }
    }
}

/// Like outer pieces.
#[derive(Clone, Debug)]
struct OuterGroup {
    first: usize,
    count: usize,
    place_of: [Option<u8>; SQUARES],
    combinations: usize,
}

/// The squares of the outer pieces of a plane; entries past the last outer piece are unused.
pub type OuterSquares = [Square; MAX_OUTER];

/// The planes of a material.
#[derive(Clone, Debug)]
pub struct Geometry {
    pub index: Index,
    pub kings: [PlanePiece; 2],
    /// All pieces but the kings, in the order of the index. The last two are the row piece and
    /// the column piece; a single piece is the column piece.
    pub pieces: Vec<PlanePiece>,
    /// The end rule.
    pub end: EndRule,
    /// Whether a king in check may not step away.
    pub checked_king_stays: bool,
    groups: Vec<OuterGroup>,
    /// The squares by outer placement.
    placements: Vec<OuterSquares>,
    /// The outer placements with a pawn on a passing square, by side; see [`Geometry::passing`].
    passing: [Vec<(usize, usize)>; 2],
}

/// A plane: the pieces that are fixed in it.
#[derive(Clone, Copy, Debug)]
pub struct PlaneKey {
    pub pair: KingPair,
    pub kings: Kings,
    pub outer: OuterSquares,
    /// The squares of the king and the outer pieces of each side.
    pub fixed: [Bitboard; 2],
    /// Whether the fixed pieces stand on distinct squares of their domains. Otherwise the plane
    /// holds conversions and no positions.
    pub real: bool,
}

impl Geometry {
    /// The planes of the material of an index with at least one piece besides the kings.
    pub fn new(index: Index, rules: &Rules) -> Geometry {
        let pieces: Vec<PlanePiece> =
            index.pieces().iter().map(|&piece| PlanePiece::new(piece, rules)).collect();
        let kings =
            Side::BOTH.map(|side| PlanePiece::new(Piece::new(side, PieceKind::King), rules));
        let outer_pieces = pieces.len().saturating_sub(2);
        let mut groups = Vec::new();
        let mut placements = vec![[Square::wrapping(0); MAX_OUTER]];
        for group in index.groups().iter().filter(|group| group.first < outer_pieces) {
            let count = group.count.min(outer_pieces - group.first);
            let piece = &pieces[group.first];
            let places: Vec<Square> = (piece.domain | piece.promotion | piece.passing()).collect();
            let mut place_of = [None; SQUARES];
            for (number, place) in (0..).zip(&places) {
                place_of[place.index()] = Some(number);
            }
            let combinations = combinations(&places, count);
            placements = placements
                .iter()
                .flat_map(|outer| {
                    combinations.iter().map(move |squares| {
                        let mut outer = *outer;
                        outer[group.first..group.first + count].copy_from_slice(squares);
                        outer
                    })
                })
                .collect();
            let combinations = combinations.len();
            groups.push(OuterGroup { first: group.first, count, place_of, combinations });
        }
        let mut geometry = Geometry {
            index,
            kings,
            pieces,
            end: rules.end,
            checked_king_stays: rules.checked_king_stays,
            groups,
            placements,
            passing: [Vec::new(), Vec::new()],
        };
        geometry.passing = Side::BOTH.map(|side| geometry.passing_placements(side));
        geometry
    }

    /// The number of planes of a king pair.
    pub fn planes_per_pair(&self) -> usize {
        self.placements.len()
    }

    /// The number of planes.
    pub fn planes(&self) -> usize {
        self.index.kings().len() * self.placements.len()
    }

    /// The index of a plane.
    pub fn plane(&self, pair: KingPair, outer: usize) -> usize {
        pair.0 as usize * self.placements.len() + outer
    }

    /// The squares of the outer pieces in an outer placement.
    pub fn outer_squares(&self, outer: usize) -> &OuterSquares {
        &self.placements[outer]
    }

    /// The outer pieces.
    pub fn outer(&self) -> &[PlanePiece] {
        &self.pieces[..self.pieces.len().saturating_sub(2)]
    }

    /// The row piece. `None` if the material has a single piece besides the kings: then all rows of
    /// a plane are alike.
    pub fn row(&self) -> Option<&PlanePiece> {
        self.pieces.len().checked_sub(2).map(|row| &self.pieces[row])
    }

    /// The column piece.
    pub fn column(&self) -> &PlanePiece {
        &self.pieces[self.pieces.len() - 1]
    }

    /// The king of a side.
    pub fn king(&self, side: Side) -> &PlanePiece {
        &self.kings[side.index()]
    }

    /// The plane of a king pair and an outer placement.
    pub fn plane_key(&self, pair: KingPair, outer: usize) -> PlaneKey {
        let kings = self.index.kings().kings(pair);
        let squares = self.placements[outer];
        let mut fixed = kings.map(Bitboard::of);
        let mut real = true;
        for (piece, square) in self.outer().iter().zip(squares) {
            real &= !(fixed[0] | fixed[1]).contains(square) && piece.domain.contains(square);
            fixed[piece.side.index()].insert(square);
        }
        PlaneKey { pair, kings, outer: squares, fixed, real }
    }

    /// The slots of a plane in which the row piece and the column piece stand in their domains, on
    /// distinct squares that no fixed piece occupies.
    #[inline(always)]
    pub fn real_slots(&self, key: &PlaneKey) -> Plane {
        let columns = self.column().domain - key.occupied();
        let mut plane = Plane([columns.0; SQUARES]);
        if let Some(row) = self.row() {
            let rows = row.domain - key.occupied();
            for (number, word) in plane.0.iter_mut().enumerate() {
                let there = rows.0 >> number & 1;
                *word &= there.wrapping_neg() & !(1 << number);
            }
        }
        plane
    }

    /// The outer placements in which a pawn of this side is on a passing square, each with the
    /// placement in which it stands on the square it has advanced to.
    pub fn passing(&self, side: Side) -> &[(usize, usize)] {
        &self.passing[side.index()]
    }

    fn passing_placements(&self, side: Side) -> Vec<(usize, usize)> {
        let carried = |outer: usize| {
            let squares = self.outer_squares(outer);
            let mut pieces =
                self.outer().iter().enumerate().filter(|(_, piece)| piece.side == side);
            let (index, double_step) = pieces.find_map(|(index, piece)| {
                Some((index, piece.double_step?))
                    .filter(|_| piece.passing().contains(squares[index]))
            })?;
            let mut advanced = *squares;
            advanced[index] = double_step.path(squares[index])?[2];
            Some((outer, self.outer_number(&advanced, Symmetry::IDENTITY)?))
        };
        (0..self.planes_per_pair()).filter_map(carried).collect()
    }

    /// Whether a side has a pawn that may advance two squares.
    pub fn has_double_step(&self, side: Side) -> bool {
        self.pieces.iter().any(|piece| piece.side == side && piece.double_step.is_some())
    }

    /// The double steps of this side's row piece and column piece.
    fn double_steps_within(&self, side: Side) -> [Option<DoubleStep>; 2] {
        let of = |piece: &PlanePiece| piece.double_step.filter(|_| piece.side == side);
        [self.row().and_then(of), of(self.column())]
    }

    /// The slots of a plane in which this side's row piece or column piece is on a passing square.
    pub fn passing_slots(&self, side: Side) -> Plane {
        let [row, column] = self.double_steps_within(side);
        let columns = column.map_or(Bitboard::EMPTY, |double_step| double_step.passing);
        let mut slots = Plane([columns.0; SQUARES]);
        for square in row.map_or(Bitboard::EMPTY, |double_step| double_step.passing) {
            slots.0[square.index()] = u64::MAX;
        }
        slots
    }

    /// The [`passing slots`](Self::passing_slots) whose pawn has advanced to a slot of the plane.
    pub fn carried(&self, side: Side, plane: &Plane) -> Plane {
        let [row, column] = self.double_steps_within(side);
        let mut slots = row.map_or(Plane::EMPTY, |double_step| double_step.carried_rows(plane));
        if let Some(double_step) = column {
            slots.insert_all(&double_step.carried_columns(plane));
        }
        slots
    }

    /// The index of the outer placement with these squares after a symmetry. `None` if like pieces
    /// coincide or a pawn stands on a square that it cannot reach.
    pub fn outer_number(&self, outer: &OuterSquares, symmetry: Symmetry) -> Option<usize> {
        let mut number = 0;
        for group in &self.groups {
            let mut held = 0u64;
            for &square in &outer[group.first..group.first + group.count] {
                let bit = 1 << group.place_of[symmetry.square(square).index()]?;
                if held & bit != 0 {
                    return None;
                }
                held |= bit;
            }
            let rank = combination::rank(held, group.count) as usize;
            number = number * group.combinations + rank;
        }
        Some(number)
    }
}

impl PlaneKey {
    /// The squares of all fixed pieces.
    pub fn occupied(&self) -> Bitboard {
        self.fixed[0] | self.fixed[1]
    }
}

/// All combinations of `count` of these places, in the order of their rank; each begins with its
/// highest place.
fn combinations(places: &[Square], count: usize) -> Vec<Vec<Square>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let with_highest = |highest: usize| {
        let rest = combinations(&places[..highest], count - 1);
        rest.into_iter().map(move |rest| [vec![places[highest]], rest].concat())
    };
    (0..places.len()).flat_map(with_highest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::variants::MAKRUK;

    #[test]
    fn outer_placements_come_back() {
        for name in
            ["KRvK", "KRNvK", "KNMMvK", "KPPPvK", "KNMMMvK", "KPPPPvKP", "KMMMMMvK", "KPPPvKPP"]
        {
            let index = Index::new(name.parse().unwrap(), &MAKRUK.rules);
            let geometry = Geometry::new(index, &MAKRUK.rules);
            for outer in 0..geometry.planes_per_pair() {
                let key = geometry.plane_key(KingPair(0), outer);
                assert_eq!(geometry.outer_number(&key.outer, Symmetry::IDENTITY), Some(outer));
            }
        }
    }
}
