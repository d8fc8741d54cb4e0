//! The legal slots of a material, row by row, in the order of the index.

use crate::planes::bits::Plane;
use crate::planes::check::{in_check, legal_slots};
use crate::planes::frame::{Frame, PlaneRow};
use crate::planes::geometry::{Geometry, PlaneKey};
use sakmak_tables::index::Index;
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;
use std::ops::Range;

/// The legal slots of a material.
#[derive(Debug)]
pub struct LegalRows {
    geometry: Geometry,
    frame: Frame,
}

/// A run of slots in which only the last piece moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LegalRow {
    /// The slots, counted from the first of their king pair: at most 64, possibly none.
    pub slots: Range<usize>,
    /// A bit for each slot, the lowest first: whether it is a legal position.
    pub legal: u64,
}

impl LegalRows {
    /// The legal slots of a material that has a piece besides the kings.
    pub fn new(index: Index, rules: &Rules) -> LegalRows {
        let geometry = Geometry::new(index, rules);
        let frame = Frame::new(&geometry);
        LegalRows { geometry, frame }
    }

    /// The index of the material.
    pub fn index(&self) -> &Index {
        &self.geometry.index
    }

    /// Visits the rows of a king pair with `side` to move, in order and without gaps.
    pub fn of_pair(&self, pair: KingPair, side: Side, mut visit: impl FnMut(LegalRow)) {
        self.planes_of_pair(pair, &mut visit, |key| legal_slots(&self.geometry, key, side));
    }

    /// A bit for each slot in which the king of `side` is in check, for each row in the order of
    /// [`LegalRows::of_pair`]. Unspecified for slots that are not legal positions.
    pub fn checks_of_pair(&self, pair: KingPair, side: Side) -> Vec<u64> {
        let mut checks = Vec::new();
        let mut visit = |row: LegalRow| checks.push(row.legal);
        self.planes_of_pair(pair, &mut visit, |key| match key.real {
            true => in_check(&self.geometry, key, side),
            false => Plane::EMPTY,
        });
        checks
    }

    /// Visits the rows of a king pair with the bits of the planes that `plane` returns.
    fn planes_of_pair(
        &self,
        pair: KingPair,
        visit: &mut impl FnMut(LegalRow),
        plane: impl Fn(&PlaneKey) -> Plane,
    ) {
        for outer in 0..self.geometry.planes_per_pair() {
            let mut rows = self.frame.rows(outer).peekable();
            if rows.peek().is_none() {
                continue;
            }
            let plane = plane(&self.geometry.plane_key(pair, outer));
            for PlaneRow { number, first, columns } in rows {
                let columns_held =
                    u64::MAX.checked_shl(columns.len() as u32).map_or(u64::MAX, |past| !past);
                let legal = plane.0[number].checked_shr(columns.start as u32).unwrap_or(0);
                visit(LegalRow {
                    slots: first..first + columns.len(),
                    legal: legal & columns_held,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slots::legal::legal_position;
    use sakmak_tables::index::Slot;
    use sakmak_tables::variants::MAKRUK;

    #[test]
    fn legal_rows_are_the_legal_positions() {
        for name in ["KRvK", "KPvK", "KMMvK", "KPPvK", "KRvKP", "KSvKS", "KNMMvKP", "KPPPvKR"] {
            let index = Index::new(name.parse().unwrap(), &MAKRUK.rules);
            let rows = LegalRows::new(index, &MAKRUK.rules);
            let index = rows.index();
            let pairs = index.kings().len() as u16;
            for (pair, side) in
                [0, pairs / 2, pairs - 1].into_iter().zip([Side::White, Side::Black, Side::White])
            {
                let first = u64::from(pair) * index.slots_per_pair();
                let mut next = 0;
                rows.of_pair(KingPair(pair), side, |row| {
                    assert_eq!(row.slots.start, next, "{name}");
                    next = row.slots.end;
                    for (bit, slot) in row.slots.enumerate() {
                        // Only a few slots of large materials.
                        if index.slots_per_pair() < 10_000 || slot % 31 < 2 {
                            let placement = index.placement(Slot(first + slot as u64));
                            let legal = legal_position(index, &placement, side, &MAKRUK).is_some();
                            assert_eq!(row.legal >> bit & 1 != 0, legal, "{name} {placement:?}");
                        }
                    }
                });
                assert_eq!(next as u64, index.slots_per_pair(), "{name}");
            }
        }
    }
}
