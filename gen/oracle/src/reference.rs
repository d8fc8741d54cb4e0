//! The reference solver: the definition of every value, by plain move generation.
//!
//! The solver is slow and short. It uses the legal moves of positions and the rules that end a
//! game. It uses no symmetry of the board, of the sides or of like pieces. The number of a position
//! is a product of squares. Tests compare the fast solver with it.
//!
//! ```text
//! mate in n plies (position):
//!     n = 0:     the game is over and lost
//!     n odd:     some move leads to mate in n - 1 plies,
//!                and the position is no mate in fewer plies
//!     n even:    there are moves, each leads to mate in an odd number of plies below n,
//!                and one of them in n - 1
//! value:         win if n is odd, loss if n is even, draw if there is no n
//!
//! solve:
//!     for every placement of the pieces and either side to move:
//!         is it legal? where do its moves lead? the value, if that is a smaller material
//!     for n = 1, 2, 3... until nothing changes and nothing can:
//!         all open positions that are mate in n, by the positions below n
//! ```
//!
//! Values of layer `n` depend only on values below `n`, so the order within a layer does not
//! matter. A position that stays open is a draw. This includes a drawn end of the game, which has
//! no moves.

mod entry;
pub(crate) mod numbering;
mod successors;

use entry::Entry;
use numbering::{Number, Numbering};
use rayon::prelude::*;
use sakmak_tables::distance::{Plies, Value};
use sakmak_tables::material::{Material, OrientedMaterial};
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variant::Variant;
use std::collections::HashMap;
use successors::Successors;

/// Materials solved by definition, for one variant.
#[derive(Debug)]
pub struct Reference {
    variant: &'static Variant,
    solutions: HashMap<Material, SolvedEntries>,
}

/// The entries of one material.
#[derive(Debug)]
struct SolvedEntries {
    numbering: Numbering,
    /// Entries by side to move, then number.
    entries: [Vec<Entry>; 2],
}

/// Reasons why a material cannot be solved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReferenceError {
    /// The material has more placements than numbers. Up to four men always fit.
    #[error("{0} has too many placements for the reference solver")]
    TooLarge(Material),
    /// The plies of a mate do not fit an entry.
    #[error("a mate of {0} is too long for the reference solver")]
    TooLong(Material),
}

impl Reference {
    /// A reference without a solved material.
    pub fn new(variant: &'static Variant) -> Reference {
        Reference { variant, solutions: HashMap::new() }
    }

    /// The variant whose rules are used.
    pub fn variant(&self) -> &'static Variant {
        self.variant
    }

    /// Solves the materials to which a material leads, then the material. Solved materials are kept
    /// and not solved again.
    ///
    /// # Errors
    ///
    /// If a material has too many placements or a mate is too long.
    pub fn solve(&mut self, material: Material) -> Result<(), ReferenceError> {
        for material in Material::closure([material], &self.variant.rules) {
            if !self.solutions.contains_key(&material) {
                let solved = self.solved(material)?;
                self.solutions.insert(material, solved);
            }
        }
        Ok(())
    }

    /// The value of a legal position, for the side to move.
    ///
    /// Returns `None` for an illegal position and for a material that is not solved.
    pub fn value(&self, position: &Position) -> Option<Value> {
        self.entry(position)?.value()
    }

    /// Every legal position of a solved material with its value, as a parallel iterator. White is
    /// the stronger side. Empty if the material is not solved.
    pub fn positions(&self, material: Material) -> impl ParallelIterator<Item = (Position, Value)> {
        self.solutions.get(&material).into_par_iter().flat_map(|solved| {
            Side::BOTH.into_par_iter().flat_map(move |side| {
                let entries = &solved.entries[side.index()];
                entries.par_iter().enumerate().filter_map(move |(number, entry)| {
                    let value = entry.value()?;
                    Some((solved.numbering.position(Number(number as u32), side)?, value))
                })
            })
        })
    }

    /// The entry of a position. Returns `None` if its material is not solved or it has no number.
    fn entry(&self, position: &Position) -> Option<Entry> {
        let OrientedMaterial { material, flipped } = position.material();
        if material == Material::BARE_KINGS {
            return position.legality().is_ok().then_some(Entry::OPEN);
        }
        let solved = self.solutions.get(&material)?;
        // White is the stronger side of a material. If Black is stronger, exchange the colours.
        let position = if flipped { position.colours_exchanged() } else { *position };
        let number = solved.numbering.number(&position)?;
        solved.entries[position.side().index()].get(number.0 as usize).copied()
    }

    /// Solves a material whose successors are solved.
    fn solved(&self, material: Material) -> Result<SolvedEntries, ReferenceError> {
        let numbering = Numbering::new(material, self.variant);
        let numbering = numbering.ok_or(ReferenceError::TooLarge(material))?;
        let smaller = |position: &Position| self.entry(position).unwrap_or(Entry::ILLEGAL);
        let [white, black] = Side::BOTH.map(|side| Successors::new(&numbering, side, &smaller));
        let successors = [white.0, black.0];
        let mut entries = [white.1, black.1];

        // A side's layer n can be non-empty only if the opponent's layer n - 1 is non-empty, or if
        // a smaller material has a mate of at least n - 1 plies.
        let longest = successors.each_ref().map(Successors::longest_mate_of_smaller);
        let mut changed = [true; 2];
        let mut n = Plies(0);
        loop {
            let last = n;
            n = Plies(n.0 + 1);
            let open = Side::BOTH
                .map(|side| changed[(!side).index()] || longest[side.index()] >= Some(last));
            if open == [false; 2] {
                return Ok(SolvedEntries { numbering, entries });
            }
            let entry = Entry::mate_in(n).ok_or(ReferenceError::TooLong(material))?;
            let found = Side::BOTH.map(|side| {
                if !open[side.index()] {
                    return Vec::new();
                }
                let (own, opponent) = (&entries[side.index()], &entries[(!side).index()]);
                successors[side.index()]
                    .decided(own, opponent, |successors| is_mate_in(n, successors))
            });
            changed = found.each_ref().map(|found| !found.is_empty());
            for (entries, found) in entries.iter_mut().zip(found) {
                for Number(number) in found {
                    entries[number as usize] = entry;
                }
            }
        }
    }
}

/// Whether a position that is not mate in fewer plies is mate in `n` plies. `n` is at least 1.
fn is_mate_in(n: Plies, mut successors: impl Iterator<Item = Entry>) -> bool {
    let before = Plies(n.0 - 1);
    if n.0.is_multiple_of(2) {
        let mut found = false;
        let all = successors.all(|successor| {
            found |= successor.plies() == Some(before);
            successor.plies().is_some_and(|plies| plies < n && !plies.0.is_multiple_of(2))
        });
        all && found
    } else {
        successors.any(|successor| successor.plies() == Some(before))
    }
}

#[cfg(test)]
mod tests;
