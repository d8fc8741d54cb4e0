//! King pairs: the squares of both kings, with symmetric pairs counted once.
//!
//! There are 462 pairs under all eight symmetries, and 1,806 under the left-right mirror alone.

use crate::board::square::{SQUARES, Square};
use crate::board::symmetry::Symmetry;
use crate::rules::piece::Side;
use std::sync::{Arc, Mutex, TryLockError};

/// The index of a canonical king pair.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct KingPair(pub u16);

/// Squares of the white and the black king.
pub type Kings = [Square; 2];

/// The canonical king pairs under a group of symmetries.
#[derive(Clone, Debug)]
pub struct KingPairs {
    symmetries: Vec<Symmetry>,
    /// The canonical pair and the symmetry that leads to it, by white king, then black king.
    canonical: Vec<Option<(KingPair, Symmetry)>>,
    pairs: Vec<Kings>,
    /// The number of symmetries that leave both kings in place, by pair.
    fixing: Vec<u8>,
}

/// The pairs computed so far. There are few groups of symmetries.
static SHARED: Mutex<Vec<Arc<KingPairs>>> = Mutex::new(Vec::new());

impl KingPairs {
    /// The pairs under these symmetries, which must form a group. Never waits for the lock: after a
    /// fork it may never be released. If another thread holds the lock, the pairs are computed
    /// again.
    pub fn shared(symmetries: Vec<Symmetry>) -> Arc<KingPairs> {
        let mut shared = match SHARED.try_lock() {
            Ok(shared) => shared,
            Err(TryLockError::Poisoned(shared)) => shared.into_inner(),
            Err(TryLockError::WouldBlock) => return Arc::new(KingPairs::new(symmetries)),
        };
        if let Some(pairs) = shared.iter().find(|pairs| pairs.symmetries == symmetries) {
            return Arc::clone(pairs);
        }
        let pairs = Arc::new(KingPairs::new(symmetries));
        shared.push(Arc::clone(&pairs));
        pairs
    }

    /// The pairs under these symmetries, which must form a group.
    pub fn new(symmetries: Vec<Symmetry>) -> KingPairs {
        let least = |kings: Kings| {
            symmetries
                .iter()
                .map(|&symmetry| (kings.map(|king| symmetry.square(king)), symmetry))
                .min_by_key(|t| t.0)
        };
        let everywhere =
            || Square::all().flat_map(|white| Square::all().map(move |black| [white, black]));
        let apart = |kings: &Kings| !kings[0].touches(kings[1]);
        let pairs: Vec<Kings> = everywhere()
            .filter(apart)
            .filter(|&kings| least(kings).is_some_and(|(least, _)| least == kings))
            .collect();
        let canonical = everywhere()
            .map(|kings| {
                let (least, symmetry) = least(kings).filter(|_| apart(&kings))?;
                let number = pairs.binary_search(&least).ok()?;
                Some((KingPair(number as u16), symmetry))
            })
            .collect();
        let fixes = |kings: &Kings| {
            symmetries
                .iter()
                .filter(|symmetry| kings.map(|king| symmetry.square(king)) == *kings)
                .count() as u8
        };
        let fixing = pairs.iter().map(fixes).collect();
        KingPairs { symmetries, canonical, pairs, fixing }
    }

    /// The symmetries that map a pair to its images.
    pub fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there are no pairs: always `false`.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The kings of a canonical pair.
    pub fn kings(&self, pair: KingPair) -> Kings {
        self.pairs[pair.0 as usize]
    }

    /// The canonical pair of these kings and the symmetry that leads to it. `None` if the kings
    /// touch.
    #[inline]
    pub fn canonical(&self, kings: Kings) -> Option<(KingPair, Symmetry)> {
        self.canonical[kings[0].index() * SQUARES + kings[1].index()]
    }

    /// The number of placements of the kings on the whole board that the pair represents.
    pub fn images(&self, pair: KingPair) -> u64 {
        (self.symmetries.len() / self.fixing[pair.0 as usize] as usize) as u64
    }

    /// The canonical pair after one king moves, and the symmetry that leads to it. `None` if the
    /// kings touch.
    pub fn after(&self, pair: KingPair, side: Side, to: Square) -> Option<(KingPair, Symmetry)> {
        let mut kings = self.kings(pair);
        kings[side.index()] = to;
        self.canonical(kings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_462_1806_and_3612_pairs() {
        let count = |symmetries: Vec<Symmetry>| {
            let pairs = KingPairs::new(symmetries);
            let all = (0..pairs.len() as u16).map(KingPair);
            assert_eq!(all.map(|pair| pairs.images(pair)).sum::<u64>(), 3612);
            pairs.len()
        };
        assert_eq!(count(Symmetry::all().collect()), 462);
        assert_eq!(count(Symmetry::all().take(2).collect()), 1806);
        assert_eq!(count(vec![Symmetry::IDENTITY]), 3612);
    }
}
