//! The wins of one attacker in all positions of a material.

use sakmak_tables::distance::Moves;
use sakmak_tables::rules::piece::Side;
use std::sync::{Arc, Mutex, PoisonError};

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

/// By side to move, block and move that changes the pieces: the least number of moves left
/// before it with which the attacker wins by it.
pub type Befores = [Vec<Vec<Least>>; 2];

/// By side to move and number: with how many moves left one attacker wins a placement.
pub type Wins = [Vec<Least>; 2];

/// The wins found from the moves of one material. They rest on those moves and on what is
/// won by moves to other pieces; where that is the same, so are they.
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
