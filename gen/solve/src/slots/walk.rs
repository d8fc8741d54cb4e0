//! The placements of a range of slots, in order.
//!
//! [`Index::placement`] decodes one slot with divisions and searches. A walk steps from slot to
//! slot like an odometer: the last group of like pieces is the fastest wheel; when it wraps around,
//! the group before it advances. Within a group, combinations are in the order of [`Index`]: the
//! lowest piece that has room moves one place up, and lower pieces return to the bottom.

use sakmak_tables::index::kings::KingPair;
use sakmak_tables::index::{Group, Index, Placement, Slot};
use std::ops::Range;

/// A walk over the slots of a range, in order; see the module.
pub struct Walk<'a> {
    index: &'a Index,
    slots: Range<u64>,
    /// Slots until the king pair changes, `slots.start` included.
    left_of_pair: u64,
    /// The placement of `slots.start`.
    placement: Placement,
    /// The place of each piece's square in its group, in the order of [`Index::pieces`].
    places: Vec<usize>,
}

impl<'a> Walk<'a> {
    /// The slots of `range` that the index has.
    pub fn over(index: &'a Index, range: Range<Slot>) -> Walk<'a> {
        let placement = index.placement(range.start);
        let places = index.groups().iter().flat_map(|group| {
            let squares = &placement.pieces[group.first..group.first + group.count];
            squares.iter().map(|&square| group.place(square).unwrap_or(0))
        });
        let places = places.collect();
        let slots = range.start.0..range.end.0.min(index.slots());
        let left_of_pair = index.slots_per_pair() - range.start.0 % index.slots_per_pair();
        Walk { index, slots, left_of_pair, placement, places }
    }

    /// Advances to the placement of `slots.start`.
    #[inline]
    fn advance(&mut self) {
        let index = self.index;
        // A wheel that does not wrap around stops the carry.
        let _ = index.groups().iter().rev().any(|group| self.advance_group(group));
        self.left_of_pair -= 1;
        if self.left_of_pair == 0 {
            self.left_of_pair = index.slots_per_pair();
            let pair = self.slots.start / index.slots_per_pair();
            self.placement.kings = index.kings().kings(KingPair(pair as u16));
        }
    }

    /// Advances a group to its next combination. Returns false if it wraps around to the first
    /// combination.
    #[inline]
    fn advance_group(&mut self, group: &Group) -> bool {
        let pieces = group.first..group.first + group.count;
        // The highest piece comes first: each piece has room up to the piece before it.
        for at in pieces.clone().rev() {
            let limit = if at == pieces.start { group.places().len() } else { self.places[at - 1] };
            if self.places[at] + 1 < limit {
                self.put(group, at, self.places[at] + 1);
                return true;
            }
            self.put(group, at, pieces.end - 1 - at);
        }
        false
    }

    #[inline]
    fn put(&mut self, group: &Group, at: usize, place: usize) {
        self.places[at] = place;
        self.placement.pieces[at] = group.places()[place];
    }
}

impl Iterator for Walk<'_> {
    type Item = (Slot, Placement);

    #[inline]
    fn next(&mut self) -> Option<(Slot, Placement)> {
        let here = (Slot(self.slots.next()?), self.placement);
        if !self.slots.is_empty() {
            self.advance();
        }
        Some(here)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.slots.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::index::MAX_OTHERS;
    use sakmak_tables::variants::MAKRUK;

    /// The squares of the pieces.
    fn squares(index: &Index, placement: &Placement) -> Vec<sakmak_tables::board::square::Square> {
        index.placed(placement).map(|(_, square)| square).collect()
    }

    #[test]
    fn a_walk_meets_every_slot_with_its_placement() {
        for name in ["KRvK", "KPvK", "KMMvK", "KPPvK", "KSvKP", "KRMvKM", "KMMMvKP"] {
            let index = Index::new(name.parse().unwrap(), &MAKRUK.rules);
            assert!(index.pieces().len() <= MAX_OTHERS);
            let last = index.slots();
            let pair = index.slots_per_pair();
            for range in [0..3000, pair.saturating_sub(70)..pair + 3000, last - 3000..last + 10] {
                let walk = Walk::over(&index, Slot(range.start)..Slot(range.end));
                let mut expected = range.start..range.end.min(last);
                assert_eq!(walk.size_hint(), expected.size_hint());
                for (slot, placement) in walk {
                    assert_eq!(Some(slot.0), expected.next());
                    let placed = index.placement(slot);
                    assert_eq!(squares(&index, &placement), squares(&index, &placed), "{slot:?}");
                }
                assert!(expected.is_empty());
            }
        }
    }
}
