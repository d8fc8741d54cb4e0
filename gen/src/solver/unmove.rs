//! Moves taken back: the slots of a plane from which one move of a side leads into a set.
//!
//! A move of the column piece stays in its word; a move of the row piece goes from word to word.
//! A move of a king or an outer piece goes to the same slot of another plane. If the king move
//! leaves the canonical king pairs, a symmetry of the board leads back to them.

use crate::planes::bits::Plane;
use crate::planes::check::in_check_not_from;
use crate::planes::geometry::{Geometry, PlaneKey};
use crate::solver::column::unmove_column;
use crate::solver::neighbours::{Gate, Neighbour, PlaneNeighbours};
use crate::solver::row::unmove_row;
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::Square;
use sakmak_tables::board::symmetry::Symmetry;
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::rules::piece::Side;

/// Takes back the moves of one side.
#[derive(Debug)]
pub struct Unmoves<'a> {
    geometry: &'a Geometry,
    mover: Side,
    /// The planes to which its king and outer pieces move.
    pub neighbours: PlaneNeighbours,
}

impl<'a> Unmoves<'a> {
    /// Takes back the moves of `mover`.
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

    /// Sets `found` to the slots of a plane from which the side has a move into `set`, and returns
    /// the number of planes of the set that were read.
    ///
    /// `set` has the planes by king pair. Reads only the planes for which `live` holds, given king
    /// pair and outer placement; the others must be empty. Stops when all of
    /// `wanted` are found; other slots may then be missing.
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
        for neighbour in self.neighbours.of(key, outer) {
            if live(neighbour.pair, neighbour.outer) {
                planes += 1;
                let there = &set[neighbour.pair.0 as usize][neighbour.outer];
                match neighbour.king_to {
                    Some(to) if geometry.checked_king_stays => {
                        self.pass_king(key, &neighbour, to, there, found);
                    }
                    _ => self.pass(&neighbour, there, found),
                }
                // This test costs as much as a neighbour.
                if planes % 2 == 0 && wanted.is_within(found) {
                    break;
                }
            }
        }
        planes
    }

    /// Adds the slots of a neighbour to which a king moves that stays while it is in check: those
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
            Gate::Open if neighbour.symmetry == Symmetry::IDENTITY => found.insert_all(there),
            Gate::Open => found.insert_all(&there.unturned(neighbour.symmetry)),
            Gate::Free(path) => {
                let before = *found;
                for (found, there) in found.0.iter_mut().zip(&there.0) {
                    *found |= there & !path.0;
                }
                if geometry.row().is_some() {
                    for row in path {
                        found.0[row.index()] = before.0[row.index()];
                    }
                }
            }
            Gate::Enemy(to) => {
                if geometry.column().side != self.mover {
                    for (found, there) in found.0.iter_mut().zip(&there.0) {
                        *found |= there & Bitboard::of(to).0;
                    }
                }
                if geometry.row().is_some_and(|row| row.side != self.mover) {
                    found.0[to.index()] |= there.0[to.index()];
                }
            }
        }
    }
}
