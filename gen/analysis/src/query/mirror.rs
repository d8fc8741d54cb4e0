//! Mirror images that have slots of their own.
//!
//! A slot represents its images under the symmetries of the board. But a symmetry that leaves both
//! kings in place, because they stand on a diagonal, maps a slot to another slot of the same king
//! pair. If both slots meet the condition, a query lists the lower slot.

use crate::query::image::RowMatches;
use sakmak_tables::board::square::Square;
use sakmak_tables::board::symmetry::Symmetry;
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::index::{Group, Index, MAX_OTHERS, Slot};

/// The mirror images of the slots whose kings a symmetry leaves in place.
#[derive(Debug)]
pub struct MirrorSlots {
    symmetry: Symmetry,
    groups: Vec<MirrorGroup>,
}

/// The mirror images of the combinations of a group.
#[derive(Debug)]
struct MirrorGroup {
    stride: u64,
    combinations: u64,
    /// Slots from the first combination to the image, by combination.
    images: Vec<u64>,
}

impl MirrorGroup {
    fn new(group: &Group, symmetry: Symmetry) -> MirrorGroup {
        let mut squares = [Square::wrapping(0); MAX_OTHERS];
        let mut image = |rank| {
            group.unrank(rank, &mut squares);
            let image = group.rank(&squares[..group.count], symmetry);
            // A piece of a material with this symmetry can stand on every image of its squares.
            image.unwrap_or(rank) * group.stride()
        };
        let images = (0..group.combinations()).map(&mut image).collect();
        MirrorGroup { stride: group.stride(), combinations: group.combinations(), images }
    }
}

impl MirrorSlots {
    /// Mirror slots for each symmetry that leaves the kings of a pair in place.
    pub fn all(index: &Index) -> Vec<MirrorSlots> {
        let pairs = || (0..index.kings().len() as u16).map(KingPair);
        let fixes = |&symmetry: &Symmetry| pairs().any(|pair| leaves(symmetry, index, pair));
        let others = index.kings().symmetries().iter().copied();
        let others = others.filter(|&symmetry| symmetry != Symmetry::IDENTITY);
        let mirror = |symmetry| MirrorSlots {
            symmetry,
            groups: index.groups().iter().map(|group| MirrorGroup::new(group, symmetry)).collect(),
        };
        others.filter(fixes).map(mirror).collect()
    }

    /// Whether the symmetry leaves the kings of a pair in place.
    pub fn leaves(&self, index: &Index, pair: KingPair) -> bool {
        leaves(self.symmetry, index, pair)
    }

    /// The image of a slot of such a pair; both slots are counted from the first slot of the pair.
    fn image(&self, slot: u64) -> u64 {
        let part = |group: &MirrorGroup| {
            let rank = slot / group.stride % group.combinations;
            usize::try_from(rank).ok().and_then(|rank| group.images.get(rank)).copied()
        };
        self.groups.iter().map(|group| part(group).unwrap_or(0)).sum()
    }

    /// The lower slot of a slot and its image. `first` is the first slot of the pair.
    pub fn lowest(&self, slot: Slot, first: Slot) -> Slot {
        slot.min(Slot(first.0 + self.image(slot.0 - first.0)))
    }

    /// Drops the matches of a pair whose image has a lower slot and is a match too. `first` is the
    /// first slot of the pair, `slots` their number.
    pub fn retain_lowest(&self, matches: &mut Vec<RowMatches>, first: u64, slots: u64) {
        let mut matched = vec![0u64; slots.div_ceil(64) as usize];
        let bits = |found: &RowMatches| {
            let (row, slots) = (found.row.0 - first, found.slots);
            (0..64).filter(move |bit| slots >> bit & 1 != 0).map(move |bit| (bit, row + bit))
        };
        for (_, slot) in matches.iter().flat_map(bits) {
            matched[(slot / 64) as usize] |= 1 << (slot % 64);
        }
        for found in matches.iter_mut() {
            for (bit, slot) in bits(found) {
                let image = self.image(slot);
                if image < slot && matched[(image / 64) as usize] >> (image % 64) & 1 != 0 {
                    found.slots &= !(1 << bit);
                }
            }
        }
        matches.retain(|found| found.slots != 0);
    }
}

fn leaves(symmetry: Symmetry, index: &Index, pair: KingPair) -> bool {
    let kings = index.kings().kings(pair);
    kings.map(|king| symmetry.square(king)) == kings
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::index::Placement;
    use sakmak_tables::variants::MAKRUK;

    #[test]
    fn images_are_those_of_the_index() {
        for (name, pairs) in [("KRvK", 21), ("KMMvK", 21), ("KRMMvKN", 21), ("KSvK", 0)] {
            let index = Index::new(name.parse().unwrap(), &MAKRUK.rules);
            let mirrors = MirrorSlots::all(&index);
            let pairs_left = (0..index.kings().len() as u16).map(KingPair);
            let mut left = 0;
            for pair in pairs_left {
                for mirror in mirrors.iter().filter(|mirror| mirror.leaves(&index, pair)) {
                    left += 1;
                    let first = u64::from(pair.0) * index.slots_per_pair();
                    for slot in
                        (0..index.slots_per_pair()).step_by(index.slots_per_pair() as usize / 60)
                    {
                        let Placement { kings, pieces } = index.placement(Slot(first + slot));
                        let pieces = pieces.map(|square| mirror.symmetry.square(square));
                        // A placement with two pieces on a square has no slot.
                        let expected = index.slot(&Placement { kings, pieces });
                        let image = mirror.image(slot);
                        assert_eq!(expected, Some(Slot(first + image)), "{name} {slot}");
                        assert_eq!(mirror.image(image), slot);
                        let lowest = mirror.lowest(Slot(first + slot), Slot(first));
                        assert_eq!(lowest, Slot(first + slot.min(image)));
                    }
                }
            }
            assert_eq!(left, pairs, "{name}");
        }
    }
}
