//! The reference for results under the count: the game with the clock in its state.
//!
//! Like the [reference solver](crate::reference) it is a definition, slow and short. A state is
//! a position and the moves the attacker has left on the clock. The move generator changes the
//! pieces and [`CountingRule::advance`] the clock, as in a game. No number is carried from one
//! phase to another, and counted distances are not used. Each side's wins are found separately.
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
//! With the same pieces a move of the attacker leaves one move less and a move of the runner
//! as many, so that every state rests on states found before it, and there is nothing to
//! iterate. In the free phase there is no clock, and the game is won if mate or a won
//! position of another phase can be forced in any number of moves. The number is that
//! number then: the moves the attacker may take until it mates or leaves the phase.
//!
//! With more moves left no less is won: of other pieces it is so before a material is solved;
//! clocks with more left before a move have no less after it, which is looked at in
//! `crossing`; and where all the states that a state rests on are won, those with more
//! left are too. So one number per position is kept, the least that wins, and a position
//! is not asked about again once it is won. The tests do ask again.
//!
//! Numbers left are not bound by the longest clock there is; what is found for longer ones
//! is there and nobody asks for it.

mod crossing;
mod layers;
mod moves;
mod wins;

pub use crossing::OddClock;
pub use moves::{MaterialMoves, MovesError};
pub use wins::Least;

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

/// Materials solved by definition, for one way of counting.
#[derive(Debug)]
pub struct CountedReference {
    counting_rule: &'static CountingRule,
    solutions: HashMap<Material, SolvedWins>,
}

/// The wins found for one material.
#[derive(Debug)]
struct SolvedWins {
    numbering: Numbering,
    /// By attacker.
    wins: [Arc<Wins>; 2],
}

/// A material that is not solved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CountedReferenceError {
    /// A material to which it leads is not solved.
    #[error("{0} leads to {1}, which is not solved")]
    Missing(Material, Material),
    /// What the clocks do is no matter of one number a position.
    #[error(transparent)]
    OddClock(#[from] OddClock),
    /// A win in too many moves.
    #[error("a win of {0} takes too many moves for the reference solver")]
    TooLong(Material),
    /// A position that both sides win.
    #[error("{0} has a position that both sides win")]
    BothWin(Material),
}

/// Looks up a placement of other pieces: for one attacker, and with one side to move.
type SmallerLeast<'a> = dyn Fn(&SmallerMaterial, Number, Side, Side) -> Option<Least> + Sync + 'a;

impl CountedReference {
    /// No material solved yet.
    pub fn new(counting_rule: &'static CountingRule) -> CountedReference {
        CountedReference { counting_rule, solutions: HashMap::new() }
    }

    /// The way of counting.
    pub fn counting_rule(&self) -> &'static CountingRule {
        self.counting_rule
    }

    /// Solves a material; all it leads to must be solved.
    ///
    /// # Errors
    ///
    /// When something is not, and when one number a position is not enough.
    pub fn solve(&mut self, moves: &MaterialMoves) -> Result<(), CountedReferenceError> {
        let solution = self.solution(moves, &|smaller, number, attacker, to_move| {
            let OrientedMaterial { material, flipped } = smaller.oriented;
            let seen = |side: Side| if flipped { !side } else { side };
            self.solutions.get(&material)?.least(number, seen(attacker), seen(to_move))
        })?;
        self.solutions.insert(moves.material, solution);
        Ok(())
    }

    /// Solves a material; what is known of those it leads to is given, as counted
    /// distances.
    ///
    /// # Errors
    ///
    /// As [`CountedReference::solve`].
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
                (Value::Win(moves), true) | (Value::Loss(moves), false) => Least::with(moves),
                _ => Least::NEVER,
            })
        })?;
        self.solutions.insert(moves.material, solution);
        Ok(())
    }

    /// Lets go of all materials but these: they are large.
    pub fn forget_all_but(&mut self, materials: &[Material]) {
        self.solutions.retain(|material, _| materials.contains(material));
    }

    /// Whether for a material both were found to be the same, when the same moves were
    /// looked at.
    pub fn shares(&self, other: &CountedReference, material: Material) -> bool {
        let wins = |one: &CountedReference| {
            one.solutions.get(&material).map(|solution| solution.wins.each_ref().map(Arc::as_ptr))
        };
        wins(self).is_some() && wins(self) == wins(other)
    }

    /// The least number of moves left with which this attacker wins a position.
    ///
    /// Returns `None` for an illegal position and for a material that is not solved.
    pub fn least(&self, position: &Position, attacker: Side) -> Option<Least> {
        let OrientedMaterial { material, flipped } = position.material();
        if material == Material::BARE_KINGS {
            return position.legality().is_ok().then_some(Least::NEVER);
        }
        let solution = self.solutions.get(&material)?;
        // The material's White is the stronger side: where Black is, the colours change.
        let (position, attacker) = match flipped {
            true => (position.colours_exchanged(), !attacker),
            false => (*position, attacker),
        };
        let number = solution.numbering.number(&position)?;
        let least = solution.least(number, attacker, position.side())?;
        (least != Least::ILLEGAL).then_some(least)
    }

    /// The counted distance of a legal position, for the side to move: its least number, or
    /// a draw where the board's count never leaves so many.
    ///
    /// Returns `None` for an illegal position and for a material that is not solved.
    pub fn value(&self, position: &Position) -> Option<Value> {
        let least = |attacker: Side| self.least(position, attacker);
        Some(self.value_of(position, [least(Side::White)?, least(Side::Black)?]))
    }

    /// The value of a position whose least numbers are these, by attacker.
    fn value_of(&self, position: &Position, least: [Least; 2]) -> Value {
        let of = |attacker: Side| {
            let least = least[attacker.index()].moves();
            least.filter(|&least| self.may_be_left(position, attacker, least))
        };
        let (win, loss) = (of(position.side()), of(!position.side()));
        win.map(Value::Win).or(loss.map(Value::Loss)).unwrap_or(Value::Draw)
    }

    /// Every legal position of a solved material with its value, White being the stronger
    /// side; shared out over all threads. Empty if the material is not solved.
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

    /// Whether a clock that runs in the phase of a position ever leaves so many moves. The
    /// pieces' honour is answered by distance to mate, which goes on.
    fn may_be_left(&self, position: &Position, attacker: Side, moves: Moves) -> bool {
        if self.counting_rule.phase_against(position.armies(), attacker) != Phase::BoardsHonour {
            return true;
        }
        let limits =
            self.counting_rule.boards.iter().map(|boards| self.counting_rule.plies(boards.limit));
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
        let won = |least: &Least| least.moves().is_some();
        match white.zip(black).any(|(white, black)| won(white) && won(black)) {
            true => Err(CountedReferenceError::BothWin(moves.material)),
            false => Ok(SolvedWins { numbering: moves.numbering.clone(), wins }),
        }
    }

    /// For each move of `mover` that changes the pieces the least number left before it with
    /// which the attacker wins by it.
    fn befores(
        &self,
        moves: &MaterialMoves,
        attacker: Side,
        mover: Side,
        known: &SmallerLeast<'_>,
    ) -> Result<Vec<Vec<Least>>, CountedReferenceError> {
        let before = Side::BOTH.map(|side| moves.material.army(side));
        Crossing { before, after: before, mover }.check_tick(self.counting_rule, attacker)?;
        let crossing = |smaller: &SmallerMaterial| {
            Crossing { before, after: smaller.armies, mover }.befores(self.counting_rule, attacker)
        };
        let crossings: Vec<Vec<Least>> =
            moves.smaller.iter().map(crossing).collect::<Result<_, _>>()?;
        moves.blocks[mover.index()]
            .par_iter()
            .map(|block| {
                let conversions = block.conversions().iter();
                let befores = conversions.map(|conversion| {
                    let place = usize::from(conversion.smaller);
                    let smaller = &moves.smaller[place];
                    let material = smaller.oriented.material;
                    if material == Material::BARE_KINGS {
                        return Ok(Least::NEVER);
                    }
                    let after = known(smaller, conversion.number, attacker, !mover);
                    let missing = CountedReferenceError::Missing(moves.material, material);
                    let after = after.filter(|&after| after != Least::ILLEGAL).ok_or(missing)?;
                    Ok(crossings[place][after.index()])
                });
                befores.collect()
            })
            .collect()
    }
}

impl SolvedWins {
    /// By attacker, of a legal position.
    fn both(&self, number: Number, to_move: Side) -> Option<[Least; 2]> {
        let least = |attacker: Side| {
            let least = self.least(number, attacker, to_move);
            least.filter(|&least| least != Least::ILLEGAL)
        };
        Some([least(Side::White)?, least(Side::Black)?])
    }

    fn least(&self, number: Number, attacker: Side, to_move: Side) -> Option<Least> {
        self.wins[attacker.index()][to_move.index()].get(number.0 as usize).copied()
    }
}

#[cfg(test)]
mod tests;
