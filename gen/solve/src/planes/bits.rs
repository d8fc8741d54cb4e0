//! The plane: 64 x 64 slots of two pieces, a bit each.

use bytemuck::{Pod, Zeroable};
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::{SIDE_LENGTH, SQUARES, Step};
use sakmak_tables::board::symmetry::Symmetry;

/// A set of slots of the row piece and the column piece; all other pieces are fixed.
///
/// Bit `c` of word `r` is the slot with the row piece on square `r` and the column piece on
/// square `c`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Plane(pub [u64; SQUARES]);

impl Plane {
    /// The empty plane.
    pub const EMPTY: Plane = Plane([0; SQUARES]);

    /// Whether the plane has no slot.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |any, word| any | word) == 0
    }

    /// Whether every slot of `self` is in `other`.
    #[inline(always)]
    pub fn is_within(&self, other: &Plane) -> bool {
        self.0.iter().zip(&other.0).fold(0, |any, (a, b)| any | (a & !b)) == 0
    }

    /// The plane with the function `f` of each pair of words.
    #[inline(always)]
    pub fn zip(&self, other: &Plane, f: impl Fn(u64, u64) -> u64) -> Plane {
        let mut out = Plane::EMPTY;
        for ((out, &a), &b) in out.0.iter_mut().zip(&self.0).zip(&other.0) {
            *out = f(a, b);
        }
        out
    }

    /// The slots that are in `self` and in `other`.
    #[inline(always)]
    pub fn and(&self, other: &Plane) -> Plane {
        self.zip(other, |a, b| a & b)
    }

    /// The slots of `self` that are not in `other`.
    #[inline(always)]
    pub fn without(&self, other: &Plane) -> Plane {
        self.zip(other, |a, b| a & !b)
    }

    /// Removes the slots that are not in `other`.
    #[inline(always)]
    pub fn keep_all(&mut self, other: &Plane) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a &= b;
        }
    }

    /// Adds the slots of `other`.
    #[inline(always)]
    pub fn insert_all(&mut self, other: &Plane) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a |= b;
        }
    }

    /// Adds the slots of each of these planes.
    #[inline(always)]
    pub fn insert_each<const PLANES: usize>(&mut self, planes: [&Plane; PLANES]) {
        for (row, word) in self.0.iter_mut().enumerate() {
            for plane in planes {
                *word |= plane.0[row];
            }
        }
    }

    /// Removes the slots of `other`.
    #[inline(always)]
    pub fn remove_all(&mut self, other: &Plane) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a &= !b;
        }
    }

    /// The plane before a symmetry of the board was applied: slot (r, c) of the result is slot
    /// (symmetry of r, symmetry of c) of `self`.
    #[inline(always)]
    pub fn unturned(&self, symmetry: Symmetry) -> Plane {
        // With a constant symmetry the order of the rows is constant, which vectorises.
        match (symmetry.transposes(), symmetry.flips(), symmetry.mirrors()) {
            (false, false, false) => *self,
            (false, false, true) => self.unturned_by::<false, false, true>(),
            (false, true, false) => self.unturned_by::<false, true, false>(),
            (false, true, true) => self.unturned_by::<false, true, true>(),
            (true, false, false) => self.unturned_by::<true, false, false>(),
            (true, false, true) => self.unturned_by::<true, false, true>(),
            (true, true, false) => self.unturned_by::<true, true, false>(),
            (true, true, true) => self.unturned_by::<true, true, true>(),
        }
    }

    #[inline(always)]
    fn unturned_by<const TRANSPOSES: bool, const FLIPS: bool, const MIRRORS: bool>(&self) -> Plane {
        const LAST: usize = SIDE_LENGTH - 1;
        let mut out = Plane::EMPTY;
        for rank in 0..SIDE_LENGTH {
            for file in 0..SIDE_LENGTH {
                let from_file = if MIRRORS { LAST - file } else { file };
                let from_rank = if FLIPS { LAST - rank } else { rank };
                out.0[rank * SIDE_LENGTH + file] = self.0[match TRANSPOSES {
                    true => from_file * SIDE_LENGTH + from_rank,
                    false => from_rank * SIDE_LENGTH + from_file,
                }];
            }
        }
        for word in &mut out.0 {
            if TRANSPOSES {
                *word = transposed(*word);
            }
            if FLIPS {
                *word = word.swap_bytes();
            }
            if MIRRORS {
                *word = mirrored(*word);
            }
        }
        out
    }
}

/// Exchanges files and ranks of a bitboard: three exchanges of blocks of 1, 2 and 4 squares.
#[inline(always)]
const fn transposed(mut word: u64) -> u64 {
    let mut t = (word ^ (word >> 7)) & 0x00aa_00aa_00aa_00aa;
    word ^= t ^ (t << 7);
    t = (word ^ (word >> 14)) & 0x0000_cccc_0000_cccc;
    word ^= t ^ (t << 14);
    t = (word ^ (word >> 28)) & 0x0000_0000_f0f0_f0f0;
    word ^ t ^ (t << 28)
}

/// Exchanges left and right of a bitboard.
#[inline(always)]
const fn mirrored(mut word: u64) -> u64 {
    word = (word >> 1) & 0x5555_5555_5555_5555 | (word & 0x5555_5555_5555_5555) << 1;
    word = (word >> 2) & 0x3333_3333_3333_3333 | (word & 0x3333_3333_3333_3333) << 2;
    (word >> 4) & 0x0f0f_0f0f_0f0f_0f0f | (word & 0x0f0f_0f0f_0f0f_0f0f) << 4
}

/// A step taken back within a word: a shift, and the squares that have room for the step.
#[derive(Clone, Copy, Debug)]
pub struct Shift {
    room: u64,
    /// The index of the target square minus the index of the start square.
    up: i32,
}

impl Shift {
    /// The shift of a step.
    pub fn new(step: Step) -> Shift {
        Shift {
            room: Bitboard::with_room_for(step).0,
            up: i32::from(step.ranks) * SIDE_LENGTH as i32 + i32::from(step.files),
        }
    }

    /// The squares from which one step leads into `targets`.
    #[inline(always)]
    pub fn back(self, targets: u64) -> u64 {
        self.raw(targets, 1) & self.room
    }

    /// The squares from which a slide over `empty` squares leads to `targets`, by an occluded fill
    /// that doubles its reach (Kogge-Stone).
    #[inline(always)]
    pub fn slide_back(self, targets: u64, empty: u64) -> u64 {
        let (mut reached, mut open) = (targets, empty & self.room);
        reached |= open & self.raw(reached, 1);
        open &= self.raw(open, 1);
        reached |= open & self.raw(reached, 2);
        open &= self.raw(open, 2);
        reached |= open & self.raw(reached, 4);
        self.back(reached)
    }

    #[inline(always)]
    fn raw(self, word: u64, times: i32) -> u64 {
        if self.up >= 0 { word >> (self.up * times) } else { word << (-self.up * times) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::board::square::Square;

    fn pattern() -> Plane {
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        Plane(std::array::from_fn(|_| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        }))
    }

    #[test]
    fn unturned_planes_hold_turned_slots() {
        let plane = pattern();
        for symmetry in Symmetry::all() {
            let unturned = plane.unturned(symmetry);
            for row in Square::all() {
                for column in Square::all() {
                    let turned = Bitboard(plane.0[symmetry.square(row).index()])
                        .contains(symmetry.square(column));
                    assert_eq!(Bitboard(unturned.0[row.index()]).contains(column), turned);
                }
            }
        }
    }

    #[test]
    fn slides_go_back_over_empty_squares() {
        let (targets, empty) =
            (Bitboard(pattern().0[7]), Bitboard(pattern().0[8] | pattern().0[9]));
        for (files, ranks) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1)] {
            let step = Step::new(files, ranks);
            let leads = |from: &Square| {
                let mut next = from.step(step);
                while let Some(square) = next.filter(|&square| !targets.contains(square)) {
                    next = square.step(step).filter(|_| empty.contains(square));
                }
                next.is_some()
            };
            let expected: Bitboard = Square::all().filter(leads).collect();
            assert_eq!(
                Bitboard(Shift::new(step).slide_back(targets.0, empty.0)),
                expected,
                "{step:?}"
            );
        }
    }

    #[test]
    fn shifts_go_back_one_step() {
        let targets = Bitboard(pattern().0[5]);
        for files in -2..=2 {
            for ranks in -2..=2 {
                let step = Step::new(files, ranks);
                let leads = |from: &Square| from.step(step).is_some_and(|to| targets.contains(to));
                let expected: Bitboard = Square::all().filter(leads).collect();
                assert_eq!(Bitboard(Shift::new(step).back(targets.0)), expected, "{step:?}");
            }
        }
    }
}
