//! What was found for a material already: ways of counting often differ in nothing that
//! matters to it.

use crate::counted_reference::least::Least;
use sakmak_tables::rules::piece::Side;
use std::sync::{Arc, Mutex, PoisonError};

/// By side to move, block and move that changes the pieces: the least number of moves left
/// before it with which the attacker wins by it.
pub type Befores = [Vec<Vec<Least>>; 2];

/// By side to move and number: with how many moves left one attacker wins a placement.
pub type Wins = [Vec<Least>; 2];

/// The wins found from the moves of one material. They rest on those moves and on what is
/// won by moves to other pieces; where that is the same, so are they.
#[derive(Debug, Default)]
pub struct Found(Mutex<Vec<(Side, Befores, Arc<Wins>)>>);

impl Found {
    /// The wins of this attacker with these moves to other pieces, found now if they were not
    /// before; nothing where `find` gives nothing.
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
