//! Un-moves: the slots of a plane from which one move of a side leads into a set.
//!
//! A move of the column piece stays in its word, a move of the row piece goes from word to
//! word. A move of a king or an outer piece goes to the same slot of another plane, which is
//! turned where the king step left the canonical pairs.

use crate::planes::bits::Plane;
use crate::planes::geometry::{Geometry, PlaneKey};
use crate::solver::column::unmove_column;
use crate::solver::neighbours::{Gate, Neighbour, PlaneNeighbours};
use crate::solver::row::unmove_row;
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::symmetry::Symmetry;
use sakmak_tables::rules::piece::Side;

/// The moves of one side of a material, taken back.
#[derive(Debug)]
pub struct Unmoves<'a> {
    geometry: &'a Geometry,
    mover: Side,
    /// The planes its kings and outer pieces move to.
    pub neighbours: PlaneNeighbours,
}

impl<'a> Unmoves<'a> {
    /// The moves of `mover`.
    pub fn new(geometry: &'a Geometry, mover: Side) -> Unmoves<'a> {
        Unmoves { geometry, mover, neighbours: PlaneNeighbours::new(geometry, mover) }
    }

    /// Whose moves they are.
    pub fn mover(&self) -> Side {
        self.mover
    }

    /// Whether the side has pieces in the planes.
    #[inline(always)]
    fn moves_within(&self) -> bool {
        self.geometry.column().side == self.mover
            || self.geometry.row().is_some_and(|row| row.side == self.mover)
    }

    /// Whether the side moves from a plane into one of these.
    #[inline(always)]
    pub fn touches(&self, key: &PlaneKey, outer: usize, is: impl Fn(usize) -> bool) -> bool {
        if self.moves_within() && is(self.geometry.plane(key.pair, outer)) {
            return true;
        }
        for neighbour in self.neighbours.of(key, outer) {
            if is(neighbour.plane) {
                return true;
            }
        }
        false
    }

    /// Puts into `found` the slots of a plane from which the side has a move into `set`.
    ///
    /// Only planes for which `live` holds are looked at; the others must be empty. Where all
    /// of `wanted` are found the search ends, and others may be missing. Says how many planes
    /// of the set were read.
    #[inline(always)]
    pub fn back(
        &self,
        key: &PlaneKey,
        outer: usize,
        set: &[Plane],
        live: impl Fn(usize) -> bool,
        wanted: &Plane,
        found: &mut Plane,
    ) -> u64 {
        let (geometry, mover) = (self.geometry, self.mover);
        *found = Plane::EMPTY;
        let plane = geometry.plane(key.pair, outer);
        let mut planes = 0;
        if self.moves_within() && live(plane) {
            planes += 1;
            if geometry.column().side == mover {
                unmove_column(geometry, key, &set[plane], found);
            }
            if geometry.row().is_some_and(|row| row.side == mover) {
                unmove_row(geometry, key, &set[plane], found);
            }
            if wanted.is_within(found) {
                return planes;
            }
        }
        for neighbour in self.neighbours.of(key, outer) {
            if live(neighbour.plane) {
                planes += 1;
                self.pass(&neighbour, &set[neighbour.plane], found);
                // To look costs as much as a neighbour does.
                if planes % 2 == 0 && wanted.is_within(found) {
                    break;
                }
            }
        }
        planes
    }

    /// Puts in the slots of another plane that the gate lets through.
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
