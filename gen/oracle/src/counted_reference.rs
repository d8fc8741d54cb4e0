//! The reference for results under the count: the clock is part of the state.
//!
//! Like the [reference solver](crate::reference) it is a definition, slow and short. A state is
//! a position and the number of moves that the attacker has left on the clock. As in a game, the
//! move generator changes the pieces and [`CountingRule::advance`] changes the clock. No number
//! is carried from one phase to another, and counted distances are not used. The wins of each
//! side are found separately.
//!
//! ```text
//! the attacker wins (position, left):
//!     runner to move:     it has lost at once, with any number left: mate comes before the
//!                         count; or it has moves, and after each the attacker wins
//!     attacker to move:   left is at least 1, and after some move the attacker wins
//! after a move:
//!     (position, moves left on the clock that runs there)
//!
//! solve:
//!     for left = 0, 1, 2... until nothing changes and nothing can:
//!         all positions with the attacker to move, by those with the runner to move and
//!             left - 1, and by those with other pieces
//!         all positions with the runner to move, by those with the attacker to move and
//!             left, and by those with other pieces
//! ```
//!
//! While the pieces stay the same, a move of the attacker leaves one move less, and a move of
//! the runner leaves the number unchanged. Every state therefore depends on states found before
//! it, and no iteration is needed. In the free phase there is no clock. The game is won there if
//! mate or a won position of another phase can be forced in any number of moves. The number left
//! is then the number of moves the attacker may take until it mates or leaves the phase.
//!
//! A state that is won stays won with more moves left, for three reasons. It holds for the other
//! materials, which are solved before. A clock with more moves left before a move does not have
//! fewer after it; `crossing` checks this. And if all states on which a state depends are won,
//! the same states with more moves left are won too. So one number is kept for each position:
//! the least number left that wins. A position is not tested again once it is won. The unit
//! tests do test it again.
//!
//! The numbers left are not limited to the longest clock of a counting rule. Results for greater
//! numbers are computed but not used.

mod crossing;
mod layers;
mod moves;
mod wins;

pub use crossing::OddClock;
pub use moves::{MaterialMoves, MovesError};
pub use wins::LeastMoves;

use crate::reference::numbering::{Number, Numbering};
use crossing::Crossing;
use moves::SmallerMaterial;
use rayon::prelude::*;
use sakmak_tables::counting::{Clock, CountingRule, Honour, Party, Phase};
use sakmak_tables::distance::{Moves, Plies, Value};
use sakmak_tables::material::{Material, OrientedMaterial};
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use std::collections::HashMap;
use std::sync::Arc;
use wins::Wins;

/// Materials solved by definition, for one counting rule.
#[derive(Debug)]
pub struct CountedReference {
    counting_rule: &'static CountingRule,
    solutions: HashMap<Material, SolvedWins>,
}

/// The wins found for one material.
#[derive(Debug)]
struct SolvedWins {
    numbering: Numbering,
    /// Wins by attacker.
    wins: [Arc<Wins>; 2],
}

/// Reasons why a material cannot be solved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CountedReferenceError {
    /// The first material depends on the second, which is not solved.
    #[error("{0} depends on {1}, which is not solved")]
    Missing(Material, Material),
    /// One number per position does not describe the effect of the clocks.
    #[error(transparent)]
    OddClock(#[from] OddClock),
    /// A win needs more than [`LeastMoves::MOST`] moves.
    #[error("a win of {0} takes too many moves for the reference solver")]
    TooLong(Material),
    /// Both sides win a position.
    #[error("{0} has a position that both sides win")]
    BothWin(Material),
}

/// Looks up the least number of a placement of other pieces: by attacker, then the side to move.
type SmallerLeast<'a> =
    dyn Fn(&SmallerMaterial, Number, Side, Side) -> Option<LeastMoves> + Sync + 'a;

impl CountedReference {
    /// A reference without a solved material.
    pub fn new(counting_rule: &'static CountingRule) -> CountedReference {
        CountedReference { counting_rule, solutions: HashMap::new() }
    }

    /// The counting rule.
    pub fn counting_rule(&self) -> &'static CountingRule {
        self.counting_rule
    }

    /// Solves a material. The materials to which it leads must be solved.
    ///
    /// # Errors
    ///
    /// If one of these materials is not solved, if one number per position is not enough, if a win
    /// needs too many moves, or if both sides win a position.
    pub fn solve(&mut self, moves: &MaterialMoves) -> Result<(), CountedReferenceError> {
        let solution = self.solution(moves, &|smaller, number, attacker, to_move| {
            let OrientedMaterial { material, flipped } = smaller.oriented;
            let seen = |side: Side| if flipped { !side } else { side };
            self.solutions.get(&material)?.least(number, seen(attacker), seen(to_move))
        })?;
        self.solutions.insert(moves.material, solution);
        Ok(())
    }

    /// Solves a material. `given` returns the counted distances of the materials to which it
    /// leads.
    ///
    /// # Errors
    ///
    /// The errors of [`CountedReference::solve`].
    pub fn solve_given(
        &mut self,
        moves: &MaterialMoves,
        given: &(dyn Fn(&Position) -> Option<Value> + Sync),
    ) -> Result<(), CountedReferenceError> {
        let solution = self.solution(moves, &|smaller, number, attacker, to_move| {
            let seen = |side: Side| if smaller.oriented.flipped { !side } else { side };
            let position = smaller.numbering.as_ref()?.position(number, seen(to_move))?;
            let value = given(&position)?;
            Some(match (value, attacker == to_move) {
                (Value::Win(moves), true) | (Value::Loss(moves), false) => LeastMoves::with(moves),
                _ => LeastMoves::NEVER,
            })
        })?;
        self.solutions.insert(moves.material, solution);
        Ok(())
    }

    /// Drops all solved materials except these, to free memory.
    pub fn forget_all_but(&mut self, materials: &[Material]) {
        self.solutions.retain(|material, _| materials.contains(material));
    }

    /// Whether both references hold the same wins of a material in memory. They do if both
    /// solved it from the same moves and found the same wins.
    pub fn shares(&self, other: &CountedReference, material: Material) -> bool {
        let wins = |one: &CountedReference| {
            one.solutions.get(&material).map(|solution| solution.wins.each_ref().map(Arc::as_ptr))
        };
        wins(self).is_some() && wins(self) == wins(other)
    }

    /// The least number of moves left with which this attacker wins a position.
    ///
    /// Returns `None` for an illegal position and for a material that is not solved.
    pub fn least(&self, position: &Position, attacker: Side) -> Option<LeastMoves> {
        let OrientedMaterial { material, flipped } = position.material();
        if material == Material::BARE_KINGS {
            return position.legality().is_ok().then_some(LeastMoves::NEVER);
        }
        let solution = self.solutions.get(&material)?;
        // White is the stronger side of a material. If Black is stronger, exchange the colours.
        let (position, attacker) = match flipped {
            true => (position.colours_exchanged(), !attacker),
            false => (*position, attacker),
        };
        let number = solution.numbering.number(&position)?;
        let least = solution.least(number, attacker, position.side())?;
        (least != LeastMoves::ILLEGAL).then_some(least)
    }

    /// The counted distance of a legal position, for the side to move: its least number, or a
    /// draw if the board's honour never leaves that number of moves.
    ///
    /// Returns `None` for an illegal position and for a material that is not solved.
    pub fn value(&self, position: &Position) -> Option<Value> {
        let least = |attacker: Side| self.least(position, attacker);
        Some(self.value_of(position, [least(Side::White)?, least(Side::Black)?]))
    }

    /// The value of a position with these least numbers, by attacker.
    fn value_of(&self, position: &Position, least: [LeastMoves; 2]) -> Value {
        let of = |attacker: Side| {
            let least = least[attacker.index()].moves();
            least.filter(|&least| self.may_be_left(position, attacker, least))
        };
        let (win, loss) = (of(position.side()), of(!position.side()));
        win.map(Value::Win).or(loss.map(Value::Loss)).unwrap_or(Value::Draw)
    }

    /// Every legal position of a solved material with its value, as a parallel iterator. White is
    /// the stronger side. Empty if the material is not solved.
    pub fn positions(&self, material: Material) -> impl ParallelIterator<Item = (Position, Value)> {
        self.solutions.get(&material).into_par_iter().flat_map(move |solution| {
            Side::BOTH.into_par_iter().flat_map(move |side| {
                (0..solution.numbering.count()).into_par_iter().filter_map(move |number| {
                    let least = solution.both(Number(number), side)?;
                    let position = solution.numbering.position(Number(number), side)?;
                    Some((position, self.value_of(&position, least)))
                })
            })
        })
    }

    /// Whether a clock that runs in the phase of a position ever leaves `moves` moves. Always true
    /// in the pieces' honour: the distance to mate decides there and has no limit.
    fn may_be_left(&self, position: &Position, attacker: Side, moves: Moves) -> bool {
        if self.counting_rule.phase_against(position.armies(), attacker) != Phase::BoardsHonour {
            return true;
        }
        let limits = self
            .counting_rule
            .boards
            .iter()
            .map(|boards| self.counting_rule.limit_in_plies(boards.limit));
        let mut clocks = limits.map(|limit| Clock::new(Honour::Boards, limit, Plies(0)));
        clocks.any(|clock| moves <= clock.moves_left(Party::Attacker))
    }

    /// Solves a material.
    fn solution(
        &self,
        moves: &MaterialMoves,
        known: &SmallerLeast<'_>,
    ) -> Result<SolvedWins, CountedReferenceError> {
        let of = |attacker: Side| {
            let [white, black] =
                Side::BOTH.map(|mover| self.befores(moves, attacker, mover, known));
            let find = |befores: &_| layers::wins(moves, attacker, befores);
            let wins = moves.found.wins(attacker, [white?, black?], find);
            wins.ok_or(CountedReferenceError::TooLong(moves.material))
        };
        let wins = [of(Side::White)?, of(Side::Black)?];
        let [white, black] = wins.each_ref().map(|wins| wins.iter().flatten());
        let won = |least: &LeastMoves| least.moves().is_some();
        match white.zip(black).any(|(white, black)| won(white) && won(black)) {
            true => Err(CountedReferenceError::BothWin(moves.material)),
            false => Ok(SolvedWins { numbering: moves.numbering.clone(), wins }),
        }
    }

    /// The least number left before each move of `mover` that changes the pieces, with which the
    /// attacker wins by the move.
    fn befores(
        &self,
        moves: &MaterialMoves,
        attacker: Side,
        mover: Side,
        known: &SmallerLeast<'_>,
    ) -> Result<Vec<Vec<LeastMoves>>, CountedReferenceError> {
        let before = Side::BOTH.map(|side| moves.material.army(side));
        Crossing { before, after: before, mover }.check_tick(self.counting_rule, attacker)?;
        let crossing = |smaller: &SmallerMaterial| {
            Crossing { before, after: smaller.armies, mover }.befores(self.counting_rule, attacker)
        };
        let crossings: Vec<Vec<LeastMoves>> =
            moves.smaller.iter().map(crossing).collect::<Result<_, _>>()?;
        moves.blocks[mover.index()]
            .par_iter()
            .map(|block| {
                let conversions = block.conversions().iter();
                let befores = conversions.map(|conversion| {
                    let index = usize::from(conversion.smaller);
                    let smaller = &moves.smaller[index];
                    let material = smaller.oriented.material;
                    if material == Material::BARE_KINGS {
                        return Ok(LeastMoves::NEVER);
                    }
                    let after = known(smaller, conversion.number, attacker, !mover);
                    let missing = CountedReferenceError::Missing(moves.material, material);
                    let after =
                        after.filter(|&after| after != LeastMoves::ILLEGAL).ok_or(missing)?;
                    Ok(crossings[index][after.index()])
                });
                befores.collect()
            })
            .collect()
    }
}

impl SolvedWins {
    /// The least numbers by attacker. Returns `None` for an illegal position.
    fn both(&self, number: Number, to_move: Side) -> Option<[LeastMoves; 2]> {
        let least = |attacker: Side| {
            let least = self.least(number, attacker, to_move);
            least.filter(|&least| least != LeastMoves::ILLEGAL)
        };
        Some([least(Side::White)?, least(Side::Black)?])
    }

    fn least(&self, number: Number, attacker: Side, to_move: Side) -> Option<LeastMoves> {
        self.wins[attacker.index()][to_move.index()].get(number.0 as usize).copied()
    }
}

#[cfg(test)]
mod tests;
