//! Moves taken back: the slots of a plane from which one move of a side reaches a set.
//!
//! A move of the column piece stays in its word; a move of the row piece goes from word to word. A
//! move of a king or an outer piece goes to the same slot of another plane. If the king move leaves
//! the canonical king pairs, a symmetry of the board maps back to them.

use crate::planes::bits::Plane;
use crate::planes::check::in_check_not_from;
use crate::planes::geometry::{Geometry, PlaneKey};
use crate::solver::column::unmove_column;
use crate::solver::neighbours::{Gate, Neighbour, PlaneNeighbours};
use crate::solver::row::unmove_row;
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::Square;
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::rules::piece::Side;

/// The moves of one side, taken back.
#[derive(Debug)]
pub struct Unmoves<'a> {
    geometry: &'a Geometry,
    mover: Side,
    /// The planes to which its king and outer pieces move.
    pub neighbours: PlaneNeighbours,
}

impl<'a> Unmoves<'a> {
    /// Creates the unmoves of `mover`.
    pub fn new(geometry: &'a Geometry, mover: Side) -> Unmoves<'a> {
        Unmoves { geometry, mover, neighbours: PlaneNeighbours::new(geometry, mover) }
    }

    /// The side whose moves are taken back.
    pub fn mover(&self) -> Side {
        self.mover
    }

    /// Whether the row piece or the column piece belongs to the side.
    #[inline(always)]
    fn moves_within(&self) -> bool {
        self.geometry.column().side == self.mover
            || self.geometry.row().is_some_and(|row| row.side == self.mover)
    }

    /// Whether the side can move from a plane into one for which `is` holds.
    #[inline(always)]
    pub fn touches(
        &self,
        key: &PlaneKey,
        outer: usize,
        is: impl Fn(KingPair, usize) -> bool,
    ) -> bool {
        if self.moves_within() && is(key.pair, outer) {
            return true;
        }
        for neighbour in self.neighbours.of(key, outer) {
            if is(neighbour.pair, neighbour.outer) {
                return true;
            }
        }
        false
    }

    /// Sets `found` to the slots of a plane from which the side has a move into `set`. Returns the
    /// number of planes of the set that were read.
    ///
    /// `set` has the planes by king pair. Reads only the planes for which `live` holds, given king
    /// pair and outer placement; the others must be empty. Stops when all `wanted` slots are found;
    /// other slots may then be missing.
    #[inline(always)]
    pub fn back(
        &self,
        key: &PlaneKey,
        outer: usize,
        set: &[&[Plane]],
        live: impl Fn(KingPair, usize) -> bool,
        wanted: &Plane,
        found: &mut Plane,
    ) -> u64 {
        let (geometry, mover) = (self.geometry, self.mover);
        *found = Plane::EMPTY;
        let mut planes = 0;
        if self.moves_within() && live(key.pair, outer) {
            planes += 1;
            let plane = &set[key.pair.0 as usize][outer];
            if geometry.column().side == mover {
                unmove_column(geometry, key, plane, found);
            }
            if geometry.row().is_some_and(|row| row.side == mover) {
                unmove_row(geometry, key, plane, found);
            }
            if wanted.is_within(found) {
                return planes;
            }
        }
        let mut whole = WholePlanes::default();
        for neighbour in self.neighbours.of(key, outer) {
            if !live(neighbour.pair, neighbour.outer) {
                continue;
            }
            planes += 1;
            let there = &set[neighbour.pair.0 as usize][neighbour.outer];
            match neighbour.king_to {
                Some(to) if geometry.checked_king_stays => {
                    self.pass_king(key, &neighbour, to, there, found);
                }
                _ if neighbour.is_whole() => whole.push(there),
                _ => self.pass(&neighbour, there, found),
            }
            // This test costs as much as a neighbour.
            if planes % WholePlanes::MOST as u64 == 0 {
                whole.insert_into(found);
                if wanted.is_within(found) {
                    return planes;
                }
            }
        }
        whole.insert_into(found);
        planes
    }

    /// Adds the slots of a neighbour to which a king moves that stays while it is in check: slots
    /// without a check by a piece that the king does not take on `to`.
    #[cold]
    #[inline(never)]
    fn pass_king(
        &self,
        key: &PlaneKey,
        neighbour: &Neighbour,
        to: Square,
        there: &Plane,
        found: &mut Plane,
    ) {
        let mut slots = Plane::EMPTY;
        self.pass(neighbour, there, &mut slots);
        let held = in_check_not_from(self.geometry, key, self.mover, Bitboard::of(to));
        slots.remove_all(&held);
        found.insert_all(&slots);
    }

    /// Adds the slots of a neighbour for which its gate is open.
    #[inline(always)]
    fn pass(&self, neighbour: &Neighbour, there: &Plane, found: &mut Plane) {
        let geometry = self.geometry;
        match neighbour.gate {
            Gate::Open => found.insert_all(&there.unturned(neighbour.symmetry)),
            Gate::Free(path) => {
                let rows = if geometry.row().is_some() { path.0 } else { 0 };
                for (row, (found, there)) in found.0.iter_mut().zip(&there.0).enumerate() {
                    *found |= if rows & 1 << row == 0 { there & !path.0 } else { 0 };
                }
            }
            Gate::Enemy(to) => {
                let columns = if geometry.column().side != self.mover { to.0 } else { 0 };
                let row_is_enemy = geometry.row().is_some_and(|row| row.side != self.mover);
                let rows = if row_is_enemy { to.0 } else { 0 };
                for (row, (found, there)) in found.0.iter_mut().zip(&there.0).enumerate() {
                    *found |= if rows & 1 << row == 0 { there & columns } else { *there };
                }
            }
        }
    }
}

/// Planes whose slots are all added to another plane, together: each plane is read once, and the
/// other plane is read and written once for all.
#[derive(Default)]
struct WholePlanes<'a> {
    planes: [Option<&'a Plane>; WholePlanes::MOST],
    len: usize,
}

impl<'a> WholePlanes<'a> {
    /// The maximum number of planes.
    const MOST: usize = 4;

    #[inline(always)]
    fn push(&mut self, plane: &'a Plane) {
        self.planes[self.len] = Some(plane);
        self.len += 1;
    }

    /// Adds all slots to a plane and empties the list.
    #[inline(always)]
    fn insert_into(&mut self, found: &mut Plane) {
        match self.planes {
            [Some(a), Some(b), Some(c), Some(d)] => found.insert_each([a, b, c, d]),
            [Some(a), Some(b), Some(c), None] => found.insert_each([a, b, c]),
            [Some(a), Some(b), ..] => found.insert_each([a, b]),
            [Some(a), ..] => found.insert_each([a]),
            [None, ..] => {}
        }
        *self = WholePlanes::default();
    }
}
