//! The eight symmetries of the board: mirrors, rotations and the identity.

use crate::board::bitboard::Bitboard;
use crate::board::square::{SIDE_LENGTH, Square, Step};

/// A symmetry of the board: bit 0 mirrors the files, bit 1 flips the ranks, and bit 2 then
/// exchanges files and ranks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Symmetry(u8);

impl Symmetry {
    /// Leaves every square where it is.
    pub const IDENTITY: Symmetry = Symmetry(0);

    /// All eight symmetries, the identity first.
    pub fn all() -> impl Iterator<Item = Symmetry> {
        (0..8).map(Symmetry)
    }

    /// Position in [`Symmetry::all`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether left and right are exchanged (before transposing).
    pub const fn mirrors(self) -> bool {
        self.0 & 1 != 0
    }

    /// Whether the first and eighth rank are exchanged (before transposing).
    pub const fn flips(self) -> bool {
        self.0 & 2 != 0
    }

    /// Whether files and ranks are exchanged (after mirroring and flipping).
    pub const fn transposes(self) -> bool {
        self.0 & 4 != 0
    }

    /// The image of a square.
    pub const fn square(self, square: Square) -> Square {
        let (mut file, mut rank) = (square.file(), square.rank());
        if self.mirrors() {
            file = SIDE_LENGTH - 1 - file;
        }
        if self.flips() {
            rank = SIDE_LENGTH - 1 - rank;
        }
        if self.transposes() {
            (file, rank) = (rank, file);
        }
        Square::wrapping(rank * SIDE_LENGTH + file)
    }

    /// The images of a set of squares.
    #[must_use]
    pub const fn set(self, squares: Bitboard) -> Bitboard {
        // A rank is a byte.
        let mut set = squares.0;
        if self.mirrors() {
            set = set.reverse_bits().swap_bytes();
        }
        if self.flips() {
            set = set.swap_bytes();
        }
        if self.transposes() {
            set = exchanged(set, 28, 0x0000_0000_f0f0_f0f0);
            set = exchanged(set, 14, 0x0000_cccc_0000_cccc);
            set = exchanged(set, 7, 0x00aa_00aa_00aa_00aa);
        }
        Bitboard(set)
    }

    /// The image of a step.
    pub const fn step(self, step: Step) -> Step {
        let (mut files, mut ranks) = (step.files, step.ranks);
        if self.mirrors() {
            files = -files;
        }
        if self.flips() {
            ranks = -ranks;
        }
        if self.transposes() {
            (files, ranks) = (ranks, files);
        }
        Step::new(files, ranks)
    }

    /// The inverse symmetry: maps every image back to its square.
    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        if self.transposes() { Symmetry(4 | (self.0 & 1) << 1 | (self.0 & 2) >> 1) } else { self }
    }
}

/// Exchanges the bits of a mask with the bits `distance` positions higher.
const fn exchanged(bits: u64, distance: u32, mask: u64) -> u64 {
    let differ = (bits ^ bits >> distance) & mask;
    bits ^ differ ^ differ << distance
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_take_every_square_back() {
        for symmetry in Symmetry::all() {
            for square in Square::all() {
                assert_eq!(
                    symmetry.inverse().square(symmetry.square(square)),
                    square,
                    "{symmetry:?}"
                );
            }
        }
    }

    #[test]
    fn images_of_steps_lead_to_images_of_squares() {
        for symmetry in Symmetry::all() {
            for from in Square::all() {
                for (files, ranks) in [(1, 0), (2, 1), (-1, 2), (0, -1)] {
                    let step = Step::new(files, ranks);
                    let there = from.step(step).map(|to| symmetry.square(to));
                    assert_eq!(symmetry.square(from).step(symmetry.step(step)), there);
                }
            }
        }
    }

    #[test]
    fn images_of_sets_are_the_sets_of_images() {
        for symmetry in Symmetry::all() {
            for square in Square::all() {
                let image = symmetry.set(Bitboard::of(square));
                assert_eq!(image, Bitboard::of(symmetry.square(square)), "{symmetry:?} {square}");
            }
            assert_eq!(symmetry.set(Bitboard::ALL), Bitboard::ALL);
        }
    }
}
