//! Positions of Rek.

use super::numbers::{image, images};

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub(super) men: [u64; 2],
    pub(super) kings: [u8; 2],
    pub(super) side: usize,
}

impl Position {
    #[inline]
    pub(super) fn units(&self, side: usize) -> u64 {
        self.men[side] | 1 << self.kings[side]
    }

    pub(super) fn image(&self, symmetry: u8) -> Position {
        let men = self.men.map(|men| images(men, symmetry));
        Position { men, kings: self.kings.map(|king| image(king, symmetry)), ..*self }
    }

    /// Moves a unit of a side, without its consequences.
    #[inline]
    pub(super) fn shift(&mut self, side: usize, from: u8, to: u8) {
        if self.kings[side] == from {
            self.kings[side] = to;
        } else {
            self.men[side] = self.men[side] & !(1 << from) | 1 << to;
        }
    }
}
