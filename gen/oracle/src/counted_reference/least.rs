//! With how many moves left the attacker wins a position.

use sakmak_tables::distance::Moves;

/// The least number of own moves left with which the attacker wins, so that it wins with
/// that many and more; or never; or that the position is illegal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Least(u8);

impl Least {
    /// Not won, however many moves are left.
    pub const NEVER: Least = Least(u8::MAX);
    /// No legal position.
    pub const ILLEGAL: Least = Least(u8::MAX - 1);
    /// The most moves left that are told apart.
    pub const MOST: Moves = Moves(u8::MAX as u32 - 2);

    /// Won with so many moves left and more; never where they are too many to tell apart.
    pub fn with(left: Moves) -> Least {
        let told = u8::try_from(left.0).ok().filter(|_| left <= Least::MOST);
        told.map_or(Least::NEVER, Least)
    }

    /// The number, if there is one.
    pub fn moves(self) -> Option<Moves> {
        (self < Least::ILLEGAL).then_some(Moves(u32::from(self.0)))
    }

    /// A number for each, from 0 on, below 256.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Whether it is won with so many moves left.
    #[inline]
    pub fn is_won(self, left: Moves) -> bool {
        self < Least::ILLEGAL && u32::from(self.0) <= left.0
    }
}
