//! Squares of the board, and steps between squares.

use crate::excerpt::Excerpt;
use std::fmt;
use std::str::FromStr;

/// The number of files of the board, and of ranks.
pub const SIDE_LENGTH: usize = 8;
/// The number of squares of the board.
pub const SQUARES: usize = SIDE_LENGTH * SIDE_LENGTH;

/// One square; `a1` has index 0, `b1` 1, `h8` 63.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// A displacement in files (towards h) and ranks (towards 8).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Step {
    /// Files towards the h-file.
    pub files: i8,
    /// Ranks towards the eighth rank.
    pub ranks: i8,
}

impl Step {
    /// The step of `files` files and `ranks` ranks.
    pub const fn new(files: i8, ranks: i8) -> Step {
        Step { files, ranks }
    }

    /// The step with its ranks reversed.
    #[must_use]
    pub const fn flipped(self) -> Step {
        Step::new(self.files, -self.ranks)
    }
}

impl Square {
    /// The square at zero-based `file` and `rank`. Returns `None` if it is off the board.
    pub const fn at(file: usize, rank: usize) -> Option<Square> {
        if file < SIDE_LENGTH && rank < SIDE_LENGTH {
            Some(Square((rank * SIDE_LENGTH + file) as u8))
        } else {
            None
        }
    }

    /// The square with this index modulo 64.
    pub const fn wrapping(index: usize) -> Square {
        Square((index % SQUARES) as u8)
    }

    /// All squares, `a1` first.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + Clone {
        (0..SQUARES as u8).map(Square)
    }

    /// 0 for `a1` to 63 for `h8`.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Zero-based file, 0 for the a-file.
    pub const fn file(self) -> usize {
        self.0 as usize % SIDE_LENGTH
    }

    /// Zero-based rank, 0 for the first rank.
    pub const fn rank(self) -> usize {
        self.0 as usize / SIDE_LENGTH
    }

    /// The square one `step` away. Returns `None` if it is off the board.
    pub const fn step(self, step: Step) -> Option<Square> {
        let file = self.file() as isize + step.files as isize;
        let rank = self.rank() as isize + step.ranks as isize;
        if file < 0 || rank < 0 {
            return None;
        }
        Square::at(file as usize, rank as usize)
    }

    /// Whether two squares are the same or a king's step apart.
    pub const fn touches(self, other: Square) -> bool {
        self.file().abs_diff(other.file()) <= 1 && self.rank().abs_diff(other.rank()) <= 1
    }

    /// The square on the same file with the ranks reversed.
    #[must_use]
    pub const fn flipped(self) -> Square {
        Square(self.0 ^ (SQUARES - SIDE_LENGTH) as u8)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = (b'a' + self.file() as u8) as char;
        write!(f, "{file}{}", self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a square.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a square: expected a file a to h and a rank 1 to 8")]
pub struct SquareError(Excerpt);

crate::readable_error!(SquareError);

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Square, SquareError> {
        let error = || SquareError(Excerpt::of(text));
        let &[file, rank] = text.as_bytes() else {
            return Err(error());
        };
        let file = file.checked_sub(b'a').ok_or_else(error)?;
        let rank = rank.checked_sub(b'1').ok_or_else(error)?;
        Square::at(file as usize, rank as usize).ok_or_else(error)
    }
}
