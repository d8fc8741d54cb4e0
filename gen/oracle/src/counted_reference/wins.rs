//! The wins of one attacker in all positions of a material.

use sakmak_tables::distance::Moves;
use sakmak_tables::rules::piece::Side;
use std::sync::{Arc, Mutex, PoisonError};

/// The least number of own moves left with which the attacker wins; [`LeastMoves::NEVER`] if it
/// does not win; [`LeastMoves::ILLEGAL`] if the position is illegal. The attacker wins with this
/// number and with every greater number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LeastMoves(u8);

impl LeastMoves {
    /// Not won with any number of moves left.
    pub const NEVER: LeastMoves = LeastMoves(u8::MAX);
    /// The position is not legal.
    pub const ILLEGAL: LeastMoves = LeastMoves(u8::MAX - 1);
    /// The greatest number of moves left that can be stored.
    pub const MOST: Moves = Moves(u8::MAX as u32 - 2);

    /// The least number `left`. [`LeastMoves::NEVER`] if `left` is above [`LeastMoves::MOST`].
    pub fn with(left: Moves) -> LeastMoves {
        let number = u8::try_from(left.0).ok().filter(|_| left <= LeastMoves::MOST);
        number.map_or(LeastMoves::NEVER, LeastMoves)
    }

    /// The number of moves left. Returns `None` if the position is never won, or illegal.
    pub fn moves(self) -> Option<Moves> {
        (self < LeastMoves::ILLEGAL).then_some(Moves(u32::from(self.0)))
    }

    /// An array index below 256, different for every value.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Whether the position is won with `left` moves left.
    #[inline]
    pub fn is_won(self, left: Moves) -> bool {
        self < LeastMoves::ILLEGAL && u32::from(self.0) <= left.0
    }
}

/// The least number of moves left before a move with which the attacker wins by it: by side to
/// move, block, and move that changes the pieces.
pub type Befores = [Vec<Vec<LeastMoves>>; 2];

/// The least number of moves left with which one attacker wins, by side to move and number of the
/// placement.
pub type Wins = [Vec<LeastMoves>; 2];

/// A cache of the wins found from the moves of one material. They depend only on these moves, the
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
