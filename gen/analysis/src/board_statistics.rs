//! Statistics of a solved material.

use rayon::prelude::*;
use sakmak_boards::codes::Codes;
use sakmak_boards::solvable::{SolvableGame, prepared};
use sakmak_boards::value::Value;
use sakmak_solve::boards::tables::blocks;

/// Positions by result, for one side to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// Positions that the side to move wins.
    pub won: u64,
    /// Drawn positions.
    pub drawn: u64,
    /// Positions that the side to move loses.
    pub lost: u64,
    /// The plies of the longest win, and the lowest slot that has it.
    pub longest_win: Option<(u16, u64)>,
    /// The plies of the longest loss, and the lowest slot that has it.
    pub longest_loss: Option<(u16, u64)>,
    /// Positions that are won or lost by their plies: wins take an odd number.
    pub lengths: Vec<u64>,
}

impl Results {
    /// All positions.
    pub fn positions(&self) -> u64 {
        self.won + self.drawn + self.lost
    }

    fn take(&mut self, value: Value, slot: u64, weight: u64) {
        let longer = |longest: &mut Option<(u16, u64)>, plies: u16| {
            if longest.is_none_or(|(most, first)| plies > most || (plies == most && slot < first)) {
                *longest = Some((plies, slot));
            }
        };
        if let Value::Win(plies) | Value::Loss(plies) = value {
            let plies = usize::from(plies);
            if self.lengths.len() <= plies {
                self.lengths.resize(plies + 1, 0);
            }
            self.lengths[plies] += weight;
        }
        match value {
            Value::Illegal => {}
            Value::Draw => self.drawn += weight,
            Value::Win(plies) => {
                self.won += weight;
                longer(&mut self.longest_win, plies);
            }
            Value::Loss(plies) => {
                self.lost += weight;
                longer(&mut self.longest_loss, plies);
            }
        }
    }

    fn with(mut self, other: Results) -> Results {
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
        let longest = |first: Option<(u16, u64)>, second: Option<(u16, u64)>| {
            first.into_iter().chain(second).max_by_key(|&(plies, slot)| (plies, u64::MAX - slot))
        };
        if self.lengths.len() < other.lengths.len() {
            self.lengths.resize(other.lengths.len(), 0);
        }
        for (count, more) in self.lengths.iter_mut().zip(other.lengths) {
            *count += more;
        }
        self.longest_win = longest(self.longest_win, other.longest_win);
        self.longest_loss = longest(self.longest_loss, other.longest_loss);
        self
    }
}

/// The results of a material by the side to move, the first side of its name first. Every position
/// counts, and not every slot. `mover` is the side to move in a position of the numbering;
/// `progress` is called from many threads with the number of slots counted.
pub fn results<G: SolvableGame>(
    game: &G,
    material: G::Material,
    codes: &Codes,
    mover: impl Fn(&G::Position) -> usize + Sync,
    progress: &(dyn Fn(u64) + Sync),
) -> [Results; 2] {
    let layout = prepared(game, material);
    let counted = blocks(codes.slots()).fold(<[Results; 2]>::default, |mut results, slots| {
        let done = slots.end - slots.start;
        for slot in slots {
            let value = codes.value(slot).unwrap_or(Value::Illegal);
            if value != Value::Illegal
                && let Some(position) = game.unrank(&layout, slot)
            {
                results[mover(&position)].take(value, slot, game.orbit(&position).into());
            }
        }
        progress(done);
        results
    });
    counted.reduce(<[Results; 2]>::default, |[first, second], [other, last]| {
        [first.with(other), second.with(last)]
    })
}
