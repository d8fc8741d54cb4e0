//! The wins of one attacker in all positions of a material.

use sakmak_tables::distance::Moves;
use sakmak_tables::rules::piece::Side;
use std::sync::{Arc, Mutex, PoisonError};

/// The least number of own moves left with which the attacker wins; [`Least::NEVER`] if it does
/// not win; [`Least::ILLEGAL`] if the position is illegal. The attacker wins with this number and
/// with every greater one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Least(u8);

impl Least {
    /// Not won with any number of moves left.
    pub const NEVER: Least = Least(u8::MAX);
    /// The position is not legal.
    pub const ILLEGAL: Least = Least(u8::MAX - 1);
    /// The greatest number of moves left that can be stored.
    pub const MOST: Moves = Moves(u8::MAX as u32 - 2);

    /// Won with `left` moves left and more. [`Least::NEVER`] if `left` is above [`Least::MOST`].
    pub fn with(left: Moves) -> Least {
        let number = u8::try_from(left.0).ok().filter(|_| left <= Least::MOST);
        number.map_or(Least::NEVER, Least)
    }

    /// The number of moves left. Returns `None` if it is never won or illegal.
    pub fn moves(self) -> Option<Moves> {
        (self < Least::ILLEGAL).then_some(Moves(u32::from(self.0)))
    }

    /// An array index below 256, different for every value.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Whether it is won with `left` moves left.
    #[inline]
    pub fn is_won(self, left: Moves) -> bool {
        self < Least::ILLEGAL && u32::from(self.0) <= left.0
    }
}

/// By side to move, block, and move that changes the pieces: the least number of moves left
/// before the move with which the attacker wins by it.
pub type Befores = [Vec<Vec<Least>>; 2];

/// By side to move and number of the placement: the least number of moves left with which one
/// attacker wins.
pub type Wins = [Vec<Least>; 2];

/// A cache of the wins found from the moves of one material. They depend only on those moves, the
/// attacker and the wins by moves to other pieces.
#[derive(Debug, Default)]
pub struct WinsCache(Mutex<Vec<(Side, Befores, Arc<Wins>)>>);

impl WinsCache {
    /// The wins of this attacker with these moves to other pieces: from the cache, else by `find`.
    /// Returns `None` if `find` does.
    pub fn wins(
        &self,
        attacker: Side,
        befores: Befores,
        find: impl FnOnce(&Befores) -> Option<Wins>,
    ) -> Option<Arc<Wins>> {
        let mut found = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let same =
            |(side, other, _): &&(Side, Befores, Arc<Wins>)| (side, other) == (&attacker, &befores);
        if let Some((_, _, wins)) = found.iter().find(same) {
            return Some(wins.clone());
        }
        let wins = Arc::new(find(&befores)?);
        found.push((attacker, befores, wins.clone()));
        Some(wins)
    }
}
